/* Tests of the configurations of webhooks. */

#include "builtin_case.h"

#define HOOK(MORE)                                                            \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"          \
    "'sideEffects':'None','clientConfig':{'url':'https://h/p'}" MORE "}]}"

TEST(webhooks_get_defaults)
{
    CASE_DEFAULT("MutatingWebhookConfiguration", HOOK(",'rules':[{}]"),
                 "{'webhooks':[{'admissionReviewVersions':['v1'],"
                 "'clientConfig':{'url':'https://h/p'},"
                 "'failurePolicy':'Fail','matchPolicy':'Equivalent',"
                 "'name':'a.b.c','namespaceSelector':{},'objectSelector':{},"
                 "'reinvocationPolicy':'Never','rules':[{'scope':'*'}],"
                 "'sideEffects':'None','timeoutSeconds':10}]}");
}

TEST(webhooks_are_reached_on_443)
{
    CASE_DEFAULT("ValidatingWebhookConfiguration",
                 "{'webhooks':[{'clientConfig':{'service':{'name':'a'}}}"
                 "]}",
                 "{'webhooks':[{'clientConfig':{'service':{'name':'a',"
                 "'port':443}},'failurePolicy':'Fail',"
                 "'matchPolicy':'Equivalent','namespaceSelector':{},"
                 "'objectSelector':{},'timeoutSeconds':10}]}");
}

TEST(webhooks_are_checked)
{
    static const struct builtin_case cases[] = {
        { HOOK(""), "" },
        { "{'webhooks':[{}]}",
          "webhooks[0].name: Required value\n"
          "webhooks[0].sideEffects: Required value: must specify one of "
          "None, NoneOnDryRun\n"
          "webhooks[0].clientConfig: Required value: exactly one of url or "
          "service is required\n"
          "webhooks[0].admissionReviewVersions: Required value: must "
          "specify one of v1, v1beta1\n" },
        { "{'webhooks':[{'name':'a','admissionReviewVersions':['v2'],"
          "'sideEffects':'Some','clientConfig':{'url':'http://h',"
          "'service':{'name':'a','namespace':'b'}},'failurePolicy':'X',"
          "'matchPolicy':'X','timeoutSeconds':31}]}",
          "webhooks[0].name: Invalid value: \"a\": should be a domain with "
          "at least three segments separated by dots\n"
          "webhooks[0].failurePolicy: Unsupported value: \"X\": supported "
          "values: \"Fail\", \"Ignore\"\n"
          "webhooks[0].matchPolicy: Unsupported value: \"X\": supported "
          "values: \"Equivalent\", \"Exact\"\n"
          "webhooks[0].sideEffects: Unsupported value: \"Some\": supported "
          "values: \"None\", \"NoneOnDryRun\"\n"
          "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value "
          "must be between 1 and 30 seconds\n"
          "webhooks[0].clientConfig: Required value: exactly one of url or "
          "service is required\n"
          "webhooks[0].admissionReviewVersions: Invalid value: [\"v2\"]: "
          "must include at least one of v1, v1beta1\n" },
        { HOOK(",'timeoutSeconds':0,'namespaceSelector':{'matchLabels':{'a "
               "b':'c'}},'objectSelector':{'matchExpressions':[{'key':'a',"
               "'operator':'X'}]}"),
          "webhooks[0].timeoutSeconds: Invalid value: 0: the timeout value "
          "must be between 1 and 30 seconds\n"
          "webhooks[0].namespaceSelector.matchLabels: Invalid value: \"a "
          "b\": " CASE_NAME_PART "\n"
          "webhooks[0].objectSelector.matchExpressions[0].operator: Invalid "
          "value: \"X\": not a valid selector operator\n" },
        { HOOK("},{'name':'a.b.c','admissionReviewVersions':['v1'],"
               "'sideEffects':'None','clientConfig':{'url':'https://h'}"),
          "webhooks[1].name: Duplicate value: \"a.b.c\"\n" },
        { HOOK(",'matchConditions':[{'name':'a'}]"),
          "webhooks[0].matchConditions[0].expression: Required value\n" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}

TEST(mutating_webhooks_are_checked)
{
    static const struct builtin_case cases[] = {
        { HOOK(",'reinvocationPolicy':'X'"),
          "webhooks[0].reinvocationPolicy: Unsupported value: \"X\": "
          "supported values: \"IfNeeded\", \"Never\"\n" },
    };

    CASE_RUN("MutatingWebhookConfiguration", cases);
}

TEST(webhooks_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { HOOK(""),
          HOOK(",'timeoutSeconds':99"),
          "webhooks[0].timeoutSeconds: Invalid value: 99: the timeout value "
          "must be between 1 and 30 seconds\n" },
    };

    CASE_RUN_UPDATES("ValidatingWebhookConfiguration", cases);
}

TEST(mutating_webhooks_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { HOOK(""),
          HOOK(",'timeoutSeconds':99"),
          "webhooks[0].timeoutSeconds: Invalid value: 99: the timeout value "
          "must be between 1 and 30 seconds\n" },
    };

    CASE_RUN_UPDATES("MutatingWebhookConfiguration", cases);
}
