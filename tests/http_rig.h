#ifndef TESTS_HTTP_RIG_H
#define TESTS_HTTP_RIG_H 1

/* A server for tests of src/net, whose loops and clock the test controls, and
 * a client that sends plain bytes.
 *
 * What the handler does depends on the path:
 *
 *     /held     keeps the request in 'rig.kept' and does not ask for the body
 *     /head     answers "head" without asking for it
 *     /later    keeps the request in 'rig.kept' and does not answer
 *     /source   answers with 'rig.source_left' bytes in pieces, then waits if
 *               'rig.source_waits', aborts if 'rig.source_aborts', or ends
 *     /big      answers with 'rig.big', lent
 *     /copied   the same, copied
 *     else      "METHOD PATH?QUERY [BODY] VERSION HOST"
 *
 * A header "user" names the user of the request. */

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "net/http.h"
#include "net/loop.h"
#include "net/server.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"

static struct rig {
    struct yl_http_server *server;
    struct yl_clock *clock;
    struct yl_http_request *kept;
    int n_heads;                /* Requests that have begun. */
    int n_requests;             /* Requests that were complete. */
    int n_ended, n_finished;
    int n_throttled;            /* Requests whose user holds too much. */
    struct yl_http_peer peer;   /* Of the last request; borrowed from it. */
    char name[64];              /* Its common name. */
    size_t source_left;
    size_t piece;               /* [YL_HTTP_PIECE] */
    size_t n_pulled;            /* Calls of the source. */
    bool source_waits, source_aborts;
    struct yl_str big;
} rig;

static enum yl_http_pull
rig_pull(void *aux, struct yl_buf *out)
{
    struct yl_http_request *request = aux;
    size_t n = rig.piece ? rig.piece : YL_HTTP_PIECE;

    rig.n_pulled++;
    if (rig.source_left) {
        n = rig.source_left < n ? rig.source_left : n;
        memset(yl_buf_reserve(out, n), 's', n);
        yl_buf_commit(out, n);
        rig.source_left -= n;
        return YL_HTTP_MORE;
    }
    if (rig.source_aborts) {
        return YL_HTTP_ABORT;
    }
    return rig.source_waits && !yl_http_is_draining(request) ? YL_HTTP_WAIT
           : YL_HTTP_END;
}

static const struct yl_http_source rig_source = { rig_pull };

static void
rig_request(void *aux, struct yl_http_request *request)
{
    struct yl_str user = yl_http_header(request, YL_STR("user"));

    assert_ptr_equal(aux, &rig);
    rig.n_heads++;
    rig.peer = *request->peer;
    if (user.size) {
        rig.n_throttled += yl_http_set_user(request, user) < 0;
    }
    if (yl_str_equal(request->path, YL_STR("/held"))) {
        rig.kept = request;
    } else if (yl_str_equal(request->path, YL_STR("/head"))) {
        yl_http_respond(request, 200, NULL, 0, YL_STR("head"));
    } else {
        yl_http_read_body(request);
    }
}

static void
rig_body(void *aux, struct yl_http_request *request)
{
    struct yl_http_header type = {
        YL_STR("content-type"), YL_STR("text/plain")
    };

    assert_ptr_equal(aux, &rig);
    rig.n_requests++;
    snprintf(rig.name, sizeof rig.name, "%.*s",
             YL_STR_ARG(rig.peer.common_name));
    if (yl_str_equal(request->path, YL_STR("/later"))) {
        rig.kept = request;
    } else if (yl_str_equal(request->path, YL_STR("/source"))) {
        rig.kept = request;
        yl_http_respond_source(request, 200, &type, 1, &rig_source, request);
    } else if (yl_str_equal(request->path, YL_STR("/big"))) {
        yl_http_respond_lent(request, 200, &type, 1, rig.big);
    } else if (yl_str_equal(request->path, YL_STR("/copied"))) {
        yl_http_respond(request, 200, &type, 1, rig.big);
    } else {
        char *body = yl_arena_printf(
            request->arena, "%.*s %.*s?%.*s [%.*s] %d %.*s",
            YL_STR_ARG(request->method), YL_STR_ARG(request->path),
            YL_STR_ARG(request->query), YL_STR_ARG(request->body),
            request->version,
            YL_STR_ARG(yl_http_header(request, YL_STR("host"))));

        yl_http_respond(request, 200, &type, 1, yl_str_c(body));
    }
}

static void
rig_end(void *aux, struct yl_http_request *request, bool finished)
{
    assert_ptr_equal(aux, &rig);
    rig.n_ended++;
    rig.n_finished += finished;
    if (rig.kept == request) {
        rig.kept = NULL;
    }
}

