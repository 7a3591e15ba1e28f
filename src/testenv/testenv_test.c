/* Tests of the test environment. */

#include "yuloh/testenv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "custom_kind.h"
#include "unit.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define assert_string_starts(TEXT, START) \
    assert_int_equal(strncmp(TEXT, START, strlen(START)), 0)

static struct yl_testenv *
env_new(struct yl_testenv_opts opts)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_testenv *env;

    if (yl_testenv_new(&opts, &env, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return env;
}

static const char config_map[] =
    "apiVersion: v1\n"
    "kind: ConfigMap\n"
    "metadata: {name: one}\n"
    "data: {a: b}\n";

static const char definition[] =
    "---\n"
    "apiVersion: apiextensions.k8s.io/v1\n"
    "kind: CustomResourceDefinition\n"
    "metadata: {name: things.example.com}\n"
    "spec:\n"
    "  group: example.com\n"
    "  scope: Namespaced\n"
    "  names: {plural: things, kind: Thing}\n"
    "  versions:\n"
    "  - name: v1\n"
    "    served: true\n"
    "    storage: true\n"
    "    schema:\n"
    "      openAPIV3Schema:\n"
    "        type: object\n"
    "        properties: {spec: {type: object, properties: "
    "{size: {type: integer}}}}\n";

static void
apply(struct yl_testenv *env, const char *yaml)
{
    struct yl_error err = YL_ERROR_INIT;

    if (yl_testenv_apply(env, yaml, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
}

static int
get(struct yl_testenv *env, const char *path, const char *key,
    const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str body = yl_str_null();
    int status = yl_testenv_request(env, "GET", path, NULL, NULL, arena,
                                    &body, &err);

    if (want) {
        assert_true(yl_json_string_is(yl_json_get(yl_json(body),
                                                  yl_str_c(key)),
                                      yl_str_c(want)));
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
    return status;
}

#define ONE "/api/v1/namespaces/default/configmaps/one"
#define THING "/apis/example.com/v1/namespaces/default/things/t"

TEST(what_was_applied_can_be_read)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });

    assert_int_equal(get(env, ONE, NULL, NULL), 404);
    apply(env, config_map);
    assert_int_equal(get(env, ONE, "kind", "ConfigMap"), 200);
    yl_testenv_free(env);
}

TEST(a_definition_is_served_when_it_was_applied)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });

    apply(env, definition);
    apply(env, "apiVersion: example.com/v1\n"
               "kind: Thing\n"
               "metadata: {name: t, namespace: default}\n"
               "spec: {size: 1}\n");
    assert_int_equal(get(env, THING, "kind", "Thing"), 200);
    yl_testenv_free(env);
}

TEST(a_refusal_says_which_document_and_why)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_testenv_apply(env, "apiVersion: v1\n"
                                           "kind: ConfigMap\n"
                                           "metadata: {name: one}\n"
                                           "---\n"
                                           "apiVersion: v1\n"
                                           "kind: ConfigMap\n"
                                           "metadata: {name: two}\n"
                                           "data: {a b: c}\n", &err),
                     YL_EINVALID);
    assert_string_starts(yl_error_message(&err), "document 2: ");
    assert_int_equal(yl_testenv_apply(env, "apiVersion: v2\n"
                                           "kind: Thing\n"
                                           "metadata: {name: a}\n", &err),
                     YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&err),
                        "document 1: no kind \"Thing\" in \"v2\"");
    assert_int_equal(yl_testenv_apply(env, "kind: Thing\n", &err),
                     YL_EINVALID);
    assert_int_equal(get(env, ONE, "kind", "ConfigMap"), 200);
    yl_error_clear(&err);
    yl_testenv_free(env);
}

TEST(nothing_that_was_answered_is_lost_by_a_kill)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_error err = YL_ERROR_INIT;
    uint64_t revision;
    int fd;

    apply(env, definition);
    apply(env, config_map);
    revision = yl_testenv_revision(env);
    yl_testenv_kill(env);
    assert_int_equal(yl_testenv_revision(env), revision);
    assert_int_equal(yl_testenv_connect(env, NULL, &fd, &err),
                     YL_EUNAVAILABLE);
    assert_int_equal(yl_testenv_apply(env, config_map, &err),
                     YL_EUNAVAILABLE);
    assert_int_equal(yl_testenv_revive(env, &err), 0);
    assert_true(yl_testenv_revision(env) >= revision);
    assert_int_equal(get(env, ONE, "kind", "ConfigMap"), 200);
    assert_int_equal(get(env, "/apis/example.com/v1", "kind",
                         "APIResourceList"), 200);
    yl_error_clear(&err);
    yl_testenv_free(env);
}

