#ifndef BASE_TRIM_H
#define BASE_TRIM_H 1

/* When to give free memory back to the system.
 *
 * malloc keeps most of what is freed: after many large requests it holds free
 * memory between blocks that are still in use.  yl_give_back_memory()
 * (base/alloc.h) returns those pages to the system, but it has to walk all of
 * them, and threads that allocate meanwhile wait.  So it is called only when
 * the server is idle and has done work since the last time, and is followed by
 * a pause a thousand times as long as it took.
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

/* How often to call yl_trim_is_due(), and how much work between two calls
 * still counts as idle. */
#define YL_TRIM_PERIOD ((yl_msec) 10000)
#define YL_TRIM_QUIET 100

struct yl_trim {
    uint64_t n_seen;            /* Work done at the last call of
                                 * yl_trim_is_due(). */
    uint64_t n_trimmed;         /* Work done when it was last due. */
    yl_msec not_before;
};

#define YL_TRIM_INIT { 0, 0, 0 }

/* Whether now is a good time.  'n_done' is how many pieces of work have been
 * done since the start. */
bool yl_trim_is_due(struct yl_trim *, uint64_t n_done, yl_msec now);

/* Tells that a trim has been made. */
void yl_trim_done(struct yl_trim *, yl_msec began, yl_msec ended);

#endif /* base/trim.h */
