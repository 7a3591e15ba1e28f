/* The server as a whole: what opens and fails, and a storm of clients on all
 * its threads.
 *
 * In the storm writers create, change and delete a few objects as fast as they
 * can, while watchers replay what they are told.  What a watcher has in the
 * end must be what a list says, whatever it selects, and if it has been away
 * meanwhile. */

#include "apiserver/server.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/thread.h"
#include "net/server.h"
#include "storage/memory.h"
#include "storage/memory_control.h"
#include "storage/storage.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define MAPS "/api/v1/namespaces/default/configmaps"
#define N_NAMES 12
#define N_WRITERS 4
#define N_OPERATIONS 400

/* Threads cannot fail a test by a jump. */
#define CHECK(TRUTH)                                                          \
    do {                                                                      \
        if (!(TRUTH)) {                                                       \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, \
                    #TRUTH);                                                  \
            abort();                                                          \
        }                                                                     \
    } while (0)

static struct yl_storage *storage;
static struct yl_apiserver *server;
static struct yl_http_server *http;

static void
open_server(void)
{
    struct yl_apiserver_opts opts = { .authorize_always = true };
    struct yl_http_server_opts http_opts = {
        .handler = &yl_apiserver_handler, .n_loops = 3,
    };

    storage = yl_memory_new(NULL);
    opts.storage = storage;
    assert_int_equal(yl_apiserver_new(&opts, &server, NULL), 0);
    http_opts.aux = server;
    assert_int_equal(yl_http_server_new(&http_opts, &http, NULL), 0);
}

static void
close_server(void)
{
    yl_apiserver_drain(server);
    assert_true(yl_http_server_drain(http, 100000));
    yl_apiserver_stop(server);
    yl_http_server_free(http);
    yl_apiserver_free(server);
    yl_storage_close(storage);
}

/* A connection that speaks HTTP/1.1, one request after the other. */
struct client {
    int fd;
    struct yl_buf in;           /* Of the answer: not taken yet. */
    struct yl_buf body;
};

static void
client_open(struct client *c)
{
    CHECK(yl_http_server_connect(http, false, NULL, &c->fd, NULL) == 0);
    yl_buf_init(&c->in, 64 << 20);
    yl_buf_init(&c->body, 64 << 20);
}

static void
client_close(struct client *c)
{
    close(c->fd);
    yl_buf_release(&c->in);
    yl_buf_release(&c->body);
}

/* Reads more; false at the end. */
static bool
client_read(struct client *c)
{
    char *room = yl_buf_reserve(&c->in, 65536);
    ssize_t n;

    do {
        n = recv(c->fd, room, 65536, 0);
    } while (n < 0 && errno == EINTR);
    if (n > 0) {
        yl_buf_commit(&c->in, (size_t) n);
    }
    yl_buf_c_str(&c->in);
    return n > 0;
}

/* Sends a request and reads the head of its answer: the status. */
static int
client_send(struct client *c, const char *method, const char *path,
            const char *type, const char *body, bool *ret_chunked,
            size_t *ret_length)
{
    struct yl_buf request;
    const char *end, *length;
    int status;

    yl_buf_init(&request, 1 << 20);
    yl_buf_printf(&request, "%s %s HTTP/1.1\r\nhost: x\r\n", method, path);
    if (body) {
        yl_buf_printf(&request, "content-type: %s\r\ncontent-length: %zu\r\n",
                      type, strlen(body));
    }
    yl_buf_printf(&request, "\r\n%s", body ? body : "");
    CHECK(send(c->fd, request.data, request.size, MSG_NOSIGNAL)
          == (ssize_t) request.size);
    yl_buf_release(&request);

    yl_buf_c_str(&c->in);
    while ((end = strstr(c->in.data, "\r\n\r\n")) == NULL) {
        CHECK(client_read(c));
    }
    status = (int) strtol(c->in.data + strlen("HTTP/1.1 "), NULL, 10);
    *ret_chunked = memmem(c->in.data, (size_t) (end - c->in.data), "chunked",
                          7) != NULL;
    length = strstr(c->in.data, "content-length: ");
    *ret_length = length && length < end ? strtoul(length + 16, NULL, 10) : 0;
    yl_buf_consume(&c->in, (size_t) (end + 4 - c->in.data));
    yl_buf_clear(&c->body);
    return status;
}

