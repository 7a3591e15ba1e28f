/* Lifecycle of CRDs.  See apiserver/crd/lifecycle.h for the contract.
 *
 * The thread keeps an entry for each CRD.  An event marks its entry as dirty;
 * the thread settles dirty entries one by one: it reads the CRD, works out the
 * status that it should have, serves it, and writes the status if it differs.
 * Its own writes come back as events, find nothing to be done, and end there.
 * A write that met a conflict is dropped, as the write that it met is an event
 * too. */

#include "apiserver/crd/lifecycle.h"

#include <stdbool.h>
#include <stdlib.h>

#include "apiserver/crd/lifecycle_cleanup.h"
#include "apiserver/crd/conditions.h"
#include "apiserver/crd/definition.h"
#include "apiserver/crd/names.h"
#include "apiserver/crd/definition_resource.h"
#include "apiserver/crd/lifecycle_write.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/watch/hub.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/thread.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/cache.h"
#include "schema/pattern.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/log.h"

#define BATCH 64                /* Events or CRDs that are read at a time. */
#define RETRY_MSEC 1000         /* After storage has failed. */

/* What is known of one CRD. */
struct crd {
    struct yl_crds *crds;
    struct yl_map_node by_name;
    struct yl_list dirty;       /* In yl_crds' 'dirty', or not. */
    struct yl_str name;         /* Of the CRD; its bytes follow the struct. */

    struct yl_arena *arena;     /* Holds 'names'. */
    struct yl_node *names;      /* The group and the accepted names that are
                                 * noted, in the form of a CRD; or NULL. */
    bool conflict;              /* It waits for a name. */

    struct yl_object *served;   /* A block of the CRD with the spec that is
                                 * served; NULL: it is not served. */
    struct yl_buf served_names; /* The names that are served, as JSON. */
    struct yl_definition *definition;   /* The registry's, if served. */
    struct yl_ks_resource *objects;
    uint32_t schema;            /* Number of the schema of its stored
                                 * version. */

    struct yl_ks_listener listener;     /* For the last object to go. */
    bool listening;
    char text[];
};

struct yl_crds {
    struct yl_apiserver *server;
    const struct yl_api_resource *resource;     /* Of CRDs. */
    struct yl_ks_listener listener;
    struct yl_ks_cursor *cursor;
    struct yl_thread thread;
    bool running;

    /* These belong to the thread. */
    struct yl_map by_name;
    struct yl_list dirty;
    struct yl_names *names;
    struct yl_definition_opts opts;
    uint32_t schema;            /* The last number that was given. */
    bool failed;                /* A write failed and is to be tried again. */

    struct yl_mutex lock;       /* Innermost. */
    struct yl_cond changed;
    bool woken YL_GUARDED;
    bool stopping YL_GUARDED;
};

static int load(struct yl_crds *, struct yl_error *);
static int read_all(struct yl_crds *, struct yl_error *);
static void run(void *);
static bool wait_for_news(struct yl_crds *);
static bool is_stopping(void *crds);
static void read_events(struct yl_crds *);
static void settle_dirty(struct yl_crds *);
static void settle(struct yl_crds *, struct crd *);
static bool settle_status(struct yl_crds *, struct crd *, struct yl_arena *,
                          struct yl_node *tree);
static void serve(struct yl_crds *, struct crd *, const struct yl_node *tree,
                  const struct yl_object *);
static bool is_own(const struct crd *, const struct yl_definition *);
static bool is_served_as(const struct crd *, const struct yl_node *tree,
                         const struct yl_object *);
static void write_names(struct yl_buf *, const struct yl_node *tree);
static uint32_t schema_number(struct yl_crds *, const struct crd *,
                              const struct yl_definition *);
static void finalize(struct yl_crds *, struct crd *, struct yl_crd_write *);
static int write(struct yl_crds *, struct crd *, struct yl_crd_write *);
static struct crd *find(struct yl_crds *, struct yl_str name);
static struct crd *find_or_add(struct yl_crds *, struct yl_str name);
static void mark_dirty(struct crd *);
static void note_names(struct yl_crds *, struct crd *,
                       const struct yl_object *);
static void free_names(struct yl_crds *, struct crd *);
static void forget(struct yl_crds *, struct crd *);
static void stop_serving(struct yl_crds *, struct crd *);
static void entry_free(struct crd *);
static void on_change(struct yl_ks_listener *);
static void on_object(struct yl_ks_listener *);
static void wake(struct yl_crds *);

