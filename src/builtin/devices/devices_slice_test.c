/* Tests of ResourceSlices. */

#include "builtin_case.h"

TEST(slices_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{}",
          "spec.driver: Required value\n"
          "spec.pool.name: Required value\n"
          "spec.pool.resourceSliceCount: Invalid value: 0: must be "
          "greater than zero\n"
          "spec: Required value: exactly one of `nodeName`, "
          "`nodeSelector`, `allNodes`, `perDeviceNodeSelection` is "
          "required\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n',"
          "'devices':[{'name':'d'}]}}",
          "" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d'},"
          "{'name':'d'}]}}",
          "spec.devices[1]: Duplicate value: \"d\"\n" },
        { "{'spec':{'driver':'d','pool':{'name':'a//B_',"
          "'resourceSliceCount':-1,'generation':-1},'allNodes':false,"
          "'nodeName':'','perDeviceNodeSelection':false}}",
          "spec.pool.name: Invalid value: \"\": a lowercase RFC 1123 "
          "subdomain must consist of lower case alphanumeric characters, "
          "'-' or '.', and must start and end with an alphanumeric "
          "character (e.g. 'example.com', regex used for validation is "
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?"
          ")*')\n"
          "spec.pool.name: Invalid value: \"B_\": a lowercase RFC 1123 "
          "subdomain must consist of lower case alphanumeric characters, "
          "'-' or '.', and must start and end with an alphanumeric "
          "character (e.g. 'example.com', regex used for validation is "
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?"
          ")*')\n"
          "spec.pool.resourceSliceCount: Invalid value: -1: must be "
          "greater than zero\n"
          "spec.pool.generation: Invalid value: -1: must be greater than "
          "or equal to zero\n"
          "spec.nodeName: Invalid value: \"\": must be either unset or "
          "set to a non-empty string\n"
          "spec.allNodes: Invalid value: false: must be either unset or "
          "set to true\n"
          "spec.perDeviceNodeSelection: Invalid value: false: must be "
          "either unset or set to true\n"
          "spec: Required value: exactly one of `nodeName`, "
          "`nodeSelector`, `allNodes`, `perDeviceNodeSelection` is "
          "required\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','allNodes':true,"
          "'devices':[],'sharedCounters':[]}}",
          "spec: Invalid value: \"{`nodeName`, `allNodes`}\": exactly one "
          "of `nodeName`, `nodeSelector`, `allNodes`, "
          "`perDeviceNodeSelection` is required, but multiple fields are "
          "set\n"
          "spec: Invalid value: \"\": only one of `sharedCounters` or "
          "`devices` is allowed\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},"
          "'nodeSelector':{'nodeSelectorTerms':[{},{}]}}}",
          "spec.nodeSelector.nodeSelectorTerms: Invalid value: "
          "[{\"MatchExpressions\":null,\"MatchFields\":null},"
          "{\"MatchExpressions\":null,\"MatchFields\":null}]: must have "
          "exactly one node selector term\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'perDeviceNodeSelection':true,"
          "'devices':[{'name':'d'},{'name':'e','nodeName':'',"
          "'allNodes':false},{'name':'f','nodeName':'n',"
          "'allNodes':true}]}}",
          "spec.devices[0]: Required value: exactly one of `nodeName`, "
          "`nodeSelector`, or `allNodes` is required when "
          "`perDeviceNodeSelection` is set to true in the ResourceSlice "
          "spec\n"
          "spec.devices[1].nodeName: Invalid value: \"\": must not be "
          "empty\n"
          "spec.devices[1].allNodes: Invalid value: false: must be either "
          "unset or set to true\n"
          "spec.devices[1]: Required value: exactly one of `nodeName`, "
          "`nodeSelector`, or `allNodes` is required when "
          "`perDeviceNodeSelection` is set to true in the ResourceSlice "
          "spec\n"
          "spec.devices[2]: Invalid value: \"{`nodeName`, `allNodes`}\": "
          "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is "
          "required when `perDeviceNodeSelection` is set to true in the "
          "ResourceSlice spec\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'nodeName':'x'}]}}",
          "spec.devices[0]: Invalid value: null: `nodeName`, "
          "`nodeSelector` and `allNodes` can only be set if "
          "`perDeviceNodeSelection` is set to true in the ResourceSlice "
          "spec\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a':{}}}]}}",
          "spec.devices[0].attributes[a]: Invalid value: \"\": exactly "
          "one value must be specified\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a b':{'int':1}}}]}}",
          "spec.devices[0].attributes: Invalid value: \"a b\": a valid C "
          "identifier must start with alphabetic character or '_', "
          "followed by a string of alphanumeric characters or '_' (e.g. "
          "'my_name',  or 'MY_NAME',  or 'MyName', regex used for "
          "validation is '[A-Za-z_][A-Za-z0-9_]*')\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'A_/a':{'int':1}}}]}}",
          "spec.devices[0].attributes: Invalid value: \"A_\": a lowercase "
          "RFC 1123 subdomain must consist of lower case alphanumeric "
          "characters, '-' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'example.com', regex used for "
          "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0"
          "-9]*[a-z0-9])?)*')\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'/':{'int':1}}}]}}",
          "spec.devices[0].attributes: Invalid value: \"\": the domain "
          "must not be empty\n"
          "spec.devices[0].attributes: Invalid value: \"\": the name must "
          "not be empty\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a':{'version':'1.2'}}}]}}",
          "spec.devices[0].attributes[a].version: Invalid value: \"1.2\": "
          "must be a string compatible with semver.org spec 2.0.0\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a':{'version':'1.2.3-0a.1+01'}}}]}}",
          "" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a':{'version':'1.2.3-01'}}}]}}",
          "spec.devices[0].attributes[a].version: Invalid value: "
          "\"1.2.3-01\": must be a string compatible with semver.org spec "
          "2.0.0\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'a':{'string':'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'}}}]}}",
          "spec.devices[0].attributes[a].string: Too long: may not be "
          "more than 64 bytes\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'attributes':{'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx':{'int':1}}}]}"
          "}",
          "spec.devices[0].attributes: Too long: may not be more than 32 "
          "bytes\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'taints':[{'key':'','effect':''},{'key':'k','value':'a "
          "b','effect':'X'}]}]}}",
          "spec.devices[0].taints[0].key: Invalid value: \"\": name part "
          "must be non-empty\n"
          "spec.devices[0].taints[0].key: Invalid value: \"\": name part "
          "must consist of alphanumeric characters, '-', '_' or '.', and "
          "must start and end with an alphanumeric character (e.g. "
          "'MyName',  or 'my.name',  or '123-abc', regex used for "
          "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.devices[0].taints[0].effect: Required value\n"
          "spec.devices[0].taints[1].value: Invalid value: \"a b\": a "
          "valid label must be an empty string or consist of alphanumeric "
          "characters, '-', '_' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
          "'12345', regex used for validation is "
          "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n"
          "spec.devices[0].taints[1].effect: Unsupported value: \"X\": "
          "supported values: \"NoExecute\", \"NoSchedule\", \"None\"\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'consumesCounters':[{},{'counterSet':'A_',"
          "'counters':{'B_':{'value':'1'}}}]}]}}",
          "spec.devices[0].consumesCounters[0].counterSet: Required "
          "value\n"
          "spec.devices[0].consumesCounters[0].counters: Required value\n"
          "spec.devices[0].consumesCounters[1].counterSet: Invalid value: "
          "\"A_\": a lowercase RFC 1123 label must consist of lower case "
          "alphanumeric characters or '-', and must start and end with an "
          "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.devices[0].consumesCounters[1].counters: Invalid value: "
          "\"B_\": a lowercase RFC 1123 label must consist of lower case "
          "alphanumeric characters or '-', and must start and end with an "
          "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n',"
          "'sharedCounters':[{'name':'s','counters':{'c':{'value':'1'}}},"
          "{'name':'s','counters':{}}]}}",
          "spec.sharedCounters[1].counters: Required value\n"
          "spec.sharedCounters[1]: Duplicate value: \"s\"\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'bindingConditions':['a','a','b'],"
          "'bindingFailureConditions':['b','c d']}]}}",
          "spec.devices[0].bindingFailureConditions[1]: Invalid value: "
          "\"c d\": name part must consist of alphanumeric characters, "
          "'-', '_' or '.', and must start and end with an alphanumeric "
          "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex "
          "used for validation is "
          "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.devices[0].bindingConditions[1]: Duplicate value: \"a\"\n"
          "spec.devices[0].bindingFailureConditions[0]: Invalid value: "
          "\"b\": bindingFailureConditions must not overlap with "
          "bindingConditions\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'bindingConditions':['a']}]}}",
          "spec.devices[0].bindingFailureConditions: Invalid value: null: "
          "bindingFailureConditions are required to use "
          "bindingConditions\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'bindingFailureConditions':['a']}]}}",
          "spec.devices[0].bindingConditions: Invalid value: null: "
          "bindingConditions are required to use "
          "bindingFailureConditions\n" },
    };

    CASE_RUN("ResourceSlice", cases);
}

