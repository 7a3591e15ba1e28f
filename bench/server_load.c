/* Load for an API server: objects over TLS, on connections kept alive.
 *
 *     server_load create   makes --count objects on --connections
 *     server_load apply    applies one for each of --connections, then the
 *                          same again, --count times
 *     server_load get      reads --path, --count times, one after another
 *     server_load fanout   opens --watchers, then makes --count objects
 *
 * Objects are ConfigMaps, or what --kind says (server_load_object.h).
 *
 * Prints one line of JSON: what was done and how long it took.  It has one
 * thread, so that the server under test has the other core to itself.
 * bench/server starts it.
 *
 * An object contains the time at which it was sent ("stamp"), so that a
 * watcher in this process knows the latency of an event: until the kernel
 * received it, and until this thread read it.  The difference is the time that
 * the thread spent on other watchers. */

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "server_load_conn.h"
#include "server_load_object.h"

/* A watcher that receives nothing for this long will receive nothing more. */
#define PATIENCE_MS 30000

/* Times in us. */
struct series {
    uint32_t *values;
    size_t n, max;
};

#define MAX_PIDS 4

struct load {
    struct load_target target;
    const struct load_kind *kind;
    const char *path, *prefix;
    bool is_apply;
    size_t n_connections, n_watchers, count, size;
    double rate;                /* Creates per second; 0: as many as can be. */
    int pids[MAX_PIDS];         /* Of the server. */
    size_t n_pids;
    double server_cpu;          /* Seconds before the load began. */

    int epoll;
    struct load_conn *conns;    /* Writers, then watchers. */
    struct load_conn **idle;    /* Writers that wait for their time. */
    size_t n_idle;
    size_t n_sent, n_answered, n_errors, n_events;
    uint64_t began, ended;
    uint64_t *sent_at;          /* By writer. */
    struct series answers;      /* From sending to the answer's arrival, */
    struct series arrivals;     /* to an event's arrival, */
    struct series reads;        /* and to the reading of it. */
    char *body;
    size_t body_size;
};

static void do_create(struct load *);
static void do_apply(struct load *);
static void do_get(struct load *);
static void do_fanout(struct load *);
static void parse(struct load *, int argc, char *argv[]);

int
main(int argc, char *argv[])
{
    struct load load = {
        .target = { .port = 6443, .token = "" },
        .kind = load_kind_find("configmaps"),
        .path = "/readyz",
        .prefix = "c",
        .n_connections = 1,
        .count = 1,
        .size = 1600,
    };
    const char *what = argc > 1 ? argv[1] : "";

    parse(&load, argc - 1, argv + 1);
    load_target_prepare(&load.target);
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    if (!strcmp(what, "create")) {
        do_create(&load);
    } else if (!strcmp(what, "apply")) {
        do_apply(&load);
    } else if (!strcmp(what, "get")) {
        do_get(&load);
    } else if (!strcmp(what, "fanout")) {
        do_fanout(&load);
    } else {
        fprintf(stderr, "usage: server_load create|apply|get|fanout "
                "[OPTION...]\n");
        return 2;
    }
    return load.n_errors ? 1 : 0;
}

static void
parse(struct load *load, int argc, char *argv[])
{
    static const struct option options[] = {
        { "port", required_argument, NULL, 'p' },
        { "token", required_argument, NULL, 't' },
        { "kind", required_argument, NULL, 'k' },
        { "path", required_argument, NULL, 'P' },
        { "prefix", required_argument, NULL, 'x' },
        { "connections", required_argument, NULL, 'c' },
        { "watchers", required_argument, NULL, 'w' },
        { "count", required_argument, NULL, 'n' },
        { "size", required_argument, NULL, 's' },
        { "rate", required_argument, NULL, 'r' },
        { "pid", required_argument, NULL, 'i' },
        { NULL, 0, NULL, 0 },
    };
    int c;

    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'p': load->target.port = (int) strtol(optarg, NULL, 10); break;
        case 't': load->target.token = optarg; break;
        case 'k': load->kind = load_kind_find(optarg); break;
        case 'P': load->path = optarg; break;
        case 'x': load->prefix = optarg; break;
        case 'c': load->n_connections = strtoul(optarg, NULL, 10); break;
        case 'w': load->n_watchers = strtoul(optarg, NULL, 10); break;
        case 'n': load->count = strtoul(optarg, NULL, 10); break;
        case 's': load->size = strtoul(optarg, NULL, 10); break;
        case 'r': load->rate = strtod(optarg, NULL); break;
        case 'i':
            if (load->n_pids < MAX_PIDS) {
                load->pids[load->n_pids++] = (int) strtol(optarg, NULL, 10);
            }
            break;
        default: exit(2);
        }
    }
    if (!load->kind) {
        fprintf(stderr, "server_load: there is no such kind\n");
        exit(2);
    }
}

static uint64_t
now_ns(void)
{
    struct timespec t;

    /* The kernel uses this clock for its timestamps. */
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t) t.tv_sec * 1000000000u + (uint64_t) t.tv_nsec;
}

