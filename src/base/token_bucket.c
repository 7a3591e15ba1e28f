/* Token bucket.  See base/token_bucket.h for the contract. */

#include "base/token_bucket.h"

/* The longest wait.  A bucket that owes more is not a limit but a wall, and
 * the sum with any sensible 'now' still fits. */
#define MAX_WAIT (INT64_C(1) << 53)

static void fill(struct yl_token_bucket *, yl_msec now);

void
yl_token_bucket_init(struct yl_token_bucket *bucket, double per_second,
                     unsigned burst)
{
    bucket->per_second = per_second > 0 ? per_second : 0;
    bucket->burst = burst ? burst : 1;
    bucket->tokens = bucket->burst;
    bucket->at = 0;
    bucket->used = false;
}

yl_msec
yl_token_bucket_take(struct yl_token_bucket *bucket, yl_msec now)
{
    double wait;
    yl_msec rounded;

    if (!(bucket->per_second > 0)) {
        return 0;
    }
    fill(bucket, now);
    bucket->tokens -= 1;
    if (bucket->tokens >= 0) {
        return 0;
    }
    wait = -bucket->tokens * 1000 / bucket->per_second;
    if (wait >= (double) MAX_WAIT) {
        return MAX_WAIT;
    }
    rounded = (yl_msec) wait;
    return rounded + (wait > (double) rounded);
}

bool
yl_token_bucket_try(struct yl_token_bucket *bucket, yl_msec now)
{
    if (!(bucket->per_second > 0)) {
        return true;
    }
    fill(bucket, now);
    if (bucket->tokens < 1) {
        return false;
    }
    bucket->tokens -= 1;
    return true;
}

void
yl_token_bucket_give_back(struct yl_token_bucket *bucket)
{
    bucket->tokens += 1;
    if (bucket->tokens > bucket->burst) {
        bucket->tokens = bucket->burst;
    }
}

static void
fill(struct yl_token_bucket *bucket, yl_msec now)
{
    if (!bucket->used) {
        bucket->at = now;
        bucket->used = true;
    }
    if (now > bucket->at) {
        bucket->tokens += ((double) now - (double) bucket->at) / 1000
                          * bucket->per_second;
        if (bucket->tokens > bucket->burst) {
            bucket->tokens = bucket->burst;
        }
        bucket->at = now;
    }
}
