/* Tests of Pods: what the recorded answers do not show, and one of each. */

#include "builtin/pods/pod.h"

#include "builtin/pods/pod_resources.h"
#include "builtin_case.h"

/* A Pod with more in its spec, and one whose container has more. */
#define POD(MORE) "{'spec':{'containers':[{'name':'c','image':'i'}]" MORE "}}"
#define CTR(MORE) "{'spec':{'containers':[{'name':'c','image':'i'" MORE "}]}}"

/* What such Pods end with after defaults. */
#define CTR_END                                                               \
    "'terminationMessagePath':'/dev/termination-log',"                        \
    "'terminationMessagePolicy':'File'}"
#define POD_MIDDLE "'dnsPolicy':'ClusterFirst','enableServiceLinks':true,"
#define POD_END                                                               \
    "'restartPolicy':'Always','schedulerName':'default-scheduler',"           \
    "'securityContext':{},'terminationGracePeriodSeconds':30}}"

TEST(pods_get_defaults)
{
    CASE_DEFAULT("Pod", POD(""),
                 "{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 CTR_END "]," POD_MIDDLE POD_END);
    CASE_DEFAULT("Pod", CTR(",'resources':{'limits':{'cpu':'0.0001'}}"),
                 "{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c','resources':{"
                 "'limits':{'cpu':'1m'},'requests':{'cpu':'1m'}},"
                 CTR_END "]," POD_MIDDLE POD_END);
    CASE_DEFAULT("Pod", CTR(",'livenessProbe':{'httpGet':{}}"),
                 "{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','livenessProbe':{"
                 "'failureThreshold':3,'httpGet':{'path':'/',"
                 "'scheme':'HTTP'},'periodSeconds':10,'successThreshold':1,"
                 "'timeoutSeconds':1},'name':'c',"
                 CTR_END "]," POD_MIDDLE POD_END);
    CASE_DEFAULT("Pod", CTR(",'startupProbe':{'grpc':{}}"),
                 "{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c','startupProbe':{"
                 "'failureThreshold':3,'grpc':{'service':''},"
                 "'periodSeconds':10,'successThreshold':1,"
                 "'timeoutSeconds':1},"
                 CTR_END "]," POD_MIDDLE POD_END);
    CASE_DEFAULT("Pod",
                 CTR(",'env':[{'valueFrom':{'fieldRef':{}}},"
                     "{'valueFrom':{'fileKeyRef':{}}}]"),
                 "{'spec':{'containers':[{'env':[{'valueFrom':{'fieldRef':{"
                 "'apiVersion':'v1'}}},{'valueFrom':{'fileKeyRef':{"
                 "'optional':false}}}],'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','enableServiceLinks':true,"
                 "'restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}");
    CASE_DEFAULT("Pod",
                 "{'spec':{'hostNetwork':true,'containers':["
                 "{'ports':[{'containerPort':80}]}]}}",
                 "{'spec':{'containers':[{'imagePullPolicy':'IfNotPresent',"
                 "'ports':[{'containerPort':80,'hostPort':80,"
                 "'protocol':'TCP'}],"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','enableServiceLinks':true,"
                 "'hostNetwork':true,'restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'terminationGracePeriodSeconds':30}}");
    CASE_DEFAULT("Pod", POD(",'serviceAccount':'x'"),
                 "{'spec':{'containers':[{'image':'i',"
                 "'imagePullPolicy':'Always','name':'c',"
                 "'terminationMessagePath':'/dev/termination-log',"
                 "'terminationMessagePolicy':'File'}],"
                 "'dnsPolicy':'ClusterFirst','enableServiceLinks':true,"
                 "'restartPolicy':'Always',"
                 "'schedulerName':'default-scheduler','securityContext':{},"
                 "'serviceAccount':'x','serviceAccountName':'x',"
                 "'terminationGracePeriodSeconds':30}}");
}

