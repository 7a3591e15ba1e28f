/* Validation of CustomResourceDefinitions: new ones, updates, writes to
 * /status.
 *
 * An update does not have to mend what was wrong before, so which rules hold
 * depends on the old object; and on whether the object was sent as v1beta1,
 * which asked for less. */

#include <string.h>

#include "builtin/apiextensions/crd_check.h"
#include "builtin/common/meta.h"
#include "builtin/rows.h"
#include "schema/pattern.h"
#include "schema/structural.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, false };

static const char no_defaults_in_v1beta1[] =
    "(cannot set default values in apiextensions.k8s.io/v1beta1 CRDs, must "
    "use apiextensions.k8s.io/v1)";

static void validate_new(struct yl_check *, const struct yl_node *object,
                         bool v1beta1);
static void validate_update(struct yl_check *, const struct yl_node *object,
                            const struct yl_node *old, bool v1beta1);
static void ratchet(struct yl_check *, const struct yl_crd *old,
                    struct yl_crd_rules *);
static bool has_all_schemas(const struct yl_crd *);
static bool has_known_review(const struct yl_crd *);
static void check_name(struct yl_check *, const struct yl_crd *);
static void take_cause(struct yl_check *, const struct yl_cause *);
static void check_rest(struct yl_check *, const struct yl_crd *,
                       const struct yl_crd_rules *);
static void check_stored(struct yl_check *, const struct yl_crd *);

void
yl_crd_validate(struct yl_check *c, const struct yl_node *object)
{
    validate_new(c, object, false);
}

void
yl_crd_v1beta1_validate(struct yl_check *c, const struct yl_node *object)
{
    validate_new(c, object, true);
}

void
yl_crd_validate_update(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    validate_update(c, object, old, false);
}

void
yl_crd_v1beta1_validate_update(struct yl_check *c,
                               const struct yl_node *object,
                               const struct yl_node *old)
{
    validate_update(c, object, old, true);
}

void
yl_crd_validate_status(struct yl_check *c, const struct yl_node *object,
                       const struct yl_node *old)
{
    struct yl_crd crd;
    struct yl_at names;

    yl_crd_init(&crd, object);
    names = yl_at(&crd.status, "acceptedNames");
    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_crd_names(c, &names);
}

static void
validate_new(struct yl_check *c, const struct yl_node *object, bool v1beta1)
{
    struct yl_crd_rules rules = {
        .v1beta1 = v1beta1,
        .no_defaults = v1beta1 ? no_defaults_in_v1beta1 : NULL,
        .known_reviews = true,
        .schemas = !v1beta1,
        .types = !v1beta1,
        .structural = !v1beta1,
        .sets = true,
        .keys = true,
        .any_bundle = true,
    };
    struct yl_crd crd;

    yl_crd_init(&crd, object);
    check_name(c, &crd);
    check_rest(c, &crd, &rules);
}

static void
validate_update(struct yl_check *c, const struct yl_node *object,
                const struct yl_node *old_object, bool v1beta1)
{
    struct yl_crd crd, old;
    struct yl_crd_rules rules = { .v1beta1 = v1beta1, .old = &old };

    yl_crd_init(&crd, object);
    yl_crd_init(&old, old_object);
    ratchet(c, &old, &rules);
    yl_check_object_meta_update(c, object, old_object, &rule);
    check_rest(c, &crd, &rules);
}

/* Chooses the rules that the old object kept. */
static void
ratchet(struct yl_check *c, const struct yl_crd *old,
        struct yl_crd_rules *rules)
{
    struct yl_crd_schemas schemas;
    bool v1 = !rules->v1beta1;
    size_t i;

    yl_crd_schemas_read(c->arena, old, &schemas);
    if (!v1 && !(schemas.facts & YL_CRD_HAS_DEFAULTS)) {
        rules->no_defaults = no_defaults_in_v1beta1;
    }
    rules->known_reviews = has_known_review(old);
    rules->fixed_names = yl_crd_condition_is_true(old, "Established");
    rules->schemas = v1 && has_all_schemas(old);
    rules->types = v1 && !(schemas.facts & YL_CRD_HAS_BAD_TYPES);
    rules->sets = !(schemas.facts & YL_CRD_HAS_LOOSE_SETS);
    rules->keys = !(schemas.facts & YL_CRD_HAS_BAD_KEYS);
    rules->any_bundle = !rules->fixed_names
                        || !yl_crd_bundle_is_valid(c, &old->spec);
    rules->structural = v1;
    for (i = 0; i < schemas.n && rules->structural; i++) {
        const struct yl_schema_props *props = schemas.all[i].props;

        rules->structural = !props
                            || (!yl_structural_refusal(props)
                                && yl_structural_check(props, NULL, NULL)
                                   == 0);
    }
}

static bool
has_all_schemas(const struct yl_crd *crd)
{
    YL_AT_FOR_EACH (version, &crd->versions) {
        struct yl_at schema = yl_at(&version, "schema");

        if (!yl_at_get_has(&schema, "openAPIV3Schema")) {
            return false;
        }
    }
    return true;
}

