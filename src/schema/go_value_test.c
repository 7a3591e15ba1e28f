/* Tests of values as Go has them. */

#include "schema/go_value.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static bool
equal(const char *a, const char *b)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *x, *y;
    bool result;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(a), NULL, &x, NULL), 0);
    assert_int_equal(yl_tree_parse(arena, yl_str_c(b), NULL, &y, NULL), 0);
    result = yl_go_equal(x, y);
    assert_int_equal(result, yl_go_equal(y, x));
    yl_arena_free(arena);
    return result;
}

TEST(integers_and_floats_differ)
{
    assert_true(equal("1", "1"));
    assert_true(equal("1.0", "1e0"));
    assert_false(equal("1", "1.0"));
    assert_false(equal("[1]", "[1.0]"));
    assert_false(equal("{\"a\":1}", "{\"a\":1.0}"));
    assert_true(equal("9223372036854775808", "9.223372036854775808e18"));
    assert_false(equal("9223372036854775807", "9223372036854775808"));
    assert_true(equal("0.0", "-0.0"));
}

TEST(compounds_are_compared_by_what_they_hold)
{
    assert_true(equal("{\"a\":[1,\"x\"],\"b\":null}",
                      "{\"b\":null,\"a\":[1,\"\\u0078\"]}"));
    assert_false(equal("{\"a\":1}", "{\"a\":1,\"b\":2}"));
    assert_false(equal("{\"a\":1}", "{\"b\":1}"));
    assert_false(equal("{\"a\":null}", "{\"b\":null}"));
    assert_false(equal("[1,2]", "[2,1]"));
    assert_false(equal("[1]", "[1,2]"));
    assert_false(equal("[]", "{}"));
    assert_true(equal("true", "true"));
    assert_false(equal("true", "false"));
    assert_false(equal("null", "0"));
}

TEST(numbers_are_int64_or_float64)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_go_number number;
    struct yl_node *node;

    assert_int_equal(yl_tree_parse(arena, YL_STR("9223372036854775807"), NULL,
                                   &node, NULL), 0);
    number = yl_go_number(node);
    assert_true(number.is_int);
    assert_true(number.integer == INT64_MAX);
    assert_int_equal(yl_tree_parse(arena, YL_STR("9223372036854775808"), NULL,
                                   &node, NULL), 0);
    number = yl_go_number(node);
    assert_false(number.is_int);
    assert_true(number.number == 0x1p63);
    yl_arena_free(arena);
}

TEST(doubles_are_printed_as_go_does)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        { 0, "0" }, { 1, "1" }, { -1, "-1" }, { 0.1, "0.1" },
        { 123456, "123456" }, { 100000, "100000" }, { 1e6, "1e+06" },
        { 12345678, "1.2345678e+07" }, { 1234567.5, "1.2345675e+06" },
        { 1e20, "1e+20" }, { 1e21, "1e+21" }, { 0.0001, "0.0001" },
        { 0.00001, "1e-05" }, { -2e-7, "-2e-07" }, { 1e100, "1e+100" },
        { 9223372036854775808.0, "9.223372036854776e+18" },
        { 3.4028234663852886e38, "3.4028234663852886e+38" },
        { 5e-324, "5e-324" }, { 0.3, "0.3" }, { 1.0 / 3,
        "0.3333333333333333" }, { 99999.5, "99999.5" },
    };
    char text[YL_DOUBLE_SIZE];
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(yl_go_double(text, cases[i].value),
                         strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}
