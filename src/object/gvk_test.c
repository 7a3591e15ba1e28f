/* Tests of group, version, kind and resource. */

#include "yuloh/gvk.h"

#include "unit.h"
#include "yuloh/arena.h"

TEST(api_version_is_split_as_upstream_does)
{
    static const struct {
        const char *text, *group, *version;
    } cases[] = {
        { "apps/v1", "apps", "v1" },
        { "v1", "", "v1" },
        { "", "", "" },
        { "/", "", "" },
        { "/v1", "", "v1" },
        { "apps/", "apps", "" },
    };
    struct yl_gv gv;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_gv_parse(yl_str_c(cases[i].text), &gv, NULL), 0);
        assert_str_equal(gv.group, cases[i].group);
        assert_str_equal(gv.version, cases[i].version);
    }
}

TEST(two_slashes_are_an_error)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gvk gvk = { YL_STR("x"), YL_STR("x"), YL_STR("x") };

    assert_int_equal(yl_gvk_parse(YL_STR("a/b/c"), YL_STR("K"), &gvk, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err),
                        "unexpected GroupVersion string: a/b/c");
    assert_str_equal(gvk.kind, "x");
    yl_error_clear(&err);
}

TEST(texts_are_upstream_s)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gvr nodes = { YL_STR(""), YL_STR("v1"), YL_STR("nodes") };
    struct yl_gvr sets = { YL_STR("apps"), YL_STR("v1"),
                           YL_STR("replicasets") };
    struct yl_gvk gvk, node = { YL_STR(""), YL_STR("v1"), YL_STR("Node") };

    assert_int_equal(yl_gvk_parse(YL_STR("apps/v1"), YL_STR("ReplicaSet"),
                                  &gvk, NULL), 0);
    assert_str_equal(yl_gv_api_version(yl_gvk_gv(gvk), arena), "apps/v1");
    assert_str_equal(yl_gv_api_version(yl_gvr_gv(nodes), arena), "v1");
    assert_str_equal(yl_gvk_text(gvk, arena), "apps/v1, Kind=ReplicaSet");
    assert_str_equal(yl_gvr_text(nodes, arena), "/v1, Resource=nodes");
    assert_str_equal(yl_gvk_short_text(gvk, arena), "ReplicaSet.apps");
    assert_str_equal(yl_gvk_short_text(node, arena), "Node");
    assert_str_equal(yl_gvr_short_text(sets, arena), "replicasets.apps");
    assert_str_equal(yl_gvr_short_text(nodes, arena), "nodes");
    yl_arena_free(arena);
}

TEST(order_is_group_version_name)
{
    struct yl_gvk a = { YL_STR("a"), YL_STR("v1"), YL_STR("K") };
    struct yl_gvk b = { YL_STR("a"), YL_STR("v1"), YL_STR("L") };
    struct yl_gvk c = { YL_STR("a"), YL_STR("v2"), YL_STR("K") };
    struct yl_gvr d = { YL_STR("a"), YL_STR("v1"), YL_STR("ks") };
    struct yl_gvr e = { YL_STR("b"), YL_STR("v1"), YL_STR("ks") };

    assert_true(yl_gvk_compare(a, b) < 0);
    assert_true(yl_gvk_compare(b, c) < 0);
    assert_int_equal(yl_gvk_compare(c, c), 0);
    assert_true(yl_gvk_equal(a, a) && !yl_gvk_equal(a, b));
    assert_int_equal(yl_gvk_hash(a), yl_gvk_hash(a));
    assert_int_not_equal(yl_gvk_hash(a), yl_gvk_hash(b));
    assert_int_not_equal(yl_gvk_hash(a), yl_gvk_hash(c));
    assert_int_not_equal(yl_gvr_hash(d), yl_gvr_hash(e));
    assert_true(yl_gvr_compare(e, d) > 0);
    assert_int_equal(yl_gvr_compare(d, d), 0);
    assert_true(yl_gvr_equal(d, d) && !yl_gvr_equal(d, e));
}

TEST(versions_stand_in_order_of_promise)
{
    static const char *const order[] = {
        "v11", "v10", "v2", "v1", "v11beta2", "v2beta2", "v2beta1", "v1beta1",
        "v12alpha1", "v11alpha2", "", "foo1", "v", "v1beta",
        "v1beta1x", "v1gamma1", "v99999999999999999999", "vx",
    };
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(order); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(order); j++) {
            int c = yl_version_compare(yl_str_c(order[i]),
                                       yl_str_c(order[j]));

            assert_int_equal((c > 0) - (c < 0), (i < j) - (i > j));
        }
    }
    assert_int_equal(yl_version_compare(YL_STR("v1"), YL_STR("v01")), 0);
}
