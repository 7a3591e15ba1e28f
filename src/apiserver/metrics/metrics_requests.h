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
 *   - Labels come from the registry and from constants; nothing that a client
 *     made up becomes one.
 *
 *   - Requests of a sort that came before are counted under one lock and
 *     allocate nothing.
 *
 * Threads
 * =======
 *
 * Any, but yl_request_metrics_free() comes last. */

struct yl_api_request;
struct yl_counter;
struct yl_metrics;
struct yl_request_metrics;

struct yl_request_metrics *yl_request_metrics_new(struct yl_metrics *);
void yl_request_metrics_free(struct yl_request_metrics *);

/* It is known what is asked for: from here on it is in flight.  Watches are
 * not, as upstream has it, */
void yl_request_metrics_begin(struct yl_request_metrics *,
                              struct yl_api_request *);

/* but run for long, once they are let in. */
void yl_request_metrics_watch(struct yl_request_metrics *,
                              struct yl_api_request *);

/* Where a watch counts the events that it sends; NULL for NULL. */
struct yl_counter *yl_request_metrics_events(struct yl_request_metrics *,
                                             const struct yl_api_request *);

/* It has ended after so many seconds. */
void yl_request_metrics_end(struct yl_request_metrics *,
                            struct yl_api_request *, double seconds);

#endif /* apiserver/metrics/metrics_requests.h */
