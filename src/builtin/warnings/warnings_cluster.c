/* Warnings of Nodes and of the kinds that name Nodes or addresses.  See
 * builtin/warnings/warnings.h for what they share. */

#include "builtin/common/checks.h"
#include "builtin/common/meta.h"
#include "builtin/network/ip.h"
#include "builtin/rows.h"
#include "builtin/warnings/warnings.h"

static void warn_blocks(struct yl_warnings *, const struct yl_at *spec,
                        const char *rules, const char *peers);

const char *
yl_deprecated_node_label(struct yl_str key)
{
    static const char *const labels[][2] = {
        { "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead" },
        { "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead" },
        { "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" "
          "instead" },
        { "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" "
          "instead" },
        { "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" "
          "instead" },
        { "app.kubernetes.io/created-by", "deprecated since v1.9" },
        { "scheduler.alpha.kubernetes.io/preferAvoidPods",
          "deprecated since v1.22; use Taints and Tolerations instead" },
        { "node-role.kubernetes.io/master",
          "use \"node-role.kubernetes.io/control-plane\" instead" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(labels); i++) {
        if (yl_str_equal_c(key, labels[i][0])) {
            return labels[i][1];
        }
    }
    return NULL;
}

void
yl_warn_node_terms(struct yl_warnings *w, const struct yl_at *list)
{
    struct yl_check c = { w->arena, NULL };

    YL_AT_FOR_EACH (expression, list) {
        struct yl_at key = yl_at(&expression, "key");
        struct yl_str s = yl_at_str(&c, &key);
        const char *why = yl_deprecated_node_label(s);

        if (why) {
            yl_warn_at(w, &key, "%.*s is %s", YL_STR_ARG(s), why);
        }
    }
}

void
yl_warn_ip(struct yl_warnings *w, const struct yl_at *at)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_str s = yl_at_str(&c, at);
    char text[YL_IP_TEXT_SIZE];
    struct yl_ip ip;

    if (!yl_ip_parse(s, &ip)) {
        return;
    }
    yl_ip_text(&ip, text);
    if (ip.mapped || ip.leading_zeros) {
        yl_warn_at(w, at, "non-standard IP address \"%.*s\" is invalid: use "
                          "\"%s\"", YL_STR_ARG(s), text);
    } else if (ip.family == 6 && !yl_str_equal_c(s, text)) {
        yl_warn_at(w, at, "IPv6 address \"%.*s\" should be in RFC 5952 "
                          "canonical format (\"%s\")", YL_STR_ARG(s), text);
    }
}

void
yl_warn_cidr(struct yl_warnings *w, const struct yl_at *at)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_str s = yl_at_str(&c, at);
    char text[YL_IP_TEXT_SIZE];
    struct yl_ip ip;
    unsigned bits;

    if (yl_cidr_parse(s, &ip, &bits) && ip.family == 6) {
        yl_cidr_text(&ip, bits, text);
        if (!yl_str_equal_c(s, text)) {
            yl_warn_at(w, at, "IPv6 CIDR value \"%.*s\" should be in RFC 5952 "
                              "canonical format (\"%s\")", YL_STR_ARG(s),
                       text);
        }
    }
}

void
yl_core_node_warn(struct yl_warnings *w, const struct yl_node *object,
                  const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at cidrs = yl_at(&spec, "podCIDRs");

    if (yl_at_get_has(&spec, "configSource")) {
        yl_warn(w, "spec.configSource: the feature is removed");
    }
    if (!yl_at_get_is(&spec, "externalID", "")) {
        yl_warn(w, "spec.externalID: this field is deprecated, and is unused "
                   "by Kubernetes");
    }
    YL_AT_FOR_EACH (cidr, &cidrs) {
        yl_warn_cidr(w, &cidr);
    }
}

void
yl_runtime_class_warn(struct yl_warnings *w, const struct yl_node *object,
                      const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at scheduling = yl_at(&root, "scheduling");
    struct yl_at selector = yl_at(&scheduling, "nodeSelector");

    YL_AT_FOR_EACH (label, &selector) {
        const char *why = yl_deprecated_node_label(yl_at_key(&label));

        if (why) {
            yl_warn_at(w, &selector, "%s", why);
        }
    }
}

