/* JSON to messages.  See schema/protobuf.h for the contract.
 *
 * Members are written in the order of the text, as readers accept any order.
 * Structs that Go embeds are written in a walk of their own over the object,
 * so such types are read twice; they are small. */

#include "schema/protobuf.h"

#include "json/base64.h"
#include "json/text.h"
#include "schema/go_set.h"
#include "schema/protobuf_layout.h"
#include "schema/wire.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"
#include "yuloh/time.h"

struct writer {
    struct yl_buf *buf;
    struct yl_arena *arena;
    unsigned depth;
};

/* A field, or what stands for it in a list or map. */
struct slot {
    struct yl_type_ref owner;
    const struct yl_field *field;
    const struct yl_value *value;
};

static void write_message(struct writer *, const struct yl_layout *,
                          struct yl_json object);
static void write_field(struct writer *, const struct slot *,
                        struct yl_json);
static void write_list(struct writer *, const struct slot *, unsigned number,
                       struct yl_json);
static void write_map(struct writer *, const struct slot *, struct yl_json);
static void write_value(struct writer *, const struct slot *, unsigned number,
                        struct yl_json);
static void write_time(struct writer *, unsigned number, bool micro,
                       struct yl_json);
static void write_duration(struct writer *, unsigned number, struct yl_json);
static void write_int_or_string(struct writer *, unsigned number,
                                struct yl_json);
static void write_raw(struct writer *, const struct slot *, unsigned number,
                      struct yl_json);
static void write_schema(struct writer *, const struct slot *,
                         unsigned number, struct yl_json);
static struct yl_str string_of(struct writer *, struct yl_json);
static struct yl_str key_of(struct writer *, const struct yl_json_iter *);

size_t
yl_protobuf_begin(struct yl_buf *buf, struct yl_str api_version,
                  struct yl_str kind)
{
    size_t type;

    yl_buf_append_str(buf, YL_PROTOBUF_MAGIC);
    type = yl_wire_open(buf, 1);
    yl_wire_put_bytes(buf, 1, api_version);
    yl_wire_put_bytes(buf, 2, kind);
    yl_wire_close(buf, type);
    return yl_wire_open(buf, 2);
}

void
yl_protobuf_end(struct yl_buf *buf, size_t begun)
{
    yl_wire_close(buf, begun);
    yl_wire_put_bytes(buf, 3, YL_STR(""));
    yl_wire_put_bytes(buf, 4, YL_STR(""));
}

void
yl_protobuf_encode(struct yl_buf *buf, struct yl_type_ref type,
                   struct yl_json object, struct yl_arena *arena)
{
    struct writer writer = { buf, arena, 0 };
    struct yl_layout layout = yl_layout_of(type);

    write_message(&writer, &layout, object);
}

static void
write_message(struct writer *w, const struct yl_layout *layout,
              struct yl_json object)
{
    struct yl_json_iter it = yl_json_iter(object);

    if (w->depth >= YL_JSON_MAX_DEPTH) {
        return;
    }
    w->depth++;
    while (yl_json_next(&it)) {
        struct slot slot = { layout->type, NULL, NULL };

        slot.field = yl_type_field(layout->type, key_of(w, &it));
        if (slot.field && slot.field->number
            && yl_layout_has(layout, slot.field)
            && yl_json_type(it.value) != YL_JSON_NULL) {
            slot.value = &layout->type.set->values[slot.field->value];
            write_field(w, &slot, it.value);
        }
    }
    if (layout->embedding) {
        struct yl_layout inner = yl_layout_embedded(layout);
        size_t opened = yl_wire_open(w->buf, layout->embedding->number);

        write_message(w, &inner, object);
        yl_wire_close(w->buf, opened);
    }
    w->depth--;
}

static void
write_field(struct writer *w, const struct slot *slot, struct yl_json value)
{
    unsigned number = slot->field->number;

    if (slot->value->kind == YL_VALUE_MAP) {
        write_map(w, slot, value);
    } else if (slot->value->kind != YL_VALUE_LIST) {
        write_value(w, slot, number, value);
    } else if (yl_layout_wraps(slot->owner, slot->field)) {
        size_t opened = yl_wire_open(w->buf, number);

        write_list(w, slot, 1, value);
        yl_wire_close(w->buf, opened);
    } else {
        write_list(w, slot, number, value);
    }
}

static void
write_list(struct writer *w, const struct slot *slot, unsigned number,
           struct yl_json list)
{
    struct yl_json_iter it = yl_json_iter(list);
    struct slot element = *slot;

    element.value = &slot->owner.set->values[slot->value->element];
    while (yl_json_next(&it) && yl_str_is_null(it.key)) {
        write_value(w, &element, number, it.value);
    }
}

static void
write_map(struct writer *w, const struct slot *slot, struct yl_json map)
{
    struct yl_json_iter it = yl_json_iter(map);
    struct slot element = *slot;

    element.value = &slot->owner.set->values[slot->value->element];
    while (yl_json_next(&it) && !yl_str_is_null(it.key)) {
        size_t entry = yl_wire_open(w->buf, slot->field->number);

        yl_wire_put_bytes(w->buf, 1, key_of(w, &it));
        if (element.value->kind == YL_VALUE_LIST) {
            size_t wrapper = yl_wire_open(w->buf, 2);

            write_list(w, &element, 1, it.value);
            yl_wire_close(w->buf, wrapper);
        } else {
            write_value(w, &element, 2, it.value);
        }
        yl_wire_close(w->buf, entry);
    }
}

/* One value that is no list or map.  Null is the zero of its type. */
static void
write_value(struct writer *w, const struct slot *slot, unsigned number,
            struct yl_json value)
{
    struct yl_layout layout;
    struct yl_str bytes;
    int64_t integer = 0;
    double real = 0;
    bool truth = false;
    size_t opened;

