#ifndef APISERVER_VERBS_DELETE_H
#define APISERVER_VERBS_DELETE_H 1

/* Deleting one object, for those who do it: DELETE of an object and of a
 * collection, and evictions.
 *
 *     stored -> preconditions -> admission -> grace, finalizers -> gone
 *                                                       \-> marked
 *
 * An object that nothing holds back is gone.  Finalizers (its own, or those
 * that the propagation policy adds) and a grace period hold it back: it is
 * marked with a deletionTimestamp and goes when the last of them does.
 *
 * A Pod whose grace period is 0 is marked first and removed then, as two
 * revisions, so that watchers see both.  If somebody else removes it between
 * the two, it is gone as it was to be, and that is a success. */

#include <stdbool.h>

#include "apiserver/verbs/options.h"
#include "apiserver/verbs/write.h"

struct yl_deletion {
    struct yl_write write;
    struct yl_deletion_options options;

    unsigned marked_by;         /* The round that marks it, to be removed in
                                 * the next one; 0: none does. */
    bool deleted;               /* The outcome: is it gone? */
};

/* What a deletion does in the steps of a write; and the two that are its own,
 * for others that delete: what is stored is there and is what was meant, and
 * what becomes of it ('old'). */
extern const struct yl_write_ops yl_deletion_ops;
yl_write_step_fn yl_deletion_decode;
yl_write_step_fn yl_deletion_propose;

/* Does a DELETE of this kind answer with the object, once it is gone?  Else
 * with a Status. */
bool yl_deletion_shows_object(const struct yl_api_resource *);

/* Warns who deletes, where the kind has something to say. */
void yl_deletion_warn(struct yl_api_request *,
                      const struct yl_deletion_options *);

/* Sets, or removes, the finalizers that the propagation policy asks for.
 * Returns how many there are then. */
size_t yl_deletion_set_finalizers(struct yl_deletion *,
                                  struct yl_node *object);

#endif /* apiserver/verbs/delete.h */
