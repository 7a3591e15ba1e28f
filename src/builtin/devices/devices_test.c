/* Tests of the kinds of resource.k8s.io. */

#include "builtin_case.h"

#define CLAIM(CLASS, STATUS)                                                  \
    "{'spec':{'devices':{'requests':[{'name':'r','exactly':"                  \
    "{'deviceClassName':'" CLASS "'}}]}},'status':{" STATUS "}}"
#define ALLOCATED(DEVICE)                                                     \
    "'allocation':{'devices':{'results':[{'request':'r','driver':'d',"        \
    "'pool':'p','device':'" DEVICE "'}]}}"

TEST(a_request_is_for_one_device)
{
    CASE_DEFAULT("ResourceClaim", CLAIM("a", ""),
                 "{'spec':{'devices':{'requests':[{'exactly':{"
                 "'allocationMode':'ExactCount','count':1,"
                 "'deviceClassName':'a'},'name':'r'}]}},'status':{}}");
}

TEST(the_spec_of_a_claim_stays)
{
    static const struct builtin_update cases[] = {
        { CLAIM("a", ""), CLAIM("a", ""), "" },
        { CLAIM("a", ""), CLAIM("b", ""),
          "spec: Invalid value: {\"Devices\":{\"Requests\":[{\"Name\":\"r\","
          "\"Exactly\":{\"DeviceClassName\":\"b\",\"Selectors\":null,"
          "\"AllocationMode\":\"ExactCount\",\"Count\":1,"
          "\"AdminAccess\":null,\"Tolerations\":null,\"Capacity\":null},"
          "\"FirstAvailable\":null}],\"Constraints\":null,\"Config\":null}}: "
          "field is immutable\n" },
    };

    CASE_RUN_UPDATES("ResourceClaim", cases);
}

TEST(an_allocation_comes_and_goes_but_does_not_change)
{
    static const struct builtin_update cases[] = {
        { CLAIM("a", ""), CLAIM("a", ALLOCATED("d1")), "" },
        { CLAIM("a", ALLOCATED("d1")), CLAIM("a", ""), "" },
        { CLAIM("a", ALLOCATED("d1")), CLAIM("a", ALLOCATED("d2")),
          "status.allocation: Invalid value: {\"Devices\":{\"Results\":[{"
          "\"Request\":\"r\",\"Driver\":\"d\",\"Pool\":\"p\","
          "\"Device\":\"d2\",\"AdminAccess\":null,\"Tolerations\":null,"
          "\"BindingConditions\":null,\"BindingFailureConditions\":null,"
          "\"ShareID\":null,\"ConsumedCapacity\":null}],\"Config\":null},"
          "\"NodeSelector\":null,\"AllocationTimestamp\":null}: field is "
          "immutable\n" },
    };

    CASE_RUN_STATUS("ResourceClaim", cases);
}

TEST(claims_ask_for_one_device)
{
    CASE_DEFAULT("ResourceClaim",
                 "{'spec':{'devices':{'requests':[{'exactly':{}},"
                 "{'firstAvailable':[{'allocationMode':'All'},"
                 "{'count':2}]}]}}}",
                 "{'spec':{'devices':{'requests':[{'exactly':{"
                 "'allocationMode':'ExactCount','count':1}},{"
                 "'firstAvailable':[{'allocationMode':'All'},{"
                 "'allocationMode':'ExactCount','count':2}]}]}}}");
}

TEST(templates_ask_for_one_device)
{
    CASE_DEFAULT("ResourceClaimTemplate",
                 "{'spec':{'spec':{'devices':{'requests':[{'exactly':{}}"
                 "]}}}}",
                 "{'spec':{'spec':{'devices':{'requests':[{'exactly':{"
                 "'allocationMode':'ExactCount','count':1}}]}}}}");
}

