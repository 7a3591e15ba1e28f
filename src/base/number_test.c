/* Tests of doubles as text. */

#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>

#include "unit.h"

static void
check(double value, const char *expected)
{
    char text[YL_DOUBLE_SIZE];

    assert_int_equal(yl_double_format(text, value), strlen(expected));
    assert_string_equal(text, expected);
}

TEST(texts_are_short_and_plain)
{
    check(0, "0");
    check(-0.0, "-0");
    check(0.1, "0.1");
    check(1.0 / 3, "0.3333333333333333");
    check(0.1 + 0.2, "0.30000000000000004");
    check(12345678, "12345678");
    check(1e21, "1e+21");
    check(-2.5e-7, "-2.5e-07");
    check(NAN, "NaN");
    check(INFINITY, "+Inf");
    check(-INFINITY, "-Inf");
}

TEST(texts_read_back_exactly)
{
    static const double values[] = { DBL_MAX, DBL_MIN, DBL_EPSILON, 5e-324,
                                     -1.7976931348623157e308, 1e15 + 0.3,
                                     9007199254740993.0, 3.14159265358979 };
    char text[YL_DOUBLE_SIZE];
    size_t i;

    for (i = 0; i < sizeof values / sizeof values[0]; i++) {
        assert_true(yl_double_format(text, values[i]) < sizeof text);
        assert_true(strtod(text, NULL) == values[i]);
    }
}

/* Tries the locales with a decimal comma, and a point of several bytes, that
 * are installed; on a machine without any, only the C locale is left. */
TEST(texts_do_not_depend_on_the_locale)
{
    static const char *const locales[] = { "C", "de_DE.UTF-8", "fr_FR.UTF-8",
                                           "ps_AF.UTF-8" };
    char text[YL_DOUBLE_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(locales); i++) {
        if (!setlocale(LC_ALL, locales[i])) {
            continue;
        }
        check(1234.5, "1234.5");
        assert_true(yl_double_parse("1234.5") == 1234.5);
        assert_true(yl_float_parse("-2.5e-1") == -0.25f);
        assert_int_equal(yl_double_printf(text, sizeof text, "%.2e", 1.5), 8);
        assert_string_equal(text, "1.50e+00");
        assert_string_equal(setlocale(LC_ALL, NULL), locales[i]);
    }
    setlocale(LC_ALL, "C");
}
