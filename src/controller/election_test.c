/* Tests of controller/election.h: a machine and a Lease in memory, without
 * threads.  Each replica has a clock of its own. */

#include "controller/election.h"

#include "unit.h"

#define SECOND ((yl_msec) 1000)

/* The server's Lease, and the machines that want it. */
static struct yl_versioned server;
static uint64_t revision;

struct replica {
    struct yl_election machine;
    yl_msec now;                /* Of its own clock. */
    bool leads;                 /* Was it told so? */
    bool ended;
    bool cut;                   /* Can it not reach the server? */
    yl_msec delay;              /* How long each call takes. */
    int n_starts, n_stops;
    int n_gets, n_creates, n_updates;
};

static const struct yl_election_opts defaults = {
    .lease = { YL_STR_INIT("d"), YL_STR_INIT("lease") },
    .lease_duration = 15 * SECOND,
    .renew_deadline = 10 * SECOND,
    .retry_period = 2 * SECOND,
    .seed = 1,
};

static void
replica_init(struct replica *r, const char *identity,
             const struct yl_election_opts *opts)
{
    struct yl_election_opts o = *opts;

    memset(r, 0, sizeof *r);
    o.identity = yl_str_c(identity);
    assert_int_equal(yl_election_check_opts(&o, NULL), 0);
    yl_election_init(&r->machine, &o);
}

/* The server: optimistic, and it counts revisions. */
static int
serve(struct replica *r, enum yl_election_act act, struct yl_str json,
      struct yl_versioned *ret)
{
    struct yl_object *object;

    r->n_gets += act == YL_ELECTION_GET;
    r->n_creates += act == YL_ELECTION_CREATE;
    r->n_updates += act == YL_ELECTION_UPDATE;
    if (r->cut) {
        return YL_EUNAVAILABLE;
    } else if (act == YL_ELECTION_GET && !server.object) {
        return YL_ENOTFOUND;
    } else if (act == YL_ELECTION_CREATE && server.object) {
        return YL_EEXISTS;
    }
    if (act != YL_ELECTION_GET) {
        assert_int_equal(yl_object_ingest(json, NULL, &object, NULL), 0);
        if (act == YL_ELECTION_UPDATE
            && yl_object_revision(object) != server.revision) {
            yl_object_unref(object);
            return YL_ECONFLICT;
        }
        yl_object_unref(server.object);
        server.object = object;
        server.revision = ++revision;
    }
    *ret = server;
    yl_object_ref(ret->object);
    return 0;
}

/* Does what the machine wants until it wants to wait, or is over. */
static void
turn(struct replica *r)
{
    struct yl_election_call call;
    enum yl_election_act act;
    int n;

    for (n = 0; n < 20; n++) {
        struct yl_versioned object = { NULL, 0 };
        struct yl_time time = { 1000000 + r->now / 1000, 0 };
        int code;

        act = yl_election_next(&r->machine, r->now, time, &call);
        switch (act) {
        case YL_ELECTION_WAIT:
            assert_true(call.until > r->now);
            return;

        case YL_ELECTION_END:
            r->ended = true;
            return;

        case YL_ELECTION_START:
            assert_false(r->leads);
            r->leads = true;
            r->n_starts++;
            break;

        case YL_ELECTION_STOP:
            assert_true(r->leads);
            r->leads = false;
            r->n_stops++;
            break;

        default:
            assert_true(call.timeout > 0);
            assert_true(call.timeout <= 10 * SECOND);
            code = serve(r, act, call.json, &object);
            r->now += r->delay;
            yl_election_done_take(&r->machine, r->now, code, object);
            break;
        }
    }
    fail();
}

static void
advance(struct replica *r, yl_msec by)
{
    yl_msec until = r->now + by;

    for (; r->now < until; r->now += 100) {
        turn(r);
    }
    turn(r);
}

static struct yl_lease
lease(struct yl_arena *arena)
{
    struct yl_lease now;

    yl_lease_read(server.object, arena, &now);
    return now;
}

static void
assert_lease(const char *holder, int64_t transitions)
{
    struct yl_arena arena;
    struct yl_lease now;

    yl_arena_init(&arena);
    now = lease(&arena);
    assert_str_equal(now.holder, holder);
    assert_int_equal(now.transitions, transitions);
    yl_arena_release(&arena);
}

/* Somebody else writes the Lease. */
static void
write_lease(const char *holder, int64_t seconds)
{
    char json[512];

    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"lease\","
             "\"namespace\":\"d\"},\"spec\":{\"holderIdentity\":\"%s\","
             "\"leaseDurationSeconds\":%lld,\"leaseTransitions\":4,"
             "\"acquireTime\":\"2020-01-01T00:00:00.000000Z\","
             "\"renewTime\":\"2020-01-01T00:00:%02u.000000Z\"}}", holder,
             (long long) seconds, (unsigned) (revision % 60));
    yl_object_unref(server.object);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &server.object,
                                      NULL), 0);
    server.revision = ++revision;
}

