/* ValidatingAdmissionPolicy: validation, and the checks that other policies
 * share with it (see builtin/extension/admission_policies.h).  Expressions are
 * not compiled. */

#include "builtin/extension/admission_policies.h"

#include <ctype.h>
#include <string.h>

#include "builtin/common/conditions.h"
#include "builtin/common/meta.h"
#include "builtin/extension/admission_rules.h"
#include "builtin/go/go_value.h"
#include "builtin/rows.h"
#include "gen/admissionregistration_v1_go.h"
#include "schema/jsonpath.h"

#define MAX_ANNOTATIONS 20
#define MAX_ANNOTATION_EXPRESSION 5120

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, false, true };

static void check_policy(struct yl_check *, const struct yl_node *object,
                         const struct yl_node *old);
static void check_parameter_kind(struct yl_check *, const struct yl_at *kind);
static void check_api_version(struct yl_check *, const struct yl_at *version);
static bool check_joined(struct yl_check *, const struct yl_at *,
                         enum yl_name_rule, struct yl_str tested,
                         struct yl_str shown, const char *before);
static void check_named_rule(struct yl_check *, const struct yl_at *rule);
static void check_field_ref(struct yl_check *, const struct yl_at *);
static bool is_blank(struct yl_check *, const struct yl_at *);
static bool is_identifier(struct yl_str);
static void check_validation(struct yl_check *, const struct yl_at *);
static void check_annotations(struct yl_check *, const struct yl_at *list,
                              struct yl_str name);
static void check_annotation(struct yl_check *, const struct yl_at *,
                             struct yl_str name);

void
yl_validating_policy_validate(struct yl_check *c,
                              const struct yl_node *object)
{
    check_policy(c, object, NULL);
}

void
yl_validating_policy_validate_update(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old)
{
    check_policy(c, object, old);
}

void
yl_validating_policy_validate_status(struct yl_check *c,
                                     const struct yl_node *object,
                                     const struct yl_node *old YL_UNUSED)
{
    struct yl_at root = yl_at_root(object);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at checking = yl_at(&status, "typeChecking");
    struct yl_at warnings = yl_at(&checking, "expressionWarnings");
    struct yl_at conditions = yl_at(&status, "conditions");

    YL_CHECK_FOR_EACH (c, warning, &warnings) {
        struct yl_at text = yl_at(&warning, "warning");
        struct yl_at ref = yl_at(&warning, "fieldRef");

        yl_check_required(c, &text);
        check_field_ref(c, &ref);
    }
    yl_check_conditions(c, &conditions);
}

void
yl_check_policy_head(struct yl_check *c, const struct yl_at *spec)
{
    static const char *const failures[] = { "Fail", "Ignore", NULL };
    struct yl_at failure = yl_at(spec, "failurePolicy");
    struct yl_at kind = yl_at(spec, "paramKind");
    struct yl_at matches = yl_at(spec, "matchConstraints");
    struct yl_at rules = yl_at(&matches, "resourceRules");

    if (!yl_at_has(&failure)) {
        yl_field_required(c->err, yl_at_path(&failure), NULL);
    } else {
        yl_check_one_of(c, &failure, failures);
    }
    if (yl_at_has(&kind)) {
        check_parameter_kind(c, &kind);
    }
    if (yl_check_required(c, &matches)) {
        yl_check_policy_matches(c, &matches);
        yl_check_required(c, &rules);
    }
}

void
yl_check_policy_matches(struct yl_check *c, const struct yl_at *matches)
{
    static const char *const policies[] = { "Equivalent", "Exact", NULL };
    static const char *const lists[] = { "resourceRules",
                                         "excludeResourceRules" };
    struct yl_at policy = yl_at(matches, "matchPolicy");
    struct yl_at namespaces = yl_at(matches, "namespaceSelector");
    struct yl_at objects = yl_at(matches, "objectSelector");
    size_t i;

    if (!yl_at_has(&policy)) {
        yl_field_required(c->err, yl_at_path(&policy), NULL);
    } else {
        yl_check_one_of(c, &policy, policies);
    }
    if (yl_check_required(c, &namespaces)) {
        yl_check_label_selector(c, &namespaces);
    }
    if (yl_check_required(c, &objects)) {
        yl_check_label_selector(c, &objects);
    }
    for (i = 0; i < YL_ARRAY_SIZE(lists); i++) {
        struct yl_at list = yl_at(matches, lists[i]);

        YL_CHECK_FOR_EACH (c, one, &list) {
            check_named_rule(c, &one);
        }
    }
}

void
yl_check_policy_conditions(struct yl_check *c, const struct yl_node *object,
                           const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at then = yl_at(&before, "spec");
    struct yl_at conditions = yl_at(&spec, "matchConditions");
    struct yl_at conditions_then = yl_at(&then, "matchConditions");
    struct yl_at kind = yl_at(&spec, "paramKind");
    struct yl_at kind_then = yl_at(&then, "paramKind");

    if (!old || !yl_node_same(kind.node, kind_then.node)
        || !yl_node_same(conditions.node, conditions_then.node)) {
        yl_check_match_conditions(c, &conditions);
    }
}

