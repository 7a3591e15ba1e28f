/* Tests of pods/ephemeralcontainers and pods/resize. */

#include "builtin/common/subresources.h"
#include "builtin_case.h"

#define POD(MORE)                                                             \
    "{'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':" \
    "{'cpu':'1'}}}]" MORE "}}"
#define SIZED(RESOURCES)                                                      \
    "{'spec':{'containers':[{'name':'c','image':'i','resources':" RESOURCES   \
    "}]}}"
#define EPHEMERAL(MORE)                                                       \
    "{'spec':{'ephemeralContainers':[{'name':'e','image':'i'" MORE "}]}}"

/* The causes of 'json' in place of 'old', or what it becomes. */
static const char *
write(struct yl_arena *arena, const struct yl_builtin_subresource *end,
      const char *old, const char *json, struct yl_node **ret_object)
{
    const struct yl_builtin *kind = case_kind("Pod");
    struct yl_node *before = case_parse(arena, old);
    struct yl_node *object = case_parse(arena, json);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *status;

    yl_builtin_default(kind, arena, case_identify(arena, kind, before));
    status = yl_member_object(before, "status");
    status = status ? yl_node_copy(arena, status) : NULL;
    yl_builtin_prepare(kind, arena, before);
    if (status) {
        yl_member_set(arena, before, "status", status);
    }
    yl_builtin_default(kind, arena, case_identify(arena, kind, object));
    yl_subresource_prepare(end, arena, object, before);
    yl_subresource_validate(end, kind, arena, object, before, &err);
    if (ret_object) {
        *ret_object = object;
    }
    return case_write_causes(arena, &err);
}

#define RUN(END, CASES) run(__LINE__, END, CASES, CASE_N(CASES))

static void
run(int line, const struct yl_builtin_subresource *end,
    const struct builtin_update *cases, size_t n)
{
    struct yl_arena *arena = yl_arena_new();
    bool good = true;
    size_t i;

    for (i = 0; i < n; i++) {
        good &= whole_check(__FILE__, line, i, cases[i].json,
                            write(arena, end, cases[i].old, cases[i].json,
                                  NULL),
                            cases[i].causes);
    }
    yl_arena_free(arena);
    assert_true(good);
}

TEST(ephemeral_containers_only_come)
{
    static const struct builtin_update cases[] = {
        { POD(""), EPHEMERAL(""), "" },
        { POD(""), EPHEMERAL(",'ports':[{'containerPort':1}]"),
          "spec.ephemeralContainers[0].ports: Forbidden: cannot be set for an "
          "Ephemeral Container\n" },
        { POD(",'ephemeralContainers':[{'name':'e','image':'j'}]"),
          EPHEMERAL(""),
          "spec.ephemeralContainers: Forbidden: existing ephemeral "
          "containers \"e\" may not be changed\n"
          " @@ -1,6 +1,6 @@\n"
          "  {\n"
          "   \"Name\": \"e\",\n"
          " - \"Image\": \"j\",\n"
          " + \"Image\": \"i\",\n"
          "   \"Command\": null,\n"
          "   \"Args\": null,\n"
          "   \"WorkingDir\": \"\",\n"
          " \n" },
        { POD(",'ephemeralContainers':[{'name':'f','image':'j'}]"),
          EPHEMERAL(""),
          "spec.ephemeralContainers: Forbidden: existing ephemeral "
          "containers \"f\" may not be removed\n"
          " \n" },
        { "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}},"
          "'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}",
          EPHEMERAL(""),
          "[]: Forbidden: static pods do not support ephemeral containers\n" },
    };

    RUN(&yl_pod_ephemeral_containers, cases);
}

TEST(nothing_else_comes_with_ephemeral_containers)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object;

    assert_string_equal(
        write(arena, &yl_pod_ephemeral_containers, POD(""),
              "{'metadata':{'labels':{'a':'b'}},'spec':{'hostNetwork':true,"
              "'ephemeralContainers':[{'name':'e','image':'i'}]}}", &object),
        "");
    CASE_IS(object,
            "{'metadata':{'generation':2,'name':'a','namespace':'ns',"
            "'uid':'u-1'},'spec':{'containers':[{'image':'i',"
            "'imagePullPolicy':'Always','name':'c','resources':{'requests':{"
            "'cpu':'1'}},'terminationMessagePath':'/dev/termination-log',"
            "'terminationMessagePolicy':'File'}],'dnsPolicy':'ClusterFirst',"
            "'enableServiceLinks':true,'ephemeralContainers':[{'image':'i',"
            "'imagePullPolicy':'Always','name':'e',"
            "'terminationMessagePath':'/dev/termination-log',"
            "'terminationMessagePolicy':'File'}],'restartPolicy':'Always',"
            "'schedulerName':'default-scheduler','securityContext':{},"
            "'terminationGracePeriodSeconds':30},'status':{'phase':'Pending',"
            "'qosClass':'Burstable'}}");
    assert_true(
        yl_member_is_absent(yl_member_object(object, "spec"), "hostNetwork"));
    assert_true(
        yl_member_is_absent(yl_member_object(object, "metadata"), "labels"));
    yl_arena_free(arena);
}

