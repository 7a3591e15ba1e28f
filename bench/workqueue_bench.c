/* What a key costs in the work queue: added, got, done.
 *
 * Beside client-go's queue (bench/go/workqueue.go), which does the same in the
 * same run if Go is there. */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "yuloh/metrics.h"
#include "yuloh/workqueue.h"

/* As many as in bench/go/workqueue.go. */
#define CYCLES 1000000
#define BACKLOG 100000
#define ROUNDS 5

static struct yl_key *keys;     /* BACKLOG of them. */

struct figure {
    const char *name;           /* As the peer calls it. */
    const char *text;
    double goal;                /* Times faster than the peer. */
    double ours;
    double peer;                /* 0: none. */
};

static struct figure figures[] = {
    { "alone", "one thread, 1,000 keys", 2.5, 0, 0 },
    { "backlog", "one thread, 100,000 keys waiting", 1, 0, 0 },
    { "delayed", "one thread, a key waits for its time", 1, 0, 0 },
    { "contended-1", "1 adds, 1 works", 1, 0, 0 },
    { "contended-2", "2 add, 2 work", 1, 0, 0 },
    { "contended-4", "4 add, 4 work", 1, 0, 0 },
    { "metrics", "one thread, with metrics", 0, 0, 0 },
};

static void make_keys(void);
static double alone(struct yl_workqueue *);
static double backlog(struct yl_workqueue *);
static double contended(unsigned n);
static double best_of(double (*)(struct yl_workqueue *),
                      struct yl_workqueue *);
static struct figure *find(const char *name);
static void ask_peer(void);
static void print(void);

int
main(void)
{
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    struct yl_workqueue *measured = yl_workqueue_new(
        &(struct yl_workqueue_opts) { .metrics = metrics });
    struct yl_key later = { YL_STR_INIT("ns"), YL_STR_INIT("later") };
    unsigned n;

    make_keys();
    find("alone")->ours = best_of(alone, q);
    find("backlog")->ours = best_of(backlog, q);
    yl_workqueue_add_after(q, &later, 3600 * 1000);
    find("delayed")->ours = best_of(alone, q);
    find("metrics")->ours = best_of(alone, measured);
    for (n = 1; n <= 4; n *= 2) {
        char name[32];
        int i;

        snprintf(name, sizeof name, "contended-%u", n);
        for (i = 0; i < ROUNDS; i++) {
            double each = contended(n);
            struct figure *figure = find(name);

            figure->ours = i && figure->ours < each ? figure->ours : each;
        }
    }
    yl_workqueue_free(measured);
    yl_workqueue_free(q);
    yl_metrics_free(metrics);
    ask_peer();
    print();
    return 0;
}

static void
make_keys(void)
{
    size_t i;

    keys = calloc(BACKLOG, sizeof *keys);
    for (i = 0; i < BACKLOG; i++) {
        char *text = malloc(64);
        int n = snprintf(text, 64, "namespace-%zuobject-%06zu", i % 10, i);

        keys[i] = yl_key_make(yl_str_n(text, 11),
                              yl_str_n(text + 11, (size_t) n - 11));
    }
}

static double
read_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

static double
now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* CPU time, for what one thread does: other programs do not count. */
static double
cpu(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Nanoseconds for each key. */
static double
alone(struct yl_workqueue *q)
{
    double start = cpu();
    size_t i;

    for (i = 0; i < CYCLES; i++) {
        yl_workqueue_add(q, &keys[i % 1000]);
        yl_workqueue_done(q, yl_workqueue_get(q));
    }
    return (cpu() - start) / CYCLES;
}

static double
backlog(struct yl_workqueue *q)
{
    double start = cpu();
    size_t i;

    for (i = 0; i < BACKLOG; i++) {
        yl_workqueue_add(q, &keys[i]);
    }
    for (i = 0; i < BACKLOG; i++) {
        yl_workqueue_done(q, yl_workqueue_get(q));
    }
    return (cpu() - start) / BACKLOG;
}

struct side {
    pthread_t thread;
    struct yl_workqueue *q;
    unsigned first, step;
};

static void *
produce(void *side_)
{
    struct side *side = side_;
    unsigned i;

    for (i = side->first; i < BACKLOG; i += side->step) {
        yl_workqueue_add(side->q, &keys[i]);
    }
    return NULL;
}

static void *
work(void *side_)
{
    struct side *side = side_;
    const struct yl_key *key;

    while ((key = yl_workqueue_get(side->q)) != NULL) {
        yl_workqueue_done(side->q, key);
    }
    return NULL;
}

static double
contended(unsigned n)
{
    struct yl_workqueue *q = yl_workqueue_new(NULL);
    struct side producers[4], workers[4];
    double start = now();
    unsigned i;

    for (i = 0; i < n; i++) {
        producers[i] = (struct side) { .q = q, .first = i, .step = n };
        workers[i] = (struct side) { .q = q };
        pthread_create(&producers[i].thread, NULL, produce, &producers[i]);
        pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    }
    for (i = 0; i < n; i++) {
        pthread_join(producers[i].thread, NULL);
    }
    yl_workqueue_shut_down(q);
    for (i = 0; i < n; i++) {
        pthread_join(workers[i].thread, NULL);
    }
    yl_workqueue_free(q);
    return (now() - start) / BACKLOG;
}

static double
best_of(double (*run)(struct yl_workqueue *), struct yl_workqueue *q)
{
    double best = run(q);
    int i;

    for (i = 1; i < ROUNDS; i++) {
        double each = run(q);

        best = each < best ? each : best;
    }
    return best;
}

static struct figure *
find(const char *name)
{
    size_t i;

    for (i = 0; strcmp(figures[i].name, name) != 0; i++) {
        continue;
    }
    return &figures[i];
}

/* The peer prints a line "NAME NANOSECONDS" for each figure. */
static void
ask_peer(void)
{
    FILE *peer = popen("bench/go-peer workqueue", "r");
    char line[128];

    while (peer && fgets(line, sizeof line, peer)) {
        char *space = strchr(line, ' ');

        if (space) {
            *space = '\0';
            find(line)->peer = strtod(space + 1, NULL);
        }
    }
    if (peer) {
        pclose(peer);
    }
}

static void
print(void)
{
    size_t i;

    printf("%-38s %8s %10s %7s\n", "ns for each key", "yuloh", "client-go",
           "ratio");
    for (i = 0; i < sizeof figures / sizeof *figures; i++) {
        const struct figure *f = &figures[i];

        printf("%-38s %8.1f", f->text, f->ours);
        if (f->peer > 0) {
            double ratio = f->peer / f->ours;

            printf(" %10.1f %6.1fx", f->peer, ratio);
            if (f->goal > 0) {
                printf("  %s %.1fx", ratio >= f->goal ? "met:" : "goal:",
                       f->goal);
            }
        }
        printf("\n");
    }
}
