/* Bootstrap.  See apiserver/bootstrap/bootstrap.h. */

#include "apiserver/bootstrap/bootstrap.h"

#include "apiserver/auth/authorize.h"
#include "apiserver/auth/rbac.h"
#include "apiserver/bootstrap/bootstrap_api_services.h"
#include "apiserver/bootstrap/bootstrap_batch.h"
#include "apiserver/bootstrap/bootstrap_rbac.h"
#include "apiserver/bootstrap/bootstrap_service.h"
#include "apiserver/bootstrap/bootstrap_table.h"
#include "apiserver/server.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/time.h"
#include "yuloh/yaml.h"

#define FLOW_CONTROL "flowcontrol.apiserver.k8s.io"
#define AUTOUPDATE "apf.kubernetes.io/autoupdate-spec"

/* Objects that are created if they are missing, and never changed
 * afterwards. */
static const struct {
    const char *group, *plural, *yaml;
} objects[] = {
    { "", "namespaces", "{metadata: {name: default}}" },
    { "", "namespaces", "{metadata: {name: kube-system}}" },
    { "", "namespaces", "{metadata: {name: kube-public}}" },
    { "", "namespaces", "{metadata: {name: kube-node-lease}}" },
    { "scheduling.k8s.io", "priorityclasses",
      "{metadata: {name: system-node-critical}, value: 2000001000, "
      "description: 'Used for system critical pods that must not be moved "
      "from their current node.'}" },
    { "scheduling.k8s.io", "priorityclasses",
      "{metadata: {name: system-cluster-critical}, value: 2000000000, "
      "description: 'Used for system critical pods that must run in the "
      "cluster, but can be moved to another node if necessary.'}" },
};

static int ensure_objects(struct yl_bootstrap_batch *, struct yl_error *);
static int ensure_token_tracking(struct yl_bootstrap_batch *,
                                 struct yl_error *);
static int ensure_flows(struct yl_bootstrap_batch *, struct yl_error *);
static struct yl_node *flow_status(struct yl_arena *,
                                   const struct yl_node *spec);
static enum yl_bootstrap_change reconcile_flow(struct yl_arena *,
                                               struct yl_node *stored,
                                               const struct yl_node *wanted);
static struct yl_node *from_yaml(struct yl_arena *, const char *yaml);

int
yl_bootstrap(struct yl_apiserver *server, struct yl_error *err)
{
    struct yl_bootstrap_batch *batch = yl_bootstrap_batch_new(server);
    int r = ensure_objects(batch, err), finished;

    if (r == 0) {
        r = ensure_token_tracking(batch, err);
    }
    if (r == 0) {
        r = yl_bootstrap_rbac(batch, err);
    }
    if (r == 0) {
        r = ensure_flows(batch, err);
    }
    if (r == 0) {
        r = yl_bootstrap_api_services(batch, err);
    }
    if (r == 0) {
        r = yl_bootstrap_service(batch, server, err);
    }
    finished = yl_bootstrap_batch_finish(batch, r < 0 ? NULL : err);
    if (r == 0 && finished == 0) {
        yl_rbac_settle(yl_authorizer_rbac(server->authorizer));
    }
    return r < 0 ? r : finished;
}

static int
ensure_objects(struct yl_bootstrap_batch *batch, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    size_t i;
    int r = 0;

    for (i = 0; i < YL_ARRAY_SIZE(objects) && r == 0; i++) {
        r = yl_bootstrap_ensure(batch, objects[i].group, objects[i].plural,
                                from_yaml(arena, objects[i].yaml), NULL, NULL,
                                err);
    }
    return r;
}

/* Since when the uses of ServiceAccounts' tokens in Secrets are noted:
 * upstream's controllers want to know before they delete those that nobody
 * used.  The server knows no such tokens yet, so the first start is early
 * enough. */
