/* Rate limiters.  See yuloh/rate_limiter.h for the contract. */

#include "yuloh/rate_limiter.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "base/token_bucket.h"

enum limiter_type {
    EXPONENTIAL,
    FAST_SLOW,
    TOKEN_BUCKET,
    MAX_OF,
    MAX_WAIT,
    CUSTOM,
};

struct yl_rate_limiter {
    enum limiter_type type;

    yl_msec low;                /* The base; or the fast delay. */
    yl_msec high;               /* The longest; or the slow delay. */
    unsigned max_fast_attempts;

    struct yl_mutex lock;       /* Innermost: nothing is taken under it. */
    struct yl_token_bucket bucket YL_GUARDED;

    struct yl_rate_limiter **parts;     /* Of MAX_OF and MAX_WAIT. */
    size_t n_parts;

    yl_rate_limiter_fn *custom;
    void *aux;
};

static struct yl_rate_limiter *limiter_new(enum limiter_type);
static yl_msec exponential(const struct yl_rate_limiter *,
                           unsigned n_requeues);
static yl_msec take_token(struct yl_rate_limiter *, yl_msec now);

struct yl_rate_limiter *
yl_rate_limiter_default_new(void)
{
    struct yl_rate_limiter *parts[] = {
        yl_rate_limiter_exponential_new(5, 1000 * 1000),
        yl_rate_limiter_token_bucket_new(10, 100),
    };

    return yl_rate_limiter_max_of_new_take(parts, YL_ARRAY_SIZE(parts));
}

struct yl_rate_limiter *
yl_rate_limiter_exponential_new(yl_msec base, yl_msec max)
{
    struct yl_rate_limiter *limiter = limiter_new(EXPONENTIAL);

    limiter->low = base;
    limiter->high = max;
    return limiter;
}

struct yl_rate_limiter *
yl_rate_limiter_fast_slow_new(yl_msec fast, yl_msec slow,
                              unsigned max_fast_attempts)
{
    struct yl_rate_limiter *limiter = limiter_new(FAST_SLOW);

    limiter->low = fast;
    limiter->high = slow;
    limiter->max_fast_attempts = max_fast_attempts;
    return limiter;
}

struct yl_rate_limiter *
yl_rate_limiter_token_bucket_new(double per_second, unsigned burst)
{
    struct yl_rate_limiter *limiter = limiter_new(TOKEN_BUCKET);

    yl_mutex_lock(&limiter->lock);
    yl_token_bucket_init(&limiter->bucket, per_second, burst);
    yl_mutex_unlock(&limiter->lock);
    return limiter;
}

struct yl_rate_limiter *
yl_rate_limiter_max_of_new_take(struct yl_rate_limiter *const *limiters,
                                size_t n)
{
    struct yl_rate_limiter *limiter = limiter_new(MAX_OF);
    size_t i;

    limiter->parts = yl_malloc_array(n, sizeof *limiter->parts);
    limiter->n_parts = n;
    for (i = 0; i < n; i++) {
        limiter->parts[i] = limiters[i];
    }
    return limiter;
}

struct yl_rate_limiter *
yl_rate_limiter_max_wait_new_take(struct yl_rate_limiter *inner, yl_msec max)
{
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_max_of_new_take(&inner, 1);

    limiter->type = MAX_WAIT;
    limiter->high = max;
    return limiter;
}

struct yl_rate_limiter *
yl_rate_limiter_custom_new(yl_rate_limiter_fn *when, void *aux)
{
    struct yl_rate_limiter *limiter = limiter_new(CUSTOM);

    limiter->custom = when;
    limiter->aux = aux;
    return limiter;
}

void
yl_rate_limiter_free(struct yl_rate_limiter *limiter)
{
    size_t i;

    if (limiter) {
        for (i = 0; i < limiter->n_parts; i++) {
            yl_rate_limiter_free(limiter->parts[i]);
        }
        free(limiter->parts);
        yl_mutex_destroy(&limiter->lock);
        free(limiter);
    }
}

yl_msec
yl_rate_limiter_when(struct yl_rate_limiter *limiter, const struct yl_key *key,
                     unsigned n_requeues, yl_msec now)
{
    yl_msec delay = 0;
    size_t i;

    switch (limiter->type) {
    case EXPONENTIAL:
        delay = exponential(limiter, n_requeues);
        break;

    case FAST_SLOW:
        delay = n_requeues < limiter->max_fast_attempts ? limiter->low
                                                        : limiter->high;
        break;

    case TOKEN_BUCKET:
        delay = take_token(limiter, now);
        break;

    case MAX_OF:
    case MAX_WAIT:
        for (i = 0; i < limiter->n_parts; i++) {
            yl_msec part = yl_rate_limiter_when(limiter->parts[i], key,
                                                n_requeues, now);

            if (part > delay) {
                delay = part;
            }
        }
        if (limiter->type == MAX_WAIT && delay > limiter->high) {
            delay = limiter->high;
        }
        break;

    case CUSTOM:
        delay = limiter->custom(limiter->aux, key, n_requeues, now);
        break;
    }
    return delay > 0 ? delay : 0;
}

static struct yl_rate_limiter *
limiter_new(enum limiter_type type)
{
    struct yl_rate_limiter *limiter = yl_zalloc(sizeof *limiter);

    limiter->type = type;
    yl_mutex_init(&limiter->lock);
    return limiter;
}

/* Halves the longest delay instead of doubling the base, because that cannot
 * overflow. */
static yl_msec
exponential(const struct yl_rate_limiter *limiter, unsigned n_requeues)
{
    if (limiter->low <= 0) {
        return 0;
    }
    if (n_requeues >= 62 || limiter->low > limiter->high >> n_requeues) {
        return limiter->high;
    }
    return limiter->low << n_requeues;
}

static yl_msec
take_token(struct yl_rate_limiter *limiter, yl_msec now)
{
    yl_msec delay;

    yl_mutex_lock(&limiter->lock);
    delay = yl_token_bucket_take(&limiter->bucket, now);
    yl_mutex_unlock(&limiter->lock);
    return delay;
}
