/* Tests of normalising: what Go has after decoding and encoding. */

#include "schema/normalize.h"

#include <dirent.h>

#include "all_kinds.h"
#include "json/tree.h"
#include "schema/strict.h"
#include "schema_set.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"

/* A root with every kind of value in every presence that matters. */
static const char types_text[] =
    "type Root\n"
    "apiVersion omit : string\n"
    "spec omit : Spec\n"
    "status omitZero : Status\n"
    "type Spec\n"
    "on omit : bool\n"
    "onPointer pointer : bool\n"
    "replicas pointer : int32\n"
    "big omit : int64\n"
    "weight omit : double\n"
    "data omit : {} bytes\n"
    "blob omit : bytes\n"
    "when omitZero : time\n"
    "whenPointer pointer : time\n"
    "micro pointer : microTime\n"
    "grace pointer : duration\n"
    "limits omit : {} quantity\n"
    "size pointer : quantity\n"
    "port pointer : intOrString\n"
    "any pointer : raw\n"
    "args omit : [] string\n"
    "labels omit : {} string\n"
    "times omit : {} time\n"
    "containers omit : [] Container\n"
    "inner pointer : Always\n"
    "open pointer : Open\n"
    "opened preserve pointer : Container\n"
    "type Container\n"
    "name omit : string\n"
    "ports omit : [] int32\n"
    "deep omit : [] [] string\n"
    "type Status\n"
    "conditions omit : [] string\n"
    "ready omit : bool\n"
    "type Open preserve\n"
    "known omit : string\n"
    "type Always\n"
    "aBool : bool\n"
    "anInt : int64\n"
    "aDouble : double\n"
    "aString : string\n"
    "someBytes : bytes\n"
    "aTime : time\n"
    "aMicroTime omit : microTime\n"
    "aDuration : duration\n"
    "aQuantity omit : quantity\n"
    "aPort omit : intOrString\n"
    "aRaw omit : raw\n"
    "anEmbedded : embedded\n"
    "aList : [] string\n"
    "aMap : {} string\n"
    "aStruct omit : Container\n"
    "aPointer pointerAlways : string\n";

static struct schema_set *types;
static struct yl_arena *arena;
static struct yl_strict strict;

static void
setup(void)
{
    types = schema_set_new("apps", types_text);
    arena = yl_arena_new();
    yl_strict_init(&strict, arena);
}

static void
teardown(void)
{
    yl_strict_release(&strict);
    yl_arena_free(arena);
    free(types);
}

static int
normalize(const char *text, struct yl_node **root, struct yl_error *err)
{
    struct yl_tree_opts opts = { .on_duplicate = yl_strict_on_duplicate,
                                 .aux = &strict };

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), &opts, root, NULL),
                     0);
    return yl_normalize(arena, schema_set_type(types, 1), *root, &strict, err);
}

/* 'spec' must become 'want', and stay that. */
static void
assert_spec(const char *spec, const char *want)
{
    char *text = yl_arena_printf(arena, "{\"spec\":%s}", spec);
    char *result = yl_arena_printf(arena, "{\"spec\":%s}", want);
    struct yl_node *root;
    struct yl_buf buf;
    int i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < 2; i++) {
        assert_int_equal(normalize(text, &root, NULL), 0);
        yl_buf_clear(&buf);
        assert_int_equal(yl_node_write_canonical(&buf, root), 0);
        assert_str_equal(yl_buf_str(&buf), result);
        text = result;
    }
    yl_buf_release(&buf);
}

static void
assert_refused(const char *spec, const char *message)
{
    char *text = yl_arena_printf(arena, "{\"spec\":%s}", spec);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    assert_int_equal(normalize(text, &root, &err), YL_EBADREQUEST);
    assert_string_equal(err.message, message);
    yl_error_clear(&err);
}

