/* Limits of one value.  See schema/limits.h for the contract.
 *
 * The order of the checks, where they end early and the messages are those of
 * kube-openapi, as kube-apiserver reports them.  Numbers have a file of their
 * own (limits_number.c), since what kube-openapi does to them is a story of
 * its own. */

#include "schema/limits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/format.h"
#include "schema/go_value.h"
#include "schema/keyword.h"
#include "schema/limits_number.h"
#include "schema/seen.h"
#include "yuloh/error.h"

static void add_rule(struct yl_limits *, const struct yl_type_set *,
                     const struct yl_rule *);
static const char *type_of(const struct yl_node *, bool is_int);
static const char *format_of(const struct yl_node *, bool is_int);
static void check_string(struct yl_validation *, const struct yl_limits *,
                         const struct yl_field_path *, struct yl_str);
static void check_pattern(struct yl_validation *, const struct yl_limits *,
                          const struct yl_field_path *, struct yl_str);
static bool in_enum(struct yl_validation *, const char *values,
                    const struct yl_node *);
static bool is_enum_value(struct yl_validation *, struct yl_json,
                          const struct yl_node *);
static bool is_number_of_enum(struct yl_validation *, struct yl_json,
                              const struct yl_node *);
static bool has_repeats(struct yl_arena *, const struct yl_node *list);
static bool has_type(const char *types, const char *type);
static int64_t count_characters(struct yl_str);
static void wrong_type(struct yl_validation *, const struct yl_field_path *,
                       struct yl_bad_value, const char *want,
                       struct yl_str got);
static int64_t count_of(double);

void
yl_limits_read(struct yl_limits *limits, const struct yl_type_set *set,
               enum yl_value_kind kind, unsigned flags,
               const struct yl_rule *rules, size_t n)
{
    struct yl_type_words words = yl_type_words(kind);
    size_t i;

    memset(limits, 0, sizeof *limits);
    limits->min_length = limits->min_items = INT64_MIN;
    limits->max_length = limits->max_items = INT64_MAX;
    limits->min_properties = INT64_MIN;
    limits->max_properties = INT64_MAX;
    limits->types = flags & YL_VALUE_UNTYPED ? NULL : words.type;
    limits->format = words.format;
    limits->nullable = flags & YL_VALUE_NULLABLE;
    if (kind == YL_VALUE_QUANTITY || kind == YL_VALUE_INT_OR_STRING) {
        limits->types = "integer,string";
    }
    for (i = 0; i < n; i++) {
        add_rule(limits, set, &rules[i]);
    }
    if (limits->format
        && !yl_format_is_known(limits->types, yl_str_c(limits->format))) {
        limits->format = NULL;
    }
}

void
yl_limits_keep_format(struct yl_limits *limits, const struct yl_type_set *set,
                      const struct yl_rule *rules, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++) {
        if (rules[i].op == YL_RULE_FORMAT && rules[i].text) {
            limits->format = yl_type_set_text(set, rules[i].text);
        }
    }
}

bool
yl_limits_check_type(struct yl_validation *v, const struct yl_limits *limits,
                     const struct yl_field_path *path,
                     const struct yl_node *node)
{
    const char *types = limits->types ? limits->types : "";
    bool textual = node->type == YL_JSON_STRING || node->type == YL_JSON_ARRAY;
    struct yl_go_number number = { false, 0, 0 };
    const char *type, *format;
    bool fits;

    if (node->type == YL_JSON_NULL) {
        if (limits->types && !limits->nullable) {
            wrong_type(v, path, yl_bad_string(YL_STR("null")), types,
                       YL_STR("null"));
            return false;
        }
        v->n_passed++;
        return true;
    }
    if (!limits->types && !limits->format) {
        return true;
    }
    v->n_passed++;
    if (node->type == YL_JSON_NUMBER) {
        number = yl_go_number(node);
    }
    type = type_of(node, number.is_int);
    fits = has_type(types, type)
           || (node->type == YL_JSON_NUMBER
               && (number.is_int ? has_type(types, "number")
                                 : has_type(types, "integer")
                                       && yl_limits_is_whole(number.number)));
    format = format_of(node, number.is_int);
    if (!textual && limits->format && !fits
        && strcmp(format, limits->format)) {
        wrong_type(v, path, yl_bad_string(yl_str_c(format)), limits->format,
                   yl_str_c(format));
        return false;
    }
    if (textual && limits->format && !has_type(types, "number")
        && !has_type(types, "integer")) {
        v->n_passed++;
        return true;
    }
    if (!fits) {
        wrong_type(v, path, yl_bad_string(yl_str_c(type)), types,
                   yl_str_c(type));
        return false;
    }
    v->n_passed++;
    return true;
}

