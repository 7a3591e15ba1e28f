/* Values as upstream's messages show them.  See builtin/go/go_value.h. */

#include "builtin/go/go_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "builtin/go/diff.h"
#include "json/text.h"

/* The most bytes of a value that are written, as structs that are empty in
 * JSON are long in Go's form.  Larger ones are not compared line by line. */
#define MAX_SHOWN ((size_t) YL_FIELD_TEXT_MAX + 4096)
#define MAX_COMPARED ((size_t) 4 << 20)

static struct yl_bad_value take_text(const struct yl_check *,
                                     struct yl_buf *);
static struct yl_node *value_to_json(struct yl_arena *,
                                     const struct yl_node *,
                                     const struct yl_type_set *,
                                     const struct yl_value *);
static void write_struct(struct yl_buf *, const struct yl_node *,
                         const struct yl_node *outer, struct yl_go_type);
static void write_fields(struct yl_buf *, const struct yl_node *,
                         const struct yl_node *outer, struct yl_go_type,
                         size_t start);
static void write_name(struct yl_buf *, const struct yl_go_set *,
                       const struct yl_field *);
static void write_value(struct yl_buf *, const struct yl_node *,
                        const struct yl_node *outer, struct yl_go_type,
                        const struct yl_field *);
static void write_map(struct yl_buf *, const struct yl_node *,
                      struct yl_go_type, bool are_unions);
static bool write_union(struct yl_buf *, const struct yl_node *,
                        struct yl_go_type, const char *name);
static void write_slice(struct yl_buf *, const struct yl_node *,
                        struct yl_go_type);
static const char *zero(const struct yl_go_set *, const struct yl_field *);
static struct yl_go_type struct_of(const struct yl_type_set *,
                                   const struct yl_value *);
static bool is_inline(const struct yl_go_set *, const struct yl_field *);
static bool is_left_out(const struct yl_field *, const struct yl_node *);
static const struct yl_node *member(const struct yl_node *object,
                                    struct yl_str name);
static void add_cause(struct yl_check *, const struct yl_at *,
                      const char *reason, const char *text,
                      struct yl_bad_value, const char *detail);

struct yl_bad_value
yl_bad_struct(const struct yl_check *c, const struct yl_node *node,
              struct yl_go_type type)
{
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_SHOWN);
    write_struct(&buf, node, NULL, type);
    return take_text(c, &buf);
}

struct yl_bad_value
yl_bad_slice(const struct yl_check *c, const struct yl_node *list,
             struct yl_go_type type)
{
    struct yl_buf buf;

    if (yl_node_type(list) != YL_JSON_ARRAY) {
        return yl_bad_node(NULL);
    }
    yl_buf_init(&buf, MAX_SHOWN);
    write_slice(&buf, list, type);
    return take_text(c, &buf);
}

struct yl_str
yl_go_text(struct yl_arena *arena, const struct yl_node *node,
           struct yl_go_type type)
{
    struct yl_str text;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    write_struct(&buf, node, NULL, type);
    text = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

struct yl_node *
yl_go_to_json(struct yl_arena *arena, const struct yl_node *node,
              struct yl_go_type type)
{
    const struct yl_go_set *go = type.set;
    struct yl_node *result = yl_node_new_object(arena);
    struct yl_buf name;
    size_t i;

    yl_buf_init(&name, SIZE_MAX);
    for (i = go->types[type.type].order; i < go->types[type.type + 1].order;
         i++) {
        const struct yl_field *field = &go->set->fields[go->order[i]];
        const struct yl_node *value;

        yl_buf_clear(&name);
        write_name(&name, go, field);
        value = member(node, yl_buf_str(&name));
        if (value) {
            yl_member_set(arena, result,
                          yl_type_set_text(go->set, field->name),
                          value_to_json(arena, value, go->set,
                                        &go->set->values[field->value]));
        }
    }
    yl_buf_release(&name);
    return result;
}

void
yl_field_changed(struct yl_check *c, const struct yl_at *at,
                 const struct yl_node *old, const struct yl_node *now,
                 struct yl_go_type type, const char *text)
{
    struct yl_buf a, b, difference;

