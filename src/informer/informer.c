/* Informer: deltas to the store, then to handlers.  See yuloh/informer.h for
 * the contract.
 *
 *     wake, timer -> turn: run the reflector
 *                          drain the deltas -> apply: write the store,
 *                                              append notes (same moment),
 *                                              tell inline handlers
 *                          resync who is due
 *                          set the timer */

#include "yuloh/informer.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "informer/informer_parts.h"
#include "yuloh/log.h"

/* A list of this many items leaves megabytes behind that were needed to
 * receive it, scattered among its objects. */
#define LARGE_LIST 5000

static bool known_find(void *informer, const struct yl_key *,
                       struct yl_versioned *ret_item);
static void known_each(void *informer,
                       void (*fn)(void *aux, struct yl_versioned), void *aux);
static int admit(void *informer, struct yl_object **, uint64_t revision,
                 struct yl_error *);
static struct yl_object *find_same(struct yl_informer *,
                                   const struct yl_object *,
                                   uint64_t revision);
static void wake(void *informer);
static void on_error(void *informer, const struct yl_error *);
static void on_timer(struct yl_loop_timer *);
static void turn(struct yl_informer *);
static void apply(void *informer, const struct yl_delta_batch *);
static void publish(void *commit);
static void trace(struct yl_informer *, const struct yl_informer_batch *);
static void publish_facts(struct yl_informer *);

/* What is published at the moment in which the store changes. */
struct commit {
    struct yl_informer *informer;
    struct yl_informer_batch batch;
};

static const struct yl_delta_known known = { known_find, known_each };

struct yl_informer *
yl_informer_new(const struct yl_informer_opts *opts)
{
    struct yl_informer *informer = yl_zalloc(sizeof *informer);
    const char *name = opts->name ? opts->name : "informer";

    informer->opts = *opts;
    informer->opts.name = yl_strdup(yl_str_c(name));
    informer->store = yl_store_new(&opts->store);
    informer->deltas = yl_delta_queue_new(&(struct yl_delta_queue_opts) {
        .known = &known, .known_aux = informer,
        .transform = admit, .transform_aux = informer,
    });
    yl_informer_metrics_init(&informer->metrics, opts->metrics, name,
                             opts->resource);
    informer->timer.fire = on_timer;
    yl_arena_init(&informer->scratch);
    yl_mutex_init(&informer->lock);
    yl_cond_init(&informer->told);
    yl_cond_init(&informer->idle);
    yl_mutex_lock(&informer->lock);
    informer->tail = yl_note_new(YL_NOTE_START);
    yl_list_init(&informer->handlers);
    yl_list_init(&informer->leaving);
    yl_list_init(&informer->waiters);
    yl_mutex_unlock(&informer->lock);
    return informer;
}

void
yl_informer_free(struct yl_informer *informer)
{
    if (!informer) {
        return;
    }
    yl_informer_stop(informer);
    yl_handlers_remove_all(informer);
    yl_reflector_free(informer->reflector);
    yl_delta_queue_free(informer->deltas);
    yl_mutex_lock(&informer->lock);
    yl_note_unref(informer->tail);
    free(informer->last_error);
    yl_mutex_unlock(&informer->lock);
    yl_store_free(informer->store);
    yl_arena_release(&informer->scratch);
    yl_mutex_destroy(&informer->lock);
    yl_cond_destroy(&informer->told);
    yl_cond_destroy(&informer->idle);
    free((char *) informer->opts.name);
    free(informer);
}

void
yl_informer_start(struct yl_informer *informer)
{
    struct yl_reflector_opts opts = informer->opts.reflector;
    bool is_new;

    yl_mutex_lock(&informer->lock);
    is_new = informer->life == YL_INFORMER_NEW;
    if (is_new) {
        informer->life = YL_INFORMER_STARTED;
    }
    yl_mutex_unlock(&informer->lock);
    if (!is_new) {
        return;
    }
    opts.lister_watcher = informer->opts.source;
    opts.deltas = informer->deltas;
    opts.name = informer->opts.name;
    opts.wake = wake;
    opts.error = on_error;
    opts.wake_aux = opts.error_aux = informer;
    informer->reflector = yl_reflector_new(&opts);
    yl_informer_turn_soon(informer);
}

void
yl_informer_stop(struct yl_informer *informer)
{
    yl_mutex_lock(&informer->lock);
    informer->life = YL_INFORMER_STOPPED;
    atomic_store(&informer->stopped, true);
    yl_cond_broadcast(&informer->told);
    yl_informer_wake_waiters(informer);
    yl_mutex_unlock(&informer->lock);
    if (informer->reflector) {
        yl_reflector_stop(informer->reflector);
    }
    yl_loop_timer_cancel(informer->opts.loop, &informer->timer);
}

