/* Tests of the scheme. */

#include "yuloh/scheme.h"

#include "unit.h"
#include "yuloh/error.h"

static const struct yl_type_set apps, apps_again, core;
static const struct yl_kind deployment = {
    .set = &apps, .name = "Deployment", .plural = "deployments",
};
static const struct yl_kind scale = {
    .set = &apps, .name = "Scale", .plural = "",
};
static const struct yl_kind twin = {
    .set = &apps_again, .name = "Twin", .plural = "deployments",
};
static const struct yl_kind pod = {
    .set = &core, .name = "Pod", .plural = "pods",
};
static const struct yl_kind *const apps_kinds[] = { &deployment, &scale };
static const struct yl_kind *const twin_kinds[] = { &twin };
static const struct yl_kind *const core_kinds[] = { &pod };
static const struct yl_type_set apps = {
    .group = "apps", .version = "v1", .kinds = apps_kinds, .n_kinds = 2,
};
static const struct yl_type_set apps_again = {
    .group = "apps", .version = "v1", .kinds = twin_kinds, .n_kinds = 1,
};
static const struct yl_type_set core = {
    .group = "", .version = "v1", .kinds = core_kinds, .n_kinds = 1,
};

TEST(kinds_are_found_by_name_and_by_resource)
{
    struct yl_scheme *scheme = yl_scheme_new();
    size_t n;

    assert_int_equal(yl_scheme_add(scheme, &apps), 0);
    assert_int_equal(yl_scheme_add(scheme, &core), 0);
    assert_ptr_equal(yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v1"),
                                    YL_STR("Deployment")), &deployment);
    assert_ptr_equal(yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v1"),
                                    YL_STR("Scale")), &scale);
    assert_ptr_equal(yl_scheme_find_resource(scheme, YL_STR(""), YL_STR("v1"),
                                             YL_STR("pods")), &pod);
    assert_null(yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v1"),
                               YL_STR("Pod")));
    assert_null(yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v2"),
                               YL_STR("Deployment")));
    assert_null(yl_scheme_find_resource(scheme, YL_STR("apps"), YL_STR("v1"),
                                        YL_STR("")));
    assert_ptr_equal(yl_scheme_sets(scheme, &n)[1], &core);
    assert_int_equal(n, 2);
    yl_scheme_free(scheme);
    yl_scheme_free(NULL);
}

TEST(what_is_there_already_is_not_added)
{
    struct yl_scheme *scheme = yl_scheme_new();
    size_t n;

    assert_int_equal(yl_scheme_add(scheme, &apps), 0);
    assert_int_equal(yl_scheme_add(scheme, &apps), YL_EEXISTS);
    assert_int_equal(yl_scheme_add(scheme, &apps_again), YL_EEXISTS);
    assert_null(yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v1"),
                               YL_STR("Twin")));
    yl_scheme_sets(scheme, &n);
    assert_int_equal(n, 1);
    yl_scheme_free(scheme);
}
