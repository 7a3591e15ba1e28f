/* Tests of the plugins, over a keyspace in memory. */

#include "apiserver/admission/plugin.h"

#include <string.h>

#include "apiserver/auth/user.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "storage/memory.h"
#include "unit.h"

/* openssl req -new -newkey ec -subj /O=system:masters/CN=x, in base64. */
#define MASTERS                                                               \
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIZk1JR0hBZ0VBTU"      \
    "NVeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVFvd0NBWURWUVFEREFG"      \
    "NApNRmt3RXdZSEtvWkl6ajBDQVFZSUtvWkl6ajBEQVFjRFFnQUVoY2dPWlhFNnF4WD"      \
    "NkMGVhdkE5VzFpcitxaGRaClp3OTJQOXJOSmZScjErc0tVQW14YWZTdm9yVjRkQzhx"      \
    "eEVZVWJnMkcyelVTSUxNMVJjRkhZVi9DVXFBQU1Bb0cKQ0NxR1NNNDlCQU1DQTBjQU"      \
    "1FUUNJRzFMaVVjQnl0c0Zhb3hTaVNpcUVaalErelRoQVZhNEhWRkZoOHRFVWNZbwpB"      \
    "aUFjK2JmeHNEeDZwY1hac3JXUGFSakJseC91ODdBb3k4SkF3TVlTeElKVG5nPT0KLS"      \
    "0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=="

struct fixture {
    struct yl_storage *storage;
    struct yl_apiserver server;
    struct yl_arena *arena;
    struct yl_status status;
};

static struct yl_node *
parse(struct yl_arena *arena, const char *json)
{
    char *text = yl_arena_strdup(arena, yl_str_c(json)), *at;
    struct yl_node *root = NULL;

    for (at = text; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &root, NULL),
                     0);
    return root;
}

static void
set_up(struct fixture *f)
{
    *f = (struct fixture) { .storage = yl_memory_new(NULL),
                            .arena = yl_arena_new() };
    f->server.opts.plugins_off = yl_admission_mask("ServiceAccount");
    f->server.keyspace = yl_keyspace_new(f->storage, NULL);
    f->server.registry = yl_registry_new();
    yl_registry_add_builtins(f->server.registry, f->server.keyspace);
    assert_int_equal(yl_keyspace_load(f->server.keyspace, NULL), 0);
    assert_int_equal(yl_keyspace_start(f->server.keyspace, NULL), 0);
}

static void
tear_down(struct fixture *f)
{
    yl_status_clear(&f->status);
    yl_registry_free(f->server.registry);
    yl_keyspace_free(f->server.keyspace);
    yl_storage_close(f->storage);
    yl_arena_free(f->arena);
}

/* Stores an object of a cluster-scoped kind. */
static void
store(struct fixture *f, const char *group, const char *plural,
      const char *name, const char *json)
{
    const struct yl_api_resource *resource =
        yl_registry_builtin(f->server.registry, group, plural);
    struct yl_ks_write write = {
        .resource = resource->objects,
        .key = yl_key_make(YL_STR(""), yl_str_c(name)),
    };
    struct yl_node *tree = parse(f->arena, json);
    struct yl_buf text;

    yl_buf_init(&text, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&text, tree), 0);
    assert_int_equal(yl_object_ingest(yl_buf_str(&text), NULL, &write.object,
                                      NULL), 0);
    assert_int_equal(yl_keyspace_write_wait(f->server.keyspace, &write), 0);
    yl_object_unref(write.object);
    yl_buf_release(&text);
}

static struct yl_admission
admission(struct fixture *f, enum yl_operation operation, const char *group,
          const char *plural, const char *json)
{
    struct yl_admission a = {
        .server = &f->server,
        .arena = f->arena,
        .resource = yl_registry_builtin(f->server.registry, group, plural),
        .operation = operation,
        .object = json ? parse(f->arena, json) : NULL,
    };

    return a;
}