void
yl_limits_check_scalar(struct yl_validation *v, const struct yl_limits *limits,
                       const struct yl_field_path *path,
                       const struct yl_node *node)
{
    struct yl_str s = YL_STR("");

    if (node->type == YL_JSON_NUMBER) {
        v->n_passed += 2;
        yl_limits_check_number(v, limits, path, node);
    } else if (node->type == YL_JSON_STRING) {
        v->n_passed++;
        if (limits->max_length < INT64_MAX || limits->min_length > 0
            || limits->pattern.size || limits->format) {
            yl_node_string(node, v->arena, &s);
        }
        check_string(v, limits, path, s);
        if (limits->format) {
            enum yl_format_result r =
                yl_format_check(yl_str_c(limits->format), s);

            v->n_passed += r != YL_FORMAT_UNKNOWN;
            if (r == YL_FORMAT_BAD) {
                wrong_type(v, path, yl_bad_string(s), limits->format, s);
            }
        }
    }
}

void
yl_limits_check_items(struct yl_validation *v, const struct yl_limits *limits,
                      const struct yl_field_path *path,
                      const struct yl_node *node)
{
    int64_t n = node->n;

    if (n < limits->min_items) {
        yl_limits_fault(v, path, yl_bad_int(n),
                        "should have at least %" PRId64 " items",
                        limits->min_items);
    }
    if (n > limits->max_items && yl_limits_found(v)) {
        yl_field_too_many(v->err, path, n, limits->max_items);
    }
    if (limits->unique_items && has_repeats(v->arena, node)) {
        yl_limits_fault(v, path, yl_bad_string(YL_STR("")),
                        "shouldn't contain duplicates");
    }
}

void
yl_limits_check_enum(struct yl_validation *v, const struct yl_limits *limits,
                     const struct yl_field_path *path,
                     const struct yl_node *node)
{
    struct yl_json_iter it;
    struct yl_buf list;

    if (!limits->enum_ || in_enum(v, limits->enum_, node)
        || !yl_limits_found(v)) {
        return;
    }
    yl_buf_init(&list, SIZE_MAX);
    it = yl_json_iter(yl_json(yl_str_c(limits->enum_)));
    while (yl_json_next(&it)) {
        struct yl_str text = yl_json_raw(it.value);

        (void) yl_json_string(it.value, v->arena, &text);
        yl_buf_append_c(&list, list.size ? ", " : "");
        yl_bad_value_write(&list, yl_bad_string(text));
    }
    yl_field_not_supported_text(v->err, path, yl_bad_node(node),
                                yl_buf_str(&list));
    yl_buf_release(&list);
}

void
yl_limits_check_members(struct yl_validation *v,
                        const struct yl_limits *limits,
                        const struct yl_field_path *path,
                        const struct yl_node *node)
{
    int64_t n = node->n;

    if (n < limits->min_properties) {
        yl_limits_fault(v, path, yl_bad_int(n),
                        "should have at least %" PRId64 " properties",
                        limits->min_properties);
    }
    if (n > limits->max_properties && yl_limits_found(v)) {
        yl_field_too_many(v->err, path, n, limits->max_properties);
    }
}

void
yl_limits_write_name(struct yl_buf *buf, const struct yl_validation *v,
                     const struct yl_field_path *path)
{
    size_t start = buf->size;

    if (path == v->opts->path) {
        return;
    }
    if (path->parent != v->opts->path) {
        yl_limits_write_name(buf, v, path->parent);
    }
    if (path->step == YL_FIELD_INDEX) {
        yl_buf_printf(buf, "[%zu]", path->index);
    } else {
        yl_buf_append_c(buf, buf->size > start || v->is_map ? "." : "");
        yl_buf_append_str(buf, path->name);
    }
}

void
yl_limits_fault(struct yl_validation *v, const struct yl_field_path *path,
                struct yl_bad_value value, const char *format, ...)
{
    struct yl_buf text;
    va_list args;

    if (!yl_limits_found(v)) {
        return;
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_limits_write_name(&text, v, path);
    yl_buf_append_c(&text, " in body ");
    va_start(args, format);
    yl_buf_vprintf(&text, format, args);
    va_end(args);
    yl_field_invalid(v->err, path, value, "%s", yl_buf_c_str(&text));
    yl_buf_release(&text);
}

/* Adds a rule, unless it is no limit. */
static void
add_rule(struct yl_limits *limits, const struct yl_type_set *set,
         const struct yl_rule *rule)
{
    const char *text = yl_type_set_text(set, rule->text);

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
        limits->pattern = yl_str_c(text);
        break;

    case YL_RULE_FORMAT:
        limits->format = *text ? text : NULL;
        break;

    case YL_RULE_ENUM:
        limits->enum_ = text;
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
    case YL_RULE_DEFAULT:
        break;
    }
}

