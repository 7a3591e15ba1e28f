/* Tests of warnings. */

#include "builtin/warnings/warnings.h"

#include "builtin_case.h"

#define POD(MORE)                                                             \
    "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c'" MORE         \
    "}]}}"

TEST(pods_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL, POD(""), "" },
        { NULL,
          "{'metadata':{'name':'a.b'},'spec':{}}",
          "metadata.name: this is used in the Pod's hostname, which can "
          "result in surprising behavior; a DNS label is recommended: [must "
          "not contain dots]\n" },
        { "{}", "{'metadata':{'name':'a.b'},'spec':{}}", "" },
        { NULL,
          "{'metadata':{'name':'a','annotations':"
          "{'scheduler.alpha.kubernetes.io/critical-pod':'',"
          "'security.alpha.kubernetes.io/sysctls':''}},"
          "'spec':{'terminationGracePeriodSeconds':-1,"
          "'overhead':{'memory':'0.5','cpu':'0.5'},"
          "'hostAliases':[{'ip':'1.2.3.4'},{'ip':'1.2.3.4'}],"
          "'imagePullSecrets':[{'name':'a'},{'name':'a'},{'name':''}]}}",
          "metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]:"
          " non-functional in v1.16+; use the \"priorityClassName\" field "
          "instead\n"
          "metadata.annotations[security.alpha.kubernetes.io/sysctls]: "
          "non-functional in v1.11+; use the \"sysctls\" field instead\n"
          "spec.hostAliases[1].ip: duplicate ip \"1.2.3.4\"\n"
          "spec.imagePullSecrets[1].name: duplicate name \"a\"\n"
          "spec.imagePullSecrets[2].name: invalid empty name \"\"\n"
          "spec.overhead[memory]: fractional byte value \"500m\" is "
          "invalid, must be an integer\n"
          "spec.terminationGracePeriodSeconds: must be >= 0; negative "
          "values are invalid and will be treated as 1\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'nodeSelector':"
          "{'beta.kubernetes.io/arch':'x','kubernetes.io/arch':'y'},"
          "'topologySpreadConstraints':[{'topologyKey':"
          "'beta.kubernetes.io/os'}],'affinity':{'nodeAffinity':"
          "{'requiredDuringSchedulingIgnoredDuringExecution':"
          "{'nodeSelectorTerms':[{'matchExpressions':[{'key':"
          "'beta.kubernetes.io/os'}]}]},'preferredDuringSchedulingIgnoredDur"
          "ingExecution':[{'preference':{'matchExpressions':[{'key':"
          "'app.kubernetes.io/created-by'}]}}]},"
          "'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
          "[{}]},'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringE"
          "xecution':[{'podAffinityTerm':{}}]}}}}",
          "spec.nodeSelector[beta.kubernetes.io/arch]: deprecated since "
          "v1.14; use \"kubernetes.io/arch\" instead\n"
          "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringE"
          "xecution.nodeSelectorTerms[0].matchExpressions[0].key: "
          "beta.kubernetes.io/os is deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead\n"
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuring"
          "Execution[0].preference.matchExpressions[0].key: "
          "app.kubernetes.io/created-by is deprecated since v1.9\n"
          "spec.topologySpreadConstraints[0].topologyKey: "
          "beta.kubernetes.io/os is deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead\n"
          "spec.topologySpreadConstraints[0].labelSelector: a null "
          "labelSelector results in matching no pod\n"
          "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringEx"
          "ecution[0].labelSelector: a null labelSelector results in "
          "matching no pod\n"
          "spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDur"
          "ingExecution[0].podAffinityTerm.labelSelector: a null "
          "labelSelector results in matching no pod\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'volumes':[{'name':'v',"
          "'gitRepo':{}},{'name':'w','storageos':{}},{'name':'x',"
          "'ephemeral':{'volumeClaimTemplate':{'spec':{'resources':"
          "{'requests':{'storage':'0.5'}}}}}}]}}",
          "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by "
          "default in v1.33+\n"
          "spec.volumes[1].storageOS: deprecated in v1.22, non-functional "
          "in v1.25+\n"
          "spec.volumes[2].ephemeral.volumeClaimTemplate.spec.resources."
          "requests[storage]: fractional byte value \"500m\" is invalid, "
          "must be an integer\n" },
        { NULL,
          POD(",'env':[{'name':'A'},{'name':'A'},{'name':'B','value':'1'},"
              "{'name':'B','value':'$(B)2'}],"
              "'resources':{'limits':{'memory':'0.5','cpu':'0.5'},"
              "'requests':{'ephemeral-storage':'0.5'}}"),
          "spec.containers[0].resources.limits[memory]: fractional byte "
          "value \"500m\" is invalid, must be an integer\n"
          "spec.containers[0].resources.requests[memory]: fractional byte "
          "value \"500m\" is invalid, must be an integer\n"
          "spec.containers[0].resources.requests[ephemeral-storage]: "
          "fractional byte value \"500m\" is invalid, must be an integer\n"
          "spec.containers[0].env[1]: hides previous definition of \"A\", "
          "which may be dropped when using apply\n" },
        { NULL,
          POD(",'ports':[{'containerPort':1},{'containerPort':1},"
              "{'containerPort':1,'hostPort':2},{'containerPort':3,"
              "'hostPort':4,'hostIP':'1.2.3.4'},{'containerPort':3,"
              "'hostPort':4},{'containerPort':3,'hostPort':5,"
              "'hostIP':'1.2.3.4'}]"),
          "spec.containers[0].ports[1]: duplicate port definition with "
          "spec.containers[0].ports[0]\n"
          "spec.containers[0].ports[2]: overlapping port definition with "
          "spec.containers[0].ports[0]\n"
          "spec.containers[0].ports[2]: overlapping port definition with "
          "spec.containers[0].ports[1]\n"
          "spec.containers[0].ports[4]: dangerously ambiguous port "
          "definition with spec.containers[0].ports[3]\n" },
        { NULL,
          POD(",'ports':[{'containerPort':1,'name':'a'},"
              "{'containerPort':2,'name':'a'}]"),
          "spec.containers[0].ports[1]: duplicate port name \"a\" with "
          "spec.containers[0].ports[0], services and probes that select "
          "ports by name will use spec.containers[0].ports[0]\n" },
    };

    CASE_RUN_WARNINGS("Pod", cases);
}

