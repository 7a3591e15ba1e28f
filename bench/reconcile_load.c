/* How long a controller takes from an object's creation to its status.
 *
 *     reconcile_load --port N --token T [--writers N] [--count N]
 *
 * Writers create Deployments one after another; a controller writes the status
 * of each.  A time begins before the create is sent and ends when the answer
 * to the status has come.  A writer creates the next one then, so with one
 * writer nothing waits for anything else.  Prints a line of JSON, in
 * microseconds.  bench/reconcile runs it beside client-go. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "yuloh/api/apps_v1_client.h"
#include "yuloh/arena.h"
#include "yuloh/client.h"
#include "yuloh/client_config.h"
#include "yuloh/controller.h"
#include "yuloh/manager.h"

/* As in bench/go/reconcile.go. */
#define WARM_UP 20

static struct yl_client *client;
static unsigned n_writers = 1, count = 500;

/* What the controller tells the writers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static double *ends;            /* By the object's number; 0: not yet. */
static double *times;           /* Of each that counts. */

static double
now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e6 + (double) t.tv_nsec / 1e3;
}

static double
cpu(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
           + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int
reconcile(struct yl_request *req)
{
    const struct apps_v1_deployment *d = apps_v1_deployment_of(req);
    unsigned i;
    int r;

    if (!d || d->status.observed_generation) {
        return 0;
    }
    r = apps_v1_deployment_update_status(
        req, &(struct apps_v1_deployment_status) {
            .observed_generation = d->metadata.generation, .replicas = 1 });
    if (r == 0) {
        i = (unsigned) strtoul(d->metadata.name + 1, NULL, 10);
        pthread_mutex_lock(&lock);
        ends[i] = now();
        pthread_cond_broadcast(&done);
        pthread_mutex_unlock(&lock);
    }
    return r;
}

static const struct yl_controller controller = {
    .name = "bench",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &apps_v1_deployment_kind,
                            .changed = YL_GENERATION }),
    .workers = 4,
};

static void
must(int r, struct yl_error *err)
{
    if (r < 0) {
        fprintf(stderr, "reconcile_load: %s\n", yl_error_message(err));
        exit(1);
    }
}

static void
create(unsigned i, struct yl_arena *arena)
{
    static const struct yl_string_pair labels[] = { { "a", "b" } };
    static const struct yl_label_selector selector = {
        .match_labels = labels, .n_match_labels = 1 };
    static const struct core_v1_container container = { .name = "c",
                                                        .image = "i" };
    const struct apps_v1_deployment d = {
        .metadata = { .name = yl_arena_printf(arena, "d%u", i),
                      .namespace_ = "default" },
        .spec = {
            .selector = &selector,
            .template_ = {
                .metadata = { .labels = labels, .n_labels = 1 },
                .spec = { .containers = &container, .n_containers = 1 },
            },
        },
    };
    struct yl_error err = YL_ERROR_INIT;

    must(apps_v1_deployment_client_create(client, &d, NULL, arena, NULL,
                                          &err), &err);
    yl_arena_clear(arena);
}

static void *
write_all(void *number)
{
    unsigned w = (unsigned) (uintptr_t) number, i;
    struct yl_arena *arena = yl_arena_new();

    for (i = 0; i < count + WARM_UP; i++) {
        unsigned at = w * (count + WARM_UP) + i;
        double began = now(), end;

        create(at, arena);
        pthread_mutex_lock(&lock);
        while (ends[at] == 0) {
            pthread_cond_wait(&done, &lock);
        }
        end = ends[at];
        pthread_mutex_unlock(&lock);
        if (i >= WARM_UP) {
            times[w * count + i - WARM_UP] = end - began;
        }
    }
    yl_arena_free(arena);
    return NULL;
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static void
print(size_t n, double used)
{
    double sum = 0;
    size_t i;

    for (i = 0; i < n; i++) {
        sum += times[i];
    }
    qsort(times, n, sizeof *times, compare);
    printf("{\"mean\":%.1f,\"p50\":%.1f,\"p99\":%.1f,\"cpu\":%.1f,"
           "\"n\":%zu}\n", sum / (double) n, times[n / 2],
           times[n * 99 / 100],
           used / (double) (n + n_writers * WARM_UP), n);
}

int
main(int argc, char *argv[])
{
    struct yl_client_config config = { .insecure = true };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_manager *manager;
    pthread_t writers[64];
    char url[64] = "";
    double used;
    unsigned w;
    int i;

    for (i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--port")) {
            snprintf(url, sizeof url, "https://127.0.0.1:%s", argv[i + 1]);
        } else if (!strcmp(argv[i], "--token")) {
            config.token = argv[i + 1];
        } else if (!strcmp(argv[i], "--writers")) {
            n_writers = (unsigned) strtoul(argv[i + 1], NULL, 10);
        } else if (!strcmp(argv[i], "--count")) {
            count = (unsigned) strtoul(argv[i + 1], NULL, 10);
        }
    }
    if (!url[0] || n_writers < 1 || n_writers > 64) {
        fprintf(stderr, "usage: reconcile_load --port N --token T "
                "[--writers N] [--count N]\n");
        return 2;
    }
    config.server = url;
    ends = calloc((size_t) n_writers * (count + WARM_UP), sizeof *ends);
    times = calloc((size_t) n_writers * count, sizeof *times);
    must(yl_client_new(&config, NULL, &client, &err), &err);
    must(yl_manager_new(&(struct yl_manager_opts) { .client = client },
                        &manager, &err), &err);
    must(yl_manager_add(manager, &controller, &err), &err);
    must(yl_manager_start(manager, &err), &err);
    used = cpu();
    for (w = 0; w < n_writers; w++) {
        if (pthread_create(&writers[w], NULL, write_all,
                           (void *) (uintptr_t) w)) {
            return 1;
        }
    }
    for (w = 0; w < n_writers; w++) {
        pthread_join(writers[w], NULL);
    }
    used = cpu() - used;
    print((size_t) n_writers * count, used);
    yl_manager_stop(manager);
    must(yl_manager_join(manager, &err), &err);
    yl_manager_free(manager);
    yl_client_unref(client);
    free(ends);
    free(times);
    return 0;
}
