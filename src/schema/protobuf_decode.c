/* Messages to trees.  See schema/protobuf.h for the contract.
 *
 * A message is read field by field, in the order of the bytes.  The recursion
 * is as deep as the resulting tree, whose depth is counted. */

#include "schema/protobuf.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "json/base64.h"
#include "json/tree.h"
#include "json/utf8.h"
#include "schema/go_set.h"
#include "schema/normalize.h"
#include "schema/protobuf_layout.h"
#include "schema/scalar.h"
#include "schema/wire.h"
#include "yuloh/error.h"
#include "yuloh/time.h"

/* The times that JSON can express: the years 0 to 9999. */
#define MIN_SECONDS INT64_C(-62167219200)
#define MAX_SECONDS INT64_C(253402300799)

struct reader {
    struct yl_arena *arena;
    struct yl_error *err;
    unsigned depth;             /* Of the tree. */
};

/* A field, or what stands for it in a list or map. */
struct slot {
    struct yl_type_ref owner;
    const struct yl_field *field;
    const struct yl_value *value;
};

static int read_message(struct reader *, const struct yl_layout *,
                        struct yl_str, struct yl_node *object);
static int read_field(struct reader *, const struct slot *,
                      const struct yl_wire_field *, struct yl_node *object);
static int read_map_entry(struct reader *, const struct slot *,
                          struct yl_str, struct yl_node *map);
static int read_element(struct reader *, const struct slot *,
                        const struct yl_wire_field *, struct yl_node *list);
static int read_packed(struct reader *, const struct slot *, struct yl_str,
                       struct yl_node *list);
static int read_wrapped_list(struct reader *, const struct slot *,
                             struct yl_str, struct yl_node **ret);
static int read_value(struct reader *, const struct slot *,
                      const struct yl_wire_field *, struct yl_node **node);
static int read_string(struct reader *, struct yl_str, const struct slot *,
                       struct yl_node **ret);
static int read_double(struct reader *, uint64_t bits, struct yl_node **ret);
static int read_bytes(struct reader *, struct yl_str, struct yl_node **ret);
static int read_time(struct reader *, struct yl_str, bool micro,
                     struct yl_node **ret);
static int read_duration(struct reader *, struct yl_str,
                         struct yl_node **ret);
static int read_quantity(struct reader *, struct yl_str, const struct slot *,
                         struct yl_node **ret);
static int read_int_or_string(struct reader *, struct yl_str,
                              const struct slot *, struct yl_node **ret);
static int read_raw(struct reader *, struct yl_str, const struct slot *,
                    struct yl_node **ret);
static int read_json(struct reader *, struct yl_str, struct yl_node **ret);
static int read_choice(struct reader *, struct yl_str, const struct slot *,
                       enum yl_raw_form, struct yl_node **ret);
static int read_schema(struct reader *, const struct slot *, struct yl_str,
                       struct yl_node *object);
static int read_numbers(struct reader *, struct yl_str, const char *name,
                        int64_t numbers[2]);
static int check_type(struct reader *, const struct slot *,
                      const struct yl_wire_field *, enum yl_wire_type want);
static enum yl_wire_type wire_type_of(const struct yl_value *);
static struct slot element_of(const struct slot *);
static int enter(struct reader *);
static int check_room(struct reader *);
static struct yl_node *zero(struct reader *, const struct yl_value *);

int
yl_protobuf_decode(struct yl_arena *arena, struct yl_type_ref type,
                   struct yl_str message, struct yl_node *object,
                   struct yl_error *err)
{
    struct reader reader = { arena, err, 0 };
    struct yl_layout layout = yl_layout_of(type);

    return read_message(&reader, &layout, message, object);
}

static int
read_message(struct reader *r, const struct yl_layout *layout,
             struct yl_str rest, struct yl_node *object)
{
    struct yl_wire_field wire;
    int result = enter(r);

    if (result < 0) {
        return result;
    }
    while ((result = yl_wire_next(&rest, layout->name, &wire, r->err)) > 0) {
        struct slot slot = { layout->type, NULL, NULL };

        if (layout->embedding && wire.number == layout->embedding->number) {
            struct yl_layout inner = yl_layout_embedded(layout);

            result = check_type(r, &slot, &wire, YL_WIRE_BYTES);
            if (result == 0) {
                result = read_message(r, &inner, wire.bytes, object);
            }
        } else {
            slot.field = yl_layout_field(layout, wire.number);
            if (slot.field) {
                slot.value = &layout->type.set->values[slot.field->value];
                result = read_field(r, &slot, &wire, object);
            }
        }
        if (result < 0) {
            break;
        }
    }
    r->depth--;
    return result;
}

