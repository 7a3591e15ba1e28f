/* Tests of managers: start, stop, sharing. */

#include "controller/manager.h"

#include "controller_rig.h"
#include "yuloh/api/core_v1_client.h"
#include "yuloh/informer.h"
#include "yuloh/loop.h"

static int
reconcile(struct yl_request *req)
{
    note_call(req);
    return 0;
}

#define WATCH { .for_ = &core_v1_config_map_kind, .namespace_ = "default" }

static const struct yl_controller demo = {
    .name = "demo",
    .reconcile = reconcile,
    .watches = YL_WATCHES(WATCH),
    .workers = 3,
};

static const struct yl_controller other = {
    .name = "other",
    .reconcile = reconcile,
    .watches = YL_WATCHES(WATCH),
};

TEST(a_manager_needs_a_client_and_good_tables)
{
    static const struct yl_controller bad = { .name = "bad" };

    assert_int_equal(yl_manager_new(&(struct yl_manager_opts) {
                         .client = NULL }, &manager, NULL), YL_EINVALID);
    begin();
    assert_int_equal(yl_manager_add(manager, &bad, NULL), YL_EINVALID);
    assert_int_equal(yl_manager_add(manager, &demo, NULL), 0);
    assert_int_equal(yl_manager_add(manager, &demo, NULL), YL_EEXISTS);
    end();
    yl_manager_free(NULL);
}

static void
count(void *n, struct yl_informer *informer YL_UNUSED)
{
    ++*(unsigned *) n;
}

TEST(informers_are_shared)
{
    unsigned n = 0;

    begin();
    assert_int_equal(yl_manager_add(manager, &demo, NULL), 0);
    assert_int_equal(yl_manager_add(manager, &other, NULL), 0);
    yl_informer_factory_each(yl_manager_factory(manager), count, &n);
    assert_int_equal(n, 1);
    assert_false(yl_manager_is_ready(manager));
    assert_int_equal(yl_manager_start(manager, &fault), 0);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(2);
    assert_true(yl_manager_is_ready(manager));
    end();
}

TEST(a_graceful_stop_ends_without_an_error)
{
    begin();
    start(&demo);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);
    assert_false(yl_manager_is_ready(manager));
    end();
}

static void
run(void *result)
{
    *(int *) result = yl_manager_run(manager, &fault);
}

TEST(run_ends_when_somebody_stops_it)
{
    struct yl_thread thread;
    int result = -1;

    begin();
    assert_int_equal(yl_manager_add(manager, &demo, NULL), 0);
    assert_int_equal(yl_thread_start(&thread, "run", run, &result), 0);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_manager_stop(manager);
    yl_thread_join(&thread);
    assert_int_equal(result, 0);
    end();
}

TEST(caches_that_do_not_sync_end_the_manager)
{
    begin_with(&(struct yl_manager_opts) { .sync_timeout = 1 });
    yl_testenv_kill(env);
    assert_int_equal(yl_manager_add(manager, &demo, NULL), 0);
    assert_int_equal(yl_manager_run(manager, &fault), YL_ETIMEOUT);
    assert_non_null(strstr(yl_error_message(&fault), "controller demo: "));
    assert_int_equal(yl_testenv_revive(env, NULL), 0);
    end();
}

/* Nobody has begun to work, so there is nothing to wait for. */
TEST(a_graceful_stop_does_not_wait_for_caches)
{
    begin_with(&(struct yl_manager_opts) {
        .sync_timeout = YL_NEVER, .stop_timeout = YL_NEVER / 2 });
    yl_testenv_kill(env);
    assert_int_equal(yl_manager_add(manager, &demo, NULL), 0);
    assert_int_equal(yl_manager_start(manager, &fault), 0);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);
    assert_int_equal(yl_testenv_revive(env, NULL), 0);
    end();
}

