/* Tests of the fetcher, against our own server, which has a thread. */

#include "net/http_fetcher.h"

#include <openssl/ssl.h>
#include <pthread.h>
#include <sys/socket.h>

#include "base/thread.h"
#include "client_rig.h"
#include "net/loop.h"
#include "net/wait.h"

static struct yl_loop *loop;
static struct yl_http_fetcher *fetcher;

/* A fetch, and what has happened to it. */
struct view {
    struct yl_http_fetch *fetch;
    int status;
    size_t n_bytes;
    bool lazy;                  /* Does not consume. */
    bool stops;                 /* Stops itself at the first byte. */
    int n_done;
    int code;
    char why[128];
};

static void
on_head(void *aux, struct yl_http_fetch *fetch,
        const struct yl_http_answer *answer)
{
    struct view *view = aux;

    assert_ptr_equal(view->fetch, fetch);
    assert_int_equal(view->n_done, 0);
    view->status = answer->status;
}

static void
on_data(void *aux, struct yl_http_fetch *fetch, struct yl_str piece)
{
    struct view *view = aux;

    assert_int_equal(view->n_done, 0);
    assert_true(piece.size > 0);
    view->n_bytes += piece.size;
    if (!view->lazy) {
        yl_http_fetch_consume(fetch, piece.size);
    }
    if (view->stops) {
        yl_http_fetch_stop(fetch);
        view->fetch = NULL;
    }
}

static void
on_done(void *aux, struct yl_http_fetch *fetch, int code,
        const struct yl_error *err)
{
    struct view *view = aux;

    assert_ptr_equal(view->fetch, fetch);
    view->fetch = NULL;
    view->n_done++;
    view->code = code;
    if (code) {
        snprintf(view->why, sizeof view->why, "%s", yl_error_message(err));
    }
}

static const struct yl_http_fetch_events events = {
    on_head, on_data, on_done
};

static void
start(struct view *view, const char *target)
{
    struct yl_http_call call = { .target = yl_str_c(target) };

    view->fetch = yl_http_fetch_start(fetcher, &call, &events, view);
}

static void
set_up_with(struct yl_http_dialer *dialer,
            const struct yl_http_fetcher_opts *opts, struct yl_clock *clock)
{
    assert_int_equal(yl_loop_new(clock, &loop, NULL), 0);
    assert_int_equal(yl_http_fetcher_new(loop, dialer, opts, &fetcher, NULL),
                     0);
    yl_http_dialer_unref(dialer);
}

static void
set_up(enum far_how how, const struct yl_http_server_opts *server)
{
    far_start(server);
    set_up_with(far_dialer(how), NULL, NULL);
}

static void
tear_down(void)
{
    yl_http_fetcher_free(fetcher);
    yl_loop_free(loop);
    if (far.server) {
        far_stop();
    }
}

#define await(CONDITION)                                                      \
    do {                                                                      \
        while (!(CONDITION)) {                                                \
            yl_loop_turn(loop, true);                                         \
        }                                                                     \
    } while (0)

static struct yl_http_fetcher_stats
stats(void)
{
    struct yl_http_fetcher_stats s;

    yl_http_fetcher_stats(fetcher, &s);
    return s;
}

static void
check_fetches(enum far_how how)
{
    struct view echo = { 0 }, bytes = { 0 }, watch = { 0 }, missing = { 0 };
    struct view broken = { 0 };

    set_up(how, &(struct yl_http_server_opts) { 0 });
    start(&echo, "/a");
    start(&bytes, "/bytes?30000000");
    start(&watch, "/watch");
    start(&missing, "/status?404");
    start(&broken, "/broken");
    assert_int_equal(stats().n_fetches, 5);
    await(echo.n_done && bytes.n_done && missing.n_done && broken.n_done
          && watch.n_bytes == 6);
    assert_int_equal(echo.code, 0);
    assert_int_equal(echo.status, 200);
    assert_int_equal(bytes.code, 0);
    assert_int_equal(bytes.n_bytes, 30000000);
    assert_int_equal(missing.status, 404);
    assert_int_equal(broken.status, 200);
    assert_int_equal(broken.code, YL_EUNAVAILABLE);
    assert_int_equal(watch.n_done, 0);
    if (how == FAR_HTTP2) {
        assert_int_equal(stats().n_dials, 1);
    }
    yl_http_fetch_stop(watch.fetch);
    await(!stats().n_fetches);
    assert_int_equal(watch.n_done, 0);
    tear_down();
}

