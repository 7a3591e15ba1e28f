/* The calls about many objects: list, watch, delete a collection. */

#include "yuloh/client.h"

#include "client/answer.h"
#include "client/call.h"
#include "client/delete_body.h"
#include "client/target.h"
#include "client/watch_reader.h"
#include "yuloh/arena.h"

/* Objects on a page if the caller does not say. */
#define PAGE 500

/* How long the deletion of a collection takes at most if nobody says more. */
#define DELETE_TIMEOUT 60000

/* A list or watch that is under way. */
struct stream {
    struct yl_object_list_reader *list;     /* Of the page. */
    struct yl_watch_reader watch;
    yl_client_item_fn *item;
    yl_client_event_fn *event;
    void *aux;
    struct yl_error err;        /* What is wrong with the bytes, or what they
                                 * say is wrong. */
    bool stopped;               /* The callback wants no more. */
};

static int run(struct yl_client *, const struct yl_resource *,
               struct yl_str namespace_, const struct yl_list_options *,
               struct yl_call *, bool watch, yl_call_body_fn *, void *aux,
               struct yl_error *);
static int list_page(struct yl_client *, const struct yl_resource *,
                     struct yl_str namespace_, const struct yl_list_options *,
                     const struct yl_call_opts *, struct stream *,
                     struct yl_arena *, struct yl_list_page *ret_page,
                     struct yl_error *);
static int end_stream(struct stream *, int r, struct yl_error *);
static int on_list_bytes(void *stream_, struct yl_str);
static int on_item(void *stream_, struct yl_object *);
static int on_watch_bytes(void *stream_, struct yl_str);
static int on_event(void *stream_, struct yl_watch_event *);
static int discard(void *aux, struct yl_str);

int
yl_client_list(struct yl_client *client, const struct yl_resource *resource,
               struct yl_str namespace_, const struct yl_list_options *options,
               yl_client_item_fn *item, void *aux,
               const struct yl_call_opts *opts, struct yl_list_page *ret_page,
               struct yl_error *err)
{
    struct yl_list_options page_options = { .limit = 0 };
    struct stream stream = { .item = item, .aux = aux };
    struct yl_arena *arena = yl_arena_new();
    struct yl_list_page page = { .revision = 0 };
    uint64_t revision = 0;
    int r;

    if (options) {
        page_options = *options;
    }
    r = yl_list_options_check(&page_options, false, &revision, err);

    /* A revision alone asks for one that is not older, but together with a
     * limit for that very one. */
    if (page_options.limit == 0
        && (!revision || page_options.resource_version_match)) {
        page_options.limit = PAGE;
    }
    while (r == 0) {
        yl_arena_clear(arena);
        r = list_page(client, resource, namespace_, &page_options, opts,
                      &stream, arena, &page, err);
        if (r < 0 || stream.stopped || !page.continue_.size) {
            break;
        }

        /* The token says which revision it is; it must stand alone. */
        page_options.continue_ = page.continue_;
        page_options.resource_version = yl_str_null();
        page_options.resource_version_match = YL_MATCH_UNSET;
    }
    if (r == 0 && ret_page) {
        page.continue_ = yl_str_null();
        *ret_page = page;
    }
    yl_arena_free(arena);
    return r;
}

int
yl_client_watch(struct yl_client *client, const struct yl_resource *resource,
                struct yl_str namespace_,
                const struct yl_list_options *options,
                yl_client_event_fn *event, void *aux,
                const struct yl_call_opts *opts, struct yl_error *err)
{
    static const struct yl_list_options none;
    struct stream stream = { .event = event, .aux = aux };
    uint64_t revision;
    int r;

    options = options ? options : &none;
    r = yl_list_options_check(options, true, &revision, err);
    if (r < 0) {
        return r;
    }
    yl_watch_reader_init(&stream.watch, on_event, &stream);
    r = run(client, resource, namespace_, options, &(struct yl_call) {
        .method = "GET", .opts = opts, .is_watch = true,
    }, true, on_watch_bytes, &stream, err);
    if (r == 0) {
        r = yl_watch_reader_finish(&stream.watch, &stream.err);
    }
    r = end_stream(&stream, r, err);
    yl_watch_reader_release(&stream.watch);
    return r;
}

int
yl_client_delete_collection(struct yl_client *client,
                            const struct yl_resource *resource,
                            struct yl_str namespace_,
                            const struct yl_delete_opts *options,
                            const struct yl_list_options *which,
                            const struct yl_call_opts *opts,
                            struct yl_error *err)
{
    static const struct yl_list_options all;
    struct yl_buf body;
    int r;

