/* Tests of reading OpenAPI documents. */

#include "codegen/from_openapi.h"

#include "base/buf.h"
#include "codegen/emit_header.h"
#include "codegen/facts.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define PREFIX "io.k8s.api.zoo.v1."
#define META "io.k8s.apimachinery.pkg.apis.meta.v1."
#define REF(NAME) "{\"$ref\":\"#/components/schemas/" NAME "\"}"
#define ALL_OF(NAME, MORE) "{\"allOf\":[" REF(NAME) "]" MORE "}"
#define GVK(KIND)                                                             \
    "\"x-kubernetes-group-version-kind\":[{\"group\":\"zoo.example.com\","    \
    "\"kind\":\"" KIND "\",\"version\":\"v1\"}]"
#define DOCUMENT(SCHEMAS) "{\"components\":{\"schemas\":{" SCHEMAS "}}}"

/* A kind with its list, a struct of its own, and one of everything shared. */
static const char zoo[] = DOCUMENT(
    "\"" PREFIX "Keeper\":{\"type\":\"object\",\"properties\":{"
        "\"apiVersion\":{\"type\":\"string\"},"
        "\"kind\":{\"type\":\"string\"},"
        "\"metadata\":" ALL_OF(META "ObjectMeta", ",\"default\":{}") ","
        "\"spec\":" ALL_OF(PREFIX "KeeperSpec", ",\"default\":{}") "},"
        "\"required\":[\"spec\"]," GVK("Keeper") "},"
    "\"" PREFIX "KeeperList\":{\"type\":\"object\",\"properties\":{"
        "\"items\":{\"type\":\"array\",\"items\":" REF(PREFIX "Keeper") "}},"
        GVK("KeeperList") "},"
    "\"" PREFIX "Any\":{},"
    "\"" PREFIX "KeeperSpec\":{\"type\":\"object\","
        "\"x-kubernetes-map-type\":\"atomic\","
        "\"description\":\"not ours\",\"properties\":{"
        "\"any\":" REF(PREFIX "Any") ","
        "\"name\":{\"type\":\"string\",\"default\":\"\"},"
        "\"nick\":{\"type\":\"string\",\"default\":\"Jo\"},"
        "\"limit\":" REF("io.k8s.apimachinery.pkg.api.resource.Quantity") ","
        "\"port\":" REF("io.k8s.apimachinery.pkg.util.intstr.IntOrString") ","
        "\"since\":" REF(META "Time") ","
        "\"when\":" REF(META "MicroTime") ","
        "\"how\":" REF(META "Duration") ","
        "\"selector\":" REF(META "LabelSelector") ","
        "\"conditions\":{\"type\":\"array\",\"items\":"
            ALL_OF(META "Condition", ",\"default\":{}") ","
            "\"x-kubernetes-list-type\":\"map\","
            "\"x-kubernetes-list-map-keys\":[\"type\",\"status\"]},"
        "\"others\":{\"type\":\"object\",\"additionalProperties\":"
            REF(PREFIX "KeeperSpec") "},"
        "\"count\":{\"type\":\"integer\",\"format\":\"int32\"}},"
        "\"required\":[\"name\"]}");

static const char facts_text[] =
    "type\tjson\tvalue\tempty\tstrategy\tkey\tprotobuf\n"
    "zoo/v1.Keeper\tmetadata\tx\tomitempty\t-\t-\t1 bytes\n"
    "zoo/v1.Keeper\tspec\tx\tomitempty\t-\t-\t2 bytes\n"
    "zoo/v1.KeeperSpec\tname\tstring\talways\t-\t-\t1 bytes\n"
    "zoo/v1.KeeperSpec\tnick\t*string\tomitempty\t-\t-\t2 bytes\n"
    "zoo/v1.KeeperSpec\tany\t*x\tomitempty\t-\t-\t3 bytes\n"
    "zoo/v1.KeeperSpec\tconditions\t[]x\talways\tmerge\ttype\t4 bytes\n"
    "zoo/v1.KeeperSpec\tcount\tint32\tomitempty\t-\t-\t5 varint\n";

