/* The bytes of a watch become events. */

#include "client/watch_reader.h"

#include "base/buf.h"
#include "unit.h"

static struct yl_buf heard;
static int answer;              /* What the function returns. */

static int
hear(void *aux, struct yl_watch_event *event)
{
    assert_null(aux);
    yl_buf_printf(&heard, "%c%d%s ", yl_watch_type_name(event->type)[0],
                  (int) event->revision,
                  event->object ? "+" : event->error.code ? "!" : "");
    return answer;
}

#define ADDED(RV) "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\"," \
    "\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"," \
    "\"resourceVersion\":\"" RV "\"}}}"
#define BOOKMARK(RV) "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\"," \
    "\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" RV "\"}}}"
#define EXPIRED "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\"," \
    "\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Expired\"," \
    "\"code\":410}}"

/* Reads 'text' in pieces of 'size' bytes. */
static int
read_in(const char *text, size_t size, struct yl_error *err)
{
    struct yl_watch_reader reader;
    struct yl_str rest = yl_str_c(text);
    int r = 0;

    yl_buf_clear(&heard);
    yl_watch_reader_init(&reader, hear, NULL);
    while (r == 0 && rest.size) {
        size_t n = rest.size < size ? rest.size : size;

        r = yl_watch_reader_feed(&reader, yl_str_n(rest.data, n), err);
        rest = yl_str_skip(rest, n);
    }
    if (r == 0) {
        r = yl_watch_reader_finish(&reader, err);
    }
    yl_watch_reader_release(&reader);
    return r;
}

TEST(events_do_not_depend_on_the_pieces)
{
    static const char text[] = ADDED("1") "\n" BOOKMARK("2") "\n"
                               ADDED("3") ADDED("4") "\n" EXPIRED "\n";
    size_t size;

    yl_buf_init(&heard, 1 << 16);
    answer = 0;
    for (size = 1; size <= sizeof text; size++) {
        assert_int_equal(read_in(text, size, NULL), 0);
        assert_str_equal(yl_buf_str(&heard), "A1+ B2 A3+ A4+ E0! ");
    }
    yl_buf_release(&heard);
}

TEST(a_quiet_reader_holds_no_memory)
{
    struct yl_watch_reader reader;
    int i;

    yl_buf_init(&heard, 1 << 16);
    answer = 0;
    yl_watch_reader_init(&reader, hear, NULL);
    for (i = 0; i < 2; i++) {
        assert_int_equal(yl_watch_reader_feed(&reader, YL_STR(ADDED("1") "\n"),
                                              NULL), 0);
        assert_int_equal(reader.splitter.buf.capacity, 0);
        assert_int_equal(yl_watch_reader_feed(&reader,
                                              YL_STR(ADDED("2") "\n{"),
                                              NULL), 0);
        assert_true(reader.splitter.buf.capacity > 0);
        assert_int_equal(yl_watch_reader_feed(
                             &reader, yl_str_skip(YL_STR(ADDED("3")), 1),
                             NULL), 0);
    }
    assert_int_equal(yl_watch_reader_finish(&reader, NULL), 0);
    assert_str_equal(yl_buf_str(&heard), "A1+ A2+ A3+ A1+ A2+ A3+ ");
    yl_watch_reader_release(&reader);
    yl_buf_release(&heard);
}

TEST(the_function_can_end_the_reading)
{
    yl_buf_init(&heard, 1 << 16);
    answer = 1;
    assert_int_equal(read_in(ADDED("1") ADDED("2"), 1000, NULL), 1);
    assert_str_equal(yl_buf_str(&heard), "A1+ ");
    answer = YL_ECONFLICT;
    assert_int_equal(read_in(ADDED("1") ADDED("2"), 1000, NULL),
                     YL_ECONFLICT);
    assert_str_equal(yl_buf_str(&heard), "A1+ ");
    answer = 0;
    yl_buf_release(&heard);
}

TEST(a_watch_that_breaks_off_is_told_from_one_that_ends)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_buf_init(&heard, 1 << 16);
    assert_int_equal(read_in(ADDED("1") "\n{\"type\":\"AD", 7, &err),
                     YL_EUNAVAILABLE);
    assert_int_equal(err.code, YL_EUNAVAILABLE);
    assert_str_equal(yl_buf_str(&heard), "A1+ ");
    yl_error_clear(&err);
    assert_int_equal(read_in("", 1, &err), 0);
    yl_buf_release(&heard);
}

TEST(what_is_no_event_is_an_error)
{
    static const struct {
        const char *text;
        int code;
    } cases[] = {
        { "{\"type\":\"WHAT\",\"object\":{}}", YL_EINVALID },
        { "[1]", YL_ETYPE },
        { "}", YL_ESYNTAX },
        { "{\"type\":\"ADDED\",\"object\":3}", YL_ETYPE },
    };
    size_t i;

    yl_buf_init(&heard, 1 << 16);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;

        assert_int_equal(read_in(cases[i].text, 1000, &err), cases[i].code);
        assert_non_null(err.message);
        yl_error_clear(&err);
    }
    yl_buf_release(&heard);
}
