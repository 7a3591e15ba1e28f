/* Tests of builtin/meta.h, on ConfigMaps, which have little else. */

#include "builtin/meta.h"

#include "builtin_case.h"

TEST(metadata_is_checked_as_upstream_does)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'metadata':{'name':''}}",
          "metadata.name: Required value: name or generateName is required" },
        { "{'metadata':{'name':'A_'}}", "metadata.name: Invalid value: "
                                        "\"A_\": "
          "a lowercase RFC 1123 subdomain must consist of" },
        { "{'metadata':{'generateName':'A_'}}",
          "metadata.generateName: Invalid value: \"A_\": a lowercase" },
        { "{'metadata':{'namespace':'A'}}",
          "metadata.namespace: Invalid value: \"A\": a lowercase RFC 1123 "
          "label" },
        { "{'metadata':{'generation':-1}}", "metadata.generation: Invalid "
          "value: -1: must be greater than or equal to 0\n" },
        { "{'metadata':{'labels':{'a b':'c d'}}}",
          "metadata.labels: Invalid value: \"a b\": name part must consist" },
        { "{'metadata':{'labels':{'a':'c d'}}}",
          "metadata.labels: Invalid value: \"c d\": a valid label" },
        { "{'metadata':{'annotations':{'A B':''}}}",
          "metadata.annotations: Invalid value: \"A B\": name part" },
        { "{'metadata':{'annotations':{'Upper':''}}}", "" },
        { "{'metadata':{'finalizers':['x']}}", "metadata.finalizers[0]: "
          "Invalid value: \"x\": name is neither a standard finalizer name "
          "nor is it fully qualified\n" },
        { "{'metadata':{'finalizers':['a b/c']}}",
          "metadata.finalizers: Invalid value: \"a b/c\": prefix part" },
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
          "'name':'a','uid':'b'}]}}", "version must not be empty\n" },
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
