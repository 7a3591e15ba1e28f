#ifndef APPLY_UPDATER_PRUNE_H
#define APPLY_UPDATER_PRUNE_H 1

/* Pruning: removes what an applier has named last time and names no more; part
 * of the updater.
 *
 *     live + config --> merged --> [prune] --> what is stored
 *
 * A field goes if the manager applied it last time, does not apply it now, and
 * nobody else owns it. */

#include "apply/updater.h"

/* Prunes '*object', the merged object, whose version 'version' is that of the
 * configuration.  'managers' has the manager with its new set already; 'last'
 * is what it was before.  0, or an error of a conversion. */
int yl_prune_applied(const struct yl_updater *, struct yl_arena *,
                     struct yl_typed_object *object,
                     const struct yl_managers *managers,
                     const struct yl_manager *last, struct yl_str version,
                     struct yl_error *err);

/* 'from' in 'version', which may be its own: 0, YL_ENOTFOUND, or an error. */
int yl_updater_convert(const struct yl_updater *,
                       const struct yl_typed_object *from,
                       struct yl_str version, struct yl_typed_object *ret_to,
                       struct yl_error *err);

#endif /* apply/updater_prune.h */
