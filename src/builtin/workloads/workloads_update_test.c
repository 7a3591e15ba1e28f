/* Tests of updates of the kinds that keep Pods running. */

#include "builtin_case.h"

#define SET(MORE)                                                             \
    "{'spec':{'selector':{'matchLabels':{'a':'b'}},"                          \
    "'template':{'metadata':{'labels':{'a':'b'}},"                            \
    "'spec':{'containers':[{'name':'c','image':'i'}]}}" MORE "}}"

#define STATEFUL(MORE)                                                        \
    "{'spec':{'serviceName':'s','selector':{'matchLabels':{'a':'b'}},"        \
    "'template':{'metadata':{'labels':{'a':'b'}},"                            \
    "'spec':{'containers':[{'name':'c','image':'i'}]}}" MORE "}}"

#define RC(MORE)                                                              \
    "{'spec':{'selector':{'a':'b'},'template':{'metadata':{'labels':{'a':"    \
    "'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}" MORE "}}"

/* A case: the selector changes, and may not. */
#define OTHER_SELECTOR                                                        \
    { SET(""),                                                                \
      "{'spec':{'selector':{'matchLabels':{'c':'d'}},"                        \
      "'template':{'metadata':{'labels':{'c':'d'}},"                          \
      "'spec':{'containers':[{'name':'c','image':'i'}]}}}}",                  \
      "spec.selector: Invalid value: {\"matchLabels\":{\"c\":\"d\"}}: "       \
      "field is immutable\n" }

TEST(deployments_keep_their_selector)
{
    static const struct builtin_update cases[] = {
        { SET(""), SET(",'replicas':2,'paused':true"), "" },
        OTHER_SELECTOR,
        { SET(""),
          SET(",'replicas':-1"),
          "spec.replicas: Invalid value: -1: must be greater than or equal "
          "to 0\n" },
    };

    CASE_RUN_UPDATES("Deployment", cases);
}

TEST(replica_sets_keep_their_selector)
{
    static const struct builtin_update cases[] = {
        { SET(""), SET(",'replicas':2"), "" },
        OTHER_SELECTOR,
    };

    CASE_RUN_UPDATES("ReplicaSet", cases);
}

TEST(daemon_sets_keep_their_selector)
{
    static const struct builtin_update cases[] = {
        { SET(""), SET(",'minReadySeconds':2"), "" },
        OTHER_SELECTOR,
    };

    CASE_RUN_UPDATES("DaemonSet", cases);
}

TEST(controllers_change_their_selector)
{
    static const struct builtin_update cases[] = {
        { RC(""),
          "{'spec':{'selector':{'c':'d'},'template':{'metadata':{'labels':"
          "{'c':'d'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}",
          "" },
        { RC(""),
          RC(",'replicas':-1"),
          "spec.replicas: Invalid value: -1: must be greater than or equal "
          "to 0\n" },
    };

    CASE_RUN_UPDATES("ReplicationController", cases);
}

TEST(stateful_sets_hardly_change)
{
    static const struct builtin_update cases[] = {
        { STATEFUL(""),
          STATEFUL(",'replicas':2,'minReadySeconds':1,"
                   "'ordinals':{'start':1},'revisionHistoryLimit':1"),
          "" },
        { STATEFUL(""),
          STATEFUL(",'serviceName':'t'"),
          "spec: Forbidden: updates to statefulset spec for fields other "
          "than 'replicas', 'ordinals', 'template', 'updateStrategy', "
          "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
          "and 'minReadySeconds' are forbidden\n" },
        { STATEFUL(""),
          STATEFUL(",'podManagementPolicy':'Parallel'"),
          "spec: Forbidden: updates to statefulset spec for fields other "
          "than 'replicas', 'ordinals', 'template', 'updateStrategy', "
          "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
          "and 'minReadySeconds' are forbidden\n" },
        { STATEFUL(""),
          "{'spec':{'selector':{'matchLabels':{'c':'d'}},"
          "'template':{'metadata':{'labels':{'c':'d'}},"
          "'spec':{'containers':[{'name':'c','image':'i'}]}}}}",
          "spec: Forbidden: updates to statefulset spec for fields other "
          "than 'replicas', 'ordinals', 'template', 'updateStrategy', "
          "'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' "
          "and 'minReadySeconds' are forbidden\n" },
    };

    CASE_RUN_UPDATES("StatefulSet", cases);
}

