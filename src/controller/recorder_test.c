/* Tests of yuloh/recorder.h, with a sink in memory. */

#include "yuloh/recorder.h"

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/thread.h"
#include "env_rig.h"
#include "yuloh/cancel.h"
#include "yuloh/log.h"

static const struct yl_event_subject subject = {
    .api_version = YL_STR_INIT("v1"), .kind = YL_STR_INIT("Pod"),
    .key = { YL_STR_INIT("d"), YL_STR_INIT("web") },
};

/* The sink: what it was given, and what it answers. */
static struct yl_mutex lock = YL_MUTEX_INIT;
static struct yl_cond changed;
static char *texts[64];
static int n_texts, n_patches, n_creates;
static int answers[16];         /* Of the next calls; then 0. */
static int n_answers;
static bool closed;             /* Do calls wait for 'closed' to end? */
static int n_waiting;

static void
reset(void)
{
    yl_cond_init(&changed);
    while (n_texts > 0) {
        free(texts[--n_texts]);
    }
    n_patches = n_creates = n_answers = n_waiting = 0;
    memset(answers, 0, sizeof answers);
    closed = false;
}

static int
take(bool patch, struct yl_str json, struct yl_cancel *cancel)
{
    int r = 0, n;

    yl_mutex_lock(&lock);
    n_waiting++;
    yl_cond_broadcast(&changed);
    while (closed && !yl_cancel_is_set(cancel)) {
        yl_mutex_unlock(&lock);
        sched_yield();
        yl_mutex_lock(&lock);
    }
    n = n_creates + n_patches;
    r = n < (int) YL_ARRAY_SIZE(answers) ? answers[n] : 0;
    n_creates += !patch;
    n_patches += patch;
    assert_true(n_texts < (int) YL_ARRAY_SIZE(texts));
    texts[n_texts++] = yl_strdup(json);
    n_answers++;
    yl_cond_broadcast(&changed);
    yl_mutex_unlock(&lock);
    return yl_cancel_is_set(cancel) ? YL_ECANCELED : r;
}

static int
create(void *aux YL_UNUSED, const struct yl_key *key, struct yl_str json,
       struct yl_cancel *cancel, struct yl_versioned *ret,
       struct yl_error *err)
{
    int r = take(false, json, cancel);

    assert_null(ret);
    assert_str_equal(key->namespace_, "d");
    return r < 0 ? yl_error_set(err, r, "no") : 0;
}

static int
patch(void *aux YL_UNUSED, const struct yl_key *key, struct yl_str json,
      struct yl_cancel *cancel, struct yl_versioned *ret, struct yl_error *err)
{
    int r = take(true, json, cancel);

    assert_null(ret);
    assert_int_equal(memcmp(key->name.data, "web.", 4), 0);
    return r < 0 ? yl_error_set(err, r, "no") : 0;
}

static const struct yl_event_sink sink = { create, patch };

static struct yl_recorder *
recorder_with(struct yl_clock *clock, size_t max_queue)
{
    struct yl_recorder *recorder = yl_recorder_new(
        &(struct yl_recorder_opts) {
            .sink = &sink, .component = "test", .no_log = true,
            .clock = clock, .max_queue = max_queue, .max_tries = 3,
        });

    assert_non_null(recorder);
    return recorder;
}

/* Waits until the sink was called 'n' times. */
static void
await(int *number, int n)
{
    yl_mutex_lock(&lock);
    while (*number < n) {
        yl_cond_wait(&changed, &lock);
    }
    yl_mutex_unlock(&lock);
}

static struct yl_recorder_facts
facts(struct yl_recorder *recorder)
{
    struct yl_recorder_facts f;

    yl_recorder_facts(recorder, &f);
    return f;
}

TEST(an_event_is_created_and_counted)
{
    struct yl_recorder *recorder;

    reset();
    recorder = recorder_with(NULL, 0);
    yl_recorder_eventf(recorder, &subject, "Normal", "Started", "it is %d", 7);
    yl_recorder_eventf(recorder, &subject, "Normal", "Started", "it is %d", 7);
    yl_recorder_event(recorder, &subject, "Warning", "Failed", YL_STR("oh"));
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(n_creates, 2);
    assert_int_equal(n_patches, 1);
    assert_non_null(strstr(texts[0], "\"message\":\"it is 7\""));
    assert_non_null(strstr(texts[0], "\"component\":\"test\""));
    assert_non_null(strstr(texts[0], "\"reportingComponent\":\"test\""));
    assert_non_null(strstr(texts[0], "\"count\":1,\"type\":\"Normal\""));
    assert_int_equal(memcmp(texts[1], "{\"count\":2,\"lastTimestamp\":", 26),
                     0);
    assert_non_null(strstr(texts[2], "\"reason\":\"Failed\""));
    assert_int_equal(facts(recorder).n_recorded, 3);
    assert_int_equal(facts(recorder).n_created, 2);
    assert_int_equal(facts(recorder).n_patched, 1);
    assert_int_equal(facts(recorder).n_waiting, 0);
    yl_recorder_unref(recorder);
}

