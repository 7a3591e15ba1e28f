/* Tests of the kinds that keep Pods running. */

#include "builtin_case.h"

#define TEMPLATE "'selector':{'matchLabels':{'a':'b'}},'template':{"         \
                 "'metadata':{'labels':{'a':'b'}},'spec':{'containers':"     \
                 "[{'name':'c','image':'i'}]}}"
#define OBJECT(MORE) "{'spec':{" TEMPLATE MORE "}}"

TEST(deployments)
{
    static const struct builtin_case cases[] = {
        { OBJECT(""), "" },
        { "{'spec':{}}",
          "spec.selector: Required value\n"
          "spec.template.metadata.labels: Invalid value: null: `selector` "
          "does not match template `labels`\n"
          "spec.template.spec.containers: Required value\n" },
        { OBJECT(",'selector':{}"), "spec.selector: Invalid value: {}: empty "
          "selector is invalid for deployment\n" },
        { OBJECT(",'strategy':{'type':'X'}"), "spec.strategy: Unsupported "
          "value: {\"Type\":\"X\",\"RollingUpdate\":null}: supported values: "
          "\"Recreate\", \"RollingUpdate\"\n" },
        { OBJECT(",'strategy':{'type':'Recreate','rollingUpdate':{}}"),
          "spec.strategy.rollingUpdate: Forbidden: may not be specified when "
          "strategy `type` is 'Recreate'\n" },
        { OBJECT(",'strategy':{'rollingUpdate':{'maxUnavailable':'0%',"
                 "'maxSurge':0}}"), "spec.strategy.rollingUpdate."
          "maxUnavailable: Invalid value: \"0%\": may not be 0 when "
          "`maxSurge` "
          "is 0\n" },
        { OBJECT(",'progressDeadlineSeconds':5,'minReadySeconds':5,"
                 "'replicas':-1"),
                 "spec.replicas: Invalid value: -1: must be greater than or "
                 "equal to 0\n"
                 "spec.progressDeadlineSeconds: Invalid value: 5: must be "
                 "greater than minReadySeconds\n" },
    };

    CASE_RUN("Deployment", cases);
    CASE_DEFAULT("Deployment", "{}",
                 "{'spec':{'progressDeadlineSeconds':600,'replicas':1,"
                 "'revisionHistoryLimit':10,'strategy':{'rollingUpdate':{"
                 "'maxSurge':'25%','maxUnavailable':'25%'},"
                 "'type':'RollingUpdate'},'template':{'spec':{"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}}");
}

TEST(replica_sets_and_controllers)
{
    static const struct builtin_case sets[] = {
        { OBJECT(""), "" },
        { OBJECT(",'selector':{'matchLabels':{'a b':''}}"),
          "spec.selector.matchLabels: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "spec.selector: Invalid value: {\"matchLabels\":{\"a b\":\"\"}}: "
          "invalid label selector\n" },
    };
    static const struct builtin_case controllers[] = {
        { "{'spec':{}}", "spec.selector: Required value\nspec.template: "
          "Required value\n" },
        { "{'spec':{'selector':{'a':'c'},'template':{'metadata':{'labels':"
          "{'a':'b'}},'spec':{'restartPolicy':'Never',"
          "'activeDeadlineSeconds':1,'containers':[{'name':'c',"
          "'image':'i'}]}}}}",
          "spec.template.metadata.labels: Invalid value: {\"a\":\"b\"}: "
          "`selector` does not match template `labels`\n"
          "spec.template.spec.restartPolicy: Unsupported value: \"Never\": "
          "supported values: \"Always\"\n"
          "spec.template.spec.activeDeadlineSeconds: Forbidden: "
          "activeDeadlineSeconds in ReplicationController is not "
          "Supported\n" },
        { "{'metadata':{'name':'a','generateName':'A b'},'spec':{'selector':"
          "{'a':'b'},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
          "'containers':[{'name':'c','image':'i'}]}}}}",
          "" },
    };

    CASE_RUN("ReplicaSet", sets);
    CASE_RUN("ReplicationController", controllers);
    CASE_DEFAULT("ReplicationController",
                 "{'spec':{'template':{'metadata':{'labels':"
                 "{'a':'b'}}}}}",
                 "{'metadata':{'labels':{'a':'b'}},'spec':{'replicas':1,"
                 "'selector':{'a':'b'},'template':{'metadata':{'labels':{"
                 "'a':'b'}},'spec':{'dnsPolicy':'ClusterFirst',"
                 "'restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}}");
    CASE_DEFAULT("ReplicaSet", "{}",
                 "{'spec':{'replicas':1,'template':{'spec':{"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}}}");
}

