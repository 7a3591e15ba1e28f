/* The structural schema of a type, as a CRD has it.  See codegen/emit_crd.h.
 *
 * CRDs have no references, so the schemas of structs are inserted in place.
 * That is why a struct that contains itself has no schema. */

#include "codegen/emit_crd.h"

#include <string.h>

#include "codegen/model.h"
#include "json/tree.h"
#include "schema/keyword.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* The deepest nesting of structs; more means that a struct contains itself. */
#define MAX_DEPTH 64

struct writer {
    struct yl_arena *arena;
    struct yl_error *err;
    unsigned depth;
};

static struct yl_node *type_schema(struct writer *,
                                   const struct yl_gen_type *, bool root);
static struct yl_node *value_schema(struct writer *,
                                    const struct yl_gen_value *);
static bool says_type(struct writer *, const struct yl_gen_rule *);
static void set_text(struct writer *, struct yl_node *, const char *key,
                     const char *text);
static void set_true(struct writer *, struct yl_node *, const char *key);
static void set_json(struct writer *, struct yl_node *, const char *key,
                     const char *json);
static void set_scalar(struct writer *, struct yl_node *,
                       enum yl_value_kind);
static void set_rules(struct writer *, struct yl_node *,
                      const struct yl_gen_rule *);
static void set_keyword(struct writer *, struct yl_node *,
                        const struct yl_keyword *, const struct yl_gen_rule *);
static void set_topology(struct writer *, struct yl_node *,
                         const struct yl_gen_value *);

struct yl_node *
yl_gen_schema(struct yl_arena *arena, const struct yl_gen_type *type,
              bool root, struct yl_error *err)
{
    struct writer writer = { arena, err, 0 };

    return type_schema(&writer, type, root);
}

static struct yl_node *
type_schema(struct writer *w, const struct yl_gen_type *type, bool root)
{
    struct yl_node *schema = yl_node_new_object(w->arena);
    struct yl_node *properties = yl_node_new_object(w->arena);
    struct yl_node *required = yl_node_new_array(w->arena);
    struct yl_gen_field **fields;
    size_t i, n;

    if (type->doc[0]) {
        set_text(w, schema, "description", type->doc);
    }
    set_text(w, schema, "type", "object");
    if (!root && !strcmp(type->c_name, "yl_object_meta")) {
        return schema;          /* controller-gen does the same. */
    } else if (w->depth++ > MAX_DEPTH) {
        yl_error_set(w->err, YL_EINVALID,
                     "%s:%u: struct %s contains itself, which a CRD cannot "
                     "say; write 'struct yl_raw' where it does",
                     type->unit->file, type->line, type->c_name);
        return NULL;
    }
    if (root) {
        yl_node_set(w->arena, properties, YL_STR("apiVersion"),
                    yl_node_new_object(w->arena));
        set_text(w, yl_node_get(properties, YL_STR("apiVersion")), "type",
                 "string");
        yl_node_set(w->arena, properties, YL_STR("kind"),
                    yl_node_copy(w->arena,
                                 yl_node_get(properties,
                                             YL_STR("apiVersion"))));
    }
    fields = yl_gen_fields_sorted(type, &n);
    for (i = 0; i < n; i++) {
        const struct yl_gen_field *field = fields[i];
        struct yl_node *value = value_schema(w, field->value);

        if (!value) {
            return NULL;
        }
        if (field->doc[0]) {
            set_text(w, value, "description", field->doc);
        }
        if (root && !strcmp(field->json_name, "metadata")) {
            value = yl_node_new_object(w->arena);
            set_text(w, value, "type", "object");
        }
        if (field->required) {
            yl_node_append(required,
                           yl_node_new_string(w->arena,
                                              yl_str_c(field->json_name)));
        }
        if (field->default_[0]) {
            set_json(w, value, "default", field->default_);
        }
        yl_node_set(w->arena, properties, yl_str_c(field->json_name), value);
    }
    if (properties->n) {
        yl_node_set(w->arena, schema, YL_STR("properties"), properties);
    }
    if (required->n) {
        yl_node_set(w->arena, schema, YL_STR("required"), required);
    }
    if (type->topology != YL_TOPOLOGY_NONE) {
        set_text(w, schema, "x-kubernetes-map-type",
                 yl_topology_word(type->topology));
    }
    if (type->flags & YL_VALUE_PRESERVE) {
        set_true(w, schema, "x-kubernetes-preserve-unknown-fields");
    }
    set_rules(w, schema, type->rules);
    w->depth--;
    return schema;
}

static struct yl_node *
value_schema(struct writer *w, const struct yl_gen_value *value)
{
    struct yl_node *schema, *element;

    if (value->kind == YL_VALUE_STRUCT) {
        schema = type_schema(w, value->type, false);
        if (!schema) {
            return NULL;
        }
    } else {
        schema = yl_node_new_object(w->arena);
        if (value->kind != YL_VALUE_RAW || !says_type(w, value->rules)) {
            set_scalar(w, schema, value->kind);
        }
    }
    if (value->element) {
        element = value_schema(w, value->element);
        if (!element) {
            return NULL;
        }
        yl_node_set(w->arena, schema,
                    yl_str_c(value->kind == YL_VALUE_LIST
                             ? "items" : "additionalProperties"), element);
    }
    set_topology(w, schema, value);
    if (value->flags & YL_VALUE_NULLABLE) {
        set_true(w, schema, "nullable");
    }
    if (value->flags & YL_VALUE_PRESERVE) {
        set_true(w, schema, "x-kubernetes-preserve-unknown-fields");
    }
    set_rules(w, schema, value->rules);
    return schema;
}