static int
read_field(struct reader *r, const struct slot *slot,
           const struct yl_wire_field *wire, struct yl_node *object)
{
    struct yl_str name = yl_str_n(slot->owner.set->strings
                                  + slot->field->name,
                                  slot->field->name_size);
    struct yl_node *old = yl_node_get(object, name), *node = old;
    int result;

    if (slot->value->kind == YL_VALUE_LIST
        && yl_layout_wraps(slot->owner, slot->field)) {
        result = check_type(r, slot, wire, YL_WIRE_BYTES);
        if (result == 0) {
            result = read_wrapped_list(r, slot, wire->bytes, &node);
        }
        if (result == 0) {
            yl_node_set(r->arena, object, name, node);
        }
        return result;
    }
    if (slot->value->kind != YL_VALUE_LIST
        && slot->value->kind != YL_VALUE_MAP) {
        result = read_value(r, slot, wire, &node);
        if (result == 0 && node != old) {
            yl_node_set(r->arena, object, name, node);
        }
        return result;
    }
    if (!node) {
        node = slot->value->kind == YL_VALUE_LIST
               ? yl_node_new_array(r->arena) : yl_node_new_object(r->arena);
        yl_node_set(r->arena, object, name, node);
    }
    result = enter(r);
    if (result < 0) {
        return result;
    }
    if (slot->value->kind == YL_VALUE_LIST) {
        result = read_element(r, slot, wire, node);
    } else {
        result = check_type(r, slot, wire, YL_WIRE_BYTES);
        if (result == 0) {
            result = read_map_entry(r, slot, wire->bytes, node);
        }
    }
    r->depth--;
    return result;
}

/* { 1: key, 2: value }; an absent part is empty. */
static int
read_map_entry(struct reader *r, const struct slot *slot, struct yl_str rest,
               struct yl_node *map)
{
    struct slot element = element_of(slot);
    struct yl_str key = YL_STR("");
    struct yl_node *value = NULL;
    struct yl_wire_field wire;
    int result;

    while ((result = yl_wire_next(&rest, "map", &wire, r->err)) > 0) {
        if (wire.number == 1) {
            result = check_type(r, slot, &wire, YL_WIRE_BYTES);
            key = wire.bytes;
            if (result == 0 && yl_utf8_find_invalid(key)) {
                result = yl_error_set(r->err, YL_EBADREQUEST,
                                      "proto: a key is not UTF-8");
            }
        } else if (wire.number == 2) {
            value = NULL;
            if (element.value->kind == YL_VALUE_LIST) {
                result = check_type(r, slot, &wire, YL_WIRE_BYTES);
                if (result == 0) {
                    result = read_wrapped_list(r, &element, wire.bytes,
                                               &value);
                }
            } else {
                result = read_value(r, &element, &wire, &value);
            }
        }
        if (result < 0) {
            return result;
        }
    }
    if (result == 0) {
        result = check_room(r);
    }
    if (result == 0) {
        yl_node_set(r->arena, map, key,
                    value ? value : zero(r, element.value));
    }
    return result;
}

/* Reads an element of a list, or several that are packed. */
static int
read_element(struct reader *r, const struct slot *slot,
             const struct yl_wire_field *wire, struct yl_node *list)
{
    struct slot element = element_of(slot);
    struct yl_node *node = NULL;
    int result;

    if (wire->type == YL_WIRE_BYTES
        && wire_type_of(element.value) != YL_WIRE_BYTES) {
        return read_packed(r, &element, wire->bytes, list);
    }
    result = read_value(r, &element, wire, &node);
    if (result == 0) {
        yl_node_append(list, node);
    }
    return result;
}

static int
read_packed(struct reader *r, const struct slot *element, struct yl_str rest,
            struct yl_node *list)
{
    struct yl_wire_field wire = { 0, 0, 0, { NULL, 0 } };
    int result = 0;

    wire.type = (uint8_t) wire_type_of(element->value);
    while (result == 0 && rest.size) {
        struct yl_node *node = NULL;

        result = wire.type == YL_WIRE_VARINT
                 ? yl_wire_take_varint(&rest, &wire.value, r->err)
                 : yl_wire_take_fixed64(&rest, &wire.value, r->err);
        if (result == 0) {
            result = read_value(r, element, &wire, &node);
        }
        if (result == 0) {
            yl_node_append(list, node);
        }
    }
    return result;
}

