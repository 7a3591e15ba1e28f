/* Connections.  See net/conn.h for how they work. */

#include "net/conn.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

#include "base/alloc.h"
#include "yuloh/error.h"

/* Pieces that a connection may send before other connections get their
 * turn. */
#define MAX_ROUNDS 4

/* How long to wait for the client to close. */
#define LINGER 2000

/* How long to wait before pulling a source whose owner holds too much. */
#define PAUSE 100

static void ready(struct yl_loop_fd *, uint32_t events);
static void run_chore(struct yl_loop_chore *);
static void receive(struct yl_conn *);
static void take(struct yl_conn *, struct yl_str bytes);
static void sniff(struct yl_conn *, struct yl_str bytes);
static void reached_eof(struct yl_conn *);
static bool write_out(struct yl_conn *);
static void all_sent(struct yl_conn *);
static void settle(struct yl_conn *);
static void update_events(struct yl_conn *);
static void fire(struct yl_loop_timer *);
static void conn_free(struct yl_conn *);
static void set_address(struct yl_conn *, const struct sockaddr *);
static void acknowledge(int fd);
static void set_peer(struct yl_conn *);

void
yl_home_accept(struct yl_home *home, int fd, const struct sockaddr *address,
               bool tls, const void *identity)
{
    struct yl_conn *conn = yl_zalloc(sizeof *conn);
    yl_msec now = yl_loop_now(home->loop);

    conn->home = home;
    conn->fd.fd = fd;
    conn->fd.events = EPOLLIN;
    conn->fd.ready = ready;
    conn->timer.fire = fire;
    conn->since = now;
    conn->stalled = YL_NEVER;
    yl_list_init(&conn->dirty);
    yl_list_init(&conn->chore.node);
    conn->chore.run = run_chore;
    yl_transport_init(&conn->transport, &home->buffers, fd,
                      tls ? yl_tls_accept(home->shared->tls) : NULL);
    yl_transport_set_options(fd);
    yl_arena_init(&conn->arena);
    yl_charge_init(&conn->charge, home->shared->budget, &conn->account);
    conn->stranger_share = yl_budget_peer(home->shared->budget, address);
    yl_charge_move(&conn->charge, yl_share_ref(conn->stranger_share));
    conn->peer.identity = identity;
    conn->peer.tls = tls;
    set_address(conn, address);
    yl_list_push_back(&home->conns, &conn->node);
    if (yl_loop_add(home->loop, &conn->fd, NULL) < 0) {
        conn->fd.ready = NULL;
        yl_conn_kill(conn);
        return;
    }
    yl_conn_check_at(conn, now + home->shared->opts.head_timeout);
    if (atomic_load(&home->shared->draining)) {
        yl_conn_kill(conn);
    }
}

void
yl_conn_touch(struct yl_conn *conn)
{
    if (yl_list_is_empty(&conn->dirty)) {
        yl_list_push_back(&conn->home->dirty, &conn->dirty);
    }
}

void
yl_conn_defer(struct yl_conn *conn)
{
    yl_loop_defer(conn->home->loop, &conn->chore);
}

void
yl_conn_flush(struct yl_conn *conn)
{
    bool more = true;

    yl_loop_chore_cancel(&conn->chore);
    for (int i = 0; i < MAX_ROUNDS && more; i++) {
        more = conn->state == YL_CONN_OPEN && conn->protocol
               && conn->protocol->produce(conn);
        if (conn->state == YL_CONN_DEAD || !write_out(conn)) {
            conn_free(conn);
            return;
        }
        more = more && !yl_transport_backlog(&conn->transport);
    }
    if (more) {
        yl_conn_defer(conn);
    }
    settle(conn);
}

void
yl_conn_close(struct yl_conn *conn, bool linger)
{
    if (conn->state == YL_CONN_OPEN) {
        conn->state = YL_CONN_CLOSING;
        conn->linger = linger;
        yl_conn_touch(conn);
    }
}

