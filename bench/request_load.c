/* Requests of workers: each thread sends GETs one after another and waits for
 * their answers, through one pool.  bench/request starts it.
 *
 *     request_load --port N --token T --path PATH [--workers N] [--count N]
 *
 * Prints one line of JSON: microseconds of a GET (mean, p50, p99), seconds of
 * CPU of this process for each, and how many answers were right. */

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "net/http_pool.h"
#include "net/tls.h"
#include "yuloh/error.h"

#define MAX_WORKERS 64

/* GETs of each worker before it measures. */
#define WARM_UP 50

static struct yl_http_pool *pool;
static struct yl_http_header authorization;
static struct yl_str path;
static size_t count = 5000;

struct worker {
    struct yl_thread thread;
    double *times;              /* Of each GET, in microseconds. */
    size_t n_good;              /* Answers with status 200 and a body. */
    size_t n_bytes;             /* Of the last answer. */
    int status;
};

static void
die(const char *what)
{
    fprintf(stderr, "request_load: %s\n", what);
    exit(1);
}

static double
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec * 1e6 + (double) t.tv_nsec / 1e3;
}

static double
cpu_seconds(void)
{
    struct rusage u;

    getrusage(RUSAGE_SELF, &u);
    return (double) (u.ru_utime.tv_sec + u.ru_stime.tv_sec)
           + (double) (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

static int
on_head(void *worker, const struct yl_http_answer *answer)
{
    ((struct worker *) worker)->status = answer->status;
    return 0;
}

static int
on_body(void *worker, struct yl_str piece)
{
    ((struct worker *) worker)->n_bytes += piece.size;
    return 0;
}

static void
work(void *worker_)
{
    static const struct yl_http_sink sink = { on_head, on_body };
    struct yl_http_call call = {
        .target = path, .headers = &authorization, .n_headers = 1,
    };
    struct worker *worker = worker_;

    for (size_t i = 0; i < count + WARM_UP; i++) {
        double began = now_us();
        int r;

        worker->n_bytes = 0;
        r = yl_http_call(pool, &call, &sink, worker, NULL);
        if (i >= WARM_UP) {
            worker->times[i - WARM_UP] = now_us() - began;
            worker->n_good += r == 0 && worker->status == 200
                              && worker->n_bytes > 0;
        }
    }
}

static int
compare(const void *a, const void *b)
{
    double x = *(const double *) a;
    double y = *(const double *) b;

    return (x > y) - (x < y);
}

static void
measure(size_t n_workers)
{
    struct worker workers[MAX_WORKERS] = { { .status = 0 } };
    double *all = yl_malloc_array(n_workers * count, sizeof *all);
    size_t n = n_workers * count;
    size_t n_good = 0;
    double sum = 0;
    double cpu = cpu_seconds();

    for (size_t i = 0; i < n_workers; i++) {
        workers[i].times = all + i * count;
        if (yl_thread_start(&workers[i].thread, "worker", work, &workers[i])
            < 0) {
            die("no thread");
        }
    }
    for (size_t i = 0; i < n_workers; i++) {
        yl_thread_join(&workers[i].thread);
        n_good += workers[i].n_good;
    }
    cpu = cpu_seconds() - cpu;
    for (size_t i = 0; i < n; i++) {
        sum += all[i];
    }
    qsort(all, n, sizeof *all, compare);
    printf("{\"mean\":%.1f,\"p50\":%.1f,\"p99\":%.1f,\"cpu\":%.1f,"
           "\"n\":%zu,\"good\":%zu}\n", sum / (double) n, all[n / 2],
           all[n * 99 / 100],
           cpu * 1e6 / (double) (n + n_workers * WARM_UP), n, n_good);
    free(all);
}

int
main(int argc, char **argv)
{
    static const struct option options[] = {
        { "port", required_argument, NULL, 'p' },
        { "token", required_argument, NULL, 't' },
        { "path", required_argument, NULL, 'P' },
        { "workers", required_argument, NULL, 'w' },
        { "count", required_argument, NULL, 'c' },
        { NULL, 0, NULL, 0 },
    };
    struct yl_tls_client_opts tls_opts = { .insecure = true };
    struct yl_http_dialer_opts opts = { .host = "127.0.0.1" };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_dialer *dialer = NULL;
    size_t n_workers = 1;
    char bearer[256] = "";
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
        switch (c) {
        case 'p':
            opts.port = (uint16_t) strtoul(optarg, NULL, 10);
            break;
        case 't':
            snprintf(bearer, sizeof bearer, "Bearer %s", optarg);
            break;
        case 'P':
            path = yl_str_c(optarg);
            break;
        case 'w':
            n_workers = strtoul(optarg, NULL, 10);
            break;
        case 'c':
            count = strtoul(optarg, NULL, 10);
            break;
        default:
            die("unknown option");
        }
    }
    if (!opts.port || !path.size || !n_workers || n_workers > MAX_WORKERS
        || !count) {
        die("needs --port and --path");
    }
    authorization = (struct yl_http_header) {
        YL_STR("authorization"), yl_str_c(bearer)
    };
    if (yl_tls_client_new(&tls_opts, &opts.tls, &err) < 0
        || yl_http_dialer_new(&opts, &dialer, &err) < 0) {
        die(yl_error_message(&err));
    }
    pool = yl_http_pool_new(dialer, NULL);
    yl_http_dialer_unref(dialer);
    measure(n_workers);
    yl_http_pool_free(pool);
    return 0;
}
