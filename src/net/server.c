/* HTTP server.  See net/server.h for the contract.
 *
 * The listeners are on the first loop.  A connection goes to the loop with the
 * fewest, as a task that carries its descriptor. */

#include "net/server.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "net/conn.h"
#include "net/server_listener.h"
#include "yuloh/error.h"

#define MAX_LOOPS 256

/* How long a drain whose time is up waits for requests that are held. */
#define GRACE 5000

/* A loop and its thread. */
struct worker {
    struct yl_home home;
    struct yl_thread thread;
    bool started;
    struct yl_loop_task drain, close;
};

struct yl_http_server {
    struct yl_conn_shared shared;
    struct worker *workers;
    unsigned n_workers;
    struct yl_listener listeners[2];    /* With TLS, and without. */
    _Atomic uint64_t refused;   /* Connections that were refused. */

    struct yl_mutex lock;       /* Innermost. */
    struct yl_cond changed;     /* Signalled when yl_http_server_drain() may go
                                 * on. */
    unsigned n_drained YL_GUARDED;  /* Workers that have begun to drain. */
};

/* A connection that is handed over to its loop. */
struct handover {
    struct yl_loop_task task;
    struct yl_home *home;
    int fd;
    bool tls;
    const void *identity;
    bool has_address;
    struct sockaddr_storage address;
};

static void set_default(size_t *option, size_t value);
static void cut_to_int32(size_t *option);
static void set_default_time(yl_msec *option, yl_msec value);
static int start(struct yl_http_server *, const struct yl_http_server_opts *,
                 struct yl_error *err);
static void run_loop(void *worker);
static void accepted(struct yl_listener *, int fd,
                     const struct sockaddr_storage *);
static bool hand_over(struct yl_http_server *, int fd,
                      const struct sockaddr_storage *, bool tls,
                      const void *identity);
static void run_handover(struct yl_loop_task *);
static void run_drain(struct yl_loop_task *);
static void run_close(struct yl_loop_task *);
static void wake_drain(struct yl_conn_shared *);
static bool wait_until_empty(struct yl_http_server *, yl_msec deadline);

void
yl_http_server_set_defaults(struct yl_http_server_opts *opts)
{
    long n_cores = sysconf(_SC_NPROCESSORS_ONLN);

    if (!opts->n_loops) {
        opts->n_loops = n_cores > 0 ? (unsigned) n_cores : 1;
    }
    opts->n_loops = opts->n_loops < MAX_LOOPS ? opts->n_loops : MAX_LOOPS;
    set_default(&opts->max_connections, 20000);
    set_default(&opts->max_streams, 1024);
    set_default(&opts->max_resets, 200);
    set_default(&opts->max_target, (size_t) 64 << 10);
    set_default(&opts->max_head, (size_t) 128 << 10);
    cut_to_int32(&opts->max_streams);
    cut_to_int32(&opts->max_head);
    set_default(&opts->max_headers, 256);
    set_default(&opts->max_body, (size_t) 3 << 20);
    set_default(&opts->budget, (size_t) 256 << 20);
    set_default_time(&opts->head_timeout, 32000);
    set_default_time(&opts->body_timeout, 60000);
    set_default_time(&opts->write_timeout, 30000);
    set_default_time(&opts->idle_timeout, 180000);
}

int
yl_http_server_new(const struct yl_http_server_opts *opts,
                   struct yl_http_server **ret_server, struct yl_error *err)
{
    struct yl_http_server *server = yl_zalloc(sizeof *server);
    int r;

    yl_mutex_init(&server->lock);
    yl_cond_init(&server->changed);
    for (size_t i = 0; i < YL_ARRAY_SIZE(server->listeners); i++) {
        yl_listener_init(&server->listeners[i], accepted, server);
    }
    server->shared.opts = *opts;
    server->shared.gone = wake_drain;
    yl_http_server_set_defaults(&server->shared.opts);
    r = start(server, opts, err);
    if (r < 0) {
        yl_http_server_free(server);
        return r;
    }
    *ret_server = server;
    return 0;
}

void
yl_http_server_free(struct yl_http_server *server)
{
    if (!server) {
        return;
    }
    atomic_store(&server->shared.draining, true);
    for (unsigned i = 0; i < server->n_workers; i++) {
        if (server->workers[i].started) {
            yl_loop_stop(server->workers[i].home.loop);
            yl_thread_join(&server->workers[i].thread);
        } else {
            yl_loop_turn(server->workers[i].home.loop, false);
        }
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(server->listeners); i++) {
        yl_listener_close(&server->listeners[i]);
    }
    for (unsigned i = 0; i < server->n_workers; i++) {
        yl_home_release(&server->workers[i].home);
    }
    free(server->workers);
    yl_budget_free(server->shared.budget);
    yl_tls_server_free(server->shared.tls);
    yl_cond_destroy(&server->changed);
    yl_mutex_destroy(&server->lock);
    free(server);
}

