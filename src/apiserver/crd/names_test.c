/* Tests of the names of CRDs. */

#include "apiserver/crd/names.h"

#include "apiserver/crd/conditions.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static struct yl_node *
crd(struct yl_arena *arena, const char *plural, const char *kind,
    const char *more)
{
    struct yl_node *tree;

    assert_int_equal(
        yl_tree_parse(arena,
                      yl_str_c(yl_arena_printf(
                          arena, "{\"spec\":{\"group\":\"g.io\",\"names\":"
                          "{\"plural\":\"%s\",\"kind\":\"%s\"%s}}}", plural,
                          kind, more)), NULL, &tree, NULL), 0);
    return tree;
}

TEST(names_that_are_free_are_accepted)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_names *names = yl_names_new();
    struct yl_node *a = crd(arena, "as", "A", "");

    assert_true(yl_names_settle(names, arena, a));
    assert_true(yl_conditions_is_true(a, "NamesAccepted"));
    assert_true(yl_conditions_is_true(a, "Established"));
    assert_false(yl_names_settle(names, arena, a));
    yl_names_free(names);
    yl_arena_free(arena);
}

TEST(a_name_that_is_taken_is_a_conflict)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_names *names = yl_names_new();
    struct yl_node *a = crd(arena, "as", "A", ",\"shortNames\":[\"x\"]");
    struct yl_node *b = crd(arena, "bs", "A", "");
    struct yl_node *c = crd(arena, "x", "C", "");

    yl_names_settle(names, arena, a);
    yl_names_take(names, a);
    assert_true(yl_names_settle(names, arena, b));
    assert_false(yl_conditions_is_true(b, "NamesAccepted"));
    assert_false(yl_conditions_is_true(b, "Established"));
    yl_names_take(names, b);
    assert_true(yl_names_settle(names, arena, c));
    assert_false(yl_conditions_is_true(c, "NamesAccepted"));

    yl_names_give(names, a);
    assert_true(yl_names_settle(names, arena, b));
    assert_true(yl_conditions_is_true(b, "Established"));
    assert_true(yl_names_settle(names, arena, c));
    assert_true(yl_conditions_is_true(c, "Established"));
    yl_names_free(names);
    yl_arena_free(arena);
}
