/* Views.  See apiserver/answer/view.h for the contract. */

#include "apiserver/answer/view.h"

#include "apiserver/answer/protobuf.h"
#include "apiserver/request.h"
#include "apiserver/strategy/strategy.h"
#include "builtin/columns/columns.h"
#include "json/tree.h"
#include "object/object.h"
#include "schema/protobuf.h"
#include "schema/wire.h"
#include "yuloh/arena.h"
#include "yuloh/gvk.h"
#include "yuloh/time.h"

static int convert(struct yl_arena *, const struct yl_api_resource *,
                   const struct yl_api_version *, const struct yl_object *,
                   struct yl_view_wait *, struct yl_node **ret_root,
                   struct yl_error *);
static int take_result(struct yl_view_wait *, struct yl_node **ret_root,
                       struct yl_error *);
static void on_converted(struct yl_wait *, int result);
static struct yl_str api_version_of(struct yl_arena *,
                                    const struct yl_api_version *);
static int write_message(const struct yl_view *, const struct yl_object *,
                         uint64_t revision, struct yl_buf *,
                         struct yl_error *);
static int unfit(const struct yl_api_request *, struct yl_error *);
static int write_row(const struct yl_view *, const struct yl_object *stored,
                     const struct yl_object *seen, uint64_t revision,
                     struct yl_buf *, struct yl_error *);
static int write_metadata(const struct yl_view *, const struct yl_object *,
                          uint64_t revision, struct yl_buf *,
                          struct yl_error *);

int
yl_view_convert(struct yl_arena *arena, const struct yl_api_resource *resource,
                const struct yl_api_version *version,
                const struct yl_object *object, struct yl_view_wait *wait,
                struct yl_object **ret_object, struct yl_error *err)
{
    struct yl_node *root;
    int r;

    if (version->hub && !yl_strategy_is_stale(resource, object)) {
        *ret_object = yl_object_ref(object);
        return 0;
    }
    if (wait && wait->done) {
        r = take_result(wait, &root, err);
    } else {
        r = convert(arena, resource, version, object, wait, &root, err);
    }
    if (r == 0) {
        r = yl_object_from_tree(root, NULL, ret_object, err);
    }
    if (r == 0 && version->hub
        && !yl_strategy_is_elsewhere(resource, object)
        && yl_object_equal(object, *ret_object)) {
        /* Its schema has changed, or the server was restarted, but it would be
         * the same today: remember that for the next reader. */
        yl_object_mark_schema(object, resource->schema_generation);
    }
    return r;
}

void
yl_view_wait_init(struct yl_view_wait *wait, struct yl_loop *loop,
                  void (*resume)(struct yl_view_wait *))
{
    *wait = (struct yl_view_wait) {
        .wait = { .loop = loop, .done = on_converted },
        .resume = resume,
    };
}

bool
yl_view_waits(const struct yl_view_wait *wait)
{
    return wait->wait.waiting;
}

void
yl_view_wait_release(struct yl_view_wait *wait)
{
    yl_wait_cancel(&wait->wait);
    yl_error_clear(&wait->error);
}

int
yl_view_init(struct yl_view *view, const struct yl_api_request *req,
             bool list, struct yl_error *err)
{
    struct yl_str include = yl_params_get(&req->params,
                                          YL_STR("includeObject"));
    struct yl_str meta = req->accept.v1beta1 ? YL_STR("meta.k8s.io/v1beta1")
                                             : YL_STR("meta.k8s.io/v1");

    *view = (struct yl_view) {
        .resource = req->resource,
        .version = req->version,
        .type = { api_version_of(req->arena, req->version),
                  req->resource->kind },
        .meta = { meta, YL_STR("PartialObjectMetadata") },
        .table = { meta, YL_STR("Table") },
        .list_kind = yl_str_c(req->version->kind->list_name),
        .form = req->accept.form,
        .protobuf = req->accept.protobuf,
        .message = req->accept.form == YL_FORM_PARTIAL
                   ? yl_answer_type(YL_STR("PartialObjectMetadata"))
                   : yl_kind_type(req->version->kind),
        .scratch = req->arena,
    };
    if (view->form == YL_FORM_PARTIAL && req->accept.list != list) {
        return unfit(req, err);
    }
    if (view->form != YL_FORM_TABLE || yl_str_is_empty(include)
        || yl_str_equal(include, YL_STR("Metadata"))) {
        view->include = YL_INCLUDE_METADATA;
    } else if (yl_str_equal(include, YL_STR("Object"))) {
        view->include = YL_INCLUDE_OBJECT;
    } else if (yl_str_equal(include, YL_STR("None"))) {
        view->include = YL_INCLUDE_NONE;
    } else {
        return yl_error_set(err, YL_EBADREQUEST,
                            "Unable to convert to Table as requested: "
                            "includeObject: Invalid value: \"%.*s\": must be "
                            "'Metadata', 'Object', 'None', or empty",
                            YL_STR_ARG(include));
    }
    return 0;
}

