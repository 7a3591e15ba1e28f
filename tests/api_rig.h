#ifndef TESTS_API_RIG_H
#define TESTS_API_RIG_H 1

/* An API server for tests, in the test's own thread, with everything real but
 * the disk: storage is in memory, requests come through HTTP/1.1.
 *
 *     rig_open();
 *     assert_int_equal(api("GET", "/api/v1/namespaces/default", NULL), 200);
 *     assert_string_equal(text_at("/metadata/name"), "default");
 *     rig_close();
 *
 * Requests are not authenticated and may do everything, unless rig_open_with()
 * says otherwise. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apiserver/admission/admission.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/server.h"
#include "base/buf.h"
#include "json/pointer.h"
#include "json/tree.h"
#include "net/server.h"
#include "storage/memory.h"
#include "storage/memory_control.h"
#include "storage/storage.h"
#include "unit.h"
#include "whole.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

static struct rig {
    struct yl_clock *clock;     /* The server's, freed with it; or NULL. */
    struct yl_storage *storage;
    struct yl_apiserver *server;
    struct yl_http_server *http;
    struct yl_arena *arena;     /* Of what the last answer holds. */
    struct yl_buf answer;       /* Head and body, as they came. */
    const char *headers;        /* More for the next request: "a: b\r\n". */
    const char *content_type;   /* ["application/json"] */
    size_t body_size;           /* Of the next request's body, if it may hold
                                 * a NUL. */
    const void *identity;       /* Of the connections that requests use. */
    struct yl_str head, body;
    int status;
} rig;

/* What the storage of the next rig is like. */
static struct yl_memory_opts rig_memory;