void
yl_storage_class_warn(struct yl_warnings *w, const struct yl_node *object,
                      const struct yl_node *old YL_UNUSED)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(object);
    struct yl_at topologies = yl_at(&root, "allowedTopologies");

    YL_AT_FOR_EACH (topology, &topologies) {
        struct yl_at list = yl_at(&topology, "matchLabelExpressions");

        YL_AT_FOR_EACH (expression, &list) {
            struct yl_at key = yl_at(&expression, "key");
            const char *why = yl_deprecated_node_label(yl_at_str(&c, &key));

            if (why) {
                yl_warn_at(w, &key, "%s", why);
            }
        }
    }
}

void
yl_csi_storage_capacity_warn(struct yl_warnings *w,
                             const struct yl_node *object,
                             const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at topology = yl_at(&root, "nodeTopology");
    struct yl_at expressions = yl_at(&topology, "matchExpressions");
    struct yl_at labels = yl_at(&topology, "matchLabels");

    yl_warn_node_terms(w, &expressions);
    YL_AT_FOR_EACH (label, &labels) {
        struct yl_str key = yl_at_key(&label);
        const char *why = yl_deprecated_node_label(key);

        if (why) {
            yl_warn(w, "nodeTopology.matchLabels.%.*s: %s", YL_STR_ARG(key),
                    why);
        }
    }
}

void
yl_csi_driver_warn(struct yl_warnings *w, const struct yl_node *object,
                   const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec"), then = yl_at(&before, "spec");
    struct yl_at requests = yl_at(&spec, "tokenRequests");
    struct yl_at requests_then = yl_at(&then, "tokenRequests");

    if (yl_at_count(&requests)
        && !yl_at_get_has(&spec, "serviceAccountTokenInSecrets")
        && !yl_node_same(requests.node, requests_then.node)) {
        yl_warn(w, "spec.serviceAccountTokenInSecrets is unset; if supported "
                   "by this CSI driver, set to true to prevent possible "
                   "logging of tokens in volume attributes");
    }
}

void
yl_network_policy_warn(struct yl_warnings *w, const struct yl_node *object,
                       const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at spec = yl_at(&root, "spec");

    warn_blocks(w, &spec, "ingress", "from");
    warn_blocks(w, &spec, "egress", "to");
}

void
yl_endpoints_warn(struct yl_warnings *w, const struct yl_node *object,
                  const struct yl_node *old YL_UNUSED)
{
    static const char *const lists[] = { "addresses", "notReadyAddresses" };
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at labels = yl_at(&metadata, "labels");
    struct yl_at subsets = yl_at(&root, "subsets");
    size_t i;

    if (yl_at_get_is(&labels, "endpoints.kubernetes.io/managed-by",
                     "endpoint-controller")) {
        return;
    }
    YL_AT_FOR_EACH (subset, &subsets) {
        for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
            struct yl_at list = yl_at(&subset, lists[i]);

            YL_AT_FOR_EACH (address, &list) {
                struct yl_at ip = yl_at(&address, "ip");

                yl_warn_ip(w, &ip);
            }
        }
    }
}

void
yl_endpoint_slice_warn(struct yl_warnings *w, const struct yl_node *object,
                       const struct yl_node *old)
{
    static const char managed[] = "endpointslice.kubernetes.io/managed-by";
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at labels = yl_at(&metadata, "labels");
    struct yl_at endpoints = yl_at(&root, "endpoints");

    if (!old && yl_at_get_is(&root, "addressType", "FQDN")) {
        yl_warn(w, "spec.addressType: FQDN endpoints are deprecated");
    }
    if (yl_at_get_is(&labels, managed, "endpointslice-controller.k8s.io")
        || yl_at_get_is(&labels, managed,
                        "endpointslicemirroring-controller.k8s.io")) {
        return;
    }
    YL_AT_FOR_EACH (endpoint, &endpoints) {
        struct yl_at addresses = yl_at(&endpoint, "addresses");

        YL_AT_FOR_EACH (address, &addresses) {
            yl_warn_ip(w, &address);
        }
    }
}

static void
warn_blocks(struct yl_warnings *w, const struct yl_at *spec,
            const char *rules, const char *peers)
{
    struct yl_at list = yl_at(spec, rules);

    YL_AT_FOR_EACH (rule, &list) {
        struct yl_at others = yl_at(&rule, peers);

        YL_AT_FOR_EACH (peer, &others) {
            struct yl_at block = yl_at(&peer, "ipBlock");
            struct yl_at cidr = yl_at(&block, "cidr");
            struct yl_at except = yl_at(&block, "except");

            yl_warn_cidr(w, &cidr);
            YL_AT_FOR_EACH (one, &except) {
                yl_warn_cidr(w, &one);
            }
        }
    }
}
