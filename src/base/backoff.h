#ifndef BASE_BACKOFF_H
#define BASE_BACKOFF_H 1

/* Back-off: how long to wait before the next try, growing and jittered.
 *
 * A pure machine: time is an argument, and chance comes from a seed, so that a
 * test can predict each delay.
 *
 * Guarantees
 * ==========
 *
 *   - The n-th delay in a row is at least min * 2^(n-1), at most 'max', plus a
 *     random part of up to the same length again: many clients that failed at
 *     the same moment do not come back at the same moment.
 *
 *   - After 'reset' without a failure the delays start from 'min' again.
 *
 * Threads
 * =======
 *
 * None of its own: a back-off belongs to whoever embeds it. */

#include <stdint.h>

#include "yuloh/clock.h"

struct yl_backoff {
    yl_msec min, max;
    yl_msec reset;
    yl_msec next;               /* The next delay, without chance. */
    yl_msec last;               /* When the last one was asked for. */
    uint64_t chance;            /* State of the generator. */
};

/* All but 'seed' are more than 0. */
void yl_backoff_init(struct yl_backoff *, yl_msec min, yl_msec max,
                     yl_msec reset, uint64_t seed);

/* Another failure: how long to wait. */
yl_msec yl_backoff_next(struct yl_backoff *, yl_msec now);

/* Forgets the failures so far. */
void yl_backoff_reset(struct yl_backoff *);

/* A number from 0 to 'below' - 1, from the state of a generator, which moves
 * on.  Good enough to spread load, and for nothing secret. */
int64_t yl_chance(uint64_t *state, int64_t below);

#endif /* base/backoff.h */
