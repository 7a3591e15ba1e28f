#ifndef SCHEMA_COMPILER_H
#define SCHEMA_COMPILER_H 1

/* What the two parts of the schema compiler share; see schema/compile.h.
 *
 * compile.c makes types and values, compile_rules.c their rules, which can
 * hold values again. */

#include <stdint.h>

#include "base/arena.h"
#include "schema/compile.h"
#include "schema/intern.h"
#include "yuloh/compiler.h"
#include "yuloh/schema.h"

struct yl_error;
struct yl_field_path;
struct yl_schema_props;

enum yl_compiler_table {
    YL_TABLE_TYPES,
    YL_TABLE_FIELDS,
    YL_TABLE_VALUES,
    YL_TABLE_RULES,
    YL_TABLE_STRINGS,
    YL_N_TABLES,
};

struct yl_compiler {
    const struct yl_schema_opts *opts;
    struct yl_error *err;
    struct yl_arena arena;
    struct yl_intern tables[YL_N_TABLES];
    int code;                   /* The first error; 0 while there is none. */
};

/* A run of rules that is being made. */
struct yl_compiler_rules {
    struct yl_rule *rows;
    size_t n;
};

/* The numbers of a value and of a text, which has no NUL in it; 0 after an
 * error. */
uint16_t yl_compile_value(struct yl_compiler *, const struct yl_field_path *,
                          const struct yl_schema_props *);
uint32_t yl_compile_text(struct yl_compiler *, const struct yl_field_path *,
                         struct yl_str);

/* The rules of a value or of the root, in the order of their numbers, with
 * room for one more: the required names of a type, unless its fields have the
 * same in the same order. */
struct yl_compiler_rules yl_compile_rules(struct yl_compiler *,
                                          const struct yl_field_path *,
                                          const struct yl_schema_props *,
                                          enum yl_value_kind);
void yl_compile_required(struct yl_compiler *, const struct yl_field_path *,
                         const struct yl_schema_props *,
                         struct yl_compiler_rules *);

/* Sets the first error, with its place. */
void yl_compile_fault(struct yl_compiler *, const struct yl_field_path *,
                      int code, const char *format, ...) YL_PRINTF(4, 5);

#endif /* schema/compiler.h */
