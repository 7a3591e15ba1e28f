#ifndef STORAGE_SQLITE_AHEAD_H
#define STORAGE_SQLITE_AHEAD_H 1

/* Reading ahead: a thread reads the log and verifies it while the caller makes
 * objects of what was read.
 *
 *     SQLite -> reader's thread -> blocks of rows -> caller's 'each'
 *
 * Both take about the same time, so a start on two cores takes half as long as
 * on one.  The reader is only a few blocks ahead. */

#include <sqlite3.h>

#include "storage/storage.h"

/* The same as yl_sqlite_db_scan(): 'each' is called on the caller's thread, in
 * order, and not for rows behind one that is damaged.  The connection must not
 * be used meanwhile.  YL_EUNAVAILABLE if no thread can be started. */
int yl_sqlite_ahead_scan(sqlite3 *, yl_storage_row_fn *each, void *aux,
                         struct yl_error *err);

#endif /* storage/sqlite_ahead.h */
