/* Tests of writes to a Pod's status. */

#include "builtin_case.h"

#define STATUS(MORE)                                                          \
    "{'spec':{'containers':[{'name':'c','image':'i'}]},"                      \
    "'status':{'qosClass':'BestEffort'" MORE "}}"

TEST(statuses_are_checked)
{
    static const struct builtin_update cases[] = {
        { STATUS(""),
          STATUS(",'phase':'Running','podIP':'10.0.0.1',"
                 "'podIPs':[{'ip':'10.0.0.1'}],'hostIP':'10.0.0.2',"
                 "'hostIPs':[{'ip':'10.0.0.2'},{'ip':'fd00::1'}]"),
          "" },
        { STATUS(""),
          STATUS(",'qosClass':'Burstable','observedGeneration':-1,"
                 "'conditions':[{'type':'a b','observedGeneration':-1},"
                 "{'type':'Ready'}]"),
          "status.conditions[0].observedGeneration: Invalid value: -1: must "
          "be a non-negative integer\n"
          "status.conditions[0].Type: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "status.observedGeneration: Invalid value: -1: must be a "
          "non-negative integer\n"
          "status.qosClass: Invalid value: \"Burstable\": field is "
          "immutable\n" },
        { STATUS(""),
          STATUS(",'nominatedNodeName':'N'"),
          "status.nominatedNodeName: Invalid value: \"N\": "
          CASE_SUBDOMAIN "\n" },
        { "{'spec':{'nodeName':'n','containers':[{'name':'c',"
          "'image':'i'}]}}",
          STATUS(",'nominatedNodeName':'m'"),
          "status.nominatedNodeName: Forbidden: may not be set on pods that "
          "are already bound to a node\n" },
        { STATUS(""),
          STATUS(",'hostIP':'10.0.0.2','hostIPs':[{'ip':'10.0.0.3'},"
                 "{'ip':'x'}],'podIPs':[{'ip':'10.0.0.1'},"
                 "{'ip':'10.0.0.2'}]"),
          "status.podIPs: Invalid value: [{\"IP\":\"10.0.0.1\"},{"
          "\"IP\":\"10.0.0.2\"}]: may specify no more than one IP for each "
          "IP family\n"
          "status.hostIPs[0].ip: Invalid value: \"10.0.0.3\": must be equal "
          "to `hostIP`\n"
          "status.hostIPs[1]: Invalid value: \"x\": must be a valid IP "
          "address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "status.hostIPs: Internal error: failed to check for dual stack "
          "with error:invalid IP[1]: x\n"
          "status.hostIPs: Invalid value: [{\"IP\":\"10.0.0.3\"},{"
          "\"IP\":\"x\"}]: may specify no more than one IP for each IP "
          "family\n" },
        { "{'spec':{'containers':[{'name':'c','image':'i'}],"
          "'resourceClaims':[{'name':'r','resourceClaimName':'x'}]}}",
          "{'status':{'resourceClaimStatuses':[{'name':'r',"
          "'resourceClaimName':'A'},{'name':'r'},{'name':'s'}]}}",
          "status.resourceClaimStatuses[0].resourceClaimName: Invalid value: "
          "\"A\": " CASE_SUBDOMAIN "\n"
          "status.resourceClaimStatuses[1].name: Duplicate value: \"r\"\n"
          "status.resourceClaimStatuses[2].name: Invalid value: \"s\": must "
          "match the name of an entry in `spec.resourceClaims`\n" },
    };

    CASE_RUN_STATUS("Pod", cases);
}

#define RICH(MORE)                                                            \
    "{'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':" \
    "{'x.io/y':'1'},'limits':{'x.io/y':'1'},'claims':[{'name':'r','request':" \
    "'q'}]}}],'resourceClaims':[{'name':'r','resourceClaimName':'x'}]" MORE   \
    "}}"
#define MAPPED(C, R, Q)                                                       \
    "{'containerName':'" C "','resourceName':'" R "','requestName':'" Q "'}"

