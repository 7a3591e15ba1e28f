#ifndef SCHEMA_STRICT_H
#define SCHEMA_STRICT_H 1

/* Unknown and repeated members, as strict decoding reports them.
 *
 *     yl_tree_parse() --repeated--> [strict] <--unknown-- normalising, pruning
 *                                      |
 *                                      '--> warnings, or a refusal
 *
 * Repeated members are seen only while a text is parsed; which of them matter
 * is known only when a walk reaches the type of the object they were in.  So
 * they are kept here in between.
 *
 * Guarantees
 * ==========
 *
 *   - The words are upstream's: unknown field "spec.foo", duplicate field
 *     "spec.ports[0].name".  Each is kept once, the first YL_STRICT_MAX of
 *     them.
 *
 *   - Their order is that of the text, unless a caller changes it.
 *
 * Ownership
 * =========
 *
 * Texts live in the arena it was made with.  yl_strict_release() frees the
 * rest.
 *
 * Usage
 * =====
 *
 *     struct yl_strict strict;
 *     struct yl_tree_opts opts = { .on_duplicate = yl_strict_on_duplicate,
 *                                  .aux = &strict };
 *
 *     yl_strict_init(&strict, arena);
 *     yl_tree_parse(arena, text, &opts, &root, err);
 *     yl_normalize(arena, type, root, &strict, err);
 *     ... strict.errors[0 to strict.n_errors - 1] ...
 *     yl_strict_release(&strict); */

#include <stddef.h>

#include "base/buf.h"
#include "base/map.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_field_path;
struct yl_node;

/* The most that are kept, as upstream. */
#define YL_STRICT_MAX 100

struct yl_strict {
    struct yl_arena *arena;     /* Lent. */
    struct yl_str errors[YL_STRICT_MAX];    /* "unknown field \"x\"" */
    size_t n_errors;
    struct yl_map repeated;     /* Objects with repeated members. */
    const struct yl_field_path *place;  /* Where the value is that a walk
                                         * begins with; NULL: at the root. */
};

/* A member, 'position' members after the start of its object. */
struct yl_strict_repeat {
    struct yl_strict_repeat *next;
    struct yl_str key;
    size_t position;
};

void yl_strict_init(struct yl_strict *, struct yl_arena *);
void yl_strict_release(struct yl_strict *);

/* For yl_tree_opts; 'strict' is the struct yl_strict. */
void yl_strict_on_duplicate(void *strict, const struct yl_node *object,
                            struct yl_str key);

/* The repeated members of 'object', in the order of the text; NULL if there
 * are none. */
const struct yl_strict_repeat *yl_strict_repeats(const struct yl_strict *,
                                                 const struct yl_node *object);

/* Reports member 'name' of the value at 'object' (NULL for the root).  A NULL
 * 'strict' is fine. */
void yl_strict_unknown(struct yl_strict *, const struct yl_field_path *object,
                       struct yl_str name);
void yl_strict_duplicate(struct yl_strict *,
                         const struct yl_field_path *object,
                         struct yl_str name);

/* Moves repeated members before unknown ones among the reports from index
 * 'from' on, which else keep their order.  Returns the index of the first that
 * is not about a repeated member. */
size_t yl_strict_put_repeats_first(struct yl_strict *, size_t from);

/* Appends all that was reported, joined by ", ". */
void yl_strict_write(struct yl_buf *, const struct yl_strict *);

#endif /* schema/strict.h */
