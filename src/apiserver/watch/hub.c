/* Hub.  See apiserver/watch/hub.h for the contract.
 *
 * A round resumes the watchers, whose connections become chores of the loop.
 * Then it queues a chore of its own behind them: when that one runs, all of
 * them have been served.
 *
 * Sending takes a system call for each watcher, which costs more than the
 * event itself.  A lane that is woken during a round runs again when the round
 * ends.  If that happens again and again, it rests before the next round:
 * first as long as a round takes, then twice, then three times as long, until
 * a round passes without new events.  Without rests, with 1,000 watchers and
 * eight writers, each call carried four events.
 *
 *     IDLE --woken--> BUSY --served--> IDLE
 *                     ^  |
 *                     |  +--served, woken again and again--> RESTING
 *                     +------------------timer-------------------+ */

#include "apiserver/watch/hub.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/watch/class.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "net/loop.h"

/* The longest rest, however many watchers there are. */
#define MAX_REST 50

/* The longest rest, in rounds. */
#define MAX_RESTS 3

struct yl_watch_lane {
    struct yl_list node;        /* In the hub. */
    struct yl_loop *loop;
    struct yl_ks_resource *resource;
    struct yl_ks_listener listener;
    struct yl_watch_waiter waiter;
    struct yl_loop_task task;
    atomic_bool posted;         /* Whether 'task' is posted. */

    /* These belong to the loop. */
    struct yl_list watchers;
    struct yl_loop_chore after; /* Runs when the watchers were served. */
    struct yl_loop_timer timer; /* Fires when it has rested. */
    yl_msec began;              /* When it woke the watchers. */
    bool busy;                  /* Whether 'after' is still to run. */
    bool woken;                 /* There are new events, for the next round. */
    int n_late;                 /* Rounds in a row that were woken again. */
};

struct yl_watch_hub {
    struct yl_mutex lock;
    struct yl_list lanes;       /* As many as loops times resources. */
    struct yl_watch_classes *classes;
    atomic_bool draining;
    atomic_uint_fast64_t n_watchers;
    atomic_uint n_asked;        /* How often bookmarks were asked for. */
};

static struct yl_watch_lane *lane_of(struct yl_watch_hub *, struct yl_loop *,
                                     struct yl_ks_resource *);
static void on_publish(struct yl_ks_listener *);
static void on_rendered(struct yl_watch_waiter *);
static void wake_lane(struct yl_watch_lane *);
static void on_task(struct yl_loop_task *);
static void on_served(struct yl_loop_chore *);
static void on_rested(struct yl_loop_timer *);
static void run_lane(struct yl_watch_lane *);

struct yl_watch_hub *
yl_watch_hub_new(void)
{
    struct yl_watch_hub *hub = yl_zalloc(sizeof *hub);

    yl_mutex_init(&hub->lock);
    yl_list_init(&hub->lanes);
    hub->classes = yl_watch_classes_new();
    return hub;
}

void
yl_watch_hub_free(struct yl_watch_hub *hub)
{
    struct yl_watch_lane *lane;

    if (!hub) {
        return;
    }
    YL_LIST_FOR_EACH_SAFE (lane, node, &hub->lanes) {
        yl_ks_unlisten(lane->resource, &lane->listener);
        free(lane);
    }
    yl_watch_classes_free(hub->classes);
    yl_mutex_destroy(&hub->lock);
    free(hub);
}

struct yl_watch_classes *
yl_watch_hub_classes(struct yl_watch_hub *hub)
{
    return hub->classes;
}

void
yl_watch_hub_drain(struct yl_watch_hub *hub)
{
    atomic_store(&hub->draining, true);
}

bool
yl_watch_hub_is_draining(struct yl_watch_hub *hub)
{
    return atomic_load(&hub->draining);
}

void
yl_watch_hub_add(struct yl_watch_hub *hub, struct yl_loop *loop,
                 struct yl_ks_resource *resource, struct yl_watcher *watcher)
{
    watcher->lane = lane_of(hub, loop, resource);
    yl_list_push_back(&watcher->lane->watchers, &watcher->node);
    atomic_fetch_add(&hub->n_watchers, 1);
}

void
yl_watch_hub_remove(struct yl_watch_hub *hub, struct yl_watcher *watcher)
{
    yl_list_remove(&watcher->node);
    atomic_fetch_sub(&hub->n_watchers, 1);
}

void
yl_watch_hub_wake(struct yl_watch_hub *hub, struct yl_ks_resource *resource)
{
    struct yl_watch_lane *lane;

    yl_mutex_lock(&hub->lock);
    YL_LIST_FOR_EACH (lane, node, &hub->lanes) {
        if (lane->resource == resource) {
            wake_lane(lane);
        }
    }
    yl_mutex_unlock(&hub->lock);
}

