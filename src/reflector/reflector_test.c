/* Tests of yuloh/reflector.h, over a source in memory (reflector_rig.h): the
 * straight way, pages, and revisions that cannot be had.
 * reflector_watch_test.c has those of watches and streams;
 * tests/conformance/reflector_faults_test.c breaks every step. */

#include "yuloh/reflector.h"

#include "reflector_rig.h"

/* The straight way
 * ================ */

TEST(lists_and_then_watches)
{
    pages();
    put("a", "1");
    put("b", "2");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    put("a", "1");
    put("c", "3");
    drop("b");
    settle();
    assert_log(&rig.model, "UPDATED a@3;ADDED c@4;DELETED b@5;");
    assert_calls("list \"0\" limit 500; watch \"2\"; ");
    assert_states("listing@0 watching@2 ");
    assert_errors("");
    assert_int_equal(rig_facts(&rig).revision, 5);
    assert_int_equal(rig_facts(&rig).n_lists, 1);
    assert_int_equal(rig_facts(&rig).n_pages, 1);
    assert_int_equal(rig_facts(&rig).n_watches, 1);
    assert_int_equal(rig_facts(&rig).n_events, 3);
    assert_int_equal(rig_facts(&rig).last_error, 0);
    assert_string_equal(rig_facts(&rig).last_message, "");
    assert_int_equal(rig.model.revision, 5);
    rig_release(&rig);
}

TEST(streams_the_first_list_and_goes_on_with_the_same_watch)
{
    streamed();
    put("a", "1");
    put("b", "2");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    put("c", "3");
    settle();
    assert_log(&rig.model, "ADDED c@3;");
    assert_calls("stream \"\" or newer; ");
    assert_states("streaming@0 watching@2 ");
    assert_int_equal(rig_facts(&rig).n_streams, 1);
    assert_int_equal(rig_facts(&rig).n_watches, 0);
    assert_int_equal(yl_fake_source_n_calls(rig.source), 1);
    rig_release(&rig);
}

TEST(does_nothing_before_the_first_run_and_after_stop)
{
    streamed();
    put("a", "1");
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_IDLE);
    assert_true(yl_reflector_next(rig.reflector) <= rig.now);
    yl_reflector_stop(rig.reflector);
    settle();
    assert_calls("");
    assert_int_equal(yl_reflector_next(rig.reflector), YL_NEVER);
    assert_states("stopped@0 ");
    rig_release(&rig);
}

TEST(a_stop_ends_the_watch_and_keeps_what_is_queued)
{
    pages();
    put("a", "1");
    settle();
    put("b", "2");
    assert_true(yl_fake_source_step(rig.source));
    yl_reflector_stop(rig.reflector);
    yl_reflector_stop(rig.reflector);
    assert_int_equal(yl_fake_source_n_calls(rig.source), 0);
    put("c", "3");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;ADDED b@2;");
    rig_release(&rig);
}

TEST(a_stop_in_the_middle_of_a_list_leaves_no_trace)
{
    pages();
    put("a", "1");
    put("b", "2");
    yl_reflector_run(rig.reflector, rig.now);
    assert_true(yl_fake_source_step(rig.source));
    yl_reflector_stop(rig.reflector);
    assert_int_equal(yl_delta_queue_replace_count(rig.model.queue), 0);
    settle();
    assert_log(&rig.model, "");
    assert_false(yl_delta_queue_has_synced(rig.model.queue));
    rig_release(&rig);
}

TEST(a_stop_while_waiting_ends_the_wait)
{
    pages();
    FAULTS({ .call = 1, .code = YL_EUNAVAILABLE });
    settle();
    assert_waits(800, 1600);
    yl_reflector_stop(rig.reflector);
    rig.now += 1000000;
    settle();
    assert_calls("list \"0\" limit 500; ");
    rig_release(&rig);
}

