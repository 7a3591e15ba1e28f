/* Disruption budgets.  See disruption.h for the contract. */

#include "apiserver/strategy/disruption.h"

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "apiserver/verbs/steps.h"
#include "apiserver/verbs/write.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/arena.h"
#include "yuloh/selector.h"
#include "yuloh/time.h"

#define BATCH 64

/* The most Pods that a budget lists as being deleted. */
#define MAX_DISRUPTED 2000

static bool guards(struct yl_arena *, const struct yl_object *budget,
                   const struct yl_object *pod);
static bool is_ready(struct yl_arena *, const struct yl_object *pod);
static bool spares(struct yl_arena *, const struct yl_object *budget,
                   const struct yl_object *pod);
static int refuse(struct yl_status *, const char *why, int retry_seconds);
static const char *why_none(struct yl_write *, const struct yl_at *status);
static void set_condition(struct yl_write *, struct yl_node *status);

int
yl_disruption_find(struct yl_apiserver *server, struct yl_arena *arena,
                   const struct yl_object *pod, struct yl_str *ret_name,
                   bool *ret_spared, struct yl_status *status)
{
    const struct yl_api_resource *budgets = yl_registry_builtin(
        server->registry, "policy", "poddisruptionbudgets");
    struct yl_ks_scan_opts opts = { .namespace_ = yl_object_namespace(pod) };
    struct yl_versioned items[BATCH];
    struct yl_ks_scan *scan;
    size_t found = 0;
    int i, n, r;

    *ret_name = yl_str_null();
    *ret_spared = false;
    r = yl_ks_scan_open(budgets->objects, &opts, &scan, &status->error);
    if (r < 0) {
        return r;
    }
    while ((n = yl_ks_scan_next(scan, items, BATCH)) > 0) {
        for (i = 0; i < n; i++) {
            const struct yl_object *budget = items[i].object;

            if (guards(arena, budget, pod) && found++ == 0) {
                *ret_name = yl_arena_copy(arena, yl_object_name(budget));
                *ret_spared = spares(arena, budget, pod);
            }
            yl_object_unref(budget);
        }
    }
    yl_ks_scan_close(scan);
    return found > 1
           ? yl_write_odd_error(status, "This pod has more than one "
                                  "PodDisruptionBudget, which the eviction "
                                  "subresource does not support.")
           : 0;
}

int
yl_disruption_take(struct yl_write *w, struct yl_str pod,
                   struct yl_status *status)
{
    struct yl_gvr gvr = { YL_STR("policy"), YL_STR("v1"),
                          YL_STR("poddisruptionbudget") };
    struct yl_node *budget = w->old, *node, *pods;
    struct yl_at root, metadata, now, disrupted;
    char time[YL_TIME_TEXT_SIZE];
    int64_t allowed;

    root = yl_at_root(budget);
    metadata = yl_at(&root, "metadata");
    now = yl_at(&root, "status");
    disrupted = yl_at(&now, "disruptedPods");
    allowed = yl_at_get_int(&now, "disruptionsAllowed");
    if (yl_at_get_int(&now, "observedGeneration")
        < yl_at_get_int(&metadata, "generation")) {
        return refuse(status,
                      yl_arena_printf(w->arena,
                                      "The disruption budget %.*s is still "
                                      "being processed by the server.",
                                      YL_STR_ARG(w->key.name)), 10);
    }
    if (allowed < 0) {
        return yl_status_forbidden(
            status, gvr, w->key.name,
            YL_STR("pdb disruptions allowed is negative"));
    }
    if (yl_at_count(&disrupted) > MAX_DISRUPTED) {
        return yl_status_forbidden(
            status, gvr, w->key.name,
            YL_STR("DisruptedPods map too big - too many evictions not "
                   "confirmed by PDB controller"));
    }
    if (allowed == 0) {
        return refuse(status, why_none(w, &now), 0);
    }
    node = yl_member_make(w->arena, budget, "status");
    yl_member_set(w->arena, node, "disruptionsAllowed",
                  yl_node_new_int64(w->arena, allowed - 1));
    if (allowed == 1) {
        set_condition(w, node);
    }
    pods = yl_member_make(w->arena, node, "disruptedPods");
    yl_time_write(yl_time_now(), time);
    yl_node_set(w->arena, pods, pod,
                yl_node_new_string(w->arena, yl_str_c(time)));
    w->action = YL_WRITE_STORE;
    return yl_write_propose(w, budget, status);
}

/* Does the budget's selector match the Pod?  A budget without one matches
 * none. */
static bool
guards(struct yl_arena *arena, const struct yl_object *budget,
       const struct yl_object *pod)
{
    struct yl_json spec = yl_object_field(budget, arena, "spec");
    const struct yl_selector *selector;

    return yl_selector_from_json(yl_json_get(spec, YL_STR("selector")), arena,
                                 &selector, NULL) == 0
           && yl_selector_matches(selector, yl_object_labels(pod));
}

