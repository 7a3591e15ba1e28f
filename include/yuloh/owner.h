#ifndef YL_OWNER_H
#define YL_OWNER_H 1

/* Owner references: the objects on whose behalf an object exists.
 *
 * They are read in place from the bytes of an object's
 * metadata.ownerReferences, as yl_object_owners() gives them.
 *
 * Guarantees
 * ==========
 *
 *   - Forgiving.  An absent array has no owners; elements that are not
 *     objects are passed over; a member that is missing reads as "".
 *
 * Ownership
 * =========
 *
 * Strings point into the bytes, or into the arena when they had escapes.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.
 *
 * Usage
 * =====
 *
 *     struct yl_owner owner;
 *     if (yl_owner_controller(yl_object_owners(pod), arena, &owner)) {
 *         printf("%.*s\n", YL_STR_ARG(owner.name));
 *     } */

#include <stdbool.h>

#include "yuloh/compiler.h"
#include "yuloh/gvk.h"
#include "yuloh/json.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_arena;

struct yl_owner {
    struct yl_str api_version;
    struct yl_str kind;
    struct yl_str name;
    struct yl_str uid;
    const bool *controller;     /* NULL: absent. */
    const bool *block_owner_deletion;   /* NULL: absent. */
};

/* Walks over the owners. */
struct yl_owner_iter {
    struct yl_json_iter elements;       /* Private. */
    struct yl_arena *arena;             /* Private. */
};

struct yl_owner_iter yl_owner_iter(struct yl_json owners,
                                   struct yl_arena *arena);
bool yl_owner_next(struct yl_owner_iter *, struct yl_owner *ret_owner);

/* The owner that manages the object: the first whose 'controller' is true.
 * False if there is none. */
bool yl_owner_controller(struct yl_json owners, struct yl_arena *arena,
                         struct yl_owner *ret_owner);

/* Is one of the owners, or the one that manages the object, the object with
 * this uid?  They allocate nothing. */
bool yl_owner_has_uid(struct yl_json owners, struct yl_str uid);
bool yl_owner_is_controlled_by(struct yl_json owners, struct yl_str uid);

/* The reference that a controller puts into what it makes for an object:
 * 'controller' and 'block_owner_deletion' are true.  'name' and 'uid' are
 * borrowed. */
struct yl_owner yl_owner_make_controller(struct yl_gvk, struct yl_str name,
                                         struct yl_str uid,
                                         struct yl_arena *arena);

/* The JSON of one reference, canonical, from 'arena'. */
struct yl_str yl_owner_json(const struct yl_owner *, struct yl_arena *arena);

YL_C_END

#endif /* yuloh/owner.h */