TEST(fetches_run_side_by_side_over_http2)
{
    check_fetches(FAR_HTTP2);
}

TEST(fetches_have_a_connection_each_over_http1)
{
    check_fetches(FAR_HTTP1);
}

TEST(fetches_run_in_the_clear)
{
    check_fetches(FAR_CLEAR);
}

TEST(a_thousand_watches_share_a_connection_if_the_server_allows_it)
{
    enum { N = 1000 };
    static struct view views[N];
    size_t n = 0;

    memset(views, 0, sizeof views);
    set_up(FAR_HTTP2, &(struct yl_http_server_opts) { 0 });
    for (int i = 0; i < N; i++) {
        start(&views[i], "/watch");
    }
    for (n = 0; n < N; n++) {
        await(views[n].n_bytes == 6);
    }
    assert_int_equal(stats().n_dials, 1);
    assert_int_equal(stats().n_connections, 1);
    tear_down();
    for (n = 0; n < N; n++) {
        assert_int_equal(views[n].n_done, 1);
        assert_int_equal(views[n].code, YL_ECANCELED);
    }
}

TEST(there_is_another_connection_when_one_is_full)
{
    struct yl_http_server_opts opts = { .max_streams = 3 };
    struct view views[10] = { { 0 } };

    set_up(FAR_HTTP2, &opts);
    for (int i = 0; i < 10; i++) {
        start(&views[i], "/watch");
    }
    for (int i = 0; i < 10; i++) {
        await(views[i].n_bytes == 6);
    }
    assert_int_equal(stats().n_connections, 4);
    for (int i = 0; i < 10; i++) {
        yl_http_fetch_stop(views[i].fetch);
    }
    await(!stats().n_fetches);
    tear_down();
}

TEST(a_fetch_can_stop_itself_and_others_while_they_run_or_wait)
{
    static const enum far_how hows[] = { FAR_HTTP2, FAR_HTTP1 };

    for (size_t i = 0; i < YL_ARRAY_SIZE(hows); i++) {
        struct view self = { .stops = true }, waits = { 0 }, other = { 0 };

        set_up(hows[i], &(struct yl_http_server_opts) { 0 });
        start(&waits, "/watch");
        yl_http_fetch_stop(waits.fetch);
        assert_int_equal(stats().n_fetches, 0);
        start(&self, "/bytes?3000000");
        start(&other, "/a");
        await(stats().n_fetches == 0);
        assert_int_equal(self.n_done, 0);
        assert_true(self.n_bytes > 0 && self.n_bytes < 3000000);
        assert_int_equal(other.n_done, 1);
        assert_int_equal(other.code, 0);
        tear_down();
    }
}

TEST(one_that_does_not_consume_stops_only_itself)
{
    struct view lazy = { .lazy = true }, eager = { 0 };
    enum { WINDOW = 4 << 20 };

    set_up(FAR_HTTP2, &(struct yl_http_server_opts) { 0 });
    start(&lazy, "/bytes?30000000");
    await(lazy.n_bytes == WINDOW);
    start(&eager, "/bytes?30000000");
    await(eager.n_done);
    assert_int_equal(lazy.n_bytes, WINDOW);
    lazy.lazy = false;
    yl_http_fetch_consume(lazy.fetch, WINDOW);
    await(lazy.n_done);
    assert_int_equal(lazy.n_bytes, 30000000);
    tear_down();
}

TEST(http1_reads_no_more_than_the_window_either)
{
    struct view lazy = { .lazy = true };
    enum { WINDOW = 4 << 20, READ = 64 << 10 };

    set_up(FAR_CLEAR, &(struct yl_http_server_opts) { 0 });
    start(&lazy, "/bytes?30000000");
    await(lazy.n_bytes >= WINDOW);
    assert_true(lazy.n_bytes < WINDOW + READ);
    lazy.lazy = false;
    yl_http_fetch_consume(lazy.fetch, lazy.n_bytes);
    await(lazy.n_done);
    assert_int_equal(lazy.n_bytes, 30000000);
    tear_down();
}