/* Seconds that the server's processes have used. */
static double
server_cpu(const struct load *load)
{
    double ticks = 0;
    size_t i;

    for (i = 0; i < load->n_pids; i++) {
        char path[64], line[1024], *p;
        size_t n;
        FILE *file;
        int field;

        snprintf(path, sizeof path, "/proc/%d/stat", load->pids[i]);
        file = fopen(path, "r");
        n = file ? fread(line, 1, sizeof line - 1, file) : 0;
        line[n] = '\0';
        p = strrchr(line, ')');
        if (!p) {
            fprintf(stderr, "server_load: no process %d\n", load->pids[i]);
            exit(1);
        }
        fclose(file);
        /* User and system time follow the name and 11 more fields. */
        for (field = 0; p && field < 12; field++) {
            p = strchr(p + 1, ' ');
        }
        if (p) {
            ticks += (double) strtoul(p, &p, 10);
            ticks += (double) strtoul(p, NULL, 10);
        }
    }
    return ticks / (double) sysconf(_SC_CLK_TCK);
}

static void
series_init(struct series *series, size_t max)
{
    series->max = max;
    series->values = calloc(max, sizeof *series->values);
}

static void
series_add(struct series *series, uint64_t from, uint64_t to)
{
    if (series->n < series->max) {
        series->values[series->n++] = (uint32_t) ((to - from) / 1000);
    }
}

static int
compare_values(const void *a_, const void *b_)
{
    const uint32_t *a = a_, *b = b_;

    return *a < *b ? -1 : *a > *b;
}

static void
series_print(struct series *series, const char *name)
{
    size_t n = series->n;

    if (n) {
        qsort(series->values, n, sizeof *series->values, compare_values);
        printf("\"%s_p50_us\": %u, \"%s_p99_us\": %u, ", name,
               series->values[n / 2], name, series->values[n - 1 - n / 100]);
    }
}

/* Sends the next object, unless enough were made. */
static void
send_next(struct load *load, struct load_conn *conn)
{
    size_t i = (size_t) (conn - load->conns), n;

    if (load->n_sent == load->count) {
        return;
    }
    load->sent_at[i] = now_ns();
    if (load->is_apply) {
        char path[256];

        n = load->kind->write(load->body, load->body_size, load->prefix, i, 0,
                              load->size);
        snprintf(path, sizeof path, "%s/%s-%07zu?fieldManager=load",
                 load->kind->path, load->prefix, i);
        load_conn_send(conn, "PATCH", path, load->body, n);
    } else {
        n = load->kind->write(load->body, load->body_size, load->prefix,
                              load->n_sent, load->sent_at[i], load->size);
        load_conn_send(conn, "POST", load->kind->path, load->body, n);
    }
    load->n_sent++;
}

static void
on_answer(void *aux, struct load_conn *conn, int status)
{
    struct load *load = aux;
    uint64_t now = now_ns();

    load->ended = now;
    load->n_answered++;
    if (status != 201 && !(load->is_apply && status == 200)
        && load->n_errors++ == 0) {
        fprintf(stderr, "server_load: a write got status %d\n", status);
    }
    series_add(&load->answers, load->sent_at[conn - load->conns],
               conn->arrived);
    if (load->rate > 0) {
        load->idle[load->n_idle++] = conn;
    } else {
        send_next(load, conn);
    }
}

static void
on_watch_end(void *aux, struct load_conn *conn, int status)
{
    (void) aux, (void) conn;
    fprintf(stderr, "server_load: a watch with status %d has ended\n", status);
    exit(1);
}

/* Reads the lines of a watch, one event each.  If a stamp is cut in two by the
 * reads, the event is counted but not timed. */
static void
on_events(void *aux, struct load_conn *conn, const char *data, size_t size)
{
    static const char stamp[] = "\"stamp\":\"";
    struct load *load = aux;
    const char *p = data, *end = data + size;

    while ((p = memchr(p, '\n', (size_t) (end - p))) != NULL) {
        load->n_events++;
        p++;
    }
    load->ended = now_ns();
    if (!load->arrivals.max) {
        return;
    }
    p = data;
    while ((p = memmem(p, (size_t) (end - p), stamp, sizeof stamp - 1))) {
        p += sizeof stamp - 1;
        if (end - p >= 20) {
            uint64_t sent = strtoull(p, NULL, 10);

            series_add(&load->arrivals, sent, conn->arrived);
            series_add(&load->reads, sent, load->ended);
        }
    }
}