/* A worker that hangs in a call until that is canceled. */
static int
hang(struct yl_request *req)
{
    note_call(req);
    return yl_client_watch(yl_request_client(req),
                           &(struct yl_resource) {
                               .gvr = { YL_STR(""), YL_STR("v1"),
                                        YL_STR("secrets") },
                               .namespaced = true },
                           YL_STR("default"), NULL, NULL, NULL,
                           yl_request_call_opts(req), yl_request_error(req));
}

static const struct yl_controller hanging = {
    .name = "hanging",
    .reconcile = hang,
    .watches = YL_WATCHES(WATCH),
};

TEST(the_second_stop_cancels_calls)
{
    begin();
    start(&hanging);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_manager_stop(manager);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);
    end();
}

TEST(calls_are_canceled_when_the_time_to_stop_is_over)
{
    begin_with(&(struct yl_manager_opts) { .stop_timeout = 1 });
    start(&hanging);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);
    end();
}

/* Leader election: the second manager works when the first has stopped. */
TEST(only_the_leader_works)
{
    struct yl_manager *second;
    const struct yl_manager_opts opts = {
        .leader_election_id = "demo", .identity = "first",
        .retry_period = 10 };
    struct yl_manager_opts other_opts = opts;

    begin_with(&opts);
    start(&demo);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    other_opts.client = the_client;
    other_opts.identity = "second";
    assert_int_equal(yl_manager_new(&other_opts, &second, &fault), 0);
    assert_int_equal(yl_manager_add(second, &other, &fault), 0);
    assert_int_equal(yl_manager_start(second, &fault), 0);
    while (!yl_manager_is_ready(second)) {
        sched_yield();
    }
    assert_non_null(strstr(yl_manager_status_text(second, scratch).data,
                           "second is NOT LEADING"));
    assert_non_null(strstr(yl_manager_status_text(manager, scratch).data,
                           "first is leading; the leader is first"));
    assert_int_equal(n_calls, 1);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);

    /* The Lease was released, so the other one need not wait for its end. */
    wait_for_calls(2);
    yl_manager_stop(second);
    assert_int_equal(yl_manager_join(second, &fault), 0);
    yl_manager_free(second);
    end();
}

static _Atomic int slept_result;

/* The process was stopped for longer than its Lease is good for. */
static int
sleep_and_write(struct yl_request *req)
{
    note_call(req);
    yl_testenv_advance(env, 20000);
    slept_result = yl_request_create(
        req, &core_v1_config_map_kind,
        YL_STR("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
               "\"metadata\":{\"name\":\"late\"}}"), NULL);
    return slept_result;
}

static const struct yl_controller sleeper = {
    .name = "sleeper",
    .reconcile = sleep_and_write,
    .watches = YL_WATCHES(WATCH),
};

TEST(a_leader_that_was_stopped_does_not_write_when_it_goes_on)
{
    struct yl_error err = YL_ERROR_INIT;

    begin_in(&(struct yl_testenv_opts) { .held_clock = true },
             &(struct yl_manager_opts) {
        .leader_election_id = "demo", .identity = "me",
    });
    start(&sleeper);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    assert_int_equal(yl_manager_join(manager, &err), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&err), "leadership was lost");
    assert_int_equal(slept_result, YL_ECANCELED);
    yl_error_clear(&err);
    end();
}

TEST(a_leader_that_is_replaced_stops_its_work_at_once)
{
    struct yl_str body;

    begin_with(&(struct yl_manager_opts) {
        .leader_election_id = "demo", .identity = "first",
        .retry_period = 10, .stop_timeout = YL_NEVER / 2 });
    start(&hanging);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);

    /* The next renewal finds another holder, while a worker waits for an
     * answer that never comes. */
    apply("apiVersion: coordination.k8s.io/v1\nkind: Lease\n"
          "metadata: {name: demo, namespace: default}\n"
          "spec: {holderIdentity: second}\n");
    assert_int_equal(yl_manager_join(manager, &fault), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&fault), "leadership was lost");
    assert_int_equal(n_calls, 1);

    /* It is not its own to release. */
    assert_int_equal(yl_testenv_request(
        env, "GET",
        "/apis/coordination.k8s.io/v1/namespaces/default/leases/demo", NULL,
        NULL, scratch, &body, &fault), 200);
    assert_non_null(strstr(body.data, "\"holderIdentity\":\"second\""));
    end();
}

