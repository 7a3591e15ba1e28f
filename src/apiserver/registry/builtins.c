/* The built-in resources: one row each.
 *
 * Names, short names, categories and scope come from the kinds' descriptors.
 * A row says what those do not: which verbs and subresources there are, where
 * upstream keeps the objects in etcd, which other versions lead to the same
 * objects, and what clients that write are warned of.  The order of rows has
 * no meaning. */

#include "apiserver/registry/registry.h"

#include <assert.h>
#include <stdlib.h>

#include "apiserver/keyspace/keyspace.h"
#include "apiserver/strategy/builtin.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/bug.h"
#include "builtin/columns/columns.h"
#include "yuloh/api/admissionregistration_v1.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apiextensions_v1beta1.h"
#include "yuloh/api/apiregistration_v1.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/authentication_v1.h"
#include "yuloh/api/authorization_v1.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/api/autoscaling_v2.h"
#include "yuloh/api/batch_v1.h"
#include "yuloh/api/batch_v1beta1.h"
#include "yuloh/api/batch_v2alpha1.h"
#include "yuloh/api/certificates_v1.h"
#include "yuloh/api/coordination_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/api/discovery_v1.h"
#include "yuloh/api/events_v1.h"
#include "yuloh/api/flowcontrol_v1.h"
#include "yuloh/api/networking_v1.h"
#include "yuloh/api/node_v1.h"
#include "yuloh/api/policy_v1.h"
#include "yuloh/api/rbac_v1.h"
#include "yuloh/api/resource_v1.h"
#include "yuloh/api/scheduling_v1.h"
#include "yuloh/api/storage_v1.h"

#define MAX_OTHERS 2

/* A version beside the hub. */
struct other {
    const struct yl_kind *kind;
    const char *deprecation;
};

struct row {
    const struct yl_kind *hub;
    uint32_t verbs;             /* 0: all verbs. */
    const char *prefix;         /* Of the keys, below /registry/; NULL: the
                                 * plural. */
    bool unstored;
    const struct yl_api_subresource *subresources;
    size_t n_subresources;
    const char *deprecation;    /* Warning for the hub version. */
    struct other others[MAX_OTHERS];
    const char *categories;     /* NULL: the kind's. */
    const char *no_effect;
};

#define CREATE YL_VERB_CREATE
#define GET YL_VERB_GET
#define CHANGE (YL_VERB_GET | YL_VERB_PATCH | YL_VERB_UPDATE)
#define PROXY (CREATE | YL_VERB_DELETE | CHANGE)

#define STATUS { .what = YL_SUB_STATUS, .name = "status", .verbs = CHANGE }
#define SCALE                                                                 \
    { .what = YL_SUB_SCALE, .name = "scale", .group = "autoscaling",          \
      .version = "v1", .kind = "Scale", .verbs = CHANGE,                      \
      .schema = &autoscaling_v1_scale_kind }
#define CONNECT(NAME, KIND, VERBS)                                            \
    { .what = YL_SUB_CONNECT, .name = NAME, .kind = KIND, .verbs = VERBS }

/* In the order of their names, as discovery lists them. */
static const struct yl_api_subresource status_only[] = { STATUS };
static const struct yl_api_subresource scale_status[] = { SCALE, STATUS };
static const struct yl_api_subresource of_csrs[] = {
    { .what = YL_SUB_APPROVAL, .name = "approval", .verbs = CHANGE },
    STATUS,
};
static const struct yl_api_subresource of_namespaces[] = {
    { .what = YL_SUB_FINALIZE, .name = "finalize", .verbs = YL_VERB_UPDATE },
    STATUS,
};
static const struct yl_api_subresource of_nodes[] = {
    CONNECT("proxy", "NodeProxyOptions", PROXY),
    STATUS,
};
static const struct yl_api_subresource of_pods[] = {
    CONNECT("attach", "PodAttachOptions", CREATE | GET),
    { .what = YL_SUB_BINDING, .name = "binding", .kind = "Binding",
      .verbs = CREATE, .schema = &core_v1_binding_kind },
    { .what = YL_SUB_EPHEMERAL_CONTAINERS, .name = "ephemeralcontainers",
      .verbs = CHANGE },
    { .what = YL_SUB_EVICTION, .name = "eviction", .group = "policy",
      .version = "v1", .kind = "Eviction", .verbs = CREATE,
      .schema = &policy_v1_eviction_kind },
    CONNECT("exec", "PodExecOptions", CREATE | GET),
    CONNECT("log", NULL, GET),
    CONNECT("portforward", "PodPortForwardOptions", CREATE | GET),
    CONNECT("proxy", "PodProxyOptions", PROXY),
    { .what = YL_SUB_RESIZE, .name = "resize", .verbs = CHANGE },
    STATUS,
};
static const struct yl_api_subresource of_service_accounts[] = {
    { .what = YL_SUB_TOKEN, .name = "token", .group = "authentication.k8s.io",
      .version = "v1", .kind = "TokenRequest", .verbs = CREATE,
      .schema = &authentication_v1_token_request_kind },
};
static const struct yl_api_subresource of_services[] = {
    CONNECT("proxy", "ServiceProxyOptions", PROXY),
    STATUS,
};

