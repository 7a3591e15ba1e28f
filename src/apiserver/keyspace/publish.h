#ifndef APISERVER_KEYSPACE_PUBLISH_H
#define APISERVER_KEYSPACE_PUBLISH_H 1

/* Publishing: what storage's feed delivers becomes visible, in order.
 *
 *     our write, back from storage -> a clone of its object    \  tree and
 *     somebody else's row          -> an object from its bytes /  log
 *
 * Here, and nowhere else, something new becomes visible while the writer runs.
 * All rows of a call appear at once: whoever has seen one of their revisions
 * can read everything up to it.
 *
 * Threads
 * =======
 *
 * The writer's. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/resources.h"
#include "yuloh/clock.h"

struct yl_storage_row;

/* What it works on; lent.  The rest is its own, and zero at first. */
struct yl_ks_publisher {
    struct yl_ks_resources *resources;
    struct yl_ks_history *history;
    _Atomic uint64_t *revision;

    struct yl_ks_resource **touched;    /* Whose listeners to wake. */
    size_t n_touched, max_touched;
};

void yl_ks_publisher_release(struct yl_ks_publisher *);

/* Publishes rows, whose 'write' has a struct yl_ks_write as its 'aux', and
 * wakes the listeners. */
void yl_ks_publish(struct yl_ks_publisher *, const struct yl_storage_row *,
                   size_t n_rows, yl_msec now);

/* Nothing else has happened up to 'revision'. */
void yl_ks_publish_progress(struct yl_ks_publisher *, uint64_t revision,
                            yl_msec now);

#endif /* apiserver/keyspace/publish.h */
