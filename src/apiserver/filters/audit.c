/* Audit: what is recorded of a request.  See filters.h. */

#include <arpa/inet.h>

#include "apiserver/answer/protobuf.h"
#include "apiserver/auth/audit.h"
#include "apiserver/filters/filters.h"
#include "apiserver/server.h"
#include "schema/protobuf.h"
#include "yuloh/arena.h"
#include "yuloh/yaml.h"

/* The most addresses that are recorded for a request, which may come through
 * several proxies. */
#define MAX_SOURCES 64

/* An answer up to this size may be a Status. */
#define MAX_STATUS ((size_t) 64 << 10)

/* Answers in pieces are recorded up to this size. */
#define MAX_KEPT ((size_t) 16 << 20)

/* A source whose pieces are kept. */
struct tee {
    const struct yl_http_source *source;
    void *aux;
    struct yl_api_request *request;
    struct yl_buf kept;
    size_t charged;             /* Bytes of it. */
    bool full;                  /* The answer is too large to be kept. */
};

static enum yl_http_pull pull(void *tee, struct yl_buf *out);
static void tee_release(void *tee);
static struct yl_str uri(const struct yl_api_request *);
static void find_sources(const struct yl_api_request *,
                         struct yl_audit_event *);
static bool add_source(struct yl_arena *, struct yl_str *sources, size_t *n,
                       struct yl_str text, bool anywhere);
static bool is_long_running(const struct yl_request_info *);
static bool is_yaml(const struct yl_api_request *);
static struct yl_str as_json(struct yl_api_request *, struct yl_str body,
                             bool yaml);

enum yl_step
yl_filter_audit(struct yl_api_request *req)
{
    struct yl_attributes attributes = yl_attributes_of(&req->info, req->user);
    struct yl_audit_event *event;

    if (!req->server->audit) {
        return YL_STEP_NEXT;
    }
    event = yl_audit_event_new(req->server->audit, req->arena, &attributes);
    if (event) {
        event->id = req->audit_id;
        event->uri = uri(req);
        event->user_agent = yl_http_header(req->http, YL_STR("user-agent"));
        event->received = yl_time_now();
        event->long_running = is_long_running(&req->info);
        find_sources(req, event);
        req->audit = event;
        if (req->user) {
            yl_audit_event_write(event, YL_AUDIT_REQUEST_RECEIVED);
        }
    }
    return YL_STEP_NEXT;
}

void
yl_filter_audit_response(struct yl_api_request *req, struct yl_str body)
{
    struct yl_audit_event *event = req->audit;

    if (!event || event->code) {
        return;
    }
    event->code = req->http_status;
    if (event->decision.level == YL_AUDIT_RESPONSE
        || body.size <= MAX_STATUS) {
        event->response = yl_arena_copy(req->arena,
                                        as_json(req, body,
                                                req->accept.yaml));
    }
    if (event->long_running || !req->user) {
        yl_audit_event_write(event, YL_AUDIT_RESPONSE_STARTED);
    }
}

void
yl_filter_audit_end(struct yl_api_request *req, bool finished YL_UNUSED)
{
    struct yl_audit_event *event = req->audit;

    if (!event) {
        return;
    }
    req->audit = NULL;
    if (!req->user) {
        return;
    }
    if (!event->code && req->http->refused) {
        event->code = req->http->refused;
    } else if (!event->code) {
        event->code = 200;
        event->response = YL_STR(
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\","
            "\"status\":\"Success\",\"message\":\"Connection closed "
            "early\"}");
        if (event->long_running) {
            yl_audit_event_write(event, YL_AUDIT_RESPONSE_STARTED);
        }
    }
    if (req->info.is_resource && !event->long_running) {
        event->request = as_json(req, req->http->body, is_yaml(req));
    }
    if (req->version && !req->subresource
        && (yl_str_equal(req->info.verb, YL_STR("create"))
            || yl_str_equal(req->info.verb, YL_STR("update")))) {
        const struct yl_gv gv = { req->version->group,
                                  req->version->version };

        event->api_version = yl_gv_api_version(gv, req->arena);
        event->kind = req->resource->kind;
    }
    yl_audit_event_write(event, YL_AUDIT_RESPONSE_COMPLETE);
}

void
yl_filter_audit_source(struct yl_api_request *req,
                       const struct yl_http_source **source, void **aux)
{
    static const struct yl_http_source kept = { pull };
    struct yl_audit_event *event = req->audit;

    yl_filter_audit_response(req, yl_str_null());
    if (event && event->decision.level == YL_AUDIT_RESPONSE
        && !event->long_running) {
        struct tee *tee = yl_arena_zalloc(req->arena, sizeof *tee);

        tee->source = *source;
        tee->aux = *aux;
        tee->request = req;
        yl_buf_init(&tee->kept, MAX_KEPT);
        yl_arena_attach(req->arena, tee_release, tee);
        *source = &kept;
        *aux = tee;
    }
}