#define SUBRESOURCES(ARRAY)                                                   \
    .subresources = ARRAY, .n_subresources = YL_ARRAY_SIZE(ARRAY)
#define WITH_STATUS SUBRESOURCES(status_only)
#define WITH_SCALE SUBRESOURCES(scale_status)
#define REVIEW .verbs = CREATE, .unstored = true
#define EXTENSION .categories = "api-extensions"
#define INERT(WHY) .no_effect = WHY
#define NO_WEBHOOKS INERT("this server does not call webhooks yet")
#define NO_POLICIES INERT("this server does not evaluate policies yet")
#define NO_FLOWS INERT("this server does not tell flows apart yet")

static const struct row rows[] = {
    /* Core. */
    { .hub = &core_v1_binding_kind, REVIEW },
    { .hub = &core_v1_component_status_kind, .unstored = true,
      .verbs = GET | YL_VERB_LIST,
      .deprecation = "v1 ComponentStatus is deprecated in v1.19+" },
    { .hub = &core_v1_config_map_kind },
    { .hub = &core_v1_endpoints_kind, .prefix = "services/endpoints",
      .deprecation = "v1 Endpoints is deprecated in v1.33+; use "
                     "discovery.k8s.io/v1 EndpointSlice" },
    { .hub = &core_v1_event_kind,
      .others = { { &events_v1_event_kind, NULL } } },
    { .hub = &core_v1_limit_range_kind,
      INERT("this server does not apply limit ranges yet") },
    { .hub = &core_v1_namespace__kind, SUBRESOURCES(of_namespaces),
      .verbs = YL_VERBS_ALL & ~YL_VERB_DELETECOLLECTION },
    { .hub = &core_v1_node_kind, .prefix = "minions", SUBRESOURCES(of_nodes) },
    { .hub = &core_v1_persistent_volume_kind, WITH_STATUS },
    { .hub = &core_v1_persistent_volume_claim_kind, WITH_STATUS },
    { .hub = &core_v1_pod_kind, SUBRESOURCES(of_pods) },
    { .hub = &core_v1_pod_template_kind },
    { .hub = &core_v1_replication_controller_kind, .prefix = "controllers",
      WITH_SCALE },
    { .hub = &core_v1_resource_quota_kind, WITH_STATUS,
      INERT("this server does not enforce quotas yet") },
    { .hub = &core_v1_secret_kind },
    { .hub = &core_v1_service_kind, .prefix = "services/specs",
      SUBRESOURCES(of_services) },
    { .hub = &core_v1_service_account_kind,
      SUBRESOURCES(of_service_accounts) },

    /* Workloads. */
    { .hub = &apps_v1_controller_revision_kind },
    { .hub = &apps_v1_daemon_set_kind, WITH_STATUS },
    { .hub = &apps_v1_deployment_kind, WITH_SCALE },
    { .hub = &apps_v1_replica_set_kind, WITH_SCALE },
    { .hub = &apps_v1_stateful_set_kind, WITH_SCALE },
    { .hub = &autoscaling_v2_horizontal_pod_autoscaler_kind, WITH_STATUS,
      .others = {
          { &autoscaling_v1_horizontal_pod_autoscaler_kind, NULL },
      } },
    { .hub = &batch_v1_cron_job_kind, WITH_STATUS,
      .others = {
          { &batch_v1beta1_cron_job_kind,
            "batch/v1beta1 CronJob is deprecated in v1.21+; use batch/v1 "
            "CronJob" },
          { &batch_v2alpha1_cron_job_kind,
            "batch/v2alpha1 CronJob is deprecated in v1.8+; use batch/v1 "
            "CronJob" },
      } },
    { .hub = &batch_v1_job_kind, WITH_STATUS },
    { .hub = &policy_v1_pod_disruption_budget_kind, WITH_STATUS },
    { .hub = &scheduling_v1_priority_class_kind },

    /* Authentication and authorization. */
    { .hub = &authentication_v1_self_subject_review_kind, REVIEW },
    { .hub = &authentication_v1_token_review_kind, REVIEW },
    { .hub = &authorization_v1_local_subject_access_review_kind, REVIEW },
    { .hub = &authorization_v1_self_subject_access_review_kind, REVIEW },
    { .hub = &authorization_v1_self_subject_rules_review_kind, REVIEW },
    { .hub = &authorization_v1_subject_access_review_kind, REVIEW },
    { .hub = &certificates_v1_certificate_signing_request_kind,
      SUBRESOURCES(of_csrs) },
    { .hub = &rbac_v1_cluster_role_kind },
    { .hub = &rbac_v1_cluster_role_binding_kind },
    { .hub = &rbac_v1_role_kind },
    { .hub = &rbac_v1_role_binding_kind },

    /* The server itself. */
    { .hub = &admissionregistration_v1_mutating_admission_policy_kind,
      EXTENSION, NO_POLICIES },
    { .hub = &admissionregistration_v1_mutating_admission_policy_binding_kind,
      EXTENSION, NO_POLICIES },
    { .hub = &admissionregistration_v1_mutating_webhook_configuration_kind,
      EXTENSION, NO_WEBHOOKS },
    { .hub = &admissionregistration_v1_validating_admission_policy_kind,
      WITH_STATUS, EXTENSION, NO_POLICIES },
    { .hub =
          &admissionregistration_v1_validating_admission_policy_binding_kind,
      EXTENSION, NO_POLICIES },
    { .hub = &admissionregistration_v1_validating_webhook_configuration_kind,
      EXTENSION, NO_WEBHOOKS },
    { .hub = &apiextensions_v1_custom_resource_definition_kind, WITH_STATUS,
      .prefix = "apiextensions.k8s.io/customresourcedefinitions",
      .others = {
          { &apiextensions_v1beta1_custom_resource_definition_kind,
            "apiextensions.k8s.io/v1beta1 CustomResourceDefinition is "
            "deprecated in v1.16+; use apiextensions.k8s.io/v1 "
            "CustomResourceDefinition" },
      } },
    { .hub = &apiregistration_v1_api_service_kind, WITH_STATUS, EXTENSION,
      .prefix = "apiregistration.k8s.io/apiservices",
      INERT("this server does not forward to other API servers yet") },
    { .hub = &coordination_v1_lease_kind },
    { .hub = &flowcontrol_v1_flow_schema_kind, WITH_STATUS, NO_FLOWS },
    { .hub = &flowcontrol_v1_priority_level_configuration_kind, WITH_STATUS,
      NO_FLOWS },

    /* Networks, devices, volumes. */
    { .hub = &discovery_v1_endpoint_slice_kind },
    { .hub = &networking_v1_ip_address_kind },
    { .hub = &networking_v1_ingress_kind, .prefix = "ingress", WITH_STATUS },
    { .hub = &networking_v1_ingress_class_kind },
    { .hub = &networking_v1_network_policy_kind },
    { .hub = &networking_v1_service_cidr_kind, WITH_STATUS,
      INERT("this server allocates addresses from its own range only") },
    { .hub = &node_v1_runtime_class_kind },
    { .hub = &resource_v1_device_class_kind },
    { .hub = &resource_v1_resource_claim_kind, WITH_STATUS },
    { .hub = &resource_v1_resource_claim_template_kind },
    { .hub = &resource_v1_resource_slice_kind },
    { .hub = &storage_v1_csi_driver_kind },
    { .hub = &storage_v1_csi_node_kind },
    { .hub = &storage_v1_csi_storage_capacity_kind },
    { .hub = &storage_v1_storage_class_kind },
    { .hub = &storage_v1_volume_attachment_kind, WITH_STATUS },
    { .hub = &storage_v1_volume_attributes_class_kind },
};

