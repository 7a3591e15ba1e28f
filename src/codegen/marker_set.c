/* Markers of files, structs and members: puts their arguments into the model.
 * See codegen/marker_set.h. */

#include "codegen/marker_set.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "codegen/marker_text.h"
#include "json/text.h"
#include "schema/keyword.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

static bool read_value(struct yl_marker_target *, const struct yl_marker *,
                       struct yl_str rest, struct yl_marker_value *);
static bool read_list(struct yl_marker_target *, struct yl_str,
                      const char **ret);
static void set_file(struct yl_marker_target *, const struct yl_marker *,
                     const char *text);
static void set_type(struct yl_marker_target *, const struct yl_marker *,
                     const char *text);
static void set_field(struct yl_marker_target *, const struct yl_marker *,
                      struct yl_gen_value *, const struct yl_marker_value *);
static void set_json(struct yl_marker_target *, const struct yl_marker *,
                     const char *text);
static void set_topology(struct yl_marker_target *, const struct yl_marker *,
                         struct yl_gen_value *, const char *text);
static void set_list_key(struct yl_marker_target *, const struct yl_marker *,
                         struct yl_gen_value *, const char *text);
static void set_patch(struct yl_marker_target *, const struct yl_marker *,
                      const char *text);
static void set_default(struct yl_marker_target *, const struct yl_marker *,
                        struct yl_gen_value *, const char *json);
static void add_rule(struct yl_marker_target *, const struct yl_marker *,
                     struct yl_gen_value *, const struct yl_marker_value *);
static void add_cel(struct yl_marker_target *, const struct yl_marker *,
                    struct yl_gen_rule **, struct yl_str named);

void
yl_marker_set(struct yl_marker_target *target, const struct yl_marker *marker,
              struct yl_gen_value *value, struct yl_str rest)
{
    struct yl_marker_value arg;

    memset(&arg, 0, sizeof arg);
    if (!read_value(target, marker, rest, &arg)) {
        return;
    }
    if (marker->sets == YL_SETS_RULE) {
        add_rule(target, marker, value, &arg);
    } else if (marker->sets == YL_SETS_EMBEDS
               || (marker->sets >= YL_SETS_GO_TYPE
                   && marker->sets <= YL_SETS_INTERNAL_VALUE)) {
        yl_marker_set_go(target, marker, &arg);
    } else if (target->where == YL_MARKER_FIELD) {
        set_field(target, marker, value, &arg);
    } else if (target->where == YL_MARKER_FILE) {
        set_file(target, marker, arg.text);
    } else if (marker->where & YL_MARKER_KIND) {
        yl_marker_set_kind(target, marker, &arg);
    } else {
        set_type(target, marker, arg.text);
    }
}

void
yl_marker_fault(struct yl_marker_target *target,
                const struct yl_marker *marker, const char *format, ...)
{
    char *words;
    va_list args;

    va_start(args, format);
    words = yl_arena_vprintf(target->unit->arena, format, args);
    va_end(args);
    yl_diag_add(target->diag, target->file, target->line, "'+%s' %s",
                marker->name, words);
}

void
yl_marker_settle(struct yl_marker_target *target, bool pointer)
{
    struct yl_gen_field *field = target->field;
    enum yl_value_kind kind = field->value->kind;
    const char *presence = target->presence ? target->presence : "";
    bool optional = target->optional || target->inlined
                    || (!target->required
                        && (pointer || target->unit->fields_optional));
    bool always = strstr(presence, "always") != NULL;

    if (target->optional && target->required) {
        yl_diag_add(target->diag, target->file, target->line,
                    "'%s' is both optional and required; write one",
                    field->c_name);
    }
    field->required = !optional;
    if (pointer && (kind == YL_VALUE_BYTES || kind == YL_VALUE_RAW
                    || kind == YL_VALUE_EMBEDDED)) {
        yl_diag_add(target->diag, target->file, target->line,
                    "'%s' knows absence itself; take the pointer away and "
                    "write '+optional'", field->c_name);
    }
    if (pointer || strstr(presence, "pointer")) {
        field->presence = always ? YL_PRESENCE_POINTER_ALWAYS
                                 : YL_PRESENCE_POINTER;
        if (!pointer && kind != YL_VALUE_STRING) {
            yl_diag_add(target->diag, target->file, target->line,
                        "only strings are '+json=,pointer'; make '%s' a "
                        "pointer", field->c_name);
        }
    } else if (always) {
        field->presence = YL_PRESENCE_ALWAYS;
    } else if (strstr(presence, "omitzero")) {
        field->presence = YL_PRESENCE_OMIT_ZERO;
    } else if (strstr(presence, "omitempty")) {
        field->presence = YL_PRESENCE_OMIT_EMPTY;
    } else if (!optional) {
        field->presence = YL_PRESENCE_ALWAYS;
    } else if (kind == YL_VALUE_TIME || kind == YL_VALUE_MICRO_TIME) {
        field->presence = YL_PRESENCE_OMIT_ZERO;
    } else {
        field->presence = YL_PRESENCE_OMIT_EMPTY;
    }
}

