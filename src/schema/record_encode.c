/* From a record to JSON.  See yuloh/record.h for the contract.
 *
 * Fields are in the order of their names in the tables, so the output is
 * sorted. */

#include "yuloh/record.h"

#include "base/arena.h"
#include "json/base64.h"
#include "json/text.h"
#include "schema/record.h"

/* No record is as large; the arena is the limit. */
#define MAX_SIZE ((size_t) 1 << 31)

static void encode_struct(struct yl_buf *, struct yl_type_ref,
                          const void *record, bool empty);
static bool encode_field(struct yl_buf *, struct yl_type_ref,
                         const struct yl_field *, const void *record,
                         bool first);
static void encode_value(struct yl_buf *, const struct yl_type_set *,
                         const struct yl_value *, const void *at,
                         const void *count);
static void encode_list(struct yl_buf *, const struct yl_type_set *,
                        const struct yl_value *, struct yl_elements);
static void encode_map(struct yl_buf *, const struct yl_type_set *,
                       const struct yl_value *, struct yl_elements);
static void encode_time(struct yl_buf *, const struct yl_value *,
                        struct yl_time);
static void encode_quantity(struct yl_buf *, const struct yl_quantity *);
static struct yl_str take(struct yl_buf *, struct yl_arena *);

struct yl_str
yl_record_encode(const struct yl_kind *kind, const void *record,
                 struct yl_arena *arena)
{
    const struct yl_type_set *set = kind->set;
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_SIZE);
    yl_buf_printf(&buf, "{\"apiVersion\":\"%s%s%s\",\"kind\":\"%s\"",
                  set->group, *set->group ? "/" : "", set->version,
                  kind->name);
    encode_struct(&buf, yl_kind_type(kind), record, false);
    return take(&buf, arena);
}

struct yl_str
yl_type_encode(struct yl_type_ref ref, const void *record,
               struct yl_arena *arena)
{
    struct yl_buf buf;

    yl_buf_init(&buf, MAX_SIZE);
    yl_buf_append_char(&buf, '{');
    encode_struct(&buf, ref, record, true);
    return take(&buf, arena);
}

/* Writes the members and the closing brace; 'empty' tells whether nothing
 * follows the opening one yet. */
static void
encode_struct(struct yl_buf *buf, struct yl_type_ref ref, const void *record,
              bool empty)
{
    const struct yl_field *field = &ref.set->fields[ref.type->fields];
    const struct yl_field *end = field + ref.type->n_fields;

    for (; field < end; field++) {
        if (encode_field(buf, ref, field, record, empty)) {
            empty = false;
        }
    }
    yl_buf_append_char(buf, '}');
}

/* Writes the member unless it is left out.  Returns whether it was written. */
static bool
encode_field(struct yl_buf *buf, struct yl_type_ref ref,
             const struct yl_field *field, const void *record, bool first)
{
    const struct yl_value *value = &ref.set->values[field->value];
    const void *at = (const char *) record + field->offset;
    const void *count = (const char *) record + field->count_offset;
    bool absent = false;

    switch ((enum yl_presence) field->presence) {
    case YL_PRESENCE_OMIT_EMPTY:
        /* As in Go, a struct is never empty. */
        if (value->kind != YL_VALUE_STRUCT && value->kind != YL_VALUE_TIME
            && value->kind != YL_VALUE_MICRO_TIME
            && value->kind != YL_VALUE_DURATION
            && value->kind != YL_VALUE_INT_OR_STRING
            && yl_value_is_zero(ref.set, value, at, count)) {
            return false;
        }
        break;

    case YL_PRESENCE_OMIT_ZERO:
        if (yl_value_is_zero(ref.set, value, at, count)) {
            return false;
        }
        break;

    case YL_PRESENCE_POINTER:
    case YL_PRESENCE_POINTER_ALWAYS:
        /* Pointers, bytes and raw JSON all start with a pointer. */
        absent = *(const void *const *) at == NULL;
        if (absent && field->presence == YL_PRESENCE_POINTER) {
            return false;
        }
        if (!absent && yl_field_is_pointer(field, value)) {
            at = *(const void *const *) at;
        }
        break;

    case YL_PRESENCE_ALWAYS:
    default:
        break;
    }
    yl_buf_append(buf, ",\"", 2);
    if (first) {
        buf->size -= 2;
        yl_buf_append_char(buf, '"');
    }
    yl_buf_append(buf, ref.set->strings + field->name, field->name_size);
    yl_buf_append(buf, "\":", 2);
    if (absent) {
        yl_buf_append_c(buf, "null");
    } else {
        encode_value(buf, ref.set, value, at, count);
    }
    return true;
}

