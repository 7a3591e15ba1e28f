#ifndef YL_KEY_H
#define YL_KEY_H 1

/* Key: an object's namespace and name, which work queues and caches use to
 * refer to it.
 *
 * Its text is "namespace/name", or "name" alone for an object that lives in
 * no namespace.
 *
 * Ownership
 * =========
 *
 * A key is two slices and owns nothing.  yl_key_copy() and yl_key_new() make
 * one whose bytes stand behind it in the same block.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_key key;
 *     if (yl_key_parse(YL_STR("default/web-0"), &key, err) == 0) {
 *         printf("%.*s\n", YL_STR_ARG(key.name));
 *     } */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

struct yl_key {
    struct yl_str namespace_;   /* Empty: in no namespace. */
    struct yl_str name;
};

static inline struct yl_key
yl_key_make(struct yl_str namespace_, struct yl_str name)
{
    struct yl_key key;

    key.namespace_ = namespace_;
    key.name = name;
    return key;
}

/* Splits "namespace/name" or "name"; the key's slices point into 'text'.
 * YL_EINVALID, with client-go's message, for more than one slash.  As there,
 * the parts are not validated and may be empty. */
int yl_key_parse(struct yl_str text, struct yl_key *ret_key,
                 struct yl_error *err);

/* The key's text, from 'arena'. */
struct yl_str yl_key_text(const struct yl_key *, struct yl_arena *arena);

/* Copies, the bytes included: in an arena, or in one block of malloc that
 * goes back with free(). */
struct yl_key *yl_key_copy(const struct yl_key *, struct yl_arena *arena);
struct yl_key *yl_key_new(const struct yl_key *) YL_MALLOC;

/* Orders by namespace, then by name, both by bytes. */
int yl_key_compare(const struct yl_key *, const struct yl_key *);

static inline bool
yl_key_equal(const struct yl_key *a, const struct yl_key *b)
{
    return yl_str_equal(a->name, b->name)
           && yl_str_equal(a->namespace_, b->namespace_);
}

/* For tables; differs from one run of the process to the next. */
size_t yl_key_hash(const struct yl_key *);

YL_C_END

#endif /* yuloh/key.h */
