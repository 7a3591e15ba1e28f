/* Our own broken invariants.  See base/bug.h. */

#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void
yl_bug(const char *format, ...)
{
    static const char prefix[] = "yuloh: bug: ";
    char line[512];
    size_t length = sizeof prefix - 1;
    va_list args;
    int n;

    /* One write, without stdio's locks: another thread may hold them. */
    snprintf(line, sizeof line, "%s", prefix);
    va_start(args, format);
    n = vsnprintf(line + length, sizeof line - length - 1, format, args);
    va_end(args);
    if (n > 0) {
        length += (size_t) n;
    }
    if (length > sizeof line - 2) {
        length = sizeof line - 2;
    }
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0) {
        /* If standard error cannot be written, there is nowhere else to report
         * the bug. */
    }
    abort();
}
