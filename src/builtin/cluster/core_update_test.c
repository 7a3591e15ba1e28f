/* Tests of updates of Namespace, Secret, ConfigMap and ServiceAccount. */

#include "builtin/common/subresources.h"
#include "builtin_case.h"

TEST(namespaces_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { "{}", "{'metadata':{'labels':{'a':'b'}}}", "" },
        { "{}",
          "{'metadata':{'labels':{'a b':'c'}}}",
          "metadata.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "metadata.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "metadata.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n"
          "metadata.labels: Invalid value: \"a b\": " CASE_NAME_PART "\n" },
    };

    CASE_RUN_UPDATES("Namespace", cases);
}

TEST(phases_of_namespaces_follow_their_deletion)
{
    static const struct builtin_update cases[] = {
        { "{}", "{'status':{'phase':'Active'}}", "" },
        { "{}",
          "{'status':{'phase':'Terminating'}}",
          "status.Phase: Invalid value: \"Terminating\": may only be "
          "'Active' if `deletionTimestamp` is empty\n" },
        { "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'}}",
          "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'},"
          "'status':{'phase':'Active'}}",
          "status.Phase: Invalid value: \"Active\": may only be "
          "'Terminating' if `deletionTimestamp` is not empty\n" },
    };

    CASE_RUN_STATUS("Namespace", cases);
}

TEST(secrets_keep_their_type)
{
    static const struct builtin_update cases[] = {
        { "{'type':'a','data':{'x':'QQ=='}}",
          "{'type':'a','data':{'y':'QQ=='}}",
          "" },
        { "{'type':'a'}",
          "{'type':'b'}",
          "type: Invalid value: \"b\": field is immutable\n" },
        { "{'immutable':true,'data':{'x':'QQ=='}}",
          "{'immutable':true,'data':{'x':'QQ=='},"
          "'metadata':{'labels':{'a':'b'}}}",
          "" },
        { "{'immutable':true,'data':{'x':'QQ=='}}",
          "{'data':{'x':'Qg=='}}",
          "immutable: Forbidden: field is immutable when `immutable` is set\n"
          "data: Forbidden: field is immutable when `immutable` is set\n" },
        { "{'immutable':true,'data':{'x':'QQ=='}}",
          "{'immutable':true}",
          "data: Forbidden: field is immutable when `immutable` is set\n" },
    };

    CASE_RUN_UPDATES("Secret", cases);
}

TEST(sealed_config_maps_stay_so)
{
    static const struct builtin_update cases[] = {
        { "{'data':{'a':'b'}}", "{'data':{'a':'c'},'immutable':true}", "" },
        { "{'data':{'a':'b'},'immutable':true}",
          "{'data':{'a':'c'},'binaryData':{'x':'QQ=='},'immutable':false}",
          "immutable: Forbidden: field is immutable when `immutable` is set\n"
          "data: Forbidden: field is immutable when `immutable` is set\n"
          "binaryData: Forbidden: field is immutable when `immutable` is "
          "set\n" },
    };

    CASE_RUN_UPDATES("ConfigMap", cases);
}

TEST(accounts_change)
{
    static const struct builtin_update cases[] = {
        { "{}", "{'secrets':[{'name':'a'}]}", "" },
    };

    CASE_RUN_UPDATES("ServiceAccount", cases);
}

TEST(only_finalize_changes_finalizers)
{
    const struct yl_builtin *kind = case_kind("Namespace");
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'name':'a'},'spec':{'finalizers':['kubernetes']},"
               "'status':{'phase':'Active'}}");
    struct yl_node *object;

    object = case_parse(arena, "{'metadata':{'name':'a'},'spec':{}}");
    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'name':'a'},'spec':{'finalizers':['kubernetes']},"
            "'status':{'phase':'Active'}}");

    object = case_parse(arena, "{'metadata':{'name':'a'},"
                               "'spec':{'finalizers':['x']}}");
    yl_subresource_prepare(&yl_namespace_finalize, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'name':'a'},'spec':{'finalizers':['x']},'status':{"
            "'phase':'Active'}}");
    yl_subresource_validate(&yl_namespace_finalize, kind, arena, object, old,
                            &err);
    assert_string_equal(case_write_causes(arena, &err),
                        "spec.finalizers[0]: Invalid value: \"x\": name is "
                        "neither a standard finalizer name nor is it fully "
                        "qualified\n");
    yl_arena_free(arena);
}
