#ifndef APISERVER_VERBS_OWN_H
#define APISERVER_VERBS_OWN_H 1

/* Ownership of fields: the one place where managedFields are kept.
 *
 *     new object -> [own] -> mutating admission -> [own] -> default, prepare
 *     live object, configuration -> [own] -> new object, or conflicts
 *
 * It is called for every write that stores an object for a client: POST, PUT,
 * PATCH, and writes of subresources; twice for each try.  Server-side apply
 * calls it earlier, while the body is decoded, and gets the new object from
 * it.  It is not called for deletions.
 *
 * The server's option 'own' is the function that does it (own/own.h).  Without
 * one managedFields that clients send are dropped, and nothing can be
 * applied. */

#include <stdbool.h>

#include "apiserver/registry/registry.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_api_request;
struct yl_arena;
struct yl_node;
struct yl_status;
struct yl_wait;

/* Lives in the arena, so that it is still there when a wait ends. */
struct yl_ownership {
    struct yl_api_request *request;     /* NULL: the server itself
                                         * writes. */
    struct yl_arena *arena;     /* For new nodes. */
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;   /* The request's version, one of
                                             * the resource's: fields are
                                             * owned in it, so the strategy
                                             * converts the trees below. */
    enum yl_subresource subresource;
    struct yl_str part;         /* The name of the subresource, or empty. */
    struct yl_str manager;      /* The option fieldManager, or the first part
                                 * of the user agent; may be empty. */
    struct yl_time now;
    bool again;                 /* Whether this is the call after mutating
                                 * admission, which has patched the object. */

    struct yl_node *object;     /* What is to be stored, in the hub's version;
                                 * its managedFields are to be set. */
    const struct yl_node *live; /* What is stored; NULL: nothing. */

    /* Of a write of /scale: its fields are owned, and the object's owners
     * follow from that. */
    struct yl_node *scale;
    const struct yl_node *live_scale;

    /* Of server-side apply: what is applied, an object of the version, or a
     * Scale.  'object' (or 'scale') is the result then, in that version;
     * unless 'unchanged' is set, because nothing but its owners is new: then
     * it is a copy of 'live'. */
    struct yl_node *applied;
    bool force;
    bool unchanged;

    const struct yl_node *kept; /* With 'again': managedFields as they were
                                 * before admission. */
    struct yl_wait *wait;       /* To wait for a conversion. */
};

/* 0, a code with the Status to answer, or YL_WAITING: the call is complete
 * when the wait ends. */
typedef int yl_own_fn(struct yl_ownership *, struct yl_status *);

#endif /* apiserver/verbs/own.h */
