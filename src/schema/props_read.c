/* Reading JSONSchemaProps.  See schema/props.h for the contract.
 *
 * Each keyword has a row in one of two tables: that of rules, which is
 * schema/keyword.h's, or the one below, which says how it is read. */

#include "schema/props.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "json/tree.h"
#include "schema/field_error.h"
#include "schema/keyword.h"
#include "yuloh/error.h"

struct reader {
    struct yl_arena *arena;
    struct yl_error *err;
    unsigned depth;             /* Schemas around the one at hand. */
    size_t n;                   /* Schemas so far. */
};

struct place;

/* Reads the value of a keyword, at 'path', into its place. */
typedef int read_fn(struct reader *, const struct place *,
                    const struct yl_field_path *path, const struct yl_node *,
                    struct yl_schema_props *);

static read_fn read_member, read_flag, read_schemas, read_below,
    read_properties, read_required, read_items, read_additional,
    read_validations, read_default, read_list_type, read_map_type,
    read_list_keys;

/* Where keywords are stored: a text, a schema or schemas in the member at
 * offset 'at', a flag in 'flags', and the others where their functions put
 * them. */
static const struct place {
    const char *keyword;
    read_fn *read;
    size_t at;
    unsigned flag;
} places[] = {
#define AT(MEMBER) offsetof(struct yl_schema_props, MEMBER)
    { "type", read_member, AT(type), 0 },
    { "format", read_member, AT(format), 0 },
    { "description", read_member, AT(description), 0 },
    { "$ref", read_member, AT(ref), 0 },
    { "properties", read_properties, 0, 0 },
    { "required", read_required, 0, 0 },
    { "items", read_items, AT(items), 0 },
    { "additionalProperties", read_additional, AT(additional), 0 },
    { "allOf", read_schemas, AT(all_of), 0 },
    { "anyOf", read_schemas, AT(any_of), 0 },
    { "oneOf", read_schemas, AT(one_of), 0 },
    { "not", read_below, AT(not_), 0 },
    { "default", read_default, 0, 0 },
    { "nullable", read_flag, 0, YL_SCHEMA_NULLABLE },
    { "x-kubernetes-preserve-unknown-fields", read_flag, 0,
      YL_SCHEMA_PRESERVE },
    { "x-kubernetes-embedded-resource", read_flag, 0, YL_SCHEMA_EMBEDDED },
    { "x-kubernetes-int-or-string", read_flag, 0, YL_SCHEMA_INT_OR_STRING },
    { "x-kubernetes-validations", read_validations, 0, 0 },
    { "x-kubernetes-list-type", read_list_type, 0, 0 },
    { "x-kubernetes-list-map-keys", read_list_keys, 0, 0 },
    { "x-kubernetes-map-type", read_map_type, 0, 0 },
#undef AT
};

static int read_schema(struct reader *, const struct yl_field_path *,
                       const struct yl_node *, struct yl_schema_props *);
static int read_keyword(struct reader *, const struct yl_field_path *,
                        const struct yl_node *, struct yl_schema_props *);
static int check_json(struct reader *, const struct yl_field_path *,
                      const struct yl_node *);
static int read_rule(struct reader *, const struct yl_field_path *,
                     const struct yl_node *, enum yl_rule_op,
                     struct yl_schema_rule ***last);
static int read_one(struct reader *, const struct yl_field_path *,
                    const struct yl_node *, struct yl_schema_props **);
static int make_room(struct reader *, const struct yl_field_path *, size_t n,
                     struct yl_schema_list *);
static int read_text(struct reader *, const struct yl_field_path *,
                     const struct yl_node *, struct yl_str *);
static struct yl_schema_rule *add_rule(struct reader *, enum yl_rule_op,
                                       const struct yl_node *,
                                       struct yl_schema_rule ***last);
static void mark_required(struct reader *, struct yl_schema_props *);
static enum yl_value_kind kind_of(const struct yl_schema_props *);
static int compare_names(const void *, const void *);
static int fault(struct reader *, const struct yl_field_path *, int code,
                 const char *format, ...) YL_PRINTF(4, 5);

