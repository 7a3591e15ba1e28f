/* Limits of one value.  See schema/limits.h for the contract.
 *
 * The order of the checks, where they end early and the messages are those of
 * kube-openapi, as kube-apiserver reports them. */

#include "schema/limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/format.h"
#include "schema/parsed.h"
#include "schema/seen.h"
#include "yuloh/error.h"

/* The type of a node, as kube-openapi sees it. */
struct what {
    const char *type;           /* "integer" */
    const char *format;         /* "int64" */
    bool whole;                 /* Of a number: has it no fraction? */
    bool int64;                 /* Of a number: does Go decode an int64? */
    long long integer;
    double number;
};

static struct what look_at(const struct yl_node *);
static void check_string(struct yl_validation *, const struct yl_limits *,
                         const struct yl_field_path *, const struct yl_node *);
static void check_pattern(struct yl_validation *, const struct yl_limits *,
                          const struct yl_field_path *, struct yl_str);
static void check_format(struct yl_validation *, const struct yl_limits *,
                         const struct yl_field_path *, const struct yl_node *);
static void check_number(struct yl_validation *, const struct yl_limits *,
                         const struct yl_field_path *, const struct yl_node *);
static void check_range(struct yl_validation *, const struct yl_limits *,
                        const struct yl_field_path *, const struct what *);
static void check_items(struct yl_validation *, const struct yl_limits *,
                        const struct yl_field_path *, const struct yl_node *);
static void check_enum(struct yl_validation *, const struct yl_limits *,
                       const struct yl_field_path *, const struct yl_node *);
static void check_properties(struct yl_validation *, const struct yl_limits *,
                             const struct yl_field_path *,
                             const struct yl_node *);
static bool is_multiple(const struct what *, double factor);
static bool has_repeats(struct yl_arena *, const struct yl_node *list);
static bool has_type(const char *types, const char *type);
static int64_t count_characters(struct yl_str);
static void wrong_type(struct yl_validation *, const struct yl_field_path *,
                       struct yl_bad_value, const char *want,
                       struct yl_str got);
static void invalid(struct yl_validation *, const struct yl_field_path *,
                    struct yl_bad_value, const char *format, ...)
    YL_PRINTF(4, 5);
static void invalid_number(struct yl_validation *,
                           const struct yl_field_path *,
                           const struct yl_node *, const char *what,
                           double limit);
static int64_t count_of(double);

void
yl_limits_init(struct yl_limits *limits)
{
    memset(limits, 0, sizeof *limits);
    limits->min_length = limits->max_length = -1;
    limits->min_items = limits->max_items = -1;
    limits->min_properties = limits->max_properties = -1;
}

void
yl_limits_add_rule(struct yl_limits *limits, struct yl_parsed *parsed,
                   const struct yl_type_set *set, const struct yl_rule *rule)
{
    struct yl_str text = yl_str_c(yl_type_set_text(set, rule->text));

    switch ((enum yl_rule_op) rule->op) {
    case YL_RULE_MINIMUM:
    case YL_RULE_EXCLUSIVE_MINIMUM:
        limits->has_minimum = true;
        limits->exclusive_minimum = rule->op == YL_RULE_EXCLUSIVE_MINIMUM;
        limits->minimum = rule->number;
        break;

    case YL_RULE_MAXIMUM:
    case YL_RULE_EXCLUSIVE_MAXIMUM:
        limits->has_maximum = true;
        limits->exclusive_maximum = rule->op == YL_RULE_EXCLUSIVE_MAXIMUM;
        limits->maximum = rule->number;
        break;

    case YL_RULE_MULTIPLE_OF:
        limits->has_multiple_of = true;
        limits->multiple_of = rule->number;
        break;

    case YL_RULE_MIN_LENGTH:
        limits->min_length = count_of(rule->number);
        break;

    case YL_RULE_MAX_LENGTH:
        limits->max_length = count_of(rule->number);
        break;

    case YL_RULE_MIN_ITEMS:
        limits->min_items = count_of(rule->number);
        break;

    case YL_RULE_MAX_ITEMS:
        limits->max_items = count_of(rule->number);
        break;

    case YL_RULE_MIN_PROPERTIES:
        limits->min_properties = count_of(rule->number);
        break;

    case YL_RULE_MAX_PROPERTIES:
        limits->max_properties = count_of(rule->number);
        break;

    case YL_RULE_UNIQUE_ITEMS:
        limits->unique_items = true;
        break;

    case YL_RULE_PATTERN:
        limits->pattern = text;
        break;

    case YL_RULE_FORMAT:
        limits->format = text.size ? text.data : NULL;
        break;

    case YL_RULE_ENUM:
        limits->enum_ = yl_parsed_get(parsed, text.data);
        break;

    case YL_RULE_NONE:
    case YL_RULE_TITLE:
    case YL_RULE_DESCRIPTION:
    case YL_RULE_EXAMPLE:
    case YL_RULE_CEL:
    case YL_RULE_SCHEMA:
    case YL_RULE_OTHER:
    case YL_RULE_REQUIRED:
    case YL_RULE_ALSO:
    case YL_RULE_ANY_OF:
    case YL_RULE_ONE_OF:
    case YL_RULE_ALL_OF:
    case YL_RULE_NOT:
        break;
    }
}