static void
assert_strict(const char *spec, const char *want)
{
    char *text = yl_arena_printf(arena, "{\"spec\":%s}", spec);
    struct yl_node *root;
    struct yl_buf buf;

    yl_strict_release(&strict);
    yl_strict_init(&strict, arena);
    assert_int_equal(normalize(text, &root, NULL), 0);
    yl_buf_init(&buf, SIZE_MAX);
    yl_strict_write(&buf, &strict);
    assert_str_equal(yl_buf_str(&buf), want);
    yl_buf_release(&buf);
}

TEST(empty_values_are_left_out_or_kept_by_presence)
{
    setup();
    assert_spec("{}", "{}");
    assert_spec("null", "{}");
    assert_spec("{\"on\":false,\"big\":0,\"weight\":0.0,\"args\":[],"
                "\"labels\":{},\"blob\":\"\",\"containers\":[],"
                "\"limits\":{}}", "{}");
    assert_spec("{\"on\":null,\"big\":null,\"args\":null,\"labels\":null,"
                "\"replicas\":null,\"when\":null,\"port\":null,\"any\":null,"
                "\"inner\":null}", "{}");
    assert_spec("{\"onPointer\":false,\"replicas\":0}",
                "{\"onPointer\":false,\"replicas\":0}");
    teardown();
}

TEST(decoded_lists_and_maps_may_be_empty)
{
    static const char text[] = "{\"spec\":{\"args\":[],\"labels\":{},"
                               "\"limits\":null,\"on\":false}}";
    struct yl_node *root;
    struct yl_buf buf;

    setup();
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    assert_int_equal(yl_normalize_decoded(arena, schema_set_type(types, 1),
                                          root, NULL, NULL), 0);
    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, root), 0);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"spec\":{\"args\":[],\"labels\":{}}}");
    yl_buf_release(&buf);
    teardown();
}

TEST(absent_values_are_added_where_go_writes_them)
{
    setup();
    assert_spec("{\"inner\":{}}",
                "{\"inner\":{\"aBool\":false,\"aDouble\":0,"
                "\"aDuration\":\"0s\",\"aList\":null,\"aMap\":null,"
                "\"aMicroTime\":null,\"aPointer\":null,\"aPort\":0,"
                "\"aQuantity\":\"0\",\"aRaw\":null,\"aString\":\"\","
                "\"aStruct\":{},\"aTime\":null,\"anEmbedded\":null,"
                "\"anInt\":0,\"someBytes\":null}}");
    assert_spec("{\"inner\":{\"aBool\":true,\"aDouble\":0.5,"
                "\"aDuration\":\"60s\",\"aList\":[],\"aMap\":{},"
                "\"aMicroTime\":null,\"aPointer\":\"x\",\"aPort\":\"http\","
                "\"aQuantity\":\"0.5\",\"aRaw\":[1],\"aString\":\"s\","
                "\"aStruct\":{\"name\":\"\"},\"aTime\":null,"
                "\"anEmbedded\":{},\"anInt\":-0,\"someBytes\":\"\"}}",
                "{\"inner\":{\"aBool\":true,\"aDouble\":0.5,"
                "\"aDuration\":\"1m0s\",\"aList\":[],\"aMap\":{},"
                "\"aMicroTime\":null,\"aPointer\":\"x\",\"aPort\":\"http\","
                "\"aQuantity\":\"500m\",\"aRaw\":[1],\"aString\":\"s\","
                "\"aStruct\":{},\"aTime\":null,\"anEmbedded\":{},"
                "\"anInt\":0,\"someBytes\":\"\"}}");
    teardown();
}

