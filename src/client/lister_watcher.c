/* A lister-watcher over HTTP, on a loop.
 *
 *     fetch -> head -> 200: list reader or watch reader -> sink
 *                   -> else: the error is collected     -> 'done'
 *
 * A sink may stop the call that it is told about.  The readers are in use
 * then, so the call is only marked, and freed on the way out ('depth'). */

#include "yuloh/client.h"

#include <assert.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/list.h"
#include "client/answer.h"
#include "client/client.h"
#include "client/target.h"
#include "client/watch_reader.h"
#include "net/http_fetcher.h"
#include "yuloh/arena.h"
#include "yuloh/log.h"
#include "yuloh/loop.h"

/* How much longer than 'timeout_seconds' a watch may take: it is the server
 * that ends it, and this is for one that does not. */
#define WATCH_GRACE 30000

struct source {
    struct yl_lister_watcher lw;
    struct yl_client *client;
    struct yl_loop *loop;
    struct yl_client_fetcher *fetcher;  /* NULL before the first call. */
    struct yl_resource resource;        /* Its texts are in 'arena'. */
    struct yl_client_lister_watcher_opts opts;
    struct yl_arena *arena;
    struct yl_list calls;       /* Of struct yl_lister_watcher_call. */
};

struct yl_lister_watcher_call {
    struct yl_list node;        /* In the source's 'calls'. */
    struct source *source;
    struct yl_http_fetch *fetch;        /* NULL when it has ended. */
    const struct yl_list_sink *list_sink;       /* One of these two. */
    const struct yl_watch_sink *watch_sink;
    void *aux;

    int http_status;            /* 0 before the head. */
    uint64_t generation;        /* Of the credentials that were sent. */
    char content_type[64];
    char retry_after[16];
    struct yl_object_list_reader *list;
    struct yl_watch_reader watch;
    struct yl_buf failure;      /* Body of an answer that failed. */

    int depth;                  /* Functions of this file that use it. */
    bool stopped;
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
static int start(struct yl_lister_watcher_call *,
                 const struct yl_list_options *, struct yl_error *);
static struct yl_lister_watcher_call *call_new(struct source *, void *aux);
static void call_free(struct yl_lister_watcher_call *);
static bool leave(struct yl_lister_watcher_call *);
static void finish(struct yl_lister_watcher_call *, int code,
                   const struct yl_error *);
static void finish_list(struct yl_lister_watcher_call *);
static void finish_watch(struct yl_lister_watcher_call *);
static void on_head(void *call_, struct yl_http_fetch *,
                    const struct yl_http_answer *);
static void on_data(void *call_, struct yl_http_fetch *, struct yl_str);
static void on_done(void *call_, struct yl_http_fetch *, int code,
                    const struct yl_error *);
static int on_item(void *call_, struct yl_object *);
static int on_event(void *call_, struct yl_watch_event *);
static const char *accept_of(const struct source *, bool watch);
static void copy_text(char *out, size_t size, struct yl_str);

static const struct yl_http_fetch_events events = {
    on_head, on_data, on_done,
};

struct yl_lister_watcher *
yl_client_lister_watcher_new(struct yl_client *client, struct yl_loop *loop,
                             const struct yl_resource *resource,
                             const struct yl_client_lister_watcher_opts *opts)
{
    struct source *source = yl_zalloc(sizeof *source);

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
    struct source *source;

    if (!lw) {
        return;
    }
    source = YL_CONTAINER_OF(lw, struct source, lw);
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
    struct source *source = YL_CONTAINER_OF(lw, struct source, lw);
    struct yl_lister_watcher_call *call = call_new(source, aux);
    int r;

    call->list_sink = sink;
    call->list = yl_object_list_reader_new(NULL, on_item, call);
    r = start(call, options, err);
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
    struct source *source = YL_CONTAINER_OF(lw, struct source, lw);
    struct yl_lister_watcher_call *call = call_new(source, aux);
    int r;

    call->watch_sink = sink;
    r = start(call, options, err);
    if (r == 0) {
        *ret_call = call;
    }
    return r;
}

static void
stop(struct yl_lister_watcher *lw, struct yl_lister_watcher_call *call)
{
    (void) lw;
    call->stopped = true;
    if (call->fetch) {
        yl_http_fetch_stop(call->fetch);
        call->fetch = NULL;
    }
    if (!call->depth) {
        call_free(call);
    }
}

/* Frees 'call' on failure. */
static int
start(struct yl_lister_watcher_call *call,
      const struct yl_list_options *options, struct yl_error *err)
{
    struct source *source = call->source;
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
                                          &events, call);
    } else {
        call_free(call);
    }
    yl_target_release(&target);
    yl_arena_free(arena);
    return r;
}

