/* Work queue.  See yuloh/workqueue.h for the contract.
 *
 * A schedule (workqueue/schedule.h) says which key is next; this file puts one
 * lock around it and lets workers wait.
 *
 * Of the workers that wait, at most one keeps the time: it sleeps until the
 * first waiting key is due, on 'due'.  The others sleep on 'ready' until
 * somebody wakes them, so that a new time wakes one thread and not all. */

#include "yuloh/workqueue.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/metrics.h"
#include "base/thread.h"
#include "workqueue/queue_metrics.h"
#include "workqueue/schedule.h"
#include "yuloh/arena.h"
#include "yuloh/rate_limiter.h"

/* How often a worker looks for a key before it sleeps: some 2 us, which is
 * less than waking a thread takes. */
#define LOOKS 4000

struct yl_workqueue {
    struct yl_workqueue_opts opts;  /* Defaults filled in. */
    char *name;
    struct yl_rate_limiter *own_limiter;    /* Unless the options had one. */
    struct yl_queue_metrics *metrics;       /* NULL: none. */
    struct yl_metrics_source source;        /* For the ages of keys. */

    /* Innermost but for the locks of a fake clock: no code of the user's runs
     * under it. */
    struct yl_mutex lock;
    struct yl_schedule schedule YL_GUARDED;
    struct yl_cond ready;       /* There is a key, or a time to keep. */
    struct yl_cond due;         /* The same, for the keeper of the time. */
    struct yl_cond drained;     /* Nothing is ready or out. */
    size_t n_sleepers YL_GUARDED;   /* Workers that wait on 'ready'. */
    size_t n_lookouts YL_GUARDED;   /* Workers that look at 'n_ready'. */
    bool has_keeper YL_GUARDED; /* A worker waits on 'due'. */
    bool closed YL_GUARDED;
    bool draining YL_GUARDED;

    /* A copy of the schedule's, written with the lock held and read without
     * it. */
    size_t n_ready;
};

static void add(struct yl_workqueue *, const struct yl_key *, yl_msec delay,
                int priority, bool is_retry, unsigned n_requeues);
static yl_msec count_failure(struct yl_workqueue *, const struct yl_key *,
                             unsigned *ret_n_requeues);
static const struct yl_key *get(struct yl_workqueue *, bool may_wait);
static void promote(struct yl_workqueue *);
static void show_ready(struct yl_workqueue *);
static void look_out(struct yl_workqueue *);
static void wait_for_key(struct yl_workqueue *);
static void wake_one(struct yl_workqueue *);
static void wake_for(struct yl_workqueue *, enum yl_schedule_change);
static void shut_down(struct yl_workqueue *, bool draining);
static void update_ages(struct yl_metrics_source *);
static void trace(struct yl_workqueue *, enum yl_workqueue_event_type,
                  const struct yl_key *, yl_msec delay, int priority,
                  unsigned n_requeues);
static int64_t stamp(const struct yl_workqueue *);

struct yl_workqueue *
yl_workqueue_new(const struct yl_workqueue_opts *opts)
{
    struct yl_workqueue *q = yl_zalloc(sizeof *q);

    if (opts) {
        q->opts = *opts;
    }
    q->name = yl_strdup(q->opts.name ? yl_str_c(q->opts.name)
                                     : YL_STR("workqueue"));
    q->opts.name = q->name;
    if (!q->opts.limiter) {
        struct yl_rate_limiter *parts[] = {
            yl_rate_limiter_exponential_new(
                q->opts.retry_min ? q->opts.retry_min : 5,
                q->opts.retry_max ? q->opts.retry_max : 1000 * 1000),
            yl_rate_limiter_token_bucket_new(10, 100),
        };

        q->own_limiter = yl_rate_limiter_max_of_new_take(parts, 2);
        q->opts.limiter = q->own_limiter;
    }
    q->metrics = yl_queue_metrics_new(q->opts.metrics, q->name);
    yl_mutex_init_brief(&q->lock);
    yl_cond_init(&q->ready);
    yl_cond_init(&q->due);
    yl_cond_init(&q->drained);
    yl_mutex_lock(&q->lock);
    yl_schedule_init(&q->schedule, q->metrics);
    yl_mutex_unlock(&q->lock);
    q->source.update = update_ages;
    yl_metrics_add_source(q->opts.metrics, &q->source);
    return q;
}

