/* Tests of the pool, against our own server, which has a thread. */

#include "net/http_pool.h"

#include "client_rig.h"

static struct yl_http_pool *pool;
static struct yl_arena *arena;

static void
set_up(enum far_how how)
{
    struct yl_http_dialer *dialer;

    far_start(&(struct yl_http_server_opts) { 0 });
    dialer = far_dialer(how);
    pool = yl_http_pool_new(dialer, NULL);
    yl_http_dialer_unref(dialer);
    arena = yl_arena_new();
}

static void
tear_down(void)
{
    yl_arena_free(arena);
    yl_http_pool_free(pool);
    far_stop();
}

static struct yl_http_whole
ask(const struct yl_http_call *call)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_whole whole;

    if (yl_http_call_whole(pool, call, arena, &whole, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return whole;
}

#define assert_text(STR, TEXT) \
    assert_string_equal(yl_arena_strdup(arena, STR), TEXT)

static void
check_calls(enum far_how how)
{
    struct yl_http_header header = { YL_STR("accept"), YL_STR("text/plain") };
    struct yl_http_call get = {
        .target = YL_STR("/a?b=c"), .max_body = 1 << 20,
        .headers = &header, .n_headers = 1,
    };
    struct yl_http_call put = {
        .method = YL_STR("PUT"), .target = YL_STR("/d"), .max_body = 1 << 20,
        .body = YL_STR("hello"),
    };
    struct yl_http_pool_stats stats;
    struct yl_http_whole whole;
    char expected[64];

    set_up(how);
    whole = ask(&get);
    assert_int_equal(whole.answer.status, 200);
    assert_int_equal(whole.answer.version, how == FAR_HTTP2 ? 20 : 11);
    assert_text(yl_http_answer_header(&whole.answer, YL_STR("x-rig")), "far");
    snprintf(expected, sizeof expected, "GET /a?b=c [] %d 127.0.0.1:%u",
             how == FAR_HTTP2 ? 20 : 11,
             (unsigned) (how == FAR_CLEAR
                         ? yl_http_server_clear_port(far.server)
                         : yl_http_server_port(far.server)));
    assert_text(whole.body, expected);
    whole = ask(&put);
    assert_true(yl_str_starts_with(whole.body, YL_STR("PUT /d? [hello] ")));
    get.target = YL_STR("/status?404");
    assert_int_equal(ask(&get).answer.status, 404);
    get.target = YL_STR("/bytes?3000000");
    get.max_body = 3000000;
    assert_int_equal(ask(&get).body.size, 3000000);
    get.target = YL_STR("/bytes?0");
    assert_int_equal(ask(&get).body.size, 0);
    yl_http_pool_stats(pool, &stats);
    assert_int_equal(stats.n_dials, 1);
    assert_int_equal(stats.n_calls, 5);
    assert_int_equal(stats.n_idle, 1);
    tear_down();
}

TEST(calls_are_answered_over_http2)
{
    check_calls(FAR_HTTP2);
}

TEST(calls_are_answered_over_http1_with_tls)
{
    check_calls(FAR_HTTP1);
}

TEST(calls_are_answered_over_http1_in_the_clear)
{
    check_calls(FAR_CLEAR);
}
