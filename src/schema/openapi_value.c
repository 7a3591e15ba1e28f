/* Values as schemas.  See schema/openapi_value.h. */

#include "schema/openapi_value.h"

#include <string.h>

#include "json/text.h"
#include "schema/keyword.h"

#define META "io.k8s.apimachinery.pkg.apis.meta.v1."

static void write_value(struct yl_openapi_writer *, const struct yl_type_set *,
                        const struct yl_value *, bool named,
                        const char *default_, const struct yl_field *);
static bool is_anything(const struct yl_type_set *, const struct yl_value *);
static void write_plain(struct yl_openapi_writer *, enum yl_value_kind,
                        bool has_format);
static bool has_rule(const struct yl_type_set *, const struct yl_value *,
                     enum yl_rule_op);
static void write_reference(struct yl_openapi_writer *, struct yl_str name,
                            bool alone);
static void write_element(struct yl_openapi_writer *,
                          const struct yl_type_set *, const struct yl_value *,
                          bool named);
static void write_topology(struct yl_openapi_writer *,
                           const struct yl_type_set *,
                           const struct yl_value *);
static void write_patch(struct yl_openapi_writer *, unsigned patch,
                        const char *merge_key);
static void write_rule(struct yl_openapi_writer *, const struct yl_type_set *,
                       const struct yl_rule *);
static void write_keywords(struct yl_openapi_writer *, const char *json);
static const char *zero_of(enum yl_value_kind);
static const char *field_default(const struct yl_type_set *,
                                 const struct yl_field *, bool named);

void
yl_openapi_key(struct yl_openapi_writer *w, struct yl_str key)
{
    char last = w->buf->size ? w->buf->data[w->buf->size - 1] : '{';

    if (last != '{') {
        yl_buf_append_char(w->buf, ',');
    }
    yl_json_write_string(w->buf, key);
    yl_buf_append_char(w->buf, ':');
}

const char *
yl_openapi_shared(enum yl_value_kind kind)
{
    switch (kind) {
    case YL_VALUE_TIME:
        return META "Time";
    case YL_VALUE_MICRO_TIME:
        return META "MicroTime";
    case YL_VALUE_DURATION:
        return META "Duration";
    case YL_VALUE_QUANTITY:
        return "io.k8s.apimachinery.pkg.api.resource.Quantity";
    case YL_VALUE_INT_OR_STRING:
        return "io.k8s.apimachinery.pkg.util.intstr.IntOrString";
    case YL_VALUE_EMBEDDED:
        return "io.k8s.apimachinery.pkg.runtime.RawExtension";
    default:
        return NULL;
    }
}

void
yl_openapi_write_shared(struct yl_openapi_writer *w, enum yl_value_kind kind)
{
    bool v2 = w->version == YL_OPENAPI_V2;

    yl_buf_append_char(w->buf, '{');
    if (kind == YL_VALUE_QUANTITY) {
        yl_buf_append_c(w->buf, v2 ? "\"type\":\"string\""
                                   : "\"oneOf\":[{\"type\":\"string\"},"
                                     "{\"type\":\"number\"}]");
    } else if (kind == YL_VALUE_INT_OR_STRING) {
        yl_buf_append_c(w->buf, "\"format\":\"int-or-string\",");
        yl_buf_append_c(w->buf, v2 ? "\"type\":\"string\""
                                   : "\"oneOf\":[{\"type\":\"integer\"},"
                                     "{\"type\":\"string\"}]");
    } else if (kind == YL_VALUE_EMBEDDED) {
        yl_buf_append_c(w->buf, "\"type\":\"object\"");
    } else {
        write_plain(w, kind, false);
    }
    yl_buf_append_char(w->buf, '}');
}

struct yl_json
yl_openapi_named_raw(const struct yl_type_set *set,
                     const struct yl_value *value)
{
    unsigned i;

    for (i = 0; i < value->n_rules; i++) {
        const struct yl_rule *rule = &set->rules[value->rules + i];

        if (rule->op == YL_RULE_SCHEMA) {
            struct yl_json json = yl_json(
                yl_str_c(yl_type_set_text(set, rule->text)));

            if (yl_json_exists(yl_json_get(json, YL_STR("$ref")))) {
                return json;
            }
        }
    }
    return yl_json_none();
}

void
yl_openapi_write_field(struct yl_openapi_writer *w, struct yl_type_ref type,
                       const struct yl_field *field)
{
    bool named = type.type->openapi_name != 0;

    write_value(w, type.set, &type.set->values[field->value], named,
                field_default(type.set, field, named), field);
}

