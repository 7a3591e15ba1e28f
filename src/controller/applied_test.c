/* Tests of what was applied last. */

#include "controller/applied.h"

#include "unit.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/key.h"

TEST(the_last_of_each_object_is_known)
{
    const struct yl_kind *pods = &core_v1_pod_kind;
    const struct yl_kind *secrets = &core_v1_secret_kind;
    struct yl_key a = yl_key_make(YL_STR("x"), YL_STR("a"));
    struct yl_key b = yl_key_make(YL_STR("x"), YL_STR("b"));
    struct yl_applied *applied = yl_applied_new();

    assert_false(yl_applied_is(applied, pods, &a, YL_STR("{}")));
    yl_applied_put(applied, pods, &a, YL_STR("{}"));
    assert_true(yl_applied_is(applied, pods, &a, YL_STR("{}")));
    assert_false(yl_applied_is(applied, pods, &a, YL_STR("[]")));
    assert_false(yl_applied_is(applied, pods, &b, YL_STR("{}")));
    assert_false(yl_applied_is(applied, secrets, &a, YL_STR("{}")));
    yl_applied_put(applied, pods, &a, YL_STR("[]"));
    assert_false(yl_applied_is(applied, pods, &a, YL_STR("{}")));
    assert_true(yl_applied_is(applied, pods, &a, YL_STR("[]")));
    yl_applied_forget(applied, pods, &b);
    yl_applied_forget(applied, pods, &a);
    assert_false(yl_applied_is(applied, pods, &a, YL_STR("[]")));
    yl_applied_put(applied, secrets, &b, YL_STR("{}"));
    yl_applied_free(applied);
    yl_applied_free(NULL);
}