/* A list where protobuf must have a message: { 1: element, repeated }. */
static int
read_wrapped_list(struct reader *r, const struct slot *slot,
                  struct yl_str rest, struct yl_node **ret)
{
    struct yl_node *list = yl_node_new_array(r->arena);
    struct yl_wire_field wire;
    int result = enter(r);

    if (result < 0) {
        return result;
    }
    while ((result = yl_wire_next(&rest, "items", &wire, r->err)) > 0) {
        if (wire.number == 1) {
            result = read_element(r, slot, &wire, list);
        }
        if (result < 0) {
            break;
        }
    }
    r->depth--;
    *ret = list;
    return result;
}

/* Reads one value that is no list or map.  '*node' is the value that was read
 * before, with which a message is merged, or NULL. */
static int
read_value(struct reader *r, const struct slot *slot,
           const struct yl_wire_field *wire, struct yl_node **node)
{
    const struct yl_value *value = slot->value;
    struct yl_layout layout;
    int result = check_type(r, slot, wire, wire_type_of(value));

    if (result == 0) {
        result = check_room(r);
    }
    if (result < 0) {
        return result;
    }
    switch (value->kind) {
    case YL_VALUE_BOOL:
        *node = yl_node_new_bool(r->arena, wire->value != 0);
        return 0;

    case YL_VALUE_INT32:
        *node = yl_node_new_int64(r->arena, (int32_t) (uint32_t) wire->value);
        return 0;

    case YL_VALUE_INT64:
        *node = yl_node_new_int64(r->arena, (int64_t) wire->value);
        return 0;

    case YL_VALUE_DOUBLE:
        return read_double(r, wire->value, node);

    case YL_VALUE_STRING:
        return read_string(r, wire->bytes, slot, node);

    case YL_VALUE_BYTES:
        return read_bytes(r, wire->bytes, node);

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        return read_time(r, wire->bytes, value->kind == YL_VALUE_MICRO_TIME,
                         node);

    case YL_VALUE_DURATION:
        return read_duration(r, wire->bytes, node);

    case YL_VALUE_QUANTITY:
        return read_quantity(r, wire->bytes, slot, node);

    case YL_VALUE_INT_OR_STRING:
        return read_int_or_string(r, wire->bytes, slot, node);

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        return read_raw(r, wire->bytes, slot, node);

    case YL_VALUE_STRUCT:
        layout = yl_layout_of(yl_value_type(slot->owner.set, value));
        if (!*node) {
            *node = yl_node_new_object(r->arena);
        }
        return read_message(r, &layout, wire->bytes, *node);

    default:
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "proto: a list of lists cannot be read");
    }
}

static int
read_string(struct reader *r, struct yl_str s, const struct slot *slot,
            struct yl_node **ret)
{
    int result = check_room(r);

    if (result < 0) {
        return result;
    }
    if (yl_utf8_find_invalid(s)) {
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "proto: field %s is not UTF-8",
                            yl_type_set_text(slot->owner.set,
                                             slot->field->name));
    }
    *ret = yl_node_new_string(r->arena, s);
    return 0;
}

static int
read_double(struct reader *r, uint64_t bits, struct yl_node **ret)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) {
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "json: unsupported value: %s",
                            isnan(value) ? "NaN"
                            : value > 0 ? "+Inf" : "-Inf");
    }
    *ret = yl_node_new_double(r->arena, value);
    return 0;
}

