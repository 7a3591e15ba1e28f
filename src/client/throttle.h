#ifndef CLIENT_THROTTLE_H
#define CLIENT_THROTTLE_H 1

/* Throttle: a token bucket that says when a request may be sent.
 *
 * The bucket holds 'burst' tokens at first and gets 'qps' more each second.  A
 * request takes one; if there is none it reserves the next one and is told
 * when that comes, so requests go in the order in which they asked.  It keeps
 * no time and waits for nothing: the caller does.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread. */

#include <stdbool.h>

#include "base/thread.h"
#include "yuloh/clock.h"

struct yl_throttle {
    double qps;                 /* 0: everything may go at once. */
    double burst;

    struct yl_mutex lock;
    double tokens YL_GUARDED;   /* Negative if some are reserved. */
    yl_msec last YL_GUARDED;    /* When 'tokens' was right. */
};

/* A 'qps' of 0 or less turns it off; 'burst' is at least 1. */
void yl_throttle_init(struct yl_throttle *, double qps, int burst,
                      yl_msec now);
void yl_throttle_release(struct yl_throttle *);

/* Takes a token and says from when on the request may be sent.  False, and
 * nothing is taken, if that is after 'deadline'. */
bool yl_throttle_take(struct yl_throttle *, yl_msec now, yl_msec deadline,
                      yl_msec *ret_when);

/* Gives a token back that was not used after all. */
void yl_throttle_give_back(struct yl_throttle *);

#endif /* client/throttle.h */
