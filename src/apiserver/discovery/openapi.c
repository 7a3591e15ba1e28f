/* Serving OpenAPI.  See openapi.h. */

#include "apiserver/discovery/openapi.h"

#include "apiserver/answer/accept.h"
#include "apiserver/discovery/documents.h"
#include "apiserver/discovery/openapi_v2.h"
#include "apiserver/discovery/openapi_write.h"
#include "apiserver/server.h"
#include "json/text.h"
#include "yuloh/arena.h"

#define PROTOBUF "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"

/* What a document of v3 is rendered from. */
struct source {
    struct yl_registry *registry;
    const struct yl_catalog *catalog;   /* NULL: the registry as it is now. */
    struct yl_str name;
};

/* An index while it is written. */
struct index {
    struct yl_apiserver *server;
    const struct yl_catalog *catalog;
    struct yl_buf *buf;
    bool any;
};

static uint64_t stamp_of(struct yl_registry *, struct yl_str name);
static struct yl_str document_name(struct yl_arena *, struct yl_str name);
static bool render_v3(struct yl_buf *, void *source);
static bool render_index(struct yl_buf *, void *server);
static void add_to_index(void *index, struct yl_str name, uint64_t stamp);
static enum yl_step serve(struct yl_api_request *,
                          const struct yl_document *,
                          const char *content_type);
static enum yl_step redirect(struct yl_api_request *, struct yl_str name,
                             const struct yl_document *);
static bool matches(struct yl_str if_none_match, struct yl_str etag);
static struct yl_str without_quotes(const char *etag);

enum yl_step
yl_serve_openapi_v2(struct yl_api_request *req)
{
    static const char *const types[] = {
        "application/json",
        "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
        PROTOBUF,
    };
    uint64_t stamp = yl_registry_generation(req->server->registry);
    int type = yl_accept_choose(yl_http_header(req->http, YL_STR("accept")),
                                types, YL_ARRAY_SIZE(types));

    req->compress_over = 1400;  /* Upstream has this limit here, and only
                                 * here. */
    yl_api_add_header(req, YL_STR("vary"), YL_STR("Accept-Encoding"));
    yl_api_add_header(req, YL_STR("vary"), YL_STR("Accept"));
    if (type < 0) {
        return yl_api_respond(req, 406, NULL, YL_STR(""));
    }
    return type == 0
           ? serve(req, yl_documents_get(req->server->documents,
                                         YL_STR("openapi v2"), stamp,
                                         yl_openapi_render_v2, req->server),
                   types[0])
           : serve(req, yl_documents_get(req->server->documents,
                                         YL_STR("openapi v2 protobuf"), stamp,
                                         yl_openapi_render_v2_proto,
                                         req->server), PROTOBUF);
}

enum yl_step
yl_serve_openapi_index(struct yl_api_request *req)
{
    /* Upstream sets no Content-Type here and lets Go guess one; clients know
     * that it is JSON. */
    return serve(req,
                 yl_documents_get(
                     req->server->documents, YL_STR("openapi v3"),
                     yl_registry_generation(req->server->registry),
                     render_index, req->server),
                 "text/plain; charset=utf-8");
}

enum yl_step
yl_serve_openapi_v3(struct yl_api_request *req, struct yl_str name)
{
    static const char *const types[] = { "application/json" };
    struct source source = { .registry = req->server->registry,
                             .name = name };
    struct yl_str hash = yl_params_get(&req->params, YL_STR("hash"));
    uint64_t stamp = stamp_of(req->server->registry, name);
    const struct yl_document *document;

    if (!stamp) {
        return yl_api_respond(req, 404, NULL, YL_STR(""));
    }
    yl_api_add_header(req, YL_STR("vary"), YL_STR("Accept"));
    if (yl_accept_choose(yl_http_header(req->http, YL_STR("accept")), types,
                         1) < 0) {
        return yl_api_respond(req, 406, NULL, YL_STR(""));
    }
    document = yl_documents_get(req->server->documents,
                                document_name(req->arena, name), stamp,
                                render_v3, &source);
    if (document && !yl_str_is_empty(hash)) {
        if (!yl_str_equal(hash, without_quotes(document->etag))) {
            return redirect(req, name, document);
        }
        yl_api_add_header(req, YL_STR("cache-control"),
                          YL_STR("public, immutable"));
    }
    return serve(req, document, types[0]);
}

/* The generation of a document of v3, which distinguishes it from older ones;
 * 0 if there is no such document. */
