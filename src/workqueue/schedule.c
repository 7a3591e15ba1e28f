/* Schedule.  See workqueue/schedule.h for the contract. */

#include "workqueue/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workqueue/queue_metrics.h"

/* Works of keys that are not longer than this are kept for the next such key,
 * up to so many of them.  All of these have the same room.  Longer keys are
 * rare and go back to malloc. */
#define SPARE_TEXT 56
#define MAX_SPARES 1024

#define NSEC_PER_MSEC 1000000

/* Also called by functions of this file, which a shared library could not
 * inline if they were public. */
static struct yl_work *find(const struct yl_schedule *, const struct yl_key *,
                            size_t hash);
static void free_if_unused(struct yl_schedule *, struct yl_work *);

static struct yl_work *work_new(struct yl_schedule *, const struct yl_key *);
static void work_free(struct yl_schedule *, struct yl_work *);
static void make_ready(struct yl_schedule *, struct yl_work *);
static void raise_priority(struct yl_schedule *, struct yl_work *,
                           int priority);
static void note_dirty(struct yl_schedule *, struct yl_work *, int64_t since);

void
yl_schedule_init(struct yl_schedule *schedule,
                 struct yl_queue_metrics *metrics)
{
    memset(schedule, 0, sizeof *schedule);
    yl_list_init(&schedule->ready);
    yl_list_init(&schedule->out);
    yl_list_init(&schedule->spares);
    schedule->metrics = metrics;
}

void
yl_schedule_release(struct yl_schedule *schedule)
{
    struct yl_work *work;
    struct yl_list *node;

    YL_MAP_FOR_EACH_SAFE (work, by_key, &schedule->works) {
        free(work);
    }
    while ((node = yl_list_pop_front(&schedule->spares)) != NULL) {
        free(YL_CONTAINER_OF(node, struct yl_work, in_list));
    }
    yl_map_release(&schedule->works);
    free(schedule->waiting.nodes);
    free(schedule->ranked.nodes);
    memset(schedule, 0, sizeof *schedule);
}

struct yl_work *
yl_schedule_find(const struct yl_schedule *schedule, const struct yl_key *key,
                 size_t hash)
{
    return find(schedule, key, hash);
}

struct yl_work *
yl_schedule_find_or_add(struct yl_schedule *schedule, const struct yl_key *key,
                        size_t hash)
{
    struct yl_work *work = find(schedule, key, hash);

    if (!work) {
        work = work_new(schedule, key);
        yl_map_insert(&schedule->works, &work->by_key, hash);
    }
    return work;
}

enum yl_schedule_change
yl_schedule_add(struct yl_schedule *schedule, struct yl_work *work,
                yl_msec when, int priority, int64_t stamp)
{
    yl_msec next;

    switch (work->state) {
    case YL_WORKQUEUE_IDLE:
        work->priority = priority;
        if (when == YL_AT_ONCE) {
            note_dirty(schedule, work, stamp);
            make_ready(schedule, work);
            return YL_SCHEDULE_READY;
        }
        next = yl_schedule_next(schedule);
        work->state = YL_WORKQUEUE_WAITING;
        work->in_heap.place = 0;
        yl_heap_push(&schedule->waiting, &work->in_heap, when);
        return when < next ? YL_SCHEDULE_SOONER : YL_SCHEDULE_SAME;

    case YL_WORKQUEUE_WAITING:
        if (priority > work->priority) {
            work->priority = priority;
        }
        if (when == YL_AT_ONCE) {
            yl_heap_remove(&schedule->waiting, &work->in_heap);
            note_dirty(schedule, work, stamp);
            make_ready(schedule, work);
            return YL_SCHEDULE_READY;
        }
        next = yl_schedule_next(schedule);
        if (when < work->in_heap.at) {
            yl_heap_change(&schedule->waiting, &work->in_heap, when);
        }
        return when < next ? YL_SCHEDULE_SOONER : YL_SCHEDULE_SAME;

    case YL_WORKQUEUE_READY:
        if (priority > work->priority) {
            raise_priority(schedule, work, priority);
        }
        return YL_SCHEDULE_SAME;

    case YL_WORKQUEUE_OUT:
        if (work->again == YL_NEVER || priority > work->again_priority) {
            work->again_priority = priority;
        }
        if (when == YL_AT_ONCE && work->again != YL_AT_ONCE) {
            note_dirty(schedule, work, stamp);
        }
        if (when < work->again) {
            work->again = when;
        }
        break;
    }
    return YL_SCHEDULE_SAME;
}

void
yl_schedule_promote(struct yl_schedule *schedule, yl_msec now)
{
    while (yl_schedule_next(schedule) <= now) {
        struct yl_heap_node *node = yl_heap_pop(&schedule->waiting);
        struct yl_work *work;

        if (!node) {
            break;              /* Only if 'now' is YL_NEVER. */
        }
        work = YL_CONTAINER_OF(node, struct yl_work, in_heap);
        note_dirty(schedule, work, node->at * NSEC_PER_MSEC);
        make_ready(schedule, work);
    }
}

struct yl_work *
yl_schedule_take(struct yl_schedule *schedule, int64_t stamp)
{
    const struct yl_heap_node *top = yl_heap_top(&schedule->ranked);
    struct yl_work *work;

    if (!schedule->n_ready) {
        return NULL;
    }
    if (top && (top->at < 0 || yl_list_is_empty(&schedule->ready))) {
        work = YL_CONTAINER_OF(yl_heap_pop(&schedule->ranked), struct yl_work,
                               in_heap);
    } else {
        work = YL_CONTAINER_OF(yl_list_pop_front(&schedule->ready),
                               struct yl_work, in_list);
    }
    work->state = YL_WORKQUEUE_OUT;
    yl_list_push_back(&schedule->out, &work->in_list);
    work->again = YL_NEVER;
    schedule->n_ready--;
    schedule->n_out++;
    if (schedule->metrics) {
        yl_queue_metrics_got(schedule->metrics, work->dirty_since, stamp);
        work->out_since = stamp;
    }
    return work;
}

