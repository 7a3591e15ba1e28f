/* Handlers: who is told, on which thread.  See yuloh/informer.h for the
 * contract.
 *
 * A handler with a thread reads notes; see informer/note.h.  Inline handlers
 * are called on the loop's thread, right after the store has changed. */

#include "informer/informer_parts.h"

#include <stdlib.h>

#include "base/alloc.h"

#define MIN_RESYNC 1000

/* A handler that is added while objects are there. */
struct arrival {
    struct yl_handler_registration *h;
    struct yl_arena *arena;     /* Of the objects that are there. */
};

static struct yl_handler_registration *
handler_new(struct yl_informer *, const struct yl_handler *, void *aux,
            const struct yl_handler_opts *);
static void handler_unref(struct yl_handler_registration *);
static int add_with_thread(struct yl_handler_registration *,
                           struct yl_error *);
static void arrive(void *arrival, struct yl_store_items);
static int add_inline(struct yl_handler_registration *, struct yl_error *);
static void join_late(struct yl_loop_task *);
static void join(struct yl_handler_registration *);
static void note_for(struct yl_informer *informer,
                     struct yl_handler_registration *, enum yl_note_kind,
                     enum yl_delta_type, struct yl_store_items,
                     struct yl_arena *) YL_REQUIRES(informer->lock);
static void dispatch(void *handler);
static void read_notes(struct yl_handler_registration *);
static bool has_ended(const struct yl_handler_registration *);
static void tell(struct yl_handler_registration *, struct yl_note *);
static void tell_all(struct yl_handler_registration *, enum yl_delta_type,
                     struct yl_store_items);
static void tell_change(struct yl_handler_registration *, enum yl_delta_type,
                        const struct yl_versioned *object,
                        const struct yl_versioned *old, bool initial,
                        bool tombstone);
static bool begin_call(struct yl_handler_registration *);
static void end_call(struct yl_handler_registration *);
static struct yl_handler_registration **list_inline(struct yl_informer *,
                                                    size_t *ret_n);
static void resync_inline(struct yl_handler_registration *);
static void resync_later(struct yl_handler_registration *);
static void reap(struct yl_informer *);

int
yl_informer_add_handler(struct yl_informer *informer,
                        const struct yl_handler *handler, void *aux,
                        const struct yl_handler_opts *opts_,
                        struct yl_handler_registration **ret,
                        struct yl_error *err)
{
    static const struct yl_handler_opts defaults;
    const struct yl_handler_opts *opts = opts_ ? opts_ : &defaults;
    struct yl_handler_registration *h
        = handler_new(informer, handler, aux, opts);
    int r;

    reap(informer);
    r = h->is_inline ? add_inline(h, err) : add_with_thread(h, err);
    if (r < 0) {
        handler_unref(h);
    } else if (ret) {
        *ret = h;
    }
    return r;
}

void
yl_informer_remove_handler(struct yl_informer *informer,
                           struct yl_handler_registration *h)
{
    bool is_own;

    if (h->informer != informer) {
        return;
    }
    atomic_store(&h->removed, true);
    yl_mutex_lock(&informer->lock);
    yl_list_remove(&h->node);
    informer->n_threads -= !h->is_inline;
    is_own = h->is_inline ? h->calling && pthread_equal(h->caller,
                                                        pthread_self())
                          : pthread_equal(h->thread.id, pthread_self());
    if (is_own && !h->is_inline) {
        yl_list_push_back(&informer->leaving, &h->node);
    }
    while (h->is_inline && h->calling && !is_own) {
        yl_cond_wait(&informer->idle, &informer->lock);
    }
    yl_cond_broadcast(&informer->told);
    yl_mutex_unlock(&informer->lock);
    if (h->is_inline) {
        handler_unref(h);
    } else if (!is_own) {
        yl_thread_join(&h->thread);
        handler_unref(h);
    }
}

bool
yl_handler_has_synced(const struct yl_handler_registration *h)
{
    return atomic_load(&h->synced);
}

void
yl_handlers_tell_inline(struct yl_informer *informer,
                        const struct yl_informer_batch *batch)
{
    size_t i, j, n;
    struct yl_handler_registration **handlers = list_inline(informer, &n);

    for (i = 0; i < n; i++) {
        struct yl_handler_registration *h = handlers[i];

        if (begin_call(h)) {
            for (j = 0; j < batch->n && !atomic_load(&h->removed); j++) {
                const struct yl_candidate *candidate = &batch->candidates[j];
                int type = yl_informer_change(candidate);

                if (type >= 0) {
                    tell_change(h, (enum yl_delta_type) type,
                                &candidate->item, &candidate->old,
                                batch->deltas[j]->initial,
                                batch->deltas[j]->tombstone);
                }
            }
            if (batch->synced) {
                atomic_store(&h->synced, true);
            }
            if (h->handler->advanced && !atomic_load(&h->removed)) {
                h->handler->advanced(h->aux, batch->revision);
            }
            end_call(h);
        }
        handler_unref(h);
    }
}

