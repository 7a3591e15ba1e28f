/* Validation of ReplicationController, ReplicaSet, Deployment, StatefulSet and
 * DaemonSet. */

#include "builtin/go/go_value.h"
#include "builtin/pods/pod.h"
#include "builtin/pods/pod_check.h"
#include "builtin/rows.h"
#include "builtin/workloads/workloads.h"
#include "gen/apps_v1_go.h"

static const struct yl_meta_rule subdomain =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };
static const struct yl_meta_rule label =
    { YL_NAME_DNS1123_LABEL, true, false };

static bool check_selector(struct yl_check *, const struct yl_at *spec,
                           const char *kind, const char *invalid);
static void check_replica_template(struct yl_check *,
                                   const struct yl_at *spec);
static void check_stateful_template(struct yl_check *,
                                    const struct yl_at *spec);
static struct yl_node *stateful_spec(struct yl_check *,
                                     const struct yl_at *spec,
                                     const struct yl_node *pod);
static struct yl_node *object_copy(struct yl_arena *, const struct yl_node *);
static void check_matches(struct yl_check *, const struct yl_at *spec,
                          bool empty_too);
static void check_always(struct yl_check *, const struct yl_at *spec,
                         const char *kind);
static void check_deployment_strategy(struct yl_check *,
                                      const struct yl_at *strategy);
static void check_daemon_strategy(struct yl_check *,
                                  const struct yl_at *strategy);
static void check_stateful_strategy(struct yl_check *,
                                    const struct yl_at *strategy);
static void check_not_negative(struct yl_check *, const struct yl_at *spec,
                               const char *name);
static void check_retention(struct yl_check *, const struct yl_at *spec);

void
yl_replication_controller_validate(struct yl_check *c,
                                   const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_node *named = metadata.node
        ? yl_node_copy(c->arena, metadata.node) : NULL;

    /* generateName is not checked, only the name that was made from it. */
    yl_member_drop(named, "generateName");
    metadata.node = named;
    yl_check_meta(c, &metadata, &subdomain);
    yl_check_replication_controller_spec(c, &spec);
}

void
yl_check_replication_controller_spec(struct yl_check *c,
                                     const struct yl_at *spec)
{
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at template = yl_at(spec, "template");

    check_not_negative(c, spec, "minReadySeconds");
    if (!yl_at_count(&selector)) {
        yl_field_required(c->err, yl_at_path(&selector), NULL);
    }
    check_not_negative(c, spec, "replicas");
    if (!yl_check_required(c, &template)) {
        return;
    }
    if (yl_at_count(&selector)) {
        struct yl_at meta = yl_at(&template, "metadata");
        struct yl_at labels = yl_at(&meta, "labels");

        bool matches = true;

        /* The selector is a plain map, which may contain invalid labels. */
        YL_CHECK_FOR_EACH (c, pair, &selector) {
            const struct yl_node *value =
                yl_at_has(&labels)
                ? yl_node_get(labels.node, yl_at_key(&pair)) : NULL;

            matches &= value && yl_node_equal(value, pair.node);
        }
        if (!matches) {
            yl_field_invalid(c->err, yl_at_path(&labels),
                             yl_bad_at(&labels),
                             "`selector` does not match template `labels`");
        }
    }
    yl_check_pod_template(c, &template);
    check_always(c, spec, "ReplicationController");
}

void
yl_replica_set_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &subdomain);
    yl_check_replica_set_spec(c, &spec);
}

void
yl_check_replica_set_spec(struct yl_check *c, const struct yl_at *spec)
{
    check_not_negative(c, spec, "replicas");
    check_not_negative(c, spec, "minReadySeconds");
    if (check_selector(c, spec, "deployment", "invalid label selector")) {
        check_replica_template(c, spec);
    }
}

void
yl_deployment_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &subdomain);
    yl_check_deployment_spec(c, &spec);
}

void
yl_check_deployment_spec(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at strategy = yl_at(spec, "strategy");
    struct yl_at deadline = yl_at(spec, "progressDeadlineSeconds");

    check_not_negative(c, spec, "replicas");
    if (check_selector(c, spec, "deployment", "invalid label selector")) {
        check_replica_template(c, spec);
    }
    check_deployment_strategy(c, &strategy);
    check_not_negative(c, spec, "minReadySeconds");
    check_not_negative(c, spec, "revisionHistoryLimit");
    if (!yl_at_has(&deadline)) {
        return;
    }
    yl_check_not_negative(c, &deadline);
    if (yl_at_int(&deadline) <= yl_at_get_int(spec, "minReadySeconds")) {
        yl_field_invalid(c->err, yl_at_path(&deadline),
                         yl_bad_int(yl_at_int(&deadline)),
                         "must be greater than minReadySeconds");
    }
}