TEST(claims_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "" },
        { "{}",
          "" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':''}}]}}}",
          "spec.devices.requests[0].exactly.deviceClassName: Required "
          "value\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'A_b'}}]}}}",
          "spec.devices.requests[0].exactly.deviceClassName: Invalid "
          "value: \"A_b\": a lowercase RFC 1123 subdomain must consist of "
          "lower case alphanumeric characters, '-' or '.', and must start "
          "and end with an alphanumeric character (e.g. 'example.com', "
          "regex used for validation is "
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?"
          ")*')\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','selectors':[{}]}}]}}}",
          "spec.devices.requests[0].exactly.selectors[0].cel: Required "
          "value\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','selectors':[{},{},{},{},{},"
          "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},"
          "{},{},{},{},{},{},{}]}}]}}}",
          "spec.devices.requests[0].exactly.selectors: Too many: 33: must "
          "have at most 32 items\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','allocationMode':'X'}}]}}}",
          "spec.devices.requests[0].exactly.allocationMode: Unsupported "
          "value: \"X\": supported values: \"All\", \"ExactCount\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','allocationMode':'All',"
          "'count':2}}]}}}",
          "spec.devices.requests[0].exactly.count: Invalid value: 2: must "
          "not be specified when allocationMode is 'All'\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','count':-1}}]}}}",
          "spec.devices.requests[0].exactly.count: Invalid value: -1: "
          "must be greater than zero\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r'},{'name':'r',"
          "'exactly':{'deviceClassName':'c'},"
          "'firstAvailable':[{'name':'A','deviceClassName':''}]}]}}}",
          "spec.devices.requests[0]: Required value: exactly one of "
          "`exactly` or `firstAvailable` is required\n"
          "spec.devices.requests[1]: Invalid value: null: exactly one of "
          "`exactly` or `firstAvailable` is required, but multiple fields "
          "are set\n"
          "spec.devices.requests[1]: Duplicate value: \"r\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'},"
          "{'name':'s','deviceClassName':''}]}]}}}",
          "spec.devices.requests[0].firstAvailable[1].deviceClassName: "
          "Required value\n"
          "spec.devices.requests[0].firstAvailable[1]: Duplicate value: "
          "\"s\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c','tolerations':[{'key':'a "
          "b','value':'c d','effect':'X'},{'operator':'Exists','value':'x'"
          "},{'operator':'X'}]}}]}}}",
          "spec.devices.requests[0].exactly.tolerations[0].key: Invalid "
          "value: \"a b\": name part must consist of alphanumeric "
          "characters, '-', '_' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
          "'123-abc', regex used for validation is "
          "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.devices.requests[0].exactly.tolerations[0].value: Invalid "
          "value: \"c d\": a valid label must be an empty string or "
          "consist of alphanumeric characters, '-', '_' or '.', and must "
          "start and end with an alphanumeric character (e.g. 'MyValue',  "
          "or 'my_value',  or '12345', regex used for validation is "
          "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')\n"
          "spec.devices.requests[0].exactly.tolerations[0].effect: "
          "Unsupported value: \"X\": supported values: \"NoExecute\", "
          "\"NoSchedule\", \"None\"\n"
          "spec.devices.requests[0].exactly.tolerations[1].value: Invalid "
          "value: \"x\": must be empty for operator `Exists`\n"
          "spec.devices.requests[0].exactly.tolerations[2].operator: "
          "Unsupported value: \"X\": supported values: \"Equal\", "
          "\"Exists\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}],"
          "'constraints':[{},{'requests':['r','r','x','f/s','a/b/c'],"
          "'matchAttribute':'plain'},{'distinctAttribute':'/x'},"
          "{'matchAttribute':'a/'},{'matchAttribute':'A_/1x'}]}}}",
          "spec.devices.constraints[0]: Required value: exactly one of "
          "\"matchAttribute\" or \"distinctAttribute\" is required, but "
          "multiple fields are set\n"
          "spec.devices.constraints[1].requests[2]: Invalid value: \"x\": "
          "must be the name of a request in the claim or the name of a "
          "request and a subrequest separated by '/'\n"
          "spec.devices.constraints[1].requests[4]: Invalid value: "
          "\"a/b/c\": must be the name of a request in the claim or the "
          "name of a request and a subrequest separated by '/'\n"
          "spec.devices.constraints[1].requests[1]: Duplicate value: "
          "\"r\"\n"
          "spec.devices.constraints[1].matchAttribute: Invalid value: "
          "\"plain\": a fully qualified name must be a domain and a name "
          "separated by a slash\n"
          "spec.devices.constraints[2].distinctAttribute: Invalid value: "
          "\"\": the domain must not be empty\n"
          "spec.devices.constraints[3].matchAttribute: Invalid value: "
          "\"\": the name must not be empty\n"
          "spec.devices.constraints[4].matchAttribute: Invalid value: "
          "\"A_\": a lowercase RFC 1123 subdomain must consist of lower "
          "case alphanumeric characters, '-' or '.', and must start and "
          "end with an alphanumeric character (e.g. 'example.com', regex "
          "used for validation is "
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?"
          ")*')\n"
          "spec.devices.constraints[4].matchAttribute: Invalid value: "
          "\"1x\": a valid C identifier must start with alphabetic "
          "character or '_', followed by a string of alphanumeric "
          "characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or "
          "'MyName', regex used for validation is "
          "'[A-Za-z_][A-Za-z0-9_]*')\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}],"
          "'config':[{},{'requests':['r','f/t'],'opaque':{'driver':'',"
          "'parameters':{}}},{'opaque':{'driver':'A_',"
          "'parameters':null}}]}}}",
          "spec.devices.config[0].opaque: Required value\n"
          "spec.devices.config[1].requests[1]: Invalid value: \"f/t\": "
          "must be the name of a request in the claim or the name of a "
          "request and a subrequest separated by '/'\n"
          "spec.devices.config[1].opaque.driver: Required value\n"
          "spec.devices.config[2].opaque.driver: Invalid value: \"A_\": a "
          "lowercase RFC 1123 subdomain must consist of lower case "
          "alphanumeric characters, '-' or '.', and must start and end "
          "with an alphanumeric character (e.g. 'example.com', regex used "
          "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-"
          "a-z0-9]*[a-z0-9])?)*')\n"
          "spec.devices.config[2].opaque.parameters: Required value\n" },
    };

    CASE_RUN("ResourceClaim", cases);
}

