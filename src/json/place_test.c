/* Tests of places.  patch_test.c tests them through operations. */

#include "json/place.h"

#include "base/arena.h"
#include "unit.h"
#include "yuloh/error.h"

static struct yl_arena arena;

static struct yl_places
places_of(const char *text, bool kubernetes)
{
    struct yl_places places = { .arena = &arena, .kubernetes = kubernetes };

    assert_int_equal(yl_tree_parse(&arena, yl_str_c(text), NULL, &places.root,
                                   NULL), 0);
    return places;
}

TEST(work_is_counted)
{
    struct yl_places places;
    struct yl_place place;
    struct yl_node *node;

    yl_arena_init(&arena);
    places = places_of("{\"a\":[0,1,2,3,4,5,6,7,8,9]}", false);
    assert_int_equal(yl_place_find(&places, YL_STR("/a/5"), &place), 0);
    assert_int_equal(places.work, 2);
    assert_int_equal(yl_place_get(&places, &place, &node), 0);
    assert_int_equal(places.work, 7);
    assert_int_equal(yl_place_find(&places, YL_STR("/a/1"), &place), 0);
    assert_int_equal(yl_place_get(&places, &place, &node), 0);
    assert_int_equal(places.work, 10);
    assert_int_equal(yl_place_find(&places, YL_STR("/a/4"), &place), 0);
    assert_int_equal(yl_place_put(&places, &place, yl_node_new_null(&arena)),
                     0);
    assert_int_equal(places.work, 16);
    yl_arena_release(&arena);
}

TEST(places_are_found_where_nothing_is)
{
    struct yl_places places;
    struct yl_place place;
    struct yl_node *node;

    yl_arena_init(&arena);
    places = places_of("{\"o\":{\"a~/\":1}}", false);
    assert_int_equal(yl_place_find(&places, YL_STR("/o/a~0~1"), &place), 0);
    assert_str_equal(place.key, "a~/");
    assert_int_equal(yl_place_find(&places, YL_STR("/o/new"), &place), 0);
    assert_ptr_equal(place.parent, yl_node_get(places.root, YL_STR("o")));
    assert_int_equal(yl_place_get(&places, &place, &node), 0);
    assert_null(node);
    assert_int_equal(yl_place_take(&places, &place, &node), YL_EINVALID);
    assert_int_equal(yl_place_find(&places, YL_STR("/none/new"), &place),
                     YL_ENOTFOUND);
    assert_int_equal(yl_place_find(&places, YL_STR("/o/a~0~1/x"), &place),
                     YL_ENOTFOUND);
    yl_arena_release(&arena);
}

TEST(the_whole_document_is_a_place_by_the_rfc)
{
    struct yl_places places;
    struct yl_place place;
    struct yl_node *node;

    yl_arena_init(&arena);
    places = places_of("[1]", false);
    assert_int_equal(yl_place_find(&places, YL_STR(""), &place), 0);
    assert_int_equal(yl_place_get(&places, &place, &node), 0);
    assert_ptr_equal(node, places.root);
    assert_int_equal(yl_place_take(&places, &place, &node), YL_EINVALID);
    assert_int_equal(yl_place_put(&places, &place, yl_node_new_null(&arena)),
                     0);
    assert_int_equal(places.root->type, YL_JSON_NULL);
    assert_false(places.grown);
    assert_int_equal(yl_place_put(&places, &place, yl_node_new_array(&arena)),
                     0);
    assert_true(places.grown);
    places.kubernetes = true;
    assert_int_equal(yl_place_find(&places, YL_STR(""), &place), YL_ENOTFOUND);
    yl_arena_release(&arena);
}
