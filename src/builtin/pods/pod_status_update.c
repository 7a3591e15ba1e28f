/* Writes to a Pod's status. */

#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "builtin/network/ip.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "gen/core_v1_go.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

static void keep_generations(struct yl_arena *, struct yl_node *status,
                             const struct yl_node *old);
static void check_conditions(struct yl_check *, const struct yl_at *);
static void check_nominated(struct yl_check *, const struct yl_at *status,
                            const struct yl_node *old);
static void check_transitions(struct yl_check *, const struct yl_at *status,
                              const struct yl_node *old, const char *list,
                              const char *containers);
static struct yl_node *by_name(struct yl_arena *, const struct yl_node *spec,
                               const char *containers);
static bool may_restart(const struct yl_check *, const struct yl_node *spec,
                        const struct yl_node *container, int64_t exit_code);
static bool matches_rule(const struct yl_at *container, int64_t exit_code);
static bool all_may_restart(const struct yl_node *spec);
static void check_ips(struct yl_check *, const struct yl_at *status,
                      const char *list);
static void check_families(struct yl_check *, const struct yl_at *list);
static void check_claims(struct yl_check *, const struct yl_at *status,
                         const struct yl_at *spec);

void
yl_pod_prepare_status(struct yl_arena *arena, struct yl_node *object,
                      const struct yl_node *old)
{
    struct yl_node *metadata = yl_member_make(arena, object, "metadata");
    struct yl_node *status = yl_member_make(arena, object, "status");
    struct yl_node *before = yl_member_object(old, "status");

    yl_member_drop(metadata, "deletionTimestamp");
    yl_member_keep(arena, metadata, yl_member_object(old, "metadata"),
                   "ownerReferences");
    if (yl_member_is_zero(status, "qosClass")) {
        yl_member_keep(arena, status, before, "qosClass");
    }
    if (yl_member_is_zero(status, "observedGeneration")) {
        yl_member_keep(arena, status, before, "observedGeneration");
    }
    keep_generations(arena, status, before);
    yl_pod_status_drop(status);
}

void
yl_pod_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at status = yl_at(&root, "status");
    struct yl_at then = yl_at(&before, "status");
    struct yl_at conditions = yl_at(&status, "conditions");
    struct yl_at generation = yl_at(&status, "observedGeneration");
    struct yl_at class = yl_at(&status, "qosClass");
    struct yl_at old_class = yl_at(&then, "qosClass");

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_pod_annotation_changes(c, object, old);
    check_conditions(c, &conditions);
    check_nominated(c, &status, old);
    if (yl_at_int(&generation) < 0) {
        yl_field_invalid(c->err, yl_at_path(&generation),
                         yl_bad_int(yl_at_int(&generation)),
                         "must be a non-negative integer");
    }
    yl_check_immutable(c, &class, old_class.node);
    check_transitions(c, &status, old, "containerStatuses", "containers");
    check_transitions(c, &status, old, "initContainerStatuses",
                      "initContainers");
    check_transitions(c, &status, old, "ephemeralContainerStatuses", NULL);
    check_claims(c, &status, &spec);
    yl_check_extended_claim(c, &status, &spec);
    check_ips(c, &status, "podIPs");
    check_ips(c, &status, "hostIPs");
    yl_check_container_statuses(c, &status, &spec);
}

/* A condition sent without an observedGeneration keeps the one that it had. */
static void
keep_generations(struct yl_arena *arena, struct yl_node *status,
                 const struct yl_node *old)
{
    struct yl_node *by_type = yl_node_new_object(arena), *condition;
    struct yl_check c = { arena, NULL };

    YL_MEMBER_EACH (condition, old, "conditions") {
        struct yl_at at = yl_at_root(condition);
        struct yl_str type = yl_at_get_str(&c, &at, "type");
        struct yl_node *list = yl_node_get(by_type, type);

        if (!list) {
            list = yl_node_new_array(arena);
            yl_node_set(arena, by_type, type, list);
        }
        yl_node_append(list, yl_node_copy(arena, condition));
    }
    YL_MEMBER_EACH (condition, status, "conditions") {
        struct yl_at at = yl_at_root(condition);
        struct yl_node *list =
            yl_node_get(by_type, yl_at_get_str(&c, &at, "type"));

        if (list && list->first) {
            struct yl_node *was = yl_node_detach(list->first);

            if (yl_member_is_zero(condition, "observedGeneration")) {
                yl_member_keep(arena, condition, was, "observedGeneration");
            }
        }
    }
}