TEST(zero_structs_and_times_are_left_out_by_omit_zero)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "{\"status\":{}}", "{\"spec\":{}}" },
        { "{\"status\":{\"ready\":false}}", "{\"spec\":{}}" },
        { "{\"status\":null}", "{\"spec\":{}}" },
        /* A list of none is not nil. */
        { "{\"status\":{\"conditions\":[]}}", "{\"spec\":{},\"status\":{}}" },
        { "{\"status\":{\"ready\":true}}",
          "{\"spec\":{},\"status\":{\"ready\":true}}" },
    };
    struct yl_node *root;
    struct yl_buf buf;
    size_t i;

    setup();
    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(normalize(cases[i].text, &root, NULL), 0);
        yl_buf_clear(&buf);
        yl_node_write_canonical(&buf, root);
        assert_str_equal(yl_buf_str(&buf), cases[i].want);
    }
    yl_buf_release(&buf);
    assert_spec("{\"when\":\"0001-01-01T00:00:00Z\"}", "{}");

    /* A pointer to a zero time is there and null; Go forgets it the next
     * time. */
    assert_int_equal(normalize("{\"spec\":{\"whenPointer\":"
                               "\"0001-01-01T00:00:00Z\"}}", &root, NULL), 0);
    root = yl_node_get(root, YL_STR("spec"));
    assert_int_equal(yl_node_type(yl_node_get(root, YL_STR("whenPointer"))),
                     YL_JSON_NULL);
    teardown();
}

TEST(scalars_are_written_as_go_writes_them)
{
    setup();
    assert_spec("{\"when\":\"2026-01-02T03:04:05.6+01:00\","
                "\"micro\":\"2026-01-02T03:04:05.000006+00:00\","
                "\"grace\":\"90s\",\"size\":1.5,"
                "\"limits\":{\"cpu\":\"0.5\",\"memory\":\" 1024Mi \","
                "\"x\":null},\"port\":-0}",
                "{\"grace\":\"1m30s\",\"limits\":{\"cpu\":\"500m\","
                "\"memory\":\"1Gi\",\"x\":\"0\"},"
                "\"micro\":\"2026-01-02T03:04:05.000006Z\",\"port\":0,"
                "\"size\":\"1500m\",\"when\":\"2026-01-02T02:04:05Z\"}");
    assert_spec("{\"data\":{\"a\":\"aGk=\",\"b\":\"aG\\nk=\\n\","
                "\"c\":\"aGl=\",\"d\":null,\"e\":\"\",\"f\":\"QR==\"}}",
                "{\"data\":{\"a\":\"aGk=\",\"b\":\"aGk=\",\"c\":\"aGk=\","
                "\"d\":null,\"e\":\"\",\"f\":\"QQ==\"}}");
    assert_spec("{\"any\":{\"x\":null,\"y\":[]}}",
                "{\"any\":{\"x\":null,\"y\":[]}}");
    teardown();
}

TEST(null_elements_become_zeros)
{
    setup();
    assert_spec("{\"args\":[null,\"a\"],\"labels\":{\"a\":null},"
                "\"containers\":[null,{\"ports\":[null,1],"
                "\"deep\":[null,[null]]}],\"times\":{\"t\":null}}",
                "{\"args\":[\"\",\"a\"],\"containers\":[{},"
                "{\"deep\":[null,[\"\"]],\"ports\":[0,1]}],"
                "\"labels\":{\"a\":\"\"},\"times\":{\"t\":null}}");
    teardown();
}

/* Protobuf knows no empty lists, and no null among bytes. */
TEST(stored_lists_are_null_and_bytes_are_not)
{
    static const char text[] =
        "{\"spec\":{\"data\":{\"a\":null,\"b\":\"\"},\"args\":[],"
        "\"inner\":{\"aList\":[],\"aMap\":{},\"aStruct\":{\"ports\":[]}}}}";
    struct yl_node *root, *spec, *inner;
    int i;

    setup();
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    for (i = 0; i < 2; i++) {
        assert_int_equal(yl_normalize_stored(arena, schema_set_type(types, 1),
                                             root, NULL), 0);
        spec = yl_node_get(root, YL_STR("spec"));
        assert_true(yl_node_string_is(
            yl_node_get(yl_node_get(spec, YL_STR("data")), YL_STR("a")),
            YL_STR("")));
        assert_null(yl_node_get(spec, YL_STR("args")));
        inner = yl_node_get(spec, YL_STR("inner"));
        assert_int_equal(yl_node_type(yl_node_get(inner, YL_STR("aList"))),
                         YL_JSON_NULL);
        assert_int_equal(yl_node_type(yl_node_get(inner, YL_STR("aMap"))),
                         YL_JSON_NULL);
        assert_int_equal(yl_node_get(inner, YL_STR("aStruct"))->n, 0);
    }
    teardown();
}

