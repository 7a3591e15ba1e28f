/* Transport.  See net/transport.h for the contract. */

#include "net/transport.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "net/tls.h"

/* The size of one read of a socket. */
#define RECEIVE ((size_t) 64 << 10)

/* The most that one read can decrypt to: its bytes, and a record that was
 * incomplete. */
#define PLAIN_CEILING (2 * RECEIVE + 32768)

/* Spare buffers above this size are not kept. */
#define MAX_SPARE ((size_t) 256 << 10)

/* When this many bytes are sent, the rest is moved to the front. */
#define MANY ((size_t) 64 << 10)

static enum yl_transport_result unwrap(struct yl_tunnel *,
                                       struct yl_str *bytes);
static enum yl_transport_result decrypt(struct yl_transport *,
                                        struct yl_str *bytes);
static enum yl_transport_result result_of(enum yl_tls_result);
static bool encrypt(struct yl_transport *);
static bool wrap(struct yl_transport *);

void
yl_buffers_init(struct yl_buffers *buffers)
{
    memset(buffers, 0, sizeof *buffers);
    buffers->received = yl_malloc(RECEIVE);
    yl_buf_init(&buffers->plain, PLAIN_CEILING);
}

void
yl_buffers_release(struct yl_buffers *buffers)
{
    while (buffers->n_spares) {
        yl_buf_release(&buffers->spares[--buffers->n_spares]);
    }
    yl_buf_release(&buffers->plain);
    free(buffers->received);
    buffers->received = NULL;
}

struct yl_buf *
yl_buffers_borrow(struct yl_buffers *buffers, struct yl_buf *buf)
{
    if (!buf->data && buffers->n_spares) {
        *buf = buffers->spares[--buffers->n_spares];
    }
    return buf;
}

void
yl_buffers_give_back(struct yl_buffers *buffers, struct yl_buf *buf)
{
    if (!buf->data) {
        return;
    }
    if (buf->capacity > MAX_SPARE || buffers->n_spares == YL_MAX_SPARES) {
        yl_buf_release(buf);
    } else {
        yl_buf_clear(buf);
        buffers->spares[buffers->n_spares++] = *buf;
        yl_buf_init(buf, YL_OUT_CEILING);
    }
}

void
yl_transport_init(struct yl_transport *t, struct yl_buffers *buffers, int fd,
                  struct yl_tls *tls)
{
    memset(t, 0, sizeof *t);
    t->fd = fd;
    t->buffers = buffers;
    t->tls = tls;
    yl_buf_init(&t->out, YL_OUT_CEILING);
    yl_buf_init(&t->wire, YL_OUT_CEILING);
}

void
yl_transport_release(struct yl_transport *t)
{
    struct yl_tls *tls;
    int fd;

    yl_transport_detach(t, &fd, &tls);
    close(fd);
    yl_tls_free(tls);
}

void
yl_transport_set_tunnel(struct yl_transport *t, struct yl_tls *tls)
{
    t->tunnel = yl_zalloc(sizeof *t->tunnel);
    t->tunnel->tls = tls;
    yl_buf_init(&t->tunnel->plain, PLAIN_CEILING);
    yl_buf_init(&t->tunnel->wire, YL_OUT_CEILING);
}

void
yl_transport_detach(struct yl_transport *t, int *ret_fd,
                    struct yl_tls **ret_tls)
{
    *ret_fd = t->fd;
    *ret_tls = t->tls;
    yl_buffers_give_back(t->buffers, &t->out);
    yl_buffers_give_back(t->buffers, &t->wire);
    if (t->tunnel) {
        yl_tls_free(t->tunnel->tls);
        yl_buf_release(&t->tunnel->plain);
        yl_buf_release(&t->tunnel->wire);
        free(t->tunnel);
        t->tunnel = NULL;
    }
}

void
yl_transport_begin(struct yl_transport *t)
{
    if (t->tls) {
        yl_buf_clear(&t->buffers->plain);
        yl_tls_receive(t->tls, YL_STR(""), &t->buffers->plain,
                       yl_buffers_borrow(t->buffers, &t->wire));
    }
}

bool
yl_transport_is_open(const struct yl_transport *t)
{
    return !t->tls || yl_tls_is_open(t->tls);
}

enum yl_transport_result
yl_transport_receive(struct yl_transport *t, struct yl_str *ret_bytes)
{
    struct yl_buffers *buffers = t->buffers;
    ssize_t n = recv(t->fd, buffers->received, RECEIVE, MSG_DONTWAIT);
    enum yl_transport_result outer = YL_TRANSPORT_OK;
    enum yl_transport_result inner = YL_TRANSPORT_OK;

    *ret_bytes = YL_STR("");
    if (n < 0) {
        return errno == EAGAIN || errno == EINTR ? YL_TRANSPORT_OK
               : YL_TRANSPORT_BROKEN;
    } else if (n == 0) {
        return YL_TRANSPORT_EOF;
    }
    *ret_bytes = yl_str_n(buffers->received, (size_t) n);
    if (t->tunnel) {
        outer = unwrap(t->tunnel, ret_bytes);
    }
    if (t->tls) {
        inner = decrypt(t, ret_bytes);
    }
    return inner != YL_TRANSPORT_OK ? inner : outer;
}

