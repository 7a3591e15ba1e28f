#ifndef CONTROLLER_EVENT_CORRELATOR_H
#define CONTROLLER_EVENT_CORRELATOR_H 1

/* Event correlator: many events in, few Event objects out.
 *
 *     event -> combine similar ones -> count equal ones -> hold back floods
 *
 * A pure machine with client-go's rules and numbers.  It remembers hashes of
 * what it has seen, with a random seed, of the 4,096 that were used last in
 * each of its three tables. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "controller/event.h"
#include "yuloh/clock.h"

struct yl_event_correlator;

struct yl_event_correlator_opts {
    int max_similar;            /* [10] */
    yl_msec similar_within;     /* [10 minutes] */
    int burst;                  /* [25] */
    yl_msec refill;             /* [300 s] */
    size_t max_entries;         /* [4096] */
};

struct yl_event_correlator *yl_event_correlator_new(
    const struct yl_event_correlator_opts *);
void yl_event_correlator_free(struct yl_event_correlator *);

enum yl_event_verdict {
    YL_EVENT_SKIP,              /* Say nothing of it. */
    YL_EVENT_CREATE,
    YL_EVENT_PATCH,             /* It was created before; if it is gone, create
                                 * it. */
};

/* What shall become of 'event', seen at 'now'.  '*ret_series' is lent until
 * the next call. */
enum yl_event_verdict yl_event_correlate(struct yl_event_correlator *,
                                         const struct yl_event *event,
                                         const struct yl_event_source *,
                                         yl_msec now,
                                         struct yl_event_series *ret_series);

#endif /* controller/event_correlator.h */
