#ifndef CLIENT_SERVER_URL_H
#define CLIENT_SERVER_URL_H 1

/* The URL of an API server, taken apart.
 *
 *     https://[::1]:6443/k8s/ -> TLS, "::1", 6443, "/k8s"
 *
 * As in client-go, a text without a scheme is a host with a port perhaps, and
 * the scheme is up to the caller. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_error;

/* Slices of the URL. */
struct yl_server_url {
    bool tls;
    struct yl_str host;         /* Without brackets. */
    uint16_t port;              /* The scheme's, if there is none. */
    struct yl_str authority;    /* "[::1]:6443". */
    struct yl_str prefix;       /* Path without its last slashes; empty, or it
                                 * begins with one. */
};

/* 'tls' is what a URL without a scheme has.  0, or YL_EINVALID and a sentence:
 * another scheme than http and https, no host, a port that is none, or a user,
 * query or fragment, which would not be used. */
int yl_server_url_parse(struct yl_str text, bool tls,
                        struct yl_server_url *ret_url, struct yl_error *err);

#endif /* client/server_url.h */
