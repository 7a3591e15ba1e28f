#ifndef SCHEMA_RECORD_H
#define SCHEMA_RECORD_H 1

/* Where the parts of a record are; for the four walkers over records
 * (record_decode.c, record_encode.c, record_copy.c, record_equal.c).
 *
 * A value is stored in a record
 *
 *   - as itself: the field is not a pointer, or is an element;
 *   - behind a pointer: presence is YL_PRESENCE_POINTER or _POINTER_ALWAYS,
 *     except of strings, which are pointers anyway, and of bytes, raw JSON,
 *     lists and maps, which know absence themselves. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/schema.h"
#include "yuloh/types.h"

/* Records nest as deep as JSON does. */
#define YL_RECORD_MAX_DEPTH 1000

/* Where the value of a pair is: behind the key. */
#define YL_PAIR_VALUE sizeof(const char *)

/* A list or map in a record. */
struct yl_elements {
    const char *first;          /* NULL if absent. */
    size_t n;
};

/* Is the field's value behind a pointer of its own? */
static inline bool
yl_field_is_pointer(const struct yl_field *field, const struct yl_value *value)
{
    if (field->presence != YL_PRESENCE_POINTER
        && field->presence != YL_PRESENCE_POINTER_ALWAYS) {
        return false;
    }
    switch ((enum yl_value_kind) value->kind) {
    case YL_VALUE_STRING:
    case YL_VALUE_BYTES:
    case YL_VALUE_RAW:
    case YL_VALUE_EMBEDDED:
    case YL_VALUE_LIST:
    case YL_VALUE_MAP:
        return false;
    case YL_VALUE_NONE:
    case YL_VALUE_BOOL:
    case YL_VALUE_INT32:
    case YL_VALUE_INT64:
    case YL_VALUE_DOUBLE:
    case YL_VALUE_TIME:
    case YL_VALUE_MICRO_TIME:
    case YL_VALUE_DURATION:
    case YL_VALUE_QUANTITY:
    case YL_VALUE_INT_OR_STRING:
    case YL_VALUE_STRUCT:
    default:
        return true;
    }
}

/* Bytes that one value takes; for a list or map, without its elements. */
size_t yl_value_size(const struct yl_type_set *, const struct yl_value *);

/* Is a value of zeros, or a struct of such, or a list or map of none? */
bool yl_value_is_zero(const struct yl_type_set *, const struct yl_value *,
                      const void *at, const void *count);

/* A record of zeros has no times, so the first second of 1970 is stored as one
 * nanosecond later, which is written the same. */
static inline bool
yl_time_is_absent(struct yl_time time)
{
    return (time.seconds == 0 && time.nanos == 0) || yl_time_is_zero(time);
}

/* A list or map that is an element of another is stored as a pointer and a
 * count, one after the other. */
static inline const void *
yl_element_count(const struct yl_value *value, const void *at)
{
    return value->kind == YL_VALUE_LIST || value->kind == YL_VALUE_MAP
               ? (const char *) at + sizeof(void *) : NULL;
}

#endif /* schema/record.h */