TEST(counts_of_replica_sets_are_checked)
{
    static const struct builtin_update cases[] = {
        { SET(""),
          "{'status':{'replicas':2,'fullyLabeledReplicas':2,"
          "'readyReplicas':1,'availableReplicas':1}}",
          "" },
        { SET(""),
          "{'status':{'replicas':-1,'observedGeneration':-1}}",
          "status.replicas: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.observedGeneration: Invalid value: -1: must be greater "
          "than or equal to 0\n"
          "status.fullyLabeledReplicas: Invalid value: 0: cannot be greater "
          "than status.replicas\n"
          "status.readyReplicas: Invalid value: 0: cannot be greater than "
          "status.replicas\n"
          "status.availableReplicas: Invalid value: 0: cannot be greater "
          "than status.replicas\n" },
        { SET(""),
          "{'status':{'replicas':1,'fullyLabeledReplicas':2,"
          "'readyReplicas':2,'availableReplicas':3}}",
          "status.fullyLabeledReplicas: Invalid value: 2: cannot be greater "
          "than status.replicas\n"
          "status.readyReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n"
          "status.availableReplicas: Invalid value: 3: cannot be greater "
          "than status.replicas\n"
          "status.availableReplicas: Invalid value: 3: cannot be greater "
          "than readyReplicas\n" },
    };

    CASE_RUN_STATUS("ReplicaSet", cases);
}

TEST(counts_of_controllers_are_checked)
{
    static const struct builtin_update cases[] = {
        { RC(""),
          "{'status':{'replicas':1,'readyReplicas':2}}",
          "status.readyReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n" },
    };

    CASE_RUN_STATUS("ReplicationController", cases);
}

TEST(counts_of_deployments_are_checked)
{
    static const struct builtin_update cases[] = {
        { SET(""),
          "{'status':{'replicas':1,'updatedReplicas':2,'readyReplicas':1,"
          "'availableReplicas':1,'collisionCount':1}}",
          "status.updatedReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n" },
        { SET("},'status':{'collisionCount':2"),
          "{'status':{'collisionCount':1}}",
          "status.collisionCount: Invalid value: 1: cannot be decremented\n"
          "" },
        { SET("},'status':{'collisionCount':2"),
          "{'status':{}}",
          "status.collisionCount: Invalid value: 0: cannot be decremented\n"
          "" },
    };

    CASE_RUN_STATUS("Deployment", cases);
}

TEST(counts_of_stateful_sets_are_checked)
{
    static const struct builtin_update cases[] = {
        { STATEFUL(""),
          "{'status':{'replicas':1,'readyReplicas':2,'currentReplicas':2,"
          "'updatedReplicas':2,'availableReplicas':3}}",
          "status.readyReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n"
          "status.currentReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n"
          "status.updatedReplicas: Invalid value: 2: cannot be greater than "
          "status.replicas\n"
          "status.availableReplicas: Invalid value: 3: cannot be greater "
          "than status.replicas\n"
          "status.availableReplicas: Invalid value: 3: cannot be greater "
          "than status.readyReplicas\n" },
        { STATEFUL(""),
          "{'status':{'replicas':-1}}",
          "status.replicas: Invalid value: -1: must be greater than or "
          "equal to 0\n"
          "status.readyReplicas: Invalid value: 0: cannot be greater than "
          "status.replicas\n"
          "status.currentReplicas: Invalid value: 0: cannot be greater than "
          "status.replicas\n"
          "status.updatedReplicas: Invalid value: 0: cannot be greater than "
          "status.replicas\n"
          "status.availableReplicas: Invalid value: 0: cannot be greater "
          "than status.replicas\n" },
    };

    CASE_RUN_STATUS("StatefulSet", cases);
}

