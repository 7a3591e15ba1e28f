/* What kind a body says it is.  See body_kind.h for the contract. */

#include "apiserver/verbs/body_kind.h"

#include <stdlib.h>
#include <strings.h>

#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "json/tree.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int read_text(struct yl_arena *, const struct yl_node *root,
                     const char *name, struct yl_str *ret_text,
                     struct yl_error *err);
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

bool
yl_body_media_is(struct yl_str type, const char *name)
{
    return type.size == strlen(name)
           && strncasecmp(type.data, name, type.size) == 0;
}

bool
yl_body_has_params(struct yl_str params)
{
    struct yl_str one, name, value;

    while (yl_str_trim(params).size) {
        if (!yl_str_cut(params, ';', &one, &params)) {
            one = params;
            params = yl_str_null();
        }
        one = yl_str_trim(one);
        if (!yl_str_cut(one, '=', &name, &value)
            || !yl_str_trim(name).size || !yl_str_trim(value).size) {
            return false;
        }
    }
    return true;
}

int
yl_body_gvk(struct yl_arena *arena, struct yl_node **root,
            const struct yl_kind *kind, struct yl_gvk *ret_gvk,
            struct yl_error *err)
{
    struct yl_str api_version, name;
    struct yl_gv gv;
    int r;

    if (yl_node_type(*root) == YL_JSON_NULL) {
        *root = yl_node_new_object(arena);
    }
    if (yl_node_type(*root) != YL_JSON_OBJECT) {
        return yl_error_set(
            err, YL_EBADREQUEST,
            "couldn't get version/kind; json parse error: json: cannot "
            "unmarshal %s into Go value of type struct { APIVersion string "
            "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
            "\"json:\\\"kind,omitempty\\\"\" }", yl_body_json_type(*root));
    }
    r = read_text(arena, *root, "apiVersion", &api_version, err);
    if (r == 0) {
        r = read_text(arena, *root, "kind", &name, err);
    }
    if (r == 0 && yl_gv_parse(api_version, &gv, NULL) < 0) {
        r = yl_error_set(err, YL_EBADREQUEST,
                         "unexpected GroupVersion string: %.*s",
                         YL_STR_ARG(api_version));
    }
    if (r < 0) {
        return r;
    }
    if (kind && !gv.version.size
        && (!gv.group.size || yl_str_equal_c(gv.group, kind->set->group))) {
        gv.group = yl_str_c(kind->set->group);
        gv.version = yl_str_c(kind->set->version);
    }
    ret_gvk->group = gv.group;
    ret_gvk->version = gv.version;
    ret_gvk->kind = kind && !name.size ? yl_str_c(kind->name) : name;
    return 0;
}

bool
yl_body_is_kind(const struct yl_gvk *gvk, const struct yl_kind *kind)
{
    return yl_str_equal_c(gvk->kind, kind->name)
           && yl_str_equal_c(gvk->version, kind->set->version)
           && yl_str_equal_c(gvk->group, kind->set->group);
}

bool
yl_body_is_other_version(struct yl_apiserver *server,
                         const struct yl_gvk *gvk, const struct yl_kind *kind)
{
    size_t i;

    if (!yl_str_equal_c(gvk->kind, kind->name)) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(old_versions); i++) {
        struct yl_gv gv;

        if (yl_gv_parse(yl_str_c(old_versions[i]), &gv, NULL) == 0
            && yl_str_equal(gv.group, gvk->group)
            && yl_str_equal(gv.version, gvk->version)) {
            return true;
        }
    }
    return yl_body_is_registered(server, gvk);
}

bool
yl_body_is_registered(struct yl_apiserver *server, const struct yl_gvk *gvk)
{
    /* Kinds that every group and version has. */
    static const char *const everywhere[] = {
        "Status", "WatchEvent", "ListOptions", "CreateOptions", "GetOptions",
        "UpdateOptions", "PatchOptions", "DeleteOptions", "List",
    };
    const struct yl_api_resource **all;
    bool found = false;
    size_t i, j, k, n;

    all = yl_registry_all(server->registry, &n);
    for (i = 0; i < n; i++) {
        for (j = 0; j < all[i]->n_versions && !found; j++) {
            const struct yl_api_version *v = &all[i]->versions[j];

            if (!yl_str_equal(v->group, gvk->group)
                || !yl_str_equal(v->version, gvk->version)) {
                continue;
            }
            found = v->kind && set_has(v->kind->set, gvk->kind);
            for (k = 0; k < YL_ARRAY_SIZE(everywhere); k++) {
                found |= yl_str_equal_c(gvk->kind, everywhere[k]);
            }
        }
        yl_api_resource_unref(all[i]);
    }
    free((void *) all);
    return found;
}

void
yl_body_set_type(struct yl_arena *arena, struct yl_node *root,
                 const struct yl_kind *kind)
{
    struct yl_gv gv = { yl_str_c(kind->set->group),
                        yl_str_c(kind->set->version) };

    yl_node_set(arena, root, YL_STR("apiVersion"),
                yl_node_new_string(arena, yl_gv_api_version(gv, arena)));
    yl_node_set(arena, root, YL_STR("kind"),
                yl_node_new_string(arena, yl_str_c(kind->name)));
}

int
yl_body_unknown_kind(struct yl_gvk gvk, struct yl_arena *arena,
                     struct yl_error *err)
{
    struct yl_str version = yl_gv_api_version(yl_gvk_gv(gvk), arena);

    return yl_error_set(err, YL_EBADREQUEST,
                        "no kind \"%.*s\" is registered for version \"%.*s\" "
                        "in scheme \"pkg/runtime/scheme.go:111\"",
                        YL_STR_ARG(gvk.kind), YL_STR_ARG(version));
}

int
yl_body_no_conversion(struct yl_gvk gvk, const struct yl_kind *wanted,
                      struct yl_error *err)
{
    struct yl_str group = yl_str_c(wanted->set->group), package, rest;

    if (!yl_str_cut(group, '.', &package, &rest)) {
        package = group.size ? group : YL_STR("core");
    }
    return yl_error_set(err, YL_EBADREQUEST,
                        "converting (%.*s.%.*s) to (%.*s.%s): unknown "
                        "conversion", YL_STR_ARG(gvk.version),
                        YL_STR_ARG(gvk.kind), YL_STR_ARG(package),
                        wanted->name);
}

const char *
yl_body_json_type(const struct yl_node *node)
{
    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
        return "bool";
    case YL_JSON_NUMBER:
        return "number";
    case YL_JSON_STRING:
        return "string";
    case YL_JSON_ARRAY:
        return "array";
    case YL_JSON_OBJECT:
        return "object";
    default:
        return "null";
    }
}

static int
read_text(struct yl_arena *arena, const struct yl_node *root,
          const char *name, struct yl_str *ret_text, struct yl_error *err)
{
    const struct yl_node *node = yl_node_get(root, yl_str_c(name));

    *ret_text = yl_str_null();
    if (yl_node_type(node) <= YL_JSON_NULL) {
        return 0;
    }
    if (yl_node_string(node, arena, ret_text) < 0) {
        return yl_error_set(err, YL_EBADREQUEST,
                            "couldn't get version/kind; json parse error: "
                            "json: cannot unmarshal %s into Go struct field "
                            ".%s of type string", yl_body_json_type(node),
                            name);
    }
    return 0;
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