int
yl_view_write_item(const struct yl_view *view, const struct yl_object *object,
                   uint64_t revision, struct yl_buf *out, struct yl_error *err)
{
    struct yl_object_head head = { .revision = revision };
    struct yl_object *seen;
    int r;

    if (yl_view_is_unstructured(view)) {
        head.type = view->type;
    }
    if (view->protobuf) {
        return write_message(view, object, revision, out, err);
    }
    if (view->form == YL_FORM_PARTIAL) {
        return write_metadata(view, object, revision, out, err);
    }
    if (view->form == YL_FORM_OBJECT && view->version->hub
        && !yl_strategy_is_stale(view->resource, object)) {
        yl_object_write(object, &head, out);
        return 0;
    }
    r = yl_view_convert(view->scratch, view->resource, view->version, object,
                        view->wait, &seen, err);
    if (r != 0) {
        return r;
    }
    if (view->form == YL_FORM_TABLE) {
        r = write_row(view, object, seen, revision, out, err);
    } else {
        yl_object_write(seen, &head, out);
    }
    yl_object_unref(seen);
    return r;
}

void
yl_view_write_list_head(const struct yl_view *view, uint64_t revision,
                        struct yl_buf *out)
{
    if (view->form == YL_FORM_TABLE) {
        yl_buf_printf(out, "{\"kind\":\"Table\",\"apiVersion\":\"%.*s\",",
                      YL_STR_ARG(view->table.api_version));
    } else if (view->form == YL_FORM_PARTIAL) {
        yl_buf_printf(out, "{\"kind\":\"PartialObjectMetadataList\","
                           "\"apiVersion\":\"%.*s\",",
                      YL_STR_ARG(view->meta.api_version));
    } else {
        yl_buf_printf(out, "{\"kind\":\"%.*s\",\"apiVersion\":\"%.*s\",",
                      YL_STR_ARG(view->list_kind),
                      YL_STR_ARG(view->type.api_version));
    }
    if (revision) {
        yl_buf_append_c(out, "\"metadata\":{");
        yl_buf_append_c(out, yl_view_is_unstructured(view)
                             ? "\"continue\":\"\"," : "");
        yl_buf_printf(out, "\"resourceVersion\":\"%llu\"},",
                      (unsigned long long) revision);
    }
    if (view->form == YL_FORM_TABLE) {
        yl_buf_append_c(out, "\"columnDefinitions\":");
        yl_columns_write_definitions(yl_view_columns(view), out);
        yl_buf_append_c(out, ",\"rows\":");
    } else {
        yl_buf_append_c(out, "\"items\":");
    }
}

int
yl_view_write_one(const struct yl_view *view, const struct yl_object *object,
                  uint64_t revision, bool first, struct yl_buf *out,
                  struct yl_error *err)
{
    struct yl_object_head head = { .type = view->type, .revision = revision };
    struct yl_object *seen;
    size_t start = out->size;
    int r;

    if (view->form == YL_FORM_PARTIAL) {
        return write_metadata(view, object, revision, out, err);
    }
    if (view->form == YL_FORM_TABLE) {
        yl_buf_printf(out, "{\"kind\":\"Table\",\"apiVersion\":\"%.*s\","
                           "\"metadata\":{",
                      YL_STR_ARG(view->table.api_version));
        if (revision) {
            yl_buf_printf(out, "\"resourceVersion\":\"%llu\"",
                          (unsigned long long) revision);
        }
        yl_buf_append_c(out, "},\"columnDefinitions\":");
        if (first) {
            yl_columns_write_definitions(yl_view_columns(view), out);
        } else {
            yl_buf_append_c(out, "null");
        }
        yl_buf_append_c(out, ",\"rows\":[");
        r = yl_view_write_item(view, object, revision, out, err);
        yl_buf_append_c(out, "]}");
        if (r == YL_WAITING) {
            out->size = start;
        }
        return r;
    }
    r = yl_view_convert(view->scratch, view->resource, view->version, object,
                        view->wait, &seen, err);
    if (r == 0) {
        yl_object_write(seen, &head, out);
        yl_object_unref(seen);
    }
    return r;
}

/* Writes an item in protobuf, translated from its JSON. */
static int
write_message(const struct yl_view *view, const struct yl_object *object,
              uint64_t revision, struct yl_buf *out, struct yl_error *err)
{
    struct yl_buf json;
    size_t opened;
    int r;

    yl_buf_init(&json, SIZE_MAX);
    r = yl_view_write_one(view, object, revision, false, &json, err);
    if (r == 0) {
        opened = yl_wire_open(out, 2);
        yl_protobuf_encode(out, view->message, yl_json(yl_buf_str(&json)),
                           view->scratch);
        yl_wire_close(out, opened);
    }
    yl_buf_release(&json);
    return r;
}

/* Sets the error for a form meant for lists that was asked of one object, or
 * the other way round.  The message names the Go type. */
