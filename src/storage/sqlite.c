/* SQLite back end.  See storage/sqlite.h for the contract.
 *
 * Recovery from failures:
 *
 *   - A batch fails.  Its frames are in the write-ahead log's file, behind the
 *     end that SQLite's shared index knows; the next batch overwrites them,
 *     which also repairs the damage of a failed sync.  So the index must
 *     survive: the writer's connection is opened anew (unless the disk was
 *     only full), the checkpointer's stays.
 *
 *   - A checkpoint fails.  The log is moved once more from its start
 *     (storage/sqlite_checkpoint.h); batches go on meanwhile.
 *
 *   - The process fails.  The next one cannot know which failures it had, and
 *     replays the log (storage/sqlite_replay.h) before anything is written.
 *     That may make a failed batch appear.
 *
 * The first batch after a failed one deletes rows that are newer than the last
 * acknowledged revision, if there are any; and no revision of a failed batch
 * is used again. */

#include "storage/sqlite.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "storage/dir.h"
#include "storage/sqlite_ahead.h"
#include "storage/sqlite_checkpoint.h"
#include "storage/sqlite_compact.h"
#include "storage/sqlite_copy.h"
#include "storage/sqlite_db.h"
#include "storage/sqlite_redo.h"
#include "storage/sqlite_replay.h"
#include "storage/sqlite_row.h"

/* The largest value that is stored; the API server takes 3 MB. */
#define VALUE_CEILING ((size_t) 64 << 20)

/* SQLite's numbers are signed.  No store gets that far. */
#define MAX_REVISION ((uint64_t) INT64_MAX / 2)

/* A buffer larger than this is freed after the batch. */
#define VALUE_KEPT ((size_t) 256 << 10)

enum statement {
    BEGIN,
    COMMIT,
    ROLLBACK,
    INSERT,
    DISOWN,
    N_STATEMENTS,
};

