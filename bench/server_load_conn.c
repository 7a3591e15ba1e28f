/* A client's connection.  See bench/server_load_conn.h.
 *
 * One thread reads a thousand watches, so an event waits in its socket until
 * the thread gets to it.  That time belongs to the client, not to the server.
 * So the time of arrival is taken from the kernel's timestamps, which only
 * recvmsg() returns. */

#include "server_load_conn.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int bio_read(BIO *, char *bytes, int size);
static int bio_write(BIO *, const char *bytes, int size);
static long bio_ctrl(BIO *, int command, long, void *);
static void take(struct load_conn *, void *aux, const char *data, size_t size);

static void
die(const char *what)
{
    fprintf(stderr, "server_load: %s (%s)\n", what, strerror(errno));
    exit(1);
}

void
load_target_prepare(struct load_target *target)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    BIO_METHOD *method = BIO_meth_new(BIO_TYPE_SOURCE_SINK, "server_load");

    if (!tls || !method || !BIO_meth_set_read(method, bio_read)
        || !BIO_meth_set_write(method, bio_write)
        || !BIO_meth_set_ctrl(method, bio_ctrl)) {
        die("no TLS");
    }
    target->bio_method = method;
    SSL_CTX_set_verify(tls, SSL_VERIFY_NONE, NULL);
    SSL_CTX_set_read_ahead(tls, 1);
    SSL_CTX_set_default_read_buffer_len(tls, 64 * 1024);
    target->tls = tls;
}

void
load_conn_open(struct load_conn *conn, const struct load_target *target)
{
    static const unsigned char alpn[] = "\x08http/1.1";
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((uint16_t) target->port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int one = 1;
    BIO *bio;

    conn->target = target;
    conn->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (conn->fd < 0
        || connect(conn->fd, (struct sockaddr *) &address, sizeof address)) {
        die("cannot connect");
    }
    setsockopt(conn->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (target->stamped) {
        setsockopt(conn->fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof one);
    }
    conn->ssl = SSL_new(target->tls);
    bio = BIO_new(target->bio_method);
    BIO_set_data(bio, conn);
    BIO_set_init(bio, 1);
    SSL_set_bio(conn->ssl, bio, bio);
    SSL_set_alpn_protos(conn->ssl, alpn, sizeof alpn - 1);
    if (SSL_connect(conn->ssl) != 1) {
        die("the handshake failed");
    }
    fcntl(conn->fd, F_SETFL, fcntl(conn->fd, F_GETFL) | O_NONBLOCK);
}

void
load_conn_send(struct load_conn *conn, const char *method, const char *path,
               const char *body, size_t body_size)
{
    char request[16384];
    int n = snprintf(request, sizeof request,
                     "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                     "Authorization: Bearer %s\r\nAccept: application/json\r\n"
                     "User-Agent: server_load\r\n",
                     method, path, conn->target->token);

    if (body) {
        n += snprintf(request + n, sizeof request - (size_t) n,
                      "Content-Type: application/%s\r\n"
                      "Content-Length: %zu\r\n\r\n",
                      strcmp(method, "PATCH") ? "json" : "apply-patch+yaml",
                      body_size);
    } else {
        n += snprintf(request + n, sizeof request - (size_t) n, "\r\n");
    }
    if (body_size > sizeof request - (size_t) n) {
        die("the object is too large");
    }
    if (body_size) {
        memcpy(request + n, body, body_size);
    }
    conn->complete = false;
    /* There is one request at a time, so the socket's buffer is empty and this
     * does not block. */
    if (SSL_write(conn->ssl, request, n + (int) body_size) <= 0) {
        die("cannot write");
    }
}

void
load_conn_read(struct load_conn *conn, void *aux)
{
    static char buffer[64 * 1024];

    /* Read everything that OpenSSL holds; epoll reports only what comes
     * later. */
    do {
        int n = SSL_read(conn->ssl, buffer, sizeof buffer);

        if (n > 0) {
            take(conn, aux, buffer, (size_t) n);
        } else if (SSL_get_error(conn->ssl, n) == SSL_ERROR_WANT_READ) {
            return;
        } else {
            die("the server has closed a connection");
        }
    } while (SSL_has_pending(conn->ssl));
}

static void
wait_readable(struct load_conn *conn, void *aux)
{
    struct pollfd p = { .fd = conn->fd, .events = POLLIN };

    if (poll(&p, 1, 60000) <= 0) {
        die("the server does not answer");
    }
    load_conn_read(conn, aux);
}

void
load_conn_wait_head(struct load_conn *conn, void *aux)
{
    while (!conn->has_head) {
        wait_readable(conn, aux);
    }
    if (conn->status != 200) {
        fprintf(stderr, "server_load: a watch got status %d\n", conn->status);
        exit(1);
    }
}

/* In some servers the list's own revision comes first, in others last; it is
 * always the highest. */
static void
find_revision(void *aux, struct load_conn *conn, const char *data, size_t size)
{
    static const char name[] = "\"resourceVersion\":\"";
    const char *p = data, *end = data + size;

    (void) aux;
    while ((p = memmem(p, (size_t) (end - p), name, sizeof name - 1))) {
        uint64_t revision = strtoull(p + sizeof name - 1, NULL, 10);

        if (revision > conn->revision) {
            conn->revision = revision;
        }
        p += sizeof name - 1;
    }
}

size_t
load_conn_get(struct load_conn *conn, const char *path)
{
    conn->n_bytes = 0;
    load_conn_send(conn, "GET", path, NULL, 0);
    while (!conn->complete) {
        wait_readable(conn, NULL);
    }
    if (conn->status != 200) {
        fprintf(stderr, "server_load: %s got status %d\n", path,
                conn->status);
        exit(1);
    }
    return conn->n_bytes;
}

uint64_t
load_conn_get_revision(struct load_conn *conn, const char *path)
{
    conn->revision = 0;
    conn->on_data = find_revision;
    load_conn_get(conn, path);
    conn->on_data = NULL;
    return conn->revision;
}

static void
finish(struct load_conn *conn, void *aux)
{
    conn->state = LOAD_HEAD;
    conn->complete = true;
    conn->has_head = false;
    if (conn->on_answer) {
        conn->on_answer(aux, conn, conn->status);
    }
}

/* Handles a line of the head, or a line with a chunk's size. */
static void
take_line(struct load_conn *conn, void *aux)
{
    const char *line = conn->line;

    switch (conn->state) {
    case LOAD_HEAD:
        if (!strncmp(line, "HTTP/1.1 ", 9)) {
            conn->status = (int) strtol(line + 9, NULL, 10);
            conn->left = 0;
            conn->chunked = false;
        } else if (!strncasecmp(line, "content-length:", 15)) {
            conn->left = strtoul(line + 15, NULL, 10);
        } else if (!strncasecmp(line, "transfer-encoding:", 18)) {
            conn->chunked = true;
        } else if (!*line) {
            conn->has_head = true;
            conn->state = conn->chunked ? LOAD_CHUNK_SIZE : LOAD_BODY;
            if (!conn->chunked && !conn->left) {
                finish(conn, aux);
            }
        }
        break;

    case LOAD_CHUNK_SIZE:
        conn->left = strtoul(line, NULL, 16);
        conn->state = conn->left ? LOAD_CHUNK : LOAD_CHUNK_END;
        conn->complete = !conn->left;
        break;

    case LOAD_CHUNK_END:
        if (conn->complete) {
            finish(conn, aux);
        } else {
            conn->state = LOAD_CHUNK_SIZE;
        }
        break;

    default:
        break;
    }
}

/* Keeps the time when the last of the bytes arrived. */
static void
keep_stamp(struct load_conn *conn, struct msghdr *message)
{
    struct cmsghdr *c;

    for (c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec t;

            memcpy(&t, CMSG_DATA(c), sizeof t);
            conn->arrived = (uint64_t) t.tv_sec * 1000000000u
                            + (uint64_t) t.tv_nsec;
        }
    }
}

static int
bio_read(BIO *bio, char *bytes, int size)
{
    struct load_conn *conn = BIO_get_data(bio);
    char control[128];
    struct iovec piece = { .iov_base = bytes, .iov_len = (size_t) size };
    struct msghdr message = {
        .msg_iov = &piece,
        .msg_iovlen = 1,
        .msg_control = control,
        .msg_controllen = conn->target->stamped ? sizeof control : 0,
    };
    ssize_t n = recvmsg(conn->fd, &message, 0);

    BIO_clear_retry_flags(bio);
    if (n > 0) {
        keep_stamp(conn, &message);
    } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        BIO_set_retry_read(bio);
    }
    return (int) n;
}

