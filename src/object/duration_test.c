/* Tests of durations. */

#include "yuloh/time.h"

#include "unit.h"

#define SECOND INT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static const struct {
    const char *text;
    int64_t nanos;
    const char *again;          /* As written. */
} good[] = {
    { "0", 0, "0s" },
    { "-0", 0, "0s" },
    { "1m30s", 90 * SECOND, "1m30s" },
    { "90s", 90 * SECOND, "1m30s" },
    { "+1.5h", 90 * MINUTE, "1h30m0s" },
    { "-1.5ms", -1500000, "-1.5ms" },
    { "2h45m3.000000001s", 9903000000001, "2h45m3.000000001s" },
    { "1ns", 1, "1ns" },
    { "1100us", 1100000, "1.1ms" },
    { "1.1\xc2\xb5s", 1100, "1.1\xc2\xb5s" },
    { "1\xce\xbcs", 1000, "1\xc2\xb5s" },
    { ".5s1.m", 60500000000, "1m0.5s" },
    { "0.3333333333333333333h", 20 * MINUTE, "20m0s" },
    { "9223372036854775807ns", INT64_MAX, "2562047h47m16.854775807s" },
    { "-9223372036854775808ns", INT64_MIN, "-2562047h47m16.854775808s" },
    { "9223372036s854ms775us807ns", INT64_MAX, "2562047h47m16.854775807s" },
    { "0.9223372036854775808ns", 0, "0s" },
};

TEST(durations_are_read_and_written_as_go_does)
{
    char text[YL_DURATION_TEXT_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(good); i++) {
        int64_t nanos = -1;

        assert_int_equal(yl_duration_parse(yl_str_c(good[i].text), &nanos,
                                           NULL), 0);
        assert_true(nanos == good[i].nanos);
        assert_int_equal(yl_duration_write(nanos, text),
                         strlen(good[i].again));
        assert_string_equal(text, good[i].again);
    }
}

TEST(malformed_durations_get_go_s_messages)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        { "", "time: invalid duration \"\"" },
        { "-", "time: invalid duration \"-\"" },
        { "s", "time: invalid duration \"s\"" },
        { ".s", "time: invalid duration \".s\"" },
        { "3", "time: missing unit in duration \"3\"" },
        { "1s2", "time: missing unit in duration \"1s2\"" },
        { "1d", "time: unknown unit \"d\" in duration \"1d\"" },
        { "1 s", "time: unknown unit \" s\" in duration \"1 s\"" },
        { "9223372036854775808ns",
          "time: invalid duration \"9223372036854775808ns\"" },
        { "9223372036854775809ns",
          "time: invalid duration \"9223372036854775809ns\"" },
        { "99999999999999999999ns",
          "time: invalid duration \"99999999999999999999ns\"" },
        { "9223372036854775808us",
          "time: invalid duration \"9223372036854775808us\"" },
        { "9223372036s9223372036s",
          "time: invalid duration \"9223372036s9223372036s\"" },
        { "2562047.9h", "time: invalid duration \"2562047.9h\"" },
    };
    struct yl_error err = YL_ERROR_INIT;
    int64_t nanos = 42;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        assert_int_equal(yl_duration_parse(yl_str_c(bad[i].text), &nanos,
                                           &err), YL_EINVALID);
        assert_string_equal(yl_error_message(&err), bad[i].message);
    }
    assert_int_equal(nanos, 42);
    yl_error_clear(&err);
}

TEST(ages_are_kubectl_s)
{
    static const struct {
        int64_t nanos;
        const char *text;
    } cases[] = {
        { -2 * SECOND, "<invalid>" },
        { -2 * SECOND + 1, "0s" },
        { 0, "0s" },
        { 119 * SECOND + 999999999, "119s" },
        { 120 * SECOND, "2m" },
        { 125 * SECOND, "2m5s" },
        { 10 * MINUTE - 1, "9m59s" },
        { 10 * MINUTE + 5 * SECOND, "10m" },
        { 3 * HOUR - 1, "179m" },
        { 3 * HOUR, "3h" },
        { 3 * HOUR + 2 * MINUTE, "3h2m" },
        { 8 * HOUR + 2 * MINUTE, "8h" },
        { 48 * HOUR - 1, "47h" },
        { 48 * HOUR, "2d" },
        { 2 * DAY + HOUR, "2d1h" },
        { 8 * DAY - 1, "7d23h" },
        { 8 * DAY + HOUR, "8d" },
        { 730 * DAY - 1, "729d" },
        { 730 * DAY, "2y" },
        { 731 * DAY, "2y1d" },
        { 8 * 365 * DAY + DAY, "8y" },
        { INT64_MAX, "292y" },
    };
    char text[YL_DURATION_TEXT_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_duration_write_human(cases[i].nanos, text),
                         strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
}
