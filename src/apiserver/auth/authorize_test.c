/* Tests of authorization: who needs no rule, and AlwaysAllow. */

#include "auth_rig.h"

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"

static bool
may(const char *group, struct yl_str *ret_reason)
{
    struct yl_str groups[] = { yl_str_c(group) };
    const struct yl_user user = { .name = YL_STR("x"), .groups = groups,
                                  .n_groups = 1 };
    const struct yl_attributes attributes = {
        .user = &user, .verb = YL_STR("frob"), .is_resource = true,
        .resource = YL_STR("x"),
    };

    return yl_authorize(rig.server->authorizer, &attributes, rig.arena,
                        ret_reason);
}

TEST(masters_need_no_rule)
{
    struct yl_str reason = YL_STR("?");

    auth_open();
    assert_true(may("system:masters", &reason));
    assert_str_equal(reason, "");
    assert_false(may("dev", &reason));
    assert_false(may("dev", NULL));
    auth_close();
}

TEST(always_allow_allows_always)
{
    struct yl_user user = { .name = YL_STR("x") };
    struct yl_policy policy;
    struct yl_str errors;

    rig_open();
    assert_true(may("dev", NULL));
    policy = yl_authorizer_rules(rig.server->authorizer, &user, YL_STR("d"),
                                 rig.arena, &errors);
    assert_int_equal(policy.n, 2);
    assert_str_equal(policy.all[0].verbs.all[0], "*");
    assert_non_null(yl_authorizer_rbac(rig.server->authorizer));
    rig_close();
}
