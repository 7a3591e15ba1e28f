#ifndef APISERVER_VERBS_DELETE_H
#define APISERVER_VERBS_DELETE_H 1

/* Deletion of one object, used by DELETE of an object, DELETE of a collection,
 * and evictions.
 *
 *     stored -> preconditions -> admission -> grace, finalizers -> gone
 *                                                       \-> marked
 *
 * An object that nothing holds back is removed at once.  Finalizers (its own,
 * or those that the propagation policy adds) and a grace period hold it back:
 * it is marked with a deletionTimestamp and removed when the last of them is
 * gone.
 *
 * A Pod whose grace period is 0 is first marked and then removed, in two
 * revisions, so that watchers see both.  If another request removes it between
 * the two, the deletion is a success all the same. */

#include <stdbool.h>

#include "apiserver/verbs/options.h"
#include "apiserver/verbs/write.h"

struct yl_deletion {
    struct yl_write write;
    struct yl_deletion_options options;

    unsigned marked_by;         /* The round that marks the object, which is
                                 * removed in the next one; 0: none does. */
    bool deleted;               /* The outcome: whether it is removed. */
};

/* The functions of a deletion in the steps of a write, and two of them for
 * other code that deletes: the first checks that the stored object is there
 * and is the one that is meant, the second proposes what happens to it
 * ('old'). */
extern const struct yl_write_ops yl_deletion_ops;
yl_write_step_fn yl_deletion_decode;
yl_write_step_fn yl_deletion_propose;

/* Does a DELETE of this kind answer with the object, once it is removed?  If
 * not, it answers with a Status. */
bool yl_deletion_shows_object(const struct yl_api_resource *);

/* Warns a client that deletes, if the kind has a warning for that. */
void yl_deletion_warn(struct yl_api_request *,
                      const struct yl_deletion_options *);

/* Sets, or removes, the finalizers that the propagation policy asks for.
 * Returns how many finalizers the object has then. */
size_t yl_deletion_set_finalizers(struct yl_deletion *,
                                  struct yl_node *object);

#endif /* apiserver/verbs/delete.h */
