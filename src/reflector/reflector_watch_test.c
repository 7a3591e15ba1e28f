/* Tests of yuloh/reflector.h, over a source in memory (reflector_rig.h):
 * watches, their time limits, and streamed lists. */

#include "yuloh/reflector.h"

#include "reflector_rig.h"

/* Watches
 * ======= */

TEST(a_watch_that_ends_is_resumed_behind_the_last_revision)
{
    pages();
    put("a", "1");
    settle();
    put("b", "2");
    settle();
    put("c", "3");
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;ADDED b@2;ADDED c@3;");
    assert_calls("list \"0\" limit 500; watch \"1\"; watch \"2\"; ");
    assert_errors("");
    rig_release(&rig);
}

TEST(a_watch_that_ends_after_a_bookmark_is_resumed_there)
{
    pages();
    put("a", "1");
    settle();
    put("b", "2");
    settle();
    drop("b");
    settle();
    yl_fake_source_bookmark(rig.source);
    settle();
    rig.now += 5000;
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_calls("list \"0\" limit 500; watch \"1\"; watch \"3\"; ");
    rig_release(&rig);
}

TEST(a_very_short_watch_is_resumed_after_a_delay)
{
    pages();
    put("a", "1");
    settle();
    rig.now += 999;
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_waits(800, 1600);
    assert_errors("EUNAVAILABLE ");
    assert_int_equal(rig_facts(&rig).n_short_watches, 1);
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; watch \"1\"; ");
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_waits(1600, 3200);
    rig_wait(&rig);

    /* One of a second is long enough. */
    rig.now += 1000;
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_WATCHING);
    assert_int_equal(rig_facts(&rig).n_lists, 1);
    rig_release(&rig);
}

TEST(a_watch_that_says_nothing_new_and_ends_is_very_short_too)
{
    pages();
    put("a", "1");
    settle();
    yl_fake_source_bookmark(rig.source);
    yl_fake_source_run(rig.source);
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_waits(800, 1600);
    rig_release(&rig);
}

TEST(a_refused_connection_keeps_the_position)
{
    static const yl_msec floors[] = { 800, 1600, 3200, 6400, 12800 };
    size_t i;

    pages();
    put("a", "1");
    settle();
    spy_log(&rig.spy);
    rig.now += 5000;
    yl_fake_source_end_calls(rig.source, 0);
    yl_fake_source_run(rig.source);
    yl_fake_source_fail(rig.source, YL_ARRAY_SIZE(floors), YL_EUNAVAILABLE,
                        false);
    settle();
    for (i = 0; i < YL_ARRAY_SIZE(floors); i++) {
        assert_waits(floors[i], 2 * floors[i]);
        assert_calls("watch \"1\"; ");
        put("b", "2");
        rig_wait(&rig);
    }
    assert_calls("watch \"1\"; ");
    assert_int_equal(rig_facts(&rig).n_lists, 1);
    assert_true(rig_is_converged(&rig));
    rig_release(&rig);
}

TEST(a_broken_connection_is_resumed_at_once)
{
    static const int codes[] = {
        YL_EUNAVAILABLE, YL_ETIMEOUT, YL_EIO, YL_ETRUNCATED,
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(codes); i++) {
        pages();
        put("a", "1");
        settle();
        rig.now += 5000;
        yl_fake_source_end_calls(rig.source, codes[i]);
        settle();
        assert_calls("list \"0\" limit 500; watch \"1\"; watch \"1\"; ");
        assert_int_equal(rig_facts(&rig).last_error, codes[i]);
        rig_release(&rig);
    }
}

TEST(too_many_requests_keep_the_position_and_cost_a_delay)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 2, .code = YL_ETHROTTLED },
           { .call = 3, .after = 1, .what = SPY_ERROR_EVENT,
             .code = YL_ETHROTTLED, .retry_after = 9000 });
    settle();
    assert_waits(800, 1600);
    rig_wait(&rig);
    put("b", "2");
    settle();
    assert_waits(9000, 9001);
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; watch \"1\"; "
                 "watch \"1\"; ");
    assert_log(&rig.model, "initial REPLACED a@1;ADDED b@2;");
    rig_release(&rig);
}

