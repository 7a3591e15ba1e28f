/* Validation of the spec of a CustomResourceDefinition. */

#include "builtin/apiextensions/crd_check.h"
#include "builtin/common/meta.h"
#include "builtin/go/go_value.h"
#include "gen/apiextensions_v1_go.h"

static void check_group(struct yl_check *, const struct yl_at *group);
static void check_schemas(struct yl_check *, const struct yl_crd *,
                          const struct yl_crd_rules *);
static void check_versions(struct yl_check *, const struct yl_crd *,
                           const struct yl_crd_schemas *,
                           const struct yl_crd_rules *);
static void check_version(struct yl_check *, const struct yl_crd *,
                          const struct yl_at *version,
                          const struct yl_crd_schema *,
                          const struct yl_crd_rules *);
static void check_shared(struct yl_check *, const struct yl_crd *,
                         const struct yl_crd_schema *,
                         const struct yl_crd_rules *);
static struct yl_bad_value bad_versions(struct yl_check *,
                                        const struct yl_crd *);
static void check_fixed(struct yl_check *, const struct yl_crd *,
                        const struct yl_crd_rules *);

void
yl_check_crd_spec(struct yl_check *c, const struct yl_crd *crd,
                  const struct yl_crd_rules *given)
{
    static const char *const scopes[] = { "Cluster", "Namespaced", NULL };
    static const char *const required[] = { "plural", "singular", "kind",
                                            "listKind" };
    struct yl_at group = yl_at(&crd->spec, "group");
    struct yl_at scope = yl_at(&crd->spec, "scope");
    struct yl_at preserve = yl_at(&crd->spec, "preserveUnknownFields");
    struct yl_crd_rules rules = *given;
    struct yl_crd_schemas schemas;
    size_t i;

    yl_crd_schemas_read(c->arena, crd, &schemas);
    check_group(c, &group);
    if (yl_check_required(c, &scope)) {
        yl_check_one_of(c, &scope, scopes);
    }
    rules.structural |= !yl_at_bool(&preserve);
    check_schemas(c, crd, &rules);
    if (!rules.no_defaults && schemas.facts & YL_CRD_HAS_DEFAULTS) {
        rules.structural = true;
        if (yl_at_bool(&preserve)) {
            yl_field_invalid(c->err, yl_at_path(&preserve), yl_bad_bool(true),
                             "must be false in order to use defaults in the "
                             "schema");
        }
    }
    rules.structural |= !!(schemas.facts & YL_CRD_HAS_EXTENSIONS);
    check_versions(c, crd, &schemas, &rules);
    for (i = 0; i < YL_ARRAY_SIZE(required); i++) {
        struct yl_at name = yl_at(&crd->names, required[i]);

        yl_check_required(c, &name);
    }
    yl_check_crd_names(c, &crd->names);
    check_shared(c, crd, crd->shares_schema ? schemas.all : NULL, &rules);
    yl_check_crd_conversion(c, &crd->spec, &rules);
    check_fixed(c, crd, &rules);
}

bool
yl_check_crd_label(struct yl_check *c, const struct yl_at *at, bool any_case)
{
    struct yl_str s = yl_at_str(c, at);
    struct yl_name_faults faults;
    struct yl_buf detail;
    size_t i;

    if (yl_name_check(YL_NAME_DNS1035_LABEL,
                      any_case ? yl_lower_case(c->arena, s) : s, &faults)
        == 0) {
        return true;
    }
    yl_buf_init(&detail, SIZE_MAX);
    if (any_case) {
        yl_buf_append_c(&detail, "may have mixed case, but should otherwise "
                                 "match: ");
    }
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&detail, "%s%s", i ? "," : "", faults.faults[i]);
    }
    yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s), "%s",
                     yl_buf_c_str(&detail));
    yl_buf_release(&detail);
    return false;
}

