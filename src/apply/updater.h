#ifndef APPLY_UPDATER_H
#define APPLY_UPDATER_H 1

/* The updater: who owns what after an object was written or applied.
 *
 *     live object, managers --.
 *     new object ----------------> [updater] --> managers
 *     or configuration -------'             '--> merged object
 *                                           '--> conflicts
 *
 * An update takes what it changes: the fields belong to its manager then, and
 * to no one else.  An apply owns what its configuration names, conflicts with
 * others that own what it would change, and removes what its manager named
 * last time and names no more, unless somebody else owns it.  Upstream is the
 * package merge of sigs.k8s.io/structured-merge-diff.
 *
 * Versions
 * ========
 *
 * Each manager owns fields in one apiVersion.  Objects are converted to it by
 * the callback 'convert'.  Managers in versions that no longer exist are
 * forgotten.
 *
 * Guarantees
 * ==========
 *
 *   - Objects and sets are never changed.  After an error the managers are as
 *     they were.
 *
 *   - Deterministic.  Where upstream's result depends on the random order of a
 *     Go map, managers come in the order given, and conflicts sorted by the
 *     bytes of their manager's key.
 *
 *   - An apply that changes nothing is found out by one walk over the
 *     configuration, and returns the live object itself.
 *
 * Ownership
 * =========
 *
 * Results live in the arena and borrow from the operands.
 *
 * Usage
 * =====
 *
 *     struct yl_managers managers = { items, n };
 *
 *     if (yl_updater_apply(&updater, arena, live, config, &managers,
 *                          YL_STR("kubectl"), force, &object, &conflicts,
 *                          err) == YL_ECONFLICT) { ... conflicts ... } */

#include <stdbool.h>
#include <stddef.h>

#include "apply/typed.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

/* An object in a version. */
struct yl_typed_object {
    const struct yl_node *object;
    struct yl_typed_as as;
    struct yl_str version;      /* "apps/v1". */
};

/* What a manager owns. */
struct yl_manager {
    struct yl_str key;          /* Tells managers apart; no other meaning. */
    struct yl_str version;      /* In which 'set' is. */
    const struct yl_field_set *set;
    bool applied;
    void *aux;                  /* The caller's; kept. */
};

struct yl_managers {
    struct yl_manager *items;
    size_t n;
};

struct yl_updater {
    /* Converts 'from' to 'version': 0, YL_ENOTFOUND if that version does not
     * exist (any more), or another error.  Not called if the versions are
     * equal.  May be NULL if there is only one version. */
    int (*convert)(void *aux, const struct yl_typed_object *from,
                   struct yl_str version, struct yl_typed_object *ret_to,
                   struct yl_error *err);

    /* What does not count in 'version', for example the status in a write of
     * the spec, or NULL.  May be NULL. */
    const struct yl_field_filter *(*ignored)(void *aux,
                                             struct yl_str version);
    void *aux;
};

struct yl_conflict {
    struct yl_str manager;      /* Its key, */
    void *aux;                  /* and what the caller attached to it. */
    struct yl_str path;         /* As upstream prints it. */
    size_t order;               /* Private. */
};

struct yl_conflicts {
    struct yl_conflict *items;
    size_t n;
};

/* 'now' was written in place of 'live' by 'manager': the managers then.  Both
 * objects are in one version, which becomes the manager's.  A manager that is
 * new comes last, with an 'aux' of NULL.  0, an error of 'convert', or
 * YL_EINVALID if the objects differ in a list with an item that has no key. */
int yl_updater_update(const struct yl_updater *, struct yl_arena *,
                      const struct yl_typed_object *live,
                      const struct yl_typed_object *now,
                      struct yl_managers *managers, struct yl_str manager,
                      struct yl_error *err);

/* 'manager' applies 'config', which is valid (yl_typed_validate()), to 'live',
 * of which the object may be NULL if there is none.  0 with the object to
 * store: live's if nothing changes.  YL_ECONFLICT with the conflicts, unless
 * 'force' is set; or an error of 'convert'. */
int yl_updater_apply(const struct yl_updater *, struct yl_arena *,
                     const struct yl_typed_object *live,
                     const struct yl_typed_object *config,
                     struct yl_managers *managers, struct yl_str manager,
                     bool force, const struct yl_node **ret_object,
                     struct yl_conflicts *ret_conflicts,
                     struct yl_error *err);

#endif /* apply/updater.h */
