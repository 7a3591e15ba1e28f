/* Backup and restore. */

#include "storage/sqlite_copy.h"

#include "storage/dir.h"
#include "storage_unit.h"
#include "unit.h"

struct counter {
    struct yl_sqlite_progress base;
    int n_calls;
    int max_calls;              /* 0: as many as there are. */
    uint64_t done, all;
};

static bool
count(struct yl_sqlite_progress *base, uint64_t done, uint64_t all)
{
    struct counter *counter = (struct counter *) base;

    assert_true(done <= all);
    assert_true(done >= counter->done);
    counter->n_calls++;
    counter->done = done;
    counter->all = all;
    return counter->n_calls != counter->max_calls;
}

/* A store with some history, and a backup of it beside it. */
static void
prepare(struct store *store, char backup[128])
{
    store_init(store);
    store_put(store, "/a", "1", 0);
    store_put(store, "/a", "2", 2);
    store_put(store, "/b", "1", 0);
    store_put(store, "/c", "1", 0);
    store_delete(store, "/b", 4);
    snprintf(backup, 128, "%s/backup", store->dir);
    assert_int_equal(yl_storage_backup(store->storage, backup, NULL), 0);
}

TEST(a_backup_of_an_open_store_is_a_complete_file)
{
    struct counter counter = { .base = { count } };
    struct store store;
    struct stat st;
    char backup[128], again[140];

    prepare(&store, backup);
    assert_int_equal(stat(backup, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    store_put(&store, "/d", "1", 0);
    snprintf(again, sizeof again, "%s-2", backup);
    assert_int_equal(yl_sqlite_backup(store.dir, again, &counter.base, NULL),
                     0);
    assert_true(counter.n_calls > 0);
    assert_true(counter.all > 0);
    assert_int_equal(counter.done, counter.all);
    store_release(&store);
}

/* Whenever it is interrupted, nothing is left. */
TEST(a_backup_can_be_interrupted)
{
    static struct yl_storage_write writes[2500];
    static char keys[2500][8];
    const struct yl_str value = YL_STR("1");
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char backup[128];
    int i, n;

    for (i = 0; i < 2500; i++) {
        snprintf(keys[i], sizeof keys[i], "/%d", i);
        writes[i].key = yl_str_c(keys[i]);
        writes[i].value = &value;
        writes[i].n_value = 1;
    }
    store_init(&store);
    assert_int_equal(store_commit(&store, writes, 2500, 0), 0);
    snprintf(backup, sizeof backup, "%s/sub", store.dir);
    assert_int_equal(mkdir(backup, 0700), 0);
    snprintf(backup, sizeof backup, "%s/sub/backup", store.dir);
    for (n = 1; ; n++) {
        struct counter counter = { .base = { count }, .max_calls = n };
        int r = yl_sqlite_backup(store.dir, backup, &counter.base, &err);

        if (r == 0) {
            break;
        }
        assert_int_equal(r, YL_ECANCELED);
        assert_string_equal(yl_error_message(&err), "interrupted");
        assert_int_equal(rmdir(store_file(&store, "sub")), 0);
        assert_int_equal(mkdir(store_file(&store, "sub"), 0700), 0);
    }
    assert_true(n > 2);
    assert_int_equal(access(backup, F_OK), 0);

    /* So can a restore, which then has changed nothing. */
    store_close(&store);
    for (n = 1; ; n++) {
        struct counter counter = { .base = { count }, .max_calls = n };
        int r = yl_sqlite_restore(store.dir, backup, true, &counter.base,
                                  &err);

        if (r == 0) {
            break;
        }
        assert_int_equal(r, YL_ECANCELED);
        assert_int_equal(access(store_file(&store, "yuloh.db.partial"), F_OK),
                         -1);
        assert_int_equal(access(store_file(&store, "yuloh.db"), F_OK), 0);
    }
    assert_true(n > 2);
    yl_error_clear(&err);
    store_release(&store);
}

TEST(a_backup_replaces_nothing)
{
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char backup[128];

    prepare(&store, backup);
    assert_int_equal(yl_storage_backup(store.storage, backup, &err),
                     YL_EEXISTS);
    assert_non_null(strstr(err.message, "exists already"));
    assert_int_equal(yl_storage_backup(store.storage, "/dev/null/x", &err),
                     YL_EIO);
    assert_non_null(strstr(err.message, "cannot create /dev/null/x"));
    yl_error_clear(&err);
    store_release(&store);
}

TEST(there_must_be_something_to_back_up)
{
    struct store store;

    store_init_dir(&store);
    assert_int_equal(yl_sqlite_backup(store.dir, "/tmp/never", NULL, NULL),
                     YL_ENOTFOUND);
    store_release(&store);
}

TEST(a_damaged_database_makes_no_backup)
{
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char path[128];

    store_init(&store);
    store_put(&store, "/a", "1", 0);
    store_close(&store);
    store_sql(&store, "UPDATE log SET value = '2'");
    snprintf(path, sizeof path, "%s/backup", store.dir);
    assert_int_equal(yl_sqlite_backup(store.dir, path, NULL, &err),
                     YL_ESTOREREAD);
    assert_non_null(strstr(err.message, "does not match its checksum"));
    assert_int_equal(access(path, F_OK), -1);
    yl_error_clear(&err);
    store_release(&store);
}

TEST(a_restored_store_starts_anew_behind_a_gap)
{
    struct store store;
    char backup[128];

    prepare(&store, backup);
    store_put(&store, "/later", "1", 0);
    store_close(&store);
    assert_int_equal(yl_sqlite_restore(store.dir, backup, true, NULL, NULL),
                     0);
    store_open(&store);
    assert_loads(store.storage, "3<2 /a=2\n5<0 /c=1\n"
                 "@1000000006-1000000006");
    assert_int_equal(store_put(&store, "/d", "1", 0), 1000000007);
    assert_int_equal(store_delete(&store, "/a", 3), 1000000008);
    assert_int_equal(store_commit(&store, NULL, 0, 1000000008), 0);
    store_reopen(&store);
    assert_loads(store.storage, "5<0 /c=1\n1000000007<0 /d=1\n"
                 "@1000000008-1000000008");
    store_release(&store);
}

TEST(restoring_asks_before_it_replaces)
{
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char backup[128];

    prepare(&store, backup);
    assert_int_equal(yl_sqlite_restore(store.dir, backup, true, NULL, &err),
                     YL_ECONFLICT);
    assert_non_null(strstr(err.message, "is in use by process "));
    store_close(&store);
    assert_int_equal(yl_sqlite_restore(store.dir, backup, false, NULL, &err),
                     YL_EEXISTS);
    assert_non_null(strstr(err.message, "--force replaces it"));
    assert_int_equal(yl_sqlite_restore("/dev/null/x", backup, false, NULL,
                                       &err), YL_EIO);
    yl_error_clear(&err);
    store_release(&store);
}

TEST(a_bad_backup_changes_nothing)
{
    struct yl_error err = YL_ERROR_INIT;
    struct store store;
    char backup[128];
    int fd;

    prepare(&store, backup);
    store_close(&store);
    fd = open(backup, O_RDWR);
    assert_int_equal(pwrite(fd, "garbage", 7, 4096), 7);
    close(fd);
    assert_int_equal(yl_sqlite_restore(store.dir, backup, true, NULL, &err),
                     YL_ESTOREREAD);
    assert_non_null(strstr(err.message, "use another backup"));
    assert_int_equal(yl_sqlite_restore(store.dir, "/dev/null/x", true, NULL,
                                       &err), YL_EIO);
    yl_error_clear(&err);
    store_open(&store);
    assert_int_equal(store_put(&store, "/d", "1", 0), 7);
    store_release(&store);
}

/* A crash after the decision: the next start ends it, and the old log does
 * not spoil the new database. */
TEST(a_restore_that_was_decided_is_ended_by_the_next_start)
{
    struct store store;
    char backup[128], other[128], command[400];

    prepare(&store, backup);
    store_put(&store, "/later", "1", 0);
    snprintf(other, sizeof other, "%s/other", store.dir);
    assert_int_equal(yl_sqlite_restore(other, backup, false, NULL, NULL), 0);
    snprintf(command, sizeof command,
             "cp %s/yuloh.db-wal %s/wal && cp %s/yuloh.db %s/db",
             store.dir, store.dir, store.dir, store.dir);
    assert_int_equal(system(command), 0);
    store_close(&store);
    snprintf(command, sizeof command,
             "cd %s && mv wal yuloh.db-wal && mv db yuloh.db && "
             "mv other/yuloh.db yuloh.db.restored", store.dir);
    assert_int_equal(system(command), 0);

    store_open(&store);
    assert_loads(store.storage, "3<2 /a=2\n5<0 /c=1\n"
                 "@1000000006-1000000006");
    assert_int_equal(access(store_file(&store, "yuloh.db.restored"), F_OK),
                     -1);
    store_release(&store);
}
