/* Tests of the bootstrap: what a first start makes, what later ones mend. */

#include "apiserver/bootstrap/bootstrap.h"

#include "auth_rig.h"

#define ROLE RBAC "/clusterroles/system:basic-user"
#define BINDING RBAC "/clusterrolebindings/system:basic-user"
#define ADDRESSES "/apis/networking.k8s.io/v1/ipaddresses"
#define API_SERVICES "/apis/apiregistration.k8s.io/v1/apiservices"
#define FLOW "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/probes"

/* Members that no two servers have alike. */
static void
forget(struct yl_node *object)
{
    static const char *const own[] = {
        "uid", "resourceVersion", "creationTimestamp", "managedFields",
        "generation",
    };
    struct yl_node *metadata = yl_node_get(object, YL_STR("metadata"));
    struct yl_node *status = yl_node_get(object, YL_STR("status"));
    struct yl_node *conditions = yl_node_get(status, YL_STR("conditions"));
    struct yl_node *one;
    size_t i;

    yl_node_remove(object, YL_STR("apiVersion"));
    yl_node_remove(object, YL_STR("kind"));
    for (i = 0; i < YL_ARRAY_SIZE(own); i++) {
        yl_node_remove(metadata, yl_str_c(own[i]));
    }
    if (conditions) {
        YL_NODE_FOR_EACH (one, conditions) {
            yl_node_remove(one, YL_STR("lastTransitionTime"));
        }
    }
}

static const char *
path_of(struct yl_arena *arena, struct yl_str plural,
        const struct yl_node *object)
{
    static const struct {
        const char *plural, *prefix;
    } prefixes[] = {
        { "namespaces", "/api/v1" },
        { "priorityclasses", "/apis/scheduling.k8s.io/v1" },
        { "flowschemas", "/apis/flowcontrol.apiserver.k8s.io/v1" },
        { "prioritylevelconfigurations",
          "/apis/flowcontrol.apiserver.k8s.io/v1" },
    };
    const struct yl_node *metadata = yl_node_get(object, YL_STR("metadata"));
    struct yl_str name, namespace_ = yl_str_null();
    const char *prefix = RBAC;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(prefixes); i++) {
        if (yl_str_equal_c(plural, prefixes[i].plural)) {
            prefix = prefixes[i].prefix;
        }
    }
    assert_int_equal(yl_node_string(yl_node_get(metadata, YL_STR("name")),
                                    arena, &name), 0);
    yl_node_string(yl_node_get(metadata, YL_STR("namespace")), arena,
                   &namespace_);
    return yl_arena_printf(arena, "%s%s%.*s/%.*s/%.*s", prefix,
                           namespace_.size ? "/namespaces/" : "",
                           YL_STR_ARG(namespace_), YL_STR_ARG(plural),
                           YL_STR_ARG(name));
}

TEST(a_new_server_has_what_upstreams_has)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root, *list, *want, *have;
    size_t size, n = 0;
    char *text = read_file(truth_path("bootstrap.json"), &size);

    auth_open();
    assert_int_equal(yl_tree_parse(arena, yl_str_n(text, size), NULL, &root,
                                   NULL), 0);
    YL_NODE_FOR_EACH (list, root) {
        if (yl_str_equal(yl_node_key(list), YL_STR("services"))) {
            continue;
        }
        YL_NODE_FOR_EACH (want, list) {
            const char *path = path_of(arena, yl_node_key(list), want);

            if (as("root", "GET", path, NULL) != 200) {
                fail_msg("%s is missing", path);
            }
            assert_int_equal(yl_tree_parse(arena, rig.body, NULL, &have,
                                           NULL), 0);
            forget(want);
            forget(have);

            /* Nobody had aggregated there. */
            if (yl_node_get(want, YL_STR("aggregationRule"))) {
                assert_true(yl_node_get(have, YL_STR("rules"))->n > 10);
                yl_node_remove(want, YL_STR("rules"));
                yl_node_remove(have, YL_STR("rules"));
            }
            if (!yl_node_equal(want, have)) {
                fail_msg("%s differs: %.*s", path, YL_STR_ARG(rig.body));
            }
            n++;
        }
    }
    assert_true(n > 150);
    auth_close();
    free(text);
    yl_arena_free(arena);
}

/* A second start of the same server. */
static void
again(void)
{
    assert_int_equal(yl_bootstrap(rig.server, NULL), 0);
}

TEST(controllers_find_since_when_tokens_are_tracked)
{
    auth_open();
    assert_int_equal(as("root", "GET", "/api/v1/namespaces/kube-system/"
                        "configmaps/kube-apiserver-legacy-service-account-"
                        "token-tracking", NULL), 200);
    assert_non_null(memmem(rig.body.data, rig.body.size, "\"since\":\"20",
                           11));
    auth_close();
}

TEST(a_second_start_writes_nothing)
{
    uint64_t revision;

    auth_open();
    revision = yl_keyspace_revision(rig.server->keyspace);
    again();
    assert_int_equal(yl_keyspace_revision(rig.server->keyspace), revision);
    auth_close();
}

static void
patch(const char *path, const char *body)
{
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(as("root", "PATCH", path, body), 200);
}

