/* Leader election.  See yuloh/leader_election.h for the contract.
 *
 * A thread that does what the machine in controller/election.h says.  It holds
 * the lock except while it calls the server or the program. */

#include "yuloh/leader_election.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/random.h"
#include "base/thread.h"
#include "controller/election.h"
#include "yuloh/cancel.h"
#include "yuloh/client.h"
#include "yuloh/log.h"
#include "yuloh/metrics.h"
#include "yuloh/recorder.h"

struct yl_leader_election {
    struct yl_leader_election_opts opts;    /* Strings are in 'arena'. */
    struct yl_arena arena;
    struct yl_cancel *cancel;   /* Of calls before stop. */
    struct yl_thread thread;
    bool started;               /* Is there a thread to join? */
    char *reported;             /* The thread's: the leader that 'new_leader'
                                 * was told. */
    struct yl_gauge *status;    /* Metrics, or NULL. */
    struct yl_counter *slow_paths;

    /* The lock is a leaf: nothing is called with it held. */
    struct yl_mutex lock;
    struct yl_cond changed;     /* Stop was called. */
    struct yl_election machine YL_GUARDED;
    bool ended YL_GUARDED;
};

static void copy_opts(struct yl_leader_election *,
                      const struct yl_leader_election_opts *);
static void add_metrics(struct yl_leader_election *);
static yl_msec time_now(const struct yl_leader_election *);
static void run(void *aux);
static void call(struct yl_leader_election *e, enum yl_election_act,
                 const struct yl_election_call *) YL_REQUIRES(&e->lock);
static void report_leader(struct yl_leader_election *);
static void tell(struct yl_leader_election *, bool leads);
static int client_get(void *aux, const struct yl_key *, yl_msec timeout,
                      struct yl_cancel *, struct yl_versioned *,
                      struct yl_error *);
static int client_create(void *aux, const struct yl_key *, struct yl_str json,
                         yl_msec timeout, struct yl_cancel *,
                         struct yl_versioned *, struct yl_error *);
static int client_update(void *aux, const struct yl_key *, struct yl_str json,
                         yl_msec timeout, struct yl_cancel *,
                         struct yl_versioned *, struct yl_error *);

static const struct yl_lease_lock client_lock = {
    client_get, client_create, client_update,
};

int
yl_leader_election_start(const struct yl_leader_election_opts *opts,
                         struct yl_leader_election **ret_election,
                         struct yl_error *err)
{
    struct yl_leader_election *e = yl_zalloc(sizeof *e);
    struct yl_election_opts machine;
    int r;

    yl_mutex_init(&e->lock);
    yl_cond_init(&e->changed);
    yl_arena_init(&e->arena);
    copy_opts(e, opts);
    e->cancel = yl_cancel_new();
    machine = (struct yl_election_opts) {
        .lease = e->opts.lease,
        .identity = yl_str_c(e->opts.identity),
        .labels = e->opts.labels,
        .n_labels = e->opts.n_labels,
        .lease_duration = e->opts.lease_duration,
        .renew_deadline = e->opts.renew_deadline,
        .retry_period = e->opts.retry_period,
        .keep_lease = e->opts.keep_lease,
        .seed = e->opts.seed,
    };
    yl_election_init(&e->machine, &machine);
    r = yl_election_check_opts(&machine, err);
    if (r == 0 && !e->opts.lock) {
        r = yl_error_set(err, YL_EINVALID, "there is no client");
    }
    if (r == 0) {
        add_metrics(e);
        r = yl_thread_start(&e->thread, "election", run, e);
        e->started = r == 0;
        if (r < 0) {
            yl_error_set(err, r, "cannot start a thread");
        }
    }
    if (r < 0) {
        yl_leader_election_free(e);
        return r;
    }
    *ret_election = e;
    return 0;
}

void
yl_leader_election_stop(struct yl_leader_election *e)
{
    yl_mutex_lock(&e->lock);
    yl_election_stop(&e->machine);
    yl_cond_broadcast(&e->changed);
    yl_mutex_unlock(&e->lock);
    yl_cancel_now(e->cancel);
    if (e->started) {
        yl_thread_join(&e->thread);
        e->started = false;
    }
}

void
yl_leader_election_free(struct yl_leader_election *e)
{
    if (!e) {
        return;
    }
    yl_leader_election_stop(e);
    yl_election_release(&e->machine);
    yl_cancel_unref(e->cancel);
    free(e->reported);
    yl_arena_release(&e->arena);
    yl_cond_destroy(&e->changed);
    yl_mutex_destroy(&e->lock);
    free(e);
}

bool
yl_leader_election_is_leader(struct yl_leader_election *e)
{
    bool leads;

    yl_mutex_lock(&e->lock);
    leads = yl_election_leads(&e->machine, time_now(e));
    yl_mutex_unlock(&e->lock);
    return leads;
}

bool
yl_leader_election_has_ended(struct yl_leader_election *e)
{
    bool ended;

    yl_mutex_lock(&e->lock);
    ended = e->ended;
    yl_mutex_unlock(&e->lock);
    return ended;
}

