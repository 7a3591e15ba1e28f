#ifndef STORAGE_SQLITE_ROW_H
#define STORAGE_SQLITE_ROW_H 1

/* Rows of the log, in and out of SQLite, with their checksums.
 *
 *     CREATE TABLE log (
 *         revision  INTEGER PRIMARY KEY,
 *         previous  INTEGER NOT NULL,     the key's revision before; 0: none
 *         operation TEXT NOT NULL,        'put' or 'delete'
 *         checksum  INTEGER NOT NULL,
 *         key       TEXT NOT NULL,        '/registry/pods/default/web'
 *         value     TEXT)                 JSON; NULL for a deletion
 *
 * The checksum is SipHash-1-3 of the value, keyed with the operation (1 or 2)
 * and the SipHash-1-3 of the key, which is keyed with both revisions.  So it
 * covers each column without joining them, and a row that was moved, or mixed
 * from two, does not match either. */

#include <sqlite3.h>

#include "storage/storage.h"

/* The columns to select for yl_sqlite_row_read(), in this order. */
#define YL_SQLITE_ROW_COLUMNS \
    "revision, previous, operation, checksum, key, value"

/* Binds the six columns to the parameters 1 to 6. */
void yl_sqlite_row_bind(sqlite3_stmt *, const struct yl_storage_row *);

/* Reads the statement's current row; key and value are valid until its next
 * step.  0, or YL_ESTOREREAD if it is damaged. */
int yl_sqlite_row_read(sqlite3_stmt *, struct yl_storage_row *ret_row,
                       struct yl_error *err);

#endif /* storage/sqlite_row.h */