TEST(what_nodes_report_is_checked)
{
    static const struct builtin_update cases[] = {
        { RICH(""),
          "{'status':{'extendedResourceClaimStatus':{'resourceClaimName':'a',"
          "'requestMappings':[" MAPPED("c", "x.io/y", "r") "]}}}", "" },
        { RICH(""),
          "{'status':{'extendedResourceClaimStatus':{}}}",
          "status.extendedResourceClaimStatus.requestMappings: Required "
          "value: at least one request mapping is required\n"
          "status.extendedResourceClaimStatus.resourceClaimName: Required "
          "value\n" },
        { RICH(""),
          "{'status':{'extendedResourceClaimStatus':{'resourceClaimName':'a',"
          "'requestMappings':[" MAPPED("z", "x", "r") "," MAPPED("c", "n",
          "r") "," MAPPED("c", "n", "r") "]}}}",
          "status.extendedResourceClaimStatus.requestMappings["
          "0].containerName: Invalid value: \"z\": must match the name of an "
          "entry in spec.initContainers.name or spec.containers.name\n"
          "status.extendedResourceClaimStatus.requestMappings["
          "1].resourceName: Invalid value: \"n\": must match the extended "
          "resource name of an entry in "
          "spec.initContainers.resources.requests or "
          "spec.containers.resources.requests\n"
          "status.extendedResourceClaimStatus.requestMappings["
          "2].resourceName: Invalid value: \"n\": must match the extended "
          "resource name of an entry in "
          "spec.initContainers.resources.requests or "
          "spec.containers.resources.requests\n"
          "status.extendedResourceClaimStatus.requestMappings["
          "2].containerName: Duplicate value: \"c\"\n"
          "status.extendedResourceClaimStatus.requestMappings["
          "2].resourceName: Duplicate value: \"n\"\n"
          "status.extendedResourceClaimStatus.requestMappings["
          "2].requestName: Duplicate value: \"r\"\n" },
        { RICH(""),
          "{'status':{'containerStatuses':[{'name':'c','user':{'linux':"
          "{'uid':-1,'gid':1,'supplementalGroups':[2147483648]}}}]}}",
          "status.containerStatuses[0].user.linux.uid: Invalid value: -1: "
          "must be between 0 and 2147483647, inclusive\n"
          "status.containerStatuses[0].user.linux.supplementalGroups[0]: "
          "Invalid value: 2147483648: must be between 0 and 2147483647, "
          "inclusive\n" },
        { RICH(",'os':{'name':'windows'}"),
          "{'status':{'containerStatuses':[{'name':'c','user':{'linux':"
          "{'uid':1,'gid':1}}}]}}",
          "status.containerStatuses[0].user.linux: Forbidden: cannot be set "
          "for a windows pod\n" },
        { RICH(""),
          "{'status':{'containerStatuses':[{'name':'c',"
          "'allocatedResourcesStatus':[{'name':'x.io/y','resources':"
          "[{'resourceID':'a','health':'Healthy'},{'resourceID':'a','health':"
          "'Fine','message':''}]},{'name':'claim:r/q'},{'name':'claim:r'},"
          "{'name':'cpu'}]},{'name':'gone','allocatedResourcesStatus':"
          "[{'name':'cpu'}]}]}}",
          "status.containerStatuses[0].allocatedResourcesStatus[0]."
          "resources[1].health: Unsupported value: \"Fine\": supported "
          "values: \"Healthy\", \"Unhealthy\", \"Unknown\"\n"
          "status.containerStatuses[0].allocatedResourcesStatus[0]."
          "resources[1].message: Required value: must be non-empty if "
          "specified\n"
          "status.containerStatuses[0].allocatedResourcesStatus[0]."
          "resources[1].resourceID: Duplicate value: \"a\"\n"
          "status.containerStatuses[0].allocatedResourcesStatus[2].name: "
          "Invalid value: \"claim:r\": must match one of the container's "
          "resource claims in a format 'claim:<claimName>/<request>' or "
          "'claim:<claimName>' if request is empty\n"
          "status.containerStatuses[0].allocatedResourcesStatus[3].name: "
          "Invalid value: \"cpu\": must match one of the container's "
          "resource requests\n" },
        { RICH(""),
          "{'status':{'ephemeralContainerStatuses':[{'name':'e',"
          "'allocatedResourcesStatus':[{'name':'cpu'}]}]}}",
          "status.ephemeralContainerStatuses[0].allocatedResourcesStatus: "
          "Forbidden: must not be specified in container status\n" },
        { RICH(""),
          "{'status':{'podIP':'1.2.3.4','podIPs':[{'ip':'1.2.3.4'},"
          "{'ip':'x'}]}}",
          "status.podIPs[1]: Invalid value: \"x\": must be a valid IP "
          "address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "status.podIPs: Internal error: failed to check for dual stack "
          "with error:invalid IP[1]: x\n"
          "status.podIPs: Invalid value: [{\"IP\":\"1.2.3.4\"},{"
          "\"IP\":\"x\"}]: may specify no more than one IP for each IP "
          "family\n" },
    };

    CASE_RUN_STATUS("Pod", cases);
}

