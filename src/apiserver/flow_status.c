/* Flow status.  See apiserver/flow_status.h for the contract. */

#include "apiserver/flow_status.h"

#include <stdbool.h>
#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "json/member.h"
#include "object/object.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/object.h"
#include "yuloh/time.h"

#define BATCH 64                /* FlowSchemas read under one lock. */
#define TYPE "Dangling"

/* Listens to one of the two resources. */
struct ear {
    struct yl_ks_listener listener;
    struct yl_flow_status *status;
};

struct yl_flow_status {
    struct yl_flow_status_opts opts;
    struct yl_thread thread;
    struct ear schemas, levels;

    struct yl_mutex lock;       /* Never held while the keyspace is called. */
    struct yl_cond changed;
    bool woken YL_GUARDED;
    bool stopping YL_GUARDED;
};

static void run(void *);
static void on_change(struct yl_ks_listener *);
static void destroy(struct yl_flow_status *);
static void settle_one(const struct yl_flow_status_opts *, struct yl_arena *,
                       const struct yl_versioned *);
static bool set_condition(struct yl_arena *, struct yl_node *schema,
                          struct yl_str level, bool found);
static struct yl_node *find_condition(const struct yl_node *list);

int
yl_flow_status_start(const struct yl_flow_status_opts *opts,
                     struct yl_flow_status **ret_status, struct yl_error *err)
{
    struct yl_flow_status *status = yl_zalloc(sizeof *status);
    int r;

    status->opts = *opts;
    yl_mutex_init(&status->lock);
    yl_cond_init(&status->changed);
    status->schemas.status = status->levels.status = status;
    status->schemas.listener.wake = status->levels.listener.wake = on_change;
    r = yl_thread_start(&status->thread, "flows", run, status);
    if (r < 0) {
        destroy(status);
        return yl_error_set(err, r, "no thread to look after flow schemas");
    }
    *ret_status = status;
    return 0;
}

void
yl_flow_status_stop(struct yl_flow_status *status)
{
    if (!status) {
        return;
    }
    yl_mutex_lock(&status->lock);
    status->stopping = true;
    yl_cond_broadcast(&status->changed);
    yl_mutex_unlock(&status->lock);
    yl_thread_join(&status->thread);
    destroy(status);
}

void
yl_flow_status_settle(const struct yl_flow_status_opts *opts)
{
    struct yl_versioned items[BATCH];
    struct yl_arena *arena;
    struct yl_ks_scan *scan;
    int i, n;

    if (yl_ks_scan_open(opts->schemas, NULL, &scan, NULL) < 0) {
        return;
    }
    arena = yl_arena_new();
    while ((n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            settle_one(opts, arena, &items[i]);
            yl_object_unref(items[i].object);
            yl_arena_clear(arena);
        }
    }
    yl_ks_scan_close(scan);
    yl_arena_free(arena);
}

/* The thread: looks at all FlowSchemas at the start and after each change. */
static void
run(void *status_)
{
    struct yl_flow_status *status = status_;
    bool stopping = false;

    yl_ks_listen(status->opts.schemas, &status->schemas.listener);
    yl_ks_listen(status->opts.levels, &status->levels.listener);
    while (!stopping) {
        yl_ks_listener_ready(status->opts.schemas, &status->schemas.listener);
        yl_ks_listener_ready(status->opts.levels, &status->levels.listener);
        yl_flow_status_settle(&status->opts);
        yl_mutex_lock(&status->lock);
        while (!status->woken && !status->stopping) {
            yl_cond_wait(&status->changed, &status->lock);
        }
        status->woken = false;
        stopping = status->stopping;
        yl_mutex_unlock(&status->lock);
    }
    yl_ks_unlisten(status->opts.schemas, &status->schemas.listener);
    yl_ks_unlisten(status->opts.levels, &status->levels.listener);
}

