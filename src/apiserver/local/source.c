/* A lister-watcher over the keyspace.  See apiserver/local/source.h for the
 * contract; source_list.c and source_watch.c serve the calls. */

#include "apiserver/local/source.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "apiserver/local/source_call.h"
#include "apiserver/registry/registry.h"
#include "base/alloc.h"

#define BOOKMARK_PERIOD 60000

struct yl_local_source {
    struct yl_lister_watcher lw;
    struct yl_local_source_opts opts;   /* Its strings are copies. */
    struct yl_list calls;
    bool freed;                 /* Set by the owner; 'task' frees it then. */

    /* Carries wake-ups from the writer's thread to the loop. */
    struct yl_ks_listener listener;
    struct yl_loop_task task;
    atomic_bool posted;         /* Whether 'task' is posted. */
};

static int start_list(struct yl_lister_watcher *,
                      const struct yl_list_options *,
                      const struct yl_list_sink *, void *aux,
                      struct yl_lister_watcher_call **, struct yl_error *);
static int start_watch(struct yl_lister_watcher *,
                       const struct yl_list_options *,
                       const struct yl_watch_sink *, void *aux,
                       struct yl_lister_watcher_call **, struct yl_error *);
static void stop(struct yl_lister_watcher *, struct yl_lister_watcher_call *);
static int call_start(struct yl_local_source *,
                      struct yl_lister_watcher_call *,
                      const struct yl_list_options *, struct yl_error *);
static struct yl_str keep(struct yl_str);
static void forget(struct yl_str);
static struct yl_str copy(struct yl_arena *, struct yl_str, struct yl_str or_);
static void call_run(struct yl_loop_chore *);
static void call_free(struct yl_lister_watcher_call *);
static void on_publish(struct yl_ks_listener *);
static void on_task(struct yl_loop_task *);

struct yl_local_source *
yl_local_source_new(const struct yl_local_source_opts *opts)
{
    struct yl_local_source *source = yl_zalloc(sizeof *source);

    assert(opts->resource->objects);
    source->lw.list = start_list;
    source->lw.watch = start_watch;
    source->lw.stop = stop;
    source->opts = *opts;
    source->opts.resource = yl_api_resource_ref(opts->resource);
    source->opts.namespace_ = keep(opts->namespace_);
    source->opts.label_selector = keep(opts->label_selector);
    source->opts.field_selector = keep(opts->field_selector);
    if (!source->opts.bookmark_period) {
        source->opts.bookmark_period = BOOKMARK_PERIOD;
    }
    yl_list_init(&source->calls);
    source->listener.wake = on_publish;
    source->task.run = on_task;
    yl_ks_listen(opts->resource->objects, &source->listener);
    return source;
}

void
yl_local_source_free(struct yl_local_source *source)
{
    struct yl_lister_watcher_call *call;

    if (!source) {
        return;
    }
    yl_ks_unlisten(source->opts.resource->objects, &source->listener);
    YL_LIST_FOR_EACH_SAFE (call, node, &source->calls) {
        assert(!call->running);
        call_free(call);
    }
    yl_api_resource_unref(source->opts.resource);
    forget(source->opts.namespace_);
    forget(source->opts.label_selector);
    forget(source->opts.field_selector);
    if (atomic_load(&source->posted)) {
        source->freed = true;
    } else {
        free(source);
    }
}

struct yl_lister_watcher *
yl_local_source_lister_watcher(struct yl_local_source *source)
{
    return &source->lw;
}

struct yl_local_source *
yl_local_source_of(struct yl_lister_watcher *lw)
{
    return YL_CONTAINER_OF(lw, struct yl_local_source, lw);
}

static int
start_list(struct yl_lister_watcher *lw, const struct yl_list_options *options,
           const struct yl_list_sink *sink, void *aux,
           struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    struct yl_lister_watcher_call *call = yl_zalloc(sizeof *call);
    int r;

    call->list = sink;
    call->aux = aux;
    r = call_start(YL_CONTAINER_OF(lw, struct yl_local_source, lw), call,
                   options, err);
    if (r == 0) {
        *ret_call = call;
    }
    return r;
}

static int
start_watch(struct yl_lister_watcher *lw,
            const struct yl_list_options *options,
            const struct yl_watch_sink *sink, void *aux,
            struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    struct yl_lister_watcher_call *call = yl_zalloc(sizeof *call);
    int r;

    call->watch = sink;
    call->aux = aux;
    r = call_start(YL_CONTAINER_OF(lw, struct yl_local_source, lw), call,
                   options, err);
    if (r == 0) {
        *ret_call = call;
    }
    return r;
}

