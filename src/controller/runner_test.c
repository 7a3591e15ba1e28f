/* Tests of controllers at work: events, keys, errors. */

#include "controller/runner.h"

#include "controller_rig.h"
#include "yuloh/api/core_v1_client.h"
#include "yuloh/workqueue.h"

static int
reconcile(struct yl_request *req)
{
    note_call(req);
    return 0;
}

static const struct yl_controller demo = {
    .name = "demo",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(events_of_objects_lead_to_reconciles_with_a_reason)
{
    struct yl_key key = yl_key_make(YL_STR("default"), YL_STR("two"));

    begin();
    apply(CONFIG_MAP("one", ""));
    start(&demo);
    wait_for_calls(1);
    assert_string_equal(last_name, "one");
    assert_true(last_existed);
    assert_non_null(strstr(last_reason, "ConfigMap default/one listed at "));
    apply(CONFIG_MAP("two", "data: {a: x}"));
    wait_for_calls(2);
    assert_string_equal(last_name, "two");
    assert_non_null(strstr(last_reason, "ConfigMap default/two added at "));
    apply(CONFIG_MAP("two", "data: {a: z}"));
    wait_for_calls(3);
    assert_non_null(strstr(last_reason, "ConfigMap default/two modified at "));
    assert_int_equal(core_v1_config_map_client_delete(the_client, &key, NULL,
                                                      NULL, NULL), 0);
    wait_for_calls(4);
    assert_non_null(strstr(last_reason, "ConfigMap default/two deleted at "));
    assert_false(last_existed);
    end();
}

/* An owned object leads to its owner. */
static const struct yl_controller owner = {
    .name = "owner",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default",
                            .label_selector = "mine" },
                          { .owns = &core_v1_secret_kind }),
};

#define SECRET(OWNER, MORE)                                                   \
    "apiVersion: v1\nkind: Secret\n"                                          \
    "metadata: {name: secret, namespace: default, ownerReferences: [{"        \
    "apiVersion: v1, kind: ConfigMap, uid: u, name: " OWNER MORE "}]}\n"

TEST(events_of_owned_objects_are_about_their_owners)
{
    begin();
    start(&owner);
    apply(SECRET("one", ", controller: true"));
    wait_for_calls(1);
    assert_string_equal(last_name, "one");
    assert_non_null(strstr(last_reason, "Secret default/secret added at "));
    assert_false(last_existed);

    /* An owner that is not the controller does not count; the old one that is
     * no longer owner does. */
    apply(SECRET("two", ""));
    wait_for_calls(2);
    assert_string_equal(last_name, "one");
    wait_until_idle();
    assert_int_equal(n_calls, 2);
    end();
}

static void
to_all(struct yl_enqueuer *to, const struct yl_object *object,
       const struct yl_object *old YL_UNUSED, void *aux)
{
    struct yl_key key = yl_key_make(yl_object_name(object),
                                    yl_str_c((const char *) aux));

    yl_enqueue(to, &key);
}

static char mapped[] = "mapped";
static const struct yl_controller mapping = {
    .name = "mapping",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" },
                          { .other = &core_v1_namespace__kind, .map = to_all,
                            .label_selector = "x=one" }),
    .aux = mapped,
};

TEST(events_of_others_are_about_what_map_says)
{
    begin();
    start(&mapping);
    apply("apiVersion: v1\nkind: Namespace\n"
          "metadata: {name: space, labels: {x: one}}\n");
    wait_for_calls(1);
    assert_string_equal(last_name, "mapped");
    assert_non_null(strstr(last_reason, "Namespace space added at "));
    end();
}

/* Fails with the codes of a list, one after the other. */
static const int *codes;
static struct yl_error_told {
    int code;
    char message[64];
    unsigned n;
} told;

static int
fail_next(struct yl_request *req)
{
    int code = *codes++;

    note_call(req);
    return code ? yl_request_fail(req, code, "as the test wants") : 0;
}

