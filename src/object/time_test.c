/* Tests of API times. */

#include "yuloh/time.h"

#include "unit.h"

#define AS " as \"2006-01-02T15:04:05Z07:00\": cannot parse "
#define AS_MICRO " as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse "

struct good {
    const char *text;
    int64_t seconds;
    int32_t nanos;
    const char *time, *micro_time;      /* As written again. */
};

static const struct good times[] = {
    { "1970-01-01T00:00:00Z", 0, 0,
      "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z" },
    { "2024-02-29T23:59:59Z", 1709251199, 0,
      "2024-02-29T23:59:59Z", "2024-02-29T23:59:59.000000Z" },
    { "2026-01-31T12:00:00.5Z", 1769860800, 500000000,
      "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.500000Z" },
    { "2026-01-31T12:00:00.1234567899Z", 1769860800, 123456789,
      "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123456Z" },
    { "2026-01-31T12:00:00,5-07:30", 1769887800, 500000000,
      "2026-01-31T19:30:00Z", "2026-01-31T19:30:00.500000Z" },
    { "2026-01-31T3:00:00+24:60", 1769738400, 0,
      "2026-01-30T02:00:00Z", "2026-01-30T02:00:00.000000Z" },
    { "0001-01-01T00:00:00Z", YL_TIME_ZERO_SECONDS, 0,
      "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z" },
    { "9999-12-31T23:59:59.999999999Z", 253402300799, 999999999,
      "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z" },
    { "9999-12-31T23:59:59-01:00", 253402304399, 0,
      "10000-01-01T00:59:59Z", "10000-01-01T00:59:59.000000Z" },
    { "0000-01-01T00:00:00+01:00", -62167222800, 0,
      "-0001-12-31T23:00:00Z", "-0001-12-31T23:00:00.000000Z" },
};

TEST(what_go_reads_is_read_and_written_in_utc)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(times); i++) {
        const struct good *g = &times[i];
        struct yl_time t;

        assert_int_equal(yl_time_parse(yl_str_c(g->text), &t, NULL), 0);
        assert_int_equal(t.seconds, g->seconds);
        assert_int_equal(t.nanos, g->nanos);
        assert_int_equal(yl_time_write(t, text), strlen(g->time));
        assert_string_equal(text, g->time);
        assert_int_equal(yl_micro_time_write(t, text), strlen(g->micro_time));
        assert_string_equal(text, g->micro_time);
    }
}

TEST(micro_times_have_six_digits)
{
    static const struct {
        const char *text;
        int32_t nanos;
    } cases[] = {
        { "2026-01-31T12:00:00.123456Z", 123456000 },
        { "2026-01-31T12:00:00,000001+00:00", 1000 },
        { "2026-01-31T12:00:00.+12345Z", 12345000 },
        { "2026-01-31T12:00:00.-00000Z", 0 },
    };
    struct yl_time t;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_micro_time_parse(yl_str_c(cases[i].text), &t,
                                             NULL), 0);
        assert_int_equal(t.seconds, 1769860800);
        assert_int_equal(t.nanos, cases[i].nanos);
    }
}

static const struct {
    bool micro;
    const char *text;
    const char *message;
} bad[] = {
    { false, "", "\"\"" AS "\"\" as \"2006\"" },
    { false, "202-01-01", "\"202-01-01\"" AS "\"202-01-01\" as \"2006\"" },
    { false, "2026/", "\"2026/\"" AS "\"/\" as \"-\"" },
    { false, "2026-1-02T", "\"2026-1-02T\"" AS "\"1-02T\" as \"01\"" },
    { false, "2026-13-01", "\"2026-13-01\": month out of range" },
    { false, "2026-01-01t00:00:00Z",
      "\"2026-01-01t00:00:00Z\"" AS "\"t00:00:00Z\" as \"T\"" },
    { false, "2026-01-01T24:00:00Z",
      "\"2026-01-01T24:00:00Z\": hour out of range" },
    { false, "2026-01-01T00:60:00Z",
      "\"2026-01-01T00:60:00Z\": minute out of range" },
    { false, "2016-12-31T23:59:60Z",
      "\"2016-12-31T23:59:60Z\": second out of range" },
    { false, "2026-02-29T00:00:00Z",
      "\"2026-02-29T00:00:00Z\": day out of range" },
    { false, "1900-02-29T00:00:00Z",
      "\"1900-02-29T00:00:00Z\": day out of range" },
    { false, "2026-01-00T00:00:00Z",
      "\"2026-01-00T00:00:00Z\": day out of range" },
    { false, "2026-01-01T00:00:00z",
      "\"2026-01-01T00:00:00z\"" AS "\"z\" as \"Z07:00\"" },
    { false, "2026-01-01T00:00:00+25:00",
      "\"2026-01-01T00:00:00+25:00\": time zone offset hour out of range" },
    { false, "2026-01-01T00:00:00+00:61",
      "\"2026-01-01T00:00:00+00:61\": time zone offset minute out of range" },
    { false, "2026-01-01T00:00:00*00:00",
      "\"2026-01-01T00:00:00*00:00\"" AS "\"*00:00\" as \"Z07:00\"" },
    { false, "2026-01-01T00:00:00Z\n",
      "\"2026-01-01T00:00:00Z\\x0a\": extra text: \"\\x0a\"" },
    { false, "\"\\\xc3\xa9",
      "\"\\\"\\\\\\xc3\\xa9\"" AS "\"\\\"\\\\\\xc3\\xa9\" as \"2006\"" },
    { true, "2026-01-01T00:00:00Z",
      "\"2026-01-01T00:00:00Z\"" AS_MICRO "\"Z\" as \".000000\"" },
    { true, "2026-01-01T00:00:00.12345xZ",
      "\"2026-01-01T00:00:00.12345xZ\"" AS_MICRO
      "\".12345xZ\" as \".000000\"" },
    { true, "2026-01-01T00:00:00.-12345Z",
      "\"2026-01-01T00:00:00.-12345Z\": fractional second out of range" },
    { true, "2026-01-01T00:00:00.1234567Z",
      "\"2026-01-01T00:00:00.1234567Z\"" AS_MICRO "\"7Z\" as \"Z07:00\"" },
};