void
yl_workqueue_free(struct yl_workqueue *q)
{
    if (!q) {
        return;
    }
    yl_metrics_remove_source(q->opts.metrics, &q->source);
    yl_mutex_lock(&q->lock);
    assert(!q->schedule.n_out && !q->n_sleepers && !q->has_keeper);
    yl_schedule_release(&q->schedule);
    yl_mutex_unlock(&q->lock);
    yl_cond_destroy(&q->drained);
    yl_cond_destroy(&q->due);
    yl_cond_destroy(&q->ready);
    yl_mutex_destroy(&q->lock);
    yl_queue_metrics_free(q->metrics);
    yl_rate_limiter_free(q->own_limiter);
    free(q->name);
    free(q);
}

const char *
yl_workqueue_name(const struct yl_workqueue *q)
{
    return q->name;
}

void
yl_workqueue_add(struct yl_workqueue *q, const struct yl_key *key)
{
    add(q, key, 0, 0, false, 0);
}

void
yl_workqueue_add_after(struct yl_workqueue *q, const struct yl_key *key,
                       yl_msec delay)
{
    add(q, key, delay, 0, true, 0);
}

void
yl_workqueue_add_rate_limited(struct yl_workqueue *q, const struct yl_key *key)
{
    yl_workqueue_add_with(
        q, key, &(struct yl_workqueue_add_opts) { .rate_limited = true });
}

void
yl_workqueue_add_with(struct yl_workqueue *q, const struct yl_key *key,
                      const struct yl_workqueue_add_opts *opts)
{
    yl_msec delay = opts->delay, back_off;
    unsigned n_requeues = 0;

    if (opts->rate_limited) {
        back_off = count_failure(q, key, &n_requeues);
        if (back_off > delay) {
            delay = back_off;
        }
    }
    add(q, key, delay, opts->priority, delay > 0 || opts->rate_limited,
        n_requeues);
}

void
yl_workqueue_forget(struct yl_workqueue *q, const struct yl_key *key)
{
    size_t hash = yl_key_hash(key);
    struct yl_work *work;

    if (q->opts.trace) {
        trace(q, YL_WORKQUEUE_FORGOTTEN, key, 0, 0, 0);
    }
    yl_mutex_lock(&q->lock);
    work = yl_schedule_find(&q->schedule, key, hash);
    if (work) {
        work->n_requeues = 0;
        yl_schedule_free_if_unused(&q->schedule, work);
    }
    yl_mutex_unlock(&q->lock);
}

unsigned
yl_workqueue_num_requeues(struct yl_workqueue *q, const struct yl_key *key)
{
    size_t hash = yl_key_hash(key);
    struct yl_work *work;
    unsigned n;

    yl_mutex_lock(&q->lock);
    work = yl_schedule_find(&q->schedule, key, hash);
    n = work ? work->n_requeues : 0;
    yl_mutex_unlock(&q->lock);
    return n;
}

const struct yl_key *
yl_workqueue_get(struct yl_workqueue *q)
{
    return get(q, true);
}

const struct yl_key *
yl_workqueue_try_get(struct yl_workqueue *q)
{
    return get(q, false);
}

void
yl_workqueue_done(struct yl_workqueue *q, const struct yl_key *lent)
{
    struct yl_work *work = YL_CONTAINER_OF(lent, struct yl_work, key);

    if (q->opts.trace) {
        trace(q, YL_WORKQUEUE_DONE, lent, 0, 0, 0);
    }
    yl_mutex_lock(&q->lock);
    promote(q);
    wake_for(q, yl_schedule_put_back(
                    &q->schedule, work,
                    work->again == YL_NEVER ? 0 : yl_now(q->opts.clock),
                    stamp(q)));
    if (q->draining && !q->schedule.n_ready && !q->schedule.n_out) {
        yl_cond_broadcast(&q->drained);
    }
    yl_mutex_unlock(&q->lock);
}

yl_msec
yl_workqueue_next(struct yl_workqueue *q)
{
    yl_msec next;

    yl_mutex_lock(&q->lock);
    next = q->schedule.n_ready ? yl_now(q->opts.clock)
                               : yl_schedule_next(&q->schedule);
    yl_mutex_unlock(&q->lock);
    return next;
}

int
yl_workqueue_priority(const struct yl_workqueue *q YL_UNUSED,
                      const struct yl_key *lent)
{
    /* Nobody writes it while the key is out. */
    return YL_CONTAINER_OF(lent, struct yl_work, key)->priority;
}

void
yl_workqueue_shut_down(struct yl_workqueue *q)
{
    yl_mutex_lock(&q->lock);
    shut_down(q, false);
    yl_mutex_unlock(&q->lock);
}

void
yl_workqueue_shut_down_with_drain(struct yl_workqueue *q)
{
    yl_mutex_lock(&q->lock);
    shut_down(q, true);
    while (q->draining && (q->schedule.n_ready || q->schedule.n_out)) {
        yl_cond_wait(&q->drained, &q->lock);
    }
    yl_mutex_unlock(&q->lock);
}