TEST(what_is_normal_keeps_its_bytes)
{
    static const char text[] =
        "{ \"spec\": { \"replicas\": 1, \"args\": [ \"a\" ],\n"
        "  \"limits\": {\"cpu\": \"1\"}, \"when\": \"2026-01-02T03:04:05Z\" },"
        " \"apiVersion\" : \"v1\" }";
    struct yl_node *root;
    struct yl_buf buf;

    setup();
    assert_int_equal(normalize(text, &root, NULL), 0);
    yl_buf_init(&buf, SIZE_MAX);
    yl_node_write(&buf, root);
    assert_str_equal(yl_buf_str(&buf), text);
    yl_buf_release(&buf);
    teardown();
}

TEST(unknown_members_are_dropped_and_reported)
{
    setup();
    assert_spec("{\"foo\":1,\"args\":[\"a\"]}", "{\"args\":[\"a\"]}");
    assert_strict("{\"foo\":1,\"containers\":[{},{\"imagee\":1}]}",
                  "unknown field \"spec.foo\", "
                  "unknown field \"spec.containers[1].imagee\"");
    assert_strict("{\"Args\":[]}", "unknown field \"spec.Args\"");
    assert_strict("{\"any\":{\"x\":1,\"x\":2},\"labels\":{\"x\":\"\"}}", "");

    /* Below PRESERVE they stay. */
    assert_strict("{\"open\":{\"a\":{\"b\":1}},\"opened\":{\"c\":null}}", "");
    assert_spec("{\"open\":{\"a\":{\"b\":1},\"known\":\"\"}}",
                "{\"open\":{\"a\":{\"b\":1}}}");
    assert_spec("{\"opened\":{\"c\":null,\"name\":null}}",
                "{\"opened\":{\"c\":null}}");
    teardown();
}

TEST(unknown_members_need_no_listener)
{
    struct yl_node *root;

    setup();
    assert_int_equal(yl_tree_parse(arena, YL_STR("{\"x\":1,\"x\":2}"), NULL,
                                   &root, NULL), 0);
    assert_int_equal(yl_normalize(arena, schema_set_type(types, 1), root, NULL,
                                  NULL), 0);
    assert_null(yl_node_get(root, YL_STR("x")));
    teardown();
}

TEST(repeated_members_are_reported_in_the_order_of_the_text)
{
    setup();
    assert_strict("{\"on\":true,\"u\":1,\"on\":false,\"v\":2,\"on\":true}",
                  "unknown field \"spec.u\", duplicate field \"spec.on\", "
                  "unknown field \"spec.v\"");
    assert_strict("{\"u\":1,\"u\":2}", "unknown field \"spec.u\"");
    assert_strict("{\"labels\":{\"a\":\"\",\"b\":\"\",\"a\":\"\"}}",
                  "duplicate field \"spec.labels.a\"");
    assert_strict("{\"containers\":[{\"name\":\"a\",\"name\":\"b\"}]}",
                  "duplicate field \"spec.containers[0].name\"");
    teardown();
}

