/* Tests of reading CustomResourceDefinitions. */

#include "codegen/from_crd.h"

#include "base/buf.h"
#include "codegen/emit_header.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/yaml.h"

/* Adds the documents of 'yaml'; the result of the last one. */
static int
add(struct yl_arena *arena, struct yl_gen_crds *crds, struct yl_str yaml,
    struct yl_error *err)
{
    struct yl_yaml_stream stream = yl_yaml_stream(yaml);
    struct yl_node *root;
    struct yl_str json;
    int r, result = 0;

    while ((r = yl_yaml_next_json(&stream, arena, NULL, &json, err)) > 0) {
        r = yl_tree_parse(arena, json, NULL, &root, err);
        if (r < 0) {
            break;
        }
        result = yl_gen_crds_add(crds, root, err);
    }
    return r < 0 ? r : result;
}

/* The header of unit 'i', freed by the caller. */
static char *
header(struct yl_gen_crds *crds, size_t i)
{
    struct yl_gen_unit **units;
    struct yl_buf buf;
    size_t n;

    units = yl_gen_crds_units(crds, &n);
    assert_true(i < n);
    yl_buf_init(&buf, YL_GEN_MAX_HEADER);
    yl_gen_emit_annotated(&buf, units[i]);
    assert_int_equal(yl_buf_error(&buf), 0);
    return yl_buf_detach(&buf);
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no \"%s\" in:\n%s", part, text);
    }
}

#define CRD(SCHEMA)                                                           \
    "apiVersion: apiextensions.k8s.io/v1\n"                                   \
    "kind: CustomResourceDefinition\n"                                        \
    "metadata: {name: foos.ex.com}\n"                                         \
    "spec:\n"                                                                 \
    "  group: ex.com\n"                                                       \
    "  scope: Namespaced\n"                                                   \
    "  names: {kind: Foo, plural: foos}\n"                                    \
    "  versions:\n"                                                           \
    "  - name: v1\n"                                                          \
    "    served: true\n"                                                      \
    "    storage: true\n"                                                     \
    "    schema:\n"                                                           \
    "      openAPIV3Schema:\n"                                                \
    "        type: object\n"                                                  \
    "        properties: {" SCHEMA "}\n"

/* Checks that a kind with 'property' has 'lines'. */
#define assert_becomes(PROPERTY, LINES) \
    check_becomes(CRD(PROPERTY), LINES)
static void
check_becomes(const char *yaml, const char *lines)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_crds *crds = yl_gen_crds_new(arena);
    struct yl_error err = YL_ERROR_INIT;
    char *text;

    if (add(arena, crds, yl_str_c(yaml), &err) != 1) {
        fail_msg("%s", yl_error_message(&err));
    }
    text = header(crds, 0);
    assert_has(text, lines);
    free(text);
    yl_arena_free(arena);
}

static void
assert_refused(const char *yaml, int code, const char *words)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_crds *crds = yl_gen_crds_new(arena);
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(add(arena, crds, yl_str_c(yaml), &err), code);
    assert_has(yl_error_message(&err), words);
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(scalars_become_what_c_has)
{
    assert_becomes("a: {type: boolean}", "    const bool *a;\n");
    assert_becomes("a: {type: integer, format: int32}",
                   "    const int32_t *a;\n");
    assert_becomes("a: {type: integer}", "    const int64_t *a;\n");
    assert_becomes("a: {type: number}", "    const double *a;\n");
    assert_becomes("a: {type: string}", "    const char *a;\n");
    assert_becomes("a: {type: string, format: byte}",
                   "    struct yl_bytes a;\n");
    assert_becomes("a: {type: string, format: date-time}",
                   "    const struct yl_time *a;\n");
}

TEST(formats_that_c_does_not_say_are_kept)
{
    assert_becomes("a: {type: string, format: ipv4}",
                   "    // +kubebuilder:validation:Format=\"ipv4\"\n"
                   "    const char *a;\n");
    assert_becomes("a: {type: integer, format: uint8}",
                   "    // +kubebuilder:validation:Format=\"uint8\"\n"
                   "    const int64_t *a;\n");
    assert_becomes("a: {type: number, format: float}",
                   "    // +kubebuilder:validation:Format=\"float\"\n"
                   "    const double *a;\n");
}

