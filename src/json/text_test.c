/* Tests of strings and numbers.  The tables are what Go's encoding/json and
 * strconv make of the same texts. */

#include "json/text.h"

#include <float.h>
#include <math.h>

#include "unit.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* Strings with escapes and what they stand for; NULL if they are broken. */
static const struct {
    const char *raw;
    struct yl_str plain;
} strings[] = {
    { "", YL_STR_INIT("") },
    { "plain", YL_STR_INIT("plain") },
    { "\\\"\\\\\\/\\b\\f\\n\\r\\t", YL_STR_INIT("\"\\/\b\f\n\r\t") },
    { "a\\nb\\nc", YL_STR_INIT("a\nb\nc") },
    { "\\u0041", YL_STR_INIT("A") },
    { "\\u0000x", YL_STR_INIT("\0x") },
    { "\\u007f", YL_STR_INIT("\x7f") },
    { "\\u0080", YL_STR_INIT("\xc2\x80") },
    { "\\u00e9", YL_STR_INIT("\xc3\xa9") },
    { "\\u00E9", YL_STR_INIT("\xc3\xa9") },
    { "\\u07ff", YL_STR_INIT("\xdf\xbf") },
    { "\\u0800", YL_STR_INIT("\xe0\xa0\x80") },
    { "\\uFFFF", YL_STR_INIT("\xef\xbf\xbf") },
    { "\\ud800\\udc00", YL_STR_INIT("\xf0\x90\x80\x80") },
    { "\\ud83d\\ude00!", YL_STR_INIT("\xf0\x9f\x98\x80!") },
    { "\\udbff\\udfff", YL_STR_INIT("\xf4\x8f\xbf\xbf") },
    { "\\\\u0041", YL_STR_INIT("\\u0041") },
    { "\xc3\xa9\\t", YL_STR_INIT("\xc3\xa9\t") },
    { "\\", { NULL, 0 } },
    { "a\\", { NULL, 0 } },
    { "\\x", { NULL, 0 } },
    { "\\u", { NULL, 0 } },
    { "\\u123", { NULL, 0 } },
    { "\\u12g4", { NULL, 0 } },
    { "\\u 123", { NULL, 0 } },
    { "\\U0041", { NULL, 0 } },
    { "\\ud800", { NULL, 0 } },
    { "\\ud800x", { NULL, 0 } },
    { "\\ud800\\n", { NULL, 0 } },
    { "\\ud800\\u0041", { NULL, 0 } },
    { "\\ud800\\ud800", { NULL, 0 } },
    { "\\ud800\\ue000", { NULL, 0 } },
    { "\\udc00", { NULL, 0 } },
    { "\\udfff\\ud800", { NULL, 0 } },
    { "\\ud800\\udc0", { NULL, 0 } },
};

TEST(unescape_resolves_every_escape)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(strings); i++) {
        struct yl_str raw = yl_str_c(strings[i].raw);
        struct yl_str plain = strings[i].plain;
        int expected = plain.data ? 0 : YL_ESYNTAX;
        char out[64], in_place[64];
        size_t size = 99;

        assert_int_equal(yl_json_check_escapes(raw), expected);
        assert_int_equal(yl_json_unescape(raw, out, &size), expected);
        if (expected < 0) {
            assert_int_equal(size, 99);
            assert_false(yl_json_raw_equal(raw, YL_STR("")));
            assert_false(yl_json_raw_equal(raw, raw));
            continue;
        }
        assert_int_equal(size, plain.size);
        assert_memory_equal(out, plain.data, size);
        assert_true(size <= raw.size);

        memcpy(in_place, raw.data, raw.size);
        assert_int_equal(yl_json_unescape(yl_str_n(in_place, raw.size),
                                          in_place, &size), 0);
        assert_int_equal(size, plain.size);
        assert_memory_equal(in_place, plain.data, size);
    }
}

TEST(check_escapes_needs_no_escapes)
{
    assert_int_equal(yl_json_check_escapes(YL_STR("plain")), 0);
    assert_int_equal(yl_json_check_escapes(yl_str_null()), 0);
}

