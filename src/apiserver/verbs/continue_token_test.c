/* Tokens of pages. */

#include "apiserver/verbs/continue_token.h"

#include "base/buf.h"
#include "json/base64.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/key.h"

#define V "'v':'meta.k8s.io/v1',"

/* The token that says 'json', in which ' stands for ". */
static struct yl_str
token_of(struct yl_arena *arena, const char *json)
{
    struct yl_buf text;
    struct yl_str token;
    char *copy = yl_arena_strdup(arena, yl_str_c(json)), *p;

    for (p = copy; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_base64_write(&text, yl_str_c(copy));
    token = yl_arena_copy(arena, yl_buf_str(&text));
    yl_buf_release(&text);
    while (token.size && token.data[token.size - 1] == '=') {
        token.size--;
    }
    return token;
}

static void
check_refused(struct yl_str token, const char *why)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_continue_token t;
    const char *message;

    assert_int_equal(yl_continue_token_read(arena, token, &t, &err),
                     YL_EBADREQUEST);
    message = yl_arena_printf(arena, "invalid continue token: continue key is "
                                     "not valid: %s", why);
    assert_string_equal(yl_error_message(&err), message);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(a_token_goes_on_behind_the_last_key)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_key last = yl_key_make(YL_STR("ns"), YL_STR("a?~"));
    struct yl_continue_token t;
    struct yl_str token;

    token = yl_continue_token_behind(arena, 7, last, true);
    assert_int_equal(yl_continue_token_read(arena, token, &t, NULL), 0);
    assert_int_equal(t.revision, 7);
    assert_true(yl_str_equal(t.start, YL_STR("a?~\0")));
    token = yl_continue_token_behind(arena, 7, last, false);
    assert_int_equal(yl_continue_token_read(arena, token, &t, NULL), 0);
    assert_true(yl_str_equal(t.start, YL_STR("ns/a?~\0")));

    /* The same again, but of now. */
    t.revision = -1;
    token = yl_continue_token_write(arena, &t);
    assert_int_equal(yl_continue_token_read(arena, token, &t, NULL), 0);
    assert_int_equal(t.revision, -1);
    assert_true(yl_str_equal(t.start, YL_STR("ns/a?~\0")));
    yl_arena_free(arena);
}

TEST(a_token_is_read_as_go_reads_it)
{
    static const struct {
        const char *json, *start;
        int revision;
    } cases[] = {
        { "{" V "'rv':-1,'start':'a'}", "a", -1 },
        { "{" V "'rv':-1,'start':'/a'}", "a", -1 },
        { "{" V "'rv':-1,'start':'/'}", "", -1 },
        { "{" V "'rv':5,'start':'a/b/c','x':[]}", "a/b/c", 5 },
        { "{'V':'meta.k8s.io/v1','Rv':5,'START':'a'}", "a", 5 },
        { "{'\\u0076':'meta.k8s.io/v1','rv':5,'start':'a'}", "a", 5 },
        { "{" V "'rv':5,'rv':6,'start':'a','start':null}", "a", 6 },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_str token = token_of(arena, cases[i].json);
        struct yl_continue_token t;

        assert_int_equal(yl_continue_token_read(arena, token, &t, NULL), 0);
        assert_true(yl_str_equal_c(t.start, cases[i].start));
        assert_int_equal(t.revision, cases[i].revision);
    }
    yl_arena_free(arena);
}

TEST(what_is_no_token_is_refused_in_gos_words)
{
    static const struct {
        const char *json, *why;
    } cases[] = {
        { "{'v':'v2'}", "server does not recognize this encoded version v2" },
        { "null", "server does not recognize this encoded version " },
        { "[]", "json: cannot unmarshal array into Go value of type "
                "storage.continueToken" },
        { "true", "json: cannot unmarshal bool into Go value of type "
                  "storage.continueToken" },
        { "{'v':{}}", "json: cannot unmarshal object into Go struct field "
                      "continueToken.v of type string" },
        { "{'start':5,'rv':'5'}",
          "json: cannot unmarshal number into Go struct field "
          "continueToken.start of type string" },
        { "{'rv':1.5}", "json: cannot unmarshal number 1.5 into Go struct "
                        "field continueToken.rv of type int64" },
        { "{'rv':'5'}", "json: cannot unmarshal string into Go struct field "
                        "continueToken.rv of type int64" },
        { "{" V "'start':'a'}", "incorrect encoded start resourceVersion "
                                "(version meta.k8s.io/v1)" },
        { "{" V "'rv':1}", "encoded start key empty (version "
                           "meta.k8s.io/v1)" },
        { "{" V "'rv':1,'start':'a/../b'}", "a/../b" },
        { "{" V "'rv':1,'start':'//a'}", "//a" },
        { "{", "unexpected end of JSON input" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        check_refused(token_of(arena, cases[i].json), cases[i].why);
    }
    check_refused(YL_STR("bogus"), "illegal base64 data at input byte 4");
    check_refused(YL_STR("e3%"), "illegal base64 data at input byte 2");
    check_refused(YL_STR("e30="), "illegal base64 data at input byte 3");
    check_refused(YL_STR("e\n30"),
                  "server does not recognize this encoded version ");
    yl_arena_free(arena);
}