void
yl_handlers_note(struct yl_informer *informer,
                 const struct yl_informer_batch *batch)
{
    struct yl_note *note;
    size_t i;

    for (i = 0; i < batch->n; i++) {
        const struct yl_candidate *candidate = &batch->candidates[i];
        int type = yl_informer_change(candidate);

        if (type >= 0) {
            note = yl_note_new(YL_NOTE_CHANGE);
            note->type = (enum yl_delta_type) type;
            note->initial = batch->deltas[i]->initial;
            note->tombstone = batch->deltas[i]->tombstone;
            note->object = candidate->item;
            note->old = candidate->old;
            yl_object_ref(note->object.object);
            yl_object_ref(note->old.object);
            yl_note_append_take(&informer->tail, note);
        }
    }
    if (batch->synced) {
        yl_note_append_take(&informer->tail, yl_note_new(YL_NOTE_SYNCED));
    }
}

yl_msec
yl_handlers_resync(struct yl_informer *informer, yl_msec now)
{
    struct yl_handler_registration *h, *due;
    yl_msec next;

    do {
        due = NULL;
        next = YL_NEVER;
        yl_mutex_lock(&informer->lock);
        YL_LIST_FOR_EACH (h, node, &informer->handlers) {
            if (!h->resync || (h->is_inline && !h->joined)) {
                continue;
            }
            if (h->next_resync <= now && !due) {
                due = h;
                yl_ref_get(&h->ref);
                h->next_resync = now + h->resync;
            }
            next = h->next_resync < next ? h->next_resync : next;
        }
        yl_mutex_unlock(&informer->lock);
        if (due && due->is_inline) {
            resync_inline(due);
        } else if (due) {
            resync_later(due);
        }
        handler_unref(due);
    } while (due);
    return next;
}

void
yl_handlers_remove_all(struct yl_informer *informer)
{
    struct yl_list *node;

    for (;;) {
        yl_mutex_lock(&informer->lock);
        node = yl_list_front(&informer->handlers);
        yl_mutex_unlock(&informer->lock);
        if (!node) {
            break;
        }
        yl_informer_remove_handler(
            informer,
            YL_CONTAINER_OF(node, struct yl_handler_registration, node));
    }
    reap(informer);
}

static struct yl_handler_registration *
handler_new(struct yl_informer *informer, const struct yl_handler *handler,
            void *aux, const struct yl_handler_opts *opts)
{
    struct yl_handler_registration *h = yl_zalloc(sizeof *h);
    yl_msec resync = opts->resync ? opts->resync : informer->opts.resync;

    yl_ref_init(&h->ref);
    h->informer = informer;
    h->handler = handler;
    h->aux = aux;
    h->name = yl_strdup(yl_str_c(opts->name ? opts->name : "handler"));
    h->is_inline = opts->inline_;
    h->resync = resync <= 0 ? 0 : resync < MIN_RESYNC ? MIN_RESYNC : resync;
    h->next_resync = yl_now(yl_loop_clock(informer->opts.loop)) + h->resync;
    yl_list_init(&h->node);
    return h;
}

static void
handler_unref(struct yl_handler_registration *h)
{
    if (h && yl_ref_put(&h->ref)) {
        yl_note_unref(h->cursor);
        free(h->name);
        free(h);
    }
}

static int
add_with_thread(struct yl_handler_registration *h, struct yl_error *err)
{
    struct yl_informer *informer = h->informer;
    struct arrival arrival = { .h = h, .arena = yl_arena_new() };
    int r;

    yl_store_snapshot(informer->store, arrival.arena, arrive, &arrival);
    if (!h->cursor) {
        yl_arena_free(arrival.arena);
        return yl_error_set(err, YL_EUNAVAILABLE, "informer %s has stopped",
                            informer->opts.name);
    }

    /* The thread first waits for the lock, and so sees its own id. */
    yl_mutex_lock(&informer->lock);
    r = yl_thread_start(&h->thread, h->name, dispatch, h);
    if (r < 0) {
        yl_list_remove(&h->node);
        informer->n_threads--;
    }
    yl_mutex_unlock(&informer->lock);
    return r < 0 ? yl_error_set(err, r, "no thread for handler %s", h->name)
                 : 0;
}

/* Puts the handler's cursor before a note with everything that is there.  The
 * store stands still meanwhile. */
