/* What upstream's scheme knows.  See apiserver/strategy/scheme.h. */

#include "apiserver/strategy/scheme.h"

#include <stdlib.h>

#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "yuloh/gvk.h"

static bool is_old_version(const struct yl_gvk *);
static bool is_among(struct yl_str word, const char *const *words);
static bool set_has(const struct yl_type_set *, struct yl_str kind);

/* Versions that are no longer served, but whose kinds upstream can still
 * read. */
static const char *const old_versions[] = {
    "extensions/v1beta1",      "apps/v1beta1",
    "apps/v1beta2",            "policy/v1beta1",
    "networking.k8s.io/v1beta1",   "batch/v1beta1",
    "autoscaling/v2beta1",     "autoscaling/v2beta2",
    "discovery.k8s.io/v1beta1",    "events.k8s.io/v1beta1",
    "storage.k8s.io/v1beta1",  "storage.k8s.io/v1alpha1",
    "rbac.authorization.k8s.io/v1beta1",
    "rbac.authorization.k8s.io/v1alpha1",
    "scheduling.k8s.io/v1beta1",   "scheduling.k8s.io/v1alpha1",
    "node.k8s.io/v1beta1",     "node.k8s.io/v1alpha1",
    "coordination.k8s.io/v1beta1", "certificates.k8s.io/v1beta1",
    "admissionregistration.k8s.io/v1beta1",
    "authentication.k8s.io/v1beta1",
    "authentication.k8s.io/v1alpha1",
    "authorization.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta1",
    "flowcontrol.apiserver.k8s.io/v1beta2",
    "flowcontrol.apiserver.k8s.io/v1beta3",
};

/* Kinds that exist in every group and version, */
static const char *const everywhere[] = {
    "Status", "WatchEvent", "ListOptions", "CreateOptions", "GetOptions",
    "UpdateOptions", "PatchOptions", "DeleteOptions", "List", NULL,
};

/* and those of a group that was removed. */
static const char *const extensions[] = {
    "DaemonSet", "Deployment", "Ingress", "NetworkPolicy", "ReplicaSet",
    "Scale", NULL,
};

bool
yl_scheme_has(struct yl_apiserver *server, const struct yl_gvk *gvk)
{
    bool old = is_old_version(gvk), found = false;
    const struct yl_api_resource **all;
    size_t i, j, n;

    if (old && (is_among(gvk->kind, everywhere)
                || (yl_str_equal_c(gvk->group, "extensions")
                    && is_among(gvk->kind, extensions))
                || (yl_str_equal_c(gvk->group, "apps")
                    && yl_str_equal_c(gvk->kind, "Scale")))) {
        return true;
    }
    all = yl_registry_all(server->registry, &n);
    for (i = 0; i < n; i++) {
        for (j = 0; j < all[i]->n_versions && !found; j++) {
            const struct yl_api_version *v = &all[i]->versions[j];

            if (yl_str_equal(v->group, gvk->group)
                && (old || yl_str_equal(v->version, gvk->version))) {
                found = is_among(gvk->kind, everywhere)
                        || (v->kind && set_has(v->kind->set, gvk->kind));
            }
        }
        yl_api_resource_unref(all[i]);
    }
    free((void *) all);
    return found;
}

bool
yl_scheme_is_everywhere(struct yl_str kind)
{
    return is_among(kind, everywhere);
}

static bool
is_old_version(const struct yl_gvk *gvk)
{
    struct yl_gv gv;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(old_versions); i++) {
        if (yl_gv_parse(yl_str_c(old_versions[i]), &gv, NULL) == 0
            && yl_str_equal(gv.group, gvk->group)
            && yl_str_equal(gv.version, gvk->version)) {
            return true;
        }
    }
    return false;
}

static bool
is_among(struct yl_str word, const char *const *words)
{
    for (; *words; words++) {
        if (yl_str_equal_c(word, *words)) {
            return true;
        }
    }
    return false;
}

static bool
set_has(const struct yl_type_set *set, struct yl_str kind)
{
    size_t i;

    for (i = 0; i < set->n_kinds; i++) {
        if (yl_str_equal_c(kind, set->kinds[i]->name)
            || yl_str_equal_c(kind, set->kinds[i]->list_name)) {
            return true;
        }
    }
    return false;
}
