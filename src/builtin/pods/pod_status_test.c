/* Tests of what new objects of the workload kinds get from the server: status,
 * labels, annotations. */

#include "builtin/pods/pod.h"

#include "builtin/builtin.h"
#include "json/pointer.h"
#include "unit.h"

/* A prepared object, written with ' for ". */
static struct yl_node *
prepare(struct yl_arena *arena, const char *group, const char *kind,
        const char *json)
{
    const struct yl_builtin *b = yl_builtin_find(yl_str_c(group), YL_STR("v1"),
                                                 yl_str_c(kind));
    char *text = yl_arena_strdup(arena, yl_str_c(json));
    struct yl_node *object = NULL;
    char *at;

    for (at = text; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &object,
                                   NULL), 0);
    assert_non_null(b);
    yl_builtin_default(b, arena, object);
    yl_builtin_prepare(b, arena, object);
    return object;
}

static void
assert_at(const struct yl_node *object, const char *pointer, const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *node = NULL;

    assert_int_equal(yl_pointer_find(arena, object, yl_str_c(pointer), &node,
                                     NULL), 0);
    assert_true(yl_node_string_is(node, yl_str_c(want)));
    yl_arena_free(arena);
}

TEST(the_class_of_a_pod_follows_from_its_resources)
{
    static const struct {
        const char *spec;
        const char *want;
    } cases[] = {
        { "{'containers':[{'name':'a'}]}", "BestEffort" },
        { "{'containers':[{'name':'a','resources':{'limits':"
          "{'cpu':'0','memory':'0','example.com/gpu':'1'}}}]}", "BestEffort" },
        { "{'containers':[{'name':'a','resources':{'requests':"
          "{'cpu':'1'}}}]}", "Burstable" },
        { "{'containers':[{'name':'a','resources':{'limits':"
          "{'cpu':'1','memory':'1Gi'}}}]}", "Guaranteed" },
        { "{'containers':[{'name':'a','resources':{'limits':"
          "{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'500m'}}}]}",
          "Burstable" },
        { "{'containers':[{'name':'a','resources':{'limits':"
          "{'cpu':'1','memory':'1Gi'}}},{'name':'b'}]}", "Burstable" },
        { "{'containers':[{'name':'a','resources':{'limits':"
          "{'cpu':'1','memory':'1Gi'}}}],'initContainers':[{'name':'b',"
          "'resources':{'limits':{'cpu':'1','memory':'1Gi'}}}]}",
          "Guaranteed" },
        { "{'resources':{'limits':{'cpu':'1','memory':'1Gi'}},"
          "'containers':[{'name':'a'}]}", "Guaranteed" },
        { "{'resources':{'limits':{'cpu':'1'}},"
          "'containers':[{'name':'a'}]}", "Burstable" },
        { "{'resources':{},'containers':[{'name':'a'}]}", "BestEffort" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *pod = prepare(
            arena, "", "Pod",
            yl_arena_printf(arena, "{'spec':%s,'status':{'phase':'Running',"
                            "'podIP':'10.0.0.1'}}", cases[i].spec));

        assert_at(pod, "/status/qosClass", cases[i].want);
        assert_at(pod, "/status/phase", "Pending");
        assert_int_equal(yl_member_object(pod, "status")->n, 2);
    }
    yl_arena_free(arena);
}

TEST(a_class_that_a_client_says_is_believed)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *pod = prepare(
        arena, "", "Pod", "{'spec':{'containers':[{'name':'a'}]},"
        "'status':{'qosClass':'Burstable'}}");

    assert_at(pod, "/status/qosClass", "Burstable");
    yl_arena_free(arena);
}

TEST(a_pod_with_gates_is_held)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *pod = prepare(
        arena, "", "Pod", "{'spec':{'schedulingGates':[{'name':'a'}],"
        "'containers':[{'name':'a'}]}}");

    assert_at(pod, "/status/conditions/0/type", "PodScheduled");
    assert_at(pod, "/status/conditions/0/status", "False");
    assert_at(pod, "/status/conditions/0/reason", "SchedulingGated");
    yl_arena_free(arena);
}

TEST(clients_cannot_set_the_status_of_workloads)
{
    static const struct {
        const char *group;
        const char *kind;
    } kinds[] = {
        { "", "ReplicationController" }, { "apps", "ReplicaSet" },
        { "apps", "Deployment" }, { "apps", "StatefulSet" },
        { "apps", "DaemonSet" }, { "batch", "Job" }, { "batch", "CronJob" },
        { "", "Service" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(kinds); i++) {
        struct yl_node *object = prepare(
            arena, kinds[i].group, kinds[i].kind,
            "{'metadata':{'name':'a'},'spec':{},'status':{'replicas':3}}");

        assert_null(yl_node_get(object, YL_STR("status")));
    }
    yl_arena_free(arena);
}

TEST(a_daemon_set_counts_its_templates)
{
    static const struct {
        const char *annotations;
        const char *want;
    } cases[] = {
        { "{}", "1" }, { "{'a':'b'}", "1" },
        { "{'deprecated.daemonset.template.generation':'0'}", "1" },
        { "{'deprecated.daemonset.template.generation':'7'}", "7" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_node *object = prepare(
            arena, "apps", "DaemonSet",
            yl_arena_printf(arena, "{'metadata':{'annotations':%s}}",
                            cases[i].annotations));

        assert_at(object, "/metadata/annotations/"
                  "deprecated.daemonset.template.generation", cases[i].want);
    }
    yl_arena_free(arena);
}

TEST(a_job_without_labels_has_those_of_its_pods)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *job = prepare(
        arena, "batch", "Job", "{'metadata':{'name':'a','uid':'u'},'spec':"
        "{'template':{'metadata':{'labels':{'x':'y'}}}}}");

    assert_at(job, "/metadata/labels/x", "y");
    assert_at(job, "/metadata/labels/job-name", "a");
    assert_at(job, "/metadata/labels/batch.kubernetes.io~1controller-uid",
              "u");

    job = prepare(arena, "batch", "Job",
                  "{'metadata':{'name':'a','uid':'u','labels':{'x':'y'}},"
                  "'spec':{'template':{'metadata':{'labels':{'x':'y'}}}}}");
    assert_int_equal(
        yl_member_object(yl_member_object(job, "metadata"), "labels")->n, 1);

    job = prepare(arena, "batch", "Job",
                  "{'metadata':{'name':'a','uid':'u'},'spec':"
                  "{'manualSelector':true,'template':{'metadata':"
                  "{'labels':{'x':'y'}}}}}");
    assert_int_equal(
        yl_member_object(yl_member_object(job, "metadata"), "labels")->n, 1);
    yl_arena_free(arena);
}

TEST(a_namespace_is_labelled_by_its_generated_name)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = prepare(arena, "", "Namespace",
                                     "{'metadata':{'generateName':'n-'}}");

    yl_member_set_str(arena, yl_member_object(object, "metadata"), "name",
                      "n-1");
    yl_builtin_prepare(yl_builtin_find(YL_STR(""), YL_STR("v1"),
                                       YL_STR("Namespace")), arena, object);
    assert_at(object, "/metadata/labels/kubernetes.io~1metadata.name", "n-1");
    yl_arena_free(arena);
}
