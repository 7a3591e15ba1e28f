#ifndef CLIENT_CALL_METRICS_H
#define CLIENT_CALL_METRICS_H 1

/* Metrics of a client, under the names that client-go's have. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/clock.h"
#include "yuloh/str.h"

struct yl_metric;
struct yl_metrics;

/* All NULL if metrics are off. */
struct yl_call_metrics {
    struct yl_metric *requests; /* rest_client_requests_total */
    struct yl_metric *retries;  /* rest_client_request_retries_total */
    struct yl_metric *duration; /* rest_client_request_duration_seconds */
    struct yl_metric *throttled;    /* rest_client_rate_limiter_duration_... */
    struct yl_metric *sent;     /* rest_client_request_size_bytes */
    struct yl_metric *received; /* rest_client_response_size_bytes */
    char *host;                 /* Their label. */
};

/* 'host' is copied. */
void yl_call_metrics_init(struct yl_call_metrics *, struct yl_metrics *,
                          struct yl_str host);
void yl_call_metrics_release(struct yl_call_metrics *);

/* One attempt: how it ended (status 0: there was no answer), how long it took
 * and how many bytes of body went each way. */
struct yl_call_measure {
    struct yl_str method;
    int http_status;
    bool is_retry;
    yl_msec duration;
    size_t sent, received;
};

void yl_call_metrics_count(struct yl_call_metrics *,
                           const struct yl_call_measure *);

/* The same for a watch, which lasts as long as it likes: only how it began is
 * counted, as in client-go. */
void yl_call_metrics_count_watch(struct yl_call_metrics *, int http_status);

/* A call has waited for the throttle. */
void yl_call_metrics_throttled(struct yl_call_metrics *, struct yl_str method,
                               yl_msec duration);

#endif /* client/call_metrics.h */