TEST(ports_of_pods_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          POD(",'ports':[{'name':'x','containerPort':1,'hostIP':'1.2.3.4'},"
              "{'name':'x','containerPort':2}]"),
          "spec.containers[0].ports[0]: hostIP set without hostPort: {Name:x "
          "HostPort:0 ContainerPort:1 Protocol:TCP HostIP:1.2.3.4}\n"
          "spec.containers[0].ports[1]: duplicate port name \"x\" with "
          "spec.containers[0].ports[0], services and probes that select ports "
          "by name will use spec.containers[0].ports[0]\n" },
    };

    CASE_RUN_WARNINGS("Pod", cases);
}

#define FILES(ITEMS)                                                          \
    "'items':[" ITEMS "]"

TEST(files_of_volumes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'volumes':[{'name':'v',"
          "'configMap':{'name':'m'," FILES("{'path':'a/'},{'path':'b'},"
          "{'path':'a/c'},{'path':'ab'},{'path':''}") "}},{'name':'w',"
          "'secret':{'secretName':'s'," FILES("{'path':'x'},{'path':'x'}")
          "}},{'name':'d','downwardAPI':{" FILES("{'path':'x/y'},"
          "{'path':'x'}") "}}]}}",
          "volume \"v\" (ConfigMap \"m\"): overlapping paths: \"a/c\" with "
          "\"a\"\n"
          "volume \"w\" (Secret \"s\"): overlapping paths: \"x\" with "
          "\"x\"\n"
          "volume \"d\" (DownwardAPI): overlapping paths: \"x\" with "
          "\"x/y\"\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'volumes':[{'name':'v',"
          "'projected':{'sources':[{},{'secret':{'name':'s',"
          FILES("{'path':'t'}") "}},{'configMap':{'name':'m',"
          FILES("{'path':'t/u'}") "}},{'downwardAPI':{" FILES("{'path':'q'}")
          "}},{'serviceAccountToken':{'path':'q/r'}}]}}]}}",
          "volume \"v\" (Projected) has no sources provided\n"
          "volume \"v\" (Projected): overlapping paths: \"t/u\" (ConfigMap "
          "\"m\") with \"t\" (Secret \"s\")\n"
          "volume \"v\" (Projected): overlapping paths: \"q/r\" "
          "(ServiceAccountToken) with \"q\" (DownwardAPI)\n" },
    };

    CASE_RUN_WARNINGS("Pod", cases);
}