TEST(int_or_string_and_quantities_have_types_of_their_own)
{
    assert_becomes("a: {x-kubernetes-int-or-string: true, "
                   "anyOf: [{type: integer}, {type: string}]}",
                   "{\n    const struct yl_int_or_string *a;\n");
    assert_becomes("a: {x-kubernetes-int-or-string: true, "
                   "pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|x)$', "
                   "anyOf: [{type: integer}, {type: string}]}",
                   "{\n    const struct yl_quantity *a;\n");
    assert_becomes("a: {x-kubernetes-int-or-string: true, pattern: x}",
                   "    // +kubebuilder:validation:Pattern=\"x\"\n"
                   "    const struct yl_int_or_string *a;\n");
}

TEST(lists_and_maps_have_counts)
{
    assert_becomes("a: {type: array, items: {type: string}}",
                   "    const char *const *a;\n    size_t n_a;\n");
    assert_becomes("a: {type: array, items: {type: integer}}",
                   "    const int64_t *a;\n    size_t n_a;\n");
    assert_becomes("a: {type: array}",
                   "    const struct yl_raw *a;\n    size_t n_a;\n");
    assert_becomes("a: {type: object, additionalProperties: {type: string}}",
                   "    const struct yl_string_pair *a;\n    size_t n_a;\n");
    assert_becomes("a: {type: object, additionalProperties: {type: array, "
                   "items: {type: string}}}",
                   "    const struct yl_strings_pair *a;\n");
    assert_becomes("a: {type: object, additionalProperties: {type: object, "
                   "properties: {b: {type: string}}}}",
                   "    const struct yl_pair_of_ex_v1_foo_a *a;\n");
    assert_becomes("a: {type: array, x-kubernetes-list-type: set, "
                   "items: {type: string, maxLength: 3}}",
                   "    // +listType=set\n"
                   "    // +items:kubebuilder:validation:MaxLength=3\n");
    assert_becomes("a: {type: object, x-kubernetes-map-type: atomic, "
                   "additionalProperties: {type: string, minLength: 3}}",
                   "    // +mapType=atomic\n"
                   "    // +values:kubebuilder:validation:MinLength=3\n");
}

TEST(what_c_has_no_type_for_is_raw_with_its_schema)
{
    assert_becomes("a: {type: array, items: {type: array, "
                   "items: {type: integer}}}",
                   "    // +schema={\"items\":{\"items\":{\"type\":"
                   "\"integer\"},\"type\":\"array\"},\"type\":\"array\"}\n"
                   "    struct yl_raw a;\n");
    assert_becomes("a: {type: object}",
                   "    // +schema={\"type\":\"object\"}\n"
                   "    struct yl_raw a;\n");
    assert_becomes("a: {x-kubernetes-preserve-unknown-fields: true}",
                   "{\n    struct yl_raw a;\n");
    assert_becomes("a: {type: object, nullable: true, "
                   "x-kubernetes-preserve-unknown-fields: true}",
                   "    // +nullable\n    // +schema={\"type\":\"object\","
                   "\"x-kubernetes-preserve-unknown-fields\":true}\n");
    assert_becomes("a: {type: object, x-kubernetes-embedded-resource: true, "
                   "x-kubernetes-preserve-unknown-fields: true}",
                   "{\n    struct yl_embedded a;\n");
    assert_becomes("a: {type: object, properties: {'a,b': {type: string}}}",
                   "    struct yl_raw a;\n");
}

TEST(objects_become_structs_named_after_their_path)
{
    assert_becomes("spec: {type: object, required: [b], properties: {b: "
                   "{type: array, items: {type: object, "
                   "x-kubernetes-preserve-unknown-fields: true, "
                   "properties: {cD: {type: string}}}}}}",
                   "\n// +kubebuilder:pruning:PreserveUnknownFields\n"
                   "struct ex_v1_foo_spec_b {\n"
                   "    const char *c_d;\n"
                   "};\n"
                   "\n"
                   "struct ex_v1_foo_spec {\n"
                   "    // +required\n"
                   "    const struct ex_v1_foo_spec_b *b;\n"
                   "    size_t n_b;\n"
                   "};\n"
                   "\n"
                   "// +genclient\n"
                   "struct ex_v1_foo {\n"
                   "    const struct ex_v1_foo_spec *spec;\n"
                   "    struct yl_object_meta metadata;\n"
                   "};\n");
    assert_becomes("metadata: {type: object}, apiVersion: {type: string}, "
                   "kind: {type: string}",
                   "struct ex_v1_foo {\n"
                   "    struct yl_object_meta metadata;\n"
                   "};\n");
}