bool
yl_workqueue_shutting_down(struct yl_workqueue *q)
{
    bool closed;

    yl_mutex_lock(&q->lock);
    closed = q->closed;
    yl_mutex_unlock(&q->lock);
    return closed;
}

size_t
yl_workqueue_len(struct yl_workqueue *q)
{
    size_t n;

    yl_mutex_lock(&q->lock);
    promote(q);
    n = q->schedule.n_ready;
    yl_mutex_unlock(&q->lock);
    return n;
}

void
yl_workqueue_get_stats(struct yl_workqueue *q, struct yl_workqueue_stats *ret)
{
    yl_mutex_lock(&q->lock);
    promote(q);
    ret->n_ready = q->schedule.n_ready;
    ret->n_waiting = yl_heap_count(&q->schedule.waiting);
    ret->n_out = q->schedule.n_out;
    ret->n_idle = yl_map_count(&q->schedule.works) - ret->n_ready
                  - ret->n_waiting - ret->n_out;
    ret->next = yl_schedule_next(&q->schedule);
    yl_mutex_unlock(&q->lock);
}

size_t
yl_workqueue_snapshot(struct yl_workqueue *q, size_t max,
                      struct yl_arena *arena,
                      const struct yl_workqueue_entry **ret_entries)
{
    size_t n;

    yl_mutex_lock(&q->lock);
    promote(q);
    n = yl_schedule_snapshot(&q->schedule, max, arena, ret_entries);
    yl_mutex_unlock(&q->lock);
    return n;
}

/* Asks for 'key'; the hash is computed before the lock is taken. */
static void
add(struct yl_workqueue *q, const struct yl_key *key, yl_msec delay,
    int priority, bool is_retry, unsigned n_requeues)
{
    size_t hash = yl_key_hash(key);
    yl_msec when = YL_AT_ONCE;
    bool closed;

    if (delay > 0) {
        yl_msec now = yl_now(q->opts.clock);

        when = delay < YL_NEVER - 1 - now ? now + delay : YL_NEVER - 1;
    }
    yl_mutex_lock(&q->lock);
    closed = q->closed;
    if (!closed) {
        struct yl_work *work;

        promote(q);
        work = yl_schedule_find_or_add(&q->schedule, key, hash);
        wake_for(q, yl_schedule_add(&q->schedule, work, when, priority,
                                    stamp(q)));
        if (is_retry && q->metrics) {
            yl_queue_metrics_retried(q->metrics);
        }
    }
    yl_mutex_unlock(&q->lock);
    if (q->opts.trace && !closed) {
        trace(q, YL_WORKQUEUE_ADDED, key, delay > 0 ? delay : 0, priority,
              n_requeues);
    }
}

/* Counts a failure of 'key' and returns how long it has to wait for that.  The
 * limiter may be the user's code, so the lock is not held when it is asked. */
static yl_msec
count_failure(struct yl_workqueue *q, const struct yl_key *key,
              unsigned *ret_n_requeues)
{
    size_t hash = yl_key_hash(key);
    unsigned n_before = 0;
    bool closed;

    yl_mutex_lock(&q->lock);
    closed = q->closed;
    if (!closed) {
        n_before = yl_schedule_find_or_add(&q->schedule, key,
                                           hash)->n_requeues++;
    }
    yl_mutex_unlock(&q->lock);
    *ret_n_requeues = n_before + 1;
    return closed ? 0 : yl_rate_limiter_when(q->opts.limiter, key, n_before,
                                             yl_now(q->opts.clock));
}

static const struct yl_key *
get(struct yl_workqueue *q, bool may_wait)
{
    bool may_look_out = may_wait && !q->opts.clock;
    struct yl_work *work;

    yl_mutex_lock(&q->lock);
    for (;;) {
        promote(q);
        work = yl_schedule_take(&q->schedule, stamp(q));
        if (work) {
            break;
        }

        /* The coarse time may be behind: look at the clock. */
        if (yl_schedule_next(&q->schedule) <= yl_now(q->opts.clock)) {
            yl_schedule_promote(&q->schedule, yl_now(q->opts.clock));
            continue;
        }
        if (q->closed || !may_wait) {
            break;
        }
        if (may_look_out) {
            may_look_out = false;
            look_out(q);
        } else {
            wait_for_key(q);
        }
    }
    show_ready(q);

    /* This thread was woken for one key, or kept the time.  If there is more
     * to do, hand that to another, or it may come due with all asleep. */
    if (q->schedule.n_ready
        || (!q->has_keeper && yl_heap_count(&q->schedule.waiting))) {
        wake_one(q);
    }
    yl_mutex_unlock(&q->lock);

    if (!work) {
        return NULL;
    }
    if (q->opts.trace) {
        trace(q, YL_WORKQUEUE_GOT, &work->key, 0, work->priority, 0);
    }
    return &work->key;
}

