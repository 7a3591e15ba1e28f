#ifndef SCHEMA_LIMITS_H
#define SCHEMA_LIMITS_H 1

/* Limits of one value, and their checks: the part of validation that looks at
 * one value at a time.  See schema/validate.h.
 *
 * Limits come from the rules of a descriptor. */

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
    struct yl_error *err;       /* Collects the causes; never NULL. */
    size_t n_passed;            /* Checks that succeeded. */
    struct yl_parsed *parsed;   /* Borrowed; the texts of rules. */
};

struct yl_limits {
    const char *types;          /* "integer", "integer,string"; NULL: any. */
    const char *format;         /* NULL: none. */
    bool nullable;
    bool has_minimum, exclusive_minimum;
    bool has_maximum, exclusive_maximum;
    bool has_multiple_of;
    bool unique_items;
    double minimum, maximum, multiple_of;
    int64_t min_length, max_length;     /* Negative: none; likewise below. */
    int64_t min_items, max_items;
    int64_t min_properties, max_properties;
    struct yl_str pattern;      /* Null: none. */
    const struct yl_node *enum_;    /* An array; NULL: none. */
};

void yl_limits_init(struct yl_limits *);

/* Adds a rule, unless it is no limit. */
void yl_limits_add_rule(struct yl_limits *, struct yl_parsed *,
                        const struct yl_type_set *, const struct yl_rule *);

/* Checks the type of 'node'; false if it is wrong. */
bool yl_limits_check_type(struct yl_validation *, const struct yl_limits *,
                          const struct yl_field_path *,
                          const struct yl_node *);

/* Checks everything else. */
void yl_limits_check(struct yl_validation *, const struct yl_limits *,
                     const struct yl_field_path *, const struct yl_node *);

/* Appends the path as messages show it: nothing for the root. */
void yl_limits_write_name(struct yl_buf *, const struct yl_field_path *);

#endif /* schema/limits.h */
