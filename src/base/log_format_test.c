/* Tests of the lines of the log. */

#include "base/log_format.h"

#include <math.h>

#include "unit.h"
#include "yuloh/error.h"

static char out[YL_LOG_LINE_MAX + 1];

/* A record of Nov 15 2022, 10:41:00.123456 UTC. */
static struct yl_log_record
record_of(const struct yl_log_field *fields)
{
    struct yl_log_record record = {
        .severity = YL_LOG_SEVERITY_INFO, .file = "../src/base/file.c",
        .line = 42, .message = "Message", .fields = fields,
        .time = { 1668508860, 123456789 }, .thread = 12345,
    };

    setenv("TZ", "UTC", 1);
    tzset();
    return record;
}

static const char *
text(const struct yl_log_record *record)
{
    out[yl_log_format_text(out, record)] = '\0';
    return out;
}

static const char *
json(const struct yl_log_record *record)
{
    out[yl_log_format_json(out, record)] = '\0';
    return out;
}

#define FIELDS(...)                                                           \
    ((const struct yl_log_field[]) { __VA_ARGS__, yl_log_field_end() })
#define NO_FIELDS ((const struct yl_log_field[]) { yl_log_field_end() })

/* The text after the header and message, without the line end. */
static const char *
text_fields(const struct yl_log_field *fields)
{
    struct yl_log_record record = record_of(fields);
    char *rest = strstr(text(&record), "\"Message\"");

    assert_non_null(rest);
    assert_int_equal(out[strlen(out) - 1], '\n');
    out[strlen(out) - 1] = '\0';
    return rest + strlen("\"Message\"");
}

static const char *
json_fields(const struct yl_log_field *fields)
{
    struct yl_log_record record = record_of(fields);
    char *rest = strstr(json(&record), "\"v\":0");

    assert_non_null(rest);
    return rest + strlen("\"v\":0");
}

TEST(text_has_severity_time_thread_and_place)
{
    struct yl_log_record record
        = record_of(FIELDS(YL_LOG_C("key", "value"), YL_LOG_INT("n", 3)));

    assert_string_equal(text(&record),
                        "I1115 10:41:00.123456   12345 file.c:42] "
                        "\"Message\" key=\"value\" n=3\n");
    record.severity = YL_LOG_SEVERITY_WARNING;
    record.file = "plain.c";
    record.fields = NO_FIELDS;
    assert_string_equal(text(&record),
                        "W1115 10:41:00.123456   12345 plain.c:42] "
                        "\"Message\"\n");
    record.severity = YL_LOG_SEVERITY_ERROR;
    assert_int_equal(text(&record)[0], 'E');
    record.severity = YL_LOG_SEVERITY_FATAL;
    assert_int_equal(text(&record)[0], 'F');
}

TEST(json_has_time_place_message_and_level)
{
    struct yl_log_record record
        = record_of(FIELDS(YL_LOG_C("key", "value"), YL_LOG_INT("n", 3)));

    assert_string_equal(json(&record),
                        "{\"ts\":1668508860123.456,\"caller\":\"file.c:42\","
                        "\"msg\":\"Message\",\"v\":0,\"key\":\"value\","
                        "\"n\":3}\n");
    record.level = 4;
    record.fields = NO_FIELDS;
    assert_non_null(strstr(json(&record), ",\"v\":4}\n"));
}

TEST(errors_have_err_and_no_level)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_log_record record = record_of(FIELDS(YL_LOG_INT("n", 3)));

    record.severity = YL_LOG_SEVERITY_ERROR;
    record.code = YL_ENOTFOUND;
    assert_non_null(strstr(text(&record),
                           "\"Message\" err=\"object not found\" n=3\n"));
    assert_non_null(strstr(json(&record), "\"msg\":\"Message\",\"n\":3,"
                                          "\"err\":\"object not found\"}"));
    record.code = 0;
    assert_null(strstr(text(&record), "err="));

    record.code = yl_error_set(&err, YL_ENOTFOUND, "no such pod");
    record.fields = FIELDS(YL_LOG_ERROR(&err));
    assert_non_null(strstr(text(&record),
                           "\"Message\" err=\"no such pod\"\n"));
    assert_non_null(strstr(json(&record),
                           "\"msg\":\"Message\",\"err\":\"no such pod\"}"));
    yl_error_clear(&err);
}

TEST(values_of_every_type)
{
    assert_string_equal(
        text_fields(FIELDS(YL_LOG_INT("i", INT64_MIN),
                           YL_LOG_UINT("u", UINT64_MAX),
                           YL_LOG_BOOL("t", true), YL_LOG_BOOL("f", false),
                           YL_LOG_DOUBLE("d", 0.1), YL_LOG_DOUBLE("nan", NAN),
                           YL_LOG_C("null", NULL),
                           YL_LOG_STR("empty", YL_STR("")))),
        " i=-9223372036854775808 u=18446744073709551615 t=true f=false "
        "d=0.1 nan=\"NaN\" null=null empty=\"\"");
    assert_string_equal(
        json_fields(FIELDS(YL_LOG_BOOL("t", true), YL_LOG_DOUBLE("d", 0.1),
                           YL_LOG_DOUBLE("inf", INFINITY),
                           YL_LOG_C("null", NULL), YL_LOG_MSEC("m", 20))),
        ",\"t\":true,\"d\":0.1,\"inf\":\"+Inf\",\"null\":null,"
        "\"m\":\"0.02s\"}\n");
}

TEST(durations_are_in_seconds)
{
    assert_string_equal(
        text_fields(FIELDS(YL_LOG_MSEC("a", 0), YL_LOG_MSEC("b", 1500),
                           YL_LOG_MSEC("c", -10), YL_LOG_MSEC("d", 3600000),
                           YL_LOG_MSEC("e", INT64_MIN))),
        " a=\"0s\" b=\"1.5s\" c=\"-0.01s\" d=\"3600s\""
        " e=\"-9223372036854775.808s\"");
}

