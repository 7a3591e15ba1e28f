/* Tests of the splitter. */

#include "json/split.h"

#include <dirent.h>

#include "unit.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* Splits 'text', fed in pieces of 'piece' bytes (0: lent whole), into
 * 'values', joined by '|'.  Returns the number of values or the error. */
static int
split(enum yl_split_mode mode, struct yl_str text, size_t piece,
      struct yl_buf *values, struct yl_buf *envelope)
{
    struct yl_splitter s;
    struct yl_str value;
    size_t fed = 0;
    int n = 0, r;

    if (piece) {
        yl_splitter_init(&s, mode, 0);
    } else {
        yl_splitter_init_over(&s, mode, 0, text);
    }
    for (;;) {
        while ((r = yl_splitter_next(&s, &value, NULL)) == YL_SPLIT_VALUE) {
            if (values) {
                yl_buf_append_str(values, value);
                yl_buf_append_char(values, '|');
            }
            n++;
        }
        if (r != YL_SPLIT_MORE) {
            break;
        }
        if (fed < text.size) {
            size_t size = text.size - fed < piece ? text.size - fed : piece;

            yl_splitter_feed(&s, yl_str_n(text.data + fed, size));
            fed += size;
        } else {
            yl_splitter_finish(&s);
        }
    }
    if (r == YL_SPLIT_END && envelope) {
        yl_buf_append_str(envelope, yl_splitter_envelope(&s));
    }
    yl_splitter_release(&s);
    return r < 0 ? r : n;
}

/* The values must be the same for pieces of every size. */
static void
expect(enum yl_split_mode mode, const char *text, int n, const char *values,
       const char *envelope)
{
    size_t piece;

    for (piece = 0; piece <= strlen(text) + 1; piece++) {
        struct yl_buf got, rest;

        yl_buf_init(&got, 1 << 20);
        yl_buf_init(&rest, 1 << 20);
        assert_int_equal(split(mode, yl_str_c(text), piece, &got, &rest), n);
        if (n >= 0) {
            assert_str_equal(yl_buf_str(&got), values);
            assert_str_equal(yl_buf_str(&rest), envelope);
        }
        yl_buf_release(&got);
        yl_buf_release(&rest);
    }
}

TEST(frames_do_not_depend_on_the_pieces)
{
    expect(YL_SPLIT_FRAMES,
           "{\"type\":\"ADDED\",\"object\":{\"a\":[1,2,{}]}}\n"
           "{\"type\":\"MODIFIED\",\"object\":{\"s\":\"}]\\\"\\\\\"}}\n",
           2,
           "{\"type\":\"ADDED\",\"object\":{\"a\":[1,2,{}]}}|"
           "{\"type\":\"MODIFIED\",\"object\":{\"s\":\"}]\\\"\\\\\"}}|",
           "");
    expect(YL_SPLIT_FRAMES, "", 0, "", "");
    expect(YL_SPLIT_FRAMES, " \r\n\t", 0, "", "");
    expect(YL_SPLIT_FRAMES, "{}{}[] 1 \"a\\\"b\"true", 6,
           "{}|{}|[]|1|\"a\\\"b\"|true|", "");
}

TEST(broken_frames_are_errors)
{
    expect(YL_SPLIT_FRAMES, "{\"a\":", YL_ETRUNCATED, NULL, NULL);
    expect(YL_SPLIT_FRAMES, "\"a", YL_ETRUNCATED, NULL, NULL);
    expect(YL_SPLIT_FRAMES, "{}]", YL_ESYNTAX, NULL, NULL);
    expect(YL_SPLIT_FRAMES, "{},{}", YL_ESYNTAX, NULL, NULL);
}

TEST(list_yields_items_and_envelope)
{
    expect(YL_SPLIT_LIST,
           "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"7\"},"
           "\"items\":[{\"a\":\"]\"}, {\"items\":[{}]}\n]}\n",
           2, "{\"a\":\"]\"}|{\"items\":[{}]}|",
           "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"7\"},"
           "\"items\":[]}");
    expect(YL_SPLIT_LIST,
           " {\"items\" : [ {} ] , \"x\\\"items\":[1],\"y\":{\"items\":[2]}}",
           1, "{}|",
           " {\"items\" : [] , \"x\\\"items\":[1],\"y\":{\"items\":[2]}}");
}

TEST(list_may_have_no_items)
{
    expect(YL_SPLIT_LIST, "{\"items\":[]}", 0, "", "{\"items\":[]}");
    expect(YL_SPLIT_LIST, "{\"items\":null}", 0, "", "{\"items\":null}");
    expect(YL_SPLIT_LIST, "{\"kind\":\"Status\",\"code\":410}", 0, "",
           "{\"kind\":\"Status\",\"code\":410}");
}

TEST(broken_lists_are_errors)
{
    static const char *const broken[] = {
        "[]", "[{}]", "4", "{\"items\":[1]}", "{\"items\":[{}{}]}",
        "{\"items\":[,{}]}", "{\"items\":[{},]}", "{\"items\":[{},,{}]}",
        "{\"items\":[]}x", "{\"items\":[]}{}", "{\"items\" []}",
        "{\"items\":[{}]", "{\"items\":[{", "{\"items\":[", "{\"ite", "",
        "}", "{\"a\":tru}",
    };
    size_t i, piece;

    for (i = 0; i < YL_ARRAY_SIZE(broken); i++) {
        for (piece = 0; piece < 3; piece++) {
            if (split(YL_SPLIT_LIST, yl_str_c(broken[i]), piece, NULL, NULL)
                >= 0) {
                print_error("%s\n", broken[i]);
                fail();
            }
        }
    }
}

