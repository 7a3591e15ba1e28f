/* Tests of the end of the process by a bug. */

#include "base/bug.h"

#include "unit.h"

static void
report(void *text)
{
    yl_bug("%s", (const char *) text);
}

TEST(bug_aborts_with_one_line)
{
    assert_aborts(report, (char *) "the sky fell",
                  "yuloh: bug: the sky fell\n");
}

TEST(long_text_is_cut_and_still_ends_its_line)
{
    char text[2000];

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_aborts(report, text, "xxxx\n");
}
