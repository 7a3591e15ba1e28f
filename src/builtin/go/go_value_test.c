/* Tests of builtin/go/go_value.h. */

#include "builtin/go/go_value.h"

#include "builtin_case.h"
#include "gen/apiextensions_v1_go.h"
#include "gen/apps_v1_go.h"
#include "gen/batch_v1_go.h"
#include "gen/core_v1_go.h"
#include "gen/meta_v1_go.h"

TEST(every_field_is_shown_set_or_not)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };

    assert_str_equal(
        yl_bad_struct(&c, NULL, YL_GO(core_v1, host_path_volume_source)).text,
        "{\"Path\":\"\",\"Type\":null}");
    assert_str_equal(
        yl_bad_struct(&c, NULL, YL_GO(core_v1, preferred_scheduling_term))
            .text,
        "{\"Weight\":0,\"Preference\":{\"MatchExpressions\":null,"
        "\"MatchFields\":null}}");
    assert_str_equal(
        yl_bad_struct(&c, case_parse(arena, "{'type':'a','rollingUpdate':{}}"),
                      YL_GO(apps_v1, deployment_strategy)).text,
        "{\"Type\":\"a\",\"RollingUpdate\":{\"MaxUnavailable\":0,"
        "\"MaxSurge\":0}}");
    assert_str_equal(
        yl_bad_struct(&c, case_parse(arena, "{'rules':[{'succeededCount':3},"
                                            "{}]}"),
                      YL_GO(batch_v1, success_policy)).text,
        "{\"Rules\":[{\"SucceededIndexes\":null,\"SucceededCount\":3},"
        "{\"SucceededIndexes\":null,\"SucceededCount\":null}]}");
    yl_arena_free(arena);
}

/* Fields of a schema that are absent, but for some that are short, are cut out
 * of 'text'. */
static const char *
without_absent(struct yl_arena *arena, struct yl_str text)
{
    char *copy = yl_arena_strdup(arena, text), *out = copy, *at = copy;

    while (*at) {
        static const char *const absent[] = { "null,", "false,", "\"\"," };
        char *end = *at == '"' ? strchr(at + 1, '"') : NULL;
        size_t i = end && end[1] == ':' ? 0 : 3;

        for (; i < 3; i++) {
            if (!strncmp(end + 2, absent[i], strlen(absent[i]))) {
                at = end + 2 + strlen(absent[i]);
                break;
            }
        }
        if (i == 3) {
            *out++ = *at++;
        }
    }
    *out = '\0';
    return copy;
}

TEST(schemas_are_shown_with_what_is_in_them)
{
    static const struct {
        const char *json, *text;
    } rows[] = {
        { "{'type':'object','properties':{'b':{},'a':{'type':'string'}}}",
          "{\"Type\":\"object\",\"Properties\":{\"a\":{\"Type\":\"string\","
          "\"XValidations\":null},\"b\":{\"XValidations\":null}},"
          "\"XValidations\":null}" },
        { "{'items':{'type':'x'},'additionalProperties':{'type':'y'},"
          "'additionalItems':false}",
          "{\"Items\":{\"Schema\":{\"Type\":\"x\",\"XValidations\":null},"
          "\"JSONSchemas\":null},\"AdditionalProperties\":{\"Allows\":true,"
          "\"Schema\":{\"Type\":\"y\",\"XValidations\":null}},"
          "\"AdditionalItems\":{\"Schema\":null},\"XValidations\":null}" },
        { "{'items':[{'type':'x'}],'dependencies':{'b':['c'],'a':{}}}",
          "{\"Items\":{\"JSONSchemas\":[{\"Type\":\"x\","
          "\"XValidations\":null}]},\"Dependencies\":{\"a\":{\"Schema\":"
          "{\"XValidations\":null},\"Property\":null},\"b\":{"
          "\"Property\":[\"c\"]}},\"XValidations\":null}" },
        { "{'not':{'enum':[1,'x']},'default':{'b':1,'a':2}}",
          "{\"Default\":{\"a\":2,\"b\":1},\"Not\":{\"Enum\":[1,\"x\"],"
          "\"XValidations\":null},\"XValidations\":null}" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    bool good = true;
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct yl_bad_value shown = yl_bad_struct(
            &c, case_parse(arena, rows[i].json),
            YL_GO(apiextensions_v1, json_schema_props));

        good &= whole_check(__FILE__, __LINE__, i, rows[i].json,
                            without_absent(arena, shown.text), rows[i].text);
    }
    yl_arena_free(arena);
    assert_true(good);
}

TEST(what_has_gos_names_gets_those_of_json_back)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_go_type type = YL_GO(batch_v1, success_policy);
    struct yl_node *node = case_parse(
        arena, "{'rules':[{'succeededIndexes':'1-3'},{}]}");
    struct yl_str text = yl_go_text(arena, node, type);
    struct yl_node *back, *again;

    assert_str_equal(text, "{\"Rules\":[{\"SucceededIndexes\":\"1-3\","
                           "\"SucceededCount\":null},{"
                           "\"SucceededIndexes\":null,"
                           "\"SucceededCount\":null}]}");
    assert_int_equal(yl_tree_parse(arena, text, NULL, &back, NULL), 0);
    again = yl_go_to_json(arena, back, type);
    assert_true(yl_node_equal(again, node));
    back = case_parse(arena, "{'Rules':7,'rules':[],'Other':1}");
    again = yl_go_to_json(arena, back, type);
    assert_true(yl_node_equal(again, case_parse(arena, "{'rules':7}")));
    assert_int_equal(yl_go_to_json(arena, NULL, type)->n, 0);
    yl_arena_free(arena);
}

