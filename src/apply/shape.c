/* Shapes.  See apply/shape.h for the contract. */

#include "apply/shape.h"

#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/api/meta_v1.h"
#include "yuloh/error.h"

static struct yl_shape below(const struct yl_shape *, struct yl_shape);
static struct yl_shape of_member(const struct yl_shape *, struct yl_str key,
                                 size_t *hint, bool *ret_declared);
static struct yl_shape of_rest(const struct yl_shape *, uint8_t rest);
static struct yl_shape of_scalar(enum yl_shape_scalar);
static struct yl_shape of_value(const struct yl_shape *,
                                const struct yl_value *,
                                const struct yl_field *);
static struct yl_shape of_struct(const struct yl_shape *, struct yl_type_ref,
                                 const struct yl_value *);
static struct yl_shape of_raw(const struct yl_shape *,
                              const struct yl_value *);
static struct yl_shape of_meta(const struct yl_shape *);
static void may_be_list(struct yl_shape *, const struct yl_value *,
                        const struct yl_field *);
static void may_be_anything(struct yl_shape *);
static enum yl_shape_scalar string_of(const struct yl_type_set *,
                                      const struct yl_value *);
static const struct yl_field *find_field(struct yl_type_ref, struct yl_str,
                                         size_t *hint);
static const struct yl_node *key_of(struct yl_arena *,
                                    const struct yl_shape *list,
                                    const struct yl_node *item,
                                    struct yl_str name);
static const char *default_of(struct yl_type_ref, const struct yl_field *);
static int without_keys(const struct yl_shape *, struct yl_error *);

struct yl_shape
yl_shape_root(struct yl_typed_as as)
{
    struct yl_shape around;

    memset(&around, 0, sizeof around);
    around.preserve = around.everywhere = as.preserve;
    if (!as.type.type) {
        return of_rest(&around, YL_REST_DEDUCED);
    }
    around.set = as.type.set;
    around = of_struct(&around, as.type, NULL);
    if (as.custom) {
        around.resource = true;
        around.other_rest = around.preserve ? YL_REST_DEDUCED : YL_REST_NONE;
    }
    return around;
}

struct yl_shape
yl_shape_member(const struct yl_shape *shape, struct yl_str key, size_t *hint,
                bool *ret_declared)
{
    return below(shape, of_member(shape, key, hint, ret_declared));
}

struct yl_shape
yl_shape_item(const struct yl_shape *shape)
{
    return below(shape, shape->item
                            ? of_value(shape, shape->item, NULL)
                            : of_rest(shape, shape->item_rest));
}

bool
yl_shape_is_none(const struct yl_shape *shape)
{
    return !shape->scalar && !shape->list && !shape->map;
}

enum yl_shape_case
yl_shape_case(const struct yl_shape *shape, const struct yl_node *node,
              bool *ret_narrow)
{
    unsigned n = !!shape->scalar + !!shape->list + !!shape->map;
    enum yl_shape_case is = YL_CASE_NONE;

    switch (yl_node_type(node)) {
    case YL_JSON_BOOL:
    case YL_JSON_NUMBER:
    case YL_JSON_STRING:
        is = shape->scalar ? YL_CASE_SCALAR : YL_CASE_NONE;
        break;

    case YL_JSON_ARRAY:
        is = shape->list ? YL_CASE_LIST : YL_CASE_NONE;
        break;

    case YL_JSON_OBJECT:
        is = shape->map ? YL_CASE_MAP : YL_CASE_NONE;
        break;

    case YL_JSON_NULL:
    case YL_JSON_NONE:
    default:
        break;
    }
    if (ret_narrow) {
        *ret_narrow = is != YL_CASE_NONE && n > 1;
    }
    return is != YL_CASE_NONE ? is
           : shape->map ? YL_CASE_MAP
           : shape->scalar ? YL_CASE_SCALAR
           : shape->list ? YL_CASE_LIST
           : YL_CASE_NONE;
}

const struct yl_node *
yl_shape_sent(const struct yl_node *member)
{
    const struct yl_node *sent = NULL;

    if (member->type == YL_JSON_NULL && member->parent
        && member->parent->emptied) {
        sent = yl_node_emptied(member->parent, yl_node_key(member));
    }
    return sent ? sent : member;
}

int
yl_shape_element(struct yl_arena *arena, const struct yl_shape *list,
                 const struct yl_node *item,
                 struct yl_path_element *ret_element, struct yl_error *err)
{
    enum yl_json_type type = yl_node_type(item);
    struct yl_path_key keys[YL_PATH_MAX_KEYS];
    struct yl_str rest, name;
    size_t n = 0;

