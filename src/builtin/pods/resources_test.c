/* Tests of what containers and Pods ask for. */

#include "builtin_case.h"

#define RES(R) "{'spec':{'containers':[{'name':'c','image':'i',"              \
               "'resources':" R "}]}}"

TEST(resources_are_checked)
{
    static const struct builtin_case cases[] = {
        { RES("{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}"), "" },
        { RES("{'requests':{'cpu':'3'},'limits':{'cpu':'2'}}"),
          "spec.containers[0].resources.requests: Invalid value: \"3\": must "
          "be less than or equal to cpu limit of 2\n" },
        { RES("{'requests':{'example.com/x':'1'}}"),
          "spec.containers[0].resources.limits: Required value: Limit must be "
          "set for non overcommitable resources\n" },
        { RES("{'requests':{'example.com/x':'1'},'limits':"
              "{'example.com/x':'2'}}"),
              "spec.containers[0].resources.requests: Invalid value: \"1\": "
              "must be equal to example.com/x limit of 2\n" },
        { RES("{'limits':{'requests.example.com/x':'1'}}"),
          "spec.containers[0].resources.limits[requests.example.com/x]: "
          "Invalid value: \"requests.example.com/x\": doesn't follow "
          "extended resource name standard\n"
          "spec.containers[0].resources.requests[requests.example.com/x]: "
          "Invalid value: \"requests.example.com/x\": doesn't follow "
          "extended resource name standard\n" },
        { RES("{'limits':{'hugepages-2Mi':'3Mi'}}"),
          "spec.containers[0].resources.limits[hugepages-2Mi]: Invalid "
          "value: \"3Mi\": 3Mi is not positive integer multiple of "
          "hugepages-2Mi\n"
          "spec.containers[0].resources.requests[hugepages-2Mi]: Invalid "
          "value: \"3Mi\": 3Mi is not positive integer multiple of "
          "hugepages-2Mi\n"
          "spec.containers[0].resources: Forbidden: HugePages require cpu or "
          "memory\n" },
        { RES("{'limits':{'hugepages-x':'3Mi','cpu':'1'}}"),
          "spec.containers[0].resources.limits[hugepages-x]: Invalid value: "
          "\"3Mi\": 3Mi is not positive integer multiple of hugepages-x\n"
          "spec.containers[0].resources.requests[hugepages-x]: Invalid "
          "value: \"3Mi\": 3Mi is not positive integer multiple of "
          "hugepages-x\n" },
        { RES("{'limits':{'hugepages-2Mi':'2Mi'}}"),
          "spec.containers[0].resources: Forbidden: HugePages require cpu or "
          "memory\n" },
        { RES("{'claims':[{},{'name':'a'},{'name':'a'},{'name':'b',"
              "'request':'R'},{'name':'b'}]}"),
          "spec.containers[0].resources.claims[0]: Required value\n"
          "spec.containers[0].resources.claims[1]: Not found: \"a\": must be "
          "one of the names in pod.spec.resourceClaims which is empty\n"
          "spec.containers[0].resources.claims[2]: Duplicate value: \"a\"\n"
          "spec.containers[0].resources.claims[2]: Not found: \"a\": must be "
          "one of the names in pod.spec.resourceClaims which is empty\n"
          "spec.containers[0].resources.claims[3].request: Invalid value: "
          "\"R\": " CASE_LABEL "\n"
          "spec.containers[0].resources.claims[3]: Not found: \"b\": must be "
          "one of the names in pod.spec.resourceClaims which is empty\n"
          "spec.containers[0].resources.claims[4]: Duplicate value: \"b\"\n"
          "spec.containers[0].resources.claims[4]: Not found: \"b\": must be "
          "one of the names in pod.spec.resourceClaims which is empty\n" },
        { "{'spec':{'resourceClaims':[{'name':'x','resourceClaimName':'y'},"
          "{'name':'z','resourceClaimName':'y'}],'containers':[{'name':'c',"
          "'image':'i','resources':{'claims':[{'name':'a'}]}}]}}",
          "spec.containers[0].resources.claims[0]: Not found: \"a\": must be "
          "one of the names in pod.spec.resourceClaims: x, z\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(pods_as_a_whole_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'resources':{'limits':{'cpu':'1'},'requests':"
          "{'cpu':'500m'}},'containers':[{'name':'c','image':'i','resources':"
          "{'limits':{'cpu':'2'},'requests':{'cpu':'1'}}}]}}",
          "spec.resources.requests[cpu]: Invalid value: \"500m\": must be "
          "greater than or equal to aggregate container requests of 1\n"
          "spec.resources.containers[0][cpu].limits: Invalid value: \"2\": "
          "must be less than or equal to pod limits of 1\n" },
        { "{'spec':{'resources':{'limits':{'x':'1','storage':'1'},'claims':"
          "[{'name':'a'}]},'containers':[{'name':'c','image':'i'}]}}",
          "spec.resources.claims: Forbidden: claims may not be set for "
          "Resources at pod-level\n"
          "spec.resources.limits[x]: Invalid value: \"x\": must be a "
          "standard resource type or fully qualified\n"
          "spec.resources.limits[storage]: Unsupported value: \"storage\": "
          "supported values: \"cpu\", \"hugepages-\", \"memory\"\n"
          "spec.resources.claims[0]: Not found: \"a\": must be one of the "
          "names in pod.spec.resourceClaims which is empty\n" },
        { "{'spec':{'resources':{'limits':{'cpu':'1'},'claims':[]},"
          "'containers':[{'name':'c','image':'i'}]}}",
          "spec.resources.claims: Forbidden: claims may not be set for "
          "Resources at pod-level\n" },
        { "{'spec':{'os':{'name':'windows'},'resources':{},'containers':"
          "[{'name':'c','image':'i'}]}}",
          "spec.resources: Forbidden: may not be set for a windows pod\n" },
    };

    CASE_RUN("Pod", cases);
}
