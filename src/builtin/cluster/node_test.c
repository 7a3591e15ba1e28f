/* Tests of Node. */

#include "builtin_case.h"

TEST(nodes)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'spec':{'taints':[{'key':'','value':'a b'}]}}",
          "metadata.taints[0].key: Invalid value: \"\": name part must be "
          "non-empty\n"
          "metadata.taints[0].key: Invalid value: \"\": " CASE_NAME_PART "\n"
          "metadata.taints[0].value: Invalid value: \"a b\": "
          CASE_LABEL_VALUE "\n"
          "metadata.taints[0].effect: Required value\n" },
        { "{'spec':{'taints':[{'key':'a','value':'a b','effect':'X'}]}}",
          "metadata.taints[0].value: Invalid value: \"a b\": "
          CASE_LABEL_VALUE "\n"
          "metadata.taints[0].effect: Unsupported value: \"X\": supported "
          "values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"\n" },
        { "{'spec':{'taints':[{'key':'a'}]}}",
          "metadata.taints[0].effect: Required value\n" },
        { "{'spec':{'taints':[{'key':'a','effect':'NoExecute'},"
          "{'key':'a','effect':'NoExecute','value':'x'}]}}",
          "metadata.taints[1]: Duplicate value: {\"Key\":\"a\","
          "\"Value\":\"x\",\"Effect\":\"NoExecute\",\"TimeAdded\":null}: "
          "taints must be unique by key and effect pair\n" },
        { "{'status':{'capacity':{'cpu':'-1','pods':'1500m'}}}",
          "status.capacity.cpu: Invalid value: \"-1\": must be greater than "
          "or equal to 0\n"
          "status.capacity.pods: Invalid value: \"1500m\": must be an "
          "integer\n"
          "status.allocatable.cpu: Invalid value: \"-1\": must be greater "
          "than or equal to 0\n"
          "status.allocatable.pods: Invalid value: \"1500m\": must be an "
          "integer\n" },
        { "{'spec':{'podCIDR':'x'}}", "spec.podCIDRs[0]: Invalid value: "
                                      "\"x\": "
          "must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
          "2001:db8::/64)\n" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','11.0.0.0/8']}}",
          "spec.podCIDRs: Invalid value: [\"10.0.0.0/8\",\"11.0.0.0/8\"]: may "
          "specify no more than one CIDR for each IP family\n" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','x']}}",
          "spec.podCIDRs[1]: Invalid value: \"x\": must be a valid CIDR "
          "value, (e.g. 10.9.8.0/24 or 2001:db8::/64)\n"
          "spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check "
          "with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR "
          "address: x)\n"
          "spec.podCIDRs: Invalid value: [\"10.0.0.0/8\",\"x\"]: may specify "
          "no more than one CIDR for each IP family\n" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','fd00::/8']}}", "" },
        { "{'spec':{'podCIDRs':['10.0.0.1/8']}}",
          "spec.podCIDRs[0]: Invalid value: \"10.0.0.1/8\": must not have "
          "bits set beyond the prefix length\n" },
        { "{'spec':{'podCIDRs':['010.0.0.0/8']}}",
          "spec.podCIDRs[0]: Invalid value: \"010.0.0.0/8\": must not have "
          "leading 0s in IP or prefix length\n" },
        { "{'spec':{'podCIDRs':['::ffff:10.0.0.0/104']}}",
          "spec.podCIDRs[0]: Invalid value: \"::ffff:10.0.0.0/104\": must "
          "not have an IPv4-mapped IPv6 address\n" },
        { "{'metadata':{'annotations':{"
          "'scheduler.alpha.kubernetes.io/preferAvoidPods':'x'}}}",
          "metadata.annotations.AvoidPods: Invalid value: "
          "\"scheduler.alpha.kubernetes.io/preferAvoidPods\": invalid "
          "character 'x' looking for beginning of value\n" },
    };

    CASE_RUN("Node", cases);
    CASE_DEFAULT("Node", "{'status':{'capacity':{'cpu':'1'}}}",
                 "{'status':{'allocatable':{'cpu':'1'},'capacity':{"
                 "'cpu':'1'}}}");
    CASE_DEFAULT("Node",
                 "{'status':{'capacity':{'cpu':'1'},"
                 "'allocatable':{}}}",
                 "{'status':{'allocatable':{'cpu':'1'},'capacity':{"
                 "'cpu':'1'}}}");
    CASE_DEFAULT("Node",
                 "{'spec':{'podCIDR':'10.0.0.0/8',"
                 "'podCIDRs':['11.0.0.0/8']}}",
                 "{'spec':{'podCIDR':'10.0.0.0/8',"
                 "'podCIDRs':['10.0.0.0/8']}}");
    CASE_DEFAULT("Node", "{'spec':{'podCIDRs':['11.0.0.0/8']}}",
                 "{'spec':{'podCIDR':'11.0.0.0/8',"
                 "'podCIDRs':['11.0.0.0/8']}}");
}