TEST(stateful_sets)
{
    static const struct builtin_case cases[] = {
        { OBJECT(""), "" },
        { OBJECT(",'podManagementPolicy':'X'"),
          "spec.podManagementPolicy: Invalid value: \"X\": must be "
          "'OrderedReady' or 'Parallel'\n" },
        { OBJECT(",'updateStrategy':{'type':'X'}"), "spec.updateStrategy: "
          "Invalid value: {\"Type\":\"X\",\"RollingUpdate\":null}: must be "
          "'RollingUpdate' or 'OnDelete'\n" },
        { OBJECT(",'updateStrategy':{'type':'OnDelete','rollingUpdate':"
                 "{'partition':1}}"), "spec.updateStrategy.rollingUpdate: "
          "Invalid value: {\"Partition\":1,\"MaxUnavailable\":null}: only "
          "allowed for updateStrategy 'RollingUpdate'\n" },
        { OBJECT(",'updateStrategy':{'type':'RollingUpdate','rollingUpdate':"
                 "{'partition':-1,'maxUnavailable':0}}"),
          "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: "
          "must be greater than or equal to 0\n" },
        { OBJECT(",'persistentVolumeClaimRetentionPolicy':{'whenDeleted':"
                 "'X'},'ordinals':{'start':-1},'serviceName':'A'"),
          "spec.persistentVolumeClaimRetentionPolicy.whenDeleted: "
          "Unsupported value: \"X\": supported values: \"Retain\", "
          "\"Delete\"\n"
          "spec.ordinals.start: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "spec.serviceName: Invalid value: \"A\": " CASE_LABEL "\n" },
        { OBJECT(",'selector':{'matchExpressions':[{'key':'a',"
                 "'operator':'X'}]}"),
          "spec.selector.matchExpressions[0].operator: Invalid value: \"X\": "
          "not a valid selector operator\n"
          "spec.selector: Invalid value: {\"matchExpressions\":[{"
          "\"key\":\"a\",\"operator\":\"X\"}]}\n" },
        { "{'spec':{'selector':{'matchLabels':{'a':'b'}},"
          "'volumeClaimTemplates':[{'metadata':{'name':'v'},'spec':"
          "{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
          "{'storage':'0'}}}},{'metadata':{'name':'v'}}],'template':"
          "{'metadata':{'labels':{'a':'b'}},'spec':{'volumes':[{'name':'v',"
          "'nfs':{}}],'containers':[{'name':'c','image':'i',"
          "'volumeMounts':[{'name':'v','mountPath':'/v'}]}]}}}}",
          "spec.volumeClaimTemplates[0].spec.resources[storage]: Invalid "
          "value: \"0\": must be greater than zero\n"
          "spec.volumeClaimTemplates[1].spec.accessModes: Required value: at "
          "least 1 access mode is required\n"
          "spec.volumeClaimTemplates[1].spec.resources[storage]: Required "
          "value\n" },
    };

    CASE_RUN("StatefulSet", cases);
    CASE_DEFAULT("StatefulSet", "{}",
                 "{'spec':{'persistentVolumeClaimRetentionPolicy':{"
                 "'whenDeleted':'Retain','whenScaled':'Retain'},"
                 "'podManagementPolicy':'OrderedReady','replicas':1,"
                 "'revisionHistoryLimit':10,'template':{'spec':{"
                 "'dnsPolicy':'ClusterFirst','restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}},'updateStrategy':{"
                 "'rollingUpdate':{'partition':0},'type':'RollingUpdate'}}}");
}

TEST(updates_of_stateful_sets_leave_claims_alone)
{
    static const struct builtin_update cases[] = {
        { OBJECT(",'serviceName':'a','volumeClaimTemplates':[{'metadata':"
                 "{'name':'v'},'spec':{'accessModes':['ReadWriteOnce'],"
                 "'resources':{'requests':{'storage':'1'}}}}]"),
          OBJECT(",'serviceName':'A','volumeClaimTemplates':"
                 "[{'metadata':{'name':'v'}}]"),
          "spec: Forbidden: updates to statefulset spec for fields other "
          "than 'replicas', 'ordinals', 'template', 'updateStrategy', "
          "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
          "and 'minReadySeconds' are forbidden\n" },
    };

    CASE_RUN_UPDATES("StatefulSet", cases);
}

TEST(daemon_sets)
{
    static const struct builtin_case cases[] = {
        { OBJECT(""), "" },
        { OBJECT(",'updateStrategy':{'type':'OnDelete'}"), "" },
        { OBJECT(",'updateStrategy':{'type':'X'}"),
          "spec.updateStrategy: Unsupported value: {\"Type\":\"X\","
          "\"RollingUpdate\":null}: supported values: \"RollingUpdate\", "
          "\"OnDelete\"\n" },
        { OBJECT(",'updateStrategy':{'rollingUpdate':{'maxSurge':'10%'}}"),
          "spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: "
          "\"10%\": may not be set when maxUnavailable is non-zero\n" },
        { OBJECT(",'updateStrategy':{'rollingUpdate':{'maxUnavailable':0}}"),
          "spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: "
          "cannot be 0 when maxSurge is 0\n" },
        { OBJECT(",'selector':{}"),
          "spec.selector: Invalid value: {}: empty selector is invalid for "
          "daemonset\n" },
        { OBJECT(",'updateStrategy':{'rollingUpdate':{'maxUnavailable':"
                 "'150%'}}"),
                 "spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid "
                 "value: \"150%\": must not be greater than 100%\n" },
    };

    CASE_RUN("DaemonSet", cases);
}