TEST(an_event_that_is_gone_is_created_again)
{
    struct yl_recorder *recorder;

    reset();
    answers[1] = YL_ENOTFOUND;
    recorder = recorder_with(NULL, 0);
    yl_recorder_event(recorder, &subject, "Normal", "Started", YL_STR("m"));
    yl_recorder_event(recorder, &subject, "Normal", "Started", YL_STR("m"));
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(n_creates, 2);
    assert_int_equal(n_patches, 1);
    assert_non_null(strstr(texts[2], "\"count\":2,"));
    yl_recorder_unref(recorder);
}

static atomic_int n_warnings;

static void
count_warnings(const struct yl_log_sink *log YL_UNUSED, const char *line,
               size_t size YL_UNUSED)
{
    n_warnings += line[0] == 'W' && strstr(line, "event was not recorded");
}

TEST(an_event_that_is_refused_is_dropped)
{
    static const struct yl_log_sink log = { count_warnings };
    static const int codes[] = {
        YL_EFORBIDDEN, YL_EINVALID, YL_EEXISTS, YL_ENOTFOUND, YL_ETHROTTLED,
    };
    struct yl_recorder *recorder;
    size_t i;

    yl_log_set_sink(&log);
    for (i = 0; i < YL_ARRAY_SIZE(codes); i++) {
        reset();
        answers[0] = codes[i];
        recorder = recorder_with(NULL, 0);
        yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
        yl_recorder_event(recorder, &subject, "Normal", "B", YL_STR("m"));
        assert_true(yl_recorder_flush(recorder, 60000));
        assert_int_equal(n_creates, 2);
        assert_int_equal(facts(recorder).n_dropped, 1);
        assert_int_equal(facts(recorder).n_created, 1);
        yl_recorder_unref(recorder);
    }
    yl_log_set_sink(NULL);

    /* Of all but the one that was there already. */
    assert_int_equal(n_warnings, YL_ARRAY_SIZE(codes) - 1);
}

TEST(an_event_that_cannot_be_sent_is_tried_again_a_few_times)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_recorder *recorder;

    /* The second try succeeds; of the next event none of three does. */
    reset();
    answers[0] = YL_EUNAVAILABLE;
    answers[2] = YL_EUNAVAILABLE;
    answers[3] = YL_ETIMEOUT;
    answers[4] = YL_EIO;
    recorder = recorder_with(clock, 0);
    yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    yl_recorder_event(recorder, &subject, "Normal", "B", YL_STR("m"));
    yl_recorder_event(recorder, &subject, "Normal", "C", YL_STR("m"));
    while (facts(recorder).n_waiting > 0) {
        yl_clock_fake_advance(clock, 1000);
        sched_yield();
    }
    assert_int_equal(n_creates, 6);
    assert_non_null(strstr(texts[1], "\"reason\":\"A\""));
    assert_non_null(strstr(texts[4], "\"reason\":\"B\""));
    assert_non_null(strstr(texts[5], "\"reason\":\"C\""));
    assert_int_equal(facts(recorder).n_created, 2);
    assert_int_equal(facts(recorder).n_dropped, 1);
    yl_recorder_unref(recorder);
    yl_clock_free(clock);
}

TEST(recording_never_blocks_and_drops_what_is_too_much)
{
    struct yl_recorder *recorder;
    int i;

    reset();
    closed = true;
    recorder = recorder_with(NULL, 5);
    for (i = 0; i < 20; i++) {
        yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    }
    assert_int_equal(facts(recorder).n_dropped, 15);
    assert_int_equal(facts(recorder).n_waiting, 5);
    assert_false(yl_recorder_flush(recorder, 0));
    yl_mutex_lock(&lock);
    closed = false;
    yl_mutex_unlock(&lock);
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(facts(recorder).n_created + facts(recorder).n_patched, 5);
    yl_recorder_unref(recorder);
}

TEST(a_flood_is_held_back)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_recorder *recorder;
    int i;

    reset();
    recorder = recorder_with(clock, 0);
    for (i = 0; i < 40; i++) {
        yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    }
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(facts(recorder).n_created, 1);
    assert_int_equal(facts(recorder).n_patched, 24);
    assert_int_equal(facts(recorder).n_filtered, 15);
    yl_recorder_unref(recorder);
    yl_clock_free(clock);
}