TEST(raw_is_canonical_when_its_escapes_are_shortest)
{
    assert_true(yl_json_raw_is_canonical(YL_STR("plain")));
    assert_true(yl_json_raw_is_canonical(YL_STR("\\n\\\"\\\\")));
    assert_false(yl_json_raw_is_canonical(YL_STR("\\/")));
    assert_false(yl_json_raw_is_canonical(YL_STR("\\u0041")));
}

TEST(strings_are_written_with_the_shortest_escapes_wherever_they_are)
{
    struct yl_buf buf;
    size_t size, at;

    /* Every place in strings of every length around a word's. */
    yl_buf_init(&buf, 64);
    for (size = 1; size < 20; size++) {
        for (at = 0; at < size; at++) {
            char s[20], expected[32];

            memset(s, 'x', sizeof s);
            s[at] = '"';
            snprintf(expected, sizeof expected, "\"%.*s\\\"%.*s\"", (int) at,
                     s, (int) (size - at - 1), s + at + 1);
            yl_buf_clear(&buf);
            yl_json_write_string(&buf, yl_str_n(s, size));
            assert_str_equal(yl_buf_str(&buf), expected);
        }
    }
    yl_buf_release(&buf);
}

TEST(raw_equal_compares_what_is_meant)
{
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(strings); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(strings); j++) {
            struct yl_str raw = yl_str_c(strings[i].raw);
            struct yl_str a = strings[i].plain;
            struct yl_str b = strings[j].plain;

            if (b.data) {
                assert_int_equal(yl_json_raw_equal(raw, b),
                                 a.data && yl_str_equal(a, b));
            }
        }
    }
    assert_false(yl_json_raw_equal(YL_STR("ab"), YL_STR("a")));
    assert_false(yl_json_raw_equal(YL_STR("a"), YL_STR("ab")));
    assert_false(yl_json_raw_equal(YL_STR("\\u0041b"), YL_STR("A")));
    assert_false(yl_json_raw_equal(YL_STR("\\u0041"), YL_STR("AB")));
    assert_true(yl_json_raw_equal(YL_STR("\\u0041\\u0041\\u0041\\u0041\\u0041"
                                         "\\u0041"), YL_STR("AAAAAA")));
    assert_true(yl_json_raw_equal(YL_STR(""), yl_str_null()));
    assert_true(yl_json_raw_equal(yl_str_null(), YL_STR("")));
}

static void
assert_string_written(struct yl_str s, const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 4096);
    yl_json_write_string(&buf, s);
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(write_string_has_the_shortest_escapes)
{
    assert_string_written(YL_STR(""), "\"\"");
    assert_string_written(yl_str_null(), "\"\"");
    assert_string_written(YL_STR("plain"), "\"plain\"");
    assert_string_written(YL_STR("\"\\\b\f\n\r\t"),
                          "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    assert_string_written(YL_STR("/<>&'"), "\"/<>&'\"");
    assert_string_written(yl_str_n("a\0b\x01\x0b\x1f\x7f", 7),
                          "\"a\\u0000b\\u0001\\u000b\\u001f\x7f\"");
    assert_string_written(YL_STR("\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80"),
                          "\"\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80\"");
}

TEST(write_text_makes_json_of_any_bytes)
{
    static const struct {
        struct yl_str bytes;
        const char *text;
    } cases[] = {
        { YL_STR_INIT("a\n\xc3\xa9"), "\"a\\n\xc3\xa9\"" },
        { YL_STR_INIT("\xff"), "\"\xef\xbf\xbd\"" },
        { YL_STR_INIT("a\xe2\x82" "b\xc0"), "\"a\xef\xbf\xbd\xef\xbf\xbd"
                                           "b\xef\xbf\xbd\"" },
        { YL_STR_INIT("\"\xed\xa0\x80"), "\"\\\"\xef\xbf\xbd\xef\xbf\xbd"
                                        "\xef\xbf\xbd\"" },
        { { NULL, 0 }, "\"\"" },
    };
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 4096);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        yl_buf_clear(&buf);
        yl_json_write_text(&buf, cases[i].bytes);
        assert_str_equal(yl_buf_str(&buf), cases[i].text);
        assert_int_equal(yl_json_validate(yl_buf_str(&buf), NULL, NULL), 0);
    }
    yl_buf_release(&buf);
}