TEST(delays_of_lists_and_watches_are_separate)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 1, .code = YL_EINTERNAL },
           { .call = 2, .code = YL_EINTERNAL },
           { .call = 4, .code = YL_ETHROTTLED },
           { .call = 5, .code = YL_EFORBIDDEN });
    settle();
    assert_waits(800, 1600);
    rig_wait(&rig);
    assert_waits(1600, 3200);
    rig_wait(&rig);
    assert_waits(800, 1600);
    rig_wait(&rig);
    assert_waits(3200, 6400);
    rig_wait(&rig);
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_WATCHING);
    rig_release(&rig);
}

TEST(another_error_of_a_watch_is_followed_by_a_list)
{
    static const int codes[] = {
        YL_EINTERNAL, YL_EFORBIDDEN, YL_EUNAUTHORIZED, YL_ENOTFOUND,
        YL_EINVALID, YL_ESYNTAX,
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(codes); i++) {
        pages();
        put("a", "1");
        settle();
        rig.now += 5000;
        yl_fake_source_end_calls(rig.source, codes[i]);
        settle();
        assert_waits(800, 1600);
        rig_wait(&rig);
        assert_calls("list \"0\" limit 500; watch \"1\"; list \"1\"; "
                     "watch \"1\"; ");
        rig_release(&rig);
    }
}

TEST(an_internal_error_of_a_watch_can_be_retried_for_a_while)
{
    int n = 0;

    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .internal_error_retry = 30000,
    }, NULL);
    put("a", "1");
    settle();
    yl_fake_source_end_calls(rig.source, YL_EINTERNAL);
    yl_fake_source_run(rig.source);
    yl_fake_source_fail(rig.source, 100, YL_EINTERNAL, false);
    settle();
    while (rig_facts(&rig).n_lists == 1) {
        assert_true(n++ < 20);
        rig_wait(&rig);
    }
    assert_true(n > 3);
    assert_true(rig.now >= 1000000 + 30000);
    rig_release(&rig);
}

TEST(an_unknown_or_empty_event_is_passed_over)
{
    pages();
    put("a", "1");
    settle();
    put("b", "2");
    put("c", "3");
    FAULTS({ .call = 2, .after = 1, .what = SPY_UNKNOWN_EVENT },
           { .call = 2, .after = 2, .what = SPY_BAD_EVENT });
    settle();
    assert_errors("EINVALID EINVALID ");
    assert_log(&rig.model, "initial REPLACED a@1;ADDED b@2;ADDED c@3;");
    assert_int_equal(rig_facts(&rig).n_watches, 1);
    rig_release(&rig);
}

/* Time limits
 * =========== */

static int64_t seconds_seen[64];
static size_t n_seconds;

static int
watch_refused(struct yl_lister_watcher *lw YL_UNUSED,
              const struct yl_list_options *o,
              const struct yl_watch_sink *sink YL_UNUSED, void *aux YL_UNUSED,
              struct yl_lister_watcher_call **ret_call YL_UNUSED,
              struct yl_error *err)
{
    assert_true(o->allow_watch_bookmarks);
    assert_true(n_seconds < YL_ARRAY_SIZE(seconds_seen));
    seconds_seen[n_seconds++] = o->timeout_seconds;
    return yl_error_set(err, YL_ETHROTTLED, "not now");
}

static void
watch_limits(const struct yl_reflector_opts *opts, int64_t from, int64_t to)
{
    bool differ = false;
    size_t i;

    rig_init(&rig, opts, NULL);
    rig.spy.lw.watch = watch_refused;
    n_seconds = 0;
    settle();
    while (n_seconds < 40) {
        rig_wait(&rig);
    }
    for (i = 0; i < n_seconds; i++) {
        assert_true(seconds_seen[i] >= from);
        assert_true(seconds_seen[i] <= to);
        differ = differ || seconds_seen[i] != seconds_seen[0];
    }
    assert_int_equal(differ, from != to);
    rig_release(&rig);
}

