/* Tests of OpenAPI schemas.  Built-in kinds are compared with an API server's
 * in tests/conformance. */

#include "schema/openapi.h"

#include "json/tree.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/coordination_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"

/* The schema of the first type of a set, which has no names. */
static void
assert_schema(const char *lines, const char *schema)
{
    struct schema_set *set = schema_set_new("", lines);
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 1 << 20);
    yl_openapi_write_type(&buf, YL_OPENAPI_V3, schema_set_type(set, 1));
    assert_string_equal(yl_buf_c_str(&buf), schema);
    yl_buf_release(&buf);
    free(set);
}

#define OBJECT(PROPERTIES) \
    "{\"type\":\"object\",\"properties\":{" PROPERTIES "}}"

TEST(scalars_have_type_and_format)
{
    assert_schema("type A\na : bool\n",
                  OBJECT("\"a\":{\"type\":\"boolean\"}"));
    assert_schema("type A\na : int32\nb : int64\n",
                  OBJECT("\"a\":{\"type\":\"integer\",\"format\":\"int32\"},"
                         "\"b\":{\"type\":\"integer\","
                         "\"format\":\"int64\"}"));
    assert_schema("type A\na : double\nb : string\nc : bytes\n",
                  OBJECT("\"a\":{\"type\":\"number\"},"
                         "\"b\":{\"type\":\"string\"},"
                         "\"c\":{\"type\":\"string\",\"format\":\"byte\"}"));
    assert_schema("type A\na : time\nb : microTime\nc : duration\n",
                  OBJECT("\"a\":{\"type\":\"string\","
                         "\"format\":\"date-time\"},"
                         "\"b\":{\"type\":\"string\","
                         "\"format\":\"date-time\"},"
                         "\"c\":{\"type\":\"string\"}"));
    assert_schema("type A\na : quantity\nb : intOrString\n",
                  OBJECT("\"a\":{\"x-kubernetes-int-or-string\":true},"
                         "\"b\":{\"x-kubernetes-int-or-string\":true}"));
    assert_schema("type A\na : raw\n",
                  OBJECT("\"a\":{\"x-kubernetes-preserve-unknown-fields\""
                         ":true}"));
    assert_schema("type A\na : embedded\n",
                  OBJECT("\"a\":{\"type\":\"object\","
                         "\"x-kubernetes-embedded-resource\":true,"
                         "\"x-kubernetes-preserve-unknown-fields\":true}"));
}

TEST(a_type_without_a_name_stands_where_it_is_used)
{
    assert_schema("type A preserve\nb : B\nc : [] B\nd : {} string\n"
                  "type B\nx required : string\n",
                  "{\"type\":\"object\",\"properties\":{"
                  "\"b\":{\"type\":\"object\",\"properties\":{"
                  "\"x\":{\"type\":\"string\"}},\"required\":[\"x\"]},"
                  "\"c\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
                  "\"properties\":{\"x\":{\"type\":\"string\"}},"
                  "\"required\":[\"x\"]}},"
                  "\"d\":{\"type\":\"object\",\"additionalProperties\":"
                  "{\"type\":\"string\"}}},"
                  "\"x-kubernetes-preserve-unknown-fields\":true}");
}

TEST(a_type_in_itself_ends_somewhere)
{
    struct schema_set *set = schema_set_new("", "type A\na pointer : A\n");
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 1 << 20);
    yl_openapi_write_type(&buf, YL_OPENAPI_V3, schema_set_type(set, 1));
    assert_int_equal(yl_json_validate(yl_buf_str(&buf), NULL, NULL), 0);
    assert_true(buf.size < 20000);
    yl_buf_release(&buf);
    free(set);
}

