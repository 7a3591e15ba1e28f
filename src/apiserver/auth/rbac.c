/* RBAC.  See apiserver/auth/rbac.h.
 *
 * One lock around one index.  The keyspace's writer calls woken() after it has
 * published a batch and before it answers the requests in it; woken() reads
 * the new events from our cursors at once. */

#include "apiserver/auth/rbac.h"

#include <stdlib.h>

#include "apiserver/auth/rbac_aggregate.h"
#include "apiserver/auth/rbac_index.h"
#include "apiserver/keyspace/keyspace.h"
#include "base/alloc.h"
#include "base/list.h"
#include "base/thread.h"
#include "yuloh/arena.h"

/* Objects or events that are taken at once. */
#define STEP 64

/* How often aggregation is repeated at start.  Each round settles at least one
 * level of roles that aggregate aggregated roles. */
#define MAX_ROUNDS 32

struct source {
    struct yl_ks_listener listener;
    struct yl_rbac *rbac;
    enum yl_rbac_kind kind;
    struct yl_ks_resource *resource;
    struct yl_ks_cursor *cursor;    /* Guarded by the lock; NULL: all objects
                                     * must be read again. */
};

/* A write of an aggregated ClusterRole that is on its way. */
struct aggregated {
    struct yl_ks_write write;
    struct yl_list node;        /* In the caller's list. */
    struct yl_rbac *rbac;
    struct yl_object *object;   /* The write borrows its key. */
};

struct yl_rbac {
    struct yl_keyspace *keyspace;
    struct source sources[YL_N_RBAC_KINDS];

    struct yl_mutex lock;
    struct yl_rbac_index *index YL_GUARDED;
    size_t n_writing YL_GUARDED;    /* Such writes that are not finished. */
    uint64_t n_woken YL_GUARDED;    /* Calls of woken() so far. */
    struct yl_cond changed;     /* One of the two has changed. */
};

static int start(struct source *, struct yl_error *);
static int reload(struct source *source, struct yl_error *)
    YL_REQUIRES(source->rbac->lock);
static bool pull(struct source *source) YL_REQUIRES(source->rbac->lock);
static void woken(struct yl_ks_listener *);
static bool aggregate(struct yl_rbac *, uint64_t *ret_n_woken);
static bool aggregate_into(struct yl_rbac *rbac, struct yl_list *)
    YL_REQUIRES(rbac->lock);
static void aggregated_done(struct yl_ks_write *);

int
yl_rbac_new(const struct yl_rbac_opts *opts, struct yl_rbac **ret_rbac,
            struct yl_error *err)
{
    struct yl_ks_resource *const resources[YL_N_RBAC_KINDS] = {
        [YL_RBAC_CLUSTER_ROLE] = opts->cluster_roles,
        [YL_RBAC_CLUSTER_ROLE_BINDING] = opts->cluster_role_bindings,
        [YL_RBAC_ROLE] = opts->roles,
        [YL_RBAC_ROLE_BINDING] = opts->role_bindings,
    };
    struct yl_rbac *rbac = yl_zalloc(sizeof *rbac);
    int r = 0, i;

    rbac->keyspace = opts->keyspace;
    yl_mutex_init(&rbac->lock);
    yl_cond_init(&rbac->changed);
    yl_mutex_lock(&rbac->lock);
    rbac->index = yl_rbac_index_new();
    yl_mutex_unlock(&rbac->lock);
    for (i = 0; i < YL_N_RBAC_KINDS && r == 0; i++) {
        struct source *source = &rbac->sources[i];

        source->rbac = rbac;
        source->kind = (enum yl_rbac_kind) i;
        source->resource = resources[i];
        source->listener.wake = woken;
        r = start(source, err);
    }
    if (r < 0) {
        yl_rbac_free(rbac);
        return r;
    }
    *ret_rbac = rbac;
    return 0;
}

void
yl_rbac_free(struct yl_rbac *rbac)
{
    int i;

    if (!rbac) {
        return;
    }
    for (i = 0; i < YL_N_RBAC_KINDS; i++) {
        struct source *source = &rbac->sources[i];

        if (source->resource) {
            yl_ks_unlisten(source->resource, &source->listener);
        }
        if (source->cursor) {
            yl_ks_cursor_close(source->cursor);
        }
    }
    yl_mutex_lock(&rbac->lock);
    while (rbac->n_writing > 0) {
        yl_cond_wait(&rbac->changed, &rbac->lock);
    }
    yl_rbac_index_free(rbac->index);
    yl_mutex_unlock(&rbac->lock);
    yl_cond_destroy(&rbac->changed);
    yl_mutex_destroy(&rbac->lock);
    free(rbac);
}

