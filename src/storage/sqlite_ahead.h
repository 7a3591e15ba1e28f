#ifndef STORAGE_SQLITE_AHEAD_H
#define STORAGE_SQLITE_AHEAD_H 1

/* Reading ahead: a thread reads the log and verifies it while the caller makes
 * objects of what was read.
 *
 *     SQLite -> reader's thread -> blocks of rows -> caller's 'each'
 *
 * Both take about as long, so a start with two cores takes half as long as
 * with one.  The reader is at most some blocks ahead. */

#include <sqlite3.h>

#include "storage/storage.h"

/* yl_sqlite_db_scan(), whose words hold here too: 'each' is called by the
 * caller's thread, in order, and not for what stands behind a row that is
 * damaged.  The connection must not be used meanwhile.  YL_EUNAVAILABLE if
 * there is no thread to be had. */
int yl_sqlite_ahead_scan(sqlite3 *, yl_storage_row_fn *each, void *aux,
                         struct yl_error *err);

#endif /* storage/sqlite_ahead.h */
