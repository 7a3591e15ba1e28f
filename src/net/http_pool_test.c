/* Tests of the pool, against our own server, which has a thread. */

#include "net/http_pool.h"

#include <sys/socket.h>

#include "base/thread.h"
#include "client_rig.h"
#include "yuloh/cancel.h"

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
    int version = how == FAR_HTTP2 || how == FAR_CLEAR2 ? 20 : 11;
    struct yl_http_whole whole;
    char expected[64];

    set_up(how);
    whole = ask(&get);
    assert_int_equal(whole.answer.status, 200);
    assert_int_equal(whole.answer.version, version);
    assert_text(yl_http_answer_header(&whole.answer, YL_STR("x-rig")), "far");
    snprintf(expected, sizeof expected, "GET /a?b=c [] %d 127.0.0.1:%u",
             version,
             (unsigned) (how >= FAR_CLEAR
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

TEST(calls_are_answered_in_the_clear)
{
    check_calls(FAR_CLEAR);
    check_calls(FAR_CLEAR2);
}

static int
ignore_head(void *aux YL_UNUSED, const struct yl_http_answer *answer YL_UNUSED)
{
    return 0;
}

static int
ignore_body(void *aux YL_UNUSED, struct yl_str piece YL_UNUSED)
{
    return 0;
}

static const struct yl_http_sink ignore = { ignore_head, ignore_body };

static int
refuse_body(void *aux YL_UNUSED, struct yl_str piece YL_UNUSED)
{
    return YL_ESYNTAX;
}

static const struct yl_http_sink refuse = { ignore_head, refuse_body };

static uint64_t
n_dials(void)
{
    struct yl_http_pool_stats stats;

    yl_http_pool_stats(pool, &stats);
    return stats.n_dials;
}

static size_t
n_idle(void)
{
    struct yl_http_pool_stats stats;

    yl_http_pool_stats(pool, &stats);
    return stats.n_idle;
}

static const enum far_how hows[] = {
    FAR_HTTP2, FAR_HTTP1, FAR_CLEAR, FAR_CLEAR2
};

TEST(a_call_times_out)
{
    struct yl_http_call call = { .target = YL_STR("/never"), .timeout = 1 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        struct yl_error err = YL_ERROR_INIT;

        set_up(hows[i]);
        assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, &err),
                         YL_ETIMEOUT);
        assert_int_equal(err.code, YL_ETIMEOUT);
        assert_int_equal(n_idle(), 0);
        yl_error_clear(&err);
        tear_down();
    }
}

static void
cancel_when_asked(void *cancel)
{
    while (!atomic_load(&far.n_requests)) {
        usleep(100);
    }
    yl_cancel_now(cancel);
}

TEST(a_call_is_cancelled_from_another_thread)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        struct yl_http_call call = {
            .target = YL_STR("/never"), .cancel = yl_cancel_new()
        };
        struct yl_thread thread;

        set_up(hows[i]);
        assert_int_equal(yl_thread_start(&thread, "cancel", cancel_when_asked,
                                         call.cancel), 0);
        assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL),
                         YL_ECANCELED);
        yl_thread_join(&thread);
        assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL),
                         YL_ECANCELED);
        yl_cancel_unref(call.cancel);
        tear_down();
    }
}

TEST(an_answer_has_a_ceiling_and_the_sink_the_last_word)
{
    struct yl_http_call call = {
        .target = YL_STR("/bytes?100001"), .max_body = 100000
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        set_up(hows[i]);
        assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL),
                         YL_ETOOBIG);
        assert_int_equal(yl_http_call(pool, &call, &refuse, NULL, NULL),
                         YL_ESYNTAX);
        assert_int_equal(n_idle(), 0);
        tear_down();
    }
}

TEST(an_answer_that_is_cut_off_is_an_error)
{
    struct yl_http_call call = { .target = YL_STR("/broken") };

    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        set_up(hows[i]);
        assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL),
                         YL_EUNAVAILABLE);
        tear_down();
    }
}

TEST(a_server_that_cannot_be_trusted_gets_no_request)
{
    struct yl_tls_client_opts tls_opts = { .verify_name = "other" };
    struct yl_http_call call = { .target = YL_STR("/") };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_tls_client *tls;
    struct yl_http_dialer *dialer;

    far_start(&(struct yl_http_server_opts) { 0 });
    tls_opts.authorities.path = far.ca_path;
    assert_int_equal(yl_tls_client_new(&tls_opts, &tls, NULL), 0);
    dialer = far_dialer_with(FAR_HTTP2,
                             &(struct yl_http_dialer_opts) { .tls = tls });
    pool = yl_http_pool_new(dialer, NULL);
    yl_http_dialer_unref(dialer);
    arena = yl_arena_new();
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, &err),
                     YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "mismatch"));
    assert_int_equal(far.n_requests, 0);
    yl_error_clear(&err);
    tear_down();
}

