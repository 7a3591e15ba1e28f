/* Election.  See controller/election.h.
 *
 * Differs from client-go in three points, all of which make it stop sooner:
 * the deadline counts from when the last renewal was sent, not from when the
 * next one was due; a leader that finds another holder stops at once; and it
 * releases the Lease only after the work has stopped. */

#include "controller/election.h"

#include <string.h>

#include "base/backoff.h"

#define SECOND ((yl_msec) 1000)

/* Longest duration that a Lease of somebody else is believed. */
#define MAX_DURATION_SECONDS ((int64_t) 7 * 24 * 3600)

static enum yl_election_act begin_try(struct yl_election *, yl_msec now,
                                      struct yl_time,
                                      struct yl_election_call *);
static enum yl_election_act begin_release(struct yl_election *,
                                          struct yl_time,
                                          struct yl_election_call *);
static enum yl_election_act propose(struct yl_election *, struct yl_time,
                                    struct yl_election_call *);
static enum yl_election_act wait_for(struct yl_election *,
                                     struct yl_election_call *);
static void got(struct yl_election *, yl_msec now, int code,
                struct yl_versioned);
static void wrote(struct yl_election *, yl_msec now, struct yl_versioned);
static void observe(struct yl_election *, yl_msec now, struct yl_versioned);
static void fail_try(struct yl_election *, yl_msec now);
static bool is_holder(const struct yl_election *);
static bool is_valid(const struct yl_election *, yl_msec now);
static bool is_free_for_us(const struct yl_election *, yl_msec now);
static yl_msec deadline(const struct yl_election *);

int
yl_election_check_opts(const struct yl_election_opts *opts,
                       struct yl_error *err)
{
    if (opts->lease_duration <= opts->renew_deadline) {
        return yl_error_set(err, YL_EINVALID,
                            "lease duration must be greater than the renew "
                            "deadline");
    } else if (opts->renew_deadline <= opts->retry_period * 6 / 5) {
        return yl_error_set(err, YL_EINVALID,
                            "renew deadline must be greater than 1.2 times "
                            "the retry period");
    } else if (opts->retry_period < 1) {
        return yl_error_set(err, YL_EINVALID,
                            "retry period must be greater than zero");
    } else if (opts->lease_duration < SECOND
               || opts->lease_duration % SECOND != 0
               || opts->lease_duration / SECOND > MAX_DURATION_SECONDS) {
        return yl_error_set(err, YL_EINVALID,
                            "lease duration must be whole seconds, a week at "
                            "most");
    } else if (!opts->identity.size) {
        return yl_error_set(err, YL_EINVALID, "identity is empty");
    } else if (!opts->lease.name.size || !opts->lease.namespace_.size) {
        return yl_error_set(err, YL_EINVALID,
                            "the lease needs a namespace and a name");
    }
    return 0;
}

void
yl_election_init(struct yl_election *e, const struct yl_election_opts *opts)
{
    memset(e, 0, sizeof *e);
    e->opts = *opts;
    e->chance = opts->seed;
    e->lease.holder = YL_STR("");
    yl_arena_init(&e->arena);
    yl_arena_init(&e->lease_arena);
}

void
yl_election_release(struct yl_election *e)
{
    yl_object_unref(e->object.object);
    yl_arena_release(&e->arena);
    yl_arena_release(&e->lease_arena);
}

enum yl_election_act
yl_election_next(struct yl_election *e, yl_msec now, struct yl_time time,
                 struct yl_election_call *call)
{
    if (e->phase == YL_ELECTION_LEADER || e->phase == YL_ELECTION_STARTING) {
        if (e->stopping || e->lost || now >= deadline(e)) {
            /* Who was never told to start need not be told to stop. */
            e->phase = e->phase == YL_ELECTION_LEADER ? YL_ELECTION_STOPPING
                                                      : YL_ELECTION_RELEASING;
            e->step = YL_ELECTION_IDLE;
        }
    }
    switch (e->phase) {
    case YL_ELECTION_CANDIDATE:
        if (e->stopping) {
            e->phase = YL_ELECTION_ENDED;
            return YL_ELECTION_END;
        }
        return begin_try(e, now, time, call);

    case YL_ELECTION_STARTING:
        e->phase = YL_ELECTION_LEADER;
        return YL_ELECTION_START;

    case YL_ELECTION_LEADER:
        return begin_try(e, now, time, call);

    case YL_ELECTION_STOPPING:
        e->phase = YL_ELECTION_RELEASING;
        return YL_ELECTION_STOP;

    case YL_ELECTION_RELEASING:
        return begin_release(e, time, call);

    case YL_ELECTION_ENDED:
        break;
    }
    return YL_ELECTION_END;
}

