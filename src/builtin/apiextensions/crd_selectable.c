/* Validation of the selectable fields of a version: paths to single values
 * that a field selector may compare. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/common/meta.h"
#include "schema/props.h"
#include "schema/structural.h"

#define MAX_SELECTABLE_FIELDS 8

static void check_field(struct yl_check *, const struct yl_at *json_path,
                        const struct yl_schema_props *, struct yl_node *seen);
static bool is_selectable(const struct yl_schema_props *);
static bool may_be_many(const struct yl_at *fields,
                        const struct yl_at *version,
                        const struct yl_crd_rules *);

void
yl_check_crd_selectable(struct yl_check *c, const struct yl_at *fields,
                        const struct yl_at *version,
                        const struct yl_crd_schema *schema,
                        const struct yl_crd_rules *rules)
{
    struct yl_node *seen = yl_node_new_object(c->arena);
    const struct yl_schema_props *props = schema->props;

    if (props && yl_structural_refusal(props)) {
        struct yl_field_path at = yl_field_member(
            fields->path.parent, YL_STR("schema.openAPIV3Schema"));

        yl_field_invalid(c->err, &at, yl_bad_string(YL_STR("")), "%s",
                         yl_structural_refusal(props));
        props = NULL;
    }
    YL_CHECK_FOR_EACH (c, field, fields) {
        struct yl_at json_path = yl_at(&field, "jsonPath");

        if (yl_check_required(c, &json_path)) {
            check_field(c, &json_path, props, seen);
        }
    }
    if (seen->n > MAX_SELECTABLE_FIELDS
        && !may_be_many(fields, version, rules)) {
        yl_field_too_many(c->err, yl_at_path(fields), seen->n,
                          MAX_SELECTABLE_FIELDS);
    }
}

static void
check_field(struct yl_check *c, const struct yl_at *json_path,
            const struct yl_schema_props *schema, struct yl_node *seen)
{
    struct yl_str text = yl_at_str(c, json_path);
    struct yl_crd_path path;
    const char *why;

    if (!yl_crd_path_read(c->arena, text, schema, false, &path, &why)) {
        yl_field_invalid(c->err, yl_at_path(json_path), yl_bad_string(text),
                         "is an invalid path: %s", why);
        return;
    }
    if (yl_str_equal_c(path.first, "metadata")) {
        yl_field_invalid(c->err, yl_at_path(json_path), yl_bad_string(text),
                         "must not point to fields in metadata");
    }
    if (!is_selectable(path.schema)) {
        yl_field_invalid(c->err, yl_at_path(json_path), yl_bad_string(text),
                         "must point to a field of type string, boolean or "
                         "integer. Enum string fields and strings with "
                         "formats are allowed.");
    }
    if (!yl_set_add(c->arena, seen, path.text)) {
        yl_field_duplicate(c->err, yl_at_path(json_path),
                           yl_bad_string(text));
    }
}

static bool
is_selectable(const struct yl_schema_props *s)
{
    return s && (yl_str_equal_c(s->type, "string")
                 || yl_str_equal_c(s->type, "boolean")
                 || yl_str_equal_c(s->type, "integer"));
}

/* Were there as many before, and are they the same?  A 'version' of NULL
 * stands for all of them. */
static bool
may_be_many(const struct yl_at *fields, const struct yl_at *version,
            const struct yl_crd_rules *rules)
{
    const struct yl_crd *old = rules->old;
    struct yl_at name, then;

    if (!old) {
        return false;
    }
    if (!version) {
        return yl_at_count(&old->shared.selectable) > MAX_SELECTABLE_FIELDS
               && yl_node_same(fields->node, old->shared.selectable.node);
    }
    name = yl_at(version, "name");
    YL_AT_FOR_EACH (one, &old->versions) {
        struct yl_at its_name = yl_at(&one, "name");
        struct yl_crd_fields own;

        yl_crd_own_fields(old, &one, &own);
        then = own.selectable;
        if (yl_node_equal(name.node, its_name.node)) {
            return yl_at_count(&then) > MAX_SELECTABLE_FIELDS
                   && yl_node_same(fields->node, then.node);
        }
    }
    return false;
}
