/* Tests of flags. */

#include "controller/flags.h"

#include <stdlib.h>

#include "unit.h"
#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"

static const char *text;
static bool on;
static size_t size, count;
static int number, port;
static yl_msec duration;

static const struct yl_flag flags[] = {
    { YL_FLAG_HEADING, NULL, NULL, NULL, "Flags:" },
    { YL_FLAG_STRING, "text", &text, "TEXT", "A text." },
    { YL_FLAG_BOOL, "on", &on, "", "Whether it is on." },
    { YL_FLAG_SIZE, "size", &size, "SIZE", "How large." },
    { YL_FLAG_COUNT, "count", &count, "N", "How many." },
    { YL_FLAG_INT, "v", &number, "N", "How much." },
    { YL_FLAG_PORT, "port", &port, "PORT", "Where." },
    { YL_FLAG_DURATION, "time", &duration, "TIME", "How long." },
};

static int
parse(struct yl_error *err, int argc, const char *const *argv)
{
    static char *copy[16];
    int i;

    for (i = 0; i < argc; i++) {
        copy[i] = (char *) (uintptr_t) argv[i];
    }
    return yl_flags_parse(flags, YL_ARRAY_SIZE(flags), argc, copy, err);
}

#define PARSE(ERR, ...)                                                       \
    parse(ERR, (int) YL_ARRAY_SIZE(((const char *[]) { "x", __VA_ARGS__ })),  \
          (const char *[]) { "x", __VA_ARGS__ })

TEST(flags_are_set_in_both_forms)
{
    assert_int_equal(PARSE(NULL, "--text=a", "--on", "--size", "3M",
                           "--count=7", "-v", "4", "--port=80", "--time=2s",
                           "argument", "--", "--text=b"), 2);
    assert_string_equal(text, "a");
    assert_true(on);
    assert_int_equal(size, 3 << 20);
    assert_int_equal(count, 7);
    assert_int_equal(number, 4);
    assert_int_equal(port, 80);
    assert_int_equal(duration, 2000);
    assert_int_equal(PARSE(NULL, "--on=false"), 0);
    assert_false(on);
}

static void
assert_refused(const char *flag, const char *words)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(PARSE(&err, flag), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), words);
    yl_error_clear(&err);
}

TEST(nonsense_is_refused_and_named)
{
    assert_refused("--nothing", "no flag --nothing");
    assert_refused("-text", "no flag -text");
    assert_refused("--text", "--text needs a value");
    assert_refused("--on=maybe", "--on: 'maybe' is no true or false");
    assert_refused("--size=0", "--size: '0' is no size above 0 such as 512k "
                   "or 3M");
    assert_refused("--count=-1", "--count: '-1' is no number above 0");
    assert_refused("--port=70000", "--port: '70000' is no port");
    assert_refused("--time=soon", "--time: 'soon' is no duration above 0 "
                   "such as 30s or 1h");
    assert_refused("--v=x", "--v: 'x' is no number");
}

TEST(the_help_shows_defaults)
{
    char *help;
    size_t n;
    FILE *out = open_memstream(&help, &n);

    size = 512 << 10;
    duration = 90000;
    yl_flags_print(out, flags, YL_ARRAY_SIZE(flags));
    fclose(out);
    assert_non_null(strstr(help, "\nFlags:\n"));
    assert_non_null(strstr(help, "  --size=SIZE\n        How large [512k]."));
    assert_non_null(strstr(help, "  --on\n        Whether it is on "));
    assert_non_null(strstr(help, "How long [90s]."));
    assert_non_null(strstr(help, "        A text.\n"));
    free(help);
}
