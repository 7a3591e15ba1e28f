/* Tests of string slices. */

#include "yuloh/str.h"

#include "unit.h"
#include "yuloh/error.h"

static const struct yl_str constant = YL_STR_INIT("constant");

TEST(null_and_empty_compare_equal_but_differ)
{
    struct yl_str null = yl_str_null(), empty = YL_STR("");

    assert_true(yl_str_equal(null, empty));
    assert_int_equal(yl_str_compare(null, empty), 0);
    assert_true(yl_str_is_empty(null) && yl_str_is_empty(empty));
    assert_true(yl_str_is_null(null));
    assert_false(yl_str_is_null(empty));
    assert_true(yl_str_is_null(yl_str_c(NULL)));
    assert_false(yl_str_is_null(yl_str_c("")));
    assert_true(yl_str_is_null(yl_str_skip(null, 0)));
}

TEST(equality_counts_every_byte)
{
    assert_true(yl_str_equal(constant, YL_STR("constant")));
    assert_false(yl_str_equal(constant, YL_STR("constanT")));
    assert_false(yl_str_equal(constant, YL_STR("constan")));
    assert_true(yl_str_equal(YL_STR("a\0b"), yl_str_n("a\0b", 3)));
    assert_false(yl_str_equal(YL_STR("a\0b"), YL_STR("a\0c")));
    assert_false(yl_str_equal_c(YL_STR("a\0b"), "a"));
}

TEST(order_is_that_of_unsigned_bytes)
{
    static const char *const sorted[] = { "", "A", "a", "aa", "ab", "b",
                                          "\x7f", "\x80", "\xff" };
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(sorted); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(sorted); j++) {
            int c = yl_str_compare(yl_str_c(sorted[i]), yl_str_c(sorted[j]));

            assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
        }
    }
}

TEST(prefix_and_suffix)
{
    assert_true(yl_str_starts_with(constant, YL_STR("con")));
    assert_true(yl_str_starts_with(constant, yl_str_null()));
    assert_true(yl_str_starts_with(yl_str_null(), YL_STR("")));
    assert_false(yl_str_starts_with(constant, YL_STR("constants")));
    assert_false(yl_str_starts_with(constant, YL_STR("x")));
    assert_true(yl_str_ends_with(constant, YL_STR("ant")));
    assert_true(yl_str_ends_with(yl_str_null(), yl_str_null()));
    assert_false(yl_str_ends_with(constant, YL_STR("a constant")));
    assert_false(yl_str_ends_with(constant, YL_STR("aNt")));
}

TEST(find_char_finds_the_first)
{
    assert_ptr_equal(yl_str_find_char(constant, 'n'), constant.data + 2);
    assert_null(yl_str_find_char(constant, 'x'));
    assert_null(yl_str_find_char(yl_str_null(), 'x'));
}

TEST(trim_takes_blanks_off_both_ends_only)
{
    assert_str_equal(yl_str_trim(YL_STR(" \t\r\na b \n")), "a b");
    assert_str_equal(yl_str_trim(YL_STR("\v")), "\v");
    assert_str_equal(yl_str_trim(YL_STR("  ")), "");
    assert_str_equal(yl_str_trim(yl_str_null()), "");
}

TEST(cut_divides_at_the_first_separator_or_writes_nothing)
{
    struct yl_str before = YL_STR("x"), after = YL_STR("y");

    assert_false(yl_str_cut(YL_STR("abc"), '/', &before, &after));
    assert_str_equal(before, "x");
    assert_str_equal(after, "y");
    assert_true(yl_str_cut(YL_STR("a/b/c"), '/', &before, &after));
    assert_str_equal(before, "a");
    assert_str_equal(after, "b/c");
    assert_true(yl_str_cut(YL_STR("/"), '/', &before, &after));
    assert_str_equal(before, "");
    assert_str_equal(after, "");
}

TEST(u64_reads_all_or_nothing)
{
    static const char *const bad[] = { "", " 1", "1 ", "+1", "-1", "1x", "0x1",
                                       "18446744073709551616",
                                       "99999999999999999999" };
    unsigned long long value = 42;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_str_to_u64(yl_str_c(bad[i]), &value),
                         YL_EINVALID);
        assert_int_equal(value, 42);
    }
    assert_int_equal(yl_str_to_u64(yl_str_null(), &value), YL_EINVALID);
    assert_int_equal(yl_str_to_u64(YL_STR("18446744073709551615"), &value), 0);
    assert_true(value == UINT64_MAX);
    assert_int_equal(yl_str_to_u64(YL_STR("007"), &value), 0);
    assert_int_equal(value, 7);
}

TEST(i64_reads_all_or_nothing)
{
    static const char *const bad[] = { "", "-", "--1", "+1", "- 1",
                                       "9223372036854775808",
                                       "-9223372036854775809" };
    long long value = 42;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_str_to_i64(yl_str_c(bad[i]), &value),
                         YL_EINVALID);
        assert_int_equal(value, 42);
    }
    assert_int_equal(yl_str_to_i64(YL_STR("9223372036854775807"), &value), 0);
    assert_true(value == INT64_MAX);
    assert_int_equal(yl_str_to_i64(YL_STR("-9223372036854775808"), &value), 0);
    assert_true(value == INT64_MIN);
    assert_int_equal(yl_str_to_i64(YL_STR("-0"), &value), 0);
    assert_int_equal(value, 0);
}

static int
precision(int size, const char *data YL_UNUSED)
{
    return size;
}

TEST(printf_arguments_never_mean_no_limit)
{
    char text[32];

    assert_int_equal(precision(YL_STR_ARG(yl_str_n("", SIZE_MAX))), INT32_MAX);
    assert_int_equal(precision(YL_STR_ARG(yl_str_n("", 1u << 31))), INT32_MAX);
    assert_int_equal(precision(YL_STR_ARG(constant)), 8);
    snprintf(text, sizeof text, "<%.*s>", YL_STR_ARG(yl_str_null()));
    assert_string_equal(text, "<>");
    snprintf(text, sizeof text, "<%.*s>",
             YL_STR_ARG(yl_str_range(constant.data, constant.data + 3)));
    assert_string_equal(text, "<con>");
}