TEST(connections_with_old_certificates_are_not_used_again)
{
    struct yl_http_call call = { .target = YL_STR("/") };
    struct yl_http_dialer *dialer;

    far_start(&(struct yl_http_server_opts) { 0 });
    dialer = far_dialer(FAR_HTTP2);
    pool = yl_http_pool_new(dialer, NULL);
    arena = yl_arena_new();
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL), 0);
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL), 0);
    assert_int_equal(n_dials(), 1);
    yl_http_dialer_set_tls(dialer, far_tls(false));
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL), 0);
    assert_int_equal(n_dials(), 2);
    assert_int_equal(n_idle(), 1);
    yl_http_dialer_unref(dialer);
    tear_down();
}

TEST(idle_connections_are_closed_in_time_or_on_request)
{
    struct yl_http_pool_opts opts = { .idle_timeout = 1 };
    struct yl_http_call call = { .target = YL_STR("/") };
    struct yl_http_dialer *dialer;
    yl_msec then;

    far_start(&(struct yl_http_server_opts) { 0 });
    dialer = far_dialer(FAR_CLEAR);
    pool = yl_http_pool_new(dialer, &opts);
    arena = yl_arena_new();
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL), 0);
    for (then = yl_now(NULL); yl_now(NULL) < then + 2; ) {
        usleep(500);
    }
    assert_int_equal(yl_http_call(pool, &call, &ignore, NULL, NULL), 0);
    assert_int_equal(n_dials(), 2);
    yl_http_pool_close_idle(pool);
    assert_int_equal(n_idle(), 0);
    yl_http_dialer_unref(dialer);
    tear_down();
}

enum { N_THREADS = 8, N_CALLS = 50 };

static void
call_often(void *aux)
{
    static const char *const targets[] = {
        "/a", "/bytes?100000", "/status?404", "/bytes?0"
    };

    for (int i = 0; i < N_CALLS; i++) {
        struct yl_http_call call = {
            .target = yl_str_c(targets[i % 4]), .body = YL_STR("body"),
        };

        *(int *) aux += yl_http_call(pool, &call, &ignore, NULL, NULL) == 0;
    }
}

TEST(threads_do_not_wait_for_each_other)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        struct yl_thread threads[N_THREADS];
        int n_good[N_THREADS] = { 0 };

        set_up(hows[i]);
        for (int t = 0; t < N_THREADS; t++) {
            assert_int_equal(yl_thread_start(&threads[t], "call", call_often,
                                             &n_good[t]), 0);
        }
        for (int t = 0; t < N_THREADS; t++) {
            yl_thread_join(&threads[t]);
            assert_int_equal(n_good[t], N_CALLS);
        }
        assert_true(n_dials() <= N_THREADS);
        assert_true(n_idle() <= N_THREADS);
        assert_int_equal(far.n_requests, N_THREADS * N_CALLS);
        tear_down();
    }
}

/* A server that plays a script: each connection answers its requests with the
 * texts of its list, and closes at the end of it or after a text with a '!' in
 * front. */
struct play {
    const char *answers[4];
    int fd;
    int n_requests;
    struct yl_thread thread;
};

static struct play *plays;
static int n_plays;

static void
perform(void *play_)
{
    struct play *play = play_;
    struct yl_buf in;

    yl_buf_init(&in, 1 << 20);
    for (int i = 0; ; i++) {
        const char *answer = play->answers[i];
        ssize_t n = 1;

        yl_buf_clear(&in);
        while (n > 0 && !strstr(yl_buf_c_str(&in), "\r\n\r\n")) {
            n = recv(play->fd, yl_buf_reserve(&in, 1000), 1000, 0);
            yl_buf_commit(&in, n > 0 ? (size_t) n : 0);
        }
        play->n_requests += n > 0;
        if (n <= 0 || !answer) {
            break;
        }
        send(play->fd, answer + (*answer == '!'),
             strlen(answer + (*answer == '!')), MSG_NOSIGNAL);
        if (*answer == '!') {
            break;
        }
    }
    yl_buf_release(&in);
    close(play->fd);
}

static int
begin_play(void *aux YL_UNUSED, struct yl_cancel *cancel YL_UNUSED,
           int *ret_fd, struct yl_error *err YL_UNUSED)
{
    struct play *play = &plays[n_plays++];
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    *ret_fd = fds[0];
    play->fd = fds[1];
    assert_int_equal(yl_thread_start(&play->thread, "play", perform, play),
                     0);
    return 0;
}

static void
set_up_plays(struct play *given)
{
    struct yl_http_dialer_opts opts = {
        .host = "stage", .connect = begin_play
    };
    struct yl_http_dialer *dialer;

    plays = given;
    n_plays = 0;
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    pool = yl_http_pool_new(dialer, NULL);
    yl_http_dialer_unref(dialer);
}

static void
tear_down_plays(void)
{
    yl_http_pool_free(pool);
    for (int i = 0; i < n_plays; i++) {
        yl_thread_join(&plays[i].thread);
    }
}

#define OK "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

static int
call_with(const char *method)
{
    struct yl_http_call call = {
        .method = yl_str_c(method), .target = YL_STR("/"), .timeout = 60000
    };

    return yl_http_call(pool, &call, &ignore, NULL, NULL);
}

