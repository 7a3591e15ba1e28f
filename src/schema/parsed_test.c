/* Tests of texts that are parsed once. */

#include "schema/parsed.h"

#include "json/tree.h"
#include "schema/compile.h"
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

TEST(a_schema_is_compiled_once)
{
    static const char text[] = "{\"type\":\"string\"}", none[] = "[]";
    struct yl_arena *arena = yl_arena_new();
    const struct yl_schema *schema;
    struct yl_parsed parsed;

    yl_parsed_init(&parsed, arena);
    schema = yl_parsed_schema(&parsed, text);
    assert_int_equal(yl_schema_value(schema)->kind, YL_VALUE_STRING);
    assert_ptr_equal(yl_parsed_schema(&parsed, text), schema);
    assert_null(yl_parsed_schema(&parsed, none));
    assert_null(yl_parsed_schema(&parsed, none));
    yl_parsed_release(&parsed);
    yl_arena_free(arena);
}