const char *
yl_leader_election_identity(const struct yl_leader_election *e)
{
    return e->opts.identity;
}

char *
yl_leader_election_leader(struct yl_leader_election *e)
{
    char *leader;

    yl_mutex_lock(&e->lock);
    leader = yl_strdup(yl_election_holder(&e->machine));
    yl_mutex_unlock(&e->lock);
    return leader;
}

int
yl_leader_election_check(struct yl_leader_election *e, yl_msec tolerance,
                         struct yl_error *err)
{
    yl_msec now = time_now(e);
    bool late;

    yl_mutex_lock(&e->lock);
    late = e->machine.phase == YL_ELECTION_LEADER
           && now - e->machine.renewed > e->opts.lease_duration + tolerance;
    yl_mutex_unlock(&e->lock);
    return late ? yl_error_set(err, YL_EUNAVAILABLE,
                               "failed election to renew leadership on lease "
                               "%.*s", YL_STR_ARG(e->opts.lease.name)) : 0;
}

static void
copy_opts(struct yl_leader_election *e,
          const struct yl_leader_election_opts *opts)
{
    struct yl_leader_election_opts *o = &e->opts;
    char host[256] = "unknown", uuid[YL_UUID_LENGTH + 1];
    struct yl_lease_label *labels;
    size_t i;

    *o = *opts;
    if (o->identity) {
        o->identity = yl_arena_strdup(&e->arena, yl_str_c(o->identity));
    } else {
        gethostname(host, sizeof host - 1);
        yl_random_uuid(uuid);
        o->identity = yl_arena_printf(&e->arena, "%s_%s", host, uuid);
    }
    o->lease = *yl_key_copy(&opts->lease, &e->arena);
    labels = yl_arena_array(&e->arena, o->n_labels, sizeof *labels);
    for (i = 0; i < o->n_labels; i++) {
        labels[i].name = yl_arena_strdup(&e->arena,
                                         yl_str_c(opts->labels[i].name));
        labels[i].value = yl_arena_strdup(&e->arena,
                                          yl_str_c(opts->labels[i].value));
    }
    o->labels = labels;
    o->lease_duration = o->lease_duration ? o->lease_duration : 15000;
    o->renew_deadline = o->renew_deadline ? o->renew_deadline : 10000;
    o->retry_period = o->retry_period ? o->retry_period : 2000;
    o->seed = o->seed ? o->seed : yl_random_u64();
    if (!o->lock && o->client) {
        o->lock = &client_lock;
        o->lock_aux = o->client;
    }
}

static void
add_metrics(struct yl_leader_election *e)
{
    static const char *const labels[] = { "name" };

    if (!e->opts.metrics) {
        return;
    }
    e->status = yl_metric_gauge(yl_metrics_add(
        e->opts.metrics, &(struct yl_metric_opts) {
            .type = YL_METRIC_GAUGE,
            .name = "leader_election_master_status",
            .help = "Gauge of if the reporting system is master of the "
                    "relevant lease, 0 indicates backup, 1 indicates master. "
                    "'name' is the string used to identify the lease. Please "
                    "make sure to group by name.",
            .labels = labels,
            .n_labels = 1,
        }), &e->opts.lease.name);
    e->slow_paths = yl_metric_counter(yl_metrics_add(
        e->opts.metrics, &(struct yl_metric_opts) {
            .type = YL_METRIC_COUNTER,
            .name = "leader_election_slowpath_total",
            .help = "Total number of slow path exercised in renewing leader "
                    "leases. 'name' is the string used to identify the lease. "
                    "Please make sure to group by name.",
            .labels = labels,
            .n_labels = 1,
        }), &e->opts.lease.name);
    yl_gauge_set(e->status, 0);
}

/* The monotonic clock stands still while a machine sleeps, and a leader that
 * slept would believe that its Lease is fresh.  This one does not. */
