/* Many informers in one process: each has its own label selector, and all
 * share one thread and one connection.
 *
 *     torture-informers --server URL --token TOKEN [--informers N]
 *
 * When all have synced it counts the threads and the connections of the
 * process; then it makes an object for each informer and waits until each has
 * seen its own, and no other.  tests/e2e/informers.sh runs it against a
 * server.  Prints what it found; fails if something is not as it should be. */

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/informer.h"

/* The main thread, and the loop's. */
#define MAX_THREADS 2

/* How long anything may take. */
#define PATIENCE_MS 120000

static const struct yl_resource configmaps = {
    .gvr = {
        .version = { "v1", 2 }, .resource = { "configmaps", 10 },
    },
    .kind = { "ConfigMap", 9 },
    .namespaced = true,
};

static void
die(const char *what, struct yl_error *err)
{
    fprintf(stderr, "informers: %s%s%s\n", what, err ? ": " : "",
            err ? yl_error_message(err) : "");
    exit(1);
}

/* A line of /proc/self/status. */
static long
status_of(const char *what)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = -1;

    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, what, strlen(what)) == 0) {
            value = strtol(line + strlen(what), NULL, 10);
        }
    }
    if (file) {
        fclose(file);
    }
    return value;
}

static size_t
count_sockets(void)
{
    DIR *dir = opendir("/proc/self/fd");
    const struct dirent *entry;
    size_t n = 0;

    while (dir && (entry = readdir(dir)) != NULL) {
        char path[PATH_MAX], target[64] = "";

        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        n += readlink(path, target, sizeof target - 1) > 0
             && strncmp(target, "socket:", 7) == 0;
    }
    if (dir) {
        closedir(dir);
    }
    return n;
}

static void
make_object(struct yl_client *client, size_t i)
{
    struct yl_error err = YL_ERROR_INIT;
    char json[256];

    snprintf(json, sizeof json,
             "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
             "\"metadata\":{\"name\":\"c%zu\",\"labels\":{\"n\":\"%zu\"}}}",
             i, i);
    if (yl_client_create(client, &configmaps, YL_STR("default"),
                         yl_str_c(json), NULL, NULL, &err) < 0) {
        die("an object cannot be created", &err);
    }
}

/* Until each informer has one object. */
static void
await_objects(struct yl_informer *const *informers, size_t n)
{
    yl_msec end = yl_now(NULL) + PATIENCE_MS;

    for (size_t i = 0; i < n; i++) {
        while (yl_store_stats(yl_informer_store(informers[i])).n_objects
               != 1) {
            if (yl_now(NULL) > end) {
                die("an informer has not seen its object, or others", NULL);
            }
            nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
        }
    }
}

int
main(int argc, char *argv[])
{
    struct yl_client_config config = { .insecure = true };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_informer_factory *factory;
    struct yl_informer **informers;
    struct yl_client *client;
    size_t n = 1000;
    size_t n_sockets;
    yl_msec began = yl_now(NULL);

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--server") == 0) {
            config.server = argv[i + 1];
        } else if (strcmp(argv[i], "--token") == 0) {
            config.token = argv[i + 1];
        } else if (strcmp(argv[i], "--informers") == 0) {
            n = strtoul(argv[i + 1], NULL, 10);
        }
    }
    if (!config.server || !n || n > 100000) {
        die("needs --server", NULL);
    }
    if (yl_client_new(&config, NULL, &client, &err) < 0
        || yl_informer_factory_new(client, NULL, &factory, &err) < 0) {
        die("no client", &err);
    }
    informers = yl_malloc_array(n, sizeof *informers);
    for (size_t i = 0; i < n; i++) {
        char selector[32];

        snprintf(selector, sizeof selector, "n=%zu", i);
        informers[i] = yl_informer_factory_get(
            factory, &configmaps,
            &(struct yl_informer_scope) {
                .label_selector = yl_str_c(selector)
            });
    }
    yl_informer_factory_start(factory);
    if (yl_informer_factory_wait(factory, PATIENCE_MS, NULL, &err) < 0) {
        die("they have not synced", &err);
    }
    n_sockets = count_sockets();
    printf("%zu informers synced in %lld ms: %ld threads, %zu connections, "
           "%ld KB resident\n", n, (long long) (yl_now(NULL) - began),
           status_of("Threads:"), n_sockets, status_of("VmRSS:"));
    if (status_of("Threads:") > MAX_THREADS || n_sockets != 1) {
        die("there are too many threads or connections", NULL);
    }
    began = yl_now(NULL);
    for (size_t i = 0; i < n; i++) {
        make_object(client, i);
    }
    await_objects(informers, n);
    printf("all have seen their object after %lld ms; %ld KB resident\n",
           (long long) (yl_now(NULL) - began), status_of("VmRSS:"));
    yl_informer_factory_free(factory);
    yl_client_unref(client);
    free(informers);
    return 0;
}
