/* Throttle: a token bucket that says when a request may be sent. */

#include "client/throttle.h"

#include <math.h>

void
yl_throttle_init(struct yl_throttle *throttle, double qps, int burst,
                 yl_msec now)
{
    throttle->qps = qps > 0 ? qps : 0;
    throttle->burst = burst > 1 ? burst : 1;
    yl_mutex_init(&throttle->lock);
    yl_mutex_lock(&throttle->lock);
    throttle->tokens = throttle->burst;
    throttle->last = now;
    yl_mutex_unlock(&throttle->lock);
}

void
yl_throttle_release(struct yl_throttle *throttle)
{
    yl_mutex_destroy(&throttle->lock);
}

bool
yl_throttle_take(struct yl_throttle *throttle, yl_msec now, yl_msec deadline,
                 yl_msec *ret_when)
{
    yl_msec when = now;
    bool taken;

    if (throttle->qps <= 0) {
        *ret_when = now;
        return true;
    }
    yl_mutex_lock(&throttle->lock);
    if (now > throttle->last) {
        throttle->tokens += (double) (now - throttle->last) / 1000
                            * throttle->qps;
        if (throttle->tokens > throttle->burst) {
            throttle->tokens = throttle->burst;
        }
        throttle->last = now;
    }
    if (throttle->tokens < 1) {
        double wait = ceil((1 - throttle->tokens) / throttle->qps * 1000);

        when = wait < 1e15 ? now + (yl_msec) wait : YL_NEVER;
    }
    taken = when <= deadline;
    if (taken) {
        throttle->tokens -= 1;
        *ret_when = when;
    }
    yl_mutex_unlock(&throttle->lock);
    return taken;
}

void
yl_throttle_give_back(struct yl_throttle *throttle)
{
    yl_mutex_lock(&throttle->lock);
    if (throttle->tokens + 1 <= throttle->burst) {
        throttle->tokens += 1;
    }
    yl_mutex_unlock(&throttle->lock);
}
