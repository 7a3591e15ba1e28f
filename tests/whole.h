#ifndef TESTS_WHOLE_H
#define TESTS_WHOLE_H 1

/* Comparing whole answers.
 *
 * A test that looks for a part of an answer does not see what else is in it,
 * so tests state the whole answer.  When the two differ, whole_check() shows
 * the answer as the C literal that the test would write for it: after it was
 * read and found right, it can be pasted. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "yuloh/str.h"

/* Stands for any text within a cause, a warning or an object: for a part that
 * cannot be stated, such as the time of day, or that is long and not the
 * point.  It ends at a newline, unless a blank follows. */
#define ANY_TEXT "\1"

/* Columns of a literal, from the first quote to the last. */
#define LITERAL_WIDTH 69

/* How many bytes of 'text' stand on the next line of the literal: up to a
 * newline, or else as many as fit, preferably up to a blank or a comma. */
static inline size_t
literal_line(const char *text)
{
    size_t width = 2, size = 0, good = 0;

    for (; text[size]; size++) {
        width += 1 + (strchr("\"\\\n", text[size]) != NULL);
        if (width > LITERAL_WIDTH) {
            return good ? good : size;
        } else if (text[size] == '\n') {
            return size + 1;
        } else if (strchr(" ,{[", text[size])) {
            good = size + 1;
        }
    }
    return size;
}

/* Appends 'text', each line of the literal on a line of its own. */
static inline void
literal_write(struct yl_buf *buf, const char *text)
{
    do {
        size_t n = literal_line(text);

        yl_buf_append_c(buf, "          \"");
        for (; n; n--, text++) {
            if (*text == '\n') {
                yl_buf_append_c(buf, "\\n");
            } else {
                yl_buf_append_c(buf, strchr("\"\\", *text) ? "\\" : "");
                yl_buf_append(buf, text, 1);
            }
        }
        yl_buf_append_c(buf, "\"\n");
    } while (*text);
}

/* Whether 'have' matches 'want', in which ANY_TEXT stands for any text. */
static inline bool
whole_matches(const char *have, const char *want)
{
    for (; *want && *want != *ANY_TEXT; have++, want++) {
        if (*have != *want) {
            return false;
        }
    }
    if (!*want) {
        return !*have;
    }
    for (;; have++) {
        if (whole_matches(have, want + 1)) {
            return true;
        } else if (!*have || (*have == '\n' && have[1] != ' ')) {
            return false;
        }
    }
}

/* Whether 'have' is what row 'i' of a table wants for 'given'.  Prints both if
 * not. */
static inline bool
whole_check(const char *file, int line, size_t i, const char *given,
            const char *have, const char *want)
{
    struct yl_buf buf;

    if (whole_matches(have, want)) {
        return true;
    }
    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_printf(&buf, "%s:%d: row %zu: %s\ngives\n", file, line, i, given);
    literal_write(&buf, have);
    yl_buf_append_c(&buf, "and not\n");
    literal_write(&buf, want);
    fputs(yl_buf_c_str(&buf), stderr);  /* cmocka cuts at 1 KB. */
    yl_buf_release(&buf);
    return false;
}

#endif /* tests/whole.h */