TEST(wrong_types_are_refused_in_the_words_of_go)
{
    static const struct {
        const char *spec, *message;
    } cases[] = {
        { "1", "number into Go struct field Root.spec of type v1.Spec" },
        { "{\"replicas\":\"1\"}",
          "string into Go struct field Spec.spec.replicas of type int32" },
        { "{\"replicas\":1.5}",
          "number 1.5 into Go struct field Spec.spec.replicas of type int32" },
        { "{\"replicas\":2147483648}",
          "number 2147483648 into Go struct field Spec.spec.replicas of type "
          "int32" },
        { "{\"big\":1e3}",
          "number 1e3 into Go struct field Spec.spec.big of type int64" },
        { "{\"on\":\"true\"}",
          "string into Go struct field Spec.spec.on of type bool" },
        { "{\"weight\":\"1\"}",
          "string into Go struct field Spec.spec.weight of type float64" },
        { "{\"weight\":1e400}",
          "number 1e400 into Go struct field Spec.spec.weight of type "
          "float64" },
        { "{\"labels\":{\"a\":1}}",
          "number into Go struct field Spec.spec.labels of type string" },
        { "{\"labels\":[]}",
          "array into Go struct field Spec.spec.labels of type "
          "map[string]string" },
        { "{\"limits\":[]}",
          "array into Go struct field Spec.spec.limits of type "
          "v1.ResourceList" },
        { "{\"containers\":{}}",
          "object into Go struct field Spec.spec.containers of type "
          "[]v1.Container" },
        { "{\"containers\":[\"a\"]}",
          "string into Go struct field Spec.spec.containers of type "
          "v1.Container" },
        { "{\"containers\":[{\"ports\":true}]}",
          "bool into Go struct field Container.spec.containers.ports of type "
          "[]int32" },
        { "{\"blob\":1}",
          "number into Go struct field Spec.spec.blob of type []uint8" },
        { "{\"times\":1}",
          "number into Go struct field Spec.spec.times of type "
          "map[string]v1.Time" },
        { "{\"port\":{}}",
          "object into Go struct field Spec.spec.port of type int32" },
        { "{\"when\":1}",
          "number into Go struct field Spec.spec.when of type string" },
        { "{\"grace\":1}",
          "number into Go struct field Spec.spec.grace of type string" },
        /* The first one counts. */
        { "{\"on\":1,\"big\":true}",
          "number into Go struct field Spec.spec.on of type bool" },
        /* Unless a later one ends decoding. */
        { "{\"on\":1,\"port\":true,\"big\":true}",
          "bool into Go struct field Spec.spec.port of type int32" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].spec,
                       yl_arena_printf(arena, "json: cannot unmarshal %s",
                                       cases[i].message));
    }
    teardown();
}

TEST(bytes_may_be_a_list)
{
    setup();
    assert_spec("{\"blob\":[104,105,null]}", "{\"blob\":\"aGkA\"}");
    assert_refused("{\"blob\":[256]}",
                   "json: cannot unmarshal array into Go struct field "
                   "Spec.spec.blob of type []uint8");
    teardown();
}

TEST(an_update_remembers_what_was_empty)
{
    static const char text[] =
        "{\"spec\":{\"args\":[],\"labels\":{},\"inner\":{\"aList\":[],"
        "\"aDuration\":\"1s\"}}}";
    struct yl_node *root, *spec, *inner;

    setup();
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    assert_int_equal(yl_normalize_update(arena, schema_set_type(types, 1),
                                         root, NULL), 0);
    spec = yl_node_get(root, YL_STR("spec"));
    inner = yl_node_get(spec, YL_STR("inner"));
    assert_null(yl_node_get(spec, YL_STR("args")));
    assert_non_null(yl_node_emptied(spec, YL_STR("args")));
    assert_non_null(yl_node_emptied(spec, YL_STR("labels")));
    assert_int_equal(yl_node_type(yl_node_get(inner, YL_STR("aList"))),
                     YL_JSON_NULL);
    assert_non_null(yl_node_emptied(inner, YL_STR("aList")));
    assert_null(yl_node_emptied(inner, YL_STR("aMap")));
    teardown();
}