/* Runs until the wanted numbers of answers and events have come. */
static void
turn(struct load *load, size_t n_answers, size_t n_events)
{
    uint64_t next = load->began;

    while (load->n_answered < n_answers || load->n_events < n_events) {
        struct epoll_event events[256];
        int timeout = PATIENCE_MS, n, i;

        if (load->rate > 0 && load->n_sent < load->count) {
            uint64_t now = now_ns();

            if (now >= next && load->n_idle) {
                send_next(load, load->idle[--load->n_idle]);
                next += (uint64_t) (1e9 / load->rate);
                continue;
            }
            timeout = now >= next ? PATIENCE_MS
                                  : (int) ((next - now) / 1000000) + 1;
        }
        n = epoll_wait(load->epoll, events, 256, timeout);
        if (n == 0 && timeout == PATIENCE_MS) {
            fprintf(stderr, "server_load: silence after %zu answers and %zu "
                    "events\n", load->n_answered, load->n_events);
            load->n_errors++;
            return;
        }
        for (i = 0; i < n; i++) {
            load_conn_read(events[i].data.ptr, load);
        }
    }
}

static void
open_conns(struct load *load)
{
    size_t i, n = load->n_connections + load->n_watchers;

    load->conns = calloc(n, sizeof *load->conns);
    load->idle = calloc(load->n_connections, sizeof *load->idle);
    load->sent_at = calloc(n, sizeof *load->sent_at);
    load->body_size = load->size + 1024;
    load->body = malloc(load->body_size);
    for (i = 0; i < n; i++) {
        struct epoll_event event = {
            .events = EPOLLIN, .data.ptr = &load->conns[i],
        };

        load_conn_open(&load->conns[i], &load->target);
        load->conns[i].on_answer = i < load->n_connections ? on_answer
                                                           : on_watch_end;
        epoll_ctl(load->epoll, EPOLL_CTL_ADD, load->conns[i].fd, &event);
    }
}

static void
report(struct load *load, size_t n)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    printf("{\"n\": %zu, \"errors\": %zu, \"seconds\": %.6f, ", n,
           load->n_errors, (double) (load->ended - load->began) / 1e9);
    series_print(&load->answers, "answer");
    series_print(&load->arrivals, "event");
    series_print(&load->reads, "read");
    printf("\"cpu\": %.2f, \"client_cpu\": %.3f}\n",
           server_cpu(load) - load->server_cpu,
           (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
           + (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
}

static void
start_writers(struct load *load)
{
    size_t i;

    load->server_cpu = server_cpu(load);
    load->began = now_ns();
    for (i = 0; i < load->n_connections; i++) {
        if (load->rate > 0) {
            load->idle[load->n_idle++] = &load->conns[i];
        } else {
            send_next(load, &load->conns[i]);
        }
    }
}

static void
do_create(struct load *load)
{
    open_conns(load);
    start_writers(load);
    turn(load, load->count, 0);
    report(load, load->n_answered);
}

/* The first of each connection makes its object and is not counted. */
static void
do_apply(struct load *load)
{
    size_t count = load->count;

    load->is_apply = true;
    load->count = load->n_connections;
    open_conns(load);
    start_writers(load);
    turn(load, load->count, 0);
    load->count = count;
    load->n_sent = load->n_answered = 0;
    start_writers(load);
    turn(load, load->count, 0);
    report(load, load->n_answered);
}

/* The best of the rounds. */
static void
do_get(struct load *load)
{
    double best = 0;
    size_t i, size = 0;
    struct load_conn conn = { 0 };

    load_conn_open(&conn, &load->target);
    load->server_cpu = server_cpu(load);
    for (i = 0; i < load->count; i++) {
        uint64_t began = now_ns();
        double took;

        size = load_conn_get(&conn, load->path);
        took = (double) (now_ns() - began) / 1e9;
        best = i == 0 || took < best ? took : best;
    }
    printf("{\"n\": %zu, \"bytes\": %zu, \"seconds\": %.6f, "
           "\"cpu\": %.2f}\n", load->count, size, best,
           server_cpu(load) - load->server_cpu);
}

static void
do_fanout(struct load *load)
{
    struct load_conn lister = { 0 };
    char path[256];
    uint64_t revision;
    size_t i;

    load_conn_open(&lister, &load->target);
    snprintf(path, sizeof path, "%s?limit=1", load->kind->path);
    revision = load_conn_get_revision(&lister, path);
    snprintf(path, sizeof path, "%s?watch=true&resourceVersion=%llu",
             load->kind->path, (unsigned long long) revision);
    if (load->rate > 0) {
        /* Lowest priority, so that the server gets the CPU first: real clients
         * run on other machines. */
        setpriority(PRIO_PROCESS, 0, 19);
        load->target.stamped = true;
        series_init(&load->answers, load->count);
        series_init(&load->arrivals, load->count * load->n_watchers);
        series_init(&load->reads, load->count * load->n_watchers);
    }
    open_conns(load);
    for (i = 0; i < load->n_watchers; i++) {
        struct load_conn *conn = &load->conns[load->n_connections + i];

        conn->on_data = on_events;
        load_conn_send(conn, "GET", path, NULL, 0);
    }
    /* Wait until every watch has been answered. */
    for (i = 0; i < load->n_watchers; i++) {
        load_conn_wait_head(&load->conns[load->n_connections + i], load);
    }
    start_writers(load);
    turn(load, load->count, load->count * load->n_watchers);
    report(load, load->n_events);
}