void
yl_check_crd_names(struct yl_check *c, const struct yl_at *names)
{
    static const char *const fields[] = { "plural", "singular", "kind",
                                          "listKind" };
    struct yl_at short_names = yl_at(names, "shortNames");
    struct yl_at categories = yl_at(names, "categories");
    struct yl_at kind = yl_at(names, "kind");
    struct yl_at list_kind = yl_at(names, "listKind");
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        struct yl_at name = yl_at(names, fields[i]);

        if (!yl_at_is(&name, "")) {
            yl_check_crd_label(c, &name, i >= 2);
        }
    }
    YL_CHECK_FOR_EACH (c, name, &short_names) {
        yl_check_crd_label(c, &name, false);
    }
    if (!yl_at_is(&kind, "")
        && yl_str_equal(yl_at_str(c, &kind), yl_at_str(c, &list_kind))) {
        yl_field_invalid(c->err, yl_at_path(&list_kind),
                         yl_bad_str(c, &list_kind),
                         "kind and listKind may not be the same");
    }
    YL_CHECK_FOR_EACH (c, category, &categories) {
        yl_check_crd_label(c, &category, false);
    }
}

static void
check_group(struct yl_check *c, const struct yl_at *group)
{
    struct yl_str s = yl_at_str(c, group);
    struct yl_name_faults faults;
    struct yl_buf detail;
    size_t i;

    if (!yl_check_required(c, group)) {
        return;
    }
    if (yl_name_check(YL_NAME_DNS1123_SUBDOMAIN, s, &faults) == 0) {
        if (!yl_str_find_char(s, '.')) {
            yl_field_invalid(c->err, yl_at_path(group), yl_bad_string(s),
                             "should be a domain with at least one dot");
        }
        return;
    }
    yl_buf_init(&detail, SIZE_MAX);
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&detail, "%s%s", i ? "," : "", faults.faults[i]);
    }
    yl_field_invalid(c->err, yl_at_path(group), yl_bad_string(s), "%s",
                     yl_buf_c_str(&detail));
    yl_buf_release(&detail);
}

/* Checks that versions have schemas. */
static void
check_schemas(struct yl_check *c, const struct yl_crd *crd,
              const struct yl_crd_rules *rules)
{
    bool keeps = yl_at_get_bool(&crd->spec, "preserveUnknownFields");

    if (!rules->schemas && keeps) {
        return;
    }
    YL_CHECK_FOR_EACH (c, version, &crd->versions) {
        struct yl_at schema = yl_at(&version, "schema");
        struct yl_at open_api = yl_at(&schema, "openAPIV3Schema");

        if (yl_at_has(&open_api)) {
            continue;
        } else if (rules->schemas) {
            yl_field_required(c->err, yl_at_path(&open_api), NULL);
        } else if (yl_at_get_bool(&version, "served")) {
            yl_field_required(c->err, yl_at_path(&open_api),
                              "because otherwise all fields are pruned");
        }
    }
}

static void
check_versions(struct yl_check *c, const struct yl_crd *crd,
               const struct yl_crd_schemas *schemas,
               const struct yl_crd_rules *rules)
{
    struct yl_at first = yl_at_first(&crd->versions);
    struct yl_at name_node = yl_at(&first, "name");
    struct yl_at version = yl_at_node(&crd->spec, "version", name_node.node);
    struct yl_node *names = yl_node_new_object(c->arena);
    bool unique = true;
    int n_stored = 0;

    YL_CHECK_FOR_EACH (c, one, &crd->versions) {
        struct yl_at name = yl_at(&one, "name");
        size_t i = crd->shares_schema ? 0 : one.path.index;

        n_stored += yl_at_get_bool(&one, "storage");
        unique &= yl_set_add(c->arena, names, yl_at_str(c, &name));
        yl_check_crd_label(c, &name, false);
        check_version(c, crd, &one, &schemas->all[i], rules);
    }
    if (!unique) {
        yl_field_invalid(c->err, yl_at_path(&crd->versions),
                         bad_versions(c, crd),
                         "must contain unique version names");
    }
    if (n_stored != 1) {
        yl_field_invalid(c->err, yl_at_path(&crd->versions),
                         bad_versions(c, crd),
                         "must have exactly one version marked as storage "
                         "version");
    }
    if (!yl_at_is(&version, "")) {
        yl_check_crd_label(c, &version, false);
    }
}

