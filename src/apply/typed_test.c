/* Tests of objects by field. */

#include "apply/typed.h"

#include "apply/shape.h"
#include "apply_unit.h"
#include "schema/normalize.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/api/rbac_v1.h"

/* One of everything. */
static const char schema[] =
    "{'type':'object','properties':{"
    " 'n':{'type':'integer'},"
    " 's':{'type':'string'},"
    " 'b':{'type':'boolean'},"
    " 'struct':{'type':'object','properties':{'a':{'type':'string'},"
    "  'b':{'type':'string'}}},"
    " 'whole':{'type':'object','x-kubernetes-map-type':'atomic',"
    "  'properties':{'a':{'type':'string'},'b':{'type':'string'}}},"
    " 'map':{'type':'object','additionalProperties':{'type':'string'}},"
    " 'wholeMap':{'type':'object','x-kubernetes-map-type':'atomic',"
    "  'additionalProperties':{'type':'string'}},"
    " 'list':{'type':'array','items':{'type':'string'}},"
    " 'set':{'type':'array','x-kubernetes-list-type':'set',"
    "  'items':{'type':'string'}},"
    " 'numbers':{'type':'array','x-kubernetes-list-type':'set',"
    "  'items':{'type':'integer'}},"
    " 'items':{'type':'array','x-kubernetes-list-type':'map',"
    "  'x-kubernetes-list-map-keys':['name'],'items':{'type':'object',"
    "  'properties':{'name':{'type':'string'},'v':{'type':'integer'},"
    "   'tags':{'type':'array','x-kubernetes-list-type':'set',"
    "    'items':{'type':'string'}}}}},"
    " 'ports':{'type':'array','x-kubernetes-list-type':'map',"
    "  'x-kubernetes-list-map-keys':['port','protocol'],"
    "  'items':{'type':'object','properties':{'port':{'type':'integer'},"
    "   'protocol':{'type':'string','default':'TCP'},"
    "   'name':{'type':'string'}}}},"
    " 'any':{'x-kubernetes-preserve-unknown-fields':true},"
    " 'more':{'type':'object','x-kubernetes-preserve-unknown-fields':true,"
    "  'properties':{'a':{'type':'string'},"
    "   'deep':{'type':'object','properties':{'a':{'type':'string'}}}}},"
    " 'free':{'type':'object'},"
    " 'object':{'type':'object','x-kubernetes-embedded-resource':true,"
    "  'x-kubernetes-preserve-unknown-fields':true},"
    " 'amount':{'x-kubernetes-int-or-string':true}}}";

static void
check_fields(const char *object, const char *expected)
{
    struct apply_unit u;

    apply_init(&u, schema);
    apply_check_set(&u, yl_typed_fields(u.arena, u.as,
                                        apply_node(u.arena, object)),
                    expected);
    apply_release(&u);
}

static void
check_compared(const char *s, const char *old, const char *now,
               const char *removed, const char *modified, const char *added)
{
    struct yl_comparison c;
    struct apply_unit u;

    apply_init(&u, s);
    assert_int_equal(yl_typed_compare(u.arena, u.as, apply_node(u.arena, old),
                                      apply_node(u.arena, now), &c),
                     strcmp(removed, "{}") != 0 || strcmp(modified, "{}") != 0
                     || strcmp(added, "{}") != 0);
    apply_check_set(&u, c.removed, removed);
    apply_check_set(&u, c.modified, modified);
    apply_check_set(&u, c.added, added);
    apply_release(&u);
}

static void
check_merged(const char *live, const char *applied, const char *expected)
{
    const struct yl_node *node, *merged;
    struct apply_unit u;

    apply_init(&u, schema);
    node = apply_node(u.arena, live);
    merged = yl_typed_merge(u.arena, u.as, node,
                            apply_node(u.arena, applied));
    apply_check_node(&u, merged, expected);
    if (live && strcmp(live, expected) == 0) {
        assert_ptr_equal(merged, node);
    }
    apply_release(&u);
}