TEST(roles_get_back_what_they_lack)
{
    auth_open();
    patch(ROLE, "{'metadata':{'labels':null},'rules':[{'verbs':['get'],"
                "'apiGroups':['own'],'resources':['x']}]}");
    again();
    assert_int_equal(as("root", "GET", ROLE, NULL), 200);
    assert_string_equal(text_at("/rules/0/apiGroups/0"), "own");
    assert_non_null(strstr(text_at("/rules"), "selfsubjectreviews"));
    assert_string_equal(text_at("/metadata/labels"),
                        "{\"kubernetes.io/bootstrapping\":"
                        "\"rbac-defaults\"}");

    patch(ROLE, "{'rules':null}");
    again();
    assert_int_equal(as("root", "GET", ROLE, NULL), 200);
    assert_non_null(strstr(text_at("/rules"), "selfsubjectreviews"));

    patch(RBAC "/clusterroles/view", "{'aggregationRule':null}");
    again();
    assert_int_equal(as("root", "GET", RBAC "/clusterroles/view", NULL), 200);
    assert_string_equal(text_at("/aggregationRule"),
                        "{\"clusterRoleSelectors\":[{\"matchLabels\":"
                        "{\"rbac.authorization.k8s.io/aggregate-to-view\":"
                        "\"true\"}}]}");
    auth_close();
}

TEST(services_get_back_their_addresses)
{
    auth_open();
    assert_int_equal(as("root", "POST", "/api/v1/namespaces/default/services",
                        "{'metadata':{'name':'a'},'spec':{'clusterIP':"
                        "'10.0.0.9','ports':[{'port':80}]}}"), 201);
    assert_int_equal(as("root", "DELETE", ADDRESSES, NULL), 200);
    again();
    assert_int_equal(as("root", "GET", ADDRESSES "/10.0.0.1", NULL), 200);
    assert_int_equal(as("root", "GET", ADDRESSES "/10.0.0.9", NULL), 200);
    assert_string_equal(text_at("/spec/parentRef/name"), "a");
    auth_close();
}

TEST(bindings_get_back_what_they_lack)
{
    const char *uid;

    auth_open();
    patch(BINDING, "{'subjects':[{'kind':'User','name':'own',"
                   "'apiGroup':'rbac.authorization.k8s.io'}]}");
    again();
    assert_int_equal(as("root", "GET", BINDING, NULL), 200);
    assert_string_equal(text_at("/subjects/0/name"), "own");
    assert_string_equal(text_at("/subjects/1/name"), "system:authenticated");

    /* A binding to another role is made anew. */
    assert_int_equal(as("root", "DELETE", BINDING, NULL), 200);
    assert_int_equal(as("root", "POST", RBAC "/clusterrolebindings",
                        "{'metadata':{'name':'system:basic-user'},"
                        "'roleRef':{'kind':'ClusterRole','name':'view',"
                        "'apiGroup':'rbac.authorization.k8s.io'}}"), 201);
    uid = strdup(text_at("/metadata/uid"));
    again();
    assert_int_equal(as("root", "GET", BINDING, NULL), 200);
    assert_string_equal(text_at("/roleRef/name"), "system:basic-user");
    assert_string_not_equal(text_at("/metadata/uid"), uid);
    free((void *) uid);
    auth_close();
}

TEST(what_asks_for_it_is_left_alone)
{
#define ALONE "'annotations':{'rbac.authorization.kubernetes.io/autoupdate':" \
              "'false'}"
    auth_open();
    patch(ROLE, "{'metadata':{" ALONE "},'rules':null}");
    patch(BINDING, "{'metadata':{" ALONE "},'subjects':null}");
    again();
    assert_int_equal(as("root", "GET", ROLE, NULL), 200);
    assert_string_equal(text_at("/rules"), "null");
    assert_int_equal(as("root", "GET", BINDING, NULL), 200);
    assert_string_equal(text_at("/subjects"), "");
    auth_close();
}

TEST(flow_control_keeps_its_spec)
{
    auth_open();
    patch(FLOW, "{'spec':{'matchingPrecedence':3}}");
    again();
    assert_int_equal(as("root", "GET", FLOW, NULL), 200);
    assert_string_equal(text_at("/spec/matchingPrecedence"), "2");
    patch(FLOW, "{'metadata':{'annotations':null},"
                "'spec':{'matchingPrecedence':3}}");
    again();
    assert_int_equal(as("root", "GET", FLOW, NULL), 200);
    assert_string_equal(text_at("/spec/matchingPrecedence"), "3");
    auth_close();
}

TEST(what_is_served_has_api_services)
{
    static const char *const names[] = { "v1.", "v1.apps", "v2.autoscaling",
                                         "v1beta1.batch" };
    size_t i;

    rig_open();
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        char path[128];

        snprintf(path, sizeof path, API_SERVICES "/%s", names[i]);
        assert_int_equal(api("GET", path, NULL), 200);
        assert_string_equal(text_at("/status/conditions/0/status"), "True");
    }
    assert_int_equal(api("GET", API_SERVICES "/v1.apps", NULL), 200);
    assert_string_equal(text_at("/spec/groupPriorityMinimum"), "17800");
    rig_close();
}

TEST(api_services_get_their_spec_back)
{
    rig_open();
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(api("PATCH", API_SERVICES "/v1.apps",
                         "{\"spec\":{\"versionPriority\":7}}"), 200);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(api("PATCH", API_SERVICES "/v1.policy",
                         "{\"metadata\":{\"labels\":null},"
                         "\"spec\":{\"versionPriority\":7}}"), 200);
    assert_int_equal(yl_bootstrap(rig.server, NULL), 0);
    assert_int_equal(api("GET", API_SERVICES "/v1.apps", NULL), 200);
    assert_string_equal(text_at("/spec/versionPriority"), "15");
    assert_int_equal(api("GET", API_SERVICES "/v1.policy", NULL), 200);
    assert_string_equal(text_at("/spec/versionPriority"), "7");
    rig_close();
}
