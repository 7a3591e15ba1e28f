/* POST of an Eviction: a Pod is deleted, if its disruption budget allows.
 *
 *     Pod -> budget -> [one disruption less] -> [condition] -> DELETE
 *
 * Pods that do not run, or are being deleted already, need no budget.  Each
 * step in brackets makes a revision of its own. */

#include "apiserver/server.h"
#include "apiserver/strategy/builtin.h"
#include "apiserver/strategy/disruption.h"
#include "apiserver/strategy/pod_condition.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/delete.h"
#include "apiserver/verbs/steps.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/api/policy_v1.h"
#include "yuloh/arena.h"

struct eviction {
    struct yl_deletion deletion;    /* Of the Pod. */
    struct yl_write budget;         /* Of the budget's status. */
    struct yl_node *object;         /* The Eviction, in the request's arena. */
};

static int read_eviction(struct eviction *, struct yl_status *);
static int check_dry_runs(struct yl_write *, const struct yl_node *options,
                          struct yl_status *);
static int consider(struct eviction *, bool *ret_budget, struct yl_status *);
static bool needs_budget(struct yl_arena *, const struct yl_object *pod);
static int decode_budget(struct yl_write *, struct yl_status *);
static int propose_budget(struct yl_write *, struct yl_status *);
static void on_budget(struct yl_write *);
static int decode(struct yl_write *, struct yl_status *);
static int propose(struct yl_write *, struct yl_status *);
static void finish(struct yl_write *);

/* Admission sees the Eviction, with the first of these writes that is made. */
static const struct yl_write_ops ops = {
    .operation = YL_OPERATION_CREATE,
    .decode = decode,
    .propose = propose,
    .order = true,
    .unowned = true,
};
static const struct yl_write_ops budget_ops = {
    .operation = YL_OPERATION_CREATE,
    .decode = decode_budget,
    .propose = propose_budget,
    .order = true,
    .unowned = true,
};

enum yl_step
yl_pods_evict(struct yl_api_request *req)
{
    struct eviction *eviction = yl_write_new(req, sizeof *eviction, &ops);
    struct yl_write *w = &eviction->deletion.write;
    struct yl_status status = YL_STATUS_INIT;
    bool budget = false;
    int r = yl_body_begin(req, &status);

    if (r == 0) {
        r = yl_write_options_read(req, YL_WRITE_CREATE, &w->options, &status);
    }
    if (r == 0) {
        r = read_eviction(eviction, &status);
    }
    if (r == 0) {
        r = consider(eviction, &budget, &status);
    }
    if (r < 0) {
        return yl_api_respond_status(req, &status);
    }
    w->dry_run = eviction->deletion.options.dry_run;
    w->finish = finish;
    if (!budget) {
        return yl_write_go(w);
    }
    eviction->budget.dry_run = w->dry_run;
    w->admitted = true;
    return yl_write_go(&eviction->budget);
}

static int
read_eviction(struct eviction *eviction, struct yl_status *status)
{
    struct yl_write *w = &eviction->deletion.write;
    struct yl_arena *arena = w->request->arena;
    struct yl_check c = { arena, NULL };
    const struct yl_node *options;
    struct yl_at root, metadata;
    int r;

    w->arena = arena;
    r = yl_body_object_like(w->request, arena, &policy_v1_eviction_kind,
                            "v1beta1", w->options.field_validation,
                            &eviction->object, status);
    if (r == 0) {
        r = yl_write_check_namespace(w, eviction->object, status);
    }
    if (r < 0) {
        return r;
    }
    root = yl_at_root(eviction->object);
    metadata = yl_at(&root, "metadata");
    if (!yl_str_equal(w->key.name, yl_at_get_str(&c, &metadata, "name"))) {
        return yl_status_bad_request(
            status,
            YL_STR("name in URL does not match name in Eviction object"));
    }
    options = yl_member_object(eviction->object, "deleteOptions");
    r = check_dry_runs(w, options, status);
    if (r < 0) {
        return r;
    }
    r = yl_delete_options_from(arena, options, &eviction->deletion.options,
                               status);
    eviction->deletion.options.dry_run |= w->options.dry_run;
    return r;
}

/* If the request and its body both ask for a dry run, their values must be the
 * same. */
static int
check_dry_runs(struct yl_write *w, const struct yl_node *options,
               struct yl_status *status)
{
    const struct yl_params *params = &w->request->params;
    struct yl_check c = { w->arena, NULL };
    struct yl_at root = yl_at_root(options);
    struct yl_at dry_run = yl_at(&root, "dryRun");
    struct yl_buf query, body;
    size_t i;
    int r = 0;