    switch (slot->value->kind) {
    case YL_VALUE_BOOL:
        yl_json_bool(value, &truth);
        yl_wire_put_varint(w->buf, number, truth);
        break;

    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
        yl_json_int64(value, &integer);
        yl_wire_put_varint(w->buf, number, (uint64_t) integer);
        break;

    case YL_VALUE_DOUBLE:
        yl_json_double(value, &real);
        yl_wire_put_double(w->buf, number, real);
        break;

    case YL_VALUE_STRING:
        yl_wire_put_bytes(w->buf, number, string_of(w, value));
        break;

    case YL_VALUE_BYTES:
        if (!yl_base64_decode(w->arena, string_of(w, value), &bytes)) {
            bytes = YL_STR("");
        }
        yl_wire_put_bytes(w->buf, number, bytes);
        break;

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        write_time(w, number, slot->value->kind == YL_VALUE_MICRO_TIME,
                   value);
        break;

    case YL_VALUE_DURATION:
        write_duration(w, number, value);
        break;

    case YL_VALUE_QUANTITY:
        opened = yl_wire_open(w->buf, number);
        yl_wire_put_bytes(w->buf, 1, yl_json_type(value) == YL_JSON_STRING
                                     ? string_of(w, value) : YL_STR("0"));
        yl_wire_close(w->buf, opened);
        break;

    case YL_VALUE_INT_OR_STRING:
        write_int_or_string(w, number, value);
        break;

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        write_raw(w, slot, number, value);
        break;

    case YL_VALUE_STRUCT:
        layout = yl_layout_of(yl_value_type(slot->owner.set, slot->value));
        opened = yl_wire_open(w->buf, number);
        write_message(w, &layout, value);
        yl_wire_close(w->buf, opened);
        break;

    default:                    /* There are no lists of lists. */
        break;
    }
}

static void
write_time(struct writer *w, unsigned number, bool micro, struct yl_json value)
{
    size_t opened = yl_wire_open(w->buf, number);
    struct yl_time t;

    if (yl_json_type(value) == YL_JSON_STRING
        && (micro ? yl_micro_time_parse : yl_time_parse)(string_of(w, value),
                                                         &t, NULL) == 0
        && !yl_time_is_zero(t)) {
        yl_wire_put_varint(w->buf, 1, (uint64_t) t.seconds);
        yl_wire_put_varint(w->buf, 2, micro ? (uint64_t) t.nanos : 0);
    }
    yl_wire_close(w->buf, opened);
}

static void
write_duration(struct writer *w, unsigned number, struct yl_json value)
{
    size_t opened = yl_wire_open(w->buf, number);
    int64_t nanos = 0;

    yl_duration_parse(string_of(w, value), &nanos, NULL);
    yl_wire_put_varint(w->buf, 1, (uint64_t) nanos);
    yl_wire_close(w->buf, opened);
}

static void
write_int_or_string(struct writer *w, unsigned number, struct yl_json value)
{
    bool is_string = yl_json_type(value) == YL_JSON_STRING;
    size_t opened = yl_wire_open(w->buf, number);
    int64_t integer = 0;

    yl_wire_put_varint(w->buf, 1, is_string);
    if (is_string) {
        yl_wire_put_bytes(w->buf, 3, string_of(w, value));
    } else {
        yl_json_int64(value, &integer);
        yl_wire_put_varint(w->buf, 2, (uint64_t) integer);
    }
    yl_wire_close(w->buf, opened);
}

static void
write_raw(struct writer *w, const struct slot *slot, unsigned number,
          struct yl_json value)
{
    enum yl_raw_form form = yl_layout_raw_form(slot->owner, slot->field);
    size_t opened = yl_wire_open(w->buf, number);
    struct yl_json_iter it = yl_json_iter(value);
    bool truth = true;

    switch (form) {
    case YL_RAW_JSON:
        yl_wire_put_bytes(w->buf, 1, yl_json_raw(value));
        break;

    case YL_RAW_EMPTY:
        break;

    case YL_RAW_SCHEMA_OR_BOOL:
        if (yl_json_bool(value, &truth) < 0) {
            write_schema(w, slot, 2, value);
        }
        yl_wire_put_varint(w->buf, 1, truth);
        break;

    case YL_RAW_SCHEMA_OR_LIST:
    case YL_RAW_SCHEMA_OR_STRINGS:
        if (yl_json_type(value) == YL_JSON_OBJECT) {
            write_schema(w, slot, 1, value);
        } else {
            while (yl_json_next(&it)) {
                if (form == YL_RAW_SCHEMA_OR_LIST) {
                    write_schema(w, slot, 2, it.value);
                } else {
                    yl_wire_put_bytes(w->buf, 2, string_of(w, it.value));
                }
            }
        }
        break;
    }
    yl_wire_close(w->buf, opened);
}

static void
write_schema(struct writer *w, const struct slot *slot, unsigned number,
             struct yl_json value)
{
    struct yl_layout layout = yl_layout_of(slot->owner);
    size_t opened = yl_wire_open(w->buf, number);

    write_message(w, &layout, value);
    yl_wire_close(w->buf, opened);
}

static struct yl_str
string_of(struct writer *w, struct yl_json value)
{
    struct yl_str s = YL_STR("");

    yl_json_string(value, w->arena, &s);
    return s;
}

static struct yl_str
key_of(struct writer *w, const struct yl_json_iter *it)
{
    char *text;
    size_t size;

    if (!it->escaped) {
        return it->key;
    }
    text = yl_arena_alloc(w->arena, it->key.size);
    return yl_json_unescape(it->key, text, &size) == 0
           ? yl_str_n(text, size) : YL_STR("");
}
