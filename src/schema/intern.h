#ifndef SCHEMA_INTERN_H
#define SCHEMA_INTERN_H 1

/* A table that holds equal runs of rows once.
 *
 * Descriptors that are made at run time share what is equal: texts, values,
 * runs of rules and of fields, types.  Rows refer to each other by number, so
 * that two runs are equal if their bytes are.  Row 0 is all zeros and means
 * "none". */

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"

struct yl_arena;

struct yl_intern {
    struct yl_arena *arena;     /* Lent; for the index. */
    size_t row_size;
    struct yl_buf rows;
    struct yl_map runs;
};

/* A table of at most 'max' bytes. */
void yl_intern_init(struct yl_intern *, struct yl_arena *, size_t row_size,
                    size_t max);
void yl_intern_release(struct yl_intern *);

/* The number of the first row of a run that is equal to the 'n' rows at
 * 'rows', which are added if there is none; 0 if 'n' is 0.  Padding is
 * compared too, so rows must be zeroed before they are filled in.  YL_ETOOBIG
 * if they do not fit. */
int64_t yl_intern_add(struct yl_intern *, const void *rows, size_t n);

/* Rows so far, the one at 0 included. */
static inline size_t
yl_intern_count(const struct yl_intern *intern)
{
    return intern->rows.size / intern->row_size;
}

#endif /* schema/intern.h */