static void
arrive(void *arrival_, struct yl_store_items items)
{
    struct arrival *arrival = arrival_;
    struct yl_handler_registration *h = arrival->h;
    struct yl_informer *informer = h->informer;

    yl_mutex_lock(&informer->lock);
    if (informer->life != YL_INFORMER_STOPPED) {
        h->cursor = yl_note_ref(informer->tail);
        note_for(informer, h, YL_NOTE_ALL, YL_DELTA_ADDED, items,
                 arrival->arena);
        if (informer->synced) {
            note_for(informer, h, YL_NOTE_SYNCED, YL_DELTA_ADDED,
                     (struct yl_store_items) { NULL, 0 }, NULL);
        }
        yl_list_push_back(&informer->handlers, &h->node);
        informer->n_threads++;
    }
    yl_mutex_unlock(&informer->lock);
}

/* Inline handlers join on the loop's thread, where nothing can happen at the
 * same time; before the start nothing happens anywhere. */
static int
add_inline(struct yl_handler_registration *h, struct yl_error *err)
{
    struct yl_informer *informer = h->informer;
    enum yl_informer_life life;

    yl_mutex_lock(&informer->lock);
    life = informer->life;
    if (life != YL_INFORMER_STOPPED) {
        yl_list_push_back(&informer->handlers, &h->node);
    }
    yl_mutex_unlock(&informer->lock);
    if (life == YL_INFORMER_STOPPED) {
        return yl_error_set(err, YL_EUNAVAILABLE, "informer %s has stopped",
                            informer->opts.name);
    }
    if (life == YL_INFORMER_NEW) {
        join(h);
    } else {
        yl_ref_get(&h->ref);
        h->joining.run = join_late;
        yl_loop_post(informer->opts.loop, &h->joining);
    }
    return 0;
}

static void
join_late(struct yl_loop_task *task)
{
    struct yl_handler_registration *h
        = YL_CONTAINER_OF(task, struct yl_handler_registration, joining);

    /* Whoever has removed it since may have freed the informer, too. */
    if (!atomic_load(&h->removed)) {
        join(h);
        yl_informer_turn_soon(h->informer);
    }
    handler_unref(h);
}

/* Tells an inline handler what is there; from now on it hears every change. */
static void
join(struct yl_handler_registration *h)
{
    struct yl_informer *informer = h->informer;
    struct yl_store_items items;
    struct yl_arena arena;
    bool synced;

    yl_mutex_lock(&informer->lock);
    h->joined = true;
    synced = informer->synced;
    yl_mutex_unlock(&informer->lock);
    yl_arena_init(&arena);
    if (begin_call(h)) {
        yl_store_list(informer->store, NULL, &arena, &items, NULL);
        tell_all(h, YL_DELTA_ADDED, items);
        atomic_store(&h->synced, synced);
        end_call(h);
    }
    yl_arena_release(&arena);
}

/* Appends a note for one handler.  'arena' holds the items. */
static void
note_for(struct yl_informer *informer, struct yl_handler_registration *h,
         enum yl_note_kind kind, enum yl_delta_type type,
         struct yl_store_items items, struct yl_arena *arena)
{
    struct yl_note *note = yl_note_new(kind);

    note->type = type;
    note->only = h;
    note->items = items;
    note->arena = arena;
    yl_note_append_take(&informer->tail, note);
}

/* The thread of a handler. */
static void
dispatch(void *h_)
{
    struct yl_handler_registration *h = h_;
    struct yl_informer *informer = h->informer;

    yl_mutex_lock(&informer->lock);
    while (!atomic_load(&h->removed)
           && informer->life != YL_INFORMER_STOPPED) {
        if (atomic_load(&h->cursor->next)) {
            h->waiting = false;
            yl_mutex_unlock(&informer->lock);
            read_notes(h);
            yl_mutex_lock(&informer->lock);
        } else {
            h->waiting = true;
            yl_cond_wait(&informer->told, &informer->lock);
        }
    }
    h->waiting = true;
    yl_mutex_unlock(&informer->lock);
}

/* Reads some notes; between them the thread looks whether it is to end. */
static void
read_notes(struct yl_handler_registration *h)
{
    struct yl_note *note;
    int n = 0;

    while (n++ < 64 && !has_ended(h)
           && (note = yl_note_next(&h->cursor)) != NULL) {
        tell(h, note);
    }
}

static bool
has_ended(const struct yl_handler_registration *h)
{
    return atomic_load(&h->removed) || atomic_load(&h->informer->stopped);
}

static void
tell(struct yl_handler_registration *h, struct yl_note *note)
{
    if (note->only && note->only != h) {
        return;
    }
    switch (note->kind) {
    case YL_NOTE_CHANGE:
        tell_change(h, note->type, &note->object, &note->old, note->initial,
                    note->tombstone);
        break;

    case YL_NOTE_ALL:
        tell_all(h, note->type, note->items);
        yl_arena_free(note->arena);
        note->arena = NULL;
        if (note->type == YL_DELTA_SYNC) {
            yl_mutex_lock(&h->informer->lock);
            h->resyncing = false;
            yl_mutex_unlock(&h->informer->lock);
        }
        break;

    case YL_NOTE_SYNCED:
        atomic_store(&h->synced, true);
        break;

    case YL_NOTE_START:
        break;
    }
}