TEST(a_connection_that_is_not_needed_any_more_is_used_again_or_closed)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);

    for (int i = 0; i < 2; i++) {
        struct view a = { 0 }, b = { 0 };

        far_start(&(struct yl_http_server_opts) { 0 });
        set_up_with(far_dialer(i ? FAR_HTTP1 : FAR_HTTP2), NULL, clock);
        start(&a, "/a");
        await(a.n_done);
        start(&b, "/b");
        await(b.n_done);
        assert_int_equal(stats().n_dials, 1);
        assert_int_equal(stats().n_connections, 1);
        yl_clock_fake_advance(clock, 89999);
        yl_loop_turn(loop, false);
        yl_loop_turn(loop, false);
        assert_int_equal(stats().n_connections, 1);
        yl_clock_fake_advance(clock, 1);
        await(!stats().n_connections);
        tear_down();
    }
    yl_clock_free(clock);
}

TEST(a_fetch_times_out_with_a_connection_or_without)
{
    struct yl_http_call call = { .target = YL_STR("/never"), .timeout = 5000 };
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct view first = { 0 }, with = { 0 }, without = { 0 };

    far_start(&(struct yl_http_server_opts) { .max_streams = 1 });
    set_up_with(far_dialer(FAR_HTTP2),
                &(struct yl_http_fetcher_opts) { .max_connections = 1 },
                clock);

    /* With the first answer the server has told its limit, too. */
    start(&first, "/a");
    await(first.n_done);
    with.fetch = yl_http_fetch_start(fetcher, &call, &events, &with);
    while (atomic_load(&far.n_requests) == 1) {
        /* Nothing that the server does wakes the loop. */
        yl_loop_turn(loop, false);
        usleep(100);
    }
    without.fetch = yl_http_fetch_start(fetcher, &call, &events, &without);
    yl_loop_turn(loop, false);
    assert_int_equal(stats().n_waiting, 1);
    yl_clock_fake_advance(clock, 5000);
    await(with.n_done && without.n_done);
    assert_int_equal(with.code, YL_ETIMEOUT);
    assert_int_equal(without.code, YL_ETIMEOUT);
    tear_down();
    yl_clock_free(clock);
}

TEST(a_server_that_cannot_be_reached_ends_all_that_wait)
{
    struct yl_http_dialer_opts opts = { .host = "127.0.0.1" };
    struct view a = { 0 }, b = { 0 };

    /* A port that nothing listens to any more. */
    far_start(&(struct yl_http_server_opts) { 0 });
    opts.port = yl_http_server_clear_port(far.server);
    far_stop();
    set_up_with(far_dialer_with(FAR_CLEAR2, &opts), NULL, NULL);
    start(&a, "/a");
    start(&b, "/b");
    await(a.n_done && b.n_done);
    assert_int_equal(a.code, YL_EUNAVAILABLE);
    assert_int_equal(b.code, YL_EUNAVAILABLE);
    assert_non_null(strstr(a.why, "cannot connect to 127.0.0.1 port"));
    assert_int_equal(stats().n_dials, 1);
    tear_down();
}

TEST(a_server_that_cannot_be_trusted_ends_all_that_wait)
{
    struct yl_tls_client_opts tls_opts = { .verify_name = "other" };
    struct yl_http_dialer_opts opts = { 0 };
    struct view a = { 0 };

    far_start(&(struct yl_http_server_opts) { 0 });
    tls_opts.authorities.path = far.ca_path;
    assert_int_equal(yl_tls_client_new(&tls_opts, &opts.tls, NULL), 0);
    set_up_with(far_dialer_with(FAR_HTTP2, &opts), NULL, NULL);
    start(&a, "/a");
    await(a.n_done);
    assert_int_equal(a.code, YL_EUNAVAILABLE);
    assert_non_null(strstr(a.why, "TLS handshake"));
    tear_down();
}

/* A hook that waits until nobody waits for it any more. */
static int
connect_never(void *aux YL_UNUSED, struct yl_cancel *cancel,
              int *ret_fd YL_UNUSED, struct yl_error *err)
{
    return yl_wait(NULL, 0, YL_NEVER, cancel, err);
}

TEST(a_fetcher_is_freed_while_it_connects)
{
    struct yl_http_dialer_opts opts = {
        .host = "x", .connect = connect_never
    };
    struct yl_http_dialer *dialer;
    struct view a = { 0 };

    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    set_up_with(dialer, NULL, NULL);
    start(&a, "/a");
    yl_loop_turn(loop, true);
    assert_int_equal(stats().n_connections, 1);
    tear_down();
    assert_int_equal(a.n_done, 1);
    assert_int_equal(a.code, YL_ECANCELED);
}

/* A hook that never waits.  The first connection leads to bytes that the test
 * has written, later ones to the server. */