TEST(pods_ask_for_what_their_containers_do)
{
    CASE_DEFAULT("Pod",
                 "{'spec':{'resources':{'limits':{'cpu':'4'}},"
                 "'containers':[{'resources':{'requests':{'cpu':'1',"
                 "'memory':'1Gi'}}},{'resources':{'requests':"
                 "{'cpu':'500m'}}}],'initContainers':[{'restartPolicy':"
                 "'Always','resources':{'requests':{'cpu':'1'}}},"
                 "{'resources':{'requests':{'memory':'2Gi'}}}]}}",
                 "{'spec':{'containers':[{'imagePullPolicy':'IfNotPresent',"
                 "'resources':{'requests':{'cpu':'1','memory':'1Gi'}},"
                 CTR_END ",{"
                 "'imagePullPolicy':'IfNotPresent','resources':{'requests':{"
                 "'cpu':'500m'}},"
                 CTR_END "]," POD_MIDDLE
                 "'initContainers':[{'imagePullPolicy':'IfNotPresent',"
                 "'resources':{'requests':{'cpu':'1'}},"
                 "'restartPolicy':'Always',"
                 CTR_END ",{"
                 "'imagePullPolicy':'IfNotPresent','resources':{'requests':{"
                 "'memory':'2Gi'}},"
                 CTR_END "],'resources':{'limits':{"
                 "'cpu':'4'},'requests':{'cpu':'2500m','memory':'2Gi'}},"
                 POD_END);
    CASE_DEFAULT("Pod",
                 "{'spec':{'resources':{'requests':{'cpu':'1'}},"
                 "'containers':[{'resources':{'limits':"
                 "{'hugepages-2Mi':'4Mi'}}}]}}",
                 "{'spec':{'containers':[{'imagePullPolicy':'IfNotPresent',"
                 "'resources':{'limits':{'hugepages-2Mi':'4Mi'},'requests':{"
                 "'hugepages-2Mi':'4Mi'}},"
                 CTR_END "]," POD_MIDDLE
                 "'resources':{'limits':{'hugepages-2Mi':'4Mi'},'requests':{"
                 "'cpu':'1','hugepages-2Mi':'4Mi'}}," POD_END);
}

TEST(label_keys_become_requirements)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *pod = case_parse(
        arena,
        "{'metadata':{'labels':{'a':'b'}},'spec':{'affinity':{'podAffinity':"
        "{'requiredDuringSchedulingIgnoredDuringExecution':[{'matchLabelKeys':"
        "['a','none'],'labelSelector':{}}],"
        "'preferredDuringSchedulingIgnoredDuringExecution':[{"
        "'podAffinityTerm':{'mismatchLabelKeys':['a'],'labelSelector':"
        "{'matchExpressions':[]}}}]}},'topologySpreadConstraints':["
        "{'matchLabelKeys':['a']}]}}");

    yl_pod_merge_label_keys(arena, pod);
    CASE_IS(pod,
            "{'metadata':{'labels':{'a':'b'}},'spec':{'affinity':{"
            "'podAffinity':{"
            "'preferredDuringSchedulingIgnoredDuringExecution':[{"
            "'podAffinityTerm':{'labelSelector':{'matchExpressions':[{"
            "'key':'a','operator':'NotIn','values':['b']}]},"
            "'mismatchLabelKeys':['a']}}],"
            "'requiredDuringSchedulingIgnoredDuringExecution':[{"
            "'labelSelector':{'matchExpressions':[{'key':'a','operator':'In',"
            "'values':['b']}]},'matchLabelKeys':['a','none']}]}},"
            "'topologySpreadConstraints':[{'matchLabelKeys':['a']}]}}");
    yl_pod_merge_label_keys(arena, case_parse(arena, "{}"));
    yl_arena_free(arena);
}

TEST(old_tolerations_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/"
          "tolerations':'[{\\'key\\':\\'a b\\'}]'}},'spec':{'containers':"
          "[{'name':'c','image':'i'}]}}",
          "metadata.annotations.scheduler.alpha.kubernetes.io/tolerations["
          "0].key: Invalid value: \"a b\": " CASE_NAME_PART "\n" },
        { "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/"
          "tolerations':''}},'spec':{'containers':[{'name':'c','image':"
          "'i'}]}}",
          "" },
        { "{'metadata':{'annotations':{'scheduler.alpha.kubernetes.io/"
          "tolerations':'[]'}},'spec':{'containers':[{'name':'c','image':"
          "'i'}]}}",
          "" },
    };

    CASE_RUN("Pod", cases);
}

TEST(app_armor_annotations_become_fields)
{
    static const struct {
        const char *profile, *of_pod, *want;
    } cases[] = {
        { "unconfined", "",
          "{'name':'c','securityContext':{'appArmorProfile':"
          "{'type':'Unconfined'}}}" },
        { "runtime/default", "",
          "{'name':'c','securityContext':{'appArmorProfile':"
          "{'type':'RuntimeDefault'}}}" },
        { "localhost/x", "",
          "{'name':'c','securityContext':{'appArmorProfile':"
          "{'localhostProfile':'x','type':'Localhost'}}}" },
        { "localhost/ x", "", "{'name':'c'}" },
        { "localhost/", "", "{'name':'c'}" },
        { "runtime/default",
          ",'securityContext':{'appArmorProfile':{'type':'RuntimeDefault'}}",
          "{'name':'c'}" },
        { "unconfined", ",'os':{'name':'windows'}", "{'name':'c'}" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *pod = case_parse(arena, yl_arena_printf(
            arena, "{'metadata':{'annotations':{'container.apparmor.security."
                   "beta.kubernetes.io/c':'%s'}},'spec':{'containers':[{"
                   "'name':'c'}]%s}}", cases[i].profile, cases[i].of_pod));
        struct yl_node *c =
            yl_member_first(yl_member_object(pod, "spec"), "containers");

        yl_pod_copy_app_armor(arena, pod);
        CASE_IS(c, cases[i].want);
    }
    yl_arena_free(arena);
}