static void
check_conditions(struct yl_check *c, const struct yl_at *conditions)
{
    YL_CHECK_FOR_EACH (c, condition, conditions) {
        struct yl_at type = yl_at(&condition, "type");
        struct yl_at shown = yl_at_node(&condition, "Type", type.node);
        struct yl_at generation = yl_at(&condition, "observedGeneration");

        if (yl_at_int(&generation) < 0) {
            yl_field_invalid(c->err, yl_at_path(&generation),
                             yl_bad_int(yl_at_int(&generation)),
                             "must be a non-negative integer");
        }
        if (!yl_at_is(&type, "PodScheduled") && !yl_at_is(&type, "Ready")
            && !yl_at_is(&type, "Initialized")) {
            yl_check_name(c, &shown, YL_NAME_QUALIFIED);
        }
    }
}

static void
check_nominated(struct yl_check *c, const struct yl_at *status,
                const struct yl_node *old)
{
    struct yl_at before = yl_at_root(old);
    struct yl_at then = yl_at(&before, "status");
    struct yl_at spec = yl_at(&before, "spec");
    struct yl_at now = yl_at(status, "nominatedNodeName");
    struct yl_at was = yl_at(&then, "nominatedNodeName");

    if (yl_at_is(&now, "") || yl_node_same(now.node, was.node)) {
        return;
    }
    yl_check_name(c, &now, YL_NAME_DNS1123_SUBDOMAIN);
    if (!yl_at_get_is(&spec, "nodeName", "")) {
        yl_field_forbidden(c->err, yl_at_path(&now),
                           "may not be set on pods that are already bound to "
                           "a node");
    }
}

/* A container that has terminated may run again only if its restart policy
 * allows that. */
static void
check_transitions(struct yl_check *c, const struct yl_at *status,
                  const struct yl_node *old, const char *list,
                  const char *containers)
{
    struct yl_at before = yl_at_root(old);
    struct yl_at then = yl_at(&before, "status");
    struct yl_at now = yl_at(status, list), was = yl_at(&then, list);
    struct yl_node *spec = yl_member_object(old, "spec");
    struct yl_node *running = yl_node_new_object(c->arena);
    struct yl_node *known = by_name(c->arena, spec, containers);

    if (containers && all_may_restart(spec)) {
        return;
    }
    YL_CHECK_FOR_EACH (c, one, &now) {
        struct yl_at state = yl_at(&one, "state");

        if (!yl_at_get_has(&state, "terminated")) {
            yl_set_add(c->arena, running, yl_at_get_str(c, &one, "name"));
        }
    }
    YL_CHECK_FOR_EACH (c, one, &was) {
        struct yl_at state = yl_at(&one, "state");
        struct yl_at ended = yl_at(&state, "terminated");
        struct yl_at path = one;
        struct yl_str name = yl_at_get_str(c, &one, "name");

        path.path.parent = yl_at_path(&now);
        if (yl_at_has(&ended) && yl_node_get(running, name)
            && !may_restart(c, spec, yl_node_get(known, name),
                            yl_at_get_int(&ended, "exitCode"))) {
            struct yl_at shown = yl_at_node(&path, "state", NULL);

            yl_field_forbidden(c->err, yl_at_path(&shown),
                               "may not be transitioned to non-terminated "
                               "state");
        }
    }
}

/* The containers by name, with the fields that decide about restarts.  Of
 * several with the same name the first counts. */
static struct yl_node *
by_name(struct yl_arena *arena, const struct yl_node *spec,
        const char *containers)
{
    struct yl_node *all = yl_node_new_object(arena);
    struct yl_check c = { arena, NULL };
    const struct yl_node *container;

    if (!containers) {
        return all;
    }
    YL_MEMBER_EACH (container, spec, containers) {
        struct yl_node *rules = yl_node_new_object(arena);
        struct yl_at at = yl_at_root(container);
        struct yl_str name = yl_at_get_str(&c, &at, "name");

        yl_member_keep(arena, rules, container, "restartPolicy");
        yl_member_keep(arena, rules, container, "restartPolicyRules");
        if (!yl_node_get(all, name)) {
            yl_node_set(arena, all, name, rules);
        }
    }
    return all;
}

/* The container's own rules decide first, then its policy, then the Pod's. */
static bool
may_restart(const struct yl_check *c, const struct yl_node *spec,
            const struct yl_node *container, int64_t exit_code)
{
    struct yl_at pod = yl_at_root(spec), own = yl_at_root(container);
    struct yl_str policy =
        yl_at_get_str(c, yl_at_get_has(&own, "restartPolicy") ? &own : &pod,
                      "restartPolicy");

    return container
           && (matches_rule(&own, exit_code)
               || yl_str_equal_c(policy, "Always")
               || (yl_str_equal_c(policy, "OnFailure") && exit_code));
}