static const char discovery[] =
    "{\"groupVersion\":\"zoo.example.com/v1\",\"resources\":["
    "{\"name\":\"keepers\",\"kind\":\"Keeper\",\"singularName\":\"keeper\","
    "\"namespaced\":false,\"shortNames\":[\"kp\",\"kpr\"],"
    "\"categories\":[\"all\"]},"
    "{\"name\":\"keepers/status\",\"kind\":\"Keeper\"},"
    "{\"name\":\"keepers/scale\",\"kind\":\"Scale\"}]}";

/* The header of the only unit, freed by the caller. */
static char *
header(struct yl_gen_openapi *openapi)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gen_unit **units;
    struct yl_buf buf;
    size_t n;

    if (yl_gen_openapi_units(openapi, &units, &n, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    assert_int_equal(n, 1);
    yl_buf_init(&buf, YL_GEN_MAX_HEADER);
    yl_gen_emit_annotated(&buf, units[0]);
    return yl_buf_detach(&buf);
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no \"%s\" in:\n%s", part, text);
    }
}

TEST(a_document_becomes_a_header)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    char *text;

    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    text = header(openapi);
    assert_has(text, "// +groupName=zoo.example.com\n// +version=v1\n");
    assert_has(text, "// +k8s:openapi-model-package=io.k8s.api.zoo.v1\n");
    assert_has(text, "struct zoo_v1_keeper {\n"
                     "    struct yl_object_meta metadata;\n"
                     "    // +required\n"
                     "    struct zoo_v1_keeper_spec spec;\n"
                     "};\n");
    assert_has(text, "// +structType=atomic\nstruct zoo_v1_keeper_spec {\n");
    assert_has(text, "    // +schema={\"$ref\":\"" PREFIX "Any\"}\n"
                     "    struct yl_raw any;\n");
    assert_has(text, "    // +required\n    const char *name;\n");
    assert_has(text, "    // +default=\"Jo\"\n    const char *nick;\n");
    assert_has(text, "    const int32_t *count;\n");
    assert_has(text, "    const struct yl_quantity *limit;\n");
    assert_has(text, "    const struct yl_int_or_string *port;\n");
    assert_has(text, "    const struct yl_time *since;\n");
    assert_has(text, "    const struct yl_micro_time *when;\n");
    assert_has(text, "    const struct yl_duration *how;\n");
    assert_has(text, "    const struct yl_label_selector *selector;\n");
    assert_has(text, "    // +listType=map\n    // +listMapKey=type\n"
                     "    // +listMapKey=status\n"
                     "    const struct yl_meta_condition *conditions;\n"
                     "    size_t n_conditions;\n");
    assert_has(text, "    const struct yl_pair_of_zoo_v1_keeper_spec *others;"
                     "\n    size_t n_others;\n");
    free(text);
    yl_arena_free(arena);
}

TEST(descriptions_are_left_behind)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    char *text;

    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    text = header(openapi);
    assert_null(strstr(text, "not ours"));
    free(text);
    yl_arena_free(arena);
}

TEST(lists_of_kinds_are_left_to_the_generator)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    char *text;

    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    text = header(openapi);
    assert_null(strstr(text, "keeper_list"));
    free(text);
    yl_arena_free(arena);
}

TEST(facts_say_presence_order_numbers_and_merge_keys)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    struct yl_gen_facts *facts;
    char *text;

    assert_int_equal(yl_gen_facts_parse(arena, yl_str_c(facts_text), &facts,
                                        NULL), 0);
    yl_gen_openapi_set_facts(openapi, facts);
    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    text = header(openapi);
    assert_has(text, "    // +required\n    // +json=,omitempty\n"
                     "    struct zoo_v1_keeper_spec spec; // +protobuf=2\n");
    assert_has(text, "    // +required\n"
                     "    const char *name; // +protobuf=1\n"
                     "    // +json=,pointer\n    // +default=\"Jo\"\n"
                     "    const char *nick; // +protobuf=2\n"
                     "    // +json=,omitzero\n"
                     "    // +schema={\"$ref\":\"" PREFIX "Any\"}\n"
                     "    struct yl_raw any; // +protobuf=3\n"
                     "    // +json=,always\n"
                     "    // +patchStrategy=merge\n"
                     "    // +patchMergeKey=type\n");
    assert_has(text, "    int32_t count; // +protobuf=5\n");
    free(text);
    yl_arena_free(arena);
}