TEST(watches_have_random_time_limits)
{
    watch_limits(&(struct yl_reflector_opts) { .no_stream = true }, 300, 600);
    watch_limits(&(struct yl_reflector_opts) { .no_stream = false }, 300, 600);
    watch_limits(&(struct yl_reflector_opts) {
        .no_stream = true, .watch_timeout_min = 60000,
        .watch_timeout_max = 90000,
    }, 60, 90);
    watch_limits(&(struct yl_reflector_opts) {
        .no_stream = true, .watch_timeout_min = 90000,
        .watch_timeout_max = 60000,
    }, 90, 90);
    watch_limits(&(struct yl_reflector_opts) {
        .no_stream = true, .watch_timeout_min = 10, .watch_timeout_max = 20,
    }, 1, 1);
}

TEST(a_watch_that_is_silent_beyond_its_limit_is_replaced)
{
    yl_msec lasted;

    pages();
    put("a", "1");
    FAULTS({ .call = 2, .what = SPY_SILENCE });
    settle();
    put("b", "2");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;");
    lasted = rig_wait(&rig);
    assert_true(lasted >= 330000 && lasted <= 630000);
    assert_errors("EUNAVAILABLE ");
    assert_calls("list \"0\" limit 500; watch \"1\"; watch \"1\"; ");
    assert_log(&rig.model, "ADDED b@2;");
    rig_release(&rig);
}

TEST(a_watch_that_says_something_is_not_silent)
{
    yl_msec lasted;

    pages();
    put("a", "1");
    settle();
    put("b", "2");
    settle();
    lasted = rig_wait(&rig);
    assert_errors("");
    assert_int_equal(rig_facts(&rig).n_watches, 1);
    assert_int_equal(rig_wait(&rig), lasted);
    assert_errors("EUNAVAILABLE ");
    assert_int_equal(rig_facts(&rig).n_watches, 2);
    rig_release(&rig);
}

TEST(a_stream_that_became_a_watch_has_a_watchs_limit)
{
    streamed();
    put("a", "1");
    settle();
    assert_int_equal(yl_reflector_next(rig.reflector) - rig.now, 630000);
    rig_wait(&rig);
    rig_wait(&rig);
    assert_calls("stream \"\" or newer; watch \"1\"; ");
    assert_errors("EUNAVAILABLE ");
    rig_release(&rig);
}

TEST(a_list_that_brings_nothing_for_a_minute_is_broken)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 1, .what = SPY_SILENCE });
    settle();
    assert_int_equal(rig_wait(&rig), 60000);
    assert_errors("EUNAVAILABLE ");
    assert_waits(800, 1600);
    rig_wait(&rig);
    assert_log(&rig.model, "initial REPLACED a@1;");
    rig_release(&rig);
}

/* Streams
 * ======= */

TEST(a_server_that_refuses_streams_is_asked_for_pages)
{
    static const int codes[] = {
        YL_EINVALID, YL_EBADREQUEST, YL_EMETHOD, YL_EINTERNAL, YL_EFORBIDDEN,
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(codes); i++) {
        streamed();
        put("a", "1");
        FAULTS({ .call = 1, .code = codes[i] });
        settle();
        assert_calls("stream \"\" or newer; list \"0\" limit 500; "
                     "watch \"1\"; ");
        assert_errors("");
        assert_log(&rig.model, "initial REPLACED a@1;");
        rig_release(&rig);
    }
}

TEST(a_stream_is_tried_again_when_the_server_is_busy_or_away)
{
    streamed();
    put("a", "1");
    FAULTS({ .call = 1, .code = YL_ETHROTTLED },
           { .call = 2, .code = YL_EUNAVAILABLE },
           { .call = 3, .after = 2, .what = SPY_ERROR_EVENT,
             .code = YL_ETHROTTLED });
    settle();
    assert_waits(800, 1600);
    rig_wait(&rig);
    assert_waits(1600, 3200);
    rig_wait(&rig);
    assert_waits(3200, 6400);
    assert_log(&rig.model, "");
    rig_wait(&rig);
    assert_calls("stream \"\" or newer; stream \"\" or newer; "
                 "stream \"\" or newer; stream \"\" or newer; ");
    assert_log(&rig.model, "initial REPLACED a@1;");
    rig_release(&rig);
}

