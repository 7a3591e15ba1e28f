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
          "\"Selector\":{\"matchLabels\":{\"a\":\"b\"},"
          "\"matchExpressions\":[{\"key\":\"k\",\"operator\":\"Exists\"}]},"
        },
        { "{'spec':{'minAvailable':-1}}",
          "spec.minAvailable: Invalid value: -1: must be greater than or "
          "equal to 0\n" },
        { "{'spec':{'maxUnavailable':'101%'}}",
          "spec.maxUnavailable: Invalid value: \"101%\": must not be "
          "greater than 100%\n" },
        { "{'spec':{'maxUnavailable':'x'}}",
          "spec.maxUnavailable: Invalid value: \"x\": a valid percent "
          "string must be a numeric string followed by an ending '%'" },
        { "{'spec':{'selector':{'matchLabels':{'a b':'c'}}}}",
          "spec.selector.matchLabels: Invalid value: \"a b\": name part "
          "must consist of alphanumeric characters, '-', '_' or '.', and "
          "must start and end with an alphanumeric character" },
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
          "status.conditions[0].type: Invalid value: \"\": name part must "
          "be non-empty\n"
          "status.conditions[0].type: Invalid value: \"\": name part must "
          "consist of alphanumeric characters, '-', '_' or '.', and must "
          "start and end with an alphanumeric character" },
    };

    CASE_RUN_STATUS("PodDisruptionBudget", cases);
}