    yl_buf_init(&query, SIZE_MAX);
    yl_buf_init(&body, SIZE_MAX);
    for (i = 0; i < params->n; i++) {
        if (yl_str_equal(params->all[i].name, YL_STR("dryRun"))) {
            yl_buf_printf(&query, "%s%.*s", query.size ? " " : "",
                          YL_STR_ARG(params->all[i].value));
        }
    }
    YL_AT_FOR_EACH (value, &dry_run) {
        yl_buf_printf(&body, "%s%.*s", body.size ? " " : "",
                      YL_STR_ARG(yl_at_str(&c, &value)));
    }
    if (query.size && body.size
        && !yl_str_equal(yl_buf_str(&query), yl_buf_str(&body))) {
        r = yl_write_odd_error(status, yl_arena_printf(
            w->arena, "Non-matching dry-run options in request and content: "
            "[%s] and [%s]", yl_buf_c_str(&query), yl_buf_c_str(&body)));
    }
    yl_buf_release(&query);
    yl_buf_release(&body);
    return r;
}

/* Checks whether the Pod needs a budget's consent. */
static int
consider(struct eviction *eviction, bool *ret_budget,
         struct yl_status *status)
{
    struct yl_write *w = &eviction->deletion.write;
    struct yl_arena *arena = w->request->arena;
    struct yl_object *pod;
    struct yl_str name = yl_str_null();
    uint64_t revision;
    bool spared;
    int r = 0;

    if (yl_ks_get(w->resource->objects, w->key, &pod, &revision) < 0) {
        return yl_write_not_found(w, status);
    }
    if (needs_budget(arena, pod)) {
        r = yl_disruption_find(w->request->server, arena, pod, &name,
                               &spared, status);
        *ret_budget = r == 0 && name.size && !spared;
    }
    yl_object_unref(pod);
    if (r == 0 && *ret_budget) {
        eviction->budget.request = w->request;
        eviction->budget.resource = yl_registry_builtin(
            w->request->server->registry, "policy", "poddisruptionbudgets");
        eviction->budget.key = yl_key_make(w->key.namespace_, name);
        eviction->budget.ops = &budget_ops;
        eviction->budget.finish = on_budget;
        eviction->budget.aux = eviction;
    }
    return r;
}

/* Does the Pod run?  Others can be evicted without a budget. */
static bool
needs_budget(struct yl_arena *arena, const struct yl_object *pod)
{
    struct yl_json status = yl_object_field(pod, arena, "status");
    struct yl_json phase = yl_json_get(status, YL_STR("phase"));

    return !yl_object_is_deleting(pod)
           && !yl_json_string_is(phase, YL_STR("Succeeded"))
           && !yl_json_string_is(phase, YL_STR("Failed"))
           && !yl_json_string_is(phase, YL_STR("Pending"));
}

static int
decode_budget(struct yl_write *w, struct yl_status *status)
{
    const struct eviction *eviction = w->aux;

    if (!w->base) {
        return yl_status_not_found(status, yl_write_gvr(w), w->key.name);
    }
    w->sent = yl_node_copy(w->arena, eviction->object);
    w->old = yl_write_base_tree(w, status);
    return w->old ? 0 : YL_EINTERNAL;
}

static int
propose_budget(struct yl_write *w, struct yl_status *status)
{
    const struct eviction *eviction = w->aux;

    return yl_disruption_take(w, eviction->deletion.write.key.name, status);
}

static void
on_budget(struct yl_write *w)
{
    struct eviction *eviction = w->aux;

    if (w->result < 0) {
        yl_api_respond_status(w->request, &w->status);
    } else {
        yl_write_start(&eviction->deletion.write);
    }
}

static int
decode(struct yl_write *w, struct yl_status *status)
{
    struct eviction *eviction = YL_CONTAINER_OF(w, struct eviction,
                                                deletion.write);
    int r;

    if (w->rounds > 0) {
        /* The condition that was stored has raised the Pod's revision, so the
         * client's precondition would fail now; it was checked before. */
        eviction->deletion.options.resource_version = yl_str_null();
    }
    r = yl_deletion_decode(w, status);
    if (r < 0 || w->proposed) {
        return r;
    }
    w->sent = yl_node_copy(w->arena, eviction->object);
    if (w->rounds > 0) {
        w->proposed = true;     /* It was admitted in the first round. */
        r = yl_deletion_propose(w, status);
    }
    return r;
}

/* Stores the condition that says why the Pod ends; the deletion follows. */
static int
propose(struct yl_write *w, struct yl_status *status)
{
    if (w->dry_run) {
        return yl_deletion_propose(w, status);
    }
    yl_pod_set_condition(w->arena, w->old, "DisruptionTarget",
                         "EvictionByEvictionAPI", "Eviction API: evicting");
    w->again = true;
    w->action = YL_WRITE_STORE;
    return yl_write_propose(w, w->old, status);
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