TEST(a_stream_that_just_ends_is_tried_once_more)
{
    streamed();
    put("a", "1");
    put("b", "2");
    FAULTS({ .call = 1, .after = 2 });
    settle();
    assert_calls("stream \"\" or newer; stream \"\" or newer; ");
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    rig_release(&rig);

    streamed();
    put("a", "1");
    put("b", "2");
    FAULTS({ .call = 1, .after = 2 }, { .call = 2, .after = 3 });
    settle();
    assert_calls("stream \"\" or newer; stream \"\" or newer; "
                 "list \"0\" limit 500; watch \"2\"; ");
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    rig_release(&rig);
}

TEST(a_later_stream_is_not_older_than_what_was_seen)
{
    streamed();
    put("a", "1");
    settle();
    rig.now += 5000;
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    drop("a");
    put("b", "2");
    rig_wait(&rig);
    assert_calls("stream \"\" or newer; stream \"1\" or newer; ");
    assert_log(&rig.model, "initial REPLACED a@1;missed DELETED a@1;"
               "REPLACED b@3;");
    rig_release(&rig);
}

TEST(a_later_stream_whose_revision_is_refused_is_asked_for_the_newest)
{
    streamed();
    put("a", "1");
    settle();
    FAULTS({ .call = 2, .code = YL_ETIMEOUT,
             .cause = "ResourceVersionTooLarge" });
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("stream \"\" or newer; stream \"1\" or newer; "
                 "stream \"\" or newer; ");

    /* Refused twice, it falls back to a list. */
    FAULTS({ .call = 4, .code = YL_EEXPIRED },
           { .call = 5, .code = YL_EEXPIRED });
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("stream \"1\" or newer; stream \"\" or newer; "
                 "list \"\" limit 500; watch \"1\"; ");
    rig_release(&rig);
}

TEST(a_stream_that_says_nothing_for_a_minute_is_tried_again)
{
    streamed();
    put("a", "1");
    FAULTS({ .call = 1, .after = 2, .what = SPY_SILENCE });
    settle();
    assert_int_equal(rig_wait(&rig), 60000);
    assert_int_equal(rig_wait(&rig), 60000);
    assert_errors("EUNAVAILABLE ");
    rig_wait(&rig);
    assert_log(&rig.model, "initial REPLACED a@1;");
    rig_release(&rig);
}

/* A stream by hand, for events that a source does not mix. */
static const struct yl_watch_sink *hand_sink;
static void *hand_aux;

static int
watch_by_hand(struct yl_lister_watcher *lw YL_UNUSED,
              const struct yl_list_options *o YL_UNUSED,
              const struct yl_watch_sink *sink, void *aux,
              struct yl_lister_watcher_call **ret_call,
              struct yl_error *err YL_UNUSED)
{
    static int call;

    hand_sink = sink;
    hand_aux = aux;
    *ret_call = (struct yl_lister_watcher_call *) &call;
    return 0;
}

static void
stop_by_hand(struct yl_lister_watcher *lw YL_UNUSED,
             struct yl_lister_watcher_call *call YL_UNUSED)
{
    hand_sink = NULL;
}

static void
say(enum yl_watch_type type, struct yl_versioned object, bool end)
{
    struct yl_watch_event event = {
        .type = type, .object = object.object, .revision = object.revision,
        .initial_events_end = end,
    };

    hand_sink->event(hand_aux, &event);
    yl_object_unref(event.object);
}

