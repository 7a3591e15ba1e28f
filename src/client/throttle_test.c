/* The token bucket. */

#include "client/throttle.h"

#include "unit.h"

static yl_msec
take(struct yl_throttle *throttle, yl_msec now)
{
    yl_msec when = -1;

    assert_true(yl_throttle_take(throttle, now, YL_NEVER, &when));
    return when - now;
}

TEST(a_burst_goes_at_once_and_the_rest_in_turn)
{
    struct yl_throttle throttle;

    yl_throttle_init(&throttle, 5, 3);
    assert_int_equal(take(&throttle, 1000), 0);
    assert_int_equal(take(&throttle, 1000), 0);
    assert_int_equal(take(&throttle, 1000), 0);

    /* Five in a second are one in 200 ms; each waits behind the other. */
    assert_int_equal(take(&throttle, 1000), 200);
    assert_int_equal(take(&throttle, 1000), 400);
    assert_int_equal(take(&throttle, 1100), 500);

    /* All reservations are over, and one token more is there. */
    assert_int_equal(take(&throttle, 1800), 0);
    assert_int_equal(take(&throttle, 1800), 200);

    /* A long rest fills no more than the bucket. */
    assert_int_equal(take(&throttle, 1000000), 0);
    assert_int_equal(take(&throttle, 1000000), 0);
    assert_int_equal(take(&throttle, 1000000), 0);
    assert_int_equal(take(&throttle, 1000000), 200);
    yl_throttle_release(&throttle);
}

TEST(a_token_that_comes_too_late_is_not_taken)
{
    struct yl_throttle throttle;
    yl_msec when = -1;

    yl_throttle_init(&throttle, 1, 1);
    assert_int_equal(take(&throttle, 0), 0);
    assert_false(yl_throttle_take(&throttle, 0, 999, &when));
    assert_int_equal(when, -1);
    assert_true(yl_throttle_take(&throttle, 0, 1000, &when));
    assert_int_equal(when, 1000);
    yl_throttle_release(&throttle);
}

TEST(a_token_can_be_given_back)
{
    struct yl_throttle throttle;

    yl_throttle_init(&throttle, 1, 1);
    assert_int_equal(take(&throttle, 0), 0);
    assert_int_equal(take(&throttle, 0), 1000);
    yl_throttle_give_back(&throttle);
    assert_int_equal(take(&throttle, 0), 1000);
    yl_throttle_give_back(&throttle);
    yl_throttle_give_back(&throttle);
    yl_throttle_give_back(&throttle);   /* One more than were taken. */
    assert_int_equal(take(&throttle, 0), 0);
    assert_int_equal(take(&throttle, 0), 1000);
    yl_throttle_release(&throttle);
}

TEST(without_a_rate_everything_goes)
{
    struct yl_throttle throttle;
    int i;

    yl_throttle_init(&throttle, -1, 0);
    for (i = 0; i < 1000; i++) {
        assert_int_equal(take(&throttle, 0), 0);
    }
    yl_throttle_release(&throttle);
}

TEST(a_tiny_rate_does_not_overflow)
{
    struct yl_throttle throttle;
    yl_msec when;

    yl_throttle_init(&throttle, 1e-300, 1);
    assert_int_equal(take(&throttle, 0), 0);
    assert_true(yl_throttle_take(&throttle, 0, YL_NEVER, &when));
    assert_true(when > (yl_msec) 1 << 50);
    assert_false(yl_throttle_take(&throttle, 0, (yl_msec) 1 << 50, &when));
    yl_throttle_release(&throttle);
}