/* Reads the argument as the marker's row says.  Reports an error if it does
 * not match. */
static bool
read_value(struct yl_marker_target *target, const struct yl_marker *marker,
           struct yl_str rest, struct yl_marker_value *value)
{
    struct yl_arena *arena = target->unit->arena;
    struct yl_str text = rest.size && rest.data[0] == '='
                         ? yl_str_trim(yl_str_skip(rest, 1)) : YL_STR("");
    double whole;

    switch (marker->arg) {
    case YL_MARKER_ARG_NONE:
        if (rest.size && !yl_str_equal_c(text, "true")) {
            yl_marker_fault(target, marker, "takes no argument");
            return false;
        }
        return true;

    case YL_MARKER_ARG_BOOL:
        value->on = !rest.size || yl_str_equal_c(text, "true");
        if (!value->on && !yl_str_equal_c(text, "false")) {
            yl_marker_fault(target, marker, "is true or false, not '%.*s'",
                            YL_STR_ARG(text));
            return false;
        }
        return true;

    case YL_MARKER_ARG_NAMED:
        value->named = rest.size && (rest.data[0] == ':'
                                     || rest.data[0] == '=')
                       ? yl_str_skip(rest, 1) : YL_STR("");
        return true;

    case YL_MARKER_ARG_INTEGER:
    case YL_MARKER_ARG_NUMBER:
        if (yl_json_validate(text, NULL, NULL) < 0
            || yl_json_double(yl_json(text), &value->number) < 0) {
            yl_marker_fault(target, marker, "needs a number, not '%.*s'",
                            YL_STR_ARG(text));
            return false;
        } else if (marker->arg == YL_MARKER_ARG_INTEGER
                   && (modf(value->number, &whole) != 0
                       || value->number < 0)) {
            yl_marker_fault(target, marker,
                            "needs a whole number, not '%.*s'",
                            YL_STR_ARG(text));
            return false;
        }
        return true;

    case YL_MARKER_ARG_LIST:
        if (!text.size || !read_list(target, text, &value->text)) {
            yl_marker_fault(target, marker, "needs a list such as a;b;c");
            return false;
        }
        return true;

    case YL_MARKER_ARG_JSON:
        if (!text.size || !yl_marker_json(arena, text, &value->text)) {
            yl_marker_fault(target, marker, "needs a value such as 1, word, "
                            "{a,b} or {\"k\": \"v\"}");
            return false;
        }
        return true;

    case YL_MARKER_ARG_TEXT:
    default:
        if (!yl_marker_string(arena, text, &value->text)) {
            yl_marker_fault(target, marker, "has a quote that is not "
                            "closed");
            return false;
        }
        return true;
    }
}

/* a;b;c or {a,b,c}, as a JSON array. */
static bool
read_list(struct yl_marker_target *target, struct yl_str text,
          const char **ret)
{
    struct yl_arena *arena = target->unit->arena;
    struct yl_str item;
    struct yl_buf buf;
    const char *json;
    bool ok = true;

    if (text.data[0] == '{' || text.data[0] == '[') {
        return yl_marker_json(arena, text, ret) && **ret == '[';
    }
    yl_buf_init(&buf, (size_t) 64 << 10);
    while (ok && yl_marker_next(&text, ';', &item)) {
        ok = yl_marker_json(arena, item, &json);
        if (ok) {
            yl_buf_append_char(&buf, buf.size ? ',' : '[');
            yl_buf_append_c(&buf, json);
        }
    }
    yl_buf_append_char(&buf, ']');
    *ret = yl_arena_strdup(arena, yl_buf_str(&buf));
    ok = ok && !yl_buf_error(&buf);
    yl_buf_release(&buf);
    return ok;
}