void
yl_conn_kill(struct yl_conn *conn)
{
    conn->state = YL_CONN_DEAD;
    yl_conn_touch(conn);
}

void
yl_conn_listen(struct yl_conn *conn, bool listen)
{
    /* If nothing changes, settle() at the end of the turn sets the events. */
    if (conn->deaf == listen) {
        conn->deaf = !listen;
        update_events(conn);
    }
}

void
yl_conn_check_at(struct yl_conn *conn, yl_msec when)
{
    if (!yl_loop_timer_is_armed(&conn->timer) || conn->timer.node.at > when) {
        yl_loop_timer_arm(conn->home->loop, &conn->timer, when);
    }
}

struct yl_buf *
yl_conn_out(struct yl_conn *conn)
{
    return yl_transport_out(&conn->transport);
}

size_t
yl_conn_room(const struct yl_conn *conn)
{
    size_t used = yl_transport_backlog(&conn->transport);

    return used < YL_HTTP_PIECE ? YL_HTTP_PIECE - used : 0;
}

bool
yl_conn_may_pull(struct yl_conn *conn, const struct yl_charge *charge)
{
    if (YL_LIKELY(!yl_charge_excess(charge))) {
        return true;
    }
    conn->paused = true;
    yl_conn_check_at(conn, yl_loop_now(conn->home->loop) + PAUSE);
    return false;
}

const struct yl_http_peer *
yl_conn_peer(struct yl_conn *conn)
{
    if (conn->not_after > 0) {
        const char *refused = yl_tls_recheck(conn->transport.tls,
                                             conn->home->shared->tls);

        if (refused) {
            conn->stranger.refused = refused;
            conn->not_after = -1;
        }
    }
    return conn->not_after && (int64_t) time(NULL) > conn->not_after
           ? &conn->stranger : &conn->peer;
}

static void
ready(struct yl_loop_fd *fd, uint32_t events)
{
    struct yl_conn *conn = YL_CONTAINER_OF(fd, struct yl_conn, fd);

    if (conn->state == YL_CONN_DEAD) {
        return;
    }
    if (events & EPOLLIN) {
        receive(conn);
    } else if (events & (EPOLLERR | EPOLLHUP)) {
        yl_conn_kill(conn);
    }
    if (events & EPOLLOUT) {
        yl_conn_touch(conn);
    }
}

static void
run_chore(struct yl_loop_chore *chore)
{
    yl_conn_flush(YL_CONTAINER_OF(chore, struct yl_conn, chore));
}

static void
receive(struct yl_conn *conn)
{
    struct yl_str bytes;
    enum yl_transport_result result = yl_transport_receive(&conn->transport,
                                                           &bytes);

    /* If the connection is not open, the bytes are dropped. */
    if (conn->state == YL_CONN_OPEN) {
        if (conn->transport.tls) {
            yl_conn_touch(conn);
        }
        take(conn, bytes);
    }
    if (result == YL_TRANSPORT_EOF) {
        reached_eof(conn);
    } else if (result == YL_TRANSPORT_FAILED) {
        yl_conn_close(conn, true);
    } else if (result == YL_TRANSPORT_BROKEN) {
        yl_conn_kill(conn);
    }
}

static void
take(struct yl_conn *conn, struct yl_str bytes)
{
    if (!conn->protocol) {
        if (!conn->transport.tls) {
            sniff(conn, bytes);
        } else if (yl_transport_is_open(&conn->transport)) {
            set_peer(conn);
            if (!bytes.size) {
                acknowledge(conn->fd.fd);
            }
            if (yl_tls_is_h2(conn->transport.tls)) {
                yl_conn_http2_begin(conn);
            } else {
                yl_conn_http1_begin(conn);
            }
        }
    }
    if (conn->protocol && bytes.size) {
        conn->protocol->input(conn, bytes);
    }
}

/* Checks whether a connection without TLS begins like HTTP/2; no method of
 * HTTP/1.1 does.  Passes on the bytes that it had to keep for that. */