    yl_buf_init(&a, MAX_COMPARED);
    yl_buf_init(&b, MAX_COMPARED);
    yl_buf_init(&difference, SIZE_MAX);
    write_struct(&a, old, NULL, type);
    write_struct(&b, now, NULL, type);
    if (yl_buf_error(&a) == 0 && yl_buf_error(&b) == 0) {
        yl_diff_json(&difference, yl_buf_str(&a), yl_buf_str(&b));
    }
    yl_field_forbidden(c->err, yl_at_path(at), "%s\n%.*s", text,
                       YL_STR_ARG(yl_buf_str(&difference)));
    yl_buf_release(&a);
    yl_buf_release(&b);
    yl_buf_release(&difference);
}

void
yl_field_duplicate_because(struct yl_check *c, const struct yl_at *at,
                           struct yl_bad_value value, const char *detail)
{
    add_cause(c, at, "FieldValueDuplicate", "Duplicate value", value, detail);
}

void
yl_field_not_found_because(struct yl_check *c, const struct yl_at *at,
                           struct yl_bad_value value, const char *detail)
{
    add_cause(c, at, "FieldValueNotFound", "Not found", value, detail);
}

static struct yl_bad_value
take_text(const struct yl_check *c, struct yl_buf *buf)
{
    struct yl_str text = yl_arena_copy(c->arena, yl_buf_str(buf));

    if (yl_buf_error(buf) && text.size <= YL_FIELD_TEXT_MAX) {
        text = yl_str_c(yl_arena_printf(c->arena, "%.*s...",
                                        YL_STR_ARG(text)));
    }
    yl_buf_release(buf);
    return yl_bad_text(text);
}

static struct yl_node *
value_to_json(struct yl_arena *arena, const struct yl_node *node,
              const struct yl_type_set *set, const struct yl_value *value)
{
    const struct yl_value *element = &set->values[value->element];
    struct yl_node *list, *item;

    if (value->kind == YL_VALUE_STRUCT) {
        return yl_go_to_json(arena, node, struct_of(set, value));
    }
    if (value->kind != YL_VALUE_LIST || element->kind != YL_VALUE_STRUCT
        || yl_node_type(node) != YL_JSON_ARRAY) {
        return yl_node_copy(arena, node);
    }
    list = yl_node_new_array(arena);
    YL_NODE_FOR_EACH (item, node) {
        yl_node_append(list, yl_go_to_json(arena, item,
                                           struct_of(set, element)));
    }
    return list;
}

static void
write_struct(struct yl_buf *buf, const struct yl_node *node,
             const struct yl_node *outer, struct yl_go_type type)
{
    yl_buf_append_char(buf, '{');
    write_fields(buf, node, outer, type, buf->size);
    yl_buf_append_char(buf, '}');
}

/* Writes the fields after those that began at 'start'. */
static void
write_fields(struct yl_buf *buf, const struct yl_node *node,
             const struct yl_node *outer, struct yl_go_type type,
             size_t start)
{
    const struct yl_go_set *go = type.set;
    const struct yl_type *t = &go->set->types[type.type];
    size_t i;

    for (i = go->types[type.type].order; i < go->types[type.type + 1].order;
         i++) {
        uint16_t number = go->order[i];
        bool own = number >= t->fields && number < t->fields + t->n_fields;
        const struct yl_field *field = &go->set->fields[number];
        const struct yl_node *value = member(
            own ? node : outer, yl_str_n(yl_type_set_text(go->set,
                                                          field->name),
                                         field->name_size));

        if (go->fields[number].depth < type.depth
            || (go->tagged && is_left_out(field, value))) {
            continue;
        }
        if (is_inline(go, field)) {
            write_fields(buf, value, node, struct_of(
                go->set, &go->set->values[field->value]), start);
            continue;
        }
        yl_buf_append_c(buf, buf->size == start ? "\"" : ",\"");
        write_name(buf, go, field);
        yl_buf_append_c(buf, "\":");
        write_value(buf, value, node, type, field);
    }
}

static void
write_name(struct yl_buf *buf, const struct yl_go_set *go,
           const struct yl_field *field)
{
    const char *json = yl_type_set_text(go->set, field->name);
    uint16_t name = go->fields[field - go->set->fields].name;

    if (go->tagged) {
        yl_buf_append_c(buf, json);
    } else if (name) {
        yl_buf_append_c(buf, go->strings + name);
    } else {
        yl_buf_append_char(buf, json[0] >= 'a' && json[0] <= 'z'
                                    ? json[0] + 'A' - 'a' : json[0]);
        yl_buf_append_c(buf, json + 1);
    }
}

static void
write_value(struct yl_buf *buf, const struct yl_node *value,
            const struct yl_node *outer, struct yl_go_type type,
            const struct yl_field *field)
{
    const struct yl_go_set *go = type.set;
    const struct yl_value *v = &go->set->values[field->value];
    const struct yl_value *element = &go->set->values[v->element];
    const char *name =
        go->strings + go->fields[field - go->set->fields].type;

    if (!value && (v->kind == YL_VALUE_LIST || v->kind == YL_VALUE_MAP)) {
        value = yl_node_emptied(outer, yl_str_n(
            yl_type_set_text(go->set, field->name), field->name_size));
    }
    if (!value && zero(go, field)) {
        yl_buf_append_c(buf, zero(go, field));
    } else if (v->kind == YL_VALUE_STRUCT) {
        write_struct(buf, value, outer, struct_of(go->set, v));
    } else if (v->kind == YL_VALUE_LIST
               && element->kind == YL_VALUE_STRUCT) {
        write_slice(buf, value, struct_of(go->set, element));
    } else if (v->kind == YL_VALUE_MAP && element->kind == YL_VALUE_STRUCT) {
        write_map(buf, value, struct_of(go->set, element), false);
    } else if (v->kind == YL_VALUE_MAP
               && strstr(name, "JSONSchemaDependencies")) {
        write_map(buf, value, type, true);
    } else if (!write_union(buf, value, type, name)
               && yl_node_write_canonical(buf, value) < 0) {
        yl_node_write(buf, value);
    }
}

/* Writes a map of structs, or of schemas and lists of names. */
static void
write_map(struct yl_buf *buf, const struct yl_node *map,
          struct yl_go_type type, bool are_unions)
{
    size_t n = map->n, i = 0;
    const struct yl_node **members = yl_malloc_array(n,
                                                     sizeof *members);
    const struct yl_node *child;

