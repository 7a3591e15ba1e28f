/* Tests of a client's connection: with HTTP/1.1 to bytes that the test writes
 * itself, with HTTP/2 to the machine of a server, which the test controls.
 * What our own server answers is in http_pool_test.c. */

#include "net/client_conn.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/dialer.h"
#include "unit.h"

static struct yl_client_conn_opts opts = {
    .scheme = { "http", 4 },
    .authority = { "host", 4 },
    .stream_window = 1000,
    .connection_window = 4000,
    .tls_timeout = 10000,
    .ping_after = 30000,
    .ping_timeout = 15000,
};

/* One connection, and the other end of its socket. */
static struct yl_buffers buffers;
static struct yl_client_conn conn;
static int other;

struct trial {
    struct yl_client_exchange exchange;
    struct yl_http_call call;
    struct yl_buf log;          /* Events, in words. */
    int refuse_head, refuse_data;
    bool lazy;                  /* Does not consume. */
    bool done;
};

static int
on_head(struct yl_client_exchange *x, const struct yl_http_answer *answer)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    yl_buf_printf(&trial->log, "%d/%zu ", answer->status, answer->n_headers);
    return trial->refuse_head;
}

static int
on_data(struct yl_client_exchange *x, struct yl_str piece)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    yl_buf_append_str(&trial->log, piece);
    if (!trial->lazy) {
        yl_client_conn_consume(x, piece.size);
    }
    return trial->refuse_data;
}

static void
on_done(struct yl_client_exchange *x, int code, const struct yl_error *err)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    assert_false(trial->done);
    trial->done = true;
    yl_buf_printf(&trial->log, " %s%s%s", code ? yl_error_name(code) : "done",
                  code ? ": " : "", code ? yl_error_message(err) : "");
}

static const struct yl_client_events events = { on_head, on_data, on_done };

static void
set_up(void)
{
    int fds[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds),
                     0);
    yl_buffers_init(&buffers);
    yl_client_conn_init(&conn, &buffers,
                        &(struct yl_dialed) { .fd = fds[0] }, &opts, 0);
    other = fds[1];
}

static void
tear_down(void)
{
    yl_client_conn_release(&conn);
    yl_buffers_release(&buffers);
    close(other);
}

static void
begin(struct trial *trial, const char *method, const char *target)
{
    trial->call.method = yl_str_c(method);
    trial->call.target = yl_str_c(target);
    trial->exchange.call = &trial->call;
    trial->exchange.events = &events;
    yl_buf_init(&trial->log, 1 << 20);
    assert_int_equal(yl_client_conn_start(&conn, &trial->exchange, NULL), 0);
    yl_client_conn_flush(&conn, 0);
}

/* What the other end has received. */
static const char *
received(void)
{
    static char text[4096];
    ssize_t n = recv(other, text, sizeof text - 1, 0);

    text[n > 0 ? n : 0] = '\0';
    return text;
}

static void
say(const char *text)
{
    assert_int_equal(send(other, text, strlen(text), 0), strlen(text));
    yl_client_conn_receive(&conn, 0);
    yl_client_conn_flush(&conn, 0);
}

#define assert_log(TRIAL, TEXT) \
    assert_string_equal(yl_buf_c_str(&(TRIAL)->log), TEXT)

TEST(http1_one_exchange_follows_another)
{
    struct trial a = { 0 }, b = { .call.body = YL_STR("hello") };

    set_up();
    begin(&a, "", "/a");
    assert_string_equal(received(), "GET /a HTTP/1.1\r\nhost: host\r\n\r\n");
    assert_int_equal(yl_client_conn_room(&conn), 0);
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: b\r\n\r\nabc");
    assert_log(&a, "200/2 abc done");
    assert_int_equal(yl_client_conn_room(&conn), 1);
    begin(&b, "PUT", "/b");
    assert_string_equal(received(), "PUT /b HTTP/1.1\r\nhost: host\r\n"
                                    "content-length: 5\r\n\r\nhello");
    say("HTTP/1.1 100 Continue\r\n\r\n");
    say("HTTP/1.1 204 No Content\r\n\r\n");
    assert_log(&b, "204/0  done");
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
    tear_down();
}

