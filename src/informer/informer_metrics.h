#ifndef INFORMER_INFORMER_METRICS_H
#define INFORMER_INFORMER_METRICS_H 1

/* Metrics of an informer, as client-go names them.  Without a registry all
 * handles are NULL, and updating them does nothing. */

#include <stdint.h>

#include "yuloh/clock.h"
#include "yuloh/gvk.h"
#include "yuloh/metrics.h"

struct yl_informer_metrics {
    struct yl_gauge *queued_items;      /* Deltas that wait. */
    struct yl_histogram *latency;       /* Of a batch: store and handlers. */
    struct yl_gauge *revision;          /* Of the store. */
};

void yl_informer_metrics_init(struct yl_informer_metrics *,
                              struct yl_metrics *, const char *name,
                              struct yl_gvr resource);

/* A batch was applied in 'took'; the store has come to 'revision'. */
void yl_informer_metrics_applied(const struct yl_informer_metrics *,
                                 yl_msec took, uint64_t revision);

#endif /* informer/informer_metrics.h */
