#ifndef SCHEMA_AT_H
#define SCHEMA_AT_H 1

/* A field of an object's tree together with its path.
 *
 * A 'struct yl_at' is a node together with its path, so that an error can name
 * the field.  It lies on the stack and points to the one above it, which must
 * live as long.
 *
 * Guarantees
 * ==========
 *
 *   - A field that is null, or of a type that cannot be read as asked, reads
 *     as absent.  Callers have decoded by descriptor before and need not
 *     check again.
 *
 * Usage
 * =====
 *
 *     struct yl_at root = yl_at_root(object);
 *     struct yl_at spec = yl_at(&root, "spec");
 *     struct yl_at ports = yl_at(&spec, "ports");
 *
 *     YL_AT_FOR_EACH (port, &ports) {
 *         struct yl_at name = yl_at(&port, "name");
 *         struct yl_str s = yl_at_str(c, &name);
 *     } */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "yuloh/error.h"
#include "yuloh/quantity.h"

/* One validation: where strings without escapes go, and the causes. */
struct yl_check {
    struct yl_arena *arena;
    struct yl_error *err;       /* May be NULL. */
};

struct yl_at {
    struct yl_field_path path;
    const struct yl_node *node; /* NULL if absent. */
    bool root;                  /* Is 'path' the root? */
    const struct yl_node *emptied;  /* The empty list or map that was sent, if
                                     * the field is absent now; or NULL. */
};

static inline struct yl_at
yl_at_root(const struct yl_node *object)
{
    struct yl_at at = { { NULL, YL_FIELD_MEMBER, 0, { NULL, 0 } }, object,
                        true, NULL };

    return at;
}

/* The path of 'at', for an error. */
static inline const struct yl_field_path *
yl_at_path(const struct yl_at *at)
{
    return at->root ? NULL : &at->path;
}

/* Member 'name'; null is absent. */
struct yl_at yl_at(const struct yl_at *object, const char *name);

/* The same node under another path, for the places where upstream names a
 * field that does not exist. */
struct yl_at yl_at_node(const struct yl_at *parent, const char *name,
                        const struct yl_node *node);

/* Elements of an array by index, members of an object by key. */
struct yl_at yl_at_first(const struct yl_at *list);
void yl_at_next(struct yl_at *item);
#define YL_AT_FOR_EACH(ITEM, LIST)                                            \
    for (struct yl_at ITEM = yl_at_first(LIST); (ITEM).node;                  \
         yl_at_next(&(ITEM)))

/* The same for checks that are expensive: if a million elements are wrong,
 * only as many causes are reported as there is room for, and the rest is not
 * checked.  The loop also ends when the arena's account has no room. */
#define YL_CHECK_FOR_EACH(C, ITEM, LIST)                                      \
    for (struct yl_at ITEM = yl_at_first(LIST);                               \
         (ITEM).node && !yl_check_is_full(C); yl_at_next(&(ITEM)))

static inline bool
yl_check_is_full(const struct yl_check *c)
{
    return (c->err && c->err->n_causes >= YL_MAX_CAUSES)
           || yl_arena_is_over(c->arena);
}

static inline bool
yl_at_has(const struct yl_at *at)
{
    return at->node && at->node->type != YL_JSON_NULL;
}

/* How many elements or members. */
static inline size_t
yl_at_count(const struct yl_at *at)
{
    return yl_at_has(at) ? at->node->n : 0;
}

/* The key of the member that a loop is at. */
static inline struct yl_str
yl_at_key(const struct yl_at *member)
{
    return yl_node_key(member->node);
}

/* The value for an error: [] or {} if it was sent like that. */
static inline struct yl_bad_value
yl_bad_at(const struct yl_at *at)
{
    return yl_bad_node(yl_at_has(at) ? at->node : at->emptied);
}

/* Values, or the zero one: "" if absent. */
struct yl_str yl_at_str(const struct yl_check *, const struct yl_at *);
int64_t yl_at_int(const struct yl_at *);
bool yl_at_bool(const struct yl_at *);
bool yl_at_is(const struct yl_at *, const char *text);

/* Shorthands for a member's value. */
struct yl_str yl_at_get_str(const struct yl_check *,
                            const struct yl_at *object, const char *name);
bool yl_at_get_is(const struct yl_at *object, const char *name,
                  const char *text);
bool yl_at_get_has(const struct yl_at *object, const char *name);
bool yl_at_get_bool(const struct yl_at *object, const char *name);
int64_t yl_at_get_int(const struct yl_at *object, const char *name);

/* A quantity; false if there is none.  Blanks around it are trimmed, as
 * upstream does in JSON. */
bool yl_node_quantity(struct yl_arena *, const struct yl_node *,
                      struct yl_quantity *ret_quantity);

#endif /* schema/at.h */