    yl_buf_init(&body, (size_t) 1 << 20);
    yl_delete_body_write(&body, options, opts);
    r = run(client, resource, namespace_, which ? which : &all,
            &(struct yl_call) {
        .method = "DELETE",
        .body = body.size ? yl_buf_str(&body) : yl_str_null(),
        .content_type = "application/json",
        .opts = opts,
        .timeout = DELETE_TIMEOUT,
    }, false, discard, NULL, err);
    yl_buf_release(&body);
    return r;
}

/* Sends a request for a collection. */
static int
run(struct yl_client *client, const struct yl_resource *resource,
    struct yl_str namespace_, const struct yl_list_options *options,
    struct yl_call *call, bool watch, yl_call_body_fn *body, void *aux,
    struct yl_error *err)
{
    struct yl_call_answer answer = { .http_status = 0 };
    struct yl_target target;
    int r;

    call->client = client;
    call->resource = resource;
    yl_target_init(&target);
    yl_buf_init(&answer.body, YL_ANSWER_ERROR_MAX);
    r = yl_target_path(&target, &(struct yl_target_parts) {
        .prefix = yl_str_c(client->prefix), .resource = resource,
        .namespace_ = namespace_,
    }, err);
    yl_target_add_list(&target, options, watch);
    if (r == 0) {
        r = yl_target_text(&target, &call->target, err);
    }
    if (r == 0) {
        r = yl_call_succeed(call, body, aux, &answer, err);
    }
    yl_target_release(&target);
    yl_buf_release(&answer.body);
    return r;
}

/* Lists a page; the token of the next one is in 'arena'. */
static int
list_page(struct yl_client *client, const struct yl_resource *resource,
          struct yl_str namespace_, const struct yl_list_options *options,
          const struct yl_call_opts *opts, struct stream *stream,
          struct yl_arena *arena, struct yl_list_page *ret_page,
          struct yl_error *err)
{
    struct yl_list_page page;
    int r;

    stream->list = yl_object_list_reader_new(NULL, on_item, stream);
    r = run(client, resource, namespace_, options, &(struct yl_call) {
        .method = "GET", .opts = opts,
    }, false, on_list_bytes, stream, err);
    if (r == 0) {
        r = yl_object_list_reader_finish(stream->list, &page, &stream->err);
        if (r == 0) {
            *ret_page = page;
            ret_page->continue_ = yl_arena_copy(arena, page.continue_);
        }
    }
    r = end_stream(stream, r, err);
    yl_object_list_reader_free(stream->list);
    return r;
}

/* The result of a call that ended with 'r'.  To the pool all is one whether
 * the connection, the bytes or the callback ended it; here is known which. */
static int
end_stream(struct stream *stream, int r, struct yl_error *err)
{
    if (stream->stopped) {
        yl_error_clear(err);
        r = 0;
    } else if (r < 0 && stream->err.code && err) {
        yl_error_clear(err);
        *err = stream->err;
        stream->err = (struct yl_error) YL_ERROR_INIT;
    }
    yl_error_clear(&stream->err);
    return r;
}

static int
on_list_bytes(void *stream_, struct yl_str piece)
{
    struct stream *stream = stream_;

    return yl_object_list_reader_feed(stream->list, piece, &stream->err);
}

/* Takes 'object'. */
static int
on_item(void *stream_, struct yl_object *object)
{
    struct stream *stream = stream_;
    struct yl_versioned item = { object, yl_object_revision(object) };
    int r = stream->item(stream->aux, &item);

    yl_object_unref(object);
    if (r > 0) {
        stream->stopped = true;
        r = YL_ECANCELED;       /* Ends the call; nobody sees it. */
    }
    return r;
}

static int
on_watch_bytes(void *stream_, struct yl_str piece)
{
    struct stream *stream = stream_;

    return yl_watch_reader_feed(&stream->watch, piece, &stream->err);
}

static int
on_event(void *stream_, struct yl_watch_event *event)
{
    struct stream *stream = stream_;
    int r;

    if (event->type == YL_WATCH_ERROR) {
        stream->err = event->error;
        event->error = (struct yl_error) YL_ERROR_INIT;
        return stream->err.code;
    }
    r = stream->event(stream->aux, event);
    if (r > 0) {
        stream->stopped = true;
        r = YL_ECANCELED;       /* Ends the call; nobody sees it. */
    }
    return r;
}

/* The answer to the deletion of a collection is all that was deleted. */
static int
discard(void *aux, struct yl_str piece)
{
    (void) aux;
    (void) piece;
    return 0;
}