TEST(every_byte_is_written_and_read_back)
{
    struct yl_buf buf;
    int c;

    yl_buf_init(&buf, 4096);
    for (c = 0; c < 256; c++) {
        char s[3] = { 'a', (char) c, 'z' };
        struct yl_str raw;
        char out[16];
        size_t size;

        yl_buf_clear(&buf);
        yl_json_write_string(&buf, yl_str_n(s, 3));
        raw = yl_str_n(buf.data + 1, buf.size - 2);
        assert_int_equal(yl_json_unescape(raw, out, &size), 0);
        assert_int_equal(size, 3);
        assert_memory_equal(out, s, 3);
        assert_true(yl_json_raw_equal(raw, yl_str_n(s, 3)));
    }
    yl_buf_release(&buf);
}

TEST(number_end_follows_the_grammar)
{
    /* How many bytes of the text are a number; -1 if it starts with none. */
    static const struct {
        const char *text;
        int size;
    } cases[] = {
        { "0", 1 },     { "-0", 2 },    { "12", 2 },    { "1.5", 3 },
        { "1e5", 3 },   { "1E+5", 4 },  { "1e-05", 5 }, { "0.0e0", 5 },
        { "01", 1 },    { "1,", 1 },    { "1 ", 1 },    { "1x", 1 },
        { "1.5.5", 3 }, { "-1-", 2 },
        { "", -1 },     { "-", -1 },    { "+1", -1 },   { ".5", -1 },
        { "1.", -1 },   { "1.e5", -1 }, { "1e", -1 },   { "1e+", -1 },
        { "1ex", -1 },  { "x", -1 },    { "--1", -1 },
    };
    char digits[YL_JSON_MAX_NUMBER + 1];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        const char *text = cases[i].text;
        const char *end = yl_json_number_end(text, text + strlen(text));

        assert_int_equal(end ? end - text : -1, cases[i].size);
    }
    memset(digits, '7', sizeof digits);
    assert_ptr_equal(yl_json_number_end(digits, digits + YL_JSON_MAX_NUMBER),
                     digits + YL_JSON_MAX_NUMBER);
    assert_null(yl_json_number_end(digits, digits + sizeof digits));
}

TEST(integers_have_neither_fraction_nor_exponent)
{
    int64_t i;
    uint64_t u;

    assert_true(yl_json_number_is_integer(YL_STR("-12")));
    assert_false(yl_json_number_is_integer(YL_STR("1.0")));
    assert_false(yl_json_number_is_integer(YL_STR("1e0")));
    assert_false(yl_json_number_is_integer(YL_STR("1E0")));

    assert_int_equal(yl_json_number_int64(YL_STR("-9223372036854775808"), &i),
                     0);
    assert_true(i == INT64_MIN);
    assert_int_equal(yl_json_number_int64(YL_STR("9223372036854775807"), &i),
                     0);
    assert_true(i == INT64_MAX);
    assert_int_equal(yl_json_number_int64(YL_STR("-0"), &i), 0);
    assert_true(i == 0);
    i = 5;
    assert_int_equal(yl_json_number_int64(YL_STR("9223372036854775808"), &i),
                     YL_ERANGE);
    assert_int_equal(yl_json_number_int64(YL_STR("-9223372036854775809"), &i),
                     YL_ERANGE);
    assert_int_equal(yl_json_number_int64(YL_STR("1.0"), &i), YL_ERANGE);
    assert_int_equal(yl_json_number_int64(YL_STR("1e3"), &i), YL_ERANGE);
    assert_true(i == 5);

    assert_int_equal(yl_json_number_uint64(YL_STR("18446744073709551615"), &u),
                     0);
    assert_true(u == UINT64_MAX);
    assert_int_equal(yl_json_number_uint64(YL_STR("18446744073709551616"), &u),
                     YL_ERANGE);
    assert_int_equal(yl_json_number_uint64(YL_STR("-1"), &u), YL_ERANGE);
    assert_true(u == UINT64_MAX);
}