static void
set_file(struct yl_marker_target *target, const struct yl_marker *marker,
         const char *text)
{
    struct yl_gen_unit *unit = target->unit;

    switch (marker->sets) {
    case YL_SETS_GROUP:
        unit->group = text;
        break;
    case YL_SETS_VERSION:
        unit->version = text;
        break;
    case YL_SETS_OUTPUT:
        unit->base = text;
        break;
    case YL_SETS_INCLUDE:
        unit->include_as = text;
        break;
    case YL_SETS_PREFIX:
        unit->prefix = text;
        break;
    case YL_SETS_OPENAPI:
        unit->openapi_prefix = text;
        break;
    case YL_SETS_OPTIONAL:
        unit->fields_optional = true;
        break;
    case YL_SETS_NO_INTERNAL:
        unit->no_internal = true;
        break;
    default:
        break;
    }
}

static void
set_type(struct yl_marker_target *target, const struct yl_marker *marker,
         const char *text)
{
    struct yl_gen_type *type = target->type;

    switch (marker->sets) {
    case YL_SETS_DEEPCOPY:
        if (strcmp(text, "true") && strcmp(text, "false")) {
            yl_marker_fault(target, marker, "is true or false here");
        }
        type->no_copy = !strcmp(text, "false");
        break;
    case YL_SETS_TYPE_NAME:
        yl_gen_type_rename(type, text);
        break;
    case YL_SETS_STRUCT_TYPE:
        type->topology = yl_topology_find(yl_str_c(text), false);
        if (type->topology == YL_TOPOLOGY_NONE) {
            yl_marker_fault(target, marker, "is atomic or granular, not "
                            "'%s'", text);
        }
        break;
    case YL_SETS_PRESERVE:
        type->flags |= YL_VALUE_PRESERVE;
        break;
    default:
        break;
    }
}

static void
set_field(struct yl_marker_target *target, const struct yl_marker *marker,
          struct yl_gen_value *value, const struct yl_marker_value *arg)
{
    struct yl_gen_field *field = target->field;

    switch (marker->sets) {
    case YL_SETS_JSON:
        set_json(target, marker, arg->text);
        break;
    case YL_SETS_OPTIONAL:
        target->optional = true;
        break;
    case YL_SETS_REQUIRED:
        target->required = true;
        break;
    case YL_SETS_NULLABLE:
        if (arg->on) {
            value->flags |= YL_VALUE_NULLABLE;
        }
        break;
    case YL_SETS_PRESERVE:
        value->flags |= YL_VALUE_PRESERVE;
        break;
    case YL_SETS_DEFAULT:
        set_default(target, marker, value, arg->text);
        break;
    case YL_SETS_LIST_TYPE:
    case YL_SETS_MAP_TYPE:
        set_topology(target, marker, value, arg->text);
        break;
    case YL_SETS_LIST_KEY:
        set_list_key(target, marker, value, arg->text);
        break;
    case YL_SETS_PATCH:
        set_patch(target, marker, arg->text);
        break;
    case YL_SETS_MERGE_KEY:
        field->merge_key = arg->text;
        break;
    case YL_SETS_NUMBER:
        if (arg->number > 65535) {
            yl_marker_fault(target, marker, "is 65535 at most");
        } else {
            field->number = (unsigned) arg->number;
        }
        break;
    default:
        break;
    }
}

/* "name,omitempty": like the tag of a Go struct. */
static void
set_json(struct yl_marker_target *target, const struct yl_marker *marker,
         const char *text)
{
    struct yl_str rest = yl_str_c(text), item;

    yl_marker_next(&rest, ',', &item);
    if (yl_str_equal_c(item, "-") && yl_str_is_null(rest)) {
        yl_marker_fault(target, marker, "of '-' stands on a line of its own, "
                        "without other markers");
    } else if (item.size) {
        target->field->json_name = yl_arena_strdup(target->unit->arena, item);
    }
    target->presence = "";
    while (yl_marker_next(&rest, ',', &item)) {
        if (yl_str_equal_c(item, "inline")) {
            target->inlined = true;
        } else if (yl_str_equal_c(item, "omitempty")
                   || yl_str_equal_c(item, "omitzero")
                   || yl_str_equal_c(item, "always")
                   || yl_str_equal_c(item, "pointer")) {
            target->presence = yl_arena_printf(target->unit->arena,
                                               "%s%.*s,", target->presence,
                                               YL_STR_ARG(item));
        } else {
            yl_marker_fault(target, marker, "has no '%.*s'; it has "
                            "omitempty, omitzero, always, pointer and inline",
                            YL_STR_ARG(item));
        }
    }
}

