#ifndef SCHEMA_COMPILER_H
#define SCHEMA_COMPILER_H 1

/* What the parts of the schema compiler share; see schema/compile.h.
 *
 * compile.c makes types and values, compile_rules.c their rules, which can
 * hold values again. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/ref.h"
#include "schema/compile.h"
#include "schema/intern.h"
#include "yuloh/compiler.h"
#include "yuloh/schema.h"

struct yl_error;
struct yl_field_path;
struct yl_schema_cache;
struct yl_schema_props;

struct yl_schema {
    struct yl_ref ref;
    uint16_t root;              /* In the set's types, */
    uint16_t value;             /* or in its values. */
    unsigned features;          /* enum yl_schema_features. */
    struct yl_schema_cache *cache;  /* The one that it is in; or NULL. */
    struct yl_map_node in_cache;
    size_t size;                /* Bytes of 'bytes'. */
    struct yl_type_set set;     /* Its tables are in 'bytes'. */
    _Alignas(max_align_t) char bytes[];
};

/* Drops a reference to a schema in a cache; true if it was the last, and the
 * schema is to be freed. */
bool yl_schema_cache_put(struct yl_schema *);

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
    unsigned nested;            /* Inside of how many alternatives?  There only
                                 * what judges is compiled: the text of the
                                 * outermost one has the rest. */
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
