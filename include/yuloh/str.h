#ifndef YL_STR_H
#define YL_STR_H 1

/* String slice: a pointer to bytes that something else owns, and their number.
 *
 * A slice owns nothing and ends with no NUL.  It is passed and returned by
 * value and lives as long as the bytes it points to; a function that returns
 * one says how long that is.
 *
 * The null slice (data is NULL, size is 0) means "absent".  An empty string
 * has a size of 0 and data that is not NULL.  The comparisons below treat
 * both as empty; yl_str_is_null() tells them apart.
 *
 * Threads
 * =======
 *
 * A slice is a value; every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_str name = YL_STR("web-0");
 *     if (yl_str_starts_with(name, YL_STR("web-"))) {
 *         printf("%.*s\n", YL_STR_ARG(name));
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "yuloh/compiler.h"

YL_C_BEGIN

struct yl_str {
    const char *data;
    size_t size;                /* In bytes. */
};

/* A slice of a string literal, as an expression.  For other strings there is
 * yl_str_c(). */
#define YL_STR(LITERAL) (yl_str_n("" LITERAL, sizeof(LITERAL) - 1))

/* The same as an initialiser for constant data. */
#define YL_STR_INIT(LITERAL) { "" LITERAL, sizeof(LITERAL) - 1 }

/* The two arguments that "%.*s" takes.  It prints at most 2 GB, because a
 * larger size would become a negative int, which means "no limit". */
#define YL_STR_ARG(STR)                                                       \
    (int) ((STR).size < 0x7fffffff ? (STR).size : 0x7fffffff),                \
    (STR).data ? (STR).data : ""

static inline struct yl_str
yl_str_n(const char *data, size_t size)
{
    struct yl_str s;

    s.data = data;
    s.size = size;
    return s;
}

/* The slice from 'start' up to 'end'. */
static inline struct yl_str
yl_str_range(const char *start, const char *end)
{
    return yl_str_n(start, (size_t) (end - start));
}

/* A slice of NUL-terminated 'c'; the null slice if 'c' is NULL. */
static inline struct yl_str
yl_str_c(const char *c)
{
    return yl_str_n(c, c ? strlen(c) : 0);
}

static inline struct yl_str
yl_str_null(void)
{
    return yl_str_n(NULL, 0);
}

static inline bool
yl_str_is_null(struct yl_str s)
{
    return s.data == NULL;
}

static inline bool
yl_str_is_empty(struct yl_str s)
{
    return s.size == 0;
}

static inline bool
yl_str_equal(struct yl_str a, struct yl_str b)
{
    return a.size == b.size
           && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool
yl_str_equal_c(struct yl_str a, const char *b)
{
    return yl_str_equal(a, yl_str_c(b));
}

/* Orders by bytes, as Go does: negative, 0 or positive. */
static inline int
yl_str_compare(struct yl_str a, struct yl_str b)
{
    size_t n = a.size < b.size ? a.size : b.size;
    int c = n ? memcmp(a.data, b.data, n) : 0;

    return c ? c : (a.size > b.size) - (a.size < b.size);
}

static inline bool
yl_str_starts_with(struct yl_str s, struct yl_str prefix)
{
    return s.size >= prefix.size
           && (prefix.size == 0
               || memcmp(s.data, prefix.data, prefix.size) == 0);
}

static inline bool
yl_str_ends_with(struct yl_str s, struct yl_str suffix)
{
    return s.size >= suffix.size
           && (suffix.size == 0
               || memcmp(s.data + s.size - suffix.size, suffix.data,
                         suffix.size) == 0);
}

/* The first 'c' in 's', or NULL. */
static inline const char *
yl_str_find_char(struct yl_str s, char c)
{
    return s.size ? (const char *) memchr(s.data, c, s.size) : NULL;
}

/* 's' without its first 'n' bytes, of which there must be as many. */
static inline struct yl_str
yl_str_skip(struct yl_str s, size_t n)
{
    return n ? yl_str_n(s.data + n, s.size - n) : s;
}

/* 's' without the spaces, tabs and line ends at both ends. */
struct yl_str yl_str_trim(struct yl_str s);

/* Cuts 's' at the first 'separator': true, with the part before it in
 * '*ret_before' and the part after it in '*ret_after', or false and nothing
 * written when there is none. */
bool yl_str_cut(struct yl_str s, char separator, struct yl_str *ret_before,
                struct yl_str *ret_after);

/* Reads all of 's' as a decimal number: 0, or YL_EINVALID when it is not one
 * (no blanks, no '+') or does not fit. */
int yl_str_to_u64(struct yl_str s, unsigned long long *ret_value);
int yl_str_to_i64(struct yl_str s, long long *ret_value);

YL_C_END

#endif /* yuloh/str.h */