void
yl_stateful_set_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &label);
    yl_check_stateful_set_spec(c, &spec, true);
}

void
yl_check_stateful_set_spec(struct yl_check *c, const struct yl_at *spec,
                           bool is_new)
{
    struct yl_at policy = yl_at(spec, "podManagementPolicy");
    struct yl_at strategy = yl_at(spec, "updateStrategy");
    struct yl_at claims = yl_at(spec, "volumeClaimTemplates");
    struct yl_at ordinals = yl_at(spec, "ordinals");
    struct yl_at start = yl_at(&ordinals, "start");
    struct yl_at service = yl_at(spec, "serviceName");

    if (yl_check_required(c, &policy) && !yl_at_is(&policy, "OrderedReady")
        && !yl_at_is(&policy, "Parallel")) {
        yl_field_invalid(c->err, yl_at_path(&policy), yl_bad_str(c, &policy),
                         "must be 'OrderedReady' or 'Parallel'");
    }
    check_stateful_strategy(c, &strategy);
    check_retention(c, spec);
    YL_CHECK_FOR_EACH (c, claim, &claims) {
        struct yl_at claim_spec = yl_at(&claim, "spec");

        if (is_new) {
            yl_check_claim_spec(c, &claim_spec);
        }
    }
    check_not_negative(c, spec, "replicas");
    check_not_negative(c, spec, "minReadySeconds");
    yl_check_not_negative(c, &start);
    if (is_new && !yl_at_is(&service, "")) {
        yl_check_name(c, &service, YL_NAME_DNS1123_LABEL);
    }
    if (check_selector(c, spec, "statefulset", NULL)) {
        check_stateful_template(c, spec);
    }
    check_always(c, spec, "StatefulSet");
}

void
yl_daemon_set_validate(struct yl_check *c, const struct yl_node *object)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    yl_check_object_meta(c, object, &subdomain);
    yl_check_daemon_set_spec(c, &spec);
}

void
yl_check_daemon_set_spec(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at labels = yl_at(&selector, "matchLabels");
    struct yl_at list = yl_at(&selector, "matchExpressions");
    struct yl_at template = yl_at(spec, "template");
    struct yl_at strategy = yl_at(spec, "updateStrategy");

    if (yl_check_label_selector(c, &selector)) {
        check_matches(c, spec, true);
    }
    if (yl_at_has(&selector) && !yl_at_count(&labels)
        && !yl_at_count(&list)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector),
                         "empty selector is invalid for daemonset");
    }
    yl_check_pod_template(c, &template);
    check_always(c, spec, "DaemonSet");
    check_not_negative(c, spec, "minReadySeconds");
    check_daemon_strategy(c, &strategy);
    check_not_negative(c, spec, "revisionHistoryLimit");
}

/* Checks the selector alone.  Returns false, after adding another cause, if it
 * is not valid. */
static bool
check_selector(struct yl_check *c, const struct yl_at *spec, const char *kind,
               const char *invalid)
{
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at labels = yl_at(&selector, "matchLabels");
    struct yl_at list = yl_at(&selector, "matchExpressions");

    if (!yl_check_required(c, &selector)) {
        return true;
    }
    if (!yl_check_label_selector(c, &selector)) {
        if (invalid) {
            yl_field_invalid(c->err, yl_at_path(&selector),
                             yl_bad_selector(c, &selector), "%s", invalid);
        } else {
            yl_field_invalid(c->err, yl_at_path(&selector),
                             yl_bad_selector(c, &selector), NULL);
        }
        return false;
    }
    if (!yl_at_count(&labels) && !yl_at_count(&list)) {
        yl_field_invalid(c->err, yl_at_path(&selector),
                         yl_bad_selector(c, &selector),
                         "empty selector is invalid for %s", kind);
    }
    return true;
}

static void
check_replica_template(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at template = yl_at(spec, "template");

    check_matches(c, spec, false);
    yl_check_pod_template(c, &template);
    check_always(c, spec, "ReplicaSet");
}

/* A StatefulSet's claims count as volumes, and it sets host names itself.
 * Labels and annotations are checked twice, as in upstream. */
static void
check_stateful_template(struct yl_check *c, const struct yl_at *spec)
{
    struct yl_at at = yl_at(spec, "template");
    struct yl_at metadata = yl_at(&at, "metadata");
    struct yl_at labels_node = yl_at(&metadata, "labels");
    struct yl_at annotations_node = yl_at(&metadata, "annotations");
    struct yl_at pod = yl_at(&at, "spec");
    struct yl_at template = at;
    struct yl_at labels = yl_at_node(&template, "labels", labels_node.node);
    struct yl_at annotations =
        yl_at_node(&template, "annotations", annotations_node.node);
    struct yl_node *copy = object_copy(c->arena, at.node);

    yl_member_set(c->arena, copy, "spec", stateful_spec(c, spec, pod.node));
    template.node = copy;
    check_matches(c, spec, false);
    yl_check_pod_template(c, &template);
    yl_check_labels(c, &labels);
    yl_check_annotations(c, &annotations);
    yl_check_pod_annotations(c, &annotations, &pod);
}

