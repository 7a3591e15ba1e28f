/* The document of OpenAPI v2.  See openapi_v2.h. */

#include "apiserver/discovery/openapi_v2.h"

#include "apiserver/discovery/documents.h"
#include "apiserver/discovery/openapi_operation.h"
#include "apiserver/discovery/openapi_proto.h"
#include "apiserver/discovery/openapi_write.h"
#include "apiserver/server.h"
#include "yuloh/arena.h"

/* The documents of a part. */
enum form {
    PATHS,                      /* Members of "paths", in JSON. */
    DEFINITIONS,                /* Members of "definitions", in JSON. */
    PROTOBUF,                   /* Both, as a message. */
};

/* What they are rendered from. */
struct part {
    const struct yl_catalog *catalog;
    const struct yl_catalog_version *version;   /* NULL: built-in kinds. */
    enum form form;
};

static bool append_parts(struct yl_buf *, struct yl_apiserver *,
                         const struct yl_catalog *, enum form);
static bool append_part(struct yl_buf *, struct yl_apiserver *,
                        struct part *);
static bool render_part(struct yl_buf *, void *part);
static bool encode(struct yl_buf *, const struct part *);

bool
yl_openapi_render_v2(struct yl_buf *buf, void *server)
{
    struct yl_apiserver *s = server;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_catalog *catalog = yl_catalog_make(s->registry, arena);
    bool whole;

    yl_buf_append_char(buf, '{');
    yl_openapi_write_v2_head(buf);
    yl_buf_append_c(buf, ",\"paths\":{");
    whole = append_parts(buf, s, catalog, PATHS);
    yl_buf_append_c(buf, "},\"definitions\":{");
    whole &= append_parts(buf, s, catalog, DEFINITIONS);
    yl_buf_append_c(buf, "},");
    yl_openapi_write_v2_tail(buf);
    yl_buf_append_c(buf, "}\n");
    yl_arena_free(arena);
    return whole;
}

bool
yl_openapi_render_v2_proto(struct yl_buf *buf, void *server)
{
    struct yl_apiserver *s = server;
    struct yl_arena *arena = yl_arena_new();
    bool whole = append_parts(buf, s, yl_catalog_make(s->registry, arena),
                              PROTOBUF);

    yl_arena_free(arena);
    return whole;
}

static bool
append_parts(struct yl_buf *buf, struct yl_apiserver *server,
             const struct yl_catalog *catalog, enum form form)
{
    struct part part = { .catalog = catalog, .form = form };
    bool whole = append_part(buf, server, &part);

    for (size_t i = 0; i < catalog->n_groups; i++) {
        const struct yl_catalog_group *group = &catalog->groups[i];

        for (size_t j = 0; j < group->n_versions; j++) {
            part.version = &group->versions[j];
            if (part.version->custom) {
                whole &= append_part(buf, server, &part);
            }
        }
    }
    return whole;
}

/* Appends a document of a part, which is rendered if it is not kept.  Built-in
 * kinds never change. */
static bool
append_part(struct yl_buf *buf, struct yl_apiserver *server,
            struct part *part)
{
    const struct yl_catalog_version *version = part->version;
    struct yl_arena *arena = yl_arena_new();
    char *name = yl_arena_printf(arena, "openapi v2 %d %.*s",
                                 (int) part->form,
                                 YL_STR_ARG(version ? version->api_version
                                                    : YL_STR("")));
    const struct yl_document *document =
        yl_documents_get(server->documents, yl_str_c(name),
                         version ? version->stamp : 1, render_part, part);

    if (document) {
        if (part->form != PROTOBUF && document->body.size) {
            yl_openapi_write_comma(buf);
        }
        yl_buf_append_str(buf, document->body);
        yl_document_unref(document);
    }
    yl_arena_free(arena);
    return document != NULL;
}

static bool
render_part(struct yl_buf *buf, void *part_)
{
    const struct part *part = part_;

    switch (part->form) {
    case PATHS:
        yl_openapi_write_v2_paths(buf, part->catalog, part->version);
        break;

    case DEFINITIONS:
        yl_openapi_write_v2_definitions(buf, part->catalog, part->version);
        break;

    case PROTOBUF:
        return encode(buf, part);
    }
    return true;
}

/* Appends a part as protobuf.  That of the built-in kinds also has what the
 * document has once. */
static bool
encode(struct yl_buf *buf, const struct part *part)
{
    struct yl_buf json;
    bool fits;

    yl_buf_init(&json, YL_DOCUMENT_MAX_SIZE);
    yl_buf_append_char(&json, '{');
    if (!part->version) {
        yl_openapi_write_v2_head(&json);
        yl_buf_append_char(&json, ',');
    }
    yl_buf_append_c(&json, "\"paths\":{");
    yl_openapi_write_v2_paths(&json, part->catalog, part->version);
    yl_buf_append_c(&json, "},\"definitions\":{");
    yl_openapi_write_v2_definitions(&json, part->catalog, part->version);
    yl_buf_append_char(&json, '}');
    if (!part->version) {
        yl_buf_append_char(&json, ',');
        yl_openapi_write_v2_tail(&json);
    }
    yl_buf_append_char(&json, '}');
    fits = !yl_buf_error(&json);
    if (fits) {
        yl_openapi_encode_v2(buf, yl_buf_str(&json));
    }
    yl_buf_release(&json);
    return fits;
}
