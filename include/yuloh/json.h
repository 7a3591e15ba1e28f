#ifndef YL_JSON_H
#define YL_JSON_H 1

/* JSON read in place: cursors over bytes, and nothing built.
 *
 * A 'struct yl_json' is a value somewhere in a text that the caller keeps.
 * Asking it for a member walks the bytes; there is no tree and no allocation
 * but the one that unescapes a string that has escapes.
 *
 * Guarantees
 * ==========
 *
 *   - Safe on any bytes.  On text that is not valid JSON a cursor finds
 *     something or nothing, but never reads outside of the text.
 *
 *   - Correct on valid JSON.  Call yl_json_validate() once on text from
 *     strangers; after that nothing needs to be checked again.
 *
 *   - Forgiving to chain.  Every function takes an absent value
 *     (yl_json_none()) and a value of the wrong type, and answers "absent",
 *     YL_ETYPE or false.  So lookups are chained and checked once.
 *
 *   - Linear.  A lookup takes time in proportion to the bytes before the
 *     member.  To read many members of one object, iterate over it once.
 *
 * Ownership
 * =========
 *
 * A cursor borrows the text.  Strings without escapes point into the text;
 * those with escapes live in the arena that the caller passes.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, also on the same text; an
 * iterator belongs to one.
 *
 * Usage
 * =====
 *
 *     struct yl_json pod = yl_json(text);
 *     struct yl_json meta = yl_json_get(pod, YL_STR("metadata"));
 *     struct yl_str name;
 *
 *     if (yl_json_string(yl_json_get(meta, YL_STR("name")), arena, &name)) {
 *         ... no such string ...
 *     }
 *
 *     struct yl_json_iter it = yl_json_iter(yl_json_get(pod, YL_STR("spec")));
 *     while (yl_json_next(&it)) {
 *         printf("%.*s\n", YL_STR_ARG(it.key));
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;
struct yl_error;

enum yl_json_type {
    YL_JSON_NONE,               /* Absent, or not JSON. */
    YL_JSON_NULL,
    YL_JSON_BOOL,
    YL_JSON_NUMBER,
    YL_JSON_STRING,
    YL_JSON_ARRAY,
    YL_JSON_OBJECT,
};

/* A value: where it starts, and where the text that holds it ends.  Passed by
 * value; the members are for the functions below. */
struct yl_json {
    const char *start;          /* Its first byte; NULL if absent. */
    const char *limit;          /* Nothing is read from here on. */
};

/* Validation
 * ==========
 *
 * Limits are on by default; zero means the default. */
struct yl_json_limits {
    size_t max_size;            /* Bytes of text [64 MB]; up to 4 GB. */
    unsigned max_depth;         /* Arrays and objects inside each other
                                 * [1000]; more means 1000. */
    bool refuse_duplicates;     /* Is a repeated member an error? [no] */
};

#define YL_JSON_MAX_SIZE ((size_t) 64 << 20)
#define YL_JSON_MAX_DEPTH 1000
#define YL_JSON_MAX_NUMBER 1024 /* Bytes of one number. */

/* Checks that 'text' is one JSON value by RFC 8259, in UTF-8, without lone
 * surrogates, within 'limits' (may be NULL).  Returns 0 or YL_ESYNTAX,
 * YL_ETRUNCATED, YL_ETOODEEP, YL_ETOOBIG or YL_EDUPLICATE; 'err' (may be
 * NULL) says what is wrong, in the words of Go's decoder where it has them,
 * and where. */
int yl_json_validate(struct yl_str text, const struct yl_json_limits *limits,
                     struct yl_error *err);

/* Values
 * ====== */

/* The value at the start of 'text', behind white space. */
struct yl_json yl_json(struct yl_str text);

static inline struct yl_json
yl_json_none(void)
{
    struct yl_json none = { NULL, NULL };

    return none;
}

static inline bool
yl_json_exists(struct yl_json value)
{
    return value.start != NULL;
}

/* The type that the first byte promises. */
enum yl_json_type yl_json_type(struct yl_json);

/* All bytes of the value and none around it; the null slice if it is absent
 * or broken. */
struct yl_str yl_json_raw(struct yl_json);

/* The first member called 'key' of an object, or the 'i'-th element of an
 * array; absent if there is none. */
struct yl_json yl_json_get(struct yl_json object, struct yl_str key);
struct yl_json yl_json_at(struct yl_json array, size_t i);

/* The value at the end of a path of member names, which ends with NULL:
 *
 *     yl_json_path(pod, "metadata", "labels", (char *) NULL) */
struct yl_json yl_json_path(struct yl_json, ...);

/* Walks over an array or an object.  yl_json_next() moves to the next element
 * or member and tells whether there was one; on anything else there is
 * none. */
struct yl_json_iter {
    struct yl_str key;          /* Between the quotes, escapes and all; null in
                                 * an array. */
    struct yl_json value;       /* Its limit is its own end. */
    bool escaped;               /* Does 'key' have escapes? */

    const char *next;           /* Private: behind 'value'. */
    const char *limit;          /* Private. */
    char close;                 /* Private: ']', '}' or 0 when done. */
};

struct yl_json_iter yl_json_iter(struct yl_json container);
bool yl_json_next(struct yl_json_iter *);

/* The number of elements or members; 0 for other values. */
size_t yl_json_count(struct yl_json container);

/* Scalars.  Each returns 0, or YL_ETYPE if the value is absent or of another
 * type, or YL_ERANGE if it does not fit: a number with a fraction or an
 * exponent is not an integer here, even when its value is whole. */
int yl_json_bool(struct yl_json, bool *ret_value);
int yl_json_int64(struct yl_json, int64_t *ret_value);
int yl_json_uint64(struct yl_json, uint64_t *ret_value);
int yl_json_double(struct yl_json, double *ret_value);

/* A string without its quotes and escapes: a slice of the text if there are
 * no escapes, else a copy in 'arena'.  YL_ETYPE, or YL_ESYNTAX for a broken
 * escape. */
int yl_json_string(struct yl_json, struct yl_arena *arena,
                   struct yl_str *ret_value);

/* Is the value the string 's'?  Sees through escapes, allocates nothing. */
bool yl_json_string_is(struct yl_json, struct yl_str s);

YL_C_END

#endif /* yuloh/json.h */