/* Is there a version of reviews that the server knows, or none at all? */
static bool
has_known_review(const struct yl_crd *crd)
{
    struct yl_at conversion = yl_at(&crd->spec, "conversion");
    struct yl_at webhook = yl_at(&conversion, "webhook");
    struct yl_at versions = yl_at(&webhook, "conversionReviewVersions");

    YL_AT_FOR_EACH (version, &versions) {
        if (yl_at_is(&version, "v1") || yl_at_is(&version, "v1beta1")) {
            return true;
        }
    }
    return !yl_at_count(&versions);
}

/* The name must be PLURAL.GROUP.  Upstream says so behind the other faults of
 * the name, and before those of the rest of metadata. */
static void
check_name(struct yl_check *c, const struct yl_crd *crd)
{
    static const char *const names[] = { "generateName", "name" };
    struct yl_str plural = yl_at_get_str(c, &crd->names, "plural");
    struct yl_str group = yl_at_get_str(c, &crd->spec, "group");
    const char *want = yl_arena_printf(c->arena, "%.*s.%.*s",
                                       YL_STR_ARG(plural), YL_STR_ARG(group));
    struct yl_error faults = YL_ERROR_INIT;
    struct yl_check own = { c->arena, &faults };
    size_t i, n = 0;

    yl_check_meta(&own, &crd->metadata, &rule);
    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_at at = yl_at(&crd->metadata, names[i]);
        struct yl_str name = yl_at_str(c, &at);

        while (n < faults.n_causes
               && !strcmp(faults.causes[n].field + strlen("metadata."),
                          names[i])) {
            take_cause(c, &faults.causes[n++]);
        }
        if (name.size && !yl_str_equal_c(name, want)) {
            yl_field_invalid(c->err, yl_at_path(&at), yl_bad_string(name),
                             "must be spec.names.plural+\".\"+spec.group");
        }
    }
    while (n < faults.n_causes) {
        take_cause(c, &faults.causes[n++]);
    }
    yl_error_clear(&faults);
}

static void
take_cause(struct yl_check *c, const struct yl_cause *cause)
{
    c->err->code = c->err->code ? c->err->code : YL_EINVALID;
    yl_error_add_cause(c->err, yl_str_c(cause->reason),
                       yl_str_c(cause->message), yl_str_c(cause->field));
}

/* Checks all but metadata. */
static void
check_rest(struct yl_check *c, const struct yl_crd *crd,
           const struct yl_crd_rules *given)
{
    struct yl_at accepted = yl_at(&crd->status, "acceptedNames");
    struct yl_at preserve = yl_at(&crd->spec, "preserveUnknownFields");
    struct yl_crd_rules rules = *given;

    rules.patterns = yl_patterns_new_limited(YL_PATTERN_WORK);
    yl_check_crd_spec(c, crd, &rules);
    yl_patterns_free(rules.patterns);
    yl_check_crd_names(c, &accepted);
    check_stored(c, crd);
    if (rules.v1beta1) {
        return;
    }
    yl_check_crd_approval(c, crd, rules.old);
    if (yl_at_bool(&preserve)
        && !(rules.old && yl_at_get_bool(&rules.old->spec,
                                         "preserveUnknownFields"))) {
        yl_field_invalid(c->err, yl_at_path(&preserve), yl_bad_bool(true),
                         "cannot set to true, set "
                         "x-kubernetes-preserve-unknown-fields to true in "
                         "spec.versions[*].schema instead");
    }
}

/* Every version that objects are stored in must still be there. */
static void
check_stored(struct yl_check *c, const struct yl_crd *crd)
{
    struct yl_at stored = yl_at(&crd->status, "storedVersions");
    struct yl_node *names = yl_node_new_object(c->arena);

    if (!yl_at_count(&stored)) {
        yl_field_invalid(c->err, yl_at_path(&stored), yl_bad_at(&stored),
                         "must have at least one stored version");
        return;
    }
    YL_CHECK_FOR_EACH (c, name, &stored) {
        yl_node_set(c->arena, names, yl_at_str(c, &name),
                    yl_node_new_int64(c->arena, (int64_t) name.path.index));
    }
    YL_CHECK_FOR_EACH (c, version, &crd->versions) {
        struct yl_str name = yl_at_get_str(c, &version, "name");

        if (yl_at_get_bool(&version, "storage") && !yl_node_get(names, name)) {
            yl_field_invalid(c->err, yl_at_path(&stored),
                             yl_bad_at(&stored),
                             "must have the storage version %.*s",
                             YL_STR_ARG(name));
        }
        /* Removed, so that a second version with this name is reported. */
        yl_node_remove(names, name);
    }
    YL_CHECK_FOR_EACH (c, name, &stored) {
        struct yl_str s = yl_at_str(c, &name);
        int64_t last;

        /* Of a name that is there twice upstream knows the last. */
        if (yl_node_int64(yl_node_get(names, s), &last) == 0
            && (size_t) last == name.path.index) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_string(s),
                             "missing from spec.versions; %.*s was "
                             "previously a storage version, and must remain "
                             "in spec.versions until a storage migration "
                             "ensures no data remains persisted in %.*s and "
                             "removes %.*s from status.storedVersions",
                             YL_STR_ARG(s), YL_STR_ARG(s), YL_STR_ARG(s));
        }
    }
}