    YL_NODE_FOR_EACH (child, map) {
        members[i++] = child;
    }
    yl_node_sort_members(members, n);
    yl_buf_append_char(buf, '{');
    for (i = 0; i < n; i++) {
        yl_buf_append_c(buf, i ? "," : "");
        yl_json_write_string(buf, yl_node_key(members[i]));
        yl_buf_append_char(buf, ':');
        if (!are_unions) {
            write_struct(buf, members[i], map, type);
        } else {
            write_union(buf, members[i], type,
                        "JSONSchemaPropsOrStringArray");
        }
    }
    yl_buf_append_char(buf, '}');
    free(members);
}

/* Writes a value that is a schema or something else, where a schema is the
 * struct that the value is in.  False if 'name' is not the name of such a
 * type. */
static bool
write_union(struct yl_buf *buf, const struct yl_node *value,
            struct yl_go_type schema, const char *name)
{
    static const struct {
        const char *name, *before, *other, *absent;
    } unions[] = {
        { "JSONSchemaPropsOrArray", "", ",\"JSONSchemas\":", "null" },
        { "JSONSchemaPropsOrBool", "\"Allows\":true,", "", "" },
        { "JSONSchemaPropsOrStringArray", "", ",\"Property\":", "null" },
    };
    const char *dot = strrchr(name, '.');
    size_t i;

