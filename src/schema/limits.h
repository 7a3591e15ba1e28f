#ifndef SCHEMA_LIMITS_H
#define SCHEMA_LIMITS_H 1

/* Limits of one value, and their checks: the part of validation that looks at
 * one value at a time.  See schema/validate.h.
 *
 * Limits come from the rules of a descriptor, and each is read once for a
 * value.  The checks are separate functions, because what is below a value is
 * checked between them. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/validate.h"
#include "yuloh/schema.h"

struct yl_arena;
struct yl_buf;
struct yl_error;
struct yl_field_path;
struct yl_node;
struct yl_parsed;

/* A walk that validates. */
struct yl_validation {
    const struct yl_validate_opts *opts;
    struct yl_arena *arena;     /* For what is parsed on the way. */
    struct yl_error *err;       /* Collects the causes; NULL to count only. */
    size_t n_faults;            /* Faults so far. */
    size_t n_passed;            /* Upstream's count of matches, by which it
                                 * finds the closest of alternatives. */
    bool is_map;                /* Is the root a map?  Then names in messages
                                 * begin with a dot, as upstream's. */
    struct yl_parsed *parsed;   /* Borrowed; the texts of rules. */
};

struct yl_limits {
    const char *types;          /* "integer", "integer,string"; NULL: any. */
    const char *format;         /* NULL: none, or one that goes with no value
                                 * of these types. */
    bool nullable;
    bool has_minimum, exclusive_minimum;
    bool has_maximum, exclusive_maximum;
    bool has_multiple_of;
    bool unique_items;
    double minimum, maximum, multiple_of;
    int64_t min_length, max_length;     /* INT64_MIN and INT64_MAX for none;
                                         * likewise below. */
    int64_t min_items, max_items;
    int64_t min_properties, max_properties;
    struct yl_str pattern;      /* Null: none. */
    const char *enum_;          /* A JSON array; NULL: none. */
};

/* The limits of a value of this kind with these flags and rules.  Formats that
 * do not go with the type are left out. */
void yl_limits_read(struct yl_limits *, const struct yl_type_set *,
                    enum yl_value_kind, unsigned flags,
                    const struct yl_rule *, size_t n);

/* Puts the format back that was left out. */
void yl_limits_keep_format(struct yl_limits *, const struct yl_type_set *,
                           const struct yl_rule *, size_t n);

/* Checks the type of 'node'; false if it is wrong. */
bool yl_limits_check_type(struct yl_validation *, const struct yl_limits *,
                          const struct yl_field_path *,
                          const struct yl_node *);

/* Check what a string or number is, how many elements a list or members an
 * object has, and whether the value is one of the enum's. */
void yl_limits_check_scalar(struct yl_validation *, const struct yl_limits *,
                            const struct yl_field_path *,
                            const struct yl_node *);
void yl_limits_check_items(struct yl_validation *, const struct yl_limits *,
                           const struct yl_field_path *,
                           const struct yl_node *);
void yl_limits_check_enum(struct yl_validation *, const struct yl_limits *,
                          const struct yl_field_path *,
                          const struct yl_node *);
void yl_limits_check_members(struct yl_validation *, const struct yl_limits *,
                             const struct yl_field_path *,
                             const struct yl_node *);

/* Counts a fault; true if it is to be reported. */
static inline bool
yl_limits_found(struct yl_validation *v)
{
    v->n_faults++;
    return v->err;
}

/* Appends the path as messages show it: from the root of the walk on, so
 * nothing for the root. */
void yl_limits_write_name(struct yl_buf *, const struct yl_validation *,
                          const struct yl_field_path *);

#endif /* schema/limits.h */
