#ifndef TESTS_PROXY_RIG_H
#define TESTS_PROXY_RIG_H 1

/* A proxy with a thread of its own, for tests of HTTP clients.  It accepts one
 * connection, with TLS or without, answers what it is asked without looking at
 * it, and passes bytes on to a certain port of 127.0.0.1.
 *
 *     proxy_start(PROXY_HTTPS, port);
 *     ... connect through 127.0.0.1 and proxy.port ...
 *     ... close that connection ...
 *     proxy_join();
 *     -- proxy.asked is what it was asked
 */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "base/thread.h"
#include "client_rig.h"
#include "net/dial.h"
#include "net/transport.h"

enum proxy_how { PROXY_HTTP, PROXY_HTTPS, PROXY_SOCKS };

static struct near_proxy {
    enum proxy_how how;
    int listener;
    uint16_t port, target;
    struct yl_thread thread;
    struct yl_tls_server *tls;
    struct yl_buf asked;
} proxy;

/* Whether all of the next request, which begins at 'start', has come, to which
 * the answer is '*ret_answer'. */
static inline bool
proxy_is_asked(int step, size_t start, struct yl_str *ret_answer)
{
    size_t n = proxy.asked.size - start;

    if (proxy.how != PROXY_SOCKS) {
        *ret_answer = YL_STR("HTTP/1.1 200 OK\r\n\r\n");
        return strstr(yl_buf_c_str(&proxy.asked), "\r\n\r\n") != NULL;
    }
    *ret_answer = step == 0 ? YL_STR("\5\0") : YL_STR("\5\0\0\1\0\0\0\0\0\0");
    return n >= (step == 0 ? 3 : 10);
}

/* Passes bytes on until either side closes. */
static inline void
proxy_pass(struct yl_transport *client, int server)
{
    struct yl_buf to_server;
    bool open = true;

    yl_buf_init(&to_server, 64 << 20);
    while (open) {
        struct pollfd fds[2] = {
            { .fd = client->fd,
              .events = POLLIN | (yl_transport_is_blocked(client) ? POLLOUT
                                  : 0) },
            { .fd = server,
              .events = POLLIN | (to_server.size ? POLLOUT : 0) },
        };
        struct yl_str bytes = YL_STR("");
        char piece[16384];
        ssize_t n;

        poll(fds, 2, -1);
        if (fds[0].revents & ~POLLOUT) {
            open = yl_transport_receive(client, &bytes) == YL_TRANSPORT_OK;
            yl_buf_append_str(&to_server, bytes);
        }
        if (to_server.size) {
            n = send(server, to_server.data, to_server.size,
                     MSG_NOSIGNAL | MSG_DONTWAIT);
            yl_buf_consume(&to_server, n > 0 ? (size_t) n : 0);
        }
        if (fds[1].revents & ~POLLOUT) {
            n = recv(server, piece, sizeof piece, MSG_DONTWAIT);
            open = open && n > 0;
            yl_buf_append(yl_transport_out(client), piece,
                          n > 0 ? (size_t) n : 0);
        }
        open = yl_transport_flush(client) && open;
    }
    yl_buf_release(&to_server);
}

static inline void
proxy_run(void *aux YL_UNUSED)
{
    int fd = accept(proxy.listener, NULL, NULL);
    struct yl_transport client;
    struct yl_buffers buffers;
    struct yl_str bytes, answer;
    size_t start = 0;
    int step = 0;
    int server;

    yl_buffers_init(&buffers);
    yl_transport_init(&client, &buffers, fd,
                      proxy.tls ? yl_tls_accept(proxy.tls) : NULL);
    while (step < (proxy.how == PROXY_SOCKS ? 2 : 1)) {
        struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

        poll(&poll_fd, 1, -1);
        if (yl_transport_receive(&client, &bytes) != YL_TRANSPORT_OK) {
            break;
        }
        yl_buf_append_str(&proxy.asked, bytes);
        if (proxy_is_asked(step, start, &answer)) {
            yl_buf_append_str(yl_transport_out(&client), answer);
            start = proxy.asked.size;
            step++;
        }
        yl_transport_flush(&client);
    }
    if (yl_dial("127.0.0.1", proxy.target, YL_NEVER, NULL, &server, NULL)
        == 0) {
        proxy_pass(&client, server);
        close(server);
    }
    yl_transport_release(&client);
    yl_buffers_release(&buffers);
}

static inline void
proxy_start(enum proxy_how how, uint16_t target)
{
    struct sockaddr_in in = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    struct yl_tls_files files = { far.cert_path, far.key_path, NULL };
    socklen_t size = sizeof in;

    memset(&proxy, 0, sizeof proxy);
    proxy.how = how;
    proxy.target = target;
    yl_buf_init(&proxy.asked, 1 << 20);
    if (how == PROXY_HTTPS) {
        assert_int_equal(yl_tls_server_new(&files, &proxy.tls, NULL), 0);
    }
    proxy.listener = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(proxy.listener, (struct sockaddr *) &in, size), 0);
    assert_int_equal(listen(proxy.listener, 1), 0);
    assert_int_equal(getsockname(proxy.listener, (struct sockaddr *) &in,
                                 &size), 0);
    proxy.port = ntohs(in.sin_port);
    assert_int_equal(yl_thread_start(&proxy.thread, "proxy", proxy_run, NULL),
                     0);
}

static inline void
proxy_join(void)
{
    yl_thread_join(&proxy.thread);
    close(proxy.listener);
    yl_tls_server_free(proxy.tls);
}

#endif /* tests/proxy_rig.h */
