/* Tests of a client's connection: bytes of a server that the test writes
 * itself.  What our own server answers is in http_pool_test.c. */

#include "net/client_conn.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/dialer.h"
#include "unit.h"

static const struct yl_client_conn_opts opts = {
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