    if (list->list == YL_LIST_SET) {
        if (type == YL_JSON_OBJECT) {
            return yl_error_set(err, YL_EINVALID, "associative list without "
                                "keys has an element that's a map type");
        } else if (type == YL_JSON_ARRAY) {
            return yl_error_set(err, YL_EINVALID, "not supported: "
                                "associative list with lists as elements");
        } else if (type == YL_JSON_NULL) {
            return yl_error_set(err, YL_EINVALID, "associative list without "
                                "keys has an element that's an explicit null");
        }
        *ret_element = yl_path_value(arena, item);
        return 0;
    }
    if (type == YL_JSON_NULL) {
        return yl_error_set(err, YL_EINVALID, "associative list with keys "
                            "may not have a null element");
    } else if (type != YL_JSON_OBJECT) {
        return yl_error_set(err, YL_EINVALID, "associative list with keys "
                            "may not have non-map elements");
    }
    for (rest = yl_str_c(list->keys); rest.data && n < YL_PATH_MAX_KEYS;) {
        if (!yl_str_cut(rest, ',', &name, &rest)) {
            name = rest;
            rest = yl_str_null();
        }
        keys[n].name = name;
        keys[n].value = key_of(arena, list, item, name);
        n += keys[n].value != NULL;
    }
    if (!n) {
        return without_keys(list, err);
    }
    *ret_element = yl_path_keys(arena, keys, n);
    return 0;
}

/* Shapes of descriptors
 * ===================== */

/* 'shape' one level below 'around'. */
static struct yl_shape
below(const struct yl_shape *around, struct yl_shape shape)
{
    shape.depth = (uint16_t) (around->depth + 1);
    if (YL_UNLIKELY(shape.depth >= YL_SHAPE_MAX_DEPTH)) {
        shape.map = shape.map ? YL_MAP_ATOMIC : YL_MAP_NONE;
        shape.list = shape.list ? YL_LIST_ATOMIC : YL_LIST_NONE;
    }
    return shape;
}

static struct yl_shape
of_member(const struct yl_shape *shape, struct yl_str key, size_t *hint,
          bool *ret_declared)
{
    struct yl_type_ref type = { shape->set, shape->type };
    const struct yl_field *field;

    *ret_declared = true;
    if (shape->resource) {
        if (yl_str_equal(key, YL_STR("metadata"))) {
            return of_meta(shape);
        } else if (yl_str_equal(key, YL_STR("apiVersion"))
                   || yl_str_equal(key, YL_STR("kind"))) {
            return of_scalar(YL_SHAPE_STRING);
        }
    }
    if (type.type) {
        field = find_field(type, key, hint);
        if (field) {
            return of_value(shape, &type.set->values[field->value], field);
        }
        if ((yl_str_equal(key, YL_STR("apiVersion"))
             || yl_str_equal(key, YL_STR("kind")))
            && yl_type_is_kind(type)) {
            return of_scalar(YL_SHAPE_STRING);
        }
    }
    *ret_declared = false;
    return shape->other ? of_value(shape, shape->other, NULL)
                        : of_rest(shape, shape->other_rest);
}


/* A value that no descriptor describes, below 'around'. */
static struct yl_shape
of_rest(const struct yl_shape *around, uint8_t rest)
{
    struct yl_shape shape;

    memset(&shape, 0, sizeof shape);
    shape.preserve = around->preserve;
    shape.everywhere = around->everywhere;
    if (rest != YL_REST_NONE) {
        may_be_anything(&shape);
        shape.map = rest == YL_REST_ATOMIC ? YL_MAP_ATOMIC : YL_MAP_GRANULAR;
        shape.other_rest = rest;
    }
    return shape;
}

static struct yl_shape
of_scalar(enum yl_shape_scalar scalar)
{
    struct yl_shape shape;

    memset(&shape, 0, sizeof shape);
    shape.scalar = (uint8_t) scalar;
    return shape;
}