static void
check_removed(const char *object, const char *set, const char *expected)
{
    struct apply_unit u;

    apply_init(&u, schema);
    apply_check_node(&u, yl_typed_remove(u.arena, u.as,
                                         apply_node(u.arena, object),
                                         apply_set(u.arena, set)),
                     expected);
    apply_release(&u);
}

static void
check_extracted(const char *object, const char *set, bool keys,
                const char *expected)
{
    struct apply_unit u;

    apply_init(&u, schema);
    apply_check_node(&u, yl_typed_extract(u.arena, u.as,
                                          apply_node(u.arena, object),
                                          apply_set(u.arena, set), keys),
                     expected);
    apply_release(&u);
}

/* NULL if it is valid. */
static void
check_valid(const char *object, bool duplicates, const char *message)
{
    struct yl_error err = YL_ERROR_INIT;
    struct apply_unit u;

    apply_init(&u, schema);
    assert_int_equal(yl_typed_validate(u.arena, u.as,
                                       apply_node(u.arena, object),
                                       duplicates, &err),
                     message ? YL_EINVALID : 0);
    if (message) {
        assert_string_equal(yl_error_message(&err),
                            apply_text(u.arena, message).data);
    }
    yl_error_clear(&err);
    apply_release(&u);
}

/* Checks both ways to say which fields a creation sets. */
static void
check_created(struct apply_unit *u, const char *object, const char *filter,
              const char *except, const char *expected)
{
    struct yl_field_filter f = { apply_set(u->arena, filter), NULL, 0 };
    const struct yl_field_set *stripped = apply_set(u->arena, except), *set;
    const struct yl_node *node = apply_node(u->arena, object);
    struct yl_comparison c;
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    assert_int_equal(yl_typed_write_created(u->arena, u->as, node, &f,
                                            stripped, &buf),
                     strcmp(expected, "{}") != 0);
    assert_string_equal(yl_buf_c_str(&buf),
                        apply_text(u->arena, expected).data);
    yl_buf_release(&buf);
    yl_typed_compare(u->arena, u->as, yl_typed_zero(u->arena, u->as), node,
                     &c);
    set = yl_field_set_union(u->arena, c.added, c.modified);
    set = yl_field_filter(u->arena, &f, set);
    apply_check_set(u, yl_field_set_difference(u->arena, set, stripped),
                    expected);
}

TEST(leaves_items_and_keys_of_maps_are_fields)
{
    check_fields("{}", "{}");
    check_fields("{'n':1,'s':'x','b':true}", "{'f:b':{},'f:n':{},'f:s':{}}");
    check_fields("{'struct':{'a':'x'}}", "{'f:struct':{'f:a':{}}}");
    check_fields("{'struct':{}}", "{'f:struct':{}}");
    check_fields("{'struct':null}", "{'f:struct':{}}");
    check_fields("{'map':{'a':'x'}}", "{'f:map':{'f:a':{}}}");
    check_fields("{'whole':{'a':'x'},'wholeMap':{'a':'x'}}",
                 "{'f:whole':{},'f:wholeMap':{}}");
    check_fields("{'list':['a'],'set':['b','a']}",
                 "{'f:list':{},'f:set':{'v:~a~':{},'v:~b~':{}}}");
    check_fields("{'items':[{'name':'a','v':1}]}",
                 "{'f:items':{'k:{~name~:~a~}':{'.':{},'f:name':{},"
                 "'f:v':{}}}}");
    check_fields("{'items':[]}", "{}");
    check_fields("{'items':null}", "{'f:items':{}}");
    check_fields("{'n':null}", "{'f:n':{}}");
    check_fields("{'amount':'1Gi'}", "{'f:amount':{}}");
}

TEST(keys_have_the_defaults_of_the_schema)
{
    check_fields("{'ports':[{'port':80}]}",
                 "{'f:ports':{'k:{~port~:80,~protocol~:~TCP~}':{'.':{},"
                 "'f:port':{}}}}");
    check_fields("{'ports':[{'protocol':'UDP','port':9},{'port':80}]}",
                 "{'f:ports':{'k:{~port~:80,~protocol~:~TCP~}':{'.':{},"
                 "'f:port':{}},'k:{~port~:9,~protocol~:~UDP~}':{'.':{},"
                 "'f:port':{},'f:protocol':{}}}}");
    check_fields("{'ports':[{'name':'x'}]}",
                 "{'f:ports':{'k:{~protocol~:~TCP~}':{'.':{},'f:name':{}}}}");
}