void
yl_openapi_write_rules(struct yl_openapi_writer *w,
                       const struct yl_type_set *set, uint32_t rules,
                       unsigned n)
{
    bool cel = false;
    unsigned i;

    for (i = 0; i < n; i++) {
        const struct yl_rule *rule = &set->rules[rules + i];

        if (rule->op != YL_RULE_CEL) {
            write_rule(w, set, rule);
        }
    }
    for (i = 0; i < n; i++) {
        const struct yl_rule *rule = &set->rules[rules + i];

        if (rule->op == YL_RULE_CEL) {
            if (!cel) {
                yl_openapi_key(w, YL_STR("x-kubernetes-validations"));
            }
            yl_buf_append_char(w->buf, cel ? ',' : '[');
            yl_buf_append_c(w->buf, yl_type_set_text(set, rule->text));
            cel = true;
        }
    }
    if (cel) {
        yl_buf_append_char(w->buf, ']');
    }
}

void
yl_openapi_write_struct_type(struct yl_openapi_writer *w,
                             enum yl_topology topology)
{
    if (topology == YL_TOPOLOGY_ATOMIC || topology == YL_TOPOLOGY_GRANULAR) {
        yl_openapi_key(w, YL_STR("x-kubernetes-map-type"));
        yl_json_write_string(w->buf, yl_str_c(yl_topology_word(topology)));
    }
}

/* 'named': has the struct around it a name?  Inside of structs without names,
 * which are written as in a CRD, shared types are written out and zeros are
 * not defaults.  'field' is NULL for an element. */
static void
write_value(struct yl_openapi_writer *w, const struct yl_type_set *set,
            const struct yl_value *value, bool named, const char *default_,
            const struct yl_field *field)
{
    enum yl_value_kind kind = (enum yl_value_kind) value->kind;
    struct yl_json raw = kind == YL_VALUE_RAW
                             ? yl_openapi_named_raw(set, value)
                             : yl_json_none();
    const char *shared = named ? yl_openapi_shared(kind) : NULL;
    struct yl_type_ref type = { NULL, NULL };

    /* A field has at least a description beside its reference in an API
     * server's documents. */
    bool alone = !field && !default_[0]
                 && value->topology == YL_TOPOLOGY_NONE;
    size_t start;

    if (kind == YL_VALUE_STRUCT) {
        type = yl_value_type(set, value);
    }
    if (type.type && !type.type->openapi_name) {
        if (w->depth >= YL_OPENAPI_MAX_DEPTH) {
            yl_buf_append_c(w->buf, "{\"type\":\"object\"");
        } else {
            w->depth++;
            yl_openapi_write_struct(w, type);
            w->depth--;
            w->buf->size--;
        }
    } else {
        yl_buf_append_char(w->buf, '{');
    }
    start = w->buf->size;
    if (type.type && type.type->openapi_name) {
        write_reference(w, yl_str_c(yl_type_set_text(
                               type.set, type.type->openapi_name)), alone);
    } else if (shared) {
        write_reference(w, yl_str_c(shared), alone);
    } else if (yl_json_exists(raw)) {
        struct yl_str name = yl_json_raw(yl_json_get(raw, YL_STR("$ref")));

        write_reference(w, yl_str_n(name.data + 1, name.size - 2), alone);
    } else if (kind == YL_VALUE_LIST || kind == YL_VALUE_MAP) {
        write_element(w, set, value, named);
    } else if (!type.type) {
        write_plain(w, kind, has_rule(set, value, YL_RULE_FORMAT));
    }
    if (!yl_json_exists(raw)) {
        yl_openapi_write_rules(w, set, value->rules, value->n_rules);
    }
    if (default_[0] && w->version == YL_OPENAPI_V3) {
        yl_openapi_key(w, YL_STR("default"));
        yl_buf_append_c(w->buf, default_);
    }
    if (value->flags & YL_VALUE_NULLABLE && w->version == YL_OPENAPI_V3) {
        yl_openapi_key(w, YL_STR("nullable"));
        yl_buf_append_c(w->buf, "true");
    }
    write_topology(w, set, value);
    if (field) {
        write_patch(w, field->flags, yl_type_set_text(set, field->merge_key));
    }
    if ((kind != YL_VALUE_STRUCT && value->flags & YL_VALUE_PRESERVE)
        || (kind == YL_VALUE_RAW && w->buf->size == start && !named)) {
        yl_openapi_key(w, YL_STR("x-kubernetes-preserve-unknown-fields"));
        yl_buf_append_c(w->buf, "true");
    }
    yl_buf_append_char(w->buf, '}');
}

