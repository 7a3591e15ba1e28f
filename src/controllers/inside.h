#ifndef CONTROLLERS_INSIDE_H
#define CONTROLLERS_INSIDE_H 1

/* Controllers inside of the API server's process.
 *
 *     keyspace -> local sources -> informers -> controllers
 *                                                   |
 *     HTTP server <- connections with an identity <-'
 *
 * They read the keyspace's own blocks, so caches cost next to nothing, and
 * write through connections from within the process, which go through every
 * filter: authorization, admission and audit know each controller by the
 * service account that it has in Kubernetes.
 *
 * Threads
 * =======
 *
 * One for the loop, one for each worker.  The functions belong to one thread,
 * which is not the server's. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct yl_apiserver;
struct yl_error;
struct yl_http_server;
struct yl_inside;

struct yl_inside_opts {
    struct yl_apiserver *server;    /* Borrowed, */
    struct yl_http_server *http;    /* as is this. */
    const char *const *names;   /* What --controllers says; see choose.h. */
    size_t n_names;
    struct yl_str root_ca;      /* PEM, copied; without it, no authority is
                                 * published. */
};

/* Starts the controllers that are chosen, and returns at once.  '*ret_inside'
 * is NULL if none is.  0, or YL_EUNAVAILABLE. */
int yl_inside_start(const struct yl_inside_opts *,
                    struct yl_inside **ret_inside, struct yl_error *err);

/* Stops them, lets each finish what it does, and frees them.  The server must
 * still run. */
void yl_inside_stop(struct yl_inside *);

/* Have they done everything that there is to do? */
bool yl_inside_is_idle(struct yl_inside *);

#endif /* controllers/inside.h */
