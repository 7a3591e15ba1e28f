/* Defaults of Pods and of templates of Pods. */
#include "builtin/pods/pod.h"

#include "builtin/common/meta.h"
#include "builtin/pods/image.h"
#include "builtin/pods/pod_resources.h"
#include "builtin/rows.h"


static void default_status_amounts(struct yl_arena *,
                                   struct yl_node *status);
static void default_told(struct yl_arena *, struct yl_node *status);
static void default_account(struct yl_arena *, struct yl_node *spec);
static void default_requests(struct yl_arena *, struct yl_node *spec,
                             const char *list);
static void default_host_ports(struct yl_arena *, struct yl_node *spec,
                               const char *list);
static void default_containers(struct yl_arena *, struct yl_node *spec,
                               const char *list);
static void default_container(struct yl_arena *, struct yl_node *container);
static void default_env(struct yl_arena *, struct yl_node *container);
static void default_probe(struct yl_arena *, struct yl_node *probe);
static void default_http_get(struct yl_arena *, struct yl_node *handler);
static void default_pull_policy(struct yl_arena *, struct yl_node *object,
                                const char *policy, const char *image);
static void default_volume(struct yl_arena *, struct yl_node *volume);
static void default_disks(struct yl_arena *, struct yl_node *volume);
static void default_projections(struct yl_arena *, struct yl_node *projected);
static void default_field_refs(struct yl_arena *, struct yl_node *source);

void
yl_pod_default(struct yl_arena *arena, struct yl_node *pod)
{
    struct yl_node *spec = yl_member_make(arena, pod, "spec");
    struct yl_at at = yl_at_root(spec);

    default_requests(arena, spec, "containers");
    default_requests(arena, spec, "initContainers");
    yl_pod_resources_default(arena, spec);
    yl_member_default_bool_ptr(arena, spec, "enableServiceLinks", true);
    if (yl_at_get_bool(&at, "hostNetwork")) {
        default_host_ports(arena, spec, "containers");
        default_host_ports(arena, spec, "initContainers");
    }
    yl_pod_spec_default(arena, spec);
    yl_pod_ips_default(arena, yl_member_object(pod, "status"));
    default_status_amounts(arena, yl_member_object(pod, "status"));
}

void
yl_pod_spec_default(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *volumes = yl_member_array(spec, "volumes");
    struct yl_node *resources = yl_member_object(spec, "resources");
    struct yl_node *volume;

    yl_member_default_str(arena, spec, "dnsPolicy", "ClusterFirst");
    yl_member_default_str(arena, spec, "restartPolicy", "Always");
    yl_member_make(arena, spec, "securityContext");
    yl_member_default_int_ptr(arena, spec, "terminationGracePeriodSeconds",
                              30);
    yl_member_default_str(arena, spec, "schedulerName", "default-scheduler");
    if (volumes) {
        YL_NODE_FOR_EACH (volume, volumes) {
            default_volume(arena, volume);
        }
    }
    default_containers(arena, spec, "initContainers");
    default_containers(arena, spec, "containers");
    default_containers(arena, spec, "ephemeralContainers");
    default_account(arena, spec);
    yl_resource_list_default(arena, yl_member_object(spec, "overhead"));
    yl_resource_list_default(arena, yl_member_object(resources, "limits"));
    yl_resource_list_default(arena, yl_member_object(resources, "requests"));
}

void
yl_pod_prepare(struct yl_arena *arena, struct yl_node *pod)
{
    struct yl_node *spec = yl_member_object(pod, "spec");
    struct yl_at at = yl_at_root(spec);

    yl_pod_status_prepare(arena, pod);
    yl_meta_set_generation(arena, pod);
    yl_pod_spec_prepare(arena, spec);
    yl_pod_merge_label_keys(arena, pod);
    yl_pod_copy_app_armor(arena, pod);
    if (yl_at_get_int(&at, "terminationGracePeriodSeconds") < 0) {
        yl_member_set(arena, spec, "terminationGracePeriodSeconds",
                      yl_node_new_int64(arena, 1));
    }
}

