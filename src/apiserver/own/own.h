#ifndef APISERVER_OWN_OWN_H
#define APISERVER_OWN_OWN_H 1

/* The keeper of managedFields, and server-side apply.
 *
 *     write -> [keeper] -> apply/ (field sets, merge, conflicts)
 *                 |
 *                 '-> managedFields of the object
 *
 * It does what upstream's field managers do, one wrapped in the other: reads
 * the entries that are stored or sent, finds out what the write has changed
 * and who owned it, and writes the entries anew.
 *
 * Guarantees
 * ==========
 *
 *   - A write that is not an apply never fails here: if its owners cannot be
 *     found out, the object has no managedFields, as upstream.
 *
 *   - Names, uids, revisions, generations and the like have no owner, nor has
 *     what the kind's strategy resets (yl_strategy_reset_fields()).
 *
 *   - At most YL_OWN_MAX_UPDATERS entries are of updates; the oldest ones are
 *     joined in one of the manager "ancient-changes".
 *
 *   - An object without managedFields stays without them until somebody
 *     applies to it: then its fields are "before-first-apply"'s.
 *
 *   - The time of an entry changes when its fields or their values do.
 *
 * Threads
 * =======
 *
 * Any loop's thread: nothing is shared. */

#include "apiserver/verbs/own.h"

#define YL_OWN_MAX_UPDATERS 10

/* The server's option 'own'. */
yl_own_fn yl_own_keep;

/* The manager of a write: the option fieldManager, or else what its user agent
 * stands for. */
struct yl_str yl_own_manager(struct yl_arena *, const struct yl_api_request *,
                             struct yl_str option);

/* That is what it has before the first slash, printable, at most
 * YL_FIELD_MANAGER_MAX bytes.  It lives in the arena. */
struct yl_str yl_own_agent(struct yl_arena *, struct yl_str user_agent);

#endif /* apiserver/own/own.h */
