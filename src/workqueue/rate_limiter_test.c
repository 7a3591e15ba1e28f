/* Tests of rate limiters. */

#include "yuloh/rate_limiter.h"

#include <limits.h>

#include "unit.h"
#include "yuloh/key.h"

static const struct yl_key one = { YL_STR_INIT("ns"), YL_STR_INIT("one") };

static yl_msec
when(struct yl_rate_limiter *limiter, unsigned n_requeues)
{
    return yl_rate_limiter_when(limiter, &one, n_requeues, 0);
}

TEST(exponential_doubles_up_to_the_longest)
{
    struct yl_rate_limiter *limiter = yl_rate_limiter_exponential_new(1, 1000);
    static const yl_msec wants[] = { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
                                     1000, 1000 };
    unsigned i;

    for (i = 0; i < YL_ARRAY_SIZE(wants); i++) {
        assert_int_equal(when(limiter, i), wants[i]);
    }
    yl_rate_limiter_free(limiter);
}

TEST(exponential_never_overflows)
{
    static const unsigned n_failures[] = { 40, 61, 62, 63, 64, 65, 1000,
                                           1u << 31, UINT_MAX };
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_exponential_new(1, 1000 * 1000);
    struct yl_rate_limiter *long_
        = yl_rate_limiter_exponential_new(60000, YL_NEVER);
    struct yl_rate_limiter *zero = yl_rate_limiter_exponential_new(0, 1000);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(n_failures); i++) {
        assert_int_equal(when(limiter, n_failures[i]), 1000 * 1000);
        assert_true(when(long_, n_failures[i]) > 0);
        assert_int_equal(when(zero, n_failures[i]), 0);
    }
    assert_int_equal(when(long_, 64), YL_NEVER);
    yl_rate_limiter_free(zero);
    yl_rate_limiter_free(long_);
    yl_rate_limiter_free(limiter);
}

TEST(fast_slow_is_fast_for_some_attempts)
{
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_fast_slow_new(5, 10000, 3);
    static const yl_msec wants[] = { 5, 5, 5, 10000, 10000 };
    unsigned i;

    for (i = 0; i < YL_ARRAY_SIZE(wants); i++) {
        assert_int_equal(when(limiter, i), wants[i]);
    }
    yl_rate_limiter_free(limiter);
}

TEST(max_of_asks_all_and_returns_the_longest)
{
    struct yl_rate_limiter *parts[] = {
        yl_rate_limiter_fast_slow_new(5, 3000, 3),
        yl_rate_limiter_exponential_new(1, 1000),
        yl_rate_limiter_token_bucket_new(1, 6),
    };
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_max_of_new_take(parts, 3);
    static const yl_msec wants[] = { 5, 5, 5, 3000, 3000, 3000,
                                     3000, 3000, 3000, 4000, 5000 };
    unsigned i;

    for (i = 0; i < YL_ARRAY_SIZE(wants); i++) {
        assert_int_equal(when(limiter, i), wants[i]);
    }
    yl_rate_limiter_free(limiter);
}

TEST(max_wait_cuts_what_another_says)
{
    struct yl_rate_limiter *limiter = yl_rate_limiter_max_wait_new_take(
        yl_rate_limiter_fast_slow_new(5, 10000, 2), 1000);

    assert_int_equal(when(limiter, 0), 5);
    assert_int_equal(when(limiter, 1), 5);
    assert_int_equal(when(limiter, 2), 1000);
    yl_rate_limiter_free(limiter);
}

TEST(default_is_client_go_s)
{
    struct yl_rate_limiter *limiter = yl_rate_limiter_default_new();
    int i;

    assert_int_equal(when(limiter, 0), 5);
    assert_int_equal(when(limiter, 1), 10);
    assert_int_equal(when(limiter, 17), 655360);
    assert_int_equal(when(limiter, 18), 1000 * 1000);
    for (i = 4; i < 100; i++) {
        assert_int_equal(when(limiter, 0), 5);
    }
    assert_int_equal(when(limiter, 0), 100);
    assert_int_equal(when(limiter, 0), 200);
    assert_int_equal(when(limiter, 18), 1000 * 1000);
    assert_int_equal(when(limiter, 0), 400);
    yl_rate_limiter_free(limiter);
}

static yl_msec
custom(void *aux, const struct yl_key *key, unsigned n_requeues, yl_msec now)
{
    assert_ptr_equal(aux, &one);
    assert_true(yl_key_equal(key, &one));
    assert_int_equal(now, 77);
    return 10 - (yl_msec) n_requeues;
}

TEST(custom_calls_the_user_s_function)
{
    struct yl_rate_limiter *limiter
        = yl_rate_limiter_custom_new(custom, (void *) &one);

    assert_int_equal(yl_rate_limiter_when(limiter, &one, 3, 77), 7);
    assert_int_equal(yl_rate_limiter_when(limiter, &one, 11, 77), 0);
    yl_rate_limiter_free(limiter);
    yl_rate_limiter_free(NULL);
}