TEST(values_have_a_ceiling)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_splitter s;
    struct yl_str value;

    yl_splitter_init(&s, YL_SPLIT_FRAMES, 8);
    yl_splitter_feed(&s, YL_STR("{\"a\":1} {\"a\":12345"));
    assert_int_equal(yl_splitter_next(&s, &value, &err), YL_SPLIT_VALUE);
    assert_int_equal(yl_splitter_next(&s, &value, &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "a value in the stream has more than 8 bytes");

    /* And the error is repeated. */
    yl_splitter_feed(&s, YL_STR("}"));
    assert_int_equal(yl_splitter_next(&s, &value, &err), YL_ETOOBIG);
    yl_error_clear(&err);
    yl_splitter_release(&s);

    yl_splitter_init(&s, YL_SPLIT_FRAMES, 8);
    yl_splitter_feed(&s, YL_STR("\"123456789"));
    assert_int_equal(yl_splitter_next(&s, &value, NULL), YL_ETOOBIG);
    yl_splitter_release(&s);
}

TEST(the_ceiling_does_not_depend_on_the_pieces)
{
    struct yl_splitter s;
    struct yl_str value;

    yl_splitter_init_over(&s, YL_SPLIT_FRAMES, 5, YL_STR("\"abc\"\"abcd\""));
    assert_int_equal(yl_splitter_next(&s, &value, NULL), YL_SPLIT_VALUE);
    assert_str_equal(value, "\"abc\"");
    assert_int_equal(yl_splitter_next(&s, &value, NULL), YL_ETOOBIG);
    yl_splitter_release(&s);
}

TEST(numbers_and_envelopes_have_a_ceiling)
{
    size_t size = 3 << 20;
    char *text = malloc(size);
    int i;

    memset(text, '1', size);
    for (i = 0; i < 2; i++) {
        assert_int_equal(split(YL_SPLIT_FRAMES, yl_str_n(text, size),
                               (size_t) i * 4096, NULL, NULL), YL_ETOOBIG);
    }
    memcpy(text, "{\"x\":", 5);
    assert_int_equal(split(YL_SPLIT_LIST, yl_str_n(text, size), 0, NULL,
                           NULL), YL_ETOOBIG);
    free(text);
}

TEST(values_larger_than_the_pieces_arrive_whole)
{
    struct yl_buf text, got;
    int i;

    yl_buf_init(&text, 1 << 20);
    yl_buf_init(&got, 1 << 20);
    yl_buf_append_c(&text, "{\"items\":[");
    for (i = 0; i < 50; i++) {
        yl_buf_printf(&text, "%s{\"n\":%d,\"data\":\"%0*d\"}", i ? "," : "",
                      i, 100 * i, 0);
    }
    yl_buf_append_c(&text, "]}");
    assert_int_equal(split(YL_SPLIT_LIST, yl_buf_str(&text), 977, &got, NULL),
                     50);
    assert_int_equal(got.size, text.size - 12 - 49 + 50);
    yl_buf_release(&text);
    yl_buf_release(&got);
}

/* What is left unread is not lost: bytes behind a value wait for the next. */
TEST(pending_counts_what_belongs_to_no_value)
{
    struct yl_splitter s;
    struct yl_str value;

    yl_splitter_init(&s, YL_SPLIT_FRAMES, 0);
    yl_splitter_feed(&s, YL_STR("{}{\"a\""));
    assert_int_equal(yl_splitter_next(&s, &value, NULL), YL_SPLIT_VALUE);
    assert_int_equal(yl_splitter_next(&s, &value, NULL), YL_SPLIT_MORE);
    assert_int_equal(yl_splitter_pending(&s), 4);
    yl_splitter_release(&s);
}

/* Fed byte by byte, every good text of the suite is exactly one frame that is
 * valid, and no bad one is. */
TEST(json_test_suite_in_every_variant_byte_by_byte)
{
    char dir[4096], path[8192];
    const struct yl_bits *const *variant;
    struct dirent *entry;
    DIR *d;

    snprintf(dir, sizeof dir, "%s", truth_path("json/test_parsing"));
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        d = opendir(dir);
        assert_non_null(d);
        while ((entry = readdir(d)) != NULL) {
            struct yl_buf value;
            struct yl_str text;
            char *data;
            bool good;
            int n, whole;

            if (entry->d_name[0] == '.') {
                continue;
            }
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
            data = read_file(path, &text.size);
            text.data = data;
            yl_buf_init(&value, 1 << 20);
            n = split(YL_SPLIT_FRAMES, text, 1, &value, NULL);
            whole = split(YL_SPLIT_FRAMES, text, 0, NULL, NULL);
            good = n == 1
                   && yl_json_validate(yl_str_n(value.data, value.size - 1),
                                       NULL, NULL) == 0;
            if (n != whole || (entry->d_name[0] == 'y' && !good)
                || (entry->d_name[0] == 'n' && good)) {
                print_error("%s (%s): %d %d\n", entry->d_name,
                            (*variant)->name, n, whole);
                fail();
            }
            yl_buf_release(&value);
            free(data);
        }
        closedir(d);
    }
    yl_bits_use(NULL);
}
