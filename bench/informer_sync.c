/* Syncs one informer and says what it cost: our side of bench/informer.
 *
 *     informer_sync --server URL --token TOKEN --resource GROUP/VERSION/NAME
 *                   [--plain] [--metadata-only] [--handler]
 *
 * Prints one line of JSON: seconds until the cache is complete, seconds of
 * CPU, resident bytes at most and when it has settled, objects, and the bytes
 * that the store counts. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/alloc.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/informer.h"

static double wall(void);
static double cpu(void);
static long status_of(const char *what);
static void on_added(void *n, const struct yl_versioned *, bool initial);

int
main(int argc, char *argv[])
{
    static const struct yl_handler handler = { .added = on_added };
    struct yl_client_config config = { .insecure = true };
    struct yl_informer_factory_opts opts = { 0 };
    struct yl_informer_scope scope = { 0 };
    struct yl_resource resource = { .namespaced = true };
    struct yl_informer_factory *factory;
    struct yl_informer *informer;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_store_stats stats;
    struct yl_client *client;
    char *name = NULL;
    bool with_handler = false;
    double began, took, used;
    size_t n_heard = 0;
    long peak;
    int i;

    for (i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--server") && i + 1 < argc) {
            config.server = argv[++i];
        } else if (!strcmp(argv[i], "--token") && i + 1 < argc) {
            config.token = argv[++i];
        } else if (!strcmp(argv[i], "--resource") && i + 1 < argc) {
            name = argv[++i];
        } else if (!strcmp(argv[i], "--plain")) {
            opts.never_pack = true;
        } else if (!strcmp(argv[i], "--metadata-only")) {
            scope.metadata_only = true;
        } else if (!strcmp(argv[i], "--handler")) {
            with_handler = true;
        } else {
            fprintf(stderr, "informer_sync: %s is not an option\n", argv[i]);
            return 2;
        }
    }
    if (!config.server || !name || !strchr(name, '/')
        || strchr(name, '/') == strrchr(name, '/')) {
        fprintf(stderr, "usage: informer_sync --server URL --token TOKEN "
                "--resource GROUP/VERSION/NAME\n");
        return 2;
    }
    resource.gvr.group = yl_str_range(name, strchr(name, '/'));
    resource.gvr.version = yl_str_range(strchr(name, '/') + 1,
                                        strrchr(name, '/'));
    resource.gvr.resource = yl_str_c(strrchr(name, '/') + 1);

    began = wall();
    if (yl_client_new(&config, NULL, &client, &err) < 0
        || yl_informer_factory_new(client, &opts, &factory, &err) < 0) {
        fprintf(stderr, "informer_sync: %s\n", yl_error_message(&err));
        return 1;
    }
    informer = yl_informer_factory_get(factory, &resource, &scope);
    if (with_handler
        && yl_informer_add_handler(informer, &handler, &n_heard, NULL, NULL,
                                   &err) < 0) {
        fprintf(stderr, "informer_sync: %s\n", yl_error_message(&err));
        return 1;
    }
    yl_informer_factory_start(factory);
    if (yl_informer_factory_wait(factory, 300 * 1000, NULL, &err) < 0) {
        fprintf(stderr, "informer_sync: %s\n", yl_error_message(&err));
        return 1;
    }
    while (!yl_informer_is_settled(informer)) {
        nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
    }
    took = wall() - began;
    used = cpu();
    peak = status_of("VmHWM:");
    stats = yl_store_stats(yl_informer_store(informer));
    nanosleep(&(struct timespec) { 2, 0 }, NULL);
    printf("{\"seconds\":%.4f,\"cpu\":%.4f,\"peak\":%ld,\"settled\":%ld,"
           "\"objects\":%zu,\"bytes\":%zu,\"plain\":%zu,\"packed\":%zu}\n",
           took, used, peak, status_of("VmRSS:"), stats.n_objects, stats.bytes,
           stats.plain_bytes, stats.n_packed);
    yl_informer_factory_free(factory);
    yl_client_unref(client);
    return 0;
}

static double
wall(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

/* User and system time of the process. */
static double
cpu(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* A line of /proc/self/status, in bytes. */
static long
status_of(const char *what)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = 0;

    while (file && fgets(line, sizeof line, file)) {
        if (!strncmp(line, what, strlen(what))) {
            value = strtol(line + strlen(what), NULL, 10) * 1024;
        }
    }
    if (file) {
        fclose(file);
    }
    return value;
}

static void
on_added(void *n, const struct yl_versioned *object, bool initial)
{
    (void) object;
    (void) initial;
    ++*(size_t *) n;
}