static void
clean_up(struct replica *r)
{
    yl_election_release(&r->machine);
    server.object = yl_object_unref(server.object);
}

/* Acquiring
 * ========= */

TEST(a_lease_that_is_not_there_is_created)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_true(a.leads);
    assert_true(yl_election_leads(&a.machine, a.now));
    assert_lease("a", 0);
    assert_int_equal(a.n_gets, 1);
    assert_int_equal(a.n_creates, 1);
    clean_up(&a);
}

TEST(a_lease_of_another_is_taken_when_it_has_not_changed_for_its_duration)
{
    struct replica a;

    write_lease("other", 20);
    replica_init(&a, "a", &defaults);
    advance(&a, 19 * SECOND);
    assert_false(a.leads);
    assert_lease("other", 4);
    assert_str_equal(yl_election_holder(&a.machine), "other");
    advance(&a, 6 * SECOND);
    assert_true(a.leads);
    assert_lease("a", 5);
    clean_up(&a);
}

TEST(a_lease_that_changes_is_not_taken_whatever_its_times_say)
{
    struct replica a;
    int i;

    replica_init(&a, "a", &defaults);
    for (i = 0; i < 20; i++) {
        write_lease("other", 15);
        advance(&a, 9 * SECOND);
    }
    assert_false(a.leads);
    clean_up(&a);
}

TEST(a_released_lease_is_taken_at_once)
{
    struct replica a;

    write_lease("", 1);
    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_true(a.leads);
    assert_lease("a", 5);
    clean_up(&a);
}

TEST(a_lease_without_a_record_is_taken_at_once)
{
    struct replica a;

    assert_int_equal(yl_object_ingest(
        YL_STR("{\"metadata\":{\"name\":\"lease\"}}"), NULL, &server.object,
        NULL), 0);
    server.revision = ++revision;
    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_true(a.leads);
    assert_lease("a", 1);
    clean_up(&a);
}

TEST(a_lease_of_its_own_is_taken_up_again)
{
    struct yl_arena arena;
    struct replica a;

    write_lease("a", 15);
    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_true(a.leads);
    assert_lease("a", 4);
    yl_arena_init(&arena);
    assert_int_equal(lease(&arena).acquired.seconds, 1577836800);
    yl_arena_release(&arena);
    clean_up(&a);
}

TEST(an_absurd_duration_of_another_has_a_limit)
{
    struct replica a;

    write_lease("other", INT64_MAX);
    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_false(a.leads);
    a.now += (yl_msec) 8 * 24 * 3600 * SECOND;
    turn(&a);
    assert_true(a.leads);
    clean_up(&a);

    write_lease("other", -5);
    replica_init(&a, "a", &defaults);
    turn(&a);
    assert_true(a.leads);
    clean_up(&a);
}

TEST(of_two_that_create_or_take_it_one_wins)
{
    struct replica a, b;
    struct yl_election_call call;
    struct yl_versioned object = { NULL, 0 };
    struct yl_time time = { 5, 0 };

    /* Both see that there is none. */
    replica_init(&a, "a", &defaults);
    replica_init(&b, "b", &defaults);
    assert_int_equal(yl_election_next(&b.machine, 0, time, &call),
                     YL_ELECTION_GET);
    yl_election_done_take(&b.machine, 0, YL_ENOTFOUND, object);
    turn(&a);
    turn(&b);
    assert_true(a.leads);
    assert_false(b.leads);
    assert_int_equal(b.n_creates, 1);
    assert_lease("a", 0);
    yl_election_release(&a.machine);
    clean_up(&b);

    /* Both see that it is free. */
    write_lease("", 1);
    replica_init(&a, "a", &defaults);
    replica_init(&b, "b", &defaults);
    assert_int_equal(yl_election_next(&b.machine, 0, time, &call),
                     YL_ELECTION_GET);
    object = server;
    yl_object_ref(object.object);
    yl_election_done_take(&b.machine, 0, 0, object);
    turn(&a);
    turn(&b);
    assert_true(a.leads);
    assert_false(b.leads);
    assert_int_equal(b.n_updates, 1);
    assert_lease("a", 5);
    yl_election_release(&a.machine);
    clean_up(&b);
}