int
yl_schema_props_read(struct yl_arena *arena, const struct yl_node *schema,
                     const struct yl_field_path *path,
                     const struct yl_schema_props **ret_props,
                     struct yl_error *err)
{
    struct reader reader = { arena, err, 0, 0 };
    struct yl_schema_props *props;
    int r = read_one(&reader, path, schema, &props);

    if (r == 0) {
        *ret_props = props;
    }
    return r;
}

/* Reads a single schema. */
static int
read_one(struct reader *r, const struct yl_field_path *path,
         const struct yl_node *node, struct yl_schema_props **ret_props)
{
    struct yl_schema_list list = { NULL, 0 };
    int code = make_room(r, path, 1, &list);

    if (code == 0) {
        code = read_schema(r, path, node, list.all);
    }
    if (code == 0) {
        *ret_props = list.all;
    }
    return code;
}

/* Allocates 'n' schemas, after they were counted against the limit. */
static int
make_room(struct reader *r, const struct yl_field_path *path, size_t n,
          struct yl_schema_list *list)
{
    if (n > YL_SCHEMA_MAX_SCHEMAS - r->n) {
        return fault(r, path, YL_ETOOBIG, "there are more than %d schemas",
                     YL_SCHEMA_MAX_SCHEMAS);
    }
    r->n += n;
    list->all = yl_arena_array(r->arena, n, sizeof *list->all);
    list->n = 0;
    return 0;
}

static int
read_schema(struct reader *r, const struct yl_field_path *path,
            const struct yl_node *node, struct yl_schema_props *props)
{
    struct yl_schema_rule **last = &props->rules;
    const struct yl_node *keyword;
    int code = 0;

    props->node = node;
    props->type = props->format = props->description = YL_STR("");
    props->ref = YL_STR("");
    props->list_keys = "";
    if (yl_node_type(node) != YL_JSON_OBJECT) {
        return fault(r, path, YL_EINVALID, "a schema must be an object");
    } else if (r->depth >= YL_SCHEMA_MAX_DEPTH) {
        return fault(r, path, YL_ETOODEEP, "schemas are nested deeper than %d",
                     YL_SCHEMA_MAX_DEPTH);
    }
    r->depth++;
    YL_NODE_FOR_EACH (keyword, node) {
        struct yl_field_path at = yl_field_member(path, yl_node_key(keyword));
        enum yl_rule_op op = yl_keyword_find(yl_node_key(keyword));

        if (keyword->type == YL_JSON_NULL) {
            continue;
        } else if (yl_arena_is_over(r->arena)) {
            return yl_arena_check(r->arena, r->err);
        }
        code = read_keyword(r, &at, keyword, props);
        if (code == 0 && op != YL_RULE_NONE && op != YL_RULE_DESCRIPTION) {
            code = read_rule(r, &at, keyword, op, &last);
        }
        if (code < 0) {
            return code;
        }
        while (*last) {
            last = &(*last)->next;
        }
    }
    mark_required(r, props);
    props->kind = kind_of(props);
    r->depth--;
    return 0;
}

static int
read_keyword(struct reader *r, const struct yl_field_path *path,
             const struct yl_node *keyword, struct yl_schema_props *props)
{
    struct yl_str name = yl_node_key(keyword);
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(places); i++) {
        if (yl_str_equal_c(name, places[i].keyword)) {
            return places[i].read(r, &places[i], path, keyword, props);
        }
    }
    return yl_keyword_find(name) == YL_RULE_NONE
               ? check_json(r, path, keyword) : 0;
}

/* A value that is kept as JSON must have a canonical form, so its numbers must
 * fit a double. */
static int
check_json(struct reader *r, const struct yl_field_path *path,
           const struct yl_node *node)
{
    const struct yl_node *child;
    double number;

    if (node->type == YL_JSON_NUMBER && yl_node_double(node, &number) < 0) {
        return fault(r, path, YL_EINVALID, "has a number that is too large");
    }
    YL_NODE_FOR_EACH (child, node) {
        int code = check_json(r, path, child);

        if (code < 0) {
            return code;
        }
    }
    return 0;
}

