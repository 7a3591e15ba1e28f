/* Tests of answers: encodings, headers, failures. */

#include "apiserver/request.h"

#include "request_unit.h"
#include "yuloh/error.h"

static struct request_unit u;

static void
start(const char *accept)
{
    memset(&u, 0, sizeof u);
    request_unit_start(&u, "GET", "/api/v1/pods", accept ? "accept" : NULL,
                       accept, NULL);
}

TEST(a_document_has_the_encoding_that_was_asked_for)
{
    struct yl_str json = YL_STR("{\"kind\":\"A\",\"m\":[1]}");

    start(NULL);
    yl_api_respond_document(&u.request, 201, NULL, json);
    assert_int_equal(u.status, 201);
    assert_int_equal(u.request.http_status, 201);
    assert_true(u.request.answered);
    assert_true(request_unit_has(&u, "content-type: application/json\n"));
    assert_str_equal(yl_buf_str(&u.body), "{\"kind\":\"A\",\"m\":[1]}\n");
    request_unit_end(&u);

    start(NULL);
    u.request.accept.pretty = true;
    yl_api_respond_document(&u.request, 200, ";g=x", json);
    assert_true(request_unit_has(&u,
                                 "content-type: application/json;g=x\n"));
    assert_str_equal(yl_buf_str(&u.body),
                     "{\n  \"kind\": \"A\",\n  \"m\": [\n    1\n  ]\n}");
    request_unit_end(&u);

    start(NULL);
    u.request.accept.yaml = true;
    yl_api_respond_document(&u.request, 200, NULL, json);
    assert_true(request_unit_has(&u, "content-type: application/yaml\n"));
    assert_str_equal(yl_buf_str(&u.body), "kind: A\nm:\n- 1\n");
    request_unit_end(&u);
}

TEST(answers_have_headers_and_warnings)
{
    start(NULL);
    yl_api_add_header(&u.request, YL_STR("x-a"), YL_STR("b"));
    yl_api_add_header(&u.request, YL_STR("cache-control"), YL_STR("public"));
    yl_api_warn(&u.request, "say \"%s\"", "a\nb");
    yl_api_respond_lent(&u.request, 200, "text/plain", YL_STR("hello"));
    assert_true(request_unit_has(&u, "audit-id: 0\n"));
    assert_true(request_unit_has(&u, "x-a: b\n"));
    assert_true(request_unit_has(&u, "cache-control: public\n"));
    assert_false(request_unit_has(&u, "no-cache"));
    assert_true(request_unit_has(&u,
                                 "warning: 299 - \"say \\\"a b\\\"\"\n"));
    assert_str_equal(yl_buf_str(&u.body), "hello");
    request_unit_end(&u);
}

/* A failure is told in what Accept allows, and for people if it allows
 * nothing we have. */
TEST(a_failure_can_always_be_read)
{
    static const struct {
        const char *accept, *type, *text;
    } cases[] = {
        { NULL, "application/json", "{\"kind\":\"Status\"" },
        { "application/json", "application/json", "{\"kind\":\"Status\"" },
        { "application/*", "application/json", "{\"kind\":\"Status\"" },
        { "application/yaml", "application/yaml",
          "apiVersion: v1\ncode: 404" },
        { "text/html", "application/json", "{\n  \"kind\": \"Status\"" },
        { "application/json;as=Table;v=v1;g=meta.k8s.io", "application/json",
          "{\n  \"kind\": \"Status\"" },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        char line[128];

        start(cases[i].accept);
        yl_api_respond_unknown(&u.request);
        assert_int_equal(u.status, 404);
        snprintf(line, sizeof line, "content-type: %s\n", cases[i].type);
        assert_true(request_unit_has(&u, line));
        assert_memory_equal(yl_buf_c_str(&u.body), cases[i].text,
                            strlen(cases[i].text));
        request_unit_end(&u);
    }
}

TEST(errors_become_statuses)
{
    struct yl_error err = YL_ERROR_INIT;

    start(NULL);
    yl_error_set(&err, YL_ETHROTTLED, "slow down");
    err.retry_after = 1500;
    yl_api_respond_error(&u.request, &err);
    assert_int_equal(u.status, 429);
    assert_true(request_unit_has(&u, "retry-after: 2\n"));
    assert_non_null(strstr(yl_buf_c_str(&u.body), "\"slow down\""));
    request_unit_end(&u);

    start("application/yaml");
    yl_api_respond_no_page(&u.request);
    assert_int_equal(u.status, 404);
    assert_true(request_unit_has(&u, "x-content-type-options: nosniff\n"));
    assert_str_equal(yl_buf_str(&u.body), "404 page not found\n");
    request_unit_end(&u);
}

struct pieces {
    int n;
};

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct pieces *pieces = aux;

    yl_buf_append_c(out, pieces->n == 0 ? "{\"a\":" : "1}");
    return pieces->n++ == 0 ? YL_HTTP_MORE : YL_HTTP_END;
}

TEST(pieces_are_indented_on_their_way)
{
    static const struct yl_http_source source = { pull };
    struct pieces pieces = { 0 };

    start(NULL);
    yl_api_respond_source(&u.request, 200, "application/json", &source,
                          &pieces);
    assert_str_equal(yl_buf_str(&u.body), "{\"a\":1}");
    request_unit_end(&u);

    start(NULL);
    pieces.n = 0;
    u.request.accept.pretty = true;
    yl_api_respond_source(&u.request, 200, "application/json", &source,
                          &pieces);
    assert_str_equal(yl_buf_str(&u.body), "{\n  \"a\": 1\n}");
    request_unit_end(&u);
}

/* Adds warnings of 'size' times "\xc3\xa4" and a number, answers, and counts
 * those that came. */
static size_t
warn(size_t n, size_t size, size_t *ret_bytes)
{
    struct yl_str rest, line;
    char text[2048];
    size_t i, k, found = 0;

    start(NULL);
    for (i = 0; i < n; i++) {
        for (k = 0; k < size; k++) {
            memcpy(text + 2 * k, "\xc3\xa4", 2);
        }
        text[2 * k] = '\0';
        yl_api_warn(&u.request, "%03zu%s", i, text);
    }
    yl_api_respond(&u.request, 200, "text/plain", YL_STR(""));
    rest = yl_buf_str(&u.answer_headers);
    *ret_bytes = 0;
    while (yl_str_cut(rest, '\n', &line, &rest)) {
        if (yl_str_starts_with(line, YL_STR("warning: "))) {
            *ret_bytes = line.size - strlen("warning: 299 - \"\"");
            assert_true(yl_str_ends_with(line, YL_STR("\"")));
            found++;
        }
    }
    request_unit_end(&u);
    return found;
}

TEST(warnings_have_room_for_4096_characters)
{
    size_t bytes;

    assert_int_equal(warn(4, 1021, &bytes), 4);
    assert_int_equal(bytes, 3 + 2 * 1021);
    assert_int_equal(warn(5, 1021, &bytes), 5);
    assert_int_equal(bytes, 3 + 2 * 253);
    assert_int_equal(warn(40, 1021, &bytes), 16);
    assert_int_equal(warn(99, 50, &bytes), 78);
    assert_int_equal(bytes, 3 + 2 * 50);
}
