/* Fuzzes the whole path of requests: the bytes that clients send on up to
 * three connections, to a server over storage in memory.
 *
 * The first byte of the input says how to cut it; a 0xff byte ends what one
 * connection sends and starts the next.  Whatever comes, the server must
 * answer or close, and in the end have released everything: connections,
 * requests and their charges.
 *
 * The server is kept from input to input, because starting one takes
 * milliseconds; what was written stays in it.  It is restarted after some
 * inputs, so that it does not grow. */

#include "fuzz.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apiserver/admission/admission.h"
#include "apiserver/server.h"
#include "apiserver/watch/hub.h"
#include "net/server.h"
#include "storage/memory.h"
#include "storage/storage.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"

#define MAX_CONNECTIONS 3
#define MAX_INPUTS 2000         /* Inputs before the server is restarted. */
#define MAX_TURNS 200000        /* Turns of 10 us before it counts as hung. */

static struct {
    struct yl_clock *clock;
    struct yl_storage *storage;
    struct yl_apiserver *server;
    struct yl_http_server *http;
    int n_inputs;
} rig;

static void open_server(void);
static void close_server(void);
static void say(int fd, struct yl_str text, size_t piece);
static void hear(int fd);
static void settle(void);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    size_t piece = (size_t) fuzz_below(&in, 64) * 16;
    int fds[MAX_CONNECTIONS], n = 0, i;

    if (rig.http && ++rig.n_inputs > MAX_INPUTS) {
        close_server();
    }
    if (!rig.http) {
        open_server();
    }
    while (in.rest.size && n < MAX_CONNECTIONS) {
        struct yl_str text, rest;

        if (!yl_str_cut(in.rest, (char) 0xff, &text, &rest)) {
            text = in.rest;
            rest = yl_str_skip(in.rest, in.rest.size);
        }
        in.rest = rest;
        CHECK(yl_http_server_connect(rig.http, false, NULL, &fds[n], NULL)
              == 0);
        say(fds[n++], text, piece ? piece : text.size);
    }
    for (i = 0; i < n; i++) {
        hear(fds[i]);
    }
    yl_clock_fake_advance(rig.clock, 120 * 1000);
    for (i = 0; i < n; i++) {
        hear(fds[i]);
        close(fds[i]);
    }
    settle();
    return 0;
}

static void
open_server(void)
{
    struct yl_apiserver_opts opts = {
        .authorize_always = true,
        .plugins_off = yl_admission_mask("ServiceAccount"),
    };
    struct yl_http_server_opts http = {
        .handler = &yl_apiserver_handler, .manual = true, .n_loops = 1,
    };

    memset(&rig, 0, sizeof rig);
    rig.clock = yl_clock_fake_new(1000000);
    rig.storage = yl_memory_new(&(struct yl_memory_opts) { .forget = true });
    opts.storage = rig.storage;
    opts.clock = http.clock = rig.clock;
    CHECK(yl_apiserver_new(&opts, &rig.server, NULL) == 0);
    http.aux = rig.server;
    CHECK(yl_http_server_new(&http, &rig.http, NULL) == 0);
}

static void
close_server(void)
{
    yl_apiserver_stop(rig.server);
    yl_http_server_free(rig.http);
    yl_apiserver_free(rig.server);
    yl_storage_close(rig.storage);
    yl_clock_free(rig.clock);
    memset(&rig, 0, sizeof rig);
}

static void
say(int fd, struct yl_str text, size_t piece)
{
    int turns = 0;

    while (text.size && turns++ < 1000) {
        ssize_t n = send(fd, text.data, text.size < piece ? text.size : piece,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n < 0 && errno != EAGAIN) {
            return;             /* It has closed. */
        }
        text = yl_str_skip(text, n > 0 ? (size_t) n : 0);
        yl_http_server_turn(rig.http, false);
        hear(fd);
    }
}

/* Reads what has come. */
static void
hear(int fd)
{
    char bytes[16384];
    int quiet = 0;

    while (quiet < 3) {
        ssize_t n = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT);

        yl_http_server_turn(rig.http, false);
        if (n == 0 || (n < 0 && errno != EAGAIN)) {
            return;
        }
        quiet = n > 0 ? 0 : quiet + 1;
    }
}

/* All clients have gone: nothing of them may be left.  A write that was on its
 * way to the store holds its memory until it is answered. */
static void
settle(void)
{
    struct yl_http_server_stats stats;
    int turns = 0;

    for (;;) {
        yl_http_server_turn(rig.http, false);
        yl_http_server_stats(rig.http, &stats);
        if (!stats.n_connections && !stats.n_requests && !stats.budget_used) {
            break;
        }
        usleep(10);
        CHECK(turns++ < MAX_TURNS);
    }
    CHECK(yl_watch_hub_count(rig.server->watches) == 0);
}
