#ifndef APISERVER_KEYSPACE_PUBLISH_H
#define APISERVER_KEYSPACE_PUBLISH_H 1

/* Publishing: makes visible what storage's feed delivers, in order.
 *
 *     our write, back from storage -> a clone of its object    \  tree and
 *     another server's row         -> an object from its bytes /  log
 *
 * While the writer runs, this is the only place where something new becomes
 * visible.  All rows of a call appear at once: a reader that has seen one of
 * their revisions can read everything up to it.
 *
 * Threads
 * =======
 *
 * The writer's thread. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "apiserver/keyspace/resources.h"
#include "yuloh/clock.h"

struct yl_storage_row;

/* The first members are borrowed and set by the user.  The others are private,
 * and zero at first. */
struct yl_ks_publisher {
    struct yl_ks_resources *resources;
    struct yl_ks_history *history;
    _Atomic uint64_t *revision;

    struct yl_ks_resource **touched;    /* Resources whose listeners are to be
                                         * woken. */
    size_t n_touched, max_touched;
};

void yl_ks_publisher_release(struct yl_ks_publisher *);

/* Publishes rows and wakes the listeners.  The 'aux' of a row's 'write' is a
 * struct yl_ks_write. */
void yl_ks_publish(struct yl_ks_publisher *, const struct yl_storage_row *,
                   size_t n_rows, yl_msec now);

/* Notes that nothing else was written up to 'revision'. */
void yl_ks_publish_progress(struct yl_ks_publisher *, uint64_t revision,
                            yl_msec now);

#endif /* apiserver/keyspace/publish.h */
