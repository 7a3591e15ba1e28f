/* Requests that are sent as they are. */

#include "yuloh/client.h"

#include "script_rig.h"

TEST(a_request_and_its_answer_are_not_changed)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_answer answer;
    struct yl_error err = YL_ERROR_INIT;

    script_open_with((struct yl_client_config) {
        .server = "http://test/prefix/", .token = "secret",
    }, (struct yl_client_opts) { .clock = NULL });
    script.verbose = true;
    script_answer(200, "content-type: text/plain\n", "ok");
    script_answer(404, "", "{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                  "\"status\":\"Failure\",\"reason\":\"NotFound\"}");
    assert_int_equal(yl_client_request(script.client,
                                       &(struct yl_client_request) {
        .path = YL_STR("/healthz?verbose"),
    }, NULL, arena, &answer, NULL), 0);
    assert_int_equal(answer.http_status, 200);
    assert_str_equal(answer.content_type, "text/plain");
    assert_str_equal(answer.body, "ok");
    assert_int_equal(yl_client_answer_error(&answer, NULL), 0);
    assert_int_equal(yl_client_request(script.client,
                                       &(struct yl_client_request) {
        .method = "POST", .path = YL_STR("/x"), .body = YL_STR("a: 1"),
        .content_type = "application/yaml", .accept = "*/*",
    }, NULL, arena, &answer, NULL), 0);
    assert_int_equal(answer.http_status, 404);
    assert_int_equal(yl_client_answer_error(&answer, &err), YL_ENOTFOUND);
    yl_error_clear(&err);
    assert_string_equal(script_heard(),
                        "GET /prefix/healthz?verbose\n"
                        "  accept: application/json\n"
                        "  user-agent: test\n"
                        "  authorization: Bearer secret\n"
                        "POST /prefix/x\n"
                        "  accept: */*\n"
                        "  user-agent: test\n"
                        "  authorization: Bearer secret\n"
                        "  content-type: application/yaml\n"
                        "  a: 1\n");
    script_close();
    yl_arena_free(arena);
}

TEST(a_path_begins_with_a_slash)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_answer answer;

    script_open();
    assert_int_equal(yl_client_request(script.client,
                                       &(struct yl_client_request) {
        .path = YL_STR("healthz"),
    }, NULL, arena, &answer, NULL), YL_EINVALID);
    script_close();
    yl_arena_free(arena);
}