/* Runs on the keyspace's thread. */
static void
on_change(struct yl_ks_listener *listener)
{
    struct ear *ear = YL_CONTAINER_OF(listener, struct ear, listener);
    struct yl_flow_status *status = ear->status;

    yl_mutex_lock(&status->lock);
    status->woken = true;
    yl_cond_broadcast(&status->changed);
    yl_mutex_unlock(&status->lock);
}

static void
destroy(struct yl_flow_status *status)
{
    yl_cond_destroy(&status->changed);
    yl_mutex_destroy(&status->lock);
    free(status);
}

/* Writes one condition.  If another write comes first, this one is dropped;
 * the other write wakes the thread again. */
static void
settle_one(const struct yl_flow_status_opts *opts, struct yl_arena *arena,
           const struct yl_versioned *item)
{
    struct yl_check c = { arena, NULL };
    struct yl_ks_write write = {
        .resource = opts->schemas,
        .key = yl_object_key(item->object),
        .expected = item->revision,
    };
    struct yl_object *level = NULL;
    struct yl_node *schema;
    struct yl_at root, spec, reference;
    struct yl_str name;
    uint64_t revision;
    bool found;

    if (yl_tree_parse(arena, yl_object_json(item->object, arena, NULL), NULL,
                      &schema, NULL) < 0) {
        return;
    }
    root = yl_at_root(schema);
    spec = yl_at(&root, "spec");
    reference = yl_at(&spec, "priorityLevelConfiguration");
    name = yl_at_get_str(&c, &reference, "name");
    found = yl_ks_get(opts->levels, yl_key_make(yl_str_null(), name), &level,
                      &revision) == 0;
    yl_object_unref(level);
    if (set_condition(arena, schema, name, found)
        && yl_object_from_tree(schema, NULL, &write.object, NULL) == 0) {
        (void) yl_keyspace_write_wait(opts->keyspace, &write);
        yl_error_clear(&write.error);
        yl_object_unref(write.object);
    }
}

/* Returns false if the condition is there already. */
static bool
set_condition(struct yl_arena *arena, struct yl_node *schema,
              struct yl_str level, bool found)
{
    struct yl_node *status = yl_member_make(arena, schema, "status");
    struct yl_node *list = yl_member_array(status, "conditions");
    struct yl_node *condition = list ? find_condition(list) : NULL;
    const char *state = found ? "False" : "True";
    struct yl_at before = yl_at_root(condition);
    char now[YL_TIME_TEXT_SIZE];
    const char *message = yl_arena_printf(
        arena, "This FlowSchema references the PriorityLevelConfiguration "
        "object named \"%.*s\" %s", YL_STR_ARG(level),
        found ? "and it exists" : "but there is no such object");

    if (condition && yl_at_get_is(&before, "status", state)
        && yl_at_get_is(&before, "message", message)) {
        return false;
    }
    if (!list) {
        list = yl_node_new_array(arena);
        yl_member_set(arena, status, "conditions", list);
    }
    if (!condition) {
        condition = yl_node_new_object(arena);
        yl_member_set_str(arena, condition, "type", TYPE);
        yl_node_append(list, condition);
    }
    if (!yl_at_get_is(&before, "status", state)) {
        yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
        yl_member_set_str(arena, condition, "lastTransitionTime", now);
    }
    yl_member_set_str(arena, condition, "status", state);
    yl_member_set_str(arena, condition, "reason",
                      found ? "Found" : "NotFound");
    yl_member_set_str(arena, condition, "message", message);
    return true;
}

static struct yl_node *
find_condition(const struct yl_node *list)
{
    struct yl_node *condition;

    YL_NODE_FOR_EACH (condition, list) {
        if (yl_node_type(condition) == YL_JSON_OBJECT
            && yl_node_string_is(yl_node_get(condition, YL_STR("type")),
                                 YL_STR(TYPE))) {
            return condition;
        }
    }
    return NULL;
}