bool
yl_limits_check_type(struct yl_validation *v, const struct yl_limits *limits,
                     const struct yl_field_path *path,
                     const struct yl_node *node)
{
    struct what what = look_at(node);
    const char *types = limits->types ? limits->types : "";
    bool textual = node->type == YL_JSON_STRING || node->type == YL_JSON_ARRAY;
    bool fits;

    if (node->type == YL_JSON_NULL) {
        if (limits->types && !limits->nullable) {
            wrong_type(v, path, yl_bad_string(YL_STR("null")), types,
                       YL_STR("null"));
            return false;
        }
        return true;
    }
    if (!limits->types && !limits->format) {
        return true;
    }
    fits = has_type(types, what.type)
           || (node->type == YL_JSON_NUMBER
               && ((!what.int64 && what.whole && has_type(types, "integer"))
                   || (what.int64 && has_type(types, "number"))));
    if (!textual && limits->format && !fits
        && strcmp(what.format, limits->format)) {
        wrong_type(v, path, yl_bad_string(yl_str_c(what.format)),
                   limits->format, yl_str_c(what.format));
        return false;
    }
    if (textual && limits->format && !has_type(types, "number")
        && !has_type(types, "integer")) {
        v->n_passed++;
        return true;
    }
    if (!fits) {
        wrong_type(v, path, yl_bad_string(yl_str_c(what.type)), types,
                   yl_str_c(what.type));
        return false;
    }
    v->n_passed++;
    return true;
}

void
yl_limits_check(struct yl_validation *v, const struct yl_limits *limits,
                const struct yl_field_path *path, const struct yl_node *node)
{
    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        check_string(v, limits, path, node);
        check_format(v, limits, path, node);
        break;

    case YL_JSON_NUMBER:
        check_number(v, limits, path, node);
        break;

    case YL_JSON_ARRAY:
        check_items(v, limits, path, node);
        break;

    default:
        break;
    }
    check_enum(v, limits, path, node);
    if (node->type == YL_JSON_OBJECT) {
        check_properties(v, limits, path, node);
    }
}

void
yl_limits_write_name(struct yl_buf *buf, const struct yl_field_path *path)
{
    if (path) {
        yl_field_path_write(buf, path);
    }
}

static struct what
look_at(const struct yl_node *node)
{
    struct what what = { "null", "", false, false, 0, 0 };
    struct yl_str text;

    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
        what.type = "boolean";
        break;

    case YL_JSON_STRING:
        what.type = "string";
        break;

    case YL_JSON_ARRAY:
        what.type = "array";
        break;

    case YL_JSON_OBJECT:
        what.type = "object";
        break;

    case YL_JSON_NUMBER:
        yl_node_number(node, &text);
        yl_node_double(node, &what.number);
        what.int64 = yl_str_to_i64(text, &what.integer) == 0;
        what.whole = what.int64
                     || (fabs(what.number) < 9.007199254740992e15
                         && what.number == floor(what.number));
        what.type = what.int64 ? "integer" : "number";
        what.format = what.int64 ? "int64" : "float64";
        break;

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        break;
    }
    return what;
}

/* Checks a string; the first fault ends the checks. */
static void
check_string(struct yl_validation *v, const struct yl_limits *limits,
             const struct yl_field_path *path, const struct yl_node *node)
{
    struct yl_str s = YL_STR("");
    int64_t length;

    if (limits->max_length < 0 && limits->min_length < 0
        && yl_str_is_null(limits->pattern)) {
        return;
    }
    yl_node_string(node, v->arena, &s);
    length = count_characters(s);
    if (limits->max_length >= 0 && length > limits->max_length) {
        yl_field_too_long(v->err, path, limits->max_length);
    } else if (limits->min_length >= 0 && length < limits->min_length) {
        invalid(v, path, yl_bad_string(s),
                "should be at least %" PRId64 " chars long",
                limits->min_length);
    } else {
        check_pattern(v, limits, path, s);
    }
}

