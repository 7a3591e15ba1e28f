#ifndef TOOLS_TIDY_H
#define TOOLS_TIDY_H 1

/* What clang-tidy is told before each file (see tools/tidy): that
 * yl_error_set() returns the code it is given.  Otherwise it believes that
 * "return yl_error_set(err, YL_EINVALID, ...)" may mean success, and finds
 * uninitialised results in every caller. */

#if __has_include("yuloh/error.h")
#include "yuloh/error.h"

static inline int
tidy_second(int first, int second)
{
    (void) first;
    return second;
}

#define yl_error_set(ERR, CODE, ...) \
    tidy_second((yl_error_set)((ERR), (CODE), __VA_ARGS__), (CODE))
#endif

#endif /* tools/tidy.h */
