#ifndef TOOLS_TIDY_H
#define TOOLS_TIDY_H 1

/* Included before each file that clang-tidy checks (see tools/tidy).  It says
 * that yl_error_set() and yl_error_vset() return the negative code they get.
 * Otherwise it believes that "return yl_error_set(err, YL_EINVALID, ...)" may
 * mean success, and finds uninitialised results in every caller. */

#if __has_include("yuloh/error.h")
#include "yuloh/error.h"

static inline int
tidy_failed(int returned, int code)
{
    (void) returned;
    if (code >= 0) {
        __builtin_unreachable();
    }
    return code;
}

#define yl_error_set(ERR, CODE, ...) \
    tidy_failed((yl_error_set)((ERR), (CODE), __VA_ARGS__), (CODE))
#define yl_error_vset(ERR, CODE, ...) \
    tidy_failed((yl_error_vset)((ERR), (CODE), __VA_ARGS__), (CODE))
#endif

#endif /* tools/tidy.h */