static const char *const statement_sql[N_STATEMENTS] = {
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
    [INSERT] = ("INSERT INTO log (" YL_SQLITE_ROW_COLUMNS ") "
                "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
    [DISOWN] = "DELETE FROM log WHERE revision > ?1",
};

struct yl_sqlite {
    struct yl_storage storage;
    char *data_dir;
    char *path;                 /* Of the database. */
    char *vfs;
    struct yl_sqlite_opts opts; /* Its strings are copies. */
    int lock;                   /* The directory's. */
    struct yl_sqlite_checkpointer *checkpointer;

    /* Used by the writer only. */
    sqlite3 *db;                /* NULL: must be opened again. */
    sqlite3_stmt *statements[N_STATEMENTS];
    struct yl_sqlite_compactor compactor;
    struct yl_buf value;        /* For a value that comes in pieces. */
    uint64_t newest;            /* The newest acknowledged revision. */
    uint64_t last;              /* The last that any write was given. */
    uint64_t compacted;
    bool suspect;
    size_t n_wal_pages;
    struct yl_storage_feed *feed;
    struct yl_storage_batch *finished;  /* The batch to be collected; or
                                         * NULL. */
    struct yl_storage_row *rows;        /* Its rows, for the feed. */
    size_t max_rows;
};

static int load(struct yl_storage *, yl_storage_row_fn *, void *aux,
                uint64_t *ret_revision, uint64_t *ret_compacted,
                struct yl_error *err);
static void subscribe(struct yl_storage *, struct yl_storage_feed *);
static void commit(struct yl_storage *, struct yl_storage_batch *);
static void collect(struct yl_storage *);
static int backup(struct yl_storage *, const char *path, struct yl_error *);
static void close_(struct yl_storage *);

static int open_all(struct yl_sqlite *, struct yl_error *err);
static int create_file(const struct yl_sqlite *, struct yl_error *err);
static int connect_all(struct yl_sqlite *, struct yl_error *err);
static int connect(struct yl_sqlite *, struct yl_error *err);
static int read_newest(struct yl_sqlite *, uint64_t *ret_revision,
                       struct yl_error *err);
static int read_compacted(struct yl_sqlite *, struct yl_error *err);
static void disconnect(struct yl_sqlite *);
static int note_wal_pages(void *sqlite, sqlite3 *, const char *name, int n);
static void feed_rows(struct yl_sqlite *, const struct yl_storage_batch *);
static int write_batch(struct yl_sqlite *, const struct yl_storage_batch *,
                       struct yl_error *err);
static int write_group(struct yl_sqlite *, const struct yl_storage_group *,
                       struct yl_error *err);
static int recover(struct yl_sqlite *, struct yl_error *err);
static void roll_back(struct yl_sqlite *, int why);
static int write_row(struct yl_sqlite *, struct yl_storage_write *,
                     struct yl_error *err);
static int run_statement(struct yl_sqlite *, enum statement,
                         struct yl_error *err);
static int advise(const struct yl_sqlite *, int r, struct yl_error *err);

static const struct yl_storage_ops sqlite_ops = {
    .name = "sqlite",
    .load = load,
    .subscribe = subscribe,
    .commit = commit,
    .collect = collect,
    .backup = backup,
    .close = close_,
};

static struct yl_sqlite *
cast(struct yl_storage *storage)
{
    assert(storage->ops == &sqlite_ops);
    return (struct yl_sqlite *) (void *)
        ((char *) storage - offsetof(struct yl_sqlite, storage));
}

int
yl_sqlite_open(const struct yl_sqlite_opts *opts,
               struct yl_storage **ret_storage, struct yl_error *err)
{
    struct yl_sqlite *s = yl_zalloc(sizeof *s);
    int r;

    s->storage.ops = &sqlite_ops;
    s->storage.max_batches = 1;
    s->data_dir = yl_strdup(yl_str_c(opts->data_dir));
    s->path = yl_dir_file(opts->data_dir, YL_SQLITE_FILE);
    s->vfs = opts->vfs ? yl_strdup(yl_str_c(opts->vfs)) : NULL;
    s->opts = *opts;
    s->opts.data_dir = s->data_dir;
    s->opts.vfs = s->vfs;
    s->lock = -1;
    yl_buf_init(&s->value, VALUE_CEILING);

    r = open_all(s, err);
    if (r < 0) {
        close_(&s->storage);
        return r;
    }
    *ret_storage = &s->storage;
    return 0;
}

static int
load(struct yl_storage *storage, yl_storage_row_fn *each, void *aux,
     uint64_t *ret_revision, uint64_t *ret_compacted, struct yl_error *err)
{
    struct yl_sqlite *s = cast(storage);
    int r = yl_sqlite_ahead_scan(s->db, each, aux, err);

    sqlite3_db_release_memory(s->db);   /* Frees the cache; appending needs few
                                         * pages. */
    if (r < 0) {
        return advise(s, r, err);
    }
    *ret_revision = s->newest;
    *ret_compacted = s->compacted;
    return 0;
}

static void
subscribe(struct yl_storage *storage, struct yl_storage_feed *feed)
{
    cast(storage)->feed = feed;
}

/* All work is done here, on the writer's thread; there is no other work to
 * overlap with. */
static void
commit(struct yl_storage *storage, struct yl_storage_batch *batch)
{
    struct yl_sqlite *s = cast(storage);
    size_t i, j;

    assert(!s->finished);
    batch->result = write_batch(s, batch, &batch->error);
    for (i = 0; i < batch->n_groups; i++) {
        struct yl_storage_group *group = &batch->groups[i];

        group->result = batch->result;
        for (j = 0; batch->result < 0 && j < group->n_writes; j++) {
            group->writes[j].revision = 0;
        }
    }
    batch->compacted = s->compacted;
    if (s->value.capacity > VALUE_KEPT) {
        yl_buf_release(&s->value);
        yl_buf_init(&s->value, VALUE_CEILING);
    }
    s->finished = batch;
}

static void
collect(struct yl_storage *storage)
{
    struct yl_sqlite *s = cast(storage);
    struct yl_storage_batch *batch = s->finished;

    if (!batch) {
        return;
    }
    s->finished = NULL;
    if (batch->result == 0 && s->feed) {
        feed_rows(s, batch);
    }
    batch->done(batch);

    /* Called after the batch is answered, as it may make a checkpoint. */
    if (s->n_wal_pages) {
        yl_sqlite_checkpointer_grew(s->checkpointer, s->db, s->n_wal_pages);
    }
}

static int
backup(struct yl_storage *storage, const char *path, struct yl_error *err)
{
    return yl_sqlite_backup(cast(storage)->data_dir, path, NULL, err);
}

/* Also closes one whose opening failed. */
static void
close_(struct yl_storage *storage)
{
    struct yl_sqlite *s = cast(storage);

    /* The checkpointer decides whether closing may make a last checkpoint. */
    if (s->db && !s->checkpointer) {
        yl_sqlite_db_keep_wal(s->db);
    }
    disconnect(s);
    yl_sqlite_checkpointer_stop(s->checkpointer);
    yl_dir_unlock(s->lock);
    yl_buf_release(&s->value);
    free(s->rows);
    free(s->vfs);
    free(s->path);
    free(s->data_dir);
    free(s);
}

/* Opening
 * ======= */

static int
open_all(struct yl_sqlite *s, struct yl_error *err)
{
    int r;

    if ((r = yl_dir_make(s->data_dir, err)) < 0) {
        return r;
    }
    r = s->lock = yl_dir_lock(s->data_dir, err);
    if (r < 0
        || (r = yl_sqlite_finish_restore(s->data_dir, err)) < 0
        || (r = create_file(s, err)) < 0) {
        return r;
    }
    if ((r = connect_all(s, err)) < 0
        || (r = read_compacted(s, err)) < 0
        || (r = read_newest(s, &s->newest, err)) < 0) {
        return advise(s, r, err);
    }
    if (s->compacted > s->newest || s->newest > MAX_REVISION) {
        r = yl_error_set(err, YL_ESTOREREAD, "its revisions make no sense");
        return advise(s, r, err);
    }
    s->last = s->newest;
    return 0;
}

/* An empty file is a new database.  It is created here, because SQLite would
 * make it readable for others. */
static int
create_file(const struct yl_sqlite *s, struct yl_error *err)
{
    int fd;

    if (s->vfs) {
        return 0;
    }
    fd = open(s->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        return 0;               /* It exists, or SQLite will report the
                                 * error. */
    }
    yl_dir_give(s->data_dir, fd);
    close(fd);
    return yl_dir_sync(s->data_dir, err);
}

/* A running backup must not prevent a start; in that case the log is not
 * replayed but moved again from its start. */
static int
connect_all(struct yl_sqlite *s, struct yl_error *err)
{
    struct yl_error own = YL_ERROR_INIT;
    int r = yl_sqlite_replay(s->path, s->vfs, &own);
    bool shared = r == YL_EUNAVAILABLE;

    if (r < 0 && !shared) {
        yl_error_set(err, r, "%s", yl_error_message(&own));
        yl_error_clear(&own);
        return r;
    }
    r = connect(s, shared ? NULL : err);
    if (r < 0 && shared) {
        r = yl_error_set(err, own.code, "%s", yl_error_message(&own));
    }
    yl_error_clear(&own);
    if (!r && shared) {
        r = yl_sqlite_redo(s->db, err);
    }
    if (!r) {
        r = yl_sqlite_checkpointer_start(s->path, &s->opts, &s->checkpointer,
                                         err);
    }
    return r;
}

static int
connect(struct yl_sqlite *s, struct yl_error *err)
{
    size_t i;
    int r = yl_sqlite_db_open(s->path, s->vfs, &s->db, err);

    if (r < 0) {
        return r;
    }
    for (i = 0; !r && i < N_STATEMENTS; i++) {
        r = yl_sqlite_db_prepare(s->db, statement_sql[i], &s->statements[i],
                                 err);
    }
    if (!r) {
        r = yl_sqlite_compactor_init(&s->compactor, s->db, err);
    }
    if (r < 0) {
        disconnect(s);
        return r;
    }
    sqlite3_wal_hook(s->db, note_wal_pages, s);
    return 0;
}

static int
read_newest(struct yl_sqlite *s, uint64_t *ret_revision, struct yl_error *err)
{
    return yl_sqlite_db_number(s->db, "SELECT max(revision, coalesce((SELECT "
                               "max(revision) FROM log), 0)) FROM state",
                               ret_revision, err);
}

static int
read_compacted(struct yl_sqlite *s, struct yl_error *err)
{
    return yl_sqlite_db_number(s->db, "SELECT compacted FROM state",
                               &s->compacted, err);
}

static void
disconnect(struct yl_sqlite *s)
{
    size_t i;

    yl_sqlite_compactor_release(&s->compactor);
    for (i = 0; i < N_STATEMENTS; i++) {
        sqlite3_finalize(s->statements[i]);
        s->statements[i] = NULL;
    }
    sqlite3_close(s->db);
    s->db = NULL;
}

/* SQLite calls it after each commit, with the size of the log. */
static int
note_wal_pages(void *sqlite, sqlite3 *db YL_UNUSED,
               const char *name YL_UNUSED, int n)
{
    struct yl_sqlite *s = sqlite;

    s->n_wal_pages = n > 0 ? (size_t) n : 0;
    return SQLITE_OK;
}

/* Writing
 * ======= */

/* Feeds the rows of a batch.  There are no others, as this is the only
 * writer. */
static void
feed_rows(struct yl_sqlite *s, const struct yl_storage_batch *batch)
{
    size_t i, j, n = 0;

    for (i = 0; i < batch->n_groups; i++) {
        n += batch->groups[i].n_writes;
    }
    if (n > s->max_rows) {
        s->max_rows = n;
        s->rows = yl_realloc_array(s->rows, n, sizeof *s->rows);
    }
    n = 0;
    for (i = 0; i < batch->n_groups; i++) {
        for (j = 0; j < batch->groups[i].n_writes; j++) {
            const struct yl_storage_write *write
                = &batch->groups[i].writes[j];

            s->rows[n++] = (struct yl_storage_row) {
                .revision = write->revision,
                .previous = write->expected,
                .key = write->key,
                .delete_ = write->delete_,
                .write = write,
            };
        }
    }
    if (n) {
        s->feed->rows(s->feed, s->rows, n);
    }
}

static int
write_batch(struct yl_sqlite *s, const struct yl_storage_batch *batch,
            struct yl_error *err)
{
    uint64_t goal = batch->compact < s->newest ? batch->compact : s->newest;
    uint64_t compacted;
    size_t i, n_writes = 0;
    int r;

    s->n_wal_pages = 0;
    if (!batch->n_groups && goal <= s->compacted) {
        return 0;
    }
    if (!s->db && (r = connect(s, err)) < 0) {
        return r;
    }
    r = run_statement(s, BEGIN, err);
    if (!r && s->suspect) {
        r = recover(s, err);
    }
    for (i = 0; !r && i < batch->n_groups; i++) {
        r = write_group(s, &batch->groups[i], err);
        n_writes += batch->groups[i].n_writes;
    }
    compacted = s->compacted;
    if (!r) {
        r = yl_sqlite_compactor_run(&s->compactor, goal, s->last,
                                    n_writes, &compacted, err);
    }
    if (!r) {
        r = run_statement(s, COMMIT, err);
    }
    if (r < 0) {
        s->suspect = true;
        roll_back(s, r);
        return r;
    }
    s->suspect = false;
    s->newest = s->last;
    s->compacted = compacted;
    return 0;
}

/* Runs at the start of a transaction after a failed one: removes rows that the
 * failed one may have left, and checks that the acknowledged ones are there.
 * Compaction may have advanced; that is fine. */
static int
recover(struct yl_sqlite *s, struct yl_error *err)
{
    uint64_t newest;
    int r;

    if ((r = read_newest(s, &newest, err)) < 0
        || (r = read_compacted(s, err)) < 0) {
        return r;
    } else if (newest < s->newest) {
        return yl_error_set(err, YL_ESTOREREAD,
                            "nothing was written: the database has lost what "
                            "it had stored (revision %llu; it has %llu). "
                            "Restart the server, or restore a backup with "
                            "\"yuloh restore FILE\"",
                            (unsigned long long) s->newest,
                            (unsigned long long) newest);
    }
    sqlite3_bind_int64(s->statements[DISOWN], 1, (sqlite3_int64) s->newest);
    return run_statement(s, DISOWN, err);
}

/* Rolls back.  A full disk or a value that is too large are ordinary errors;
 * after any other the connection is closed. */
static void
roll_back(struct yl_sqlite *s, int why)
{
    if ((why != YL_EUNAVAILABLE && why != YL_ETOOBIG)
        || (!sqlite3_get_autocommit(s->db)
            && run_statement(s, ROLLBACK, NULL) < 0)) {
        disconnect(s);
    }
}

static int
write_group(struct yl_sqlite *s, const struct yl_storage_group *group,
            struct yl_error *err)
{
    size_t i;
    int r = 0;

    for (i = 0; !r && i < group->n_writes; i++) {
        r = write_row(s, &group->writes[i], err);
    }
    return r;
}

static int
write_row(struct yl_sqlite *s, struct yl_storage_write *write,
          struct yl_error *err)
{
    struct yl_storage_row row = {
        .revision = ++s->last,
        .previous = write->expected,
        .key = write->key,
        .value = yl_str_null(),
        .delete_ = write->delete_,
    };
    size_t i;

    yl_buf_clear(&s->value);
    if (!write->delete_ && write->n_value == 1) {
        row.value = write->value[0];
    } else if (!write->delete_) {
        for (i = 0; i < write->n_value; i++) {
            yl_buf_append_str(&s->value, write->value[i]);
        }
        row.value = yl_buf_str(&s->value);
    }
    if (yl_buf_error(&s->value) || row.value.size > VALUE_CEILING) {
        return yl_error_set(err, YL_ETOOBIG,
                            "a value is larger than %zu bytes",
                            VALUE_CEILING);
    }
    yl_sqlite_row_bind(s->statements[INSERT], &row);
    write->revision = row.revision;
    return run_statement(s, INSERT, err);
}

static int
run_statement(struct yl_sqlite *s, enum statement which, struct yl_error *err)
{
    sqlite3_stmt *stmt = s->statements[which];
    int r = 0;

    if (sqlite3_step(stmt) != SQLITE_DONE) {
        r = yl_sqlite_db_error(s->db, "nothing was written", err);
    }
    sqlite3_reset(stmt);
    return r;
}

/* Adds advice to an error about damage. */
static int
advise(const struct yl_sqlite *s, int r, struct yl_error *err)
{
    char *text;

    if (r == YL_ESTOREREAD && err) {
        text = yl_strdup(yl_str_c(yl_error_message(err)));
        yl_error_set(err, r, "the database %s is damaged: %s. Keep a copy of "
                     "the directory %s, then restore a backup with \"yuloh "
                     "restore FILE\"", s->path, text, s->data_dir);
        free(text);
    }
    return r;
}