void
yl_election_done_take(struct yl_election *e, yl_msec now, int code,
                      struct yl_versioned object)
{
    enum yl_election_step step = e->step;

    if (code < 0) {
        object.object = NULL;
    }
    if (step == YL_ELECTION_GETTING) {
        got(e, now, code, object);
    } else if (code == 0) {
        wrote(e, now, object);
    } else if (step == YL_ELECTION_RENEWING) {
        /* Somebody has changed the Lease: see what it is now. */
        e->step = YL_ELECTION_GETTING;
        e->n_slow++;
    } else {
        fail_try(e, now);
    }
}

void
yl_election_stop(struct yl_election *e)
{
    e->stopping = true;
}

bool
yl_election_leads(const struct yl_election *e, yl_msec now)
{
    return e->phase == YL_ELECTION_LEADER && !e->stopping && !e->lost
           && now < deadline(e);
}

struct yl_str
yl_election_holder(const struct yl_election *e)
{
    return e->lease.holder;
}

/* Goes on with a try, or begins one if it is time. */
static enum yl_election_act
begin_try(struct yl_election *e, yl_msec now, struct yl_time time,
          struct yl_election_call *call)
{
    bool leads = e->phase == YL_ELECTION_LEADER;

    if (e->step == YL_ELECTION_IDLE) {
        if (now < e->next_try) {
            return wait_for(e, call);
        }
        e->tried = now;
        e->step = leads && e->object.object && is_holder(e)
                  && is_valid(e, now)
                  ? YL_ELECTION_RENEWING : YL_ELECTION_GETTING;
    }
    call->timeout = leads ? deadline(e) - now
                    : e->tried + e->opts.renew_deadline - now;
    call->timeout = call->timeout > 1 ? call->timeout : 1;
    return e->step == YL_ELECTION_GETTING ? YL_ELECTION_GET
                                          : propose(e, time, call);
}

/* Gives the Lease up, if it is still ours; else it is over. */
static enum yl_election_act
begin_release(struct yl_election *e, struct yl_time time,
              struct yl_election_call *call)
{
    call->timeout = e->opts.renew_deadline;
    if (e->step == YL_ELECTION_IDLE && !e->opts.keep_lease && is_holder(e)
        && !e->lost) {
        e->step = YL_ELECTION_GETTING;
        return YL_ELECTION_GET;
    } else if (e->step == YL_ELECTION_UPDATING) {
        return propose(e, time, call);
    }
    e->phase = YL_ELECTION_ENDED;
    return YL_ELECTION_END;
}

/* Makes what is to be written. */
static enum yl_election_act
propose(struct yl_election *e, struct yl_time time,
        struct yl_election_call *call)
{
    bool releases = e->phase == YL_ELECTION_RELEASING;
    struct yl_lease *new = &e->proposal;

    yl_arena_clear(&e->arena);
    new->holder = releases ? YL_STR("") : e->opts.identity;
    new->duration_seconds = releases ? 1 : e->opts.lease_duration / SECOND;
    new->acquired = new->renewed = time;
    new->transitions = e->lease.transitions;
    if (e->step == YL_ELECTION_CREATING) {
        new->transitions = 0;
        call->json = yl_lease_create(&e->opts.lease, new, e->opts.labels,
                                     e->opts.n_labels, &e->arena);
        return YL_ELECTION_CREATE;
    }
    if (!releases && is_holder(e)) {
        new->acquired = e->lease.acquired;
    } else if (!releases) {
        new->transitions++;
    }
    if (yl_lease_change(e->object, new, e->opts.labels, e->opts.n_labels,
                        &e->arena, &call->json, NULL) < 0) {
        /* It has come from a server, so this cannot be; ask for another. */
        e->step = YL_ELECTION_GETTING;
        return YL_ELECTION_GET;
    }
    return YL_ELECTION_UPDATE;
}

