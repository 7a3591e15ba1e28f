/* DELETE of a collection: every object that the selectors choose, one by one.
 *
 *     scan -> chosen -> a deletion each, WINDOW of them under way -> list
 *
 * The scan goes on as deletions end, so neither a large collection nor a slow
 * disk blocks the loop.  The answer lists the objects as they were found.  The
 * first deletion that fails ends the request; objects that are deleted by then
 * stay deleted. */

#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/selection.h"
#include "apiserver/server.h"
#include "apiserver/verbs/delete.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/verbs.h"
#include "base/alloc.h"
#include "builtin/columns/columns.h"
#include "yuloh/arena.h"

#include <stdlib.h>

/* Deletions under way, objects read under one lock, and objects checked in one
 * turn of the loop. */
#define WINDOW 32
#define BATCH 64
#define TURN 1024

struct collection {
    struct yl_api_request *req;
    struct yl_deletion_options options;
    struct yl_read_options read;
    struct yl_selection selection;
    struct yl_view view;
    struct yl_arena *scratch;

    struct yl_ks_scan *scan;
    struct yl_versioned batch[BATCH];
    int n_batch, next;
    int64_t left;               /* Objects that may still be chosen; -1: any
                                 * number. */
    bool ended;                 /* Nothing more will be started. */
    bool more;                  /* There are more objects behind the last
                                 * one. */

    struct yl_versioned *items; /* The objects that were chosen, for the
                                 * answer. */
    size_t n_items, capacity;
    size_t written;             /* How many of them are in the answer. */
    struct yl_view_wait wait;   /* Of the next one's conversion. */
    struct yl_buf json;         /* The answer, if it is needed as a whole. */

    struct yl_deletion slots[WINDOW];
    bool busy[WINDOW];
    size_t n_busy;
    bool starting;              /* Set while a deletion starts, as it may end
                                 * at once. */
    struct yl_loop_task again;
    bool posted;                /* 'again' waits for its turn. */
    int result;
    struct yl_status status;
};

static void proceed(struct collection *);
static bool next_chosen(struct collection *, struct yl_versioned *);
static int next_item(struct collection *, struct yl_versioned *);
static void start(struct collection *, const struct yl_versioned *);
static void keep(struct collection *, struct yl_versioned);
static void on_deleted(struct yl_write *);
static void on_turn(struct yl_loop_task *);
static void answer(struct collection *);
static enum yl_http_pull pull(void *, struct yl_buf *);
static void write_tail(const struct collection *, struct yl_buf *);
static void respond_whole(struct collection *);
static void on_converted(struct yl_view_wait *);
static void cancel(struct yl_api_request *);
static void release(void *);