struct yl_buf *
yl_transport_out(struct yl_transport *t)
{
    return yl_buffers_borrow(t->buffers, &t->out);
}

bool
yl_transport_flush(struct yl_transport *t)
{
    struct yl_buf *buf = t->tunnel ? &t->tunnel->wire
                         : t->tls ? &t->wire : &t->out;

    if ((t->tls && !encrypt(t)) || (t->tunnel && !wrap(t))) {
        return false;
    }
    while (t->sent < buf->size) {
        ssize_t n = send(t->fd, buf->data + t->sent, buf->size - t->sent,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        if (n > 0) {
            t->sent += (size_t) n;
            t->n_sent += n;
        } else if (n < 0 && errno == EAGAIN) {
            break;
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
    }
    if (t->sent == buf->size) {
        t->sent = 0;
        yl_buffers_give_back(t->buffers, buf);
    } else if (t->sent > MANY && t->sent > buf->size / 2) {
        yl_buf_consume(buf, t->sent);
        t->sent = 0;
    }
    return true;
}

void
yl_transport_close(struct yl_transport *t)
{
    if (t->tls && encrypt(t)) {
        yl_tls_close(t->tls, yl_buffers_borrow(t->buffers, &t->wire));
    }
}

int64_t
yl_transport_taken(const struct yl_transport *t)
{
    int queued = 0;

    ioctl(t->fd, SIOCOUTQ, &queued);
    return t->n_sent - queued;
}

void
yl_transport_set_options(int fd)
{
    static const struct {
        int level, name, value;
    } options[] = {
        { IPPROTO_TCP, TCP_NODELAY, 1 },
        { SOL_SOCKET, SO_KEEPALIVE, 1 },
        { IPPROTO_TCP, TCP_KEEPIDLE, 30 },
        { IPPROTO_TCP, TCP_KEEPINTVL, 15 },
        { IPPROTO_TCP, TCP_KEEPCNT, 4 },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(options); i++) {
        setsockopt(fd, options[i].level, options[i].name, &options[i].value,
                   sizeof options[i].value);
    }
}

/* What came through the tunnel. */
static enum yl_transport_result
unwrap(struct yl_tunnel *tunnel, struct yl_str *bytes)
{
    enum yl_tls_result result;

    yl_buf_clear(&tunnel->plain);
    result = yl_tls_receive(tunnel->tls, *bytes, &tunnel->plain,
                            &tunnel->wire);
    *bytes = yl_buf_str(&tunnel->plain);
    return result_of(result);
}

static enum yl_transport_result
decrypt(struct yl_transport *t, struct yl_str *bytes)
{
    struct yl_buffers *buffers = t->buffers;
    enum yl_tls_result result;

    yl_buf_clear(&buffers->plain);
    result = yl_tls_receive(t->tls, *bytes, &buffers->plain,
                            yl_buffers_borrow(buffers, &t->wire));
    if (!t->wire.size) {
        yl_buffers_give_back(buffers, &t->wire);
    }
    *bytes = yl_buf_str(&buffers->plain);
    return result_of(result);
}

static enum yl_transport_result
result_of(enum yl_tls_result result)
{
    return result == YL_TLS_OK ? YL_TRANSPORT_OK
           : result == YL_TLS_CLOSED ? YL_TRANSPORT_EOF : YL_TRANSPORT_FAILED;
}

/* Encrypts 'out' to 'wire', if the handshake is over: true, or false if TLS
 * has failed. */
static bool
encrypt(struct yl_transport *t)
{
    if (t->out.size && !yl_tls_is_open(t->tls)) {
        return true;
    }
    if (t->out.size
        && yl_tls_send(t->tls, yl_buf_str(&t->out),
                       yl_buffers_borrow(t->buffers, &t->wire))
           != YL_TLS_OK) {
        return false;
    }
    yl_buffers_give_back(t->buffers, &t->out);
    return true;
}

/* The same for the tunnel, into which everything goes that would go to the
 * socket. */
static bool
wrap(struct yl_transport *t)
{
    struct yl_buf *buf = t->tls ? &t->wire : &t->out;

    if (buf->size && yl_tls_send(t->tunnel->tls, yl_buf_str(buf),
                                 &t->tunnel->wire) != YL_TLS_OK) {
        return false;
    }
    yl_buffers_give_back(t->buffers, buf);
    return true;
}
