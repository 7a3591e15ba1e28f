#ifndef APISERVER_METRICS_METRICS_H
#define APISERVER_METRICS_METRICS_H 1

/* What /metrics shows: requests that have ended, and the state of the server
 * at the moment of the scrape, under upstream's names where it has one.
 *
 *     apiserver_request_total{code,component,dry_run,group,resource,scope,
 *                             subresource,verb,version}
 *     apiserver_request_duration_seconds{...}     the same without the code
 *     apiserver_request_sli_duration_seconds{...} and without watches
 *     apiserver_current_inflight_requests{request_kind}   without watches
 *     apiserver_longrunning_requests{...}         watches
 *     apiserver_watch_events_total{group,resource,version}
 *     apiserver_storage_objects{resource}
 *     apiserver_resource_objects{group,resource}
 *     apiserver_audit_event_total
 *     authentication_attempts{result}, authorization_attempts_total{result}
 *     kubernetes_build_info{git_version,major,minor}
 *     process_cpu_seconds_total, process_max_fds, process_open_fds,
 *     process_resident_memory_bytes, process_start_time_seconds,
 *     process_virtual_memory_bytes
 *     yuloh_http_connections, ..._requests_refused_total and so on
 *     yuloh_audit_events_dropped_total
 *     yuloh_documents_bytes                       rendered and kept
 *
 * Label values come from the registry only.  Requests for resources that do
 * not exist are counted without the names in them, which a client could
 * invent.
 *
 * Threads
 * =======
 *
 * Everything may be called from any thread, but yl_api_metrics_free() comes
 * last.  Counting takes the lock of one metric for a lookup. */

#include <stdbool.h>

#include "base/buf.h"

struct yl_api_metrics;
struct yl_apiserver;
struct yl_metrics;
struct yl_request_metrics;

struct yl_api_metrics *yl_api_metrics_new(void);
void yl_api_metrics_free(struct yl_api_metrics *);

/* The set of metrics, to which other parts may add their own. */
struct yl_metrics *yl_api_metrics_all(struct yl_api_metrics *);

/* The metrics of requests; NULL if the argument is NULL. */
struct yl_request_metrics *yl_api_metrics_requests(struct yl_api_metrics *);

/* Counts whether authentication succeeded, and whether authorization did.
 * Does nothing for NULL. */
void yl_api_metrics_authenticated(struct yl_api_metrics *, bool known);
void yl_api_metrics_authorized(struct yl_api_metrics *, bool allowed);

/* Appends everything, as Prometheus reads it. */
void yl_api_metrics_render(struct yl_apiserver *, struct yl_buf *);

#endif /* apiserver/metrics/metrics.h */
