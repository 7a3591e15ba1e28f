/* The order of groups, which clients follow when they look for a name that
 * several groups have. */

#include "apiserver/registry/registry.h"

/* Upstream gives each group a priority; this is the resulting order. */
static const char *const group_order[] = {
    "",
    "apiregistration.k8s.io",
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
    "resource.k8s.io",
    "flowcontrol.apiserver.k8s.io",
};

static size_t group_rank(struct yl_str group);

int
yl_api_group_compare(struct yl_str a, struct yl_str b)
{
    size_t a_rank = group_rank(a);
    size_t b_rank = group_rank(b);

    return a_rank != b_rank ? (a_rank < b_rank ? -1 : 1)
                            : yl_str_compare(a, b);
}

static size_t
group_rank(struct yl_str group)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(group_order); i++) {
        if (yl_str_equal_c(group, group_order[i])) {
            break;
        }
    }
    return i;
}
