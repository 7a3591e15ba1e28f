#ifndef CONTROLLER_REQUEST_H
#define CONTROLLER_REQUEST_H 1

/* A request from the inside.  yuloh/controller.h is the outside. */

#include "controller/keys.h"
#include "yuloh/client.h"
#include "yuloh/controller.h"

struct yl_runner;

struct yl_request {
    struct yl_runner *runner;
    struct yl_arena *arena;
    const struct yl_key *key;
    struct yl_versioned object; /* From the cache, or what the finalizer's
                                 * write has answered; NULL if there is
                                 * none. */
    const void *record;         /* The same, decoded; NULL without one. */
    const char *reason;
    unsigned n_failures;
    yl_msec deadline;           /* YL_NEVER: none. */
    yl_msec requeue_after;      /* YL_NEVER: nobody asked. */
    struct yl_error error;
    struct yl_call_opts opts;   /* For yl_request_call_opts(). */

    struct yl_await *awaits;    /* What it has written; in the arena. */
    size_t n_awaits, max_awaits;
};

/* A reconcile that writes more than this many objects waits for the last of
 * them only. */
#define YL_REQUEST_MAX_AWAITS 1024

/* Keeps 'item', which is the caller's, until the request ends, and stores it
 * in '*ret', which may be NULL. */
void yl_request_keep(struct yl_request *, struct yl_versioned item,
                     struct yl_versioned *ret);

/* The record of an object in the request's arena; NULL for a kind without
 * records.  0 or an error of yl_record_decode(). */
int yl_request_decode(struct yl_request *, const struct yl_kind *,
                      const struct yl_versioned *, const void **ret_record);

/* Sends the merge patch 'diff', which is changed, with the revision and uid of
 * 'base', which it is based on: the server refuses it with YL_ECONFLICT if the
 * object has changed since, or is another one of that name. */
struct yl_node;
int yl_request_send_diff(struct yl_request *, const struct yl_kind *,
                         const struct yl_key *, const char *subresource,
                         const struct yl_versioned *base, struct yl_node *diff,
                         struct yl_versioned *ret);

/* Adds the controller's finalizer to the object of the request, or takes it
 * away.  0, also if there is nothing to do; the object of the request is the
 * new one then. */
int yl_request_add_finalizer(struct yl_request *);
int yl_request_remove_finalizer(struct yl_request *);

/* Does the object have it? */
bool yl_request_has_finalizer(const struct yl_request *);

/* Is everything of 'want' in 'have'?  Objects may have more members there;
 * lists are as long and contain their elements in order; null and an empty
 * list may be absent.  An empty object may not: "namespaceSelector: {}" means
 * all namespaces, its absence one.  'have' may be NULL: absent.
 *
 * Recurses as deep as 'want', which a record was encoded to. */
bool yl_contains(const struct yl_node *have, const struct yl_node *want);

#endif /* controller/request.h */
