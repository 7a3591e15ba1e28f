#ifndef YL_LEADER_ELECTION_H
#define YL_LEADER_ELECTION_H 1

/* Leader election: of several replicas of a program, one works.
 *
 *     replicas -> [leader election] -> one Lease at the API server
 *
 * The replicas agree on a Lease object as client-go's do, and can be mixed
 * with them: its holder is the leader, who renews it every 'retry_period'.  A
 * replica that has seen no change of the Lease for its whole duration takes it
 * over.
 *
 *     candidate --Lease is free, released or stale--> leader
 *     leader --stopped, could not renew in time, or
 *              somebody else holds the Lease--------> ended
 *
 * Guarantees
 * ==========
 *
 *   - Stops before it expires.  A leader that could not renew the Lease for
 *     'renew_deadline' stops to be one, and 'stopped' is called; others take
 *     over 'lease_duration' after the last renewal at the earliest.  The
 *     difference (5 s by default) is the time that the work has to stop.
 *
 *   - Clocks need not agree.  Times in the Lease are for people.  Replicas
 *     measure how long they have seen no change, each on its own clock.
 *
 *   - yl_leader_election_is_leader() looks at the time: it is false from the
 *     deadline on, also in a process that was stopped (SIGSTOP) and goes on
 *     before its threads have noticed.  Ask it before every write.
 *
 *   - Releases after the work has stopped: the Lease is given up only when
 *     'stopped' has returned, so that a successor can start at once and never
 *     meets its predecessor.
 *
 *   - What others have written into the Lease (labels, annotations and so on)
 *     stays.
 *
 * A Lease cannot fence: a request that was sent by a leader and is delayed on
 * its way may arrive after another has taken over.  The server's check of
 * resourceVersion is what protects an object from that.
 *
 * Ownership
 * =========
 *
 * Options are copied, their strings too.  The client, the recorder and the
 * metrics are lent and must outlive the election.
 *
 * Threads
 * =======
 *
 * An election has a thread of its own, on which the callbacks are called: they
 * must return soon, because a leader whose thread is busy cannot renew.  Every
 * function may be called from any thread, except that those which stop and
 * free it are not for the callbacks, and not for two threads at once.
 *
 * Usage
 * =====
 *
 *     struct yl_leader_election *election;
 *     int r = yl_leader_election_start(&(struct yl_leader_election_opts) {
 *         .client = client,
 *         .lease = yl_key_make(YL_STR("default"), YL_STR("network")),
 *         .started = start_workers, .stopped = stop_workers,
 *     }, &election, err);
 *     ...
 *     yl_leader_election_stop(election);
 *     yl_leader_election_free(election); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/error.h"
#include "yuloh/key.h"
#include "yuloh/object.h"

YL_C_BEGIN

struct yl_cancel;
struct yl_client;
struct yl_leader_election;
struct yl_metrics;
struct yl_recorder;

/* Where the Lease is.  The default is an API server; a test may have others.
 * The functions block for at most 'timeout', or until 'cancel' is set, and
 * return what yl_client_get() and so on do.  '*ret' is the Lease as it is
 * then, and the caller's. */
struct yl_lease_lock {
    int (*get)(void *aux, const struct yl_key *lease, yl_msec timeout,
               struct yl_cancel *cancel, struct yl_versioned *ret,
               struct yl_error *err);
    int (*create)(void *aux, const struct yl_key *lease, struct yl_str json,
                  yl_msec timeout, struct yl_cancel *cancel,
                  struct yl_versioned *ret, struct yl_error *err);
    int (*update)(void *aux, const struct yl_key *lease, struct yl_str json,
                  yl_msec timeout, struct yl_cancel *cancel,
                  struct yl_versioned *ret, struct yl_error *err);
};

/* A label that the Lease shall have. */
struct yl_lease_label {
    const char *name;
    const char *value;
};

/* Zero means the default. */
struct yl_leader_election_opts {
    struct yl_client *client;   /* This, or 'lock', is needed. */
    const struct yl_lease_lock *lock;
    void *lock_aux;

    struct yl_key lease;        /* Its namespace and name; needed. */
    const char *identity;       /* Of this replica; no two may have the same
                                 * [host name, "_" and a random UUID]. */
    const struct yl_lease_label *labels;
    size_t n_labels;

    yl_msec lease_duration;     /* A multiple of a second [15 s]. */
    yl_msec renew_deadline;     /* Less than that [10 s]. */
    yl_msec retry_period;       /* Between two tries [2 s]. */
    bool keep_lease;            /* At the end, let the Lease expire, for
                                 * programs whose work does not end with
                                 * 'stopped'. */

    /* Any of these may be NULL.  'stopped' is called once for each 'started',
     * and the work should be over when it returns.  'new_leader' is called
     * when another identity, also this one, is seen to be the leader for the
     * first time. */
    void (*started)(void *aux);
    void (*stopped)(void *aux);
    void (*new_leader)(void *aux, const char *identity);
    void *aux;

    struct yl_recorder *recorder;   /* For "became leader" and so on [none]. */
    struct yl_metrics *metrics; /* leader_election_master_status and
                                 * leader_election_slowpath_total [none]. */
    struct yl_clock *clock;     /* [monotonic] */
    uint64_t seed;              /* Of chance [random]. */
};

/* Checks the options and starts the thread.  0, YL_EINVALID and what is wrong
 * with the options, or YL_EUNAVAILABLE if there is no thread to be had. */
int yl_leader_election_start(const struct yl_leader_election_opts *,
                             struct yl_leader_election **ret_election,
                             struct yl_error *err);

/* Gives up: a leader stops to be one ('stopped' is called) and releases the
 * Lease.  Returns when all that is done, and the thread has ended. */
void yl_leader_election_stop(struct yl_leader_election *);

/* Stops it first. */
void yl_leader_election_free(struct yl_leader_election *);

/* Is this replica the leader now? */
bool yl_leader_election_is_leader(struct yl_leader_election *);

/* Has it ended: was leadership lost, or stop called?  It does not begin again:
 * as with client-go, a program that has lost its leadership exits. */
bool yl_leader_election_has_ended(struct yl_leader_election *);

/* This replica's identity, lent; and the leader's as it was last seen, to be
 * freed by the caller ("" if none was seen). */
const char *yl_leader_election_identity(const struct yl_leader_election *);
char *yl_leader_election_leader(struct yl_leader_election *) YL_MALLOC;

/* For health checks: YL_EUNAVAILABLE if this replica holds the Lease and has
 * not renewed it for 'lease_duration' and 'tolerance' more.  Then its thread
 * hangs, and somebody should restart the process. */
int yl_leader_election_check(struct yl_leader_election *, yl_msec tolerance,
                             struct yl_error *err);

YL_C_END

#endif /* yuloh/leader_election.h */
