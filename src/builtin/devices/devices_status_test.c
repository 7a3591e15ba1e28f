/* Tests of what is allocated to claims. */

#include "builtin_case.h"

TEST(allocations_are_checked)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x'}]}},"
          "'reservedFor':[{'resource':'pods','name':'p','uid':'u'}],"
          "'devices':[{'driver':'d','pool':'p','device':'x',"
          "'networkData':{'ips':['10.0.0.1/24']}}]}}",
          "" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'reservedFor':[{},{}]}}",
          "status.reservedFor[0].resource: Required value\n"
          "status.reservedFor[0].name: Required value\n"
          "status.reservedFor[0].uid: Required value\n"
          "status.reservedFor[1].resource: Required value\n"
          "status.reservedFor[1].name: Required value\n"
          "status.reservedFor[1].uid: Required value\n"
          "status.reservedFor[1]: Duplicate value: \"\"\n"
          "status.reservedFor: Forbidden: may not be specified when "
          "`allocated` is not set\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'bindingConditio"
          "ns':['a'],'shareID':'x'}],'config':[{},{'source':'X',"
          "'requests':['q'],'opaque':{'driver':'d','parameters':{}}}]},"
          "'nodeSelector':{}}}}",
          "status.allocation.devices.results[0].request: Invalid value: "
          "\"\": a lowercase RFC 1123 label must consist of lower case "
          "alphanumeric characters or '-', and must start and end with an "
          "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
          "status.allocation.devices.results[0].request: Invalid value: "
          "\"\": must be the name of a request in the claim or the name "
          "of a request and a subrequest separated by '/'\n"
          "status.allocation.devices.results[0].driver: Required value\n"
          "status.allocation.devices.results[0].pool: Required value\n"
          "status.allocation.devices.results[0].device: Invalid value: "
          "\"\": a lowercase RFC 1123 label must consist of lower case "
          "alphanumeric characters or '-', and must start and end with an "
          "alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
          "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
          "status.allocation.devices.results[0].bindingFailureConditions: "
          "Invalid value: null: bindingFailureConditions are required to "
          "use bindingConditions\n"
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"x\": error validating uid: invalid UUID length: 1\n"
          "status.allocation.devices.config[0].source: Required value\n"
          "status.allocation.devices.config[0].opaque: Required value\n"
          "status.allocation.devices.config[1].source: Unsupported value: "
          "\"X\": supported values: \"FromClaim\", \"FromClass\"\n"
          "status.allocation.devices.config[1].requests[0]: Invalid "
          "value: \"q\": must be the name of a request in the claim or "
          "the name of a request and a subrequest separated by '/'\n"
          "status.allocation.nodeSelector.nodeSelectorTerms: Required "
          "value: must have at least one node selector term\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x'}]}},"
          "'devices':[{'driver':'d','pool':'','device':'A',"
          "'shareID':'0E7D3C2C-7F4C-4D5E-9D5C-1C5E2C5A3B11',"
          "'conditions':[{}],'data':{'a':1},"
          "'networkData':{'interfaceName':'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',"
          "'hardwareAddress':'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
          "xxxxxxxxxxxxxxxxxxxxxx','ips':['10.0.0.1','10.0.0.1/24',"
          "'10.0.0.1/24','010.0.0.1/8']}}]}}",
          "status.devices[0].pool: Required value\n"
          "status.devices[0].device: Invalid value: \"A\": a lowercase "
          "RFC 1123 label must consist of lower case alphanumeric "
          "characters or '-', and must start and end with an alphanumeric "
          "character (e.g. 'my-name',  or '123-abc', regex used for "
          "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')\n"
          "status.devices[0].shareID: Invalid value: "
          "\"0E7D3C2C-7F4C-4D5E-9D5C-1C5E2C5A3B11\": uid must be in RFC "
          "4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` "
          "with lowercase hexadecimal characters\n"
          "status.devices[0]: Invalid value: "
          "{\"Driver\":\"d\",\"Pool\":\"\",\"Device\":\"A\","
          "\"ShareID\":\"0E7D3C2C-7F4C-4D5E-9D5C-1C5E2C5A3B11\"}: must be "
          "an allocated device in the claim\n"
          "status.devices[0].conditions[0].type: Invalid value: \"\": "
          "name part must be non-empty\n"
          "status.devices[0].conditions[0].type: Invalid value: \"\": "
          "name part must consist of alphanumeric characters, '-', '_' or "
          "'.', and must start and end with an alphanumeric character "
          "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
          "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"
          "status.devices[0].conditions[0].status: Unsupported value: "
          "\"\": supported values: \"False\", \"True\", \"Unknown\"\n"
          "status.devices[0].conditions[0].lastTransitionTime: Required "
          "value\n"
          "status.devices[0].conditions[0].reason: Required value\n"
          "status.devices[0].networkData.interfaceName: Too long: may not "
          "be more than 256 bytes\n"
          "status.devices[0].networkData.hardwareAddress: Too long: may "
          "not be more than 128 bytes\n"
          "status.devices[0].networkData.ips[0]: Invalid value: "
          "\"10.0.0.1\": must be a valid address in CIDR form, (e.g. "
          "10.9.8.7/24 or 2001:db8::1/64)\n"
          "status.devices[0].networkData.ips[3]: Invalid value: "
          "\"010.0.0.1/8\": must be in canonical form (\"10.0.0.1/8\")\n"
          "status.devices[0].networkData.ips[2]: Duplicate value: "
          "\"10.0.0.1/24\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'{0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11}'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"{0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11}\": uid must be in RFC "
          "4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` "
          "with lowercase hexadecimal characters\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'urn:uuid:0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"urn:uuid:0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11\": uid must be "
          "in RFC 4122 normalized form, "
          "`xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase "
          "hexadecimal characters\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'abc:uuid:0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"abc:uuid:0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11\": error "
          "validating uid: invalid urn prefix: \"abc:uuid:\"\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'0e7d3c2c7f4c4d5e9d5c1c5e2c5a3b11'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"0e7d3c2c7f4c4d5e9d5c1c5e2c5a3b11\": uid must be in RFC 4122 "
          "normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with "
          "lowercase hexadecimal characters\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'[0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11]'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"[0e7d3c2c-7f4c-4d5e-9d5c-1c5e2c5a3b11]\": error validating "
          "uid: invalid bracketed UUID format\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'0e7d3c2cx7f4cx4d5ex9d5cx1c5e2c5a3b11'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"0e7d3c2cx7f4cx4d5ex9d5cx1c5e2c5a3b11\": error validating "
          "uid: invalid UUID format\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x',"
          "'shareID':'gggggggggggggggggggggggggggggggg'}]}}}}",
          "status.allocation.devices.results[0].shareID: Invalid value: "
          "\"gggggggggggggggggggggggggggggggg\": error validating uid: "
          "invalid UUID format\n" },
        { "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'x'}]}}}}",
          "{'spec':{'devices':{'requests':[{'name':'r',"
          "'exactly':{'deviceClassName':'c'}},{'name':'f',"
          "'firstAvailable':[{'name':'s','deviceClassName':'c'}]}]}},"
          "'status':{'allocation':{'devices':{'results':[{'request':'r',"
          "'driver':'d','pool':'p','device':'y'}]}}}}",
          "status.allocation: Invalid value: "
          "{\"Devices\":{\"Results\":[{\"Request\":\"r\",\"Driver\":\"d\","
          "\"Pool\":\"p\",\"Device\":\"y\",\"AdminAccess\":null,"
          "\"Tolerations\":null,\"BindingConditions\":null,"
          "\"BindingFailureConditions\":null,\"ShareID\":null,"
          "\"ConsumedCapacity\":null}],\"Config\":null},"
          "\"NodeSelector\":null,\"AllocationTimestamp\":null}: field is "
          "immutable\n" },
    };

    CASE_RUN_STATUS("ResourceClaim", cases);
}

TEST(claims_that_go_get_no_more_users)
{
    static const struct builtin_update cases[] = {
        { "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'},"
          "'spec':{'devices':{'requests':[{'name':'r','exactly':"
          "{'deviceClassName':'c'}}]}},'status':{'allocation':{'devices':"
          "{'results':[{'request':'r','driver':'d','pool':'p',"
          "'device':'x'}]}}}}",
          "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'},"
          "'spec':{'devices':{'requests':[{'name':'r','exactly':"
          "{'deviceClassName':'c'}}]}},'status':{'allocation':{'devices':"
          "{'results':[{'request':'r','driver':'d','pool':'p',"
          "'device':'x'}]}},'reservedFor':[{'resource':'pods','name':'a',"
          "'uid':'u'}]}}",
          "status.reservedFor: Forbidden: new entries may not be added while "
          "`deallocationRequested` or `deletionTimestamp` are set\n" },
    };

    CASE_RUN_STATUS("ResourceClaim", cases);
}
