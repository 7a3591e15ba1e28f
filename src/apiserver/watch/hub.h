#ifndef APISERVER_WATCH_HUB_H
#define APISERVER_WATCH_HUB_H 1

/* Hub: wakes watchers when there is something to see.
 *
 *     writer publishes -> lane of each loop -> its watchers with news resume
 *
 * A lane is a resource on a loop, with the watchers of both.  The keyspace
 * wakes a lane once, however many batches it publishes until the loop gets to
 * it, and a lane that kept its loop busy rests before it runs again, as long
 * as it was busy, at most 50 ms; so events come together under load.
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

/* How many watchers there are, for metrics. */
uint64_t yl_watch_hub_count(struct yl_watch_hub *);

#endif /* apiserver/watch/hub.h */