int
yl_crds_start(struct yl_apiserver *server, struct yl_crds **ret_crds,
              struct yl_error *err)
{
    struct yl_crds *crds = yl_zalloc(sizeof *crds);
    int r;

    crds->server = server;
    crds->resource = yl_registry_builtin(server->registry,
                                         "apiextensions.k8s.io",
                                         "customresourcedefinitions");
    crds->listener.wake = on_change;
    yl_list_init(&crds->dirty);
    crds->names = yl_names_new();
    crds->opts.patterns = yl_patterns_new();
    crds->opts.schemas = yl_schema_cache_new();
    yl_mutex_init(&crds->lock);
    yl_cond_init(&crds->changed);
    r = load(crds, err);
    if (r == 0) {
        yl_ks_listen(crds->resource->objects, &crds->listener);
        r = yl_thread_start(&crds->thread, "crds", run, crds);
        crds->running = r == 0;
        if (r < 0) {
            yl_ks_unlisten(crds->resource->objects, &crds->listener);
            yl_error_set(err, r, "no thread to look after definitions");
        }
    }
    *ret_crds = crds;           /* Freed with the server, also on failure. */
    return r;
}

void
yl_crds_stop(struct yl_crds *crds)
{
    struct crd *crd;

    if (!crds) {
        return;
    }
    if (crds->running) {
        yl_mutex_lock(&crds->lock);
        crds->stopping = true;
        yl_cond_broadcast(&crds->changed);
        yl_mutex_unlock(&crds->lock);
        yl_thread_join(&crds->thread);
        crds->running = false;
        yl_ks_unlisten(crds->resource->objects, &crds->listener);
    }
    yl_ks_cursor_close(crds->cursor);
    crds->cursor = NULL;
    YL_MAP_FOR_EACH_SAFE (crd, by_name, &crds->by_name) {
        yl_map_remove(&crds->by_name, &crd->by_name);
        entry_free(crd);
    }
}

void
yl_crds_free(struct yl_crds *crds)
{
    if (!crds) {
        return;
    }
    yl_map_release(&crds->by_name);
    yl_names_free(crds->names);
    yl_schema_cache_free(crds->opts.schemas);
    yl_patterns_free(crds->opts.patterns);
    yl_cond_destroy(&crds->changed);
    yl_mutex_destroy(&crds->lock);
    free(crds);
}

/* Serves everything that storage has. */
static int
load(struct yl_crds *crds, struct yl_error *err)
{
    int r = read_all(crds, err);

    if (r == 0) {
        settle_dirty(crds);
        /* Rows of custom resources were kept as text until now. */
        yl_give_back_memory();
    }
    return r;
}

/* Marks all CRDs, and follows the events from here on.  All names that are
 * accepted are noted first, so that no other CRD gets one of them. */
static int
read_all(struct yl_crds *crds, struct yl_error *err)
{
    struct yl_versioned items[BATCH];
    struct yl_ks_cursor *cursor;
    struct yl_ks_scan *scan;
    struct crd *crd;
    int i, n, r;

    r = yl_ks_scan_open(crds->resource->objects, NULL, &scan, err);
    if (r < 0) {
        return r;
    }
    while ((n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            note_names(crds, find_or_add(crds,
                                         yl_object_name(items[i].object)),
                       items[i].object);
            yl_object_unref(items[i].object);
        }
    }
    r = n < 0 ? yl_error_set(err, n, "definitions cannot be read")
              : yl_ks_cursor_open(crds->resource->objects, NULL,
                                  yl_ks_scan_revision(scan), &cursor, err);
    yl_ks_scan_close(scan);
    if (r < 0) {
        return r;
    }
    yl_ks_cursor_close(crds->cursor);
    crds->cursor = cursor;
    YL_MAP_FOR_EACH (crd, by_name, &crds->by_name) {
        mark_dirty(crd);        /* Also those that are gone. */
    }
    return 0;
}

static void
run(void *crds_)
{
    struct yl_crds *crds = crds_;

    do {
        yl_ks_listener_ready(crds->resource->objects, &crds->listener);
        read_events(crds);
        settle_dirty(crds);
    } while (wait_for_news(crds));
}

/* Waits until something has changed; false if the thread is to end. */
static bool
wait_for_news(struct yl_crds *crds)
{
    yl_msec when = crds->failed
                   ? yl_now(crds->server->clock) + RETRY_MSEC : YL_NEVER;
    struct crd *crd;
    bool stopping;

    yl_mutex_lock(&crds->lock);
    while (!crds->woken && !crds->stopping
           && !yl_cond_wait_until(&crds->changed, &crds->lock,
                                  crds->server->clock, when)) {
        continue;
    }
    crds->woken = false;
    stopping = crds->stopping;
    yl_mutex_unlock(&crds->lock);
    YL_MAP_FOR_EACH (crd, by_name, &crds->by_name) {
        if (crds->failed || crd->listening) {
            mark_dirty(crd);
        }
    }
    crds->failed = false;
    return !stopping;
}