uint16_t
yl_http_server_port(const struct yl_http_server *server)
{
    return server->listeners[0].port;
}

uint16_t
yl_http_server_clear_port(const struct yl_http_server *server)
{
    return server->listeners[1].port;
}

int
yl_http_server_reload(struct yl_http_server *server, struct yl_error *err)
{
    return server->shared.tls
           ? yl_tls_server_reload(server->shared.tls, err) : 0;
}

void
yl_http_server_begin_drain(struct yl_http_server *server)
{
    if (!atomic_exchange(&server->shared.draining, true)) {
        for (unsigned i = 0; i < server->n_workers; i++) {
            struct worker *worker = &server->workers[i];

            worker->drain.run = run_drain;
            yl_loop_post(worker->home.loop, &worker->drain);
        }
    }
}

bool
yl_http_server_drain(struct yl_http_server *server, yl_msec limit)
{
    yl_msec deadline = yl_now(server->shared.opts.clock) + limit;

    assert(!server->shared.opts.manual);
    yl_http_server_begin_drain(server);
    if (wait_until_empty(server, deadline)) {
        return true;
    }
    for (unsigned i = 0; i < server->n_workers; i++) {
        struct worker *worker = &server->workers[i];

        worker->close.run = run_close;
        yl_loop_post(worker->home.loop, &worker->close);
    }
    wait_until_empty(server, yl_now(server->shared.opts.clock) + GRACE);
    return false;
}

void
yl_http_server_stats(const struct yl_http_server *server,
                     struct yl_http_server_stats *ret_stats)
{
    struct yl_http_server_stats stats = {
        .n_connections = atomic_load(&server->shared.n_conns),
        .budget_used = yl_budget_used(server->shared.budget),
        .budget_strangers = yl_budget_strangers(server->shared.budget),
        .budget = server->shared.opts.budget,
        .connections_refused = atomic_load(&server->refused),
    };

    for (unsigned i = 0; i < server->n_workers; i++) {
        const struct yl_home *home = &server->workers[i].home;

        stats.n_requests += atomic_load(&home->n_requests);
        stats.connections_total += atomic_load(&home->conns_total);
        stats.requests_total += atomic_load(&home->requests_total);
        stats.requests_refused += atomic_load(&home->requests_refused);
        stats.requests_throttled += atomic_load(&home->requests_throttled);
    }
    *ret_stats = stats;
}

int
yl_http_server_connect(struct yl_http_server *server, bool tls,
                       const void *identity, int *ret_fd,
                       struct yl_error *err)
{
    int fds[2];

    if (tls && !server->shared.tls) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "the server has no certificate");
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE, "cannot connect: %s",
                            strerror(errno));
    }
    if (!hand_over(server, fds[1], NULL, tls, identity)) {
        close(fds[0]);
        return yl_error_set(err, YL_EUNAVAILABLE, "too many connections");
    }
    *ret_fd = fds[0];
    return 0;
}

void
yl_http_server_turn(struct yl_http_server *server, bool wait)
{
    for (unsigned i = 0; i < server->n_workers; i++) {
        yl_loop_turn(server->workers[i].home.loop, wait && i == 0);
    }
}

static void
set_default(size_t *option, size_t value)
{
    if (!*option) {
        *option = value;
    }
}

/* Numbers in HTTP/2 have 31 bits. */
static void
cut_to_int32(size_t *option)
{
    if (*option > INT32_MAX) {
        *option = INT32_MAX;
    }
}

static void
set_default_time(yl_msec *option, yl_msec value)
{
    if (!*option) {
        *option = value;
    }
}

static int
start(struct yl_http_server *server, const struct yl_http_server_opts *opts,
      struct yl_error *err)
{
    unsigned n_loops = server->shared.opts.n_loops;
    int r = 0;

    if (opts->tls.certificate) {
        r = yl_tls_server_new(&opts->tls, &server->shared.tls, err);
    } else if (opts->listen) {
        r = yl_error_set(err, YL_EINVALID,
                         "a server on %s needs a certificate and its key",
                         opts->listen);
    }
    server->shared.budget = yl_budget_new(server->shared.opts.budget);
    server->workers = yl_zalloc(n_loops * sizeof *server->workers);
    while (r == 0 && server->n_workers < n_loops) {
        r = yl_home_init(&server->workers[server->n_workers].home,
                         &server->shared, err);
        server->n_workers += r == 0;
    }
    if (r == 0 && opts->listen) {
        r = yl_listener_open(&server->listeners[0],
                             server->workers[0].home.loop, opts->listen,
                             false, err);
    }
    if (r == 0 && opts->listen_clear) {
        r = yl_listener_open(&server->listeners[1],
                             server->workers[0].home.loop,
                             opts->listen_clear, !opts->clear_anywhere, err);
    }
    for (unsigned i = 0; r == 0 && i < n_loops && !opts->manual; i++) {
        struct worker *worker = &server->workers[i];
        char name[16];

        snprintf(name, sizeof name, "net-%u", i);
        r = yl_thread_start(&worker->thread, name, run_loop, worker);
        if (r < 0) {
            yl_error_set(err, r, "cannot start a thread for a loop");
        }
        worker->started = r == 0;
    }
    return r;
}