static uint64_t
stamp_of(struct yl_registry *registry, struct yl_str name)
{
    struct yl_str root = name, group = yl_str_null(), version = yl_str_null();

    if (!yl_str_cut(name, '/', &root, &group)) {
        return yl_str_equal(root, YL_STR("api"))
               || yl_str_equal(root, YL_STR("apis"))
               || yl_str_equal(root, YL_STR("version"));
    }
    if (yl_str_equal(root, YL_STR("api"))) {
        return yl_str_is_empty(group)
               ? 0 : yl_registry_version_generation(registry, YL_STR(""),
                                                    group);
    }
    if (!yl_str_equal(root, YL_STR("apis")) || yl_str_is_empty(group)) {
        return 0;
    }
    if (!yl_str_cut(group, '/', &group, &version)) {
        return yl_registry_has_group(registry, group, yl_str_null());
    }
    return yl_str_is_empty(version) || yl_str_is_empty(group)
           ? 0 : yl_registry_version_generation(registry, group, version);
}

static struct yl_str
document_name(struct yl_arena *arena, struct yl_str name)
{
    return yl_str_c(yl_arena_printf(arena, "openapi v3 %.*s",
                                    YL_STR_ARG(name)));
}

static bool
render_v3(struct yl_buf *buf, void *source_)
{
    const struct source *source = source_;
    struct yl_arena *arena = yl_arena_new();
    bool found = yl_openapi_write_v3(buf, source->catalog
                                          ? source->catalog
                                          : yl_catalog_make(source->registry,
                                                            arena),
                                     source->name);

    yl_arena_free(arena);
    return found;
}

static bool
render_index(struct yl_buf *buf, void *server_)
{
    struct yl_apiserver *server = server_;
    struct yl_arena *arena = yl_arena_new();
    struct index index = { server, yl_catalog_make(server->registry, arena),
                           buf, false };

    yl_buf_append_c(buf, "{\"paths\":{");
    yl_openapi_for_each(index.catalog, arena, add_to_index, &index);
    yl_buf_append_c(buf, "}}");
    yl_arena_free(arena);
    return true;
}

static void
add_to_index(void *index_, struct yl_str name, uint64_t stamp)
{
    struct index *index = index_;
    struct source source = { .catalog = index->catalog, .name = name };
    struct yl_arena *arena = yl_arena_new();
    char etag[YL_ETAG_SIZE];

    if (yl_documents_etag(index->server->documents,
                          document_name(arena, name), stamp, render_v3,
                          &source, etag)) {
        yl_buf_append_c(index->buf, index->any ? "," : "");
        yl_json_write_string(index->buf, name);
        yl_buf_printf(index->buf, ":{\"serverRelativeURL\":\"/openapi/v3/"
                                  "%.*s?hash=%.*s\"}",
                      YL_STR_ARG(name), YL_STR_ARG(without_quotes(etag)));
        index->any = true;
    }
    yl_arena_free(arena);
}

static void
let_go(void *document)
{
    yl_document_unref(document);
}

/* Answers with a document and takes over the reference to it.  It is
 * compressed only if the request says so already. */
static enum yl_step
serve(struct yl_api_request *req, const struct yl_document *document,
      const char *content_type)
{
    struct yl_str etag;

    if (!document) {
        return yl_api_respond(req, 404, NULL, YL_STR(""));
    }
    etag = yl_str_c(document->etag);
    yl_arena_attach(req->arena, let_go,
                    (struct yl_document *) (uintptr_t) document);
    yl_api_add_header(req, YL_STR("etag"), etag);
    if (matches(yl_http_header(req->http, YL_STR("if-none-match")), etag)) {
        return yl_api_respond(req, 304, NULL, YL_STR(""));
    }
    if (!req->compress_over) {
        req->compress_over = SIZE_MAX;
    }
    return yl_api_respond_lent(req, 200, content_type, document->body);
}

/* Redirects to the URL with the document's current hash.  Takes over the
 * reference. */
static enum yl_step
redirect(struct yl_api_request *req, struct yl_str name,
         const struct yl_document *document)
{
    struct yl_str etag = without_quotes(document->etag);
    char *url = yl_arena_printf(req->arena, "/openapi/v3/%.*s?hash=%.*s",
                                YL_STR_ARG(name), YL_STR_ARG(etag));

    yl_document_unref(document);
    yl_api_add_header(req, YL_STR("location"), yl_str_c(url));
    return yl_api_respond(req, 301, "application/json", YL_STR(""));
}

/* Whether the If-None-Match header matches: "*", or a list of ETags, weak or
 * not. */
static bool
matches(struct yl_str header, struct yl_str etag)
{
    struct yl_str one;

    while (header.size) {
        if (!yl_str_cut(header, ',', &one, &header)) {
            one = header;
            header = yl_str_null();
        }
        one = yl_str_trim(one);
        if (yl_str_starts_with(one, YL_STR("W/"))) {
            one = yl_str_skip(one, 2);
        }
        if (yl_str_equal(one, YL_STR("*")) || yl_str_equal(one, etag)) {
            return true;
        }
    }
    return false;
}

static struct yl_str
without_quotes(const char *etag)
{
    return yl_str_n(etag + 1, strlen(etag) - 2);
}