    name = dot ? dot + 1 : name;
    for (i = 0; i < YL_ARRAY_SIZE(unions)
                && strcmp(name, unions[i].name) != 0; i++) {
        continue;
    }
    if (i == YL_ARRAY_SIZE(unions)) {
        return false;
    }
    if (value->type == YL_JSON_OBJECT) {
        yl_buf_printf(buf, "{%s\"Schema\":", unions[i].before);
        write_struct(buf, value, NULL, schema);
        yl_buf_printf(buf, "%s%s}", unions[i].other, unions[i].absent);
    } else if (value->type == YL_JSON_BOOL) {
        yl_buf_append_c(buf, "{\"Allows\":");
        yl_node_write(buf, value);
        yl_buf_append_c(buf, ",\"Schema\":null}");
    } else {
        yl_buf_printf(buf, "{\"Schema\":null%s", unions[i].other);
        if (i == 0) {
            write_slice(buf, value, schema);
        } else {
            yl_node_write(buf, value);
        }
        yl_buf_append_char(buf, '}');
    }
    return true;
}

static void
write_slice(struct yl_buf *buf, const struct yl_node *list,
            struct yl_go_type type)
{
    struct yl_node *item;

    yl_buf_append_char(buf, '[');
    YL_NODE_FOR_EACH (item, list) {
        yl_buf_append_c(buf, item == list->first ? "" : ",");
        write_struct(buf, item, list, type);
    }
    yl_buf_append_char(buf, ']');
}

/* Go's text for the field if it is absent; NULL for a struct of zeros. */
static const char *
zero(const struct yl_go_set *go, const struct yl_field *field)
{
    bool pointer = (field->presence == YL_PRESENCE_POINTER
                    || field->presence == YL_PRESENCE_POINTER_ALWAYS)
                   && !(go->fields[field - go->set->fields].flags
                        & YL_GO_VALUE);

    if (pointer) {
        return "null";
    }
    switch ((enum yl_value_kind) go->set->values[field->value].kind) {
    case YL_VALUE_STRING:
        return "\"\"";
    case YL_VALUE_BOOL:
        return "false";
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_INT_OR_STRING:
        return "0";
    case YL_VALUE_QUANTITY:
        return "\"0\"";
    case YL_VALUE_DURATION:
        return "\"0s\"";
    case YL_VALUE_STRUCT:
        return NULL;
    default:
        return "null";
    }
}

static struct yl_go_type
struct_of(const struct yl_type_set *set, const struct yl_value *value)
{
    struct yl_type_ref ref = yl_value_type(set, value);
    struct yl_go_type type = { yl_go_set_of(ref.set), value->type, 0 };

    return type;
}

/* Metadata is embedded in internal types, so it has no name there. */
static bool
is_inline(const struct yl_go_set *go, const struct yl_field *field)
{
    return !go->tagged
           && go->set->values[field->value].kind == YL_VALUE_STRUCT
           && !strcmp(yl_type_set_text(go->set, field->name), "metadata");
}

/* Is the field left out in a type that is shown with JSON names? */
static bool
is_left_out(const struct yl_field *field, const struct yl_node *value)
{
    switch ((enum yl_presence) field->presence) {
    case YL_PRESENCE_ALWAYS:
    case YL_PRESENCE_POINTER_ALWAYS:
        return false;
    case YL_PRESENCE_POINTER:
        return !value;
    case YL_PRESENCE_OMIT_EMPTY:
    case YL_PRESENCE_OMIT_ZERO:
        break;
    }
    return !value || yl_node_is_zero(value);
}

/* NULL if it is absent or null. */
static const struct yl_node *
member(const struct yl_node *object, struct yl_str name)
{
    const struct yl_node *value = NULL;

    if (yl_node_type(object) == YL_JSON_OBJECT) {
        value = yl_node_get(object, name);
    }
    return yl_node_type(value) <= YL_JSON_NULL ? NULL : value;
}

static void
add_cause(struct yl_check *c, const struct yl_at *at, const char *reason,
          const char *text, struct yl_bad_value value, const char *detail)
{
    struct yl_buf message, path;

    yl_buf_init(&message, SIZE_MAX);
    yl_buf_init(&path, SIZE_MAX);
    yl_buf_printf(&message, "%s: ", text);
    yl_bad_value_write(&message, value);
    yl_buf_printf(&message, ": %s", detail);
    yl_field_path_write(&path, yl_at_path(at));
    c->err->code = c->err->code ? c->err->code : YL_EINVALID;
    yl_error_add_cause(c->err, yl_str_c(reason), yl_buf_str(&message),
                       yl_buf_str(&path));
    yl_buf_release(&message);
    yl_buf_release(&path);
}
