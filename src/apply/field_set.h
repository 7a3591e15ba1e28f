#ifndef APPLY_FIELD_SET_H
#define APPLY_FIELD_SET_H 1

/* Sets of fields: what a manager owns of an object.
 *
 *     managedFields[].fieldsV1 --> [field set] --> union, difference, ...
 *                 ^                     |
 *                 '---------------------'
 *
 * A field is a path from the root of an object (apply/path.h).
 *
 * A set is a trie.  Each level is an array of items in upstream's order; an
 * item says whether the path that ends with it is in the set, and which longer
 * paths are:
 *
 *     {"f:spec":{"f:ports":{".":{},"k:{\"port\":80}":{".":{}}}}}
 *
 *     spec ----> ports, member ----> {"port":80}, member
 *
 * Upstream is fieldpath.Set of sigs.k8s.io/structured-merge-diff.
 *
 * Guarantees
 * ==========
 *
 *   - Sets never change.  Results share the levels that they have in common
 *     with their operands, so that all must stay as long: they belong into
 *     one arena.
 *
 *   - No level is empty but the root's.
 *
 *   - Operations on two sets take time in proportion to their sizes, and
 *     those whose result is a part of one of them, in proportion to that one
 *     and the logarithm of the other; reading a set that is not sorted takes
 *     n log n.  The depth is bounded by the
 *     JSON parser's YL_JSON_MAX_DEPTH.
 *
 * Ownership
 * =========
 *
 * Sets live in the arena they are made in.  Texts of elements are borrowed
 * from the tree or text that they come from where possible, which must stay
 * as long.
 *
 * A NULL set is the empty set, wherever one is passed or returned.
 *
 * If the arena's account has no room, a result is incomplete: the caller
 * calls yl_arena_check() at the end of its work.
 *
 * Threads
 * =======
 *
 * Any number of threads may read a set.
 *
 * Usage
 * =====
 *
 *     const struct yl_field_set *set;
 *
 *     if (yl_field_set_parse(arena, text, &set, err) < 0) { ... }
 *     set = yl_field_set_difference(arena, set, given_up);
 *     yl_field_set_write(&buf, set); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apply/path.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_buf;
struct yl_error;
struct yl_node;

struct yl_field_item {
    struct yl_path_element element;
    bool member;                /* Is the path itself in the set? */
    const struct yl_field_set *below;   /* Longer paths, or NULL. */
};

struct yl_field_set {
    struct yl_field_item *items;    /* Sorted. */
    size_t n;
};

/* FieldsV1
 * ======== */

/* Reads the value of "fieldsV1".  Elements of an unknown type are skipped, as
 * upstream does.  0; YL_EINVALID with upstream's words for a member that is no
 * element; YL_ETYPE if it is not an object of objects; for a text also the
 * errors of yl_tree_parse(). */
int yl_field_set_from_node(struct yl_arena *, const struct yl_node *fields_v1,
                           const struct yl_field_set **ret_set,
                           struct yl_error *err);
int yl_field_set_parse(struct yl_arena *, struct yl_str text,
                       const struct yl_field_set **ret_set,
                       struct yl_error *err);

/* Appends canonical FieldsV1: members sorted by their bytes, "." first. */
void yl_field_set_write(struct yl_buf *, const struct yl_field_set *);

/* Making sets
 * =========== */

/* The set of 'n' paths of names that are joined by dots: "spec.replicas". */
const struct yl_field_set *
yl_field_set_of(struct yl_arena *, const char *const *paths, size_t n);

/* A set with one path, of 'n' elements. */
const struct yl_field_set *
yl_field_set_of_path(struct yl_arena *, const struct yl_path_element *path,
                     size_t n);

/* Operations
 * ==========
 *
 * A path and one that is longer are two different fields, except where it says
 * otherwise. */

const struct yl_field_set *
yl_field_set_union(struct yl_arena *, const struct yl_field_set *a,
                   const struct yl_field_set *b);
/* The union of 'n' sets, whose array is used up. */
const struct yl_field_set *
yl_field_set_union_all(struct yl_arena *, const struct yl_field_set **sets,
                       size_t n);

const struct yl_field_set *
yl_field_set_intersection(struct yl_arena *, const struct yl_field_set *a,
                          const struct yl_field_set *b);
const struct yl_field_set *
yl_field_set_difference(struct yl_arena *, const struct yl_field_set *a,
                        const struct yl_field_set *b);

/* 'a' without the fields of 'b' and everything below them. */
const struct yl_field_set *
yl_field_set_recursive_difference(struct yl_arena *,
                                  const struct yl_field_set *a,
                                  const struct yl_field_set *b);

/* Only the fields that have none below them. */
const struct yl_field_set *
yl_field_set_leaves(struct yl_arena *, const struct yl_field_set *);

/* Only the fields at or below one of the 'n' patterns, and members on the way
 * to them.  A pattern is a path of names joined by dots, in which "*" is any
 * element: "spec.containers.*.resources". */
const struct yl_field_set *
yl_field_set_matching(struct yl_arena *, const struct yl_field_set *,
                      const char *const *patterns, size_t n);

/* A filter: without certain fields and all that is below them, or else only
 * what matches patterns.  Of both parts only one is used; zeros let everything
 * through. */
struct yl_field_filter {
    const struct yl_field_set *exclude;
    const char *const *include; /* As in yl_field_set_matching(). */
    size_t n_include;
};

/* What 'filter' (NULL: everything) lets through. */
const struct yl_field_set *
yl_field_filter(struct yl_arena *, const struct yl_field_filter *filter,
                const struct yl_field_set *);

/* Questions
 * ========= */

bool yl_field_set_is_empty(const struct yl_field_set *);
bool yl_field_set_equal(const struct yl_field_set *,
                        const struct yl_field_set *);

/* Is each field of 'part' in 'whole'? */
bool yl_field_set_contains(const struct yl_field_set *whole,
                           const struct yl_field_set *part);

/* The number of fields. */
size_t yl_field_set_count(const struct yl_field_set *);

/* The item of one level with that element, or NULL. */
const struct yl_field_item *
yl_field_set_find(const struct yl_field_set *,
                  const struct yl_path_element *);
bool yl_field_set_has(const struct yl_field_set *,
                      const struct yl_path_element *path, size_t n);

/* Paths
 * ===== */

/* Calls 'visit' for each field in upstream's order: at each level first its
 * members, then those below each item.  'path' is lent for the call.  Stops
 * when 'visit' returns false. */
typedef bool yl_field_visit_fn(void *aux, const struct yl_path_element *path,
                               size_t n);
void yl_field_set_for_each(const struct yl_field_set *, yl_field_visit_fn *,
                           void *aux);

#endif /* apply/field_set.h */
