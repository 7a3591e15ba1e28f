/* Tests of where and how Pods run. */

#include "builtin_case.h"

/* A Pod with more in its spec. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"

TEST(scheduling_is_checked)
{
    static const struct builtin_case cases[] = {
        { POD(",'affinity':{'nodeAffinity':{"
              "'requiredDuringSchedulingIgnoredDuringExecution':{},"
              "'preferredDuringSchedulingIgnoredDuringExecution':["
              "{'weight':0,'preference':{'matchExpressions':[{'key':'a',"
              "'operator':'X'}],'matchFields':[{'key':'x',"
              "'operator':'Exists'},{'key':'metadata.name','operator':'In',"
              "'values':['A_']}]}}]}}"),
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms: Required value: must have at least one "
          "node selector term\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].weight: Invalid value: 0: must be in the range 1-100\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].preference.matchExpressions[0].operator: Invalid "
          "value: \"X\": not a valid selector operator\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].preference.matchFields[0].operator: Invalid value: "
          "\"Exists\": not a valid selector operator\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].preference.matchFields[0].key: Invalid value: \"x\": "
          "not a valid field selector key\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].preference.matchFields[1].values[0]: Invalid value: "
          "\"A_\": " CASE_SUBDOMAIN "\n" },
        { POD(",'affinity':{'podAntiAffinity':{"
              "'preferredDuringSchedulingIgnoredDuringExecution':["
              "{'weight':101,'podAffinityTerm':{'namespaces':['A'],"
              "'matchLabelKeys':['a'],'mismatchLabelKeys':['a'],"
              "'labelSelector':{'matchLabels':{'a':'b'},"
              "'matchExpressions':[{'key':'a','operator':'Exists'}]}}}]}}"),
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].weight: Invalid value: 101: must be in the range "
          "1-100\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm.namespace: Invalid value: \"A\": "
          CASE_LABEL "\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm[0]: Invalid value: \"a\": exists "
          "in both matchLabelKeys and labelSelector\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm.matchLabelKeys[0]: Invalid value: "
          "\"a\": exists in both matchLabelKeys and mismatchLabelKeys\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm.topologyKey: Required value: can "
          "not be empty\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm.topologyKey: Invalid value: \"\": "
          "name part must be non-empty\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuri"
          "ngExecution[0].podAffinityTerm.topologyKey: Invalid value: \"\": "
          CASE_NAME_PART "\n" },
        { POD(",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z',"
              "'whenUnsatisfiable':'DoNotSchedule','matchLabelKeys':['a']},"
              "{'maxSkew':1,'topologyKey':'z','whenUnsatisfiable':"
              "'DoNotSchedule'}]"),
          "spec.topologySpreadConstraints[0].{topologyKey, "
          "whenUnsatisfiable}: Duplicate value: \"{z, DoNotSchedule}\"\n"
          "spec.topologySpreadConstraints[0].matchLabelKeys: Forbidden: must "
          "not be specified when labelSelector is not set\n" },
        { POD(",'tolerations':[{'key':'a','operator':'Gt','value':'1'}]"),
          "spec.tolerations[0].operator: Unsupported value: \"Gt\": "
          "supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\"\n" },
        { POD(",'schedulingGates':[{'name':'a'},{'name':'a'}],"
              "'nodeName':'n'"),
          "spec.schedulingGates[1]: Duplicate value: \"a\"\nspec.nodeName: "
          "Forbidden: cannot be set until all schedulingGates have been "
          "cleared\n" },
        { POD(",'dnsPolicy':'None','dnsConfig':{}"),
          "spec.dnsConfig.nameservers: Required value: must provide at least "
          "one DNS nameserver when `dnsPolicy` is None\n" },
        { POD(",'dnsConfig':{'nameservers':['010.0.0.1','::ffff:1.2.3.4'],"
              "'searches':['.','a_b.c.','_x','x_']}"),
          "spec.dnsConfig.nameservers[0]: Invalid value: \"010.0.0.1\": must "
          "not have leading 0s\n"
          "spec.dnsConfig.nameservers[1]: Invalid value: \"::ffff:1.2.3.4\": "
          "must not be an IPv4-mapped IPv6 address\n"
          "spec.dnsConfig.searches[3]: Invalid value: \"x_\": a lowercase "
          "RFC 1123 subdomain must consist of lower case alphanumeric "
          "characters, '_', '-' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'example.com', regex used for "
          "validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9](["
          "-_a-z0-9]*[a-z0-9])?)*')\n" },
        { POD(",'hostnameOverride':'A_','setHostnameAsFQDN':true,"
              "'hostNetwork':true"),
          "spec.hostnameOverride: Forbidden: may not be specified when "
          "setHostnameAsFQDN is true\n"
          "spec.hostnameOverride: Forbidden: may not be specified when "
          "hostNetwork is true\n"
          "spec.hostnameOverride: Invalid value: \"A_\": "
          CASE_SUBDOMAIN "\n" },
        { POD(",'activeDeadlineSeconds':0,'preemptionPolicy':'X',"
              "'runtimeClassName':'A','priorityClassName':'B'"),
          "spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 "
          "and 2147483647, inclusive\n"
          "spec.priorityClassName: Invalid value: \"B\": "
          CASE_SUBDOMAIN "\n"
          "spec.runtimeClassName: Invalid value: \"A\": " CASE_SUBDOMAIN "\n"
          "spec.preemptionPolicy: Unsupported value: \"X\": supported "
          "values: \"PreemptLowerPriority\", \"Never\"\n" },
        { POD(",'overhead':{'x':'1'}"),
          "spec.overhead.limits[x]: Invalid value: \"x\": must be a standard "
          "resource type or fully qualified\n"
          "spec.overhead.limits[x]: Invalid value: \"x\": must be a standard "
          "resource for containers\n" },
        { POD(",'resourceClaims':[{'name':'a'},{'name':'a',"
              "'resourceClaimName':'A','resourceClaimTemplateName':'B'}]"),
          "spec.resourceClaims[0]: Invalid value: {\"Name\":\"a\","
          "\"ResourceClaimName\":null,\"ResourceClaimTemplateName\":null}: "
          "must specify one of: `resourceClaimName`, "
          "`resourceClaimTemplateName`\n"
          "spec.resourceClaims[1].name: Duplicate value: \"a\"\n"
          "spec.resourceClaims[1]: Invalid value: {\"Name\":\"a\","
          "\"ResourceClaimName\":\"A\",\"ResourceClaimTemplateName\":\"B\"}: "
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` "
          "may be specified\n"
          "spec.resourceClaims[1].resourceClaimName: Invalid value: \"A\": "
          CASE_SUBDOMAIN "\n"
          "spec.resourceClaims[1].resourceClaimTemplateName: Invalid value: "
          "\"B\": " CASE_SUBDOMAIN "\n" },
    };

    CASE_RUN("Pod", cases);
}

#define PREFERS(TERM)                                                         \
    POD(",'affinity':{'nodeAffinity':{"                                       \
        "'requiredDuringSchedulingIgnoredDuringExecution':"                   \
        "{'nodeSelectorTerms':[{" TERM "}]}}}")

TEST(values_of_node_selectors_are_counted)
{
    static const struct builtin_case cases[] = {
        { PREFERS("'matchExpressions':[{'key':'a','operator':'In'},"
                  "{'key':'a','operator':'NotIn'},"
                  "{'key':'a','operator':'Exists','values':['x']},"
                  "{'key':'a','operator':'DoesNotExist','values':['x']},"
                  "{'key':'a','operator':'Gt'},"
                  "{'key':'a','operator':'Lt','values':['1','2']}]"),
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[0].values: Required "
          "value: must be specified when `operator` is 'In' or 'NotIn'\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[1].values: Required "
          "value: must be specified when `operator` is 'In' or 'NotIn'\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[2].values: "
          "Forbidden: may not be specified when `operator` is 'Exists' or "
          "'DoesNotExist'\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[3].values: "
          "Forbidden: may not be specified when `operator` is 'Exists' or "
          "'DoesNotExist'\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[4].values: Required "
          "value: must be specified single value when `operator` is 'Lt' or "
          "'Gt'\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchExpressions[5].values: Required "
          "value: must be specified single value when `operator` is 'Lt' or "
          "'Gt'\n" },
        { PREFERS("'matchExpressions':[{'key':'a','operator':'In',"
                  "'values':['x','y']},{'key':'a','operator':'Gt',"
                  "'values':['1']},{'key':'a','operator':'Exists'}]"),
          "" },
        { PREFERS("'matchFields':[{'key':'metadata.name','operator':'In',"
                  "'values':['a','b']},{'key':'metadata.name',"
                  "'operator':'NotIn'}]"),
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchFields[0].values: Required "
          "value: must be only one value when `operator` is 'In' or 'NotIn' "
          "for node field selector\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms[0].matchFields[1].values: Required "
          "value: must be only one value when `operator` is 'In' or 'NotIn' "
          "for node field selector\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(tolerations_are_checked)
{
    static const struct builtin_case cases[] = {
        { POD(",'tolerations':[{'operator':'Exists'},{'operator':'Equal'},"
              "{'key':'a'},{}]"),
          "spec.tolerations[1].operator: Invalid value: \"Equal\": operator "
          "must be Exists when `key` is empty, which means \"match all "
          "values and all keys\"\n"
          "spec.tolerations[3].operator: Invalid value: \"\": operator must "
          "be Exists when `key` is empty, which means \"match all values and "
          "all keys\"\n" },
        { POD(",'tolerations':[{'key':'a','tolerationSeconds':1,"
              "'effect':'NoSchedule'},{'key':'a','tolerationSeconds':1,"
              "'effect':'NoExecute'},{'key':'a','effect':'X'},"
              "{'key':'a','value':'b c'},"
              "{'key':'a','operator':'Exists','value':'b'}]"),
          "spec.tolerations[0].effect: Invalid value: \"NoSchedule\": effect "
          "must be 'NoExecute' when `tolerationSeconds` is set\n"
          "spec.tolerations[2].effect: Unsupported value: \"X\": supported "
          "values: \"NoSchedule\", \"PreferNoSchedule\", \"NoExecute\"\n"
          "spec.tolerations[3].operator: Invalid value: \"b c\": "
          CASE_LABEL_VALUE "\n"
          "spec.tolerations[4].operator: Invalid value: \"b\": value must be "
          "empty when `operator` is 'Exists'\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(pods_are_spread_within_bounds)
{
    static const struct builtin_case cases[] = {
        { POD(",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z',"
              "'whenUnsatisfiable':'ScheduleAnyway','minDomains':1},"
              "{'maxSkew':0,'whenUnsatisfiable':'X','minDomains':0,"
              "'nodeAffinityPolicy':'X','nodeTaintsPolicy':'X'}]"),
          "spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: "
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
          "ScheduleAnyway\n"
          "spec.topologySpreadConstraints[1].maxSkew: Invalid value: 0: must "
          "be greater than zero\n"
          "spec.topologySpreadConstraints[1].topologyKey: Required value: "
          "can not be empty\n"
          "spec.topologySpreadConstraints[1].whenUnsatisfiable: Unsupported "
          "value: \"X\": supported values: \"DoNotSchedule\", "
          "\"ScheduleAnyway\"\n"
          "spec.topologySpreadConstraints[1].minDomains: Invalid value: 0: "
          "must be greater than zero\n"
          "spec.topologySpreadConstraints[1].minDomains: Invalid value: 0: "
          "can only use minDomains if whenUnsatisfiable=DoNotSchedule, not "
          "X\n"
          "spec.topologySpreadConstraints[1].nodeAffinityPolicy: Unsupported "
          "value: \"X\": supported values: \"Honor\", \"Ignore\"\n"
          "spec.topologySpreadConstraints[1].nodeTaintsPolicy: Unsupported "
          "value: \"X\": supported values: \"Honor\", \"Ignore\"\n" },
        { POD(",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z',"
              "'whenUnsatisfiable':'DoNotSchedule','minDomains':1,"
              "'nodeAffinityPolicy':'Honor','nodeTaintsPolicy':'Ignore'}]"),
          "" },
    };

    CASE_RUN("Pod", cases);
}

#define A63                                                                   \
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define LONG(QUOTE) QUOTE A63 "." A63 "." A63 QUOTE
#define LONG_LIST(QUOTE)                                                      \
    LONG(QUOTE) "," LONG(QUOTE) "," LONG(QUOTE) "," LONG(QUOTE) ","           \
    LONG(QUOTE) "," LONG(QUOTE) "," LONG(QUOTE) "," LONG(QUOTE) ","           \
    LONG(QUOTE) "," LONG(QUOTE) "," LONG(QUOTE)
#define NAMES8 "'a','a','a','a','a','a','a','a'"

TEST(dns_has_bounds)
{
    static const struct builtin_case cases[] = {
        { POD(",'dnsPolicy':'None'"),
          "spec.dnsConfig: Required value: must provide `dnsConfig` when "
          "`dnsPolicy` is None\n" },
        { POD(",'dnsConfig':{'nameservers':['1.1.1.1','1.1.1.2','1.1.1.3',"
              "'1.1.1.4']}"),
          "spec.dnsConfig.nameservers: Invalid value: [\"1.1.1.1\","
          "\"1.1.1.2\",\"1.1.1.3\",\"1.1.1.4\"]: must not have more than 3 "
          "nameservers\n" },
        { POD(",'dnsConfig':{'searches':[" NAMES8 "," NAMES8 "," NAMES8 ","
              NAMES8 "]}"),
          "" },
        { POD(",'dnsConfig':{'searches':[" NAMES8 "," NAMES8 "," NAMES8 ","
              NAMES8 ",'a']}"),
          "spec.dnsConfig.searches: Invalid value: [\"a\",\"a\",\"a\",\"a\","
          "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
          "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
          "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\"]: must not have more "
          "than 32 search paths\n" },
        { POD(",'dnsConfig':{'searches':[" LONG_LIST("'") "]}"),
          "spec.dnsConfig.searches: Invalid value: [" LONG_LIST("\"") "]: "
          "must not have more than 2048 characters (including spaces) in the "
          "search list\n" },
        { POD(",'dnsConfig':{'options':[{'name':'a'},{}]}"),
          "spec.dnsConfig.options[1]: Required value: must not be empty\n" },
    };

    CASE_RUN("Pod", cases);
}

TEST(ports_of_the_host_are_those_of_the_container)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'hostNetwork':true,'containers':[{'name':'c','image':'i',"
          "'ports':[{'containerPort':80,'hostPort':80},"
          "{'containerPort':81,'hostPort':82}]}]}}",
          "spec.containers[0].ports[1].hostPort: Invalid value: 82: must "
          "match `containerPort` when `hostNetwork` is true\n" },
    };

    CASE_RUN("Pod", cases);
}
