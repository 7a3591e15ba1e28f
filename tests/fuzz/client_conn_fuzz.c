/* Fuzzes a client's connection.  Input: a byte of options, one that says how
 * to cut, and the bytes that the server sends.
 *
 * Whatever they are, each exchange must end exactly once, at the latest when
 * the connection is released, its data must keep to its ceiling, and there
 * must be no event after an exchange was stopped. */

#include "fuzz.h"

#include <sys/socket.h>
#include <unistd.h>

#include "net/client_conn.h"
#include "net/dialer.h"

/* Bits of the first byte. */
#define OPT_HTTP2 1
#define OPT_HEAD 2              /* The method is HEAD. */
#define OPT_LAZY 4              /* Consumes nothing. */
#define OPT_STOP 8              /* Stops at the first event. */
#define OPT_SMALL 16            /* Small ceilings. */
#define OPT_EOF 32              /* The server closes at the end. */

#define N_EXCHANGES 3
#define MAX_BODY 100

struct trial {
    struct yl_client_exchange exchange;
    struct yl_http_call call;
    unsigned options;
    uint64_t n_bytes;
    bool started, headed, stopped, done;
};

static int
on_head(struct yl_client_exchange *x, const struct yl_http_answer *answer)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    CHECK(!trial->headed && !trial->stopped && !trial->done);
    CHECK(answer->status >= 200 && answer->status <= 999);
    trial->headed = true;
    if (trial->options & OPT_STOP) {
        trial->stopped = true;
        yl_client_conn_stop(x, YL_ECANCELED, NULL);
    }
    return 0;
}

static int
on_data(struct yl_client_exchange *x, struct yl_str piece)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    CHECK(trial->headed && !trial->stopped && !trial->done && piece.size);
    CHECK(!(trial->options & OPT_HEAD));
    trial->n_bytes += piece.size;
    CHECK(!trial->call.max_body || trial->n_bytes <= trial->call.max_body);
    if (!(trial->options & OPT_LAZY)) {
        yl_client_conn_consume(x, piece.size);
    }
    return 0;
}

static void
on_done(struct yl_client_exchange *x, int code, const struct yl_error *err)
{
    struct trial *trial = YL_CONTAINER_OF(x, struct trial, exchange);

    CHECK(trial->started && !trial->done);
    CHECK(code <= 0 && (code == 0 || *yl_error_message(err)));
    CHECK(code < 0 || trial->headed);
    trial->done = true;
}

static const struct yl_client_events events = { on_head, on_data, on_done };

/* Starts those that are not started, as far as there is room. */
static void
start_more(struct yl_client_conn *conn, struct trial *trials)
{
    for (int i = 0; i < N_EXCHANGES; i++) {
        if (!trials[i].started && yl_client_conn_room(conn)) {
            CHECK(yl_client_conn_start(conn, &trials[i].exchange, NULL) == 0);
            trials[i].started = true;
        }
    }
    yl_client_conn_flush(conn, 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned options = size > 0 ? data[0] : 0;
    size_t cut = size > 1 && data[1] ? data[1] : 4096;
    const struct yl_client_conn_opts opts = {
        .scheme = YL_STR("http"),
        .authority = YL_STR("host"),
        .http2 = options & OPT_HTTP2,
        .stream_window = options & OPT_SMALL ? 64 : 65536,
        .connection_window = 65536,
        .tls_timeout = 1000,
        .ping_after = 1000,
        .ping_timeout = 1000,
    };
    struct trial trials[N_EXCHANGES] = { { .options = options } };
    struct yl_client_conn conn;
    struct yl_buffers buffers;
    char sink[4096];
    int fds[2];

    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    yl_buffers_init(&buffers);
    yl_client_conn_init(&conn, &buffers, &(struct yl_dialed) { .fd = fds[0] },
                        &opts, 0);
    for (int i = 0; i < N_EXCHANGES; i++) {
        trials[i].options = options;
        trials[i].call.method = options & OPT_HEAD ? YL_STR("HEAD")
                                : YL_STR("POST");
        trials[i].call.target = YL_STR("/");
        trials[i].call.body = YL_STR("body");
        trials[i].call.max_body = options & OPT_SMALL ? MAX_BODY : 0;
        trials[i].exchange.call = &trials[i].call;
        trials[i].exchange.events = &events;
    }
    for (size_t at = 2; at < size && !conn.over; ) {
        size_t n = size - at < cut ? size - at : cut;

        start_more(&conn, trials);
        while (recv(fds[1], sink, sizeof sink, 0) > 0) {
        }
        CHECK(send(fds[1], data + at, n, MSG_NOSIGNAL) == (ssize_t) n);
        yl_client_conn_receive(&conn, 0);
        at += n;
    }
    if (options & OPT_EOF) {
        shutdown(fds[1], SHUT_WR);
        yl_client_conn_receive(&conn, 0);
    }
    yl_client_conn_flush(&conn, 0);
    yl_client_conn_tick(&conn, 1000);
    yl_client_conn_tick(&conn, 2000);
    yl_client_conn_release(&conn);
    for (int i = 0; i < N_EXCHANGES; i++) {
        CHECK(trials[i].started == trials[i].done);
    }
    yl_buffers_release(&buffers);
    close(fds[1]);
    return 0;
}