static int
read_rule(struct reader *r, const struct yl_field_path *path,
          const struct yl_node *node, enum yl_rule_op op,
          struct yl_schema_rule ***last)
{
    struct yl_str text = yl_str_null();
    bool yes = true;
    double number = 0;
    struct yl_schema_rule *rule;

    switch (yl_keyword_of(op)->form) {
    case YL_KEYWORD_NUMBER:
    case YL_KEYWORD_COUNT:
        if (yl_node_double(node, &number) < 0) {
            return fault(r, path, YL_EINVALID, "must be a number");
        } else if (yl_keyword_of(op)->form == YL_KEYWORD_COUNT
                   && (number != floor(number) || fabs(number) >= 0x1p63)) {
            return fault(r, path, YL_EINVALID, "must be a whole number of 64 "
                         "bits");
        }
        break;

    case YL_KEYWORD_BOOL:
        if (yl_node_bool(node, &yes) < 0) {
            return fault(r, path, YL_EINVALID, "must be true or false");
        } else if (!yes) {
            return 0;
        }
        break;

    case YL_KEYWORD_TEXT:
        if (read_text(r, path, node, &text) < 0) {
            return YL_EINVALID;
        }
        break;

    case YL_KEYWORD_ARRAY:
        if (node->type != YL_JSON_ARRAY) {
            return fault(r, path, YL_EINVALID, "must be an array");
        }
        /* fall through */

    case YL_KEYWORD_JSON:
        if (check_json(r, path, node) < 0) {
            return YL_EINVALID;
        }
        break;
    }
    rule = add_rule(r, op, node, last);
    rule->number = number;
    rule->text = text;
    return 0;
}

static struct yl_schema_rule *
add_rule(struct reader *r, enum yl_rule_op op, const struct yl_node *node,
         struct yl_schema_rule ***last)
{
    struct yl_schema_rule *rule = yl_arena_zalloc(r->arena, sizeof *rule);

    rule->op = op;
    rule->node = node;
    **last = rule;
    *last = &rule->next;
    return rule;
}

static int
read_member(struct reader *r, const struct place *place,
            const struct yl_field_path *path, const struct yl_node *node,
            struct yl_schema_props *props)
{
    return read_text(r, path, node,
                     (struct yl_str *) ((char *) props + place->at));
}

static int
read_flag(struct reader *r, const struct place *place,
          const struct yl_field_path *path, const struct yl_node *node,
          struct yl_schema_props *props)
{
    bool yes = false;

    if (yl_node_bool(node, &yes) < 0) {
        return fault(r, path, YL_EINVALID, "must be true or false");
    }
    props->flags |= yes ? place->flag : 0;
    return 0;
}

static int
read_below(struct reader *r, const struct place *place,
           const struct yl_field_path *path, const struct yl_node *node,
           struct yl_schema_props *props)
{
    return read_one(r, path, node,
                    (struct yl_schema_props **) ((char *) props + place->at));
}

static int
read_properties(struct reader *r, const struct place *place YL_UNUSED,
                const struct yl_field_path *path, const struct yl_node *node,
                struct yl_schema_props *props)
{
    struct yl_schema_list *list = &props->properties;
    const struct yl_node *property;
    size_t i;

    if (node->type != YL_JSON_OBJECT) {
        return fault(r, path, YL_EINVALID, "must be an object of schemas");
    } else if (make_room(r, path, node->n, list) < 0) {
        return YL_ETOOBIG;
    }
    props->by_name = yl_arena_array(r->arena, node->n,
                                    sizeof *props->by_name);
    YL_NODE_FOR_EACH (property, node) {
        struct yl_schema_props *schema = &list->all[list->n];
        struct yl_str name = yl_node_key(property);
        struct yl_field_path at = yl_field_key(path, name);
        int code;

        if (name.size && memchr(name.data, '\0', name.size)) {
            return fault(r, path, YL_EINVALID, "the name of a property has a "
                         "NUL in it");
        }
        code = read_schema(r, &at, property, schema);
        if (code < 0) {
            return code;
        }
        schema->name = name;
        props->by_name[list->n++] = schema;
    }
    for (i = 0; i + 1 < list->n; i++) {
        if (yl_str_compare(props->by_name[i]->name,
                           props->by_name[i + 1]->name) > 0) {
            qsort(props->by_name, list->n, sizeof *props->by_name,
                  compare_names);
            break;
        }
    }
    return 0;
}

