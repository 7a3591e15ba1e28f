#ifndef APISERVER_EVENTS_TTL_H
#define APISERVER_EVENTS_TTL_H 1

/* Expiry of Events: a thread deletes those that have not been written for
 * their time to live, an hour by default.
 *
 *     keyspace -> scan -> older than the time to live? -> delete
 *
 * Nothing is stored for it.  From time to time a mark is set: the newest
 * revision at that time.  An Event whose revision is below the mark of an hour
 * ago has not been written for an hour.  For Events from before this process
 * started, the times in the Event are used as well.
 *
 * Guarantees
 * ==========
 *
 *   - An Event lives for the time to live after it was last written, and a
 *     sixtieth of it (at least a second) longer at most.
 *
 *   - An Event that is written while it is about to be deleted stays.
 *
 * Threads
 * =======
 *
 * Started and stopped by the server's owner; its own thread is called
 * "events". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/error.h"

struct yl_events_ttl;
struct yl_keyspace;
struct yl_ks_resource;

struct yl_events_ttl_opts {
    struct yl_clock *clock;         /* [The monotonic one.] */
    struct yl_keyspace *keyspace;   /* Lent. */
    struct yl_ks_resource *events;  /* Lent. */
    yl_msec ttl;

    /* Called on the thread after every sweep, for other work to be done from
     * time to time.  May be NULL. */
    void (*tick)(void *aux);
    void *aux;
};

int yl_events_ttl_start(const struct yl_events_ttl_opts *,
                        struct yl_events_ttl **ret_ttl, struct yl_error *err);

/* Waits for deletions that are under way.  NULL is fine. */
void yl_events_ttl_stop(struct yl_events_ttl *);

/* Marks
 * =====
 *
 * Record which revision was the newest at which time; without the thread. */

#define YL_TTL_MARKS 64

struct yl_ttl_marks {
    struct {
        yl_msec when;
        uint64_t revision;
    } marks[YL_TTL_MARKS];
    size_t first, n;
};

/* Records that at 'now' the newest revision is 'revision'.  If there is no
 * room, the oldest mark is dropped. */
void yl_ttl_mark(struct yl_ttl_marks *, yl_msec now, uint64_t revision);

/* The newest revision that is known to be at least 'age' old; 0 if none is. */
uint64_t yl_ttl_revision(const struct yl_ttl_marks *, yl_msec now,
                         yl_msec age);

#endif /* apiserver/events_ttl.h */
