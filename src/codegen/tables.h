#ifndef CODEGEN_TABLES_H
#define CODEGEN_TABLES_H 1

/* The model as C text: the rows of the tables in yuloh/schema.h.
 *
 * Equal texts, values and sequences of rules are written once.  Rows refer to
 * each other by number.  Offsets and sizes in records are left to the compiler
 * (offsetof). */

#include <stddef.h>

#include "base/buf.h"
#include "base/map.h"
#include "codegen/model.h"

/* A pool in which equal items are stored once, found by their text. */
struct yl_pool {
    struct yl_map index;
    struct yl_buf text;         /* The table's rows so far. */
    unsigned n;                 /* The next number. */
};

struct yl_tables {
    const struct yl_gen_unit *unit;
    struct yl_arena *arena;
    struct yl_pool strings;     /* Numbered by offset. */
    struct yl_pool values;
    struct yl_pool rules;       /* Sequences, by their first rule. */
    struct yl_buf types, fields, columns, kinds;
    unsigned n_fields, n_columns, n_kinds;
    const struct yl_gen_type *type;     /* Whose rows are being made. */
    const char *too_big;        /* What did not fit first; NULL if all did. */
};

/* Fills in all tables; 0, or YL_ETOOBIG with what does not fit the numbers of
 * the tables, and in which struct. */
int yl_tables_build(struct yl_tables *, struct yl_gen_unit *,
                    struct yl_error *err);
void yl_tables_release(struct yl_tables *);

/* Appends 'items', separated by blanks outside of parentheses, as lines of at
 * most 79 columns.  The first line is indented by 'indent', the others by two
 * more. */
void yl_write_wrapped(struct yl_buf *, unsigned indent, const char *items);

#endif /* codegen/tables.h */
