/* Proxies: their URLs, and which protocol they speak.  See net/proxy.h for the
 * contract. */

#include "net/proxy.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "net/proxy_parts.h"
#include "net/url.h"
#include "yuloh/error.h"

/* Bytes of a proxy's name, user or password. */
#define MAX_PART 255

static const struct scheme {
    const char *name;
    enum yl_proxy_kind kind;
    uint16_t port;
} schemes[] = {
    { "http", YL_PROXY_HTTP, 80 },
    { "https", YL_PROXY_HTTPS, 443 },
    { "socks5", YL_PROXY_SOCKS5, 1080 },
    { "socks5h", YL_PROXY_SOCKS5, 1080 },
};

static const struct scheme *take_scheme(struct yl_str *url);
static int read_user(struct yl_arena *, struct yl_str text,
                     struct yl_proxy *proxy, struct yl_error *err);
static int read_part(struct yl_arena *, struct yl_str text, char **ret_part,
                     struct yl_error *err);
static int read_host(struct yl_str text, struct yl_proxy *proxy,
                     struct yl_error *err);

int
yl_proxy_parse(const char *url, struct yl_proxy *ret_proxy,
               struct yl_error *err)
{
    struct yl_str rest = yl_str_c(url);
    const struct scheme *scheme = take_scheme(&rest);
    struct yl_proxy proxy = { 0 };
    const char *at = NULL;
    struct yl_arena arena;
    int r = 0;

    if (!scheme) {
        return yl_error_set(err, YL_EINVALID, "a proxy's scheme is none of "
                            "http, https, socks5, socks5h");
    }
    if (rest.size && rest.data[rest.size - 1] == '/') {
        rest.size--;
    }

    /* A password may contain an '@' that was not escaped; a host cannot. */
    for (size_t i = rest.size; i-- && !at; ) {
        at = rest.data[i] == '@' ? &rest.data[i] : NULL;
    }
    yl_arena_init(&arena);
    proxy.kind = scheme->kind;
    proxy.port = scheme->port;
    if (at) {
        r = read_user(&arena, yl_str_range(rest.data, at), &proxy, err);
        rest = yl_str_range(at + 1, rest.data + rest.size);
    }
    if (r == 0) {
        r = read_host(rest, &proxy, err);
    }
    yl_arena_release(&arena);
    if (r < 0) {
        yl_proxy_release(&proxy);
        return r;
    }
    *ret_proxy = proxy;
    return 0;
}

void
yl_proxy_release(struct yl_proxy *proxy)
{
    free(proxy->host);
    free(proxy->user);
    if (proxy->password) {
        explicit_bzero(proxy->password, strlen(proxy->password));
    }
    free(proxy->password);
    memset(proxy, 0, sizeof *proxy);
}

void
yl_proxy_talk_init(struct yl_proxy_talk *talk, const struct yl_proxy *proxy,
                   const char *host, uint16_t port)
{
    const struct yl_http1_limits limits = { .head = 16384 };

    memset(talk, 0, sizeof *talk);
    talk->proxy = proxy;
    talk->host = host;
    talk->port = port;
    yl_http1_reader_init(&talk->reader, YL_HTTP1_RESPONSES, &limits);
}

void
yl_proxy_talk_release(struct yl_proxy_talk *talk)
{
    yl_http1_reader_release(&talk->reader);
}

int
yl_proxy_begin(struct yl_proxy_talk *talk, struct yl_buf *out,
               struct yl_error *err)
{
    return talk->proxy->kind == YL_PROXY_SOCKS5
           ? yl_proxy_socks_begin(talk, out, err)
           : yl_proxy_connect_begin(talk, out, err);
}

int
yl_proxy_receive(struct yl_proxy_talk *talk, struct yl_str in,
                 struct yl_buf *out, struct yl_error *err)
{
    int r = talk->proxy->kind == YL_PROXY_SOCKS5
            ? yl_proxy_socks_receive(talk, &in, out, err)
            : yl_proxy_connect_receive(talk, &in, err);

    if (r == 1 && in.size) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "the proxy sent more than its answer");
    }
    return r;
}

int
yl_proxy_receive_eof(struct yl_proxy_talk *talk YL_UNUSED,
                     struct yl_error *err)
{
    return yl_error_set(err, YL_EUNAVAILABLE,
                        "the proxy has closed the connection");
}

/* The scheme of '*url', which is what follows it then; NULL if it is
 * unknown. */
static const struct scheme *
take_scheme(struct yl_str *url)
{
    for (size_t i = 0; i + 2 < url->size; i++) {
        struct yl_str name = yl_str_n(url->data, i);

        if (memcmp(url->data + i, "://", 3) != 0) {
            continue;
        }
        *url = yl_str_skip(*url, i + 3);
        for (size_t j = 0; j < YL_ARRAY_SIZE(schemes); j++) {
            if (yl_str_equal_c(name, schemes[j].name)) {
                return &schemes[j];
            }
        }
        return NULL;
    }
    return &schemes[0];
}

static int
read_user(struct yl_arena *arena, struct yl_str text, struct yl_proxy *proxy,
          struct yl_error *err)
{
    struct yl_str user = text;
    struct yl_str password = YL_STR("");
    int r;

    yl_str_cut(text, ':', &user, &password);
    r = read_part(arena, user, &proxy->user, err);
    return r < 0 ? r : read_part(arena, password, &proxy->password, err);
}

static int
read_part(struct yl_arena *arena, struct yl_str text, char **ret_part,
          struct yl_error *err)
{
    struct yl_str part;

    if (yl_url_decode(arena, text, YL_URL_PATH, &part, NULL) < 0
        || part.size > MAX_PART || yl_str_find_char(part, '\0')) {
        return yl_error_set(err, YL_EINVALID, "the user or password of a "
                            "proxy has a bad escape or is too long");
    }
    *ret_part = yl_strdup(part);
    return 0;
}

static int
read_host(struct yl_str text, struct yl_proxy *proxy, struct yl_error *err)
{
    struct yl_str host = text;
    struct yl_str port = yl_str_null();
    unsigned long long number;

    if (text.size && text.data[0] == '[') {
        const char *end = yl_str_find_char(text, ']');

        if (!end) {
            return yl_error_set(err, YL_EINVALID,
                                "the address of a proxy has no ']'");
        }
        host = yl_str_range(text.data + 1, end);
        text = yl_str_range(end + 1, text.data + text.size);
        if (text.size && text.data[0] != ':') {
            return yl_error_set(err, YL_EINVALID,
                                "the address of a proxy is malformed");
        }
        port = text.size ? yl_str_skip(text, 1) : yl_str_null();
    } else {
        yl_str_cut(text, ':', &host, &port);
    }
    if (!yl_str_is_null(port)) {
        if (yl_str_to_u64(port, &number) < 0 || !number || number > 65535) {
            return yl_error_set(err, YL_EINVALID,
                                "\"%.*s\" is not the port of a proxy",
                                YL_STR_ARG(port));
        }
        proxy->port = (uint16_t) number;
    }
    for (size_t i = 0; i < host.size; i++) {
        if (host.data[i] <= ' ' || host.data[i] >= 0x7f
            || strchr("/?#[]\\", host.data[i])) {
            host.size = 0;
        }
    }
    if (!host.size || host.size > MAX_PART) {
        return yl_error_set(err, YL_EINVALID,
                            "a proxy's URL has no valid host");
    }
    proxy->host = yl_strdup(host);
    return 0;
}