static void
set_topology(struct yl_marker_target *target, const struct yl_marker *marker,
             struct yl_gen_value *value, const char *text)
{
    bool list = marker->sets == YL_SETS_LIST_TYPE;
    enum yl_topology topology = yl_topology_find(yl_str_c(text), list);

    if (list ? value->kind != YL_VALUE_LIST
             : value->kind != YL_VALUE_MAP && value->kind != YL_VALUE_STRUCT
               && value->kind != YL_VALUE_RAW) {
        yl_marker_fault(target, marker, "needs a %s, and '%s' is none",
                        list ? "list" : "map or struct",
                        target->field->c_name);
        return;
    }
    if (topology == YL_TOPOLOGY_NONE) {
        yl_marker_fault(target, marker, "is %s, not '%s'",
                        list ? "atomic, set or map" : "atomic or granular",
                        text);
        return;
    }
    value->topology = topology;
}

static void
set_list_key(struct yl_marker_target *target, const struct yl_marker *marker,
             struct yl_gen_value *value, const char *text)
{
    if (value->kind != YL_VALUE_LIST
        || value->element->kind != YL_VALUE_STRUCT) {
        yl_marker_fault(target, marker, "needs a list of structs, and '%s' "
                        "is none", target->field->c_name);
        return;
    }
    value->list_keys = value->list_keys[0]
                       ? yl_arena_printf(target->unit->arena, "%s,%s",
                                         value->list_keys, text)
                       : text;
}

static void
set_patch(struct yl_marker_target *target, const struct yl_marker *marker,
          const char *text)
{
    struct yl_str rest = yl_str_c(text), item;

    while (yl_marker_next(&rest, ',', &item)) {
        if (yl_str_equal_c(item, "merge")) {
            target->field->patch |= YL_FIELD_MERGE;
        } else if (yl_str_equal_c(item, "replace")) {
            target->field->patch |= YL_FIELD_REPLACE;
        } else if (yl_str_equal_c(item, "retainKeys")) {
            target->field->patch |= YL_FIELD_RETAIN_KEYS;
        } else {
            yl_marker_fault(target, marker, "is merge, replace or "
                            "retainKeys, not '%.*s'", YL_STR_ARG(item));
        }
    }
}

static void
set_default(struct yl_marker_target *target, const struct yl_marker *marker,
            struct yl_gen_value *value, const char *json)
{
    static const char *const words[] = {
        [YL_VALUE_BOOL] = "true or false",
        [YL_VALUE_INT32] = "a number",
        [YL_VALUE_INT64] = "a number",
        [YL_VALUE_DOUBLE] = "a number",
        [YL_VALUE_STRING] = "a string; put it in quotes",
        [YL_VALUE_STRUCT] = "an object",
        [YL_VALUE_LIST] = "a list",
        [YL_VALUE_MAP] = "an object",
    };
    static const enum yl_json_type types[] = {
        [YL_VALUE_BOOL] = YL_JSON_BOOL,
        [YL_VALUE_INT32] = YL_JSON_NUMBER,
        [YL_VALUE_INT64] = YL_JSON_NUMBER,
        [YL_VALUE_DOUBLE] = YL_JSON_NUMBER,
        [YL_VALUE_STRING] = YL_JSON_STRING,
        [YL_VALUE_STRUCT] = YL_JSON_OBJECT,
        [YL_VALUE_LIST] = YL_JSON_ARRAY,
        [YL_VALUE_MAP] = YL_JSON_OBJECT,
    };
    enum yl_json_type type = yl_json_type(yl_json(yl_str_c(json)));

    if (value != target->field->value) {
        yl_marker_fault(target, marker, "belongs to a field, not to the "
                        "elements of one");
        return;
    }
    /* {} is a map if a map is expected, else an empty list. */
    if (type == YL_JSON_OBJECT && value->kind == YL_VALUE_LIST
        && yl_json_count(yl_json(yl_str_c(json))) == 0) {
        json = "[]";
        type = YL_JSON_ARRAY;
    }
    if (words[value->kind] && type != types[value->kind]
        && type != YL_JSON_NULL) {
        yl_marker_fault(target, marker, "is '%s', and '%s' needs %s", json,
                        target->field->c_name, words[value->kind]);
        return;
    }
    target->field->default_ = json;
}