void
yl_pod_spec_prepare(struct yl_arena *arena, struct yl_node *spec)
{
    static const char *const lists[] = { "containers", "initContainers",
                                         "ephemeralContainers" };
    struct yl_node *container, *volume, *source;
    size_t i;

    (void) arena;
    yl_member_drop(spec, "schedulingGroup");
    YL_MEMBER_EACH (volume, spec, "volumes") {
        YL_MEMBER_EACH (source, yl_member_object(volume, "projected"),
                        "sources") {
            yl_member_drop(source, "clusterTrustBundle");
            yl_member_drop(source, "podCertificate");
        }
    }
    for (i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct yl_node *list = yl_member_array(spec, lists[i]);

        if (!list) {
            continue;
        }
        YL_NODE_FOR_EACH (container, list) {
            struct yl_node *lifecycle =
                yl_member_object(container, "lifecycle");

            if (lifecycle && !yl_member_is_absent(lifecycle, "stopSignal")) {
                yl_member_drop(lifecycle, "stopSignal");
                if (yl_node_is_zero(lifecycle)) {
                    yl_member_drop(container, "lifecycle");
                }
            }
        }
    }
}

void
yl_claim_spec_default(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *resources = yl_member_object(spec, "resources");

    yl_member_default_str_ptr(arena, spec, "volumeMode", "Filesystem");
    yl_resource_list_default(arena, yl_member_object(resources, "limits"));
    yl_resource_list_default(arena, yl_member_object(resources, "requests"));
}

void
yl_resource_list_default(struct yl_arena *arena, struct yl_node *list)
{
    struct yl_node *amount, *next;

    if (!list) {
        return;
    }
    YL_NODE_FOR_EACH_SAFE (amount, next, list) {
        char room[YL_QUANTITY_TEXT_SIZE];
        struct yl_quantity q, rounded;
        int64_t milli;

        if (!yl_node_quantity(arena, amount, &q)) {
            continue;
        }
        milli = yl_quantity_milli_value(&q);
        rounded = yl_quantity_make(milli, -3, q.format);
        if (milli < INT64_MAX && milli > INT64_MIN
            && yl_quantity_compare(&q, &rounded)) {
            yl_node_replace(amount, yl_node_new_string(
                arena, yl_quantity_text(&rounded, room)));
        }
    }
}

/* Defaults of the amounts in a status, of the Pod and of its containers. */
static void
default_status_amounts(struct yl_arena *arena, struct yl_node *status)
{
    static const char *const lists[] = { "initContainerStatuses",
                                         "containerStatuses",
                                         "ephemeralContainerStatuses" };
    struct yl_node *container;
    size_t i;

    default_told(arena, status);
    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        YL_MEMBER_EACH (container, status, lists[i]) {
            default_told(arena, container);
        }
    }
}

static void
default_told(struct yl_arena *arena, struct yl_node *status)
{
    struct yl_node *resources = yl_member_object(status, "resources");

    yl_resource_list_default(arena,
                             yl_member_object(status, "allocatedResources"));
    yl_resource_list_default(arena, yl_member_object(resources, "limits"));
    yl_resource_list_default(arena, yl_member_object(resources, "requests"));
}

/* 'serviceAccount' is the old name of 'serviceAccountName'; both are set to
 * the same value. */
static void
default_account(struct yl_arena *arena, struct yl_node *spec)
{
    static const char *const names[] = { "serviceAccountName",
                                         "serviceAccount" };
    int from = yl_member_is_zero(spec, names[0]);

    if (!yl_member_is_zero(spec, names[from])) {
        yl_member_set(
            arena, spec, names[!from],
            yl_node_copy(arena, yl_node_get(spec, yl_str_c(names[from]))));
    }
}