TEST(names_that_c_cannot_have_are_changed)
{
    assert_becomes("default: {type: string}", "    const char *default_;\n");
    assert_becomes("podIP: {type: string}, podIp: {type: string}",
                   "    // +json=podIP\n    const char *pod_ip;\n"
                   "    // +json=podIp\n    const char *pod_ip_2;\n");
    assert_becomes("x: {type: array}, nX: {type: string}",
                   "    // +json=nX\n    const char *n_x_2;\n");
    assert_becomes("nX: {type: string}, x: {type: array}",
                   "    // +json=x\n    const struct yl_raw *x_2;\n");
    assert_becomes("a: {type: object, properties: {b-c: {type: object, "
                   "properties: {d: {type: string}}}}}, "
                   "aB_c: {type: object, properties: {d: {type: string}}}",
                   "struct ex_v1_foo_a_b_c_2 {\n");
}

TEST(rules_become_markers)
{
    assert_becomes("a: {type: integer, minimum: 1, maximum: 2.5, "
                   "exclusiveMinimum: true, exclusiveMaximum: false, "
                   "multipleOf: 3, enum: [1, 2], default: 1}",
                   "    // +default=1\n"
                   "    // +kubebuilder:validation:Minimum=1\n"
                   "    // +kubebuilder:validation:Maximum=2.5\n"
                   "    // +kubebuilder:validation:ExclusiveMinimum\n"
                   "    // +kubebuilder:validation:MultipleOf=3\n"
                   "    // +kubebuilder:validation:Enum=[1,2]\n"
                   "    const int64_t *a;\n");
    assert_becomes("a: {type: string, pattern: 'a\"b', title: T, "
                   "example: {x: 1}, anyOf: [{pattern: a}, {pattern: b}]}",
                   "    // +kubebuilder:validation:Pattern=\"a\\\"b\"\n"
                   "    // +kubebuilder:title=\"T\"\n"
                   "    // +kubebuilder:example={\"x\":1}\n"
                   "    // +schema={\"anyOf\":[{\"pattern\":\"a\"},"
                   "{\"pattern\":\"b\"}]}\n");
    assert_becomes("a: {type: array, items: {type: string}, minItems: 1, "
                   "uniqueItems: true}",
                   "    // +kubebuilder:validation:MinItems=1\n"
                   "    // +kubebuilder:validation:UniqueItems\n");
    assert_becomes("a: {type: string, x-kubernetes-validations: "
                   "[{rule: 'self == \"x\"', message: nope}]}",
                   "    // +kubebuilder:validation:XValidation:"
                   "message=\"nope\",rule=\"self == \\\"x\\\"\"\n");
}

TEST(descriptions_are_kept_as_comments)
{
    assert_becomes("a: {type: string, description: \"One.\\nTwo\\\\\\n\\n"
                   "+optional\\nThree */\"}",
                   "    // One.\n"
                   "    // Two\n"
                   "    //\n"
                   "    // Three */\n"
                   "    const char *a;\n");
}

static const char many[] =
    "kind: ConfigMap\n"
    "---\n"
    "apiVersion: apiextensions.k8s.io/v1\n"
    "kind: CustomResourceDefinition\n"
    "metadata:\n"
    "  annotations: {api-approved.kubernetes.io: https://x/1}\n"
    "  labels: {a: b}\n"
    "spec:\n"
    "  group: my-zoo.example.com\n"
    "  scope: Cluster\n"
    "  names: {kind: HTTPKeeper, plural: keepers, singular: keeper,\n"
    "          shortNames: [kp], categories: [all, zoo]}\n"
    "  versions:\n"
    "  - name: v1\n"
    "    served: true\n"
    "    storage: true\n"
    "    schema: {openAPIV3Schema: {type: object, description: Top,\n"
    "             x-kubernetes-validations: [{rule: 'true'}],\n"
    "             properties: {status: {type: object, nullable: true,\n"
    "                          properties: {a: {type: string}}}}}}\n"
    "    subresources:\n"
    "      status: {}\n"
    "      scale: {specReplicasPath: .spec.n, statusReplicasPath: .status.n,\n"
    "              labelSelectorPath: .status.s}\n"
    "    additionalPrinterColumns:\n"
    "    - {name: Count, type: integer, jsonPath: '.a[?(@.b==\"c\")].d',\n"
    "       description: How many, format: int32, priority: 1}\n"
    "    selectableFields: [{jsonPath: .spec.x}]\n"
    "  - name: v1beta1\n"
    "    served: false\n"
    "    storage: false\n"
    "    deprecated: true\n"
    "    deprecationWarning: use v1\n"
    "    schema: {openAPIV3Schema: {type: object}}\n";