static void
stop(struct yl_lister_watcher *lw YL_UNUSED,
     struct yl_lister_watcher_call *call)
{
    if (call->running) {
        call->stopped = true;
    } else {
        call_free(call);
    }
}

/* Takes ownership of 'call', also if it fails. */
static int
call_start(struct yl_local_source *source,
           struct yl_lister_watcher_call *call,
           const struct yl_list_options *options, struct yl_error *err)
{
    const struct yl_api_resource *resource = source->opts.resource;
    uint64_t revision, newest = yl_keyspace_revision(source->opts.keyspace);
    int r;

    yl_list_push_back(&source->calls, &call->node);
    call->source = source;
    call->loop = source->opts.loop;
    call->objects = resource->objects;
    yl_list_init(&call->chore.node);
    call->chore.run = call_run;
    yl_arena_init(&call->arena);
    yl_arena_init(&call->scratch);
    call->selection.resource = resource;
    if (resource->namespaced) {
        call->selection.namespace_ = source->opts.namespace_;
    }
    r = yl_list_options_check(options, call->watch != NULL, &revision, err);
    if (r == 0) {
        r = yl_selection_parse(&call->selection, &resource->versions[0],
                               copy(&call->arena, options->label_selector,
                                    source->opts.label_selector),
                               copy(&call->arena, options->field_selector,
                                    source->opts.field_selector),
                               &call->arena, err);
    }
    if (r == 0 && call->watch) {
        call->bookmark_period = options->allow_watch_bookmarks
                                ? source->opts.bookmark_period : 0;
        r = yl_local_watch_start(call, options, revision, newest, err);
    } else if (r == 0) {
        r = yl_local_list_start(call, options, revision, newest, err);
    }
    if (r < 0) {
        call_free(call);
        return r;
    }
    yl_loop_defer(call->loop, &call->chore);
    return 0;
}

static struct yl_str
keep(struct yl_str text)
{
    return yl_str_n(yl_strdup(text), text.size);
}

static void
forget(struct yl_str kept)
{
    free((char *) (uintptr_t) kept.data);
}

/* A copy of a text, or of another if it is empty. */
static struct yl_str
copy(struct yl_arena *arena, struct yl_str text, struct yl_str or_)
{
    return yl_arena_copy(arena, text.size ? text : or_);
}

/* Runs on the loop. */
static void
call_run(struct yl_loop_chore *chore)
{
    struct yl_lister_watcher_call *call
        = YL_CONTAINER_OF(chore, struct yl_lister_watcher_call, chore);

    call->running = true;
    if (call->watch) {
        yl_local_watch_run(call);
    } else {
        yl_local_list_run(call);
    }
    call->running = false;
    if (call->stopped) {
        call_free(call);
    }
}

static void
call_free(struct yl_lister_watcher_call *call)
{
    yl_list_remove(&call->node);
    yl_loop_chore_cancel(&call->chore);
    if (call->watch) {
        yl_local_watch_release(call);
    } else {
        yl_local_list_release(call);
    }
    yl_ks_scan_close(call->scan);
    yl_arena_release(&call->arena);
    yl_arena_release(&call->scratch);
    free(call);
}

/* Runs on the writer's thread. */
static void
on_publish(struct yl_ks_listener *listener)
{
    struct yl_local_source *source
        = YL_CONTAINER_OF(listener, struct yl_local_source, listener);

    if (!atomic_exchange(&source->posted, true)) {
        yl_loop_post(source->opts.loop, &source->task);
    }
}

/* Runs on the loop.  Clears 'posted' before it reads, so that whatever is
 * published from here on posts the task again. */
static void
on_task(struct yl_loop_task *task)
{
    struct yl_local_source *source
        = YL_CONTAINER_OF(task, struct yl_local_source, task);
    struct yl_lister_watcher_call *call;

    if (source->freed) {
        free(source);
        return;
    }
    atomic_store(&source->posted, false);
    yl_ks_listener_ready(source->opts.resource->objects, &source->listener);
    YL_LIST_FOR_EACH (call, node, &source->calls) {
        if (call->watch) {
            yl_loop_defer(call->loop, &call->chore);
        }
    }
}

int
yl_local_too_new(uint64_t asked, uint64_t newest, struct yl_error *err)
{
    return yl_error_set(err, YL_ETIMEOUT,
                        "Too large resource version: %llu, current: %llu",
                        (unsigned long long) asked,
                        (unsigned long long) newest);
}
