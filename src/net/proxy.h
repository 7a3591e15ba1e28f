#ifndef NET_PROXY_H
#define NET_PROXY_H 1

/* Proxies: how a client asks one for a connection to a server, as a pure
 * machine.
 *
 *     begin -> bytes for the proxy
 *     bytes of the proxy -> receive -> more bytes for it, done, or refused
 *
 *     http, https       CONNECT host:port HTTP/1.1, with basic authentication
 *     socks5, socks5h   RFC 1928, with a user and password (RFC 1929)
 *
 * Guarantees
 * ==========
 *
 *   - The result does not depend on how the bytes are divided among the calls.
 *
 *   - The proxy is asked by name, not by address, whatever the scheme is, as
 *     Go does: only the proxy may know the server's name.
 *
 *   - An answer has a ceiling (16 KB for CONNECT), and bytes after it are an
 *     error: the server speaks only after the client has.
 *
 * Threads
 * =======
 *
 * A struct yl_proxy is constant after parsing; a talk belongs to one thread at
 * a time.
 *
 * Usage
 * =====
 *
 *     yl_proxy_talk_init(&talk, proxy, "example.com", 443);
 *     r = yl_proxy_begin(&talk, &out, &err);
 *     while (r == 0) {
 *         ... send 'out', receive 'in' ...
 *         r = yl_proxy_receive(&talk, in, &out, &err);
 *     }
 *     yl_proxy_talk_release(&talk); */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "net/http1.h"
#include "yuloh/str.h"

struct yl_error;

enum yl_proxy_kind {
    YL_PROXY_HTTP,
    YL_PROXY_HTTPS,             /* CONNECT inside of TLS. */
    YL_PROXY_SOCKS5,
};

struct yl_proxy {
    enum yl_proxy_kind kind;
    char *host;                 /* Without brackets. */
    uint16_t port;              /* [80, 443, 1080] */
    char *user;                 /* Decoded; NULL if there is none. */
    char *password;             /* Decoded, perhaps empty; NULL without a
                                 * user. */
};

/* Reads "scheme://user:password@host:port"; without a scheme it is http.  A
 * path is allowed if it is "/".  0, or YL_EINVALID with a message that does
 * not contain the password. */
int yl_proxy_parse(const char *url, struct yl_proxy *ret_proxy,
                   struct yl_error *err);
void yl_proxy_release(struct yl_proxy *);

/* One conversation with a proxy. */
struct yl_proxy_talk {
    const struct yl_proxy *proxy;
    const char *host;           /* Of the server; lent. */
    uint16_t port;
    int state;
    struct yl_http1_reader reader;      /* CONNECT. */
    unsigned char answer[262];  /* SOCKS: what has come of an answer; the
                                 * longest has a name of 255 bytes. */
    size_t answer_size;
};

void yl_proxy_talk_init(struct yl_proxy_talk *, const struct yl_proxy *,
                        const char *host, uint16_t port);
void yl_proxy_talk_release(struct yl_proxy_talk *);

/* Appends to 'out' what the proxy is to be sent.  1 when the connection to the
 * server is there, 0 if more is to be received, YL_EINVALID if the request
 * cannot be made (a name that is too long), or YL_EUNAVAILABLE if the proxy
 * refuses, or its answer is malformed. */
int yl_proxy_begin(struct yl_proxy_talk *, struct yl_buf *out,
                   struct yl_error *err);
int yl_proxy_receive(struct yl_proxy_talk *, struct yl_str in,
                     struct yl_buf *out, struct yl_error *err);

/* The proxy has closed: YL_EUNAVAILABLE. */
int yl_proxy_receive_eof(struct yl_proxy_talk *, struct yl_error *err);

#endif /* net/proxy.h */
