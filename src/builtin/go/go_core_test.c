/* Tests of builtin/go/go_core.h. */

#include "builtin/go/go_core.h"

#include "builtin_case.h"

TEST(a_pod_spec_has_its_host_fields_in_the_security_context)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_str text = yl_bad_struct(
        &c, case_parse(arena, "{'hostPID':true,'hostUsers':false,"
                              "'securityContext':{'runAsUser':1}}"),
        yl_go_pod_spec).text;

    assert_true(yl_str_starts_with(
        text, YL_STR("{\"Volumes\":null,\"InitContainers\":null,")));
    assert_non_null(strstr(yl_arena_strdup(arena, text),
                           "\"SecurityContext\":{\"HostNetwork\":false,"
                           "\"HostPID\":true,\"HostIPC\":false,"
                           "\"ShareProcessNamespace\":null,"
                           "\"HostUsers\":false,\"SELinuxOptions\":null,"
                           "\"WindowsOptions\":null,\"RunAsUser\":1,"));
    yl_arena_free(arena);
}

TEST(a_template_has_its_metadata_inline)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_str text = yl_bad_struct(
        &c, case_parse(arena, "{'metadata':{'labels':{'b':'2','a':'1'},"
                              "'name':'n','annotations':{}},'spec':{}}"),
        yl_go_pod_template).text;

    assert_true(yl_str_starts_with(
        text, YL_STR("{\"name\":\"n\",\"labels\":{\"a\":\"1\",\"b\":\"2\"},"
                     "\"Spec\":{\"Volumes\":null,")));
    yl_arena_free(arena);
}

TEST(selectors_leave_out_what_is_empty)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_node *selector = case_parse(
        arena, "{'matchExpressions':[{'key':'k','operator':'In',"
               "'values':[]}],'matchLabels':{'a':'b'}}");

    assert_str_equal(yl_bad_tagged(&c, selector, yl_go_selector).text,
                     "{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":"
                     "[{\"key\":\"k\",\"operator\":\"In\"}]}");
    assert_int_equal(yl_bad_tagged(&c, NULL, yl_go_selector).kind,
                     YL_BAD_NODE);
    yl_arena_free(arena);
}

TEST(volumes_are_shown_with_every_source)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_node *list = case_parse(
        arena, "[{'name':'v','downwardAPI':{'items':[{'path':'p',"
               "'resourceFieldRef':{'resource':'limits.cpu'}}]}}]");
    char *text = yl_arena_strdup(
        arena, yl_bad_slice(&c, list, yl_go_volume).text);

    assert_non_null(strstr(text, "[{\"Name\":\"v\",\"HostPath\":null,"));
    assert_non_null(strstr(text, "\"ResourceFieldRef\":{\"ContainerName\":"
                                 "\"\",\"Resource\":\"limits.cpu\","
                                 "\"Divisor\":\"0\"}"));
    assert_int_equal(yl_bad_slice(&c, NULL, yl_go_volume).kind, YL_BAD_NODE);
    yl_arena_free(arena);
}

TEST(a_change_is_told_as_a_difference)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, &err };
    struct yl_at root = yl_at_root(NULL);
    struct yl_at at = yl_at(&root, "spec");

    yl_field_changed(&c, &at, case_parse(arena, "{'name':'a'}"),
                     case_parse(arena, "{'name':'b'}"),
                     yl_go_local_reference, "no");
    assert_string_equal(err.causes[0].message,
                        "Forbidden: no\n@@ -1,3 +1,3 @@\n {\n"
                        "- \"Name\": \"a\"\n+ \"Name\": \"b\"\n }\n");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