TEST(each_version_becomes_a_header)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_crds *crds = yl_gen_crds_new(arena);
    char *text;

    assert_int_equal(add(arena, crds, yl_str_c(many), NULL), 1);
    text = header(crds, 0);
    assert_has(text, "#ifndef MY_ZOO_V1_TYPES_H\n");
    assert_has(text, "// +groupName=my-zoo.example.com\n// +version=v1\n"
                     "// +prefix=my_zoo_v1_\n");
    assert_has(text,
               "// Top\n"
               "// +kind=HTTPKeeper\n"
               "// +genclient\n"
               "// +kubebuilder:resource:path=keepers,singular=keeper,"
               "shortName=kp,categories=all;zoo,scope=Cluster\n"
               "// +kubebuilder:subresource:status\n"
               "// +kubebuilder:subresource:scale:specpath=.spec.n,"
               "statuspath=.status.n,selectorpath=.status.s\n"
               "// +kubebuilder:printcolumn:name=\"Count\",type=\"integer\","
               "JSONPath=\".a[?(@.b==\\\"c\\\")].d\",format=\"int32\","
               "description=\"How many\",priority=1\n"
               "// +kubebuilder:storageversion\n"
               "// +kubebuilder:selectablefield:JSONPath=\".spec.x\"\n"
               "// +kubebuilder:metadata:annotations="
               "\"api-approved.kubernetes.io=https://x/1\"\n"
               "// +kubebuilder:metadata:labels=\"a=b\"\n"
               "// +kubebuilder:validation:XValidation:rule=\"true\"\n"
               "struct my_zoo_v1_http_keeper {\n");
    free(text);
    text = header(crds, 1);
    assert_has(text, "// +kubebuilder:unservedversion\n"
                     "// +kubebuilder:deprecatedversion:warning=\"use v1\"\n");
    assert_null(strstr(text, "storageversion"));
    free(text);
    yl_arena_free(arena);
}

TEST(documents_that_make_no_sense_are_refused)
{
    assert_refused("apiVersion: apiextensions.k8s.io/v1beta1\n"
                   "kind: CustomResourceDefinition\n", YL_EINVALID,
                   "apiextensions.k8s.io/v1");
    assert_refused("apiVersion: apiextensions.k8s.io/v1\n"
                   "kind: CustomResourceDefinition\n", YL_EINVALID,
                   "spec.versions");
    assert_refused("apiVersion: apiextensions.k8s.io/v1\n"
                   "kind: CustomResourceDefinition\n"
                   "spec: {versions: [{name: v1}]}\n", YL_EINVALID,
                   "spec.group");
    assert_refused("apiVersion: apiextensions.k8s.io/v1\n"
                   "kind: CustomResourceDefinition\n"
                   "spec: {group: a, names: {kind: B}, "
                   "versions: [{name: v1}]}\n", YL_EINVALID,
                   "version v1 has no schema");
    assert_refused(CRD("a: {type: object, properties: {b: 1}}"), YL_EINVALID,
                   "ex.com/v1 Foo: properties[a].properties[b]: a schema must "
                   "be an object");
    assert_refused(CRD("a: {type: array, items: 1}"), YL_EINVALID,
                   "properties[a].items: a schema");
    assert_refused(CRD("") "---\n" CRD(""), YL_EEXISTS, "comes twice");
}

/* {type: object, properties: {NAME: ...}}, 'depth' deep. */
static char *
nested(const char *name, unsigned depth)
{
    struct yl_buf buf;
    unsigned i;

    yl_buf_init(&buf, (size_t) 1 << 20);
    yl_buf_append_c(&buf, CRD(""));
    buf.size -= strlen("}\n");
    yl_buf_printf(&buf, "%s: ", name);
    for (i = 0; i < depth; i++) {
        yl_buf_printf(&buf, "{type: object, properties: {%s: ", name);
    }
    yl_buf_append_c(&buf, "{type: string}");
    for (i = 0; i < depth; i++) {
        yl_buf_append_c(&buf, "}}");
    }
    yl_buf_append_c(&buf, "}\n");
    return yl_buf_detach(&buf);
}

TEST(depth_and_names_have_ceilings)
{
    char *deep = nested("a", 150), *deeper = nested("a", 300);
    char *longer = nested("abcdefghijklmnop", 100);

    check_becomes(deep, "    const char *a;\n");
    assert_refused(deeper, YL_ETOODEEP, "nested deeper than 200");
    assert_refused(longer, YL_ETOOBIG, "longer than 900");
    free(deep);
    free(deeper);
    free(longer);
}