TEST(addresses_and_profiles_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a','annotations':{'seccomp.security.alpha."
          "kubernetes.io/pod':'x','container.seccomp.security.alpha."
          "kubernetes.io/c':'x'}},'spec':{'containers':[{'name':'c'}],"
          "'dnsConfig':{'nameservers':['01.2.3.4','1.2.3.4']},"
          "'hostAliases':[{'ip':'::0:1'},{'ip':'::ffff:1.2.3.4'}]}}",
          "metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: "
          "non-functional in v1.27+; use the \"seccompProfile\" field "
          "instead\n"
          "metadata.annotations[container.seccomp.security.alpha.kubernetes."
          "io/c]: non-functional in v1.27+; use the \"seccompProfile\" field "
          "instead\n"
          "spec.dnsConfig.nameservers[0]: non-standard IP address "
          "\"01.2.3.4\" is invalid: use \"1.2.3.4\"\n"
          "spec.hostAliases[0].ip: IPv6 address \"::0:1\" should be in RFC "
          "5952 canonical format (\"::1\")\n"
          "spec.hostAliases[1].ip: non-standard IP address "
          "\"::ffff:1.2.3.4\" is invalid: use \"1.2.3.4\"\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'affinity':{'nodeAffinity':"
          "{'preferredDuringSchedulingIgnoredDuringExecution':[{'preference':"
          "{'matchExpressions':[{'key':'k','operator':'In','values':['a',"
          "'b c']}]}}]}}}}",
          "spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringE"
          "xecution[0].preference.matchExpressions[0].values[1]: b c is "
          "invalid, " CASE_LABEL_VALUE "\n" },
    };
    static const struct builtin_update templates[] = {
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'template':{'metadata':"
          "{'annotations':{'container."
          "apparmor.security.beta.kubernetes.io/c':'unconfined'}},'spec':"
          "{'containers':[{'name':'c'}]}}}}",
          "spec.template.metadata.annotations[container.apparmor.security."
          "beta.kubernetes.io/c]: deprecated since v1.30; use the "
          "\"appArmorProfile\" field instead\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'template':{'metadata':"
          "{'annotations':{'container."
          "apparmor.security.beta.kubernetes.io/c':'unconfined'}},'spec':"
          "{'securityContext':{'appArmorProfile':{'type':'Unconfined'}},"
          "'containers':[{'name':'c'}]}}}}",
          "" },
    };

    CASE_RUN_WARNINGS("Pod", cases);
    CASE_RUN_WARNINGS("ReplicaSet", templates);
}

#define OLD_TEMPLATE(MORE)                                                    \
    "'spec':{'template':{'spec':{'nodeSelector':{'beta.kubernetes.io/os':"    \
    "'x'},'containers':[{'name':'c'}]}}" MORE "}}"

TEST(some_kinds_look_at_templates_in_their_own_way)
{
    static const struct builtin_update controllers[] = {
        { "{'metadata':{'generation':1},'spec':{'template':{'spec':{}}}}",
          "{'metadata':{'generation':2}," OLD_TEMPLATE(""), "" },
        { "{'metadata':{'generation':1}," OLD_TEMPLATE(""),
          "{'metadata':{'generation':2},'spec':{'template':{'spec':{}}}}",
          "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: "
          "deprecated since v1.14; use \"kubernetes.io/os\" instead\n" },
    };
    static const struct builtin_update daemons[] = {
        { "{'metadata':{'generation':1,'annotations':{'deprecated.daemonset."
          "template.generation':'1'}}," OLD_TEMPLATE(""),
          "{'metadata':{'generation':2,'annotations':{'deprecated.daemonset."
          "template.generation':'1'}}," OLD_TEMPLATE(""), "" },
        { "{'metadata':{}," OLD_TEMPLATE(""),
          "{'metadata':{'annotations':{'deprecated.daemonset.template."
          "generation':'2'}}," OLD_TEMPLATE(""),
          "spec.template.spec.nodeSelector[beta.kubernetes.io/os]: "
          "deprecated since v1.14; use \"kubernetes.io/os\" instead\n" },
    };

    CASE_RUN_WARNINGS("ReplicationController", controllers);
    CASE_RUN_WARNINGS("DaemonSet", daemons);
}