void
yl_watch_hub_ask_bookmarks(struct yl_watch_hub *hub)
{
    struct yl_watch_lane *lane;

    atomic_fetch_add(&hub->n_asked, 1);
    yl_mutex_lock(&hub->lock);
    YL_LIST_FOR_EACH (lane, node, &hub->lanes) {
        wake_lane(lane);
    }
    yl_mutex_unlock(&hub->lock);
}

unsigned
yl_watch_hub_bookmarks_asked(const struct yl_watch_hub *hub)
{
    return atomic_load_explicit(&hub->n_asked, memory_order_relaxed);
}

struct yl_watch_waiter *
yl_watcher_waiter(struct yl_watcher *watcher)
{
    return &watcher->lane->waiter;
}

uint64_t
yl_watch_hub_count(struct yl_watch_hub *hub)
{
    return atomic_load(&hub->n_watchers);
}

/* Finds or makes a lane.  Lanes are never removed: there are few, and the
 * keyspace may be about to wake one. */
static struct yl_watch_lane *
lane_of(struct yl_watch_hub *hub, struct yl_loop *loop,
        struct yl_ks_resource *resource)
{
    struct yl_watch_lane *lane;

    yl_mutex_lock(&hub->lock);
    YL_LIST_FOR_EACH (lane, node, &hub->lanes) {
        if (lane->loop == loop && lane->resource == resource) {
            break;
        }
    }
    if (!lane) {
        lane = yl_zalloc(sizeof *lane);
        lane->loop = loop;
        lane->resource = resource;
        lane->listener.wake = on_publish;
        lane->waiter.wake = on_rendered;
        lane->task.run = on_task;
        yl_list_init(&lane->after.node);
        lane->after.run = on_served;
        lane->timer.fire = on_rested;
        yl_list_init(&lane->watchers);
        yl_list_push_back(&hub->lanes, &lane->node);
        yl_ks_listen(resource, &lane->listener);
    }
    yl_mutex_unlock(&hub->lock);
    return lane;
}

/* Called on the writer's thread. */
static void
on_publish(struct yl_ks_listener *listener)
{
    wake_lane(YL_CONTAINER_OF(listener, struct yl_watch_lane, listener));
}

/* Called on the loop that has rendered the events this lane waits for. */
static void
on_rendered(struct yl_watch_waiter *waiter)
{
    wake_lane(YL_CONTAINER_OF(waiter, struct yl_watch_lane, waiter));
}

/* Called on any thread, and on several at a time. */
static void
wake_lane(struct yl_watch_lane *lane)
{
    if (!atomic_exchange(&lane->posted, true)) {
        yl_loop_post(lane->loop, &lane->task);
    }
}

static void
on_task(struct yl_loop_task *task)
{
    struct yl_watch_lane *lane = YL_CONTAINER_OF(task, struct yl_watch_lane,
                                                 task);

    atomic_store(&lane->posted, false);
    if (lane->busy || yl_loop_timer_is_armed(&lane->timer)) {
        lane->woken = true;
    } else {
        run_lane(lane);
    }
}

/* Runs on the loop.  Events that are published from here on wake the lane
 * again. */
static void
run_lane(struct yl_watch_lane *lane)
{
    struct yl_watcher *watcher;

    lane->woken = false;
    lane->busy = true;
    lane->began = yl_loop_now(lane->loop);
    yl_ks_listener_ready(lane->resource, &lane->listener);
    YL_LIST_FOR_EACH_SAFE (watcher, node, &lane->watchers) {
        watcher->news(watcher);
    }
    yl_loop_defer(lane->loop, &lane->after);
}

/* Runs after the watchers that were resumed. */
static void
on_served(struct yl_loop_chore *chore)
{
    struct yl_watch_lane *lane = YL_CONTAINER_OF(chore, struct yl_watch_lane,
                                                 after);
    yl_msec now = yl_now(yl_loop_clock(lane->loop));
    yl_msec rest = (now - lane->began) * lane->n_late;

    lane->busy = false;
    if (!lane->woken) {
        lane->n_late = 0;
        return;
    }
    lane->n_late += lane->n_late < MAX_RESTS;
    if (rest > 0) {
        yl_loop_timer_arm(lane->loop, &lane->timer,
                          now + (rest < MAX_REST ? rest : MAX_REST));
    } else {
        run_lane(lane);
    }
}

static void
on_rested(struct yl_loop_timer *timer)
{
    struct yl_watch_lane *lane = YL_CONTAINER_OF(timer, struct yl_watch_lane,
                                                 timer);

    if (lane->woken) {
        run_lane(lane);
    }
}
