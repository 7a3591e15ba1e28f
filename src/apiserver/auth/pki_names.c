/* Names and addresses of a server.  See apiserver/auth/pki_names.h. */

#include "apiserver/auth/pki_names.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "yuloh/arena.h"
#include "yuloh/error.h"

/* Machines may have thousands of addresses, but clients limit the size of a
 * handshake, so a certificate has at most this many names. */
#define MAX_NAMES 128

struct names {
    struct yl_arena *arena;
    const char **all;           /* MAX_NAMES of them. */
    size_t n;
};

static void add(struct names *, const char *name);
static void add_interfaces(struct names *);

const char *const *
yl_pki_names(struct yl_arena *arena, const char *service_cidr,
             const char *const *more, size_t n_more, size_t *ret_n)
{
    static const char *const always[] = {
        "localhost", "127.0.0.1", "::1", "kubernetes", "kubernetes.default",
        "kubernetes.default.svc", "kubernetes.default.svc.cluster.local",
    };
    struct names names = {
        .arena = arena,
        .all = yl_arena_array(arena, MAX_NAMES, sizeof *names.all),
    };
    char host[HOST_NAME_MAX + 1];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(always); i++) {
        add(&names, always[i]);
    }
    if (service_cidr) {
        add(&names, yl_pki_first_address(arena, service_cidr));
    }
    for (i = 0; i < n_more; i++) {
        add(&names, more[i]);
    }
    if (gethostname(host, sizeof host) == 0) {
        host[sizeof host - 1] = '\0';
        add(&names, host);
    }
    add_interfaces(&names);
    *ret_n = names.n;
    return names.all;
}

const char *
yl_pki_first_address(struct yl_arena *arena, const char *cidr)
{
    struct yl_str address, bits;
    unsigned char bytes[16];
    char text[INET6_ADDRSTRLEN];
    unsigned long long n_bits;
    const char *c;
    int family;
    size_t size, i;

    if (!yl_str_cut(yl_str_c(cidr), '/', &address, &bits)
        || yl_str_to_u64(bits, &n_bits) < 0) {
        return NULL;
    }
    c = yl_arena_strdup(arena, address);
    family = strchr(c, ':') ? AF_INET6 : AF_INET;
    size = family == AF_INET6 ? 16 : 4;
    if (inet_pton(family, c, bytes) != 1 || n_bits > size * 8) {
        return NULL;
    }
    for (i = n_bits; i < size * 8; i++) {
        bytes[i / 8] &= (unsigned char) ~(0x80u >> i % 8);
    }
    for (i = size; i-- > 0 && ++bytes[i] == 0; ) {
        continue;
    }
    inet_ntop(family, bytes, text, sizeof text);
    return yl_arena_strdup(arena, yl_str_c(text));
}

/* Adds a name unless it is there already.  A linear search is enough for so
 * few. */
static void
add(struct names *names, const char *name)
{
    size_t i;

    if (!name || !*name || names->n == MAX_NAMES) {
        return;
    }
    for (i = 0; i < names->n; i++) {
        if (!strcmp(names->all[i], name)) {
            return;
        }
    }
    names->all[names->n++] = yl_arena_strdup(names->arena, yl_str_c(name));
}

static void
add_interfaces(struct names *names)
{
    struct ifaddrs *all, *i;

    if (getifaddrs(&all) < 0) {
        return;
    }
    for (i = all; i; i = i->ifa_next) {
        char text[INET6_ADDRSTRLEN];
        const void *address = NULL;

        if (!i->ifa_addr || !(i->ifa_flags & IFF_UP)) {
            continue;
        }
        if (i->ifa_addr->sa_family == AF_INET) {
            address = &((struct sockaddr_in *) (void *) i->ifa_addr)->sin_addr;
        } else if (i->ifa_addr->sa_family == AF_INET6) {
            struct in6_addr *in6
                = &((struct sockaddr_in6 *) (void *) i->ifa_addr)->sin6_addr;

            /* A link-local address cannot be used without naming the
             * interface. */
            address = IN6_IS_ADDR_LINKLOCAL(in6) ? NULL : in6;
        }
        if (address
            && inet_ntop(i->ifa_addr->sa_family, address, text,
                         sizeof text)) {
            add(names, text);
        }
    }
    freeifaddrs(all);
}