static int
read_bytes(struct reader *r, struct yl_str bytes, struct yl_node **ret)
{
    struct yl_buf text;
    int result = check_room(r);

    if (result < 0) {
        return result;
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_base64_write(&text, bytes);
    *ret = yl_node_new_string(r->arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return 0;
}

static int
read_time(struct reader *r, struct yl_str bytes, bool micro,
          struct yl_node **ret)
{
    int64_t numbers[2] = { 0, 0 };
    char text[YL_TIME_TEXT_SIZE];
    struct yl_time t;
    size_t size;
    int result;

    if (!bytes.size) {
        *ret = yl_node_new_null(r->arena);
        return 0;
    }
    result = read_numbers(r, bytes, "Timestamp", numbers);
    if (result < 0) {
        return result;
    }
    /* A Time has whole seconds, whatever was sent. */
    t.seconds = numbers[0];
    t.nanos = micro ? (int32_t) numbers[1] / 1000 * 1000 : 0;
    if (t.seconds < MIN_SECONDS || t.seconds > MAX_SECONDS || t.nanos < 0
        || t.nanos > 999999999) {
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "proto: Timestamp: not a time in the years 0 to "
                            "9999");
    }
    if (yl_time_is_zero(t)) {
        *ret = yl_node_new_null(r->arena);
        return 0;
    }
    size = (micro ? yl_micro_time_write : yl_time_write)(t, text);
    *ret = yl_node_new_string(r->arena, yl_str_n(text, size));
    return 0;
}

static int
read_duration(struct reader *r, struct yl_str bytes, struct yl_node **ret)
{
    int64_t numbers[2] = { 0, 0 };
    char text[YL_DURATION_TEXT_SIZE];
    int result = read_numbers(r, bytes, "Duration", numbers);

    if (result == 0) {
        *ret = yl_node_new_string(
            r->arena, yl_str_n(text, yl_duration_write(numbers[0], text)));
    }
    return result;
}

static int
read_quantity(struct reader *r, struct yl_str rest, const struct slot *slot,
              struct yl_node **ret)
{
    struct yl_str text = YL_STR("0");
    struct yl_wire_field wire;
    int result;

    while ((result = yl_wire_next(&rest, "Quantity", &wire, r->err)) > 0) {
        if (wire.number == 1) {
            result = check_type(r, slot, &wire, YL_WIRE_BYTES);
            text = wire.bytes;
        }
        if (result < 0) {
            return result;
        }
    }
    return result < 0 ? result : read_string(r, text, slot, ret);
}

static int
read_int_or_string(struct reader *r, struct yl_str rest,
                   const struct slot *slot, struct yl_node **ret)
{
    struct yl_str text = YL_STR("");
    int32_t number = 0;
    uint64_t type = 0;
    struct yl_wire_field wire;
    int result;

    while ((result = yl_wire_next(&rest, "IntOrString", &wire, r->err)) > 0) {
        if (wire.number <= 3) {
            result = check_type(r, slot, &wire, wire.number == 3
                                ? YL_WIRE_BYTES : YL_WIRE_VARINT);
        }
        if (result < 0) {
            return result;
        }
        if (wire.number == 1) {
            type = wire.value;
        } else if (wire.number == 2) {
            number = (int32_t) (uint32_t) wire.value;
        } else if (wire.number == 3) {
            text = wire.bytes;
        }
    }
    if (result < 0) {
        return result;
    }
    if (type == 1) {
        return read_string(r, text, slot, ret);
    }
    if (type != 0) {
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "impossible IntOrString.Type");
    }
    *ret = yl_node_new_int64(r->arena, number);
    return 0;
}

static int
read_raw(struct reader *r, struct yl_str rest, const struct slot *slot,
         struct yl_node **ret)
{
    enum yl_raw_form form = yl_layout_raw_form(slot->owner, slot->field);
    struct yl_str json = yl_str_null();
    struct yl_wire_field wire;
    int result;

    if (form == YL_RAW_EMPTY) {
        *ret = yl_node_new_object(r->arena);
        return 0;
    }
    if (form != YL_RAW_JSON) {
        result = enter(r);
        if (result == 0) {
            result = read_choice(r, rest, slot, form, ret);
            r->depth--;
        }
        return result;
    }
    while ((result = yl_wire_next(&rest, "RawExtension", &wire, r->err)) > 0) {
        if (wire.number == 1) {
            result = check_type(r, slot, &wire, YL_WIRE_BYTES);
            json = wire.bytes;
        }
        if (result < 0) {
            return result;
        }
    }
    return result < 0 ? result : read_json(r, json, ret);
}

static int
read_json(struct reader *r, struct yl_str json, struct yl_node **ret)
{
    struct yl_tree_opts opts = {
        .limits = { .max_depth = YL_JSON_MAX_DEPTH - r->depth },
    };

    if (!json.size) {
        *ret = yl_node_new_null(r->arena);
        return 0;
    }
    if (yl_tree_parse(r->arena, json, &opts, ret, r->err) == 0) {
        return 0;
    }
    if (yl_arena_is_over(r->arena)) {
        return check_room(r);
    }
    if (r->err) {
        r->err->code = YL_EBADREQUEST;
    }
    return YL_EBADREQUEST;
}

/* Reads a schema, or one of the values that may take its place. */
static int
read_choice(struct reader *r, struct yl_str rest, const struct slot *slot,
            enum yl_raw_form form, struct yl_node **ret)
{
    unsigned schema_number = form == YL_RAW_SCHEMA_OR_BOOL ? 2 : 1;
    struct yl_node *schema = NULL, *list = NULL, *node;
    struct yl_wire_field wire;
    bool allows = false;
    int result;