TEST(rules_defaults_and_topologies_are_keywords)
{
    assert_schema("type A\na default=1 minimum=1 maximum=2.5 : int32\n",
                  OBJECT("\"a\":{\"type\":\"integer\",\"format\":\"int32\","
                         "\"minimum\":1,\"maximum\":2.5,\"default\":1}"));
    assert_schema("type A\na exclusiveMinimum=1 exclusiveMaximum=2 : int32\n",
                  OBJECT("\"a\":{\"type\":\"integer\",\"format\":\"int32\","
                         "\"minimum\":1,\"exclusiveMinimum\":true,"
                         "\"maximum\":2,\"exclusiveMaximum\":true}"));
    assert_schema("type A\na title=T schema={\"not\":{}} : string\n",
                  OBJECT("\"a\":{\"type\":\"string\",\"title\":\"T\","
                         "\"not\":{}}"));
    assert_schema("type A\na nullable pattern=^a$ enum=[\"a\"] : string\n",
                  OBJECT("\"a\":{\"type\":\"string\",\"pattern\":\"^a$\","
                         "\"enum\":[\"a\"],\"nullable\":true}"));
    assert_schema("type A\na set uniqueItems each:maxLength=3 : [] string\n",
                  OBJECT("\"a\":{\"type\":\"array\",\"items\":{\"type\":"
                         "\"string\",\"maxLength\":3},\"uniqueItems\":true,"
                         "\"x-kubernetes-list-type\":\"set\"}"));
    assert_schema("type A\na merge=x retainKeys listMap=x,y : [] B\n"
                  "type B\nx : string\ny : string\n",
                  OBJECT("\"a\":{\"type\":\"array\",\"items\":"
                         OBJECT("\"x\":{\"type\":\"string\"},"
                                "\"y\":{\"type\":\"string\"}") ","
                         "\"x-kubernetes-list-type\":\"map\","
                         "\"x-kubernetes-list-map-keys\":[\"x\",\"y\"],"
                         "\"x-kubernetes-patch-merge-key\":\"x\","
                         "\"x-kubernetes-patch-strategy\":"
                         "\"merge,retainKeys\"}"));
    assert_schema("type A\na replace granular : {} string\n",
                  OBJECT("\"a\":{\"type\":\"object\","
                         "\"additionalProperties\":{\"type\":\"string\"},"
                         "\"x-kubernetes-map-type\":\"granular\","
                         "\"x-kubernetes-patch-strategy\":\"replace\"}"));
}

/* The schemas of one kind, as a tree. */
static struct yl_node *
schemas(struct yl_arena *arena, const struct yl_kind *kind,
        enum yl_openapi_version version)
{
    struct yl_node *root;
    struct yl_buf buf;

    yl_buf_init(&buf, (size_t) 16 << 20);
    yl_buf_append_char(&buf, '{');
    yl_openapi_write_schemas(&buf, version, &kind, 1);
    yl_buf_append_char(&buf, '}');
    assert_int_equal(yl_buf_error(&buf), 0);
    assert_int_equal(yl_tree_parse(arena,
                                   yl_arena_copy(arena, yl_buf_str(&buf)),
                                   NULL, &root, NULL), 0);
    yl_buf_release(&buf);
    return root;
}

static void
assert_text(struct yl_node *root, const char *name, const char *text)
{
    const struct yl_node *node = yl_node_get(root, yl_str_c(name));
    struct yl_buf buf;

    assert_non_null(node);
    yl_buf_init(&buf, (size_t) 1 << 20);
    yl_node_write(&buf, node);
    assert_string_equal(yl_buf_c_str(&buf), text);
    yl_buf_release(&buf);
}

/* Looks at every "$ref". */
static unsigned
check_references(struct yl_arena *arena, struct yl_node *root,
                 const struct yl_node *node, struct yl_str prefix)
{
    const struct yl_node *child;
    unsigned n = 0;

    if (yl_node_type(node) != YL_JSON_OBJECT
        && yl_node_type(node) != YL_JSON_ARRAY) {
        return 0;
    }
    YL_NODE_FOR_EACH (child, node) {
        struct yl_str text;

        if (node->type == YL_JSON_OBJECT
            && yl_str_equal_c(yl_node_key(child), "$ref")
            && !yl_node_string(child, arena, &text)) {
            assert_true(yl_str_starts_with(text, prefix));
            assert_non_null(yl_node_get(root, yl_str_skip(text,
                                                          prefix.size)));
            n++;
        }
        n += check_references(arena, root, child, prefix);
    }
    return n;
}