/* Appends the next chunk to the body; false at the end. */
static bool
client_chunk(struct client *c)
{
    size_t head, n;

    yl_buf_c_str(&c->in);
    while (!strstr(c->in.data, "\r\n")) {
        if (!client_read(c)) {
            return false;
        }
    }
    head = (size_t) (strstr(c->in.data, "\r\n") + 2 - c->in.data);
    n = strtoul(c->in.data, NULL, 16);
    while (c->in.size < head + n + 2) {
        CHECK(client_read(c));
    }
    yl_buf_append(&c->body, c->in.data + head, n);
    yl_buf_consume(&c->in, head + n + 2);
    return n > 0;
}

/* A request whose answer ends. */
static int
client_ask(struct client *c, const char *method, const char *path,
           const char *type, const char *body)
{
    bool chunked;
    size_t length;
    int status = client_send(c, method, path, type, body, &chunked, &length);

    if (chunked) {
        while (client_chunk(c)) {
            continue;
        }
    } else {
        while (c->in.size < length) {
            CHECK(client_read(c));
        }
        yl_buf_append(&c->body, c->in.data, length);
        yl_buf_consume(&c->in, length);
    }
    return status;
}

static struct yl_str
text_at(struct yl_arena *arena, struct yl_json object, const char *first,
        const char *second)
{
    struct yl_str text = YL_STR("");
    struct yl_json value = yl_json_get(object, yl_str_c(first));

    yl_json_string(second ? yl_json_get(value, yl_str_c(second)) : value,
                   arena, &text);
    return text;
}

/* Which objects there are: their revisions, or 0. */
struct state {
    unsigned long long revisions[N_NAMES];
};

/* The number in a name, "m7". */
static unsigned
number_of(struct yl_str name)
{
    unsigned long long number = N_NAMES;

    CHECK(name.size > 1 && yl_str_to_u64(yl_str_skip(name, 1), &number) == 0
          && number < N_NAMES);
    return (unsigned) number;
}

/* Reads a list: its revision. */
static unsigned long long
list(struct client *c, const char *query, struct state *state)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json root, items;
    unsigned long long revision = 0;
    char path[256];
    size_t i;

    snprintf(path, sizeof path, MAPS "?%s", query);
    CHECK(client_ask(c, "GET", path, NULL, NULL) == 200);
    memset(state, 0, sizeof *state);
    root = yl_json(yl_buf_str(&c->body));
    items = yl_json_get(root, YL_STR("items"));
    for (i = 0; yl_json_exists(yl_json_at(items, i)); i++) {
        struct yl_json item = yl_json_at(items, i);

        CHECK(yl_str_to_u64(text_at(arena, item, "metadata",
                                    "resourceVersion"),
                            &state->revisions[number_of(text_at(
                                arena, item, "metadata", "name"))]) == 0);
    }
    CHECK(yl_str_to_u64(text_at(arena, root, "metadata", "resourceVersion"),
                        &revision) == 0);
    yl_arena_free(arena);
    return revision;
}

struct writer {
    struct yl_thread thread;
    unsigned seed;
    int n_done;                 /* Writes that took place. */
};

static unsigned
roll(unsigned *seed, unsigned n)
{
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 16) % n;
}

static void
write_much(void *writer_)
{
    struct writer *writer = writer_;
    struct client c;
    int i;

    client_open(&c);
    for (i = 0; i < N_OPERATIONS; i++) {
        unsigned name = roll(&writer->seed, N_NAMES);
        unsigned x = roll(&writer->seed, 4);
        char path[128], body[256];
        int status;

        snprintf(path, sizeof path, MAPS "/m%u", name);
        snprintf(body, sizeof body,
                 "{\"metadata\":{\"name\":\"m%u\",\"labels\":{\"x\":\"%u\"}},"
                 "\"data\":{\"i\":\"%d\"}}", name, x, i);
        switch (roll(&writer->seed, 8)) {
        case 0:
        case 1:
            status = client_ask(&c, "POST", MAPS, "application/json", body);
            CHECK(status == 201 || status == 409);
            break;
        case 2:
        case 3:
            status = client_ask(&c, "PUT", path, "application/json", body);
            CHECK(status == 200 || status == 404 || status == 409);
            break;
        case 4:
        case 5:
            status = client_ask(&c, "PATCH", path,
                                "application/merge-patch+json", body);
            CHECK(status == 200 || status == 404 || status == 409);
            break;
        case 6:
            status = client_ask(&c, "DELETE", path, NULL, NULL);
            CHECK(status == 200 || status == 404 || status == 409);
            break;
        default: {
            struct state state;

            list(&c, x ? "limit=500" : "labelSelector=x%3D1", &state);
            status = 404;
            break;
        }
        }
        writer->n_done += status < 300;
    }
    client_close(&c);
}

