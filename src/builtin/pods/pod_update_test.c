/* Tests of updates of Pods. */

#include "builtin_case.h"

#define POD(MORE)                                                             \
    "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"

#define CONTAINER(MORE)                                                       \
    "{'spec':{'containers':[{'name':'c'" MORE "}]}}"

#define GATED(MORE)                                                           \
    "{'spec':{'containers':[{'name':'c','image':'i'}],"                       \
    "'schedulingGates':[{'name':'a'},{'name':'b'}]" MORE "}}"

TEST(pods_hardly_change)
{
    static const struct builtin_update cases[] = {
        { POD(""), CONTAINER(",'image':'j'"), "" },
        { POD(""),
          POD(",'activeDeadlineSeconds':5,'tolerations':[{'key':'a',"
              "'operator':'Exists'}]"),
          "" },
        { POD(",'terminationGracePeriodSeconds':-1"),
          POD(",'terminationGracePeriodSeconds':1"),
          "" },
        { POD(""),
          CONTAINER(",'image':''"),
          "spec.containers[0].image: Required value\n"
          "spec.containers[0].image: Required value\n"
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -27,7 +27,7 @@\n"
          "     \"Lifecycle\": null,\n"
          "     \"TerminationMessagePath\": \"/dev/termination-log\",\n"
          "     \"TerminationMessagePolicy\": \"File\",\n"
          " -   \"ImagePullPolicy\": \"Always\",\n"
          " +   \"ImagePullPolicy\": \"IfNotPresent\",\n"
          "     \"SecurityContext\": null,\n"
          "     \"Stdin\": false,\n"
          "     \"StdinOnce\": false,\n"
          " \n" },
        { POD(""),
          CONTAINER(",'image':' j'"),
          "spec.containers[0].image: Invalid value: \" j\": must not have "
          "leading or trailing whitespace\n"
          "spec.containers[0].image: Invalid value: \" j\": must not have "
          "leading or trailing whitespace\n"
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -27,7 +27,7 @@\n"
          "     \"Lifecycle\": null,\n"
          "     \"TerminationMessagePath\": \"/dev/termination-log\",\n"
          "     \"TerminationMessagePolicy\": \"File\",\n"
          " -   \"ImagePullPolicy\": \"Always\",\n"
          " +   \"ImagePullPolicy\": \"IfNotPresent\",\n"
          "     \"SecurityContext\": null,\n"
          "     \"Stdin\": false,\n"
          "     \"StdinOnce\": false,\n"
          " \n" },
        { POD(""),
          "{'spec':{'containers':[{'name':'c','image':'i'},{'name':'d',"
          "'image':'i'}]}}",
          "spec.containers: Forbidden: pod updates may not add or remove "
          "containers\n" },
        { POD(""),
          POD(",'initContainers':[{'name':'d','image':'i'}]"),
          "spec.initContainers: Forbidden: pod updates may not add or "
          "remove containers\n" },
        { POD(""),
          POD(",'hostNetwork':true"),
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -44,7 +44,7 @@\n"
          "   \"AutomountServiceAccountToken\": null,\n"
          "   \"NodeName\": \"\",\n"
          "   \"SecurityContext\": {\n"
          " -  \"HostNetwork\": false,\n"
          " +  \"HostNetwork\": true,\n"
          "    \"HostPID\": false,\n"
          "    \"HostIPC\": false,\n"
          "    \"ShareProcessNamespace\": null,\n"
          " \n" },
        { POD(",'activeDeadlineSeconds':5"),
          POD(""),
          "spec.activeDeadlineSeconds: Invalid value: null: must not update "
          "from a positive integer to nil value\n" },
        { POD(",'activeDeadlineSeconds':5"),
          POD(",'activeDeadlineSeconds':6"),
          "spec.activeDeadlineSeconds: Invalid value: 6: must be less than "
          "or equal to previous value\n" },
        { POD(",'activeDeadlineSeconds':5"),
          POD(",'activeDeadlineSeconds':2147483648"),
          "spec.activeDeadlineSeconds: Invalid value: 2147483648: must be "
          "between 1 and 2147483647, inclusive\n"
          "spec.activeDeadlineSeconds: Invalid value: 2147483648: must be "
          "between 0 and 2147483647, inclusive\n" },
        { POD(",'tolerations':[{'key':'a','operator':'Exists'}]"),
          POD(",'tolerations':[{'key':'b','operator':'Exists'}]"),
          "spec.tolerations: Forbidden: existing toleration can not be "
          "modified except its tolerationSeconds\n" },
        { POD(",'tolerations':[{'key':'a','operator':'Exists',"
              "'effect':'NoExecute'}]"),
          POD(",'tolerations':[{'key':'a','operator':'Exists',"
              "'effect':'NoExecute','tolerationSeconds':1}]"),
          "" },
        { POD(",'tolerations':[{'key':'a','operator':'Exists'}]"),
          POD(",'tolerations':[{'key':'a','operator':'Exists'},{'key':'b',"
              "'operator':'X'}]"),
          "spec.tolerations[1].operator: Unsupported value: \"X\": "
          "supported values: \"Equal\", \"Exists\"\n"
          "spec.tolerations[1].operator: Unsupported value: \"X\": "
          "supported values: \"Equal\", \"Exists\"\n" },
    };

    CASE_RUN_UPDATES("Pod", cases);
}