TEST(discovery_says_names_scope_and_subresources)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    char *text;

    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    assert_int_equal(yl_gen_openapi_add_discovery(openapi,
                                                  yl_str_c(discovery), NULL),
                     0);
    text = header(openapi);
    assert_has(text,
               "// +genclient\n"
               "// +kubebuilder:resource:shortName=kp;kpr,categories=all,"
               "scope=Cluster\n"
               "// +kubebuilder:subresource:status\n"
               "// +kubebuilder:subresource:scale:specpath=.spec.replicas,"
               "statuspath=.status.replicas\n"
               "struct zoo_v1_keeper {");
    free(text);
    yl_arena_free(arena);
}

TEST(a_kind_that_discovery_does_not_know_has_no_resource)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    char *text;

    assert_int_equal(yl_gen_openapi_add(openapi, yl_str_c(zoo), NULL), 0);
    assert_int_equal(yl_gen_openapi_add_discovery(
                         openapi, YL_STR("{\"groupVersion\":\"v1\","
                                         "\"resources\":[{}]}"), NULL), 0);
    text = header(openapi);
    assert_has(text, "// +kind=Keeper\n"
                     "// +kubebuilder:resource:path=\"\"\n"
                     "struct zoo_v1_keeper {");
    free(text);
    yl_arena_free(arena);
}

TEST(documents_may_come_in_any_order_and_overlap)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *a = yl_gen_openapi_new(arena);
    struct yl_gen_openapi *b = yl_gen_openapi_new(arena);
    static const char other[] = DOCUMENT(
        "\"" PREFIX "Z\":{\"type\":\"object\",\"properties\":{\"k\":"
            REF(PREFIX "KeeperSpec") "}},"
        "\"" PREFIX "KeeperSpec\":{\"type\":\"object\",\"properties\":{"
            "\"wrong\":{\"type\":\"string\"}}}");
    char *x, *y;

    assert_int_equal(yl_gen_openapi_add(a, yl_str_c(zoo), NULL), 0);
    assert_int_equal(yl_gen_openapi_add(a, yl_str_c(other), NULL), 0);
    assert_int_equal(yl_gen_openapi_add(b, yl_str_c(zoo), NULL), 0);
    x = header(a);
    y = header(b);
    assert_has(x, "struct zoo_v1_z {");
    assert_null(strstr(x, "wrong"));
    assert_int_equal(strncmp(x, y, (size_t) (strstr(y, "\n#endif") - y)), 0);
    free(x);
    free(y);
    yl_arena_free(arena);
}

TEST(texts_that_are_no_documents_are_refused)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_openapi *openapi = yl_gen_openapi_new(arena);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gen_unit **units;
    size_t n;

    assert_int_equal(yl_gen_openapi_add(openapi, YL_STR("{"), &err),
                     YL_ETRUNCATED);
    assert_int_equal(yl_gen_openapi_add(openapi, YL_STR("{}"), &err),
                     YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "components.schemas"));
    assert_int_equal(yl_gen_openapi_add(openapi, YL_STR(DOCUMENT("\"a\":1")),
                                        &err), YL_EINVALID);
    assert_int_equal(yl_gen_openapi_add_discovery(openapi, YL_STR("["), &err),
                     YL_ETRUNCATED);
    assert_int_equal(yl_gen_openapi_add_discovery(openapi, YL_STR("{}"),
                                                  &err), YL_EINVALID);
    assert_int_equal(
        yl_gen_openapi_add(openapi, YL_STR(DOCUMENT(
            "\"a.b.C\":{\"properties\":{\"x\":" REF("nowhere") "}}")), &err),
        0);
    assert_int_equal(yl_gen_openapi_units(openapi, &units, &n, &err),
                     YL_EINVALID);
    assert_string_equal(yl_error_message(&err),
                        "a.b.C: x: no schema is called nowhere");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