TEST(changes_among_the_objects_of_a_stream_are_part_of_the_list)
{
    struct yl_versioned none = { NULL, 0 };

    streamed();
    rig.spy.lw.watch = watch_by_hand;
    rig.spy.lw.stop = stop_by_hand;
    settle();
    say(YL_WATCH_ADDED, thing("a", "1", 1), false);
    say(YL_WATCH_ADDED, thing("b", "2", 2), false);
    say(YL_WATCH_MODIFIED, thing("a", "1", 3), false);
    say(YL_WATCH_ADDED, thing("c", "3", 4), false);
    say(YL_WATCH_DELETED, thing("c", "3", 5), false);

    /* A bookmark without the mark is not the end. */
    none.revision = 5;
    say(YL_WATCH_BOOKMARK, none, false);
    settle();
    assert_log(&rig.model, "");
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_STREAMING);
    none.revision = 6;
    say(YL_WATCH_BOOKMARK, none, true);
    settle();
    assert_log(&rig.model, "initial REPLACED a@3;initial REPLACED b@2;");
    assert_int_equal(rig_facts(&rig).revision, 6);
    assert_int_equal(rig.model.revision, 6);
    none.revision = 9;
    say(YL_WATCH_BOOKMARK, none, false);
    settle();
    assert_int_equal(rig.model.revision, 9);
    rig_release(&rig);
}

TEST(a_list_without_a_revision_is_watched_until_one_comes)
{
    struct yl_versioned none = { NULL, 0 };

    pages();
    rig.model.lenient = true;
    rig.spy.lw.watch = watch_by_hand;
    rig.spy.lw.stop = stop_by_hand;
    settle();
    assert_int_equal(rig_facts(&rig).revision, 0);

    /* The objects that are there come in any order, so their revisions say
     * nothing about how far the watch is. */
    say(YL_WATCH_ADDED, thing("a", "1", 7), false);
    say(YL_WATCH_ADDED, thing("b", "2", 5), false);
    assert_int_equal(rig_facts(&rig).revision, 0);
    say(YL_WATCH_MODIFIED, thing("b", "2", 8), false);
    assert_int_equal(rig_facts(&rig).revision, 8);
    say(YL_WATCH_ADDED, thing("c", "3", 9), false);
    assert_int_equal(rig_facts(&rig).revision, 9);
    none.revision = 12;
    say(YL_WATCH_BOOKMARK, none, false);
    assert_int_equal(rig_facts(&rig).revision, 12);
    settle();
    rig_release(&rig);
}

TEST(what_follows_an_error_event_is_not_listened_to)
{
    struct yl_watch_event error = { .type = YL_WATCH_ERROR };

    pages();
    rig.spy.lw.watch = watch_by_hand;
    rig.spy.lw.stop = stop_by_hand;
    put("a", "1");
    settle();
    yl_error_set(&error.error, YL_EEXPIRED, "too old");
    hand_sink->event(hand_aux, &error);
    say(YL_WATCH_ADDED, thing("b", "2", 9), false);
    yl_error_clear(&error.error);
    settle();

    /* The watch that did not end by itself was stopped. */
    assert_null(hand_sink);
    assert_log(&rig.model, "initial REPLACED a@1;");
    assert_errors("EEXPIRED ");
    rig_release(&rig);
}

/* Transform
 * ========= */

static int
refuse_bad(void *aux YL_UNUSED, struct yl_object **object,
           uint64_t revision YL_UNUSED, struct yl_error *err)
{
    return yl_str_equal_c(yl_object_name(*object), "bad")
           ? yl_error_set(err, YL_EINVALID, "it is bad") : 0;
}

TEST(an_event_that_cannot_be_transformed_does_not_stop_the_others)
{
    rig_init(&rig, &(struct yl_reflector_opts) { .no_stream = true },
             &(struct yl_delta_queue_opts) { .transform = refuse_bad });
    put("first", "1");
    settle();
    put("good", "2");
    put("bad", "3");
    settle();
    assert_errors("EINVALID ");
    assert_log(&rig.model, "initial REPLACED first@1;ADDED good@2;");
    assert_int_equal(rig_facts(&rig).revision, 3);
    assert_int_equal(rig.model.revision, 3);
    rig_release(&rig);
}

TEST(a_list_with_an_object_that_cannot_be_transformed_fails)
{
    rig_init(&rig, &(struct yl_reflector_opts) { .no_stream = true },
             &(struct yl_delta_queue_opts) { .transform = refuse_bad });
    put("bad", "1");
    put("good", "2");
    settle();
    assert_errors("EINVALID ");
    assert_waits(800, 1600);
    drop("bad");
    rig_wait(&rig);
    assert_log(&rig.model, "initial REPLACED good@2;");
    rig_release(&rig);
}