TEST(templates_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'template':{'spec':{'terminationGracePeriodSeconds':-1}}"
          "}}",
          "metadata.name: this is used in Pod names and hostnames, which can "
          "result in surprising behavior; a DNS label is recommended: ["
          CASE_LABEL "]\n"
          "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; "
          "negative values are invalid and will be treated as 1\n" },
        { "{'metadata':{'generation':1}}",
          "{'metadata':{'generation':1},'spec':{'template':{'spec':"
          "{'terminationGracePeriodSeconds':-1}}}}",
          "" },
        { "{'metadata':{'generation':1}}",
          "{'metadata':{'generation':2},'spec':{'template':{'spec':"
          "{'terminationGracePeriodSeconds':-1}}}}",
          "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; "
          "negative values are invalid and will be treated as 1\n" },
    };

    CASE_RUN_WARNINGS("Deployment", cases);
}

/* Warnings that are not of a whole object. */
#define RUN_OTHER(FIND, JSON, WANT)                                           \
    run_other(__FILE__, __LINE__, FIND, JSON, WANT)

static void
run_other(const char *file, int line, yl_warn_fn *find, const char *json,
          const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf have;
    struct yl_warnings warnings = { arena, case_add_warning, &have };

    yl_buf_init(&have, SIZE_MAX);
    find(&warnings, case_parse(arena, json), NULL);
    case_expect(file, line, json, yl_buf_c_str(&have), want);
    yl_buf_release(&have);
    yl_arena_free(arena);
}

TEST(pods_are_warned_of_before_they_are_made)
{
    const struct yl_builtin *pod = case_kind("Pod");

    RUN_OTHER(pod->warn_first,
              "{'metadata':{'annotations':{'container.apparmor.security.beta."
              "kubernetes.io/c':'unconfined'}},'spec':{'containers':[{'name':"
              "'c'}]}}",
              "metadata.annotations[container.apparmor.security.beta."
              "kubernetes.io/c]: deprecated since v1.30; use the "
              "\"appArmorProfile\" field instead\n");
    RUN_OTHER(pod->warn_first, "{'spec':{'containers':[{'name':'c'}]}}", "");
    RUN_OTHER(pod->warn_status,
              "{'status':{'podIPs':[{'ip':'::1'},{'ip':'::0:1'}],'hostIPs':"
              "[{'ip':'001.2.3.4'}]}}",
              "status.podIPs[1].ip: IPv6 address \"::0:1\" should be in RFC "
              "5952 canonical format (\"::1\")\n"
              "status.hostIPs[0].ip: non-standard IP address \"001.2.3.4\" "
              "is invalid: use \"1.2.3.4\"\n");
}

TEST(names_become_those_of_pods)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a.b'},'spec':{'completionMode':'Indexed',"
          "'completions':100001,'parallelism':10001}}",
          "metadata.name: this is used in Pod names and hostnames, which "
          "can result in surprising behavior; a DNS label is recommended: "
          "[must not contain dots]\n"
          "spec: In Indexed Jobs with a number of completions higher than "
          "10^5 and a parallelism higher than 10^4, Kubernetes might not be "
          "able to track completedIndexes when a big number of indexes "
          "fail\n" },
        { "{}",
          "{'metadata':{'name':'a.b'},'spec':{'completionMode':'Indexed',"
          "'completions':100001,'parallelism':10001}}",
          "" },
    };

    CASE_RUN_WARNINGS("Job", cases);
}