TEST(doubles_are_read_to_the_last_bit)
{
    char text[YL_JSON_MAX_NUMBER + 1];
    double d = 1;

    assert_int_equal(yl_json_number_double(YL_STR("0.1"), &d), 0);
    assert_true(d == 0.1);
    assert_int_equal(yl_json_number_double(YL_STR("-0.0"), &d), 0);
    assert_true(d == 0 && signbit(d));
    assert_int_equal(yl_json_number_double(YL_STR("1e-400"), &d), 0);
    assert_true(d == 0);
    assert_int_equal(yl_json_number_double(YL_STR("5e-324"), &d), 0);
    assert_true(d > 0);
    assert_int_equal(yl_json_number_double(YL_STR("1.7976931348623157e308"),
                                           &d), 0);
    assert_true(d == DBL_MAX);
    assert_int_equal(yl_json_number_double(YL_STR("1e309"), &d), YL_ERANGE);
    assert_int_equal(yl_json_number_double(YL_STR("-1e309"), &d), YL_ERANGE);
    assert_true(d == DBL_MAX);

    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    text[YL_JSON_MAX_NUMBER - 1] = '1';
    assert_int_equal(yl_json_number_double(yl_str_n(text, YL_JSON_MAX_NUMBER),
                                           &d), 0);
    assert_true(d == 0);
    assert_int_equal(yl_json_number_double(yl_str_n(text, sizeof text), &d),
                     YL_ERANGE);
}

TEST(integers_are_written)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 4096);
    yl_json_write_int64(&buf, INT64_MIN);
    yl_buf_append_char(&buf, ' ');
    yl_json_write_int64(&buf, INT64_MAX);
    yl_buf_append_char(&buf, ' ');
    yl_json_write_int64(&buf, 0);
    yl_buf_append_char(&buf, ' ');
    yl_json_write_int64(&buf, -10);
    yl_buf_append_char(&buf, ' ');
    yl_json_write_uint64(&buf, UINT64_MAX);
    assert_str_equal(yl_buf_str(&buf),
                     "-9223372036854775808 9223372036854775807 0 -10 "
                     "18446744073709551615");
    yl_buf_release(&buf);
}

/* A number and what Go writes after reading it; NULL if it is out of range. */
static const char *const go_numbers[][2] = {
    { "0", "0" },
    { "-0", "0" },
    { "1", "1" },
    { "-1", "-1" },
    { "10", "10" },
    { "100", "100" },
    { "0.0", "0" },
    { "-0.0", "0" },
    { "1.0", "1" },
    { "1e0", "1" },
    { "1E0", "1" },
    { "1e+0", "1" },
    { "1.50", "1.5" },
    { "0.1", "0.1" },
    { "0.5", "0.5" },
    { "3.14", "3.14" },
    { "1e1", "10" },
    { "1e-1", "0.1" },
    { "12e3", "12000" },
    { "1e5", "100000" },
    { "1e6", "1000000" },
    { "1e20", "100000000000000000000" },
    { "1e21", "1e+21" },
    { "1.5e20", "150000000000000000000" },
    { "1.5e21", "1.5e+21" },
    { "123456789012345678", "123456789012345678" },
    { "9007199254740993", "9007199254740993" },
    { "9223372036854775807", "9223372036854775807" },
    { "9223372036854775808", "9223372036854776000" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "-9223372036854775809", "-9223372036854776000" },
    { "18446744073709551615", "18446744073709552000" },
    { "18446744073709551616", "18446744073709552000" },
    { "100000000000000000000", "100000000000000000000" },
    { "999999999999999999999", "1e+21" },
    { "1000000000000000000000", "1e+21" },
    { "0.000001", "0.000001" },
    { "0.0000001", "1e-7" },
    { "1e-6", "0.000001" },
    { "1e-7", "1e-7" },
    { "9.99e-7", "9.99e-7" },
    { "1.5e-6", "0.0000015" },
    { "0.00000123", "0.00000123" },
    { "0.0000123", "0.0000123" },
    { "5e-324", "5e-324" },
    { "4.9e-324", "5e-324" },
    { "2e-324", "0" },
    { "1e-400", "0" },
    { "2.2250738585072014e-308", "2.2250738585072014e-308" },
    { "1.7976931348623157e308", "1.7976931348623157e+308" },
    { "1.7976931348623159e308", NULL },
    { "1e308", "1e+308" },
    { "1e309", NULL },
    { "-1e309", NULL },
    { "1e400", NULL },
    { "0.30000000000000004", "0.30000000000000004" },
    { "123456.789", "123456.789" },
    { "1e22", "1e+22" },
    { "1e23", "1e+23" },
    { "8.41e21", "8.41e+21" },
    { "9.5e-9", "9.5e-9" },
    { "4.35", "4.35" },
    { "0.1e-5", "0.000001" },
    { "1.0000000000000002", "1.0000000000000002" },
    { "9.5367431640625e-07", "9.5367431640625e-7" },
    { "5.6843418860808015e-14", "5.684341886080802e-14" },
    { "1125899906842624.5", "1125899906842624.5" },
    { "4503599627370497.5", "4503599627370498" },
    { "2.5", "2.5" },
    { "-2.5e-10", "-2.5e-10" },
    { "1e-10", "1e-10" },
    { "1e10", "10000000000" },
    { "0e5", "0" },
    { "-0e5", "0" },
    { "0.00", "0" },
    { "1e00000000000000000000001", "10" },
    { "1e-00000000000000000000001", "0.1" },
    { "123e-2", "1.23" },
    { "1.0e2", "100" },
};

