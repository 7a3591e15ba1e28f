#ifndef WORKQUEUE_QUEUE_METRICS_H
#define WORKQUEUE_QUEUE_METRICS_H 1

/* Metrics of a work queue, under client-go's names and with its meaning, so
 * that dashboards and alerts for Go controllers work:
 *
 *     workqueue_adds_total       keys that somebody wanted at once and nobody
 *                                had wanted before
 *     workqueue_depth            those of them that no worker has taken yet
 *     workqueue_queue_duration_seconds   from then until a worker took it
 *     workqueue_work_duration_seconds    from then until it was done
 *     workqueue_retries_total    adds with a delay or a rate limit
 *     workqueue_unfinished_work_seconds  the ages of all keys that are out
 *     workqueue_longest_running_processor_seconds    the highest of those
 *
 * A key that is to wait counts from the end of its wait.  Each has the label
 * "name".
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stdint.h>

struct yl_metrics;
struct yl_queue_metrics;

/* The metrics of the queue 'name', or NULL if 'metrics' is NULL. */
struct yl_queue_metrics *yl_queue_metrics_new(struct yl_metrics *metrics,
                                              const char *name);
void yl_queue_metrics_free(struct yl_queue_metrics *);

/* Something has happened; 'since' and 'now' are nanoseconds. */
void yl_queue_metrics_added(struct yl_queue_metrics *);
void yl_queue_metrics_got(struct yl_queue_metrics *, int64_t since,
                          int64_t now);
void yl_queue_metrics_done(struct yl_queue_metrics *, int64_t since,
                           int64_t now);
void yl_queue_metrics_retried(struct yl_queue_metrics *);

/* Sets the two gauges that change while nothing happens. */
void yl_queue_metrics_set_unfinished(struct yl_queue_metrics *, double sum,
                                     double longest);

#endif /* workqueue/queue_metrics.h */
