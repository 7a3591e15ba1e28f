#ifndef APISERVER_METRICS_METRICS_REQUESTS_H
#define APISERVER_METRICS_METRICS_REQUESTS_H 1

/* Requests as /metrics counts them, under upstream's names and labels: see
 * metrics.h.
 *
 *     info known -> in flight -> (a watch) -> ended: counted, timed
 *
 * Guarantees
 * ==========
 *
 *   - Labels come from the registry and from constants; no text from a client
 *     becomes a label.
 *
 *   - Requests of a known sort are counted under one lock, without allocating.
 *
 * Threads
 * =======
 *
 * Any thread, except that yl_request_metrics_free() must come last. */

struct yl_api_request;
struct yl_counter;
struct yl_metrics;
struct yl_request_metrics;

struct yl_request_metrics *yl_request_metrics_new(struct yl_metrics *);
void yl_request_metrics_free(struct yl_request_metrics *);

/* Call it when the request's verb and resource are known: it is in flight from
 * here on.  As in upstream, watches do not count as in flight, */
void yl_request_metrics_begin(struct yl_request_metrics *,
                              struct yl_api_request *);

/* but as long-running, once they are authorized. */
void yl_request_metrics_watch(struct yl_request_metrics *,
                              struct yl_api_request *);

/* The counter for the events that a watch sends; NULL if the argument is
 * NULL. */
struct yl_counter *yl_request_metrics_events(struct yl_request_metrics *,
                                             const struct yl_api_request *);

/* Call it when the request has ended, after 'seconds'. */
void yl_request_metrics_end(struct yl_request_metrics *,
                            struct yl_api_request *, double seconds);

#endif /* apiserver/metrics/metrics_requests.h */
