#ifndef APISERVER_CRD_LIFECYCLE_CLEANUP_H
#define APISERVER_CRD_LIFECYCLE_CLEANUP_H 1

/* Deletes the objects of a CustomResourceDefinition that is being deleted.
 *
 *     objects of a resource --> [cleanup] --> gone, or marked as deleted
 *
 * Objects without finalizers are removed, others get a deletionTimestamp and
 * are removed by whoever removes the last finalizer. */

#include <stdbool.h>

struct yl_keyspace;
struct yl_ks_resource;

/* Deletes what is there, as DELETE of the collection does, and waits for the
 * writes, until 'is_over' says that there is no time left.  Objects that
 * change meanwhile are left to the next call.  0, or the error of a write that
 * should be tried again.  Not on a loop's thread. */
int yl_crd_cleanup(struct yl_keyspace *, struct yl_ks_resource *objects,
                   bool (*is_over)(void *aux), void *aux);

#endif /* apiserver/crd/lifecycle_cleanup.h */