static inline void
rig_start(struct yl_apiserver_opts opts, struct yl_clock *http_clock)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_http_server_opts http = {
        .handler = &yl_apiserver_handler, .manual = true, .n_loops = 1,
        .clock = http_clock,
    };

    memset(&rig, 0, sizeof rig);
    if (!opts.plugins_off) {
        /* Nobody makes the accounts that Pods would need. */
        opts.plugins_off = yl_admission_mask("ServiceAccount");
    }
    rig.clock = opts.clock;
    rig.storage = yl_memory_new(&rig_memory);
    opts.storage = rig.storage;
    rig.arena = yl_arena_new();
    yl_buf_init(&rig.answer, 64 << 20);
    if (yl_apiserver_new(&opts, &rig.server, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    http.aux = rig.server;
    if (yl_http_server_new(&http, &rig.http, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static inline void
rig_open_with(struct yl_apiserver_opts opts)
{
    rig_start(opts, NULL);
}

static inline void
rig_open(void)
{
    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true });
}

/* With separate clocks for the API server and the HTTP server. */
static inline void
rig_open_at(struct yl_clock *clock, struct yl_clock *http_clock)
{
    rig_start((struct yl_apiserver_opts) {
        .authorize_always = true, .clock = clock,
    }, http_clock);
}

/* With a clock that stands still. */
static inline void
rig_open_fake(void)
{
    struct yl_clock *clock = yl_clock_fake_new(1000000);

    rig_open_at(clock, clock);
}

/* Moves the clock, and runs what is due then. */
static inline void
rig_advance(yl_msec by)
{
    yl_clock_fake_advance(rig.clock, by);
    yl_http_server_turn(rig.http, false);
    yl_http_server_turn(rig.http, false);
}

static inline void
rig_close(void)
{
    yl_apiserver_stop(rig.server);
    yl_http_server_free(rig.http);
    yl_apiserver_free(rig.server);
    yl_storage_close(rig.storage);
    yl_buf_release(&rig.answer);
    yl_arena_free(rig.arena);
    yl_clock_free(rig.clock);
}

/* Sends a request on a connection of its own and returns its descriptor. */
static inline int
rig_send(const char *method, const char *path, const char *body)
{
    size_t size = rig.body_size ? rig.body_size : body ? strlen(body) : 0;
    struct yl_buf request;
    int fd;

    assert_int_equal(yl_http_server_connect(rig.http, false, rig.identity,
                                            &fd, NULL), 0);
    yl_buf_init(&request, 64 << 20);
    yl_buf_printf(&request, "%s %s HTTP/1.1\r\nhost: x\r\n%s", method, path,
                  rig.headers ? rig.headers : "");
    if (body) {
        yl_buf_printf(&request, "content-type: %s\r\ncontent-length: %zu\r\n",
                      rig.content_type ? rig.content_type
                                       : "application/json", size);
    }
    yl_buf_append_c(&request, "\r\n");
    yl_buf_append(&request, body ? body : "", size);
    while (request.size) {
        ssize_t n = send(fd, request.data, request.size,
                         MSG_NOSIGNAL | MSG_DONTWAIT);

        assert_true(n > 0 || errno == EAGAIN);
        yl_buf_consume(&request, n > 0 ? (size_t) n : 0);
        if (request.size) {
            yl_http_server_turn(rig.http, false);
        }
    }
    yl_buf_release(&request);
    rig.headers = rig.content_type = NULL;
    rig.body_size = 0;
    return fd;
}

/* Reads what has come; true while more may come. */
static inline bool
rig_receive(int fd)
{
    char *at = yl_buf_reserve(&rig.answer, 64 << 10);
    ssize_t n = recv(fd, at, 64 << 10, MSG_DONTWAIT);

    if (n > 0) {
        yl_buf_commit(&rig.answer, (size_t) n);
    }
    return n > 0 || (n < 0 && errno == EAGAIN);
}

/* Decodes chunks in place; false if the last one has not come. */
static inline bool
rig_unchunk(struct yl_str *body)
{
    char *to = (char *) body->data;
    const char *from = body->data, *end = body->data + body->size;

    while (from < end) {
        char *line_end;
        size_t n = strtoul(from, &line_end, 16);

        if (n == 0) {
            body->size = (size_t) (to - body->data);
            return true;
        }
        from = line_end + 2;
        if (from + n + 2 > end) {
            return false;
        }
        memmove(to, from, n);
        to += n;
        from += n + 2;
    }
    return false;
}

/* Splits what has come into head and body; false if it is not complete. */
static inline bool
rig_split(void)
{
    const char *end = memmem(rig.answer.data, rig.answer.size, "\r\n\r\n", 4);
    const char *length;

    if (!end) {
        return false;
    }
    yl_buf_c_str(&rig.answer);
    end = memmem(rig.answer.data, rig.answer.size, "\r\n\r\n", 4);
    rig.head = yl_str_range(rig.answer.data, end + 2);
    rig.body = yl_str_range(end + 4, rig.answer.data + rig.answer.size);
    rig.status = (int) strtol(rig.answer.data + strlen("HTTP/1.1 "), NULL, 10);
    length = memmem(rig.head.data, rig.head.size, "content-length: ", 16);
    if (length) {
        return rig.body.size >= strtoul(length + 16, NULL, 10);
    }
    if (memmem(rig.head.data, rig.head.size, "chunked", 7)) {
        size_t n = rig.body.size;

        if (n < 5 || memcmp(rig.body.data + n - 5, "0\r\n\r\n", 5)) {
            return false;
        }
        return rig_unchunk(&rig.body);
    }
    return rig.status == 204;
}

/* Makes a request and returns the status of its answer. */
static inline int
api(const char *method, const char *path, const char *body)
{
    int fd = rig_send(method, path, body);

    yl_arena_clear(rig.arena);
    yl_buf_clear(&rig.answer);
    for (;;) {
        yl_http_server_turn(rig.http, false);
        if (!rig_receive(fd) || rig_split()) {
            break;
        }
        usleep(50);
    }
    close(fd);
    yl_http_server_turn(rig.http, false);
    return rig.status;
}

/* The text of a member of the answer's body, by its JSON pointer: a string
 * without quotes, other values as JSON; "" if there is none. */
static inline const char *
text_at(const char *pointer)
{
    struct yl_json value = yl_json(rig.body);
    struct yl_str rest = yl_str_c(pointer + 1), part, text;
    bool more = *pointer == '/';

    while (more) {
        more = yl_str_cut(rest, '/', &part, &rest);
        part = more ? part : rest;
        value = yl_json_type(value) == YL_JSON_ARRAY
                    ? yl_json_at(value, strtoul(part.data, NULL, 10))
                    : yl_json_get(value, part);
    }
    if (yl_json_string(value, rig.arena, &text) < 0) {
        text = yl_json_exists(value) ? yl_json_raw(value) : YL_STR("");
    }
    return yl_arena_strdup(rig.arena, text);
}

/* The message of the answer must be 'WANT'; ANY_TEXT in it is what
 * tests/whole.h says. */
#define tells(WANT)                                                           \
    assert_true(whole_check(__FILE__, __LINE__, 0, "the answer",              \
                            text_at("/message"), WANT))

/* A watch: an answer whose lines come one by one. */
struct rig_watch {
    int fd;
    int status;
    struct yl_buf raw;          /* What came and is not taken apart yet. */
    struct yl_buf text;         /* Without head and chunks. */
    size_t taken;               /* Of 'text'. */
    bool in_body, ended;
};

/* Removes the head and the chunks' frames from what has come. */
static inline void
rig_watch_parse(struct rig_watch *w)
{
    const char *at = yl_buf_c_str(&w->raw), *end = at + w->raw.size;

    if (!w->in_body) {
        const char *head = strstr(at, "\r\n\r\n");

        if (!head) {
            return;
        }
        w->in_body = true;
        w->status = (int) strtol(at + strlen("HTTP/1.1 "), NULL, 10);
        at = head + 4;
    }
    while (at < end && w->status == 200) {
        char *line_end;
        size_t n = strtoul(at, &line_end, 16);

        if (line_end + 2 > end || (size_t) (end - line_end) < n + 4) {
            break;
        }
        w->ended = w->ended || n == 0;
        yl_buf_append(&w->text, line_end + 2, n);
        at = line_end + 2 + n + 2;
    }
    yl_buf_consume(&w->raw, (size_t) (at - w->raw.data));
}

static inline bool
rig_watch_receive(struct rig_watch *w)
{
    ssize_t n;

    yl_http_server_turn(rig.http, false);
    n = recv(w->fd, yl_buf_reserve(&w->raw, 64 << 10), 64 << 10,
             MSG_DONTWAIT);
    if (n > 0) {
        yl_buf_commit(&w->raw, (size_t) n);
        rig_watch_parse(w);
    }
    if (n == 0 || (n < 0 && errno != EAGAIN)) {
        w->ended = true;
    }
    return n > 0;
}

/* Starts a watch and returns its status. */
static inline int
rig_watch_open(struct rig_watch *w, const char *path)
{
    memset(w, 0, sizeof *w);
    w->fd = rig_send("GET", path, NULL);
    yl_buf_init(&w->raw, 64 << 20);
    yl_buf_init(&w->text, 64 << 20);
    while (!w->in_body && !w->ended) {
        rig_watch_receive(w);
    }
    return w->status;
}

/* Reads the next line, for text_at(), and returns its type; "END" if there
 * will be no more, "NONE" if nothing has come within 'turns' tries. */
static inline const char *
rig_watch_try(struct rig_watch *w, int turns)
{
    const char *line, *line_end;

    for (;;) {
        yl_buf_c_str(&w->text);
        line = w->text.data + w->taken;
        line_end = strchr(line, '\n');
        if (line_end || w->ended || turns-- <= 0) {
            break;
        }
        if (!rig_watch_receive(w)) {
            usleep(50);
        }
    }
    if (!line_end) {
        return w->ended ? "END" : "NONE";
    }
    yl_arena_clear(rig.arena);
    rig.body = yl_arena_copy(rig.arena, yl_str_range(line, line_end));
    w->taken = (size_t) (line_end + 1 - w->text.data);
    return text_at("/type");
}

/* Waits for it as long as a busy machine may take. */
static inline const char *
rig_watch_next(struct rig_watch *w)
{
    return rig_watch_try(w, 1000000);
}

static inline void
rig_watch_close(struct rig_watch *w)
{
    close(w->fd);
    yl_buf_release(&w->raw);
    yl_buf_release(&w->text);
    yl_http_server_turn(rig.http, false);
    yl_http_server_turn(rig.http, false);
}

/* A GET in the state that the filters leave it in, without a connection. */
static inline void
rig_request_init(struct yl_api_request *req, const char *target)
{
    struct yl_str path = yl_str_c(target), query = YL_STR("");

    memset(req, 0, sizeof *req);
    req->server = rig.server;
    req->arena = yl_arena_new();
    yl_str_cut(path, '?', &path, &query);
    assert_int_equal(yl_params_parse(req->arena, query, &req->params, NULL),
                     0);
    assert_int_equal(yl_request_info_parse(req->arena, YL_STR("GET"), path,
                                           &req->params, &req->info), 0);
    assert_int_equal(yl_registry_find(rig.server->registry, yl_api_gvr(req),
                                      &req->resource, &req->version), 0);
}

static inline void
rig_request_release(struct yl_api_request *req)
{
    yl_api_resource_unref(req->resource);
    yl_arena_free(req->arena);
}

/* An object as it would be stored. */
static inline struct yl_object *
rig_object(const char *json)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object = NULL;

    if (yl_object_ingest(yl_str_c(json), NULL, &object, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return object;
}

#endif /* tests/api_rig.h */