void
yl_rbac_settle(struct yl_rbac *rbac)
{
    uint64_t n_woken;
    int round;

    for (round = 0; round < MAX_ROUNDS && !aggregate(rbac, &n_woken);
         round++) {
        yl_mutex_lock(&rbac->lock);
        while (rbac->n_writing > 0 || rbac->n_woken == n_woken) {
            yl_cond_wait(&rbac->changed, &rbac->lock);
        }
        yl_mutex_unlock(&rbac->lock);
    }
}

bool
yl_rbac_authorize(struct yl_rbac *rbac,
                  const struct yl_attributes *attributes,
                  struct yl_arena *arena, struct yl_str *ret_reason)
{
    bool allowed;

    yl_mutex_lock(&rbac->lock);
    allowed = yl_rbac_index_authorize(rbac->index, attributes, arena,
                                      ret_reason);
    yl_mutex_unlock(&rbac->lock);
    return allowed;
}

struct yl_policy
yl_rbac_rules(struct yl_rbac *rbac, const struct yl_user *user,
              struct yl_str namespace_, struct yl_arena *arena,
              struct yl_str *ret_errors)
{
    struct yl_policy rules;

    yl_mutex_lock(&rbac->lock);
    rules = yl_rbac_index_rules(rbac->index, user, namespace_, arena,
                                ret_errors);
    yl_mutex_unlock(&rbac->lock);
    return rules;
}

int
yl_rbac_role(struct yl_rbac *rbac, struct yl_str namespace_,
             struct yl_str name, struct yl_arena *arena,
             struct yl_policy *ret_rules)
{
    int r;

    yl_mutex_lock(&rbac->lock);
    r = yl_rbac_index_role(rbac->index, namespace_, name, arena, ret_rules);
    yl_mutex_unlock(&rbac->lock);
    return r;
}

/* Starts listening, then reads everything.  What is written in between is read
 * before the lock is released. */
static int
start(struct source *source, struct yl_error *err)
{
    int r;

    yl_mutex_lock(&source->rbac->lock);
    yl_ks_listen(source->resource, &source->listener);
    r = reload(source, err);
    if (r == 0) {
        pull(source);
    }
    yl_mutex_unlock(&source->rbac->lock);
    return r;
}

/* Forgets the source's objects and reads them all. */
static int
reload(struct source *source, struct yl_error *err)
{
    const struct yl_ks_scan_opts opts = { .revision = 0 };
    struct yl_versioned items[STEP];
    struct yl_ks_scan *scan;
    uint64_t revision;
    int n, i, r;

    r = yl_ks_scan_open(source->resource, &opts, &scan, err);
    if (r < 0) {
        return r;
    }
    yl_rbac_index_clear(source->rbac->index, source->kind);
    while ((n = yl_ks_scan_next(scan, items, STEP)) > 0) {
        for (i = 0; i < n; i++) {
            yl_rbac_index_put(source->rbac->index, source->kind,
                              items[i].object);
            yl_object_unref(items[i].object);
        }
    }
    revision = yl_ks_scan_revision(scan);
    yl_ks_scan_close(scan);
    if (n < 0) {
        return yl_error_set(err, n, "cannot read roles and bindings");
    }
    if (source->cursor) {
        yl_ks_cursor_close(source->cursor);
        source->cursor = NULL;
    }
    return yl_ks_cursor_open(source->resource, NULL, revision,
                             &source->cursor, err);
}

/* Reads the new events, or all objects if events have been lost.  Returns true
 * if anything was read. */
