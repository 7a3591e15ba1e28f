/* Tests of the HTTP server over sockets, with a clock and loops held by
 * hand. */

#include "net/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "net/http.h"
#include "net/loop.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"

/* What the handler saw. */
static struct yl_http_request *kept;
static int n_requests, n_ended, n_finished;
static size_t source_left;
static bool source_waits, source_aborts;
static char last_method[16];
static struct yl_str big;

static enum yl_http_pull
pull(void *aux, struct yl_buf *out)
{
    struct yl_http_request *request = aux;

    if (source_left) {
        size_t n = source_left < YL_HTTP_PIECE ? source_left : YL_HTTP_PIECE;
        char *room = yl_buf_reserve(out, n);

        memset(room, 's', n);
        yl_buf_commit(out, n);
        source_left -= n;
        return YL_HTTP_MORE;
    }
    if (source_aborts) {
        return YL_HTTP_ABORT;
    }
    return source_waits && !yl_http_is_draining(request) ? YL_HTTP_WAIT
           : YL_HTTP_END;
}

static const struct yl_http_source source = { pull };

static void
on_request(void *aux, struct yl_http_request *request)
{
    struct yl_http_header type = {
        YL_STR("content-type"), YL_STR("text/plain")
    };
    char *body;

    assert_ptr_equal(aux, &n_requests);
    n_requests++;
    snprintf(last_method, sizeof last_method, "%.*s",
             YL_STR_ARG(request->method));
    if (yl_str_equal(request->path, YL_STR("/later"))) {
        kept = request;
        return;
    } else if (yl_str_equal(request->path, YL_STR("/source"))) {
        kept = request;
        yl_http_respond_source(request, 200, &type, 1, &source, request);
        return;
    } else if (yl_str_equal(request->path, YL_STR("/big"))) {
        yl_http_respond_lent(request, 200, &type, 1, big);
        return;
    }
    body = yl_arena_printf(request->arena, "%.*s %.*s?%.*s [%.*s] %d",
                           YL_STR_ARG(request->method),
                           YL_STR_ARG(request->path),
                           YL_STR_ARG(request->query),
                           YL_STR_ARG(request->body), request->version);
    yl_http_respond(request, 200, &type, 1, yl_str_c(body));
}

static void
on_end(void *aux, struct yl_http_request *request, bool finished)
{
    assert_ptr_equal(aux, &n_requests);
    n_ended++;
    n_finished += finished;
    if (kept == request) {
        kept = NULL;
    }
}

static const struct yl_http_handler handler = { on_request, on_end, NULL };

static struct yl_http_server *server;
static struct yl_clock *clock_;

static void
serve(struct yl_http_server_opts opts)
{
    struct yl_error err = YL_ERROR_INIT;

    n_requests = n_ended = n_finished = 0;
    source_left = 0;
    source_waits = source_aborts = false;
    kept = NULL;
    clock_ = yl_clock_fake_new(1000000);
    opts.handler = &handler;
    opts.aux = &n_requests;
    opts.clock = clock_;
    opts.n_loops = opts.n_loops ? opts.n_loops : 1;
    opts.manual = true;
    if (yl_http_server_new(&opts, &server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static void
stop(void)
{
    yl_http_server_free(server);
    yl_clock_free(clock_);
    assert_int_equal(n_ended, n_requests);
}

static int
dial(void)
{
    int fd;

    assert_int_equal(yl_http_server_connect(server, false, &fd, NULL), 0);
    return fd;
}

/* Turns the server until nothing comes any more; appends what came to 'in'.
 * True if the server has closed. */
static bool
hear(int fd, struct yl_buf *in)
{
    int quiet = 0;

    while (quiet < 3) {
        char *room = yl_buf_reserve(in, 65536);
        ssize_t n;

        yl_http_server_turn(server, false);
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

static void
say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL),
                     strlen(text));
}

/* Says 'text' and checks that the answer holds 'part'. */
static bool
ask(int fd, const char *text, const char *part)
{
    struct yl_buf in;
    bool closed;

    yl_buf_init(&in, 64 << 20);
    say(fd, text);
    closed = hear(fd, &in);
    if (!strstr(yl_buf_c_str(&in), part)) {
        fail_msg("\"%s\" is not in \"%s\"", part, yl_buf_c_str(&in));
    }
    yl_buf_release(&in);
    return closed;
}

#define GET(PATH) "GET " PATH " HTTP/1.1\r\nHost: x\r\n\r\n"

TEST(a_request_is_answered_and_the_connection_stays)
{
    int fd;

    serve((struct yl_http_server_opts) { 0 });
    fd = dial();
    assert_false(ask(fd, GET("/a?b=c"),
                     "\r\n\r\nGET /a?b=c [] 11"));
    assert_false(ask(fd, "POST /p HTTP/1.1\r\nHost: x\r\n"
                     "Content-Length: 3\r\n\r\nabc", "POST /p? [abc] 11"));
    assert_int_equal(n_finished, 2);
    close(fd);
    stop();
}
