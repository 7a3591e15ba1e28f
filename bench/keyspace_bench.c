/* The keyspace alone: what a write, a key of a scan, an event of a watcher and
 * a row of a load cost, and how that grows with the number of objects.
 *
 * Storage is a memory back end that keeps nothing, so the figures are those of
 * the keyspace alone.  Objects have 1.6 KB.  CPU time is that of the whole
 * process. */

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "apiserver/keyspace/keyspace.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "storage/memory.h"

#define N_IN_FLIGHT 64
#define N_UPDATES 300000
#define PAGE 500

static int n_missed, n_wrong;

struct bench;

/* A client that sends one write after another. */
struct client {
    struct yl_ks_write write;
    struct bench *bench;
    size_t key;
    uint64_t random;
};

struct bench {
    struct yl_storage *storage;
    struct yl_keyspace *ks;
    struct yl_ks_resource *resource;
    struct yl_object **objects;
    _Atomic uint64_t *revisions;    /* Of each object; 0 if it does not
                                     * exist. */
    size_t n_objects;

    /* The run. */
    bool create;
    atomic_size_t next;         /* Write of the run. */
    size_t end;
    uint64_t random;
    struct yl_mutex lock;
    struct yl_cond changed;
    size_t n_running;
};

static double
clock_seconds(clockid_t id)
{
    struct timespec t;

    clock_gettime(id, &t);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

static double
cpu_seconds(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static void
report(const char *what, double value, const char *unit, double goal)
{
    printf("%-44s %10.3f %s", what, value, unit);
    if (goal > 0) {
        printf(" (goal %g: %s)", goal, value <= goal ? "met" : "MISSED");
        n_missed += value > goal;
    }
    printf("\n");
}

static struct yl_str
name_of(size_t i, char space[32])
{
    /* Scattered, so that new names are inserted at random places. */
    unsigned long long n = (unsigned long long) i * 2654435761U % 4294967291U;

    return yl_str_n(space, (size_t) snprintf(space, 32, "network-%010llu", n));
}

static struct yl_object *
object_new(size_t i)
{
    static char filler[1450];
    struct yl_object *object;
    char name[32], text[2048];
    int n;

    memset(filler, 'x', sizeof filler - 1);
    name_of(i, name);
    n = snprintf(text, sizeof text,
                 "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\","
                 "\"uid\":\"00000000-0000-4000-8000-000000000000\"},"
                 "\"spec\":{\"filler\":\"%s\"}}", name, filler);
    if (yl_object_ingest(yl_str_n(text, (size_t) n), NULL, &object, NULL)) {
        abort();
    }
    return object;
}

static const struct yl_type_meta network = {
    YL_STR_INIT("example.com/v1"), YL_STR_INIT("Network"),
};

static void
bench_open(struct bench *b, bool forget, size_t history_bytes)
{
    struct yl_keyspace_opts opts = { .history_bytes = history_bytes };

    b->storage = yl_memory_new(&(struct yl_memory_opts) { .forget = forget });
    b->ks = yl_keyspace_new(b->storage, &opts);
    if (yl_keyspace_add(b->ks, YL_STR("/registry/networks/"), true, network,
                        &b->resource, NULL)
        || yl_keyspace_load(b->ks, NULL) || yl_keyspace_start(b->ks, NULL)) {
        abort();
    }
}

static uint64_t
next_random(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x >> 11;
}

static void written(struct yl_ks_write *);

/* Sends the client's next write, or ends it. */
static void
client_next(struct client *client)
{
    struct bench *b = client->bench;
    size_t i = atomic_fetch_add(&b->next, 1);

    if (i >= b->end) {
        yl_mutex_lock(&b->lock);
        if (--b->n_running == 0) {
            yl_cond_signal(&b->changed);
        }
        yl_mutex_unlock(&b->lock);
        return;
    }

    /* Updates go to random keys.  If two clients write to one key, one gets a
     * conflict, which counts as answered too. */
    client->key = b->create ? i : next_random(&client->random)
                                        % b->n_objects;
    client->write = (struct yl_ks_write) {
        .resource = b->resource,
        .key = yl_object_key(b->objects[client->key]),
        .object = b->objects[client->key],
        .expected = atomic_load(&b->revisions[client->key]),
        .done = written,
    };
    yl_keyspace_write(b->ks, &client->write);
}

static void
written(struct yl_ks_write *write)
{
    struct client *client = YL_CONTAINER_OF(write, struct client, write);

    if (write->result == 0) {
        atomic_store(&client->bench->revisions[client->key],
                     write->revision);
    } else {
        n_wrong += client->bench->create;
        yl_error_clear(&write->error);
    }
    client_next(client);
}

/* Runs writes [from, end) with so many in flight; returns CPU seconds. */
static double
run(struct bench *b, bool create, size_t from, size_t end, double *ret_wall)
{
    static struct client clients[N_IN_FLIGHT];
    double cpu = cpu_seconds(), wall = clock_seconds(CLOCK_MONOTONIC);
    size_t i;

    b->create = create;
    atomic_store(&b->next, from);
    b->end = end;
    b->n_running = N_IN_FLIGHT;
    for (i = 0; i < N_IN_FLIGHT; i++) {
        clients[i].bench = b;
        clients[i].random = 88172645463325252 + i * 7919;
        client_next(&clients[i]);
    }
    yl_mutex_lock(&b->lock);
    while (b->n_running) {
        yl_cond_wait(&b->changed, &b->lock);
    }
    yl_mutex_unlock(&b->lock);
    *ret_wall = clock_seconds(CLOCK_MONOTONIC) - wall;
    return cpu_seconds() - cpu;
}

static void
bench_creates(struct bench *b, size_t n_objects)
{
    static const size_t marks[] = { 1000, 50000, 1000000 };
    size_t i, at = 0;
    double wall;

    for (i = 0; i < YL_ARRAY_SIZE(marks) && marks[i] <= n_objects; i++) {
        size_t n = marks[i] < 50000 ? marks[i] : 50000;
        char what[64];
        double cpu;

        run(b, true, at, marks[i] - n, &wall);
        cpu = run(b, true, marks[i] - n, marks[i], &wall);
        at = marks[i];
        snprintf(what, sizeof what, "create, up to %zu objects", marks[i]);
        report(what, cpu / (double) n * 1e6, "us of CPU", 4);
    }
    run(b, true, at, n_objects, &wall);
}

static void
bench_updates(struct bench *b, size_t n_objects)
{
    char what[64];
    double cpu, wall;

    b->n_objects = n_objects;
    cpu = run(b, false, 0, N_UPDATES, &wall);
    snprintf(what, sizeof what, "random update of %zu objects", n_objects);
    report(what, cpu / N_UPDATES * 1e6, "us of CPU", 4);
    printf("%-44s %10.0f a second\n", "", N_UPDATES / wall);
}

static void
bench_scan(struct bench *b, size_t n_objects)
{
    struct yl_versioned *items = yl_malloc_array(PAGE, sizeof *items);
    struct yl_ks_scan *scan;
    double cpu, best = 0;
    int round, i, n;
    char what[64];
    size_t total;

    for (round = 0; round < 5; round++) {
        total = 0;
        cpu = cpu_seconds();
        if (yl_ks_scan_open(b->resource, NULL, &scan, NULL)) {
            abort();
        }
        while ((n = yl_ks_scan_next(scan, items, PAGE)) > 0) {
            total += (size_t) n;
            for (i = 0; i < n; i++) {
                yl_object_unref(items[i].object);
            }
        }
        yl_ks_scan_close(scan);
        cpu = cpu_seconds() - cpu;
        best = round == 0 || cpu < best ? cpu : best;
        n_wrong += total != n_objects;
    }
    snprintf(what, sizeof what, "scan of %zu objects, a key", n_objects);
    report(what, best / (double) n_objects * 1e9, "ns of CPU", 0);

    cpu = cpu_seconds();
    for (round = 0; round < 1000; round++) {
        struct yl_key key = yl_object_key(b->objects[next_random(&b->random)
                                                     % n_objects]);
        char start[128];
        struct yl_ks_scan_opts opts = { .start = yl_str_n(start, 0) };

        opts.start.size = (size_t) snprintf(start, sizeof start, "%.*s/%.*s",
                                            YL_STR_ARG(key.namespace_),
                                            YL_STR_ARG(key.name));
        if (yl_ks_scan_open(b->resource, &opts, &scan, NULL)) {
            abort();
        }
        n = yl_ks_scan_next(scan, items, PAGE);
        for (i = 0; i < n; i++) {
            yl_object_unref(items[i].object);
        }
        yl_ks_scan_remaining(scan);
        yl_ks_scan_close(scan);
    }
    snprintf(what, sizeof what, "page of %d out of %zu", PAGE, n_objects);
    report(what, (cpu_seconds() - cpu) / 1000 * 1e6, "us of CPU", 0);
    free(items);
}

static void
bench_get(struct bench *b, size_t n_objects)
{
    double cpu = cpu_seconds();
    char what[64];
    size_t i;

    for (i = 0; i < 1000000; i++) {
        struct yl_object *object;

        if (yl_ks_get(b->resource,
                      yl_object_key(b->objects[next_random(&b->random)
                                               % n_objects]),
                      &object, NULL)) {
            abort();
        }
        yl_object_unref(object);
    }
    snprintf(what, sizeof what, "get of %zu objects", n_objects);
    report(what, (cpu_seconds() - cpu) / 1e6 * 1e6, "us of CPU", 0);
}

static void
bench_cursors(struct bench *b, size_t n_cursors)
{
    struct yl_ks_cursor **cursors
        = yl_malloc_array(n_cursors, sizeof(void *));
    struct yl_ks_event events[256];
    uint64_t revision = yl_keyspace_revision(b->ks);
    double cpu, wall;
    size_t i, total = 0;
    char what[64];
    int j, n;

    for (i = 0; i < n_cursors; i++) {
        if (yl_ks_cursor_open(b->resource, NULL, revision, &cursors[i],
                              NULL)) {
            abort();
        }
    }
    run(b, false, 0, 2000, &wall);
    cpu = cpu_seconds();
    for (i = 0; i < n_cursors; i++) {
        while ((n = yl_ks_cursor_next(cursors[i], events, 256)) > 0) {
            total += (size_t) n;
            for (j = 0; j < n; j++) {
                yl_object_unref(events[j].object);
                yl_object_unref(events[j].previous);
            }
        }
    }
    snprintf(what, sizeof what, "%zu cursors, an event each", n_cursors);
    report(what, (cpu_seconds() - cpu) / (double) total * 1e9, "ns of CPU",
           0);
    cpu = cpu_seconds();
    for (i = 0; i < n_cursors * 100; i++) {
        n_wrong += yl_ks_cursor_next(cursors[i % n_cursors], events, 256)
                   != 0;
    }
    report("cursor with nothing new", (cpu_seconds() - cpu)
           / (double) n_cursors / 100 * 1e9, "ns of CPU", 0);
    for (i = 0; i < n_cursors; i++) {
        yl_ks_cursor_close(cursors[i]);
    }
    free(cursors);
}

static void
bench_close(struct bench *b)
{
    yl_keyspace_free(b->ks);
    yl_storage_close(b->storage);
}

static size_t
heap_bytes(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

int
main(int argc, char *argv[])
{
    size_t n_objects = argc > 1 ? (size_t) strtoul(argv[1], NULL, 10)
                                : 1000000;
    size_t n_all = n_objects;
    size_t before, i;
    struct bench b = { .random = 88172645463325252 };
    double cpu, wall;

    if (n_objects == 0) {
        fprintf(stderr, "usage: keyspace_bench [OBJECTS]\n");
        return 2;
    }
    yl_mutex_init(&b.lock);
    yl_cond_init(&b.changed);
    b.objects = yl_malloc_array(n_objects, sizeof(void *));
    b.revisions = yl_zalloc(n_objects * sizeof *b.revisions);
    for (i = 0; i < n_objects; i++) {
        b.objects[i] = object_new(i);
    }

    /* A history so small that old entries are dropped all the time. */
    bench_open(&b, true, (size_t) 64 << 20);
    bench_creates(&b, n_objects);
    bench_updates(&b, n_objects < 50000 ? n_objects : 50000);
    bench_get(&b, n_objects < 50000 ? n_objects : 50000);
    if (n_objects > 50000) {
        bench_updates(&b, n_objects);
        bench_get(&b, n_objects);
    }
    bench_scan(&b, n_objects);
    bench_cursors(&b, 1000);
    bench_close(&b);

    /* Loading, and the memory of 50,000 objects. */
    memset(b.revisions, 0, n_objects * sizeof *b.revisions);
    bench_open(&b, false, 0);
    n_objects = n_objects < 50000 ? n_objects : 50000;
    run(&b, true, 0, n_objects, &wall);
    yl_keyspace_free(b.ks);
    before = heap_bytes();
    b.ks = yl_keyspace_new(b.storage, NULL);
    if (yl_keyspace_add(b.ks, YL_STR("/registry/networks/"), true, network,
                        &b.resource, NULL)) {
        abort();
    }
    cpu = cpu_seconds();
    if (yl_keyspace_load(b.ks, NULL)) {
        abort();
    }
    cpu = cpu_seconds() - cpu;
    n_wrong += yl_ks_count(b.resource) != n_objects;
    report("load, an object", cpu / (double) n_objects * 1e6, "us of CPU", 2);
    report("memory of 50,000 such objects",
           (double) (heap_bytes() - before) / 1e6, "MB", 100);
    bench_close(&b);
    for (i = 0; i < n_all; i++) {
        yl_object_unref(b.objects[i]);
    }
    free(b.objects);
    free(b.revisions);
    printf("\nkeyspace: %d goals missed, %d wrong results\n", n_missed,
           n_wrong);
    return n_wrong ? 1 : 0;
}