TEST(only_cpu_and_memory_are_resized)
{
    static const struct builtin_update cases[] = {
        { POD(""), SIZED("{'requests':{'cpu':'2'}}"), "" },
        { POD(""), SIZED("{'requests':{'cpu':'2','memory':'1Gi'}}"), "" },
        { POD(""), SIZED("{'requests':{'memory':'1Gi'}}"),
          "spec.containers[0].resources.requests: Forbidden: resource "
          "requests cannot be removed\n" },
        { POD(""), SIZED("{'requests':{'cpu':'2','ephemeral-storage':'1'}}"),
          "spec: Forbidden: only cpu and memory resources are mutable\n" },
        { POD(""), SIZED("{'requests':{'cpu':'2','memory':'1'},'limits':"
                         "{'cpu':'2','memory':'1'}}"),
          "spec: Invalid value: \"Burstable\": Pod QOS Class may not change "
          "as a result of resizing\n" },
        { POD(""), "{'spec':{'containers':[{'name':'d','image':'i',"
                   "'resources':{'requests':{'cpu':'1'}}}]}}",
          "spec.containers[0].name: Forbidden: containers may not be renamed "
          "or reordered on resize\n" },
        { POD(""), "{'spec':{'containers':[]}}",
          "spec.containers: Required value\n"
          "spec: Invalid value: \"Burstable\": Pod QOS Class may not change "
          "as a result of resizing\n"
          "spec.containers: Forbidden: containers may not be added or "
          "removed on resize\n" },
        { POD(",'initContainers':[{'name':'j','image':'i'}]"),
          "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':"
          "'1'}}}],'initContainers':[{'name':'j','resources':{'requests':"
          "{'ephemeral-storage':'1'}}}]}}",
          "spec.initContainers[0]: Forbidden: only cpu and memory resources "
          "for init or sidecar containers are mutable\n" },
        { POD(",'initContainers':[{'name':'j','image':'i','resizePolicy':"
              "[{'resourceName':'cpu','restartPolicy':'RestartContainer'}]}]"),
          "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':"
          "'1'}}}],'initContainers':[{'name':'j','resizePolicy':"
          "[{'resourceName':'cpu','restartPolicy':'RestartContainer'}],"
          "'resources':{'requests':{'cpu':'1'}}}]}}",
          "spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid "
          "value: \"RestartContainer\": must not be set to "
          "'RestartContainer' for non-sidecar initContainers\n"
          "spec.initContainers[0]: Forbidden: only cpu and memory resources "
          "for init or sidecar containers are mutable\n"
          "spec.initContainers[0]: Forbidden: non-sidecar init containers "
          "with a resize policy of RestartContainer cannot be resized\n" },
        { "{'spec':{'os':{'name':'windows'},'containers':[{'name':'c',"
          "'image':'i'}]}}", SIZED("{}"),
          "[]: Forbidden: windows pods cannot be resized\n" },
        { "{'metadata':{'annotations':{'kubernetes.io/config.mirror':'x'}},"
          "'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}",
          SIZED("{}"), "[]: Forbidden: static pods cannot be resized\n" },
        { POD(""), "{'spec':{'containers':[{'name':'c','resources':"
                   "{'requests':{'cpu':'1'}},'resizePolicy':[{'resourceName':"
                   "'cpu','restartPolicy':'NotRequired'}]}]}}",
          "spec: Forbidden: only cpu and memory resources are mutable\n" },
        { POD(""), SIZED("{'requests':{'cpu':'1'},'claims':[{'name':'x'}]}"),
          "spec.containers[0].resources.claims[0]: Not found: \"x\": must be "
          "one of the names in pod.spec.resourceClaims which is empty\n" },
        { POD(""), "{'spec':{'resources':{'limits':{'cpu':'3'}},'containers':"
                   "[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}",
          "" },
        { POD(",'resources':{'limits':{'cpu':'3'}}"), SIZED("{'requests':"
                                                           "{'cpu':'1'}}"),
          "spec.resources: Forbidden: pod-level resources cannot be "
          "removed\n" },
        { POD(",'resources':{'limits':{'cpu':'3'}}"),
          "{'spec':{'resources':{'requests':{'memory':'1Gi'}},'containers':"
          "[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}",
          "spec.resources.requests: Forbidden: pod-level resource requests "
          "cannot be removed\n"
          "spec.resources.limits: Forbidden: pod-level resource limits "
          "cannot be removed\n" },
        { POD(",'resources':{'limits':{'cpu':'3'}}"),
          "{'spec':{'resources':{'limits':{'cpu':'3','hugepages-2Mi':'2Mi'}},"
          "'containers':[{'name':'c','resources':{'requests':{'cpu':'1'}}}]}}",
          "spec: Forbidden: only cpu and memory resources are mutable at "
          "pod-level\n" },
        { POD("},'status':{'qosClass':'Burstable','containerStatuses':"
              "[{'name':'c','state':{'running':{}}}]"),
          SIZED("{'requests':{'cpu':'2'}}"),
          "spec: Forbidden: Pod running on node without support for "
          "resize\n" },
    };

    RUN(&yl_pod_resize, cases);
}

TEST(a_resize_changes_nothing_else)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object;

    assert_string_equal(
        write(arena, &yl_pod_resize, POD(""),
              "{'metadata':{'labels':{'a':'b'}},'spec':{'hostNetwork':true,"
              "'containers':[{'name':'c','image':'other','resources':"
              "{'requests':{'cpu':'3'}}}]}}", &object), "");
    CASE_IS(object,
            "{'metadata':{'generation':2,'name':'a','namespace':'ns',"
            "'uid':'u-1'},'spec':{'containers':[{'image':'i',"
            "'imagePullPolicy':'Always','name':'c','resources':{'requests':{"
            "'cpu':'3'}},'terminationMessagePath':'/dev/termination-log',"
            "'terminationMessagePolicy':'File'}],'dnsPolicy':'ClusterFirst',"
            "'enableServiceLinks':true,'restartPolicy':'Always',"
            "'schedulerName':'default-scheduler','securityContext':{},"
            "'terminationGracePeriodSeconds':30},'status':{'phase':'Pending',"
            "'qosClass':'Burstable'}}");
    assert_true(
        yl_member_is_absent(yl_member_object(object, "spec"), "hostNetwork"));
    yl_arena_free(arena);
}