void
yl_check_policy_variables(struct yl_check *c, const struct yl_at *variables)
{
    YL_CHECK_FOR_EACH (c, variable, variables) {
        struct yl_at name = yl_at(&variable, "name");
        struct yl_at expression = yl_at(&variable, "expression");

        if (is_blank(c, &name)) {
            yl_field_required(c->err, yl_at_path(&name),
                              "name is not specified");
        } else if (!is_identifier(yl_at_str(c, &name))) {
            yl_field_invalid(c->err, yl_at_path(&name), yl_bad_str(c, &name),
                             "must be a valid CEL identifier");
        }
        if (is_blank(c, &expression)) {
            yl_field_required(c->err, yl_at_path(&expression),
                              "expression is not specified");
        }
    }
}

static void
check_policy(struct yl_check *c, const struct yl_node *object,
             const struct yl_node *old)
{
    static const char none[] =
        "validations or auditAnnotations must contain at least one item";
    struct yl_at root = yl_at_root(object);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at variables = yl_at(&spec, "variables");
    struct yl_at validations = yl_at(&spec, "validations");
    struct yl_at annotations = yl_at(&spec, "auditAnnotations");

    yl_check_object_meta(c, object, &rule);
    yl_check_policy_head(c, &spec);
    yl_check_policy_conditions(c, object, old);
    yl_check_policy_variables(c, &variables);
    if (!yl_at_count(&validations) && !yl_at_count(&annotations)) {
        yl_field_required(c->err, yl_at_path(&validations), none);
        yl_field_required(c->err, yl_at_path(&annotations), none);
    }
    YL_CHECK_FOR_EACH (c, validation, &validations) {
        check_validation(c, &validation);
    }
    check_annotations(c, &annotations, yl_at_get_str(c, &metadata, "name"));
}

static void
check_parameter_kind(struct yl_check *c, const struct yl_at *kind)
{
    struct yl_at version = yl_at(kind, "apiVersion");
    struct yl_at name = yl_at(kind, "kind");
    struct yl_str s = yl_at_str(c, &name);

    if (yl_check_required(c, &version)) {
        check_api_version(c, &version);
    }
    if (yl_check_required(c, &name)) {
        check_joined(c, &name, YL_NAME_DNS1035_LABEL,
                     yl_lower_case(c->arena, s), s,
                     "may have mixed case, but should otherwise match: ");
    }
}

/* VERSION or GROUP/VERSION */
static void
check_api_version(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str s = yl_at_str(c, at), group = YL_STR(""), version = s;
    struct yl_str rest;

    if (yl_str_cut(s, '/', &group, &version)
        && yl_str_cut(version, '/', &rest, &rest)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "unexpected GroupVersion string: %.*s",
                         YL_STR_ARG(s));
        return;
    }
    if (group.size) {
        check_joined(c, at, YL_NAME_DNS1123_SUBDOMAIN, group, group, "");
    }
    if (!version.size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(s),
                         "version must be specified");
    } else {
        check_joined(c, at, YL_NAME_DNS1035_LABEL, version, version, "");
    }
}

/* All faults in one cause. */
static bool
check_joined(struct yl_check *c, const struct yl_at *at,
             enum yl_name_rule name_rule, struct yl_str tested,
             struct yl_str shown, const char *before)
{
    struct yl_name_faults faults;
    struct yl_buf why;
    size_t i;

    if (yl_name_check(name_rule, tested, &faults) == 0) {
        return true;
    }
    yl_buf_init(&why, SIZE_MAX);
    for (i = 0; i < faults.n_faults; i++) {
        yl_buf_printf(&why, "%s%s", i ? "," : "", faults.faults[i]);
    }
    yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(shown), "%s%s",
                     before, yl_buf_c_str(&why));
    yl_buf_release(&why);
    return false;
}

static void
check_named_rule(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at names = yl_at(at, "resourceNames");
    struct yl_node *seen = yl_node_new_object(c->arena);

    YL_CHECK_FOR_EACH (c, name, &names) {
        yl_check_name(c, &name, YL_NAME_PATH_SEGMENT);
        if (!yl_set_add(c->arena, seen, yl_at_str(c, &name))) {
            yl_field_duplicate(c->err, yl_at_path(&name),
                               yl_bad_str(c, &name));
        }
    }
    yl_check_admission_rule(c, at);
}

/* A JSONPath in the syntax of client-go, in which a word may stand before the
 * first dot. */
