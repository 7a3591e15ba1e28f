/* Tests of doubles as text. */

#include "base/number.h"

#include <float.h>
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
