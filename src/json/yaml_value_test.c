/* Tests of json/yaml_value.c.  What Go makes of scalars is in yaml_in_test.c;
 * here are the errors and who owns what. */

#include "json/yaml_value.h"

#include "json/tree.h"
#include "json/yaml_scalar.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

TEST(a_tag_decides)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_yaml_scalar s;

    assert_int_equal(yl_yaml_resolve_tagged(arena, "tag:yaml.org,2002:float",
                                            YL_STR("3"), &s, &err), 0);
    assert_int_equal(s.type, YL_YAML_FLOAT);
    assert_int_equal(yl_yaml_resolve_tagged(arena, "tag:yaml.org,2002:str",
                                            YL_STR("3"), &s, &err), 0);
    assert_int_equal(s.type, YL_YAML_STRING);
    assert_int_equal(yl_yaml_resolve_tagged(arena, "!mine", YL_STR("3"), &s,
                                            &err), 0);
    assert_int_equal(s.type, YL_YAML_STRING);
    assert_int_equal(yl_yaml_resolve_tagged(arena, "tag:yaml.org,2002:binary",
                                            YL_STR("YQ=="), &s, &err), 0);
    assert_str_equal(s.text, "a");
    assert_int_equal(err.code, 0);
    assert_int_equal(yl_yaml_resolve_tagged(arena, "tag:yaml.org,2002:bool",
                                            YL_STR("3"), &s, &err), YL_ETYPE);
    assert_string_equal(yl_error_message(&err),
                        "cannot decode `3` as a !!bool");
    assert_str_equal(s.text, "a");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(what_json_cannot_say_is_refused)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_yaml_scalar s = yl_yaml_resolve(YL_STR(".nan"));
    struct yl_node *node;
    struct yl_str key;

    assert_int_equal(yl_yaml_to_node(arena, &s, &node, &err), YL_ERANGE);
    assert_string_equal(yl_error_message(&err), "JSON cannot say .nan");
    assert_int_equal(yl_yaml_to_key(arena, &s, &key, NULL), 0);
    assert_str_equal(key, ".nan");
    s = yl_yaml_resolve(YL_STR("~"));
    assert_int_equal(yl_yaml_to_key(arena, &s, &key, &err), YL_ESYNTAX);
    assert_string_equal(yl_error_message(&err), "null cannot be a map key");
    s = yl_yaml_resolve(YL_STR("0xffffffffffffffff"));
    assert_int_equal(yl_yaml_to_key(arena, &s, &key, &err), YL_ESYNTAX);
    assert_string_equal(yl_error_message(&err),
                        "0xffffffffffffffff is too large for a map key");
    assert_int_equal(yl_yaml_to_node(arena, &s, &node, &err), 0);
    assert_str_equal(yl_str_n(node->raw_data, node->raw_size),
                     "18446744073709551615");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(a_node_keeps_its_own_bytes)
{
    struct yl_arena *arena = yl_arena_new();
    char text[] = "text";
    struct yl_yaml_scalar s = yl_yaml_resolve(yl_str_c(text));
    struct yl_node *node;

    assert_int_equal(yl_yaml_to_node(arena, &s, &node, NULL), 0);
    text[0] = 'x';
    assert_true(yl_node_string_is(node, YL_STR("text")));
    yl_arena_free(arena);
}
