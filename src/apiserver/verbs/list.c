/* GET of a collection: a walk over a snapshot, rendered as it is sent. */

#include "apiserver/answer/protobuf.h"
#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/selection.h"
#include "apiserver/server.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/verbs.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "builtin/columns/columns.h"
#include "object/object.h"
#include "schema/protobuf.h"
#include "schema/wire.h"
#include "yuloh/yaml.h"

/* Objects read under one lock, and checked in one turn of the loop. */
#define BATCH 64
#define TURN 1024

enum phase {
    HEAD,
    ITEMS,
    TAIL,
    SEND,                       /* Of protobuf only. */
    END,
};

struct list {
    struct yl_api_request *req;
    struct yl_view view;
    struct yl_selection selection;
    struct yl_read_options options;
    struct yl_ks_scan *scan;
    struct yl_arena *scratch;   /* Empty between two pulls, unless 'held' waits
                                 * for its conversion. */
    enum phase phase;
    int64_t left;               /* Items that may still come; -1: all. */
    bool any;                   /* Whether an item has been written. */
    bool more;                  /* Whether there are objects behind the last
                                 * one. */
    struct yl_key last;         /* Key of the last item, in the arena. */
    struct yl_versioned items[BATCH];
    int n_items, next_item;
    struct yl_view_wait wait;
    struct yl_versioned held;   /* An item whose conversion has to wait; or
                                 * none. */
    struct yl_error error;      /* Why an item could not be written. */
    struct yl_buf json;         /* For YAML: the list as JSON. */
    struct yl_buf messages;     /* For protobuf: all items, */
    size_t charged;             /* of which these bytes are charged, */
    size_t sent;                /* and these are sent. */
};

static enum yl_http_pull pull(void *list, struct yl_buf *out);
static enum yl_step respond_expired(struct yl_api_request *,
                                    const struct yl_read_options *);
static enum yl_step respond_yaml(struct list *);
static enum yl_step respond_protobuf(struct list *);
static void on_converted(struct yl_view_wait *);
static void cancel(struct yl_api_request *);
static int ask_conversion(struct yl_api_request *, struct yl_error *);
static void release(void *list);

