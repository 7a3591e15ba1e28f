/* Tests of schema/go_alias.h. */

#include "schema/go_alias.h"

#include "unit.h"

TEST(strings_may_have_types_of_their_own)
{
    assert_string_equal(yl_go_alias("Container", YL_STR("imagePullPolicy")),
                        "v1.PullPolicy");
    assert_string_equal(yl_go_alias("Capabilities", YL_STR("add")),
                        "v1.Capability");
    assert_string_equal(yl_go_alias("MetricSpec", YL_STR("type")),
                        "v2.MetricSourceType");
    assert_string_equal(yl_go_alias("HPAScalingRules", YL_STR("selectPolicy")),
                        "v2.ScalingPolicySelect");
    assert_string_equal(yl_go_alias("ObjectMeta", YL_STR("uid")), "types.UID");
    assert_null(yl_go_alias("Container", YL_STR("image")));
    assert_null(yl_go_alias("Nothing", YL_STR("at all")));
}
