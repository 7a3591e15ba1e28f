/* Fuzzes the parsing of requests.  Input: method, path, query and Accept, each
 * up to a zero byte.
 *
 * All of it is parsed before anything is looked up, so every parser must cope
 * with any bytes: request info, parameters, negotiation, selectors, options of
 * reads and continue tokens.  A token that was written must be read as the
 * same. */

#include "fuzz.h"

#include "apiserver/answer/accept.h"
#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/params.h"
#include "apiserver/registry/registry.h"
#include "apiserver/request.h"
#include "apiserver/selection.h"
#include "apiserver/server.h"
#include "apiserver/verbs/read_options.h"
#include "storage/memory.h"
#include "storage/storage.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

static void open_server(void);
static void check_info(const struct yl_api_request *);
static void check_options(struct yl_api_request *, bool watch);
static void check_token(struct yl_api_request *,
                        const struct yl_read_options *);

static struct yl_apiserver server;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_api_request req = { .server = &server };
    struct yl_str method, path, query, accept;
    bool type_known;

    if (!server.registry) {
        open_server();
    }
    method = fuzz_text(&in);
    path = fuzz_text(&in);
    query = fuzz_text(&in);
    accept = fuzz_text(&in);
    req.arena = yl_arena_new();
    yl_accept_parse(accept, YL_ACCEPT_FORMS, &req.accept, &type_known);
    if (yl_params_parse(req.arena, query, &req.params, NULL) == 0
        && yl_request_info_parse(req.arena, method, path, &req.params,
                                 &req.info) == 0) {
        check_info(&req);
        if (req.info.is_resource
            && yl_registry_find(server.registry, yl_api_gvr(&req),
                                &req.resource, &req.version) == 0) {
            check_options(&req, false);
            check_options(&req, true);
            yl_api_resource_unref(req.resource);
        }
    }
    yl_arena_free(req.arena);
    return 0;
}

static void
open_server(void)
{
    struct yl_storage *storage = yl_memory_new(NULL);

    server.keyspace = yl_keyspace_new(storage, NULL);
    server.registry = yl_registry_new();
    yl_registry_add_builtins(server.registry, server.keyspace);
    CHECK(yl_keyspace_load(server.keyspace, NULL) == 0);
}

static void
check_info(const struct yl_api_request *req)
{
    const struct yl_request_info *info = &req->info;

    CHECK(info->n_parts <= YL_ARRAY_SIZE(info->parts));
    CHECK(info->is_resource == (info->n_parts > 0) || !info->is_resource);
    if (info->is_resource) {
        CHECK(yl_str_equal(info->prefix, YL_STR("api"))
              || yl_str_equal(info->prefix, YL_STR("apis")));
    }
}

static void
check_options(struct yl_api_request *req, bool watch)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_selection selection;
    struct yl_read_options options;
    struct yl_view view;
    int r;

    r = yl_read_options_parse(req, watch, &options, &status);
    if (r == 0) {
        r = yl_selection_init(&selection, req, &status.error);
    }
    if (r == 0) {
        r = yl_read_options_place(req, &options, &status);
    }
    if (r == 0) {
        r = yl_view_init(&view, req, true, &status.error);
    }
    CHECK(r <= 0 && r == status.error.code);
    if (r < 0) {
        CHECK(yl_status_http(&status) >= 400);
        CHECK(yl_status_json(&status, req->arena).size > 0);
    } else {
        CHECK(options.limit >= 0);
        CHECK(!options.exact || options.revision);
        if (options.continued) {
            check_token(req, &options);
        }
    }
    yl_status_clear(&status);
}

/* A continue token must lead to where the next page starts. */
static void
check_token(struct yl_api_request *req, const struct yl_read_options *options)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_api_request again = *req;
    struct yl_param pair = { .name = YL_STR("continue") };
    struct yl_read_options o;

    CHECK(!options->watch);
    pair.value = yl_continue_token_write(req->arena, &options->token);
    again.params.all = &pair;
    again.params.n = 1;
    if (yl_str_is_empty(options->token.start)) {
        return;                 /* "/": a list from the very first key has no
                                 * token. */
    }
    CHECK(yl_read_options_parse(&again, false, &o, &status) == 0);
    CHECK(yl_read_options_place(&again, &o, &status) == 0);
    CHECK(o.continued && o.revision == options->revision);
    CHECK(yl_str_equal(o.start, options->start));
    yl_status_clear(&status);
}
