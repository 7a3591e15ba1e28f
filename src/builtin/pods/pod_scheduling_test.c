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