static void
tell_all(struct yl_handler_registration *h, enum yl_delta_type type,
         struct yl_store_items items)
{
    size_t i;

    for (i = 0; i < items.n_items && !has_ended(h); i++) {
        tell_change(h, type, &items.items[i], &items.items[i], true, false);
    }
}

static void
tell_change(struct yl_handler_registration *h, enum yl_delta_type type,
            const struct yl_versioned *object, const struct yl_versioned *old,
            bool initial, bool tombstone)
{
    const struct yl_informer_opts *opts = &h->informer->opts;

    if (opts->trace) {
        struct yl_informer_trace event = {
            .informer = opts->name,
            .thread = h->is_inline ? "loop" : h->name,
            .told = true,
            .type = type,
            .object = object,
            .initial = initial && type == YL_DELTA_ADDED,
            .tombstone = tombstone,
        };

        opts->trace(opts->trace_aux, &event);
    }
    switch (type) {
    case YL_DELTA_ADDED:
        if (h->handler->added) {
            h->handler->added(h->aux, object, initial);
        }
        break;

    case YL_DELTA_DELETED:
        if (h->handler->deleted) {
            h->handler->deleted(h->aux, object, tombstone);
        }
        break;

    case YL_DELTA_UPDATED:
    case YL_DELTA_REPLACED:
    case YL_DELTA_SYNC:
        if (h->handler->updated) {
            h->handler->updated(h->aux, old, object);
        }
        break;
    }
}

/* Around calls of an inline handler, so that whoever removes it can wait.
 * False if it was removed. */
static bool
begin_call(struct yl_handler_registration *h)
{
    bool ok;

    yl_mutex_lock(&h->informer->lock);
    ok = !atomic_load(&h->removed);
    h->calling = ok;
    h->caller = pthread_self();
    yl_mutex_unlock(&h->informer->lock);
    return ok;
}

static void
end_call(struct yl_handler_registration *h)
{
    yl_mutex_lock(&h->informer->lock);
    h->calling = false;
    yl_cond_broadcast(&h->informer->idle);
    yl_mutex_unlock(&h->informer->lock);
}

/* The inline handlers, with a reference to each, in the scratch arena. */
static struct yl_handler_registration **
list_inline(struct yl_informer *informer, size_t *ret_n)
{
    struct yl_handler_registration **handlers, *h;
    size_t n = 0;

    yl_mutex_lock(&informer->lock);
    handlers = yl_arena_array(&informer->scratch,
                              yl_list_count(&informer->handlers),
                              sizeof *handlers);
    YL_LIST_FOR_EACH (h, node, &informer->handlers) {
        if (h->is_inline && h->joined) {
            yl_ref_get(&h->ref);
            handlers[n++] = h;
        }
    }
    yl_mutex_unlock(&informer->lock);
    *ret_n = n;
    return handlers;
}

static void
resync_inline(struct yl_handler_registration *h)
{
    struct yl_store_items items;
    struct yl_arena arena;

    yl_arena_init(&arena);
    if (begin_call(h)) {
        yl_store_list(h->informer->store, NULL, &arena, &items, NULL);
        tell_all(h, YL_DELTA_SYNC, items);
        end_call(h);
    }
    yl_arena_release(&arena);
}

/* A handler that has not read its last resync yet does not get another: it
 * will see every object anyway. */
static void
resync_later(struct yl_handler_registration *h)
{
    struct yl_informer *informer = h->informer;
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_items items;

    yl_store_list(informer->store, NULL, arena, &items, NULL);
    yl_mutex_lock(&informer->lock);
    if (!h->resyncing && !atomic_load(&h->removed)) {
        h->resyncing = true;
        note_for(informer, h, YL_NOTE_ALL, YL_DELTA_SYNC, items, arena);
        arena = NULL;
        yl_cond_broadcast(&informer->told);
    }
    yl_mutex_unlock(&informer->lock);
    yl_arena_free(arena);
}

/* Joins the threads of handlers that have removed themselves. */
static void
reap(struct yl_informer *informer)
{
    struct yl_handler_registration *h;
    struct yl_list *node;

    for (;;) {
        yl_mutex_lock(&informer->lock);
        node = yl_list_front(&informer->leaving);
        h = node ? YL_CONTAINER_OF(node, struct yl_handler_registration, node)
                 : NULL;
        if (!h || pthread_equal(h->thread.id, pthread_self())) {
            yl_mutex_unlock(&informer->lock);
            break;
        }
        yl_list_remove(node);
        yl_mutex_unlock(&informer->lock);
        yl_thread_join(&h->thread);
        handler_unref(h);
    }
}
