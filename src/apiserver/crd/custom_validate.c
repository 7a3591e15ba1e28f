/* Custom kinds: validation.  See apiserver/crd/custom.h for the contract. */

#include <limits.h>
#include <string.h>

#include "apiserver/crd/custom.h"
#include "apiserver/crd/definition.h"
#include "apiserver/verbs/nested.h"
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
static void check_replicas(struct yl_error *, const struct yl_node *object,
                           const char *path);
static void note_unchecked(size_t first, struct yl_error *);

void
yl_custom_validate(const struct yl_change *change, struct yl_error *err)
{
    const struct yl_definition_version *version =
        yl_custom_version(change->version);
    struct yl_type_ref type = yl_schema_type(version->schema);
    unsigned features = yl_schema_features(version->schema);
    struct yl_check c = { change->arena, err };
    size_t first = err->n_causes;

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
    if (features & YL_SCHEMA_HAS_CEL) {
        note_unchecked(first, err);
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
    struct yl_error why = YL_ERROR_INIT;
    struct yl_field_path path;
    struct yl_str selector;

    if (!scale) {
        return;
    }
    if (change->subresource != YL_SUB_STATUS) {
        check_replicas(err, change->object, scale->spec_replicas);
    }
    check_replicas(err, change->object, scale->status_replicas);
    if (scale->selector
        && yl_nested_text(change->object, scale->selector, change->arena,
                          &selector, &why) < 0) {
        path = yl_field_member(NULL, yl_str_c(scale->selector));
        yl_field_invalid(err, &path, yl_bad_string(YL_STR("")), "%s",
                         yl_error_message(&why));
        yl_error_clear(&why);
    }
}

static void
check_replicas(struct yl_error *err, const struct yl_node *object,
               const char *path)
{
    struct yl_field_path at = yl_field_member(NULL, yl_str_c(path));
    struct yl_error why = YL_ERROR_INIT;
    int64_t n = 0;

    if (yl_nested_int(object, path, &n, NULL, &why) < 0) {
        yl_field_invalid(err, &at, yl_bad_int(0), "%s",
                         yl_error_message(&why));
        yl_error_clear(&why);
    } else if (n < 0) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be a non-negative integer");
    } else if (n > INT32_MAX) {
        yl_field_invalid(err, &at, yl_bad_int(n),
                         "should be less than or equal to %d", INT32_MAX);
    }
}

/* Says that rules in CEL were not checked, if they could not be, as upstream
 * does. */
static void
note_unchecked(size_t first, struct yl_error *err)
{
    static const char *const blocking[] = {
        "FieldValueNotSupported", "FieldValueRequired", "FieldValueTooLong",
        "FieldValueTooMany", "FieldValueTypeInvalid",
    };
    size_t i, j;

    for (i = first; i < err->n_causes; i++) {
        for (j = 0; j < YL_ARRAY_SIZE(blocking); j++) {
            if (strcmp(err->causes[i].reason, blocking[j]) == 0) {
                yl_field_invalid(err, NULL, yl_bad_node(NULL),
                                 "some validation rules were not checked "
                                 "because the object was invalid; correct "
                                 "the existing errors to complete "
                                 "validation");
                return;
            }
        }
    }
}
