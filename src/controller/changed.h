#ifndef CONTROLLER_CHANGED_H
#define CONTROLLER_CHANGED_H 1

/* Which updates of an object are events: the change masks of a watch. */

#include <stdbool.h>

#include "yuloh/controller.h"

/* Does the update from 'old' to 'object' matter to the watch?  'arena' is for
 * scratch, 'aux' for the watch's filter. */
bool yl_watch_update_matters(const struct yl_watch *,
                             const struct yl_object *old,
                             const struct yl_object *object,
                             struct yl_arena *arena, void *aux);

#endif /* controller/changed.h */
