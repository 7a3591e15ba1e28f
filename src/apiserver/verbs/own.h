#ifndef APISERVER_VERBS_OWN_H
#define APISERVER_VERBS_OWN_H 1

/* Ownership of fields: the one place where managedFields are kept.
 *
 *     new object -> [own] -> mutating admission -> [own] -> default, prepare
 *
 * It is called for every write that stores an object for a client: POST, PUT,
 * PATCH, and writes of subresources; twice for each try.  It is not called for
 * deletions, nor for what the server writes for itself.
 *
 * managedFields are not kept yet: those that clients send are dropped.  The
 * server's option 'own' is the function that will keep them. */

#include <stdbool.h>

#include "apiserver/registry/registry.h"
#include "yuloh/str.h"

struct yl_apiserver;
struct yl_arena;
struct yl_node;
struct yl_status;
struct yl_wait;

/* Lives in the arena, so that it is still there when a wait ends. */
struct yl_ownership {
    struct yl_apiserver *server;
    struct yl_arena *arena;     /* For new nodes. */
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;   /* The request's version, one of
                                             * the resource's: fields are
                                             * owned in it, so the strategy
                                             * converts the trees below. */
    enum yl_subresource subresource;
    struct yl_str verb;         /* "create", "update", "patch". */
    struct yl_str manager;      /* The option fieldManager; may be empty. */
    bool again;                 /* Whether this is the call after mutating
                                 * admission. */

    struct yl_node *object;     /* What is to be stored, in the hub's version;
                                 * its managedFields are to be set. */
    const struct yl_node *live; /* What is stored; NULL: nothing. */
    struct yl_wait *wait;       /* To wait for a conversion. */
};

/* 0, a code with the Status to answer, or YL_WAITING: the call is complete
 * when the wait ends. */
typedef int yl_own_fn(struct yl_ownership *, struct yl_status *);

#endif /* apiserver/verbs/own.h */
