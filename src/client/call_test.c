/* Blocking calls: throttling, retries, time and cancellation. */

#include "client/call.h"

#include "script_rig.h"
#include "yuloh/cancel.h"

static const struct yl_key node = { { NULL, 0 }, YL_STR_INIT("n") };

#define NODE "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{" \
    "\"name\":\"n\",\"resourceVersion\":\"7\"}}"
#define GET_NODE "GET /api/v1/nodes/n\n"

static int
get(const struct yl_call_opts *opts, struct yl_error *err)
{
    struct yl_versioned object;
    int r = yl_client_get(script.client, &rig_nodes, &node, opts, &object,
                          err);

    if (r == 0) {
        assert_str_equal(yl_object_name(object.object), "n");
        assert_int_equal(object.revision, 7);
        yl_object_unref(object.object);
    }
    return r;
}

TEST(an_answer_that_names_a_delay_is_tried_again)
{
    script_open();
    script_answer(429, "retry-after: 0\n", "");
    script_answer(503, "retry-after: 0\n", "text");
    script_answer(200, "", NODE);
    assert_int_equal(get(NULL, NULL), 0);
    assert_string_equal(script_heard(), GET_NODE GET_NODE GET_NODE);
    script_close();
}

TEST(a_body_is_sent_again_as_it_was)
{
    script_open();
    script.verbose = true;
    script_answer(500, "retry-after: 0\n", "");
    script_answer(201, "", NODE);
    assert_int_equal(yl_client_create(script.client, &rig_nodes,
                                      yl_str_null(), YL_STR("{\"a\":1}"),
                                      NULL, NULL, NULL), 0);
#define POST_NODE "POST /api/v1/nodes\n  accept: application/json\n" \
    "  user-agent: test\n  content-type: application/json\n  {\"a\":1}\n"
    assert_string_equal(script_heard(), POST_NODE POST_NODE);
    script_close();
}

TEST(an_answer_without_a_delay_is_final)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open();
    script_answer(503, "", "");
    assert_int_equal(get(NULL, &err), YL_EUNAVAILABLE);
    assert_string_equal(yl_error_message(&err), "the server is currently "
                        "unable to handle the request (get nodes n)");
    yl_error_clear(&err);
    assert_string_equal(script_heard(), GET_NODE);
    script_close();
}

TEST(a_long_delay_is_reported_and_not_waited_for)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open();
    script_answer(429, "retry-after: 3600\n", "");
    assert_int_equal(get(NULL, &err), YL_ETHROTTLED);
    assert_int_equal(err.retry_after, 3600000);
    yl_error_clear(&err);
    script_close();
}

/* The last answer tells more than that the time was over. */
TEST(a_delay_behind_the_timeout_is_not_waited_for)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open();
    script_answer(429, "retry-after: 50\n", "");
    assert_int_equal(get(&(struct yl_call_opts) { .timeout = 40000 }, &err),
                     YL_ETHROTTLED);
    yl_error_clear(&err);
    script_close();
}

TEST(retries_are_limited)
{
    int i;

    script_open();
    for (i = 0; i < 20; i++) {
        script_answer(429, "retry-after: 0\n", "");
    }
    assert_int_equal(get(NULL, NULL), YL_ETHROTTLED);
    assert_int_equal(script.n_requests, 11);
    assert_int_equal(get(&(struct yl_call_opts) { .max_retries = 2 }, NULL),
                     YL_ETHROTTLED);
    assert_int_equal(script.n_requests, 14);
    assert_int_equal(get(&(struct yl_call_opts) { .max_retries = -1 }, NULL),
                     YL_ETHROTTLED);
    assert_int_equal(script.n_requests, 15);
    script_close();
}

/* A thread that moves a clock by hand while a call waits for it. */
struct mover {
    struct yl_clock *clock;
    struct yl_mutex lock;
    bool stop YL_GUARDED;
};

static void
move(void *mover_)
{
    struct mover *mover = mover_;
    bool stop;

    do {
        yl_clock_fake_advance(mover->clock, 1000);
        yl_mutex_lock(&mover->lock);
        stop = mover->stop;
        yl_mutex_unlock(&mover->lock);
    } while (!stop);
}

