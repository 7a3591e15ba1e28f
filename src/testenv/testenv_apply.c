/* Objects of a test: requests of its own, and manifests.  See yuloh/testenv.h
 * for the contract. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "apiserver/registry/registry.h"
#include "apiserver/server.h"
#include "base/buf.h"
#include "net/url.h"
#include "testenv/testenv.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/gvk.h"
#include "yuloh/json.h"
#include "yuloh/schema.h"
#include "yuloh/status.h"
#include "yuloh/yaml.h"

/* The largest answer that is read. */
#define MAX_ANSWER ((size_t) 256 << 20)

/* How often a definition is looked at until it is served, each millisecond;
 * that takes a few. */
#define MAX_LOOKS 30000

static int exchange(int fd, const char *method, const char *path,
                    const char *content_type, const char *body,
                    struct yl_buf *answer, struct yl_error *err);
static int apply(struct yl_testenv *, struct yl_arena *, struct yl_str json,
                 struct yl_error *err);
static int find_path(struct yl_testenv *, struct yl_arena *, struct yl_json,
                     const char **ret_path, struct yl_error *err);
static int await_established(struct yl_testenv *, struct yl_arena *,
                             const char *path, struct yl_error *err);
static int check(int status, struct yl_str body, struct yl_error *err);
static struct yl_str text_at(struct yl_json, struct yl_arena *);
static void append_names(struct yl_buf *, const char *key, const char *names);

int
yl_testenv_request(struct yl_testenv *env, const char *method,
                   const char *path, const char *content_type,
                   const char *body, struct yl_arena *arena,
                   struct yl_str *ret_body, struct yl_error *err)
{
    struct yl_buf answer;
    int fd, r = yl_testenv_dial(env, &env->self, &fd, err);
    const char *head_end;
    struct yl_str all;

    if (r < 0) {
        return r;
    }
    yl_buf_init(&answer, MAX_ANSWER);
    r = exchange(fd, method, path, content_type, body, &answer, err);
    close(fd);
    all = yl_buf_str(&answer);
    head_end = all.size ? memmem(all.data, all.size, "\r\n\r\n", 4) : NULL;
    if (r == 0 && (!head_end || all.size < 12)) {
        r = yl_error_set(err, YL_EUNAVAILABLE, "the server gave no answer");
    } else if (r == 0) {
        r = (int) strtol(all.data + strlen("HTTP/1.x "), NULL, 10);
        *ret_body = yl_arena_copy(arena,
                                  yl_str_range(head_end + 4,
                                               all.data + all.size));
    }
    yl_buf_release(&answer);
    return r;
}

int
yl_testenv_apply(struct yl_testenv *env, const char *yaml,
                 struct yl_error *err)
{
    struct yl_yaml_stream stream = yl_yaml_stream(yl_str_c(yaml));
    struct yl_arena *arena = yl_arena_new();
    struct yl_str json;
    int r;

    while ((r = yl_yaml_next_json(&stream, arena, NULL, &json, err)) > 0) {
        r = apply(env, arena, json, err);
        if (r < 0) {
            yl_error_prefix(err, "document %zu", stream.number);
            break;
        }
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return r;
}

int
yl_testenv_install(struct yl_testenv *env, const struct yl_kind *kind,
                   struct yl_error *err)
{
    const struct yl_type_set *set = kind->set;
    struct yl_buf crd;
    int r;