TEST(wakes_its_driver_once_between_two_runs)
{
    pages();
    put("a", "1");
    settle();
    rig.n_wakes = 0;
    put("b", "2");
    put("c", "3");
    assert_int_equal(yl_fake_source_run(rig.source), 2);
    assert_int_equal(rig.n_wakes, 1);
    assert_true(yl_reflector_next(rig.reflector) <= rig.now);
    settle();
    yl_fake_source_end_calls(rig.source, 0);
    yl_fake_source_run(rig.source);
    assert_int_equal(rig.n_wakes, 2);
    rig_release(&rig);
}

TEST(the_revision_follows_events_and_bookmarks)
{
    pages();
    put("a", "1");
    settle();
    assert_int_equal(rig_facts(&rig).revision, 1);
    put("a", "1");
    settle();
    assert_int_equal(rig_facts(&rig).revision, 2);
    drop("a");
    settle();
    assert_int_equal(rig_facts(&rig).revision, 3);
    assert_int_equal(rig.model.revision, 3);
    rig_release(&rig);
}

/* Pages
 * ===== */

TEST(a_large_list_comes_in_pages_and_as_one_replacement)
{
    char name[16];
    int i;

    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .page_size = 4,
    }, NULL);
    for (i = 0; i < 10; i++) {
        snprintf(name, sizeof name, "x%d", i);
        put(name, "1");
    }
    settle();
    assert_calls("list \"0\" limit 4; list more limit 4; list more limit 4; "
                 "watch \"10\"; ");
    assert_int_equal(rig.model.n_objects, 10);
    assert_int_equal(rig.model.n_replacements, 1);
    assert_int_equal(rig_facts(&rig).n_lists, 1);
    assert_int_equal(rig_facts(&rig).n_pages, 3);

    /* Later lists have pages, too, and are not older than what was seen. */
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("list \"10\" limit 4 or newer; list more limit 4; "
                 "list more limit 4; watch \"10\"; ");
    rig_release(&rig);
}

TEST(a_later_list_has_no_pages_so_that_the_servers_cache_answers)
{
    pages();
    put("a", "1");
    settle();
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; list \"1\"; "
                 "watch \"1\"; ");
    rig_release(&rig);
}

TEST(a_server_without_a_cache_is_asked_for_pages_later_too)
{
    char name[16];
    int i;

    pages();
    for (i = 0; i < 501; i++) {
        snprintf(name, sizeof name, "x%d", i);
        put(name, "1");
    }
    settle();
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; list more limit 500; watch \"501\"; "
                 "list \"501\" limit 500 or newer; list more limit 500; "
                 "watch \"501\"; ");
    rig_release(&rig);
}

TEST(a_page_that_expires_is_followed_by_the_list_without_pages)
{
    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .page_size = 2,
    }, NULL);
    put("a", "1");
    put("b", "2");
    put("c", "3");
    FAULTS({ .call = 2, .code = YL_EEXPIRED });
    settle();
    assert_calls("list \"0\" limit 2; list more limit 2; list \"0\"; "
                 "watch \"3\"; ");
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;"
               "initial REPLACED c@3;");
    assert_errors("");
    rig_release(&rig);
}

TEST(a_list_without_pages_that_expires_is_asked_for_the_newest)
{
    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .page_size = 2,
    }, NULL);
    put("a", "1");
    put("b", "2");
    put("c", "3");
    FAULTS({ .call = 2, .code = YL_EEXPIRED },
           { .call = 3, .after = 2, .code = YL_EGONE });
    settle();
    assert_calls("list \"0\" limit 2; list more limit 2; list \"0\"; "
                 "list \"\" limit 2; list more limit 2; watch \"3\"; ");
    assert_int_equal(rig.model.n_replacements, 1);
    rig_release(&rig);
}

TEST(a_list_that_expires_whatever_is_asked_for_is_tried_later)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 1, .code = YL_EEXPIRED },
           { .call = 2, .code = YL_EEXPIRED });
    settle();
    assert_calls("list \"0\" limit 500; list \"\" limit 500; ");
    assert_waits(800, 1600);
    rig_wait(&rig);
    assert_calls("list \"\" limit 500; watch \"1\"; ");
    assert_errors("EEXPIRED ");
    rig_release(&rig);
}

