/* Listener.  See net/server_listener.h for the contract. */

#include "net/server_listener.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "yuloh/error.h"

/* The pause before the next accept when no descriptors are left. */
#define PAUSE 100

/* Connections accepted in one turn of the loop. */
#define MAX_ACCEPTS 64

static int resolve(const char *address, bool loopback,
                   struct addrinfo **ret_info, struct yl_error *err);
static bool is_loopback(const struct sockaddr *);
static bool open_first(struct yl_listener *, const struct addrinfo *,
                       int family);
static int bind_to(struct yl_listener *, const struct addrinfo *);
static void accept_some(struct yl_loop_fd *, uint32_t events);
static void accept_again(struct yl_loop_timer *);

void
yl_listener_init(struct yl_listener *listener,
                 void (*accepted)(struct yl_listener *, int fd,
                                  const struct sockaddr_storage *),
                 void *aux)
{
    memset(listener, 0, sizeof *listener);
    listener->fd.fd = -1;
    listener->fd.events = EPOLLIN;
    listener->fd.ready = accept_some;
    listener->resume.fire = accept_again;
    listener->accepted = accepted;
    listener->aux = aux;
}

int
yl_listener_open(struct yl_listener *listener, struct yl_loop *loop,
                 const char *address, bool loopback, struct yl_error *err)
{
    struct addrinfo *info = NULL;
    int r = resolve(address, loopback, &info, err);

    if (r < 0) {
        return r;
    }
    listener->loop = loop;

    /* "::" stands for every address; "0.0.0.0", which may be resolved first,
     * does not. */
    if (!(address[0] == ':' && open_first(listener, info, AF_INET6))
        && !open_first(listener, info, AF_UNSPEC)) {
        r = yl_error_set(err, YL_EUNAVAILABLE, "cannot listen on %s: %s",
                         address, strerror(errno));
    }
    freeaddrinfo(info);
    return r;
}

void
yl_listener_close(struct yl_listener *listener)
{
    if (listener->fd.fd >= 0) {
        yl_loop_timer_cancel(listener->loop, &listener->resume);
        yl_loop_remove(listener->loop, &listener->fd);
        close(listener->fd.fd);
        listener->fd.fd = -1;
    }
}

/* Finds the addresses of "HOST:PORT", "[HOST]:PORT" or ":PORT". */
static int
resolve(const char *address, bool loopback, struct addrinfo **ret_info,
        struct yl_error *err)
{
    const struct addrinfo hints = {
        .ai_flags = AI_PASSIVE | AI_NUMERICSERV,
        .ai_family = AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
    };
    const char *colon = strrchr(address, ':');
    const char *start = address;
    struct addrinfo *info = NULL;
    const struct addrinfo *ai;
    char host[256];
    size_t n;
    int r;

    n = colon ? (size_t) (colon - address) : sizeof host;
    if (n >= 2 && start[0] == '[' && start[n - 1] == ']') {
        start++;
        n -= 2;
    }
    if (n >= sizeof host) {
        return yl_error_set(err, YL_EINVALID,
                            "address %s is not HOST:PORT", address);
    }
    memcpy(host, start, n);
    host[n] = '\0';
    r = getaddrinfo(n ? host : NULL, colon + 1, &hints, &info);
    if (r) {
        return yl_error_set(err, YL_EINVALID, "cannot find address %s: %s",
                            address, gai_strerror(r));
    }
    for (ai = info; ai && loopback; ai = ai->ai_next) {
        if (!is_loopback(ai->ai_addr)) {
            freeaddrinfo(info);
            return yl_error_set(err, YL_EINVALID,
                                "%s is not a loopback address: without TLS "
                                "only those are served", address);
        }
    }
    *ret_info = info;
    return 0;
}

static bool
is_loopback(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *in = (const void *) address;

        return ntohl(in->sin_addr.s_addr) >> 24 == 127;
    } else {
        const struct sockaddr_in6 *in6 = (const void *) address;

        return address->sa_family == AF_INET6
               && IN6_IS_ADDR_LOOPBACK(&in6->sin6_addr);
    }
}

/* Listens on the first address of 'family' on which it can. */
static bool
open_first(struct yl_listener *listener, const struct addrinfo *ai, int family)
{
    for (; ai; ai = ai->ai_next) {
        if (family != AF_UNSPEC && ai->ai_family != family) {
            continue;
        }
        if (bind_to(listener, ai) == 0) {
            return true;
        }
        if (listener->fd.fd >= 0) {
            int saved = errno;

            close(listener->fd.fd);
            listener->fd.fd = -1;
            errno = saved;
        }
    }
    return false;
}

static int
bind_to(struct yl_listener *listener, const struct addrinfo *ai)
{
    struct sockaddr_storage bound = { .ss_family = 0 };
    socklen_t size = sizeof bound;
    int one = 1;
    int zero = 0;

    listener->fd.fd = socket(ai->ai_family, ai->ai_socktype | SOCK_CLOEXEC
                             | SOCK_NONBLOCK, ai->ai_protocol);
    if (listener->fd.fd < 0) {
        return -1;
    }
    setsockopt(listener->fd.fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (ai->ai_family == AF_INET6) {
        setsockopt(listener->fd.fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero,
                   sizeof zero);
    }
    if (bind(listener->fd.fd, ai->ai_addr, ai->ai_addrlen) < 0
        || listen(listener->fd.fd, SOMAXCONN) < 0
        || getsockname(listener->fd.fd, (struct sockaddr *) &bound,
                       &size) < 0) {
        return -1;
    }
    listener->port = ntohs(bound.ss_family == AF_INET
                           ? ((struct sockaddr_in *) &bound)->sin_port
                           : ((struct sockaddr_in6 *) &bound)->sin6_port);
    return yl_loop_add(listener->loop, &listener->fd, NULL);
}

static void
accept_some(struct yl_loop_fd *fd, uint32_t events YL_UNUSED)
{
    struct yl_listener *listener = YL_CONTAINER_OF(fd, struct yl_listener,
                                                   fd);
    struct yl_loop *loop = listener->loop;

    for (int i = 0; i < MAX_ACCEPTS; i++) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address;
        int client = accept4(fd->fd, (struct sockaddr *) &address, &size,
                             SOCK_CLOEXEC | SOCK_NONBLOCK);

        if (client >= 0) {
            listener->accepted(listener, client, &address);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS
                   || errno == ENOMEM) {
            yl_loop_change(loop, fd, 0);
            yl_loop_timer_arm(loop, &listener->resume,
                              yl_loop_now(loop) + PAUSE);
            return;
        } else if (errno != EINTR && errno != ECONNABORTED) {
            return;
        }
    }
}

static void
accept_again(struct yl_loop_timer *timer)
{
    struct yl_listener *listener = YL_CONTAINER_OF(
        timer, struct yl_listener, resume);

    yl_loop_change(listener->loop, &listener->fd, EPOLLIN);
}
