/* Tests of structural schemas: each rule by a schema that breaks it, with all
 * causes. */

#include "schema/structural.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/pattern.h"
#include "schema/props.h"
#include "unit.h"
#include "whole.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct schema_case {
    const char *schema;         /* With ' for ". */
    const char *causes;         /* "FIELD: MESSAGE\n", or the refusal. */
};

static const char *
causes_of(struct yl_arena *arena, struct yl_patterns *patterns,
          const char *json)
{
    char *text = yl_arena_strdup(arena, yl_str_c(json)), *at;
    struct yl_field_path path = yl_field_member(NULL, YL_STR("s"));
    struct yl_structural_opts opts = { &path, yl_patterns_match, patterns };
    const struct yl_schema_props *props = NULL;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *node;
    const char *have;
    struct yl_buf buf;
    size_t i;

    for (at = text; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    if (yl_tree_parse(arena, yl_str_c(text), NULL, &node, &err) < 0
        || yl_schema_props_read(arena, node, NULL, &props, &err) < 0) {
        fail_msg("%s: %s", json, yl_error_message(&err));
    }
    have = yl_structural_refusal(props);
    if (have) {
        return have;
    }
    yl_buf_init(&buf, SIZE_MAX);
    i = (size_t) -yl_structural_check(props, &opts, &err);
    assert_int_equal(-(int) i, err.n_causes ? YL_EINVALID : 0);
    assert_int_equal(err.code, err.n_causes ? YL_EINVALID : 0);
    for (i = 0; i < err.n_causes; i++) {
        yl_buf_printf(&buf, "%s: %s\n", err.causes[i].field,
                      err.causes[i].message);
    }
    have = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    yl_error_clear(&err);
    return have;
}

static void
run(const char *file, int line, const struct schema_case *cases, size_t n)
{
    struct yl_patterns *patterns = yl_patterns_new();
    struct yl_arena *arena = yl_arena_new();
    bool good = true;
    size_t i;

    for (i = 0; i < n; i++) {
        good &= whole_check(file, line, i, cases[i].schema,
                            causes_of(arena, patterns, cases[i].schema),
                            cases[i].causes);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    yl_patterns_free(patterns);
    assert_true(good);
}

#define RUN(CASES) \
    run(__FILE__, __LINE__, CASES, sizeof(CASES) / sizeof(CASES)[0])

#define OBJECT(MORE) "{'type':'object'" MORE "}"
#define FIELD(SCHEMA) OBJECT(",'properties':{'a':" SCHEMA "}")

TEST(keywords_of_other_schemas_are_refused)
{
    static const struct schema_case cases[] = {
        { OBJECT(",'id':'x'"), "OpenAPIV3Schema 'id' is not supported" },
        { OBJECT(",'$schema':'x'"),
          "OpenAPIV3Schema 'schema' is not supported" },
        { FIELD("{'$ref':'x'}"),
          "OpenAPIV3Schema '$ref' is not supported" },
        { OBJECT(",'additionalProperties':{'patternProperties':{'a':{}}}"),
          "OpenAPIV3Schema 'patternProperties' is not supported" },
        { OBJECT(",'dependencies':{'a':['b']}"),
          "OpenAPIV3Schema 'dependencies' is not supported" },
        { OBJECT(",'additionalItems':false"),
          "OpenAPIV3Schema 'additionalItems' is not supported" },
        { OBJECT(",'not':{'definitions':{'a':{}}}"),
          "OpenAPIV3Schema 'definitions' is not supported" },
        { FIELD("{'type':'array','items':[{}]}"),
          "OpenAPIV3Schema 'items' must be a schema, but is an array" },
        { FIELD("{'items':{'anyOf':[{'allOf':[{'oneOf':[{'id':'x'}]}]}]}}"),
          "OpenAPIV3Schema 'id' is not supported" },
        { OBJECT(",'x-kubernetes-preserve-unknown-fields':false"),
          "internal error: 'x-kubernetes-preserve-unknown-fields' must be "
          "true or undefined" },
        /* These say nothing. */
        { OBJECT(",'id':'','$schema':'','$ref':'','patternProperties':{},"
                 "'dependencies':{},'definitions':{},'not':null"), "" },
    };

    RUN(cases);
}

TEST(values_have_types)
{
    static const struct schema_case cases[] = {
        { OBJECT(""), "" },
        { "{}", "s.type: Required value: must not be empty at the root\n" },
        { "{'type':'string'}",
          "s.type: Invalid value: \"string\": must be object at the root\n" },
        { "{'x-kubernetes-preserve-unknown-fields':true}", "" },
        { FIELD("{}"), "s.properties[a].type: Required value: must not be "
          "empty for specified object fields\n" },
        { FIELD("{'type':'array','items':{}}"),
          "s.properties[a].items.type: Required value: must not be empty for "
          "specified array items\n" },
        { FIELD("{'type':'array'}"),
          "s.properties[a].items: Required value: must be specified\n" },
        { FIELD("{'type':'object','additionalProperties':{}}"),
          "s.properties[a].additionalProperties.type: Required value: must "
          "not be empty for specified object fields\n" },
        { FIELD("{'type':'object','additionalProperties':true}"), "" },
        { FIELD("{'x-kubernetes-int-or-string':true}"), "" },
        { OBJECT(",'additionalProperties':{'type':'string'}"),
          "s.additionalProperties: Forbidden: must not be used at the "
          "root\n" },
        { OBJECT(",'additionalProperties':false"),
          "s.additionalProperties: Forbidden: must not be used at the "
          "root\n" },
        { FIELD("{'x-kubernetes-int-or-string':true,"
                "'x-kubernetes-preserve-unknown-fields':true,"
                "'x-kubernetes-embedded-resource':true}"),
          "s.properties[a].type: Required value: must be object if "
          "x-kubernetes-embedded-resource is true\n"
          "s.properties[a].x-kubernetes-embedded-resource: Invalid value: "
          "true: must be false if x-kubernetes-int-or-string is true\n"
          "s.properties[a].x-kubernetes-preserve-unknown-fields: Invalid "
          "value: true: must be false if x-kubernetes-int-or-string is "
          "true\n" },
    };

    RUN(cases);
}

TEST(resources_leave_metadata_alone)
{
    static const struct schema_case cases[] = {
        { OBJECT(",'properties':{'apiVersion':{'type':'string'},"
                 "'kind':{'type':'string'},'metadata':{'type':'object'}}"),
          "" },
        { OBJECT(",'properties':{'apiVersion':{'type':'integer'},"
                 "'kind':{'type':'object'},'metadata':{'type':'string'}}"),
          "s.properties[apiVersion].type: Invalid value: \"integer\": must be "
          "string\n"
          "s.properties[kind].type: Invalid value: \"object\": must be "
          "string\n"
          "s.properties[metadata].type: Invalid value: \"string\": must be "
          "object\n" },
        { OBJECT(",'properties':{'metadata':{'type':'object','properties':{"
                 "'name':{'type':'string','pattern':'^a'},"
                 "'generateName':{'type':'string'}}}}"), "" },
        { OBJECT(",'properties':{'metadata':{'type':'object','properties':{"
                 "'name':{'type':'string'},'labels':{'type':'object'}}}}"),
          "s.properties[metadata]: Forbidden: must not specify anything other "
          "than name and generateName, but metadata is implicitly "
          "specified\n" },
        { OBJECT(",'properties':{'metadata':{'type':'object',"
                 "'description':'x'}}"),
          "s.properties[metadata]: Forbidden: must not specify anything other "
          "than name and generateName, but metadata is implicitly "
          "specified\n" },
        { OBJECT(",'properties':{'metadata':{'type':'object',"
                 "'required':[]}}"),
          "s.properties[metadata]: Forbidden: must not specify anything other "
          "than name and generateName, but metadata is implicitly "
          "specified\n" },
        { OBJECT(",'properties':{'metadata':{'type':'object','title':'',"
                 "'nullable':false,'enum':[],'default':{}}}"), "" },
        /* Below the root only its type is fixed, and that of an embedded
         * object alone. */
        { FIELD("{'type':'object','properties':{'metadata':"
                "{'type':'string','description':'x'}}}"), "" },
        { FIELD("{'type':'object','x-kubernetes-embedded-resource':true,"
                "'properties':{'metadata':{'type':'string'},"
                "'kind':{'type':'integer'}}}"),
          "s.properties[a].properties[kind].type: Invalid value: "
          "\"integer\": must be string\n"
          "s.properties[a].properties[metadata].type: Invalid value: "
          "\"string\": must be object\n" },
        { FIELD("{'type':'object','x-kubernetes-embedded-resource':true}"),
          "s.properties[a].properties: Required value: must not be empty if "
          "x-kubernetes-embedded-resource is true without "
          "x-kubernetes-preserve-unknown-fields\n" },
        { FIELD("{'type':'string','x-kubernetes-embedded-resource':true,"
                "'x-kubernetes-preserve-unknown-fields':true,"
                "'additionalProperties':true}"),
          "s.properties[a].additionalProperties: Forbidden: must not be used "
          "if x-kubernetes-embedded-resource is set\n"
          "s.properties[a].type: Invalid value: \"string\": must be object if "
          "x-kubernetes-embedded-resource is true\n" },
    };

    RUN(cases);
}

TEST(logic_only_restricts)
{
    static const struct schema_case cases[] = {
        { FIELD("{'type':'string','anyOf':[{'pattern':'a'},{'maxLength':1}],"
                "'allOf':[{'minLength':1}],'oneOf':[{'enum':['a']}],"
                "'not':{'format':'byte'}}"), "" },
        { FIELD("{'type':'string','not':{'type':'string','title':'t',"
                "'additionalProperties':true,'default':1,'description':'d',"
                "'nullable':true,"
                "'x-kubernetes-preserve-unknown-fields':true,"
                "'x-kubernetes-embedded-resource':true,"
                "'x-kubernetes-int-or-string':true,"
                "'x-kubernetes-list-map-keys':['k'],"
                "'x-kubernetes-list-type':'map',"
                "'x-kubernetes-map-type':'atomic',"
                "'x-kubernetes-validations':[{'rule':'true'}]}}"),
          "s.properties[a].not.additionalProperties: Forbidden: must be "
          "undefined to be structural\n"
          "s.properties[a].not.default: Forbidden: must be undefined to be "
          "structural\n"
          "s.properties[a].not.description: Forbidden: must be empty to be "
          "structural\n"
          "s.properties[a].not.nullable: Forbidden: must be false to be "
          "structural\n"
          "s.properties[a].not.title: Forbidden: must be empty to be "
          "structural\n"
          "s.properties[a].not.type: Forbidden: must be empty to be "
          "structural\n"
          "s.properties[a].not.x-kubernetes-embedded-resource: Forbidden: "
          "must be false to be structural\n"
          "s.properties[a].not.x-kubernetes-int-or-string: Forbidden: must be "
          "false to be structural\n"
          "s.properties[a].not.x-kubernetes-list-map-keys: Forbidden: must be "
          "empty to be structural\n"
          "s.properties[a].not.x-kubernetes-list-type: Forbidden: must be "
          "undefined to be structural\n"
          "s.properties[a].not.x-kubernetes-map-type: Forbidden: must be "
          "undefined to be structural\n"
          "s.properties[a].not.x-kubernetes-preserve-unknown-fields: "
          "Forbidden: must be false to be structural\n"
          "s.properties[a].not.x-kubernetes-validations: Forbidden: must be "
          "empty to be structural\n" },
        { FIELD("{'type':'string','not':{'additionalProperties':false}}"),
          "" },
        { OBJECT(",'properties':{'metadata':{'type':'object'}},"
                 "'allOf':[{'properties':{'metadata':{}}}]"),
          "s.allOf[0].properties[metadata]: Forbidden: must not be specified "
          "in a nested context\n" },
        { FIELD("{'type':'array','items':{'type':'object','properties':"
                "{'b':{'type':'string'}}},'oneOf':[{'items':{'properties':"
                "{'b':{'type':'string'}}}}]}"),
          "s.properties[a].oneOf[0].items.properties[b].type: Forbidden: must "
          "be empty to be structural\n" },
        { FIELD("{'type':'string','pattern':'('}"),
          "s.properties[a].pattern: Invalid value: \"(\": must be a valid "
          "regular expression, but isn't: error parsing regexp: missing "
          "closing ): `(`\n" },
        { FIELD("{'type':'string','anyOf':[{'pattern':'['}]}"),
          "s.properties[a].anyOf[0].pattern: Invalid value: \"[\": must be a "
          "valid regular expression, but isn't: error parsing regexp: "
          "missing closing ]: `[`\n" },
    };

    RUN(cases);
}

TEST(integers_or_strings_are_described_in_two_ways)
{
    static const struct schema_case cases[] = {
        { FIELD("{'x-kubernetes-int-or-string':true,"
                "'anyOf':[{'type':'integer'},{'type':'string'}]}"), "" },
        { FIELD("{'x-kubernetes-int-or-string':true,"
                "'allOf':[{'anyOf':[{'type':'integer','title':''},"
                "{'type':'string'}]},{'pattern':'a'}]}"), "" },
        { FIELD("{'x-kubernetes-int-or-string':true,"
                "'anyOf':[{'type':'string'},{'type':'integer'}]}"),
          "s.properties[a].anyOf[0].type: Forbidden: must be empty to be "
          "structural\n"
          "s.properties[a].anyOf[1].type: Forbidden: must be empty to be "
          "structural\n" },
        { FIELD("{'x-kubernetes-int-or-string':true,'anyOf':"
                "[{'type':'integer','minimum':1},{'type':'string'}]}"),
          "s.properties[a].anyOf[0].type: Forbidden: must be empty to be "
          "structural\n"
          "s.properties[a].anyOf[1].type: Forbidden: must be empty to be "
          "structural\n" },
        { FIELD("{'x-kubernetes-int-or-string':true,"
                "'allOf':[{'pattern':'a'},{'anyOf':[{'type':'integer'},"
                "{'type':'string'}]}]}"),
          "s.properties[a].allOf[1].anyOf[0].type: Forbidden: must be empty "
          "to be structural\n"
          "s.properties[a].allOf[1].anyOf[1].type: Forbidden: must be empty "
          "to be structural\n" },
    };

    RUN(cases);
}

TEST(logic_restricts_what_is_described)
{
    static const struct schema_case cases[] = {
        { OBJECT(",'anyOf':[{'properties':{'a':{'minimum':1}}}],"
                 "'properties':{'a':{'type':'integer'}}"), "" },
        { OBJECT(",'anyOf':[{'properties':{'a':{'minimum':1}}}]"),
          "s.properties[a]: Required value: because it is defined in "
          "s.anyOf[0].properties[a]\n" },
        { OBJECT(",'not':{'allOf':[{'properties':{'a':{'items':{'oneOf':"
                 "[{'properties':{'b':{}}}]}}}}]},"
                 "'properties':{'a':{'type':'array','items':"
                 "{'type':'object'}}}"),
          "s.properties[a].items.properties[b]: Required value: because it "
          "is defined in "
          "s.not.allOf[0].properties[a].items.oneOf[0].properties[b]\n" },
        { OBJECT(",'allOf':[{'items':{}}]"),
          "s.items: Required value: because it is defined in "
          "s.allOf[0].items\n" },
        /* Only the logic of the root is compared with the structure. */
        { FIELD("{'type':'object','anyOf':[{'properties':{'b':{}}}]}"), "" },
    };

    RUN(cases);
}

TEST(causes_are_sorted_and_bounded)
{
    struct yl_patterns *patterns = yl_patterns_new();
    struct yl_arena *arena = yl_arena_new();
    const char *causes;
    struct yl_buf buf;
    size_t i, n = 0;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{'type':'object','properties':{'z:':{}");
    for (i = 0; i < 2 * YL_MAX_CAUSES; i++) {
        yl_buf_printf(&buf, ",'p%zu':{}", i);
    }
    yl_buf_append_c(&buf, "}}");
    causes = causes_of(arena, patterns, yl_buf_c_str(&buf));
    for (; (causes = strchr(causes, '\n')) != NULL; causes++) {
        n++;
    }
    assert_int_equal(n, YL_MAX_CAUSES);
    yl_buf_release(&buf);
    yl_arena_free(arena);
    yl_patterns_free(patterns);
}
