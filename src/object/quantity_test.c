/* Tests of quantities.  The tables were compared with apimachinery's own
 * answers. */

#include "yuloh/quantity.h"

#include "unit.h"

#define D16 "1234567890123456"
#define D64 D16 D16 D16 D16

/* What upstream says of a text that does not match. */
#define FORMAT                                                                \
    "quantities must match the regular expression "                           \
    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
#define SUFFIX "unable to parse quantity's suffix"
#define NUMERIC "unable to parse numeric part of quantity"

static const struct {
    const char *text;
    const char *written;        /* By Kubernetes. */
    const char *canonical;
    enum yl_quantity_format format;
} good[] = {
    { "0", "0", "0", YL_DECIMAL_SI },
    { "-0", "0", "0", YL_DECIMAL_SI },
    { "0Ki", "0", "0", YL_BINARY_SI },
    { "0.000", "0", "0", YL_DECIMAL_SI },
    { "1", "1", "1", YL_DECIMAL_SI },
    { "100m", "100m", "100m", YL_DECIMAL_SI },
    { "1.5", "1500m", "1500m", YL_DECIMAL_SI },
    { ".5", "500m", "500m", YL_DECIMAL_SI },
    { "1.", "1.", "1", YL_DECIMAL_SI },
    { "1n", "1n", "1n", YL_DECIMAL_SI },
    { "1u", "1u", "1u", YL_DECIMAL_SI },
    { "1000", "1k", "1k", YL_DECIMAL_SI },
    { "10000k", "10M", "10M", YL_DECIMAL_SI },
    { "1e3", "1e3", "1e3", YL_DECIMAL_EXPONENT },
    { "1E3", "1E3", "1e3", YL_DECIMAL_EXPONENT },
    { "1e4", "10e3", "10e3", YL_DECIMAL_EXPONENT },
    { "100e-2", "1", "1", YL_DECIMAL_EXPONENT },
    { "1e-1", "100e-3", "100e-3", YL_DECIMAL_EXPONENT },
    { "1E", "1E", "1E", YL_DECIMAL_SI },
    { "1Ki", "1Ki", "1Ki", YL_BINARY_SI },
    { "1024Ki", "1Mi", "1Mi", YL_BINARY_SI },
    { "8Ki", "8Ki", "8Ki", YL_BINARY_SI },
    { "0.5Gi", "512Mi", "512Mi", YL_BINARY_SI },
    { "0.5Ki", "512", "512", YL_BINARY_SI },
    { "1.1Ki", "1126400m", "1126400m", YL_BINARY_SI },
    { "0.0001Ki", "102400u", "102400u", YL_DECIMAL_SI },
    { "-1.5Gi", "-1536Mi", "-1536Mi", YL_BINARY_SI },

    /* Looks canonical at a glance, and is kept. */
    { "+1", "+1", "1", YL_DECIMAL_SI },
    { "0001", "0001", "1", YL_DECIMAL_SI },
    { "1.500", "1.500", "1500m", YL_DECIMAL_SI },
    { "01Ki", "01Ki", "1Ki", YL_BINARY_SI },
    { "1.Ki", "1.Ki", "1Ki", YL_BINARY_SI },
    { "1023Mi", "1023Mi", "1023Mi", YL_BINARY_SI },
    { "1e4294967299", "1e4294967299", "1e3", YL_DECIMAL_EXPONENT },

    /* Hardly a number, but accepted. */
    { ".", "0", "0", YL_DECIMAL_SI },
    { "+", "0", "0", YL_DECIMAL_SI },
    { "k", "0", "0", YL_DECIMAL_SI },
    { "-.Ki", "0", "0", YL_BINARY_SI },

    /* Too small: rounded away from zero. */
    { "0.1n", "1n", "1n", YL_DECIMAL_SI },
    { "-1e-1000000000", "-1e-9", "-1e-9", YL_DECIMAL_EXPONENT },
    { "1.0000000001", "1000000001n", "1000000001n", YL_DECIMAL_SI },
    { "999999999.9999999999", "1G", "1G", YL_DECIMAL_SI },
    { "999999999999999999.9999999999", "1E", "1E", YL_DECIMAL_SI },

    /* Too large. */
    { "9223372036854775807Ki", "9223372036854775807", "9223372036854775807",
      YL_BINARY_SI },
    { "-100Ei", "-9223372036854775807", "-9223372036854775807",
      YL_BINARY_SI },
    { "7Ei", "7Ei", "7Ei", YL_BINARY_SI },
    { "9999999999999999999999E6", "9999999999999999999999e6",
      "9999999999999999999999e6", YL_DECIMAL_EXPONENT },
    { "1e1000000000", "10e999999999", "10e999999999", YL_DECIMAL_EXPONENT },
    { D16 D16 "e100", D16 D16 "0e99", D16 D16 "0e99",
      YL_DECIMAL_EXPONENT },
    { "1000E", "1", "1", YL_DECIMAL_SI },
    { "12000E", "12", "12", YL_DECIMAL_SI },
    { D64 D64, D64 D64, D64 D64, YL_DECIMAL_SI },
};

