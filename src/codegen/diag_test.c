/* Tests of the collected faults. */

#include "codegen/diag.h"

#include "unit.h"
#include "yuloh/error.h"

TEST(no_fault_is_success)
{
    struct yl_diag diag;

    yl_diag_init(&diag);
    assert_int_equal(yl_diag_result(&diag, NULL), 0);
    yl_diag_release(&diag);
}

TEST(faults_stand_one_a_line)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_diag diag;

    yl_diag_init(&diag);
    yl_diag_add(&diag, "a.h", 3, "no '%s'", "x");
    yl_diag_add(&diag, "b.h", 0, "nothing");
    assert_int_equal(yl_diag_result(&diag, &err), YL_EINVALID);
    assert_string_equal(yl_error_message(&err), "a.h:3: no 'x'\nb.h: nothing");
    yl_error_clear(&err);
    yl_diag_release(&diag);
}

TEST(many_faults_are_counted)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_diag diag;
    unsigned i;

    yl_diag_init(&diag);
    for (i = 1; i <= 53; i++) {
        yl_diag_add(&diag, "a.h", i, "bad");
    }
    assert_int_equal(yl_diag_result(&diag, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "a.h:50: bad\nand 3 more"));
    yl_error_clear(&err);
    yl_diag_release(&diag);
}
