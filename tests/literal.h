#ifndef TESTS_LITERAL_H
#define TESTS_LITERAL_H 1

/* A text as the C literal that a test would write for it.
 *
 * A test that compares whole answers shows the answer in this form when it
 * fails: after it was read and found right, it can be pasted into the test. */

#include <string.h>

#include "base/buf.h"
#include "yuloh/str.h"

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

#endif /* tests/literal.h */