static struct yl_node *
stateful_spec(struct yl_check *c, const struct yl_at *spec,
              const struct yl_node *pod)
{
    struct yl_node *copy = object_copy(c->arena, pod);
    struct yl_node *names = yl_node_new_object(c->arena);
    struct yl_node *volumes = yl_node_new_array(c->arena);
    struct yl_node *old = yl_member_array(copy, "volumes"), *volume, *next;
    struct yl_at claims = yl_at(spec, "volumeClaimTemplates");

    yl_member_drop(copy, "subdomain");
    yl_member_drop(copy, "hostname");
    YL_CHECK_FOR_EACH (c, claim, &claims) {
        struct yl_at metadata = yl_at(&claim, "metadata");
        struct yl_str name = yl_at_get_str(c, &metadata, "name");
        struct yl_node *source = yl_node_new_object(c->arena);

        if (!yl_set_add(c->arena, names, name)) {
            continue;
        }
        volume = yl_node_new_object(c->arena);
        yl_member_set(c->arena, volume, "name",
                      yl_node_new_string(c->arena, name));
        yl_member_set(c->arena, source, "claimName",
                      yl_node_new_string(c->arena, name));
        yl_member_set(c->arena, volume, "persistentVolumeClaim", source);
        yl_node_append(volumes, volume);
    }
    if (old) {
        YL_NODE_FOR_EACH_SAFE (volume, next, old) {
            struct yl_at at = yl_at_root(volume);

            if (!yl_node_get(names, yl_at_get_str(c, &at, "name"))) {
                yl_node_append(volumes, yl_node_detach(volume));
            }
        }
    }
    yl_member_set(c->arena, copy, "volumes", volumes);
    return copy;
}

static struct yl_node *
object_copy(struct yl_arena *arena, const struct yl_node *node)
{
    return yl_node_type(node) == YL_JSON_OBJECT ? yl_node_copy(arena, node)
                                                : yl_node_new_object(arena);
}

static void
check_matches(struct yl_check *c, const struct yl_at *spec, bool empty_too)
{
    struct yl_at selector = yl_at(spec, "selector");
    struct yl_at match_labels = yl_at(&selector, "matchLabels");
    struct yl_at list = yl_at(&selector, "matchExpressions");
    struct yl_at template = yl_at(spec, "template");
    struct yl_at metadata = yl_at(&template, "metadata");
    struct yl_at labels = yl_at(&metadata, "labels");
    bool empty = yl_at_has(&selector) && !yl_at_count(&match_labels)
                 && !yl_at_count(&list);

    /* An absent selector matches nothing; it does not count as empty. */
    if ((empty_too || !empty)
        && !yl_selector_node_matches(c, selector.node, labels.node)) {
        yl_field_invalid(c->err, yl_at_path(&labels), yl_bad_at(&labels),
                         "`selector` does not match template `labels`");
    }
}

/* Pods that should keep running need the restart policy Always and must have
 * no deadline. */
static void
check_always(struct yl_check *c, const struct yl_at *spec, const char *kind)
{
    static const char *const always[] = { "Always", NULL };
    struct yl_at template = yl_at(spec, "template");
    struct yl_at pod = yl_at(&template, "spec");
    struct yl_at restart = yl_at(&pod, "restartPolicy");
    struct yl_at deadline = yl_at(&pod, "activeDeadlineSeconds");

    yl_check_one_of(c, &restart, always);
    if (yl_at_has(&deadline)) {
        yl_field_forbidden(c->err, yl_at_path(&deadline),
                           "activeDeadlineSeconds in %s is not Supported",
                           kind);
    }
}

static void
check_deployment_strategy(struct yl_check *c, const struct yl_at *strategy)
{
    static const char *const types[] = { "Recreate", "RollingUpdate", NULL };
    struct yl_at type = yl_at(strategy, "type");
    struct yl_at rolling = yl_at(strategy, "rollingUpdate");
    struct yl_at unavailable = yl_at(&rolling, "maxUnavailable");
    struct yl_at surge = yl_at(&rolling, "maxSurge");
    bool percent;

    if (yl_at_is(&type, "Recreate")) {
        if (yl_at_has(&rolling)) {
            yl_field_forbidden(c->err, yl_at_path(&rolling),
                               "may not be specified when strategy `type` is "
                               "'Recreate'");
        }
        return;
    }
    if (!yl_at_is(&type, "RollingUpdate")) {
        yl_field_not_supported(c->err, yl_at_path(strategy),
                               yl_bad_struct(
                                   c, strategy->node,
                                   YL_GO(apps_v1, deployment_strategy)),
                               types);
        return;
    }
    yl_check_int_or_percent(c, &unavailable);
    yl_check_int_or_percent(c, &surge);
    if (!yl_at_int_or_percent(c, &unavailable, &percent)
        && !yl_at_int_or_percent(c, &surge, &percent)) {
        yl_field_invalid(c->err, yl_at_path(&unavailable),
                         yl_bad_at(&unavailable),
                         "may not be 0 when `maxSurge` is 0");
    }
    yl_check_percent_at_most_100(c, &unavailable);
}

