/* Back-off.  See base/backoff.h. */

#include "base/backoff.h"

#include <assert.h>

void
yl_backoff_init(struct yl_backoff *backoff, yl_msec min, yl_msec max,
                yl_msec reset, uint64_t seed)
{
    assert(min > 0 && max >= min && reset > 0);
    *backoff = (struct yl_backoff) {
        .min = min, .max = max, .reset = reset, .next = min, .chance = seed,
    };
}

yl_msec
yl_backoff_next(struct yl_backoff *backoff, yl_msec now)
{
    yl_msec delay;

    if (now - backoff->last > backoff->reset) {
        backoff->next = backoff->min;
    }
    delay = backoff->next;
    backoff->last = now;
    backoff->next = delay > backoff->max / 2 ? backoff->max : 2 * delay;
    return delay + yl_chance(&backoff->chance, delay);
}

void
yl_backoff_reset(struct yl_backoff *backoff)
{
    backoff->next = backoff->min;
}

/* splitmix64. */
int64_t
yl_chance(uint64_t *state, int64_t below)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    assert(below > 0);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (int64_t) (z % (uint64_t) below);
}