TEST(every_reference_leads_to_a_schema)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;

    root = schemas(arena, &core_v1_pod_kind, YL_OPENAPI_V3);
    assert_true(check_references(arena, root, root,
                                 YL_STR("#/components/schemas/")) > 100);
    root = schemas(arena, &core_v1_pod_kind, YL_OPENAPI_V2);
    assert_true(check_references(arena, root, root,
                                 YL_STR("#/definitions/")) > 100);
    root = schemas(arena, &apiextensions_v1_custom_resource_definition_kind,
                   YL_OPENAPI_V3);
    assert_true(check_references(arena, root, root,
                                 YL_STR("#/components/schemas/")) > 10);
    yl_arena_free(arena);
}

TEST(schemas_stand_in_the_order_of_their_names)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = schemas(arena, &core_v1_pod_kind, YL_OPENAPI_V3);
    const struct yl_node *node;

    YL_NODE_FOR_EACH (node, root) {
        if (node->next) {
            assert_true(yl_str_compare(yl_node_key(node),
                                       yl_node_key(node->next)) < 0);
        }
    }
    yl_arena_free(arena);
}

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

TEST(kinds_and_lists_have_their_group_version_kind)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = schemas(arena, &coordination_v1_lease_kind,
                                   YL_OPENAPI_V3);

    assert_text(root, "io.k8s.api.coordination.v1.Lease",
                "{\"type\":\"object\",\"properties\":{"
                "\"apiVersion\":{\"type\":\"string\"},"
                "\"kind\":{\"type\":\"string\"},"
                "\"metadata\":{\"allOf\":[{\"$ref\":\"#/components/schemas/"
                META "ObjectMeta\"}],\"default\":{}},"
                "\"spec\":{\"allOf\":[{\"$ref\":\"#/components/schemas/"
                "io.k8s.api.coordination.v1.LeaseSpec\"}],\"default\":{}}},"
                "\"x-kubernetes-group-version-kind\":[{\"group\":"
                "\"coordination.k8s.io\",\"kind\":\"Lease\","
                "\"version\":\"v1\"}]}");
    assert_non_null(strstr(
        yl_node_get(root, YL_STR("io.k8s.api.coordination.v1.LeaseList"))
            ->raw_data, "\"kind\":\"LeaseList\""));
    assert_text(root, META "MicroTime",
                "{\"type\":\"string\",\"format\":\"date-time\"}");
    yl_arena_free(arena);
}

TEST(version_2_has_neither_defaults_nor_alternatives)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = schemas(arena, &coordination_v1_lease_kind,
                                   YL_OPENAPI_V2);

    assert_text(root, "io.k8s.api.coordination.v1.Lease",
                "{\"type\":\"object\",\"properties\":{"
                "\"apiVersion\":{\"type\":\"string\"},"
                "\"kind\":{\"type\":\"string\"},"
                "\"metadata\":{\"$ref\":\"#/definitions/"
                META "ObjectMeta\"},"
                "\"spec\":{\"$ref\":\"#/definitions/"
                "io.k8s.api.coordination.v1.LeaseSpec\"}},"
                "\"x-kubernetes-group-version-kind\":[{\"group\":"
                "\"coordination.k8s.io\",\"kind\":\"Lease\","
                "\"version\":\"v1\"}]}");
    root = schemas(arena, &core_v1_pod_kind, YL_OPENAPI_V2);
    assert_text(root, "io.k8s.apimachinery.pkg.api.resource.Quantity",
                "{\"type\":\"string\"}");
    assert_text(root, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
                "{\"format\":\"int-or-string\",\"type\":\"string\"}");
    yl_arena_free(arena);
}

TEST(unions_are_named_and_say_nothing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root = schemas(
        arena, &apiextensions_v1_custom_resource_definition_kind,
        YL_OPENAPI_V3);

    assert_text(root, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"
                ".v1.JSONSchemaPropsOrBool", "{}");
    assert_text(root, "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions"
                ".v1.CustomResourceSubresourceStatus",
                "{\"type\":\"object\"}");
    yl_arena_free(arena);
}
