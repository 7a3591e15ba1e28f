/* Tests of the conditions of CRDs. */

#include "apiserver/crd/conditions.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static struct yl_node *
parse(struct yl_arena *arena, const char *text)
{
    struct yl_node *tree;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &tree, NULL),
                     0);
    return tree;
}

TEST(a_condition_is_set_once)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *crd = parse(arena, "{}");
    struct yl_definition_condition c = { "T", "True", "Why", "because" };

    assert_true(yl_conditions_set(arena, crd, &c));
    assert_false(yl_conditions_set(arena, crd, &c));
    assert_true(yl_conditions_is_true(crd, "T"));
    c.status = "False";
    assert_true(yl_conditions_set(arena, crd, &c));
    assert_false(yl_conditions_is_true(crd, "T"));
    assert_true(yl_conditions_remove(crd, "T"));
    assert_false(yl_conditions_remove(crd, "T"));
    yl_arena_free(arena);
}

TEST(groups_of_kubernetes_need_an_approval)
{
    static const struct {
        const char *group, *annotation;
        bool condition, approved;
    } cases[] = {
        { "example.com", "x", false, false },
        { "xk8s.io", "x", false, false },
        { "k8s.io", "https://a.b/c", true, true },
        { "a.k8s.io", "unapproved, for a test", true, false },
        { "a.kubernetes.io", "", true, false },
        { "a.kubernetes.io", "no url", true, false },
        { "a.kubernetes.io", "https:///no-host", true, false },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *crd = parse(arena, yl_arena_printf(
            arena, "{\"metadata\":{\"annotations\":"
            "{\"api-approved.kubernetes.io\":\"%s\"}},\"spec\":{\"group\":"
            "\"%s\"}}", cases[i].annotation, cases[i].group));

        assert_int_equal(yl_conditions_set_approval(arena, crd),
                         cases[i].condition);
        assert_int_equal(yl_conditions_is_true(
            crd, "KubernetesAPIApprovalPolicyConformant"),
            cases[i].approved);
    }
    yl_arena_free(arena);
}
