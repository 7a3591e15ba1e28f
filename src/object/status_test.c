/* Statuses: upstream's words, JSON, and back. */

#include "yuloh/status.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

#define STATUS "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
#define FAILURE STATUS "\"status\":\"Failure\","

static struct yl_gvr
gvr(const char *group, const char *resource)
{
    return (struct yl_gvr) { yl_str_c(group), YL_STR("v1"),
                             yl_str_c(resource) };
}

static void
assert_written(struct yl_status *status, const char *json)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_status again = YL_STATUS_INIT;
    struct yl_str text = yl_status_json(status, arena);

    assert_str_equal(text, json);

    /* What was parsed and is written again is the same. */
    assert_int_equal(yl_status_parse(text, &again, NULL), 0);
    assert_int_equal(again.error.code, status->error.code);
    assert_str_equal(yl_status_json(&again, arena), json);
    yl_status_clear(&again);
    yl_status_clear(status);
    yl_arena_free(arena);
}

TEST(named_objects)
{
    struct yl_status s = YL_STATUS_INIT;

    assert_int_equal(yl_status_not_found(&s, gvr("", "pods"), YL_STR("x")),
                     YL_ENOTFOUND);
    assert_written(&s, FAILURE "\"message\":\"pods \\\"x\\\" not found\","
                   "\"reason\":\"NotFound\",\"details\":{\"name\":\"x\","
                   "\"kind\":\"pods\"},\"code\":404}");
    yl_status_exists(&s, gvr("apps", "deployments"), YL_STR("x"));
    assert_written(&s, FAILURE
                   "\"message\":\"deployments.apps \\\"x\\\" already exists\","
                   "\"reason\":\"AlreadyExists\",\"details\":{\"name\":\"x\","
                   "\"group\":\"apps\",\"kind\":\"deployments\"},"
                   "\"code\":409}");
    yl_status_conflict(&s, gvr("", "configmaps"), YL_STR("a"), yl_str_null());
    assert_written(&s, FAILURE
                   "\"message\":\"Operation cannot be fulfilled on configmaps "
                   "\\\"a\\\": the object has been modified; please apply your"
                   " changes to the latest version and try again\","
                   "\"reason\":\"Conflict\",\"details\":{\"name\":\"a\","
                   "\"kind\":\"configmaps\"},\"code\":409}");
    yl_status_conflict(&s, gvr("", "pods"), YL_STR("a"), YL_STR("why"));
    assert_string_equal(yl_error_message(&s.error), "Operation cannot be "
                        "fulfilled on pods \"a\": why");
    yl_status_forbidden(&s, gvr("", "pods"), YL_STR("a"), YL_STR("why"));
    assert_written(&s, FAILURE
                   "\"message\":\"pods \\\"a\\\" is forbidden: why\","
                   "\"reason\":\"Forbidden\",\"details\":{\"name\":\"a\","
                   "\"kind\":\"pods\"},\"code\":403}");
    yl_status_forbidden(&s, gvr("", "pods"), YL_STR(""), YL_STR("why"));
    assert_string_equal(yl_error_message(&s.error), "pods is forbidden: why");
    yl_status_forbidden(&s, gvr("", ""), YL_STR(""), YL_STR("why"));
    assert_written(&s, FAILURE "\"message\":\"forbidden: why\","
                   "\"reason\":\"Forbidden\",\"details\":{},\"code\":403}");
    yl_status_method_not_supported(&s, gvr("apps", "things"),
                                   YL_STR("patch"));
    assert_written(&s, FAILURE
                   "\"message\":\"patch is not supported on resources of kind "
                   "\\\"things.apps\\\"\",\"reason\":\"MethodNotAllowed\","
                   "\"details\":{\"group\":\"apps\",\"kind\":\"things\"},"
                   "\"code\":405}");
    yl_status_server_timeout(&s, gvr("", "pods"), YL_STR("get"), 2);
    assert_written(&s, FAILURE
                   "\"message\":\"The get operation against pods could not be "
                   "completed at this time, please try again.\","
                   "\"reason\":\"ServerTimeout\",\"details\":{\"name\":\"get\""
                   ",\"kind\":\"pods\",\"retryAfterSeconds\":2},"
                   "\"code\":500}");
}

