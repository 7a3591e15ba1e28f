/* Power cuts.  See tests/torture/power_cut.h for what must hold. */

#include "torture/power_cut.h"

#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "storage/sqlite.h"
#include "torture/fault_vfs.h"

#define N_KEYS 96
#define MIN_WRITES 16
#define MAX_WRITES 48
#define MAX_DOUBTS 8
#define MAX_VALUE 6000

/* One write, as submitted and as read back.  'id' is in the value; a deletion
 * has none. */
struct entry {
    uint64_t revision;
    uint64_t previous;
    uint64_t id;
    size_t key;
};

struct entries {
    struct entry *all;
    size_t n;
    size_t capacity;
};

struct torture {
    struct yl_storage *storage;
    struct yl_sqlite_opts opts;
    sqlite3 *reader;            /* A connection in the middle of a read, or
                                 * NULL. */
    struct entries history;     /* The acknowledged writes, oldest first. */
    struct entries doubts[MAX_DOUBTS];
    size_t n_doubts;
    struct entries loaded;
    uint64_t current[N_KEYS];   /* Revision of each key; 0: none. */
    uint64_t newest;
    uint64_t next_id;
    bool may_fail;              /* A fault was requested, so a batch may
                                 * fail. */
    bool checkpoints_fail;      /* Until the next power cut. */
    char value[MAX_VALUE];

    struct power_cut_counts *counts;
    char *message;
    size_t message_size;
};

static int live(struct torture *);
static void end_after(uint64_t n);
static int write_some(struct torture *);
static void toggle_reader(struct torture *);
static int write_batch(struct torture *);
static void ask_for_fault(struct torture *);
static int settle(struct torture *, const struct yl_storage_batch *,
                  struct entries *);
static int check_loaded(struct torture *);
static int compare(struct torture *, uint64_t compacted);
static bool has_doubt(const struct torture *, const struct entries *);
static int check_row(struct torture *, const struct entry *, uint64_t *keys,
                     uint64_t compacted);
static int each_row(void *aux, const struct yl_storage_row *,
                    struct yl_error *);
static void entries_add(struct entries *, struct entry);
static void entries_append(struct entries *, const struct entries *);
static void forget_doubts(struct torture *);
static void apply(struct torture *, const struct entries *);
static int wrong(struct torture *, const char *format, ...) YL_PRINTF(2, 3);

int
power_cut_torture(const char *dir, uint64_t seed, unsigned n_cuts,
                  struct power_cut_counts *counts, char *message, size_t size)
{
    struct torture *t = yl_zalloc(sizeof *t);
    unsigned i;
    int r = 0;

    fault_vfs_reset(seed);
    t->opts = (struct yl_sqlite_opts) {
        .data_dir = dir, .vfs = FAULT_VFS,
        .restart_pages = 64, .step_pages = 16,
    };
    t->newest = 1;
    t->counts = counts;
    t->message = message;
    t->message_size = size;
    memset(t->value, 'x', sizeof t->value);
    for (i = 0; !r && i < n_cuts; i++) {
        r = live(t);
        counts->n_cuts++;
    }
    forget_doubts(t);
    free(t->history.all);
    free(t->loaded.all);
    free(t);
    return r;
}

/* One round, from opening the store to the next power cut. */
static int
live(struct torture *t)
{
    struct yl_error err = YL_ERROR_INIT;
    bool early = fault_vfs_random(4) == 0;
    int r;

    t->checkpoints_fail = false;
    if (early) {
        end_after(fault_vfs_random(60));
    }
    r = yl_sqlite_open(&t->opts, &t->storage, &err);
    if (r < 0) {
        r = fault_vfs_is_cut() ? 0
            : wrong(t, "cannot open: %s", yl_error_message(&err));
    } else {
        r = check_loaded(t);
        if (!r) {
            if (!early) {
                end_after(1 + fault_vfs_random(600));
            }
            if (fault_vfs_random(4) == 0) {
                t->checkpoints_fail = true;
                fault_vfs_fail_syncs(".db", 3);
            }
            r = write_some(t);
        }
        sqlite3_close(t->reader);
        t->reader = NULL;
        yl_storage_close(t->storage);
    }
    yl_error_clear(&err);
    fault_vfs_fail_syncs("", 0);
    fault_vfs_limit(0);
    fault_vfs_power_on();
    return r;
}

