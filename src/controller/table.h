#ifndef CONTROLLER_TABLE_H
#define CONTROLLER_TABLE_H 1

/* What the rest of the folder asks a controller's table. */

#include "yuloh/controller.h"

/* Threads are memory: a number beyond this is a mistake. */
#define YL_CONTROLLER_MAX_WORKERS 1024

#define YL_CHANGED_ALL \
    (YL_GENERATION | YL_LABELS | YL_ANNOTATIONS | YL_OWNERS | YL_FINALIZERS)

/* The kind that is watched; NULL at the end of the table. */
const struct yl_kind *yl_watch_kind(const struct yl_watch *);

/* The finalizer that objects get; the null slice without 'cleanup'.  It lives
 * as long as the table and 'arena' do. */
struct yl_str yl_controller_finalizer(const struct yl_controller *,
                                      struct yl_arena *arena);

#endif /* controller/table.h */
