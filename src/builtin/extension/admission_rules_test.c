/* Tests of rules of admission, by those of webhooks. */

#include "builtin_case.h"

#define RULE(MORE)                                                            \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"          \
    "'sideEffects':'None','clientConfig':{'url':'https://h'},'rules':[{"      \
    MORE "}]}]}"

#define CONDITIONS(MORE)                                                      \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"          \
    "'sideEffects':'None','clientConfig':{'url':'https://h'},"                \
    "'matchConditions':[" MORE "]}]}"

TEST(rules_are_checked)
{
    static const struct builtin_case cases[] = {
        { RULE("'operations':['CREATE'],'apiGroups':[''],"
               "'apiVersions':['v1'],'resources':['pods','pods/*']"),
          "" },
        { RULE(""),
          "webhooks[0].rules[0].operations: Required value\n"
          "webhooks[0].rules[0].apiGroups: Required value\n"
          "webhooks[0].rules[0].apiVersions: Required value\n"
          "webhooks[0].rules[0].resources: Required value\n" },
        { RULE("'operations':['*','CREATE'],'apiGroups':['*','a'],"
               "'apiVersions':['*',''],'resources':['','*/*','a'],"
               "'scope':'X'"),
          "webhooks[0].rules[0].operations: Invalid value: "
          "[\"*\",\"CREATE\"]: if '*' is present, must not specify other "
          "operations\n"
          "webhooks[0].rules[0].apiGroups: Invalid value: [\"*\",\"a\"]: if "
          "'*' is present, must not specify other API groups\n"
          "webhooks[0].rules[0].apiVersions: Invalid value: [\"*\",\"\"]: "
          "if '*' is present, must not specify other API versions\n"
          "webhooks[0].rules[0].apiVersions[1]: Required value\n"
          "webhooks[0].rules[0].resources[0]: Required value\n"
          "webhooks[0].rules[0].resources: Invalid value: "
          "[\"\",\"*/*\",\"a\"]: if '*/*' is present, must not specify "
          "other resources\n"
          "webhooks[0].rules[0].scope: Unsupported value: \"X\": supported "
          "values: \"*\", \"Cluster\", \"Namespaced\"\n" },
        { RULE("'operations':['X'],'apiGroups':['*'],'apiVersions':['*'],"
               "'resources':['a/*','a/b','*/c','b/c','*','d']"),
          "webhooks[0].rules[0].operations[0]: Unsupported value: \"X\": "
          "supported values: \"*\", \"CONNECT\", \"CREATE\", \"DELETE\", "
          "\"UPDATE\"\n"
          "webhooks[0].rules[0].resources[1]: Invalid value: \"a/b\": if "
          "'a/*' is present, must not specify a/b\n"
          "webhooks[0].rules[0].resources[3]: Invalid value: \"b/c\": if "
          "'*/c' is present, must not specify b/c\n"
          "webhooks[0].rules[0].resources: Invalid value: "
          "[\"a/*\",\"a/b\",\"*/c\",\"b/c\",\"*\",\"d\"]: if '*' is "
          "present, must not specify other resources without subresources\n"
          "" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}

TEST(conditions_are_checked)
{
    static const struct builtin_case cases[] = {
        { CONDITIONS("{'name':'a','expression':'true'},{'name':'a',"
                     "'expression':'true'},{'name':'a b','expression':' "
                     "'},{'expression':'true'}"),
          "webhooks[0].matchConditions[1].name: Duplicate value: \"a\"\n"
          "webhooks[0].matchConditions[2].expression: Required value\n"
          "webhooks[0].matchConditions[2].name: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "webhooks[0].matchConditions[3].name: Required value\n" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}

TEST(conditions_are_few)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf list;
    int i;

    yl_buf_init(&list, SIZE_MAX);
    for (i = 0; i < 65; i++) {
        yl_buf_printf(&list, "%s{'name':'n%d','expression':'true'}",
                      i ? "," : "", i);
    }
    assert_string_equal(
        case_causes(arena, "ValidatingWebhookConfiguration", yl_arena_printf(
            arena, CONDITIONS("%s"), yl_buf_c_str(&list))),
        "webhooks[0].matchConditions: Too many: 65: must have at most 64 "
        "items\n");
    yl_buf_release(&list);
    yl_arena_free(arena);
}