static yl_msec
time_now(const struct yl_leader_election *e)
{
    struct timespec ts;

    if (e->opts.clock) {
        return yl_now(e->opts.clock);
    }
    clock_gettime(CLOCK_BOOTTIME, &ts);
    return (yl_msec) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* The thread. */
static void
run(void *aux)
{
    struct yl_leader_election *e = aux;
    struct yl_election_call c;
    enum yl_election_act act;
    yl_msec now;

    yl_mutex_lock(&e->lock);
    do {
        now = time_now(e);
        act = yl_election_next(&e->machine, now, yl_time_now(), &c);
        switch (act) {
        case YL_ELECTION_WAIT:
            yl_cond_wait_until(&e->changed, &e->lock, e->opts.clock,
                               yl_now(e->opts.clock) + c.until - now);
            break;

        case YL_ELECTION_GET:
        case YL_ELECTION_CREATE:
        case YL_ELECTION_UPDATE:
            call(e, act, &c);
            break;

        case YL_ELECTION_START:
        case YL_ELECTION_STOP:
            yl_mutex_unlock(&e->lock);
            tell(e, act == YL_ELECTION_START);
            yl_mutex_lock(&e->lock);
            break;

        case YL_ELECTION_END:
            e->ended = true;
            break;
        }
        yl_mutex_unlock(&e->lock);
        report_leader(e);
        yl_mutex_lock(&e->lock);
    } while (act != YL_ELECTION_END);
    yl_mutex_unlock(&e->lock);
}

/* Calls the server without the lock.  What is written is in the machine's
 * arena, which only this thread uses. */
static void
call(struct yl_leader_election *e, enum yl_election_act act,
     const struct yl_election_call *c)
{
    const struct yl_lease_lock *lock = e->opts.lock;
    struct yl_cancel *cancel = e->machine.phase == YL_ELECTION_RELEASING
                               ? NULL : e->cancel;
    uint64_t n_slow = e->machine.n_slow;
    struct yl_versioned object = { NULL, 0 };
    struct yl_error err = YL_ERROR_INIT;
    int r;

    yl_mutex_unlock(&e->lock);
    if (act == YL_ELECTION_GET) {
        r = lock->get(e->opts.lock_aux, &e->opts.lease, c->timeout, cancel,
                      &object, &err);
    } else if (act == YL_ELECTION_CREATE) {
        r = lock->create(e->opts.lock_aux, &e->opts.lease, c->json, c->timeout,
                         cancel, &object, &err);
    } else {
        r = lock->update(e->opts.lock_aux, &e->opts.lease, c->json, c->timeout,
                         cancel, &object, &err);
    }
    if (r == YL_ECONFLICT || r == YL_EEXISTS || r == YL_ECANCELED) {
        yl_log_v(2, "Another one wrote the lease, or this one stops",
                 YL_LOG_STR("lease", e->opts.lease.name), YL_LOG_ERROR(&err));
    } else if (r < 0 && r != YL_ENOTFOUND) {
        yl_log_warning("Leader election could not use its lease",
                       YL_LOG_STR("lease", e->opts.lease.name),
                       YL_LOG_ERROR(&err));
    }
    yl_error_clear(&err);
    yl_mutex_lock(&e->lock);
    yl_election_done_take(&e->machine, time_now(e), r, object);
    if (e->slow_paths && e->machine.n_slow > n_slow) {
        yl_counter_add(e->slow_paths, 1);
    }
}

static void
report_leader(struct yl_leader_election *e)
{
    struct yl_str holder;
    char *leader = NULL;

    yl_mutex_lock(&e->lock);
    holder = yl_election_holder(&e->machine);
    if (!yl_str_equal_c(holder, e->reported ? e->reported : "")) {
        free(e->reported);
        e->reported = yl_strdup(holder);
        leader = yl_strdup(holder);
    }
    yl_mutex_unlock(&e->lock);
    if (leader && *leader && e->opts.new_leader) {
        e->opts.new_leader(e->opts.aux, leader);
    }
    free(leader);
}

/* Tells the program, people and metrics. */
static void
tell(struct yl_leader_election *e, bool leads)
{
    struct yl_event_subject subject = {
        .api_version = YL_STR("coordination.k8s.io/v1"),
        .kind = YL_STR("Lease"),
        .key = e->opts.lease,
    };

    if (e->status) {
        yl_gauge_set(e->status, leads);
    }
    if (leads && e->opts.started) {
        e->opts.started(e->opts.aux);
    } else if (!leads && e->opts.stopped) {
        e->opts.stopped(e->opts.aux);
    }
    yl_recorder_eventf(e->opts.recorder, &subject, "Normal", "LeaderElection",
                       "%s %s", e->opts.identity,
                       leads ? "became leader" : "stopped leading");
}

/* The Lease at an API server
 * ========================== */

static const struct yl_resource leases = {
    { YL_STR_INIT("coordination.k8s.io"), YL_STR_INIT("v1"),
      YL_STR_INIT("leases") },
    YL_STR_INIT("Lease"), true,
};

static int
client_get(void *aux, const struct yl_key *lease, yl_msec timeout,
           struct yl_cancel *cancel, struct yl_versioned *ret,
           struct yl_error *err)
{
    return yl_client_get(aux, &leases, lease, &(struct yl_call_opts) {
        .timeout = timeout, .cancel = cancel,
    }, ret, err);
}

static int
client_create(void *aux, const struct yl_key *lease, struct yl_str json,
              yl_msec timeout, struct yl_cancel *cancel,
              struct yl_versioned *ret, struct yl_error *err)
{
    return yl_client_create(aux, &leases, lease->namespace_, json,
                            &(struct yl_call_opts) {
        .timeout = timeout, .cancel = cancel,
    }, ret, err);
}

static int
client_update(void *aux, const struct yl_key *lease, struct yl_str json,
              yl_msec timeout, struct yl_cancel *cancel,
              struct yl_versioned *ret, struct yl_error *err)
{
    return yl_client_update(aux, &leases, lease, json,
                            &(struct yl_call_opts) {
        .timeout = timeout, .cancel = cancel,
    }, ret, err);
}