/* The type of a node, as kube-openapi names it. */
static const char *
type_of(const struct yl_node *node, bool is_int)
{
    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
        return "boolean";

    case YL_JSON_STRING:
        return "string";

    case YL_JSON_ARRAY:
        return "array";

    case YL_JSON_OBJECT:
        return "object";

    case YL_JSON_NUMBER:
        return is_int ? "integer" : "number";

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        break;
    }
    return "null";
}

static const char *
format_of(const struct yl_node *node, bool is_int)
{
    return node->type != YL_JSON_NUMBER ? "" : is_int ? "int64" : "float64";
}

/* Checks a string; the first fault ends the checks. */
static void
check_string(struct yl_validation *v, const struct yl_limits *limits,
             const struct yl_field_path *path, struct yl_str s)
{
    int64_t length = 0;

    if (limits->max_length < INT64_MAX || limits->min_length > 0) {
        length = count_characters(s);
    }
    if (length > limits->max_length) {
        if (yl_limits_found(v)) {
            yl_field_too_long(v->err, path, limits->max_length);
        }
    } else if (length < limits->min_length) {
        yl_limits_fault(v, path, yl_bad_string(s),
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
        yl_limits_fault(v, path, yl_bad_string(s),
                        "should match '%.*s, but pattern is invalid: %s'",
                        YL_STR_ARG(limits->pattern), yl_error_message(&err));
    } else if (r == 0) {
        yl_limits_fault(v, path, yl_bad_string(s), "should match '%.*s'",
                        YL_STR_ARG(limits->pattern));
    }
    yl_error_clear(&err);
}

/* Is the value one of a JSON array's?  An array of none allows everything. */
static bool
in_enum(struct yl_validation *v, const char *values,
        const struct yl_node *node)
{
    struct yl_json_iter it = yl_json_iter(yl_json(yl_str_c(values)));
    bool empty = true;

    while (yl_json_next(&it)) {
        empty = false;
        if (is_enum_value(v, it.value, node)) {
            return true;
        }
    }
    return empty;
}

static bool
is_enum_value(struct yl_validation *v, struct yl_json value,
              const struct yl_node *node)
{
    struct yl_node *tree;
    struct yl_str text;
    bool b;

    switch (yl_node_type(node)) {
    case YL_JSON_STRING:
        return yl_json_string(value, v->arena, &text) == 0
               && yl_node_string_is(node, text);

    case YL_JSON_BOOL:
        return yl_json_bool(value, &b) == 0
               && b == ((node->flags & YL_NODE_TRUE) != 0);

    case YL_JSON_NUMBER:
        return is_number_of_enum(v, value, node);

    case YL_JSON_ARRAY:
    case YL_JSON_OBJECT:
        return yl_json_type(value) == yl_node_type(node)
               && yl_tree_parse(v->arena, yl_json_raw(value), NULL, &tree,
                                NULL) == 0
               && yl_go_equal(tree, node);

    case YL_JSON_NONE:
    case YL_JSON_NULL:
        break;
    }
    return false;               /* null is never one of them. */
}

/* Upstream converts the number to the type of the enum's value, as Go does: a
 * float64 loses its fraction, and an int64 becomes the character with that
 * code. */
static bool
is_number_of_enum(struct yl_validation *v, struct yl_json value,
                  const struct yl_node *node)
{
    struct yl_go_number number = yl_go_number(node);
    struct yl_str text;
    char utf8[4];
    int64_t integer;
    double other;

    if (yl_json_type(value) == YL_JSON_STRING) {
        return number.is_int && yl_json_string(value, v->arena, &text) == 0
               && yl_str_equal(text, yl_limits_character(number.integer,
                                                         utf8));
    } else if (yl_json_int64(value, &integer) == 0) {
        return (number.is_int ? number.integer
                              : yl_limits_to_int(number.number)) == integer;
    }
    return yl_json_double(value, &other) == 0 && other == number.number;
}

/* Are two elements of the list equal? */
static bool
has_repeats(struct yl_arena *arena, const struct yl_node *list)
{
    const struct yl_node *node;
    struct yl_seen seen;
    bool repeats = false;

    yl_seen_init(&seen, arena, yl_go_equal);
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

    if (!yl_limits_found(v)) {
        return;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&quoted, SIZE_MAX);
    yl_limits_write_name(&name, v, path);
    yl_bad_value_write(&quoted, yl_bad_string(got));
    yl_field_type_invalid(v->err, path, value,
                          "%s in body must be of type %s: %s",
                          yl_buf_c_str(&name), want, yl_buf_c_str(&quoted));
    yl_buf_release(&name);
    yl_buf_release(&quoted);
}

/* A count from a rule, cut to a number that no list or text can exceed.  A
 * negative one is a limit too, which nothing keeps. */
static int64_t
count_of(double number)
{
    return number >= 0x1p63 ? INT64_MAX : number < 0 ? -1 : (int64_t) number;
}
