#ifndef APISERVER_DISCOVERY_METRICS_H
#define APISERVER_DISCOVERY_METRICS_H 1

/* What /metrics shows: requests as they end, and the state of the server at
 * the moment of asking, under upstream's names where it has them.
 *
 *     apiserver_request_total{code,group,resource,subresource,verb,version}
 *     apiserver_request_duration_seconds{verb}    without watches
 *     apiserver_current_inflight_requests
 *     apiserver_storage_objects{resource}
 *     kubernetes_build_info{git_version}
 *     process_cpu_seconds_total, process_open_fds,
 *     process_resident_memory_bytes, process_start_time_seconds
 *     yuloh_http_connections, ..._requests_refused_total and so on
 *     yuloh_documents_bytes                       rendered and kept
 *
 * Requests for what is not there are counted without the names they made up:
 * labels come from the registry alone.
 *
 * Threads
 * =======
 *
 * Everything may be called from any thread, but yl_api_metrics_free() comes
 * last.  Counting takes the lock of one metric for a lookup. */

#include "base/buf.h"

struct yl_api_metrics;
struct yl_api_request;
struct yl_apiserver;
struct yl_metrics;

struct yl_api_metrics *yl_api_metrics_new(void);
void yl_api_metrics_free(struct yl_api_metrics *);

/* Where others may add their own. */
struct yl_metrics *yl_api_metrics_all(struct yl_api_metrics *);

/* Counts a request that has ended after so many seconds. */
void yl_api_metrics_count(struct yl_api_metrics *,
                          const struct yl_api_request *, double seconds);

/* Appends everything, as Prometheus reads it. */
void yl_api_metrics_render(struct yl_apiserver *, struct yl_buf *);

#endif /* apiserver/discovery/metrics.h */