/* Whether a rule can apply to values of this kind. */
bool
yl_marker_rule_fits(enum yl_rule_op op, enum yl_value_kind kind)
{
    bool number = kind == YL_VALUE_INT32 || kind == YL_VALUE_INT64
                  || kind == YL_VALUE_DOUBLE;
    bool string = kind == YL_VALUE_STRING || kind == YL_VALUE_BYTES
                  || kind == YL_VALUE_TIME || kind == YL_VALUE_MICRO_TIME
                  || kind == YL_VALUE_DURATION || kind == YL_VALUE_QUANTITY;

    if (kind == YL_VALUE_INT_OR_STRING || kind == YL_VALUE_RAW
        || kind == YL_VALUE_QUANTITY) {
        return true;
    }
    switch (op) {
    case YL_RULE_MINIMUM:
    case YL_RULE_MAXIMUM:
    case YL_RULE_EXCLUSIVE_MINIMUM:
    case YL_RULE_EXCLUSIVE_MAXIMUM:
    case YL_RULE_MULTIPLE_OF:
        return number;
    case YL_RULE_MIN_LENGTH:
    case YL_RULE_MAX_LENGTH:
    case YL_RULE_PATTERN:
        return string;
    case YL_RULE_FORMAT:
        return string || number;
    case YL_RULE_MIN_ITEMS:
    case YL_RULE_MAX_ITEMS:
    case YL_RULE_UNIQUE_ITEMS:
        return kind == YL_VALUE_LIST;
    case YL_RULE_MIN_PROPERTIES:
    case YL_RULE_MAX_PROPERTIES:
        return kind == YL_VALUE_MAP || kind == YL_VALUE_STRUCT
               || kind == YL_VALUE_EMBEDDED;
    default:
        return true;
    }
}

static void
add_rule(struct yl_marker_target *target, const struct yl_marker *marker,
         struct yl_gen_value *value, const struct yl_marker_value *arg)
{
    struct yl_gen_rule **rules = target->field ? &value->rules
                                               : &target->type->rules;
    enum yl_rule_op op = (enum yl_rule_op) marker->op;

    if (value && !yl_marker_rule_fits(op, value->kind)) {
        yl_marker_fault(target, marker, "does not fit the type of '%s'",
                        target->field->c_name);
    } else if (op == YL_RULE_CEL) {
        add_cel(target, marker, rules, arg->named);
    } else if (op != YL_RULE_SCHEMA && yl_gen_rule_find(*rules, op)) {
        yl_marker_fault(target, marker, "stands twice");
    } else if (op == YL_RULE_SCHEMA && arg->text[0] != '{') {
        yl_marker_fault(target, marker, "needs an object of keywords");
    } else if (marker->arg != YL_MARKER_ARG_BOOL || arg->on) {
        yl_gen_rule_add(target->unit, rules, op, arg->number,
                        arg->text ? arg->text : "");
    }
}

/* One entry of x-kubernetes-validations. */
static void
add_cel(struct yl_marker_target *target, const struct yl_marker *marker,
        struct yl_gen_rule **rules, struct yl_str named)
{
    static const char *const names[] = {
        "rule", "message", "messageExpression", "reason", "fieldPath",
        "optionalOldSelf",
    };
    struct yl_arena *arena = target->unit->arena;
    struct yl_str item, name, raw;
    bool has_rule = false;
    struct yl_buf buf;
    const char *text;
    size_t i;

    yl_buf_init(&buf, (size_t) 64 << 10);
    while (named.size && yl_marker_next(&named, ',', &item)) {
        for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
            if (yl_str_cut(item, '=', &name, &raw)
                && yl_str_equal_c(name, names[i])) {
                break;
            }
        }
        if (i == YL_ARRAY_SIZE(names)
            || !yl_marker_string(arena, raw, &text)) {
            yl_marker_fault(target, marker, "has '%.*s'; it has rule, "
                            "message, messageExpression, reason, fieldPath "
                            "and optionalOldSelf, each with a string",
                            YL_STR_ARG(item));
            yl_buf_release(&buf);
            return;
        }
        has_rule = has_rule || i == 0;
        yl_buf_printf(&buf, "%c\"%s\":", buf.size ? ',' : '{', names[i]);
        if (!strcmp(names[i], "optionalOldSelf")) {
            yl_buf_append_c(&buf, strcmp(text, "true") ? "false" : "true");
        } else {
            yl_json_write_string(&buf, yl_str_c(text));
        }
    }
    if (!has_rule) {
        yl_marker_fault(target, marker, "needs rule=\"...\"");
    } else {
        yl_buf_append_char(&buf, '}');
        yl_gen_rule_add(target->unit, rules, YL_RULE_CEL, 0,
                        yl_arena_strdup(arena, yl_buf_str(&buf)));
    }
    yl_buf_release(&buf);
}