const char *
yl_informer_name(const struct yl_informer *informer)
{
    return informer->opts.name;
}

struct yl_gvr
yl_informer_resource(const struct yl_informer *informer)
{
    return informer->opts.resource;
}

struct yl_store *
yl_informer_store(struct yl_informer *informer)
{
    return informer->store;
}

bool
yl_informer_has_synced(struct yl_informer *informer)
{
    bool synced;

    yl_mutex_lock(&informer->lock);
    synced = informer->synced;
    yl_mutex_unlock(&informer->lock);
    return synced;
}

uint64_t
yl_informer_revision(struct yl_informer *informer)
{
    return atomic_load(&informer->revision);
}

bool
yl_informer_is_settled(struct yl_informer *informer)
{
    const struct yl_handler_registration *h;
    bool settled;

    yl_mutex_lock(&informer->lock);
    settled = !informer->telling;
    YL_LIST_FOR_EACH (h, node, &informer->handlers) {
        settled = settled
                  && (h->is_inline ? h->joined && !h->calling
                      : h->waiting && h->cursor == informer->tail);
    }
    yl_mutex_unlock(&informer->lock);
    return settled;
}

void
yl_informer_status(struct yl_informer *informer, struct yl_arena *arena,
                   struct yl_informer_status *ret_status)
{
    struct yl_informer_status status = { .name = informer->opts.name };

    status.store = yl_store_stats(informer->store);
    status.revision = yl_informer_revision(informer);
    yl_mutex_lock(&informer->lock);
    status.started = informer->life != YL_INFORMER_NEW;
    status.stopped = informer->life == YL_INFORMER_STOPPED;
    status.synced = informer->synced;
    status.state = informer->facts.state;
    status.n_lists = informer->facts.n_lists;
    status.n_watches = informer->facts.n_watches;
    status.n_events = informer->facts.n_events;
    status.n_errors = informer->facts.n_errors;
    status.n_handlers = yl_list_count(&informer->handlers);
    status.last_error = informer->last_error
                        ? yl_arena_strdup(arena,
                                          yl_str_c(informer->last_error))
                        : "";
    yl_mutex_unlock(&informer->lock);
    *ret_status = status;
}

void
yl_informer_turn_soon(struct yl_informer *informer)
{
    yl_loop_timer_arm(informer->opts.loop, &informer->timer, 0);
}

static bool
known_find(void *informer_, const struct yl_key *key,
           struct yl_versioned *ret_item)
{
    struct yl_informer *informer = informer_;

    return yl_store_lend(informer->store, key, ret_item);
}

static void
known_each(void *informer_, void (*fn)(void *aux, struct yl_versioned),
           void *aux)
{
    struct yl_informer *informer = informer_;

    yl_store_walk(informer->store, fn, aux);
}

/* Called when an object enters the delta queue.  One that the store has is not
 * kept twice: a new list mostly brings what is there. */
static int
admit(void *informer_, struct yl_object **object, uint64_t revision,
      struct yl_error *err YL_UNUSED)
{
    struct yl_informer *informer = informer_;
    struct yl_object *same = find_same(informer, *object, revision);

    if (same) {
        yl_object_ref(same);
        yl_object_unref(*object);
        *object = same;
    } else {
        *object = yl_store_admit_take(informer->store, *object);
    }
    return 0;
}

/* What the store has of 'object', lent, if that is of the same revision. */
static struct yl_object *
find_same(struct yl_informer *informer, const struct yl_object *object,
          uint64_t revision)
{
    struct yl_key key = yl_object_key(object);
    struct yl_versioned stored;

    return revision && yl_store_lend(informer->store, &key, &stored)
           && stored.revision == revision
           && yl_str_equal(yl_object_uid(stored.object), yl_object_uid(object))
           ? stored.object : NULL;
}

static void
wake(void *informer)
{
    yl_informer_turn_soon(informer);
}

static void
on_error(void *informer_, const struct yl_error *err)
{
    struct yl_informer *informer = informer_;

    yl_mutex_lock(&informer->lock);
    free(informer->last_error);
    informer->last_error = yl_strdup(yl_str_c(yl_error_message(err)));
    yl_mutex_unlock(&informer->lock);
    if (informer->opts.error) {
        informer->opts.error(informer->opts.error_aux, err);
    } else if (err->code == YL_EEXPIRED) {
        yl_log_v(4, "A cache lists again",
                 YL_LOG_C("cache", informer->opts.name), YL_LOG_ERROR(err));
    } else {
        yl_log_warning("A cache cannot be kept up to date; it is tried again",
                       YL_LOG_C("cache", informer->opts.name),
                       YL_LOG_ERROR(err));
    }
}