static struct yl_lister_watcher_call *
call_new(struct source *source, void *aux)
{
    struct yl_lister_watcher_call *call = yl_zalloc(sizeof *call);

    call->source = source;
    call->aux = aux;
    yl_buf_init(&call->failure, YL_ANSWER_ERROR_MAX);
    yl_watch_reader_init(&call->watch, on_event, call);
    yl_list_push_back(&source->calls, &call->node);
    return call;
}

static void
call_free(struct yl_lister_watcher_call *call)
{
    yl_list_remove(&call->node);
    yl_object_list_reader_free(call->list);
    yl_watch_reader_release(&call->watch);
    yl_buf_release(&call->failure);
    free(call);
}

/* Ends a use of the call; frees it if it was stopped meanwhile.  True if it
 * is still there. */
static bool
leave(struct yl_lister_watcher_call *call)
{
    call->depth--;
    if (call->stopped && !call->depth) {
        call_free(call);
        return false;
    }
    return !call->stopped;
}

static void
on_head(void *call_, struct yl_http_fetch *fetch,
        const struct yl_http_answer *head)
{
    struct yl_lister_watcher_call *call = call_;

    (void) fetch;
    call->http_status = head->status;
    if (head->status == 401) {
        yl_credentials_refused(call->source->client->credentials,
                               call->generation);
    }
    copy_text(call->content_type, sizeof call->content_type,
              yl_http_answer_header(head, YL_STR("content-type")));
    copy_text(call->retry_after, sizeof call->retry_after,
              yl_http_answer_header(head, YL_STR("retry-after")));
    yl_call_metrics_count_watch(&call->source->client->metrics,
                                head->status);
    yl_log_v(6, "Response", YL_LOG_C("verb", call->list ? "LIST" : "WATCH"),
             YL_LOG_STR("resource", call->source->resource.gvr.resource),
             YL_LOG_STR("namespace", call->source->opts.namespace_),
             YL_LOG_INT("status", head->status));
    yl_client_warn(call->source->client, head);
}

static void
on_data(void *call_, struct yl_http_fetch *fetch, struct yl_str piece)
{
    struct yl_lister_watcher_call *call = call_;
    struct yl_error err = YL_ERROR_INIT;
    int r = 0;

    call->depth++;
    if (!yl_answer_is_success(call->http_status)) {
        size_t room = call->failure.ceiling - call->failure.size;

        yl_buf_append(&call->failure, piece.data,
                      piece.size < room ? piece.size : room);
    } else if (call->list) {
        r = yl_object_list_reader_feed(call->list, piece, &err);
    } else {
        r = yl_watch_reader_feed(&call->watch, piece, &err);
    }
    if (leave(call)) {
        if (r < 0) {
            call->fetch = NULL;
            yl_http_fetch_stop(fetch);
            finish(call, r, &err);
        } else {
            yl_http_fetch_consume(fetch, piece.size);
        }
    }
    yl_error_clear(&err);
}