static void
check_field_ref(struct yl_check *c, const struct yl_at *at)
{
    struct yl_str text = yl_str_trim(yl_at_str(c, at)), rest = text;
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_jsonpath *path;

    if (!text.size) {
        yl_field_required(c->err, yl_at_path(at), NULL);
        return;
    }
    if (isalnum((unsigned char) *text.data) || *text.data == '_'
        || *text.data & 0x80) {
        while (rest.size && !strchr(" \t\r\n.,[]$@{}", *rest.data)) {
            rest = yl_str_skip(rest, 1);
        }
    }
    if (yl_jsonpath_parse(rest, c->arena, &path, &err) < 0) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text),
                         "invalid JSONPath: %s", yl_error_message(&err));
        yl_error_clear(&err);
    }
}

static bool
is_blank(struct yl_check *c, const struct yl_at *at)
{
    return !yl_str_trim(yl_at_str(c, at)).size;
}

/* Whether 's' is an identifier of CEL and not a reserved word. */
static bool
is_identifier(struct yl_str s)
{
    static const char *const reserved[] =
        { "true", "false", "null", "in", "as", "break", "const", "continue",
          "else", "for", "function", "if", "import", "let", "loop", "package",
          "namespace", "return", "var", "void", "while" };
    size_t i;

    for (i = 0; i < s.size; i++) {
        char ch = s.data[i];

        if (ch != '_' && (ch < 'a' || ch > 'z') && (ch < 'A' || ch > 'Z')
            && (!i || ch < '0' || ch > '9')) {
            return false;
        }
    }
    for (i = 0; i < YL_ARRAY_SIZE(reserved); i++) {
        if (yl_str_equal_c(s, reserved[i])) {
            return false;
        }
    }
    return true;
}

static void
check_validation(struct yl_check *c, const struct yl_at *validation)
{
    static const char *const reasons[] = { "Forbidden", "Invalid",
                                           "RequestEntityTooLarge", NULL };
    struct yl_at expression = yl_at(validation, "expression");
    struct yl_at message = yl_at(validation, "message");
    struct yl_at text = yl_at(validation, "messageExpression");
    struct yl_at reason = yl_at(validation, "reason");
    struct yl_str line = yl_str_trim(yl_at_str(c, &message));

    if (is_blank(c, &expression)) {
        yl_field_required(c->err, yl_at_path(&expression),
                          "expression is not specified");
    }
    if (!yl_at_is(&text, "") && is_blank(c, &text)) {
        yl_field_invalid(c->err, yl_at_path(&text), yl_bad_str(c, &text),
                         "must be non-empty if specified");
    }
    if (!yl_at_is(&message, "") && !line.size) {
        yl_field_invalid(c->err, yl_at_path(&message),
                         yl_bad_str(c, &message),
                         "must be non-empty if specified");
    } else if (yl_str_find_char(line, '\n') || yl_str_find_char(line, '\r')) {
        yl_field_invalid(c->err, yl_at_path(&message),
                         yl_bad_str(c, &message),
                         "must not contain line breaks");
    }
    if (yl_at_has(&reason)) {
        yl_check_one_of(c, &reason, reasons);
    }
}

static void
check_annotations(struct yl_check *c, const struct yl_at *list,
                  struct yl_str name)
{
    struct yl_node *keys = yl_node_new_object(c->arena);

    if (yl_at_count(list) > MAX_ANNOTATIONS) {
        yl_field_invalid(c->err, yl_at_path(list),
                         yl_bad_slice(c, list->node,
                                      YL_GO(admissionregistration_v1,
                                            audit_annotation)),
                         "must not have more than %d auditAnnotations",
                         MAX_ANNOTATIONS);
    }
    YL_CHECK_FOR_EACH (c, annotation, list) {
        struct yl_at key = yl_at(&annotation, "key");

        check_annotation(c, &annotation, name);
        if (!yl_set_add(c->arena, keys, yl_at_str(c, &key))) {
            yl_field_duplicate(c->err, yl_at_path(&key),
                               yl_bad_str(c, &key));
        }
    }
}

static void
check_annotation(struct yl_check *c, const struct yl_at *annotation,
                 struct yl_str name)
{
    struct yl_at key = yl_at(annotation, "key");
    struct yl_at value = yl_at(annotation, "valueExpression");
    struct yl_str s = yl_at_str(c, &key);

    if (name.size) {
        yl_check_name_of(c, yl_at_path(&key), YL_NAME_QUALIFIED,
                         yl_str_c(yl_arena_printf(c->arena, "%.*s/%.*s",
                                                  YL_STR_ARG(name),
                                                  YL_STR_ARG(s))));
    } else {
        yl_field_invalid(c->err, yl_at_path(&key), yl_bad_string(s),
                         "requires metadata.name be non-empty");
    }
    if (is_blank(c, &value)) {
        yl_field_required(c->err, yl_at_path(&value),
                          "valueExpression is not specified");
    } else if (yl_str_trim(yl_at_str(c, &value)).size
               > MAX_ANNOTATION_EXPRESSION) {
        yl_field_required(c->err, yl_at_path(&value),
                          "must not exceed %d bytes in length",
                          MAX_ANNOTATION_EXPRESSION);
    }
}