static void
run_loop(void *worker)
{
    yl_loop_run(((struct worker *) worker)->home.loop);
}

static void
accepted(struct yl_listener *listener, int fd,
         const struct sockaddr_storage *address)
{
    struct yl_http_server *server = listener->aux;

    hand_over(server, fd, address, listener == &server->listeners[0], NULL);
}

/* Gives 'fd', which it takes, to the loop with the fewest connections; false
 * if there are too many.  Those with an identity come from within and are few:
 * clients that take all connections must not stop them. */
static bool
hand_over(struct yl_http_server *server, int fd,
          const struct sockaddr_storage *address, bool tls,
          const void *identity)
{
    struct yl_conn_shared *shared = &server->shared;
    struct yl_home *home = &server->workers[0].home;
    struct handover *handover;

    if (atomic_fetch_add(&shared->n_conns, 1)
        >= shared->opts.max_connections && !identity) {
        atomic_fetch_sub(&shared->n_conns, 1);
        atomic_fetch_add(&server->refused, 1);
        close(fd);
        return false;
    }
    for (unsigned i = 1; i < server->n_workers; i++) {
        struct yl_home *other = &server->workers[i].home;

        if (atomic_load(&other->n_conns) < atomic_load(&home->n_conns)) {
            home = other;
        }
    }
    atomic_fetch_add(&home->n_conns, 1);
    atomic_fetch_add(&home->conns_total, 1);
    handover = yl_zalloc(sizeof *handover);
    handover->task.run = run_handover;
    handover->home = home;
    handover->fd = fd;
    handover->tls = tls;
    handover->identity = identity;
    if (address) {
        handover->has_address = true;
        handover->address = *address;
    }
    yl_loop_post(home->loop, &handover->task);
    return true;
}

static void
run_handover(struct yl_loop_task *task)
{
    struct handover *handover = YL_CONTAINER_OF(task, struct handover, task);

    yl_home_accept(handover->home, handover->fd,
                   handover->has_address
                   ? (const struct sockaddr *) &handover->address : NULL,
                   handover->tls, handover->identity);
    free(handover);
}

static void
run_drain(struct yl_loop_task *task)
{
    struct worker *worker = YL_CONTAINER_OF(task, struct worker, drain);
    struct yl_http_server *server = YL_CONTAINER_OF(
        worker->home.shared, struct yl_http_server, shared);

    for (size_t i = 0; worker == server->workers
         && i < YL_ARRAY_SIZE(server->listeners); i++) {
        yl_listener_close(&server->listeners[i]);
    }
    yl_home_drain(&worker->home);
    yl_mutex_lock(&server->lock);
    server->n_drained++;
    yl_cond_broadcast(&server->changed);
    yl_mutex_unlock(&server->lock);
}

static void
run_close(struct yl_loop_task *task)
{
    yl_home_close_all(&YL_CONTAINER_OF(task, struct worker, close)->home);
}

/* A connection or request has ended that yl_http_server_drain() may wait
 * for. */
static void
wake_drain(struct yl_conn_shared *shared)
{
    struct yl_http_server *server = YL_CONTAINER_OF(
        shared, struct yl_http_server, shared);

    yl_mutex_lock(&server->lock);
    yl_cond_broadcast(&server->changed);
    yl_mutex_unlock(&server->lock);
}

/* Returns false if 'deadline' came first. */
static bool
wait_until_empty(struct yl_http_server *server, yl_msec deadline)
{
    struct yl_conn_shared *shared = &server->shared;
    bool late = false;
    bool done;

    yl_mutex_lock(&server->lock);
    for (;;) {
        done = server->n_drained == server->n_workers
               && !atomic_load(&shared->n_conns);
        for (unsigned i = 0; i < server->n_workers; i++) {
            done = done && !atomic_load(&server->workers[i].home.n_held);
        }
        if (done || late) {
            break;
        }
        late = yl_cond_wait_until(&server->changed, &server->lock,
                                  shared->opts.clock, deadline);
    }
    yl_mutex_unlock(&server->lock);
    return done;
}
