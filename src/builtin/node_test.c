/* Tests of Node. */

#include "builtin_case.h"

TEST(nodes)
{
    static const struct builtin_case cases[] = {
        { "{}", "" },
        { "{'spec':{'taints':[{'key':'','value':'a b'}]}}",
          "metadata.taints[0].key: Invalid value: \"\": name part must be "
          "non-empty\n" },
        { "{'spec':{'taints':[{'key':'a','value':'a b','effect':'X'}]}}",
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
          "or equal to 0\nstatus.capacity.pods: Invalid value: \"1500m\": "
          "must be an integer\n" },
        { "{'spec':{'podCIDR':'x'}}", "spec.podCIDRs[0]: Invalid value: "
                                      "\"x\": "
          "must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
          "2001:db8::/64)\n" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','11.0.0.0/8']}}",
          "spec.podCIDRs: Invalid value: [\"10.0.0.0/8\",\"11.0.0.0/8\"]: may "
          "specify no more than one CIDR for each IP family\n" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','x']}}",
          "spec.podCIDRs: Internal error: invalid PodCIDRs" },
        { "{'spec':{'podCIDRs':['10.0.0.0/8','fd00::/8']}}", "" },
        { "{'spec':{'podCIDRs':['10.0.0.1/8']}}", "must not have bits set "
          "beyond the prefix length\n" },
        { "{'spec':{'podCIDRs':['010.0.0.0/8']}}", "must not have leading 0s "
          "in IP or prefix length\n" },
        { "{'spec':{'podCIDRs':['::ffff:10.0.0.0/104']}}",
          "must not have an IPv4-mapped IPv6 address\n" },
        { "{'metadata':{'annotations':{"
          "'scheduler.alpha.kubernetes.io/preferAvoidPods':'x'}}}",
          "metadata.annotations.AvoidPods: Invalid value: "
          "\"scheduler.alpha.kubernetes.io/preferAvoidPods\": invalid "
          "character 'x'" },
    };
    struct yl_arena *arena = yl_arena_new();

    CASE_RUN("Node", cases);
    CASE_DEFAULT_HAS(arena, "Node", "{'status':{'capacity':{'cpu':'1'}}}",
                     "\"allocatable\":{\"cpu\":\"1\"}");
    CASE_DEFAULT_HAS(arena, "Node", "{'spec':{'podCIDR':'10.0.0.0/8',"
                                    "'podCIDRs':['11.0.0.0/8']}}",
                     "\"podCIDRs\":[\"10.0.0.0/8\"]");
    CASE_DEFAULT_HAS(arena, "Node", "{'spec':{'podCIDRs':['11.0.0.0/8']}}",
                     "\"podCIDR\":\"11.0.0.0/8\"");
    yl_arena_free(arena);
}