struct watcher {
    struct yl_thread thread;
    const char *query;          /* What it selects. */
    unsigned n_expected;        /* Objects that it selects in the end. */
    unsigned patience;          /* Events until it goes and comes again; 0:
                                 * it stays. */
    unsigned long long revision;    /* Of the last that it saw. */
    struct state state;
    unsigned n_final;           /* Objects that it has seen in their last
                                 * form. */
    int n_events;
};

/* Takes an event. */
static void
apply(struct watcher *w, struct yl_str line)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json root = yl_json(line);
    struct yl_json object = yl_json_get(root, YL_STR("object"));
    struct yl_json meta = yl_json_get(object, YL_STR("metadata"));
    struct yl_str type = text_at(arena, root, "type", NULL);
    unsigned long long revision, *mine;

    CHECK(yl_str_to_u64(text_at(arena, meta, "resourceVersion", NULL),
                        &revision) == 0);
    CHECK(revision > w->revision);
    w->revision = revision;
    w->n_events++;
    mine = &w->state.revisions[number_of(text_at(arena, meta, "name", NULL))];
    if (yl_str_equal(type, YL_STR("ADDED"))) {
        CHECK(*mine == 0);
        *mine = revision;
    } else if (yl_str_equal(type, YL_STR("MODIFIED"))) {
        CHECK(*mine != 0);
        *mine = revision;
    } else {
        CHECK(yl_str_equal(type, YL_STR("DELETED")));
        CHECK(*mine != 0);
        *mine = 0;
    }
    w->n_final += !yl_str_equal(type, YL_STR("DELETED"))
                  && text_at(arena, meta, "labels", "end").size > 0;
    yl_arena_free(arena);
}

/* Watches for a while. */
static void
watch(struct watcher *w)
{
    int goal = w->patience ? w->n_events + (int) w->patience : -1;
    struct client c;
    size_t length;
    char path[256];
    bool chunked;

    client_open(&c);
    snprintf(path, sizeof path, MAPS "?watch=1&resourceVersion=%llu&%s",
             w->revision, w->query);
    CHECK(client_send(&c, "GET", path, NULL, NULL, &chunked, &length) == 200);
    while (w->n_final < w->n_expected && w->n_events != goal) {
        struct yl_str line, rest;

        CHECK(client_chunk(&c));
        rest = yl_buf_str(&c.body);
        while (w->n_events != goal && yl_str_cut(rest, '\n', &line, &rest)) {
            apply(w, line);
        }
        yl_buf_consume(&c.body, c.body.size - rest.size);
    }
    client_close(&c);
}

static void
watch_all(void *w_)
{
    struct watcher *w = w_;
    struct state state;
    struct client c;

    while (w->n_final < w->n_expected) {
        watch(w);
    }
    client_open(&c);
    list(&c, w->query, &state);
    CHECK(!memcmp(&state, &w->state, sizeof state));
    client_close(&c);
}

/* Gives every object its last form. */
static void
settle(void)
{
    struct client c;
    int i;

    client_open(&c);
    for (i = 0; i < N_NAMES; i++) {
        char path[128], body[256];

        snprintf(path, sizeof path, MAPS "/m%d", i);
        snprintf(body, sizeof body, "{\"metadata\":{\"name\":\"m%d\","
                 "\"labels\":{\"x\":\"1\",\"end\":\"1\"}}}", i);
        if (client_ask(&c, "PUT", path, "application/json", body) == 404) {
            CHECK(client_ask(&c, "POST", MAPS, "application/json", body)
                  == 201);
        }
    }
    client_close(&c);
}

