#ifndef APISERVER_VERBS_SAME_H
#define APISERVER_VERBS_SAME_H 1

/* Does a write change anything?
 *
 * Each write notes in managedFields when its manager wrote last.  A new time
 * alone does not count as a change: a controller that applies the same object
 * every minute makes no revisions. */

#include <stdbool.h>

struct yl_object;

/* Are these objects, both canonical, equal except for the times in their
 * managedFields?  Compares bytes; takes no memory. */
bool yl_write_is_same(const struct yl_object *, const struct yl_object *);

#endif /* apiserver/verbs/same.h */