/* If there is a limit but no request, the request is the same as the limit. */
static void
default_requests(struct yl_arena *arena, struct yl_node *spec,
                 const char *list)
{
    struct yl_node *containers = yl_member_array(spec, list);
    struct yl_node *container, *limit;

    if (!containers) {
        return;
    }
    YL_NODE_FOR_EACH (container, containers) {
        struct yl_node *resources = yl_member_object(container, "resources");
        struct yl_node *limits = yl_member_object(resources, "limits");
        struct yl_node *requests;

        if (!limits) {
            continue;
        }
        requests = yl_member_make(arena, resources, "requests");
        YL_NODE_FOR_EACH (limit, limits) {
            if (requests && !yl_node_get(requests, yl_node_key(limit))) {
                yl_node_set(arena, requests, yl_node_key(limit),
                            yl_node_copy(arena, limit));
            }
        }
    }
}

/* With the host's network, a container's port is a port of the host. */
static void
default_host_ports(struct yl_arena *arena, struct yl_node *spec,
                   const char *list)
{
    struct yl_node *containers = yl_member_array(spec, list);
    struct yl_node *container, *port;

    if (!containers) {
        return;
    }
    YL_NODE_FOR_EACH (container, containers) {
        struct yl_node *ports = yl_member_array(container, "ports");

        if (!ports) {
            continue;
        }
        YL_NODE_FOR_EACH (port, ports) {
            struct yl_at at = yl_at_root(port);
            int64_t number = yl_at_get_int(&at, "containerPort");

            if (number) {
                yl_member_default_int(arena, port, "hostPort", number);
            }
        }
    }
}

static void
default_containers(struct yl_arena *arena, struct yl_node *spec,
                   const char *list)
{
    struct yl_node *containers = yl_member_array(spec, list);
    struct yl_node *container;

    if (containers) {
        YL_NODE_FOR_EACH (container, containers) {
            default_container(arena, container);
        }
    }
}

static void
default_container(struct yl_arena *arena, struct yl_node *container)
{
    static const char *const probes[] = { "livenessProbe", "readinessProbe",
                                          "startupProbe" };
    struct yl_node *resources = yl_member_object(container, "resources");
    struct yl_node *lifecycle = yl_member_object(container, "lifecycle");
    struct yl_node *ports = yl_member_array(container, "ports");
    struct yl_node *port;
    size_t i;

    default_pull_policy(arena, container, "imagePullPolicy", "image");
    yl_member_default_str(arena, container, "terminationMessagePath",
                          "/dev/termination-log");
    yl_member_default_str(arena, container, "terminationMessagePolicy",
                          "File");
    if (ports) {
        YL_NODE_FOR_EACH (port, ports) {
            yl_member_default_str(arena, port, "protocol", "TCP");
        }
    }
    default_env(arena, container);
    yl_resource_list_default(arena, yl_member_object(resources, "limits"));
    yl_resource_list_default(arena, yl_member_object(resources, "requests"));
    for (i = 0; i < 3; i++) {
        default_probe(arena, yl_member_object(container, probes[i]));
    }
    default_http_get(arena, yl_member_object(lifecycle, "postStart"));
    default_http_get(arena, yl_member_object(lifecycle, "preStop"));
}

static void
default_env(struct yl_arena *arena, struct yl_node *container)
{
    struct yl_node *env = yl_member_array(container, "env");
    struct yl_node *var;

    if (!env) {
        return;
    }
    YL_NODE_FOR_EACH (var, env) {
        struct yl_node *from = yl_member_object(var, "valueFrom");

        yl_member_default_str(arena, yl_member_object(from, "fieldRef"),
                              "apiVersion", "v1");
        yl_member_default_bool_ptr(arena, yl_member_object(from, "fileKeyRef"),
                                   "optional", false);
    }
}

static void
default_probe(struct yl_arena *arena, struct yl_node *probe)
{
    yl_member_default_int(arena, probe, "timeoutSeconds", 1);
    yl_member_default_int(arena, probe, "periodSeconds", 10);
    yl_member_default_int(arena, probe, "successThreshold", 1);
    yl_member_default_int(arena, probe, "failureThreshold", 3);
    default_http_get(arena, probe);
    yl_member_default_str_ptr(arena, yl_member_object(probe, "grpc"),
                              "service", "");
}

