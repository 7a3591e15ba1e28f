/* A lister-watcher over HTTP, on a loop: starting and stopping its calls. */

#include "yuloh/client.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "client/client.h"
#include "client/lister_watcher_call.h"
#include "client/target.h"
#include "net/http_fetcher.h"
#include "yuloh/arena.h"
#include "yuloh/loop.h"

/* How much longer than 'timeout_seconds' a watch may take: it is the server
 * that ends it, and this is for one that does not. */
#define WATCH_GRACE 30000

static int start_list(struct yl_lister_watcher *,
                      const struct yl_list_options *,
                      const struct yl_list_sink *, void *aux,
                      struct yl_lister_watcher_call **, struct yl_error *);
static int start_watch(struct yl_lister_watcher *,
                       const struct yl_list_options *,
                       const struct yl_watch_sink *, void *aux,
                       struct yl_lister_watcher_call **, struct yl_error *);
static void stop(struct yl_lister_watcher *, struct yl_lister_watcher_call *);
static int start(struct yl_lister_watcher_call *,
                 const struct yl_list_options *, struct yl_error *);
static const char *accept_of(const struct yl_client_source *, bool watch);

struct yl_lister_watcher *
yl_client_lister_watcher_new(struct yl_client *client, struct yl_loop *loop,
                             const struct yl_resource *resource,
                             const struct yl_client_lister_watcher_opts *opts)
{
    struct yl_client_source *source = yl_zalloc(sizeof *source);

    source->lw.list = start_list;
    source->lw.watch = start_watch;
    source->lw.stop = stop;
    source->client = yl_client_ref(client);
    source->loop = loop;
    source->arena = yl_arena_new();
    source->resource = (struct yl_resource) {
        .gvr.group = yl_arena_copy(source->arena, resource->gvr.group),
        .gvr.version = yl_arena_copy(source->arena, resource->gvr.version),
        .gvr.resource = yl_arena_copy(source->arena, resource->gvr.resource),
        .kind = yl_arena_copy(source->arena, resource->kind),
        .namespaced = resource->namespaced,
    };
    if (opts) {
        source->opts = *opts;
        source->opts.namespace_ = yl_arena_copy(source->arena,
                                                opts->namespace_);
        source->opts.label_selector = yl_arena_copy(source->arena,
                                                    opts->label_selector);
        source->opts.field_selector = yl_arena_copy(source->arena,
                                                    opts->field_selector);
    }
    yl_list_init(&source->calls);
    return &source->lw;
}

void
yl_client_lister_watcher_free(struct yl_lister_watcher *lw)
{
    struct yl_client_source *source;

    if (!lw) {
        return;
    }
    source = YL_CONTAINER_OF(lw, struct yl_client_source, lw);
    while (!yl_list_is_empty(&source->calls)) {
        struct yl_lister_watcher_call *call = YL_CONTAINER_OF(
            yl_list_front(&source->calls), struct yl_lister_watcher_call,
            node);

        assert(!call->depth);
        stop(lw, call);
    }
    if (source->fetcher) {
        yl_client_fetcher_put(source->client, source->fetcher);
    }
    yl_client_unref(source->client);
    yl_arena_free(source->arena);
    free(source);
}

static int
start_list(struct yl_lister_watcher *lw, const struct yl_list_options *options,
           const struct yl_list_sink *sink, void *aux,
           struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    struct yl_client_source *source
        = YL_CONTAINER_OF(lw, struct yl_client_source, lw);
    struct yl_lister_watcher_call *call = yl_lister_watcher_call_new(
        source, sink, NULL, aux);
    int r = start(call, options, err);

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
    struct yl_client_source *source
        = YL_CONTAINER_OF(lw, struct yl_client_source, lw);
    struct yl_lister_watcher_call *call = yl_lister_watcher_call_new(
        source, NULL, sink, aux);
    int r = start(call, options, err);

    if (r == 0) {
        *ret_call = call;
    }
    return r;
}

static void
stop(struct yl_lister_watcher *lw, struct yl_lister_watcher_call *call)
{
    (void) lw;
    yl_lister_watcher_call_stop(call);
}

/* Frees 'call' on failure. */
static int
start(struct yl_lister_watcher_call *call,
      const struct yl_list_options *options, struct yl_error *err)
{
    struct yl_client_source *source = call->source;
    struct yl_list_options own = *options;
    bool watch = call->watch_sink != NULL;
    struct yl_arena *arena = yl_arena_new();
    struct yl_client_headers headers;
    struct yl_credentials_use use;
    struct yl_http_call http = { .timeout = 0 };
    struct yl_target target;
    int r;

    if (!own.label_selector.size) {
        own.label_selector = source->opts.label_selector;
    }
    if (!own.field_selector.size) {
        own.field_selector = source->opts.field_selector;
    }
    if (watch && own.timeout_seconds > 0
        && own.timeout_seconds < INT64_MAX / 1000 - WATCH_GRACE) {
        http.timeout = own.timeout_seconds * 1000 + WATCH_GRACE;
    }
    yl_target_init(&target);
    r = yl_target_path(&target, &(struct yl_target_parts) {
        .prefix = yl_str_c(source->client->prefix),
        .resource = &source->resource,
        .namespace_ = source->opts.namespace_,
    }, err);
    yl_target_add_list(&target, &own, watch);
    if (r == 0) {
        r = yl_target_text(&target, &http.target, err);
    }
    if (r == 0 && !source->fetcher) {
        r = yl_client_fetcher_get(source->client, source->loop,
                                  &source->fetcher, err);
    }
    if (r == 0) {
        r = yl_client_try_identify(source->client, arena, &use, err);
    }
    if (r == 0) {
        headers = yl_client_headers(source->client, arena, &use, NULL,
                                    accept_of(source, watch));
        http.headers = headers.headers;
        http.n_headers = headers.n;
        call->generation = use.generation;
        call->fetch = yl_http_fetch_start(source->fetcher->fetcher, &http,
                                          &yl_lister_watcher_call_events,
                                          call);
    } else {
        yl_lister_watcher_call_free(call);
    }
    yl_target_release(&target);
    yl_arena_free(arena);
    return r;
}

/* A server that has no partial objects answers with whole ones. */
static const char *
accept_of(const struct yl_client_source *source, bool watch)
{
    if (!source->opts.metadata_only) {
        return NULL;
    }
    return watch ? "application/json;as=PartialObjectMetadata;"
                   "g=meta.k8s.io;v=v1,application/json"
                 : "application/json;as=PartialObjectMetadataList;"
                   "g=meta.k8s.io;v=v1,application/json";
}
