/* When memory is given back, and that what is in use stays. */

#include "base/trim.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "unit.h"

TEST(nothing_is_due_where_nothing_was_done)
{
    struct yl_trim trim = YL_TRIM_INIT;

    assert_false(yl_trim_is_due(&trim, 0, 10000));
    assert_false(yl_trim_is_due(&trim, 0, 20000));
}

TEST(a_flood_is_waited_for)
{
    struct yl_trim trim = YL_TRIM_INIT;

    assert_false(yl_trim_is_due(&trim, 5000, 10000));
    assert_false(yl_trim_is_due(&trim, 5000 + YL_TRIM_QUIET, 20000));
    assert_true(yl_trim_is_due(&trim, 5000 + YL_TRIM_QUIET + 1, 30000));
    yl_trim_done(&trim, 30000, 30000);

    /* Once, until more is done. */
    assert_false(yl_trim_is_due(&trim, 5000 + YL_TRIM_QUIET + 1, 40000));
    assert_true(yl_trim_is_due(&trim, 5000 + YL_TRIM_QUIET + 2, 50000));
}

TEST(what_took_long_is_not_done_again_soon)
{
    struct yl_trim trim = YL_TRIM_INIT;

    assert_true(yl_trim_is_due(&trim, 1, 10000));
    yl_trim_done(&trim, 10000, 10050);
    assert_false(yl_trim_is_due(&trim, 2, 60049));
    assert_true(yl_trim_is_due(&trim, 3, 60050));
}

TEST(memory_in_use_stays)
{
    char *kept[64], *gone[64];
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kept); i++) {
        kept[i] = yl_malloc(10000);
        memset(kept[i], (int) i, 10000);
        gone[i] = yl_malloc(50000);
        memset(gone[i], 'x', 50000);
    }
    for (i = 0; i < YL_ARRAY_SIZE(gone); i++) {
        free(gone[i]);
    }
    yl_give_back_memory();
    for (i = 0; i < YL_ARRAY_SIZE(kept); i++) {
        assert_int_equal(kept[i][0], i);
        assert_int_equal(kept[i][9999], i);
        free(kept[i]);
    }
}