static int
bio_write(BIO *bio, const char *bytes, int size)
{
    struct load_conn *conn = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    return (int) send(conn->fd, bytes, (size_t) size, MSG_NOSIGNAL);
}

static long
bio_ctrl(BIO *bio, int command, long number, void *pointer)
{
    (void) bio, (void) number, (void) pointer;
    return command == BIO_CTRL_FLUSH;
}

static void
take(struct load_conn *conn, void *aux, const char *data, size_t size)
{
    while (size) {
        size_t n;

        if (conn->state == LOAD_BODY || conn->state == LOAD_CHUNK) {
            n = conn->left < size ? conn->left : size;
            conn->left -= n;
            conn->n_bytes += n;
            if (conn->on_data) {
                conn->on_data(aux, conn, data, n);
            }
            if (!conn->left) {
                if (conn->state == LOAD_BODY) {
                    finish(conn, aux);
                } else {
                    conn->state = LOAD_CHUNK_END;
                }
            }
        } else {
            const char *end = memchr(data, '\n', size);

            n = end ? (size_t) (end + 1 - data) : size;
            if (conn->line_size + n >= sizeof conn->line) {
                die("a line is too long");
            }
            memcpy(conn->line + conn->line_size, data, n);
            conn->line_size += n;
            if (end) {
                size_t length = conn->line_size - 1;

                if (length && conn->line[length - 1] == '\r') {
                    length--;
                }
                conn->line[length] = '\0';
                conn->line_size = 0;
                take_line(conn, aux);
            }
        }
        data += n;
        size -= n;
    }
}
