/* Tests of builtin/common/meta.h, on ConfigMaps, which have little else. */

#include "builtin/common/meta.h"

#include "builtin_case.h"

TEST(metadata_is_checked_as_upstream_does)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'metadata':{'name':''}}",
          "metadata.name: Required value: name or generateName is "
          "required\n" },
        { "{'metadata':{'name':'A_'}}",
          "metadata.name: Invalid value: \"A_\": " CASE_SUBDOMAIN "\n" },
        { "{'metadata':{'generateName':'A_'}}",
          "metadata.generateName: Invalid value: \"A_\": "
          CASE_SUBDOMAIN "\n" },
        { "{'metadata':{'namespace':'A'}}",
          "metadata.namespace: Invalid value: \"A\": " CASE_LABEL "\n" },
        { "{'metadata':{'generation':-1}}", "metadata.generation: Invalid "
          "value: -1: must be greater than or equal to 0\n" },
        { "{'metadata':{'labels':{'a b':'c d'}}}",
          "metadata.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "metadata.labels: Invalid value: \"c d\": " CASE_LABEL_VALUE "\n" },
        { "{'metadata':{'labels':{'a':'c d'}}}",
          "metadata.labels: Invalid value: \"c d\": " CASE_LABEL_VALUE "\n" },
        { "{'metadata':{'annotations':{'A B':''}}}",
          "metadata.annotations: Invalid value: \"A B\": "
          CASE_NAME_PART "\n" },
        { "{'metadata':{'annotations':{'Upper':''}}}", "" },
        { "{'metadata':{'finalizers':['x']}}", "metadata.finalizers[0]: "
          "Invalid value: \"x\": name is neither a standard finalizer name "
          "nor is it fully qualified\n" },
        { "{'metadata':{'finalizers':['a b/c']}}",
          "metadata.finalizers: Invalid value: \"a b/c\": prefix part "
          CASE_SUBDOMAIN "\n" },
        { "{'metadata':{'finalizers':['orphan','foregroundDeletion']}}",
          "metadata.finalizers: Invalid value: "
          "[\"orphan\",\"foregroundDeletion\"]: finalizer orphan and "
          "foregroundDeletion cannot be both set\n" },
        { "{'metadata':{'finalizers':['kubernetes','example.com/x']}}", "" },
    };

    CASE_RUN("ConfigMap", cases);
}

TEST(owners_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'metadata':{'ownerReferences':[{}]}}",
          "metadata.ownerReferences.apiVersion: Invalid value: \"\": version "
          "must not be empty\n"
          "metadata.ownerReferences.kind: Invalid value: \"\": must not be "
          "empty\n"
          "metadata.ownerReferences.name: Invalid value: \"\": must not be "
          "empty\n"
          "metadata.ownerReferences.uid: Invalid value: \"\": must not be "
          "empty\n" },
        { "{'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Event',"
          "'name':'a','uid':'b'}]}}",
          "metadata.ownerReferences: Invalid value: {\"apiVersion\":\"v1\","
          "\"kind\":\"Event\",\"name\":\"a\",\"uid\":\"b\"}: /v1, Kind=Event "
          "is disallowed from being an owner\n" },
        { "{'metadata':{'ownerReferences':["
          "{'uid':'b','controller':true,'name':'a','kind':'A',"
          "'apiVersion':'x/v1'},"
          "{'uid':'b','controller':true,'name':'b','kind':'B',"
          "'apiVersion':'v1'}]}}",
          "metadata.ownerReferences: Invalid value: [{\"apiVersion\":\"x/v1\","
          "\"kind\":\"A\",\"name\":\"a\",\"uid\":\"b\",\"controller\":true},"
          "{\"apiVersion\":\"v1\",\"kind\":\"B\",\"name\":\"b\",\"uid\":\"b\","
          "\"controller\":true}]: Only one reference can have Controller set "
          "to true. Found \"true\" in references for A/a and B/b\n" },
        { "{'metadata':{'ownerReferences':[{'apiVersion':'a/b/c','kind':'A',"
          "'name':'a','uid':'b'}]}}",
          "metadata.ownerReferences.apiVersion: Invalid value: \"a/b/c\": "
          "version must not be empty\n" },
    };

    CASE_RUN("ConfigMap", cases);
}