static void
on_error(const struct yl_controller *controller YL_UNUSED,
         const struct yl_key *key YL_UNUSED, const struct yl_error *err)
{
    yl_mutex_lock(&calls_lock);
    told.code = err->code;
    snprintf(told.message, sizeof told.message, "%s", yl_error_message(err));
    told.n++;
    yl_mutex_unlock(&calls_lock);
}

static const struct yl_controller failing = {
    .name = "failing",
    .reconcile = fail_next,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
    .retry_min = 1,
    .retry_max = 2,
};

static uint64_t
counted(struct yl_counter *counter)
{
    return yl_counter_value(counter);
}

TEST(a_failed_key_is_retried_until_it_succeeds)
{
    static const int list[] = { YL_EUNAVAILABLE, YL_ENOTFOUND, YL_EEXPIRED,
                                YL_ECONFLICT, 0 };
    const struct yl_runner *runner;

    begin();
    codes = list;
    memset(&told, 0, sizeof told);
    yl_set_error_hook(on_error);
    start(&failing);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(5);
    wait_until_idle();
    runner = manager->runners[0];
    assert_int_equal(told.n, 4);
    assert_int_equal(told.code, YL_ECONFLICT);
    assert_string_equal(told.message, "as the test wants");
    assert_string_equal(last_reason, "retry after an error");
    assert_int_equal(counted(runner->errors), 4);
    assert_int_equal(counted(runner->results[YL_RESULT_ERROR]), 4);
    assert_int_equal(counted(runner->results[YL_RESULT_SUCCESS]), 1);
    assert_int_equal(counted(runner->terminal_errors), 0);
    yl_set_error_hook(NULL);
    end();
}

TEST(a_terminal_error_ends_the_work_until_the_next_event)
{
    static const int list[] = { YL_EINVALID, 0 };
    const struct yl_runner *runner;
    struct yl_workqueue_stats stats;

    begin();
    codes = list;
    start(&failing);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    runner = manager->runners[0];
    yl_workqueue_get_stats(runner->queue, &stats);
    assert_int_equal(stats.n_waiting, 0);
    assert_int_equal(stats.n_idle, 0);
    assert_int_equal(counted(runner->terminal_errors), 1);
    apply(CONFIG_MAP("one", "data: {a: b}"));
    wait_for_calls(2);
    end();
}

static int
fail_as_told(struct yl_request *req)
{
    note_call(req);
    yl_request_fail(req, YL_ETHROTTLED, "later");
    yl_request_error(req)->retry_after = 3600 * 1000;
    return YL_ETHROTTLED;
}

