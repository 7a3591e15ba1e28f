/* Checkpointer.  See storage/sqlite_checkpoint.h for the contract. */

#include "storage/sqlite_checkpoint.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "storage/sqlite.h"
#include "storage/sqlite_db.h"
#include "storage/sqlite_redo.h"

/* The thread makes a checkpoint when the log has grown by this many pages: 4
 * MB. */
#define STEP_PAGES 1024

/* The writer restarts the log when all but half a step of it is moved.  From
 * this multiple of the limit on the writer does all the work, as the log would
 * grow without end when the thread cannot keep up. */
#define FORCE_FACTOR 8

#define RESTART_PAGES (((size_t) 32 << 20) / YL_SQLITE_PAGE_SIZE)

struct yl_sqlite_checkpointer {
    sqlite3 *db;                /* Used by the thread only. */
    struct yl_thread thread;
    size_t step_pages;
    size_t restart_pages;
    size_t retry_pages;         /* Of the writer: after a failed restart, the
                                 * size from which it tries again. */

    /* Held during a checkpoint and until its result is recorded; the writer
     * does not wait for it.  Outer. */
    struct yl_mutex moving;
    bool failed YL_GUARDED;     /* The log must be moved from its start. */

    struct yl_mutex lock;       /* Held briefly. */
    struct yl_cond changed;
    size_t n_pages YL_GUARDED;      /* Pages in the log now. */
    size_t n_tried YL_GUARDED;      /* Pages at the last checkpoint. */
    size_t n_moved YL_GUARDED;      /* Those of them that are in the
                                     * database. */
    bool stopping YL_GUARDED;
};

static void run(void *checkpointer);
static int checkpoint(struct yl_sqlite_checkpointer *c, sqlite3 *, int mode,
                      int *ret_moved)
    YL_REQUIRES(c->moving);
static bool is_harmless(int status);
static void restart(struct yl_sqlite_checkpointer *, sqlite3 *writer,
                    size_t n_pages);

int
yl_sqlite_checkpointer_start(const char *path,
                             const struct yl_sqlite_opts *opts,
                             struct yl_sqlite_checkpointer **ret_started,
                             struct yl_error *err)
{
    struct yl_sqlite_checkpointer *c = yl_zalloc(sizeof *c);
    int r;

    c->step_pages = opts->step_pages ? opts->step_pages : STEP_PAGES;
    c->restart_pages = opts->restart_pages ? opts->restart_pages
                                           : RESTART_PAGES;
    yl_mutex_init(&c->moving);
    yl_mutex_init(&c->lock);
    yl_cond_init(&c->changed);
    r = yl_sqlite_db_open(path, opts->vfs, &c->db, err);
    if (!r) {
        r = yl_thread_start(&c->thread, "checkpointer", run, c);
        if (!r) {
            *ret_started = c;
            return 0;
        }
        yl_error_set(err, r, "cannot start the checkpointer's thread");
        sqlite3_close(c->db);
    }
    yl_cond_destroy(&c->changed);
    yl_mutex_destroy(&c->lock);
    yl_mutex_destroy(&c->moving);
    free(c);
    return r;
}

void
yl_sqlite_checkpointer_stop(struct yl_sqlite_checkpointer *c)
    YL_NO_THREAD_SAFETY
{
    if (!c) {
        return;
    }
    yl_mutex_lock(&c->lock);
    c->stopping = true;
    yl_cond_signal(&c->changed);
    yl_mutex_unlock(&c->lock);
    yl_thread_join(&c->thread);
    if (c->failed) {
        yl_sqlite_db_keep_wal(c->db);
    }
    sqlite3_close(c->db);
    yl_cond_destroy(&c->changed);
    yl_mutex_destroy(&c->lock);
    yl_mutex_destroy(&c->moving);
    free(c);
}

void
yl_sqlite_checkpointer_grew(struct yl_sqlite_checkpointer *c, sqlite3 *writer,
                            size_t n_pages)
{
    size_t backlog;

    yl_mutex_lock(&c->lock);
    if (n_pages < c->n_pages) {
        c->n_tried = c->n_moved = 0;    /* The log is written from its start
                                         * again. */
    }
    c->n_pages = n_pages;
    backlog = n_pages - (c->n_moved < n_pages ? c->n_moved : n_pages);
    if (n_pages >= c->n_tried + c->step_pages) {
        yl_cond_signal(&c->changed);
    }
    yl_mutex_unlock(&c->lock);

    if (n_pages < c->restart_pages) {
        c->retry_pages = 0;
    } else if (n_pages >= c->retry_pages
               && (backlog <= c->step_pages / 2
                   || n_pages >= c->restart_pages * FORCE_FACTOR)) {
        restart(c, writer, n_pages);
    }
}

/* The thread. */
static void
run(void *checkpointer)
{
    struct yl_sqlite_checkpointer *c = checkpointer;

    yl_mutex_lock(&c->lock);
    for (;;) {
        size_t n_tried;
        int n_moved;

        while (!c->stopping && c->n_pages < c->n_tried + c->step_pages) {
            yl_cond_wait(&c->changed, &c->lock);
        }
        if (c->stopping) {
            break;
        }
        n_tried = c->n_tried = c->n_pages;
        yl_mutex_unlock(&c->lock);

        yl_mutex_lock(&c->moving);
        checkpoint(c, c->db, SQLITE_CHECKPOINT_PASSIVE, &n_moved);
        yl_mutex_unlock(&c->moving);

        /* If the log was restarted meanwhile, the number is out of date. */
        yl_mutex_lock(&c->lock);
        if (n_moved >= 0 && c->n_tried == n_tried) {
            c->n_moved = (size_t) n_moved;
        }
    }
    yl_mutex_unlock(&c->lock);
}

/* Returns SQLite's status, and how much of the log is in the database now; -1
 * if unknown. */
static int
checkpoint(struct yl_sqlite_checkpointer *c, sqlite3 *db, int mode,
           int *ret_moved)
{
    int status = SQLITE_BUSY, n_log;

    *ret_moved = -1;
    if (!c->failed || yl_sqlite_redo(db, NULL) == 0) {
        status = sqlite3_wal_checkpoint_v2(db, "main", mode, &n_log,
                                           ret_moved);
        c->failed = !is_harmless(status) && yl_sqlite_redo(db, NULL) < 0;
    }
    if (!is_harmless(status)) {
        *ret_moved = 0;
    }
    return status;
}

/* A full disk or another's lock will pass; after any other error, pages may be
 * lost. */
static bool
is_harmless(int status)
{
    switch (status & 0xff) {
    case SQLITE_OK:
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_FULL:
        return true;

    default:
        return false;
    }
}

/* Restarts the log.  A reader of the log, such as a backup, prevents it, and
 * so does a running checkpoint.  The writer does not wait for them but tries
 * again when the log has grown some more. */
static void
restart(struct yl_sqlite_checkpointer *c, sqlite3 *writer, size_t n_pages)
{
    int status = SQLITE_BUSY, n_moved;

    if (yl_mutex_trylock(&c->moving)) {
        sqlite3_busy_timeout(writer, 0);
        status = checkpoint(c, writer, SQLITE_CHECKPOINT_RESTART, &n_moved);
        sqlite3_busy_timeout(writer, YL_SQLITE_BUSY_MSEC);
        yl_mutex_unlock(&c->moving);
    }
    if (status != SQLITE_OK) {
        c->retry_pages = n_pages + c->step_pages;
    }
}