static int
unfit(const struct yl_api_request *req, struct yl_error *err)
{
    struct yl_str package = req->resource->group, rest;
    bool list = req->accept.list;

    yl_str_cut(package, '.', &package, &rest);
    if (!package.size) {
        package = YL_STR("core");
    }
    return yl_error_set(err, YL_ENOTACCEPTABLE,
                        "you requested PartialObjectMetadata%s, but the "
                        "requested object is %sa list (*%.*s.%.*s%s)",
                        list ? "List" : "", list ? "not " : "",
                        YL_STR_ARG(package),
                        YL_STR_ARG(req->resource->kind), list ? "" : "List");
}

static int
convert(struct yl_arena *arena, const struct yl_api_resource *resource,
        const struct yl_api_version *version, const struct yl_object *object,
        struct yl_view_wait *wait, struct yl_node **ret_root,
        struct yl_error *err)
{
    struct yl_conversion own = { .resource = resource, .to = version,
                                 .arena = arena, .objects = ret_root,
                                 .n_objects = 1, .err = err };
    int r = yl_strategy_read(resource, arena, object, 0, &own.from, ret_root,
                             err);

    if (r < 0 || !wait) {
        return r < 0 ? r : yl_strategy_convert(&own);
    }
    wait->root = *ret_root;
    wait->conversion = own;
    wait->conversion.objects = &wait->root;
    wait->conversion.wait = &wait->wait;
    wait->conversion.err = &wait->error;
    r = yl_strategy_convert(&wait->conversion);
    if (r == YL_WAITING) {
        return r;
    }
    wait->result = r;
    return take_result(wait, ret_root, err);
}

/* How a conversion ended, now or after a wait. */
static int
take_result(struct yl_view_wait *wait, struct yl_node **ret_root,
            struct yl_error *err)
{
    wait->done = false;
    *ret_root = wait->root;
    if (wait->result < 0 && !wait->error.code) {
        /* Who was waited for did not say why. */
        yl_error_set(&wait->error, wait->result, "%s",
                     yl_error_text(wait->result));
    }
    if (wait->result < 0 && err) {
        *err = wait->error;
        wait->error = (struct yl_error) YL_ERROR_INIT;
    } else {
        yl_error_clear(&wait->error);
    }
    return wait->result;
}

static void
on_converted(struct yl_wait *base, int result)
{
    struct yl_view_wait *wait = YL_CONTAINER_OF(base, struct yl_view_wait,
                                                wait);

    wait->done = true;
    wait->result = result;
    wait->resume(wait);
}

static struct yl_str
api_version_of(struct yl_arena *arena, const struct yl_api_version *version)
{
    struct yl_gv gv = { version->group, version->version };

    return yl_gv_api_version(gv, arena);
}

/* The cells are made from the stored object, unless the version has its own
 * columns; the row's object is in the version that was asked for. */
static int
write_row(const struct yl_view *view, const struct yl_object *stored,
          const struct yl_object *seen, uint64_t revision, struct yl_buf *out,
          struct yl_error *err)
{
    struct yl_object_head head = { .revision = revision };
    const struct yl_columns *columns = yl_view_columns(view);
    struct yl_str text = yl_object_json(view->version->columns ? seen : stored,
                                        view->scratch, NULL);
    struct yl_json json = yl_json(text);
    size_t mark;
    int r = 0;

    yl_buf_append_c(out, "{\"cells\":");
    yl_columns_write_cells(columns, json, yl_time_now(), view->scratch, out);
    mark = out->size;
    yl_buf_append_c(out, ",\"conditions\":");
    if (!yl_columns_write_conditions(columns, json, out)) {
        out->size = mark;
    }
    if (view->include == YL_INCLUDE_OBJECT) {
        yl_buf_append_c(out, ",\"object\":");
        head.type = view->type;
        yl_object_write(seen, &head, out);
    } else if (view->include == YL_INCLUDE_METADATA) {
        yl_buf_append_c(out, ",\"object\":");
        r = write_metadata(view, stored, revision, out, err);
    } else {
        yl_buf_append_c(out, ",\"object\":null");
    }
    yl_buf_append_char(out, '}');
    return r;
}

/* Writes the metadata alone.  For some kinds a part of it is hidden, as in
 * upstream. */
static int
write_metadata(const struct yl_view *view, const struct yl_object *object,
               uint64_t revision, struct yl_buf *out, struct yl_error *err)
{
    const struct yl_strategy *strategy = view->resource->strategy;
    struct yl_object_head head = { .type = view->meta, .revision = revision,
                                   .metadata_only = true };
    struct yl_object *shown;
    struct yl_node *root;
    int r;

    if (!strategy->hide) {
        yl_object_write(object, &head, out);
        return 0;
    }
    r = yl_tree_parse(view->scratch,
                      yl_object_json(object, view->scratch, NULL), NULL,
                      &root, err);
    if (r == 0) {
        strategy->hide(view->scratch, root);
        r = yl_object_from_tree(root, NULL, &shown, err);
    }
    if (r == 0) {
        yl_object_write(shown, &head, out);
        yl_object_unref(shown);
    }
    return r;
}