TEST(canonical_numbers_are_those_of_go)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 4096);
    for (i = 0; i < YL_ARRAY_SIZE(go_numbers); i++) {
        int r;

        yl_buf_clear(&buf);
        r = yl_json_write_number(&buf, yl_str_c(go_numbers[i][0]));
        if (!go_numbers[i][1]) {
            assert_int_equal(r, YL_ERANGE);
            assert_int_equal(buf.size, 0);
            continue;
        }
        assert_int_equal(r, 0);
        assert_str_equal(yl_buf_str(&buf), go_numbers[i][1]);

        /* Once more gives the same. */
        yl_buf_clear(&buf);
        assert_int_equal(yl_json_write_number(&buf,
                                              yl_str_c(go_numbers[i][1])), 0);
        assert_str_equal(yl_buf_str(&buf), go_numbers[i][1]);
    }
    yl_buf_release(&buf);
}

TEST(doubles_are_written_as_go_does)
{
    /* Powers of two lie unevenly between their neighbours. */
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        { -0.0, "-0" },
        { 0x1p-1074, "5e-324" },
        { 0x1p-1017, "7.120236347223045e-307" },
        { 0x1p-1007, "7.291122019556398e-304" },
        { 0x1p-957, "8.209073602596753e-289" },
        { 0x1p-44, "5.684341886080802e-14" },
        { 0x1p-24, "5.960464477539063e-8" },
        { 0x1p63, "9223372036854776000" },
        { 0x1p69, "590295810358705700000" },
        { 0x1p70, "1.1805916207174113e+21" },
        { 0x1.fffffffffffffp+1023, "1.7976931348623157e+308" },
        { 999999999999999868928.0, "999999999999999900000" },
        { 1.0 / 3, "0.3333333333333333" },
        { 2.0 / 3, "0.6666666666666666" },
    };
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 4096);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        yl_buf_clear(&buf);
        yl_json_write_double(&buf, cases[i].value);
        assert_str_equal(yl_buf_str(&buf), cases[i].text);
    }
    yl_buf_release(&buf);
}

TEST(doubles_read_back_the_same)
{
    uint64_t seed = 88172645463325252u;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, 4096);
    for (i = 0; i < 20000; i++) {
        double value, again;

        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        memcpy(&value, &seed, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        yl_buf_clear(&buf);
        yl_json_write_double(&buf, value);
        assert_int_equal(yl_json_number_double(yl_buf_str(&buf), &again), 0);
        assert_memory_equal(&value, &again, sizeof value);
        assert_ptr_equal(yl_json_number_end(buf.data, buf.data + buf.size),
                         buf.data + buf.size);
    }
    yl_buf_release(&buf);
}
