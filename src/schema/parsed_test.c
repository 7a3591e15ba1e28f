/* Tests of texts that are parsed once. */

#include "schema/parsed.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

TEST(a_text_is_parsed_once)
{
    static const char one[] = "[1]", other[] = "{}", none[] = "{";
    struct yl_arena *arena = yl_arena_new();
    const struct yl_node *tree;
    struct yl_parsed parsed;

    yl_parsed_init(&parsed, arena);
    tree = yl_parsed_get(&parsed, one);
    assert_int_equal(tree->type, YL_JSON_ARRAY);
    assert_int_equal(yl_parsed_get(&parsed, other)->type, YL_JSON_OBJECT);
    assert_ptr_equal(yl_parsed_get(&parsed, one), tree);
    assert_null(yl_parsed_get(&parsed, none));
    assert_null(yl_parsed_get(&parsed, none));
    yl_parsed_release(&parsed);
    yl_arena_free(arena);
}