TEST(without_a_name)
{
    struct yl_status s = YL_STATUS_INIT;

    yl_status_unauthorized(&s, YL_STR("Unauthorized"));
    assert_written(&s, FAILURE "\"message\":\"Unauthorized\","
                   "\"reason\":\"Unauthorized\",\"code\":401}");
    yl_status_unauthorized(&s, YL_STR(""));
    assert_string_equal(yl_error_message(&s.error), "not authorized");
    yl_status_bad_request(&s, YL_STR("no"));
    assert_written(&s, FAILURE "\"message\":\"no\",\"reason\":\"BadRequest\","
                   "\"code\":400}");
    yl_status_expired(&s, YL_STR("old"));
    assert_written(&s, FAILURE "\"message\":\"old\",\"reason\":\"Expired\","
                   "\"code\":410}");
    yl_status_unavailable(&s, YL_STR("later"));
    assert_written(&s, FAILURE "\"message\":\"later\",\"reason\":"
                   "\"ServiceUnavailable\",\"code\":503}");
    yl_status_internal(&s, YL_STR("bug"));
    assert_written(&s, FAILURE
                   "\"message\":\"Internal error occurred: bug\",\"reason\":"
                   "\"InternalError\",\"details\":{\"causes\":[{\"message\":"
                   "\"bug\"}]},\"code\":500}");
    yl_status_timeout(&s, YL_STR("slow"), 0);
    assert_written(&s, FAILURE
                   "\"message\":\"Timeout: slow\",\"reason\":\"Timeout\","
                   "\"details\":{},\"code\":504}");
    yl_status_too_many_requests(&s, YL_STR("wait"), 7);
    assert_int_equal(s.error.retry_after, 7000);
    assert_written(&s, FAILURE
                   "\"message\":\"wait\",\"reason\":\"TooManyRequests\","
                   "\"details\":{\"retryAfterSeconds\":7},\"code\":429}");
    yl_status_too_large(&s, YL_STR("limit is 3"));
    assert_written(&s, FAILURE
                   "\"message\":\"Request entity too large: limit is 3\","
                   "\"reason\":\"RequestEntityTooLarge\",\"code\":413}");
}

TEST(invalid_lists_each_fault_once)
{
    struct yl_gvk gvk = { YL_STR("apps"), YL_STR("v1"), YL_STR("Deployment") };
    struct yl_status s = YL_STATUS_INIT;
    struct yl_error faults = YL_ERROR_INIT;

    yl_status_invalid(&s, gvk, YL_STR("x"), &faults);
    assert_string_equal(yl_error_message(&s.error),
                        "Deployment.apps \"x\" is invalid");
    yl_error_add_cause(&faults, YL_STR("FieldValueRequired"),
                       YL_STR("Required value"), YL_STR("spec.a"));
    yl_status_invalid(&s, gvk, YL_STR("x"), &faults);
    assert_written(&s, FAILURE
                   "\"message\":\"Deployment.apps \\\"x\\\" is invalid: spec.a"
                   ": Required value\",\"reason\":\"Invalid\",\"details\":{"
                   "\"name\":\"x\",\"group\":\"apps\",\"kind\":\"Deployment\","
                   "\"causes\":[{\"reason\":\"FieldValueRequired\","
                   "\"message\":\"Required value\",\"field\":\"spec.a\"}]},"
                   "\"code\":422}");
    yl_error_add_cause(&faults, YL_STR("FieldValueRequired"),
                       YL_STR("Required value"), YL_STR("spec.a"));
    yl_status_invalid(&s, gvk, YL_STR("x"), &faults);
    assert_string_equal(yl_error_message(&s.error), "Deployment.apps \"x\" is "
                        "invalid: spec.a: Required value");
    assert_int_equal(s.error.n_causes, 2);
    yl_error_add_cause(&faults, YL_STR("T"), YL_STR("m"), YL_STR("b"));
    yl_status_invalid(&s, gvk, YL_STR("x"), &faults);
    assert_string_equal(yl_error_message(&s.error), "Deployment.apps \"x\" is "
                        "invalid: [spec.a: Required value, b: m]");
    yl_status_clear(&s);
    yl_error_clear(&faults);
}

TEST(success)
{
    struct yl_status s = YL_STATUS_INIT;

    assert_int_equal(yl_status_success(&s, gvr("", "secrets"), YL_STR("x"),
                                       YL_STR("u1")), 0);
    assert_int_equal(yl_status_http(&s), 200);
    assert_written(&s, STATUS "\"status\":\"Success\",\"details\":{\"name\":"
                   "\"x\",\"kind\":\"secrets\",\"uid\":\"u1\"}}");
    s.http_status = 201;
    assert_written(&s, STATUS "\"status\":\"Success\",\"code\":201}");
}

TEST(taken_errors)
{
    struct yl_status s = YL_STATUS_INIT;
    struct yl_error err = YL_ERROR_INIT;

    yl_error_set(&err, YL_ESYNTAX, "at 3");
    yl_status_take_error(&s, &err);
    assert_int_equal(err.code, 0);
    assert_int_equal(yl_status_http(&s), 400);
    assert_string_equal(s.error.message, "at 3");
    yl_status_clear(&s);
    yl_status_clear(NULL);
}

static int
parse_c(const char *json, struct yl_status *status)
{
    return yl_status_parse(yl_str_c(json), status, NULL);
}

