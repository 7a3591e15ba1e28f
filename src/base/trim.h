#ifndef BASE_TRIM_H
#define BASE_TRIM_H 1

/* When to give free memory back to the system.
 *
 * malloc keeps most of what is freed: after a flood of large requests, holes
 * between what stays.  yl_give_back_memory() (base/alloc.h) has the system
 * take their pages, but walks all of them, and whoever allocates meanwhile
 * waits.  So that is done when it is quiet, after work has been done, and
 * followed by a rest a thousand times as long as it took.
 *
 * Threads
 * =======
 *
 * None of its own.
 *
 * Usage
 * =====
 *
 *     struct yl_trim trim = YL_TRIM_INIT;
 *
 *     every YL_TRIM_PERIOD:
 *         yl_msec now = yl_now(NULL);
 *         if (yl_trim_is_due(&trim, n_requests, now)) {
 *             yl_give_back_memory();
 *             yl_trim_done(&trim, now, yl_now(NULL));
 *         } */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/clock.h"

/* How often to ask, and how much work between two askings is next to none. */
#define YL_TRIM_PERIOD ((yl_msec) 10000)
#define YL_TRIM_QUIET 100

struct yl_trim {
    uint64_t n_seen;            /* Work done, when it was last asked. */
    uint64_t n_trimmed;         /* The same at the last time it was due. */
    yl_msec not_before;
};

#define YL_TRIM_INIT { 0, 0, 0 }

/* Is now a good time, when 'n_done' pieces of work have been done ever? */
bool yl_trim_is_due(struct yl_trim *, uint64_t n_done, yl_msec now);

/* It has been done. */
void yl_trim_done(struct yl_trim *, yl_msec began, yl_msec ended);

#endif /* base/trim.h */
