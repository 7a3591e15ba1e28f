/* Tests of the model. */

#include "codegen/model.h"

#include "codegen_unit.h"

static struct yl_gen_unit *
unit_new(void)
{
    begin();
    return yl_gen_unit_new(arena, "apps_v1", "apps", "v1");
}

TEST(names_derive_from_group_and_version)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_type *type = yl_gen_type_add(unit, "apps_v1_deployment");

    assert_string_equal(type->name, "Deployment");
    assert_string_equal(type->openapi_name, "apps.v1.Deployment");
    assert_string_equal(yl_gen_type_add(unit, "other_spec")->name,
                        "OtherSpec");
    assert_string_equal(yl_gen_type_add(unit, "apps_v1_")->name, "AppsV1");
    unit = yl_gen_unit_new(arena, "core_v1", "", "v1");
    assert_string_equal(yl_gen_type_add(unit, "core_v1_pod")->name, "Pod");
    assert_string_equal(unit->openapi_prefix, "v1");
}

TEST(types_are_numbered_and_found)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_type *a = yl_gen_type_add(unit, "a");
    struct yl_gen_type *b = yl_gen_type_add(unit, "b");

    assert_int_equal(a->index, 1);
    assert_int_equal(b->index, 2);
    assert_ptr_equal(yl_gen_type_find(unit, "b"), b);
    assert_null(yl_gen_type_find(unit, "c"));
    assert_ptr_equal(yl_gen_type_find_api(unit, "A"), a);
    assert_null(yl_gen_type_find_api(unit, "a"));
}

TEST(imports_are_numbered_in_the_order_of_use)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_unit *x = yl_gen_unit_new(arena, "x", "x", "v1");
    struct yl_gen_unit *y = yl_gen_unit_new(arena, "y", "y", "v1");

    assert_int_equal(yl_gen_import(unit, unit), 0);
    assert_int_equal(yl_gen_import(unit, x), 1);
    assert_int_equal(yl_gen_import(unit, y), 2);
    assert_int_equal(yl_gen_import(unit, x), 1);
}

TEST(fields_are_sorted_by_their_json_names)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_type *type = yl_gen_type_add(unit, "a");
    struct yl_gen_field **fields;
    size_t n;

    yl_gen_field_add(type, "zone", yl_gen_value_new(unit, YL_VALUE_STRING));
    yl_gen_field_add(type, "api_version",
                     yl_gen_value_new(unit, YL_VALUE_STRING));
    fields = yl_gen_fields_sorted(type, &n);
    assert_int_equal(n, 2);
    assert_string_equal(fields[0]->json_name, "apiVersion");
    assert_string_equal(type->fields->json_name, "zone");
    assert_ptr_equal(yl_gen_field_find(type, "zone"), type->fields);
    assert_null(yl_gen_field_find(type, "none"));
}

TEST(inlined_structs_are_flattened)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_type *outer = yl_gen_type_add(unit, "outer");
    struct yl_gen_type *middle = yl_gen_type_add(unit, "middle");
    struct yl_gen_type *inner = yl_gen_type_add(unit, "inner");
    struct yl_gen_value *value;

    yl_gen_field_add(inner, "x", yl_gen_value_new(unit, YL_VALUE_STRING));
    value = yl_gen_value_new(unit, YL_VALUE_LIST);
    value->element = yl_gen_value_new(unit, YL_VALUE_STRING);
    yl_gen_field_add(inner, "ys", value);
    value = yl_gen_value_new(unit, YL_VALUE_STRUCT);
    value->type = inner;
    yl_gen_field_add(middle, "in", value)->inlined = true;
    value = yl_gen_value_new(unit, YL_VALUE_STRUCT);
    value->type = middle;
    yl_gen_field_add(outer, "mid", value)->inlined = true;
    yl_gen_field_add(outer, "z", yl_gen_value_new(unit, YL_VALUE_BOOL));

    yl_gen_unit_flatten(unit);
    assert_string_equal(outer->fields->c_name, "mid.in.x");
    assert_string_equal(outer->fields->json_name, "x");
    assert_string_equal(outer->fields->next->c_name, "mid.in.ys");
    assert_string_equal(outer->fields->next->c_count, "mid.in.n_ys");
    assert_string_equal(outer->fields->next->next->c_name, "z");
    assert_null(outer->fields->next->next->next);
}

TEST(kinds_get_lists_once)
{
    struct yl_gen_unit *meta = (begin(), yl_gen_unit_new(
        arena, "meta_v1", "meta.k8s.io", "v1"));
    struct yl_gen_type *list_meta = yl_gen_type_add(meta, "yl_list_meta");
    struct yl_gen_unit *unit = yl_gen_unit_new(arena, "d", "d", "v1");
    struct yl_gen_type *foo = yl_gen_type_add(unit, "foo");
    struct yl_gen_type *bar = yl_gen_type_add(unit, "bar");
    struct yl_gen_type *bars = yl_gen_type_add(unit, "bar_list");

    yl_gen_kind_add(foo);
    yl_gen_kind_add(bar);
    yl_gen_unit_add_lists(unit, list_meta);
    assert_ptr_equal(bar->kind->list, bars);
    assert_false(bars->is_list);
    assert_true(foo->kind->list->is_list);
    assert_string_equal(foo->kind->list->name, "FooList");
    assert_string_equal(foo->kind->list->openapi_name, "d.v1.FooList");
    assert_string_equal(foo->kind->list->fields->json_name, "metadata");
    assert_string_equal(foo->kind->list->fields->next->json_name, "items");
    assert_ptr_equal(unit->imports->unit, meta);
}

TEST(rules_and_texts_keep_their_order)
{
    struct yl_gen_unit *unit = unit_new();
    struct yl_gen_rule *rules = NULL;
    struct yl_gen_text *texts = NULL;

    yl_gen_rule_add(unit, &rules, YL_RULE_MINIMUM, 1, "");
    yl_gen_rule_add(unit, &rules, YL_RULE_MAXIMUM, 2, "");
    assert_int_equal(yl_gen_rule_find(rules, YL_RULE_MAXIMUM)->number, 2);
    assert_null(yl_gen_rule_find(rules, YL_RULE_ENUM));
    yl_gen_text_add(unit, &texts, "a");
    yl_gen_text_add(unit, &texts, "b");
    assert_string_equal(texts->next->text, "b");
}

CODEGEN_END;
