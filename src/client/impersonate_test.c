/* Tests of headers for impersonation. */

#include "client/impersonate.h"

#include "net/http.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/client_config.h"
#include "yuloh/error.h"

TEST(everybody_and_everything_gets_a_header)
{
    static const char *const groups[] = { "a", "b" };
    static const char *const values[] = { "x", "y" };
    static const struct yl_client_extra extras[] = {
        { "Scope", values, 2 }, { "example.com/a%b\xc3", values, 1 },
    };
    static const char *const wants[][2] = {
        { "impersonate-user", "jane" }, { "impersonate-uid", "u" },
        { "impersonate-group", "a" }, { "impersonate-group", "b" },
        { "impersonate-extra-scope", "x" },
        { "impersonate-extra-scope", "y" },
        { "impersonate-extra-example.com%2Fa%25b%C3", "x" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_http_header *headers;
    size_t n, i;

    assert_int_equal(yl_impersonate_headers(
        arena, &(struct yl_client_impersonation) {
            "jane", "u", groups, 2, extras, 2 }, &headers, &n, NULL), 0);
    assert_int_equal(n, YL_ARRAY_SIZE(wants));
    for (i = 0; i < n; i++) {
        assert_str_equal(headers[i].name, wants[i][0]);
        assert_str_equal(headers[i].value, wants[i][1]);
    }
    yl_arena_free(arena);
}

TEST(nobody_has_none)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_http_header *headers;
    size_t n;

    assert_int_equal(yl_impersonate_headers(
        arena, &(struct yl_client_impersonation) { .uid = "u" }, &headers, &n,
        NULL), 0);
    assert_int_equal(n, 0);
    yl_arena_free(arena);
}

TEST(what_a_header_cannot_have_is_refused)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_header *headers;
    size_t n;

    assert_int_equal(yl_impersonate_headers(
        arena, &(struct yl_client_impersonation) { .user = "a\r\nb: c" },
        &headers, &n, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "impersonate-user has "
                        "characters that an HTTP header cannot have");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