TEST(http1_an_answer_without_a_length_ends_with_the_connection)
{
    struct trial a = { 0 };

    set_up();
    begin(&a, "GET", "/");
    say("HTTP/1.0 200 OK\r\n\r\nab");
    say("c");
    shutdown(other, SHUT_WR);
    yl_client_conn_receive(&conn, 0);
    assert_log(&a, "200/0 abc done");
    assert_int_equal(yl_client_conn_room(&conn), 0);
    yl_buf_release(&a.log);
    tear_down();
}

TEST(http1_an_answer_that_is_cut_off_is_an_error)
{
    struct trial a = { 0 };

    set_up();
    begin(&a, "GET", "/");
    say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
    shutdown(other, SHUT_WR);
    yl_client_conn_receive(&conn, 0);
    assert_true(conn.over);
    tear_down();
    assert_log(&a, "200/1 ab EUNAVAILABLE: the server has closed the "
                   "connection");
    assert_true(a.exchange.heard);
    yl_buf_release(&a.log);
}

TEST(http1_a_malformed_answer_is_an_error)
{
    struct trial a = { 0 };

    set_up();
    begin(&a, "GET", "/");
    say("HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n");
    assert_true(conn.over);
    tear_down();
    assert_true(strncmp(yl_buf_c_str(&a.log),
                        " EUNAVAILABLE: the answer is malformed", 38) == 0);
    yl_buf_release(&a.log);
}

TEST(http1_the_ceilings_of_an_answer_hold)
{
    struct trial a = { .call.max_body = 3 }, b = { .call.max_head = 30 };

    set_up();
    begin(&a, "GET", "/");
    say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n");
    tear_down();
    assert_non_null(strstr(yl_buf_c_str(&a.log), "ETOOBIG"));
    set_up();
    begin(&b, "GET", "/");
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nA: b\r\n\r\nabc");
    tear_down();
    assert_non_null(strstr(yl_buf_c_str(&b.log), "ETOOBIG"));
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http1_nothing_is_read_while_too_much_is_not_consumed)
{
    struct trial a = { .lazy = true };
    char head[] = "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n";
    char piece[1001];

    set_up();
    begin(&a, "GET", "/");
    say(head);
    assert_int_equal(yl_client_conn_wants(&conn), POLLIN);
    memset(piece, 'x', 1000);
    piece[1000] = '\0';
    say(piece);
    assert_int_equal(yl_client_conn_wants(&conn), 0);
    yl_client_conn_consume(&a.exchange, 1);
    assert_int_equal(yl_client_conn_wants(&conn), POLLIN);
    tear_down();
    yl_buf_release(&a.log);
}

TEST(http1_a_stopped_exchange_ends_the_connection)
{
    struct trial a = { 0 };

    set_up();
    begin(&a, "GET", "/");
    yl_client_conn_stop(&a.exchange, YL_ECANCELED, NULL);
    assert_true(conn.over);
    assert_false(a.done);
    tear_down();
    assert_log(&a, " ECANCELED: canceled");
    yl_buf_release(&a.log);
}

