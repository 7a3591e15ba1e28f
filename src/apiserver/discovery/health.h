#ifndef APISERVER_DISCOVERY_HEALTH_H
#define APISERVER_DISCOVERY_HEALTH_H 1

/* Health: /healthz, /livez, /readyz, all checks or one.
 *
 *     /readyz                        ok
 *     /readyz?verbose                [+]ping ok ... readyz check passed
 *     /readyz?verbose&exclude=etcd   [+]etcd excluded: ok
 *     /readyz/etcd                   ok
 *
 * As in upstream: 200 or 500, as text.  Failures are shown without their
 * reason, because unauthenticated clients may ask.  The check of the storage
 * is called "etcd", because that is the name that people use in 'exclude'. */

#include "apiserver/request.h"
#include "base/buf.h"

/* What may be wrong: bits of yl_apiserver's 'unwell', set and cleared by the
 * parts concerned.  Whether storage refused the last write a short time ago is
 * asked of the keyspace instead. */
enum yl_unwell {
    YL_UNWELL_STORAGE = 1 << 0,
    YL_UNWELL_DRAINING = 1 << 1,    /* The server is about to stop. */
};

/* How long a failed write counts.  After that the server is healthy again,
 * because only another write can show whether storage works. */
#define YL_UNWELL_TIME ((yl_msec) 30 * 1000)

/* Whether 'path' is one of health's. */
bool yl_health_has(struct yl_str path);

enum yl_step yl_serve_health(struct yl_api_request *);

/* What is wrong now: bits of enum yl_unwell. */
unsigned yl_unwell_now(const struct yl_apiserver *);

/* Appends the results of all checks as metrics, in the form of
 * /metrics/slis. */
void yl_health_write_metrics(struct yl_buf *, const struct yl_apiserver *);

#endif /* apiserver/discovery/health.h */
