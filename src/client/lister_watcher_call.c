/* A list or watch of the lister-watcher over HTTP.
 *
 * A sink may stop the call that it is told about.  The readers are in use
 * then, so the call is only marked, and freed on the way out ('depth'). */

#include "client/lister_watcher_call.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "client/answer.h"
#include "client/client.h"
#include "yuloh/log.h"

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
static void copy_text(char *out, size_t size, struct yl_str);

const struct yl_http_fetch_events yl_lister_watcher_call_events = {
    on_head, on_data, on_done,
};

struct yl_lister_watcher_call *
yl_lister_watcher_call_new(struct yl_client_source *source,
                           const struct yl_list_sink *list_sink,
                           const struct yl_watch_sink *watch_sink, void *aux)
{
    struct yl_lister_watcher_call *call = yl_zalloc(sizeof *call);

    call->source = source;
    call->list_sink = list_sink;
    call->watch_sink = watch_sink;
    call->aux = aux;
    if (list_sink) {
        call->list = yl_object_list_reader_new(NULL, on_item, call);
    }
    yl_watch_reader_init(&call->watch, on_event, call);
    yl_buf_init(&call->failure, YL_ANSWER_ERROR_MAX);
    yl_list_push_back(&source->calls, &call->node);
    return call;
}

void
yl_lister_watcher_call_free(struct yl_lister_watcher_call *call)
{
    yl_list_remove(&call->node);
    yl_object_list_reader_free(call->list);
    yl_watch_reader_release(&call->watch);
    yl_buf_release(&call->failure);
    free(call);
}

void
yl_lister_watcher_call_stop(struct yl_lister_watcher_call *call)
{
    call->stopped = true;
    if (call->fetch) {
        yl_http_fetch_stop(call->fetch);
        call->fetch = NULL;
    }
    if (!call->depth) {
        yl_lister_watcher_call_free(call);
    }
}

/* Ends a use of the call; frees it if it was stopped meanwhile.  True if it
 * is still there. */
static bool
leave(struct yl_lister_watcher_call *call)
{
    call->depth--;
    if (call->stopped && !call->depth) {
        yl_lister_watcher_call_free(call);
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

        yl_lister_watcher_call_free(call);
        sink->done(aux, NULL, err);
    } else {
        const struct yl_watch_sink *sink = call->watch_sink;
        void *aux = call->aux;

        yl_lister_watcher_call_free(call);
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
        yl_lister_watcher_call_free(call);
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