TEST(a_page_that_fails_leaves_no_trace)
{
    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .page_size = 2,
    }, NULL);
    put("a", "1");
    put("b", "2");
    put("c", "3");
    FAULTS({ .call = 2, .after = 1, .code = YL_EINTERNAL });
    settle();
    assert_log(&rig.model, "");
    assert_waits(800, 1600);
    drop("a");
    rig_wait(&rig);
    assert_log(&rig.model, "initial REPLACED b@2;initial REPLACED c@3;");
    assert_calls("list \"0\" limit 2; list more limit 2; list \"0\" limit 2; "
                 "watch \"4\"; ");
    rig_release(&rig);
}

/* A list by hand. */
static const struct yl_list_sink *hand_list;
static void *hand_list_aux;

static int
list_by_hand(struct yl_lister_watcher *lw YL_UNUSED,
             const struct yl_list_options *o YL_UNUSED,
             const struct yl_list_sink *sink, void *aux,
             struct yl_lister_watcher_call **ret_call,
             struct yl_error *err YL_UNUSED)
{
    static int call;

    hand_list = sink;
    hand_list_aux = aux;
    *ret_call = (struct yl_lister_watcher_call *) &call;
    return 0;
}

TEST(a_page_that_names_itself_as_the_next_is_an_error)
{
    struct yl_list_page page = { .revision = 1, .continue_ = YL_STR("next") };

    pages();
    rig.spy.lw.list = list_by_hand;
    settle();
    hand_list->done(hand_list_aux, &page, NULL);
    settle();
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_LISTING);
    hand_list->done(hand_list_aux, &page, NULL);
    settle();
    assert_errors("EINTERNAL ");
    assert_waits(800, 1600);
    rig_release(&rig);
}

TEST(a_failed_list_is_tried_again_with_growing_delays)
{
    static const yl_msec floors[] = {
        800, 1600, 3200, 6400, 12800, 25600, 30000, 30000,
    };
    size_t i;

    pages();
    put("a", "1");
    yl_fake_source_fail(rig.source, YL_ARRAY_SIZE(floors), YL_EINTERNAL, true);
    settle();
    for (i = 0; i < YL_ARRAY_SIZE(floors); i++) {
        assert_waits(floors[i], 2 * floors[i]);
        rig_wait(&rig);
    }
    assert_log(&rig.model, "initial REPLACED a@1;");
    assert_int_equal(rig_facts(&rig).n_errors, YL_ARRAY_SIZE(floors));
    assert_int_equal(rig_facts(&rig).last_error, YL_EINTERNAL);
    assert_string_equal(rig_facts(&rig).last_message, "internal error");
    rig_release(&rig);
}

TEST(delays_can_be_chosen)
{
    rig_init(&rig, &(struct yl_reflector_opts) {
        .no_stream = true, .backoff_min = 10, .backoff_max = 15,
    }, NULL);
    yl_fake_source_fail(rig.source, 3, YL_EUNAVAILABLE, false);
    settle();
    assert_waits(10, 20);
    rig_wait(&rig);
    assert_waits(15, 30);
    rig_wait(&rig);
    assert_waits(15, 30);
    rig_wait(&rig);
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_WATCHING);
    rig_release(&rig);
}

TEST(a_delay_that_the_server_names_is_kept)
{
    pages();
    FAULTS({ .call = 1, .code = YL_ETHROTTLED, .retry_after = 7000 },
           { .call = 2, .code = YL_ETHROTTLED, .retry_after = 1 },
           { .call = 3, .code = YL_ETHROTTLED, .retry_after = 3600000 });
    settle();
    assert_waits(7000, 7001);
    rig_wait(&rig);
    assert_waits(1600, 3200);
    rig_wait(&rig);

    /* But not for an hour. */
    assert_waits(600000, 600001);
    rig_wait(&rig);
    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_WATCHING);
    rig_release(&rig);
}