TEST(what_is_embedded_can_be_shown_alone)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_node *spec = case_parse(arena, "{'capacity':{'storage':'1'},"
                                             "'local':{'path':'p'}}");
    char *text = yl_arena_strdup(arena, yl_bad_struct(
        &c, spec, YL_GO_EMBEDDED(core_v1, persistent_volume_spec)).text);

    assert_true(yl_str_starts_with(
        yl_str_c(text), YL_STR("{\"GCEPersistentDisk\":null,")));
    assert_non_null(strstr(text, "\"Local\":{\"Path\":\"p\","
                                 "\"FSType\":null}"));
    assert_null(strstr(text, "Capacity"));
    yl_arena_free(arena);
}

TEST(a_pod_spec_has_its_host_fields_in_the_security_context)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, NULL };
    struct yl_str text = yl_bad_struct(
        &c, case_parse(arena, "{'hostPID':true,'hostUsers':false,"
                              "'securityContext':{'runAsUser':1}}"),
        YL_GO(core_v1, pod_spec)).text;

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
        YL_GO(core_v1, pod_template_spec)).text;

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

    assert_str_equal(
        yl_bad_struct(&c, selector, YL_GO(meta_v1, label_selector)).text,
        "{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":"
        "[{\"key\":\"k\",\"operator\":\"In\"}]}");
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
        arena, yl_bad_slice(&c, list, YL_GO(core_v1, volume)).text);

    assert_non_null(strstr(text, "[{\"Name\":\"v\",\"HostPath\":null,"));
    assert_non_null(strstr(text, "\"ResourceFieldRef\":{\"ContainerName\":"
                                 "\"\",\"Resource\":\"limits.cpu\","
                                 "\"Divisor\":\"0\"}"));
    assert_int_equal(yl_bad_slice(&c, NULL, YL_GO(core_v1, volume)).kind,
                     YL_BAD_NODE);
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
                     YL_GO(core_v1, local_object_reference), "no");
    assert_string_equal(err.causes[0].message,
                        "Forbidden: no\n@@ -1,3 +1,3 @@\n {\n"
                        "- \"Name\": \"a\"\n+ \"Name\": \"b\"\n }\n");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(duplicates_can_say_why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_check c = { arena, &err };
    struct yl_at root = yl_at_root(NULL);
    struct yl_at at = yl_at(&root, "x");

    yl_field_duplicate_because(&c, &at, yl_bad_int(1), "twice");
    yl_field_not_found_because(&c, &at, yl_bad_int(2), "nowhere");
    assert_int_equal(err.code, YL_EINVALID);
    assert_string_equal(err.causes[0].message, "Duplicate value: 1: twice");
    assert_string_equal(err.causes[1].message, "Not found: 2: nowhere");
    assert_string_equal(err.causes[1].reason, "FieldValueNotFound");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
