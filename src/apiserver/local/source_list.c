/* A list of a local source: a scan, some items in each turn of the loop. */

#include "apiserver/local/source_call.h"

#include "apiserver/verbs/continue_token.h"

static int read_token(struct yl_lister_watcher_call *, struct yl_str token,
                      struct yl_ks_scan_opts *, struct yl_error *);
static int next_item(struct yl_lister_watcher_call *, struct yl_versioned *);
static void hand_out(struct yl_lister_watcher_call *, struct yl_versioned);
static void finish(struct yl_lister_watcher_call *, bool more);
static void fail(struct yl_lister_watcher_call *, int code);

int
yl_local_list_start(struct yl_lister_watcher_call *call,
                    const struct yl_list_options *options, uint64_t revision,
                    uint64_t newest, struct yl_error *err)
{
    bool exact = revision
                 && (options->resource_version_match == YL_MATCH_EXACT
                     || (options->limit
                         && options->resource_version_match
                            == YL_MATCH_UNSET));
    bool any = yl_str_equal(options->resource_version, YL_STR("0"));
    struct yl_ks_scan_opts opts = {
        .namespace_ = call->selection.namespace_,
        .name = call->selection.name,
        .revision = exact ? revision : 0,
    };

    /* Upstream's cache ignores the limit where it may answer with any
     * revision. */
    call->left = options->limit && !any ? options->limit : -1;
    if (options->continue_.size) {
        int r = read_token(call, options->continue_, &opts, err);

        if (r < 0) {
            return r;
        }
    }
    return revision > newest
               ? yl_local_too_new(revision, newest, err)
               : yl_ks_scan_open(call->objects, &opts, &call->scan, err);
}

void
yl_local_list_run(struct yl_lister_watcher_call *call)
{
    int seen;

    for (seen = 0; seen < YL_LOCAL_STEP; seen++) {
        struct yl_versioned item;
        int r = next_item(call, &item);

        if (r < 0) {
            fail(call, r);
            return;
        } else if (r == 0) {
            finish(call, false);
            return;
        } else if (call->left == 0) {
            /* There is an object behind the page.  Whether it matches is not
             * checked: the next page may turn out empty. */
            call->next_item--;
            finish(call, true);
            return;
        }
        if (yl_selection_matches(&call->selection, item.object,
                                 &call->scratch)) {
            hand_out(call, item);
        } else {
            yl_object_unref(item.object);
        }
        yl_arena_clear(&call->scratch);
        if (call->stopped) {
            return;
        }
    }
    yl_loop_defer(call->loop, &call->chore);
}

void
yl_local_list_release(struct yl_lister_watcher_call *call)
{
    while (call->next_item < call->n_items) {
        yl_object_unref(call->items[call->next_item++].object);
    }
}

/* Finds where the page starts.  The token of a list in one namespace has the
 * name of the object alone. */
static int
read_token(struct yl_lister_watcher_call *call, struct yl_str token,
           struct yl_ks_scan_opts *opts, struct yl_error *err)
{
    struct yl_continue_token place;
    struct yl_str ns = opts->namespace_;
    int r = yl_continue_token_read(&call->arena, token, &place, err);

    if (r < 0) {
        return r;
    }
    opts->revision = place.revision > 0 ? (uint64_t) place.revision : 0;
    opts->name = yl_str_null();
    opts->start = place.start;
    if (ns.size) {
        char *text = yl_arena_alloc(&call->arena,
                                    ns.size + 1 + place.start.size);

        memcpy(text, ns.data, ns.size);
        text[ns.size] = '/';
        memcpy(text + ns.size + 1, place.start.data, place.start.size);
        opts->start = yl_str_n(text, ns.size + 1 + place.start.size);
    }
    return 0;
}

/* The next object; 0 at the end. */
static int
next_item(struct yl_lister_watcher_call *call, struct yl_versioned *ret_item)
{
    if (call->next_item == call->n_items) {
        int n = yl_ks_scan_next(call->scan, call->items, YL_LOCAL_STEP);

        call->next_item = 0;
        call->n_items = n > 0 ? n : 0;
        if (n <= 0) {
            return n;
        }
    }
    *ret_item = call->items[call->next_item++];
    return 1;
}

static void
hand_out(struct yl_lister_watcher_call *call, struct yl_versioned item)
{
    if (call->left > 0 && --call->left == 0) {
        struct yl_key key = yl_object_key(item.object);

        call->last = *yl_key_copy(&key, &call->arena);
    }
    call->list->item(call->aux, item);
}

/* Ends the list; 'more' says whether objects follow the page. */
static void
finish(struct yl_lister_watcher_call *call, bool more)
{
    struct yl_list_page page = {
        .revision = yl_ks_scan_revision(call->scan),
    };

    if (more) {
        page.continue_ = yl_continue_token_behind(
            &call->arena, page.revision, call->last,
            call->selection.namespace_.size > 0);
        if (!yl_selection_chooses(&call->selection)) {
            page.remaining = (int64_t) yl_ks_scan_remaining(call->scan)
                             + call->n_items - call->next_item;
        }
    }
    call->stopped = true;
    call->list->done(call->aux, &page, NULL);
}

static void
fail(struct yl_lister_watcher_call *call, int code)
{
    struct yl_error err = YL_ERROR_INIT;

    yl_error_set(&err, code, "%s", yl_error_text(code));
    call->stopped = true;
    call->list->done(call->aux, NULL, &err);
    yl_error_clear(&err);
}
