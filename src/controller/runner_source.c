/* Sources: from an event to the keys that it is about.  See
 * controller/runner.h.
 *
 * All of this runs on the loop's thread, in handlers that are inline: the
 * store has the change already, and what a handler does costs a lookup in
 * 'keys' and a push into the queue. */

#include "controller/applied.h"
#include "controller/changed.h"
#include "controller/runner.h"
#include "yuloh/arena.h"
#include "yuloh/gvk.h"
#include "yuloh/informer.h"
#include "yuloh/object.h"
#include "yuloh/owner.h"
#include "yuloh/schema.h"
#include "yuloh/selector.h"
#include "yuloh/store.h"
#include "yuloh/workqueue.h"

/* Of keys from a first list or a resync: real changes overtake them. */
#define LOW_PRIORITY (-100)

/* An event on its way to its keys. */
struct yl_enqueuer {
    struct yl_source *source;
    struct yl_reason reason;
    int priority;
};

static void on_added(void *aux, const struct yl_versioned *, bool initial);
static void on_updated(void *aux, const struct yl_versioned *old,
                       const struct yl_versioned *);
static void on_deleted(void *aux, const struct yl_versioned *,
                       bool tombstone);
static void on_advanced(void *aux, uint64_t revision);
static void handle(struct yl_source *, enum yl_reason_type,
                   const struct yl_object *old, const struct yl_versioned *);
static void enqueue_owners(struct yl_enqueuer *, const struct yl_object *);
static void wake(void *aux, const struct yl_key *);

static const struct yl_handler handler = {
    .added = on_added,
    .updated = on_updated,
    .deleted = on_deleted,
    .advanced = on_advanced,
};

int
yl_source_init(struct yl_source *source, struct yl_error *err)
{
    struct yl_runner *runner = source->runner;
    const struct yl_watch *watch = source->watch;
    const struct yl_handler_opts opts = {
        .name = runner->controller->name,
        .resync = watch->resync ? watch->resync : -1,
        .inline_ = true,
    };
    int r = 0;

    source->kind = yl_watch_kind(watch);
    source->resource = yl_resource_of(source->kind);
    source->arena = yl_arena_new();
    if (source->kind->flags & YL_KIND_NAMESPACED) {
        source->namespace_ = yl_str_c(watch->namespace_
                                          ? watch->namespace_
                                          : runner->opts.namespace_);
    }
    if (watch->label_selector) {
        r = yl_selector_parse(yl_str_c(watch->label_selector), runner->arena,
                              &source->labels, err);
        if (r < 0) {
            return r;
        }
    }
    source->informer = yl_informer_factory_get(
        runner->opts.factory, &source->resource,
        &(struct yl_informer_scope) {
            .namespace_ = source->namespace_,
            .label_selector = yl_str_c(watch->label_selector),
            .field_selector = yl_str_c(watch->field_selector),
            .metadata_only = watch->metadata_only,
        });
    source->store = yl_informer_store(source->informer);
    return yl_informer_add_handler(source->informer, &handler, source, &opts,
                                   &source->registration, err);
}

void
yl_source_release(struct yl_source *source)
{
    if (source->registration) {
        yl_informer_remove_handler(source->informer, source->registration);
        source->registration = NULL;
    }
    yl_arena_free(source->arena);
    source->arena = NULL;
}

bool
yl_source_shows(const struct yl_source *source, const struct yl_await *await,
                struct yl_arena *arena)
{
    struct yl_versioned item;

    if (await->revision && !await->of_object
        && yl_informer_revision(source->informer) >= await->revision) {
        return true;
    } else if (!yl_store_get(source->store, &await->object, arena, &item)) {
        /* What is to be gone is gone.  An object that was made is not there
         * yet; one that was in conflict is not there any more, which is news
         * too. */
        return await->revision == 0 || await->of_object;
    }
    return await->revision
               ? item.revision >= await->revision
               : !yl_str_equal(yl_object_uid(item.object), await->uid);
}

