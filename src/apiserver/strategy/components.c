/* ComponentStatuses: the health of a control plane's parts.  Nothing is stored
 * for them.  The only part that this server reports is its store, under the
 * name that it has in every cluster. */

#include <assert.h>

#include "apiserver/answer/view.h"
#include "apiserver/discovery/health.h"
#include "apiserver/selection.h"
#include "apiserver/server.h"
#include "apiserver/strategy/builtin.h"
#include "apiserver/verbs/read_options.h"
#include "yuloh/arena.h"
#include "yuloh/object.h"
#include "yuloh/status.h"

#define STORE "etcd-0"

static struct yl_object *make_store(const struct yl_api_request *);
static enum yl_step list(struct yl_api_request *, const struct yl_object *);
static enum yl_step respond_list(struct yl_api_request *, struct yl_view *,
                                 const struct yl_object *);

enum yl_step
yl_components_serve(struct yl_api_request *req)
{
    struct yl_status status = YL_STATUS_INIT;
    struct yl_object *store;
    enum yl_step step;

    if (yl_str_equal_c(req->info.verb, "get")
        && !yl_str_equal_c(req->info.name, STORE)) {
        struct yl_gvr gvr = { yl_str_null(), yl_str_null(),
                              YL_STR("componentstatus") };

        yl_status_not_found(&status, gvr, req->info.name);
        return yl_api_respond_status(req, &status);
    }
    store = make_store(req);
    step = yl_str_equal_c(req->info.verb, "get")
           ? yl_api_respond_object(req, 200, store, 0)
           : list(req, store);
    yl_object_unref(store);
    return step;
}

static struct yl_object *
make_store(const struct yl_api_request *req)
{
    bool well = !(yl_unwell_now(req->server) & YL_UNWELL_STORAGE);
    struct yl_object *object = NULL;
    int r;

    r = yl_object_ingest(yl_str_c(yl_arena_printf(
        req->arena, "{\"apiVersion\":\"v1\",\"kind\":\"ComponentStatus\","
        "\"metadata\":{\"name\":\"" STORE "\"},\"conditions\":[{\"type\":"
        "\"Healthy\",\"status\":\"%s\",\"message\":\"%s\"}]}",
        well ? "True" : "False",
        well ? "ok" : "the last write failed")), NULL, &object, NULL);
    assert(r == 0);
    (void) r;
    return object;
}

/* Answers a list or refuses a watch; the options are checked first for
 * both. */
static enum yl_step
list(struct yl_api_request *req, const struct yl_object *store)
{
    bool watch = yl_str_equal_c(req->info.verb, "watch");
    struct yl_status status = YL_STATUS_INIT;
    struct yl_read_options options;
    struct yl_selection selection;
    struct yl_view view;
    int r = yl_read_options_parse(req, watch, &options, &status);

    if (r == 0) {
        r = yl_selection_init(&selection, req, &status.error);
    }
    if (r == 0 && watch) {
        r = yl_status_method_not_supported(&status, yl_api_gvr(req),
                                           req->info.verb);
    }
    if (r != 0 || yl_view_init(&view, req, true, &status.error) < 0) {
        return yl_api_respond_status(req, &status);
    }
    return respond_list(req, &view,
                        yl_selection_matches(&selection, store, req->arena)
                        ? store : NULL);
}

static enum yl_step
respond_list(struct yl_api_request *req, struct yl_view *view,
             const struct yl_object *store)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf list;
    enum yl_step step;
    int r = 0;

    view->protobuf = false;
    yl_buf_init(&list, SIZE_MAX);
    yl_view_write_list_head(view, 0, &list);
    if (store) {
        yl_buf_append_char(&list, '[');
        r = yl_view_write_item(view, store, 0, &list, &err);
        yl_buf_append_char(&list, ']');
    } else {
        yl_buf_append_c(&list, view->form == YL_FORM_PARTIAL ? "null" : "[]");
    }
    yl_buf_append_c(&list, ",\"metadata\":{}}");
    step = r < 0 ? yl_api_respond_error(req, &err)
                 : yl_api_respond_document(req, 200, NULL,
                                           yl_buf_str(&list));
    yl_buf_release(&list);
    return step;
}
