#ifndef APISERVER_LOCAL_SOURCE_CALL_H
#define APISERVER_LOCAL_SOURCE_CALL_H 1

/* A call of a local source: what lists and watches share, and what each has
 * for itself.  See apiserver/local/source.h. */

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/local/source.h"
#include "apiserver/selection.h"
#include "base/arena.h"
#include "base/list.h"
#include "net/loop.h"

/* Objects or events handled before the loop gets to its other work. */
#define YL_LOCAL_STEP 64

struct yl_lister_watcher_call {
    struct yl_list node;        /* In the source's 'calls'. */
    struct yl_local_source *source;
    struct yl_loop *loop;
    const struct yl_list_sink *list;    /* One of the two is set. */
    const struct yl_watch_sink *watch;
    void *aux;

    struct yl_loop_chore chore; /* Calls the sink. */
    bool running;               /* Whether the sink is being called. */
    bool stopped;               /* Free the call when the sink returns. */

    struct yl_arena arena;      /* Holds the selection. */
    struct yl_arena scratch;    /* Reset after each object. */
    struct yl_selection selection;
    struct yl_ks_resource *objects;
    struct yl_ks_scan *scan;    /* Of a list, or of initial events. */

    /* Used by lists. */
    struct yl_versioned items[YL_LOCAL_STEP];
    int n_items, next_item;
    int64_t left;               /* Items that may still come; -1: all. */
    struct yl_key last;         /* The last item of the page, in the arena. */

    /* Used by watches. */
    struct yl_ks_cursor *cursor;    /* NULL: there are initial events. */
    struct yl_loop_timer timeout;
    struct yl_loop_timer bookmark;
    yl_msec bookmark_period;    /* 0: it sends no bookmarks. */
    bool initial_bookmark;      /* Is one to follow the initial events? */
    bool bookmark_due;
    bool timed_out;
};

/* Start a list or a watch; the members above that both need are filled in. */
int yl_local_list_start(struct yl_lister_watcher_call *,
                        const struct yl_list_options *, uint64_t revision,
                        uint64_t newest, struct yl_error *err);
int yl_local_watch_start(struct yl_lister_watcher_call *,
                         const struct yl_list_options *, uint64_t revision,
                         uint64_t newest, struct yl_error *err);

/* One turn: calls the sink for a while.  A call that is over has 'stopped'
 * set; nothing is called after that. */
void yl_local_list_run(struct yl_lister_watcher_call *);
void yl_local_watch_run(struct yl_lister_watcher_call *);

/* Undo the start. */
void yl_local_list_release(struct yl_lister_watcher_call *);
void yl_local_watch_release(struct yl_lister_watcher_call *);

/* The error for a revision that is newer than the newest. */
int yl_local_too_new(uint64_t asked, uint64_t newest, struct yl_error *err);

#endif /* apiserver/local/source_call.h */
