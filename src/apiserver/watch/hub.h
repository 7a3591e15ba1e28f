#ifndef APISERVER_WATCH_HUB_H
#define APISERVER_WATCH_HUB_H 1

/* Hub: wakes watchers when there are new events.
 *
 *     writer publishes -> lane of each loop -> watchers with events resume
 *
 * A lane is one resource on one loop, with the watchers of that resource on
 * that loop.  However many batches the keyspace publishes before the loop gets
 * to it, it wakes a lane only once.
 *
 * Guarantees
 * ==========
 *
 *   - New events that find their watchers idle are sent at once.
 *
 *   - A lane serves its watchers in rounds: events that come during a round
 *     wait for its end.  If that happens in one round after another, so that
 *     the loop would do nothing else, the lane rests between rounds, at most
 *     50 ms.  Events that come meanwhile are sent together, which costs less.
 *
 * Threads
 * =======
 *
 * A watcher is added and removed on its loop. */

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct yl_clock;
struct yl_ks_resource;
struct yl_loop;
struct yl_watch_classes;
struct yl_watch_hub;
struct yl_watch_lane;
struct yl_watch_waiter;

struct yl_watch_hub *yl_watch_hub_new(void);

/* All watchers must be gone, and the loops have stopped. */
void yl_watch_hub_free(struct yl_watch_hub *);

struct yl_watch_classes *yl_watch_hub_classes(struct yl_watch_hub *);

/* Ends all watches, from now on. */
void yl_watch_hub_drain(struct yl_watch_hub *);
bool yl_watch_hub_is_draining(struct yl_watch_hub *);

/* A watcher that waits for new events; embedded in the watch. */
struct yl_watcher {
    struct yl_list node;        /* In the lane. */
    struct yl_watch_lane *lane;

    /* Called on the loop when there may be new events. */
    void (*news)(struct yl_watcher *);
};

void yl_watch_hub_add(struct yl_watch_hub *, struct yl_loop *,
                      struct yl_ks_resource *, struct yl_watcher *);
void yl_watch_hub_remove(struct yl_watch_hub *, struct yl_watcher *);

/* Wakes all watchers of a resource, so that those whose row in the registry is
 * gone end.  From any thread, while the loops run. */
void yl_watch_hub_wake(struct yl_watch_hub *, struct yl_ks_resource *);

/* Asks for bookmarks: each watcher that takes them gets one when it has been
 * sent everything, without waiting for its timer.  A test learns from them
 * that a client has seen all there is.  The second function returns how often
 * they were asked for.  From any thread, while the loops run. */
void yl_watch_hub_ask_bookmarks(struct yl_watch_hub *);
unsigned yl_watch_hub_bookmarks_asked(const struct yl_watch_hub *);

/* The waiter that a class wakes for the watcher.  It wakes the lane, as if
 * something had been written. */
struct yl_watch_waiter *yl_watcher_waiter(struct yl_watcher *);

/* How many watchers there are, for metrics. */
uint64_t yl_watch_hub_count(struct yl_watch_hub *);

#endif /* apiserver/watch/hub.h */