static void
check_daemon_strategy(struct yl_check *c, const struct yl_at *strategy)
{
    static const char *const types[] = { "RollingUpdate", "OnDelete", NULL };
    struct yl_at type = yl_at(strategy, "type");
    struct yl_at rolling = yl_at(strategy, "rollingUpdate");
    struct yl_at unavailable = yl_at(&rolling, "maxUnavailable");
    struct yl_at surge = yl_at(&rolling, "maxSurge");
    bool percent, has_unavailable, has_surge;

    if (yl_at_is(&type, "OnDelete")) {
        return;
    }
    if (!yl_at_is(&type, "RollingUpdate")) {
        yl_field_not_supported(c->err, yl_at_path(strategy),
                               yl_bad_struct(
                                   c, strategy->node,
                                   YL_GO(apps_v1, daemon_set_update_strategy)),
                               types);
        return;
    }
    if (!yl_check_required(c, &rolling)) {
        return;
    }
    yl_check_int_or_percent(c, &unavailable);
    yl_check_int_or_percent(c, &surge);
    yl_check_percent_at_most_100(c, &unavailable);
    yl_check_percent_at_most_100(c, &surge);
    has_unavailable = yl_at_int_or_percent(c, &unavailable, &percent) != 0;
    has_surge = yl_at_int_or_percent(c, &surge, &percent) != 0;
    if (has_unavailable && has_surge) {
        yl_field_invalid(c->err, yl_at_path(&surge), yl_bad_at(&surge),
                         "may not be set when maxUnavailable is non-zero");
    } else if (!has_unavailable && !has_surge) {
        yl_field_required(c->err, yl_at_path(&unavailable),
                          "cannot be 0 when maxSurge is 0");
    }
}

static void
check_stateful_strategy(struct yl_check *c, const struct yl_at *strategy)
{
    struct yl_at type = yl_at(strategy, "type");
    struct yl_at rolling = yl_at(strategy, "rollingUpdate");
    struct yl_at partition = yl_at(&rolling, "partition");
    struct yl_at unavailable = yl_at(&rolling, "maxUnavailable");
    bool percent;

    if (yl_at_is(&type, "")) {
        yl_field_required(c->err, yl_at_path(strategy), NULL);
    } else if (yl_at_is(&type, "OnDelete")) {
        if (yl_at_has(&rolling)) {
            yl_field_invalid(c->err, yl_at_path(&rolling),
                             yl_bad_struct(
                                 c, rolling.node,
                                 YL_GO(apps_v1,
                                       rolling_update_stateful_set_strategy)),
                             "only allowed for updateStrategy "
                             "'RollingUpdate'");
        }
    } else if (!yl_at_is(&type, "RollingUpdate")) {
        yl_field_invalid(c->err, yl_at_path(strategy),
                         yl_bad_struct(
                             c, strategy->node,
                             YL_GO(apps_v1, stateful_set_update_strategy)),
                         "must be 'RollingUpdate' or 'OnDelete'");
    } else if (yl_at_has(&rolling)) {
        yl_check_not_negative(c, &partition);
        if (!yl_at_has(&unavailable)) {
            return;
        }
        yl_check_int_or_percent(c, &unavailable);
        if (!yl_at_int_or_percent(c, &unavailable, &percent)) {
            yl_field_invalid(c->err, yl_at_path(&unavailable),
                             yl_bad_at(&unavailable), "cannot be 0");
        }
        yl_check_percent_at_most_100(c, &unavailable);
    }
}

static void
check_not_negative(struct yl_check *c, const struct yl_at *spec,
                   const char *name)
{
    struct yl_at at = yl_at(spec, name);

    yl_check_not_negative(c, &at);
}

static void
check_retention(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const policies[] = { "Retain", "Delete", NULL };
    struct yl_at policy = yl_at(spec, "persistentVolumeClaimRetentionPolicy");
    struct yl_at deleted = yl_at(&policy, "whenDeleted");
    struct yl_at scaled = yl_at(&policy, "whenScaled");

    if (yl_at_has(&policy)) {
        yl_check_one_of(c, &deleted, policies);
        yl_check_one_of(c, &scaled, policies);
    }
}
