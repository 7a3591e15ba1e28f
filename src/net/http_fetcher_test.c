/* Tests of the fetcher, against our own server, which has a thread. */

#include "net/http_fetcher.h"

#include "client_rig.h"
#include "net/loop.h"

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