static bool
pull(struct source *source)
{
    struct yl_rbac_index *index = source->rbac->index;
    struct yl_ks_event events[STEP];
    bool changed = false;
    int n = -1, i;

    while (source->cursor
           && (n = yl_ks_cursor_next(source->cursor, events, STEP)) > 0) {
        for (i = 0; i < n; i++) {
            if (events[i].type == YL_KS_DELETED) {
                yl_rbac_index_remove(index, source->kind,
                                     yl_object_key(events[i].object));
            } else {
                yl_rbac_index_put(index, source->kind, events[i].object);
            }
            yl_object_unref(events[i].object);
            yl_object_unref(events[i].previous);
        }
        changed = true;
    }
    if (n < 0) {
        reload(source, NULL);
        changed = true;
    }
    return changed;
}

/* Called on the writer's thread when there are new events. */
static void
woken(struct yl_ks_listener *listener)
{
    struct source *source = YL_CONTAINER_OF(listener, struct source,
                                            listener);
    bool changed;

    yl_ks_listener_ready(source->resource, listener);
    yl_mutex_lock(&source->rbac->lock);
    changed = pull(source);
    source->rbac->n_woken++;
    yl_cond_broadcast(&source->rbac->changed);
    yl_mutex_unlock(&source->rbac->lock);
    if (changed && source->kind == YL_RBAC_CLUSTER_ROLE) {
        aggregate(source->rbac, NULL);
    }
}

/* Submits a write for every aggregated role whose rules are not what they
 * should be.  Returns true if there was none.  Otherwise there is something to
 * wait for: writes that are not finished or, if none could be submitted, a
 * call of woken() after the first '*ret_n_woken' ones. */
static bool
aggregate(struct yl_rbac *rbac, uint64_t *ret_n_woken)
{
    struct yl_list list = YL_LIST_INIT(&list);
    struct yl_list *node;
    bool settled;

    yl_mutex_lock(&rbac->lock);
    settled = aggregate_into(rbac, &list);
    rbac->n_writing += yl_list_count(&list);
    if (ret_n_woken) {
        *ret_n_woken = yl_list_is_empty(&list) ? rbac->n_woken : UINT64_MAX;
    }
    yl_mutex_unlock(&rbac->lock);
    while ((node = yl_list_pop_front(&list)) != NULL) {
        struct aggregated *aggregated
            = YL_CONTAINER_OF(node, struct aggregated, node);

        yl_keyspace_write(rbac->keyspace, &aggregated->write);
    }
    return settled;
}

/* Adds the necessary writes to 'list'.  Returns true if all aggregated roles
 * have the right rules. */
static bool
aggregate_into(struct yl_rbac *rbac, struct yl_list *list)
{
    struct yl_ks_resource *resource
        = rbac->sources[YL_RBAC_CLUSTER_ROLE].resource;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_rbac_cluster_role *roles;
    bool settled = true;
    size_t n, i;

    roles = yl_rbac_index_cluster_roles(rbac->index, arena, &n);
    for (i = 0; i < n; i++) {
        struct yl_object *stored, *object;
        struct aggregated *aggregated;
        uint64_t revision;

        if (!roles[i].aggregates
            || yl_ks_get(resource, yl_object_key(roles[i].object), &stored,
                         &revision) < 0) {
            continue;
        }

        /* The index is behind the keyspace for this role; woken() will be
         * called for the change. */
        if (stored != roles[i].object) {
            settled = false;
        } else if (yl_aggregate(roles, n, i, &object)) {
            settled = false;
            aggregated = yl_zalloc(sizeof *aggregated);
            aggregated->rbac = rbac;
            aggregated->object = object;
            aggregated->write.resource = resource;
            aggregated->write.key = yl_object_key(object);
            aggregated->write.object = object;
            aggregated->write.expected = revision;
            aggregated->write.done = aggregated_done;
            yl_list_push_back(list, &aggregated->node);
        }
        yl_object_unref(stored);
    }
    yl_arena_free(arena);
    return settled;
}

/* Called on the writer's thread.  On a conflict nothing has to be done: the
 * role has been changed by another write, for which woken() is called. */
static void
aggregated_done(struct yl_ks_write *write)
{
    struct aggregated *aggregated = YL_CONTAINER_OF(write, struct aggregated,
                                                    write);
    struct yl_rbac *rbac = aggregated->rbac;

    yl_error_clear(&write->error);
    yl_object_unref(aggregated->object);
    free(aggregated);
    yl_mutex_lock(&rbac->lock);
    rbac->n_writing--;
    yl_cond_broadcast(&rbac->changed);
    yl_mutex_unlock(&rbac->lock);
}