static int
read_required(struct reader *r, const struct place *place YL_UNUSED,
              const struct yl_field_path *path, const struct yl_node *node,
              struct yl_schema_props *props)
{
    const struct yl_node *item;

    if (node->type != YL_JSON_ARRAY) {
        return fault(r, path, YL_EINVALID, "must be an array of texts");
    }
    YL_NODE_FOR_EACH (item, node) {
        if (item->type != YL_JSON_STRING) {
            return fault(r, path, YL_EINVALID, "must be an array of texts");
        }
    }
    props->required = node;
    return 0;
}

static int
read_items(struct reader *r, const struct place *place,
           const struct yl_field_path *path, const struct yl_node *node,
           struct yl_schema_props *props)
{
    if (node->type == YL_JSON_ARRAY) {
        return check_json(r, path, node);
    }
    return read_below(r, place, path, node, props);
}

static int
read_additional(struct reader *r, const struct place *place,
                const struct yl_field_path *path, const struct yl_node *node,
                struct yl_schema_props *props)
{
    bool yes = false;

    if (yl_node_bool(node, &yes) == 0) {
        props->flags |= yes ? YL_SCHEMA_ADDITIONAL : 0;
        return 0;
    }
    return read_below(r, place, path, node, props);
}

static int
read_default(struct reader *r, const struct place *place YL_UNUSED,
             const struct yl_field_path *path, const struct yl_node *node,
             struct yl_schema_props *props)
{
    props->default_ = node;
    return check_json(r, path, node);
}

static int
read_validations(struct reader *r, const struct place *place YL_UNUSED,
                 const struct yl_field_path *path, const struct yl_node *node,
                 struct yl_schema_props *props)
{
    struct yl_schema_rule **last = &props->rules;
    const struct yl_node *item;

    while (*last) {
        last = &(*last)->next;
    }
    if (node->type != YL_JSON_ARRAY) {
        return fault(r, path, YL_EINVALID, "must be an array of rules");
    }
    YL_NODE_FOR_EACH (item, node) {
        if (item->type != YL_JSON_OBJECT) {
            return fault(r, path, YL_EINVALID, "a rule must be an object");
        } else if (check_json(r, path, item) < 0) {
            return YL_EINVALID;
        }
        add_rule(r, YL_RULE_CEL, item, &last);
    }
    return 0;
}

static int
read_list_type(struct reader *r, const struct place *place YL_UNUSED,
               const struct yl_field_path *path, const struct yl_node *node,
               struct yl_schema_props *props)
{
    struct yl_str text;

    if (read_text(r, path, node, &text) < 0) {
        return YL_EINVALID;
    }
    props->list_type = yl_topology_find(text, true);
    return 0;
}

static int
read_map_type(struct reader *r, const struct place *place YL_UNUSED,
              const struct yl_field_path *path, const struct yl_node *node,
              struct yl_schema_props *props)
{
    struct yl_str text;

    if (read_text(r, path, node, &text) < 0) {
        return YL_EINVALID;
    }
    props->map_type = yl_topology_find(text, false);
    return 0;
}

/* Descriptors have the keys of a list joined by commas. */
static int
read_list_keys(struct reader *r, const struct place *place YL_UNUSED,
               const struct yl_field_path *path, const struct yl_node *node,
               struct yl_schema_props *props)
{
    const struct yl_node *item;
    struct yl_buf buf;
    int code = 0;

    if (node->type != YL_JSON_ARRAY) {
        return fault(r, path, YL_EINVALID, "must be an array of texts");
    }
    yl_buf_init(&buf, YL_JSON_MAX_SIZE);
    YL_NODE_FOR_EACH (item, node) {
        struct yl_str key = YL_STR("");

        code = read_text(r, path, item, &key);
        if (code == 0 && key.size && memchr(key.data, ',', key.size)) {
            code = fault(r, path, YL_EINVALID, "a key with a comma in it is "
                         "not supported");
        }
        if (code < 0) {
            break;
        }
        if (item->prev->next) {
            yl_buf_append_char(&buf, ',');
        }
        yl_buf_append_str(&buf, key);
    }
    if (code == 0) {
        props->list_keys = yl_arena_strdup(r->arena, yl_buf_str(&buf));
    }
    yl_buf_release(&buf);
    return code;
}

