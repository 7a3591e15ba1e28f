/* Tests of yuloh/leader_election.h: the thread over the machine, with a Lease
 * in memory and a clock that is moved by hand.  A test waits for what the
 * callbacks say, never for a time. */

#include "yuloh/leader_election.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "env_rig.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/log.h"
#include "yuloh/metrics.h"
#include "yuloh/recorder.h"

/* The server's Lease, and what was said. */
static struct yl_mutex lock = YL_MUTEX_INIT;
static struct yl_cond changed;
static struct yl_versioned lease;
static uint64_t revision;
static bool cut;                /* Is the server away? */
static bool hang;               /* Do calls wait for their cancel? */
static int n_calls, n_hanging;
static int n_started, n_stopped, n_new_leaders;
static char last_leader[64];
static bool released_at_stop;   /* Was it free when 'stopped' came? */
static char *last_json;

static void
reset(void)
{
    yl_cond_init(&changed);
    lease.object = yl_object_unref(lease.object);
    revision = 0;
    cut = hang = released_at_stop = false;
    n_calls = n_hanging = n_started = n_stopped = n_new_leaders = 0;
    last_leader[0] = '\0';
    free(last_json);
    last_json = NULL;
}

static int
serve(int verb, struct yl_str json, struct yl_cancel *cancel,
      struct yl_versioned *ret, struct yl_error *err)
{
    struct yl_object *object;
    int r = 0;

    yl_mutex_lock(&lock);
    n_calls++;
    if (hang) {
        n_hanging++;
        yl_cond_broadcast(&changed);
        while (!yl_cancel_is_set(cancel)) {
            yl_mutex_unlock(&lock);
            sched_yield();
            yl_mutex_lock(&lock);
        }
        r = YL_ECANCELED;
    } else if (cut) {
        r = YL_EUNAVAILABLE;
    } else if (verb == 'g' && !lease.object) {
        r = YL_ENOTFOUND;
    } else if (verb == 'c' && lease.object) {
        r = YL_EEXISTS;
    } else if (verb != 'g') {
        assert_int_equal(yl_object_ingest(json, NULL, &object, NULL), 0);
        if (verb == 'u' && yl_object_revision(object) != lease.revision) {
            yl_object_unref(object);
            r = YL_ECONFLICT;
        } else {
            yl_object_unref(lease.object);
            lease = (struct yl_versioned) { object, ++revision };
            free(last_json);
            last_json = yl_strdup(json);
        }
    }
    if (r == 0) {
        *ret = lease;
        yl_object_ref(ret->object);
    } else {
        yl_error_set(err, r, "no");
    }
    yl_cond_broadcast(&changed);
    yl_mutex_unlock(&lock);
    return r;
}

static int
get(void *aux, const struct yl_key *key, yl_msec timeout,
    struct yl_cancel *cancel, struct yl_versioned *ret, struct yl_error *err)
{
    assert_null(aux);
    assert_str_equal(key->name, "lease");
    assert_true(timeout > 0);
    return serve('g', YL_STR(""), cancel, ret, err);
}

static int
create(void *aux YL_UNUSED, const struct yl_key *key YL_UNUSED,
       struct yl_str json, yl_msec timeout YL_UNUSED, struct yl_cancel *cancel,
       struct yl_versioned *ret, struct yl_error *err)
{
    return serve('c', json, cancel, ret, err);
}

static int
update(void *aux YL_UNUSED, const struct yl_key *key YL_UNUSED,
       struct yl_str json, yl_msec timeout YL_UNUSED, struct yl_cancel *cancel,
       struct yl_versioned *ret, struct yl_error *err)
{
    return serve('u', json, cancel, ret, err);
}

static const struct yl_lease_lock in_memory = { get, create, update };

static void
on_started(void *aux)
{
    assert_ptr_equal(aux, &lease);
    yl_mutex_lock(&lock);
    n_started++;
    yl_cond_broadcast(&changed);
    yl_mutex_unlock(&lock);
}