TEST(an_exchange_ends_with_what_its_owner_returns)
{
    struct trial a = { .refuse_head = YL_ECONFLICT };
    struct trial b = { .refuse_data = YL_ESYNTAX };

    set_up();
    begin(&a, "GET", "/");
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
    tear_down();
    assert_log(&a, "200/1  ECONFLICT: object has changed");
    set_up();
    begin(&b, "GET", "/");
    say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
    tear_down();
    assert_log(&b, "200/1 abc ESYNTAX: text is malformed");
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(bytes_that_nobody_asked_for_end_the_connection)
{
    set_up();
    say("HTTP/1.1 408 Request Timeout\r\n\r\n");
    assert_true(conn.over);
    tear_down();
}

TEST(a_request_that_cannot_be_sent_is_refused)
{
    static const char *const targets[] = { "", "a", "/a b", "/\n", "/\x7f" };
    struct yl_http_call call = { .target = YL_STR("/") };
    struct yl_client_exchange x = { .call = &call, .events = &events };

    set_up();
    for (size_t i = 0; i < YL_ARRAY_SIZE(targets); i++) {
        call.target = yl_str_c(targets[i]);
        assert_int_equal(yl_client_conn_start(&conn, &x, NULL), YL_EINVALID);
    }
    call.target = YL_STR("/");
    call.method = YL_STR("G ET");
    assert_int_equal(yl_client_conn_start(&conn, &x, NULL), YL_EINVALID);
    assert_string_equal(received(), "");
    tear_down();
}

/* The server of the tests below: it notes heads and bodies, and answers when
 * the test says so. */
#define MAX_STREAMS 8

struct far_stream {
    struct yl_http2_stream stream;
    struct yl_buf heard;
    struct yl_str body;         /* Of the answer; 'waits' at its end, or it is
                                 * the end. */
    size_t sent;
    bool waits, open;
};

static struct far {
    struct yl_http2 *h2;
    struct far_stream streams[MAX_STREAMS];
    size_t n_streams;
    struct yl_buf out;
} far;

static struct yl_http2_stream *
far_open(void *aux YL_UNUSED)
{
    struct far_stream *s = &far.streams[far.n_streams++];

    assert_true(far.n_streams <= MAX_STREAMS);
    yl_buf_init(&s->heard, 1 << 20);
    s->open = true;
    return &s->stream;
}

static void
far_header(void *aux YL_UNUSED, struct yl_http2_stream *stream,
           struct yl_str name, struct yl_str value)
{
    struct far_stream *s = YL_CONTAINER_OF(stream, struct far_stream, stream);

    yl_buf_printf(&s->heard, "%.*s=%.*s ", YL_STR_ARG(name),
                  YL_STR_ARG(value));
}

static void
far_head(void *aux YL_UNUSED, struct yl_http2_stream *stream YL_UNUSED,
         bool last YL_UNUSED)
{
}

static void
far_data(void *aux YL_UNUSED, struct yl_http2_stream *stream,
         struct yl_str piece, bool last YL_UNUSED)
{
    struct far_stream *s = YL_CONTAINER_OF(stream, struct far_stream, stream);

    yl_buf_append_str(&s->heard, piece);
    yl_http2_consume(far.h2, stream, piece.size);
}

static void
far_done(void *aux YL_UNUSED, struct yl_http2_stream *stream YL_UNUSED)
{
}

static ptrdiff_t
far_ready(void *aux YL_UNUSED, struct yl_http2_stream *stream, size_t max,
          bool *ret_last)
{
    struct far_stream *s = YL_CONTAINER_OF(stream, struct far_stream, stream);
    size_t left = s->body.size - s->sent;

    if (!left && s->waits) {
        return YL_HTTP2_WAIT;
    }
    *ret_last = left <= max && !s->waits;
    return (ptrdiff_t) (left < max ? left : max);
}

static void
far_append(void *aux YL_UNUSED, struct yl_http2_stream *stream,
           struct yl_buf *buf, size_t n)
{
    struct far_stream *s = YL_CONTAINER_OF(stream, struct far_stream, stream);

    yl_buf_append(buf, s->body.data + s->sent, n);
    s->sent += n;
}

static void
far_close(void *aux YL_UNUSED, struct yl_http2_stream *stream,
          uint32_t error YL_UNUSED)
{
    YL_CONTAINER_OF(stream, struct far_stream, stream)->open = false;
}

static const struct yl_http2_events far_events = {
    far_open, far_header, far_head, far_data, far_done, far_ready, far_append,
    far_close, NULL, NULL
};

/* Passes bytes both ways until there are no more. */
static void
talk(yl_msec now)
{
    char bytes[65536];
    bool busy = true;

    while (busy) {
        ssize_t n;

        yl_client_conn_flush(&conn, now);
        n = recv(other, bytes, sizeof bytes, 0);
        busy = n > 0;
        if (n > 0) {
            assert_int_equal(yl_http2_receive(
                far.h2, yl_str_n(bytes, (size_t) n), now), 0);
        }
        yl_buf_clear(&far.out);
        assert_true(yl_http2_produce(far.h2, &far.out, 65536, now) >= 0);
        if (far.out.size) {
            assert_int_equal(send(other, far.out.data, far.out.size,
                                  MSG_NOSIGNAL), far.out.size);
            busy = true;
        }
        yl_client_conn_receive(&conn, now);
    }
}

static void
set_up_http2(const struct yl_http2_opts *far_opts)
{
    memset(&far, 0, sizeof far);
    yl_buf_init(&far.out, 1 << 20);
    far.h2 = yl_http2_new(YL_HTTP2_SERVER, far_opts, &far_events, &far, 0);
    opts.http2 = true;
    set_up();
    assert_true(conn.open);
    assert_false(yl_client_conn_is_settled(&conn));
}

static void
tear_down_http2(void)
{
    tear_down();
    yl_http2_free(far.h2);
    for (size_t i = 0; i < far.n_streams; i++) {
        yl_buf_release(&far.streams[i].heard);
    }
    yl_buf_release(&far.out);
    opts.http2 = false;
}

static void
respond(size_t i, int status, const char *body, bool waits)
{
    struct far_stream *s = &far.streams[i];
    struct yl_http_header header = { YL_STR("a"), YL_STR("b") };

    s->body = yl_str_c(body);
    s->waits = waits;
    assert_int_equal(yl_http2_respond(far.h2, &s->stream, status, &header, 1,
                                      *body || waits), 0);
}

TEST(http2_exchanges_run_side_by_side)
{
    static char body[3000];
    struct trial a = { 0 }, b = { 0 };

    memset(body, 'z', sizeof body);
    b.call.body = yl_str_n(body, sizeof body);
    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/a?b");
    begin(&b, "POST", "/c");
    talk(0);
    assert_string_equal(yl_buf_c_str(&far.streams[0].heard),
                        ":method=GET :scheme=http :authority=host "
                        ":path=/a?b ");
    assert_non_null(strstr(yl_buf_c_str(&far.streams[1].heard),
                           "content-length=3000 zzz"));
    respond(1, 201, "two", false);
    yl_http2_continue(far.h2, &far.streams[0].stream);
    talk(0);
    assert_log(&b, "201/1 two done");
    assert_log(&a, "");
    respond(0, 204, "", false);
    talk(0);
    assert_log(&a, "204/1  done");
    assert_int_equal(conn.n_exchanges, 0);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http2_room_is_what_the_server_allows)
{
    struct trial trials[3] = { { .done = false } };
    struct yl_client_exchange extra = { .call = &trials[0].call,
                                        .events = &events };

    set_up_http2(&(struct yl_http2_opts) { .max_streams = 3 });
    assert_int_equal(yl_client_conn_room(&conn), 100);
    talk(0);
    assert_true(yl_client_conn_is_settled(&conn));
    assert_int_equal(yl_client_conn_room(&conn), 3);
    for (int i = 0; i < 3; i++) {
        begin(&trials[i], "GET", "/");
    }
    assert_int_equal(yl_client_conn_room(&conn), 0);
    assert_int_equal(yl_client_conn_start(&conn, &extra, NULL),
                     YL_EUNAVAILABLE);
    talk(0);
    respond(1, 200, "", false);
    talk(0);
    assert_int_equal(yl_client_conn_room(&conn), 1);
    tear_down_http2();
    for (int i = 0; i < 3; i++) {
        assert_true(trials[i].done);
        yl_buf_release(&trials[i].log);
    }
}

TEST(http2_windows_grow_by_what_is_consumed)
{
    static char body[5001];
    struct trial a = { .lazy = true };

    memset(body, 'x', 5000);
    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    talk(0);
    respond(0, 200, body, false);
    talk(0);

    /* The window of a stream, as in 'opts'. */
    assert_int_equal(a.exchange.n_received, 1000);
    yl_client_conn_consume(&a.exchange, 600);
    talk(0);
    assert_int_equal(a.exchange.n_received, 1600);
    a.lazy = false;
    yl_client_conn_consume(&a.exchange, 1000);
    talk(0);
    assert_true(a.done);
    assert_int_equal(a.log.size, strlen("200/1 ") + 5000 + strlen(" done"));
    tear_down_http2();
    yl_buf_release(&a.log);
}

TEST(http2_what_is_never_consumed_does_not_reduce_the_connections_window)
{
    static char body[1001];

    memset(body, 'x', 1000);
    set_up_http2(&(struct yl_http2_opts) { 0 });
    for (size_t i = 0; i < MAX_STREAMS; i++) {
        struct trial a = { .lazy = true };

        begin(&a, "GET", "/");
        talk(0);
        respond(i, 200, body, i % 2);
        talk(0);
        assert_int_equal(a.exchange.n_received, 1000);
        if (i % 2) {
            yl_client_conn_stop(&a.exchange, YL_ECANCELED, NULL);
            talk(0);
        }
        assert_true(a.done);
        assert_false(far.streams[i].open);
        yl_buf_release(&a.log);
    }
    tear_down_http2();
}

TEST(http2_a_stopped_exchange_leaves_the_others_alone)
{
    struct trial a = { 0 }, b = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    begin(&b, "GET", "/");
    talk(0);
    respond(0, 200, "one", true);
    respond(1, 200, "two", false);
    yl_client_conn_stop(&a.exchange, YL_ETIMEOUT, "too late");
    talk(0);
    assert_log(&a, " ETIMEOUT: too late");
    assert_log(&b, "200/1 two done");
    assert_false(conn.over);
    assert_false(far.streams[0].open);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http2_a_server_that_goes_away_ends_what_it_has_begun)
{
    struct trial a = { 0 }, b = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    talk(0);
    respond(0, 200, "one", true);
    yl_http2_go_away(far.h2);

    /* This request crosses the GOAWAY: the server has not looked at it. */
    begin(&b, "POST", "/");
    talk(0);
    assert_true(b.done);
    assert_true(b.exchange.unprocessed);
    assert_false(a.done);
    assert_int_equal(yl_client_conn_room(&conn), 0);
    far.streams[0].waits = false;
    yl_http2_resume(far.h2, &far.streams[0].stream);
    talk(0);
    assert_log(&a, "200/1 one done");
    assert_true(conn.over);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http2_a_reset_is_an_error_and_a_refusal_can_be_repeated)
{
    struct trial a = { 0 }, b = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    begin(&b, "GET", "/");
    talk(0);
    yl_http2_reset(far.h2, &far.streams[0].stream, YL_HTTP2_INTERNAL_ERROR);
    yl_http2_reset(far.h2, &far.streams[1].stream, YL_HTTP2_REFUSED_STREAM);
    talk(0);
    assert_log(&a, " EUNAVAILABLE: the server has ended the answer (HTTP/2 "
                   "error 2)");
    assert_false(a.exchange.unprocessed);
    assert_log(&b, " EUNAVAILABLE: the server has refused the request "
                   "unread");
    assert_true(b.exchange.unprocessed);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http2_a_refusal_after_a_part_of_the_answer_is_an_error)
{
    struct trial a = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    talk(0);
    respond(0, 200, "part", true);
    talk(0);
    yl_http2_reset(far.h2, &far.streams[0].stream, YL_HTTP2_REFUSED_STREAM);
    talk(0);
    assert_log(&a, "200/1 part EUNAVAILABLE: the server has ended the answer "
                   "(HTTP/2 error 7)");
    assert_false(a.exchange.unprocessed);
    tear_down_http2();
    yl_buf_release(&a.log);
}

TEST(http2_a_silent_server_is_asked_for_a_sign_of_life)
{
    struct trial a = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    talk(1000);
    assert_int_equal(yl_client_conn_next(&conn), 31000);
    yl_client_conn_tick(&conn, 30999);
    assert_int_equal(conn.pinged, YL_NEVER);

    /* It answers. */
    yl_client_conn_tick(&conn, 31000);
    assert_int_equal(yl_client_conn_next(&conn), 46000);
    talk(32000);
    assert_int_equal(yl_client_conn_next(&conn), 62000);

    /* It does not. */
    yl_client_conn_tick(&conn, 62000);
    yl_client_conn_flush(&conn, 62000);
    yl_client_conn_tick(&conn, 76999);
    assert_false(conn.over);
    yl_client_conn_tick(&conn, 77000);
    assert_true(conn.over);
    tear_down_http2();
    assert_log(&a, " EUNAVAILABLE: the server does not answer any more");
    yl_buf_release(&a.log);
}

TEST(http2_a_connection_without_exchanges_is_left_in_peace)
{
    set_up_http2(&(struct yl_http2_opts) { 0 });
    talk(0);
    assert_int_equal(yl_client_conn_next(&conn), YL_NEVER);
    tear_down_http2();
}

TEST(http2_the_ceilings_of_an_answer_hold)
{
    struct trial a = { .call.max_body = 3 }, b = { .call.max_head = 8 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    begin(&b, "GET", "/");
    talk(0);
    respond(0, 200, "four", false);
    respond(1, 200, "four", false);
    talk(0);
    assert_log(&a, "200/1  ETOOBIG: the answer is too large");
    assert_log(&b, " ETOOBIG: the answer's head is too large");
    assert_false(conn.over);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(http2_garbage_ends_the_connection)
{
    struct trial a = { 0 };

    set_up_http2(&(struct yl_http2_opts) { 0 });
    begin(&a, "GET", "/");
    say("HTTP/1.1 400 Bad Request\r\n\r\n");
    assert_true(conn.over);
    tear_down_http2();
    assert_non_null(strstr(yl_buf_c_str(&a.log), "EUNAVAILABLE"));
    yl_buf_release(&a.log);
}

TEST(http2_an_answer_before_the_whole_request_ends_the_exchange)
{
    static char body[200000];
    struct trial a = { .call.body = { body, sizeof body } };
    struct trial b = { .call.body = { body, sizeof body } };

    /* The windows of the server are smaller than the bodies. */
    memset(body, 'x', sizeof body);
    set_up_http2(&(struct yl_http2_opts) {
        .stream_window = 1000, .connection_window = 65535
    });
    begin(&a, "POST", "/");
    begin(&b, "POST", "/");
    yl_client_conn_flush(&conn, 0);
    talk(0);
    respond(0, 413, "", false);
    respond(1, 413, "too large", false);
    talk(0);
    assert_log(&a, "413/1  done");
    assert_log(&b, "413/1 too large done");
    assert_false(conn.over);
    tear_down_http2();
    yl_buf_release(&a.log);
    yl_buf_release(&b.log);
}

TEST(a_request_that_is_too_large_is_refused)
{
    struct yl_http_call call = {
        .target = YL_STR("/"), .body = { "", ((size_t) 64 << 20) + 1 }
    };
    struct yl_client_exchange x = { .call = &call, .events = &events };

    set_up();
    assert_int_equal(yl_client_conn_start(&conn, &x, NULL), YL_ETOOBIG);
    tear_down();
}
