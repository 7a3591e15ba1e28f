/* Rows of the log.  See storage/sqlite_row.h for the format. */

#include "storage/sqlite_row.h"

#include "base/hash.h"

enum column {
    REVISION,
    PREVIOUS,
    OPERATION,
    CHECKSUM,
    KEY,
    VALUE,
};

static uint64_t checksum(const struct yl_storage_row *);
static struct yl_str read_text(sqlite3_stmt *, int column);
static int read_operation(sqlite3_stmt *, bool *ret_delete);
static int damaged(const struct yl_storage_row *, struct yl_error *err);

void
yl_sqlite_row_bind(sqlite3_stmt *stmt, const struct yl_storage_row *row)
{
    sqlite3_bind_int64(stmt, REVISION + 1, (sqlite3_int64) row->revision);
    sqlite3_bind_int64(stmt, PREVIOUS + 1, (sqlite3_int64) row->previous);
    sqlite3_bind_text(stmt, OPERATION + 1, row->delete_ ? "delete" : "put",
                      -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, CHECKSUM + 1, (sqlite3_int64) checksum(row));
    sqlite3_bind_text64(stmt, KEY + 1, row->key.data, row->key.size,
                        SQLITE_STATIC, SQLITE_UTF8);
    if (row->delete_) {
        sqlite3_bind_null(stmt, VALUE + 1);
    } else {
        sqlite3_bind_text64(stmt, VALUE + 1,
                            row->value.data ? row->value.data : "",
                            row->value.size, SQLITE_STATIC, SQLITE_UTF8);
    }
}

int
yl_sqlite_row_read(sqlite3_stmt *stmt, struct yl_storage_row *ret_row,
                   struct yl_error *err)
{
    struct yl_storage_row row = {
        .revision = (uint64_t) sqlite3_column_int64(stmt, REVISION),
        .previous = (uint64_t) sqlite3_column_int64(stmt, PREVIOUS),
        .key = read_text(stmt, KEY),
        .value = read_text(stmt, VALUE),
    };

    if (read_operation(stmt, &row.delete_) < 0
        || row.previous >= row.revision
        || row.delete_ != (sqlite3_column_type(stmt, VALUE) == SQLITE_NULL)
        || (uint64_t) sqlite3_column_int64(stmt, CHECKSUM)
           != checksum(&row)) {
        return damaged(&row, err);
    }
    *ret_row = row;
    return 0;
}

static uint64_t
checksum(const struct yl_storage_row *row)
{
    uint64_t key = yl_siphash13(row->revision, row->previous, row->key.data,
                                row->key.size);

    return yl_siphash13(key, row->delete_ ? 2 : 1, row->value.data,
                        row->value.size);
}

/* Reads a column as a blob, so that SQLite does not copy it to append a
 * NUL. */
static struct yl_str
read_text(sqlite3_stmt *stmt, int column)
{
    const char *data = sqlite3_column_blob(stmt, column);

    return yl_str_n(data ? data : "",
                    (size_t) sqlite3_column_bytes(stmt, column));
}

static int
read_operation(sqlite3_stmt *stmt, bool *ret_delete)
{
    struct yl_str operation = read_text(stmt, OPERATION);

    if (yl_str_equal_c(operation, "put")) {
        *ret_delete = false;
    } else if (yl_str_equal_c(operation, "delete")) {
        *ret_delete = true;
    } else {
        return YL_ESTOREREAD;
    }
    return 0;
}

static int
damaged(const struct yl_storage_row *row, struct yl_error *err)
{
    struct yl_str key = row->key;

    if (key.size > 300) {
        key.size = 300;
    }
    return yl_error_set(err, YL_ESTOREREAD,
                        "row %llu ('%.*s') does not match its checksum",
                        (unsigned long long) row->revision, YL_STR_ARG(key));
}
