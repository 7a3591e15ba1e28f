/* Tests of percent escapes.  What is expected is what Go's net/url gave. */

#include "net/url.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static void
check_decode(enum yl_url_part part, struct yl_str text, struct yl_str expected)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str found;

    assert_int_equal(yl_url_decode(arena, text, part, &found, NULL), 0);
    assert_true(yl_str_equal(found, expected));
    yl_arena_free(arena);
}

static void
check_bad(const char *text, const char *why)
{
    struct yl_str found = YL_STR("untouched");
    struct yl_error err = YL_ERROR_INIT;
    enum yl_url_part part;

    for (part = YL_URL_PATH; part <= YL_URL_QUERY; part++) {
        struct yl_arena *arena = yl_arena_new();

        assert_int_equal(
            yl_url_decode(arena, yl_str_c(text), part, &found, &err),
            YL_EBADREQUEST);
        assert_string_equal(yl_error_message(&err), why);
        assert_str_equal(found, "untouched");
        yl_error_clear(&err);
        yl_arena_free(arena);
    }
}

static void
check_query(const char *text, const char *expected)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str query = yl_str_c(text);
    struct yl_url_pair pair;
    struct yl_buf log;
    int r;

    yl_buf_init(&log, 4096);
    while ((r = yl_url_query_next(arena, &query, &pair, &err)) != 0) {
        if (r < 0) {
            assert_int_equal(r, YL_EBADREQUEST);
            yl_buf_printf(&log, "(%s)", yl_error_message(&err));
            yl_error_clear(&err);
        } else {
            assert_false(yl_str_is_null(pair.value));
            yl_buf_printf(&log, "(%.*s|%.*s)", YL_STR_ARG(pair.name),
                          YL_STR_ARG(pair.value));
        }
    }
    assert_string_equal(yl_buf_c_str(&log), expected);
    yl_buf_release(&log);
    yl_arena_free(arena);
}

TEST(escapes_are_decoded)
{
    check_decode(YL_URL_PATH, YL_STR(""), YL_STR(""));
    check_decode(YL_URL_PATH, YL_STR("/a/b"), YL_STR("/a/b"));
    check_decode(YL_URL_PATH, YL_STR("%41%2f%2F%2e"), YL_STR("A//."));
    check_decode(YL_URL_PATH, YL_STR("%00%ff"), YL_STR("\0\xff"));
    check_decode(YL_URL_PATH, YL_STR("a+b%2b"), YL_STR("a+b+"));
    check_decode(YL_URL_QUERY, YL_STR("a+b%2b"), YL_STR("a b+"));
    check_decode(YL_URL_QUERY, YL_STR("a+b"), YL_STR("a b"));
    check_decode(YL_URL_QUERY, YL_STR("%252f"), YL_STR("%2f"));
}

TEST(text_without_escapes_is_not_copied)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str text = YL_STR("/api/v1/pods+");
    struct yl_str found;

    assert_int_equal(yl_url_decode(arena, text, YL_URL_PATH, &found, NULL),
                     0);
    assert_ptr_equal(found.data, text.data);
    yl_arena_free(arena);
}

TEST(broken_escapes_are_refused)
{
    check_bad("%zz", "invalid URL escape \"%zz\"");
    check_bad("%4", "invalid URL escape \"%4\"");
    check_bad("%", "invalid URL escape \"%\"");
    check_bad("a%%41", "invalid URL escape \"%%4\"");
    check_bad("%41%\xff" "1x", "invalid URL escape \"%\\xff1\"");
    check_bad("%1g", "invalid URL escape \"%1g\"");
    check_bad("%-1", "invalid URL escape \"%-1\"");
}

TEST(a_query_is_cut_in_pairs)
{
    check_query("", "");
    check_query("a=b&c", "(a|b)(c|)");
    check_query("&&a=&=b&", "(a|)(|b)");
    check_query("%61=b=c+d&a=x", "(a|b=c d)(a|x)");
    check_query("=", "(|)");
    check_query("a=b&a=c", "(a|b)(a|c)");
    check_query("a%26b=c%3Dd", "(a&b|c=d)");
    check_query("a=%3B", "(a|;)");
}

TEST(a_broken_pair_does_not_hide_the_others)
{
    check_query("a;b=c&d=e", "(invalid semicolon separator in query)(d|e)");
    check_query("a=%zz&b=1&%x=", "(invalid URL escape \"%zz\")(b|1)"
                "(invalid URL escape \"%x\")");
    check_query(";", "(invalid semicolon separator in query)");
}

TEST(encoding_is_as_in_go)
{
    struct yl_buf all, out;
    int i;

    yl_buf_init(&all, 4096);
    yl_buf_init(&out, 4096);
    for (i = 0; i < 0x82; i++) {
        if (i <= 1 || i >= 0x20) {
            yl_buf_append_char(&all, (char) i);
        }
    }
    yl_url_encode(&out, yl_buf_str(&all), YL_URL_PATH);
    assert_string_equal(yl_buf_c_str(&out),
                        "%00%01%20%21%22%23$%25&%27%28%29%2A+%2C-.%2F"
                        "0123456789:%3B%3C=%3E%3F@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz"
                        "%7B%7C%7D~%7F%80%81");
    yl_buf_clear(&out);
    yl_url_encode(&out, yl_buf_str(&all), YL_URL_QUERY);
    assert_string_equal(yl_buf_c_str(&out),
                        "%00%01+%21%22%23%24%25%26%27%28%29%2A%2B%2C-.%2F"
                        "0123456789%3A%3B%3C%3D%3E%3F%40"
                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "%5B%5C%5D%5E_%60abcdefghijklmnopqrstuvwxyz"
                        "%7B%7C%7D~%7F%80%81");
    yl_buf_clear(&out);
    yl_url_encode(&out, YL_STR("a/b"), YL_URL_PATH);
    yl_url_encode(&out, yl_str_null(), YL_URL_PATH);
    assert_string_equal(yl_buf_c_str(&out), "a%2Fb");
    yl_buf_release(&out);
    yl_buf_release(&all);
}

TEST(what_is_encoded_is_decoded)
{
    char bytes[256];
    struct yl_str all = yl_str_n(bytes, sizeof bytes);
    enum yl_url_part part;
    int i;

    for (i = 0; i < 256; i++) {
        bytes[i] = (char) i;
    }
    for (part = YL_URL_PATH; part <= YL_URL_QUERY; part++) {
        struct yl_buf out;

        yl_buf_init(&out, 4096);
        yl_url_encode(&out, all, part);
        check_decode(part, yl_buf_str(&out), all);
        yl_buf_release(&out);
    }
}