/* Whether a rule says to restart after this exit code. */
static bool
matches_rule(const struct yl_at *container, int64_t exit_code)
{
    struct yl_at rules = yl_at(container, "restartPolicyRules");

    YL_AT_FOR_EACH (one, &rules) {
        struct yl_at codes = yl_at(&one, "exitCodes");
        struct yl_at values = yl_at(&codes, "values");
        bool found = false;

        YL_AT_FOR_EACH (value, &values) {
            found |= yl_at_int(&value) == exit_code;
        }
        if (yl_at_has(&codes)
            && found == yl_at_get_is(&codes, "operator", "In")) {
            return true;
        }
    }
    return false;
}

/* Whether the exit of one container can restart all. */
static bool
all_may_restart(const struct yl_node *spec)
{
    struct yl_at at = yl_at_root(spec), list;
    size_t i;

    for (i = 0; i < 2 && yl_pod_container_list(&at, i, &list); i++) {
        YL_AT_FOR_EACH (container, &list) {
            struct yl_at rules = yl_at(&container, "restartPolicyRules");

            YL_AT_FOR_EACH (one, &rules) {
                if (yl_at_get_is(&one, "action", "RestartAllContainers")) {
                    return true;
                }
            }
        }
    }
    return false;
}

static void
check_ips(struct yl_check *c, const struct yl_at *status, const char *name)
{
    struct yl_at list = yl_at(status, name);
    struct yl_at one = yl_at(status, "hostIP");
    bool hosts = !strcmp(name, "hostIPs");
    unsigned n_v4 = 0, n_v6 = 0;

    YL_CHECK_FOR_EACH (c, item, &list) {
        struct yl_at text = yl_at(&item, "ip");
        struct yl_at shown = item;
        struct yl_ip ip;

        if (hosts && item.node == list.node->first
            && !yl_str_equal(yl_at_str(c, &one), yl_at_str(c, &text))) {
            yl_field_invalid(c->err, yl_at_path(&text), yl_bad_str(c, &text),
                             "must be equal to `hostIP`");
        }
        shown.node = text.node;
        yl_check_ip(c, &shown);
        if (yl_ip_parse(yl_at_str(c, &text), &ip)) {
            n_v4 += ip.family == 4;
            n_v6 += ip.family == 6;
        }
    }
    if (yl_at_count(&list) > 1) {
        check_families(c, &list);
    }
    if (yl_at_count(&list) > 1
        && (yl_at_count(&list) > 2 || n_v4 != 1 || n_v6 != 1)) {
        yl_field_invalid(c->err, yl_at_path(&list),
                         yl_bad_slice(c, list.node, YL_GO(core_v1, pod_ip)),
                         "may specify no more than one IP for each IP "
                         "family");
    }
}

/* An invalid address has no family.  Upstream reports that as an internal
 * error, in addition to the invalid address. */
static void
check_families(struct yl_check *c, const struct yl_at *list)
{
    size_t i = 0;

    YL_CHECK_FOR_EACH (c, item, list) {
        struct yl_str text = yl_at_get_str(c, &item, "ip");
        struct yl_ip ip;

        if (!yl_ip_parse(text, &ip)) {
            yl_field_internal(c->err, yl_at_path(list),
                              "failed to check for dual stack with "
                              "error:invalid IP[%zu]: %.*s", i,
                              YL_STR_ARG(text));
            return;
        }
        i++;
    }
}

static void
check_claims(struct yl_check *c, const struct yl_at *status,
             const struct yl_at *spec)
{
    struct yl_at statuses = yl_at(status, "resourceClaimStatuses");
    struct yl_at claims = yl_at(spec, "resourceClaims");
    struct yl_node *known = yl_node_new_object(c->arena);
    struct yl_node *names = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, claim, &claims) {
        yl_set_add(c->arena, known, yl_at_get_str(c, &claim, "name"));
    }
    YL_CHECK_FOR_EACH (c, one, &statuses) {
        struct yl_at name = yl_at(&one, "name");
        struct yl_at claim = yl_at(&one, "resourceClaimName");

        if (!yl_node_get(known, yl_at_str(c, &name))) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                             "must match the name of an entry in "
                             "`spec.resourceClaims`");
        }
        if (!yl_set_add(c->arena, names, yl_at_str(c, &name))) {
            yl_field_duplicate(c->err, yl_at_path(&name),
                               yl_bad_str(c, &name));
        }
        if (yl_at_has(&claim)) {
            yl_check_name(c, &claim, YL_NAME_DNS1123_SUBDOMAIN);
        }
    }
}