static bool
is_stopping(void *crds_)
{
    struct yl_crds *crds = crds_;
    bool stopping;

    yl_mutex_lock(&crds->lock);
    stopping = crds->stopping;
    yl_mutex_unlock(&crds->lock);
    return stopping;
}

/* Reads what has happened.  If some of it was dropped before, as other work
 * took too long, everything is looked at. */
static void
read_events(struct yl_crds *crds)
{
    struct yl_ks_event events[BATCH];
    int i, n;

    while ((n = yl_ks_cursor_next(crds->cursor, events, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            mark_dirty(find_or_add(crds, yl_object_name(events[i].object)));
            yl_object_unref(events[i].object);
            yl_object_unref(events[i].previous);
        }
    }
    if (n < 0 && read_all(crds, NULL) < 0) {
        crds->failed = true;
    }
}

static void
settle_dirty(struct yl_crds *crds)
{
    while (!yl_list_is_empty(&crds->dirty) && !is_stopping(crds)) {
        struct crd *crd = YL_CONTAINER_OF(crds->dirty.next, struct crd,
                                          dirty);

        yl_list_remove(&crd->dirty);
        yl_list_init(&crd->dirty);
        settle(crds, crd);
    }
}

static void
settle(struct yl_crds *crds, struct crd *crd)
{
    struct yl_crd_write w = { .key = yl_key_make(yl_str_null(), crd->name) };
    struct yl_object *object;
    bool changed;

    if (yl_ks_get(crds->resource->objects, w.key, &object, &w.revision) < 0) {
        forget(crds, crd);
        return;
    }
    if (crd->served && !yl_str_equal(yl_object_uid(crd->served),
                                     yl_object_uid(object))) {
        stop_serving(crds, crd);        /* It went and came back. */
    }
    w.arena = yl_arena_new();
    if (yl_strategy_read_as(crds->resource, w.arena, object, w.revision,
                            yl_api_resource_hub(crds->resource), &w.tree,
                            NULL) == 0) {
        w.old = yl_node_copy(w.arena, w.tree);
        note_names(crds, crd, object);
        changed = settle_status(crds, crd, w.arena, w.tree);
        if (yl_conditions_is_true(w.tree, "Established")) {
            serve(crds, crd, w.tree, object);
        }
        if (yl_object_is_deleting(object)
            && yl_finalizer_find(w.tree, YL_CRD_FINALIZER)) {
            finalize(crds, crd, &w);
        } else if (changed) {
            (void) write(crds, crd, &w);
        }
    }
    yl_object_unref(object);
    yl_arena_free(w.arena);
}

/* Works out names and conditions; returns whether any has changed. */
static bool
settle_status(struct yl_crds *crds, struct crd *crd, struct yl_arena *arena,
              struct yl_node *tree)
{
    bool changed = yl_names_settle(crds->names, arena, tree);

    crd->conflict = !yl_conditions_is_true(tree, "NamesAccepted");
    changed |= yl_conditions_set_structural(arena, tree,
                                            crds->opts.patterns);
    return yl_conditions_set_approval(arena, tree) || changed;
}

/* Puts the CRD into the registry, unless it is there as it is. */
static void
serve(struct yl_crds *crds, struct crd *crd, const struct yl_node *tree,
      const struct yl_object *object)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_definition *definition;
    uint32_t schema = 0;
    int r;

    if (is_served_as(crd, tree, object)) {
        yl_object_unref(crd->served);
        crd->served = yl_object_ref(object);
    } else {
        r = yl_definition_new(tree, &crds->opts, &definition, &err);
        if (r == 0 && !is_own(crd, definition)) {
            yl_definition_free(definition);
            r = yl_error_set(&err, YL_EINVALID,
                             "another plural is accepted");
        }
        if (r == 0) {
            schema = schema_number(crds, crd, definition);
            r = yl_definition_serve_take(definition, schema,
                                         crds->server->registry,
                                         crds->server->keyspace,
                                         &crd->objects, &err);
        }
        if (r < 0) {
            yl_log_warning("A definition cannot be served",
                           YL_LOG_STR("name", crd->name),
                           YL_LOG_C("why", yl_error_message(&err)));
            yl_error_clear(&err);
            return;
        }
        crd->definition = definition;
        crd->schema = schema;
        yl_object_unref(crd->served);
        crd->served = yl_object_ref(object);
        yl_buf_clear(&crd->served_names);
        write_names(&crd->served_names, tree);
        yl_watch_hub_wake(crds->server->watches, crd->objects);
    }
    if (yl_conditions_is_true(tree, "Terminating")) {
        yl_definition_terminate(crd->definition);
        yl_registry_end(crds->server->registry, crd->definition->group,
                        crd->definition->plural);
    }
}