TEST(schedules_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a.b'},'spec':{'jobTemplate':{'spec':"
          "{'completionMode':'Indexed','completions':100001,"
          "'parallelism':10001,'template':{'spec':"
          "{'terminationGracePeriodSeconds':-1}}}}}}",
          "metadata.name: this is used in Pod names and hostnames, which "
          "can result in surprising behavior; a DNS label is recommended: "
          "[must not contain dots]\n"
          "spec.jobTemplate.spec: In Indexed Jobs with a number of "
          "completions higher than 10^5 and a parallelism higher than 10^4, "
          "Kubernetes might not be able to track completedIndexes when a "
          "big number of indexes fail\n"
          "spec.jobTemplate.spec.template.spec."
          "terminationGracePeriodSeconds: must be >= 0; negative values are "
          "invalid and will be treated as 1\n" },
    };

    CASE_RUN_WARNINGS("CronJob", cases);
}

TEST(stateful_sets_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'revisionHistoryLimit':-1,"
          "'volumeClaimTemplates':[{'spec':{'resources':{'limits':"
          "{'storage':'0.5'}}}}]}}",
          "spec.volumeClaimTemplates[0].resources.limits[storage]: "
          "fractional byte value \"500m\" is invalid, must be an integer\n"
          "spec.revisionHistoryLimit: a negative value retains all "
          "historical revisions; a value >= 0 is recommended\n" },
        { "{'metadata':{'name':'a'}}",
          "{'metadata':{'name':'a'},'spec':{'volumeClaimTemplates':[{'spec':"
          "{'resources':{'limits':{'storage':'0.5'}}}}]}}",
          "spec.volumeClaimTemplates[0].Spec.resources.limits[storage]: "
          "fractional byte value \"500m\" is invalid, must be an integer\n"
          "" },
    };

    CASE_RUN_WARNINGS("StatefulSet", cases);
}

TEST(pod_templates_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'template':{'spec':{'terminationGracePeriodSeconds':-1}}}",
          "template.spec.terminationGracePeriodSeconds: must be >= 0; "
          "negative values are invalid and will be treated as 1\n" },
    };

    CASE_RUN_WARNINGS("PodTemplate", cases);
}

TEST(services_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'annotations':{'service.kubernetes."
          "io/topology-aware-hints':'x'}},'spec':{'clusterIP':'None',"
          "'loadBalancerIP':'1.2.3.4','externalIPs':['1.2.3.4'],"
          "'sessionAffinity':'ClientIP'}}",
          "annotation service.kubernetes.io/topology-aware-hints is "
          "deprecated, please use service.kubernetes.io/topology-mode "
          "instead\n"
          "spec.loadBalancerIP is ignored for headless services\n"
          "spec.externalIPs is ignored for headless services\n"
          "spec.SessionAffinity is ignored for headless services\n" },
        { NULL, "{'spec':{'clusterIPs':['None']}}", "" },
        { NULL,
          "{'spec':{'externalIPs':['1.2.3.4'],'externalName':'a',"
          "'trafficDistribution':'PreferClose'}}",
          "spec.externalIPs is deprecated and may no longer be implemented "
          "in some clusters\n"
          "spec.externalName is ignored when spec.type is not "
          "\"ExternalName\"\n"
          "spec.trafficDistribution: \"PreferClose\" is deprecated; use "
          "\"PreferSameZone\"\n" },
        { NULL,
          "{'spec':{'type':'ExternalName','externalName':'a',"
          "'externalIPs':['1.2.3.4']}}",
          "spec.externalIPs is ignored when spec.type is \"ExternalName\"\n"
          "" },
    };

    CASE_RUN_WARNINGS("Service", cases);
}

TEST(secrets_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'type':'kubernetes.io/tls','data':{'tls.crt':'',"
          "'tls.key':''}}",
          "tls: failed to find any PEM data in certificate input\n" },
        { NULL,
          "{'type':'kubernetes.io/tls','data':{'tls.crt':'LS0tLS1CRUdJTiA=',"
          "'tls.key':'QQ=='}}",
          "tls: failed to find any PEM data in key input\n" },
        { NULL,
          "{'type':'kubernetes.io/tls','data':{'tls.crt':'LS0tLS1CRUdJTiA=',"
          "'tls.key':'LS0tLS1CRUdJTiA='}}",
          "" },
        { NULL, "{'type':'Opaque'}", "" },
    };

    CASE_RUN_WARNINGS("Secret", cases);
}