TEST(counts_of_daemon_sets_are_checked)
{
    static const struct builtin_update cases[] = {
        { SET(""),
          "{'status':{'numberReady':1,'desiredNumberScheduled':1}}",
          "" },
        { SET(""),
          "{'status':{'numberReady':-1,'currentNumberScheduled':-1}}",
          "status.currentNumberScheduled: Invalid value: -1: must be "
          "greater than or equal to 0\n"
          "status.numberReady: Invalid value: -1: must be greater than or "
          "equal to 0\n" },
    };

    CASE_RUN_STATUS("DaemonSet", cases);
}

TEST(changes_of_the_spec_are_counted)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'generation':3,'annotations':{'a':'b'}},"
               "'spec':{'replicas':1},'status':{'replicas':1}}");
    struct yl_node *object;

    object = case_parse(arena, "{'metadata':{'generation':9},"
                               "'spec':{'replicas':2},'status':{}}");
    yl_builtin_prepare_update(case_kind("ReplicaSet"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':4},'spec':{'replicas':2},'status':{"
            "'replicas':1}}");
    object = case_parse(arena, "{'metadata':{},'spec':{'replicas':1}}");
    yl_builtin_prepare_update(case_kind("ReplicaSet"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':3},'spec':{'replicas':1},'status':{"
            "'replicas':1}}");

    /* A Deployment's annotations count too. */
    object = case_parse(arena, "{'metadata':{},'spec':{'replicas':1}}");
    yl_builtin_prepare_update(case_kind("Deployment"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':4},'spec':{'replicas':1},'status':{"
            "'replicas':1}}");
    yl_arena_free(arena);
}

TEST(a_status_changes_nothing_else)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'generation':3,'labels':{'a':'b'}},"
               "'spec':{'replicas':1}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'labels':{'c':'d'}},'spec':{'replicas':2},"
               "'status':{'replicas':1}}");

    yl_builtin_prepare_status(case_kind("Deployment"), arena, object, old);
    CASE_IS(object,
            "{'metadata':{'generation':3,'labels':{'a':'b'}},"
            "'spec':{'replicas':1},"
            "'status':{'replicas':1}}");
    yl_arena_free(arena);
}

TEST(labels_of_a_template_come_back)
{
    static const char old[] = "{'metadata':{'labels':{'x':'y'}},'spec':"
                              "{'template':{'metadata':{'labels':"
                              "{'a':'b'}}}}}";
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, "{'status':{}}");

    yl_builtin_prepare_status(case_kind("ReplicationController"), arena,
                              object, case_parse(arena, old));
    CASE_IS(yl_member_object(object, "metadata"),
            "{'labels':{'a':'b'}}");
    object = case_parse(arena, "{'metadata':{'labels':{'c':'d'}}}");
    yl_builtin_prepare_status(case_kind("Job"), arena, object,
                              case_parse(arena, old));
    CASE_IS(yl_member_object(object, "metadata"),
            "{'labels':{'c':'d'}}");
    yl_arena_free(arena);
}

TEST(templates_of_daemon_sets_are_counted)
{
    const struct yl_builtin *kind = case_kind("DaemonSet");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'generation':1,'annotations':"
               "{'deprecated.daemonset.template.generation':'7'}},"
               "'spec':{'template':{'spec':{}}}}");
    struct yl_node *object;

    object = case_parse(arena, "{'spec':{'template':{'spec':{}}}}");
    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'annotations':{"
            "'deprecated.daemonset.template.generation':'7'},'generation':1},"
            "'spec':{'template':{'spec':{}}}}");
    object = case_parse(arena, "{'spec':{'template':{'spec':"
                               "{'hostPID':true}}}}");
    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'annotations':{"
            "'deprecated.daemonset.template.generation':'8'},'generation':2},"
            "'spec':{'template':{'spec':{'hostPID':true}}}}");
    object = case_parse(arena, "{'status':{}}");
    yl_builtin_prepare_status(kind, arena, object, old);
    CASE_IS(object,
            "{'metadata':{'annotations':{"
            "'deprecated.daemonset.template.generation':'7'},'generation':1},"
            "'spec':{'template':{'spec':{}}},'status':{}}");
    yl_arena_free(arena);
}