TEST(delays_and_throttling_follow_the_clock)
{
    struct mover mover = { .clock = yl_clock_fake_new(0) };
    struct yl_call_opts opts = { .timeout = (yl_msec) 1 << 50 };
    struct yl_thread thread;

    /* One in 100 seconds, after the first; and an answer that asks for 30. */
    script_open_with((struct yl_client_config) { .qps = 0.01, .burst = 1 },
                     (struct yl_client_opts) { .clock = mover.clock });
    script_answer(200, "", NODE);
    script_answer(503, "retry-after: 30\n", "");
    script_answer(200, "", NODE);
    assert_int_equal(get(&opts, NULL), 0);
    assert_int_equal(yl_now(mover.clock), 0);
    yl_mutex_init(&mover.lock);
    assert_int_equal(yl_thread_start(&thread, "clock", move, &mover), 0);
    assert_int_equal(get(&opts, NULL), 0);
    assert_true(yl_now(mover.clock) >= 200 * 1000);
    yl_mutex_lock(&mover.lock);
    mover.stop = true;
    yl_mutex_unlock(&mover.lock);
    yl_thread_join(&thread);
    yl_mutex_destroy(&mover.lock);
    script_close();
    yl_clock_free(mover.clock);
}

TEST(a_call_that_would_wait_too_long_for_a_token_fails_at_once)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open_with((struct yl_client_config) { .qps = 0.001, .burst = 1 },
                     (struct yl_client_opts) { .clock = NULL });
    script_answer(200, "", NODE);
    assert_int_equal(get(NULL, NULL), 0);
    assert_int_equal(get(NULL, &err), YL_ETIMEOUT);
    assert_string_equal(yl_error_message(&err),
                        "client rate limiter Wait returned an error: rate: "
                        "Wait(n=1) would exceed context deadline");
    yl_error_clear(&err);
    assert_int_equal(script.n_requests, 1);
    script_close();
}

static void
cancel_soon(void *cancel)
{
    script_await(1);
    yl_cancel_now(cancel);
}

TEST(a_call_can_be_canceled_while_it_waits_for_the_server)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_call_opts opts = { .cancel = cancel };
    struct yl_thread thread;

    script_open();
    assert_int_equal(yl_thread_start(&thread, "cancel", cancel_soon, cancel),
                     0);
    assert_int_equal(get(&opts, NULL), YL_ECANCELED);
    yl_thread_join(&thread);
    script_close();
    yl_cancel_unref(cancel);
}

TEST(a_call_can_be_canceled_while_it_waits_to_try_again)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_call_opts opts = { .cancel = cancel };
    struct yl_thread thread;

    script_open();
    script_answer(503, "retry-after: 50\n", "");
    assert_int_equal(yl_thread_start(&thread, "cancel", cancel_soon, cancel),
                     0);
    assert_int_equal(get(&opts, NULL), YL_ECANCELED);
    yl_thread_join(&thread);
    assert_int_equal(script.n_requests, 1);
    script_close();
    yl_cancel_unref(cancel);
}

TEST(a_call_ends_when_its_time_is_over)
{
    struct yl_call_opts opts = { .timeout = 20 };

    script_open();
    assert_int_equal(get(&opts, NULL), YL_ETIMEOUT);
    script_close();
}

TEST(a_client_has_a_timeout_for_all_calls)
{
    script_open_with((struct yl_client_config) { .timeout = 20 },
                     (struct yl_client_opts) { .clock = NULL });
    assert_int_equal(get(NULL, NULL), YL_ETIMEOUT);
    script_close();
}

static struct yl_buf warned;

static void
on_warning(void *aux, int code, struct yl_str agent, struct yl_str text)
{
    assert_ptr_equal(aux, &warned);
    yl_buf_printf(&warned, "%d %.*s %.*s\n", code, YL_STR_ARG(agent),
                  YL_STR_ARG(text));
}

TEST(warnings_reach_the_handler)
{
    yl_buf_init(&warned, 1 << 16);
    script_open_with((struct yl_client_config) { .server = NULL },
                     (struct yl_client_opts) {
        .warning = on_warning, .warning_aux = &warned,
    });
    script_answer(200, "warning: 299 - \"one\"\n"
                  "warning: 299 a \"two\", 299 - \"three\"\n", NODE);
    script_answer(404, "warning: 299 - \"four\"\nwarning: nonsense\n", "");
    assert_int_equal(get(NULL, NULL), 0);
    assert_int_equal(get(NULL, NULL), YL_ENOTFOUND);
    assert_str_equal(yl_buf_str(&warned), "299 - one\n299 a two\n"
                     "299 - three\n299 - four\n");
    script_close();
    yl_buf_release(&warned);
}

