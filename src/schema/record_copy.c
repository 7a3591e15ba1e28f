/* Deep copies of records.  See yuloh/record.h for the contract. */

#include "yuloh/record.h"

#include "base/arena.h"
#include "schema/record.h"

static void copy_value(struct yl_arena *, const struct yl_type_set *,
                       const struct yl_value *, void *at, const void *count);
static void copy_elements(struct yl_arena *, const struct yl_type_set *,
                          const struct yl_value *, void *at, size_t n);
static const char *copy_string(struct yl_arena *, const char *);
static void copy_fields(struct yl_arena *, struct yl_type_ref, void *record);

void
yl_record_copy(const struct yl_kind *kind, const void *record,
               struct yl_arena *arena, void *copy)
{
    yl_type_copy(yl_kind_type(kind), record, arena, copy);
}

void
yl_type_copy(struct yl_type_ref ref, const void *record,
             struct yl_arena *arena, void *copy)
{
    memcpy(copy, record, ref.type->record_size);
    copy_fields(arena, ref, copy);
}

/* 'record' is a shallow copy of the struct: replaces what it points to by
 * copies. */
static void
copy_fields(struct yl_arena *arena, struct yl_type_ref ref, void *record)
{
    const struct yl_field *field = &ref.set->fields[ref.type->fields];
    const struct yl_field *end = field + ref.type->n_fields;

    for (; field < end; field++) {
        const struct yl_value *value = &ref.set->values[field->value];
        void *at = (char *) record + field->offset;

        if (yl_field_is_pointer(field, value)) {
            size_t size = yl_value_size(ref.set, value);
            void *thing = *(void **) at;

            if (!thing) {
                continue;
            }
            *(void **) at = memcpy(yl_arena_alloc(arena, size), thing, size);
            at = *(void **) at;
        }
        copy_value(arena, ref.set, value, at,
                   (char *) record + field->count_offset);
    }
}

static void
copy_value(struct yl_arena *arena, const struct yl_type_set *set,
           const struct yl_value *value, void *at, const void *count)
{
    struct yl_quantity *quantity;
    struct yl_bytes *bytes;
    const char **string;
    struct yl_raw *raw;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_STRING:
    case YL_VALUE_INT_OR_STRING:
        string = at;            /* For the latter this is the first member. */
        *string = copy_string(arena, *string);
        break;

    case YL_VALUE_BYTES:
        bytes = at;
        if (bytes->data) {
            bytes->data = yl_arena_copy(arena, yl_str_n(bytes->data,
                                                        bytes->size)).data;
        }
        break;

    case YL_VALUE_QUANTITY:
        quantity = at;
        if (quantity->written.data) {
            quantity->written = yl_arena_copy(arena, quantity->written);
        }
        break;

    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        raw = at;
        if (raw->json.data) {
            raw->json = yl_arena_copy(arena, raw->json);
        }
        break;

    case YL_VALUE_STRUCT:
        copy_fields(arena, yl_value_type(set, value), at);
        break;

    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        if (*(void **) at) {
            copy_elements(arena, set, value, at, *(const size_t *) count);
        }
        break;

    case YL_VALUE_NONE:
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_DURATION:
    default:
        break;                  /* The struct has no pointers. */
    }
}

static void
copy_elements(struct yl_arena *arena, const struct yl_type_set *set,
              const struct yl_value *value, void *at, size_t n)
{
    const struct yl_value *element = &set->values[value->element];
    size_t size = value->element_size;
    char *first = yl_arena_alloc(arena, n * size);
    size_t i;

    memcpy(first, *(void **) at, n * size);
    *(void **) at = first;
    for (i = 0; i < n; i++, first += size) {
        char *place = first;

        if (value->kind == YL_VALUE_MAP) {
            const char **key = (const char **) (void *) place;

            *key = copy_string(arena, *key);
            place += YL_PAIR_VALUE;
        }
        copy_value(arena, set, element, place,
                   yl_element_count(element, place));
    }
}

static const char *
copy_string(struct yl_arena *arena, const char *s)
{
    return s ? yl_arena_strdup(arena, yl_str_c(s)) : NULL;
}
