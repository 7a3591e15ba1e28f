#ifndef APISERVER_BOOTSTRAP_BOOTSTRAP_BATCH_H
#define APISERVER_BOOTSTRAP_BOOTSTRAP_BATCH_H 1

/* Writes of a start: collected, submitted together, and waited for
 * together. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_apiserver;
struct yl_arena;
struct yl_bootstrap_batch;
struct yl_error;
struct yl_node;

/* What to do with an object that exists. */
enum yl_bootstrap_change {
    YL_BOOTSTRAP_KEEP,
    YL_BOOTSTRAP_UPDATE,        /* 'stored' was changed. */
    YL_BOOTSTRAP_RECREATE,      /* Remove it, and make 'wanted'. */
};

typedef enum yl_bootstrap_change
yl_bootstrap_reconcile_fn(struct yl_arena *, struct yl_node *stored,
                          const struct yl_node *wanted);

struct yl_bootstrap_batch *yl_bootstrap_batch_new(struct yl_apiserver *);

/* Waits for all writes: 0, or the first that failed. */
int yl_bootstrap_batch_finish(struct yl_bootstrap_batch *,
                              struct yl_error *err);

/* Nodes of wanted objects live here. */
struct yl_arena *yl_bootstrap_batch_arena(struct yl_bootstrap_batch *);

/* Creates the object if it is missing: 'wanted' has a name and everything
 * except what the server sets.  If it exists, 'reconcile' (NULL: leave it)
 * decides what to do.  'status' (may be NULL) becomes the status of a new
 * object. */
int yl_bootstrap_ensure(struct yl_bootstrap_batch *, const char *group,
                        const char *plural, struct yl_node *wanted,
                        struct yl_node *status, yl_bootstrap_reconcile_fn *,
                        struct yl_error *err);

#endif /* apiserver/bootstrap/bootstrap_batch.h */