enum yl_step
yl_verb_list(struct yl_api_request *req)
{
    static const struct yl_http_source source = { pull };
    struct list *list = yl_arena_zalloc(req->arena, sizeof *list);
    struct yl_status status = YL_STATUS_INIT;
    struct yl_ks_scan_opts opts;
    uint64_t current;
    int r;

    list->req = req;
    r = yl_read_options_parse(req, false, &list->options, &status);
    if (r == 0) {
        r = yl_selection_init(&list->selection, req, &status.error);
    }
    if (r == 0) {
        r = yl_read_options_place(req, &list->options, &status);
    }
    if (r == 0) {
        r = yl_view_init(&list->view, req, true, &status.error);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    current = yl_keyspace_revision(req->server->keyspace);
    if (list->options.revision > current) {
        yl_read_too_new(req, &status, list->options.revision, current);
        return yl_api_respond_status(req, &status);
    }
    opts = (struct yl_ks_scan_opts) {
        .namespace_ = list->selection.namespace_,
        .revision = list->options.exact ? list->options.revision : 0,
        .start = list->options.start,
        .name = list->options.continued ? yl_str_null()
                                        : list->selection.name,
    };
    r = yl_ks_scan_open(req->resource->objects, &opts, &list->scan,
                        &status.error);
    if (r == YL_EEXPIRED && list->options.continued) {
        yl_status_clear(&status);
        return respond_expired(req, &list->options);
    }
    if (r == 0 && yl_ks_scan_remaining(list->scan)
        && ask_conversion(req, &status.error) < 0) {
        yl_ks_scan_close(list->scan);
        r = status.error.code;
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    list->scratch = yl_arena_new();
    list->view.scratch = list->scratch;
    list->left = list->options.limit ? list->options.limit : -1;
    yl_view_wait_init(&list->wait, req->http->loop, on_converted);
    list->view.wait = &list->wait;
    yl_buf_init(&list->json, YL_JSON_MAX_SIZE);
    yl_buf_init(&list->messages, SIZE_MAX);
    yl_arena_attach(req->arena, release, list);
    return req->accept.yaml ? respond_yaml(list)
           : req->accept.protobuf
               ? respond_protobuf(list)
               : yl_api_respond_source(req, 200, "application/json", &source,
                                       list);
}

/* Can objects be converted to the requested version?  Once a list has begun it
 * is too late to say why not. */
static int
ask_conversion(struct yl_api_request *req, struct yl_error *err)
{
    struct yl_conversion none = {
        .resource = req->resource, .from = yl_api_resource_hub(req->resource),
        .to = req->version, .arena = req->arena, .err = err,
    };

    return yl_strategy_convert(&none);
}

static void
release(void *aux)
{
    struct list *list = aux;

    yl_view_wait_release(&list->wait);
    yl_error_clear(&list->error);
    yl_object_unref(list->held.object);
    while (list->next_item < list->n_items) {
        yl_object_unref(list->items[list->next_item++].object);
    }
    yl_ks_scan_close(list->scan);
    yl_arena_free(list->scratch);
    yl_buf_release(&list->json);
    yl_buf_release(&list->messages);
}

/* The conversion that an item waited for has ended. */
static void
on_converted(struct yl_view_wait *wait)
{
    struct list *list = YL_CONTAINER_OF(wait, struct list, wait);
    struct yl_api_request *req = list->req;

    req->cancel = NULL;
    if (req->accept.yaml) {
        yl_api_hold(req);
        respond_yaml(list);
        yl_api_release(req);
    } else if (req->http) {
        yl_http_resume(req->http);
    }
}

static void
cancel(struct yl_api_request *req)
{
    struct list *list = req->verb;

    yl_view_wait_release(&list->wait);
}

/* Ends the items.  As upstream, an empty list of metadata, and of rows of
 * kinds without columns of their own, has null in the place of an empty
 * array. */
static void
write_end_of_items(const struct list *list, struct yl_buf *out)
{
    bool null = !list->any
                && (list->view.form == YL_FORM_PARTIAL
                    || (list->view.form == YL_FORM_TABLE
                        && yl_columns_are_plain(
                            yl_view_columns(&list->view))));

    yl_buf_append_c(out, list->any ? "]" : null ? "null" : "[]");
}

/* The number of objects behind the page, if it is known. */
static bool
remaining(const struct list *list, uint64_t *ret_count)
{
    if (yl_selection_chooses(&list->selection)) {
        return false;
    }
    *ret_count = (uint64_t) (list->n_items - list->next_item)
                 + yl_ks_scan_remaining(list->scan);
    return true;
}

/* Writes the end: a page has its continue token there; a whole list has its
 * revision at the start. */
static void
write_tail(struct list *list, struct yl_buf *out)
{
    write_end_of_items(list, out);
    if (list->left >= 0) {
        uint64_t revision = yl_ks_scan_revision(list->scan), behind;

        yl_buf_printf(out, ",\"metadata\":{\"resourceVersion\":\"%llu\"",
                      (unsigned long long) revision);
        if (list->more) {
            struct yl_str token = yl_continue_token_behind(
                list->req->arena, revision, list->last,
                !yl_str_is_empty(list->req->info.namespace_));

            yl_buf_printf(out, ",\"continue\":\"%.*s\"", YL_STR_ARG(token));
            if (remaining(list, &behind)) {
                yl_buf_printf(out, ",\"remainingItemCount\":%llu",
                              (unsigned long long) behind);
            }
        } else if (yl_view_is_unstructured(&list->view)) {
            yl_buf_append_c(out, ",\"continue\":\"\"");
        }
        yl_buf_append_char(out, '}');
    }
    yl_buf_append_c(out, "}\n");
}

/* The next object; 0 at the end. */
static int
next_item(struct list *list, struct yl_versioned *ret_item)
{
    if (list->next_item == list->n_items) {
        list->next_item = 0;
        list->n_items = yl_ks_scan_next(list->scan, list->items, BATCH);
        if (list->n_items <= 0) {
            int r = list->n_items;

            list->n_items = 0;
            return r;
        }
    }
    *ret_item = list->items[list->next_item++];
    if (list->next_item < list->n_items) {
        yl_object_prefetch(list->items[list->next_item].object);
    }
    return 1;
}

/* Writes one item, with the text before it.  An item whose conversion has to
 * wait is kept in 'held', and nothing of it is written. */
static int
write_item(struct list *list, const struct yl_versioned *item,
           struct yl_buf *out)
{
    size_t start = out->size;
    int r;

    if (!list->view.protobuf) {
        yl_buf_append_char(out, list->any ? ',' : '[');
    }
    r = yl_view_write_item(&list->view, item->object, item->revision, out,
                           &list->error);
    if (r == YL_WAITING) {
        out->size = start;
        list->held = *item;
        list->req->verb = list;
        list->req->cancel = cancel;
    } else {
        list->any = true;
        list->held.object = NULL;
    }
    return r;
}

/* Writes items until the piece is large enough or the turn is over. */
static enum yl_http_pull
write_items(struct list *list, struct yl_buf *out)
{
    size_t goal = out->size + YL_HTTP_PIECE;
    int seen;

    if (yl_view_waits(&list->wait)) {
        return YL_HTTP_WAIT;
    }
    for (seen = 0; seen < TURN && out->size < goal; seen++) {
        struct yl_versioned item = list->held;
        int r = item.object ? 1 : next_item(list, &item);

        if (r <= 0) {
            list->phase = TAIL;
            return r < 0 ? YL_HTTP_ABORT : YL_HTTP_MORE;
        }
        if (list->left == 0 && !list->held.object
            && (list->options.continued
                || yl_str_is_empty(list->selection.name))) {
            /* There is an object behind the page.  Whether it matches is not
             * checked: the next page may turn out empty. */
            list->next_item--;
            list->more = true;
            list->phase = TAIL;
            return YL_HTTP_MORE;
        }
        if (list->held.object
            || yl_selection_matches(&list->selection, item.object,
                                    list->scratch)) {
            r = write_item(list, &item, out);
            if (r == YL_WAITING) {
                return YL_HTTP_WAIT;
            }
            if (list->left > 0 && --list->left == 0) {
                struct yl_key key = yl_object_key(item.object);

                list->last = *yl_key_copy(&key, list->req->arena);
            }
        }
        yl_object_unref(item.object);
        yl_arena_clear(list->scratch);
        if (r < 0) {
            return YL_HTTP_ABORT;
        }
    }
    return YL_HTTP_MORE;
}

/* Writes items to a piece.  While the client does not read, the list keeps no
 * scratch memory, unless an item waits for its conversion there. */
static enum yl_http_pull
pull_items(struct list *list, struct yl_buf *out)
{
    enum yl_http_pull pulled = write_items(list, out);

    if (!list->held.object) {
        yl_arena_release(list->scratch);
    }
    return pulled;
}

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct list *list = aux;
    size_t before = out->size;
    enum yl_http_pull pulled = YL_HTTP_MORE;

    switch (list->phase) {
    case HEAD:
        yl_view_write_list_head(&list->view, list->left < 0
                                ? yl_ks_scan_revision(list->scan) : 0, out);
        list->phase = ITEMS;
        break;
    case ITEMS:
        pulled = pull_items(list, out);
        break;
    case TAIL:
        write_tail(list, out);
        list->phase = END;
        return YL_HTTP_END;
    case SEND:
    case END:
        return YL_HTTP_END;
    }
    if (pulled == YL_HTTP_MORE && out->size == before
        && list->phase == ITEMS) {
        /* Nothing matched in this turn; other work of the loop comes first. */
        if (list->req->http) {
            yl_http_resume(list->req->http);
        }
        return YL_HTTP_WAIT;
    }
    return pulled;
}

/* Answers in YAML, which needs the whole list at once.  Called again after a
 * wait. */
static enum yl_step
respond_yaml(struct list *list)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str yaml;
    enum yl_http_pull pulled;

    do {
        pulled = pull(list, &list->json);
        if (yl_view_waits(&list->wait)) {
            return YL_STEP_WAIT;
        }
    } while (pulled == YL_HTTP_MORE || pulled == YL_HTTP_WAIT);
    if (pulled == YL_HTTP_ABORT) {
        if (!list->error.code) {
            yl_error_set(&list->error, YL_EINTERNAL,
                         "the list cannot be read to its end");
        }
        return yl_api_respond_error(list->req, &list->error);
    }
    if (yl_buf_error(&list->json)) {
        yl_error_set(&err, YL_ETOOBIG, "the list is too large for YAML; ask "
                                       "for JSON, or for pages with limit");
        return yl_api_respond_error(list->req, &err);
    }
    if (yl_yaml_from_json(list->req->arena, yl_buf_str(&list->json), &yaml,
                          &err) < 0) {
        return yl_api_respond_error(list->req, &err);
    }
    return yl_api_respond(list->req, 200, "application/yaml", yaml);
}

