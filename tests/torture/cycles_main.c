/* torture-cycles: starts and stops everything again and again in one process.
 *
 *     build/tests/torture-cycles [N]
 *
 * Each of the N [100] cycles starts a server, a client, a manager with a
 * controller, and a leader election, lets them work, and stops them.  Fails if
 * descriptors or threads are left, or if memory grows in the last four fifths
 * of 50 cycles or more by more than 4 MB; a sanitizer or valgrind finds
 * smaller leaks in a few. */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "yuloh/api/core_v1_client.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/controller.h"
#include "yuloh/error.h"
#include "yuloh/leader_election.h"
#include "yuloh/log.h"
#include "yuloh/manager.h"
#include "yuloh/testenv.h"

#define MAX_GROWTH (4 << 20)

static int
reconcile(struct yl_request *req)
{
    const struct core_v1_service_account *account
        = core_v1_service_account_of(req);
    struct core_v1_config_map want = { .data = NULL };

    if (!account) {
        return 0;
    }
    want.metadata.name = account->metadata.name;
    return core_v1_config_map_apply_owned(req, &want, NULL);
}

static const struct yl_controller controller = {
    .name = "cycles",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_service_account_kind },
                          { .owns = &core_v1_config_map_kind }),
    .workers = 2,
};

static void
check(int r, struct yl_error *err)
{
    if (r < 0) {
        fprintf(stderr, "torture-cycles: %s\n", yl_error_message(err));
        exit(1);
    }
}

static void
run_cycle(void)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_leader_election *election;
    struct yl_client_config config;
    struct yl_manager *manager;
    struct yl_client *client;
    struct yl_testenv *env;

    check(yl_testenv_new(NULL, &env, &err), &err);
    config = yl_testenv_client_config(env);
    check(yl_client_new(&config, NULL, &client, &err), &err);
    check(yl_manager_new(&(struct yl_manager_opts) {
        .client = client, .metrics_address = "127.0.0.1:0",
    }, &manager, &err), &err);
    check(yl_manager_add(manager, &controller, &err), &err);
    check(yl_manager_start(manager, &err), &err);
    check(yl_leader_election_start(&(struct yl_leader_election_opts) {
        .client = client,
        .lease = yl_key_make(YL_STR("default"), YL_STR("cycles")),
    }, &election, &err), &err);
    check(yl_testenv_apply(env, "apiVersion: v1\n"
                                "kind: ServiceAccount\n"
                                "metadata: {name: one}\n", &err), &err);
    while (!yl_leader_election_is_leader(election)) {
        usleep(100);
    }
    check(yl_testenv_settle(env, manager, 0, &err), &err);
    yl_leader_election_free(election);
    yl_manager_free(manager);
    yl_client_unref(client);
    yl_testenv_free(env);
}

/* How many entries a folder of /proc/self has. */
static int
count_entries(const char *path)
{
    DIR *folder = opendir(path);
    int n = 0;

    while (folder && readdir(folder)) {
        n++;
    }
    if (folder) {
        closedir(folder);
    }
    return n;
}

/* A thread that was joined may be listed for a moment. */
static int
count_threads(void)
{
    int least = count_entries("/proc/self/task");

    for (int i = 0; i < 100 && least > 3; i++) {    /* ".", "..", our own. */
        int n = count_entries("/proc/self/task");

        least = n < least ? n : least;
        usleep(1000);
    }
    return least;
}

static long
resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    char text[128] = "";
    char *end = text;

    if (file) {
        if (!fgets(text, sizeof text, file)) {
            text[0] = '\0';
        }
        fclose(file);
    }
    (void) strtol(text, &end, 10);
    return strtol(end, NULL, 10) * sysconf(_SC_PAGESIZE);
}

static void
drop_line(const struct yl_log_sink *sink YL_UNUSED,
          const char *line YL_UNUSED, size_t size YL_UNUSED)
{
}

int
main(int argc, char *argv[])
{
    static const struct yl_log_sink quiet = { drop_line };
    long n_cycles = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    int n_files = 0, n_threads = 0;
    long memory = 0, grown;

    yl_log_set_sink(&quiet);
    for (long i = 0; i < n_cycles; i++) {
        run_cycle();
        if (i == 0) {
            n_files = count_entries("/proc/self/fd");
            n_threads = count_threads();
        }
        if (i <= n_cycles / 5) {
            memory = resident_bytes();
        }
    }
    grown = resident_bytes() - memory;
    printf("%ld cycles: %d more descriptors, %d more threads, %ld KB more\n",
           n_cycles, count_entries("/proc/self/fd") - n_files,
           count_threads() - n_threads, grown >> 10);
    return count_entries("/proc/self/fd") != n_files
           || count_threads() != n_threads
           || (n_cycles >= 50 && grown > MAX_GROWTH);
}