/* One round in four ends with the process, the others with the power. */
static void
end_after(uint64_t n)
{
    if (fault_vfs_random(4)) {
        fault_vfs_cut_after(n);
    } else {
        fault_vfs_kill_after(n);
    }
}

/* Writes until the power cut, or for a while, so that some rounds end with an
 * orderly closing, during which the cut may come. */
static int
write_some(struct torture *t)
{
    unsigned n = 1 + (unsigned) fault_vfs_random(40);
    int r = 0;

    while (!r && n-- && !fault_vfs_is_cut()) {
        if (fault_vfs_random(8) == 0) {
            toggle_reader(t);
        }
        r = write_batch(t);
        if (t->n_doubts) {
            sqlite3_close(t->reader);
            t->reader = NULL;   /* It may have prevented the recovery. */
        }
    }
    return r;
}

/* Opens or closes a reader, which like a backup keeps checkpoints from moving
 * everything; what they move is not synced then. */
static void
toggle_reader(struct torture *t)
{
    char path[128];

    sqlite3_close(t->reader);
    t->reader = NULL;
    if (fault_vfs_random(2)) {
        snprintf(path, sizeof path, "%s/yuloh.db", t->opts.data_dir);
        sqlite3_open_v2(path, &t->reader, SQLITE_OPEN_READWRITE, FAULT_VFS);
        sqlite3_db_config(t->reader, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
                          NULL);
        sqlite3_exec(t->reader, "BEGIN; SELECT count(*) FROM state", NULL,
                     NULL, NULL);
    }
}

static void
no_more(struct yl_storage_batch *batch YL_UNUSED)
{
}

static int
write_batch(struct torture *t)
{
    struct yl_storage_write writes[MAX_WRITES];
    char keys[MAX_WRITES][64], ids[MAX_WRITES][24];
    struct yl_str pieces[MAX_WRITES][3];
    struct entries asked = { NULL, 0, 0 };
    size_t n = MIN_WRITES + fault_vfs_random(MAX_WRITES - MIN_WRITES + 1);
    size_t first = fault_vfs_random(N_KEYS);
    struct yl_storage_group groups[MAX_WRITES];
    struct yl_storage_batch batch = { .groups = groups, .done = no_more };
    size_t i;
    int r;

    memset(writes, 0, sizeof writes);
    for (i = 0; i < n; i++) {
        struct entry entry = { .key = (first + i) % N_KEYS };

        entry.previous = t->current[entry.key];
        entry.id = entry.previous && fault_vfs_random(4) == 0
                   ? 0 : ++t->next_id;
        snprintf(keys[i], sizeof keys[i], "/registry/things/%zu", entry.key);
        snprintf(ids[i], sizeof ids[i], "%llu",
                 (unsigned long long) entry.id);
        pieces[i][0] = yl_str_c(ids[i]);
        pieces[i][1] = YL_STR(":");
        pieces[i][2] = yl_str_n(t->value,
                                fault_vfs_random(fault_vfs_random(8)
                                                 ? 200 : MAX_VALUE));
        writes[i].key = yl_str_c(keys[i]);
        writes[i].delete_ = entry.id == 0;
        writes[i].value = entry.id ? pieces[i] : NULL;
        writes[i].n_value = entry.id ? 3 : 0;
        writes[i].expected = entry.previous;
        entries_add(&asked, entry);
    }
    for (i = 0; i < n; batch.n_groups++) {
        size_t size = 1 + fault_vfs_random(3);

        size = size < n - i ? size : n - i;
        groups[batch.n_groups] = (struct yl_storage_group) {
            .writes = &writes[i], .n_writes = size,
        };
        i += size;
    }
    if (t->newest > 200 && fault_vfs_random(3)) {
        batch.compact = t->newest - 100 - fault_vfs_random(100);
    }
    ask_for_fault(t);
    yl_storage_commit(t->storage, &batch);
    yl_storage_collect(t->storage);
    r = settle(t, &batch, &asked);
    if (!t->checkpoints_fail) {
        fault_vfs_fail_syncs("", 0);
    }
    fault_vfs_fail_writes(0);
    fault_vfs_limit(0);
    yl_error_clear(&batch.error);
    free(asked.all);
    return r;
}