/* Whether the rules of a raw JSON value restrict its type. */
static bool
says_type(struct writer *w, const struct yl_gen_rule *rule)
{
    struct yl_node *node;

    for (; rule; rule = rule->next) {
        if (rule->op == YL_RULE_SCHEMA
            && yl_tree_parse(w->arena, yl_str_c(rule->text), NULL, &node,
                             NULL) == 0
            && yl_node_get(node, YL_STR("type"))) {
            return true;
        }
    }
    return false;
}

static void
set_text(struct writer *w, struct yl_node *object, const char *key,
         const char *text)
{
    yl_node_set(w->arena, object, yl_str_c(key),
                yl_node_new_string(w->arena, yl_str_c(text)));
}

static void
set_true(struct writer *w, struct yl_node *object, const char *key)
{
    yl_node_set(w->arena, object, yl_str_c(key),
                yl_node_new_bool(w->arena, true));
}

/* Cannot fail: the model holds valid JSON only. */
static void
set_json(struct writer *w, struct yl_node *object, const char *key,
         const char *json)
{
    struct yl_node *node;

    if (yl_tree_parse(w->arena, yl_str_c(json), NULL, &node, NULL) == 0) {
        yl_node_set(w->arena, object, yl_str_c(key), node);
    }
}

static void
set_scalar(struct writer *w, struct yl_node *schema, enum yl_value_kind kind)
{
    struct yl_type_words words = yl_type_words(kind);

    if (words.type) {
        set_text(w, schema, "type", words.type);
        if (words.format) {
            set_text(w, schema, "format", words.format);
        }
    }
    if (kind == YL_VALUE_QUANTITY || kind == YL_VALUE_INT_OR_STRING) {
        set_json(w, schema, "anyOf",
                 "[{\"type\":\"integer\"},{\"type\":\"string\"}]");
        set_true(w, schema, "x-kubernetes-int-or-string");
        if (kind == YL_VALUE_QUANTITY) {
            set_text(w, schema, "pattern", YL_QUANTITY_PATTERN);
        }
    }
    if (kind == YL_VALUE_RAW || kind == YL_VALUE_EMBEDDED) {
        set_true(w, schema, "x-kubernetes-preserve-unknown-fields");
    }
    if (kind == YL_VALUE_EMBEDDED) {
        set_true(w, schema, "x-kubernetes-embedded-resource");
    }
}

static void
set_rules(struct writer *w, struct yl_node *schema,
          const struct yl_gen_rule *rule)
{
    for (; rule; rule = rule->next) {
        const struct yl_keyword *keyword = yl_keyword_of(rule->op);
        struct yl_node *node, *child, *next, *list;

        if (keyword) {
            set_keyword(w, schema, keyword, rule);
            continue;
        }
        switch (rule->op) {
        case YL_RULE_CEL:
            list = yl_node_get(schema, YL_STR("x-kubernetes-validations"));
            if (!list) {
                list = yl_node_new_array(w->arena);
                yl_node_set(w->arena, schema,
                            YL_STR("x-kubernetes-validations"), list);
            }
            if (yl_tree_parse(w->arena, yl_str_c(rule->text), NULL, &node,
                              NULL) == 0) {
                yl_node_append(list, node);
            }
            break;

        case YL_RULE_SCHEMA:
            if (yl_tree_parse(w->arena, yl_str_c(rule->text), NULL, &node,
                              NULL) == 0) {
                YL_NODE_FOR_EACH_SAFE(child, next, node) {
                    struct yl_str key = yl_node_key(child);

                    yl_node_set(w->arena, schema, key,
                                yl_node_detach(child));
                }
            }
            break;

        default:
            break;
        }
    }
}

static void
set_keyword(struct writer *w, struct yl_node *schema,
            const struct yl_keyword *keyword, const struct yl_gen_rule *rule)
{
    switch (keyword->form) {
    case YL_KEYWORD_NUMBER:
    case YL_KEYWORD_COUNT:
        yl_node_set(w->arena, schema, yl_str_c(keyword->name),
                    yl_node_new_double(w->arena, rule->number));
        break;

    case YL_KEYWORD_BOOL:
        set_true(w, schema, keyword->name);
        break;

    case YL_KEYWORD_TEXT:
        set_text(w, schema, keyword->name, rule->text);
        break;

    case YL_KEYWORD_ARRAY:
    case YL_KEYWORD_JSON:
        set_json(w, schema, keyword->name, rule->text);
        break;
    }
}

static void
set_topology(struct writer *w, struct yl_node *schema,
             const struct yl_gen_value *value)
{
    struct yl_str rest = yl_str_c(value->list_keys), key;
    struct yl_node *keys = yl_node_new_array(w->arena);

    if (value->topology != YL_TOPOLOGY_NONE) {
        set_text(w, schema, value->kind == YL_VALUE_LIST
                            ? "x-kubernetes-list-type"
                            : "x-kubernetes-map-type",
                 yl_topology_word(value->topology));
    }
    while (rest.size) {
        if (!yl_str_cut(rest, ',', &key, &rest)) {
            key = rest;
            rest = YL_STR("");
        }
        yl_node_append(keys, yl_node_new_string(w->arena, key));
    }
    if (keys->n) {
        yl_node_set(w->arena, schema, YL_STR("x-kubernetes-list-map-keys"),
                    keys);
    }
}
