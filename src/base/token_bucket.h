#ifndef BASE_TOKEN_BUCKET_H
#define BASE_TOKEN_BUCKET_H 1

/* Token bucket: how long the next one has to wait, so that in the long run not
 * more than so many pass in a second.
 *
 * The bucket holds up to 'burst' tokens and gets 'per_second' new ones, bit by
 * bit.  Everybody who passes takes one.  If there is none left, a taker gets
 * one that does not exist yet, and waits until it does; the bucket then owes,
 * and the next one waits longer.
 *
 * Guarantees
 * ==========
 *
 *   - In any time of t seconds at most 'burst' + t * 'per_second' pass, if
 *     everybody waits for as long as told.
 *
 *   - Waits are rounded up to milliseconds: nobody passes too early.
 *
 *   - Time that goes back counts as time that stands still.
 *
 * Threads
 * =======
 *
 * None of its own: code that shares a bucket between threads must lock it.
 *
 * Usage
 * =====
 *
 *     struct yl_token_bucket bucket;
 *     yl_token_bucket_init(&bucket, 10, 100);
 *     ...
 *     wait(yl_token_bucket_take(&bucket, now)); */

#include <stdbool.h>

#include "yuloh/clock.h"

struct yl_token_bucket {
    double per_second;          /* 0: no limit. */
    double burst;
    double tokens;              /* Below 0: owed. */
    yl_msec at;                 /* When 'tokens' was right. */
    bool used;                  /* 'at' is a time, not just a zero. */
};

/* A full bucket.  A 'per_second' of 0 or less limits nothing; 'burst' is at
 * least 1. */
void yl_token_bucket_init(struct yl_token_bucket *, double per_second,
                          unsigned burst);

/* Takes a token and returns how long its taker has to wait for it. */
yl_msec yl_token_bucket_take(struct yl_token_bucket *, yl_msec now);

/* Takes a token if there is one now; false if not. */
bool yl_token_bucket_try(struct yl_token_bucket *, yl_msec now);

/* Puts a token back that was taken but not used, because its taker gave up
 * waiting. */
void yl_token_bucket_give_back(struct yl_token_bucket *);

#endif /* base/token_bucket.h */
