/* Tests of pruning. */

#include "schema/prune.h"

#include "json/tree.h"
#include "schema/strict.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/arena.h"

static const char types_text[] =
    "type Root\n"
    "spec pointer : Spec\n"
    "type Spec\n"
    "name omit : string\n"
    "list omit : [] Item\n"
    "map omit : {} Item\n"
    "any omit : raw\n"
    "open pointer : Open\n"
    "opened pointer preserve : Item\n"
    "orNull pointer nullable : Item\n"
    "fallback pointer default={} : Item\n"
    "type Item\n"
    "a omit : int32\n"
    "type Open preserve\n"
    "item pointer : Item\n";

static struct schema_set *types;
static struct yl_arena *arena;
static struct yl_strict strict;

static struct yl_node *
parse(const char *spec)
{
    struct yl_tree_opts opts = { .on_duplicate = yl_strict_on_duplicate,
                                 .aux = &strict };
    struct yl_node *root;

    types = schema_set_new("", types_text);
    arena = yl_arena_new();
    yl_strict_init(&strict, arena);
    assert_int_equal(yl_tree_parse(arena, yl_str_c(yl_arena_printf(
        arena, "{\"spec\":%s}", spec)), &opts, &root, NULL), 0);
    return root;
}

static void
check(struct yl_node *root, const char *want, const char *reports)
{
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, yl_node_get(root, YL_STR("spec")));
    assert_str_equal(yl_buf_str(&buf), want);
    yl_buf_clear(&buf);
    yl_strict_write(&buf, &strict);
    assert_str_equal(yl_buf_str(&buf), reports);
    yl_buf_release(&buf);
    yl_strict_release(&strict);
    yl_arena_free(arena);
    free(types);
}

static void
assert_pruned(const char *spec, const char *want, const char *reports)
{
    struct yl_node *root = parse(spec);

    yl_prune(schema_set_type(types, 1), root, &strict);
    check(root, want, reports);
}

TEST(unknown_members_are_pruned)
{
    assert_pruned("{\"x\":1,\"name\":\"a\",\"list\":[{\"b\":1},{\"a\":2,"
                  "\"c\":{}}],\"map\":{\"k\":{\"d\":1}}}",
                  "{\"name\":\"a\",\"list\":[{},{\"a\":2}],"
                  "\"map\":{\"k\":{}}}",
                  "unknown field \"spec.list[0].b\", unknown field "
                  "\"spec.list[1].c\", unknown field \"spec.map.k.d\", "
                  "unknown field \"spec.x\"");
    assert_pruned("{\"name\":{\"x\":1}}", "{\"name\":{}}",
                  "unknown field \"spec.name.x\"");
}

TEST(what_is_preserved_stays)
{
    assert_pruned("{\"any\":{\"x\":{\"y\":null}},\"open\":{\"z\":{\"w\":1},"
                  "\"item\":{\"b\":1}},\"opened\":{\"q\":1,\"a\":2}}",
                  "{\"any\":{\"x\":{\"y\":null}},\"open\":{\"z\":{\"w\":1},"
                  "\"item\":{}},\"opened\":{\"q\":1,\"a\":2}}",
                  "unknown field \"spec.open.item.b\"");
}

TEST(wrong_types_nulls_and_empties_stay)
{
    static const char spec[] =
        "{ \"name\": 5, \"list\": {}, \"map\": [1], \"any\": null,"
        " \"open\": [], \"orNull\": null }";

    assert_pruned(spec, spec, "");
    assert_pruned("{\"list\":{\"x\":1},\"map\":[{\"y\":1}],"
                  "\"name\":[[{\"z\":1}]]}",
                  "{\"list\":{},\"map\":[{}],\"name\":[[{}]]}",
                  "unknown field \"spec.list.x\", unknown field "
                  "\"spec.map[0].y\", unknown field \"spec.name[0][0].z\"");
}

TEST(repeated_members_are_reported_everywhere)
{
    assert_pruned("{\"name\":\"a\",\"name\":\"b\",\"any\":[{\"x\":1,"
                  "\"x\":2}],\"open\":{\"u\":{\"y\":1,\"y\":2}},"
                  "\"list\":{\"z\":1,\"z\":2},\"map\":{\"k\":{},\"k\":{}},"
                  "\"opened\":[{\"w\":1,\"w\":1}]}",
                  "{\"name\":\"b\",\"any\":[{\"x\":2}],\"open\":{\"u\":{"
                  "\"y\":2}},\"list\":{},\"map\":{\"k\":{}},"
                  "\"opened\":[{\"w\":1}]}",
                  "duplicate field \"spec.name\", duplicate field "
                  "\"spec.any[0].x\", duplicate field \"spec.open.u.y\", "
                  "duplicate field \"spec.list.z\", duplicate field "
                  "\"spec.map.k\", duplicate field \"spec.opened[0].w\", "
                  "unknown field \"spec.list.z\"");
}

TEST(meta_members_of_the_root_stay)
{
    struct yl_node *root;

    root = parse("{}");
    yl_node_set(arena, root, YL_STR("kind"), yl_node_new_bool(arena, true));
    yl_node_set(arena, root, YL_STR("metadata"), yl_node_new_object(arena));
    yl_node_set(arena, root, YL_STR("other"), yl_node_new_bool(arena, true));
    yl_prune(schema_set_type(types, 1), root, NULL);
    assert_int_equal(root->n, 3);
    check(root, "{}", "");
}

TEST(nulls_that_may_not_be_go)
{
    struct yl_node *root = parse(
        "{\"name\":null,\"any\":null,\"orNull\":null,\"fallback\":null,"
        "\"list\":[null,{\"a\":null}],\"map\":{\"k\":{\"a\":null},"
        "\"l\":null},\"unknown\":null,\"open\":5}");

    yl_prune_nulls(schema_set_type(types, 1), root);
    check(root, "{\"any\":null,\"orNull\":null,\"fallback\":null,"
                "\"list\":[null,{}],\"map\":{\"k\":{}},"
                "\"unknown\":null,\"open\":5}", "");
}
