/* Tests of PriorityClass and RuntimeClass. */

#include "builtin_case.h"

TEST(priorities_preempt)
{
    CASE_DEFAULT("PriorityClass", "{'value':1}",
                 "{'preemptionPolicy':'PreemptLowerPriority','value':1}");
}

TEST(priorities_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'value':1000000000}", "" },
        { "{'value':1000000001}",
          "value: Forbidden: maximum allowed value of a user defined "
          "priority is 1000000000\n" },
        { "{'metadata':{'name':'system-x'},'value':1}",
          "metadata.name: Forbidden: priority class names with 'system-' "
          "prefix are reserved for system use only. error: system-x is not "
          "a known system priority class\n" },
        { "{'metadata':{'name':'system-node-critical'},"
          "'value':2000001000}",
          "" },
        { "{'metadata':{'name':'system-node-critical'},'value':1}",
          "metadata.name: Forbidden: priority class names with 'system-' "
          "prefix are reserved for system use only. error: value of "
          "system-node-critical PriorityClass must be 2000001000\n" },
        { "{'metadata':{'name':'system-cluster-critical'},"
          "'value':2000000000,'globalDefault':true}",
          "metadata.name: Forbidden: priority class names with 'system-' "
          "prefix are reserved for system use only. error: globalDefault of "
          "system-cluster-critical PriorityClass must be false\n" },
        { "{'preemptionPolicy':''}", "preemptionPolicy: Required value\n" },
        { "{'preemptionPolicy':'X'}",
          "preemptionPolicy: Unsupported value: \"X\": supported values: "
          "\"PreemptLowerPriority\", \"Never\"\n" },
        { "{'preemptionPolicy':'Never'}", "" },
    };

    CASE_RUN("PriorityClass", cases);
}

TEST(priorities_keep_their_value)
{
    static const struct builtin_update cases[] = {
        { "{'value':1}",
          "{'value':1,'description':'x','globalDefault':true}",
          "" },
        { "{'value':1}",
          "{'value':2,'preemptionPolicy':'Never'}",
          "value: Forbidden: may not be changed in an update.\n"
          "preemptionPolicy: Invalid value: \"Never\": field is immutable\n"
          "" },
    };

    CASE_RUN_UPDATES("PriorityClass", cases);
}

TEST(overhead_is_rounded_up)
{
    CASE_DEFAULT("RuntimeClass", "{'overhead':{'podFixed':{'cpu':'0.0005'}}}",
                 "{'overhead':{'podFixed':{'cpu':'1m'}}}");
}

TEST(runtimes_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'handler':'a','overhead':{'podFixed':{'cpu':'1'}},"
          "'scheduling':{'nodeSelector':{'a':'b'},'tolerations':[{'key':'a',"
          "'operator':'Exists'}]}}",
          "" },
        { "{}", "handler: Required value\n" },
        { "{'handler':'A'}",
          "handler: Invalid value: \"A\": " CASE_LABEL "\n" },
        { "{'handler':'a','overhead':{'podFixed':{'cpu':'-1'}}}",
          "overhead.limits[cpu]: Invalid value: \"-1\": must be greater "
          "than or equal to 0\n" },
        { "{'handler':'a','scheduling':{'nodeSelector':{'a b':'c'}}}",
          "scheduling.nodeSelector: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { "{'handler':'a','scheduling':{'tolerations':[{'key':'a',"
          "'operator':'Exists','value':'x'}]}}",
          "scheduling.tolerations[0].operator: Invalid value: \"x\": value "
          "must be empty when `operator` is 'Exists'\n" },
        { "{'handler':'a','scheduling':{'tolerations':[{'key':'a'},"
          "{'key':'a'}]}}",
          "scheduling.tolerations[1]: Duplicate value: "
          "{\"Key\":\"a\",\"Operator\":\"\",\"Value\":\"\",\"Effect\":\"\","
          "\"TolerationSeconds\":null}\n" },
    };

    CASE_RUN("RuntimeClass", cases);
}

TEST(runtimes_keep_their_handler)
{
    static const struct builtin_update cases[] = {
        { "{'handler':'a'}",
          "{'handler':'a','scheduling':{'nodeSelector':{'a':'b'}}}",
          "" },
        { "{'handler':'a'}",
          "{'handler':'b'}",
          "handler: Invalid value: \"b\": field is immutable\n" },
    };

    CASE_RUN_UPDATES("RuntimeClass", cases);
}