static const struct yl_http_handler rig_handler = {
    rig_request, rig_body, rig_end, NULL
};

/* Starts the server; handler, clock and loops belong to the rig. */
static inline void
rig_serve(struct yl_http_server_opts opts)
{
    struct yl_error err = YL_ERROR_INIT;

    memset(&rig, 0, sizeof rig);
    rig.clock = yl_clock_fake_new(1000000);
    opts.handler = opts.handler ? opts.handler : &rig_handler;
    opts.aux = &rig;
    opts.clock = rig.clock;
    opts.n_loops = opts.n_loops ? opts.n_loops : 1;
    opts.manual = true;
    if (yl_http_server_new(&opts, &rig.server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static inline struct yl_http_server_stats
rig_stats(void)
{
    struct yl_http_server_stats stats;

    yl_http_server_stats(rig.server, &stats);
    return stats;
}

/* Stops it: every request must have ended, once, and nothing may be
 * charged. */
static inline void
rig_stop(void)
{
    int quiet = 0;

    while (rig_stats().n_connections && quiet++ < 100) {
        yl_http_server_turn(rig.server, false);
    }
    if (!rig_stats().n_connections) {
        assert_int_equal(rig_stats().n_requests, 0);
        assert_int_equal(rig_stats().budget_used, 0);
    }
    yl_http_server_free(rig.server);
    yl_clock_free(rig.clock);
    assert_int_equal(rig.n_ended, rig.n_heads);
}

static inline int
rig_dial(bool tls)
{
    int fd;

    assert_int_equal(yl_http_server_connect(rig.server, tls, NULL, &fd,
                                            NULL), 0);
    return fd;
}

static inline void
rig_turn(int n)
{
    while (n--) {
        yl_http_server_turn(rig.server, false);
    }
}

/* Runs turns of the server until CONDITION holds.  Bytes through TCP, even
 * over loopback, arrive when the system delivers them: no fixed number of
 * turns is enough. */
#define rig_await(CONDITION)                                                  \
    do {                                                                      \
        int n_ = 0;                                                           \
                                                                              \
        while (!(CONDITION)) {                                                \
            assert_true(n_++ < 60 * 1000);                                    \
            rig_turn(1);                                                      \
            usleep(n_ < 10 ? 0 : 1000);                                       \
        }                                                                     \
    } while (0)

/* Runs turns of the server until nothing comes any more; appends what came to
 * 'in'.  True if the server has closed. */
static inline bool
rig_hear(int fd, struct yl_buf *in)
{
    int quiet = 0;

    while (quiet < 4) {
        char *room = yl_buf_reserve(in, 65536);
        ssize_t n;

        yl_http_server_turn(rig.server, false);
        n = recv(fd, room, 65536, MSG_DONTWAIT);
        if (n == 0 || (n < 0 && errno != EAGAIN)) {
            return true;
        } else if (n > 0) {
            yl_buf_commit(in, (size_t) n);
            quiet = 0;
        } else {
            quiet++;
        }
    }
    return false;
}

static inline void
rig_say(int fd, struct yl_str text)
{
    while (text.size) {
        ssize_t n = send(fd, text.data, text.size,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        assert_true(n > 0 || errno == EAGAIN);
        if (n > 0) {
            text = yl_str_skip(text, (size_t) n);
        }
        yl_http_server_turn(rig.server, false);
    }
}

/* Sends 'text' and checks that the answer contains 'part'.  True if the server
 * has closed. */
#define rig_ask(FD, TEXT, PART) rig_ask_(FD, TEXT, PART, __FILE__, __LINE__)
static inline bool
rig_ask_(int fd, const char *text, const char *part, const char *file,
         int line)
{
    struct yl_buf in;
    bool closed;
    int n = 0;

    yl_buf_init(&in, 64 << 20);
    rig_say(fd, yl_str_c(text));
    while (!(closed = rig_hear(fd, &in))
           && !strstr(yl_buf_c_str(&in), part) && n++ < 20 * 1000) {
        usleep(1000);
    }
    if (!strstr(yl_buf_c_str(&in), part)) {
        print_error("\"%s\" is not in \"%s\"\n", part, yl_buf_c_str(&in));
        _fail(file, line);
    }
    yl_buf_release(&in);
    return closed;
}

#define GET(PATH) "GET " PATH " HTTP/1.1\r\nHost: x\r\n\r\n"
#define GET_AS(USER, PATH) \
    "GET " PATH " HTTP/1.1\r\nHost: x\r\nUser: " USER "\r\n\r\n"
#define POST(PATH, LENGTH) \
    "POST " PATH " HTTP/1.1\r\nHost: x\r\nContent-Length: " LENGTH "\r\n\r\n"

#endif /* tests/http_rig.h */