/* "type" and "format" of a value that is no reference, the latter unless a
 * rule has it. */
static void
write_plain(struct yl_openapi_writer *w, enum yl_value_kind kind,
            bool has_format)
{
    struct yl_type_words words = yl_type_words(kind);

    if (words.type) {
        yl_openapi_key(w, YL_STR("type"));
        yl_json_write_string(w->buf, yl_str_c(words.type));
        if (words.format && !has_format) {
            yl_openapi_key(w, YL_STR("format"));
            yl_json_write_string(w->buf, yl_str_c(words.format));
        }
    }
    if (kind == YL_VALUE_QUANTITY || kind == YL_VALUE_INT_OR_STRING) {
        yl_openapi_key(w, YL_STR("x-kubernetes-int-or-string"));
        yl_buf_append_c(w->buf, "true");
    } else if (kind == YL_VALUE_EMBEDDED) {
        yl_openapi_key(w, YL_STR("x-kubernetes-embedded-resource"));
        yl_buf_append_c(w->buf,
                        "true,\"x-kubernetes-preserve-unknown-fields\":true");
    }
}

static bool
has_rule(const struct yl_type_set *set, const struct yl_value *value,
         enum yl_rule_op op)
{
    unsigned i;

    for (i = 0; i < value->n_rules; i++) {
        if (set->rules[value->rules + i].op == op) {
            return true;
        }
    }
    return false;
}

/* In v3 a reference must not have other members beside it, so one that has
 * some is put into allOf; in v2 there is no such rule. */
static void
write_reference(struct yl_openapi_writer *w, struct yl_str name, bool alone)
{
    bool wrapped = w->version == YL_OPENAPI_V3 && !alone;

    if (wrapped) {
        yl_openapi_key(w, YL_STR("allOf"));
        yl_buf_append_c(w->buf, "[{");
    }
    yl_openapi_key(w, YL_STR("$ref"));
    yl_buf_printf(w->buf, "\"%s%.*s\"",
                  w->version == YL_OPENAPI_V3 ? "#/components/schemas/"
                                              : "#/definitions/",
                  YL_STR_ARG(name));
    if (wrapped) {
        yl_buf_append_c(w->buf, "}]");
    }
}

static void
write_element(struct yl_openapi_writer *w, const struct yl_type_set *set,
              const struct yl_value *value, bool named)
{
    const struct yl_value *element = &set->values[value->element];
    const char *zero = zero_of((enum yl_value_kind) element->kind);

    if (!(value->flags & YL_VALUE_UNTYPED)) {
        yl_openapi_key(w, YL_STR("type"));
        yl_json_write_string(w->buf, value->kind == YL_VALUE_LIST
                                         ? YL_STR("array")
                                         : YL_STR("object"));
    }
    yl_openapi_key(w, value->kind == YL_VALUE_LIST
                          ? YL_STR("items")
                          : YL_STR("additionalProperties"));
    if (value->kind == YL_VALUE_MAP && is_anything(set, element)) {
        yl_buf_append_c(w->buf, "true");
    } else {
        write_value(w, set, element, named, named ? zero : "", NULL);
    }
}

/* Does the schema say nothing?  As that of a map's values it was "true": in a
 * structural schema each value has a type. */
static bool
is_anything(const struct yl_type_set *set, const struct yl_value *value)
{
    const struct yl_type *type;

    if (value->kind != YL_VALUE_STRUCT || value->flags != YL_VALUE_UNTYPED
        || value->n_rules || value->topology != YL_TOPOLOGY_NONE) {
        return false;
    }
    type = yl_value_type(set, value).type;
    return type->flags == YL_VALUE_UNTYPED && !type->n_fields
           && !type->n_rules && !type->openapi_name;
}

static void
write_topology(struct yl_openapi_writer *w, const struct yl_type_set *set,
               const struct yl_value *value)
{
    const char *word = yl_topology_word((enum yl_topology) value->topology);
    struct yl_str rest = yl_str_c(yl_type_set_text(set, value->list_keys));
    char separator = '[';

    if (value->kind != YL_VALUE_LIST) {
        yl_openapi_write_struct_type(w, (enum yl_topology) value->topology);
        return;
    }
    if (word) {
        yl_openapi_key(w, YL_STR("x-kubernetes-list-type"));
        yl_json_write_string(w->buf, yl_str_c(word));
    }
    if (!rest.size) {
        return;
    }
    yl_openapi_key(w, YL_STR("x-kubernetes-list-map-keys"));
    while (rest.size) {
        struct yl_str key = rest;

        if (!yl_str_cut(rest, ',', &key, &rest)) {
            rest = yl_str_null();
        }
        yl_buf_append_char(w->buf, separator);
        yl_json_write_string(w->buf, key);
        separator = ',';
    }
    yl_buf_append_char(w->buf, ']');
}

