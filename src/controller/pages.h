#ifndef CONTROLLER_PAGES_H
#define CONTROLLER_PAGES_H 1

/* Pages: what a manager serves about itself over HTTP.
 *
 *     /metrics            for Prometheus
 *     /healthz            is the process alive?
 *     /readyz             can it work?
 *     /debug/controller   why does it not converge?
 *
 * There is no TLS and no authentication: nothing here is a secret, and the
 * address says who can read it.
 *
 * Threads
 * =======
 *
 * The pages have a thread of their own, which waits for the API server when
 * the status page asks that for its revision. */

#include <stdint.h>

struct yl_error;
struct yl_manager;
struct yl_pages;

/* Serves all pages on 'address'.  0, YL_EINVALID or YL_EUNAVAILABLE. */
int yl_pages_new(struct yl_manager *, const char *address,
                 struct yl_pages **ret_pages, struct yl_error *err);
void yl_pages_free(struct yl_pages *);
uint16_t yl_pages_port(const struct yl_pages *);

#endif /* controller/pages.h */