/* Checks the fields in which this version differs from the others. */
static void
check_version(struct yl_check *c, const struct yl_crd *crd,
              const struct yl_at *version, const struct yl_crd_schema *schema,
              const struct yl_crd_rules *rules)
{
    struct yl_crd_fields own;

    yl_crd_own_fields(crd, version, &own);
    yl_check_crd_deprecation(c, version);
    if (yl_at_has(&own.schema)) {
        yl_check_crd_schema(c, &own.schema, schema,
                            yl_crd_has_status(crd, version), rules);
    }
    yl_check_crd_subresources(c, &own.subresources);
    yl_check_crd_columns(c, &own.columns);
    if (!yl_at_count(&own.selectable)) {
        return;
    } else if (!yl_at_has(&own.open_api)) {
        yl_field_invalid(c->err, yl_at_path(&own.selectable),
                         yl_bad_string(YL_STR("")),
                         "may only be set when `version.schema."
                         "openAPIV3Schema` is not included");
    } else {
        yl_check_crd_selectable(c, &own.selectable, version, schema, rules);
    }
}

/* Checks the fields that all versions share. */
static void
check_shared(struct yl_check *c, const struct yl_crd *crd,
             const struct yl_crd_schema *schema,
             const struct yl_crd_rules *rules)
{
    const struct yl_crd_fields *shared = &crd->shared;

    if (yl_at_has(&shared->schema)) {
        yl_check_crd_schema(c, &shared->schema, schema,
                            yl_crd_has_any_status(crd), rules);
    }
    yl_check_crd_subresources(c, &shared->subresources);
    yl_check_crd_columns(c, &shared->columns);
    if (!yl_at_count(&shared->selectable)) {
        return;
    } else if (!yl_at_has(&shared->schema)) {
        yl_field_invalid(c->err, yl_at_path(&shared->selectable),
                         yl_bad_string(YL_STR("")),
                         "may only be set when validations.schema is "
                         "included");
    } else {
        yl_check_crd_selectable(c, &shared->selectable, NULL, schema, rules);
    }
}

/* The versions as messages show them, without the fields that they share. */
static struct yl_bad_value
bad_versions(struct yl_check *c, const struct yl_crd *crd)
{
    const struct {
        const char *name;
        bool is_shared;
    } fields[] = {
        { "schema", crd->shares_schema },
        { "subresources", crd->shares_subresources },
        { "additionalPrinterColumns", crd->shares_columns },
        { "selectableFields", crd->shares_selectable },
    };
    struct yl_buf buf;
    struct yl_str text;
    size_t i;

    if (!yl_at_has(&crd->versions)) {
        return yl_bad_at(&crd->versions);
    }
    yl_buf_init(&buf, YL_FIELD_TEXT_MAX);
    yl_buf_append_char(&buf, '[');
    YL_CHECK_FOR_EACH (c, version, &crd->versions) {
        struct yl_node *shown = yl_node_copy(c->arena, version.node);

        if (yl_buf_error(&buf)) {
            break;
        }
        for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
            if (fields[i].is_shared) {
                yl_member_drop(shown, fields[i].name);
            }
        }
        yl_buf_append_c(&buf, version.path.index ? "," : "");
        yl_bad_value_write(
            &buf, yl_bad_struct(c, shown,
                                YL_GO(apiextensions_v1,
                                      custom_resource_definition_version)));
    }
    yl_buf_append_char(&buf, ']');
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_bad_text(text);
}

/* Checks what an update may not change. */
static void
check_fixed(struct yl_check *c, const struct yl_crd *crd,
            const struct yl_crd_rules *rules)
{
    struct yl_at scope = yl_at(&crd->spec, "scope");
    struct yl_at kind = yl_at(&crd->names, "kind");
    struct yl_at group = yl_at(&crd->spec, "group");
    struct yl_at plural = yl_at(&crd->names, "plural");
    struct yl_at then;

    if (!rules->old) {
        return;
    }
    if (rules->fixed_names) {
        then = yl_at(&rules->old->spec, "scope");
        yl_check_immutable(c, &scope, then.node);
        then = yl_at(&rules->old->names, "kind");
        yl_check_immutable(c, &kind, then.node);
    }
    then = yl_at(&rules->old->spec, "group");
    yl_check_immutable(c, &group, then.node);
    then = yl_at(&rules->old->names, "plural");
    yl_check_immutable(c, &plural, then.node);
}