static void
sniff(struct yl_conn *conn, struct yl_str bytes)
{
    static const char preface[] = "PRI";
    char *sniffed = conn->sniffed;
    size_t n_old = conn->n_sniffed;

    while (conn->n_sniffed < sizeof preface - 1
           && conn->n_sniffed - n_old < bytes.size
           && (!conn->n_sniffed
               || sniffed[conn->n_sniffed - 1]
                  == preface[conn->n_sniffed - 1])) {
        sniffed[conn->n_sniffed] = bytes.data[conn->n_sniffed - n_old];
        conn->n_sniffed++;
    }
    if (memcmp(sniffed, preface, conn->n_sniffed) != 0) {
        yl_conn_http1_begin(conn);
    } else if (conn->n_sniffed == sizeof preface - 1) {
        yl_conn_http2_begin(conn);
    } else {
        return;
    }
    if (n_old) {
        conn->protocol->input(conn, yl_str_n(sniffed, n_old));
    }
}

static void
reached_eof(struct yl_conn *conn)
{
    conn->eof = true;
    update_events(conn);
    if (conn->state == YL_CONN_OPEN && conn->protocol) {
        conn->protocol->eof(conn);
    } else if (conn->state != YL_CONN_CLOSING) {
        yl_conn_kill(conn);
    }
}

/* Returns false if the connection is to be closed. */
static bool
write_out(struct yl_conn *conn)
{
    if (conn->state == YL_CONN_CLOSING) {
        yl_transport_close(&conn->transport);
    }
    if (!yl_transport_flush(&conn->transport)) {
        return false;
    }
    if (!yl_transport_backlog(&conn->transport)) {
        all_sent(conn);
    }
    return conn->state != YL_CONN_DEAD;
}

static void
all_sent(struct yl_conn *conn)
{
    conn->stalled = YL_NEVER;
    if (conn->state != YL_CONN_CLOSING) {
        return;
    }
    if (!conn->linger || conn->eof) {
        conn->state = YL_CONN_DEAD;
        return;
    }
    shutdown(conn->fd.fd, SHUT_WR);
    conn->state = YL_CONN_LINGERING;
    conn->since = yl_loop_now(conn->home->loop);
    conn->deaf = false;
    yl_conn_check_at(conn, conn->since + LINGER);
}

/* Updates timers, events and the budget after a flush. */
static void
settle(struct yl_conn *conn)
{
    struct yl_home *home = conn->home;
    size_t held = yl_transport_held(&conn->transport) + conn->kept;

    if (yl_transport_backlog(&conn->transport)
        && conn->stalled == YL_NEVER) {
        conn->stalled = yl_loop_now(home->loop);
        conn->n_taken = yl_transport_taken(&conn->transport);
        yl_conn_check_at(conn, conn->stalled
                               + home->shared->opts.write_timeout);
    }
    if (held > conn->charge.size) {
        yl_charge_force(&conn->charge, held - conn->charge.size);
    } else {
        yl_charge_drop(&conn->charge, conn->charge.size - held);
    }

    /* What is unsent is charged whatever there is left.  A stranger who does
     * not read it must not take more than strangers may hold. */
    if (yl_transport_backlog(&conn->transport)
        && conn->charge.owner == conn->stranger_share
        && yl_charge_excess(&conn->charge)) {
        yl_conn_kill(conn);
    }
    update_events(conn);
}

static void
update_events(struct yl_conn *conn)
{
    uint32_t events = (conn->eof || conn->deaf ? 0 : EPOLLIN)
                      | (yl_transport_is_blocked(&conn->transport)
                         ? EPOLLOUT : 0);

    if (conn->state != YL_CONN_DEAD) {
        yl_loop_change(conn->home->loop, &conn->fd, events);
    }
}