enum yl_step
yl_verb_deletecollection(struct yl_api_request *req)
{
    struct collection *c = yl_arena_zalloc(req->arena, sizeof *c);
    struct yl_status status = YL_STATUS_INIT;
    struct yl_ks_scan_opts scan = { .revision = 0 };
    int r;

    c->req = req;
    r = yl_read_options_parse(req, false, &c->read, &status);
    if (r == 0) {
        r = yl_selection_init(&c->selection, req, &status.error);
    }
    if (r == 0) {
        r = yl_delete_options_read(req, &c->options, &status);
    }
    if (r == 0) {
        r = yl_read_options_place(req, &c->read, &status);
    }
    if (r == 0) {
        r = yl_view_init(&c->view, req, true, &status.error);
    }
    if (r == 0) {
        scan.namespace_ = c->selection.namespace_;
        scan.start = c->read.start;
        scan.revision = c->read.exact ? c->read.revision : 0;
        r = yl_ks_scan_open(req->resource->objects, &scan, &c->scan,
                            &status.error);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    yl_deletion_warn(req, &c->options);
    c->left = c->read.limit ? c->read.limit : -1;
    c->scratch = yl_arena_new();
    c->view.scratch = c->scratch;
    yl_view_wait_init(&c->wait, req->http->loop, on_converted);
    c->view.wait = &c->wait;
    yl_buf_init(&c->json, YL_JSON_MAX_SIZE);
    c->again.run = on_turn;
    yl_arena_attach(req->arena, release, c);
    proceed(c);
    return req->answered ? YL_STEP_DONE : YL_STEP_WAIT;
}

/* Starts deletions as far as the window allows; answers when all have
 * ended. */
static void
proceed(struct collection *c)
{
    struct yl_versioned item;
    int seen = 0;

    c->starting = true;
    while (!c->ended && c->n_busy < WINDOW && seen++ < TURN) {
        if (next_chosen(c, &item)) {
            keep(c, item);
            start(c, &item);
        }
    }
    c->starting = false;
    if (c->ended && !c->n_busy) {
        answer(c);
    } else if (!c->ended && c->n_busy < WINDOW && !c->posted) {
        c->posted = true;
        yl_api_hold(c->req);
        yl_loop_post(c->req->http->loop, &c->again);
    }
}

/* Finds the next object that the selectors choose. */
static bool
next_chosen(struct collection *c, struct yl_versioned *item)
{
    bool chosen, any = next_item(c, item) > 0;

    if (c->left == 0 || !any) {
        c->more = any;
        c->next -= any;
        c->ended = true;
        return false;
    }
    chosen = yl_selection_matches(&c->selection, item->object, c->scratch);
    yl_arena_clear(c->scratch);
    if (!chosen) {
        yl_object_unref(item->object);
    } else if (c->left > 0) {
        c->left--;
    }
    return chosen;
}

static int
next_item(struct collection *c, struct yl_versioned *item)
{
    if (c->next == c->n_batch) {
        int n = yl_ks_scan_next(c->scan, c->batch, BATCH);

        c->next = 0;
        c->n_batch = n > 0 ? n : 0;
        if (n <= 0) {
            return n;
        }
    }
    *item = c->batch[c->next++];
    return 1;
}

static void
start(struct collection *c, const struct yl_versioned *item)
{
    struct yl_deletion *deletion;
    size_t i = 0;

    while (c->busy[i]) {
        i++;
    }
    c->busy[i] = true;
    c->n_busy++;
    deletion = &c->slots[i];
    deletion->write.request = c->req;
    deletion->write.resource = c->req->resource;
    deletion->write.key = yl_object_key(item->object);
    deletion->write.dry_run = c->options.dry_run;
    deletion->write.tries = 0;
    deletion->write.ops = &yl_deletion_ops;
    deletion->write.finish = on_deleted;
    deletion->write.aux = c;
    deletion->options = c->options;
    deletion->marked_by = 0;
    deletion->deleted = false;
    yl_write_start(&deletion->write);
}

/* Keeps the object: the answer shows it, and its key is used until then. */
static void
keep(struct collection *c, struct yl_versioned item)
{
    if (c->n_items == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : BATCH;
        c->items = yl_realloc_array(c->items, c->capacity, sizeof *c->items);
    }
    c->items[c->n_items++] = item;
}

static void
on_deleted(struct yl_write *w)
{
    struct yl_deletion *deletion = YL_CONTAINER_OF(w, struct yl_deletion,
                                                   write);
    struct collection *c = w->aux;

    if (w->result < 0 && w->result != YL_ENOTFOUND && c->result == 0) {
        c->result = w->result;
        c->status = w->status;
        w->status = (struct yl_status) YL_STATUS_INIT;
        c->ended = true;
    }
    c->busy[deletion - c->slots] = false;
    c->n_busy--;
    if (!c->starting) {
        proceed(c);
    }
}

static void
on_turn(struct yl_loop_task *task)
{
    struct collection *c = YL_CONTAINER_OF(task, struct collection, again);
    struct yl_api_request *req = c->req;

    c->posted = false;
    if (!req->ended && !req->answered) {
        proceed(c);
    }
    yl_api_release(req);
}

static void
answer(struct collection *c)
{
    static const struct yl_http_source source = { pull };

    if (c->result < 0) {
        yl_api_respond_status(c->req, &c->status);
    } else if (c->req->accept.yaml || c->req->accept.protobuf) {
        c->view.protobuf = false;       /* The whole answer is translated at
                                         * the end. */
        respond_whole(c);
    } else {
        yl_api_respond_source(c->req, 200, "application/json", &source, c);
    }
}

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct collection *c = aux;
    size_t goal = out->size + YL_HTTP_PIECE;

    if (yl_view_waits(&c->wait)) {
        return YL_HTTP_WAIT;
    }
    if (c->written == 0 && !c->wait.done) {
        yl_view_write_list_head(&c->view, c->read.limit
                                ? 0 : yl_ks_scan_revision(c->scan), out);
    }
    while (c->written < c->n_items && out->size < goal) {
        const struct yl_versioned *item = &c->items[c->written];
        size_t start = out->size;
        int r;

        yl_buf_append_char(out, c->written ? ',' : '[');
        r = yl_view_write_item(&c->view, item->object, item->revision, out,
                               NULL);
        if (r == YL_WAITING) {
            out->size = start;
            c->req->verb = c;
            c->req->cancel = cancel;
            return YL_HTTP_WAIT;
        } else if (r < 0) {
            return YL_HTTP_ABORT;
        }
        c->written++;
        yl_arena_clear(c->scratch);
    }
    if (c->written < c->n_items) {
        return YL_HTTP_MORE;
    }
    write_tail(c, out);
    return YL_HTTP_END;
}