TEST(a_get_is_repeated_if_a_kept_connection_turns_out_to_be_closed)
{
    struct play script[] = { { .answers = { OK } }, { .answers = { OK } } };
    struct yl_http_pool_stats stats;

    set_up_plays(script);
    assert_int_equal(call_with("GET"), 0);
    assert_int_equal(call_with("GET"), 0);
    yl_http_pool_stats(pool, &stats);
    assert_int_equal(stats.n_retries, 1);
    assert_int_equal(stats.n_dials, 2);
    tear_down_plays();
    assert_int_equal(script[0].n_requests, 2);
}

TEST(a_post_is_not_repeated_if_it_may_have_been_processed)
{
    struct play script[] = { { .answers = { OK } }, { .answers = { OK } } };

    set_up_plays(script);
    assert_int_equal(call_with("GET"), 0);
    assert_int_equal(call_with("POST"), YL_EUNAVAILABLE);
    assert_int_equal(n_plays, 1);
    tear_down_plays();
}

TEST(nothing_is_repeated_after_a_part_of_the_answer)
{
    struct play script[] = {
        { .answers = { OK, "!HTTP/1.1 200 OK\r\nContent-" } }
    };

    set_up_plays(script);
    assert_int_equal(call_with("GET"), 0);
    assert_int_equal(call_with("GET"), YL_EUNAVAILABLE);
    assert_int_equal(n_plays, 1);
    tear_down_plays();
}

TEST(nothing_is_repeated_on_a_new_connection)
{
    struct play script[] = { { .answers = { NULL } } };

    set_up_plays(script);
    assert_int_equal(call_with("GET"), YL_EUNAVAILABLE);
    assert_int_equal(n_plays, 1);
    tear_down_plays();
}

TEST(a_connection_that_the_server_closes_is_not_kept)
{
    struct play script[] = {
        { .answers = { "HTTP/1.1 200 OK\r\nConnection: close\r\n"
                       "Content-Length: 0\r\n\r\n" } },
        { .answers = { OK } },
    };

    set_up_plays(script);
    assert_int_equal(call_with("POST"), 0);
    assert_int_equal(n_idle(), 0);
    assert_int_equal(call_with("POST"), 0);
    assert_int_equal(n_plays, 2);
    tear_down_plays();
}

/* A connection whose other end the test has, with bytes that are there
 * already. */
static struct {
    struct yl_str bytes;
    int others[4];
    int n;
} near;

static int
connect_near(void *aux YL_UNUSED, struct yl_cancel *cancel YL_UNUSED,
             int *ret_fd, struct yl_error *err YL_UNUSED)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    assert_int_equal(write(fds[1], near.bytes.data, near.bytes.size),
                     near.bytes.size);
    near.others[near.n++] = fds[1];
    *ret_fd = fds[0];
    return 0;
}

static void
set_up_near(bool http2, struct yl_str bytes)
{
    struct yl_http_dialer_opts opts = {
        .host = "near", .connect = connect_near, .http2 = http2
    };
    struct yl_http_dialer *dialer;

    near.bytes = bytes;
    near.n = 0;
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    pool = yl_http_pool_new(dialer, NULL);
    yl_http_dialer_unref(dialer);
}

static void
tear_down_near(void)
{
    yl_http_pool_free(pool);
    while (near.n) {
        close(near.others[--near.n]);
    }
}

/* Has the next piece of the answer sent before it returns. */
static int
ask_for_more(void *n, struct yl_str piece YL_UNUSED)
{
    assert_int_equal(write(near.others[0], "x", 1), 1);
    return ++*(int *) n < 1000000 ? 0 : YL_ESYNTAX;
}

TEST(a_server_that_never_pauses_does_not_stretch_the_timeout)
{
    static const struct yl_http_sink sink = { ignore_head, ask_for_more };
    struct yl_http_call call = { .target = YL_STR("/"), .timeout = 1 };
    int n = 0;

    set_up_near(false, YL_STR("HTTP/1.1 200 OK\r\n\r\nx"));
    assert_int_equal(yl_http_call(pool, &call, &sink, &n, NULL), YL_ETIMEOUT);
    tear_down_near();
}

/* HTTP/2: the server's SETTINGS, and ":status: 200" for the first stream. */
#define ANSWER2 "\0\0\0\4\0\0\0\0\0" "\0\0\1\1\5\0\0\0\1\x88"

TEST(a_kept_connection_that_is_full_of_bytes_is_not_used_again)
{
    static char flood[5 * (9 + 16384)];

    /* Frames of a type that nobody knows. */
    for (size_t i = 0; i < sizeof flood; i += 9 + 16384) {
        memcpy(flood + i, "\0\x40\0\xfa\0\0\0\0\0", 9);
    }
    set_up_near(true, YL_STR(ANSWER2));
    assert_int_equal(call_with("GET"), 0);
    assert_int_equal(n_idle(), 1);
    assert_int_equal(write(near.others[0], flood, sizeof flood),
                     sizeof flood);
    assert_int_equal(call_with("GET"), 0);
    assert_int_equal(near.n, 2);
    tear_down_near();
}