static void
on_stopped(void *aux)
{
    assert_ptr_equal(aux, &lease);
    yl_mutex_lock(&lock);
    n_stopped++;
    released_at_stop = last_json
                       && strstr(last_json, "\"holderIdentity\":\"\"");
    yl_cond_broadcast(&changed);
    yl_mutex_unlock(&lock);
}

static void
on_new_leader(void *aux, const char *identity)
{
    assert_ptr_equal(aux, &lease);
    yl_mutex_lock(&lock);
    n_new_leaders++;
    snprintf(last_leader, sizeof last_leader, "%s", identity);
    yl_cond_broadcast(&changed);
    yl_mutex_unlock(&lock);
}

/* Waits until '*number' is at least 'n'. */
static void
await(const int *number, int n)
{
    yl_mutex_lock(&lock);
    while (*number < n) {
        yl_cond_wait(&changed, &lock);
    }
    yl_mutex_unlock(&lock);
}

static struct yl_leader_election *
start(const char *identity, struct yl_clock *clock)
{
    struct yl_leader_election *election;

    assert_int_equal(yl_leader_election_start(
        &(struct yl_leader_election_opts) {
            .lock = &in_memory,
            .lease = yl_key_make(YL_STR("d"), YL_STR("lease")),
            .identity = identity,
            .started = on_started, .stopped = on_stopped,
            .new_leader = on_new_leader, .aux = &lease,
            .clock = clock, .seed = 1,
        }, &election, NULL), 0);
    return election;
}

static void
set(bool *flag, bool value)
{
    yl_mutex_lock(&lock);
    *flag = value;
    yl_mutex_unlock(&lock);
}

TEST(starts_leads_and_releases_at_stop)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;
    char *leader;

    reset();
    election = start("me", clock);
    await(&n_started, 1);
    assert_true(yl_leader_election_is_leader(election));
    assert_false(yl_leader_election_has_ended(election));
    assert_string_equal(yl_leader_election_identity(election), "me");
    await(&n_new_leaders, 1);
    assert_string_equal(last_leader, "me");
    leader = yl_leader_election_leader(election);
    assert_string_equal(leader, "me");
    free(leader);
    yl_leader_election_stop(election);
    assert_int_equal(n_stopped, 1);
    assert_false(released_at_stop);
    assert_non_null(strstr(last_json, "\"holderIdentity\":\"\""));
    assert_false(yl_leader_election_is_leader(election));
    assert_true(yl_leader_election_has_ended(election));
    yl_leader_election_free(election);
    yl_clock_free(clock);
}

TEST(a_successor_leads_as_soon_as_the_lease_is_released)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *one, *two;

    reset();
    one = start("one", clock);
    await(&n_started, 1);
    two = start("two", clock);
    await(&n_new_leaders, 2);
    assert_false(yl_leader_election_is_leader(two));
    yl_leader_election_free(one);

    /* It tries again after 4.4 s at most. */
    yl_clock_fake_advance(clock, 4500);
    await(&n_started, 2);
    assert_true(yl_leader_election_is_leader(two));
    yl_leader_election_free(two);
    yl_clock_free(clock);
}

TEST(is_no_leader_from_the_deadline_on_and_then_is_told)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;

    reset();
    election = start("me", clock);
    await(&n_started, 1);
    set(&cut, true);
    yl_clock_fake_advance(clock, 10000);
    assert_false(yl_leader_election_is_leader(election));
    await(&n_stopped, 1);
    while (!yl_leader_election_has_ended(election)) {
        sched_yield();
    }
    yl_leader_election_free(election);
    yl_clock_free(clock);
}

static atomic_int n_warnings;

static void
count_warnings(const struct yl_log_sink *sink YL_UNUSED, const char *line,
               size_t size YL_UNUSED)
{
    n_warnings += line[0] == 'W' && strstr(line, "could not use its lease");
}

