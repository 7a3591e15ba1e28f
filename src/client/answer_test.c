/* Answers that failed become errors. */

#include "client/answer.h"

#include "unit.h"

#define ABOUT                                                                 \
    .method = YL_STR_INIT("GET"),                                             \
    .gvr = { YL_STR_INIT("apps"), YL_STR_INIT("v1"),                          \
             YL_STR_INIT("deployments") },                                    \
    .name = YL_STR_INIT("web")

TEST(a_status_becomes_the_error_with_its_reason)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_answer answer = {
        .http_status = 409, ABOUT,
        .body = YL_STR("{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                       "\"metadata\":{},\"status\":\"Failure\","
                       "\"message\":\"it exists\",\"reason\":"
                       "\"AlreadyExists\",\"details\":{\"causes\":[{"
                       "\"reason\":\"R\",\"message\":\"M\",\"field\":\"F\"}"
                       "],\"retryAfterSeconds\":3},\"code\":409}"),
    };

    assert_int_equal(yl_answer_error(&answer, &err), YL_EEXISTS);
    assert_int_equal(err.code, YL_EEXISTS);
    assert_string_equal(yl_error_message(&err), "it exists");
    assert_int_equal(err.n_causes, 1);
    assert_string_equal(err.causes[0].field, "F");
    assert_int_equal(err.retry_after, 3000);
    yl_error_clear(&err);
}

TEST(an_answer_without_a_status_is_told_in_client_gos_words)
{
    static const struct {
        struct yl_answer answer;
        int code;
        const char *message;
    } cases[] = {
        { { .http_status = 404, ABOUT }, YL_ENOTFOUND,
          "the server could not find the requested resource "
          "(get deployments.apps web)" },
        { { .http_status = 404 }, YL_ENOTFOUND,
          "the server could not find the requested resource" },
        { { .http_status = 409, .method = YL_STR_INIT("POST") }, YL_EEXISTS,
          "the server reported a conflict" },
        { { .http_status = 409, .method = YL_STR_INIT("PUT") },
          YL_ECONFLICT, "the server reported a conflict" },
        { { .http_status = 401 }, YL_EUNAUTHORIZED,
          "the server has asked for the client to provide credentials" },
        { { .http_status = 403, .content_type = YL_STR_INIT("text/plain"),
            .body = YL_STR_INIT("you may not\n") }, YL_EFORBIDDEN,
          "you may not" },
        { { .http_status = 502, .content_type = YL_STR_INIT("text/html"),
            .body = YL_STR_INIT("<b>\"no\"</b>") }, YL_EINTERNAL,
          "an error on the server (\"<b>\\\"no\\\"</b>\") has prevented the "
          "request from succeeding" },
        { { .http_status = 500, .content_type = YL_STR_INIT("image/png"),
            .body = YL_STR_INIT("\x89PNG") }, YL_EINTERNAL,
          "an error on the server (\"unknown\") has prevented the request "
          "from succeeding" },
        { { .http_status = 418 }, YL_EBADREQUEST,
          "the server responded with the status code 418 but did not return "
          "more information" },
        { { .http_status = 302 }, YL_EINTERNAL,
          "the server responded with the status code 302 but did not return "
          "more information" },

        /* A success that contradicts the HTTP status is none. */
        { { .http_status = 503,
            .body = YL_STR_INIT("{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                                "\"status\":\"Success\"}") },
          YL_EUNAVAILABLE,
          "the server is currently unable to handle the request" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_error err = YL_ERROR_INIT;

        assert_int_equal(yl_answer_error(&cases[i].answer, &err),
                         cases[i].code);
        assert_string_equal(yl_error_message(&err), cases[i].message);
        assert_int_equal(yl_answer_error(&cases[i].answer, NULL),
                         cases[i].code);
        yl_error_clear(&err);
    }
}

TEST(the_header_tells_the_delay_if_the_status_does_not)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_answer answer = {
        .http_status = 429, .retry_after = YL_STR("7"),
    };

    assert_int_equal(yl_answer_error(&answer, &err), YL_ETHROTTLED);
    assert_int_equal(err.retry_after, 7000);
    yl_error_clear(&err);
}

TEST(only_plain_seconds_are_a_delay)
{
    assert_int_equal(yl_answer_delay(YL_STR("0")), 0);
    assert_int_equal(yl_answer_delay(YL_STR("12")), 12000);
    assert_int_equal(yl_answer_delay(YL_STR("999999999")), 999999999000);
    assert_int_equal(yl_answer_delay(YL_STR("1000000000")), -1);
    assert_int_equal(yl_answer_delay(YL_STR("-1")), -1);
    assert_int_equal(yl_answer_delay(YL_STR("")), -1);
    assert_int_equal(yl_answer_delay(yl_str_null()), -1);
    assert_int_equal(yl_answer_delay(
                         YL_STR("Wed, 21 Oct 2015 07:28:00 GMT")), -1);
}

TEST(a_message_repeats_only_the_start_of_a_long_answer)
{
    static char body[1 << 20];
    struct yl_error err = YL_ERROR_INIT;
    struct yl_answer answer = {
        .http_status = 403, .content_type = YL_STR("text/plain"),
        .body = yl_str_n(body, sizeof body),
    };

    memset(body, 'a', sizeof body);
    assert_int_equal(yl_answer_error(&answer, &err), YL_EFORBIDDEN);
    assert_true(strlen(yl_error_message(&err)) <= 2048);
    yl_error_clear(&err);
}