/* { 1: { 2: revision, 3: continue, 4: how many remain } } */
static void
write_metadata(struct list *list, struct yl_buf *out)
{
    size_t opened = yl_wire_open(out, 1);
    uint64_t revision = yl_ks_scan_revision(list->scan), behind;

    yl_wire_put_bytes(out, 2, yl_str_c(yl_arena_printf(
                          list->req->arena, "%llu",
                          (unsigned long long) revision)));
    if (list->more) {
        yl_wire_put_bytes(out, 3, yl_continue_token_behind(
                              list->req->arena, revision, list->last,
                              !yl_str_is_empty(list->req->info.namespace_)));
    }
    if (list->more && remaining(list, &behind)) {
        yl_wire_put_varint(out, 4, behind);
    }
    yl_wire_close(out, opened);
}

/* Writes the envelope; the size of its message is known only now. */
static void
write_envelope(struct list *list, struct yl_buf *out)
{
    const struct yl_view *view = &list->view;
    bool partial = view->form == YL_FORM_PARTIAL;
    struct yl_buf metadata;
    size_t type;

    yl_buf_init(&metadata, SIZE_MAX);
    write_metadata(list, &metadata);
    yl_buf_append_str(out, YL_PROTOBUF_MAGIC);
    type = yl_wire_open(out, 1);
    yl_wire_put_bytes(out, 1, partial ? view->meta.api_version
                                      : view->type.api_version);
    yl_wire_put_bytes(out, 2, partial ? YL_STR("PartialObjectMetadataList")
                                      : view->list_kind);
    yl_wire_close(out, type);
    yl_wire_put_head(out, 2, metadata.size + list->messages.size);
    yl_buf_append_str(out, yl_buf_str(&metadata));
    yl_buf_release(&metadata);
}

