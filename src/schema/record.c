/* Where the parts of a record are.  See schema/record.h. */

#include "schema/record.h"

#include <string.h>

static bool type_is_zero(struct yl_type_ref, const void *record);

size_t
yl_value_size(const struct yl_type_set *set, const struct yl_value *value)
{
    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        return sizeof(bool);
    case YL_VALUE_INT32:
        return sizeof(int32_t);
    case YL_VALUE_INT64:
        return sizeof(int64_t);
    case YL_VALUE_DOUBLE:
        return sizeof(double);
    case YL_VALUE_STRING:
        return sizeof(const char *);
    case YL_VALUE_BYTES:
        return sizeof(struct yl_bytes);
    case YL_VALUE_TIME:
        return sizeof(struct yl_time);
    case YL_VALUE_MICRO_TIME:
        return sizeof(struct yl_micro_time);
    case YL_VALUE_DURATION:
        return sizeof(struct yl_duration);
    case YL_VALUE_QUANTITY:
        return sizeof(struct yl_quantity);
    case YL_VALUE_INT_OR_STRING:
        return sizeof(struct yl_int_or_string);
    case YL_VALUE_RAW:
        return sizeof(struct yl_raw);
    case YL_VALUE_EMBEDDED:
        return sizeof(struct yl_embedded);
    case YL_VALUE_STRUCT:
        return yl_value_type(set, value).type->record_size;
    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        return sizeof(void *) + sizeof(size_t);
    case YL_VALUE_NONE:
    default:
        return 0;
    }
}

bool
yl_value_is_zero(const struct yl_type_set *set, const struct yl_value *value,
                 const void *at, const void *count)
{
    const struct yl_int_or_string *number;

    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_BOOL:
        return !*(const bool *) at;
    case YL_VALUE_INT32:
        return *(const int32_t *) at == 0;
    case YL_VALUE_INT64:
        return *(const int64_t *) at == 0;
    case YL_VALUE_DOUBLE:
        return *(const double *) at == 0;
    case YL_VALUE_STRING:
        return !*(const char *const *) at || !**(const char *const *) at;
    case YL_VALUE_BYTES:
        return ((const struct yl_bytes *) at)->size == 0;
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
        return yl_time_is_absent(*(const struct yl_time *) at);
    case YL_VALUE_DURATION:
        return ((const struct yl_duration *) at)->nanos == 0;
    case YL_VALUE_QUANTITY:
        return false;           /* It is a struct in Go, so "0" is written. */
    case YL_VALUE_INT_OR_STRING:
        number = at;
        return !number->string && number->number == 0;
    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
        return ((const struct yl_raw *) at)->json.size == 0;
    case YL_VALUE_STRUCT:
        return type_is_zero(yl_value_type(set, value), at);
    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        return *(const size_t *) count == 0;
    case YL_VALUE_NONE:
    default:
        return true;
    }
}

/* A struct is zero when each of its fields is zero or absent. */
static bool
type_is_zero(struct yl_type_ref ref, const void *record)
{
    const struct yl_field *field = &ref.set->fields[ref.type->fields];
    const struct yl_field *end = field + ref.type->n_fields;

    for (; field < end; field++) {
        const struct yl_value *value = &ref.set->values[field->value];
        const char *at = (const char *) record + field->offset;

        if (yl_field_is_pointer(field, value)
                ? *(const void *const *) (const void *) at != NULL
                : !yl_value_is_zero(ref.set, value, at,
                                    (const char *) record
                                        + field->count_offset)) {
            return false;
        }
    }
    return true;
}