TEST(roots_must_be_objects)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    setup();
    assert_int_equal(normalize("[]", &root, &err), YL_EBADREQUEST);
    assert_string_equal(err.message, "json: cannot unmarshal array into Go "
                                     "value of type v1.Root");
    yl_error_clear(&err);
    teardown();
}

TEST(malformed_scalars_are_refused_in_upstreams_words)
{
    static const struct {
        const char *spec, *message;
    } cases[] = {
        { "{\"on\":1,\"when\":\"x\"}",
          "parsing time \"x\" as \"2006-01-02T15:04:05Z07:00\": cannot parse "
          "\"x\" as \"2006\"" },
        { "{\"grace\":\"x\"}", "time: invalid duration \"x\"" },
        { "{\"inner\":{\"aDuration\":null}}", "time: invalid duration \"\"" },
        { "{\"size\":\"x\"}",
          "quantities must match the regular expression "
          "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
        { "{\"size\":{}}",
          "quantities must match the regular expression "
          "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'" },
        { "{\"blob\":\"a\"}", "illegal base64 data at input byte 0" },
        { "{\"blob\":\"YWJj-\"}", "illegal base64 data at input byte 4" },
        { "{\"blob\":\"YWJ\"}", "illegal base64 data at input byte 0" },
        { "{\"blob\":\"Y=\"}", "illegal base64 data at input byte 1" },
        { "{\"blob\":\"YQ=\"}", "illegal base64 data at input byte 3" },
        { "{\"blob\":\"YQ=x\"}", "illegal base64 data at input byte 2" },
        { "{\"blob\":\"YQ==x\"}", "illegal base64 data at input byte 4" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_refused(cases[i].spec, cases[i].message);
    }
    teardown();
}

/* A type of the built-in kinds. */
static struct yl_type_ref
built_in(const struct yl_type_set *set, const char *name)
{
    struct yl_type_ref type = { set, set->types };

    do {
        type.type++;
        assert_true(type.type < set->types + set->n_types);
    } while (strcmp(yl_type_set_text(set, type.type->name), name));
    return type;
}

/* A field of a schema that is a schema or something else. */
TEST(schemas_are_decoded_wherever_they_are)
{
    static const struct {
        const char *json, *want;    /* The result, or the message. */
    } cases[] = {
        { "{\"items\":{\"type\":\"a\",\"x\":1,\"title\":\"\",\"items\":"
          "{\"y\":1}}}",
          "{\"items\":{\"type\":\"a\",\"items\":{}}}" },
        { "{\"items\":[{\"x\":1},null]}", "{\"items\":[{},{}]}" },
        { "{\"items\":\"x\"}", "{\"items\":null}" },
        { "{\"items\":null}", "{}" },
        { "{\"additionalProperties\":false,\"additionalItems\":{\"x\":1}}",
          "{\"additionalProperties\":false,\"additionalItems\":{}}" },
        { "{\"default\":{\"items\":{\"x\":1}}}",
          "{\"default\":{\"items\":{\"x\":1}}}" },
        { "{\"additionalProperties\":1}", "boolean or JSON schema expected" },
        { "{\"items\":{\"properties\":{\"a\":{\"type\":1}}}}",
          "json: cannot unmarshal number into Go struct field "
          "JSONSchemaProps.items.properties.type of type string" },
        { "{\"items\":[1]}",
          "json: cannot unmarshal number into Go struct field "
          "JSONSchemaProps.items of type v1.JSONSchemaProps" },
        /* What is decoded apart ends decoding, even if the rest has a fault
         * before it. */
        { "{\"type\":1,\"items\":{\"type\":true},\"title\":[]}",
          "json: cannot unmarshal bool into Go struct field "
          "JSONSchemaProps.items.type of type string" },
        { "{\"type\":1,\"items\":{},\"title\":[]}",
          "json: cannot unmarshal number into Go struct field "
          "JSONSchemaProps.type of type string" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_strict unknown;
        struct yl_node *root;
        struct yl_buf buf;

        yl_strict_init(&unknown, arena);
        yl_tree_parse(arena, yl_str_c(cases[i].json), NULL, &root, NULL);
        yl_buf_init(&buf, SIZE_MAX);
        if (yl_normalize(arena, built_in(&apiextensions_v1_types,
                                         "JSONSchemaProps"), root,
                         &unknown, &err) < 0) {
            yl_buf_append_c(&buf, yl_error_message(&err));
        } else {
            yl_node_write(&buf, root);
            yl_strict_write(&buf, &unknown);
        }
        yl_strict_release(&unknown);
        assert_string_equal(yl_buf_c_str(&buf), cases[i].want);
        yl_buf_release(&buf);
        yl_error_clear(&err);
    }
    teardown();
}

TEST(types_that_descriptors_do_not_know_have_gos_names)
{
    static const struct {
        const struct yl_type_set *set;
        const char *type, *json, *message;
    } cases[] = {
        { &apiextensions_v1_types, "JSONSchemaProps", "{\"enum\":\"a\"}",
          "string into Go struct field JSONSchemaProps.enum of type "
          "[]v1.JSON" },
        { &core_v1_types, "Capabilities", "{\"add\":{}}",
          "object into Go struct field Capabilities.add of type "
          "[]v1.Capability" },
        { &core_v1_types, "Capabilities", "{\"add\":[1]}",
          "number into Go struct field Capabilities.add of type "
          "v1.Capability" },
        { &resource_v1_types, "CapacityRequirements", "{\"requests\":[]}",
          "array into Go struct field CapacityRequirements.requests of type "
          "map[v1.QualifiedName]resource.Quantity" },
        { &authentication_v1_types, "UserInfo", "{\"extra\":{\"a\":1}}",
          "number into Go struct field UserInfo.extra of type "
          "v1.ExtraValue" },
        { &authentication_v1_types, "UserInfo", "{\"extra\":{\"a\":[1]}}",
          "number into Go struct field UserInfo.extra of type string" },
        { &admissionregistration_v1_types, "NamedRuleWithOperations",
          "{\"scope\":1}",
          "number into Go struct field NamedRuleWithOperations."
          "RuleWithOperations.Rule.scope of type v1.ScopeType" },
    };
    size_t i;

    setup();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_node *root;

        yl_tree_parse(arena, yl_str_c(cases[i].json), NULL, &root, NULL);
        assert_int_equal(yl_normalize(arena, built_in(cases[i].set,
                                                      cases[i].type),
                                      root, NULL, &err), YL_EBADREQUEST);
        assert_string_equal(err.message, yl_arena_printf(
            arena, "json: cannot unmarshal %s", cases[i].message));
        yl_error_clear(&err);
    }
    teardown();
}

/* Real objects
 * ============ */

/* The kind that an object says it is, or NULL. */
static const struct yl_kind *
kind_of(const struct yl_scheme *scheme, const struct yl_node *object)
{
    struct yl_str version = YL_STR(""), kind = YL_STR("");
    struct yl_gvk gvk;

    yl_node_string(yl_node_get(object, YL_STR("apiVersion")), arena, &version);
    yl_node_string(yl_node_get(object, YL_STR("kind")), arena, &kind);
    if (yl_gvk_parse(version, kind, &gvk, NULL) < 0) {
        return NULL;
    }
    return yl_scheme_find(scheme, gvk.group, gvk.version, gvk.kind);
}

TEST(objects_of_the_wire_are_normal)
{
    char *folder = strdup(truth_path("wire"));
    struct yl_scheme *scheme = all_kinds_new();
    DIR *dir = opendir(folder);
    struct dirent *entry;
    size_t n = 0;

    assert_non_null(dir);
    setup();
    while ((entry = readdir(dir)) != NULL) {
        struct yl_node *root, *copy;
        struct yl_error err = YL_ERROR_INIT;
        const struct yl_kind *kind;
        char path[4096];
        size_t size;
        char *text;

        if (!yl_str_ends_with(yl_str_c(entry->d_name), YL_STR(".json"))) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        text = read_file(path, &size);
        assert_int_equal(yl_tree_parse(arena, yl_arena_copy(
            arena, yl_str_n(text, size)), NULL, &root, NULL), 0);
        free(text);
        kind = kind_of(scheme, root);
        if (!kind) {
            continue;
        }
        copy = yl_node_copy(arena, root);
        if (yl_normalize(arena, yl_kind_type(kind), root, &strict, &err) < 0
            || !yl_node_equal(root, copy) || strict.n_errors) {
            struct yl_buf buf;

            yl_buf_init(&buf, SIZE_MAX);
            yl_strict_write(&buf, &strict);
            fail_msg("%s: %s %s", entry->d_name, yl_error_message(&err),
                     yl_buf_c_str(&buf));
        }
        n++;
    }
    closedir(dir);
    print_message("%zu kinds\n", n);
    assert_true(n >= 70);
    teardown();
    yl_scheme_free(scheme);
    free(folder);
}

/* One recorded POST whose body was refused: our words must end the answer's.
 * Returns whether it was one, and counts those that differ. */
static bool
check_refusal(const struct yl_scheme *scheme, const struct yl_node *step,
              size_t *n_other)
{
    struct yl_node *body = yl_node_get(step, YL_STR("body"));
    const struct yl_node *expect = yl_node_get(step, YL_STR("expect"));
    const struct yl_kind *kind = kind_of(scheme, body);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str message = YL_STR("");
    const char *ours = "";
    struct yl_buf buf;

    yl_node_string(yl_node_get(yl_node_get(expect, YL_STR("body")),
                               YL_STR("message")), arena, &message);
    message = yl_str_c(yl_arena_strdup(arena, message));
    if (!kind || !yl_node_string_is(yl_node_get(step, YL_STR("do")),
                                    YL_STR("POST"))
        || !strstr(message.data, "cannot be handled as a")
        || strstr(message.data, "unknown conversion")) {
        return false;
    }
    yl_strict_release(&strict);
    yl_strict_init(&strict, arena);
    yl_buf_init(&buf, SIZE_MAX);
    if (yl_normalize(arena, yl_kind_type(kind), yl_node_copy(arena, body),
                     &strict, &err) < 0) {
        ours = err.message;
    } else {
        yl_strict_write(&buf, &strict);
        ours = yl_buf_c_str(&buf);
    }

    /* The recording took Go's layouts for times. */
    if (!*ours || !(yl_str_ends_with(message, yl_str_c(ours))
                    || (strstr(message.data, "as \"<time>07:00\"")
                        && strstr(ours, "as \"2006-01-02T15:04:05")))) {
        print_message("%s\n    %s\n", message.data, ours);
        ++*n_other;
    }
    yl_buf_release(&buf);
    yl_error_clear(&err);
    return true;
}

TEST(recorded_refusals_have_our_words)
{
    static const char *const files[] = {
        "recorded/workloads.json", "recorded/kinds.json",
        "recorded/verbs.json", "recorded/crds.json",
    };
    struct yl_scheme *scheme = all_kinds_new();
    size_t n = 0, n_other = 0, i;

    setup();
    for (i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct yl_node *root, *scenario, *step;
        size_t size;
        char *text = read_file(truth_path(files[i]), &size);

        assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL,
                                       &root, NULL), 0);
        YL_NODE_FOR_EACH (scenario, root) {
            YL_NODE_FOR_EACH (step, yl_node_get(scenario, YL_STR("steps"))) {
                n += check_refusal(scheme, step, &n_other);
            }
        }
        free(text);
        yl_arena_clear(arena);
    }
    print_message("%zu refusals, %zu with other words\n", n, n_other);
    assert_true(n >= 30);
    assert_int_equal(n_other, 0);
    teardown();
    yl_scheme_free(scheme);
}