/* Collects the items turn by turn, and sends them when all are there. */
static enum yl_http_pull
pull_protobuf(void *aux, struct yl_buf *out)
{
    struct list *list = aux;
    enum yl_http_pull pulled;
    struct yl_str rest;

    switch (list->phase) {
    case HEAD:
    case ITEMS:
        list->phase = ITEMS;
        pulled = pull_items(list, &list->messages);
        if (pulled == YL_HTTP_ABORT || !list->req->http
            || yl_http_charge(list->req->http,
                              list->messages.capacity - list->charged) < 0) {
            return YL_HTTP_ABORT;
        }
        list->charged = list->messages.capacity;
        if (list->phase == TAIL) {
            return YL_HTTP_MORE;
        }
        if (pulled != YL_HTTP_WAIT) {
            yl_http_resume(list->req->http);
        }
        return YL_HTTP_WAIT;
    case TAIL:
        write_envelope(list, out);
        list->phase = SEND;
        return YL_HTTP_MORE;
    case SEND:
        rest = yl_str_skip(yl_buf_str(&list->messages), list->sent);
        if (rest.size > YL_HTTP_PIECE) {
            rest.size = YL_HTTP_PIECE;
        }
        yl_buf_append_str(out, rest);
        list->sent += rest.size;
        if (list->sent < list->messages.size) {
            return YL_HTTP_MORE;
        }
        list->phase = END;
        break;
    case END:
        break;
    }
    return YL_HTTP_END;
}

static enum yl_step
respond_protobuf(struct list *list)
{
    static const struct yl_http_source source = { pull_protobuf };

    return yl_api_respond_source(list->req, 200, YL_PROTOBUF_MEDIA_TYPE,
                                 &source, list);
}

/* Answers 410, as the page's revision is no longer kept.  The client can start
 * over, or read the rest as it is now. */
static enum yl_step
respond_expired(struct yl_api_request *req, const struct yl_read_options *o)
{
    const struct yl_continue_token rest = { -1, o->token.start };
    struct yl_status status = YL_STATUS_INIT;

    yl_status_expired(&status, YL_STR(
        "The provided continue parameter is too old to display a consistent "
        "list result. You can start a new list without the continue "
        "parameter, or use the continue token in this response to retrieve "
        "the remainder of the results. Continuing with the provided token "
        "results in an inconsistent list - objects that were created, "
        "modified, or deleted between the time the first chunk was returned "
        "and now may show up in the list."));
    status.continue_ = yl_strdup(yl_continue_token_write(req->arena, &rest));
    return yl_api_respond_status(req, &status);
}