TEST(texts_come_back_as_kubernetes_writes_them)
{
    char room[YL_QUANTITY_TEXT_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(good); i++) {
        struct yl_quantity q;

        assert_int_equal(yl_quantity_parse(yl_str_c(good[i].text), &q, NULL),
                         0);
        assert_str_equal(yl_quantity_text(&q, room), good[i].written);
        assert_str_equal(yl_quantity_canonical(&q, room), good[i].canonical);
        assert_int_equal(q.format, good[i].format);
        yl_quantity_forget_text(&q);
        assert_str_equal(yl_quantity_text(&q, room), good[i].canonical);
    }
}

TEST(malformed_texts_get_upstream_s_messages)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        { "", FORMAT },
        { "1 ", FORMAT },
        { " 1", FORMAT },
        { "1..5", FORMAT },
        { "1e3x", FORMAT },
        { "--1", SUFFIX },
        { "1KiB", FORMAT },
        { "1K", SUFFIX },
        { "1i", SUFFIX },
        { "1e", SUFFIX },
        { "1e+", SUFFIX },
        { "1mi", SUFFIX },
        { "1k3", SUFFIX },
        { "1-3", SUFFIX },
        { "1ee3", SUFFIX },
        { "1e99999999999999999999", SUFFIX },
        { "e-10", NUMERIC },
        { ".e-10", NUMERIC },
        { "-e-10", NUMERIC },
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_quantity q = yl_quantity_make(42, 0, YL_DECIMAL_SI);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_quantity_parse(yl_str_c(bad[i].text), &q, &err),
                         YL_EINVALID);
        assert_string_equal(yl_error_message(&err), bad[i].message);
    }
    assert_int_equal(yl_quantity_value(&q), 42);
    yl_error_clear(&err);
}

TEST(ceilings_are_ordinary_errors)
{
    char text[YL_QUANTITY_MAX_TEXT + 1];
    struct yl_error err = YL_ERROR_INIT;
    struct yl_quantity q;

    memset(text, '1', sizeof text);
    assert_int_equal(yl_quantity_parse(yl_str_n(text, sizeof text), &q, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "quantity is longer than 1024 bytes");
    assert_int_equal(yl_quantity_parse(
                         yl_str_n(text, YL_QUANTITY_MAX_DIGITS + 1), &q,
                         &err), YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "quantity has more than 128 significant digits");

    /* Zeros at either end are not significant. */
    memset(text, '0', sizeof text);
    text[500] = '7';
    text[501] = '.';
    assert_int_equal(yl_quantity_parse(yl_str_n(text, 1024), &q, NULL), 0);
    assert_int_equal(yl_quantity_value(&q), 7);
    yl_error_clear(&err);
}

static struct yl_quantity
parse(const char *text)
{
    struct yl_quantity q;

    assert_int_equal(yl_quantity_parse(yl_str_c(text), &q, NULL), 0);
    return q;
}

TEST(order_is_that_of_the_numbers)
{
    static const char *const order[] = {
        "-1e1000000000", "-1234567890123456789012345", "-7Ei", "-1E", "-1.1",
        "-1", "-999999999n", "-1n", "0", "1n", "1u", "1m", "999m",
        "999999999n", "1", "1000000001n", "1023", "1Ki", "1025", "1M", "1Mi",
        "999999999999999999999", "1e21", "1234567890123456789012345",
        "1234567890123456789012345.5", "1e1000000000", "2e1000000000",
    };
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(order); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(order); j++) {
            struct yl_quantity a = parse(order[i]), b = parse(order[j]);

            assert_int_equal(yl_quantity_compare(&a, &b), (i > j) - (i < j));
        }
    }
}

TEST(equal_numbers_compare_equal_however_written)
{
    static const char *const ones[] = { "1024", "1Ki", "1.024k", "1024e0",
                                        "1024000m", "0.0009765625Mi" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(ones); i++) {
        struct yl_quantity a = parse(ones[0]), b = parse(ones[i]);

        assert_int_equal(yl_quantity_compare(&a, &b), 0);
    }
}