    yl_buf_init(&crd, (size_t) 1 << 20);
    yl_buf_printf(&crd, "{\"apiVersion\": \"apiextensions.k8s.io/v1\", "
                  "\"kind\": \"CustomResourceDefinition\", "
                  "\"metadata\": {\"name\": \"%s.%s\", \"annotations\": %s}, ",
                  kind->plural, set->group,
                  kind->annotations ? yl_type_set_text(set, kind->annotations)
                  : "{}");
    yl_buf_printf(&crd, "\"spec\": {\"group\": \"%s\", \"scope\": \"%s\", "
                  "\"names\": {\"plural\": \"%s\", \"singular\": \"%s\", "
                  "\"kind\": \"%s\", \"listKind\": \"%s\"",
                  set->group, kind->flags & YL_KIND_NAMESPACED ? "Namespaced"
                  : "Cluster", kind->plural, kind->singular, kind->name,
                  kind->list_name);
    append_names(&crd, "shortNames", yl_type_set_text(set, kind->short_names));
    append_names(&crd, "categories", yl_type_set_text(set, kind->categories));
    yl_buf_printf(&crd, "}, \"versions\": [{\"name\": \"%s\", "
                  "\"served\": true, \"storage\": true, \"schema\": {"
                  "\"openAPIV3Schema\": {\"type\": \"object\", "
                  "\"x-kubernetes-preserve-unknown-fields\": true}}%s}]}}",
                  set->version, kind->flags & YL_KIND_STATUS
                  ? ", \"subresources\": {\"status\": {}}" : "");
    r = yl_testenv_apply(env, yl_buf_c_str(&crd), err);
    if (r < 0) {
        yl_error_prefix(err, "kind %s", kind->name);
    }
    yl_buf_release(&crd);
    return r;
}

/* Sends a request and reads until the server closes, which it does after one
 * answer of HTTP/1.0. */
static int
exchange(int fd, const char *method, const char *path,
         const char *content_type, const char *body, struct yl_buf *answer,
         struct yl_error *err)
{
    size_t size = body ? strlen(body) : 0;
    struct yl_buf request;
    ssize_t n = 0;

    yl_buf_init(&request, MAX_ANSWER);
    yl_buf_printf(&request, "%s %s HTTP/1.0\r\nhost: testenv\r\n"
                  "accept: application/json\r\ncontent-length: %zu\r\n",
                  method, path, size);
    if (body) {
        yl_buf_printf(&request, "content-type: %s\r\n",
                      content_type ? content_type : "application/json");
    }
    yl_buf_append_c(&request, "\r\n");
    yl_buf_append(&request, body ? body : "", size);
    for (size_t sent = 0; n >= 0 && sent < request.size; ) {
        n = send(fd, request.data + sent, request.size - sent, MSG_NOSIGNAL);
        sent += n > 0 ? (size_t) n : 0;
        n = n < 0 && errno == EINTR ? 0 : n;
    }
    yl_buf_release(&request);

    /* A server that refuses the body closes before all of it was sent. */
    do {
        n = recv(fd, yl_buf_reserve(answer, 65536), 65536, 0);
        if (n > 0) {
            yl_buf_commit(answer, (size_t) n);
        }
    } while ((n > 0 && !yl_buf_error(answer)) || (n < 0 && errno == EINTR));
    return yl_buf_error(answer)
           ? yl_error_set(err, YL_ETOOBIG, "the answer is too large") : 0;
}

static int
apply(struct yl_testenv *env, struct yl_arena *arena, struct yl_str text,
      struct yl_error *err)
{
    struct yl_json json = yl_json(text);
    struct yl_str body;
    const char *path = NULL;
    int r = find_path(env, arena, json, &path, err);

    if (r < 0) {
        return r;
    }
    r = yl_testenv_request(
        env, "PATCH",
        yl_arena_printf(arena, "%s?fieldManager=testenv&force=true", path),
        "application/apply-patch+yaml", yl_arena_strdup(arena, text), arena,
        &body, err);
    r = r < 0 ? r : check(r, body, err);
    if (r == 0 && yl_json_string_is(yl_json_get(json, YL_STR("kind")),
                                    YL_STR("CustomResourceDefinition"))) {
        r = await_established(env, arena, path, err);
    }
    return r;
}

/* Where the object is, by what it says it is. */
static int
find_path(struct yl_testenv *env, struct yl_arena *arena, struct yl_json json,
          const char **ret_path, struct yl_error *err)
{
    struct yl_json metadata = yl_json_get(json, YL_STR("metadata"));
    struct yl_str type = text_at(yl_json_get(json, YL_STR("apiVersion")),
                                 arena);
    struct yl_str kind = text_at(yl_json_get(json, YL_STR("kind")), arena);
    struct yl_str name = text_at(yl_json_get(metadata, YL_STR("name")), arena);
    struct yl_str namespace_ = text_at(yl_json_get(metadata,
                                                   YL_STR("namespace")),
                                       arena);
    const struct yl_api_resource **all;
    struct yl_str group, version;
    struct yl_buf path;
    size_t n;

    if (!yl_str_cut(type, '/', &group, &version)) {
        group = YL_STR("");
        version = type;
    }
    if (!name.size) {
        return yl_error_set(err, YL_EINVALID, "%.*s without a name",
                            YL_STR_ARG(kind.size ? kind : YL_STR("object")));
    }
    yl_buf_init(&path, 65536);
    yl_mutex_lock(&env->lock);
    all = env->http ? yl_registry_all(env->server->registry, &n) : NULL;
    yl_mutex_unlock(&env->lock);
    for (size_t i = 0; all && i < n; i++) {
        const struct yl_api_resource *resource = all[i];

        for (size_t j = 0; j < resource->n_versions && !path.size; j++) {
            if (!yl_str_equal(resource->kind, kind)
                || !yl_str_equal(resource->versions[j].group, group)
                || !yl_str_equal(resource->versions[j].version, version)) {
                continue;
            }
            yl_buf_printf(&path, "/%s/%.*s", group.size ? "apis" : "api",
                          YL_STR_ARG(type));
            if (resource->namespaced) {
                yl_buf_append_c(&path, "/namespaces/");
                yl_url_encode(&path, namespace_.size ? namespace_
                              : YL_STR("default"), YL_URL_PATH);
            }
            yl_buf_printf(&path, "/%.*s/", YL_STR_ARG(resource->plural));
            yl_url_encode(&path, name, YL_URL_PATH);
        }
        yl_api_resource_unref(resource);
    }
    free(all);
    *ret_path = yl_arena_strdup(arena, yl_buf_str(&path));
    yl_buf_release(&path);
    if (!all) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "the server of the test is dead");
    }
    return **ret_path ? 0
           : yl_error_set(err, YL_ENOTFOUND, "no kind \"%.*s\" in \"%.*s\"",
                          YL_STR_ARG(kind), YL_STR_ARG(type));
}