TEST(nodes_keep_what_they_were_given)
{
    static const struct builtin_update cases[] = {
        { "{}",
          "{'spec':{'podCIDRs':['10.0.0.0/24'],'podCIDR':'10.0.0.0/24',"
          "'providerID':'p','taints':[{'key':'a',"
          "'effect':'NoSchedule'}]}}",
          "" },
        { "{'spec':{'podCIDRs':['10.0.0.0/24'],'podCIDR':'10.0.0.0/24',"
          "'providerID':'p','externalID':'e'}}",
          "{'spec':{'podCIDRs':['10.0.1.0/24'],'podCIDR':'10.0.1.0/24',"
          "'providerID':'q','externalID':'f'}}",
          "spec.podCIDRs: Forbidden: node updates may not change podCIDR "
          "except from \"\" to valid\n"
          "spec.providerID: Forbidden: node updates may not change "
          "providerID except from \"\" to valid\n"
          "spec.externalID: Forbidden: may not be updated\n" },
        { "{}",
          "{'spec':{'taints':[{'key':'a','effect':'X'}]}}",
          "metadata.taints[0].effect: Unsupported value: \"X\": supported "
          "values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"\n"
          "metadata.taints[0].effect: Unsupported value: \"X\": supported "
          "values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"\n" },
        { "{}",
          "{'metadata':{'annotations':{'scheduler.alpha.kubernetes."
          "io/preferAvoidPods':'x'}}}",
          "metadata.annotations.AvoidPods: Invalid value: "
          "\"scheduler.alpha.kubernetes.io/preferAvoidPods\": invalid "
          "character 'x' looking for beginning of value\n"
          "metadata.annotations.AvoidPods: Invalid value: "
          "\"scheduler.alpha.kubernetes.io/preferAvoidPods\": invalid "
          "character 'x' looking for beginning of value\n" },
    };

    CASE_RUN_UPDATES("Node", cases);
}

TEST(statuses_of_nodes_are_checked)
{
    static const struct builtin_update cases[] = {
        { "{}",
          "{'status':{'capacity':{'cpu':'1'},'allocatable':{'cpu':'1'},"
          "'addresses':[{'type':'InternalIP','address':'10.0.0.1'}],"
          "'declaredFeatures':['A','B','B1/c','B1/c/D2']}}",
          "" },
        { "{}", "{'status':{'declaredFeatures':['a']}}",
          "status.declaredFeatures[0]: Invalid value: \"a\": invalid feature "
          "name \"a\": must start with an UpperCamelCase segment, with "
          "subsequent segments separated by '/' (e.g., MyFeature or "
          "MyFeature/mySubFeature), and contain only alphanumeric characters "
          "and slashes\n" },
        { "{}", "{'status':{'declaredFeatures':['A/']}}",
          "status.declaredFeatures[0]: Invalid value: \"A/\": invalid "
          "feature name \"A/\": must start with an UpperCamelCase segment, "
          "with subsequent segments separated by '/' (e.g., MyFeature or "
          "MyFeature/mySubFeature), and contain only alphanumeric characters "
          "and slashes\n" },
        { "{}", "{'status':{'declaredFeatures':['A/1']}}",
          "status.declaredFeatures[0]: Invalid value: \"A/1\": invalid "
          "feature name \"A/1\": must start with an UpperCamelCase segment, "
          "with subsequent segments separated by '/' (e.g., MyFeature or "
          "MyFeature/mySubFeature), and contain only alphanumeric characters "
          "and slashes\n" },
        { "{}", "{'status':{'declaredFeatures':['A_']}}",
          "status.declaredFeatures[0]: Invalid value: \"A_\": invalid "
          "feature name \"A_\": must start with an UpperCamelCase segment, "
          "with subsequent segments separated by '/' (e.g., MyFeature or "
          "MyFeature/mySubFeature), and contain only alphanumeric characters "
          "and slashes\n" },
        { "{}",
          "{'status':{'capacity':{'cpu':'-1'},'allocatable':{'pods':'0.5'},"
          "'addresses':[{'type':'InternalIP','address':'10.0.0.1'},"
          "{'type':'InternalIP','address':'10.0.0.1'}],"
          "'declaredFeatures':['B','A','A','']}}",
          "status.capacity.cpu: Invalid value: \"-1\": must be greater than "
          "or equal to 0\n"
          "status.allocatable.pods: Invalid value: \"500m\": must be an "
          "integer\n"
          "status.declaredFeatures[1]: Invalid value: \"A\": list must be "
          "sorted alphabetically\n"
          "status.declaredFeatures[2]: Duplicate value: \"A\"\n"
          "status.declaredFeatures[3]: Invalid value: \"\": list must be "
          "sorted alphabetically\n"
          "status.declaredFeatures[3]: Invalid value: \"\": invalid feature "
          "name \"\": must start with an UpperCamelCase segment, with "
          "subsequent segments separated by '/' (e.g., MyFeature or "
          "MyFeature/mySubFeature), and contain only alphanumeric characters "
          "and slashes\n"
          "status.addresses[1]: Duplicate value: "
          "{\"Type\":\"InternalIP\",\"Address\":\"10.0.0.1\"}\n" },
    };

    CASE_RUN_STATUS("Node", cases);
}