TEST(parsing_gives_the_code)
{
    struct yl_status s = YL_STATUS_INIT;

    /* By reason, then by HTTP status. */
    assert_int_equal(parse_c(FAILURE "\"reason\":\"Expired\",\"code\":500}",
                             &s), 0);
    assert_int_equal(s.error.code, YL_EEXPIRED);
    assert_int_equal(yl_status_http(&s), 500);
    assert_int_equal(parse_c(FAILURE "\"reason\":\"New\",\"code\":404}", &s),
                     0);
    assert_int_equal(s.error.code, YL_ENOTFOUND);
    assert_string_equal(s.reason, "New");
    assert_int_equal(parse_c(STATUS "\"code\":99999999}", &s), 0);
    assert_int_equal(s.error.code, YL_EINTERNAL);
    assert_int_equal(parse_c("{\"kind\":\"Status\",\"apiVersion\":"
                             "\"meta.k8s.io/v1\",\"status\":\"Success\"}", &s),
                     0);
    assert_int_equal(s.error.code, 0);
    assert_int_equal(parse_c(FAILURE "\"code\":429,\"details\":{"
                             "\"retryAfterSeconds\":-1,\"causes\":[1,{}]}}",
                             &s), 0);
    assert_int_equal(s.error.retry_after, 0);
    assert_int_equal(s.error.n_causes, 2);
    yl_status_clear(&s);
}

TEST(other_things_are_no_status)
{
    struct yl_status s = YL_STATUS_INIT;

    assert_int_equal(parse_c("{}", &s), YL_ETYPE);
    assert_int_equal(parse_c("[]", &s), YL_ETYPE);
    assert_int_equal(parse_c("{\"kind\":\"Status\",\"apiVersion\":\"a/v1\"}",
                             &s), YL_ETYPE);
    assert_int_equal(parse_c("{\"kind\":\"Pod\",\"apiVersion\":\"v1\"}", &s),
                     YL_ETYPE);
    assert_int_equal(parse_c("{\"kind\":", &s), YL_ETRUNCATED);
    assert_int_equal(parse_c("x", &s), YL_ESYNTAX);
}

TEST(what_is_written_is_json_whatever_the_message_holds)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_status s = YL_STATUS_INIT;
    struct yl_str json;

    yl_status_bad_request(&s, YL_STR("a\xff\x80z\"\n\xc3\xa9"));
    json = yl_status_json(&s, arena);
    assert_int_equal(yl_json_validate(json, NULL, NULL), 0);
    assert_true(yl_json_string_is(yl_json_get(yl_json(json),
                                              YL_STR("message")),
                                  YL_STR("a\xef\xbf\xbd\xef\xbf\xbdz\"\n"
                                         "\xc3\xa9")));
    yl_status_clear(&s);
    yl_arena_free(arena);
}

TEST(causes_have_a_ceiling)
{
    struct yl_status s = YL_STATUS_INIT;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 1 << 20);
    yl_buf_append_c(&buf, FAILURE "\"details\":{\"causes\":[{}");
    for (i = 0; i < 3000; i++) {
        yl_buf_append_c(&buf, ",{}");
    }
    yl_buf_append_c(&buf, "]}}");
    assert_int_equal(yl_status_parse(yl_buf_str(&buf), &s, NULL), 0);
    assert_int_equal(s.error.n_causes, YL_MAX_CAUSES);
    yl_status_clear(&s);
    yl_buf_release(&buf);
}

/* Every Status below 'node' must come back the same.  Returns how many there
 * are. */
static int
check_recorded(const struct yl_node *node, struct yl_arena *arena)
{
    const struct yl_node *child;
    int n = 0;

    if (yl_node_string_is(yl_node_get(node, YL_STR("kind")), YL_STR("Status"))
        && yl_node_type(yl_node_get(node, YL_STR("status")))
               == YL_JSON_STRING) {
        struct yl_status s = YL_STATUS_INIT;
        struct yl_node *again;
        struct yl_buf buf;

        yl_buf_init(&buf, 1 << 20);
        yl_node_write(&buf, node);
        assert_int_equal(yl_status_parse(yl_buf_str(&buf), &s, NULL), 0);
        assert_int_equal(yl_tree_parse(arena, yl_status_json(&s, arena), NULL,
                                       &again, NULL), 0);
        assert_true(yl_node_equal(node, again));
        yl_status_clear(&s);
        yl_buf_release(&buf);
        n++;
    }
    YL_NODE_FOR_EACH (child, node) {
        n += check_recorded(child, arena);
    }
    return n;
}

TEST(every_status_that_was_recorded_comes_back_the_same)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;
    size_t size;
    char *text = read_file(truth_path("recorded/verbs.json"), &size);

    assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL, &root,
                                   NULL), 0);
    assert_true(check_recorded(root, arena) > 100);
    yl_arena_free(arena);
    free(text);
}
