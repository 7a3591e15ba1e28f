#ifndef BUILTIN_COLUMNS_COLUMNS_H
#define BUILTIN_COLUMNS_COLUMNS_H 1

/* What "kubectl get" shows of the built-in kinds: Tables.
 *
 *     block -> bytes -> [columns] -> a row of the Table -> socket
 *
 * A client that asks for as=Table gets column definitions once and one row of
 * cells for each object.  Some cells are fields, others are worked out: a
 * Pod's STATUS depends on its phase, its conditions and all its containers.
 * Fields are read by walking the object's bytes; no tree is built.
 *
 * Guarantees
 * ==========
 *
 *   - Cells are what kube-apiserver 1.36 answers, numbers as numbers and text
 *     as text, even where that disagrees with the column's type.
 *
 *   - A row always has all columns.  Clients hide those of a priority above 0
 *     themselves, unless they were asked for a wide output.
 *
 *   - Every kind has columns: those without columns of their own have a name
 *     and the time they were created.
 *
 *   - Any object makes a row: absent fields and fields of a wrong type count
 *     as empty.
 *
 *   - The cost is about linear in the bytes of the object.
 *
 * Objects are expected in the version that is stored (autoscaling/v2, batch/v1
 * and so on), except that Events may be of both their groups.
 *
 * Columns have no descriptions: upstream's are its documentation, which is
 * not ours to copy, and no client shows them.
 *
 * Ownership
 * =========
 *
 * Columns are constant.  The arena is used for temporary data and may be
 * cleared after each row.
 *
 * Threads
 * =======
 *
 * Any thread may use them.
 *
 * Usage
 * =====
 *
 *     const struct yl_columns *columns = yl_builtin_columns(YL_STR("apps"),
 *                                                  YL_STR("Deployment"));
 *     yl_columns_write_definitions(columns, out);
 *     for (each object) {
 *         yl_columns_write_cells(columns, object, now, arena, out);
 *     } */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_columns;

/* The columns of 'kind' in 'group' ("" is the core group); never NULL. */
const struct yl_columns *yl_builtin_columns(struct yl_str group,
                                            struct yl_str kind);

/* Whether they are the default columns, for kinds without columns of their
 * own. */
bool yl_columns_are_plain(const struct yl_columns *);

/* Appends the Table's "columnDefinitions", a JSON array. */
void yl_columns_write_definitions(const struct yl_columns *, struct yl_buf *);

/* Appends a row's "cells", a JSON array; ages count from 'now'. */
void yl_columns_write_cells(const struct yl_columns *, struct yl_json object,
                            struct yl_time now, struct yl_arena *,
                            struct yl_buf *);

/* Appends a row's "conditions", a JSON array, and returns true; or appends
 * nothing if the row has none.  A Pod that has ended has one. */
bool yl_columns_write_conditions(const struct yl_columns *,
                                 struct yl_json object, struct yl_buf *);

#endif /* builtin/columns/columns.h */