static void
default_http_get(struct yl_arena *arena, struct yl_node *handler)
{
    struct yl_node *http_get = yl_member_object(handler, "httpGet");

    yl_member_default_str(arena, http_get, "path", "/");
    yl_member_default_str(arena, http_get, "scheme", "HTTP");
}

static void
default_pull_policy(struct yl_arena *arena, struct yl_node *object,
                    const char *policy, const char *image)
{
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(object);

    yl_member_default_str(arena, object, policy,
                          yl_image_is_latest(yl_at_get_str(&c, &at, image))
                              ? "Always"
                              : "IfNotPresent");
}

static void
default_volume(struct yl_arena *arena, struct yl_node *volume)
{
    static const char *const with_mode[] = { "secret", "configMap",
                                             "downwardAPI", "projected" };
    struct yl_node *member, *image = yl_member_object(volume, "image");
    struct yl_node *ephemeral = yl_member_object(volume, "ephemeral");
    bool has_source = false;
    size_t i;

    if (yl_node_type(volume) != YL_JSON_OBJECT) {
        return;
    }
    YL_NODE_FOR_EACH (member, volume) {
        has_source |= yl_node_type(member) == YL_JSON_OBJECT;
    }
    if (!has_source) {
        yl_member_make(arena, volume, "emptyDir");
    }
    if (image) {
        default_pull_policy(arena, image, "pullPolicy", "reference");
    }
    yl_member_default_str_ptr(arena, yl_member_object(volume, "hostPath"),
                              "type", "");
    for (i = 0; i < 4; i++) {
        yl_member_default_int_ptr(arena,
                                  yl_member_object(volume, with_mode[i]),
                                  "defaultMode", 0644);
    }
    default_disks(arena, volume);
    default_field_refs(arena, yl_member_object(volume, "downwardAPI"));
    default_projections(arena, yl_member_object(volume, "projected"));
    if (ephemeral) {
        struct yl_node *template =
            yl_member_object(ephemeral, "volumeClaimTemplate");

        yl_claim_spec_default(arena, yl_member_make(arena, template, "spec"));
    }
}

/* Volume types from before CSI. */
static void
default_disks(struct yl_arena *arena, struct yl_node *volume)
{
    struct yl_node *rbd = yl_member_object(volume, "rbd");
    struct yl_node *azure = yl_member_object(volume, "azureDisk");
    struct yl_node *scale_io = yl_member_object(volume, "scaleIO");

    yl_member_default_str(arena, yl_member_object(volume, "iscsi"),
                          "iscsiInterface", "default");
    yl_member_default_str(arena, rbd, "pool", "rbd");
    yl_member_default_str(arena, rbd, "user", "admin");
    yl_member_default_str(arena, rbd, "keyring", "/etc/ceph/keyring");
    yl_member_default_str_ptr(arena, azure, "cachingMode", "ReadWrite");
    yl_member_default_str_ptr(arena, azure, "fsType", "ext4");
    yl_member_default_bool_ptr(arena, azure, "readOnly", false);
    yl_member_default_str_ptr(arena, azure, "kind", "Shared");
    yl_member_default_str(arena, scale_io, "storageMode", "ThinProvisioned");
    yl_member_default_str(arena, scale_io, "fsType", "xfs");
}

static void
default_projections(struct yl_arena *arena, struct yl_node *projected)
{
    struct yl_node *sources = yl_member_array(projected, "sources");
    struct yl_node *source;

    if (!sources) {
        return;
    }
    YL_NODE_FOR_EACH (source, sources) {
        default_field_refs(arena, yl_member_object(source, "downwardAPI"));
        yl_member_default_int_ptr(
            arena, yl_member_object(source, "serviceAccountToken"),
            "expirationSeconds", 3600);
    }
}

static void
default_field_refs(struct yl_arena *arena, struct yl_node *source)
{
    struct yl_node *items = yl_member_array(source, "items");
    struct yl_node *item;

    if (items) {
        YL_NODE_FOR_EACH (item, items) {
            yl_member_default_str(arena, yl_member_object(item, "fieldRef"),
                                  "apiVersion", "v1");
        }
    }
}
