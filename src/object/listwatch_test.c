/* Watch frames. */

#include "yuloh/listwatch.h"

#include "unit.h"
#include "yuloh/error.h"

#define POD "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"," \
            "\"resourceVersion\":\"7\"}}"

/* Parses a copy that ends where its allocation ends. */
static int
parse_n(const char *frame, size_t size, struct yl_watch_event *event,
        struct yl_error *err)
{
    char *copy = malloc(size ? size : 1);
    int r;

    memcpy(copy, frame, size);
    r = yl_watch_event_parse(yl_str_n(copy, size), NULL, event, err);
    free(copy);
    return r;
}

static int
parse(const char *frame, struct yl_watch_event *event)
{
    return parse_n(frame, strlen(frame), event, NULL);
}

static void
assert_refused(const char *frame, int code, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_watch_event event;
    int r = parse_n(frame, strlen(frame), &event, &err);

    if (r != code || err.code != code
        || !strstr(yl_error_message(&err), message)) {
        fail_msg("%s: %d %s", frame, r, yl_error_message(&err));
    }
    yl_error_clear(&err);
}

TEST(frames_hold_objects)
{
    static const char *const names[] = { "ADDED", "MODIFIED", "DELETED" };
    struct yl_watch_event event;
    char frame[256];
    int i;

    for (i = 0; i < 3; i++) {
        assert_string_equal(yl_watch_type_name((enum yl_watch_type) i),
                            names[i]);
        snprintf(frame, sizeof frame,
                 i == 1 ? " {\"object\": %2$s , \"x\":[], \"type\" :\"%1$s\"}"
                          "\n"
                        : "{\"type\":\"%1$s\",\"object\":%2$s}\n",
                 names[i], POD);
        assert_int_equal(parse(frame, &event), 0);
        assert_int_equal(event.type, i);
        assert_str_equal(yl_object_name(event.object), "a");
        assert_int_equal(event.revision, 7);
        yl_watch_event_clear(&event);
        assert_null(event.object);
    }
}

TEST(bookmarks_have_a_revision)
{
    struct yl_watch_event event;

    assert_int_equal(parse("{\"type\":\"BOOKMARK\",\"object\":" POD "}",
                           &event), 0);
    assert_int_equal(event.type, YL_WATCH_BOOKMARK);
    assert_null(event.object);
    assert_int_equal(event.revision, 7);
    assert_false(event.initial_events_end);
    assert_int_equal(
        parse("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\","
              "\"metadata\":{\"resourceVersion\":\"8\",\"annotations\":{"
              "\"k8s.io/initial-events-end\":\"true\"}}}}", &event), 0);
    assert_int_equal(event.revision, 8);
    assert_true(event.initial_events_end);
}

TEST(errors_are_those_of_their_status)
{
    struct yl_watch_event event;

    assert_int_equal(
        parse("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\","
              "\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":410,"
              "\"reason\":\"Expired\",\"message\":\"too old\"}}", &event), 0);
    assert_int_equal(event.type, YL_WATCH_ERROR);
    assert_int_equal(event.error.code, YL_EEXPIRED);
    assert_string_equal(yl_error_message(&event.error), "too old");
    yl_watch_event_clear(&event);
    assert_int_equal(
        parse("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\","
              "\"apiVersion\":\"v1\",\"status\":\"Success\"}}", &event), 0);
    assert_int_equal(event.error.code, YL_EINTERNAL);
    yl_watch_event_clear(&event);
    assert_refused("{\"type\":\"ERROR\",\"object\":" POD "}", YL_ETYPE,
                   "not a Status");
}

TEST(what_is_no_frame_is_refused)
{
    assert_refused("", YL_ETRUNCATED, "");
    assert_refused("[]", YL_ETYPE, "a watch event must be a JSON object");
    assert_refused("{\"type\":\"ADDED\"}", YL_EINVALID, "no object");
    assert_refused("{\"object\":{}}", YL_EINVALID, "unknown type");
    assert_refused("{\"type\":\"NEW\",\"object\":{}}", YL_EINVALID,
                   "unknown type");
    assert_refused("{\"type\":1,\"object\":{}}", YL_EINVALID, "unknown type");
    assert_refused("{\"type\":\"ADDED\",\"object\":[]}", YL_ETYPE, "");
    assert_refused("{\"type\":\"ADDED\",\"object\":null}", YL_ETYPE, "");
    assert_refused("{\"type\":\"ADDED\",\"type\":\"ADDED\",\"object\":{}}",
                   YL_EDUPLICATE, "type");
    assert_refused("{\"type\":\"ADDED\",\"object\":{},\"object\":{}}",
                   YL_EDUPLICATE, "object");
    assert_refused("{\"type\":\"ADDED\",\"object\":{}} x", YL_ESYNTAX, "");
    assert_refused("{\"type\":\"ADDED\",\"object\":{}", YL_ETRUNCATED, "");
    assert_refused("{\"type\":\"ADDED\",}", YL_ESYNTAX, "");
    assert_int_equal(yl_watch_event_parse(yl_str_null(), NULL, NULL, NULL),
                     YL_ETRUNCATED);
}

TEST(truncation_and_any_bytes_are_safe)
{
    static const char frame[] = "{\"type\":\"ADDED\",\"object\":" POD "}";
    static const char alphabet[] = "{}[]\",:\\ 1\0";
    char copy[sizeof frame];
    struct yl_watch_event event;
    unsigned seed = 3;
    size_t i;

    for (i = 0; i < sizeof frame - 1; i++) {
        assert_int_equal(parse_n(frame, i, &event, NULL), YL_ETRUNCATED);
    }
    for (i = 0; i < 20000; i++) {
        memcpy(copy, frame, sizeof frame);
        seed = seed * 1103515245 + 12345;
        copy[(seed >> 16) % (sizeof frame - 1)] = alphabet[(seed >> 8) % 11];
        if (parse_n(copy, sizeof frame - 1, &event, NULL) == 0) {
            yl_watch_event_clear(&event);
        }
    }
}
