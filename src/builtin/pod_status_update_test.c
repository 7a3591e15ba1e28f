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
          "status.conditions[0].Type: Invalid value: \"a b\": name part "
          "must consist of alphanumeric characters, '-', '_' or '.', and "
          "must start and end with an alphanumeric character" },
        { STATUS(""),
          STATUS(",'nominatedNodeName':'N'"),
          "status.nominatedNodeName: Invalid value: \"N\": a lowercase RFC "
          "1123 subdomain must consist of lower case alphanumeric "
          "characters, '-' or '.', and must start and end with an "
          "alphanumeric character" },
        { "{'spec':{'nodeName':'n','containers':[{'name':'c',"
          "'image':'i'}]}}",
          STATUS(",'nominatedNodeName':'m'"),
          "status.nominatedNodeName: Forbidden: may not be set on pods that "
          "are already bound to a node\n" },
        { STATUS(""),
          STATUS(",'hostIP':'10.0.0.2','hostIPs':[{'ip':'10.0.0.3'},"
                 "{'ip':'x'}],'podIPs':[{'ip':'10.0.0.1'},"
                 "{'ip':'10.0.0.2'}]"),
          "status.podIPs: Invalid value: [{\"IP\":\"10.0.0.1\"},"
          "{\"IP\":\"10.0.0.2\"}]: may specify no more than one IP for each "
          "IP family\n"
          "status.hostIPs[0].ip: Invalid value: \"10.0.0.3\": must be equal "
          "to `hostIP`\n"
          "status.hostIPs[1]: Invalid value: \"x\": must be a valid IP "
          "address," },
        { "{'spec':{'containers':[{'name':'c','image':'i'}],"
          "'resourceClaims':[{'name':'r','resourceClaimName':'x'}]}}",
          "{'status':{'resourceClaimStatuses':[{'name':'r',"
          "'resourceClaimName':'A'},{'name':'r'},{'name':'s'}]}}",
          "status.resourceClaimStatuses[0].resourceClaimName: Invalid "
          "value: \"A\": a lowercase RFC 1123 subdomain must consist of "
          "lower case alphanumeric characters, '-' or '.', and must start "
          "and end with an alphanumeric character" },
    };

    CASE_RUN_STATUS("Pod", cases);
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
    case_has(arena, object, "'ownerReferences':[{'uid':'u'}]");
    case_has(arena, object, "'conditions':[{'observedGeneration':3,'type':"
                            "'Ready'},{'type':'Ready'},{'type':'X'}],"
                            "'observedGeneration':2,"
                            "'qosClass':'Guaranteed'");
    yl_arena_free(arena);
}