static enum yl_election_act
wait_for(struct yl_election *e, struct yl_election_call *call)
{
    call->until = e->next_try;
    if (e->phase == YL_ELECTION_LEADER && deadline(e) < call->until) {
        call->until = deadline(e);
    }
    return YL_ELECTION_WAIT;
}

static void
got(struct yl_election *e, yl_msec now, int code, struct yl_versioned object)
{
    if (code == YL_ENOTFOUND && e->phase != YL_ELECTION_RELEASING) {
        e->step = YL_ELECTION_CREATING;
        return;
    } else if (code < 0) {
        fail_try(e, now);
        return;
    }
    observe(e, now, object);
    if (e->phase == YL_ELECTION_RELEASING) {
        e->step = is_holder(e) ? YL_ELECTION_UPDATING : YL_ELECTION_IDLE;
        e->lost = !is_holder(e);
    } else if (e->phase == YL_ELECTION_LEADER && e->lease.holder.size
               && !is_holder(e)) {
        /* Even if that one has expired since: it may have worked. */
        e->lost = true;
        fail_try(e, now);
    } else if (is_free_for_us(e, now)) {
        e->step = YL_ELECTION_UPDATING;
    } else {
        fail_try(e, now);
    }
}

static void
wrote(struct yl_election *e, yl_msec now, struct yl_versioned object)
{
    observe(e, now, object);
    e->step = YL_ELECTION_IDLE;
    if (e->phase == YL_ELECTION_RELEASING) {
        e->phase = YL_ELECTION_ENDED;
        return;
    }
    e->renewed = e->tried;
    e->next_try = now + e->opts.retry_period;
    if (e->phase == YL_ELECTION_CANDIDATE) {
        e->phase = YL_ELECTION_STARTING;
    }
}

/* Remembers the Lease, and the time if it has changed. */
static void
observe(struct yl_election *e, yl_msec now, struct yl_versioned object)
{
    struct yl_lease lease;
    struct yl_arena arena;

    if (!object.object) {
        return;
    }
    yl_arena_init(&arena);
    yl_lease_read(object.object, &arena, &lease);
    if (!e->object.object || !yl_str_equal(lease.holder, e->lease.holder)
        || lease.duration_seconds != e->lease.duration_seconds
        || lease.transitions != e->lease.transitions
        || yl_time_compare(lease.acquired, e->lease.acquired) != 0
        || yl_time_compare(lease.renewed, e->lease.renewed) != 0) {
        yl_arena_clear(&e->lease_arena);
        e->lease = lease;
        e->lease.holder = yl_arena_copy(&e->lease_arena, lease.holder);
        e->observed = now;
    }
    yl_object_unref(e->object.object);
    e->object = object;
    yl_arena_release(&arena);
}

/* Candidates come back at different times; a leader must not be late. */
static void
fail_try(struct yl_election *e, yl_msec now)
{
    yl_msec period = e->opts.retry_period;

    e->step = YL_ELECTION_IDLE;
    if (e->phase == YL_ELECTION_RELEASING) {
        e->phase = YL_ELECTION_ENDED;
        return;
    }
    e->next_try = now + period;
    if (e->phase == YL_ELECTION_CANDIDATE) {
        e->next_try += yl_chance(&e->chance, period * 6 / 5 + 1);
    }
}

static bool
is_holder(const struct yl_election *e)
{
    return yl_str_equal(e->lease.holder, e->opts.identity);
}

/* Has the Lease changed within its duration? */
static bool
is_valid(const struct yl_election *e, yl_msec now)
{
    int64_t seconds = e->lease.duration_seconds;

    if (seconds < 0) {
        seconds = 0;
    } else if (seconds > MAX_DURATION_SECONDS) {
        seconds = MAX_DURATION_SECONDS;
    }
    return e->observed + seconds * SECOND > now;
}

static bool
is_free_for_us(const struct yl_election *e, yl_msec now)
{
    return !e->lease.holder.size || is_holder(e) || !is_valid(e, now);
}

/* When a leader stops to be one, if it does not renew before. */
static yl_msec
deadline(const struct yl_election *e)
{
    return e->renewed + e->opts.renew_deadline;
}