/* The memory that a resource's pointers lead to. */
struct memory {
    struct yl_builtin_strategy strategy;
    struct yl_api_version versions[1 + MAX_OTHERS];
};

static void add_row(struct yl_registry *, struct yl_keyspace *,
                    const struct row *);
static struct yl_ks_resource *add_objects(struct yl_keyspace *,
                                          const struct row *);
static struct yl_api_version version_of(const struct row *,
                                        const struct yl_kind *,
                                        const char *deprecation);

void
yl_registry_add_builtins(struct yl_registry *registry,
                         struct yl_keyspace *keyspace)
{
    for (size_t i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        add_row(registry, keyspace, &rows[i]);
    }
}

static void
add_row(struct yl_registry *registry, struct yl_keyspace *keyspace,
        const struct row *row)
{
    const struct yl_kind *kind = row->hub;
    struct memory *memory = yl_zalloc(sizeof *memory);
    struct yl_api_version *versions = memory->versions;
    struct yl_api_resource resource = {
        .group = yl_str_c(kind->set->group),
        .plural = yl_str_c(kind->plural),
        .singular = yl_str_c(kind->singular),
        .kind = yl_str_c(kind->name),
        .namespaced = kind->flags & YL_KIND_NAMESPACED,
        .verbs = row->verbs ? row->verbs : YL_VERBS_ALL,
        .versions = versions,
        .short_names = yl_type_set_text(kind->set, kind->short_names),
        .categories = row->categories
                      ? row->categories
                      : yl_type_set_text(kind->set, kind->categories),
        .strategy = yl_builtin_strategy_init(&memory->strategy, kind),
        .columns = yl_builtin_columns(yl_str_c(kind->set->group),
                                      yl_str_c(kind->name)),
        .objects = row->unstored ? NULL : add_objects(keyspace, row),
        .no_effect = row->no_effect,
    };
    int r;

    versions[resource.n_versions++] = version_of(row, kind,
                                                 row->deprecation);
    for (size_t i = 0; i < MAX_OTHERS && row->others[i].kind; i++) {
        versions[resource.n_versions++] =
            version_of(row, row->others[i].kind, row->others[i].deprecation);
    }
    r = yl_registry_put(registry, &resource, free, memory);
    assert(!r);
    (void) r;
}