TEST(repeated_items_are_one_field)
{
    check_fields("{'items':[{'name':'a','v':1},{'name':'b'},{'name':'a'}],"
                 "'set':['x','x']}",
                 "{'f:items':{'k:{~name~:~a~}':{},'k:{~name~:~b~}':{'.':{},"
                 "'f:name':{}}},'f:set':{'v:~x~':{}}}");
}

TEST(what_is_not_described_is_deduced)
{
    check_fields("{'any':{'a':{'b':[{'c':1}]}}}",
                 "{'f:any':{'f:a':{'.':{},'f:b':{}}}}");
    check_fields("{'any':[1,{'a':1}]}", "{'f:any':{}}");
    check_fields("{'more':{'a':'x','other':{'b':1},'deep':{'a':'x','z':1}}}",
                 "{'f:more':{'f:a':{},'f:deep':{'f:a':{},'f:z':{}},"
                 "'f:other':{'.':{},'f:b':{}}}}");
    check_fields("{'free':{'a':{'b':1}}}",
                 "{'f:free':{'f:a':{'.':{},'f:b':{}}}}");
}

TEST(metadata_is_described_for_custom_resources)
{
    check_fields("{'apiVersion':'v1','kind':'K','metadata':{'name':'a',"
                 "'labels':{'x':'y'},'finalizers':['f'],'ownerReferences':"
                 "[{'uid':'u','name':'n'}]}}",
                 "{'f:apiVersion':{},'f:kind':{},'f:metadata':{"
                 "'f:finalizers':{'v:~f~':{}},'f:labels':{'f:x':{}},"
                 "'f:name':{},'f:ownerReferences':{'k:{~uid~:~u~}':{}}}}");
    check_fields("{'object':{'kind':'K','metadata':{'finalizers':['f']},"
                 "'spec':{'a':[1]}}}",
                 "{'f:object':{'f:kind':{},'f:metadata':{'f:finalizers':{"
                 "'v:~f~':{}}},'f:spec':{'.':{},'f:a':{}}}}");
}

/* As deep as a parser allows, and FieldsV1 can still be read inside of an
 * object. */
TEST(deep_objects_have_fields_that_can_be_read)
{
    struct yl_comparison c;
    struct apply_unit u;
    struct yl_node *node, *object;
    struct yl_buf text, fields;
    size_t i;

    apply_init(&u, NULL);
    yl_buf_init(&text, 1 << 20);
    yl_buf_init(&fields, 1 << 20);
    for (i = 0; i < YL_JSON_MAX_DEPTH; i++) {
        yl_buf_append_c(&text, i < YL_JSON_MAX_DEPTH - 1 ? "{\"a\":" : "{}");
    }
    for (i = 1; i < YL_JSON_MAX_DEPTH; i++) {
        yl_buf_append_char(&text, '}');
    }
    assert_int_equal(yl_tree_parse(u.arena, yl_buf_str(&text), NULL, &node,
                                   NULL), 0);
    yl_buf_append_c(&fields, "{\"metadata\":{\"managedFields\":[{\"f\":");
    assert_int_equal(yl_typed_write_created(u.arena, u.as, node, NULL, NULL,
                                            &fields), 1);
    yl_buf_append_c(&fields, "}]}}");
    assert_int_equal(yl_tree_parse(u.arena, yl_buf_str(&fields), NULL,
                                   &object, NULL), 0);
    assert_int_equal(yl_typed_compare(u.arena, u.as, NULL, node, &c), 1);
    assert_true(yl_field_set_equal(c.added,
                                   yl_typed_fields(u.arena, u.as, node)));
    assert_int_equal(yl_typed_validate(u.arena, u.as, node, false, NULL), 0);
    assert_ptr_equal(yl_typed_merge(u.arena, u.as, node, node), node);
    (void) yl_typed_remove(u.arena, u.as, node, c.added);
    yl_buf_release(&text);
    yl_buf_release(&fields);
    apply_release(&u);
}