TEST(whoever_watches_sees_what_a_list_says)
{
    static struct watcher watchers[] = {
        { .query = "", .n_expected = N_NAMES },
        { .query = "", .n_expected = N_NAMES, .patience = 7 },
        { .query = "labelSelector=x%3D1", .n_expected = N_NAMES },
        { .query = "labelSelector=x%3D1", .n_expected = N_NAMES,
          .patience = 5 },
        { .query = "labelSelector=x+in+(1,3)", .n_expected = N_NAMES },
        { .query = "fieldSelector=metadata.name%3Dm3", .n_expected = 1 },
        { .query = "fieldSelector=metadata.name%3Dm3", .n_expected = 1,
          .patience = 1 },
    };
    struct writer writers[N_WRITERS] = { { .seed = 0 } };
    unsigned long long start;
    struct state nothing;
    struct client c;
    int n_written = 0;
    size_t i;

    open_server();
    client_open(&c);
    start = list(&c, "", &nothing);
    client_close(&c);
    for (i = 0; i < YL_ARRAY_SIZE(watchers); i++) {
        watchers[i].revision = start;
        assert_int_equal(yl_thread_start(&watchers[i].thread, "watcher",
                                         watch_all, &watchers[i]), 0);
    }
    for (i = 0; i < N_WRITERS; i++) {
        writers[i].seed = (unsigned) i + 1;
        assert_int_equal(yl_thread_start(&writers[i].thread, "writer",
                                         write_much, &writers[i]), 0);
    }
    for (i = 0; i < N_WRITERS; i++) {
        yl_thread_join(&writers[i].thread);
        n_written += writers[i].n_done;
    }
    settle();
    for (i = 0; i < YL_ARRAY_SIZE(watchers); i++) {
        yl_thread_join(&watchers[i].thread);
    }
    assert_true(n_written > N_WRITERS * N_OPERATIONS / 8);
    assert_true(watchers[0].n_events >= N_NAMES);
    assert_int_equal(watchers[0].n_events, watchers[1].n_events);
    close_server();
}

/* Clients that go away at any moment, and a server that stops meanwhile. */
static atomic_bool stop_leaving;

static void
come_and_go(void *seed_)
{
    static const char *const requests[] = {
        "GET " MAPS "?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET " MAPS " HTTP/1.1\r\nhost: x\r\n\r\n",
        "POST " MAPS " HTTP/1.1\r\nhost: x\r\ncontent-type: application/json"
        "\r\ncontent-length: 35\r\n\r\n"
        "{\"metadata\":{\"generateName\":\"m0\"}}  ",
    };
    unsigned seed = *(unsigned *) seed_;
    char bytes[64];

    while (!atomic_load(&stop_leaving)) {
        const char *request = requests[roll(&seed, 3)];
        int fd;

        CHECK(yl_http_server_connect(http, false, NULL, &fd, NULL) == 0);
        (void) !send(fd, request, strlen(request), MSG_NOSIGNAL);
        if (roll(&seed, 2)) {
            (void) !recv(fd, bytes, sizeof bytes,
                         roll(&seed, 2) ? MSG_DONTWAIT : 0);
        }
        close(fd);
    }
}

TEST(a_server_stops_amid_clients_that_come_and_go)
{
    struct yl_thread threads[3];
    unsigned seeds[3] = { 1, 2, 3 };
    size_t i;

    open_server();
    atomic_store(&stop_leaving, false);
    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "client", come_and_go,
                                         &seeds[i]), 0);
    }
    usleep(100 * 1000);
    atomic_store(&stop_leaving, true);
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_apiserver_drain(server);
    yl_apiserver_stop(server);
    yl_http_server_free(http);
    yl_apiserver_free(server);
    yl_storage_close(storage);
}

TEST(a_server_that_cannot_open_says_why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_apiserver_opts opts = {
        .token_file = "/nowhere/tokens", .authorize_always = true,
    };
    struct yl_apiserver *none = NULL;

    storage = yl_memory_new(NULL);
    opts.storage = storage;
    assert_true(yl_apiserver_new(&opts, &none, &err) < 0);
    assert_non_null(strstr(yl_error_message(&err), "/nowhere/tokens"));
    assert_null(none);
    yl_error_clear(&err);
    opts.token_file = NULL;
    opts.service_cidr = "nonsense";
    assert_true(yl_apiserver_new(&opts, &none, &err) < 0);
    yl_error_clear(&err);
    opts.service_cidr = NULL;
    yl_memory_fail(storage, 1000, YL_EUNAVAILABLE);
    assert_true(yl_apiserver_new(&opts, &none, &err) < 0);
    yl_error_clear(&err);
    yl_apiserver_free(NULL);
    yl_storage_close(storage);
}