TEST(a_leader_that_cannot_renew_stops_its_work)
{
    begin_in(&(struct yl_testenv_opts) { .held_clock = true },
             &(struct yl_manager_opts) { .leader_election_id = "demo",
                                         .stop_timeout = YL_NEVER / 2 });
    start(&hanging);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ANSWER, .resource = "leases", .status = 503 });
    yl_testenv_advance(env, 10000);
    assert_int_equal(yl_manager_join(manager, &fault), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&fault), "leadership was lost");
    end();
}

static int
tell(struct yl_request *req)
{
    yl_request_event(req, "Normal", "Seen", "%d times", 1);
    note_call(req);
    return 0;
}

static const struct yl_controller telling = {
    .name = "telling",
    .reconcile = tell,
    .watches = YL_WATCHES(WATCH),
};

TEST(events_reach_the_server_before_the_end)
{
    struct yl_str body;

    begin();
    start(&telling);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_manager_stop(manager);
    assert_int_equal(yl_manager_join(manager, &fault), 0);
    assert_int_equal(yl_testenv_request(
        env, "GET", "/api/v1/namespaces/default/events", NULL, NULL, scratch,
        &body, &fault), 200);
    assert_non_null(strstr(body.data, "\"reason\":\"Seen\""));
    assert_non_null(strstr(body.data, "\"message\":\"1 times\""));
    assert_non_null(strstr(body.data, "\"component\":\"telling\""));
    end();
}

static atomic_bool is_dead;

/* Tells something that nobody hears. */
static int
tell_the_dead(struct yl_request *req)
{
    note_call(req);
    while (!is_dead) {
        sched_yield();
    }
    yl_request_event(req, "Normal", "Seen", "too late");
    return 0;
}

static const struct yl_controller telling_the_dead = {
    .name = "telling-the-dead",
    .reconcile = tell_the_dead,
    .watches = YL_WATCHES(WATCH),
};

TEST(a_stop_at_once_does_not_wait_for_events)
{
    begin_held();               /* No wait would end by itself. */
    is_dead = false;
    start(&telling_the_dead);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    yl_testenv_kill(env);
    is_dead = true;
    end();
}

TEST(controllers_of_every_replica_do_not_wait_to_lead)
{
    struct yl_controller everywhere = demo;

    everywhere.every_replica = true;
    begin_with(&(struct yl_manager_opts) {
        .leader_election_id = "demo", .retry_period = 10 });

    /* Somebody else leads, and will for an hour. */
    apply("apiVersion: coordination.k8s.io/v1\nkind: Lease\n"
          "metadata: {name: demo, namespace: default}\n"
          "spec: {holderIdentity: somebody, leaseDurationSeconds: 3600, "
          "renewTime: \"2100-01-01T00:00:00.000000Z\"}\n");
    assert_int_equal(yl_manager_add(manager, &other, &fault), 0);
    start(&everywhere);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle_of(manager->runners[1]);
    assert_int_equal(n_calls, 1);
    end();
}

/* A program with a loop of its own drives the manager's informers with it. */
TEST(a_manager_lives_on_a_lent_loop)
{
    struct yl_loop *loop;
    bool called = false;

    assert_int_equal(yl_loop_new(NULL, &loop, &fault), 0);
    begin_with(&(struct yl_manager_opts) { .loop = loop });
    assert_int_equal(yl_manager_add(manager, &demo, &fault), 0);
    assert_int_equal(yl_manager_start(manager, &fault), 0);
    apply(CONFIG_MAP("one", ""));
    while (!called) {
        yl_loop_turn(loop, false);
        yl_mutex_lock(&calls_lock);
        called = n_calls > 0;
        yl_mutex_unlock(&calls_lock);
    }
    end();
    yl_loop_free(loop);
}