TEST(gates_only_open)
{
    static const struct builtin_update cases[] = {
        { GATED(""), POD(",'schedulingGates':[{'name':'b'}]"), "" },
        { POD(""),
          POD(",'schedulingGates':[{'name':'n'}]"),
          "spec.schedulingGates[0].name: Forbidden: only deletion is "
          "allowed, but found new scheduling gate 'n'\n" },
        { GATED(""),
          GATED(",'nodeSelector':{'a':'b'},'affinity':{'nodeAffinity':"
                "{'requiredDuringSchedulingIgnoredDuringExecution':"
                "{'nodeSelectorTerms':[{'matchExpressions':[{'key':'a',"
                "'operator':'Exists'}]}]}}}"),
          "" },
        { GATED(",'nodeSelector':{'a':'b'}"),
          GATED(",'nodeSelector':{'a':'c'}"),
          "spec.nodeSelector: Invalid value: {\"a\":\"c\"}: only additions "
          "to spec.nodeSelector are allowed (no mutations or deletions)\n" },
        { GATED(""),
          GATED(",'hostNetwork':true"),
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -44,7 +44,7 @@\n"
          "   \"AutomountServiceAccountToken\": null,\n"
          "   \"NodeName\": \"\",\n"
          "   \"SecurityContext\": {\n"
          " -  \"HostNetwork\": false,\n"
          " +  \"HostNetwork\": true,\n"
          "    \"HostPID\": false,\n"
          "    \"HostIPC\": false,\n"
          "    \"ShareProcessNamespace\": null,\n"
          " \n" },
    };

    CASE_RUN_UPDATES("Pod", cases);
}

#define TERMS(LIST)                                                           \
    GATED(",'affinity':{'nodeAffinity':{"                                     \
          "'requiredDuringSchedulingIgnoredDuringExecution':"                 \
          "{'nodeSelectorTerms':[" LIST "]}}}")
#define HAS(KEY) "{'key':'" KEY "','operator':'Exists'}"

TEST(gated_pods_are_narrowed_down)
{
    static const struct builtin_update cases[] = {
        { TERMS("{'matchExpressions':[" HAS("a") "]}"),
          TERMS("{'matchExpressions':[" HAS("a") "," HAS("b") "]}"), "" },
        { TERMS("{'matchExpressions':[" HAS("a") "]}"),
          TERMS("{'matchExpressions':[" HAS("b") "," HAS("a") "]}"),
          "spec.affinity.nodeAffinity."
          "requiredDuringSchedulingIgnoredDuringExecution."
          "nodeSelectorTerms[0]: Invalid value: {\"MatchExpressions\":"
          "[{\"Key\":\"b\",\"Operator\":\"Exists\",\"Values\":null},"
          "{\"Key\":\"a\",\"Operator\":\"Exists\",\"Values\":null}],"
          "\"MatchFields\":null}: only additions are allowed (no mutations or "
          "deletions)\n" },
        { TERMS("{'matchExpressions':[" HAS("a") "]}"), GATED(""),
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms: Invalid value: null: no "
          "additions/deletions to non-empty NodeSelectorTerms list are "
          "allowed\n" },
        { TERMS("{'matchExpressions':[" HAS("a") "]}"),
          GATED(",'affinity':{'podAffinity':{}}"),
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution.nodeSelectorTerms: Invalid value: null: no "
          "additions/deletions to non-empty NodeSelectorTerms list are "
          "allowed\n"
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -85,7 +85,10 @@\n"
          "     },\n"
          "     \"PreferredDuringSchedulingIgnoredDuringExecution\": null\n"
          "    },\n"
          " -  \"PodAffinity\": null,\n"
          " +  \"PodAffinity\": {\n"
          " +   \"RequiredDuringSchedulingIgnoredDuringExecution\": null,\n"
          " +   \"PreferredDuringSchedulingIgnoredDuringExecution\": null\n"
          " +  },\n"
          "    \"PodAntiAffinity\": null\n"
          "   },\n"
          "   \"SchedulerName\": \"default-scheduler\",\n"
          " \n" },
        { GATED(",'affinity':{'podAffinity':{}}"),
          GATED(",'affinity':{'podAffinity':{},'nodeAffinity':{}}"), "" },
    };

    CASE_RUN_UPDATES("Pod", cases);
}

TEST(annotations_with_a_meaning_stay)
{
    static const struct builtin_update cases[] = {
        { "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'a'}},"
          "'spec':{'containers':[{'name':'c','image':'i'}]}}",
          POD(""),
          "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: "
          "may not remove or update mirror pod annotation\n" },
        { POD(""),
          "{'metadata':{'annotations':{'container.apparmor.security.beta."
          "kubernetes.io/c':'unconfined'}},"
          "'spec':{'containers':[{'name':'c','image':'i'}]}}",
          "metadata.annotations[container.apparmor.security.beta.kubernetes."
          "io/c]: Forbidden: may not add AppArmor annotations\n" },
        { POD(""),
          "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'a',"
          "'x':'y'}},'spec':{'nodeName':'n','containers':[{'name':'c',"
          "'image':'i'}]}}",
          "metadata.annotations[kubernetes.io/config.mirror]: Forbidden: may "
          "not add mirror pod annotation\n"
          "spec: Forbidden: pod updates may not change fields other than "
          "`spec.containers[*].image`,`spec.initContainers[*].image`,"
          "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions "
          "to existing tolerations),`spec.terminationGracePeriodSeconds` "
          "(allow it to be set to 1 if it was previously negative)\n"
          " @@ -42,7 +42,7 @@\n"
          "   \"NodeSelector\": null,\n"
          "   \"ServiceAccountName\": \"\",\n"
          "   \"AutomountServiceAccountToken\": null,\n"
          " - \"NodeName\": \"\",\n"
          " + \"NodeName\": \"n\",\n"
          "   \"SecurityContext\": {\n"
          "    \"HostNetwork\": false,\n"
          "    \"HostPID\": false,\n"
          " \n" },
    };

    CASE_RUN_UPDATES("Pod", cases);
}
