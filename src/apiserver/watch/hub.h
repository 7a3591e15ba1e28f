#ifndef APISERVER_WATCH_HUB_H
#define APISERVER_WATCH_HUB_H 1

/* Hub: wakes watchers when there is something to see.
 *
 *     writer publishes -> lane of each loop -> its watchers with news resume
 *
 * A lane is a resource on a loop, with the watchers of both.  The keyspace
 * wakes a lane once, however many batches it publishes until the loop gets to
 * it.
 *
 * Guarantees
 * ==========
 *
 *   - News that find their watchers idle go out at once.
 *
 *   - A lane serves its watchers in rounds: news that come during one wait
 *     for its end.  Only if that happens in one round after another, so that
 *     the loop does nothing else, a lane rests between rounds, at most 50 ms:
 *     what comes meanwhile goes out together, and costs less.
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

/* Someone who waits for news; embedded in the watch. */
struct yl_watcher {
    struct yl_list node;        /* In the lane. */
    struct yl_watch_lane *lane;

    /* There may be news, called on the loop. */
    void (*news)(struct yl_watcher *);
};

void yl_watch_hub_add(struct yl_watch_hub *, struct yl_loop *,
                      struct yl_ks_resource *, struct yl_watcher *);
void yl_watch_hub_remove(struct yl_watch_hub *, struct yl_watcher *);

/* Whom a class wakes for the watcher: the lane, as if something had been
 * written. */
struct yl_watch_waiter *yl_watcher_waiter(struct yl_watcher *);

/* How many watchers there are, for metrics. */
uint64_t yl_watch_hub_count(struct yl_watch_hub *);

#endif /* apiserver/watch/hub.h */
