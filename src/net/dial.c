/* Dial.  See net/dial.h for the contract. */

#include "net/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "net/resolve.h"
#include "net/transport.h"
#include "net/wait.h"
#include "yuloh/error.h"

/* How long one attempt may take before the next one begins beside it. */
#define PATIENCE 250

/* How long a server may leave what was sent without an acknowledgment.  TCP
 * alone tries for a quarter of an hour, and its keep-alive probes, which find
 * a dead server as fast as this, are not sent meanwhile. */
#define SILENCE 90000

/* The attempts of one dial. */
struct race {
    const struct yl_address *addresses;
    size_t n_addresses;
    size_t n_begun;             /* Addresses that were tried. */
    struct pollfd fds[YL_DIAL_MAX];     /* Attempts that are under way. */
    size_t n_fds;
    int last_errno;             /* Why the last attempt failed. */
};

static bool parse_address(const char *host, uint16_t port,
                          struct yl_address *ret_address);
static size_t by_turns(const struct addrinfo *, struct yl_address *);
static int begin(struct race *);
static int settle(struct race *);
static void drop(struct race *, size_t i);

int
yl_dial(const char *host, uint16_t port, yl_msec deadline,
        struct yl_cancel *cancel, int *ret_fd, struct yl_error *err)
{
    struct yl_address addresses[YL_DIAL_MAX];
    size_t n = 1;
    int r = 0;

    if (!parse_address(host, port, &addresses[0])) {
        r = yl_resolve(host, port, deadline, cancel, addresses, &n, err);
    }
    if (r == 0) {
        r = yl_dial_addresses(addresses, n, deadline, cancel, ret_fd, err);
        if (r < 0) {
            yl_error_prefix(err, "cannot connect to %s port %u", host,
                            (unsigned) port);
        }
    }
    return r;
}

int
yl_dial_resolve(const char *host, uint16_t port,
                struct yl_address addresses[YL_DIAL_MAX], size_t *ret_n,
                struct yl_error *err)
{
    const struct addrinfo hints = {
        .ai_family = AF_UNSPEC,
        .ai_socktype = SOCK_STREAM,
    };
    struct addrinfo *found;
    int r;

    /* Addresses do not need the resolver, which a static program in an empty
     * root may not have. */
    if (parse_address(host, port, &addresses[0])) {
        *ret_n = 1;
        return 0;
    }
    r = getaddrinfo(host, NULL, &hints, &found);
    if (r) {
        return yl_error_set(err, YL_EUNAVAILABLE, "cannot resolve \"%s\": %s",
                            host, r == EAI_SYSTEM ? strerror(errno)
                            : gai_strerror(r));
    }
    *ret_n = by_turns(found, addresses);
    freeaddrinfo(found);
    for (size_t i = 0; i < *ret_n; i++) {
        struct sockaddr_storage *storage = &addresses[i].storage;

        if (storage->ss_family == AF_INET6) {
            ((struct sockaddr_in6 *) storage)->sin6_port = htons(port);
        } else {
            ((struct sockaddr_in *) storage)->sin_port = htons(port);
        }
    }
    return *ret_n ? 0 : yl_error_set(err, YL_EUNAVAILABLE,
                                     "\"%s\" has no address", host);
}

int
yl_dial_addresses(const struct yl_address *addresses, size_t n,
                  yl_msec deadline, struct yl_cancel *cancel, int *ret_fd,
                  struct yl_error *err)
{
    struct race race = { .addresses = addresses, .n_addresses = n };
    yl_msec next = 0;           /* When the next attempt begins. */
    int fd = -1;
    int r = 0;

    while (r == 0 && fd < 0) {
        yl_msec until = deadline;

        if (race.n_begun < n && (!race.n_fds || yl_now(NULL) >= next)) {
            fd = begin(&race);
            next = yl_now(NULL) + PATIENCE;
            continue;
        }
        if (!race.n_fds) {
            r = yl_error_set(err, YL_EUNAVAILABLE, "%s",
                             strerror(race.last_errno));
            break;
        }
        if (race.n_begun < n && next < deadline) {
            until = next;
        }
        r = yl_wait(race.fds, race.n_fds, until, cancel, err);
        if (r == 0) {
            fd = settle(&race);
            next = 0;
        } else if (r == YL_ETIMEOUT && until < deadline) {
            r = 0;
            yl_error_clear(err);
        }
    }
    while (race.n_fds) {
        drop(&race, 0);
    }
    if (r == 0) {
        const unsigned silence = SILENCE;

        yl_transport_set_options(fd);
        setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &silence,
                   sizeof silence);
        *ret_fd = fd;
    }
    return r;
}

static bool
parse_address(const char *host, uint16_t port, struct yl_address *address)
{
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons(port)
    };

    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1) {
        memcpy(&address->storage, &v4, sizeof v4);
        address->size = sizeof v4;
    } else if (inet_pton(AF_INET6, host, &v6.sin6_addr) == 1) {
        memcpy(&address->storage, &v6, sizeof v6);
        address->size = sizeof v6;
    }
    return address->size > 0;
}

/* Copies addresses so that the family of the first and the other one come by
 * turns, each in the resolver's order. */
static size_t
by_turns(const struct addrinfo *found, struct yl_address *addresses)
{
    const struct addrinfo *next[2] = { found, found };
    int first = found ? found->ai_family : AF_UNSPEC;
    size_t n = 0;

    for (int turn = 0; n < YL_DIAL_MAX && (next[0] || next[1]); turn ^= 1) {
        const struct addrinfo **at = &next[turn];

        while (*at && (((*at)->ai_family == first) == (turn == 1)
                       || ((*at)->ai_family != AF_INET
                           && (*at)->ai_family != AF_INET6))) {
            *at = (*at)->ai_next;
        }
        if (*at) {
            memset(&addresses[n], 0, sizeof addresses[n]);
            memcpy(&addresses[n].storage, (*at)->ai_addr, (*at)->ai_addrlen);
            addresses[n++].size = (*at)->ai_addrlen;
            *at = (*at)->ai_next;
        }
    }
    return n;
}

/* Begins the next attempt: a descriptor if it is connected at once, else
 * -1. */
static int
begin(struct race *race)
{
    const struct yl_address *address = &race->addresses[race->n_begun++];
    int fd = socket(address->storage.ss_family,
                    SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int r;

    if (fd < 0) {
        race->last_errno = errno;
        return -1;
    }
    r = connect(fd, (const struct sockaddr *) &address->storage,
                address->size);
    if (r == 0) {
        return fd;
    } else if (errno != EINPROGRESS && errno != EINTR) {
        race->last_errno = errno;
        close(fd);
        return -1;
    }
    race->fds[race->n_fds++] = (struct pollfd) { .fd = fd, .events = POLLOUT };
    return -1;
}

/* Looks at the attempts that have ended: the descriptor of one that succeeded,
 * or -1. */
static int
settle(struct race *race)
{
    for (size_t i = 0; i < race->n_fds; ) {
        int error = 0;
        socklen_t size = sizeof error;
        int fd = race->fds[i].fd;

        if (!race->fds[i].revents) {
            i++;
            continue;
        }
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
            error = errno;
        }
        if (!error) {
            race->fds[i] = race->fds[--race->n_fds];
            return fd;
        }
        race->last_errno = error;
        drop(race, i);
    }
    return -1;
}

static void
drop(struct race *race, size_t i)
{
    close(race->fds[i].fd);
    race->fds[i] = race->fds[--race->n_fds];
}