/* Makes those ready whose time has come.  Reads the clock only if something
 * waits for it, and then the cheap one: this is called for each key, to keep
 * keys in order, which need not be exact to the millisecond. */
static void
promote(struct yl_workqueue *q) YL_REQUIRES(q->lock)
{
    if (yl_heap_count(&q->schedule.waiting)) {
        yl_schedule_promote(&q->schedule, yl_now_coarse(q->opts.clock));
    }
}

static void
show_ready(struct yl_workqueue *q) YL_REQUIRES(q->lock)
{
    YL_STORE_RELAXED(&q->n_ready, q->schedule.n_ready);
}

/* Looks for a key for some microseconds, without the lock.  Often the next one
 * comes so soon that sleeping and being woken would take much longer.  Whoever
 * adds one meanwhile need not wake anybody. */
static void
look_out(struct yl_workqueue *q) YL_REQUIRES(q->lock)
{
    int i;

    q->n_lookouts++;
    yl_mutex_unlock(&q->lock);
    for (i = 0; i < LOOKS && !YL_LOAD_RELAXED(&q->n_ready); i++) {
        continue;
    }
    yl_mutex_lock(&q->lock);
    q->n_lookouts--;
}

/* Waits for something to change; keeps the time if nobody else does. */
static void
wait_for_key(struct yl_workqueue *q) YL_REQUIRES(q->lock)
{
    if (!q->has_keeper) {
        q->has_keeper = true;
        yl_cond_wait_until(&q->due, &q->lock, q->opts.clock,
                           yl_schedule_next(&q->schedule));
        q->has_keeper = false;
    } else {
        q->n_sleepers++;
        yl_cond_wait_until(&q->ready, &q->lock, q->opts.clock, YL_NEVER);
        q->n_sleepers--;
    }
}

static void
wake_one(struct yl_workqueue *q) YL_REQUIRES(q->lock)
{
    show_ready(q);
    if (q->n_lookouts) {
        /* It takes the lock before it sleeps, and sees the key then. */
        return;
    }
    if (q->n_sleepers) {
        yl_cond_signal(&q->ready);
    } else if (q->has_keeper) {
        yl_cond_signal(&q->due);
    }
}

static void
wake_for(struct yl_workqueue *q, enum yl_schedule_change change)
    YL_REQUIRES(q->lock)
{
    if (change == YL_SCHEDULE_READY) {
        wake_one(q);
    } else if (change == YL_SCHEDULE_SOONER) {
        if (q->has_keeper) {
            yl_cond_signal(&q->due);
        } else {
            wake_one(q);
        }
    }
}

static void
shut_down(struct yl_workqueue *q, bool draining) YL_REQUIRES(q->lock)
{
    q->draining = draining;
    if (!q->closed) {
        q->closed = true;
        yl_schedule_drop_waiting(&q->schedule, yl_now(q->opts.clock));
    }
    yl_cond_broadcast(&q->ready);
    yl_cond_broadcast(&q->due);
    yl_cond_broadcast(&q->drained);
}

/* Sets the gauges for the keys that are out, until the queue is shut down. */
static void
update_ages(struct yl_metrics_source *source)
{
    struct yl_workqueue *q = YL_CONTAINER_OF(source, struct yl_workqueue,
                                             source);

    yl_mutex_lock(&q->lock);
    if (!q->closed) {
        int64_t now = stamp(q);
        double sum = 0, longest = 0;
        struct yl_work *work;

        YL_LIST_FOR_EACH (work, in_list, &q->schedule.out) {
            double age = (double) (now - work->out_since) / 1e9;

            sum += age;
            longest = age > longest ? age : longest;
        }
        yl_queue_metrics_set_unfinished(q->metrics, sum, longest);
    }
    yl_mutex_unlock(&q->lock);
}

static void
trace(struct yl_workqueue *q, enum yl_workqueue_event_type type,
      const struct yl_key *key, yl_msec delay, int priority,
      unsigned n_requeues)
{
    const struct yl_workqueue_event event = {
        .type = type, .key = key, .delay = delay, .priority = priority,
        .n_requeues = n_requeues,
    };

    q->opts.trace(q->opts.trace_aux, &event);
}

/* Now, in nanoseconds, for the metrics; 0 if there are none. */
static int64_t
stamp(const struct yl_workqueue *q)
{
    struct timespec now;

    if (!q->metrics) {
        return 0;
    }
    if (q->opts.clock) {
        return yl_now(q->opts.clock) * 1000000;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
}