static struct yl_ks_resource *
add_objects(struct yl_keyspace *keyspace, const struct row *row)
{
    const struct yl_type_set *set = row->hub->set;
    struct yl_ks_resource *objects = NULL;
    struct yl_buf prefix, api_version;

    yl_buf_init(&prefix, 256);
    yl_buf_init(&api_version, 256);
    yl_buf_printf(&prefix, "/registry/%s/",
                  row->prefix ? row->prefix : row->hub->plural);
    yl_buf_printf(&api_version, "%s%s%s", set->group, *set->group ? "/" : "",
                  set->version);
    if (yl_keyspace_add(keyspace, yl_buf_str(&prefix),
                        row->hub->flags & YL_KIND_NAMESPACED,
                        (struct yl_type_meta) {
                            .api_version = yl_buf_str(&api_version),
                            .kind = yl_str_c(row->hub->name),
                        }, &objects, NULL) < 0) {
        yl_bug("two kinds of different scopes are stored as %s", prefix.data);
    }
    yl_buf_release(&prefix);
    yl_buf_release(&api_version);
    return objects;
}

static struct yl_api_version
version_of(const struct row *row, const struct yl_kind *kind,
           const char *deprecation)
{
    return (struct yl_api_version) {
        .group = yl_str_c(kind->set->group),
        .version = yl_str_c(kind->set->version),
        .kind = kind,
        .hub = kind == row->hub,
        .deprecation = yl_str_c(deprecation ? deprecation : ""),
        .subresources = row->subresources,
        .n_subresources = row->n_subresources,
    };
}
