/* When to trim.  See base/trim.h for the contract. */

#include "base/trim.h"

/* The pause after a trim, as a multiple of the time that the trim took. */
#define REST 1000

bool
yl_trim_is_due(struct yl_trim *trim, uint64_t n_done, yl_msec now)
{
    bool quiet = n_done - trim->n_seen < YL_TRIM_QUIET;

    trim->n_seen = n_done;
    if (!quiet || n_done == trim->n_trimmed || now < trim->not_before) {
        return false;
    }
    trim->n_trimmed = n_done;
    return true;
}

void
yl_trim_done(struct yl_trim *trim, yl_msec began, yl_msec ended)
{
    trim->not_before = ended + REST * (ended - began);
}