/* A change in the depth copies what is around it once. */
TEST(deep_objects_are_merged_in_little_memory)
{
    struct yl_node *node[2];
    const struct yl_node *merged;
    struct apply_unit u;
    struct yl_buf text;
    size_t i, j;

    apply_init(&u, NULL);
    yl_buf_init(&text, 1 << 20);
    for (j = 0; j < 2; j++) {
        yl_buf_clear(&text);
        for (i = 0; i < YL_SHAPE_MAX_DEPTH - 1; i++) {
            yl_buf_append_c(&text, "{\"a\":");
        }
        yl_buf_printf(&text, "%zu", j);
        for (i = 0; i < YL_SHAPE_MAX_DEPTH - 1; i++) {
            yl_buf_append_char(&text, '}');
        }
        assert_int_equal(yl_tree_parse(
            u.arena, yl_arena_copy(u.arena, yl_buf_str(&text)), NULL,
            &node[j], NULL), 0);
    }
    merged = yl_typed_merge(u.arena, u.as, node[0], node[1]);
    assert_true(yl_node_equal(merged, node[1]));
    assert_true(yl_arena_footprint(u.arena) < 4 << 20);
    yl_buf_release(&text);
    apply_release(&u);
}

TEST(changes_of_leaves_and_structs)
{
    check_compared(schema, "{'n':1,'s':'x'}", "{'n':2,'b':true}",
                   "{'f:s':{}}", "{'f:n':{}}", "{'f:b':{}}");
    check_compared(schema, "{'n':1}", "{'n':1.0}", "{}", "{}", "{}");
    check_compared(schema, "{}", "{'struct':{'a':'x'}}", "{}", "{}",
                   "{'f:struct':{'.':{},'f:a':{}}}");
    check_compared(schema, "{'struct':{'a':'x'}}", "{'struct':{}}",
                   "{'f:struct':{'f:a':{}}}", "{}", "{}");
    check_compared(schema, "{'struct':{}}", "{'struct':null}", "{}",
                   "{'f:struct':{}}", "{}");
    check_compared(schema, "{'whole':{'a':'x'}}", "{'whole':{'a':'y'}}", "{}",
                   "{'f:whole':{}}", "{}");
    check_compared(schema, "{'list':['a','b']}", "{'list':['b','a']}", "{}",
                   "{'f:list':{}}", "{}");
    check_compared(schema, "{'list':['a']}", NULL,
                   "{'f:list':{}}", "{}", "{}");
}

TEST(changes_of_lists_by_key_and_of_sets)
{
    check_compared(schema, "{'set':['a','b']}", "{'set':['b','c','a']}", "{}",
                   "{}", "{'f:set':{'v:~c~':{}}}");
    check_compared(schema, "{'items':[{'name':'a','v':1},{'name':'b'}]}",
                   "{'items':[{'name':'c'},{'name':'a','v':2}]}",
                   "{'f:items':{'k:{~name~:~b~}':{'.':{},'f:name':{}}}}",
                   "{'f:items':{'k:{~name~:~a~}':{'f:v':{}}}}",
                   "{'f:items':{'k:{~name~:~c~}':{'.':{},'f:name':{}}}}");
    check_compared(schema, "{}", "{'items':[{'name':'a'}]}", "{}", "{}",
                   "{'f:items':{'.':{},'k:{~name~:~a~}':{'.':{},"
                   "'f:name':{}}}}");
}

TEST(changes_of_repeated_items)
{
    check_compared(schema, "{'items':[{'name':'a'},{'name':'a','v':1}]}",
                   "{'items':[{'name':'a'},{'name':'a','v':2}]}", "{}",
                   "{'f:items':{'k:{~name~:~a~}':{}}}", "{}");
    check_compared(schema, "{'items':[{'name':'a'},{'name':'a','v':1}]}",
                   "{'items':[{'name':'a'}]}",
                   "{'f:items':{'k:{~name~:~a~}':{}}}", "{}",
                   "{'f:items':{'k:{~name~:~a~}':{'.':{},'f:name':{}}}}");
    check_compared(schema, "{'items':[{'name':'a'}]}",
                   "{'items':[{'name':'a'},{'name':'a','v':1}]}",
                   "{'f:items':{'k:{~name~:~a~}':{'.':{},'f:name':{}}}}",
                   "{}", "{'f:items':{'k:{~name~:~a~}':{}}}");
}