TEST(slices_stay_where_they_are)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n',"
          "'devices':[{'name':'d'}]}}",
          "{'spec':{'driver':'e','pool':{'name':'q',"
          "'resourceSliceCount':1},'nodeName':'m'}}",
          "spec.pool.name: Invalid value: \"q\": field is immutable\n"
          "spec.driver: Invalid value: \"e\": field is immutable\n"
          "spec.nodeName: Invalid value: \"m\": field is immutable\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'taints':[{'key':'k','effect':'NoExecute',"
          "'timeAdded':'2020-01-01T00:00:00Z'}]}]}}",
          "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'taints':[{'key':'k','effect':'NoExecute',"
          "'timeAdded':'2020-01-01T00:00:00Z'}]}]}}",
          "" },
    };

    CASE_RUN_UPDATES("ResourceSlice", cases);
}

TEST(taints_get_a_time)
{
    CASE_DEFAULT("ResourceSlice",
                 "{'spec':{'devices':[{'taints':[{'key':'k'}]}]}}",
                 "{'spec':{'devices':[{'taints':[{'key':'k',"
                 "'timeAdded':'20" ANY_TEXT "Z'}]}]}}");
}

TEST(what_is_not_served_goes)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *slice = case_parse(
        arena, "{'spec':{'devices':[{'attributes':{'a':{'ints':[1]}},"
               "'nodeAllocatableResourceMappings':{'cpu':{}}}]}}");

    yl_builtin_prepare(case_kind("ResourceSlice"), arena, slice);
    CASE_IS(slice,
            "{'metadata':{'generation':1},'spec':{'devices':[{'attributes':{"
            "'a':{}}}]}}");
    yl_arena_free(arena);
}