static struct {
    struct yl_str bytes;        /* Null: all lead to the server. */
    int other;                  /* The other end of the first, or -1. */
    int n;
    int thread_is_loops;
} quick;

static int
connect_quickly(void *aux, struct yl_cancel *cancel YL_UNUSED, int *ret_fd,
                struct yl_error *err)
{
    int fds[2];

    quick.thread_is_loops += pthread_equal(pthread_self(),
                                           *(pthread_t *) aux) != 0;
    if (quick.n++ || yl_str_is_null(quick.bytes)) {
        return yl_http_server_connect(far.server, false, NULL, ret_fd, err);
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    assert_int_equal(write(fds[1], quick.bytes.data, quick.bytes.size),
                     quick.bytes.size);
    *ret_fd = fds[0];
    quick.other = fds[1];
    return 0;
}

static pthread_t self;

static void
set_up_quick(struct yl_str bytes, struct yl_clock *clock)
{
    struct yl_http_dialer_opts opts = {
        .host = "x", .connect = connect_quickly, .connect_is_quick = true,
        .http2 = true, .aux = &self,
    };
    struct yl_http_dialer *dialer;

    memset(&quick, 0, sizeof quick);
    quick.bytes = bytes;
    quick.other = -1;
    self = pthread_self();
    far_start(&(struct yl_http_server_opts) { 0 });
    assert_int_equal(yl_http_dialer_new(&opts, &dialer, NULL), 0);
    set_up_with(dialer, NULL, clock);
}

static void
tear_down_quick(void)
{
    tear_down();
    if (quick.other >= 0) {
        close(quick.other);
    }
}

TEST(a_quick_hook_is_called_on_the_loop)
{
    struct view a = { 0 };

    set_up_quick(yl_str_null(), NULL);
    start(&a, "/a");
    await(a.n_done);
    assert_int_equal(a.code, 0);
    assert_int_equal(quick.n, 1);
    assert_int_equal(quick.thread_is_loops, 1);
    tear_down_quick();
}

#define SETTINGS "\0\0\0\4\0\0\0\0\0"
#define GOAWAY "\0\0\10\7\0\0\0\0\0" "\0\0\0\0" "\0\0\0\0"

TEST(what_the_server_has_not_looked_at_is_sent_again)
{
    struct view a = { 0 };

    set_up_quick(YL_STR(SETTINGS GOAWAY), NULL);
    start(&a, "/a");
    await(a.n_done);
    assert_int_equal(a.code, 0);
    assert_int_equal(quick.n, 2);
    tear_down_quick();
}

/* A hook that leads to a server of TLS 1.2, where the server has the last word
 * of the handshake.  In the same breath it says 'bytes', or if there are none
 * that it closes. */
static struct {
    struct yl_str bytes;
    SSL_CTX *context;
    struct yl_thread threads[4];
    int fds[4];
    int n;
} curt;

static int
choose_http2(SSL *ssl YL_UNUSED, const unsigned char **out,
             unsigned char *out_size, const unsigned char *in YL_UNUSED,
             unsigned in_size YL_UNUSED, void *arg YL_UNUSED)
{
    *out = (const unsigned char *) "h2";
    *out_size = 2;
    return SSL_TLSEXT_ERR_OK;
}

static void
be_curt(void *fd_)
{
    int fd = *(const int *) fd_;
    SSL *ssl = SSL_new(curt.context);
    BIO *in = BIO_new(BIO_s_mem()), *out = BIO_new(BIO_s_mem());
    bool open = false;
    char bytes[65536];
    ssize_t n = 0;

    SSL_set_bio(ssl, in, out);
    while (!open && (n = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        char *wire;
        long size;

        BIO_write(in, bytes, (int) n);
        open = SSL_accept(ssl) == 1;
        if (open && curt.bytes.size) {
            SSL_write(ssl, curt.bytes.data, (int) curt.bytes.size);
        } else if (open) {
            SSL_shutdown(ssl);
        }
        size = BIO_get_mem_data(out, &wire);
        send(fd, wire, (size_t) size, MSG_NOSIGNAL);
        BIO_reset(out);
    }
    while (n > 0) {
        n = recv(fd, bytes, sizeof bytes, 0);
    }
    SSL_free(ssl);
    close(fd);
}

static int
connect_curtly(void *aux YL_UNUSED, struct yl_cancel *cancel YL_UNUSED,
               int *ret_fd, struct yl_error *err)
{
    int fds[2];

    if (curt.n == YL_ARRAY_SIZE(curt.fds)) {
        return yl_error_set(err, YL_EFORBIDDEN, "that is too often");
    }
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    curt.fds[curt.n] = fds[1];
    assert_int_equal(yl_thread_start(&curt.threads[curt.n], "curt", be_curt,
                                     &curt.fds[curt.n]), 0);
    curt.n++;
    *ret_fd = fds[0];
    return 0;
}

static void
check_curt(struct yl_str bytes, const char *why)
{
    struct yl_http_dialer_opts opts = {
        .host = "127.0.0.1", .connect = connect_curtly
    };
    struct view a = { 0 };

    far_start(&(struct yl_http_server_opts) { 0 });
    curt.bytes = bytes;
    curt.n = 0;
    curt.context = SSL_CTX_new(TLS_server_method());
    SSL_CTX_set_max_proto_version(curt.context, TLS1_2_VERSION);
    SSL_CTX_set_alpn_select_cb(curt.context, choose_http2, NULL);
    SSL_CTX_use_certificate(curt.context, far.certificate.certificate);
    SSL_CTX_use_PrivateKey(curt.context, far.certificate.key);
    set_up_with(far_dialer_with(FAR_HTTP2, &opts), NULL, NULL);
    start(&a, "/a");
    await(a.n_done);
    assert_string_equal(a.why, why);
    assert_int_equal(a.code, YL_EUNAVAILABLE);
    assert_int_equal(curt.n, 1);
    tear_down();
    for (int i = 0; i < curt.n; i++) {
        yl_thread_join(&curt.threads[i]);
    }
    SSL_CTX_free(curt.context);
}

TEST(a_server_that_takes_nothing_is_not_asked_again_and_again)
{
    check_curt(YL_STR(""), "the server has closed the connection");
    check_curt(YL_STR(SETTINGS GOAWAY), "the server has ended the connection");

    /* It allows no streams. */
    check_curt(YL_STR("\0\0\6\4\0\0\0\0\0" "\0\3\0\0\0\0"),
               "the server takes no requests");
}

TEST(a_connection_without_a_sign_of_life_ends_its_fetches)
{
    struct yl_clock *clock = yl_clock_fake_new(1000);
    struct view a = { 0 };

    set_up_quick(YL_STR(SETTINGS), clock);
    start(&a, "/watch");
    await(!stats().n_waiting && stats().n_connections == 1);
    yl_loop_turn(loop, false);
    yl_clock_fake_advance(clock, 30000);
    yl_loop_turn(loop, true);
    assert_int_equal(a.n_done, 0);
    yl_clock_fake_advance(clock, 15000);
    await(a.n_done);
    assert_int_equal(a.code, YL_EUNAVAILABLE);
    assert_string_equal(a.why, "the server does not answer any more");
    tear_down_quick();
    yl_clock_free(clock);
}

TEST(new_certificates_begin_a_new_connection)
{
    struct view old = { 0 }, fresh = { 0 };
    struct yl_http_dialer *dialer;

    far_start(&(struct yl_http_server_opts) { 0 });
    dialer = yl_http_dialer_ref(far_dialer(FAR_HTTP2));
    set_up_with(dialer, NULL, NULL);
    start(&old, "/watch");
    await(old.n_bytes == 6);
    yl_http_dialer_set_tls(dialer, far_tls(false));
    start(&fresh, "/watch");
    await(fresh.n_bytes == 6);
    assert_int_equal(stats().n_connections, 2);
    assert_int_equal(old.n_done, 0);
    yl_http_fetch_stop(old.fetch);
    await(stats().n_connections == 1);
    assert_int_equal(fresh.n_done, 0);
    yl_http_dialer_unref(dialer);
    tear_down();
}

TEST(a_server_that_drains_ends_watches_in_peace)
{
    struct view a = { 0 };

    set_up(FAR_HTTP2, &(struct yl_http_server_opts) { 0 });
    start(&a, "/watch");
    await(a.n_bytes == 6);
    yl_http_server_begin_drain(far.server);
    await(a.n_done && !stats().n_connections);
    assert_int_equal(a.code, 0);
    tear_down();
}

TEST(a_request_that_cannot_be_sent_is_an_error)
{
    struct view a = { 0 };

    set_up(FAR_HTTP2, &(struct yl_http_server_opts) { 0 });
    start(&a, "/a b");
    await(a.n_done);
    assert_int_equal(a.code, YL_EINVALID);
    tear_down();
}