TEST(changes_of_type_are_seen_as_both)
{
    check_compared(NULL, "{'a':1}", "{'a':{'b':1}}", "{}", "{'f:a':{}}",
                   "{'f:a':{'f:b':{}}}");
    check_compared(NULL, "{'a':{'b':1}}", "{'a':[1]}", "{'f:a':{'f:b':{}}}",
                   "{'f:a':{}}", "{}");
    check_compared(NULL, "{'a':{'b':1}}", "{'a':null}", "{'f:a':{'f:b':{}}}",
                   "{}", "{}");
}

TEST(applied_fields_win_and_nothing_is_removed)
{
    check_merged("{'n':1,'s':'x'}", "{'n':2,'b':true}",
                 "{'n':2,'s':'x','b':true}");
    check_merged("{'struct':{'a':'x','b':'y'}}", "{'struct':{'a':'z'}}",
                 "{'struct':{'a':'z','b':'y'}}");
    check_merged("{'whole':{'a':'x','b':'y'}}", "{'whole':{'a':'z'}}",
                 "{'whole':{'a':'z'}}");
    check_merged("{'list':['a','b']}", "{'list':['c']}", "{'list':['c']}");
    check_merged(NULL, "{'n':1}", "{'n':1}");
    check_merged("{'n':1}", NULL, "{'n':1}");
}

TEST(applied_nulls)
{
    check_merged("{'n':1}", "{'n':null}", "{'n':null}");
    check_merged("{'struct':{'a':'x'}}", "{'struct':null}",
                 "{'struct':{'a':'x'}}");
    check_merged("{'struct':{}}", "{'struct':null}", "{'struct':null}");
    check_merged("{'items':[{'name':'a'}]}", "{'items':null}",
                 "{'items':[{'name':'a'}]}");
    check_merged("{'list':['a']}", "{'list':null}", "{'list':null}");
}

TEST(lists_are_merged_by_key)
{
    check_merged("{'items':[{'name':'a','v':1},{'name':'b'}]}",
                 "{'items':[{'name':'a','v':2}]}",
                 "{'items':[{'name':'a','v':2},{'name':'b'}]}");
    check_merged("{'items':[{'name':'a'},{'name':'b'}]}",
                 "{'items':[{'name':'c'}]}",
                 "{'items':[{'name':'a'},{'name':'b'},{'name':'c'}]}");
    check_merged("{'items':[{'name':'a'},{'name':'b'}]}",
                 "{'items':[{'name':'b'},{'name':'a'}]}",
                 "{'items':[{'name':'b'},{'name':'a'}]}");
    check_merged("{'items':[{'name':'a'},{'name':'b'},{'name':'c'}]}",
                 "{'items':[{'name':'c'},{'name':'x'},{'name':'a'}]}",
                 "{'items':[{'name':'b'},{'name':'c'},{'name':'x'},"
                 "{'name':'a'}]}");
    check_merged("{'set':['a','b','c']}", "{'set':['d','b']}",
                 "{'set':['a','d','b','c']}");
    check_merged("{'items':[{'name':'a','v':1},{'name':'a','v':2}]}",
                 "{'items':[{'name':'a','v':3}]}",
                 "{'items':[{'name':'a','v':3}]}");
}

TEST(a_merge_that_changes_nothing_returns_the_live_object)
{
    check_merged("{'n':1,'items':[{'name':'a','v':1,'tags':['x','y']},"
                 "{'name':'b'}],'set':['a','b'],'map':{'k':'v'}}",
                 "{'items':[{'v':1,'name':'a','tags':['x']}],'set':['b'],"
                 "'n':1.0,'map':{}}",
                 "{'n':1,'items':[{'name':'a','v':1,'tags':['x','y']},"
                 "{'name':'b'}],'set':['a','b'],'map':{'k':'v'}}");
}

