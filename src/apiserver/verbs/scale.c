/* /scale: the number of replicas of an object, seen as an autoscaling/v1
 * Scale.
 *
 *     object -> Scale -> PUT, PATCH -> Scale -> object's replicas
 *
 * A write of a Scale is an update of the object, with all steps of one. */

#include "apiserver/answer/view.h"
#include "apiserver/keyspace/keyspace.h"
#include "apiserver/server.h"
#include "apiserver/verbs/apply.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/nested.h"
#include "apiserver/verbs/own.h"
#include "apiserver/verbs/patch_apply.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/steps.h"
#include "apiserver/verbs/verbs.h"
#include "builtin/columns/columns.h"
#include "builtin/common/meta.h"
#include "object/object.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/arena.h"
#include "yuloh/selector.h"

/* In the Scale of a custom resource: replicas that the object has not got. */
#define UNSET INT32_MIN

struct scale {
    struct yl_write write;
    bool patches;
    enum yl_patch_type type;
};

static int decode(struct yl_write *, struct yl_status *);
static int apply(struct yl_write *, struct yl_status *);
static int merge(struct yl_write *, struct yl_status *);
static bool is_unstructured(const struct yl_api_request *);
static int check_fields(struct yl_write *, const struct yl_node *object,
                        struct yl_node *scale, struct yl_status *);
static void keep_revision(struct yl_write *, const struct yl_node *sent);
static int check(struct yl_write *, const struct yl_node *scale,
                 struct yl_status *);
static void finish(struct yl_write *);
static const struct yl_scale_paths *
paths_of(const struct yl_api_request *);
static struct yl_node *find(const struct yl_node *object, const char *path);
static void set_number(struct yl_arena *, struct yl_node *object,
                       const char *path, int64_t number);
static int64_t number_at(const struct yl_node *object, const char *path);
static struct yl_node *scale_of(struct yl_arena *,
                                const struct yl_api_request *,
                                const struct yl_node *object);
static struct yl_node *selector_text(struct yl_arena *,
                                     const struct yl_node *selector);
static void respond(struct yl_write *, uint64_t revision);
static int read(struct yl_write *, uint64_t revision,
                struct yl_node **ret_object, struct yl_error *);
static void respond_in_form(struct yl_api_request *, struct yl_node *scale,
                            uint64_t revision);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_UPDATE,
    .decode = decode,
    .merge = merge,
};

enum yl_step
yl_verb_get_scale(struct yl_api_request *req)
{
    struct scale *scale = yl_write_new(req, sizeof *scale, &ops);
    struct yl_write *w = &scale->write;
    struct yl_status status = YL_STATUS_INIT;
    struct yl_object *object;
    struct yl_node *tree;
    uint64_t revision;

    if (yl_read_options_get(req, &status) < 0) {
        return yl_api_respond_status(req, &status);
    }
    if (yl_ks_get(req->resource->objects, w->key, &object, &revision) < 0) {
        yl_write_not_found(w, &status);
        return yl_api_respond_status(req, &status);
    }
    w->object = object;
    if (is_unstructured(req)
        && (read(w, revision, &tree, &status.error) != 0
            || check_fields(w, tree, NULL, &status) < 0)) {
        yl_api_respond_status(req, &status);
    } else {
        respond(w, revision);
    }
    w->object = yl_object_unref(object);
    return YL_STEP_DONE;
}

