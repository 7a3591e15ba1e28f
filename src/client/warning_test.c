/* Warnings of servers. */

#include "client/warning.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/log.h"

/* "CODE AGENT TEXT;" for each, and the error at the end if there is one. */
static void
check(const char *header, const char *want)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_str rest = yl_str_c(header);
    struct yl_warning w;
    struct yl_buf out;
    int r;

    yl_buf_init(&out, 1 << 16);
    while ((r = yl_warning_next(&rest, arena, &w, &err)) > 0) {
        yl_buf_printf(&out, "%d %.*s %.*s;", w.code, YL_STR_ARG(w.agent),
                      YL_STR_ARG(w.text));
    }
    if (r < 0) {
        assert_int_equal(r, YL_EINVALID);
        yl_buf_printf(&out, "%s", yl_error_message(&err));
    }
    assert_str_equal(yl_buf_str(&out), want);
    yl_buf_release(&out);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

#define BAD "invalid warning header: "

TEST(warnings_are_read_as_client_go_reads_them)
{
    check("299 - \"hello\"", "299 - hello;");
    check("  299 - \"hello\"  ", "299 - hello;");
    check("299 agent \"a\", 199 b \"c\"", "299 agent a;199 b c;");
    check("299 - \"a\" \"Wed, 21 Oct 2015 07:28:00 GMT\",299 - \"b\"",
          "299 - a;299 - b;");
    check("299 - \"a \\\"quoted\\\" \\\\ text\"",
          "299 - a \"quoted\" \\ text;");
    check("299 - \"\"", "299 - ;");
    check("299 - \"\xc3\xa4\"", "299 - \xc3\xa4;");
    check("", "");
    check("  ", "");
}

TEST(malformed_warnings_are_refused)
{
    check("299", BAD "fewer than 3 segments");
    check("299 -", BAD "fewer than 3 segments");
    check("29 - \"x\"", BAD "code segment is not 3 digits between 100-299");
    check("2x9 - \"x\"", BAD "code segment is not 3 digits between 100-299");
    check("299  \"x\"", BAD "empty agent segment");
    check("299 \x01 \"x\"", BAD "invalid agent");
    check("299 a x", BAD "invalid quoted string: missing initial quote");
    check("299 a \"x", BAD "invalid quoted string: missing closing quote");
    check("299 a \"x\\\"", BAD "invalid quoted string: missing closing "
          "quote");
    check("299 a \"x\\", BAD "invalid quoted string: missing closing quote");
    check("299 a \"\x80\"", BAD "invalid text");
    check("299 a \"\t\"", BAD "invalid text");
    check("299 a \"x\" \"date", BAD "unterminated date segment");
    check("299 a \"x\" date", BAD "unexpected token after warn-date");

    /* What came before it counts. */
    check("299 - \"a\", nonsense", "299 - a;" BAD "fewer than 3 segments");
}

static int n_lines;
static size_t longest;

static void
count_line(const struct yl_log_sink *sink, const char *line, size_t size)
{
    (void) sink;
    (void) line;
    longest = size > longest ? size : longest;
    n_lines++;
}

TEST(each_text_is_logged_once)
{
    static const struct yl_log_sink sink = { count_line };
    struct yl_warning_log log;
    struct yl_warning w = { 299, YL_STR("-"), YL_STR("one") };
    char text[16];
    int i;

    n_lines = 0;
    yl_log_set_sink(&sink);
    yl_warning_log_init(&log);
    assert_true(yl_warning_log_once(&log, &w));
    assert_false(yl_warning_log_once(&log, &w));
    w.text = YL_STR("two");
    assert_true(yl_warning_log_once(&log, &w));
    w.code = 199;
    w.text = YL_STR("three");
    assert_false(yl_warning_log_once(&log, &w));
    w.code = 299;
    w.text = YL_STR("");
    assert_false(yl_warning_log_once(&log, &w));
    assert_int_equal(n_lines, 2);

    /* It remembers so many, then starts over. */
    for (i = 0; i < YL_WARNINGS_MAX - 2; i++) {
        snprintf(text, sizeof text, "%d", i);
        w.text = yl_str_c(text);
        assert_true(yl_warning_log_once(&log, &w));
    }
    w.text = YL_STR("one");
    assert_false(yl_warning_log_once(&log, &w));
    w.text = YL_STR("too many");
    assert_true(yl_warning_log_once(&log, &w));
    w.text = YL_STR("one");
    assert_true(yl_warning_log_once(&log, &w));
    yl_warning_log_release(&log);
    yl_log_set_sink(NULL);
}

TEST(of_a_long_text_only_the_beginning_is_kept)
{
    static const struct yl_log_sink sink = { count_line };
    static char texts[2][100000];
    struct yl_warning_log log;
    struct yl_warning w = { .code = 299 };

    n_lines = 0;
    longest = 0;
    yl_log_set_sink(&sink);
    yl_warning_log_init(&log);
    for (size_t i = 0; i < 2; i++) {
        memset(texts[i], 'x', sizeof texts[i]);
        texts[i][sizeof texts[i] - 1] = (char) ('0' + i);
        w.text = yl_str_n(texts[i], sizeof texts[i]);
        assert_int_equal(yl_warning_log_once(&log, &w), i == 0);
    }
    assert_int_equal(n_lines, 1);
    assert_true(longest < 2000);
    yl_warning_log_release(&log);
    yl_log_set_sink(NULL);
}
