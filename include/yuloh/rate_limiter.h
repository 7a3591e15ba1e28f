#ifndef YL_RATE_LIMITER_H
#define YL_RATE_LIMITER_H 1

/* Rate limiter: how long a key that failed has to wait.
 *
 * A work queue (yuloh/workqueue.h) counts how often each key has failed, and
 * asks a limiter when the key may be tried again.  The limiters are those of
 * client-go, under the same names:
 *
 *     exponential   5 ms, 10 ms, 20 ms ... up to a longest delay, by key
 *     fast_slow     a short delay for the first failures, a long one for the
 *                   others, by key
 *     token_bucket  so many in a second, of all keys together
 *     max_of        the longest delay that any of several limiters asks for
 *     max_wait      what another limiter asks for, but not more than so much
 *     custom        a function of yours
 *
 * Guarantees
 * ==========
 *
 *   - A limiter holds nothing for a key.  What grows with a key's failures is
 *     a function of their number, which the caller keeps.
 *
 *   - Delays never overflow: a key that has failed a million times waits as
 *     long as the longest delay says.
 *
 *   - The time is an argument.  A limiter reads no clock.
 *
 * Ownership
 * =========
 *
 * max_of and max_wait take the limiters they are made of; free the outermost
 * one.  A queue borrows its limiter.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread, except that
 * yl_rate_limiter_free() must come last.  So queues may share a limiter, and
 * a token bucket in it then counts the keys of all of them.
 *
 * Usage
 * =====
 *
 *     struct yl_rate_limiter *parts[] = {
 *         yl_rate_limiter_exponential_new(5, 60000),
 *         yl_rate_limiter_token_bucket_new(10, 100),
 *     };
 *     struct yl_rate_limiter *limiter
 *         = yl_rate_limiter_max_of_new_take(parts, 2);
 *     struct yl_workqueue *q = yl_workqueue_new(
 *         &(struct yl_workqueue_opts) { .limiter = limiter }); */

#include <stddef.h>

#include "yuloh/clock.h"
#include "yuloh/compiler.h"

YL_C_BEGIN

struct yl_key;                  /* yuloh/key.h */
struct yl_rate_limiter;

/* client-go's default for controllers: exponential from 5 ms to 1,000 s, and a
 * token bucket of 10 a second with a burst of 100. */
struct yl_rate_limiter *yl_rate_limiter_default_new(void);

/* 'base' times two to the power of the key's failures before this one, but at
 * most 'max'. */
struct yl_rate_limiter *yl_rate_limiter_exponential_new(yl_msec base,
                                                        yl_msec max);

/* 'fast' for the first 'max_fast_attempts' failures, 'slow' after them. */
struct yl_rate_limiter *
yl_rate_limiter_fast_slow_new(yl_msec fast, yl_msec slow,
                              unsigned max_fast_attempts);

/* 'per_second' keys in a second, whichever they are, and 'burst' at once if
 * there were none for a while. */
struct yl_rate_limiter *yl_rate_limiter_token_bucket_new(double per_second,
                                                         unsigned burst);

/* The longest delay of the 'n' limiters.  Each is asked, so each counts. */
struct yl_rate_limiter *
yl_rate_limiter_max_of_new_take(struct yl_rate_limiter *const *limiters,
                                size_t n);

/* What 'limiter' says, but at most 'max'. */
struct yl_rate_limiter *
yl_rate_limiter_max_wait_new_take(struct yl_rate_limiter *limiter,
                                  yl_msec max);

/* A limiter of yours: returns the delay of 'key', which has failed
 * 'n_requeues' times before this one since it was forgotten last.  A queue
 * calls it with no lock held. */
typedef yl_msec yl_rate_limiter_fn(void *aux, const struct yl_key *key,
                                   unsigned n_requeues, yl_msec now);
struct yl_rate_limiter *yl_rate_limiter_custom_new(yl_rate_limiter_fn *when,
                                                   void *aux);

void yl_rate_limiter_free(struct yl_rate_limiter *);

/* How long 'key' has to wait after it has failed once more, having failed
 * 'n_requeues' times before.  Never negative. */
yl_msec yl_rate_limiter_when(struct yl_rate_limiter *,
                             const struct yl_key *key, unsigned n_requeues,
                             yl_msec now);

YL_C_END

#endif /* yuloh/rate_limiter.h */
