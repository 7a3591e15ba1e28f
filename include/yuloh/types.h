#ifndef YL_TYPES_H
#define YL_TYPES_H 1

/* The types that fields of API records have.
 *
 * A record is a plain C struct that mirrors an API type: the user's own
 * (annotated, see docs/markers.md) or a built-in one (<yuloh/api/core_v1.h>).
 * This header has what such structs are made of beside bool, int32_t, int64_t,
 * double and const char *.
 *
 * How C says what JSON says
 * =========================
 *
 *     const char *name            a string; NULL is absent
 *     int32_t replicas            a number; absent reads as 0
 *     const int32_t *replicas     a number; NULL is absent, 0 is kept
 *     struct foo_spec spec        an object that is always there
 *     const struct foo_spec *spec an object; NULL is absent
 *     const struct foo *foos;     a list,
 *     size_t n_foos;                  and how many; NULL is absent, a list of
 *                                     none that is not NULL is empty
 *     const char *const *args;    a list of strings
 *     size_t n_args;
 *     const struct yl_string_pair *labels;    a map, in the order of the text
 *     size_t n_labels;
 *
 * Whether an empty value is written or left out is said by markers (+optional,
 * +required), not by the C type; see docs/markers.md.  A record owns nothing:
 * all it points to lives in one arena.
 *
 * Records of all zeros are valid and empty.  struct yl_object_meta and its
 * like are in yuloh/meta_types.h, which this includes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/compiler.h"
#include "yuloh/quantity.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

YL_C_BEGIN

/* Bytes; base64 in JSON. */
struct yl_bytes {
    const void *data;           /* NULL is absent. */
    size_t size;
};

/* Any JSON value, as its text; the null slice is absent.  Valid JSON. */
struct yl_raw {
    struct yl_str json;
};

/* A whole object inside another, with its own apiVersion and kind. */
struct yl_embedded {
    struct yl_str json;
};

/* A time with microseconds, as in Leases and Events. */
struct yl_micro_time {
    struct yl_time time;
};

/* A length of time, written as Go does: "1m30s". */
struct yl_duration {
    int64_t nanos;
};

/* A number or a string, such as a port or its name. */
struct yl_int_or_string {
    const char *string;         /* NULL: it is the number. */
    int32_t number;
};

/* Maps are lists of pairs.  Generated headers have such a pair for every
 * struct that is a map's value: struct yl_pair_of_X. */
struct yl_string_pair {
    const char *key;
    const char *value;
};

struct yl_bytes_pair {
    const char *key;
    struct yl_bytes value;
};

struct yl_quantity_pair {
    const char *key;
    struct yl_quantity value;
};

struct yl_raw_pair {
    const char *key;
    struct yl_raw value;
};

struct yl_time_pair {
    const char *key;
    struct yl_time value;
};

struct yl_bool_pair {
    const char *key;
    bool value;
};

struct yl_int32_pair {
    const char *key;
    int32_t value;
};

struct yl_int64_pair {
    const char *key;
    int64_t value;
};

struct yl_double_pair {
    const char *key;
    double value;
};

struct yl_int_or_string_pair {
    const char *key;
    struct yl_int_or_string value;
};

/* A list of strings where a map's value must be one. */
struct yl_strings_pair {
    const char *key;
    const char *const *value;
    size_t n_value;
};

/* Lists and maps where a list's element must be one.  JSON does not see the
 * struct: it has the list or map in its place.
 *
 * +transparent */
struct yl_strings {
    const char *const *items;
    size_t n_items;
};

/* +transparent */
struct yl_string_map {
    const struct yl_string_pair *items;
    size_t n_items;
};

YL_C_END

/* struct yl_object_meta and others.  Included last, because it needs the types
 * above. */
#include "yuloh/meta_types.h"

#endif /* yuloh/types.h */