static void
ask_for_fault(struct torture *t)
{
    t->may_fail = true;
    if (t->checkpoints_fail) {
        return;
    }
    switch (fault_vfs_random(24)) {
    case 0:
        fault_vfs_fail_syncs("-wal", 1);
        break;

    case 1:
        fault_vfs_fail_writes(1);
        break;

    case 2:
        fault_vfs_limit(fault_vfs_bytes());
        break;

    default:
        t->may_fail = false;
    }
}

/* After a batch: records what is known about its writes. */
static int
settle(struct torture *t, const struct yl_storage_batch *batch,
       struct entries *asked)
{
    uint64_t last = t->newest;
    size_t i;

    if (batch->result < 0) {
        if (!fault_vfs_is_cut() && !t->may_fail && !t->reader) {
            return wrong(t, "a batch failed for no reason: %s",
                         yl_error_message(&batch->error));
        } else if (!batch->error.message) {
            return wrong(t, "a batch failed without a sentence");
        } else if (t->n_doubts == MAX_DOUBTS) {
            return wrong(t, "too many batches have failed in a row");
        }
        t->counts->n_failed += !fault_vfs_is_cut();
        entries_append(&t->doubts[t->n_doubts++], asked);
        return 0;
    }
    for (i = 0; i < asked->n; i++) {
        /* The writes of the groups are one array. */
        asked->all[i].revision = batch->groups[0].writes[i].revision;
        if (asked->all[i].revision <= last) {
            return wrong(t, "revision %llu came after %llu",
                         (unsigned long long) asked->all[i].revision,
                         (unsigned long long) last);
        }
        last = asked->all[i].revision;
    }
    t->counts->n_acknowledged += asked->n;
    apply(t, asked);
    forget_doubts(t);
    return 0;
}

/* Adds a batch to the history. */
static void
apply(struct torture *t, const struct entries *batch)
{
    size_t i;

    for (i = 0; i < batch->n; i++) {
        const struct entry *entry = &batch->all[i];

        t->current[entry->key] = entry->id ? entry->revision : 0;
        t->newest = entry->revision;
    }
    entries_append(&t->history, batch);
}

/* After opening
 * ============= */

static int
check_loaded(struct torture *t)
{
    struct yl_error err = YL_ERROR_INIT;
    uint64_t newest, compacted;
    int r;

    t->loaded.n = 0;
    r = yl_storage_load(t->storage, each_row, t, &newest, &compacted, &err);
    if (r < 0) {
        r = fault_vfs_is_cut() ? 0
            : wrong(t, "cannot load: %s", yl_error_message(&err));
        yl_error_clear(&err);
        return r;
    }
    r = compare(t, compacted);
    if (!r && newest < t->newest) {
        r = wrong(t, "newest revision is %llu, not %llu",
                  (unsigned long long) newest,
                  (unsigned long long) t->newest);
    }
    t->newest = newest;
    return r;
}

static int
each_row(void *aux, const struct yl_storage_row *row,
         struct yl_error *err YL_UNUSED)
{
    struct torture *t = aux;
    struct entry entry = {
        .revision = row->revision, .previous = row->previous,
    };
    char text[24] = "";

    memcpy(text, row->value.data,
           row->value.size < sizeof text - 1 ? row->value.size
                                             : sizeof text - 1);
    entry.id = row->delete_ ? 0 : strtoull(text, NULL, 10);
    snprintf(text, sizeof text, "%.*s",
             YL_STR_ARG(yl_str_skip(row->key, strlen("/registry/things/"))));
    entry.key = strtoull(text, NULL, 10);
    entries_add(&t->loaded, entry);
    return 0;
}

