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

    /* Who else has a say, after the preconditions; may be NULL. */
    int (*may)(struct yl_deletion *, const struct yl_node *old,
               struct yl_status *);

    unsigned marked_by;         /* The step that marks it, to be removed in the
                                 * next one; 0: none does. */
    bool deleted;               /* The outcome: is it gone? */
};

/* The write's 'prepare'. */
int yl_deletion_prepare(struct yl_write *, struct yl_status *);

/* Does a DELETE of this kind answer with the object, once it is gone?  Else
 * with a Status. */
bool yl_deletion_shows_object(const struct yl_api_resource *);

/* Warns who deletes, where the kind has something to say. */
void yl_deletion_warn(struct yl_api_request *,
                      const struct yl_deletion_options *);

/* The preconditions of 'options', and admission. */
int yl_deletion_check(struct yl_deletion *, const struct yl_node *old,
                      struct yl_status *);

/* Sets, or removes, the finalizers that the propagation policy asks for.
 * Returns how many there are then. */
size_t yl_deletion_set_finalizers(struct yl_deletion *,
                                  struct yl_node *object);

#endif /* apiserver/verbs/delete.h */