TEST(an_answer_that_is_no_object_is_an_error)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open();
    script_answer(200, "", "[1]");
    assert_int_equal(get(NULL, &err), YL_ETYPE);
    assert_non_null(strstr(yl_error_message(&err), "the server's answer"));
    yl_error_clear(&err);
    script_close();
}

/* What the bytes of a list or watch say is told, not that they ended the
 * call. */
static int
never(void *aux, struct yl_watch_event *event)
{
    (void) aux;
    (void) event;
    fail();
    return 0;
}

TEST(the_error_of_a_watch_keeps_its_words)
{
    struct yl_error err = YL_ERROR_INIT;

    script_open();
    script_answer(200, "", "{\"type\":\"ERROR\",\"object\":{\"kind\":"
                  "\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                  "\"message\":\"too old resource version: 1 (2)\","
                  "\"reason\":\"Expired\",\"code\":410}}");
    script_answer(200, "", "{\"type\":\"WHAT\"}");
    assert_int_equal(yl_client_watch(script.client, &rig_nodes, yl_str_null(),
                                     NULL, never, NULL, NULL, &err),
                     YL_EEXPIRED);
    assert_string_equal(yl_error_message(&err),
                        "too old resource version: 1 (2)");
    assert_int_equal(yl_client_watch(script.client, &rig_nodes, yl_str_null(),
                                     NULL, never, NULL, NULL, &err),
                     YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "unable to decode an "
                           "event from the watch stream"));
    yl_error_clear(&err);
    script_close();
}

TEST(an_answer_has_a_ceiling)
{
    struct yl_call_answer answer = { .http_status = 0 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_call call = { .method = "GET", .target = YL_STR("/x") };

    script_open();
    script_answer(200, "", "0123456789a");
    script_answer(500, "", "0123456789a");
    script_answer(200, "", "0123456789");
    call.client = script.client;
    yl_buf_init(&answer.body, 10);
    assert_int_equal(yl_call_run(&call, NULL, NULL, &answer, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "the server's answer has more than 10 bytes");

    /* That of an error is cut. */
    assert_int_equal(yl_call_run(&call, NULL, NULL, &answer, &err), 0);
    assert_str_equal(yl_buf_str(&answer.body), "0123456789");
    assert_int_equal(yl_call_run(&call, NULL, NULL, &answer, &err), 0);
    assert_str_equal(yl_buf_str(&answer.body), "0123456789");
    yl_buf_release(&answer.body);
    yl_error_clear(&err);
    script_close();
}

static int
take_item(void *aux, const struct yl_versioned *item)
{
    (void) aux;
    (void) item;
    return 0;
}

/* Pages are our idea, and must not change what is asked for. */
TEST(a_list_has_pages_unless_that_has_another_meaning)
{
    static const struct yl_list_options cases[] = {
        { .limit = 0 },
        { .limit = 7 },
        { .resource_version = YL_STR_INIT("0") },
        { .resource_version = YL_STR_INIT("9") },
        { .resource_version = YL_STR_INIT("9"),
          .resource_version_match = YL_MATCH_NOT_OLDER_THAN },
        { .resource_version = YL_STR_INIT("9"),
          .resource_version_match = YL_MATCH_EXACT },
    };
    size_t i;

    script_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        script_answer(200, "", "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\","
                      "\"metadata\":{\"resourceVersion\":\"9\"},"
                      "\"items\":[]}");
        assert_int_equal(yl_client_list(script.client, &rig_nodes,
                                        yl_str_null(), &cases[i], take_item,
                                        NULL, NULL, NULL, NULL), 0);
    }
#define LIST_NODES "GET /api/v1/nodes?"
    assert_string_equal(script_heard(),
                        LIST_NODES "limit=500\n"
                        LIST_NODES "limit=7\n"
                        LIST_NODES "limit=500&resourceVersion=0\n"
                        LIST_NODES "resourceVersion=9\n"
                        LIST_NODES "limit=500&resourceVersion=9"
                        "&resourceVersionMatch=NotOlderThan\n"
                        LIST_NODES "limit=500&resourceVersion=9"
                        "&resourceVersionMatch=Exact\n");
    script_close();
}