TEST(fields_are_removed)
{
    check_removed("{'n':1,'s':'x'}", "{'f:n':{}}", "{'s':'x'}");
    check_removed("{'n':1}", "{'f:n':{}}", "-");
    check_removed("{'n':1}", "{'f:s':{}}", "{'n':1}");
    check_removed("{'n':1,'struct':{'a':'x','b':'y'}}",
                  "{'f:struct':{'f:a':{}}}", "{'n':1,'struct':{'b':'y'}}");
    check_removed("{'n':1,'struct':{'a':'x'}}", "{'f:struct':{'f:a':{}}}",
                  "{'n':1,'struct':null}");
    check_removed("{'n':1,'struct':{'a':'x'}}", "{'f:struct':{}}", "{'n':1}");
    check_removed("{'items':[{'name':'a'},{'name':'b','v':1}]}",
                  "{'f:items':{'k:{~name~:~a~}':{},'k:{~name~:~b~}':{"
                  "'f:v':{}}}}", "{'items':[{'name':'b'}]}");
    check_removed("{'set':['a','b']}", "{'f:set':{'v:~a~':{}}}",
                  "{'set':['b']}");
}

TEST(fields_are_extracted)
{
    check_extracted("{'n':1,'s':'x','struct':{'a':'y','b':'z'}}",
                    "{'f:n':{},'f:struct':{'f:a':{}}}", false,
                    "{'n':1,'struct':{'a':'y'}}");
    check_extracted("{'items':[{'name':'a','v':1},{'name':'b','v':2}]}",
                    "{'f:items':{'k:{~name~:~b~}':{'f:v':{}}}}", false,
                    "{'items':[{'v':2}]}");
    check_extracted("{'items':[{'name':'a','v':1},{'name':'b','v':2}]}",
                    "{'f:items':{'k:{~name~:~b~}':{'f:v':{}}}}", true,
                    "{'items':[{'name':'b','v':2}]}");
    check_extracted("{'n':1}", "{}", false, "-");
    check_extracted("{'list':['a']}", "{'f:list':{}}", true,
                    "{'list':['a']}");
}

TEST(valid_configurations)
{
    check_valid("{'apiVersion':'v1','kind':'K','metadata':{'name':'x'},"
                "'n':1,'s':'x','struct':null,'items':[{'name':'a'}],"
                "'any':[{}],'amount':5,'set':['a','b'],'free':{'a':1},"
                "'more':{'deep':{'z':1}}}", false, NULL);
    check_valid("{'items':[{'name':'a'},{'name':'a'}],'set':['a','a']}", true,
                NULL);
}

TEST(faults_of_configurations_are_told_in_upstreams_words)
{
    check_valid("{'x':1}", false, ".x: field not declared in schema");
    check_valid("{'metadata':{'x':1}}", false,
                ".metadata.x: field not declared in schema");
    check_valid("{'n':'1'}", false,
                ".n: expected numeric (int or float), got string");
    check_valid("{'s':1}", false,
                ".s: expected string, got &value.valueUnstructured{Value:1}");
    check_valid("{'b':1}", false, ".b: expected boolean, got &{1}");
    check_valid("{'list':'a'}", false, ".list: expected list, got &{a}");
    check_valid("{'struct':[1]}", false,
                ".struct: expected map, got &{[1]}");
    check_valid("{'list':[1]}", false,
                ".list[0]: expected string, got "
                "&value.valueUnstructured{Value:1}");
    check_valid("{'items':[{'v':1}]}", false,
                ".items: element 0: associative list with keys has an "
                "element that omits all key fields ['name'] (and doesn^t have "
                "default values for any key fields)");
    check_valid("{'items':[null]}", false,
                ".items: element 0: associative list with keys may not have "
                "a null element");
    check_valid("{'items':['a']}", false,
                ".items: element 0: associative list with keys may not have "
                "non-map elements");
    check_valid("{'set':[{}]}", false,
                ".set: element 0: associative list without keys has an "
                "element that^s a map type");
}