TEST(the_end_does_not_wait_for_what_hangs)
{
    struct yl_recorder *recorder;

    reset();
    closed = true;
    recorder = recorder_with(NULL, 0);
    yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    yl_recorder_event(recorder, &subject, "Normal", "B", YL_STR("m"));
    await(&n_waiting, 1);
    assert_null(yl_recorder_unref(recorder));
    assert_int_equal(n_creates, 1);
}

TEST(the_end_does_not_wait_for_a_delay)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct yl_recorder *recorder;

    reset();
    answers[0] = YL_EUNAVAILABLE;
    recorder = recorder_with(clock, 0);
    yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    await(&n_answers, 1);
    yl_recorder_unref(recorder);
    assert_int_equal(n_creates, 1);
    yl_clock_free(clock);
}

TEST(types_that_are_none_are_dropped)
{
    struct yl_recorder *recorder;

    reset();
    recorder = recorder_with(NULL, 0);
    yl_recorder_event(recorder, &subject, "Bad", "A", YL_STR("m"));
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(n_creates, 0);
    assert_int_equal(facts(recorder).n_dropped, 1);
    yl_recorder_unref(recorder);
}

TEST(without_a_client_events_are_only_logged)
{
    struct yl_recorder *recorder = yl_recorder_new(
        &(struct yl_recorder_opts) { .no_log = true });

    yl_recorder_event(recorder, &subject, "Normal", "A", YL_STR("m"));
    assert_true(yl_recorder_flush(recorder, 0));
    assert_int_equal(facts(recorder).n_recorded, 1);
    assert_int_equal(facts(recorder).n_dropped, 0);
    assert_ptr_equal(yl_recorder_ref(recorder), recorder);
    yl_recorder_unref(recorder);
    yl_recorder_unref(recorder);
}

TEST(no_recorder_records_nothing)
{
    yl_recorder_event(NULL, &subject, "Normal", "A", YL_STR("m"));
    yl_recorder_eventf(NULL, &subject, "Normal", "A", "%d", 1);
    assert_null(yl_recorder_unref(NULL));
    assert_null(yl_recorder_ref(NULL));
}

static void
record_many(void *recorder)
{
    int i;

    for (i = 0; i < 100; i++) {
        yl_recorder_eventf(recorder, &subject, "Normal", "A", "%d", i % 3);
    }
}

TEST(threads_may_record_at_once_just_before_the_end)
{
    struct yl_thread threads[4];
    struct yl_recorder *recorder;
    size_t i;

    reset();
    recorder = recorder_with(NULL, 10);
    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        assert_int_equal(yl_thread_start(&threads[i], "record", record_many,
                                         recorder), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        yl_thread_join(&threads[i]);
    }
    assert_int_equal(facts(recorder).n_recorded, 400);
    yl_recorder_unref(recorder);
}

TEST(two_recorders_count_apart)
{
    struct yl_recorder *one, *two;

    reset();
    one = recorder_with(NULL, 0);
    two = recorder_with(NULL, 0);
    yl_recorder_event(one, &subject, "Normal", "A", YL_STR("m"));
    yl_recorder_event(two, &subject, "Normal", "A", YL_STR("m"));
    yl_recorder_event(one, &subject, "Normal", "A", YL_STR("m"));
    assert_true(yl_recorder_flush(one, 60000));
    assert_true(yl_recorder_flush(two, 60000));
    assert_int_equal(facts(one).n_created, 1);
    assert_int_equal(facts(one).n_patched, 1);
    assert_int_equal(facts(two).n_created, 1);
    yl_recorder_unref(one);
    yl_recorder_unref(two);
}

/* On a server
 * =========== */

TEST(a_server_has_one_event_that_was_counted)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_event_subject here = subject;
    struct yl_recorder *recorder;
    struct yl_str body;

    env_open("test");
    recorder = yl_recorder_new(&(struct yl_recorder_opts) {
        .client = env.client, .component = "test", .no_log = true,
    });
    here.key.namespace_ = YL_STR("default");
    yl_recorder_event(recorder, &here, "Normal", "Started", YL_STR("m"));
    yl_recorder_event(recorder, &here, "Normal", "Started", YL_STR("m"));
    yl_recorder_event(recorder, &here, "Normal", "Started", YL_STR("m"));
    assert_true(yl_recorder_flush(recorder, 60000));
    assert_int_equal(facts(recorder).n_created, 1);
    assert_int_equal(facts(recorder).n_patched, 2);
    yl_recorder_unref(recorder);
    assert_int_equal(yl_testenv_request(
        env.server, "GET", "/api/v1/namespaces/default/events", NULL, NULL,
        arena, &body, NULL), 200);
    assert_non_null(strstr(body.data, "\"count\":3"));
    assert_null(strstr(body.data, "\"count\":1"));
    assert_non_null(strstr(body.data, "\"reason\":\"Started\""));
    env_close();
    yl_arena_free(arena);
}