/* 'value' is of the set of 'around'; 'field' is NULL for an element. */
static struct yl_shape
of_value(const struct yl_shape *around, const struct yl_value *value,
         const struct yl_field *field)
{
    struct yl_shape shape;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        return of_scalar(YL_SHAPE_BOOL);

    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
        return of_scalar(YL_SHAPE_NUMBER);

    case YL_VALUE_STRING:
        return of_scalar(string_of(around->set, value));

    case YL_VALUE_BYTES:
    case YL_VALUE_DURATION:
        return of_scalar(YL_SHAPE_STRING);

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_QUANTITY:
        return of_scalar(YL_SHAPE_SCALAR);

    case YL_VALUE_STRUCT:
        return of_struct(around, yl_value_type(around->set, value), value);

    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        break;

    case YL_VALUE_INT_OR_STRING:
        return of_rest(around, YL_REST_DEDUCED);

    case YL_VALUE_RAW:
        return of_raw(around, value);

    case YL_VALUE_EMBEDDED:
        shape = of_rest(around, YL_REST_DEDUCED);
        shape.scalar = YL_SHAPE_NO_SCALAR;
        shape.list = YL_LIST_NONE;
        shape.resource = true;
        return shape;

    case YL_VALUE_NONE:
    default:
        return of_rest(around, YL_REST_DEDUCED);
    }
    memset(&shape, 0, sizeof shape);
    shape.set = around->set;
    shape.everywhere = around->everywhere;
    shape.preserve = around->preserve || value->flags & YL_VALUE_PRESERVE;
    if (value->flags & YL_VALUE_UNTYPED) {
        may_be_anything(&shape);
    }
    if (value->kind == YL_VALUE_LIST) {
        may_be_list(&shape, value, field);
    } else {
        shape.map = value->topology == YL_TOPOLOGY_ATOMIC ? YL_MAP_ATOMIC
                                                          : YL_MAP_GRANULAR;
        shape.other = value->element ? &shape.set->values[value->element]
                                     : NULL;
        shape.other_rest = YL_REST_DEDUCED;
    }
    return shape;
}

/* A struct; 'value' is NULL for the root.  A type with a name of its own is
 * one that OpenAPI refers to: what is kept around it does not hold in it. */
static struct yl_shape
of_struct(const struct yl_shape *around, struct yl_type_ref type,
          const struct yl_value *value)
{
    unsigned flags = type.type->flags | (value ? value->flags : 0u);
    unsigned topology = value && value->topology != YL_TOPOLOGY_NONE
                            ? value->topology : type.type->topology;
    struct yl_shape shape;

    memset(&shape, 0, sizeof shape);
    shape.set = type.set;
    shape.type = type.type;
    shape.everywhere = around->everywhere;
    shape.preserve = around->everywhere
                     || (around->preserve && !type.type->openapi_name)
                     || flags & YL_VALUE_PRESERVE;
    if (flags & YL_VALUE_UNTYPED) {
        may_be_anything(&shape);
    }
    shape.resource = (flags & YL_VALUE_RESOURCE) != 0;
    shape.map = topology == YL_TOPOLOGY_ATOMIC ? YL_MAP_ATOMIC
                                               : YL_MAP_GRANULAR;
    shape.other_rest = shape.preserve
                               || (!type.type->n_fields && !shape.resource)
                           ? YL_REST_DEDUCED : YL_REST_NONE;
    return shape;
}

/* JSON of any form.  Its rule names upstream's type for it, if that has a
 * name. */
static struct yl_shape
of_raw(const struct yl_shape *around, const struct yl_value *value)
{
    struct yl_shape shape = of_rest(around, YL_REST_DEDUCED);
    unsigned i;

    if (value->topology == YL_TOPOLOGY_ATOMIC) {
        shape.map = YL_MAP_ATOMIC;
    }
    shape.preserve = around->preserve || value->flags & YL_VALUE_PRESERVE;
    for (i = 0; i < value->n_rules; i++) {
        const struct yl_rule *rule = &around->set->rules[value->rules + i];
        struct yl_json json, ref, type;

        if (rule->op != YL_RULE_SCHEMA) {
            continue;
        }
        json = yl_json(yl_str_c(yl_type_set_text(around->set, rule->text)));
        ref = yl_json_get(json, YL_STR("$ref"));
        type = yl_json_get(json, YL_STR("type"));
        if (yl_json_string_is(ref, YL_STR("io.k8s.apimachinery.pkg.runtime."
                                          "RawExtension"))) {
            return of_rest(around, YL_REST_ATOMIC);
        } else if (yl_json_exists(ref)
                   && yl_json_string_is(type, YL_STR("object"))) {
            shape.scalar = YL_SHAPE_NO_SCALAR;
            shape.list = YL_LIST_NONE;
        }
    }
    return shape;
}

/* The metadata of a custom resource or of an object inside of one. */
static struct yl_shape
of_meta(const struct yl_shape *around)
{
    static const struct yl_type *found;
    const struct yl_type *meta = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    struct yl_type_ref type;
    uint32_t i;

    for (i = 1; !meta; i++) {
        const struct yl_type *one = &meta_v1_types.types[i];

        if (strcmp(yl_type_set_text(&meta_v1_types, one->name),
                   "ObjectMeta") == 0) {
            meta = one;
            __atomic_store_n(&found, meta, __ATOMIC_RELEASE);
        }
    }
    type.set = &meta_v1_types;
    type.type = meta;
    return of_struct(around, type, NULL);
}