TEST(candidates_try_again_after_a_random_while)
{
    struct replica a;
    struct yl_election_call call;
    struct yl_time time = { 5, 0 };
    yl_msec first = 0;
    bool differ = false;
    int i;

    write_lease("other", 15);
    for (i = 0; i < 20; i++) {
        struct yl_election_opts opts = defaults;

        opts.seed = (uint64_t) i;
        replica_init(&a, "a", &opts);
        turn(&a);
        assert_int_equal(yl_election_next(&a.machine, 0, time, &call),
                         YL_ELECTION_WAIT);
        assert_true(call.until >= 2 * SECOND);
        assert_true(call.until <= 2 * SECOND * 22 / 10);
        first = i ? first : call.until;
        differ = differ || call.until != first;
        yl_election_release(&a.machine);
    }
    assert_true(differ);
    server.object = yl_object_unref(server.object);
}

TEST(errors_of_the_server_are_tried_again)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    a.cut = true;
    advance(&a, 60 * SECOND);
    assert_false(a.leads);
    assert_true(a.n_gets > 10);
    a.cut = false;
    advance(&a, 5 * SECOND);
    assert_true(a.leads);
    clean_up(&a);
}

/* Leading
 * ======= */

TEST(a_leader_renews_without_reading_first)
{
    struct yl_arena arena;
    struct replica a;
    int64_t acquired;

    replica_init(&a, "a", &defaults);
    turn(&a);
    yl_arena_init(&arena);
    acquired = lease(&arena).acquired.seconds;
    advance(&a, 60 * SECOND);
    assert_true(a.leads);
    assert_int_equal(a.n_gets, 1);
    assert_int_equal(a.n_updates, 30);
    assert_lease("a", 0);
    assert_int_equal(lease(&arena).acquired.seconds, acquired);
    assert_int_equal(lease(&arena).renewed.seconds, acquired + 60);
    assert_int_equal(a.machine.n_slow, 0);
    yl_arena_release(&arena);
    clean_up(&a);
}

TEST(a_leader_whose_lease_was_touched_reads_it_and_goes_on)
{
    struct replica a;
    struct yl_object *object = NULL;
    struct yl_arena arena;

    replica_init(&a, "a", &defaults);
    turn(&a);

    /* Somebody has annotated it. */
    yl_arena_init(&arena);
    assert_int_equal(yl_object_ingest(
        yl_object_json(server.object, &arena, NULL), NULL, &object, NULL), 0);
    yl_object_unref(server.object);
    server.object = object;
    server.revision = ++revision;
    yl_arena_release(&arena);
    advance(&a, 2 * SECOND);
    assert_true(a.leads);
    assert_int_equal(a.n_gets, 2);
    assert_int_equal(a.machine.n_slow, 1);
    assert_lease("a", 0);
    clean_up(&a);
}

TEST(a_leader_whose_lease_was_deleted_makes_another)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    turn(&a);
    server.object = yl_object_unref(server.object);
    a.machine.object.revision++;
    advance(&a, 2 * SECOND);
    assert_true(a.leads);
    clean_up(&a);
}

TEST(a_leader_stops_at_the_deadline_after_its_last_renewal)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    advance(&a, 20 * SECOND);
    a.cut = true;
    advance(&a, 9900);
    assert_true(a.leads);
    assert_true(yl_election_leads(&a.machine, a.now));

    /* Nobody has told it yet, but it knows. */
    assert_false(yl_election_leads(&a.machine, a.now + 100));
    advance(&a, 100);
    assert_false(a.leads);
    assert_int_equal(a.n_stops, 1);
    assert_true(a.ended);
    clean_up(&a);
}

TEST(the_deadline_counts_from_when_a_renewal_was_sent)
{
    struct replica a;

    /* The server may have had it at once, and answered late. */
    replica_init(&a, "a", &defaults);
    turn(&a);
    a.now = 2 * SECOND;
    a.delay = 7 * SECOND;
    turn(&a);
    assert_int_equal(a.now, 9 * SECOND);
    assert_true(yl_election_leads(&a.machine, 12 * SECOND - 1));
    assert_false(yl_election_leads(&a.machine, 12 * SECOND));
    clean_up(&a);
}

TEST(a_leader_that_slept_through_its_lease_stops_before_anything_else)
{
    struct replica a, b;

    replica_init(&a, "a", &defaults);
    replica_init(&b, "b", &defaults);
    turn(&a);
    advance(&b, 25 * SECOND);
    assert_true(b.leads);
    a.now += 25 * SECOND;
    assert_false(yl_election_leads(&a.machine, a.now));
    turn(&a);
    assert_false(a.leads);
    assert_true(a.ended);
    assert_lease("b", 1);
    yl_election_release(&a.machine);
    clean_up(&b);
}

TEST(a_leader_that_finds_another_holder_stops_at_once)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    turn(&a);
    write_lease("other", 15);
    advance(&a, 2 * SECOND);
    assert_false(a.leads);
    assert_true(a.ended);

    /* And does not release what is not its own. */
    assert_lease("other", 4);
    clean_up(&a);
}