static const struct yl_controller throttled = {
    .name = "throttled",
    .reconcile = fail_as_told,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(a_delay_that_the_server_names_is_kept)
{
    struct yl_workqueue_stats stats;

    begin();
    start(&throttled);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    yl_workqueue_get_stats(manager->runners[0]->queue, &stats);
    assert_int_equal(stats.n_waiting, 1);
    assert_true(stats.next - yl_now(NULL) > 3500 * 1000);
    end();
}

/* Only some errors are retried with a delay that the queue counts. */
static unsigned failures[8];

static int
fail_in_all_ways(struct yl_request *req)
{
    static const int ways[] = { YL_ETHROTTLED, YL_ECONFLICT, YL_EUNAVAILABLE,
                                YL_EINVALID, 0, 0 };
    unsigned i = n_calls;

    failures[i] = yl_request_n_failures(req);
    if (ways[i] < 0) {
        yl_request_fail(req, ways[i], "later");
        yl_request_error(req)->retry_after = 1;
    }
    note_call(req);
    return ways[i];
}

static const struct yl_controller failing_in_all_ways = {
    .name = "failing-in-all-ways",
    .reconcile = fail_in_all_ways,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(failures_count_until_a_success)
{
    unsigned i;

    begin();
    start(&failing_in_all_ways);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(4);
    wait_until_idle();
    apply(CONFIG_MAP("one", "data: {a: b}"));
    wait_for_calls(5);
    wait_until_idle();
    apply(CONFIG_MAP("one", "data: {a: c}"));
    wait_for_calls(6);
    for (i = 0; i < 5; i++) {
        assert_int_equal(failures[i], i);
    }
    assert_int_equal(failures[5], 0);
    end();
}

static int
ask_again(struct yl_request *req)
{
    note_call(req);
    if (n_calls < 3) {
        yl_requeue_after(req, 3600 * 1000);
        yl_requeue_after(req, 1);
    }
    return 0;
}

static const struct yl_controller asking = {
    .name = "asking",
    .reconcile = ask_again,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(a_reconcile_can_ask_for_its_key_again)
{
    begin();
    start(&asking);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(3);
    assert_string_equal(last_reason, "asked for by the last reconcile");
    wait_until_idle();
    assert_int_equal(
        counted(manager->runners[0]->results[YL_RESULT_REQUEUE_AFTER]), 2);
    end();
}

static int
undecodable(struct yl_request *req)
{
    note_call(req);
    return 0;
}

static const struct yl_controller strict = {
    .name = "strict",
    .reconcile = undecodable,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

TEST(an_object_that_does_not_decode_never_reaches_the_reconcile)
{
    begin();
    memset(&told, 0, sizeof told);
    yl_set_error_hook(on_error);
    start(&strict);

    /* C strings have no NUL. */
    apply(CONFIG_MAP("one", "data: {a: \"\\0\"}"));
    for (;;) {
        unsigned n;

        yl_mutex_lock(&calls_lock);
        n = told.n;
        yl_mutex_unlock(&calls_lock);
        if (n) {
            break;
        }
        sched_yield();
    }
    assert_int_equal(told.code, YL_EINVALID);
    assert_int_equal(n_calls, 0);
    yl_set_error_hook(NULL);
    end();
}

/* A call that would hang ends when the time of the reconcile is over. */
static int
hang(struct yl_request *req)
{
    struct yl_resource secrets = yl_resource_of(&core_v1_secret_kind);
    int r = yl_client_watch(yl_request_client(req), &secrets,
                            YL_STR("default"), NULL, NULL, NULL,
                            yl_request_call_opts(req), yl_request_error(req));

    assert_int_equal(r, YL_ETIMEOUT);
    assert_int_equal(yl_request_time_left(req), 0);
    note_call(req);
    return r;
}

static const struct yl_controller hanging = {
    .name = "hanging",
    .reconcile = hang,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
    .timeout = 1,
    .retry_min = 3600 * 1000,
};

TEST(a_reconcile_has_a_timeout)
{
    begin();
    start(&hanging);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    assert_int_equal(counted(manager->runners[0]->errors), 1);
    end();
}

/* Resync: the object is an event again, without a change. */
static const struct yl_controller resyncing = {
    .name = "resyncing",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default",
                            .changed = YL_GENERATION,
                            .resync = 1000 }),
};

TEST(a_resync_passes_the_mask)
{
    begin_held();
    apply(CONFIG_MAP("one", ""));
    start(&resyncing);
    wait_for_calls(1);
    wait_until_idle();
    assert_int_equal(n_calls, 1);
    yl_testenv_advance(env, 1000);
    wait_for_calls(2);
    assert_non_null(strstr(last_reason, "ConfigMap default/one resynced"));
    end();
}

TEST(a_failed_key_backs_off_by_the_clock)
{
    static const int list[] = { YL_EUNAVAILABLE, YL_EUNAVAILABLE, 0 };
    struct yl_controller slow = failing;
    struct yl_workqueue_stats stats;
    yl_msec now;

    begin_held();
    codes = list;
    slow.retry_min = 10 * 1000;
    slow.retry_max = 1000 * 1000;
    start(&slow);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    now = yl_now(yl_testenv_clock(env));
    yl_workqueue_get_stats(manager->runners[0]->queue, &stats);
    assert_int_equal(stats.next - now, 10 * 1000);
    yl_testenv_advance(env, 10 * 1000);
    wait_for_calls(2);
    wait_until_idle();
    yl_workqueue_get_stats(manager->runners[0]->queue, &stats);
    assert_int_equal(stats.next - now, 30 * 1000);
    yl_testenv_advance(env, 20 * 1000);
    wait_for_calls(3);
    end();
}