TEST(what_go_refuses_is_refused_in_its_words)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_time t = { 42, 0 };
    char message[512];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        struct yl_str text = yl_str_c(bad[i].text);

        assert_int_equal(bad[i].micro ? yl_micro_time_parse(text, &t, &err)
                                      : yl_time_parse(text, &t, &err),
                         YL_EINVALID);
        snprintf(message, sizeof message, "parsing time %s", bad[i].message);
        assert_string_equal(yl_error_message(&err), message);
    }
    assert_int_equal(t.seconds, 42);
    yl_error_clear(&err);
}

TEST(every_day_of_many_years_comes_back)
{
    char text[YL_TIME_TEXT_SIZE];
    int64_t seconds;

    for (seconds = -62167219200; seconds < 253402300800;
         seconds += 86400 * 17 + 3671) {
        struct yl_time t = { seconds, 0 }, again;

        yl_time_write(t, text);
        assert_int_equal(yl_time_parse(yl_str_c(text), &again, NULL), 0);
        assert_int_equal(yl_time_compare(t, again), 0);
    }
}

TEST(no_number_is_too_large_to_write)
{
    char text[YL_TIME_TEXT_SIZE];

    yl_micro_time_write((struct yl_time) { INT64_MAX, 999999999 }, text);
    assert_string_equal(text, "292277026596-12-04T15:30:07.999999Z");
    yl_micro_time_write((struct yl_time) { INT64_MIN, 0 }, text);
    assert_string_equal(text, "-292277022657-01-27T08:29:52.000000Z");
}

TEST(sums_and_differences_stop_at_the_ends)
{
    struct yl_time a = { 10, 300000000 }, b = { 8, 700000000 };
    struct yl_time first = { INT64_MIN, 0 };
    struct yl_time last = { INT64_MAX, 999999999 };
    struct yl_time epoch = { 0, 0 };
    int64_t d;

    assert_int_equal(yl_time_sub(a, b), 1600000000);
    assert_int_equal(yl_time_sub(b, a), -1600000000);
    assert_int_equal(yl_time_sub(a, a), 0);
    assert_int_equal(yl_time_compare(yl_time_add(b, 1600000000), a), 0);
    assert_int_equal(yl_time_compare(yl_time_add(a, -1600000000), b), 0);
    assert_true(yl_time_sub(last, first) == INT64_MAX);
    assert_true(yl_time_sub(first, last) == INT64_MIN);
    assert_true(yl_time_sub(last, epoch) == INT64_MAX);
    assert_true(yl_time_sub(first, epoch) == INT64_MIN);
    for (d = -2; d <= 2; d++) {
        struct yl_time end = yl_time_add(epoch, INT64_MAX);
        struct yl_time start = yl_time_add(epoch, INT64_MIN);

        assert_true(yl_time_sub(yl_time_add(end, d), epoch)
                    == (d < 0 ? INT64_MAX + d : INT64_MAX));
        assert_true(yl_time_sub(yl_time_add(start, d), epoch)
                    == (d > 0 ? INT64_MIN + d : INT64_MIN));
    }
    assert_int_equal(yl_time_compare(yl_time_add(last, 1), last), 0);
    assert_int_equal(yl_time_compare(yl_time_add(first, -1), first), 0);
}

TEST(zero_is_go_s_zero)
{
    struct yl_time now = yl_time_now();

    assert_true(yl_time_is_zero(yl_time_zero()));
    assert_false(yl_time_is_zero(now));
    assert_true(now.seconds > 1700000000);
    assert_true(yl_time_compare(yl_time_zero(), now) < 0);
    assert_true(yl_time_compare((struct yl_time) { 1, 2 },
                                (struct yl_time) { 1, 1 }) > 0);
}
