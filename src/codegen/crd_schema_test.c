/* Tests of structural schemas. */

#include "codegen/emit_crd.h"

#include "codegen_unit.h"
#include "json/tree.h"

/* The schema of the members in 'text', without what is around them. */
static const char *
schema_of(const char *text)
{
    struct yl_gen_unit *unit = read_text(yl_arena_printf(
        arena, "struct in { bool b; };\nstruct a {\n%s\n};\n", text));
    struct yl_node *schema;
    const char *result;
    struct yl_buf buf;

    if (!unit) {
        fail_msg("%s", yl_error_message(&fault));
    }
    schema = yl_gen_schema(arena, yl_gen_type_find(unit, "a"), false, &fault);
    assert_non_null(schema);
    yl_buf_init(&buf, 1 << 16);
    yl_node_write_canonical(&buf,
                            yl_node_get(schema, YL_STR("properties")));
    result = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return result;
}

TEST(types_have_schemas)
{
    begin();
    assert_string_equal(
        schema_of("bool a; int32_t b; int64_t c; double d; const char *e;\n"
                  "struct yl_bytes f; struct yl_time g; "
                  "struct yl_duration h; struct yl_micro_time i;"),
        "{\"a\":{\"type\":\"boolean\"},"
        "\"b\":{\"format\":\"int32\",\"type\":\"integer\"},"
        "\"c\":{\"format\":\"int64\",\"type\":\"integer\"},"
        "\"d\":{\"type\":\"number\"},\"e\":{\"type\":\"string\"},"
        "\"f\":{\"format\":\"byte\",\"type\":\"string\"},"
        "\"g\":{\"format\":\"date-time\",\"type\":\"string\"},"
        "\"h\":{\"type\":\"string\"},"
        "\"i\":{\"format\":\"date-time\",\"type\":\"string\"}}");
    assert_string_equal(
        schema_of("struct yl_int_or_string a; struct yl_raw b;\n"
                  "struct yl_embedded c; struct yl_object_meta d;"),
        "{\"a\":{\"anyOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}],"
        "\"x-kubernetes-int-or-string\":true},"
        "\"b\":{\"x-kubernetes-preserve-unknown-fields\":true},"
        "\"c\":{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true,"
        "\"x-kubernetes-preserve-unknown-fields\":true},"
        "\"d\":{\"description\":\"What every object has.\","
        "\"type\":\"object\"}}");
    assert_non_null(strstr(schema_of("struct yl_quantity a;"),
                           "\"pattern\":\"^(\\\\+|-)?"));
}

TEST(containers_have_schemas)
{
    begin();
    assert_string_equal(
        schema_of("const char *const *a; size_t n_a; // +listType=set\n"
                  "/* +listType=map +listMapKey=b +listMapKey=c */\n"
                  "const struct in *b; size_t n_b;\n"
                  "/* +mapType=granular */\n"
                  "const struct yl_string_pair *c; size_t n_c;"),
        "{\"a\":{\"items\":{\"type\":\"string\"},\"type\":\"array\","
        "\"x-kubernetes-list-type\":\"set\"},"
        "\"b\":{\"items\":{\"properties\":{\"b\":{\"type\":\"boolean\"}},"
        "\"required\":[\"b\"],\"type\":\"object\"},\"type\":\"array\","
        "\"x-kubernetes-list-map-keys\":[\"b\",\"c\"],"
        "\"x-kubernetes-list-type\":\"map\"},"
        "\"c\":{\"additionalProperties\":{\"type\":\"string\"},"
        "\"type\":\"object\",\"x-kubernetes-map-type\":\"granular\"}}");
}

TEST(rules_are_keywords)
{
    begin();
    assert_string_equal(
        schema_of("/* Doc. */\n"
                  "// +kubebuilder:validation:Minimum=1\n"
                  "// +kubebuilder:validation:ExclusiveMinimum=true\n"
                  "// +kubebuilder:validation:Enum=2;3\n"
                  "// +kubebuilder:title=T +kubebuilder:example=2\n"
                  "// +default=2 +nullable\n"
                  "// +schema={\"not\":{\"enum\":[9]}}\n"
                  "// +kubebuilder:validation:XValidation:rule=`r`\n"
                  "// +kubebuilder:validation:XValidation:rule=`s`\n"
                  "int32_t a;\n"
                  "/* +kubebuilder:pruning:PreserveUnknownFields */\n"
                  "struct in b;\n"
                  "/* +kubebuilder:validation:Pattern=p */\n"
                  "const char *c;"),
        "{\"a\":{\"default\":2,\"description\":\"Doc.\",\"enum\":[2,3],"
        "\"example\":2,\"exclusiveMinimum\":true,\"format\":\"int32\","
        "\"minimum\":1,\"not\":{\"enum\":[9]},\"nullable\":true,"
        "\"title\":\"T\",\"type\":\"integer\","
        "\"x-kubernetes-validations\":[{\"rule\":\"r\"},{\"rule\":\"s\"}]},"
        "\"b\":{\"properties\":{\"b\":{\"type\":\"boolean\"}},"
        "\"required\":[\"b\"],\"type\":\"object\","
        "\"x-kubernetes-preserve-unknown-fields\":true},"
        "\"c\":{\"pattern\":\"p\",\"type\":\"string\"}}");
}

TEST(structs_have_keywords_of_their_own)
{
    struct yl_gen_unit *unit;
    struct yl_node *schema;
    struct yl_buf buf;

    begin();
    unit = read_text(
        "/* Doc. */\n// +structType=atomic\n"
        "// +kubebuilder:pruning:PreserveUnknownFields\n"
        "// +kubebuilder:validation:MaxProperties=2\n"
        "struct a { const bool *b; };\n"
        "// +structType=granular\nstruct c { const bool *b; };\n");
    schema = yl_gen_schema(arena, unit->types, false, &fault);
    yl_buf_init(&buf, 1 << 16);
    yl_node_write_canonical(&buf, schema);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"description\":\"Doc.\",\"maxProperties\":2,"
                     "\"properties\":{\"b\":{\"type\":\"boolean\"}},"
                     "\"type\":\"object\",\"x-kubernetes-map-type\":\"atomic\""
                     ",\"x-kubernetes-preserve-unknown-fields\":true}");
    yl_buf_release(&buf);
    schema = yl_gen_schema(arena, unit->types->next, false, &fault);
    assert_true(yl_node_string_is(
        yl_node_get(schema, YL_STR("x-kubernetes-map-type")),
        YL_STR("granular")));
}

CODEGEN_END;
