#ifndef OBJECT_MEMBER_H
#define OBJECT_MEMBER_H 1

/* Walking over the members of an object, one key at a time.
 *
 * Unlike yl_json_next(), this distinguishes a broken object from one that
 * ends, and lets the caller step into a value instead of over it. */

#include <stdbool.h>

#include "json/cursor.h"
#include "json/text.h"

struct yl_member {
    const char *start;          /* The quote that opens the key. */
    const char *value;          /* First byte of the value. */
    struct yl_str key;          /* Between the quotes. */
    bool escaped;               /* Does 'key' have escapes? */
};

/* Reads the key at '*p', which is behind the brace that opens the object
 * ('first') or behind a value.  Returns 1 with '*p' at the value, 0 with '*p'
 * behind the brace that closes the object, or -1 if there is neither. */
static inline int
yl_member_next(const char **p, const char *limit, bool first,
               struct yl_member *member)
{
    const char *q = yl_json_skip_blanks(*p, limit);
    const char *end;

    if (q == limit) {
        return -1;
    }
    if (*q == '}') {
        *p = q + 1;
        return 0;
    }
    if (!first) {
        if (*q != ',') {
            return -1;
        }
        q = yl_json_skip_blanks(q + 1, limit);
    }
    if (q == limit || *q != '"') {
        return -1;
    }
    end = yl_json_skip_string(q, limit, &member->escaped);
    if (!end) {
        return -1;
    }
    member->start = q;
    member->key = yl_str_range(q + 1, end - 1);
    q = yl_json_skip_blanks(end, limit);
    if (q == limit || *q != ':') {
        return -1;
    }
    q = yl_json_skip_blanks(q + 1, limit);
    if (q == limit) {
        return -1;
    }
    member->value = *p = q;
    return 1;
}

static inline bool
yl_member_is(const struct yl_member *member, struct yl_str name)
{
    return member->escaped ? yl_json_raw_equal(member->key, name)
                           : yl_str_equal(member->key, name);
}

/* The number of the member's key among 'n' names, or -1. */
static inline int
yl_member_find(const struct yl_member *member, const struct yl_str *names,
               int n)
{
    int i;

    for (i = 0; i < n; i++) {
        if (yl_member_is(member, names[i])) {
            return i;
        }
    }
    return -1;
}

#endif /* object/member.h */