static int
ensure_token_tracking(struct yl_bootstrap_batch *batch, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    char now[YL_TIME_TEXT_SIZE];

    yl_time_write(yl_time_now(), now);
    return yl_bootstrap_ensure(
        batch, "", "configmaps",
        from_yaml(arena, yl_arena_printf(
            arena, "{metadata: {namespace: kube-system, name: "
            "kube-apiserver-legacy-service-account-token-tracking}, "
            "data: {since: '%.10s'}}", now)),
        NULL, NULL, err);
}

static int
ensure_flows(struct yl_bootstrap_batch *batch, struct yl_error *err)
{
    struct yl_arena *arena = yl_bootstrap_batch_arena(batch);
    const struct yl_bootstrap_flow *flows;
    size_t n, i;
    int r = 0;

    flows = yl_bootstrap_flows(&n);
    for (i = 0; i < n && r == 0; i++) {
        struct yl_node *spec = from_yaml(arena, flows[i].spec);
        struct yl_node *status = flow_status(arena, spec);
        struct yl_node *root = from_yaml(
            arena, yl_arena_printf(arena, "{metadata: {name: %s, "
                                   "annotations: {" AUTOUPDATE ": 'true'}}}",
                                   flows[i].name));

        yl_node_set(arena, root, YL_STR("spec"), spec);
        r = yl_bootstrap_ensure(batch, FLOW_CONTROL, flows[i].plural, root,
                                status, reconcile_flow, err);
    }
    return r;
}

/* The status of a flow schema, which says that its priority level exists.
 * Priority levels have no status. */
static struct yl_node *
flow_status(struct yl_arena *arena, const struct yl_node *spec)
{
    struct yl_str level, json;
    struct yl_node *status;
    char now[YL_TIME_TEXT_SIZE];

    if (yl_node_string(
            yl_node_get(yl_node_get(spec,
                                    YL_STR("priorityLevelConfiguration")),
                        YL_STR("name")), arena, &level) < 0) {
        return NULL;
    }
    yl_time_write((struct yl_time) { yl_time_now().seconds, 0 }, now);
    json = yl_str_c(yl_arena_printf(
        arena, "{\"conditions\":[{\"lastTransitionTime\":\"%s\","
        "\"message\":\"This FlowSchema references the "
        "PriorityLevelConfiguration object named \\\"%.*s\\\" and it "
        "exists\",\"reason\":\"Found\",\"status\":\"False\","
        "\"type\":\"Dangling\"}]}", now, YL_STR_ARG(level)));
    return yl_tree_parse(arena, json, NULL, &status, NULL) == 0 ? status
                                                                : NULL;
}

/* Restores the spec, if the stored object's annotation asks for it. */
static enum yl_bootstrap_change
reconcile_flow(struct yl_arena *arena, struct yl_node *stored,
               const struct yl_node *wanted)
{
    struct yl_node *metadata = yl_node_get(stored, YL_STR("metadata"));
    const struct yl_node *annotations
        = yl_node_get(metadata, YL_STR("annotations"));
    const struct yl_node *spec = yl_node_get(wanted, YL_STR("spec"));
    int64_t generation;

    if (!yl_node_string_is(yl_node_get(annotations, YL_STR(AUTOUPDATE)),
                           YL_STR("true"))
        || yl_node_equal(yl_node_get(stored, YL_STR("spec")), spec)) {
        return YL_BOOTSTRAP_KEEP;
    }
    yl_node_set(arena, stored, YL_STR("spec"), yl_node_copy(arena, spec));
    if (yl_node_int64(yl_node_get(metadata, YL_STR("generation")),
                      &generation) == 0) {
        yl_node_set(arena, metadata, YL_STR("generation"),
                    yl_node_new_int64(arena, generation + 1));
    }
    return YL_BOOTSTRAP_UPDATE;
}

/* Parses YAML that is part of this program. */
static struct yl_node *
from_yaml(struct yl_arena *arena, const char *yaml)
{
    struct yl_node *root = NULL;
    struct yl_str json;

    if (yl_yaml_to_json(arena, yl_str_c(yaml), NULL, &json, NULL) == 0) {
        yl_tree_parse(arena, json, NULL, &root, NULL);
    }
    return root;
}