TEST(managed_fields_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'metadata':{'managedFields':[{'operation':'X','fieldsType':"
          "'Y'}]}}",
          "metadata.managedFields[0].operation: Invalid value: \"X\": must be "
          "`Apply` or `Update`\n"
          "metadata.managedFields[0].fieldsType: Invalid value: \"Y\": must "
          "be "
          "`FieldsV1`\n" },
        { "{'metadata':{'managedFields':[{'operation':'Apply','manager':'"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "'}]}}", "metadata.managedFields[0].manager: Too long: may not be "
          "more than 128 bytes\n" },
    };

    CASE_RUN("ConfigMap", cases);
}

TEST(annotations_have_a_limit_together)
{
    struct yl_arena *arena = yl_arena_new();
    char *big = yl_arena_alloc(arena, 262146);
    char *json;

    memset(big, 'x', 262145);
    big[262145] = 0;
    json = yl_arena_printf(
        arena, "{'metadata':{'annotations':{'a':'%s'}}}", big);
    assert_string_equal(case_causes(arena, "ConfigMap", json),
                        "metadata.annotations: Too long: may not be more than "
                        "262144 bytes\n");
    yl_arena_free(arena);
}

TEST(cluster_scoped_kinds_have_no_namespace)
{
    static const struct builtin_case cases[] = {
        { "{'metadata':{'namespace':'x'}}", "metadata.namespace: Forbidden: "
          "not allowed on this type\n" },
    };

    CASE_RUN("Node", cases);
}

/* Guarantee of builtin.h: immutable fields among the faults.  What all kinds
 * have in common is told before what the kind finds. */
TEST(updates_keep_metadata_that_is_fixed)
{
    static const char *const old =
        "{'metadata':{'name':'a','namespace':'n','uid':'u',"
        "'finalizers':['a.io/f'],'deletionGracePeriodSeconds':5,"
        "'deletionTimestamp':'2021-01-01T00:00:00Z'}}";
    static const struct {
        const char *json, *causes;
    } cases[] = {
        { "{'metadata':{'name':'a','namespace':'n','uid':'u',"
          "'finalizers':['a.io/f']}}", "" },
        { "{'metadata':{'name':'b','namespace':'m','uid':'v'}}",
          "metadata.name: Invalid value: \"b\": field is immutable\n"
          "metadata.namespace: Invalid value: \"m\": field is immutable\n"
          "metadata.uid: Invalid value: \"v\": field is immutable\n" },
        { "{'metadata':{'name':'a','namespace':'n','uid':'u',"
          "'finalizers':['z.io/f','a.io/f','b.io/f']}}",
          "metadata.finalizers: Forbidden: no new finalizers can be added if "
          "the object is being deleted, found new finalizers "
          "[]string{\"b.io/f\", \"z.io/f\"}\n" },
        { "{'metadata':{'name':'a','namespace':'n','uid':'u',"
          "'deletionGracePeriodSeconds':6}}",
          "metadata.deletionGracePeriodSeconds: Invalid value: 6: field is "
          "immutable\n" },
    };
    static const struct yl_builtin plain = { .group = "", .version = "v1",
                                             .kind = "Plain",
                                             .namespaced = true };
    const struct yl_builtin *kind = &plain;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *before = case_parse(arena, old);
        struct yl_node *object = case_parse(arena, cases[i].json);
        struct yl_error err = YL_ERROR_INIT;

        yl_builtin_prepare_update(kind, arena, object, before);
        yl_builtin_validate_update(kind, arena, object, before, &err);
        assert_string_equal(case_write_causes(arena, &err), cases[i].causes);
        yl_arena_free(arena);
    }
}

TEST(an_absent_list_is_an_empty_one)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list = case_parse(arena, "[]");
    struct yl_node *object = case_parse(arena, "{}");

    assert_true(yl_node_same(list, NULL));
    assert_true(yl_node_same(NULL, NULL));
    assert_false(yl_node_same(object, NULL));
    assert_true(yl_node_same(case_parse(arena, "[1]"),
                             case_parse(arena, "[1.0]")));
    assert_true(yl_node_same(
        case_parse(arena, "[{'a':{'b':[],'c':null,'d':1}}]"),
        case_parse(arena, "[{'a':{'d':1,'e':[]}}]")));
    assert_false(yl_node_same(case_parse(arena, "{'a':{'b':{}}}"),
                              case_parse(arena, "{'a':{}}")));
    assert_false(yl_node_same(case_parse(arena, "{'a':{}}"),
                              case_parse(arena, "{'a':{'b':1}}")));
    assert_false(yl_node_same(case_parse(arena, "[1]"),
                              case_parse(arena, "[1,2]")));
    yl_arena_free(arena);
}
