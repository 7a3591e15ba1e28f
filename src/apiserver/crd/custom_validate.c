/* Custom kinds: validation.  See apiserver/crd/custom.h for the contract. */

#include <limits.h>

#include "apiserver/crd/custom.h"
#include "apiserver/crd/definition.h"
#include "base/arena.h"
#include "builtin/common/meta.h"
#include "json/member.h"
#include "json/tree.h"
#include "schema/at.h"
#include "schema/compile.h"
#include "schema/embedded.h"
#include "schema/field_error.h"
#include "schema/pattern.h"
#include "schema/sets.h"
#include "schema/validate.h"
#include "yuloh/gvk.h"

static bool check_type(const struct yl_change *, struct yl_check *);
static void check_metadata(const struct yl_change *, struct yl_check *);
static void check_embedded(struct yl_check *, const struct yl_at *metadata);
static void check_schema(const struct yl_change *, struct yl_type_ref,
                         struct yl_error *);
static void check_status(const struct yl_change *, struct yl_type_ref,
                         struct yl_validate_opts *, struct yl_error *);
static void check_scale(const struct yl_change *, struct yl_error *);
static void check_replicas(struct yl_error *, const struct yl_node *object,
                           const char *path);
static const struct yl_node *find(const struct yl_node *object,
                                  const char *path);

void
yl_custom_validate(const struct yl_change *change, struct yl_error *err)
{
    const struct yl_definition_version *version =
        yl_custom_version(change->version);
    struct yl_type_ref type = yl_schema_type(version->schema);
    struct yl_check c = { change->arena, err };

    if (!check_type(change, &c)) {
        return;
    }
    check_metadata(change, &c);
    check_schema(change, type, err);
    check_scale(change, err);
    if (change->subresource != YL_SUB_STATUS) {
        yl_embedded_check(change->arena, type, change->object, check_embedded,
                          err);
    }
    (void) yl_validate_sets(type, change->object, change->old,
                            change->arena->account, err);
}

/* Checks kind and apiVersion.  If they are wrong, nothing else is said. */
static bool
check_type(const struct yl_change *change, struct yl_check *c)
{
    struct yl_gv gv = { change->version->group, change->version->version };
    struct yl_str api_version = yl_gv_api_version(gv, c->arena);
    struct yl_at root = yl_at_root(change->object);
    struct yl_at kind = yl_at(&root, "kind");
    struct yl_at version = yl_at(&root, "apiVersion");
    size_t n = c->err->n_causes;

    if (!yl_str_equal(yl_at_str(c, &kind), change->resource->kind)) {
        yl_field_invalid(c->err, yl_at_path(&kind),
                         yl_bad_string(yl_at_str(c, &kind)), "must be %.*s",
                         YL_STR_ARG(change->resource->kind));
    }
    if (!yl_str_equal(yl_at_str(c, &version), api_version)) {
        yl_field_invalid(c->err, yl_at_path(&version),
                         yl_bad_string(yl_at_str(c, &version)),
                         "must be %.*s", YL_STR_ARG(api_version));
    }
    return c->err->n_causes == n;
}

/* Upstream checks metadata of an update twice: for all kinds, and for custom
 * ones. */
static void
check_metadata(const struct yl_change *change, struct yl_check *c)
{
    struct yl_meta_rule rule = { YL_NAME_DNS1123_SUBDOMAIN,
                                 change->resource->namespaced, true };

    if (change->old) {
        yl_strategy_validate_common(change, c->err);
        yl_check_object_meta_update(c, change->object, change->old, &rule);
    } else {
        yl_check_object_meta(c, change->object, &rule);
    }
}

/* Checks metadata of an object inside the object, which need not have a
 * name. */
static void
check_embedded(struct yl_check *c, const struct yl_at *metadata)
{
    struct yl_meta_rule rule = {
        YL_NAME_PATH_SEGMENT, yl_at_get_has(metadata, "namespace"), true,
    };
    struct yl_at copy = *metadata;

    if (!yl_at_get_has(metadata, "name")) {
        struct yl_node *named = yl_node_copy(c->arena, metadata->node);

        yl_member_set_str(c->arena, named, "name", "fakename");
        copy.node = named;
    }
    yl_check_meta(c, &copy, &rule);
}

static void
check_schema(const struct yl_change *change, struct yl_type_ref type,
             struct yl_error *err)
{
    const struct yl_definition_version *version =
        yl_custom_version(change->version);
    struct yl_validate_opts opts = {
        .match = yl_patterns_match,
        .aux = version->definition->patterns,
        .old = change->old,
        .account = change->arena->account,
    };

    if (!version->has_schema) {
        return;
    }
    if (change->subresource == YL_SUB_STATUS) {
        check_status(change, type, &opts, err);
    } else {
        (void) yl_validate(type, change->object, &opts, err);
    }
}

/* A write of /status is judged by what the schema says about status. */
static void
check_status(const struct yl_change *change, struct yl_type_ref type,
             struct yl_validate_opts *opts, struct yl_error *err)
{
    const struct yl_field *field = yl_type_field(type, YL_STR("status"));
    const struct yl_node *status = yl_node_get(change->object,
                                               YL_STR("status"));
    struct yl_field_path path = yl_field_member(NULL, YL_STR("status"));

    if (field && status) {
        opts->path = &path;
        opts->old = yl_node_get(change->old, YL_STR("status"));
        (void) yl_validate_value(type.set, &type.set->values[field->value],
                                 status, opts, err);
    }
}

/* What the Scale shows must be what a Scale can hold. */
static void
check_scale(const struct yl_change *change, struct yl_error *err)
{
    const struct yl_scale_paths *scale =
        yl_custom_version(change->version)->scale;
    struct yl_field_path path = { .parent = NULL };
    const struct yl_node *selector;

    if (!scale) {
        return;
    }
    if (change->subresource != YL_SUB_STATUS) {
        check_replicas(err, change->object, scale->spec_replicas);
    }
    check_replicas(err, change->object, scale->status_replicas);
    selector = scale->selector ? find(change->object, scale->selector) : NULL;
    if (selector && yl_node_type(selector) != YL_JSON_STRING) {
        path = yl_field_member(NULL, yl_str_c(scale->selector));
        yl_field_invalid(err, &path, yl_bad_string(YL_STR("")),
                         "%s accessor error: value is not of the type "
                         "string", scale->selector);
    }
}

static void
check_replicas(struct yl_error *err, const struct yl_node *object,
               const char *path)
{
    struct yl_field_path at = yl_field_member(NULL, yl_str_c(path));
    const struct yl_node *node = find(object, path);
    int64_t n = 0;

    if (!node) {
        return;
    }
    if (yl_node_int64(node, &n) < 0) {
        yl_field_invalid(err, &at, yl_bad_int(0),
                         "%s accessor error: value is not of the type int64",
                         path);
    } else if (n < 0) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be a non-negative integer");
    } else if (n > INT32_MAX) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be less than or equal to %d", INT32_MAX);
    }
}

/* The value at a path of members, ".spec.replicas"; or NULL. */
static const struct yl_node *
find(const struct yl_node *object, const char *path)
{
    struct yl_str rest = yl_str_c(path), name;
    bool more;

    if (yl_str_starts_with(rest, YL_STR("."))) {
        rest = yl_str_skip(rest, 1);
    }
    do {
        more = yl_str_cut(rest, '.', &name, &rest);
        object = yl_node_type(object) == YL_JSON_OBJECT
                 ? yl_node_get(object, more ? name : rest) : NULL;
    } while (object && more);
    return object;
}