TEST(templates_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'metadata':{'labels':{'a b':'c'},'annotations':{'d "
          "e':'f'}},'spec':{'devices':{'requests':[{'name':''}]}}}}",
          "spec.metadata.annotations: Invalid value: \"d e\": name part "
          "must consist of alphanumeric characters, '-', '_' or '.', and "
          "must start and end with an alphanumeric character (e.g. "
          "'MyName',  or 'my.name',  or '123-abc', regex used for "
          "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.metadata.labels: Invalid value: \"a b\": name part must "
          "consist of alphanumeric characters, '-', '_' or '.', and must "
          "start and end with an alphanumeric character (e.g. 'MyName',  "
          "or 'my.name',  or '123-abc', regex used for validation is "
          "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "spec.spec.devices.requests[0].name: Invalid value: \"\": a "
          "lowercase RFC 1123 label must consist of lower case "
          "alphanumeric characters or '-', and must start and end with an "
          "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
          "spec.spec.devices.requests[0]: Required value: exactly one of "
          "`exactly` or `firstAvailable` is required\n" },
    };

    CASE_RUN("ResourceClaimTemplate", cases);
}

TEST(classes_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'extendedResourceName':'cpu','selectors':[{}],"
          "'config':[{}]}}",
          "spec.selectors[0].cel: Required value\n"
          "spec.config[0].opaque: Required value\n"
          "spec.extendedResourceName: Invalid value: \"cpu\": must be a "
          "valid extended resource name\n" },
        { "{'spec':{'extendedResourceName':'example.com/gpu',"
          "'config':[{'opaque':{'driver':'d.example.com',"
          "'parameters':{'a':1}}}]}}",
          "" },
    };

    CASE_RUN("DeviceClass", cases);
}

TEST(specs_of_claims_stay)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}}]}}}",
          "spec: Invalid value: "
          "{\"Devices\":{\"Requests\":[{\"Name\":\"r\","
          "\"Exactly\":{\"DeviceClassName\":\"c\",\"Selectors\":null,"
          "\"AllocationMode\":\"ExactCount\",\"Count\":1,"
          "\"AdminAccess\":null,\"Tolerations\":null,\"Capacity\":null},"
          "\"FirstAvailable\":null}],\"Constraints\":null,"
          "\"Config\":null}}: field is immutable\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "" },
    };

    CASE_RUN_UPDATES("ResourceClaim", cases);
}

TEST(templates_stay)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'metadata':{'labels':{'a':'b'}},"
          "'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}}]}}}}",
          "{'spec':{'metadata':{'labels':{'a':'c'},"
          "'annotations':{'d':'e'}},"
          "'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}}]}}}}",
          "spec: Invalid value: "
          "{\"labels\":{\"a\":\"c\"},\"annotations\":{\"d\":\"e\"},"
          "\"Spec\":{\"Devices\":{\"Requests\":[{\"Name\":\"r\","
          "\"Exactly\":{\"DeviceClassName\":\"c\",\"Selectors\":null,"
          "\"AllocationMode\":\"ExactCount\",\"Count\":1,"
          "\"AdminAccess\":null,\"Tolerations\":null,\"Capacity\":null},"
          "\"FirstAvailable\":null}],\"Constraints\":null,"
          "\"Config\":null}}}: field is immutable\n" },
    };

    CASE_RUN_UPDATES("ResourceClaimTemplate", cases);
}

TEST(classes_change)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{}}",
          "{'spec':{'config':[{}]}}",
          "spec.config[0].opaque: Required value\n" },
    };

    CASE_RUN_UPDATES("DeviceClass", cases);
}
