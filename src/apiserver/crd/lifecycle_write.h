#ifndef APISERVER_CRD_LIFECYCLE_WRITE_H
#define APISERVER_CRD_LIFECYCLE_WRITE_H 1

/* Writes the status of a CustomResourceDefinition for the server itself, as
 * the manager "kube-apiserver" of its fields.
 *
 *     tree, revision --> [write status] --> managedFields --> keyspace */

#include <stdint.h>

#include "yuloh/key.h"

struct yl_api_resource;
struct yl_apiserver;
struct yl_arena;
struct yl_error;
struct yl_node;

/* A CRD that is to be written. */
struct yl_crd_write {
    struct yl_arena *arena;     /* Of the trees. */
    struct yl_key key;
    struct yl_node *tree;       /* What it is to be, in the hub's version. */
    const struct yl_node *old;  /* What is stored, */
    uint64_t revision;          /* and its revision. */
};

/* Writes 'tree' and waits; a CRD that is being deleted and has no finalizer
 * left is removed.  Afterwards 'old' and 'revision' are those of what was
 * written.  The errors of yl_keyspace_write().  Not on a loop's thread. */
int yl_crd_write_status(struct yl_apiserver *, const struct yl_api_resource *,
                        struct yl_crd_write *, struct yl_error *err);

#endif /* apiserver/crd/lifecycle_write.h */