TEST(a_candidate_that_cannot_use_the_lease_says_so)
{
    static const struct yl_log_sink sink = { count_warnings };
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;

    reset();
    yl_log_set_sink(&sink);
    set(&cut, true);
    election = start("me", clock);
    while (!n_warnings) {
        sched_yield();
    }
    yl_leader_election_free(election);
    yl_log_set_sink(NULL);
    yl_clock_free(clock);
}

TEST(a_stop_ends_a_call_that_hangs)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;

    reset();
    hang = true;
    election = start("me", clock);
    await(&n_hanging, 1);
    yl_leader_election_stop(election);
    assert_int_equal(n_started, 0);
    assert_int_equal(n_stopped, 0);
    yl_leader_election_free(election);
    yl_clock_free(clock);
}

TEST(a_leader_whose_thread_hangs_is_not_healthy)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;
    struct yl_error err = YL_ERROR_INIT;

    reset();
    election = start("me", clock);
    await(&n_started, 1);
    assert_int_equal(yl_leader_election_check(election, 0, NULL), 0);
    set(&hang, true);
    yl_clock_fake_advance(clock, 2000);
    await(&n_hanging, 1);
    yl_clock_fake_advance(clock, 14000);
    assert_int_equal(yl_leader_election_check(election, 20000, NULL), 0);
    assert_int_equal(yl_leader_election_check(election, 0, &err),
                     YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&err), "failed election to renew "
                        "leadership on lease lease");
    yl_error_clear(&err);
    set(&hang, false);
    set(&cut, true);
    yl_leader_election_free(election);
    yl_clock_free(clock);
}

TEST(a_candidate_is_always_healthy)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *election;

    reset();
    cut = true;
    election = start("me", clock);
    await(&n_calls, 1);
    yl_clock_fake_advance(clock, 100000);
    assert_int_equal(yl_leader_election_check(election, 0, NULL), 0);
    yl_leader_election_free(election);
    yl_clock_free(clock);
}

static bool said_became, said_stopped;

static int
take_event(void *aux YL_UNUSED, const struct yl_key *event YL_UNUSED,
           struct yl_str json, struct yl_cancel *cancel YL_UNUSED,
           struct yl_versioned *ret YL_UNUSED, struct yl_error *err YL_UNUSED)
{
    assert_non_null(strstr(json.data, "\"kind\":\"Lease\""));
    assert_non_null(strstr(json.data, "\"reason\":\"LeaderElection\""));
    said_became = said_became
                  || strstr(json.data, "\"message\":\"me became leader\"");
    said_stopped = said_stopped
                   || strstr(json.data, "\"message\":\"me stopped leading\"");
    return 0;
}

TEST(events_and_metrics_say_who_leads)
{
    static const struct yl_event_sink sink = { take_event, take_event };
    struct yl_recorder *recorder = yl_recorder_new(
        &(struct yl_recorder_opts) { .sink = &sink, .no_log = true });
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_leader_election *election;
    static const char *const label = "name";
    struct yl_str name = YL_STR("lease");
    struct yl_gauge *status;

    reset();
    assert_int_equal(yl_leader_election_start(
        &(struct yl_leader_election_opts) {
            .lock = &in_memory,
            .lease = yl_key_make(YL_STR("d"), YL_STR("lease")),
            .identity = "me", .started = on_started, .stopped = on_stopped,
            .aux = &lease, .clock = clock, .recorder = recorder,
            .metrics = metrics,
            .labels = &(struct yl_lease_label) { "app", "x" }, .n_labels = 1,
        }, &election, NULL), 0);
    await(&n_started, 1);
    status = yl_metric_gauge(yl_metrics_add(metrics,
                                            &(struct yl_metric_opts) {
        .type = YL_METRIC_GAUGE, .name = "leader_election_master_status",
        .labels = &label, .n_labels = 1,
    }), &name);
    assert_true(yl_gauge_value(status) == 1);
    assert_non_null(strstr(last_json, "\"labels\":{\"app\":\"x\"}"));
    yl_leader_election_free(election);
    assert_true(yl_gauge_value(status) == 0);
    assert_true(yl_recorder_flush(recorder, 60000));
    yl_recorder_unref(recorder);
    assert_true(said_became);
    assert_true(said_stopped);
    yl_metrics_free(metrics);
    yl_clock_free(clock);
}

