/* Compaction.  See storage/sqlite_compact.h for the contract. */

#include "storage/sqlite_compact.h"

#include <stdbool.h>

#include "storage/sqlite_db.h"

/* Rows in one step of the walk; they are on the stack. */
#define STEP_ROWS 128

/* A batch walks twice as many rows as it wrote, and a few more. */
#define WALK_FACTOR 2
#define WALK_EXTRA 8

/* The same for a batch without writes: no client waits for it, but the next
 * batch may have to. */
#define WALK_IDLE 512

struct step {
    uint64_t revision;
    uint64_t previous;
    bool delete_;
};

static int walk(struct yl_sqlite_compactor *, uint64_t after, uint64_t goal,
                size_t max, struct step *steps, size_t *ret_n,
                struct yl_error *err);
static int delete_row(struct yl_sqlite_compactor *, uint64_t revision,
                      struct yl_error *err);
static int failed(struct yl_sqlite_compactor *, struct yl_error *err);

int
yl_sqlite_compactor_init(struct yl_sqlite_compactor *c, sqlite3 *db,
                         struct yl_error *err)
{
    int r;

    *c = (struct yl_sqlite_compactor) { .db = db };
    if ((r = yl_sqlite_db_prepare(db,
                                  "SELECT revision, previous, "
                                  "operation = 'delete' FROM log WHERE "
                                  "revision > ?1 AND revision <= ?2 ORDER BY "
                                  "revision LIMIT ?3", &c->walk, err)) < 0
        || (r = yl_sqlite_db_prepare(db, "DELETE FROM log WHERE revision = "
                                     "?1", &c->delete_, err)) < 0) {
        return r;
    }
    return yl_sqlite_db_prepare(db, "UPDATE state SET compacted = ?1, "
                                "revision = ?2", &c->store, err);
}

void
yl_sqlite_compactor_release(struct yl_sqlite_compactor *c)
{
    sqlite3_finalize(c->walk);
    sqlite3_finalize(c->delete_);
    sqlite3_finalize(c->store);
    *c = (struct yl_sqlite_compactor) { .db = NULL };
}

int
yl_sqlite_compactor_run(struct yl_sqlite_compactor *c, uint64_t goal,
                        uint64_t newest, size_t n_writes,
                        uint64_t *compacted, struct yl_error *err)
{
    struct step steps[STEP_ROWS];
    uint64_t at = *compacted;
    size_t left = n_writes ? n_writes * WALK_FACTOR + WALK_EXTRA : WALK_IDLE;
    size_t max, i, n = 0;
    int r;

    if (goal <= at) {
        return 0;
    }
    while (at < goal && left) {
        max = left < STEP_ROWS ? left : STEP_ROWS;
        r = walk(c, at, goal, max, steps, &n, err);
        for (i = 0; !r && i < n; i++) {
            if (steps[i].previous) {
                r = delete_row(c, steps[i].previous, err);
            }
            if (!r && steps[i].delete_) {
                r = delete_row(c, steps[i].revision, err);
            }
        }
        if (r < 0) {
            return r;
        }
        at = n < max ? goal : steps[n - 1].revision;
        left -= n;
    }
    sqlite3_bind_int64(c->store, 1, (sqlite3_int64) at);
    sqlite3_bind_int64(c->store, 2, (sqlite3_int64) newest);
    if (sqlite3_step(c->store) != SQLITE_DONE) {
        return failed(c, err);
    }
    sqlite3_reset(c->store);
    *compacted = at;
    return 0;
}

/* Reads the next rows, before any of them is deleted. */
static int
walk(struct yl_sqlite_compactor *c, uint64_t after, uint64_t goal, size_t max,
     struct step *steps, size_t *ret_n, struct yl_error *err)
{
    size_t n = 0;
    int status;

    sqlite3_bind_int64(c->walk, 1, (sqlite3_int64) after);
    sqlite3_bind_int64(c->walk, 2, (sqlite3_int64) goal);
    sqlite3_bind_int64(c->walk, 3, (sqlite3_int64) max);
    while ((status = sqlite3_step(c->walk)) == SQLITE_ROW && n < max) {
        steps[n].revision = (uint64_t) sqlite3_column_int64(c->walk, 0);
        steps[n].previous = (uint64_t) sqlite3_column_int64(c->walk, 1);
        steps[n].delete_ = sqlite3_column_int(c->walk, 2) != 0;
        n++;
    }
    if (status != SQLITE_DONE) {
        return failed(c, err);
    }
    sqlite3_reset(c->walk);
    *ret_n = n;
    return 0;
}

/* Deletes a row.  It may be gone already: a restore drops rows too. */
static int
delete_row(struct yl_sqlite_compactor *c, uint64_t revision,
           struct yl_error *err)
{
    sqlite3_bind_int64(c->delete_, 1, (sqlite3_int64) revision);
    if (sqlite3_step(c->delete_) != SQLITE_DONE) {
        return failed(c, err);
    }
    sqlite3_reset(c->delete_);
    return 0;
}

static int
failed(struct yl_sqlite_compactor *c, struct yl_error *err)
{
    int r = yl_sqlite_db_error(c->db, "nothing was written", err);

    sqlite3_reset(c->walk);
    sqlite3_reset(c->delete_);
    sqlite3_reset(c->store);
    return r;
}
