#ifndef JSON_MEMBER_H
#define JSON_MEMBER_H 1

/* Members of an object's tree by name: finding, setting, removing them.
 *
 * json/tree.h has the same for any key as a slice, and asserts that a node is
 * an object.  The functions here are for callers that know the names of the
 * fields, and whose tree came from outside and may have any shape.
 *
 * Guarantees
 * ==========
 *
 *   - A node that is NULL, or not an object, has no members: reading one gives
 *     "absent", and setting one does nothing.
 *
 *   - A member that is null is absent.
 *
 *   - Once the arena's account has refused something (yl_arena_is_over()),
 *     nothing is set or made any more.  So a loop over a tree from outside may
 *     call these functions without checks, and its caller calls
 *     yl_arena_check() at the end.
 *
 * Ownership
 * =========
 *
 * New nodes live in the arena that is passed, which must be the tree's.
 *
 * Usage
 * =====
 *
 *     struct yl_node *spec = yl_member_make(arena, object, "spec");
 *
 *     yl_member_default_str(arena, spec, "type", "ClusterIP");
 *     yl_member_drop(spec, "nodePort"); */

#include <stdbool.h>
#include <stdint.h>

#include "json/tree.h"

struct yl_arena;

/* The member as an object or an array, NULL if it is not one. */
struct yl_node *yl_member_object(const struct yl_node *object,
                                 const char *name);
struct yl_node *yl_member_array(const struct yl_node *object,
                                const char *name);

/* Every element of the array 'NAME' of an object, if there are any. */
#define YL_MEMBER_EACH(CHILD, OBJECT, NAME)                                   \
    for ((CHILD) = yl_member_first(OBJECT, NAME); (CHILD);                    \
         (CHILD) = (CHILD)->next)
struct yl_node *yl_member_first(const struct yl_node *object,
                                const char *name);

/* Is the member absent, null, or the zero value of its type? */
bool yl_member_is_zero(const struct yl_node *object, const char *name);
bool yl_member_is_absent(const struct yl_node *object, const char *name);
bool yl_node_is_zero(const struct yl_node *);

/* The member as an object, made if it is absent. */
struct yl_node *yl_member_make(struct yl_arena *, struct yl_node *object,
                               const char *name);

void yl_member_set(struct yl_arena *, struct yl_node *object, const char *name,
                   struct yl_node *value);
void yl_member_set_str(struct yl_arena *, struct yl_node *object,
                       const char *name, const char *value);

/* For fields where the zero value means absent. */
void yl_member_default_str(struct yl_arena *, struct yl_node *object,
                           const char *name, const char *value);
void yl_member_default_int(struct yl_arena *, struct yl_node *object,
                           const char *name, int64_t value);

/* For optional fields, where a zero value is a value. */
void yl_member_default_str_ptr(struct yl_arena *, struct yl_node *object,
                               const char *name, const char *value);
void yl_member_default_int_ptr(struct yl_arena *, struct yl_node *object,
                               const char *name, int64_t value);
void yl_member_default_bool_ptr(struct yl_arena *, struct yl_node *object,
                                const char *name, bool value);

/* Copies a member from 'old', or removes it if 'old' does not have it. */
void yl_member_keep(struct yl_arena *, struct yl_node *object,
                    const struct yl_node *old, const char *name);

/* Removes a member. */
void yl_member_drop(struct yl_node *object, const char *name);

#endif /* json/member.h */