/* Has the definition the CRD's place in the registry?  Who can write status
 * can write any accepted names. */
static bool
is_own(const struct crd *crd, const struct yl_definition *definition)
{
    struct yl_str plural = definition->plural, group = definition->group;

    return crd->name.size == plural.size + 1 + group.size
           && yl_str_starts_with(crd->name, plural)
           && crd->name.data[plural.size] == '.'
           && yl_str_equal(yl_str_skip(crd->name, plural.size + 1), group);
}

static bool
is_served_as(const struct crd *crd, const struct yl_node *tree,
             const struct yl_object *object)
{
    struct yl_arena *arena;
    struct yl_buf names;
    bool same;

    if (!crd->served) {
        return false;
    }
    arena = yl_arena_new();
    yl_buf_init(&names, SIZE_MAX);
    write_names(&names, tree);
    same = yl_str_equal(yl_buf_str(&names), yl_buf_str(&crd->served_names))
           && yl_str_equal(
                  yl_json_raw(yl_object_field(crd->served, arena, "spec")),
                  yl_json_raw(yl_object_field(object, arena, "spec")));
    yl_buf_release(&names);
    yl_arena_free(arena);
    return same;
}

static void
write_names(struct yl_buf *out, const struct yl_node *tree)
{
    (void) yl_node_write_canonical(
        out, yl_member_object(yl_member_object(tree, "status"),
                              "acceptedNames"));
}

/* A new number if the form of stored objects changes. */
static uint32_t
schema_number(struct yl_crds *crds, const struct crd *crd,
              const struct yl_definition *definition)
{
    const struct yl_definition *old = crd->served ? crd->definition : NULL;

    return old && old->preserve == definition->preserve
           && old->storage->schema == definition->storage->schema
           ? crd->schema : ++crds->schema;
}

/* Deletes the objects of a CRD that is being deleted, and then the finalizer
 * that holds it back. */
static void
finalize(struct yl_crds *crds, struct crd *crd, struct yl_crd_write *w)
{
    static const struct yl_definition_condition in_progress = {
        "Terminating", "True", "InstanceDeletionInProgress",
        "CustomResource deletion is in progress",
    };
    static const struct yl_definition_condition completed = {
        "Terminating", "False", "InstanceDeletionCompleted",
        "removed all instances",
    };
    static const struct yl_definition_condition never = {
        "Terminating", "False", "NeverEstablished",
        "resource was never established",
    };

    if (crd->served) {
        if (!crd->listening) {
            crd->listening = true;
            yl_ks_listen(crd->objects, &crd->listener);
        }
        yl_ks_listener_ready(crd->objects, &crd->listener);
        if (yl_conditions_set(w->arena, w->tree, &in_progress)
            && write(crds, crd, w) < 0) {
            return;
        }
        if (yl_crd_cleanup(crds->server->keyspace, crd->objects, is_stopping,
                           crds) < 0) {
            crds->failed = true;
        }
        if (yl_ks_count(crd->objects)) {
            return;             /* The last one to go wakes the thread. */
        }
    }
    yl_conditions_set(w->arena, w->tree, crd->served ? &completed : &never);
    yl_node_detach(yl_finalizer_find(w->tree, YL_CRD_FINALIZER));
    (void) write(crds, crd, w);
}

static int
write(struct yl_crds *crds, struct crd *crd, struct yl_crd_write *w)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object;
    int r = yl_crd_write_status(crds->server, crds->resource, w, &err);

    if (r == 0
        && yl_ks_get(crds->resource->objects, w->key, &object, NULL) == 0) {
        /* Before the next CRD asks for these names. */
        note_names(crds, crd, object);
        yl_object_unref(object);
    }
    if (r < 0 && r != YL_ECONFLICT && r != YL_ENOTFOUND) {
        yl_log_warning("The status of a definition cannot be written",
                       YL_LOG_STR("name", crd->name),
                       YL_LOG_C("why", yl_error_message(&err)));
        crds->failed = true;
    }
    yl_error_clear(&err);
    return r;
}

