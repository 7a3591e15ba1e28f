#ifndef BASE_BUG_H
#define BASE_BUG_H 1

/* Our own broken invariants, where assert() is not enough.
 *
 * assert() goes away in a release build.  What would corrupt memory if it went
 * on (a reference count that overflows, a mutex that cannot be unlocked) calls
 * yl_bug() instead, which stays.  Nothing that comes from outside may lead
 * here; that is what errors are for. */

#include "yuloh/compiler.h"

/* Prints "yuloh: bug: " and the text as one line to standard error and
 * aborts. */
YL_NORETURN void yl_bug(const char *format, ...) YL_PRINTF(1, 2);

#endif /* base/bug.h */
