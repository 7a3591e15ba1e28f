/* Tests of Namespace, ConfigMap, Secret and ServiceAccount. */

#include "builtin_case.h"

TEST(namespaces)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'metadata':{'name':'a.b'}}", "metadata.name: Invalid value: "
          "\"a.b\": must not contain dots\n" },
        { "{'spec':{'finalizers':['x']}}",
          "spec.finalizers: Invalid value: \"x\": name is neither a standard "
          "finalizer name nor is it fully qualified\n" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, "{'metadata':{'name':'a'}}");
    struct yl_buf buf;

    CASE_RUN("Namespace", cases);
    CASE_DEFAULT("Namespace", "{'metadata':{'name':'a'}}",
                 "{'metadata':{'labels':{'kubernetes.io/metadata.name':'a'},"
                 "'name':'a'},'status':{'phase':'Active'}}");
    CASE_DEFAULT("Namespace", "{'metadata':{'generateName':'a'}}",
                 "{'metadata':{'generateName':'a'},'status':{"
                 "'phase':'Active'}}");
    yl_builtin_prepare(case_kind("Namespace"), arena, object);
    yl_builtin_prepare(case_kind("Namespace"), arena, object);
    yl_buf_init(&buf, 1000);
    yl_node_write_canonical(&buf, object);
    assert_str_equal(yl_buf_str(&buf),
                     "{\"metadata\":{\"labels\":"
                     "{\"kubernetes.io/metadata.name\":\"a\"},"
                     "\"name\":\"a\"},\"spec\":"
                     "{\"finalizers\":[\"kubernetes\"]},\"status\":"
                     "{\"phase\":\"Active\"}}");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(config_maps)
{
    static const struct builtin_case cases[] = {
        { "{'data':{'a':'b'},'binaryData':{'c':'eA=='}}", "" },
        { "{'data':{'a b':''}}", "data[a b]: Invalid value: \"a b\": a valid "
          "config key must consist of alphanumeric characters, '-', '_' or "
          "'.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used "
          "for validation is '[-._a-zA-Z0-9]+')\n" },
        { "{'data':{'.':''}}", "data[.]: Invalid value: \".\": must not be "
          "'.'\n" },
        { "{'binaryData':{'..':''}}", "binaryData[..]: Invalid value: \"..\": "
          "must not be '..'\n" },
        { "{'data':{'..x':''}}", "data[..x]: Invalid value: \"..x\": must not "
          "start with '..'\n" },
        { "{'data':{'a':''},'binaryData':{'a':''}}", "data[a]: Invalid value: "
          "\"a\": duplicate of key present in binaryData\n" },
    };
    struct yl_arena *arena = yl_arena_new();
    char *big = yl_arena_alloc(arena, 1048578);

    CASE_RUN("ConfigMap", cases);
    memset(big, 'x', 1048577);
    big[1048577] = 0;
    assert_string_equal(
        case_causes(arena, "ConfigMap",
                    yl_arena_printf(arena, "{'data':{'a':'%s'}}", big)),
        "[]: Too long: may not be more than 1048576 bytes\n");
    assert_string_equal(
        case_causes(arena, "Secret",
                    yl_arena_printf(arena, "{'stringData':{'a':'%s'}}", big)),
        "data: Too long: may not be more than 1048576 bytes\n");
    big[300] = 0;
    assert_string_equal(
        case_causes(arena, "ConfigMap",
                    yl_arena_printf(arena, "{'data':{'%s':''}}", big)),
        yl_arena_printf(arena, "data[%s]: Invalid value: \"%s\": must be no "
                               "more than 253 characters\n", big, big));
    yl_arena_free(arena);
}

TEST(secrets)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'stringData':{'a b':'x'}}",
          "data[a b]: Invalid value: \"a b\": a valid config key must "
          "consist of alphanumeric characters, '-', '_' or '.' (e.g. "
          "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for "
          "validation is '[-._a-zA-Z0-9]+')\n" },
        { "{'type':'kubernetes.io/service-account-token'}",
          "metadata.annotations[kubernetes.io/service-account.name]: "
          "Required value\n" },
        { "{'type':'kubernetes.io/dockercfg'}",
          "data[.dockercfg]: Required value\n" },
        { "{'type':'kubernetes.io/dockerconfigjson',"
          "'data':{'.dockerconfigjson':'eA=='}}",
          "data[.dockerconfigjson]: Invalid value: \"<secret contents "
          "redacted>\": invalid character 'x' looking for beginning of "
          "value\n" },
        { "{'type':'kubernetes.io/dockercfg','data':{'.dockercfg':'W10='}}",
          "data[.dockercfg]: Invalid value: \"<secret contents redacted>\": "
          "json: cannot unmarshal array into Go value of type "
          "map[string]interface {}\n" },
        { "{'type':'kubernetes.io/dockercfg','data':{'.dockercfg':'e30='}}",
          "" },
        { "{'type':'kubernetes.io/basic-auth'}",
          "data[username]: Required value\ndata[password]: Required value\n" },
        { "{'type':'kubernetes.io/basic-auth','data':{'password':''}}", "" },
        { "{'type':'kubernetes.io/ssh-auth','data':{'ssh-privatekey':''}}",
          "data[ssh-privatekey]: Required value\n" },
        { "{'type':'kubernetes.io/tls','data':{'tls.crt':''}}",
          "data[tls.key]: Required value\n" },
        { "{'type':'anything'}", "" },
    };

    CASE_RUN("Secret", cases);
    CASE_DEFAULT(
        "Secret",
        "{'stringData':{'a':'x'},'data':{'a':'eQ==','b':'eg=='}}",
        "{'data':{'a':'eA==','b':'eg=='},'type':'Opaque'}");
    CASE_DEFAULT("Secret", "{'stringData':{}}", "{'type':'Opaque'}");
}

TEST(service_accounts_keep_only_names)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(
        arena, "{'secrets':[{'name':'a','kind':'Secret'},{}]}");
    struct yl_buf buf;

    yl_builtin_prepare(case_kind("ServiceAccount"), arena, object);
    yl_buf_init(&buf, 1000);
    yl_node_write_canonical(&buf, object);
    assert_str_equal(yl_buf_str(&buf), "{\"secrets\":[{\"name\":\"a\"},{}]}");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}
