/* Lists in pages.  See reflector/machine.h. */

#include "reflector/machine.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "yuloh/delta.h"

/* Page size of client-go's pager. */
#define PAGE_SIZE 500

static int64_t page_limit(const struct yl_reflector *);
static void page_ended(struct yl_reflector *, yl_msec now);
static void on_item(void *aux, struct yl_versioned item);
static void on_page(void *aux, const struct yl_list_page *,
                    const struct yl_error *);

static const struct yl_list_sink list_sink = { on_item, on_page };

void
yl_reflector_start_page(struct yl_reflector *r, yl_msec now)
{
    struct yl_reflector_version version;
    struct yl_list_options options = { .limit = page_limit(r) };
    struct yl_error err = YL_ERROR_INIT;

    r->facts.n_pages++;
    r->page_fetched = r->continue_ != NULL;
    if (r->continue_) {
        options.continue_ = yl_str_c(r->continue_);
    } else {
        yl_delta_queue_replace_begin(r->opts.deltas);
        if (!r->unavailable) {
            options.resource_version
                = yl_reflector_version(r->facts.revision, &version);
        }
        if (!r->unavailable && r->facts.revision && options.limit) {
            /* With a limit, a revision alone would mean that very one. */
            options.resource_version_match = YL_MATCH_NOT_OLDER_THAN;
        }
    }
    yl_reflector_call_started(r, YL_REFLECTOR_LISTING, now,
                              r->opts.list_stall);
    if (yl_lister_watcher_list(r->opts.lister_watcher, &options, &list_sink, r,
                               &r->call, &err) < 0) {
        yl_reflector_end_call(r, &err);
        yl_error_clear(&err);
    }
}

/* A kube-apiserver answers a list from a revision out of its cache only if
 * there is no limit; from "0" it passes the limit over. */
static int64_t
page_limit(const struct yl_reflector *r)
{
    if (r->whole) {
        return 0;
    } else if (r->opts.page_size > 0) {
        return r->opts.page_size;
    } else if (r->paginated || r->unavailable || r->facts.revision == 0) {
        return PAGE_SIZE;
    } else {
        return 0;
    }
}

void
yl_reflector_list_ended(struct yl_reflector *r, yl_msec now)
{
    bool refused = r->end.expired || r->end.too_large;

    if (r->end.err.code == 0) {
        page_ended(r, now);
        return;
    }
    yl_delta_queue_replace_cancel(r->opts.deltas);
    free(r->continue_);
    r->continue_ = NULL;
    if (r->end.expired && r->page_fetched && !r->whole) {
        /* The revision of this list is gone.  Do without pages, which come too
         * late. */
        r->whole = true;
        yl_reflector_start_page(r, now);
    } else if (refused && !r->unavailable) {
        r->unavailable = true;
        r->whole = false;
        yl_reflector_start_page(r, now);
    } else {
        yl_reflector_report(r, &r->end.err);
        yl_reflector_wait_before_list(r, now);
    }
}

static void
page_ended(struct yl_reflector *r, yl_msec now)
{
    if (r->continue_) {
        if (r->facts.revision == 0 && !r->unavailable) {
            r->paginated = true;
        }
        yl_reflector_start_page(r, now);
        return;
    }
    yl_delta_queue_replace_end(r->opts.deltas, r->list_revision);
    r->unavailable = false;
    r->facts.revision = r->list_revision;
    yl_reflector_start_watch(r, now);
}

static void
on_item(void *aux, struct yl_versioned item)
{
    struct yl_reflector *r = aux;
    struct yl_error err = YL_ERROR_INIT;

    r->heard = true;
    if (r->end.is) {
        yl_object_unref(item.object);
    } else if (yl_delta_queue_replace_item_take(r->opts.deltas, item,
                                                &err) < 0) {
        /* As in client-go, a list with an object that cannot be transformed
         * is no list. */
        yl_reflector_end_call(r, &err);
        yl_error_clear(&err);
    }
}

static void
on_page(void *aux, const struct yl_list_page *meta, const struct yl_error *err)
{
    struct yl_reflector *r = aux;
    struct yl_error again = YL_ERROR_INIT;

    r->call = NULL;
    if (!err && !r->end.is) {
        if (!r->page_fetched) {
            r->list_revision = meta->revision;
        } else if (yl_str_equal_c(meta->continue_, r->continue_)) {
            yl_error_set(&again, YL_EINTERNAL,
                         "a page of the list names itself as the next");
            err = &again;
        }
        free(r->continue_);
        r->continue_ = meta->continue_.size ? yl_strdup(meta->continue_)
                                            : NULL;
    }
    yl_reflector_end_call(r, err);
    yl_error_clear(&again);
}
