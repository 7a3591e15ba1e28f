/* Custom kinds: validation.  See apiserver/crd/custom.h for the contract. */

#include <limits.h>
#include <string.h>

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
#include "schema/go_print.h"
#include "schema/pattern.h"
#include "schema/sets.h"
#include "schema/validate.h"
#include "yuloh/arena.h"
#include "yuloh/gvk.h"

static bool check_type(const struct yl_change *, struct yl_check *);
static void check_metadata(const struct yl_change *, struct yl_check *);
static void check_embedded(struct yl_check *, const struct yl_at *metadata);
static void check_schema(const struct yl_change *, struct yl_type_ref,
                         struct yl_error *);
static void check_status(const struct yl_change *, struct yl_type_ref,
                         struct yl_validate_opts *, struct yl_error *);
static void check_scale(const struct yl_change *, struct yl_error *);
static void check_replicas(const struct yl_change *, const char *path,
                           struct yl_error *);
static void check_selector(const struct yl_change *, const char *path,
                           struct yl_error *);
static const char *find(const struct yl_change *, const char *path,
                        const struct yl_node **ret_node);
static const char *accessor_error(const struct yl_change *, struct yl_str path,
                                  const struct yl_node *, const char *wanted);

void
yl_custom_validate(const struct yl_change *change, struct yl_error *err)
{
    const struct yl_definition_version *version =
        yl_custom_version(change->version);
    struct yl_type_ref type = yl_schema_type(version->schema);
    unsigned features = yl_schema_features(version->schema);
    struct yl_check c = { change->arena, err };

    if (!check_type(change, &c)) {
        return;
    }
    check_metadata(change, &c);
    check_schema(change, type, err);
    check_scale(change, err);
    if (change->subresource != YL_SUB_STATUS
        && features & YL_SCHEMA_HAS_RESOURCES) {
        yl_embedded_check(change->arena, type, change->object, check_embedded,
                          err);
    }
    if (features & YL_SCHEMA_HAS_SETS) {
        (void) yl_validate_sets(type, change->object, change->old,
                                change->arena->account, err);
    }
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

    if (!scale) {
        return;
    }
    if (change->subresource != YL_SUB_STATUS) {
        check_replicas(change, scale->spec_replicas, err);
    }
    check_replicas(change, scale->status_replicas, err);
    if (scale->selector) {
        check_selector(change, scale->selector, err);
    }
}

static void
check_replicas(const struct yl_change *change, const char *path,
               struct yl_error *err)
{
    struct yl_field_path at = yl_field_member(NULL, yl_str_c(path));
    const struct yl_node *node = NULL;
    const char *why = find(change, path, &node);
    int64_t n = 0;

    if (node && (strcmp(yl_go_type(node), "int64") != 0
                 || yl_node_int64(node, &n) < 0)) {
        why = accessor_error(change, yl_str_c(path), node, "int64");
    }
    if (why) {
        yl_field_invalid(err, &at, yl_bad_int(0), "%s", why);
    } else if (n < 0) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be a non-negative integer");
    } else if (n > INT32_MAX) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be less than or equal to %d", INT32_MAX);
    }
}

static void
check_selector(const struct yl_change *change, const char *path,
               struct yl_error *err)
{
    struct yl_field_path at = yl_field_member(NULL, yl_str_c(path));
    const struct yl_node *node = NULL;
    const char *why = find(change, path, &node);

    if (node && yl_node_type(node) != YL_JSON_STRING) {
        why = accessor_error(change, yl_str_c(path), node, "string");
    }
    if (why) {
        yl_field_invalid(err, &at, yl_bad_string(YL_STR("")), "%s", why);
    }
}

/* Finds the value at a path of members, ".spec.replicas"; '*ret_node' stays
 * NULL if it is absent.  Returns NULL, or what Go says of a value on the way
 * that has no members. */
static const char *
find(const struct yl_change *change, const char *path,
     const struct yl_node **ret_node)
{
    struct yl_str rest = yl_str_skip(yl_str_c(path), path[0] == '.'), name;
    const struct yl_node *node = change->object;
    bool more = true;

    while (node && more) {
        more = yl_str_cut(rest, '.', &name, &rest);
        if (!more) {
            name = rest;
        }
        if (yl_node_type(node) == YL_JSON_NULL) {
            node = NULL;
        } else if (yl_node_type(node) != YL_JSON_OBJECT) {
            struct yl_str way = yl_str_n(
                path, (size_t) (name.data + name.size - path));

            return accessor_error(change, way, node,
                                  "map[string]interface{}");
        } else {
            node = yl_node_get(node, name);
        }
    }
    *ret_node = node;
    return NULL;
}

/* What Go says of a value that does not have the type that is wanted. */
static const char *
accessor_error(const struct yl_change *change, struct yl_str path,
               const struct yl_node *node, const char *wanted)
{
    bool null = yl_node_type(node) == YL_JSON_NULL;
    struct yl_buf text;
    const char *message;

    yl_buf_init(&text, SIZE_MAX);
    yl_go_print(&text, node);
    message = yl_arena_printf(
        change->arena, "%s%.*s accessor error: %.*s is of the type %s, "
        "expected %s", yl_str_starts_with(path, YL_STR(".")) ? "" : ".",
        YL_STR_ARG(path), YL_STR_ARG(yl_buf_str(&text)),
        null ? "<nil>" : yl_go_type(node), wanted);
    yl_buf_release(&text);
    return message;
}