static struct crd *
find(struct yl_crds *crds, struct yl_str name)
{
    struct crd *crd;

    YL_MAP_FOR_EACH_WITH_HASH (crd, by_name, yl_hash_str(name),
                               &crds->by_name) {
        if (yl_str_equal(crd->name, name)) {
            break;
        }
    }
    return crd;
}

static struct crd *
find_or_add(struct yl_crds *crds, struct yl_str name)
{
    struct crd *crd = find(crds, name);

    if (!crd) {
        crd = yl_zalloc(sizeof *crd + name.size + 1);
        crd->crds = crds;
        memcpy(crd->text, name.data, name.size);
        crd->name = yl_str_n(crd->text, name.size);
        crd->arena = yl_arena_new();
        yl_buf_init(&crd->served_names, SIZE_MAX);
        crd->listener.wake = on_object;
        yl_list_init(&crd->dirty);
        yl_map_insert(&crds->by_name, &crd->by_name, yl_hash_str(name));
    }
    return crd;
}

static void
mark_dirty(struct crd *crd)
{
    if (yl_list_is_empty(&crd->dirty)) {
        yl_list_push_back(&crd->crds->dirty, &crd->dirty);
    }
}

/* Notes the names that the stored CRD has. */
static void
note_names(struct yl_crds *crds, struct crd *crd,
           const struct yl_object *object)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json names = yl_json_get(yl_object_field(object, arena,
                                                       "status"),
                                       YL_STR("acceptedNames"));
    struct yl_json group = yl_json_get(yl_object_field(object, arena, "spec"),
                                       YL_STR("group"));
    struct yl_node *tree = NULL;

    if (yl_json_exists(names) && yl_json_exists(group)) {
        (void) yl_tree_parse(
            arena,
            yl_str_c(yl_arena_printf(
                arena, "{\"spec\":{\"group\":%.*s},\"status\":"
                "{\"acceptedNames\":%.*s}}", YL_STR_ARG(yl_json_raw(group)),
                YL_STR_ARG(yl_json_raw(names)))), NULL, &tree, NULL);
    }
    if (!yl_node_same(tree, crd->names)) {
        free_names(crds, crd);
        crd->names = tree;
        if (tree) {
            yl_names_take(crds->names, tree);
        }
        yl_arena_free(crd->arena);
        crd->arena = arena;
    } else {
        yl_arena_free(arena);
    }
}

/* Gives the names back; CRDs of the same group that wait for one may get it
 * now. */
static void
free_names(struct yl_crds *crds, struct crd *crd)
{
    struct crd *other;

    if (!crd->names) {
        return;
    }
    yl_names_give(crds->names, crd->names);
    YL_MAP_FOR_EACH (other, by_name, &crds->by_name) {
        if (other != crd && other->conflict
            && yl_node_same(yl_member_object(other->names, "spec"),
                            yl_member_object(crd->names, "spec"))) {
            mark_dirty(other);
        }
    }
    crd->names = NULL;
}

/* The CRD is gone. */
static void
forget(struct yl_crds *crds, struct crd *crd)
{
    stop_serving(crds, crd);
    free_names(crds, crd);
    yl_map_remove(&crds->by_name, &crd->by_name);
    entry_free(crd);
}

static void
stop_serving(struct yl_crds *crds, struct crd *crd)
{
    if (!crd->served) {
        return;
    }
    (void) yl_registry_remove(crds->server->registry, crd->definition->group,
                              crd->definition->plural);
    yl_watch_hub_wake(crds->server->watches, crd->objects);
    if (crd->listening) {
        yl_ks_unlisten(crd->objects, &crd->listener);
        crd->listening = false;
    }
    crd->served = yl_object_unref(crd->served);
    crd->definition = NULL;
}

static void
entry_free(struct crd *crd)
{
    if (crd->listening) {
        yl_ks_unlisten(crd->objects, &crd->listener);
    }
    yl_object_unref(crd->served);
    yl_arena_free(crd->arena);
    yl_buf_release(&crd->served_names);
    free(crd);
}

/* Both run on the keyspace's thread. */
static void
on_change(struct yl_ks_listener *listener)
{
    wake(YL_CONTAINER_OF(listener, struct yl_crds, listener));
}

static void
on_object(struct yl_ks_listener *listener)
{
    wake(YL_CONTAINER_OF(listener, struct crd, listener)->crds);
}

static void
wake(struct yl_crds *crds)
{
    yl_mutex_lock(&crds->lock);
    crds->woken = true;
    yl_cond_broadcast(&crds->changed);
    yl_mutex_unlock(&crds->lock);
}
