/* Warnings of the kinds that have a few.  See builtin/warnings/warnings.h and
 * builtin/builtin.h for the contract. */

#include "builtin/warnings/warnings.h"

#include <stdarg.h>
#include <string.h>

#include "builtin/common/meta.h"
#include "builtin/rows.h"
#include "json/base64.h"

#define MOUNTABLE "kubernetes.io/enforce-mountable-secrets"
#define OLD_CLASS "volume.beta.kubernetes.io/storage-class"
#define OLD_MOUNT "volume.beta.kubernetes.io/mount-options"
#define INGRESS_CLASS "kubernetes.io/ingress.class"
#define HINTS "service.kubernetes.io/topology-aware-hints"

static bool is_headless(const struct yl_at *spec);
static bool has_pem(struct yl_arena *, struct yl_str base64);

void
yl_warn_at(struct yl_warnings *w, const struct yl_at *at, const char *format,
           ...)
{
    struct yl_buf path;
    const char *text;
    va_list args;

    va_start(args, format);
    text = yl_arena_vprintf(w->arena, format, args);
    va_end(args);
    yl_buf_init(&path, SIZE_MAX);
    yl_field_path_write(&path, yl_at_path(at));
    yl_warn(w, "%s: %s", yl_buf_c_str(&path), text);
    yl_buf_release(&path);
}

void
yl_warn(struct yl_warnings *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    w->add(w->aux, yl_arena_vprintf(w->arena, format, args));
    va_end(args);
}

/* Upstream multiplies by a thousand and lets the product overflow, except
 * where the amount was written with a decimal suffix. */
void
yl_warn_fraction(struct yl_warnings *w, const struct yl_at *amount)
{
    char room[YL_QUANTITY_TEXT_SIZE];
    struct yl_quantity q;
    struct yl_str text;
    int64_t milli;

    if (!yl_node_quantity(w->arena, amount->node, &q)) {
        return;
    }
    text = yl_quantity_text(&q, room);
    milli = yl_quantity_milli_value(&q);
    if (milli == INT64_MAX || milli == INT64_MIN) {
        char last = text.data[text.size - 1];

        milli = last == 'i' || (last >= '0' && last <= '9')
                ? (int64_t) ((uint64_t) yl_quantity_value(&q) * 1000) : 0;
    }
    if (milli % 1000) {
        yl_warn_at(w, amount, "fractional byte value \"%.*s\" is invalid, "
                              "must be an integer", YL_STR_ARG(text));
    }
}

void
yl_warn_claim_spec(struct yl_warnings *w, const struct yl_at *spec)
{
    static const char *const lists[] = { "requests", "limits" };
    struct yl_at resources = yl_at(spec, "resources");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_at list = yl_at(&resources, lists[i]);
        struct yl_at storage = yl_at(&list, "storage");

        storage.path = yl_field_key(yl_at_path(&list), YL_STR("storage"));
        yl_warn_fraction(w, &storage);
    }
}

void
yl_service_warn(struct yl_warnings *w, const struct yl_node *object,
                const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at ips = yl_at(&spec, "externalIPs");
    struct yl_at cluster_ips = yl_at(&spec, "clusterIPs");
    struct yl_at balancer = yl_at(&spec, "loadBalancerIP");
    struct yl_at ranges = yl_at(&spec, "loadBalancerSourceRanges");
    bool external = yl_at_get_is(&spec, "type", "ExternalName");
    bool headless = is_headless(&spec);

    if (yl_at_get_has(&annotations, HINTS)) {
        yl_warn(w, "annotation " HINTS " is deprecated, please use "
                   "service.kubernetes.io/topology-mode instead");
    }
    if (!headless) {
        YL_AT_FOR_EACH (ip, &cluster_ips) {
            yl_warn_ip(w, &ip);
        }
    }
    if (headless && !yl_at_get_is(&spec, "loadBalancerIP", "")) {
        yl_warn(w, "spec.loadBalancerIP is ignored for headless services");
    }
    if (headless && yl_at_count(&ips)) {
        yl_warn(w, "spec.externalIPs is ignored for headless services");
    }
    if (headless && !yl_at_get_is(&spec, "sessionAffinity", "None")) {
        yl_warn(w, "spec.SessionAffinity is ignored for headless services");
    }
    YL_AT_FOR_EACH (ip, &ips) {
        yl_warn_ip(w, &ip);
    }
    if (yl_at_count(&ips) && !headless && !external) {
        yl_warn(w, "spec.externalIPs is deprecated and may no longer be "
                   "implemented in some clusters");
    }
    yl_warn_ip(w, &balancer);
    YL_AT_FOR_EACH (range, &ranges) {
        yl_warn_cidr(w, &range);
    }
    if (external && yl_at_count(&ips)) {
        yl_warn(w, "spec.externalIPs is ignored when spec.type is "
                   "\"ExternalName\"");
    }
    if (!external && !yl_at_get_is(&spec, "externalName", "")) {
        yl_warn(w, "spec.externalName is ignored when spec.type is not "
                   "\"ExternalName\"");
    }
    if (yl_at_get_is(&spec, "trafficDistribution", "PreferClose")) {
        yl_warn(w, "spec.trafficDistribution: \"PreferClose\" is deprecated; "
                   "use \"PreferSameZone\"");
    }
}