static void
on_timer(struct yl_loop_timer *timer)
{
    turn(YL_CONTAINER_OF(timer, struct yl_informer, timer));
}

static void
turn(struct yl_informer *informer)
{
    yl_msec now = yl_loop_now(informer->opts.loop);
    yl_msec next, resync;

    yl_reflector_run(informer->reflector, now);
    informer->n_replaced = 0;
    yl_gauge_set(informer->metrics.queued_items,
                 (double) yl_delta_queue_length(informer->deltas));
    yl_delta_queue_drain(informer->deltas, apply, informer);
    yl_gauge_set(informer->metrics.queued_items, 0);
    if (informer->n_replaced >= LARGE_LIST) {
        yl_give_back_memory();
    }
    resync = yl_handlers_resync(informer, now);
    publish_facts(informer);
    next = yl_reflector_next(informer->reflector);
    if (!yl_loop_timer_is_armed(&informer->timer)) {
        yl_loop_timer_arm(informer->opts.loop, &informer->timer,
                          next < resync ? next : resync);
    }
}

/* Writes a batch to the store and tells everybody. */
static void
apply(void *informer_, const struct yl_delta_batch *batch)
{
    struct yl_informer *informer = informer_;
    struct yl_clock *clock = yl_loop_clock(informer->opts.loop);
    yl_msec began = yl_now(clock);
    struct yl_arena *arena = &informer->scratch;
    struct yl_candidate *candidates
        = yl_arena_array(arena, batch->n_deltas, sizeof *candidates);
    const struct yl_delta **deltas
        = yl_arena_array(arena, batch->n_deltas, sizeof *deltas);
    struct commit commit = { .informer = informer };
    size_t i, n = 0;

    for (i = 0; i < batch->n_deltas; i++) {
        const struct yl_delta *delta = &batch->deltas[i];

        /* A list may only have brought what the store has. */
        if (delta->type != YL_DELTA_REPLACED
            || !find_same(informer, delta->object.object,
                          delta->object.revision)) {
            candidates[n].item = delta->object;
            candidates[n].is_deletion = delta->type == YL_DELTA_DELETED;
            deltas[n++] = delta;
        }
    }
    commit.batch = (struct yl_informer_batch) {
        .candidates = candidates, .deltas = deltas, .n = n,
        .synced = batch->replaces, .revision = batch->revision,
    };
    yl_store_apply(informer->store, candidates, n, arena, publish, &commit);
    if (batch->replaces) {
        informer->n_replaced += batch->n_deltas;
    }
    if (informer->opts.trace) {
        trace(informer, &commit.batch);
    }
    yl_handlers_tell_inline(informer, &commit.batch);
    yl_mutex_lock(&informer->lock);
    informer->telling = false;
    yl_mutex_unlock(&informer->lock);
    for (i = 0; i < n; i++) {
        yl_object_unref(candidates[i].old.object);
    }
    yl_arena_clear(arena);
    yl_informer_metrics_applied(&informer->metrics, yl_now(clock) - began,
                                batch->revision);
}

/* Called when the store has changed, with its lock held. */
static void
publish(void *commit_)
{
    struct commit *commit = commit_;
    struct yl_informer *informer = commit->informer;

    yl_mutex_lock(&informer->lock);
    commit->batch.synced = commit->batch.synced && !informer->synced;
    if (informer->n_threads) {
        yl_handlers_note(informer, &commit->batch);
        yl_cond_broadcast(&informer->told);
    }
    informer->telling = true;
    atomic_store(&informer->revision, commit->batch.revision);
    if (commit->batch.synced) {
        informer->synced = true;
        yl_informer_wake_waiters(informer);
    }
    yl_mutex_unlock(&informer->lock);
}

static void
trace(struct yl_informer *informer, const struct yl_informer_batch *batch)
{
    size_t i;

    for (i = 0; i < batch->n; i++) {
        const struct yl_delta *delta = batch->deltas[i];
        struct yl_informer_trace event = {
            .informer = informer->opts.name,
            .thread = "loop",
            .type = delta->type,
            .object = &delta->object,
            .initial = delta->initial,
            .tombstone = delta->tombstone,
        };

        informer->opts.trace(informer->opts.trace_aux, &event);
    }
}

/* Makes what the reflector knows visible to other threads. */
static void
publish_facts(struct yl_informer *informer)
{
    struct yl_reflector_facts facts;

    yl_reflector_facts(informer->reflector, &facts);
    facts.last_message = NULL;
    yl_mutex_lock(&informer->lock);
    informer->facts = facts;
    if (facts.state == YL_REFLECTOR_WATCHING) {
        free(informer->last_error);
        informer->last_error = NULL;
    }
    yl_mutex_unlock(&informer->lock);
}