enum yl_step
yl_verb_write_scale(struct yl_api_request *req)
{
    struct scale *scale = yl_write_new(req, sizeof *scale, &ops);
    struct yl_status status = YL_STATUS_INIT;
    int r;

    scale->patches = yl_str_equal(req->info.verb, YL_STR("patch"));
    if (scale->patches) {
        r = yl_patch_begin(req, &scale->type, &scale->write.options,
                           &status);
    } else {
        r = yl_body_begin(req, &status);
        if (r == 0) {
            r = yl_write_options_read(req, YL_WRITE_UPDATE,
                                      &scale->write.options, &status);
        }
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    scale->write.dry_run = scale->write.options.dry_run;
    scale->write.finish = finish;
    return yl_write_go(&scale->write);
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct scale *op = YL_CONTAINER_OF(w, struct scale, write);
    const struct yl_kind *kind = &autoscaling_v1_scale_kind;
    int r = 0;

    if (!op->patches) {
        r = yl_body_object(w->request, w->arena, kind,
                           w->options.field_validation, &w->sent, status);
        r = r == 0 ? yl_write_check_namespace(w, w->sent, status) : r;
        r = r == 0 ? yl_write_check_name(w, w->sent, status) : r;
    }
    if (r == 0 && !w->base) {
        r = yl_write_not_found(w, status);
    }
    if (r < 0) {
        return r;
    }
    r = yl_write_see(w, status);
    if (r != 0) {
        return r;
    }
    w->tree = yl_node_copy(w->arena, w->old);
    w->in_hub = true;
    w->old_sent = scale_of(w->arena, w->request, w->old);
    r = check_fields(w, w->old, w->old_sent, status);
    if (r < 0) {
        return r;
    }
    if (op->patches && op->type == YL_PATCH_APPLY) {
        r = apply(w, status);
    } else if (op->patches) {
        w->sent = yl_node_copy(w->arena, w->old_sent);
        r = yl_patch_apply_body(w->request, w->arena, op->type,
                                w->options.field_validation, kind, &w->sent,
                                status);
    }
    if (op->patches) {
        r = r == 0 ? yl_write_check_namespace(w, w->sent, status) : r;
        r = r == 0 ? yl_write_check_name(w, w->sent, status) : r;
    }
    return r;
}

static bool
is_unstructured(const struct yl_api_request *req)
{
    return req->resource->strategy->flags & YL_STRATEGY_UNSTRUCTURED;
}

/* Checks the fields that a custom resource's Scale shows.  A number of
 * replicas that is not there is UNSET in 'scale', until somebody sets it; if
 * that is NULL, it is an error. */
static int
check_fields(struct yl_write *w, const struct yl_node *object,
             struct yl_node *scale, struct yl_status *status)
{
    const struct yl_scale_paths *paths = paths_of(w->request);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str selector;
    bool found = true;
    int64_t n;
    int r;

    if (!is_unstructured(w->request)) {
        return 0;
    }
    r = yl_nested_int(object, paths->spec_replicas, &n, &found, &err);
    if (r == 0) {
        r = yl_nested_int(object, paths->status_replicas, &n, NULL, &err);
    }
    if (r == 0 && paths->selector) {
        r = yl_nested_text(object, paths->selector, w->request->arena,
                           &selector, &err);
    }
    if (r < 0) {
        r = yl_write_odd_error(status, yl_error_message(&err));
        yl_error_clear(&err);
    } else if (!found && scale) {
        yl_member_set(w->arena, yl_member_make(w->arena, scale, "spec"),
                      "replicas", yl_node_new_int64(w->arena, UNSET));
    } else if (!found) {
        r = yl_status_internal(status, yl_str_c(yl_arena_printf(
            w->request->arena, "the spec replicas field \"%s\" does not "
            "exist", paths->spec_replicas)));
    }
    return r;
}

static int
apply(struct yl_write *w, struct yl_status *status)
{
    struct yl_ownership *o = yl_write_ownership(w);
    int r;

    o->object = w->tree;
    r = yl_apply_body(w, o, status);
    w->sent = o->scale;
    w->owned = true;
    return r;
}

static int
merge(struct yl_write *w, struct yl_status *status)
{
    struct yl_at root = yl_at_root(w->sent), spec = yl_at(&root, "spec");
    const struct yl_scale_paths *paths = paths_of(w->request);
    bool unstructured = is_unstructured(w->request);
    int r = unstructured ? 0 : check(w, w->sent, status);

    if (unstructured && yl_at_get_int(&spec, "replicas") == UNSET) {
        return yl_status_bad_request(status, yl_str_c(yl_arena_printf(
            w->arena, "the spec replicas field \"%s\" cannot be empty",
            paths->spec_replicas)));
    }

    r = r == 0 ? yl_write_check_uid(w, w->sent, w->old, status) : r;
    if (r == 0) {
        set_number(w->arena, w->tree, paths_of(w->request)->spec_replicas,
                   yl_at_get_int(&spec, "replicas"));
        if (w->resource->strategy->flags & YL_STRATEGY_IN_VERSION) {
            /* What holds the number may be new, and have defaults. */
            yl_strategy_default(w->resource, w->request->version, w->arena,
                                w->tree);
        }
        keep_revision(w, yl_member_object(w->sent, "metadata"));
    }
    return r;
}

/* The revision that the Scale names is the object's.  If it names none, a
 * custom resource has the one that was read, and other objects have none. */
static void
keep_revision(struct yl_write *w, const struct yl_node *sent)
{
    if (!is_unstructured(w->request)
        || yl_node_get(sent, YL_STR("resourceVersion"))) {
        yl_member_keep(w->arena,
                       yl_member_make(w->arena, w->tree, "metadata"), sent,
                       "resourceVersion");
    }
}

static int
check(struct yl_write *w, const struct yl_node *scale,
      struct yl_status *status)
{
    struct yl_meta_rule rule = { YL_NAME_DNS1123_SUBDOMAIN, true, false };
    struct yl_gvk gvk = { YL_STR("autoscaling"), YL_STR("v1"),
                          YL_STR("Scale") };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { w->arena, &err };
    struct yl_at root = yl_at_root(scale);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at replicas = yl_at(&spec, "replicas");
    int r = 0;

    yl_check_meta(&c, &metadata, &rule);
    yl_check_not_negative(&c, &replicas);
    if (err.n_causes) {
        r = yl_status_invalid(status, gvk, w->key.name, &err);
        yl_error_clear(&err);
    }
    return r;
}

static void
finish(struct yl_write *w)
{
    if (w->result < 0) {
        yl_api_respond_status(w->request, &w->status);
    } else {
        respond(w, w->revision);
    }
}

/* Answers with the Scale of w->object. */
static void
respond(struct yl_write *w, uint64_t revision)
{
    struct yl_arena *arena = w->request->arena;
    struct yl_status status = YL_STATUS_INIT;
    struct yl_node *object, *scale;
    struct yl_buf json;

    if (read(w, revision, &object, &status.error) != 0) {
        yl_api_respond_status(w->request, &status);
        return;
    }
    scale = scale_of(arena, w->request, object);
    if (w->request->accept.form != YL_FORM_OBJECT) {
        respond_in_form(w->request, scale, revision);
        return;
    }
    yl_buf_init(&json, SIZE_MAX);
    yl_node_write(&json, scale);
    yl_api_respond_document(w->request, 200, NULL, yl_buf_str(&json));
    yl_buf_release(&json);
}

/* Reads w->object, in the version that has the paths. */
static int
read(struct yl_write *w, uint64_t revision, struct yl_node **ret_object,
     struct yl_error *err)
{
    bool in_version = w->resource->strategy->flags & YL_STRATEGY_IN_VERSION;

    return yl_strategy_read_as(w->resource, w->request->arena, w->object,
                               revision,
                               in_version ? w->request->version
                                          : yl_api_resource_hub(w->resource),
                               ret_object, err);
}

/* Answers with a Table of the Scale, or with its metadata. */
static void
respond_in_form(struct yl_api_request *req, struct yl_node *scale,
                uint64_t revision)
{
    struct yl_api_resource resource = *req->resource;
    struct yl_api_version version = *req->version;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *object = NULL;
    struct yl_view view;
    struct yl_buf json;
    int r;

    resource.group = YL_STR("autoscaling");
    resource.kind = YL_STR("Scale");
    resource.columns = yl_builtin_columns(resource.group, resource.kind);
    version.hub = true;
    version.columns = NULL;
    yl_member_drop(yl_member_object(scale, "metadata"), "resourceVersion");
    yl_buf_init(&json, SIZE_MAX);
    r = yl_view_init(&view, req, false, &err);
    if (r == 0) {
        r = yl_object_from_tree(scale, NULL, &object, &err);
    }
    if (r == 0) {
        view.resource = &resource;
        view.version = &version;
        view.type = (struct yl_type_meta) { YL_STR("autoscaling/v1"),
                                            resource.kind };
        r = yl_view_write_one(&view, object, revision, true, &json, &err);
    }
    if (r < 0) {
        yl_api_respond_error(req, &err);
    } else {
        yl_api_respond_document(req, 200, NULL, yl_buf_str(&json));
    }
    yl_object_unref(object);
    yl_buf_release(&json);
}

static const struct yl_scale_paths *
paths_of(const struct yl_api_request *req)
{
    static const struct yl_scale_paths usual = {
        ".spec.replicas", ".status.replicas", ".spec.selector",
    };

    return req->subresource->scale ? req->subresource->scale : &usual;
}

/* The node at a path of members, ".spec.replicas"; or NULL. */
static struct yl_node *
find(const struct yl_node *object, const char *path)
{
    struct yl_str rest = yl_str_skip(yl_str_c(path), 1), name;
    struct yl_node *node = (struct yl_node *) (uintptr_t) object;
    bool more;

    do {
        more = yl_str_cut(rest, '.', &name, &rest);
        node = yl_node_type(node) == YL_JSON_OBJECT
               ? yl_node_get(node, more ? name : rest) : NULL;
    } while (node && more);
    return node;
}

/* Sets a number at such a path, and creates the objects on the way. */
static void
set_number(struct yl_arena *arena, struct yl_node *object, const char *path,
           int64_t number)
{
    struct yl_str rest = yl_str_skip(yl_str_c(path), 1), name;

    while (yl_str_cut(rest, '.', &name, &rest)) {
        object = yl_member_make(arena, object, yl_arena_strdup(arena, name));
    }
    yl_node_set(arena, object, rest, yl_node_new_int64(arena, number));
}

static int64_t
number_at(const struct yl_node *object, const char *path)
{
    int64_t number = 0;

    (void) yl_node_int64(find(object, path), &number);
    return number;
}

static struct yl_node *
scale_of(struct yl_arena *arena, const struct yl_api_request *req,
         const struct yl_node *object)
{
    static const char *const fields[] = { "name", "namespace", "uid",
                                          "resourceVersion",
                                          "creationTimestamp" };
    const struct yl_scale_paths *paths = paths_of(req);
    struct yl_node *scale = yl_node_new_object(arena);
    struct yl_node *metadata, *spec, *status, *selector;
    int64_t replicas = number_at(object, paths->spec_replicas);
    size_t i;

    yl_member_set_str(arena, scale, "kind", "Scale");
    yl_member_set_str(arena, scale, "apiVersion", "autoscaling/v1");
    metadata = yl_member_make(arena, scale, "metadata");
    for (i = 0; i < YL_ARRAY_SIZE(fields); i++) {
        yl_member_keep(arena, metadata, yl_member_object(object, "metadata"),
                       fields[i]);
    }
    spec = yl_member_make(arena, scale, "spec");
    if (replicas) {
        yl_member_set(arena, spec, "replicas",
                      yl_node_new_int64(arena, replicas));
    }
    status = yl_member_make(arena, scale, "status");
    yl_member_set(arena, status, "replicas",
                  yl_node_new_int64(arena, number_at(object,
                                                     paths->status_replicas)));
    selector = paths->selector
               ? selector_text(arena, find(object, paths->selector)) : NULL;
    if (selector) {
        yl_member_set(arena, status, "selector", selector);
    }
    return scale;
}

/* A selector as text: it may be one already, or a LabelSelector, or a map of
 * labels. */
static struct yl_node *
selector_text(struct yl_arena *arena, const struct yl_node *node)
{
    const struct yl_selector *selector;
    struct yl_buf json;
    struct yl_str text;
    bool map = !yl_node_get(node, YL_STR("matchLabels"))
               && !yl_node_get(node, YL_STR("matchExpressions"));
    int r;

    if (yl_node_type(node) == YL_JSON_STRING) {
        return yl_node_copy(arena, node);
    }
    if (!node) {
        return NULL;
    }
    yl_buf_init(&json, SIZE_MAX);
    yl_node_write(&json, node);
    r = map ? yl_selector_from_labels(yl_json(yl_buf_str(&json)), arena,
                                      &selector, NULL)
            : yl_selector_from_json(yl_json(yl_buf_str(&json)), arena,
                                    &selector, NULL);
    text = r == 0 ? yl_selector_text(selector, arena) : yl_str_null();
    yl_buf_release(&json);
    return text.size ? yl_node_new_string(arena, text) : NULL;
}