/* Revisions that cannot be had
 * ============================ */

TEST(an_expired_watch_is_followed_by_a_list_after_a_delay)
{
    pages();
    put("a", "1");
    put("b", "2");
    settle();
    model_log(&rig.model);
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    assert_errors("EEXPIRED ");
    assert_waits(800, 1600);
    drop("a");
    put("c", "3");
    yl_fake_source_compact(rig.source, 4);
    rig_wait(&rig);
    assert_log(&rig.model, "missed DELETED a@1;REPLACED b@2;REPLACED c@4;");
    assert_int_equal(rig_facts(&rig).n_lists, 2);
    rig_release(&rig);
}

TEST(an_error_event_says_how_a_watch_ended)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 2, .after = 1, .what = SPY_ERROR_EVENT,
             .code = YL_EEXPIRED, .message = "too old resource version" });
    settle();
    put("b", "2");
    settle();
    assert_errors("EEXPIRED ");
    assert_string_equal(rig_facts(&rig).last_message,
                        "too old resource version");
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; list \"1\"; "
                 "watch \"2\"; ");
    assert_true(rig_is_converged(&rig));
    rig_release(&rig);
}

TEST(a_later_list_that_expires_is_asked_for_the_newest_at_once)
{
    pages();
    put("a", "1");
    FAULTS({ .call = 2, .code = YL_EGONE }, { .call = 3, .code = YL_EGONE });
    settle();
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; list \"1\"; "
                 "list \"\" limit 500; watch \"1\"; ");

    /* A list that succeeds makes the revision good again. */
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    rig_wait(&rig);
    assert_calls("list \"1\"; watch \"1\"; ");
    rig_release(&rig);
}

static void
too_large(const struct spy_fault *fault, size_t n)
{
    pages();
    put("a", "1");
    faults(fault, n);
    settle();
    rig_wait(&rig);
    assert_calls("list \"0\" limit 500; watch \"1\"; list \"1\"; "
                 "list \"\" limit 500; watch \"1\"; ");
    assert_true(rig_is_converged(&rig));
    rig_release(&rig);
}

TEST(a_revision_from_the_future_is_followed_by_a_list_of_the_newest)
{
    static const struct spy_fault by_cause[] = {
        { .call = 2, .code = YL_EEXPIRED },
        { .call = 3, .code = YL_ETIMEOUT, .cause = "ResourceVersionTooLarge" },
    };
    static const struct spy_fault by_message[] = {
        { .call = 2, .code = YL_EEXPIRED },
        { .call = 3, .code = YL_ETIMEOUT,
          .message = "Too large resource version: 9, current: 3" },
    };
    static const struct spy_fault of_a_watch[] = {
        { .call = 2, .code = YL_ETIMEOUT, .cause = "ResourceVersionTooLarge" },
        { .call = 3, .code = YL_ETIMEOUT, .cause = "ResourceVersionTooLarge" },
    };

    too_large(by_cause, YL_ARRAY_SIZE(by_cause));
    too_large(by_message, YL_ARRAY_SIZE(by_message));
    too_large(of_a_watch, YL_ARRAY_SIZE(of_a_watch));
}

TEST(a_corrupt_object_that_was_deleted_is_found_by_a_list)
{
    pages();
    put("kept", "1");
    settle();
    put("corrupt", "2");
    settle();
    model_log(&rig.model);
    drop("corrupt");
    FAULTS({ .call = 2, .after = 2, .what = SPY_ERROR_EVENT,
             .code = YL_ESTOREREAD });
    settle();
    assert_log(&rig.model, "");
    rig_wait(&rig);
    assert_log(&rig.model, "missed DELETED corrupt@2;REPLACED kept@1;");
    assert_int_equal(rig_facts(&rig).revision, 3);
    rig_release(&rig);
}