TEST(sums_are_exact_and_take_the_format_from_zero)
{
    static const struct {
        const char *a, *b, *sum, *difference;
    } cases[] = {
        { "1", "1Ki", "1025", "-1023" },
        { "0", "1Ki", "1Ki", "-1Ki" },
        { "0", "0Ki", "0", "0" },
        { "1Ki", "0", "1Ki", "1Ki" },
        { "1Ki", "1Ki", "2Ki", "0" },
        { "1.5Gi", "512Mi", "2Gi", "1Gi" },
        { "1n", "1G", "1000000000000000001n", "-999999999999999999n" },
        { "-3", "5", "2", "-8" },
        { "9223372036854775807", "1", "9223372036854775808",
          "9223372036854775806" },
        { "999999999999999999999999999", "1", "1",
          "999999999999999999999999998" },
        { "7Ei", "7Ei", "14Ei", "0" },
        { "1e100", "1e100", "20e99", "0" },
        { "1e60", "-1e60", "0", "2e60" },
    };
    char room[YL_QUANTITY_TEXT_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_quantity a = parse(cases[i].a), b = parse(cases[i].b);

        assert_int_equal(yl_quantity_add(&a, &b), 0);
        assert_str_equal(yl_quantity_text(&a, room), cases[i].sum);
        a = parse(cases[i].a);
        assert_int_equal(yl_quantity_sub(&a, &b), 0);
        assert_str_equal(yl_quantity_text(&a, room), cases[i].difference);
    }
}

TEST(a_sum_that_cannot_be_held_is_an_error)
{
    struct yl_quantity a = parse("1e1000"), b = parse("1n");
    struct yl_quantity nines, one = parse("1");
    char digits[129], room[YL_QUANTITY_TEXT_SIZE];

    assert_int_equal(yl_quantity_add(&a, &b), YL_ERANGE);
    assert_str_equal(yl_quantity_text(&a, room), "10e999");
    assert_int_equal(yl_quantity_sub(&b, &a), YL_ERANGE);
    assert_str_equal(yl_quantity_text(&b, room), "1n");

    memset(digits, '9', sizeof digits);
    digits[128] = '\0';
    nines = parse(digits);
    assert_int_equal(yl_quantity_add(&nines, &b), YL_ERANGE);
    assert_int_equal(yl_quantity_add(&nines, &one), 0);
    nines.format = YL_DECIMAL_EXPONENT;
    assert_str_equal(yl_quantity_text(&nines, room), "100e126");
}

TEST(binary_numbers_beyond_all_suffixes_stay_readable)
{
    struct yl_quantity q = yl_quantity_make(1, 1000, YL_BINARY_SI);
    struct yl_quantity small = yl_quantity_make(1, 120, YL_BINARY_SI);
    char room[YL_QUANTITY_TEXT_SIZE];

    assert_str_equal(yl_quantity_text(&q, room), "10e999");

    /* 10^120 / 1024^12 = 5^120. */
    assert_str_equal(yl_quantity_text(&small, room),
                     "752316384526264005099991383822237233803945956334136013"
                     "765601092018187046051025390625");
}

TEST(values_round_away_from_zero_and_stop_at_the_ends)
{
    static const struct {
        const char *text;
        int64_t value, milli_value;
    } cases[] = {
        { "0", 0, 0 },
        { "1.5", 2, 1500 },
        { "-1.5", -2, -1500 },
        { "1n", 1, 1 },
        { "-1n", -1, -1 },
        { "1Ki", 1024, 1024000 },
        { "9223372036854775806.1", INT64_MAX, INT64_MAX },
        { "9223372036854775807", INT64_MAX, INT64_MAX },
        { "9223372036854775808", INT64_MAX, INT64_MAX },
        { "-9223372036854775808", INT64_MIN, INT64_MIN },
        { "-9223372036854775809", INT64_MIN, INT64_MIN },
        { "18446744073709551616", INT64_MAX, INT64_MAX },
        { "-99999999999999999999999999999", INT64_MIN, INT64_MIN },
        { "1e1000000000", INT64_MAX, INT64_MAX },
        { "9223372036854775", 9223372036854775, 9223372036854775000 },
    };
    struct yl_quantity q;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        q = parse(cases[i].text);
        assert_true(yl_quantity_value(&q) == cases[i].value);
        assert_true(yl_quantity_milli_value(&q) == cases[i].milli_value);
    }
    q = parse("1500");
    assert_int_equal(yl_quantity_scaled_value(&q, 3), 2);
    assert_int_equal(yl_quantity_scaled_value(&q, 9), 1);
}

TEST(numbers_can_be_made_and_negated)
{
    struct yl_quantity q = yl_quantity_make(1500, -3, YL_DECIMAL_SI);
    char room[YL_QUANTITY_TEXT_SIZE];

    assert_str_equal(yl_quantity_text(&q, room), "1500m");
    assert_int_equal(yl_quantity_sign(&q), 1);
    yl_quantity_negate(&q);
    assert_str_equal(yl_quantity_text(&q, room), "-1500m");
    assert_int_equal(yl_quantity_sign(&q), -1);
    q = parse("0");
    yl_quantity_negate(&q);
    assert_int_equal(yl_quantity_sign(&q), 0);
    q = yl_quantity_make(INT64_MIN, 0, YL_BINARY_SI);
    assert_str_equal(yl_quantity_text(&q, room), "-8Ei");
}
