#ifndef APISERVER_AUTH_USER_H
#define APISERVER_AUTH_USER_H 1

/* User: who makes a request, as found by authentication.
 *
 * Everything is borrowed, from a request's arena or from the table of
 * tokens. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_user_extra {
    struct yl_str key;          /* Lower case. */
    const struct yl_str *values;
    size_t n_values;
};

struct yl_user {
    struct yl_str name;         /* "system:anonymous" if unauthenticated. */
    struct yl_str uid;
    const struct yl_str *groups;
    size_t n_groups;
    const struct yl_user_extra *extra;
    size_t n_extra;
    int64_t warn_after;         /* When the token should have been replaced,
                                 * in seconds since 1970: audit tells of its
                                 * use after that.  [0: never] */
};

static inline bool
yl_user_in_group(const struct yl_user *user, struct yl_str group)
{
    size_t i;

    for (i = 0; i < user->n_groups; i++) {
        if (yl_str_equal(user->groups[i], group)) {
            return true;
        }
    }
    return false;
}

#endif /* apiserver/auth/user.h */