/* Waits until the definition at 'path' is served; YL_EINVALID with the reason
 * if its names are not accepted. */
static int
await_established(struct yl_testenv *env, struct yl_arena *arena,
                  const char *path, struct yl_error *err)
{
    for (int i = 0; i < MAX_LOOKS; i++, usleep(1000)) {
        struct yl_json_iter condition;
        struct yl_str body;
        int r = yl_testenv_request(env, "GET", path, NULL, NULL, arena, &body,
                                   err);

        r = r < 0 ? r : check(r, body, err);
        if (r < 0) {
            return r;
        }
        condition = yl_json_iter(yl_json_path(yl_json(body), "status",
                                              "conditions", (char *) NULL));
        while (yl_json_next(&condition)) {
            struct yl_json type = yl_json_get(condition.value, YL_STR("type"));
            bool holds = yl_json_string_is(yl_json_get(condition.value,
                                                       YL_STR("status")),
                                           YL_STR("True"));

            if (holds && yl_json_string_is(type, YL_STR("Established"))) {
                return 0;
            }
            if (!holds && yl_json_string_is(type, YL_STR("NamesAccepted"))) {
                return yl_error_set(
                    err, YL_EINVALID, "%.*s",
                    YL_STR_ARG(text_at(yl_json_get(condition.value,
                                                   YL_STR("message")),
                                       arena)));
            }
        }
    }
    return yl_error_set(err, YL_ETIMEOUT, "the definition is not served");
}

/* 0, or the error that a Status tells. */
static int
check(int http_status, struct yl_str body, struct yl_error *err)
{
    struct yl_status status = YL_STATUS_INIT;
    int r;

    if (http_status < 400) {
        return 0;
    }
    if (yl_status_parse(body, &status, NULL) < 0) {
        return yl_error_set(err, yl_error_from_wire(http_status,
                                                    yl_str_null()),
                            "the server answered %d", http_status);
    }
    r = status.error.code;
    yl_error_set(err, r, "%s", yl_error_message(&status.error));
    yl_status_clear(&status);
    return r;
}

static struct yl_str
text_at(struct yl_json value, struct yl_arena *arena)
{
    struct yl_str text;

    return yl_json_string(value, arena, &text) == 0 ? text : YL_STR("");
}

/* Appends ', "KEY": ["A", "B"]' for "A,B". */
static void
append_names(struct yl_buf *out, const char *key, const char *names)
{
    struct yl_str rest = yl_str_c(names), name;
    bool more = rest.size > 0, first = true;

    while (more) {
        more = yl_str_cut(rest, ',', &name, &rest);
        name = more ? name : rest;
        if (first) {
            yl_buf_printf(out, ", \"%s\": [", key);
        }
        yl_buf_printf(out, "%s\"%.*s\"", first ? "" : ", ", YL_STR_ARG(name));
        first = false;
    }
    yl_buf_append_c(out, first ? "" : "]");
}
