/* Tests of the values of markers. */

#include "codegen/marker_text.h"

#include "unit.h"
#include "yuloh/arena.h"

static struct yl_arena *arena;

static const char *
string(const char *text)
{
    const char *s = NULL;

    return yl_marker_string(arena, yl_str_c(text), &s) ? s : NULL;
}

static const char *
json(const char *text)
{
    const char *s = NULL;

    return yl_marker_json(arena, yl_str_c(text), &s) ? s : NULL;
}

TEST(strings_lose_their_quotes)
{
    arena = yl_arena_new();
    assert_string_equal(string(" word "), "word");
    assert_string_equal(string("\"a \\\"b\\\"\""), "a \"b\"");
    assert_string_equal(string("`^[a-z]\\d \"`"), "^[a-z]\\d \"");
    assert_string_equal(string(""), "");
    assert_null(string("\"a"));
    assert_null(string("`"));
    assert_null(string("\"a\" b \"c\""));
    assert_null(string("`a` b `c`"));
    assert_null(string("\"\\x\""));
    yl_arena_free(arena);
}

TEST(values_become_json)
{
    char deep[101];

    arena = yl_arena_new();
    assert_string_equal(json("1"), "1");
    assert_string_equal(json("true"), "true");
    assert_string_equal(json("\"1\""), "\"1\"");
    assert_string_equal(json("word"), "\"word\"");
    assert_string_equal(json(""), "\"\"");
    assert_string_equal(json("`a\"b`"), "\"a\\\"b\"");
    assert_string_equal(json("{a, b}"), "[\"a\",\"b\"]");
    assert_string_equal(json("{1,2}"), "[1,2]");
    assert_string_equal(json("[a]"), "[\"a\"]");
    assert_string_equal(json("{k: v, \"l\": {1}}"), "{\"k\":\"v\",\"l\":[1]}");
    assert_string_equal(json("{\"k\": [1, 2]}"), "{\"k\": [1, 2]}");
    assert_string_equal(json("{}"), "{}");
    assert_null(json("{a"));
    assert_null(json("{k: v, w}"));
    assert_null(json("{k: \"v}"));
    assert_null(json("{\"a: 1}"));
    memset(deep, '{', 50);
    memset(deep + 50, '}', 50);
    deep[100] = '\0';
    assert_null(json(deep));
    yl_arena_free(arena);
}

TEST(items_end_outside_of_quotes_and_brackets)
{
    struct yl_str rest = YL_STR("a=\"x,\\\",y\", b={1,2},c=`,`"), item;

    assert_true(yl_marker_next(&rest, ',', &item));
    assert_str_equal(item, "a=\"x,\\\",y\"");
    assert_true(yl_marker_next(&rest, ',', &item));
    assert_str_equal(item, "b={1,2}");
    assert_true(yl_marker_next(&rest, ',', &item));
    assert_str_equal(item, "c=`,`");
    assert_false(yl_marker_next(&rest, ',', &item));
    rest = YL_STR("a,");
    assert_true(yl_marker_next(&rest, ',', &item));
    assert_true(yl_marker_next(&rest, ',', &item));
    assert_str_equal(item, "");
    assert_false(yl_marker_next(&rest, ',', &item));
}
