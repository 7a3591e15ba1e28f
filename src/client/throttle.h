#ifndef CLIENT_THROTTLE_H
#define CLIENT_THROTTLE_H 1

/* Throttle: a token bucket (base/token_bucket.h) that the threads of a client
 * share, and that knows deadlines.
 *
 * Requests go in the order in which they asked.  It keeps no time and waits
 * for nothing: the caller does.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stdbool.h>

#include "base/thread.h"
#include "base/token_bucket.h"
#include "yuloh/clock.h"

struct yl_throttle {
    struct yl_mutex lock;
    struct yl_token_bucket bucket YL_GUARDED;
};

/* A 'qps' of 0 or less turns it off; 'burst' is at least 1. */
void yl_throttle_init(struct yl_throttle *, double qps, int burst);
void yl_throttle_release(struct yl_throttle *);

/* Takes a token and says from when on the request may be sent.  False, and
 * nothing is taken, if that is after 'deadline'. */
bool yl_throttle_take(struct yl_throttle *, yl_msec now, yl_msec deadline,
                      yl_msec *ret_when);

/* Gives a token back that was not used after all. */
void yl_throttle_give_back(struct yl_throttle *);

#endif /* client/throttle.h */