/* Runs both halves; the object that came of it, or the message. */
static const char *
admit(struct fixture *f, struct yl_admission *a)
{
    const char *text;
    struct yl_buf buf;

    yl_status_clear(&f->status);
    if (yl_admit_mutate(a, &f->status) < 0
        || yl_admit_validate(a, &f->status) < 0) {
        return yl_error_message(&f->status.error);
    }
    if (!a->object) {
        return "";
    }
    yl_buf_init(&buf, SIZE_MAX);
    assert_int_equal(yl_node_write_canonical(&buf, a->object), 0);
    text = yl_arena_strdup(f->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

static const char *
create(struct fixture *f, const char *group, const char *plural,
       const char *json)
{
    struct yl_admission a = admission(f, YL_OPERATION_CREATE, group, plural,
                                      json);

    return admit(f, &a);
}

static void
assert_has(const char *text, const char *part)
{
    char room[1024], *at;

    snprintf(room, sizeof room, "%s", part);
    for (at = room; (at = strchr(at, '\'')) != NULL;) {
        *at = '"';
    }
    if (!strstr(text, room)) {
        fail_msg("%s\nhas no\n%s", text, room);
    }
}

TEST(namespaces_must_be_there_and_stay)
{
    struct fixture f;
    struct yl_admission a;

    set_up(&f);
    store(&f, "", "namespaces", "old", "{'metadata':{'name':'old'},"
          "'status':{'phase':'Terminating'}}");
    store(&f, "", "namespaces", "new", "{'metadata':{'name':'new'},"
          "'status':{'phase':'Active'}}");
    a = admission(&f, YL_OPERATION_CREATE, "", "configmaps",
                  "{'metadata':{'generateName':'a-'}}");
    a.namespace_ = YL_STR("none");
    assert_string_equal(admit(&f, &a), "namespaces \"none\" not found");
    assert_int_equal(f.status.error.code, YL_ENOTFOUND);
    a.namespace_ = YL_STR("old");
    assert_string_equal(admit(&f, &a), "configmaps \"a-\" is forbidden: "
                        "unable to create new content in namespace old "
                        "because it is being terminated");
    assert_string_equal(f.status.error.causes[0].reason,
                        "NamespaceTerminating");
    a.operation = YL_OPERATION_UPDATE;
    assert_has(admit(&f, &a), "generateName");
    a.operation = YL_OPERATION_CREATE;
    a.namespace_ = YL_STR("new");
    assert_has(admit(&f, &a), "generateName");

    a = admission(&f, YL_OPERATION_DELETE, "", "namespaces", NULL);
    a.name = YL_STR("kube-system");
    assert_string_equal(admit(&f, &a), "namespaces \"kube-system\" is "
                        "forbidden: this namespace may not be deleted");
    a.name = YL_STR("new");
    assert_string_equal(admit(&f, &a), "");
    a = admission(&f, YL_OPERATION_DELETE, "", "configmaps", NULL);
    a.namespace_ = YL_STR("none");
    assert_string_equal(admit(&f, &a), "");
    a = admission(&f, YL_OPERATION_CREATE, "authorization.k8s.io",
                  "localsubjectaccessreviews", "{}");
    a.namespace_ = YL_STR("none");
    assert_string_equal(admit(&f, &a), "{}");
    tear_down(&f);
}

TEST(pods_get_priority_and_tolerations)
{
    struct fixture f;
    struct yl_admission a;
    const char *text;

    set_up(&f);
    text = create(&f, "", "pods", "{'metadata':{'name':'p'}}");
    assert_has(text, "'preemptionPolicy':'PreemptLowerPriority',"
                     "'priority':0,'tolerations':[{'effect':'NoExecute',"
                     "'key':'node.kubernetes.io/not-ready',"
                     "'operator':'Exists','tolerationSeconds':300},"
                     "{'effect':'NoExecute',"
                     "'key':'node.kubernetes.io/unreachable'");
    assert_has(create(&f, "", "pods", "{'spec':{'tolerations':["
                      "{'operator':'Exists'}]}}"),
               "'tolerations':[{'operator':'Exists'}]");
    assert_has(create(&f, "", "pods", "{'metadata':{'name':'p'},"
                      "'spec':{'priorityClassName':'x'}}"),
               "pods 'p' is forbidden: no PriorityClass with name x");
    store(&f, "scheduling.k8s.io", "priorityclasses", "a",
          "{'metadata':{'name':'a'},'value':7,'globalDefault':true,"
          "'preemptionPolicy':'Never'}");
    store(&f, "scheduling.k8s.io", "priorityclasses", "b",
          "{'metadata':{'name':'b'},'value':5,'globalDefault':true}");
    assert_has(create(&f, "", "pods", "{}"),
               "'priority':5,'priorityClassName':'b'");
    assert_has(create(&f, "", "pods",
                      "{'spec':{'priorityClassName':'a'}}"),
               "'preemptionPolicy':'Never','priority':7");
    assert_has(create(&f, "", "pods", "{'spec':{'priorityClassName':'a',"
                      "'priority':1}}"),
               "the integer value of priority (1) must not be provided");
    assert_has(create(&f, "", "pods", "{'spec':{'priorityClassName':'a',"
                      "'preemptionPolicy':'PreemptLowerPriority'}}"),
               "the string value of PreemptionPolicy");

    a = admission(&f, YL_OPERATION_UPDATE, "", "pods", "{'spec':{}}");
    a.old = parse(f.arena, "{'spec':{'priority':3,"
                           "'preemptionPolicy':'Never'}}");
    assert_has(admit(&f, &a), "'preemptionPolicy':'Never','priority':3");
    tear_down(&f);
}

TEST(one_priority_class_is_the_default)
{
    struct fixture f;
    struct yl_admission a;

    set_up(&f);
    store(&f, "scheduling.k8s.io", "priorityclasses", "a",
          "{'metadata':{'name':'a'},'globalDefault':true}");
    assert_has(create(&f, "scheduling.k8s.io", "priorityclasses",
                      "{'metadata':{'name':'b'},'globalDefault':true}"),
               "PriorityClass a is already marked as default. Only one "
               "default can exist");
    a = admission(&f, YL_OPERATION_UPDATE, "scheduling.k8s.io",
                  "priorityclasses",
                  "{'metadata':{'name':'a'},'globalDefault':true}");
    assert_has(admit(&f, &a), "globalDefault");
    a = admission(&f, YL_OPERATION_DELETE, "scheduling.k8s.io",
                  "priorityclasses", NULL);
    a.name = YL_STR("system-node-critical");
    assert_has(admit(&f, &a), "this is a system priority class and cannot be "
                              "deleted");
    tear_down(&f);
}

TEST(nodes_are_tainted_and_pods_know_where_they_are)
{
    struct fixture f;
    struct yl_admission a;

    set_up(&f);
    assert_has(create(&f, "", "nodes", "{}"),
               "'taints':[{'effect':'NoSchedule',"
               "'key':'node.kubernetes.io/not-ready'}]");
    assert_string_equal(
        create(&f, "", "nodes", "{\"spec\":{\"taints\":[{\"effect\":"
               "\"NoSchedule\",\"key\":\"node.kubernetes.io/not-ready\"}]}}"),
        "{\"spec\":{\"taints\":[{\"effect\":\"NoSchedule\","
        "\"key\":\"node.kubernetes.io/not-ready\"}]}}");
    store(&f, "", "nodes", "n", "{'metadata':{'name':'n','labels':"
          "{'topology.kubernetes.io/zone':'z','other':'x'}}}");
    assert_has(create(&f, "", "pods", "{'spec':{'nodeName':'n'}}"),
               "'metadata':{'labels':{'topology.kubernetes.io/zone':'z'}}");
    a = admission(&f, YL_OPERATION_CREATE, "", "pods",
                  "{'target':{'kind':'Node','name':'n'}}");
    a.subresource = YL_SUB_BINDING;
    assert_has(admit(&f, &a),
               "'labels':{'topology.kubernetes.io/zone':'z'}");
    tear_down(&f);
}

TEST(volumes_in_use_are_held)
{
    struct fixture f;

    set_up(&f);
    assert_has(create(&f, "", "persistentvolumes", "{}"),
               "'finalizers':['kubernetes.io/pv-protection']");
    assert_has(create(&f, "", "persistentvolumeclaims", "{'metadata':"
                      "{'finalizers':['a/b']}}"),
               "'finalizers':['a/b','kubernetes.io/pvc-protection']");
    assert_has(create(&f, "storage.k8s.io", "volumeattributesclasses",
                      "{'metadata':{'finalizers':"
                      "['kubernetes.io/vac-protection']}}"),
               "'finalizers':['kubernetes.io/vac-protection']");
    tear_down(&f);
}

TEST(default_classes_are_the_newest_ones)
{
    static const char annotation[] =
        "storageclass.kubernetes.io/is-default-class";
    struct fixture f;
    char text[512];

    set_up(&f);
    snprintf(text, sizeof text, "{'metadata':{'name':'a','annotations':"
             "{'%s':'true'},'creationTimestamp':'2020-01-01T00:00:00Z'}}",
             annotation);
    store(&f, "storage.k8s.io", "storageclasses", "a", text);
    snprintf(text, sizeof text, "{'metadata':{'name':'b','annotations':"
             "{'%s':'true'},'creationTimestamp':'2021-01-01T00:00:00Z'}}",
             annotation);
    store(&f, "storage.k8s.io", "storageclasses", "b", text);
    assert_has(create(&f, "", "persistentvolumeclaims", "{}"),
               "'storageClassName':'b'");
    assert_has(create(&f, "", "persistentvolumeclaims",
                      "{'spec':{'storageClassName':''}}"),
               "'storageClassName':''");
    assert_string_equal(create(&f, "networking.k8s.io", "ingresses", "{}"),
                        "{\"spec\":{}}");
    store(&f, "networking.k8s.io", "ingressclasses", "i",
          "{'metadata':{'name':'i','annotations':"
          "{'ingressclass.kubernetes.io/is-default-class':'true'}}}");
    assert_has(create(&f, "networking.k8s.io", "ingresses", "{}"),
               "'ingressClassName':'i'");
    assert_has(create(&f, "networking.k8s.io", "ingresses",
                      "{'spec':{'ingressClassName':'x'}}"),
               "'ingressClassName':'x'");
    tear_down(&f);
}

TEST(claims_grow_if_their_class_lets_them)
{
    static const char small[] =
        "{'spec':{'storageClassName':'s','resources':{'requests':"
        "{'storage':'1Gi'}}},'status':{'phase':'Bound'}}";
    static const char large[] =
        "{'metadata':{'name':'c'},'spec':{'storageClassName':'s',"
        "'resources':{'requests':{'storage':'2Gi'}}}}";
    struct fixture f;
    struct yl_admission a;

    set_up(&f);
    a = admission(&f, YL_OPERATION_UPDATE, "", "persistentvolumeclaims",
                  large);
    a.old = parse(f.arena, "{}");
    assert_has(admit(&f, &a), "Only bound persistent volume claims can be "
                              "expanded");
    a.old = parse(f.arena, small);
    assert_has(admit(&f, &a), "only dynamically provisioned pvc can be "
                              "resized");
    store(&f, "storage.k8s.io", "storageclasses", "s",
          "{'metadata':{'name':'s'},'allowVolumeExpansion':true}");
    assert_has(admit(&f, &a), "2Gi");
    a.old = parse(f.arena, large);
    assert_has(admit(&f, &a), "2Gi");
    tear_down(&f);
}

TEST(runtime_classes_ask_for_pods)
{
    struct fixture f;

    set_up(&f);
    assert_has(create(&f, "", "pods", "{'metadata':{'name':'p'},"
                      "'spec':{'runtimeClassName':'r'}}"),
               "pods 'p' is forbidden: pod rejected: RuntimeClass 'r' not "
               "found");
    store(&f, "node.k8s.io", "runtimeclasses", "r",
          "{'metadata':{'name':'r'},'handler':'h','overhead':{'podFixed':"
          "{'cpu':'1'}},'scheduling':{'nodeSelector':{'a':'b'},"
          "'tolerations':[{'key':'k','operator':'Exists'},"
          "{'key':'l','operator':'Equal','value':'v'}]}}");
    assert_has(create(&f, "", "pods", "{'spec':{'runtimeClassName':'r',"
                      "'overhead':{'cpu':'1000m'},'nodeSelector':{'c':'d'},"
                      "'tolerations':[{'key':'k','operator':'Equal',"
                      "'value':'x'},{'key':'m','effect':'NoExecute',"
                      "'operator':'Exists','tolerationSeconds':1}]}}"),
               "'nodeSelector':{'a':'b','c':'d'},'overhead':{'cpu':'1'}");
    assert_has(create(&f, "", "pods", "{'spec':{'runtimeClassName':'r',"
                      "'nodeSelector':{'a':'x'}}}"),
               "conflict: runtimeClass.scheduling.nodeSelector[a] = b; "
               "pod.spec.nodeSelector[a] = x");
    assert_has(create(&f, "", "pods", "{'spec':{'runtimeClassName':'r',"
                      "'overhead':{'cpu':'2'}}}"),
               "t match RuntimeClass");
    assert_has(create(&f, "", "pods", "{'spec':{'overhead':{'cpu':'2'}}}"),
               "Pod Overhead set without corresponding RuntimeClass");
    tear_down(&f);
}

TEST(a_runtime_class_has_a_name)
{
    struct fixture f;

    set_up(&f);
    assert_has(create(&f, "", "pods", "{'spec':{'runtimeClassName':''}}"),
               "resource name may not be empty");
    assert_int_equal(yl_status_http(&f.status), 500);
    assert_string_equal(create(&f, "", "pods",
                               "{'spec':{'runtimeClassName':'a/%'}}"),
                        "invalid resource name \"a/%\": [may not contain '/' "
                        "may not contain '%']");
    assert_string_equal(create(&f, "", "pods",
                               "{'spec':{'runtimeClassName':'..'}}"),
                        "invalid resource name \"..\": [may not be '..']");
    assert_int_equal(yl_status_http(&f.status), 500);
    tear_down(&f);
}

TEST(pods_are_resized_by_nodes_that_can)
{
    static const char old[] =
        "{'spec':{'nodeName':'n','resources':{'limits':{'cpu':'1'}},"
        "'initContainers':[{'name':'s','restartPolicy':'Always'},"
        "{'name':'i'}]}}";
    static const char more[] =
        "{'metadata':{'name':'p'},'spec':{'nodeName':'n','resources':"
        "{'limits':{'cpu':'2'}},'initContainers':[{'name':'s',"
        "'restartPolicy':'Always','resources':{'limits':{'cpu':'2'}}},"
        "{'name':'i','resources':{'limits':{'cpu':'2'}}}]}}";
    struct yl_admission a;
    struct fixture f;

    set_up(&f);
    a = admission(&f, YL_OPERATION_UPDATE, "", "pods", more);
    a.name = YL_STR("p");
    a.old = parse(f.arena, old);
    a.subresource = YL_SUB_RESIZE;
    assert_has(admit(&f, &a), "node \"n\" not found");
    store(&f, "", "nodes", "n", "{'metadata':{'name':'n'},'status':{"
                                "'declaredFeatures':['A']}}");
    assert_has(admit(&f, &a),
               "pod update requires features "
               "InPlacePodLevelResourcesVerticalScaling, "
               "InPlacePodVerticalScalingInitContainers which are not "
               "available on node \"n\"");
    store(&f, "", "nodes", "m",
          "{'metadata':{'name':'m'},'status':{'declaredFeatures':["
          "'InPlacePodLevelResourcesVerticalScaling']}}");
    yl_member_set_str(f.arena, yl_member_object(a.object, "spec"), "nodeName",
                      "m");
    assert_has(admit(&f, &a),
               "requires features InPlacePodVerticalScalingInitContainers "
               "which");
    a.old = parse(f.arena, more);
    assert_has(admit(&f, &a), "'nodeName':'m'");
    tear_down(&f);
}

TEST(nobody_asks_to_be_a_master)
{
    struct fixture f;

    set_up(&f);
    assert_has(create(&f, "certificates.k8s.io",
                      "certificatesigningrequests",
                      "{'spec':{'signerName':"
                      "'kubernetes.io/kube-apiserver-client',"
                      "'request':'" MASTERS "'}}"),
               "use of kubernetes.io/kube-apiserver-client signer with "
               "system:masters group is not allowed");
    assert_has(create(&f, "certificates.k8s.io",
                      "certificatesigningrequests",
                      "{'spec':{'signerName':'example.com/other',"
                      "'request':'" MASTERS "'}}"), "example.com/other");
    assert_has(create(&f, "certificates.k8s.io",
                      "certificatesigningrequests",
                      "{'spec':{'signerName':"
                      "'kubernetes.io/kube-apiserver-client',"
                      "'request':'AAAA'}}"), "AAAA");
    tear_down(&f);
}

TEST(requests_say_who_asked)
{
    static const struct yl_str groups[] = { YL_STR_INIT("g"),
                                            YL_STR_INIT("h") };
    static const struct yl_user_extra extra = {
        YL_STR_INIT("k"), groups, 1
    };
    static const struct yl_user user = {
        .name = YL_STR_INIT("ada"), .uid = YL_STR_INIT("7"),
        .groups = groups, .n_groups = 2, .extra = &extra, .n_extra = 1,
    };
    struct yl_admission a;
    struct fixture f;

    set_up(&f);
    a = admission(&f, YL_OPERATION_CREATE, "certificates.k8s.io",
                  "certificatesigningrequests",
                  "{'spec':{'username':'other','groups':['system:masters']}}");
    a.user = &user;
    assert_has(admit(&f, &a),
               "{'spec':{'extra':{'k':['g']},'groups':['g','h'],'uid':'7',"
               "'username':'ada'}}");
    assert_has(create(&f, "certificates.k8s.io",
                      "certificatesigningrequests",
                      "{'spec':{'username':'other'}}"), "{'spec':{}}");
    tear_down(&f);
}
