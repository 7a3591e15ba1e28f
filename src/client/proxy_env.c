/* Which proxy the environment wants.  See client/proxy_env.h. */

#include "client/proxy_env.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "yuloh/arena.h"

/* An address; those of IPv4 are mapped to IPv6, so that both compare. */
struct address {
    unsigned char bytes[16];
};

static const char *first_of(yl_get_env_fn *, void *aux, const char *a,
                            const char *b);
static bool is_excepted(struct yl_arena *, struct yl_str list, char *host,
                        uint16_t port);
static bool matches(struct yl_str entry, const char *host,
                    const struct address *, const char *port);
static bool is_loopback(const struct address *);
static bool read_address(struct yl_str text, struct address *ret,
                         bool *ret_is_v4);
static bool is_in_network(struct yl_str entry, const struct address *,
                          bool *ret_is_network);
static void split_port(struct yl_str entry, struct yl_str *ret_host,
                       struct yl_str *ret_port);
static char *to_lower(struct yl_arena *, struct yl_str);

const char *
yl_proxy_from_env(struct yl_arena *arena, yl_get_env_fn *get_env, void *aux,
                  bool tls, struct yl_str host, uint16_t port)
{
    const char *no_proxy = first_of(get_env, aux, "NO_PROXY", "no_proxy");
    const char *proxy;
    struct address address;
    bool is_v4;

    if (tls) {
        proxy = first_of(get_env, aux, "HTTPS_PROXY", "https_proxy");
    } else if (first_of(get_env, aux, "REQUEST_METHOD", "REQUEST_METHOD")) {
        proxy = first_of(get_env, aux, "http_proxy", "http_proxy");
    } else {
        proxy = first_of(get_env, aux, "HTTP_PROXY", "http_proxy");
    }
    if (!proxy || yl_str_equal_c(host, "localhost")
        || (read_address(host, &address, &is_v4) && is_loopback(&address))
        || (no_proxy && is_excepted(arena, yl_str_c(no_proxy),
                                    to_lower(arena, host), port))) {
        return NULL;
    }
    return strstr(proxy, "://")
           ? yl_arena_strdup(arena, yl_str_c(proxy))
           : yl_arena_printf(arena, "http://%s", proxy);
}

static const char *
first_of(yl_get_env_fn *get_env, void *aux, const char *a, const char *b)
{
    const char *value = get_env(aux, a);

    if (!value || !*value) {
        value = get_env(aux, b);
    }
    return value && *value ? value : NULL;
}

static bool
is_excepted(struct yl_arena *arena, struct yl_str list, char *host,
            uint16_t port)
{
    struct yl_str rest = yl_str_c(to_lower(arena, list)), entry;
    struct address address;
    bool is_v4, has_address, more;
    char port_text[8];

    has_address = read_address(yl_str_c(host), &address, &is_v4);
    snprintf(port_text, sizeof port_text, "%u", (unsigned) port);
    do {
        more = yl_str_cut(rest, ',', &entry, &rest);
        entry = yl_str_trim(more ? entry : rest);
        if (yl_str_equal_c(entry, "*")
            || (entry.size && matches(entry, host,
                                      has_address ? &address : NULL,
                                      port_text))) {
            return true;
        }
    } while (more);
    return false;
}

/* 'address' is that of 'host', or NULL if it is a name. */
static bool
matches(struct yl_str entry, const char *host, const struct address *address,
        const char *port)
{
    struct yl_str name, entry_port, text = yl_str_c(host);
    struct address other;
    bool is_network, is_v4, with_itself;

    if (is_in_network(entry, address, &is_network)) {
        return true;
    }
    if (is_network) {
        return false;
    }
    split_port(entry, &name, &entry_port);
    if (!name.size
        || (entry_port.size && !yl_str_equal_c(entry_port, port))) {
        return false;
    }
    if (read_address(name, &other, &is_v4)) {
        return address && memcmp(&other, address, sizeof other) == 0;
    }

    /* example.com is .example.com and itself. */
    if (yl_str_starts_with(name, YL_STR("*."))) {
        name = yl_str_skip(name, 1);
    }
    with_itself = name.data[0] != '.';
    if (!with_itself) {
        return yl_str_ends_with(text, name);
    }
    return yl_str_equal(text, name)
           || (text.size > name.size && yl_str_ends_with(text, name)
               && text.data[text.size - name.size - 1] == '.');
}

static bool
is_loopback(const struct address *address)
{
    static const unsigned char v4[12] = { [10] = 0xff, [11] = 0xff };
    static const unsigned char v6[16] = { [15] = 1 };

    return memcmp(address->bytes, v6, sizeof v6) == 0
           || (memcmp(address->bytes, v4, sizeof v4) == 0
               && address->bytes[12] == 127);
}

static bool
read_address(struct yl_str text, struct address *ret, bool *ret_is_v4)
{
    char copy[INET6_ADDRSTRLEN + 1];

    if (text.size >= sizeof copy) {
        return false;
    }
    memcpy(copy, text.data ? text.data : "", text.size);
    copy[text.size] = '\0';
    memset(ret, 0, sizeof *ret);
    *ret_is_v4 = inet_pton(AF_INET, copy, ret->bytes + 12) == 1;
    if (*ret_is_v4) {
        ret->bytes[10] = ret->bytes[11] = 0xff;
        return true;
    }
    return inet_pton(AF_INET6, copy, ret->bytes) == 1;
}

/* Whether 'entry' is a network such as 10.0.0.0/8, and 'address' is in it. */
static bool
is_in_network(struct yl_str entry, const struct address *address,
              bool *ret_is_network)
{
    struct yl_str network, bits_text;
    struct address base;
    unsigned long long bits;
    bool is_v4;
    unsigned i;

    *ret_is_network = yl_str_cut(entry, '/', &network, &bits_text)
                      && read_address(network, &base, &is_v4)
                      && yl_str_to_u64(bits_text, &bits) == 0
                      && bits <= (is_v4 ? 32 : 128);
    if (!*ret_is_network || !address) {
        return false;
    }
    bits += is_v4 ? 96 : 0;
    for (i = 0; i < bits; i++) {
        if ((base.bytes[i / 8] ^ address->bytes[i / 8]) >> (7 - i % 8) & 1) {
            return false;
        }
    }
    return true;
}

/* "host:port" and "[address]:port"; an address of IPv6 without brackets has no
 * port. */
static void
split_port(struct yl_str entry, struct yl_str *ret_host,
           struct yl_str *ret_port)
{
    struct yl_str host, port;

    *ret_host = entry;
    *ret_port = yl_str_null();
    if (yl_str_starts_with(entry, YL_STR("["))
        && yl_str_cut(yl_str_skip(entry, 1), ']', &host, &port)) {
        *ret_host = host;
        if (yl_str_starts_with(port, YL_STR(":"))) {
            *ret_port = yl_str_skip(port, 1);
        }
    } else if (yl_str_cut(entry, ':', &host, &port)
               && !yl_str_find_char(port, ':')) {
        *ret_host = host;
        *ret_port = port;
    }
}

static char *
to_lower(struct yl_arena *arena, struct yl_str text)
{
    char *copy = yl_arena_strdup(arena, text), *p;

    for (p = copy; *p; p++) {
        *p = (char) tolower((unsigned char) *p);
    }
    return copy;
}