    while ((result = yl_wire_next(&rest, "JSONSchemaPropsOr", &wire, r->err))
           > 0) {
        if (wire.number == schema_number) {
            result = check_type(r, slot, &wire, YL_WIRE_BYTES);
            if (result == 0) {
                schema = schema ? schema : yl_node_new_object(r->arena);
                result = read_schema(r, slot, wire.bytes, schema);
            }
        } else if (wire.number == 1) {
            result = check_type(r, slot, &wire, YL_WIRE_VARINT);
            allows = wire.value != 0;
        } else if (wire.number == 2) {
            result = check_type(r, slot, &wire, YL_WIRE_BYTES);
            list = list ? list : yl_node_new_array(r->arena);
            if (result == 0 && form == YL_RAW_SCHEMA_OR_LIST) {
                node = yl_node_new_object(r->arena);
                result = read_schema(r, slot, wire.bytes, node);
            } else if (result == 0) {
                result = read_string(r, wire.bytes, slot, &node);
            }
            if (result == 0) {
                yl_node_append(list, node);
            }
        }
        result = result < 0 ? result : check_room(r);
        if (result < 0) {
            return result;
        }
    }
    if (form == YL_RAW_SCHEMA_OR_BOOL) {
        *ret = schema ? schema : yl_node_new_bool(r->arena, allows);
    } else {
        *ret = list ? list : schema ? schema : yl_node_new_null(r->arena);
    }
    return result;
}

/* Reads a schema inside of a raw value, which normalising does not enter. */
static int
read_schema(struct reader *r, const struct slot *slot, struct yl_str bytes,
            struct yl_node *object)
{
    struct yl_layout layout = yl_layout_of(slot->owner);
    int result = read_message(r, &layout, bytes, object);

    return result < 0 ? result
           : yl_normalize(r->arena, slot->owner, object, NULL, r->err);
}

/* A message of two numbers. */
static int
read_numbers(struct reader *r, struct yl_str rest, const char *name,
             int64_t numbers[2])
{
    struct yl_wire_field wire;
    int result;

    while ((result = yl_wire_next(&rest, name, &wire, r->err)) > 0) {
        if (wire.number > 2) {
            continue;
        }
        if (wire.type != YL_WIRE_VARINT) {
            return yl_error_set(r->err, YL_EBADREQUEST, "proto: wrong "
                                "wireType = %d for field of %s", wire.type,
                                name);
        }
        numbers[wire.number - 1] = (int64_t) wire.value;
    }
    return result;
}

static int
check_type(struct reader *r, const struct slot *slot,
           const struct yl_wire_field *wire, enum yl_wire_type want)
{
    const char *name = "";

    if (wire->type == want) {
        return 0;
    }
    if (slot->field) {
        name = yl_type_set_text(slot->owner.set, slot->field->name);
    }
    /* Go's names start with a capital. */
    return yl_error_set(r->err, YL_EBADREQUEST, "proto: wrong wireType = %d "
                        "for field %c%s", wire->type,
                        *name >= 'a' && *name <= 'z' ? *name - 32 : *name,
                        *name ? name + 1 : name);
}

static enum yl_wire_type
wire_type_of(const struct yl_value *value)
{
    switch (value->kind) {
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
        return YL_WIRE_VARINT;

    case YL_VALUE_DOUBLE:
        return YL_WIRE_FIXED64;

    default:
        return YL_WIRE_BYTES;
    }
}

static struct slot
element_of(const struct slot *slot)
{
    struct slot element = *slot;

    element.value = &slot->owner.set->values[slot->value->element];
    return element;
}

/* Goes one level down. */
static int
enter(struct reader *r)
{
    if (r->depth + 1 >= YL_JSON_MAX_DEPTH) {
        return yl_error_set(r->err, YL_EBADREQUEST,
                            "proto: messages are more than %d deep",
                            YL_JSON_MAX_DEPTH);
    }
    r->depth++;
    return 0;
}

/* Checks the account, as small messages can make large trees. */
static int
check_room(struct reader *r)
{
    return yl_arena_is_over(r->arena) ? yl_arena_check(r->arena, r->err) : 0;
}

/* The value of a map's entry that has none. */
static struct yl_node *
zero(struct reader *r, const struct yl_value *value)
{
    switch (value->kind) {
    case YL_VALUE_STRUCT:
        return yl_node_new_object(r->arena);

    case YL_VALUE_LIST:
        return yl_node_new_array(r->arena);

    case YL_VALUE_BYTES:
        return yl_node_new_string(r->arena, YL_STR(""));

    default:
        return yl_scalar_zero(r->arena, value->kind);
    }
}