static void
may_be_list(struct yl_shape *shape, const struct yl_value *value,
            const struct yl_field *field)
{
    shape->item = value->element ? &shape->set->values[value->element] : NULL;
    shape->item_rest = YL_REST_ATOMIC;
    shape->list = YL_LIST_ATOMIC;
    switch ((enum yl_topology) value->topology) {
    case YL_TOPOLOGY_SET:
        shape->list = YL_LIST_SET;
        break;

    case YL_TOPOLOGY_MAP:
        shape->list = YL_LIST_MAP;
        shape->keys = yl_type_set_text(shape->set, value->list_keys);
        break;

    case YL_TOPOLOGY_NONE:
        /* Types that are older than list types say it for strategic
         * merges. */
        if (field && field->flags & YL_FIELD_MERGE) {
            shape->list = field->merge_key ? YL_LIST_MAP : YL_LIST_SET;
            shape->keys = yl_type_set_text(shape->set, field->merge_key);
        }
        break;

    case YL_TOPOLOGY_ATOMIC:
    case YL_TOPOLOGY_GRANULAR:
    default:
        break;
    }
}

/* A value whose schema names no type. */
static void
may_be_anything(struct yl_shape *shape)
{
    shape->scalar = YL_SHAPE_SCALAR;
    shape->list = YL_LIST_ATOMIC;
    shape->item_rest = YL_REST_ATOMIC;
    shape->map = YL_MAP_GRANULAR;
    shape->other_rest = YL_REST_DEDUCED;
}

/* Strings of a format may be any scalar, says upstream. */
static enum yl_shape_scalar
string_of(const struct yl_type_set *set, const struct yl_value *value)
{
    unsigned i;

    for (i = 0; i < value->n_rules; i++) {
        const struct yl_rule *rule = &set->rules[value->rules + i];

        if (rule->op == YL_RULE_FORMAT) {
            const char *format = yl_type_set_text(set, rule->text);

            return !*format || strcmp(format, "byte") == 0 ? YL_SHAPE_STRING
                                                           : YL_SHAPE_SCALAR;
        }
    }
    return YL_SHAPE_STRING;
}

static const struct yl_field *
find_field(struct yl_type_ref type, struct yl_str key, size_t *hint)
{
    const struct yl_field *fields = &type.set->fields[type.type->fields];
    const struct yl_field *field;
    size_t i;

    /* A few steps are cheaper than a search. */
    for (i = hint ? *hint : 0;
         hint && i < *hint + 4 && i < type.type->n_fields; i++) {
        if (fields[i].name_size == key.size
            && memcmp(type.set->strings + fields[i].name, key.data, key.size)
               == 0) {
            *hint = i + 1;
            return &fields[i];
        }
    }
    field = yl_type_field(type, key);
    if (field && hint) {
        *hint = (size_t) (field - fields) + 1;
    }
    return field;
}

/* Keys of items
 * ============= */

/* The value of key 'name', its default, or NULL. */
static const struct yl_node *
key_of(struct yl_arena *arena, const struct yl_shape *list,
       const struct yl_node *item, struct yl_str name)
{
    const struct yl_node *value = yl_node_get(item, name);
    struct yl_shape shape;
    const struct yl_field *field;
    struct yl_type_ref type;
    struct yl_node *parsed;
    const char *text;

    if (value) {
        return value;
    }
    shape = yl_shape_item(list);
    type.set = shape.set;
    type.type = shape.type;
    field = type.type ? yl_type_field(type, name) : NULL;
    text = field ? default_of(type, field) : "";
    return *text && yl_tree_parse(arena, yl_str_c(text), NULL, &parsed,
                                  NULL) == 0
               ? parsed : NULL;
}

/* A field's default in OpenAPI v3: its own or, in upstream's Go types, the
 * zero value of a field that is always written. */
static const char *
default_of(struct yl_type_ref type, const struct yl_field *field)
{
    if (field->default_ || !type.type->openapi_name
        || field->presence != YL_PRESENCE_ALWAYS) {
        return yl_type_set_text(type.set, field->default_);
    }
    switch ((enum yl_value_kind) type.set->values[field->value].kind) {
    case YL_VALUE_BOOL:
        return "false";

    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
        return "0";

    case YL_VALUE_STRING:
        return "\"\"";

    default:
        return "";
    }
}

static int
without_keys(const struct yl_shape *list, struct yl_error *err)
{
    struct yl_str rest = yl_str_c(list->keys), name;
    struct yl_buf buf;

    yl_buf_init(&buf, 64 << 10);
    while (rest.data) {
        if (!yl_str_cut(rest, ',', &name, &rest)) {
            name = rest;
            rest = yl_str_null();
        }
        yl_buf_append_c(&buf, buf.size ? " " : "[");
        yl_quote(&buf, name);
    }
    yl_error_set(err, YL_EINVALID, "associative list with keys has an element "
                 "that omits all key fields %s] (and doesn't have default "
                 "values for any key fields)", yl_buf_c_str(&buf));
    yl_buf_release(&buf);
    return YL_EINVALID;
}
