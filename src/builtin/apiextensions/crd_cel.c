/* Validation of x-kubernetes-validations, as far as no evaluator is needed:
 * there is a rule, messages are one line, reasons are known, paths lead
 * somewhere. */

#include <string.h>

#include "builtin/apiextensions/crd_check.h"
#include "schema/props.h"
#include "schema/structural.h"

static void check_rule(struct yl_check *, const struct yl_at *rule);
static void check_message(struct yl_check *, const struct yl_at *rule);
static void check_field_path(struct yl_check *, const struct yl_at *at,
                             const struct yl_schema_props *);
static struct yl_str trim(struct yl_str);
static bool has_newline(struct yl_str);

void
yl_check_crd_cel(struct yl_check *c, const struct yl_field_path *path,
                 const struct yl_schema_props *s)
{
    const struct yl_node *rules =
        yl_schema_keyword(s, "x-kubernetes-validations");
    struct yl_at list = {
        yl_field_member(path, YL_STR("x-kubernetes-validations")), rules,
        false, NULL,
    };

    if (!rules) {
        return;
    }
    if (yl_structural_refusal(s)) {
        s = NULL;
    }
    YL_CHECK_FOR_EACH (c, rule, &list) {
        struct yl_at field_path = yl_at(&rule, "fieldPath");

        check_rule(c, &rule);
        check_field_path(c, &field_path, s);
    }
}

static void
check_rule(struct yl_check *c, const struct yl_at *rule)
{
    static const char *const reasons[] = {
        "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid",
        "FieldValueRequired", NULL,
    };
    struct yl_at expression = yl_at(rule, "messageExpression");
    struct yl_at reason = yl_at(rule, "reason");
    struct yl_str text = yl_at_str(c, &expression);

    check_message(c, rule);
    if (text.size && !trim(text).size) {
        yl_field_required(c->err, yl_at_path(&expression),
                          "messageExpression must be non-empty if specified");
    }
    if (yl_at_has(&reason)) {
        yl_check_one_of(c, &reason, reasons);
    }
}

static void
check_message(struct yl_check *c, const struct yl_at *at)
{
    struct yl_at rule = yl_at(at, "rule");
    struct yl_at message = yl_at(at, "message");
    struct yl_str expression = trim(yl_at_str(c, &rule));
    struct yl_str whole = yl_at_str(c, &message), text = trim(whole);

    if (!expression.size) {
        yl_field_required(c->err, yl_at_path(&rule), "rule is not specified");
    } else if (whole.size && !text.size) {
        yl_field_invalid(c->err, yl_at_path(&message), yl_bad_string(whole),
                         "must be non-empty if specified");
    } else if (has_newline(text)) {
        yl_field_invalid(c->err, yl_at_path(&message), yl_bad_string(whole),
                         "must not contain line breaks");
    } else if (has_newline(expression) && !text.size) {
        yl_field_required(c->err, yl_at_path(&message),
                          "message must be specified if rule contains line "
                          "breaks");
    }
}

/* The path must lead through the schema that has the rule, unless that is
 * NULL. */
static void
check_field_path(struct yl_check *c, const struct yl_at *at,
                 const struct yl_schema_props *s)
{
    struct yl_str text = yl_at_str(c, at);
    struct yl_crd_path path;
    const char *why;

    if (!text.size) {
        return;
    }
    if (!trim(text).size) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text),
                         "must be non-empty if specified");
    }
    if (has_newline(text)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text),
                         "must not contain line breaks");
    }
    if (s && !yl_crd_path_read(c->arena, text, s, true, &path, &why)) {
        yl_field_invalid(c->err, yl_at_path(at), yl_bad_string(text),
                         "must be a valid path");
    }
}

static struct yl_str
trim(struct yl_str s)
{
    static const char blanks[] = " \t\n\v\f\r";

    while (s.size && memchr(blanks, s.data[0], sizeof blanks - 1)) {
        s = yl_str_skip(s, 1);
    }
    while (s.size && memchr(blanks, s.data[s.size - 1], sizeof blanks - 1)) {
        s.size--;
    }
    return s;
}

static bool
has_newline(struct yl_str s)
{
    return yl_str_find_char(s, '\n') || yl_str_find_char(s, '\r');
}