TEST(environments_do_not_know_of_each_other)
{
    struct yl_testenv *a = env_new((struct yl_testenv_opts) { 0 });
    struct yl_testenv *b = env_new((struct yl_testenv_opts) { 0 });

    apply(a, config_map);
    assert_int_equal(get(a, ONE, NULL, NULL), 200);
    assert_int_equal(get(b, ONE, NULL, NULL), 404);
    yl_testenv_free(a);
    yl_testenv_free(b);
}

/* A client that knows nothing but bytes. */

static int
dial(struct yl_testenv *env)
{
    struct yl_error err = YL_ERROR_INIT;
    int fd;

    if (yl_testenv_connect(env, NULL, &fd, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    return fd;
}

static int
ask(struct yl_testenv *env, const char *method, const char *path)
{
    int fd = dial(env);
    char *request;

    assert_true(asprintf(&request, "%s %s HTTP/1.1\r\nhost: x\r\n"
                         "user-agent: tester/1\r\nconnection: close\r\n\r\n",
                         method, path) > 0);
    assert_true(send(fd, request, strlen(request), MSG_NOSIGNAL) > 0);
    free(request);
    return fd;
}

/* Reads until 'part' has come, or the end if it is NULL; true if the end has
 * come. */
static bool
hear(int fd, struct yl_buf *in, const char *part)
{
    while (!part || !strstr(yl_buf_c_str(in), part)) {
        ssize_t n = recv(fd, yl_buf_reserve(in, 4096), 4096, 0);

        if (n <= 0) {
            return true;
        }
        yl_buf_commit(in, (size_t) n);
    }
    return false;
}

#define MAPS "/api/v1/namespaces/default/configmaps"

static void
write_map(struct yl_testenv *env, const char *name)
{
    char *yaml;

    assert_true(asprintf(&yaml, "apiVersion: v1\nkind: ConfigMap\n"
                         "metadata: {name: %s}\n", name) > 0);
    apply(env, yaml);
    free(yaml);
}

TEST(a_fault_answers_in_the_servers_place)
{
    static const struct {
        int status;
        const char *line, *reason;
    } rows[] = {
        { 410, "HTTP/1.1 410 ", "\"reason\":\"Expired\"" },
        { 429, "HTTP/1.1 429 ", "\"reason\":\"TooManyRequests\"" },
        { 0, "HTTP/1.1 500 ", "\"reason\":\"InternalError\"" },
        { 503, "HTTP/1.1 503 ", "\"reason\":\"ServiceUnavailable\"" },
    };
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });

    for (size_t i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        int fault = yl_testenv_inject(env, &(struct yl_testenv_fault) {
            .what = YL_FAULT_ANSWER, .verb = "list", .resource = "configmaps",
            .status = rows[i].status, .retry_after = 7, .times = 1,
        });
        struct yl_buf in;
        int fd = ask(env, "GET", MAPS);

        yl_buf_init(&in, 1 << 20);
        assert_true(hear(fd, &in, NULL));
        close(fd);
        assert_string_starts(yl_buf_c_str(&in), rows[i].line);
        assert_non_null(strstr(in.data, "retry-after: 7\r\n"));
        assert_non_null(strstr(in.data, rows[i].reason));
        assert_int_equal(yl_testenv_hits(env, fault), 1);

        yl_buf_clear(&in);
        fd = ask(env, "GET", MAPS);
        hear(fd, &in, NULL);
        close(fd);
        assert_string_starts(yl_buf_c_str(&in), "HTTP/1.1 200 ");
        assert_int_equal(yl_testenv_hits(env, fault), 1);
        yl_buf_release(&in);
    }
    yl_testenv_free(env);
}