static void
check_pattern(struct yl_validation *v, const struct yl_limits *limits,
              const struct yl_field_path *path, struct yl_str s)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    if (!limits->pattern.size || !v->opts->match) {
        return;
    }
    r = v->opts->match(v->opts->aux, limits->pattern, s, &err);
    if (r < 0) {
        invalid(v, path, yl_bad_string(s),
                "should match '%.*s, but pattern is invalid: %s'",
                YL_STR_ARG(limits->pattern), yl_error_message(&err));
    } else if (r == 0) {
        invalid(v, path, yl_bad_string(s), "should match '%.*s'",
                YL_STR_ARG(limits->pattern));
    } else {
        v->n_passed++;
    }
    yl_error_clear(&err);
}

static void
check_format(struct yl_validation *v, const struct yl_limits *limits,
             const struct yl_field_path *path, const struct yl_node *node)
{
    struct yl_str s = YL_STR("");

    if (!limits->format) {
        return;
    }
    yl_node_string(node, v->arena, &s);
    if (yl_format_check(yl_str_c(limits->format), s) == YL_FORMAT_BAD) {
        wrong_type(v, path, yl_bad_string(s), limits->format, s);
    } else {
        v->n_passed++;
    }
}

static void
check_number(struct yl_validation *v, const struct yl_limits *limits,
             const struct yl_field_path *path, const struct yl_node *node)
{
    struct what what = look_at(node);
    double n = what.number;

    check_range(v, limits, path, &what);
    if (limits->has_multiple_of) {
        if (is_multiple(&what, limits->multiple_of)) {
            v->n_passed++;
        } else {
            invalid_number(v, path, node, "a multiple of",
                           limits->multiple_of);
        }
    }
    if (limits->has_minimum) {
        if (limits->exclusive_minimum ? n <= limits->minimum
                                      : n < limits->minimum) {
            invalid_number(v, path, node, limits->exclusive_minimum
                           ? "greater than" : "greater than or equal to",
                           limits->minimum);
        } else {
            v->n_passed++;
        }
    }
    if (limits->has_maximum) {
        if (limits->exclusive_maximum ? n >= limits->maximum
                                      : n > limits->maximum) {
            invalid_number(v, path, node, limits->exclusive_maximum
                           ? "less than" : "less than or equal to",
                           limits->maximum);
        } else {
            v->n_passed++;
        }
    }
}

/* Does a number fit the type that the schema names?  The error names no
 * field. */
static void
check_range(struct yl_validation *v, const struct yl_limits *limits,
            const struct yl_field_path *path, const struct what *what)
{
    const char *format = limits->format ? limits->format : "";
    struct yl_buf name, with;
    bool fits = true;

    if (!limits->types || strchr(limits->types, ',')) {
        return;
    }
    if (!strcmp(limits->types, "integer")) {
        bool small = !strcmp(format, "int32");

        fits = what->whole
               && (!small || (what->number >= INT32_MIN
                              && what->number <= INT32_MAX));
        format = small || !strcmp(format, "int64") ? format : "";
    } else if (!strcmp(limits->types, "number")) {
        fits = strcmp(format, "float")
               || fabs(what->number) <= 3.4028234663852886e38;
    }
    if (fits) {
        return;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&with, SIZE_MAX);
    yl_limits_write_name(&name, path);
    yl_buf_printf(&with, *format ? "with format %s" : "(default format)%s",
                  format);
    yl_field_invalid(v->err, v->opts->path, yl_bad_string(YL_STR("")),
                     "Checked value must be of type %s %s in %s",
                     limits->types, yl_buf_c_str(&with), yl_buf_c_str(&name));
    yl_buf_release(&name);
    yl_buf_release(&with);
}

static void
check_items(struct yl_validation *v, const struct yl_limits *limits,
            const struct yl_field_path *path, const struct yl_node *node)
{
    int64_t n = node->n;

    if (limits->min_items >= 0 && n < limits->min_items) {
        invalid(v, path, yl_bad_int(n),
                "should have at least %" PRId64 " items", limits->min_items);
    }
    if (limits->max_items >= 0 && n > limits->max_items) {
        yl_field_too_many(v->err, path, n, limits->max_items);
    }
    if (limits->unique_items && has_repeats(v->arena, node)) {
        invalid(v, path, yl_bad_string(YL_STR("")),
                "shouldn't contain duplicates");
    }
}