bool
yl_source_covers(const struct yl_source *source,
                 const struct yl_object *object, struct yl_arena *arena)
{
    struct yl_key key = yl_object_key(object);
    struct yl_versioned item;

    if (source->namespace_.size
        && !yl_str_equal(source->namespace_, key.namespace_)) {
        return false;
    }
    /* Nobody but the server knows what a field selector matches.  If the
     * object is in the cache, it probably does. */
    if (source->watch->field_selector) {
        return yl_store_get(source->store, &key, arena, &item);
    }
    return !source->labels
           || yl_selector_matches(source->labels, yl_object_labels(object));
}

bool
yl_source_knows_all(const struct yl_source *source, const struct yl_key *key)
{
    return !source->labels && !source->watch->field_selector
           && (!source->namespace_.size
               || yl_str_equal(source->namespace_, key->namespace_));
}

void
yl_enqueue(struct yl_enqueuer *to, const struct yl_key *key)
{
    struct yl_runner *runner = to->source->runner;

    yl_keys_note(&runner->keys, key, &to->reason);
    yl_workqueue_add_with(runner->queue, key,
                          &(struct yl_workqueue_add_opts) {
                              .priority = to->priority });
}

static void
on_added(void *aux, const struct yl_versioned *item, bool initial)
{
    handle(aux, initial ? YL_REASON_LISTED : YL_REASON_ADDED, NULL, item);
}

static void
on_updated(void *aux, const struct yl_versioned *old,
           const struct yl_versioned *item)
{
    struct yl_source *source = aux;
    bool resync = old->revision == item->revision;

    if (resync
        || yl_watch_update_matters(source->watch, old->object, item->object,
                                   source->arena,
                                   source->runner->controller->aux)) {
        handle(source, resync ? YL_REASON_RESYNC : YL_REASON_MODIFIED,
               old->object, item);
    }
    yl_arena_clear(source->arena);
}

static void
on_deleted(void *aux, const struct yl_versioned *item,
           bool tombstone YL_UNUSED)
{
    struct yl_source *source = aux;
    struct yl_key key = yl_object_key(item->object);

    yl_applied_forget(source->runner->applied, source->kind, &key);
    handle(source, YL_REASON_DELETED, NULL, item);
}

/* The store has everything up to 'revision': what waits for that may go on. */
static void
on_advanced(void *aux, uint64_t revision)
{
    struct yl_source *source = aux;

    yl_keys_seen(&source->runner->keys, source->index, revision, wake,
                 source->runner);
}

static void
handle(struct yl_source *source, enum yl_reason_type type,
       const struct yl_object *old, const struct yl_versioned *item)
{
    const struct yl_watch *watch = source->watch;
    struct yl_enqueuer to = {
        .source = source,
        .reason = {
            .type = type,
            .kind = source->kind->name,
            .object = yl_object_key(item->object),
            .revision = item->revision,
        },
        .priority = type == YL_REASON_LISTED || type == YL_REASON_RESYNC
                        ? LOW_PRIORITY : 0,
    };

    if (watch->for_) {
        yl_enqueue(&to, &to.reason.object);
    } else if (watch->owns) {
        enqueue_owners(&to, item->object);
        if (old) {
            enqueue_owners(&to, old);
        }
    } else {
        watch->map(&to, item->object, old, source->runner->controller->aux);
    }
    yl_arena_clear(source->arena);
}

/* An owner is one of ours if group and kind are; its version may be another
 * one. */
static void
enqueue_owners(struct yl_enqueuer *to, const struct yl_object *object)
{
    struct yl_source *source = to->source;
    const struct yl_kind *kind = source->runner->kind;
    struct yl_owner_iter iter = yl_owner_iter(yl_object_owners(object),
                                              source->arena);
    struct yl_owner owner;

    while (yl_owner_next(&iter, &owner)) {
        struct yl_key key;
        struct yl_gv gv;

        if ((!source->watch->any_owner
             && !(owner.controller && *owner.controller))
            || !yl_str_equal_c(owner.kind, kind->name)
            || yl_gv_parse(owner.api_version, &gv, NULL) < 0
            || !yl_str_equal_c(gv.group, kind->set->group)) {
            continue;
        }
        key = yl_key_make(kind->flags & YL_KIND_NAMESPACED
                              ? yl_object_namespace(object) : yl_str_null(),
                          owner.name);
        yl_enqueue(to, &key);
    }
}

static void
wake(void *aux, const struct yl_key *key)
{
    struct yl_runner *runner = aux;

    yl_workqueue_add(runner->queue, key);
}
