/* Tests of token buckets. */

#include "base/token_bucket.h"

#include "unit.h"

TEST(a_burst_passes_and_then_the_rate_counts)
{
    struct yl_token_bucket bucket;
    int i;

    yl_token_bucket_init(&bucket, 10, 100);
    for (i = 0; i < 100; i++) {
        assert_int_equal(yl_token_bucket_take(&bucket, 5000), 0);
    }
    for (i = 1; i <= 20; i++) {
        assert_int_equal(yl_token_bucket_take(&bucket, 5000), 100 * i);
    }

    /* What was owed has been waited for; nothing is left over. */
    assert_int_equal(yl_token_bucket_take(&bucket, 7000), 100);
    assert_int_equal(yl_token_bucket_take(&bucket, 7200), 0);
}

TEST(it_fills_up_to_the_burst_and_no_further)
{
    struct yl_token_bucket bucket;

    yl_token_bucket_init(&bucket, 1, 2);
    assert_true(yl_token_bucket_try(&bucket, 0));
    assert_true(yl_token_bucket_try(&bucket, 0));
    assert_false(yl_token_bucket_try(&bucket, 999));
    assert_true(yl_token_bucket_try(&bucket, 1000));
    assert_true(yl_token_bucket_try(&bucket, 1000000));
    assert_true(yl_token_bucket_try(&bucket, 1000000));
    assert_false(yl_token_bucket_try(&bucket, 1000000));
}

TEST(waits_are_rounded_up)
{
    struct yl_token_bucket bucket;

    yl_token_bucket_init(&bucket, 3, 1);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 0);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 334);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 667);
}

TEST(time_that_goes_back_stands_still)
{
    struct yl_token_bucket bucket;

    yl_token_bucket_init(&bucket, 1, 1);
    assert_int_equal(yl_token_bucket_take(&bucket, 5000), 0);
    assert_int_equal(yl_token_bucket_take(&bucket, 1000), 1000);
    assert_int_equal(yl_token_bucket_take(&bucket, 6000), 1000);
}

TEST(no_rate_is_no_limit)
{
    struct yl_token_bucket bucket;
    int i;

    yl_token_bucket_init(&bucket, 0, 0);
    for (i = 0; i < 1000; i++) {
        assert_int_equal(yl_token_bucket_take(&bucket, 0), 0);
        assert_true(yl_token_bucket_try(&bucket, 0));
    }
}

TEST(a_token_that_was_not_used_can_be_put_back)
{
    struct yl_token_bucket bucket;

    yl_token_bucket_init(&bucket, 1, 1);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 0);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 1000);
    yl_token_bucket_give_back(&bucket);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 1000);
    yl_token_bucket_give_back(&bucket);
    yl_token_bucket_give_back(&bucket);
    yl_token_bucket_give_back(&bucket);
    assert_true(yl_token_bucket_try(&bucket, 0));
    assert_false(yl_token_bucket_try(&bucket, 0));
}

TEST(a_tiny_rate_waits_long_but_not_for_ever)
{
    struct yl_token_bucket bucket;

    yl_token_bucket_init(&bucket, 1e-300, 1);
    assert_int_equal(yl_token_bucket_take(&bucket, 0), 0);
    assert_true(yl_token_bucket_take(&bucket, 0) < YL_NEVER / 2);
}