static void
write_patch(struct yl_openapi_writer *w, unsigned patch,
            const char *merge_key)
{
    static const struct {
        unsigned flag;
        const char *word;
    } words[] = {
        { YL_FIELD_MERGE, "merge" },
        { YL_FIELD_REPLACE, "replace" },
        { YL_FIELD_RETAIN_KEYS, "retainKeys" },
    };
    const char *separator = "\"";
    size_t i;

    if (merge_key[0]) {
        yl_openapi_key(w, YL_STR("x-kubernetes-patch-merge-key"));
        yl_json_write_string(w->buf, yl_str_c(merge_key));
    }
    if (patch & (YL_FIELD_MERGE | YL_FIELD_REPLACE | YL_FIELD_RETAIN_KEYS)) {
        yl_openapi_key(w, YL_STR("x-kubernetes-patch-strategy"));
        for (i = 0; i < YL_ARRAY_SIZE(words); i++) {
            if (patch & words[i].flag) {
                yl_buf_printf(w->buf, "%s%s", separator, words[i].word);
                separator = ",";
            }
        }
        yl_buf_append_char(w->buf, '"');
    }
}

static void
write_rule(struct yl_openapi_writer *w, const struct yl_type_set *set,
           const struct yl_rule *rule)
{
    enum yl_rule_op op = (enum yl_rule_op) rule->op;
    const struct yl_keyword *keyword = yl_keyword_of(op);
    const char *text = yl_type_set_text(set, rule->text);

    if (op == YL_RULE_SCHEMA || op == YL_RULE_OTHER) {
        write_keywords(w, text);
        return;
    } else if (!keyword || (op == YL_RULE_FORMAT && !text[0])) {
        return;
    } else if (op == YL_RULE_EXCLUSIVE_MINIMUM
               || op == YL_RULE_EXCLUSIVE_MAXIMUM) {
        yl_openapi_key(w, op == YL_RULE_EXCLUSIVE_MINIMUM ? YL_STR("minimum")
                                                          : YL_STR("maximum"));
        yl_json_write_double(w->buf, rule->number);
    }
    yl_openapi_key(w, yl_str_c(keyword->name));
    switch (keyword->form) {
    case YL_KEYWORD_NUMBER:
    case YL_KEYWORD_COUNT:
        yl_json_write_double(w->buf, rule->number);
        break;

    case YL_KEYWORD_BOOL:
        yl_buf_append_c(w->buf, "true");
        break;

    case YL_KEYWORD_TEXT:
        yl_json_write_string(w->buf, yl_str_c(text));
        break;

    case YL_KEYWORD_ARRAY:
    case YL_KEYWORD_JSON:
        yl_buf_append_c(w->buf, text);
        break;
    }
}

/* The members of an object of keywords. */
static void
write_keywords(struct yl_openapi_writer *w, const char *json)
{
    struct yl_json_iter it = yl_json_iter(yl_json(yl_str_c(json)));

    while (yl_json_next(&it)) {
        char last = w->buf->size ? w->buf->data[w->buf->size - 1] : '{';

        yl_buf_printf(w->buf, "%s\"%.*s\":", last == '{' ? "" : ",",
                      YL_STR_ARG(it.key));
        yl_buf_append_str(w->buf, yl_json_raw(it.value));
    }
}

/* Go's text for an empty value of this kind, where an API server's documents
 * have it as a default. */
static const char *
zero_of(enum yl_value_kind kind)
{
    switch (kind) {
    case YL_VALUE_BOOL:
        return "false";
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
        return "0";
    case YL_VALUE_STRING:
        return "\"\"";
    case YL_VALUE_STRUCT:
        return "{}";
    default:
        return "";
    }
}

/* A field's default: its own, or the zero value of a field that is always
 * written. */
static const char *
field_default(const struct yl_type_set *set, const struct yl_field *field,
              bool named)
{
    const struct yl_value *value = &set->values[field->value];

    if (field->default_ || !named
        || field->presence == YL_PRESENCE_POINTER
        || field->presence == YL_PRESENCE_POINTER_ALWAYS
        || (field->presence != YL_PRESENCE_ALWAYS
            && value->kind != YL_VALUE_STRUCT)) {
        return yl_type_set_text(set, field->default_);
    }
    return zero_of((enum yl_value_kind) value->kind);
}