/* Called by the timer: something may be overdue. */
static void
fire(struct yl_loop_timer *timer)
{
    struct yl_conn *conn = YL_CONTAINER_OF(timer, struct yl_conn, timer);
    const struct yl_http_server_opts *opts = &conn->home->shared->opts;
    yl_msec now = yl_loop_now(conn->home->loop);
    yl_msec next = YL_NEVER;
    yl_msec when = YL_NEVER;

    if (conn->state == YL_CONN_LINGERING) {
        next = conn->since + LINGER;
    } else if (!conn->protocol) {
        next = conn->since + (conn->transport.tls || conn->n_sniffed
                              ? opts->head_timeout : opts->idle_timeout);
    }
    if (next <= now) {
        yl_conn_kill(conn);
        return;
    }
    if (conn->paused) {
        conn->paused = false;
        yl_conn_touch(conn);
    }
    if (conn->stalled != YL_NEVER) {
        if (conn->stalled + opts->write_timeout <= now) {
            int64_t n_taken = yl_transport_taken(&conn->transport);

            if (n_taken - conn->n_taken < YL_MIN_PROGRESS) {
                yl_conn_kill(conn);
                return;
            }
            conn->stalled = now;
            conn->n_taken = n_taken;
        }
        when = conn->stalled + opts->write_timeout;
        next = when < next ? when : next;
    }
    if (conn->protocol && conn->state == YL_CONN_OPEN) {
        when = conn->protocol->check(conn, now);
        next = when < next ? when : next;
    }
    if (next != YL_NEVER) {
        yl_conn_check_at(conn, next);
    }
}

static void
conn_free(struct yl_conn *conn)
{
    struct yl_home *home = conn->home;
    struct yl_conn_shared *shared = home->shared;

    conn->state = YL_CONN_DEAD;
    if (conn->protocol) {
        conn->protocol->free(conn);
    }
    yl_loop_timer_cancel(home->loop, &conn->timer);
    if (conn->fd.ready) {
        yl_loop_remove(home->loop, &conn->fd);
    }
    yl_transport_release(&conn->transport);
    yl_charge_clear(&conn->charge);
    yl_share_unref(conn->stranger_share);
    yl_arena_release(&conn->arena);
    yl_list_remove(&conn->node);
    yl_list_remove(&conn->dirty);
    yl_loop_chore_cancel(&conn->chore);
    free(conn);
    atomic_fetch_sub(&home->n_conns, 1);
    if (atomic_fetch_sub(&shared->n_conns, 1) == 1) {
        shared->gone(shared);
    }
}

static void
set_address(struct yl_conn *conn, const struct sockaddr *address)
{
    char *text = conn->address;
    size_t size = sizeof conn->address;

    if (address && address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *) address;

        inet_ntop(AF_INET, &in->sin_addr, text, (socklen_t) size);
        conn->peer.port = ntohs(in->sin_port);
    } else if (address && address->sa_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const void *) address;

        inet_ntop(AF_INET6, &in6->sin6_addr, text, (socklen_t) size);
        conn->peer.port = ntohs(in6->sin6_port);
    } else {
        snprintf(text, size, "127.0.0.1");
    }
    conn->peer.address = yl_str_c(text);
    if (yl_str_starts_with(conn->peer.address, YL_STR("::ffff:"))) {
        conn->peer.address = yl_str_skip(conn->peer.address, 7);
    }
    conn->stranger = conn->peer;
}

/* Acknowledges the client's bytes now.  There is no answer to the end of a
 * handshake that could carry the acknowledgement, and the kernel would delay
 * it for 40 ms: as long as Nagle's algorithm holds back the first request of a
 * client that has not turned it off. */
static void
acknowledge(int fd)
{
    int one = 1;

    setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
}

/* Sets the peer from the client's certificate. */
static void
set_peer(struct yl_conn *conn)
{
    struct yl_tls_peer peer;

    yl_tls_peer(conn->transport.tls, &conn->arena, &peer);
    conn->peer.common_name = peer.common_name;
    conn->peer.organizations = peer.organizations;
    conn->peer.n_organizations = peer.n_organizations;
    conn->peer.fingerprint = peer.fingerprint;
    conn->peer.refused = peer.refused;
    conn->not_after = peer.not_after;
    conn->stranger.refused = "certificate has expired";
}
