/* Tests of the order of groups. */

#include "apiserver/registry/registry.h"

#include "unit.h"

static int
compare(const char *a, const char *b)
{
    return yl_api_group_compare(yl_str_c(a), yl_str_c(b));
}

TEST(builtin_groups_have_priorities)
{
    assert_true(compare("", "apps") < 0);
    assert_true(compare("apps", "") > 0);
    assert_true(compare("apps", "apps") == 0);
    assert_true(compare("events.k8s.io", "authentication.k8s.io") < 0);
    assert_true(compare("storage.k8s.io", "admissionregistration.k8s.io") < 0);
}

TEST(other_groups_follow_by_name)
{
    assert_true(compare("flowcontrol.apiserver.k8s.io", "a.example.com") < 0);
    assert_true(compare("a.example.com", "b.example.com") < 0);
    assert_true(compare("b.example.com", "a.example.com") > 0);
    assert_true(compare("a.example.com", "a.example.com") == 0);
}