/* An answer that does not fit is recorded without its object. */
static enum yl_http_pull
pull(void *tee_, struct yl_buf *out)
{
    struct tee *tee = tee_;
    size_t before = out->size;
    enum yl_http_pull pulled = tee->source->pull(tee->aux, out);

    if (out->size > before && !tee->full) {
        yl_buf_append(&tee->kept, out->data + before, out->size - before);
        tee->full = !tee->request->http
                    || yl_http_charge(tee->request->http, tee->kept.capacity
                                                          - tee->charged) < 0;
        tee->charged = tee->kept.capacity;
    }
    if (pulled == YL_HTTP_END && yl_buf_error(&tee->kept) == 0 && !tee->full
        && tee->request->audit) {
        tee->request->audit->response
            = as_json(tee->request, yl_buf_str(&tee->kept), false);
    }
    return pulled;
}

static void
tee_release(void *tee)
{
    yl_buf_release(&((struct tee *) tee)->kept);
}

static struct yl_str
uri(const struct yl_api_request *req)
{
    return yl_str_is_empty(req->http->query) ? req->http->path
           : yl_str_c(yl_arena_printf(req->arena, "%.*s?%.*s",
                                      YL_STR_ARG(req->http->path),
                                      YL_STR_ARG(req->http->query)));
}

/* Finds the addresses that the request came through: those that proxies have
 * put into its headers, then that of the peer. */
static void
find_sources(const struct yl_api_request *req, struct yl_audit_event *event)
{
    struct yl_str rest = yl_http_header(req->http, YL_STR("x-forwarded-for"));
    struct yl_str real = yl_http_header(req->http, YL_STR("x-real-ip"));
    struct yl_str *sources = yl_arena_array(req->arena, MAX_SOURCES + 2,
                                            sizeof *sources);
    struct yl_str part;
    bool more = rest.size > 0;

    event->sources = sources;
    while (more && event->n_sources < MAX_SOURCES) {
        more = yl_str_cut(rest, ',', &part, &rest);
        add_source(req->arena, sources, &event->n_sources,
                   more ? part : rest, true);
    }
    add_source(req->arena, sources, &event->n_sources, real, false);
    if (req->http->peer
        && !(event->n_sources
             && yl_str_equal(sources[event->n_sources - 1],
                             req->http->peer->address))) {
        add_source(req->arena, sources, &event->n_sources,
                   req->http->peer->address, true);
    }
}

/* Adds 'text' if it is an address; if not 'anywhere', only if the list does
 * not have it yet. */
static bool
add_source(struct yl_arena *arena, struct yl_str *sources, size_t *n,
           struct yl_str text, bool anywhere)
{
    unsigned char address[16];
    char normal[INET6_ADDRSTRLEN];
    char *c = yl_arena_strdup(arena, yl_str_trim(text));
    int family = strchr(c, ':') ? AF_INET6 : AF_INET;
    size_t i;

    if (inet_pton(family, c, address) != 1) {
        return false;
    }
    inet_ntop(family, address, normal, sizeof normal);
    for (i = 0; !anywhere && i < *n; i++) {
        if (yl_str_equal_c(sources[i], normal)) {
            return false;
        }
    }
    sources[(*n)++] = yl_arena_copy(arena, yl_str_c(normal));
    return true;
}

/* Is it a watch, or a stream from or to a kubelet? */
static bool
is_long_running(const struct yl_request_info *info)
{
    static const char *const streams[] = {
        "attach", "exec", "proxy", "log", "portforward",
    };
    size_t i;

    if (!info->is_resource) {
        return false;
    }
    for (i = 0; i < YL_ARRAY_SIZE(streams); i++) {
        if (yl_str_equal_c(info->subresource, streams[i])) {
            return true;
        }
    }
    return yl_str_equal(info->verb, YL_STR("watch"))
           || yl_str_equal(info->verb, YL_STR("proxy"));
}

/* Does the request's body say that it is YAML? */
static bool
is_yaml(const struct yl_api_request *req)
{
    struct yl_str type = yl_http_header(req->http, YL_STR("content-type"));
    struct yl_str before, after;

    if (yl_str_cut(type, ';', &before, &after)) {
        type = yl_str_trim(before);
    }
    return yl_str_ends_with(type, YL_STR("yaml"));
}

/* Returns a body as JSON: the body itself, or its translation in the request's
 * arena; empty if it is no document. */
static struct yl_str
as_json(struct yl_api_request *req, struct yl_str body, bool yaml)
{
    struct yl_str text = yl_str_trim(body), json = YL_STR("");
    struct yl_buf buf;

    if (yl_str_starts_with(text, YL_STR("{"))
        || yl_str_starts_with(text, YL_STR("["))) {
        return body;
    }
    if (yl_str_starts_with(body, YL_PROTOBUF_MAGIC)) {
        yl_buf_init(&buf, MAX_KEPT);
        if (yl_envelope_json(req, body, &buf) && yl_buf_error(&buf) == 0) {
            json = yl_arena_copy(req->arena, yl_buf_str(&buf));
        }
        yl_buf_release(&buf);
    } else if (yaml && body.size) {
        (void) yl_yaml_to_json(req->arena, body, NULL, &json, NULL);
    }
    return json;
}
