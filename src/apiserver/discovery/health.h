#ifndef APISERVER_DISCOVERY_HEALTH_H
#define APISERVER_DISCOVERY_HEALTH_H 1

/* Health: /healthz, /livez, /readyz, all checks or one.
 *
 *     /readyz                        ok
 *     /readyz?verbose                [+]ping ok ... readyz check passed
 *     /readyz?verbose&exclude=etcd   [+]etcd excluded: ok
 *     /readyz/etcd                   ok
 *
 * As upstream: 200 or 500, in text, failures without their reason, for
 * anybody may ask.  The store is called "etcd", whatever it is, because
 * that is what people exclude. */

#include "apiserver/request.h"
#include "base/buf.h"

/* What may be wrong: bits of yl_apiserver's 'unwell', which whoever knows
 * sets and clears.  That storage refused the last write, not long ago, the
 * keyspace tells by itself. */
enum yl_unwell {
    YL_UNWELL_STORAGE = 1 << 0,
    YL_UNWELL_DRAINING = 1 << 1,    /* The server is about to stop. */
};

/* How long a write that failed counts: somebody must write again to find out
 * that all is well. */
#define YL_UNWELL_TIME ((yl_msec) 30 * 1000)

/* Does 'path' ask for health? */
bool yl_health_has(struct yl_str path);

enum yl_step yl_serve_health(struct yl_api_request *);

/* What is wrong now: bits of enum yl_unwell. */
unsigned yl_unwell_now(const struct yl_apiserver *);

/* Appends the outcome of all checks as metrics, as /metrics/slis has it. */
void yl_health_write_metrics(struct yl_buf *, const struct yl_apiserver *);

#endif /* apiserver/discovery/health.h */