TEST(a_fault_hits_the_requests_that_it_names)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    static const struct {
        struct yl_testenv_fault fault;
        bool hit;
    } rows[] = {
        { { .verb = "list" }, true },
        { { .verb = "watch" }, false },
        { { .resource = "configmaps" }, true },
        { { .resource = "configmaps/status" }, false },
        { { .namespace_ = "default" }, true },
        { { .namespace_ = "other" }, false },
        { { .name = "one" }, false },
        { { .user_agent = "tester/" }, true },
        { { .user_agent = "kubectl/" }, false },
        { { .skip = 1 }, false },
        { { .every = 2 }, false },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        int fault = yl_testenv_inject(env, &rows[i].fault), fd;
        struct yl_buf in;

        yl_buf_init(&in, 1 << 20);
        fd = ask(env, "GET", MAPS);
        hear(fd, &in, NULL);
        close(fd);
        assert_string_starts(yl_buf_c_str(&in), rows[i].hit
                             ? "HTTP/1.1 500 " : "HTTP/1.1 200 ");
        assert_int_equal(yl_testenv_hits(env, fault), rows[i].hit);
        yl_testenv_remove(env, fault);
        yl_buf_release(&in);
    }
    yl_testenv_free(env);
}

/* Injects a fault into a watch, writes three objects and returns what came
 * until the watch ended. */
static void
spoil(struct yl_testenv *env, const struct yl_testenv_fault *fault,
      struct yl_buf *in)
{
    int fd;

    yl_testenv_inject(env, fault);
    fd = ask(env, "GET", MAPS "?watch=1&resourceVersion=0"
                  "&fieldSelector=metadata.name!=kube-root-ca.crt");
    yl_buf_init(in, 1 << 20);
    write_map(env, "one");
    write_map(env, "two");
    write_map(env, "three");
    assert_true(hear(fd, in, NULL));
    close(fd);
    yl_buf_c_str(in);
}

static size_t
count(const char *text, const char *part)
{
    size_t n = 0;

    for (; (text = strstr(text, part)) != NULL; text++) {
        n++;
    }
    return n;
}

TEST(a_watch_is_cut_after_some_events)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_buf in;

    spoil(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "watch", .after_events = 2,
    }, &in);
    assert_int_equal(count(in.data, "\"type\":\"ADDED\""), 2);
    assert_int_equal(count(in.data, "\n0\r\n"), 0);     /* The last chunk. */
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_watch_is_cut_inside_of_an_event)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_buf in;

    spoil(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "watch", .after_events = 1,
        .inside = true,
    }, &in);
    assert_int_equal(count(in.data, "\"type\":\"ADDED\""), 2);
    assert_int_equal(count(in.data, "}}\n"), 1);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_watch_ends_early)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_buf in;

    spoil(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_END, .verb = "watch", .after_events = 1,
    }, &in);
    assert_int_equal(count(in.data, "\"type\":\"ADDED\""), 1);
    assert_int_equal(count(in.data, "\n0\r\n"), 1);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_watch_ends_in_an_error_event)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_buf in;

    spoil(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_ERROR, .verb = "watch", .after_events = 1,
        .status = 410,
    }, &in);
    assert_int_equal(count(in.data, "\"type\":\"ADDED\""), 1);
    assert_int_equal(count(in.data, "{\"type\":\"ERROR\",\"object\":{"), 1);
    assert_int_equal(count(in.data, "\"code\":410}}\n"), 1);
    assert_int_equal(count(in.data, "\n0\r\n"), 1);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_watch_stalls_inside_of_an_event_and_goes_on)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) {
        .held_clock = true,
    });
    struct yl_buf in;
    char byte;
    int fd;

    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_STALL, .verb = "watch", .inside = true,
        .delay = 60 * 1000,
    });
    fd = ask(env, "GET", MAPS "?watch=1&resourceVersion=0"
                  "&fieldSelector=metadata.name!=kube-root-ca.crt");
    yl_buf_init(&in, 1 << 20);
    write_map(env, "one");
    write_map(env, "two");
    assert_false(hear(fd, &in, "ADDED"));
    yl_testenv_advance(env, 59 * 1000);
    write_map(env, "three");
    assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
    assert_int_equal(count(in.data, "}}\n"), 0);
    yl_testenv_advance(env, 1000);
    assert_false(hear(fd, &in, "\"three\""));
    assert_int_equal(count(in.data, "\"type\":\"ADDED\""), 3);
    close(fd);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_request_is_delayed_by_the_servers_clock)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) {
        .held_clock = true,
    });
    int fault = yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_DELAY, .resource = "configmaps", .delay = 5000,
    });
    struct yl_buf in;
    char byte;
    int fd = ask(env, "GET", MAPS);

    while (!yl_testenv_hits(env, fault)) {
        usleep(100);
    }
    yl_testenv_advance(env, 4999);
    assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), -1);
    yl_testenv_advance(env, 1);
    yl_buf_init(&in, 1 << 20);
    hear(fd, &in, NULL);
    assert_string_starts(yl_buf_c_str(&in), "HTTP/1.1 200 ");
    close(fd);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(an_answer_is_lost_although_the_work_was_done)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) { 0 });
    struct yl_buf in;
    int fd;

    apply(env, config_map);
    yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "delete", .inside = true,
    });
    fd = ask(env, "DELETE", ONE);
    yl_buf_init(&in, 1 << 20);
    hear(fd, &in, NULL);
    assert_string_starts(yl_buf_c_str(&in), "HTTP/1.1 200 ");
    assert_int_equal(count(in.data, "\n0\r\n"), 0);
    assert_int_equal(get(env, ONE, NULL, NULL), 404);
    close(fd);
    yl_buf_release(&in);
    yl_testenv_free(env);
}

