/* Tests of PodDisruptionBudget. */

#include "builtin_case.h"

TEST(budgets_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}},"
          "'unhealthyPodEvictionPolicy':'AlwaysAllow'}}",
          "" },
        { "{'spec':{'minAvailable':1,'maxUnavailable':'10%'}}",
          "spec: Invalid value: {\"MinAvailable\":1,\"Selector\":null,"
          "\"MaxUnavailable\":\"10%\",\"UnhealthyPodEvictionPolicy\":null}: "
          "minAvailable and maxUnavailable cannot be both set\n" },
        { "{'spec':{'minAvailable':1,'maxUnavailable':1,'selector':{"
          "'matchExpressions':[{'key':'k','operator':'Exists'}],"
          "'matchLabels':{'a':'b'}}}}",
          "spec: Invalid value: {\"MinAvailable\":1,\"Selector\":{"
          "\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{"
          "\"key\":\"k\",\"operator\":\"Exists\"}]},\"MaxUnavailable\":1,"
          "\"UnhealthyPodEvictionPolicy\":null}: minAvailable and "
          "maxUnavailable cannot be both set\n"
        },
        { "{'spec':{'minAvailable':-1}}",
          "spec.minAvailable: Invalid value: -1: must be greater than or "
          "equal to 0\n" },
        { "{'spec':{'maxUnavailable':'101%'}}",
          "spec.maxUnavailable: Invalid value: \"101%\": must not be "
          "greater than 100%\n" },
        { "{'spec':{'maxUnavailable':'x'}}",
          "spec.maxUnavailable: Invalid value: \"x\": a valid percent string "
          "must be a numeric string followed by an ending '%' (e.g. '1%',  "
          "or '93%', regex used for validation is '[0-9]+%')\n" },
        { "{'spec':{'selector':{'matchLabels':{'a b':'c'}}}}",
          "spec.selector.matchLabels: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { "{'spec':{'unhealthyPodEvictionPolicy':'X'}}",
          "spec.unhealthyPodEvictionPolicy: Unsupported value: \"X\": "
          "supported values: \"AlwaysAllow\", \"IfHealthyBudget\"\n" },
    };

    CASE_RUN("PodDisruptionBudget", cases);
}

TEST(budgets_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'minAvailable':1}}",
          "{'spec':{'minAvailable':-2}}",
          "spec.minAvailable: Invalid value: -2: must be greater than or "
          "equal to 0\n" },
        { "{'spec':{'minAvailable':1}}", "{'spec':{'maxUnavailable':2}}", "" },
    };

    CASE_RUN_UPDATES("PodDisruptionBudget", cases);
}

TEST(counts_are_not_negative)
{
    static const struct builtin_update cases[] = {
        { "{}", "{'status':{'disruptionsAllowed':1}}", "" },
        { "{}",
          "{'status':{'disruptionsAllowed':-1,'currentHealthy':-1,"
          "'desiredHealthy':-1,'expectedPods':-1,'conditions':[{}]}}",
          "status.conditions[0].type: Invalid value: \"\": name part must be "
          "non-empty\n"
          "status.conditions[0].type: Invalid value: \"\": "
          CASE_NAME_PART "\n"
          "status.conditions[0].status: Unsupported value: \"\": supported "
          "values: \"False\", \"True\", \"Unknown\"\n"
          "status.conditions[0].lastTransitionTime: Required value\n"
          "status.conditions[0].reason: Required value\n"
          "status.disruptionsAllowed: Invalid value: -1: must be greater "
          "than or equal to 0\n"
          "status.currentHealthy: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.desiredHealthy: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.expectedPods: Invalid value: -1: must be greater than or "
          "equal to 0\n" },
    };

    CASE_RUN_STATUS("PodDisruptionBudget", cases);
}

TEST(values_of_selectors_are_counted)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'selector':{'matchExpressions':[{'key':'a','operator':"
          "'In'},{'key':'a','operator':'NotIn'},{'key':'a','operator':"
          "'Exists','values':['x']},{'key':'a','operator':'DoesNotExist',"
          "'values':['x']},{'key':'a b','operator':'X'}]}}}",
          "spec.selector.matchExpressions[0].values: Required value: must be "
          "specified when `operator` is 'In' or 'NotIn'\n"
          "spec.selector.matchExpressions[1].values: Required value: must be "
          "specified when `operator` is 'In' or 'NotIn'\n"
          "spec.selector.matchExpressions[2].values: Forbidden: may not be "
          "specified when `operator` is 'Exists' or 'DoesNotExist'\n"
          "spec.selector.matchExpressions[3].values: Forbidden: may not be "
          "specified when `operator` is 'Exists' or 'DoesNotExist'\n"
          "spec.selector.matchExpressions[4].operator: Invalid value: \"X\": "
          "not a valid selector operator\n"
          "spec.selector.matchExpressions[4].key: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
    };

    CASE_RUN("PodDisruptionBudget", cases);
}