static void
check_enum(struct yl_validation *v, const struct yl_limits *limits,
           const struct yl_field_path *path, const struct yl_node *node)
{
    const struct yl_node *value;
    struct yl_buf list, json;

    if (!limits->enum_ || !limits->enum_->n) {
        return;
    }
    YL_NODE_FOR_EACH (value, limits->enum_) {
        if (node->type != YL_JSON_NULL && yl_node_equal(value, node)) {
            v->n_passed++;
            return;
        }
    }
    yl_buf_init(&list, SIZE_MAX);
    yl_buf_init(&json, SIZE_MAX);
    YL_NODE_FOR_EACH (value, limits->enum_) {
        struct yl_str text;

        yl_buf_append_c(&list, list.size ? ", " : "");
        yl_buf_clear(&json);
        if (yl_node_string(value, v->arena, &text) < 0) {
            yl_bad_value_write(&json, yl_bad_node(value));
            text = yl_buf_str(&json);
        }
        yl_bad_value_write(&list, yl_bad_string(text));
    }
    yl_field_not_supported_text(v->err, path, yl_bad_node(node),
                                yl_buf_str(&list));
    yl_buf_release(&list);
    yl_buf_release(&json);
}

static void
check_properties(struct yl_validation *v, const struct yl_limits *limits,
                 const struct yl_field_path *path, const struct yl_node *node)
{
    int64_t n = node->n;

    if (limits->min_properties >= 0 && n < limits->min_properties) {
        invalid(v, path, yl_bad_int(n),
                "should have at least %" PRId64 " properties",
                limits->min_properties);
    }
    if (limits->max_properties >= 0 && n > limits->max_properties) {
        yl_field_too_many(v->err, path, n, limits->max_properties);
    }
}

static bool
is_multiple(const struct what *what, double factor)
{
    double quotient;

    if (what->int64 && factor == floor(factor) && factor >= 1
        && factor < 9e18) {
        return what->integer % (long long) factor == 0;
    }
    quotient = factor < 1 ? 1 / factor * what->number : what->number / factor;
    return fabs(quotient - nearbyint(quotient))
           <= 1e-9 * fmax(1, fabs(quotient));
}

/* Are two elements of the list equal? */
static bool
has_repeats(struct yl_arena *arena, const struct yl_node *list)
{
    const struct yl_node *node;
    struct yl_seen seen;
    bool repeats = false;

    yl_seen_init(&seen, arena);
    YL_NODE_FOR_EACH (node, list) {
        if (yl_seen_add(&seen, node)) {
            repeats = true;
            break;
        }
    }
    yl_seen_release(&seen);
    return repeats;
}

/* Is 'type' one of the comma-separated 'types'? */
static bool
has_type(const char *types, const char *type)
{
    const char *at = strstr(types, type);
    size_t n = strlen(type);

    return at && (at == types || at[-1] == ',')
           && (at[n] == '\0' || at[n] == ',');
}

static int64_t
count_characters(struct yl_str s)
{
    int64_t n = 0;
    size_t i;

    for (i = 0; i < s.size; i++) {
        n += ((unsigned char) s.data[i] & 0xc0) != 0x80;
    }
    return n;
}

/* "spec.x in body must be of type string: \"integer\"". */
static void
wrong_type(struct yl_validation *v, const struct yl_field_path *path,
           struct yl_bad_value value, const char *want, struct yl_str got)
{
    struct yl_buf name, quoted;

    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&quoted, SIZE_MAX);
    yl_limits_write_name(&name, path);
    yl_bad_value_write(&quoted, yl_bad_string(got));
    yl_field_type_invalid(v->err, path, value,
                          "%s in body must be of type %s: %s",
                          yl_buf_c_str(&name), want, yl_buf_c_str(&quoted));
    yl_buf_release(&name);
    yl_buf_release(&quoted);
}

/* "spec.x in body FORMAT". */
static void
invalid(struct yl_validation *v, const struct yl_field_path *path,
        struct yl_bad_value value, const char *format, ...)
{
    struct yl_buf text;
    va_list args;

    yl_buf_init(&text, SIZE_MAX);
    yl_limits_write_name(&text, path);
    yl_buf_append_c(&text, " in body ");
    va_start(args, format);
    yl_buf_vprintf(&text, format, args);
    va_end(args);
    yl_field_invalid(v->err, path, value, "%s", yl_buf_c_str(&text));
    yl_buf_release(&text);
}

static void
invalid_number(struct yl_validation *v, const struct yl_field_path *path,
               const struct yl_node *node, const char *what, double limit)
{
    char text[YL_DOUBLE_SIZE];

    yl_double_format(text, limit);
    invalid(v, path, yl_bad_node(node), "should be %s %s", what, text);
}

/* A count from a rule, cut to a number that no list or text can exceed. */
static int64_t
count_of(double number)
{
    return number >= 0x1p63 ? INT64_MAX : number >= 0 ? (int64_t) number : -1;
}
