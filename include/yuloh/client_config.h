#ifndef YL_CLIENT_CONFIG_H
#define YL_CLIENT_CONFIG_H 1

/* Configuration of a client: where the API server is and who we are there.
 *
 * Ownership
 * =========
 *
 * A configuration that the caller fills in borrows its texts; yl_client_new()
 * copies what it needs.
 *
 * Usage
 * =====
 *
 *     int r = yl_client_new(&(struct yl_client_config) {
 *         .server = "https://127.0.0.1:6443",
 *         .ca_file = "ca.crt",
 *         .token = token,
 *     }, NULL, &client, err); */

#include <stdbool.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_cancel;
struct yl_error;

/* Zero means the default. */
struct yl_client_config {
    const char *server;         /* "https://host:port/prefix". */
    const char *ca_file;        /* PEM [the system's authorities]. */
    struct yl_str ca;           /* The same in memory. */
    bool insecure;              /* Accept any certificate. */
    const char *tls_server_name;    /* Name in the server's certificate [the
                                     * host]. */
    const char *token;          /* Bearer token. */
    const char *namespace_;     /* ["default"] */
    const char *user_agent;     /* ["PROGRAM/yuloh (linux/ARCH)"] */
    double qps;                 /* Calls in a second [no limit], */
    int burst;                  /* and at once [10]. */
    yl_msec timeout;            /* Of a call. */

    /* Connects in place of TCP; TLS goes on top.  '*ret_fd' is a connected
     * stream socket, which the client takes.  With 'connect_is_quick' it
     * never waits. */
    int (*connect)(void *aux, struct yl_cancel *cancel, int *ret_fd,
                   struct yl_error *err);
    void *connect_aux;
    bool connect_is_quick;
};

YL_C_END

#endif /* yuloh/client_config.h */