#define RULES(ACTION)                                                         \
    "{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'," \
    "'restartPolicy':'Never','restartPolicyRules':[{'action':'" ACTION "',"   \
    "'exitCodes':{'operator':'In','values':[3]}}]}]},'status':"               \
    "{'containerStatuses':[{'name':'c','state':{'terminated':{'exitCode':%d"  \
    "}}}]}}"

TEST(rules_restart_what_ended)
{
    static const char now[] = "{'status':{'containerStatuses':[{'name':'c',"
                              "'state':{'running':{}}}]}}";
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(
        case_update_causes(arena, "Pod",
                           yl_arena_printf(arena, RULES("Restart"), 3), now,
                           true), "");
    assert_string_equal(
        case_update_causes(arena, "Pod",
                           yl_arena_printf(arena, RULES("Restart"), 4), now,
                           true),
        "status.containerStatuses[0].state: Forbidden: may not be "
        "transitioned to non-terminated state\n");
    assert_string_equal(
        case_update_causes(arena, "Pod",
                           yl_arena_printf(arena,
                                           RULES("RestartAllContainers"), 4),
                           now, true), "");
    yl_arena_free(arena);
}

TEST(what_ended_starts_again_only_if_it_may)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'i'}]},'status':{'containerStatuses':[{'name':'c',"
          "'state':{'terminated':{'exitCode':1}}}]}}",
          "{'status':{'containerStatuses':[{'name':'c',"
          "'state':{'running':{}}}]}}",
          "status.containerStatuses[0].state: Forbidden: may not be "
          "transitioned to non-terminated state\n" },
        { "{'spec':{'restartPolicy':'OnFailure','containers':[{'name':'c',"
          "'image':'i'}]},'status':{'containerStatuses':[{'name':'c',"
          "'state':{'terminated':{'exitCode':1}}}]}}",
          "{'status':{'containerStatuses':[{'name':'c',"
          "'state':{'running':{}}}]}}",
          "" },
        { "{'spec':{'restartPolicy':'Always','containers':[{'name':'c',"
          "'image':'i'}]},'status':{'containerStatuses':[{'name':'c',"
          "'state':{'terminated':{'exitCode':1}}}]}}",
          "{'status':{'containerStatuses':[{'name':'c',"
          "'state':{'running':{}}}]}}",
          "" },
        { "{'spec':{'restartPolicy':'OnFailure','containers':[{'name':'c',"
          "'image':'i'}]},'status':{'containerStatuses':[{'name':'c',"
          "'state':{'terminated':{'exitCode':0}}}]}}",
          "{'status':{'containerStatuses':[{'name':'c',"
          "'state':{'running':{}}}]}}",
          "status.containerStatuses[0].state: Forbidden: may not be "
          "transitioned to non-terminated state\n" },
        { "{'spec':{'restartPolicy':'Never','containers':[{'name':'c',"
          "'image':'i','restartPolicy':'Always'}]},"
          "'status':{'containerStatuses':[{'name':'c',"
          "'state':{'terminated':{'exitCode':0}}}]}}",
          "{'status':{'containerStatuses':[{'name':'c',"
          "'state':{'running':{}}}]}}",
          "" },
        { "{'spec':{'containers':[{'name':'c','image':'i'}]},"
          "'status':{'ephemeralContainerStatuses':[{'name':'e',"
          "'state':{'terminated':{}}}]}}",
          "{'status':{'ephemeralContainerStatuses':[{'name':'e'}]}}",
          "status.ephemeralContainerStatuses[0].state: Forbidden: may not "
          "be transitioned to non-terminated state\n" },
        { "{'spec':{'containers':[{'name':'c','image':'i'}]},"
          "'status':{'initContainerStatuses':[{'name':'gone',"
          "'state':{'terminated':{}}}]}}",
          "{'status':{'initContainerStatuses':[{'name':'gone'}]}}",
          "status.initContainerStatuses[0].state: Forbidden: may not be "
          "transitioned to non-terminated state\n" },
    };

    CASE_RUN_STATUS("Pod", cases);
}

TEST(what_a_status_does_not_say_is_kept)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'ownerReferences':[{'uid':'u'}]},"
               "'status':{'qosClass':'Guaranteed','observedGeneration':2,"
               "'conditions':[{'type':'Ready','observedGeneration':3}]}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{},'status':{'conditions':[{'type':'Ready'},"
               "{'type':'Ready'},{'type':'X'}]}}");

    yl_builtin_prepare_status(case_kind("Pod"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'ownerReferences':[{'uid':'u'}]},'status':{"
            "'conditions':[{'observedGeneration':3,'type':'Ready'},{"
            "'type':'Ready'},{'type':'X'}],'observedGeneration':2,"
            "'qosClass':'Guaranteed'}}");
    yl_arena_free(arena);
}