TEST(accounts_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'annotations':{'kubernetes."
          "io/enforce-mountable-secrets':'true'}}}",
          "metadata.annotations[kubernetes.io/enforce-mountable-secrets]: "
          "deprecated in v1.32+; prefer separate namespaces to isolate "
          "access to mounted secrets\n" },
        { "{'metadata':{'annotations':{'kubernetes."
          "io/enforce-mountable-secrets':'true'}}}",
          "{'metadata':{'annotations':{'kubernetes."
          "io/enforce-mountable-secrets':'true'}}}",
          "" },
    };

    CASE_RUN_WARNINGS("ServiceAccount", cases);
}

TEST(volumes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'persistentVolumeReclaimPolicy':'Recycle','cephfs':{},"
          "'storageos':{}}}",
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy "
          "is deprecated. Instead, the recommended approach is to use "
          "dynamic provisioning.\n"
          "spec.cephfs: deprecated in v1.28, non-functional in v1.31+\n"
          "spec.storageOS: deprecated in v1.22, non-functional in v1.25+\n"
          "" },
        { NULL, "{'spec':{'hostPath':{}}}", "" },
    };

    CASE_RUN_WARNINGS("PersistentVolume", cases);
}

TEST(claims_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'annotations':{'volume.beta.kubernetes."
          "io/storage-class':'a'}},'spec':{'resources':{'requests':"
          "{'storage':'1.5'}}}}",
          "metadata.annotations[volume.beta.kubernetes.io/storage-class]: "
          "deprecated since v1.8; use \"storageClassName\" attribute "
          "instead\n"
          "spec.resources.requests[storage]: fractional byte value "
          "\"1500m\" is invalid, must be an integer\n" },
    };

    CASE_RUN_WARNINGS("PersistentVolumeClaim", cases);
}

TEST(ingresses_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}}}"
          "",
          "annotation \"kubernetes.io/ingress.class\" is deprecated, please "
          "use 'spec.ingressClassName' instead\n" },
        { NULL,
          "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}},"
          "'spec':{'ingressClassName':'a'}}",
          "" },
        { "{}",
          "{'metadata':{'annotations':{'kubernetes.io/ingress.class':'a'}}}"
          "",
          "" },
    };

    CASE_RUN_WARNINGS("Ingress", cases);
}

TEST(slices_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'addressType':'FQDN'}",
          "spec.addressType: FQDN endpoints are deprecated\n" },
        { "{}", "{'addressType':'FQDN'}", "" },
    };

    CASE_RUN_WARNINGS("EndpointSlice", cases);
}

TEST(old_volumes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'volumes':["
          "{'name':'a','photonPersistentDisk':{}},{'name':'b','gitRepo':{}},"
          "{'name':'c','scaleIO':{}},{'name':'d','flocker':{}},"
          "{'name':'e','storageos':{}},{'name':'f','quobyte':{}},"
          "{'name':'g','glusterfs':{}},{'name':'h','cephfs':{}},"
          "{'name':'i','rbd':{}}]}}",
          "spec.volumes[0].photonPersistentDisk: deprecated in v1.11, "
          "non-functional in v1.16+\n"
          "spec.volumes[1].gitRepo: deprecated in v1.11, and disabled by "
          "default in v1.33+\n"
          "spec.volumes[2].scaleIO: deprecated in v1.16, non-functional in "
          "v1.22+\n"
          "spec.volumes[3].flocker: deprecated in v1.22, non-functional in "
          "v1.25+\n"
          "spec.volumes[4].storageOS: deprecated in v1.22, non-functional in "
          "v1.25+\n"
          "spec.volumes[5].quobyte: deprecated in v1.22, non-functional in "
          "v1.25+\n"
          "spec.volumes[6].glusterfs: deprecated in v1.25, non-functional in "
          "v1.26+\n"
          "spec.volumes[7].cephfs: deprecated in v1.28, non-functional in "
          "v1.31+\n"
          "spec.volumes[8].rbd: deprecated in v1.28, non-functional in "
          "v1.31+\n" },
        { NULL,
          "{'metadata':{'name':'a'},'spec':{'containers':[{'name':'c',"
          "'ports':[{'containerPort':80,'hostIP':'1.2.3.4'}]}]}}",
          "spec.containers[0].ports[0]: hostIP set without hostPort: {Name: "
          "HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}\n" },
    };

    CASE_RUN_WARNINGS("Pod", cases);
}
