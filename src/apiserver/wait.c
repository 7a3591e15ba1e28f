/* Waiting.  See apiserver/wait.h for the contract. */

#include "apiserver/wait.h"

#include <assert.h>

int
yl_wait_begin(struct yl_wait *wait, void (*cancel)(struct yl_wait *),
              void *what)
{
    assert(!wait->waiting);
    wait->cancel = cancel;
    wait->what = what;
    wait->waiting = true;
    return YL_WAITING;
}

void
yl_wait_end(struct yl_wait *wait, int result)
{
    assert(wait->waiting && result <= 0);
    wait->waiting = false;
    wait->done(wait, result);
}

void
yl_wait_cancel(struct yl_wait *wait)
{
    if (wait->waiting) {
        wait->waiting = false;
        wait->cancel(wait);
    }
}
