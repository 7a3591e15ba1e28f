/* Throttle: a token bucket that threads share and that knows deadlines. */

#include "client/throttle.h"

void
yl_throttle_init(struct yl_throttle *throttle, double qps, int burst)
{
    yl_mutex_init(&throttle->lock);
    yl_mutex_lock(&throttle->lock);
    yl_token_bucket_init(&throttle->bucket, qps,
                         burst > 0 ? (unsigned) burst : 1);
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
    yl_msec wait;
    bool taken;

    yl_mutex_lock(&throttle->lock);
    wait = yl_token_bucket_take(&throttle->bucket, now);
    taken = deadline - now >= wait;
    if (!taken) {
        yl_token_bucket_give_back(&throttle->bucket);
    }
    yl_mutex_unlock(&throttle->lock);
    if (taken) {
        *ret_when = now + wait;
    }
    return taken;
}

void
yl_throttle_give_back(struct yl_throttle *throttle)
{
    yl_mutex_lock(&throttle->lock);
    yl_token_bucket_give_back(&throttle->bucket);
    yl_mutex_unlock(&throttle->lock);
}