/* Writes the end of the list: a page has a continue token. */
static void
write_tail(const struct collection *c, struct yl_buf *out)
{
    bool null = c->view.form == YL_FORM_PARTIAL
                || (c->view.form == YL_FORM_TABLE
                    && yl_columns_are_plain(yl_view_columns(&c->view)));
    uint64_t revision = yl_ks_scan_revision(c->scan);

    yl_buf_append_c(out, c->n_items ? "]" : null ? "null" : "[]");
    if (c->read.limit) {
        yl_buf_printf(out, ",\"metadata\":{\"resourceVersion\":\"%llu\"",
                      (unsigned long long) revision);
        if (c->more) {
            struct yl_str token = yl_continue_token_behind(
                c->req->arena, revision,
                yl_object_key(c->items[c->n_items - 1].object),
                !yl_str_is_empty(c->req->info.namespace_));

            yl_buf_printf(out, ",\"continue\":\"%.*s\"", YL_STR_ARG(token));
        }
        if (c->more && !yl_selection_chooses(&c->selection)) {
            yl_buf_printf(out, ",\"remainingItemCount\":%llu",
                          (unsigned long long) (c->n_batch - c->next)
                          + (unsigned long long)
                            yl_ks_scan_remaining(c->scan));
        }
        yl_buf_append_char(out, '}');
    }
    yl_buf_append_c(out, "}\n");
}

/* Answers in another form than JSON, which needs the whole list at once.
 * Called again after a wait. */
static void
respond_whole(struct collection *c)
{
    struct yl_error err = YL_ERROR_INIT;
    enum yl_http_pull pulled;

    do {
        pulled = pull(c, &c->json);
    } while (pulled == YL_HTTP_MORE && !yl_buf_error(&c->json));
    if (pulled == YL_HTTP_WAIT) {
        return;
    } else if (pulled == YL_HTTP_ABORT) {
        yl_error_set(&err, YL_EINTERNAL, "what was deleted cannot be shown");
        yl_api_respond_error(c->req, &err);
    } else if (yl_buf_error(&c->json)) {
        yl_error_set(&err, YL_ETOOBIG, "the list is too large for this "
                                       "media type; ask for JSON");
        yl_api_respond_error(c->req, &err);
    } else {
        yl_api_respond_document(c->req, 200, NULL, yl_buf_str(&c->json));
    }
}

/* What an item waited for has come. */
static void
on_converted(struct yl_view_wait *wait)
{
    struct collection *c = YL_CONTAINER_OF(wait, struct collection, wait);
    struct yl_api_request *req = c->req;

    req->cancel = NULL;
    if (!req->answered) {
        yl_api_hold(req);
        respond_whole(c);
        yl_api_release(req);
    } else {
        yl_http_resume(req->http);
    }
}

static void
cancel(struct yl_api_request *req)
{
    struct collection *c = req->verb;

    yl_view_wait_release(&c->wait);
}

static void
release(void *aux)
{
    struct collection *c = aux;
    size_t i;

    yl_view_wait_release(&c->wait);
    yl_buf_release(&c->json);
    for (i = 0; i < c->n_items; i++) {
        yl_object_unref(c->items[i].object);
    }
    free(c->items);
    while (c->next < c->n_batch) {
        yl_object_unref(c->batch[c->next++].object);
    }
    yl_ks_scan_close(c->scan);
    yl_arena_free(c->scratch);
    yl_status_clear(&c->status);
}