enum yl_schedule_change
yl_schedule_put_back(struct yl_schedule *schedule, struct yl_work *work,
                     yl_msec now, int64_t stamp)
{
    yl_msec again = work->again;

    assert(work->state == YL_WORKQUEUE_OUT);
    yl_list_remove(&work->in_list);
    schedule->n_out--;
    if (schedule->metrics) {
        yl_queue_metrics_done(schedule->metrics, work->out_since, stamp);
    }
    work->state = YL_WORKQUEUE_IDLE;
    if (again == YL_AT_ONCE) {
        /* It was noted as dirty when it was asked for. */
        work->priority = work->again_priority;
        make_ready(schedule, work);
        return YL_SCHEDULE_READY;
    } else if (again != YL_NEVER && again <= now) {
        work->priority = work->again_priority;
        note_dirty(schedule, work, again * NSEC_PER_MSEC);
        make_ready(schedule, work);
        return YL_SCHEDULE_READY;
    } else if (again != YL_NEVER) {
        return yl_schedule_add(schedule, work, again, work->again_priority,
                               stamp);
    }
    free_if_unused(schedule, work);
    return YL_SCHEDULE_SAME;
}

void
yl_schedule_free_if_unused(struct yl_schedule *schedule, struct yl_work *work)
{
    free_if_unused(schedule, work);
}

void
yl_schedule_drop_waiting(struct yl_schedule *schedule, yl_msec now)
{
    struct yl_heap_node *node;
    struct yl_work *out;

    yl_schedule_promote(schedule, now);
    YL_LIST_FOR_EACH (out, in_list, &schedule->out) {
        if (out->again > now) {
            out->again = YL_NEVER;
        }
    }
    while ((node = yl_heap_pop(&schedule->waiting)) != NULL) {
        struct yl_work *work = YL_CONTAINER_OF(node, struct yl_work, in_heap);

        work->state = YL_WORKQUEUE_IDLE;
        free_if_unused(schedule, work);
    }
}

static inline struct yl_work *
find(const struct yl_schedule *schedule, const struct yl_key *key, size_t hash)
{
    struct yl_work *work;

    YL_MAP_FOR_EACH_WITH_HASH (work, by_key, hash, &schedule->works) {
        if (yl_key_equal(&work->key, key)) {
            return work;
        }
    }
    return NULL;
}

static inline void
free_if_unused(struct yl_schedule *schedule, struct yl_work *work)
{
    if (work->state == YL_WORKQUEUE_IDLE && !work->n_requeues) {
        yl_map_remove(&schedule->works, &work->by_key);
        work_free(schedule, work);
    }
}

static struct yl_work *
work_new(struct yl_schedule *schedule, const struct yl_key *key)
{
    size_t size = key->namespace_.size + key->name.size;
    struct yl_work *work;

    if (size <= SPARE_TEXT && schedule->n_spares) {
        work = YL_CONTAINER_OF(yl_list_pop_front(&schedule->spares),
                               struct yl_work, in_list);
        schedule->n_spares--;
    } else {
        work = yl_malloc(sizeof *work
                         + (size < SPARE_TEXT ? SPARE_TEXT : size));
    }
    work->state = YL_WORKQUEUE_IDLE;
    work->n_requeues = 0;
    if (key->namespace_.size) {
        memcpy(work->text, key->namespace_.data, key->namespace_.size);
    }
    if (key->name.size) {
        memcpy(work->text + key->namespace_.size, key->name.data,
               key->name.size);
    }
    work->key = yl_key_make(yl_str_n(work->text, key->namespace_.size),
                            yl_str_n(work->text + key->namespace_.size,
                                     key->name.size));
    return work;
}

static void
work_free(struct yl_schedule *schedule, struct yl_work *work)
{
    size_t size = work->key.namespace_.size + work->key.name.size;

    if (size <= SPARE_TEXT && schedule->n_spares < MAX_SPARES) {
        yl_list_push_front(&schedule->spares, &work->in_list);
        schedule->n_spares++;
    } else {
        free(work);
    }
}

/* Puts 'work', which is in no list and no heap, behind those of its
 * priority. */
static void
make_ready(struct yl_schedule *schedule, struct yl_work *work)
{
    work->state = YL_WORKQUEUE_READY;
    schedule->n_ready++;
    if (work->priority == 0) {
        yl_list_push_back(&schedule->ready, &work->in_list);
    } else {
        work->in_heap.place = 0;
        yl_heap_push(&schedule->ranked, &work->in_heap,
                     -(int64_t) work->priority);
    }
}

static void
raise_priority(struct yl_schedule *schedule, struct yl_work *work,
               int priority)
{
    if (work->priority == 0) {
        yl_list_remove(&work->in_list);
    } else {
        yl_heap_remove(&schedule->ranked, &work->in_heap);
    }
    schedule->n_ready--;
    work->priority = priority;
    make_ready(schedule, work);
}

/* Somebody wants 'work' at once, from the time 'since' on, and nobody did
 * before. */
static void
note_dirty(struct yl_schedule *schedule, struct yl_work *work, int64_t since)
{
    if (schedule->metrics) {
        work->dirty_since = since;
        yl_queue_metrics_added(schedule->metrics);
    }
}