static bool
is_ready(struct yl_arena *arena, const struct yl_object *pod)
{
    struct yl_json_iter it = yl_json_iter(
        yl_json_get(yl_object_field(pod, arena, "status"),
                    YL_STR("conditions")));

    while (yl_json_next(&it)) {
        if (yl_json_string_is(yl_json_get(it.value, YL_STR("type")),
                              YL_STR("Ready"))) {
            return yl_json_string_is(yl_json_get(it.value, YL_STR("status")),
                                     YL_STR("True"));
        }
    }
    return false;
}

/* May a Pod that is not ready be evicted without counting? */
static bool
spares(struct yl_arena *arena, const struct yl_object *budget,
       const struct yl_object *pod)
{
    struct yl_json spec = yl_object_field(budget, arena, "spec");
    struct yl_json status = yl_object_field(budget, arena, "status");
    int64_t current = 0, desired = 0;

    if (is_ready(arena, pod)) {
        return false;
    }
    (void) yl_json_int64(yl_json_get(status, YL_STR("currentHealthy")),
                         &current);
    (void) yl_json_int64(yl_json_get(status, YL_STR("desiredHealthy")),
                         &desired);
    return yl_json_string_is(yl_json_get(spec,
                                         YL_STR("unhealthyPodEvictionPolicy")),
                             YL_STR("AlwaysAllow"))
           || (current >= desired && desired > 0);
}

static int
refuse(struct yl_status *status, const char *why, int retry_seconds)
{
    int r = yl_status_too_many_requests(
        status, YL_STR("Cannot evict pod as it would violate the pod's "
                       "disruption budget."), retry_seconds);

    yl_error_add_cause(&status->error, YL_STR("DisruptionBudget"),
                       yl_str_c(why), yl_str_null());
    return r;
}

static const char *
why_none(struct yl_write *w, const struct yl_at *status)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at conditions = yl_at(status, "conditions");
    struct yl_str reason = YL_STR(""), message = YL_STR("");
    int64_t desired = yl_at_get_int(status, "desiredHealthy");
    int64_t current = yl_at_get_int(status, "currentHealthy");

    YL_AT_FOR_EACH (condition, &conditions) {
        if (yl_at_get_is(&condition, "type", "DisruptionAllowed")
            && yl_at_get_is(&condition, "status", "False")) {
            reason = yl_at_get_str(&c, &condition, "reason");
            message = yl_at_get_str(&c, &condition, "message");
        }
    }
    if (message.size && yl_str_equal(reason, YL_STR("SyncFailed"))) {
        return yl_arena_printf(w->arena,
                               "The disruption budget %.*s does not allow "
                               "evicting pods currently because it failed "
                               "sync: %.*s", YL_STR_ARG(w->key.name),
                               YL_STR_ARG(message));
    }
    if (current <= desired) {
        return yl_arena_printf(w->arena,
                               "The disruption budget %.*s needs %lld healthy "
                               "pods and has %lld currently",
                               YL_STR_ARG(w->key.name), (long long) desired,
                               (long long) current);
    }
    if (message.size) {
        return yl_arena_printf(w->arena,
                               "The disruption budget %.*s does not allow "
                               "evicting pods currently (%.*s): %.*s",
                               YL_STR_ARG(w->key.name), YL_STR_ARG(reason),
                               YL_STR_ARG(message));
    }
    return yl_arena_printf(w->arena,
                           "The disruption budget %.*s does not allow "
                           "evicting pods currently",
                           YL_STR_ARG(w->key.name));
}

/* Sets the condition, as the last allowed disruption was taken. */
static void
set_condition(struct yl_write *w, struct yl_node *status)
{
    struct yl_node *list = yl_member_array(status, "conditions");
    struct yl_node *condition = NULL, *node;
    char now[YL_TIME_TEXT_SIZE];
    struct yl_at at;

    if (!list) {
        list = yl_node_new_array(w->arena);
        yl_member_set(w->arena, status, "conditions", list);
    }
    YL_NODE_FOR_EACH (node, list) {
        if (yl_node_string_is(yl_node_get(node, YL_STR("type")),
                              YL_STR("DisruptionAllowed"))) {
            condition = node;
        }
    }
    if (!condition) {
        condition = yl_node_new_object(w->arena);
        yl_member_set_str(w->arena, condition, "type", "DisruptionAllowed");
        yl_node_append(list, condition);
    }
    at = yl_at_root(condition);
    if (!yl_at_get_is(&at, "status", "False")) {
        yl_time_write(yl_time_now(), now);
        yl_member_set_str(w->arena, condition, "lastTransitionTime", now);
    }
    yl_member_set_str(w->arena, condition, "status", "False");
    yl_member_set_str(w->arena, condition, "reason", "InsufficientPods");
    yl_member_set_str(w->arena, condition, "message", "");
    yl_member_keep(w->arena, condition, status, "observedGeneration");
}
