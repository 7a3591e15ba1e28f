/* POST of a Binding: a Pod gets its node.
 *
 * It comes at pods/NAME/binding, and at bindings, where the body alone names
 * the Pod. */

#include "apiserver/server.h"
#include "apiserver/strategy/builtin.h"
#include "apiserver/strategy/pod_condition.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/arena.h"

struct binding {
    struct yl_write write;
    struct yl_node *object;     /* The Binding, in the request's arena. */
};

static int read_binding(struct binding *, struct yl_status *);
static int check_target(struct binding *, struct yl_status *);
static int decode(struct yl_write *, struct yl_status *);
static int merge(struct yl_write *, struct yl_status *);
static const char *refusal(struct yl_write *, const struct yl_node *pod);
static void copy_map(struct yl_write *, struct yl_node *pod,
                     const struct yl_node *binding, const char *name);
static void finish(struct yl_write *);

static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_CREATE,
    .decode = decode,
    .merge = merge,
    .order = true,
    .unowned = true,
};

enum yl_step
yl_pods_bind(struct yl_api_request *req)
{
    struct binding *binding = yl_write_new(req, sizeof *binding, &ops);
    struct yl_write *w = &binding->write;
    struct yl_status status = YL_STATUS_INIT;
    int r = yl_body_begin(req, &status);

    w->resource = yl_registry_builtin(req->server->registry, "", "pods");
    w->key.namespace_ = yl_arena_copy(req->arena, req->info.namespace_);
    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE, &w->options, &status);
    }
    if (r == 0) {
        r = read_binding(binding, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    w->dry_run = w->options.dry_run;
    w->finish = finish;
    return yl_write_go(w);
}

static int
read_binding(struct binding *binding, struct yl_status *status)
{
    struct yl_write *w = &binding->write;
    struct yl_check c = { w->request->arena, NULL };
    struct yl_at root, metadata;
    struct yl_str name;
    int r;

    w->arena = w->request->arena;
    r = yl_body_object(w->request, w->arena, &core_v1_binding_kind,
                       w->options.field_validation, &binding->object,
                       status);
    if (r == 0) {
        r = yl_write_check_namespace(w, binding->object, status);
    }
    if (r < 0) {
        return r;
    }
    root = yl_at_root(binding->object);
    metadata = yl_at(&root, "metadata");
    name = yl_at_get_str(&c, &metadata, "name");
    if (yl_str_is_null(w->key.name)) {
        w->key.name = yl_arena_copy(w->arena, name);
    } else if (!yl_str_equal(w->key.name, name)) {
        return yl_status_bad_request(
            status,
            YL_STR("name in URL does not match name in Binding object"));
    }
    return check_target(binding, status);
}

static int
check_target(struct binding *binding, struct yl_status *status)
{
    static const char *const kinds[] = { "Node", "<empty>", NULL };
    struct yl_arena *arena = binding->write.arena;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_check c = { arena, &err };
    struct yl_at root = yl_at_root(binding->object);
    struct yl_at target = yl_at(&root, "target");
    struct yl_at kind = yl_at(&target, "kind"), name = yl_at(&target, "name");
    const char *text = "";
    size_t i;
    int r = 0;

    if (yl_at_str(&c, &kind).size && !yl_at_is(&kind, "Node")) {
        yl_field_not_supported(&err, yl_at_path(&kind),
                               yl_bad_string(yl_at_str(&c, &kind)), kinds);
    }
    if (!yl_at_str(&c, &name).size) {
        yl_field_required(&err, yl_at_path(&name), NULL);
    }
    for (i = 0; i < err.n_causes; i++) {
        text = yl_arena_printf(arena, "%s%s%s: %s", text, i ? ", " : "",
                               err.causes[i].field, err.causes[i].message);
    }
    if (err.n_causes) {
        r = yl_write_odd_error(status, err.n_causes > 1
                                 ? yl_arena_printf(arena, "[%s]", text)
                                 : text);
        yl_error_clear(&err);
    }
    return r;
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct binding *binding = YL_CONTAINER_OF(w, struct binding, write);
    struct yl_gvr gvr = { YL_STR(""), YL_STR("v1"), YL_STR("pods/binding") };
    const char *why;
    int r;

    if (!w->key.name.size) {
        return yl_status_bad_request(status,
                                     YL_STR("Name parameter required."));
    }
    if (!w->base) {
        return yl_write_not_found(w, status);
    }
    w->old = yl_write_base_tree(w, status);
    if (!w->old) {
        return YL_EINTERNAL;
    }
    r = yl_write_check_uid(w, binding->object, w->old, status);
    if (r == 0) {
        r = yl_write_check_revision(w, binding->object, status);
    }
    if (r < 0) {
        return r;
    }
    why = refusal(w, w->old);
    if (why) {
        return yl_status_conflict(status, gvr, w->key.name, yl_str_c(why));
    }
    w->sent = yl_node_copy(w->arena, binding->object);
    w->tree = yl_node_copy(w->arena, w->old);
    w->in_hub = true;
    return 0;
}

/* Puts the contents of the Binding into the Pod. */
static int
merge(struct yl_write *w, struct yl_status *status YL_UNUSED)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(w->sent);
    struct yl_at target = yl_at(&root, "target");

    yl_member_set(
        w->arena, yl_member_make(w->arena, w->tree, "spec"), "nodeName",
        yl_node_new_string(w->arena, yl_at_get_str(&c, &target, "name")));
    copy_map(w, w->tree, w->sent, "annotations");
    copy_map(w, w->tree, w->sent, "labels");
    yl_pod_set_condition(w->arena, w->tree, "PodScheduled", NULL, NULL);
    return 0;
}

/* Why the Pod cannot be bound; NULL if it can. */
static const char *
refusal(struct yl_write *w, const struct yl_node *pod)
{
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(pod);
    struct yl_at metadata = yl_at(&root, "metadata");
    struct yl_at spec = yl_at(&root, "spec");
    struct yl_at gates = yl_at(&spec, "schedulingGates");
    struct yl_str node = yl_at_get_str(&c, &spec, "nodeName");

    if (yl_at_get_has(&metadata, "deletionTimestamp")) {
        return yl_arena_printf(w->arena,
                               "pod %.*s is being deleted, cannot be assigned "
                               "to a host", YL_STR_ARG(w->key.name));
    }
    if (node.size) {
        return yl_arena_printf(w->arena,
                               "pod %.*s is already assigned to node "
                               "\"%.*s\"", YL_STR_ARG(w->key.name),
                               YL_STR_ARG(node));
    }
    if (yl_at_count(&gates)) {
        return yl_arena_printf(w->arena,
                               "pod %.*s has non-empty .spec.schedulingGates",
                               YL_STR_ARG(w->key.name));
    }
    return NULL;
}

static void
copy_map(struct yl_write *w, struct yl_node *pod,
         const struct yl_node *binding, const char *name)
{
    struct yl_node *to = yl_member_make(w->arena, pod, "metadata");
    const struct yl_node *from =
        yl_member_object(yl_member_object(binding, "metadata"), name);
    const struct yl_node *member;

    if (!from) {
        return;
    }
    to = yl_member_make(w->arena, to, name);
    YL_NODE_FOR_EACH (member, from) {
        yl_node_set(w->arena, to, yl_node_key(member),
                    yl_node_copy(w->arena, member));
    }
}

static void
finish(struct yl_write *w)
{
    struct yl_status done = YL_STATUS_INIT;

    if (w->result < 0) {
        yl_api_respond_status(w->request, &w->status);
    } else {
        done.http_status = 201;
        yl_api_respond_status(w->request, &done);
    }
}
