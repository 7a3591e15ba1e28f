/* Tests of waiting. */

#include "apiserver/wait.h"

#include "unit.h"

static int n_done, n_cancelled, last;

static void
on_cancel(struct yl_wait *wait)
{
    assert_ptr_equal(wait->what, &last);
    n_cancelled++;
}

static void
on_done(struct yl_wait *wait, int result)
{
    n_done++;
    last = result;
    if (n_done == 1) {
        assert_int_equal(yl_wait_begin(wait, on_cancel, &last), YL_WAITING);
    }
}

TEST(a_wait_ends_once)
{
    struct yl_wait wait = { .done = on_done };

    n_done = n_cancelled = 0;
    yl_wait_cancel(&wait);
    assert_int_equal(yl_wait_begin(&wait, on_cancel, &last), YL_WAITING);
    yl_wait_end(&wait, -3);
    assert_int_equal(n_done, 1);
    assert_int_equal(last, -3);

    /* The first end began another one. */
    yl_wait_cancel(&wait);
    yl_wait_cancel(&wait);
    assert_int_equal(n_cancelled, 1);
    assert_int_equal(n_done, 1);
}