TEST(the_work_stops_before_others_can_start_whatever_the_clocks_say)
{
    struct replica a, b;
    yl_msec stopped = 0, now;

    /* Replica b's clock is an hour ahead. */
    replica_init(&a, "a", &defaults);
    replica_init(&b, "b", &defaults);
    b.now = 3600 * SECOND;
    for (now = 0; now < 60 * SECOND; now += 100) {
        turn(&a);
        turn(&b);
        assert_false(a.leads && b.leads);
        if (now == 20 * SECOND) {
            a.cut = true;
        }
        if (!a.leads && !stopped) {
            stopped = now;
        }
        if (b.leads) {
            break;
        }
        a.now += 100;
        b.now += 100;
    }
    assert_true(b.leads);
    assert_true(stopped > 20 * SECOND);
    assert_true(now - stopped >= 4 * SECOND);
    yl_election_release(&a.machine);
    clean_up(&b);
}

/* Stopping
 * ======== */

TEST(a_stop_releases_the_lease_after_the_work_has_stopped)
{
    struct yl_election_call call;
    struct yl_time time = { 5, 0 };
    struct yl_arena arena;
    struct replica a;

    replica_init(&a, "a", &defaults);
    turn(&a);
    yl_election_stop(&a.machine);
    assert_false(yl_election_leads(&a.machine, a.now));
    assert_int_equal(yl_election_next(&a.machine, a.now, time, &call),
                     YL_ELECTION_STOP);
    a.leads = false;
    assert_lease("a", 0);
    a.n_gets = 0;
    turn(&a);
    assert_true(a.ended);
    assert_int_equal(a.n_gets, 1);
    assert_lease("", 0);
    yl_arena_init(&arena);
    assert_int_equal(lease(&arena).duration_seconds, 1);
    yl_arena_release(&arena);
    clean_up(&a);
}

TEST(a_stop_with_keep_lease_leaves_it)
{
    struct yl_election_opts opts = defaults;
    struct replica a;

    opts.keep_lease = true;
    replica_init(&a, "a", &opts);
    turn(&a);
    yl_election_stop(&a.machine);
    turn(&a);
    assert_true(a.ended);
    assert_int_equal(a.n_stops, 1);
    assert_lease("a", 0);
    clean_up(&a);
}

TEST(a_candidate_that_stops_just_ends)
{
    struct replica a;

    write_lease("other", 15);
    replica_init(&a, "a", &defaults);
    turn(&a);
    yl_election_stop(&a.machine);
    turn(&a);
    assert_true(a.ended);
    assert_int_equal(a.n_stops, 0);
    assert_lease("other", 4);
    clean_up(&a);
}

TEST(a_release_that_fails_is_not_tried_again)
{
    struct replica a;

    replica_init(&a, "a", &defaults);
    turn(&a);
    a.cut = true;
    yl_election_stop(&a.machine);
    turn(&a);
    assert_true(a.ended);
    assert_lease("a", 0);
    clean_up(&a);

    /* Gone, or another's by now. */
    replica_init(&a, "a", &defaults);
    turn(&a);
    server.object = yl_object_unref(server.object);
    yl_election_stop(&a.machine);
    turn(&a);
    assert_true(a.ended);
    assert_null(server.object);
    clean_up(&a);
    replica_init(&a, "a", &defaults);
    turn(&a);
    write_lease("other", 15);
    yl_election_stop(&a.machine);
    turn(&a);
    assert_true(a.ended);
    assert_lease("other", 4);
    clean_up(&a);
}

/* Options
 * ======= */

static void
refused(struct yl_election_opts opts, const char *text)
{
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_election_check_opts(&opts, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), text));
    yl_error_clear(&err);
}

TEST(options_that_make_no_sense_are_refused)
{
    struct yl_election_opts opts = defaults, bad;

    opts.identity = YL_STR("a");
    assert_int_equal(yl_election_check_opts(&opts, NULL), 0);
    bad = opts;
    bad.renew_deadline = bad.lease_duration;
    refused(bad, "must be greater than the renew deadline");
    bad = opts;
    bad.renew_deadline = bad.retry_period * 6 / 5;
    refused(bad, "1.2 times the retry period");
    bad = opts;
    bad.retry_period = 0;
    refused(bad, "retry period must be greater than zero");
    bad = opts;
    bad.lease_duration = 15500;
    refused(bad, "whole seconds");
    bad = opts;
    bad.identity = YL_STR("");
    refused(bad, "identity is empty");
    bad = opts;
    bad.lease.name = YL_STR("");
    refused(bad, "namespace and a name");
    bad = opts;
    bad.lease.namespace_ = YL_STR("");
    refused(bad, "namespace and a name");
}