static int
read_schemas(struct reader *r, const struct place *place,
             const struct yl_field_path *path, const struct yl_node *node,
             struct yl_schema_props *props)
{
    struct yl_schema_list *list
        = (struct yl_schema_list *) ((char *) props + place->at);
    const struct yl_node *item;

    if (node->type != YL_JSON_ARRAY) {
        return fault(r, path, YL_EINVALID, "must be an array of schemas");
    } else if (make_room(r, path, node->n, list) < 0) {
        return YL_ETOOBIG;
    }
    YL_NODE_FOR_EACH (item, node) {
        struct yl_field_path at = yl_field_index(path, list->n);
        int code = read_schema(r, &at, item, &list->all[list->n]);

        if (code < 0) {
            return code;
        }
        list->n++;
    }
    return 0;
}

/* Descriptors end texts with a NUL, so a text must not contain one. */
static int
read_text(struct reader *r, const struct yl_field_path *path,
          const struct yl_node *node, struct yl_str *ret_text)
{
    struct yl_str text;

    if (yl_node_string(node, r->arena, &text) < 0) {
        return fault(r, path, YL_EINVALID, "must be a text");
    } else if (text.size && memchr(text.data, '\0', text.size)) {
        return fault(r, path, YL_EINVALID, "a text with a NUL in it is not "
                     "supported");
    }
    *ret_text = text;
    return 0;
}

static void
mark_required(struct reader *r, struct yl_schema_props *props)
{
    const struct yl_node *item;

    if (!props->required) {
        return;
    }
    YL_NODE_FOR_EACH (item, props->required) {
        struct yl_schema_props *property;
        struct yl_str name;

        yl_node_string(item, r->arena, &name);
        property = yl_schema_property(props, name);
        if (property) {
            property->flags |= YL_SCHEMA_REQUIRED;
        }
    }
}

static enum yl_value_kind
kind_of(const struct yl_schema_props *props)
{
    bool is_map = !props->properties.n
                  && (props->additional
                      || props->flags & YL_SCHEMA_ADDITIONAL);

    if (props->flags & YL_SCHEMA_INT_OR_STRING) {
        return YL_VALUE_INT_OR_STRING;
    } else if (yl_str_equal_c(props->type, "object")) {
        return is_map ? YL_VALUE_MAP : YL_VALUE_STRUCT;
    } else if (yl_str_equal_c(props->type, "array")) {
        return YL_VALUE_LIST;
    } else if (yl_str_equal_c(props->type, "string")) {
        return yl_str_equal_c(props->format, "byte") ? YL_VALUE_BYTES
               : yl_str_equal_c(props->format, "date-time") ? YL_VALUE_TIME
               : YL_VALUE_STRING;
    } else if (yl_str_equal_c(props->type, "boolean")) {
        return YL_VALUE_BOOL;
    } else if (yl_str_equal_c(props->type, "integer")) {
        return yl_str_equal_c(props->format, "int32") ? YL_VALUE_INT32
                                                      : YL_VALUE_INT64;
    } else if (yl_str_equal_c(props->type, "number")) {
        return YL_VALUE_DOUBLE;
    } else if (props->type.size) {
        return YL_VALUE_RAW;
    }
    return props->properties.n ? YL_VALUE_STRUCT
           : is_map ? YL_VALUE_MAP
           : props->items ? YL_VALUE_LIST : YL_VALUE_RAW;
}

static int
compare_names(const void *a_, const void *b_)
{
    const struct yl_schema_props *const *a = a_, *const *b = b_;

    return yl_str_compare((*a)->name, (*b)->name);
}

static int
fault(struct reader *r, const struct yl_field_path *path, int code,
      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    yl_schema_fault(r->err, path, code, format, args);
    va_end(args);
    return code;
}