TEST(repeated_keys_and_values_are_refused)
{
    check_valid("{'items':[{'name':'a'},{'name':'a'}]}", false,
                ".items: duplicate entries for key [name='a']");
    check_valid("{'set':['a','b','a']}", false,
                ".set: duplicate entries for key [='a']");
    check_valid("{'ports':[{'port':80},{'port':80,'protocol':'TCP'}]}", false,
                ".ports: duplicate entries for key "
                "[port=80,protocol='TCP']");
    check_valid("{'numbers':[1,1.0],'s':1}", false,
                "errors:\n"
                "  .numbers: duplicate entries for key [=1]\n"
                "  .s: expected string, got "
                "&value.valueUnstructured{Value:1}");
}

TEST(structs_on_the_way_are_added_to_a_set)
{
    struct apply_unit u;

    apply_init(&u, schema);
    apply_check_set(
        &u, yl_typed_with_structs(
                u.arena, u.as,
                apply_set(u.arena, "{'f:struct':{'f:a':{}},'f:any':{'f:x':{"
                                   "'f:y':{}}},'f:items':{'k:{~name~:~a~}':{"
                                   "'f:tags':{'v:~x~':{}}}}}")),
        "{'f:any':{'.':{},'f:x':{'f:y':{}}},'f:items':{'.':{},"
        "'k:{~name~:~a~}':{'f:tags':{'.':{},'v:~x~':{}}}},"
        "'f:struct':{'.':{},'f:a':{}}}");
    apply_release(&u);
}

TEST(sets_follow_what_became_atomic)
{
    const struct yl_field_set *set;
    struct apply_unit u;

    apply_init(&u, schema);
    apply_check_set(
        &u, yl_typed_reconcile(
                u.arena, u.as,
                apply_set(u.arena, "{'f:whole':{'f:a':{}},'f:n':{},'f:list':{"
                                   "'.':{},'v:~a~':{}},'f:struct':{'f:a':{}},"
                                   "'f:wholeMap':{'.':{},'f:k':{}}}")),
        "{'f:list':{},'f:n':{},'f:struct':{'f:a':{}},'f:whole':{},"
        "'f:wholeMap':{}}");
    set = apply_set(u.arena, "{'f:whole':{},'f:items':{'k:{~name~:~a~}':{"
                             "'f:v':{}}},'f:any':{'f:a':{'f:b':{}}}}");
    assert_ptr_equal(yl_typed_reconcile(u.arena, u.as, set), set);
    apply_release(&u);
}

