#ifndef CLIENT_PROXY_ENV_H
#define CLIENT_PROXY_ENV_H 1

/* Which proxy the environment wants for a server, as Go reads it.
 *
 *   HTTPS_PROXY, https_proxy   for https://, the first of the two that is set
 *   HTTP_PROXY, http_proxy     for http://; the first not inside of a CGI
 *                              program (REQUEST_METHOD is set), where clients
 *                              choose its value
 *   NO_PROXY, no_proxy         for which servers not: "*", or a list of
 *                                10.1.2.3, 10.0.0.0/8, example.com (and what
 *                                is below it), .example.com and *.example.com
 *                                (only what is below it), each with a port
 *                                perhaps
 *
 * localhost and loopback addresses are never reached through a proxy. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;

typedef const char *yl_get_env_fn(void *aux, const char *name);

/* The URL of the proxy for 'host' (an address without brackets), in 'arena',
 * or NULL if there is none. */
const char *yl_proxy_from_env(struct yl_arena *, yl_get_env_fn *get_env,
                              void *aux, bool tls, struct yl_str host,
                              uint16_t port);

#endif /* client/proxy_env.h */