TEST(identities_differ_by_themselves)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_leader_election *one, *two;

    reset();
    one = start(NULL, clock);
    two = start(NULL, clock);
    assert_string_not_equal(yl_leader_election_identity(one),
                            yl_leader_election_identity(two));
    assert_non_null(strchr(yl_leader_election_identity(one), '_'));
    yl_leader_election_free(one);
    yl_leader_election_free(two);
    yl_leader_election_free(NULL);
    yl_clock_free(clock);
}

TEST(options_that_make_no_sense_are_refused_at_the_start)
{
    struct yl_leader_election *election;
    struct yl_error err = YL_ERROR_INIT;

    reset();
    assert_int_equal(yl_leader_election_start(
        &(struct yl_leader_election_opts) {
            .lock = &in_memory,
            .lease = yl_key_make(YL_STR("d"), YL_STR("lease")),
            .lease_duration = 5000, .identity = "me",
        }, &election, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "renew deadline"));
    assert_int_equal(yl_leader_election_start(
        &(struct yl_leader_election_opts) {
            .lease = yl_key_make(YL_STR("d"), YL_STR("lease")),
        }, &election, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "there is no client");
    yl_error_clear(&err);
}

static struct yl_leader_election *asked;

static void
ask(void *aux YL_UNUSED)
{
    int i;

    for (i = 0; i < 200; i++) {
        yl_leader_election_check(asked, 0, NULL);
        yl_leader_election_is_leader(asked);
        free(yl_leader_election_leader(asked));
    }
}

TEST(threads_may_ask_while_it_renews)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_thread threads[2];
    size_t i;
    int n;

    reset();
    asked = start("me", clock);
    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        assert_int_equal(yl_thread_start(&threads[i], "ask", ask, NULL), 0);
    }
    await(&n_started, 1);
    for (n = 0; n < 90; n++) {
        yl_clock_fake_advance(clock, 100);
        sched_yield();
    }
    assert_true(yl_leader_election_is_leader(asked));
    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        yl_thread_join(&threads[i]);
    }
    yl_leader_election_free(asked);
    yl_clock_free(clock);
}

/* On a server
 * =========== */

static struct yl_str
read_lease(struct yl_arena *arena)
{
    struct yl_str body;

    assert_int_equal(yl_testenv_request(
        env.server, "GET",
        "/apis/coordination.k8s.io/v1/namespaces/default/leases/lease", NULL,
        NULL, arena, &body, NULL), 200);
    return body;
}

TEST(a_server_has_the_lease_while_it_leads_and_after_its_release)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_arena *arena = yl_arena_new();
    struct yl_leader_election *election;
    struct yl_str body;

    reset();
    env_open("test");
    assert_int_equal(yl_leader_election_start(
        &(struct yl_leader_election_opts) {
            .client = env.client, .identity = "me",
            .lease = yl_key_make(YL_STR("default"), YL_STR("lease")),
            .started = on_started, .stopped = on_stopped, .aux = &lease,
            .clock = clock,
        }, &election, NULL), 0);
    await(&n_started, 1);
    body = read_lease(arena);
    assert_non_null(strstr(body.data, "\"holderIdentity\":\"me\""));
    assert_non_null(strstr(body.data, "\"leaseDurationSeconds\":15"));
    assert_non_null(strstr(body.data, "\"leaseTransitions\":0"));
    yl_leader_election_free(election);
    assert_int_equal(n_stopped, 1);
    body = read_lease(arena);
    assert_non_null(strstr(body.data, "\"holderIdentity\":\"\""));
    assert_non_null(strstr(body.data, "\"leaseDurationSeconds\":1,"));
    env_close();
    yl_arena_free(arena);
    yl_clock_free(clock);
}