TEST(control_characters_never_come_out_raw)
{
    struct yl_str evil = YL_STR("\x1b[2J\"\r\\\t\x7f\xc2\x9b\xe2\x80\xae\xff");
    char everything[256];
    int i;

    assert_string_equal(text_fields(FIELDS(YL_LOG_STR("k", evil))),
                        " k=\"\\x1b[2J\\\"\\r\\\\\\t\\x7f\\u009b\\u202e"
                        "\\xff\"");
    assert_string_equal(json_fields(FIELDS(YL_LOG_STR("k", evil))),
                        ",\"k\":\"\\u001b[2J\\\"\\r\\\\\\t\\u007f\\u009b"
                        "\\u202e\\ufffd\"}\n");
    assert_string_equal(
        json_fields(FIELDS(YL_LOG_C("k", "\xf3\xa0\x80\x81\n"))),
        ",\"k\":\"\\udb40\\udc01\\n\"}\n");

    for (i = 0; i < 256; i++) {
        everything[i] = (char) i;
    }
    json_fields(FIELDS(YL_LOG_STR("k", yl_str_n(everything, 256))));
    for (i = 0; out[i + 1]; i++) {
        assert_true((unsigned char) out[i] >= ' ' && out[i] != 0x7f);
    }
    text_fields(FIELDS(YL_LOG_STR("k", yl_str_n(everything, 256))));
    for (i = 0; out[i]; i++) {
        assert_true((unsigned char) out[i] >= ' ' || out[i] == '\n'
                    || out[i] == '\t');
    }
}

TEST(message_is_quoted_even_with_line_breaks)
{
    struct yl_log_record record = record_of(NO_FIELDS);

    record.message = "two\nlines";
    assert_non_null(strstr(text(&record), "] \"two\\nlines\"\n"));
}

TEST(value_with_line_breaks_takes_several_lines)
{
    assert_string_equal(text_fields(FIELDS(YL_LOG_C("k", "a \"b\"\nc\x1b"),
                                           YL_LOG_INT("n", 1))),
                        " k=<\n\ta \"b\"\n\tc\\x1b\n > n=1");
    assert_string_equal(text_fields(FIELDS(YL_LOG_C("k", "a\n\n"))),
                        " k=<\n\ta\n\t\n >");
    assert_string_equal(text_fields(FIELDS(YL_LOG_STR("k", YL_STR("\0\nI")))),
                        " k=<\n\t\\x00\n\tI\n >");
}

/* Cuts at every possible place, by the length of what comes before. */
TEST(long_lines_are_cut_and_stay_well_formed)
{
    static char filler[5000];
    size_t length;

    for (length = 3850; length < 4150; length++) {
        const struct yl_log_field *fields = FIELDS(
            YL_LOG_STR("filler", yl_str_n(filler, length)),
            YL_LOG_C("evil", "\x1b\"\xf0\x9f\x9a\xa3"), YL_LOG_INT("n", 123),
            YL_LOG_C("lines", "a\nb"));
        struct yl_log_record record = record_of(fields);
        size_t size, i, n_quotes = 0;

        memset(filler, 'x', sizeof filler);
        size = strlen(json(&record));
        assert_true(size <= YL_LOG_LINE_MAX);
        assert_string_equal(out + size - 2, "}\n");
        for (i = 0; i < size; i++) {
            n_quotes += out[i] == '"' && out[i - 1] != '\\';
        }
        assert_int_equal(n_quotes % 2, 0);
        assert_int_equal(strstr(out, "\"lines\":\"a\\nb\"}") == NULL,
                         strstr(out, ",\"truncated\":true}") != NULL);

        size = strlen(text(&record));
        assert_true(size <= YL_LOG_LINE_MAX);
        assert_int_equal(out[size - 1], '\n');
        assert_null(strstr(out, "= "));
        assert_int_equal(strstr(out, " lines=<\n\ta\n\tb\n >\n") == NULL,
                         strstr(out, " truncated=true\n") != NULL);
    }
}

/* What ends just at the limit is closed behind it; what follows must not be
 * put there, however long it is. */
TEST(nothing_follows_what_fills_the_line)
{
    static char filler[9000], room[4 * YL_LOG_LINE_MAX];
    size_t length, i;

    memset(filler, 'x', sizeof filler);
    for (length = 3850; length < 4150; length++) {
        const struct yl_log_field *fields = FIELDS(
            YL_LOG_STR("filler", yl_str_n(filler, length)),
            YL_LOG_STR("more", yl_str_n(filler, sizeof filler)),
            YL_LOG_C("lines", "a\nb"));
        struct yl_log_record record = record_of(fields);

        memset(room, '!', sizeof room);
        assert_true(yl_log_format_json(room, &record) <= YL_LOG_LINE_MAX);
        assert_true(yl_log_format_text(room, &record) <= YL_LOG_LINE_MAX);
        for (i = YL_LOG_LINE_MAX; i < sizeof room; i++) {
            assert_int_equal(room[i], '!');
        }
    }
}

TEST(long_message_is_cut)
{
    static char message[10000];
    struct yl_log_record record = record_of(FIELDS(YL_LOG_INT("n", 1)));

    memset(message, 'x', sizeof message - 1);
    record.message = message;
    assert_true(strlen(text(&record)) <= YL_LOG_LINE_MAX);
    assert_non_null(strstr(out, "xxx\" truncated=true\n"));
    assert_true(strlen(json(&record)) <= YL_LOG_LINE_MAX);
    assert_non_null(strstr(out, "xxx\",\"truncated\":true}\n"));
}