TEST(created_objects_of_built_in_kinds_have_structs_anyway)
{
    struct apply_unit u;

    apply_init_kind(&u, &apps_v1_deployment_kind);
    check_created(
        &u,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'labels':{"
        "'a':'b'},'name':'x'},'spec':{'replicas':1,'selector':{'matchLabels':"
        "{'a':'b'}},'strategy':{'rollingUpdate':{'maxSurge':'25%'},"
        "'type':'RollingUpdate'},'template':{'metadata':{'labels':{'a':'b'}},"
        "'spec':{'containers':[{'image':'i','name':'c','ports':[{"
        "'containerPort':80,'protocol':'TCP'}],'resources':{}}]}}},"
        "'status':{'replicas':1}}",
        "{'f:status':{}}",
        "{'f:apiVersion':{},'f:kind':{},'f:metadata':{'.':{},'f:name':{}}}",
        "{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},'f:spec':{"
        "'f:replicas':{},'f:selector':{},'f:strategy':{'f:rollingUpdate':{"
        "'.':{},'f:maxSurge':{}},'f:type':{}},'f:template':{'f:metadata':{"
        "'f:labels':{'.':{},'f:a':{}}},'f:spec':{'f:containers':{"
        "'k:{~name~:~c~}':{'.':{},'f:image':{},'f:name':{},'f:ports':{'.':{},"
        "'k:{~containerPort~:80,~protocol~:~TCP~}':{'.':{},"
        "'f:containerPort':{},'f:protocol':{}}},'f:resources':{}}}}}}}");
    check_created(&u, "{'metadata':{},'spec':{'template':{}},'status':{}}",
                  "{}", "{}", "{}");
    apply_release(&u);
}

TEST(created_custom_resources_have_nothing_before)
{
    struct apply_unit u;

    apply_init(&u, schema);
    check_created(&u,
                  "{'kind':'K','metadata':{'name':'x','labels':{'a':'b'}},"
                  "'struct':{'b':'x'},'set':['b','a','b'],'list':[],"
                  "'items':[{'name':'z'},{'name':'a','tags':['t']}],"
                  "'n':null,'any':{'a':{}}}",
                  "{}",
                  "{'f:kind':{},'f:metadata':{'.':{},'f:name':{}}}",
                  "{'f:any':{'.':{},'f:a':{}},'f:items':{'.':{},"
                  "'k:{~name~:~a~}':{'.':{},'f:name':{},'f:tags':{'.':{},"
                  "'v:~t~':{}}},'k:{~name~:~z~}':{'.':{},'f:name':{}}},"
                  "'f:list':{},'f:metadata':{'f:labels':{'.':{},'f:a':{}}},"
                  "'f:n':{},'f:set':{'.':{},'v:~a~':{},'v:~b~':{}},"
                  "'f:struct':{'.':{},'f:b':{}}}");
    apply_release(&u);
}

TEST(lists_that_are_always_written_are_owned_if_they_were_sent)
{
    static const char *const sent[] = { "[]", "null" };
    struct yl_comparison c;
    struct apply_unit u;
    size_t i;

    apply_init_kind(&u, &rbac_v1_role_kind);
    for (i = 0; i < 2; i++) {
        struct yl_node *role = yl_node_new_object(u.arena);
        struct yl_buf buf;

        yl_node_set(u.arena, role, YL_STR("rules"),
                    apply_node(u.arena, sent[i]));
        assert_int_equal(yl_normalize_update(u.arena, u.as.type, role, NULL),
                         0);
        yl_buf_init(&buf, 1 << 20);
        assert_int_equal(yl_typed_write_created(u.arena, u.as, role, NULL,
                                                NULL, &buf), i == 0);
        assert_string_equal(yl_buf_c_str(&buf),
                            i == 0 ? "{\"f:rules\":{}}" : "{}");
        yl_buf_release(&buf);
        assert_int_equal(yl_typed_compare(u.arena, u.as,
                                          yl_typed_zero(u.arena, u.as), role,
                                          &c), i == 0);
        apply_check_set(&u, c.modified, i == 0 ? "{'f:rules':{}}" : "{}");
    }
    apply_release(&u);
}

TEST(objects_with_items_without_keys_are_refused)
{
    static const char text[] = "{'secrets':[{'name':'a'},{'uid':'b'}]}";
    struct yl_comparison c;
    struct apply_unit u;
    struct yl_buf buf;

    apply_init_kind(&u, &core_v1_service_account_kind);
    yl_buf_init(&buf, 1 << 20);
    assert_int_equal(yl_typed_write_created(u.arena, u.as,
                                            apply_node(u.arena, text), NULL,
                                            NULL, &buf), YL_EINVALID);
    yl_buf_release(&buf);
    assert_int_equal(yl_typed_compare(u.arena, u.as, NULL,
                                      apply_node(u.arena, text), &c),
                     YL_EINVALID);
    apply_release(&u);
}

TEST(built_in_lists_without_list_types_are_merged_by_their_merge_key)
{
    struct apply_unit u;

    apply_init_kind(&u, &core_v1_pod_kind);
    apply_check_set(
        &u, yl_typed_fields(
                u.arena, u.as,
                apply_node(u.arena,
                           "{'spec':{'containers':[{'env':[{'name':'E'}],"
                           "'ports':[{'containerPort':80}]}],"
                           "'tolerations':[{'key':'a'}],"
                           "'volumes':[{'name':'v','emptyDir':{}}]}}")),
        "{'f:spec':{'f:containers':{'k:{~name~:~~}':{'.':{},'f:env':{"
        "'k:{~name~:~E~}':{'.':{},'f:name':{}}},'f:ports':{"
        "'k:{~containerPort~:80,~protocol~:~TCP~}':{'.':{},"
        "'f:containerPort':{}}}}},'f:tolerations':{},'f:volumes':{"
        "'k:{~name~:~v~}':{'.':{},'f:emptyDir':{},'f:name':{}}}}}");
    apply_release(&u);
}
