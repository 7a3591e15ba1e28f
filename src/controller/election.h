#ifndef CONTROLLER_ELECTION_H
#define CONTROLLER_ELECTION_H 1

/* Election: decides what a replica does to the Lease, and when.
 *
 * A pure machine under yuloh/leader_election.h.  Its driver asks what to do,
 * does it, and says how that ended:
 *
 *     next() -> GET, CREATE, UPDATE: call the server, then done()
 *            -> WAIT: ask again at the time it says
 *            -> START, STOP: tell the program
 *            -> END: it is over
 *
 *     try:   leader whose Lease is valid -> UPDATE --ok--> renewed
 *                                             | failed
 *                                             v
 *            everybody else -------------->  GET --none--> CREATE
 *                                             |
 *                    held by another: wait <--+--> UPDATE
 *
 * Times are of a monotonic clock, except those that are written into the
 * Lease, for people. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "controller/lease.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"
#include "yuloh/object.h"
#include "yuloh/time.h"

enum yl_election_act {
    YL_ELECTION_WAIT,           /* Until 'until' of the call. */
    YL_ELECTION_GET,
    YL_ELECTION_CREATE,         /* With 'json'. */
    YL_ELECTION_UPDATE,         /* With 'json'. */
    YL_ELECTION_START,          /* This replica leads from now on. */
    YL_ELECTION_STOP,           /* It does not lead any more: stop the work,
                                 * then ask again. */
    YL_ELECTION_END,
};

struct yl_election_call {
    yl_msec until;              /* Of WAIT. */
    yl_msec timeout;            /* Of GET, CREATE and UPDATE. */
    struct yl_str json;         /* Lent until done(). */
};

/* Set these before yl_election_init(); all are needed but labels. */
struct yl_election_opts {
    struct yl_key lease;
    struct yl_str identity;
    const struct yl_lease_label *labels;
    size_t n_labels;
    yl_msec lease_duration, renew_deadline, retry_period;
    bool keep_lease;
    uint64_t seed;
};

/* What the machine is doing. */
enum yl_election_phase {
    YL_ELECTION_CANDIDATE,
    YL_ELECTION_STARTING,       /* Leader; START is to be said. */
    YL_ELECTION_LEADER,
    YL_ELECTION_STOPPING,       /* STOP is to be said. */
    YL_ELECTION_RELEASING,
    YL_ELECTION_ENDED,
};

enum yl_election_step {
    YL_ELECTION_IDLE,           /* No try under way. */
    YL_ELECTION_RENEWING,       /* UPDATE without a GET before. */
    YL_ELECTION_GETTING,
    YL_ELECTION_CREATING,
    YL_ELECTION_UPDATING,
};

struct yl_election {
    struct yl_election_opts opts;   /* Lent. */
    enum yl_election_phase phase;
    enum yl_election_step step;
    bool stopping;              /* Was yl_election_stop() called? */
    bool lost;                  /* Does somebody else hold the Lease? */
    yl_msec next_try;
    yl_msec tried;              /* When the try under way began. */
    yl_msec renewed;            /* When the last try that succeeded began. */
    uint64_t chance;

    /* The Lease as it was last seen, and when it was seen to change. */
    struct yl_versioned object;     /* No object: never seen. */
    struct yl_lease lease;      /* Its strings are in 'lease_arena'. */
    struct yl_arena lease_arena;
    yl_msec observed;

    struct yl_lease proposal;   /* What a write under way says. */
    struct yl_arena arena;      /* Of the try under way. */
    uint64_t n_slow;            /* Renewals that needed a GET. */
};

void yl_election_init(struct yl_election *, const struct yl_election_opts *);
void yl_election_release(struct yl_election *);

/* Do the durations and the rest make sense?  0 or YL_EINVALID. */
int yl_election_check_opts(const struct yl_election_opts *, struct yl_error *);

/* What to do at 'now', which is 'time' of the calendar.  Not while a call is
 * under way. */
enum yl_election_act yl_election_next(struct yl_election *, yl_msec now,
                                      struct yl_time time,
                                      struct yl_election_call *ret_call);

/* The call has ended: 'code' is 0 or negative, 'object' the Lease as it is
 * then, which is taken. */
void yl_election_done_take(struct yl_election *, yl_msec now, int code,
                           struct yl_versioned object);

/* Gives up, as soon as next() is called. */
void yl_election_stop(struct yl_election *);

/* Does this replica lead, as of 'now'? */
bool yl_election_leads(const struct yl_election *, yl_msec now);

/* The holder that was last seen. */
struct yl_str yl_election_holder(const struct yl_election *);

#endif /* controller/election.h */