static void
on_done(void *call_, struct yl_http_fetch *fetch, int code,
        const struct yl_error *err)
{
    struct yl_lister_watcher_call *call = call_;

    (void) fetch;
    call->fetch = NULL;
    if (code < 0 && !call->http_status) {
        yl_call_metrics_count_watch(&call->source->client->metrics, 0);
    }
    if (code < 0) {
        finish(call, code, err);
    } else if (!yl_answer_is_success(call->http_status)) {
        struct yl_error failure = YL_ERROR_INIT;

        code = yl_answer_error(&(struct yl_answer) {
            .http_status = call->http_status,
            .content_type = yl_str_c(call->content_type),
            .retry_after = yl_str_c(call->retry_after),
            .body = yl_buf_str(&call->failure),
            .method = YL_STR("GET"),
            .gvr = call->source->resource.gvr,
        }, &failure);
        finish(call, code, &failure);
        yl_error_clear(&failure);
    } else if (call->list) {
        finish_list(call);
    } else {
        finish_watch(call);
    }
}

/* Tells the sink that the call has failed, or if 'code' is 0 that the watch
 * has ended, and frees the call. */
static void
finish(struct yl_lister_watcher_call *call, int code,
       const struct yl_error *err)
{
    struct yl_error own = YL_ERROR_INIT;

    if (code < 0 && (!err || !err->code)) {
        yl_error_set(&own, code, "%s", yl_error_text(code));
        err = &own;
    }
    err = code < 0 ? err : NULL;

    /* The call is gone before its sink is told. */
    if (call->list_sink) {
        const struct yl_list_sink *sink = call->list_sink;
        void *aux = call->aux;

        call_free(call);
        sink->done(aux, NULL, err);
    } else {
        const struct yl_watch_sink *sink = call->watch_sink;
        void *aux = call->aux;

        call_free(call);
        sink->done(aux, err);
    }
    yl_error_clear(&own);
}

static void
finish_list(struct yl_lister_watcher_call *call)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_list_page page;
    int r;

    /* The list's last bytes have been read, so no item comes from here. */
    r = yl_object_list_reader_finish(call->list, &page, &err);
    if (r < 0) {
        finish(call, r, &err);
    } else {
        const struct yl_list_sink *sink = call->list_sink;
        struct yl_object_list_reader *list = call->list;
        void *aux = call->aux;

        call->list = NULL;      /* It holds the page's token. */
        call_free(call);
        sink->done(aux, &page, NULL);
        yl_object_list_reader_free(list);
    }
    yl_error_clear(&err);
}

static void
finish_watch(struct yl_lister_watcher_call *call)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    call->depth++;
    r = yl_watch_reader_finish(&call->watch, &err);
    if (leave(call)) {
        finish(call, r, &err);
    }
    yl_error_clear(&err);
}

/* Takes 'object'. */
static int
on_item(void *call_, struct yl_object *object)
{
    struct yl_lister_watcher_call *call = call_;
    struct yl_versioned item = { object, yl_object_revision(object) };

    call->list_sink->item(call->aux, item);
    return call->stopped ? YL_ECANCELED : 0;
}

static int
on_event(void *call_, struct yl_watch_event *event)
{
    struct yl_lister_watcher_call *call = call_;

    call->watch_sink->event(call->aux, event);
    return call->stopped ? YL_ECANCELED : 0;
}

/* A server that has no partial objects answers with whole ones. */
static const char *
accept_of(const struct source *source, bool watch)
{
    if (!source->opts.metadata_only) {
        return NULL;
    }
    return watch ? "application/json;as=PartialObjectMetadata;"
                   "g=meta.k8s.io;v=v1,application/json"
                 : "application/json;as=PartialObjectMetadataList;"
                   "g=meta.k8s.io;v=v1,application/json";
}

/* The text with a NUL; nothing if it does not fit. */
static void
copy_text(char *out, size_t size, struct yl_str text)
{
    if (text.size >= size) {
        text.size = 0;
    }
    memcpy(out, text.data ? text.data : "", text.size);
    out[text.size] = '\0';
}
