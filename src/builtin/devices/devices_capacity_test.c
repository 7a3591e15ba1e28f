/* Tests of what may be asked of a capacity. */

#include "builtin_case.h"

TEST(capacities_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'2',"
          "'validValues':['1','2']}}},'allowMultipleAllocations':true}]}}",
          "" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10',"
          "'requestPolicy':{'default':'2'}}},"
          "'allowMultipleAllocations':false}]}}",
          "spec.devices[0].capacity[c].requestPolicy: Forbidden: "
          "allowMultipleAllocations must be true\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10',"
          "'requestPolicy':{'validValues':['1']}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.default: Required "
          "value: required when validValues is defined\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10',"
          "'requestPolicy':{'validRange':{'min':'1'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.default: Required "
          "value: required when validRange is defined\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'1',"
          "'validValues':['1'],'validRange':{'min':'1'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy: Forbidden: exactly "
          "one policy can be specified, cannot specify \"validValues\" "
          "and \"validRange\" at the same time\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'4',"
          "'validValues':['3','2','2','20']}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validValues[1]: "
          "Invalid value: \"2\": values must be sorted in ascending "
          "order\n"
          "spec.devices[0].capacity[c].requestPolicy.validValues[3]: "
          "Invalid value: \"20\": option is larger than capacity value: "
          "10\n"
          "spec.devices[0].capacity[c].requestPolicy.validValues[2]: "
          "Duplicate value: \"2\"\n"
          "spec.devices[0].capacity[c].requestPolicy.validValues: Invalid "
          "value: \"4\": default value is not valid according to the "
          "requestPolicy\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'1',"
          "'validValues':['1','2','3','4','5','6','7','8','9','10','11',"
          "'12']}}},'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validValues: Too "
          "many: 12: must have at most 10 items\n"
          "spec.devices[0].capacity[c].requestPolicy.validValues: Invalid "
          "value: \"1\": default value is not valid according to the "
          "requestPolicy\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'2',"
          "'validRange':{}}}},'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validRange.min: "
          "Required value: required when validRange is defined\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'2',"
          "'validRange':{'min':'1','max':'5','step':'1'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'0',"
          "'validRange':{'min':'20','max':'15'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validRange.min: "
          "Invalid value: \"20\": min is larger than capacity value: 10\n"
          "spec.devices[0].capacity[c].requestPolicy.validRange.min: "
          "Invalid value: \"0\": default is less than min: 20\n"
          "spec.devices[0].capacity[c].requestPolicy.validRange.max: "
          "Invalid value: \"20\": min is larger than max: 15\n"
          "spec.devices[0].capacity[c].requestPolicy.validRange.max: "
          "Invalid value: \"15\": max is larger than capacity value: 10\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'9',"
          "'validRange':{'min':'1','max':'5'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validRange.max: "
          "Invalid value: \"9\": default is more than max: 5\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'4',"
          "'validRange':{'min':'1','max':'7','step':'2'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validRange.step: "
          "Invalid value: \"4\": value is not a multiple of a given step "
          "(2) from (1)\n" },
        { "{'spec':{'driver':'d','pool':{'name':'p',"
          "'resourceSliceCount':1},'nodeName':'n','devices':[{'name':'d',"
          "'capacity':{'c':{'value':'10','requestPolicy':{'default':'1',"
          "'validRange':{'min':'1','step':'1Ki'}}}},"
          "'allowMultipleAllocations':true}]}}",
          "spec.devices[0].capacity[c].requestPolicy.validRange.step: "
          "Invalid value: \"1Ki\": one step 1025 is larger than capacity "
          "value: 10\n" },
    };

    CASE_RUN("ResourceSlice", cases);
}
