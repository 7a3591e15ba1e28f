/* torture-store: fills a store.
 *
 *     build/tests/torture-store DIRECTORY N [MICROSECONDS]
 *
 * Writes N keys, one a batch, printing each key's revision when it is
 * acknowledged, and sleeps for MICROSECONDS after each.  For scripts that need
 * a database without a server. */

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "storage/sqlite.h"
#include "yuloh/error.h"
#include "yuloh/str.h"

static void
done(struct yl_storage_batch *batch)
{
    if (batch->result == 0) {
        printf("%" PRIu64 "\n", batch->groups[0].writes[0].revision);
        fflush(stdout);
    }
}

static int
write_one(struct yl_storage *storage, unsigned long long i)
{
    const struct yl_str value = YL_STR("{\"kind\":\"Thing\"}");
    char key[64];
    struct yl_storage_write write = { .value = &value, .n_value = 1 };
    struct yl_storage_group group = { .writes = &write, .n_writes = 1 };
    struct yl_storage_batch batch = {
        .groups = &group, .n_groups = 1, .done = done,
    };

    snprintf(key, sizeof key, "/registry/things/default/%llu", i);
    write.key = yl_str_c(key);
    yl_storage_commit(storage, &batch);
    yl_storage_collect(storage);
    if (batch.result < 0) {
        fprintf(stderr, "%s\n", yl_error_message(&batch.error));
        yl_error_clear(&batch.error);
    }
    return batch.result;
}

int
main(int argc, char *argv[])
{
    struct yl_sqlite_opts opts = { .data_dir = argc > 1 ? argv[1] : NULL };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_storage *storage;
    unsigned long long n, rest = 0, i;
    int r = 0;

    if (argc < 3 || argc > 4 || yl_str_to_u64(yl_str_c(argv[2]), &n) < 0
        || (argc == 4 && (yl_str_to_u64(yl_str_c(argv[3]), &rest) < 0
                          || rest > 999999))) {
        fprintf(stderr, "usage: torture-store DIRECTORY N [MICROSECONDS]\n");
        return 2;
    }
    if (yl_sqlite_open(&opts, &storage, &err) < 0) {
        fprintf(stderr, "%s\n", yl_error_message(&err));
        yl_error_clear(&err);
        return 1;
    }
    for (i = 0; !r && i < n; i++) {
        r = write_one(storage, i);
        if (rest) {
            usleep((useconds_t) rest);
        }
    }
    yl_storage_close(storage);
    return r < 0;
}