/* Upstream loads the key pair; here both are only checked for PEM data. */
void
yl_secret_warn(struct yl_warnings *w, const struct yl_node *object,
               const struct yl_node *old YL_UNUSED)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at data = yl_at(&root, "data");

    if (!yl_at_get_is(&root, "type", "kubernetes.io/tls")) {
        return;
    }
    if (!has_pem(w->arena, yl_at_get_str(&c, &data, "tls.crt"))) {
        yl_warn(w, "tls: failed to find any PEM data in certificate input");
    } else if (!has_pem(w->arena, yl_at_get_str(&c, &data, "tls.key"))) {
        yl_warn(w, "tls: failed to find any PEM data in key input");
    }
}

void
yl_service_account_warn(struct yl_warnings *w, const struct yl_node *object,
                        const struct yl_node *old)
{
    struct yl_node *annotations =
        yl_member_object(yl_member_object(object, "metadata"), "annotations");
    struct yl_node *before =
        yl_member_object(yl_member_object(old, "metadata"), "annotations");

    if (!yl_member_is_absent(annotations, MOUNTABLE)
        && yl_member_is_absent(before, MOUNTABLE)) {
        yl_warn(w, "metadata.annotations[" MOUNTABLE "]: deprecated in "
                   "v1.32+; prefer separate namespaces to isolate access to "
                   "mounted secrets");
    }
}

void
yl_persistent_volume_warn(struct yl_warnings *w, const struct yl_node *object,
                          const struct yl_node *old YL_UNUSED)
{
    static const struct {
        const char *name, *shown, *since, *until;
    } gone[] = {
        { "cephfs", "cephfs", "v1.28", "v1.31" },
        { "photonPersistentDisk", "photonPersistentDisk", "v1.11", "v1.16" },
        { "scaleIO", "scaleIO", "v1.16", "v1.22" },
        { "storageos", "storageOS", "v1.22", "v1.25" },
        { "glusterfs", "glusterfs", "v1.25", "v1.26" },
        { "rbd", "rbd", "v1.28", "v1.31" },
    };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at affinity = yl_at(&spec, "nodeAffinity");
    struct yl_at required = yl_at(&affinity, "required");
    struct yl_at terms = yl_at(&required, "nodeSelectorTerms");
    size_t i;

    if (yl_at_get_has(&annotations, OLD_CLASS)) {
        yl_warn(w, "metadata.annotations[" OLD_CLASS "]: deprecated since "
                   "v1.8; use \"storageClassName\" attribute instead");
    }
    if (yl_at_get_has(&annotations, OLD_MOUNT)) {
        yl_warn(w, "metadata.annotations[" OLD_MOUNT "]: deprecated since "
                   "v1.31; use \"mountOptions\" attribute instead");
    }
    if (yl_at_get_is(&spec, "persistentVolumeReclaimPolicy", "Recycle")) {
        yl_warn(w, "spec.persistentVolumeReclaimPolicy: The Recycle reclaim "
                   "policy is deprecated. Instead, the recommended approach "
                   "is to use dynamic provisioning.");
    }
    YL_AT_FOR_EACH (term, &terms) {
        struct yl_at expressions = yl_at(&term, "matchExpressions");

        yl_warn_node_terms(w, &expressions);
    }
    for (i = 0; i < YL_ARRAY_SIZE(gone); i++) {
        if (yl_at_get_has(&spec, gone[i].name)) {
            yl_warn(w, "spec.%s: deprecated in %s, non-functional in %s+",
                    gone[i].shown, gone[i].since, gone[i].until);
        }
    }
}

void
yl_persistent_volume_claim_warn(struct yl_warnings *w,
                                const struct yl_node *object,
                                const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");

    if (yl_at_get_has(&annotations, OLD_CLASS)) {
        yl_warn(w, "metadata.annotations[" OLD_CLASS "]: deprecated since "
                   "v1.8; use \"storageClassName\" attribute instead");
    }
    yl_warn_claim_spec(w, &spec);
}

void
yl_ingress_warn(struct yl_warnings *w, const struct yl_node *object,
                const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at annotations = yl_at(&metadata, "annotations");
    struct yl_at spec = yl_at(&root, "spec");

    if (!old && yl_at_get_has(&annotations, INGRESS_CLASS)
        && !yl_at_get_has(&spec, "ingressClassName")) {
        yl_warn(w, "annotation \"" INGRESS_CLASS "\" is deprecated, please "
                   "use 'spec.ingressClassName' instead");
    }
}

static bool
is_headless(const struct yl_at *spec)
{
    struct yl_at ips = yl_at(spec, "clusterIPs");
    struct yl_at first = yl_at_first(&ips);

    return yl_at_get_is(spec, "clusterIP", "None")
           || (yl_at_count(&ips) == 1 && yl_at_is(&first, "None"));
}

static bool
has_pem(struct yl_arena *arena, struct yl_str base64)
{
    struct yl_str text;

    return yl_base64_decode(arena, base64, &text)
           && memmem(text.data, text.size, "-----BEGIN ", 11);
}