TEST(a_server_with_a_port_keeps_it)
{
    struct yl_testenv *env = env_new((struct yl_testenv_opts) {
        .listen = true,
    });
    struct yl_error err = YL_ERROR_INIT;
    char *url = strdup(yl_testenv_url(env));

    assert_string_starts(url, "http://127.0.0.1:");
    assert_int_equal(yl_testenv_revive(env, &err), 0);
    assert_string_equal(yl_testenv_url(env), url);
    free(url);
    yl_testenv_free(env);
}

/* Writes a file into a new folder, whose path is returned. */
static char *
write_file(const char *name, const char *text)
{
    char *folder = strdup("/tmp/testenv-XXXXXX"), *path;
    FILE *file;

    assert_non_null(mkdtemp(folder));
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
    free(path);
    return folder;
}

static void
remove_file(char *folder, const char *name)
{
    char *path;

    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    unlink(path);
    rmdir(folder);
    free(path);
    free(folder);
}

TEST(the_files_of_a_folder_are_installed)
{
    char *folder = write_file("crd.yaml", definition);
    struct yl_testenv *env = env_new((struct yl_testenv_opts) {
        .crds = folder,
    });

    assert_int_equal(get(env, "/apis/example.com/v1", "kind",
                         "APIResourceList"), 200);
    yl_testenv_free(env);
    remove_file(folder, "crd.yaml");
}

TEST(a_file_that_cannot_be_installed_is_named)
{
    char *folder = write_file("bad.yaml", "kind: x\n");
    struct yl_error err = YL_ERROR_INIT;
    struct yl_testenv *env;

    assert_int_equal(yl_testenv_new(&(struct yl_testenv_opts) {
        .crds = folder,
    }, &env, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err),
                           "/bad.yaml: document 1: x without a name"));
    assert_int_equal(yl_testenv_new(&(struct yl_testenv_opts) {
        .crds = "/nowhere/at/all",
    }, &env, &err), YL_EIO);
    yl_error_clear(&err);
    remove_file(folder, "bad.yaml");
}

TEST(a_kind_is_installed_by_its_descriptor)
{
    struct yl_kind *kind = custom_kind_new("v1", "{'type': 'object'}",
                                           YL_KIND_NAMESPACED
                                           | YL_KIND_STATUS);
    const struct yl_kind *const kinds[] = { kind, NULL };
    struct yl_testenv *env = env_new((struct yl_testenv_opts) {
        .kinds = kinds,
    });

    apply(env, "apiVersion: example.com/v1\n"
               "kind: Thing\n"
               "metadata: {name: t, namespace: default}\n"
               "spec: {any: {thing: 1}}\n");
    assert_int_equal(get(env, THING "/status", "kind", "Thing"), 200);
    yl_testenv_free(env);
    yl_schema_kind_free(kind);
}

TEST(a_kind_that_cannot_be_installed_is_named)
{
    const struct yl_kind *const kinds[] = { &apps_v1_deployment_kind, NULL };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_testenv *env;

    /* The server has this one already. */
    assert_int_equal(yl_testenv_new(&(struct yl_testenv_opts) {
        .kinds = kinds,
    }, &env, &err), YL_EINVALID);
    assert_string_starts(yl_error_message(&err), "kind Deployment: ");
    yl_error_clear(&err);
}