static void
encode_value(struct yl_buf *buf, const struct yl_type_set *set,
             const struct yl_value *value, const void *at, const void *count)
{
    const struct yl_int_or_string *either;
    const struct yl_bytes *bytes;
    struct yl_elements elements;
    char text[YL_DURATION_TEXT_SIZE];
    struct yl_str json;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        yl_buf_append_c(buf, *(const bool *) at ? "true" : "false");
        break;

    case YL_VALUE_INT32:
        yl_json_write_int64(buf, *(const int32_t *) at);
        break;

    case YL_VALUE_INT64:
        yl_json_write_int64(buf, *(const int64_t *) at);
        break;

    case YL_VALUE_DOUBLE:
        yl_json_write_double(buf, *(const double *) at);
        break;

    case YL_VALUE_STRING:
        yl_json_write_string(buf, yl_str_c(*(const char *const *) at));
        break;

    case YL_VALUE_BYTES:
        bytes = at;
        if (!bytes->data) {
            yl_buf_append_c(buf, "null");
            break;
        }
        yl_buf_append_char(buf, '"');
        yl_base64_write(buf, yl_str_n(bytes->data, bytes->size));
        yl_buf_append_char(buf, '"');
        break;

    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        encode_time(buf, value, *(const struct yl_time *) at);
        break;

    case YL_VALUE_DURATION:
        yl_json_write_string(
            buf, yl_str_n(text, yl_duration_write(
                                    ((const struct yl_duration *) at)->nanos,
                                    text)));
        break;

    case YL_VALUE_QUANTITY:
        encode_quantity(buf, at);
        break;

    case YL_VALUE_INT_OR_STRING:
        either = at;
        if (either->string) {
            yl_json_write_string(buf, yl_str_c(either->string));
        } else {
            yl_json_write_int64(buf, either->number);
        }
        break;

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        json = ((const struct yl_raw *) at)->json;
        yl_buf_append_str(buf, json.size ? json : YL_STR("null"));
        break;

    case YL_VALUE_STRUCT:
        yl_buf_append_char(buf, '{');
        encode_struct(buf, yl_value_type(set, value), at, true);
        break;

    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        elements.first = *(const char *const *) at;
        elements.n = *(const size_t *) count;
        if (!elements.first) {
            yl_buf_append_c(buf, "null");
        } else if (value->kind == YL_VALUE_LIST) {
            encode_list(buf, set, value, elements);
        } else {
            encode_map(buf, set, value, elements);
        }
        break;

    case YL_VALUE_NONE:
    default:
        yl_buf_append_c(buf, "null");
        break;
    }
}

static void
encode_list(struct yl_buf *buf, const struct yl_type_set *set,
            const struct yl_value *value, struct yl_elements elements)
{
    const struct yl_value *element = &set->values[value->element];
    const char *at = elements.first;
    size_t i;

    yl_buf_append_char(buf, '[');
    for (i = 0; i < elements.n; i++, at += value->element_size) {
        if (i) {
            yl_buf_append_char(buf, ',');
        }
        encode_value(buf, set, element, at, yl_element_count(element, at));
    }
    yl_buf_append_char(buf, ']');
}

static void
encode_map(struct yl_buf *buf, const struct yl_type_set *set,
           const struct yl_value *value, struct yl_elements elements)
{
    const struct yl_value *element = &set->values[value->element];
    const char *pair = elements.first;
    size_t i;

    yl_buf_append_char(buf, '{');
    for (i = 0; i < elements.n; i++, pair += value->element_size) {
        const char *at = pair + YL_PAIR_VALUE;

        if (i) {
            yl_buf_append_char(buf, ',');
        }
        yl_json_write_string(
            buf, yl_str_c(*(const char *const *) (const void *) pair));
        yl_buf_append_char(buf, ':');
        encode_value(buf, set, element, at, yl_element_count(element, at));
    }
    yl_buf_append_char(buf, '}');
}

static void
encode_time(struct yl_buf *buf, const struct yl_value *value,
            struct yl_time time)
{
    char text[YL_TIME_TEXT_SIZE];
    size_t size;

    if (yl_time_is_absent(time)) {
        yl_buf_append_c(buf, "null");
        return;
    }
    size = value->kind == YL_VALUE_TIME ? yl_time_write(time, text)
                                        : yl_micro_time_write(time, text);
    yl_json_write_string(buf, yl_str_n(text, size));
}

static void
encode_quantity(struct yl_buf *buf, const struct yl_quantity *quantity)
{
    char room[YL_QUANTITY_TEXT_SIZE];

    yl_json_write_string(buf, yl_quantity_text(quantity, room));
}

static struct yl_str
take(struct yl_buf *buf, struct yl_arena *arena)
{
    struct yl_str json = yl_arena_copy(arena, yl_buf_str(buf));

    yl_buf_release(buf);
    return json;
}