/* Compares what was loaded with what was acknowledged.  After the end of that
 * there may be one of the batches in doubt. */
static int
compare(struct torture *t, uint64_t compacted)
{
    uint64_t keys[N_KEYS] = { 0 };
    struct entries rest = { NULL, 0, 0 };
    size_t i, at = 0;
    int r = 0;

    for (i = 0; !r && i < t->loaded.n; i++) {
        const struct entry *row = &t->loaded.all[i];

        r = check_row(t, row, keys, compacted);
        while (!r && at < t->history.n
               && t->history.all[at].revision < row->revision) {
            if (t->history.all[at].revision > compacted) {
                r = wrong(t, "revision %llu is lost",
                          (unsigned long long) t->history.all[at].revision);
            }
            at++;
        }
        if (r) {
            break;
        } else if (at == t->history.n) {
            entries_add(&rest, *row);
        } else if (memcmp(row, &t->history.all[at], sizeof *row)) {
            r = wrong(t, "revision %llu is another write",
                      (unsigned long long) row->revision);
        } else {
            at++;
        }
    }
    for (; !r && at < t->history.n; at++) {
        if (t->history.all[at].revision > compacted) {
            r = wrong(t, "revision %llu is lost at the end",
                      (unsigned long long) t->history.all[at].revision);
        }
    }
    if (!r && rest.n) {
        if (!has_doubt(t, &rest)) {
            r = wrong(t, "%zu rows behind revision %llu are no whole batch",
                      rest.n, (unsigned long long) t->newest);
        } else {
            apply(t, &rest);
            t->counts->n_revived++;
        }
    }
    if (!r && memcmp(keys, t->current, sizeof keys)) {
        r = wrong(t, "a key has another revision");
    }
    forget_doubts(t);
    free(rest.all);
    return r;
}

static int
check_row(struct torture *t, const struct entry *row, uint64_t *keys,
          uint64_t compacted)
{
    const struct entry *before = row > t->loaded.all ? row - 1 : NULL;

    if (row->key >= N_KEYS) {
        return wrong(t, "there is a key that nobody wrote");
    } else if (before && before->revision >= row->revision) {
        return wrong(t, "rows come out of order");
    } else if (row->previous != keys[row->key]
               && (keys[row->key] || row->revision > compacted)) {
        return wrong(t, "revision %llu replaces %llu, but there is %llu",
                     (unsigned long long) row->revision,
                     (unsigned long long) row->previous,
                     (unsigned long long) keys[row->key]);
    }
    keys[row->key] = row->id ? row->revision : 0;
    return 0;
}

/* Is 'rest' one of the batches in doubt, except for the revisions? */
static bool
has_doubt(const struct torture *t, const struct entries *rest)
{
    size_t i, j;

    for (i = 0; i < t->n_doubts; i++) {
        const struct entries *doubt = &t->doubts[i];

        for (j = 0; j < doubt->n && j < rest->n; j++) {
            if (doubt->all[j].id != rest->all[j].id
                || doubt->all[j].key != rest->all[j].key
                || doubt->all[j].previous != rest->all[j].previous) {
                break;
            }
        }
        if (j == doubt->n && j == rest->n) {
            return true;
        }
    }
    return false;
}

/* Helpers
 * ======= */

static void
entries_add(struct entries *entries, struct entry entry)
{
    if (entries->n == entries->capacity) {
        entries->capacity = entries->capacity * 2 + 64;
        entries->all = yl_realloc_array(entries->all, entries->capacity,
                                        sizeof *entries->all);
    }
    entries->all[entries->n++] = entry;
}

static void
entries_append(struct entries *to, const struct entries *from)
{
    size_t i;

    for (i = 0; i < from->n; i++) {
        entries_add(to, from->all[i]);
    }
}

static void
forget_doubts(struct torture *t)
{
    while (t->n_doubts) {
        free(t->doubts[--t->n_doubts].all);
        t->doubts[t->n_doubts] = (struct entries) { NULL, 0, 0 };
    }
}

static int
wrong(struct torture *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(t->message, t->message_size, format, args);
    va_end(args);
    return -1;
}
