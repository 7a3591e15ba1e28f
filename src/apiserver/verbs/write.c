/* The write machine.  See write.h for the contract. */

#include "apiserver/verbs/write.h"

#include <assert.h>

#include "apiserver/server.h"
#include "apiserver/verbs/read_options.h"
#include "apiserver/verbs/same.h"
#include "apiserver/verbs/steps.h"
#include "base/alloc.h"
#include "base/arena.h"
#include "json/tree.h"
#include "object/object.h"

static void answer(struct yl_write *);
static void run(struct yl_write *);
static void begin(struct yl_write *);
static void go_on(struct yl_write *);
static void leave_steps(struct yl_write *);
static bool changes_nothing(const struct yl_write *);
static void next_round(struct yl_write *, uint64_t revision);
static void await(struct yl_write *);
static void stop_waiting(struct yl_write *);
static void on_waited(struct yl_wait *, int result);
static void abandon_all(struct yl_api_request *);
static void submit(struct yl_write *);
static int add_others(struct yl_write *);
static void on_done(struct yl_ks_write *);
static void on_loop(struct yl_loop_task *);
static void resume(struct yl_write *);
static void end(struct yl_write *, int result);
static bool is_awaited(const struct yl_write *);
static void settle(struct yl_write *);
static void fail(struct yl_write *, int code);
static void forget(struct yl_write *);
static void release(void *);

void *
yl_write_new(struct yl_api_request *req, size_t size,
             const struct yl_write_ops *ops)
{
    struct yl_write *w = yl_arena_zalloc(req->arena, size);

    w->request = req;
    w->resource = req->resource;
    if (req->resource->namespaced) {
        w->key.namespace_ = yl_arena_copy(req->arena, req->info.namespace_);
    }
    if (req->info.name.size) {
        w->key.name = yl_arena_copy(req->arena, req->info.name);
    }
    w->ops = ops;
    w->finish = answer;
    return w;
}

enum yl_step
yl_write_go(struct yl_write *w)
{
    yl_write_start(w);
    return w->request->answered ? YL_STEP_DONE : YL_STEP_WAIT;
}

void
yl_write_start(struct yl_write *w)
{
    if (!w->attached) {
        yl_arena_attach(w->request->arena, release, w);
        w->attached = true;
    }
    w->loop = w->request->http->loop;
    w->write.done = on_done;
    w->write.resource = w->resource->objects;
    w->task.run = on_loop;
    w->wait.done = on_waited;
    w->wait.loop = w->loop;
    w->rounds = 0;
    run(w);
}

void
yl_write_continue(struct yl_write *w, int result)
{
    struct yl_api_request *req = w->request;

    /* The answer may end the request, so hold it. */
    yl_api_hold(req);
    stop_waiting(w);
    w->waited = result;
    go_on(w);
    yl_api_release(req);
}

struct yl_node *
yl_write_base_tree(struct yl_write *w, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;

    if (!w->base) {
        return NULL;
    }
    if (yl_strategy_read_as(w->resource, w->arena, w->base, w->base_revision,
                            yl_api_resource_hub(w->resource), &root, &err)
        != 0) {
        yl_status_internal(status, yl_str_c(yl_error_message(&err)));
        yl_error_clear(&err);
        return NULL;
    }
    return root;
}

int
yl_write_not_found(const struct yl_write *w, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r;

    if (yl_read_name_check(w->key.name, &err) == 0) {
        return yl_status_not_found(status, yl_write_gvr(w), w->key.name);
    }
    r = yl_status_bad_request(status, yl_str_c(yl_error_message(&err)));
    yl_error_clear(&err);
    return r;
}

enum yl_subresource
yl_write_subresource(const struct yl_write *w)
{
    const struct yl_api_subresource *part = w->request->subresource;

    return part ? part->what : YL_SUB_NONE;
}

struct yl_gvr
yl_write_gvr(const struct yl_write *w)
{
    const struct yl_api_version *asked = w->request->version;
    struct yl_gvr gvr = { w->resource->group,
                          yl_api_resource_hub(w->resource)->version,
                          w->resource->plural };

    if (asked && w->request->resource == w->resource) {
        gvr.group = asked->group;
    }
    return gvr;
}

struct yl_gvk
yl_write_gvk(const struct yl_write *w)
{
    struct yl_gvk gvk = { w->resource->group,
                          yl_api_resource_hub(w->resource)->version,
                          w->resource->kind };

    return gvk;
}

struct yl_str
yl_write_text(struct yl_write *w, const struct yl_node *object,
              const char *member)
{
    struct yl_str text = YL_STR_INIT("");

    (void) yl_node_string(yl_node_get(object, yl_str_c(member)), w->arena,
                          &text);
    return text;
}

int
yl_write_odd_error(struct yl_status *status, const char *message)
{
    yl_status_clear(status);
    status->reason = yl_strdup(YL_STR(""));
    return yl_error_set(&status->error, YL_EINTERNAL, "%s", message);
}

static void
answer(struct yl_write *w)
{
    if (w->result < 0) {
        yl_api_respond_status(w->request, &w->status);
    } else {
        yl_api_respond_object(w->request, w->base ? 200 : 201, w->object,
                              w->revision);
    }
}

/* One try, based on what is stored now. */
static void
run(struct yl_write *w)
{
    begin(w);
    go_on(w);
}

static void
begin(struct yl_write *w)
{
    int r = YL_ENOTFOUND;

    forget(w);
    if (!w->unseen || w->tries || w->dry_run) {
        r = yl_ks_get(w->resource->objects, w->key, &w->base,
                      &w->base_revision);
    }
    if (r < 0) {
        w->base = NULL;
        w->base_revision = 0;
    }
    w->step = 0;
    w->part = 0;
    w->waited = 0;
    w->tree = w->old = w->sent = w->old_sent = w->managed = NULL;
    w->in_hub = w->creates = w->by_put = w->owned = w->proposed = false;
    w->action = YL_WRITE_NOTHING;
    w->again = w->released = false;
    w->arena = yl_arena_new();
    yl_arena_set_account(w->arena, &w->request->account);
    yl_status_clear(&w->status);
}

/* Runs steps until one waits, or the proposal is submitted or answered. */
static void
go_on(struct yl_write *w)
{
    int r = yl_write_run_steps(w);

    while (r == 0 && w->again && !w->dry_run && changes_nothing(w)) {
        leave_steps(w);
        next_round(w, w->base_revision);
        begin(w);
        r = yl_write_run_steps(w);
    }
    if (r == YL_WAITING) {
        await(w);
        return;
    }
    leave_steps(w);
    if (r == 0 && !changes_nothing(w)) {
        submit(w);
        return;
    }
    settle(w);
    if (r == 0) {
        w->revision = w->base_revision;
        if (w->base && !w->dry_run) {
            yl_object_unref(w->object);     /* It may have other times in its
                                             * managedFields. */
            w->object = yl_object_ref(w->base);
        }
    }
    end(w, r);
}

/* Frees the trees; the proposal is kept. */
static void
leave_steps(struct yl_write *w)
{
    yl_arena_free(w->arena);
    w->arena = NULL;
    w->tree = w->old = w->sent = w->old_sent = NULL;
}

static bool
changes_nothing(const struct yl_write *w)
{
    return w->action == YL_WRITE_NOTHING || w->dry_run
           || (w->action == YL_WRITE_STORE && w->base
               && !yl_strategy_is_elsewhere(w->resource, w->base)
               && yl_write_is_same(w->base, w->object));
}

/* Begins the next round, as the proposal of the last one is stored. */
static void
next_round(struct yl_write *w, uint64_t revision)
{
    w->rounds++;
    w->tries++;
    yl_object_unref(w->stored);
    w->stored = w->object;
    w->stored_revision = revision;
    w->object = NULL;
}

/* Adds the write to those of the request that wait; a request can have several
 * (DELETE of a collection). */
static void
await(struct yl_write *w)
{
    struct yl_api_request *req = w->request;

    assert(w->wait.waiting && w->rounds == 0);
    w->next_waiting = req->waiting;
    req->waiting = w;
    req->cancel = abandon_all;
}

static void
stop_waiting(struct yl_write *w)
{
    struct yl_write **link = &w->request->waiting;

    while (*link != w) {
        link = &(*link)->next_waiting;
    }
    *link = w->next_waiting;
    w->next_waiting = NULL;
    if (!w->request->waiting) {
        w->request->cancel = NULL;
    }
}

static void
on_waited(struct yl_wait *wait, int result)
{
    yl_write_continue(YL_CONTAINER_OF(wait, struct yl_write, wait), result);
}

/* Abandons the writes of a request whose client has left, whose deadline has
 * passed, or whose server stops. */
static void
abandon_all(struct yl_api_request *req)
{
    while (req->waiting) {
        struct yl_write *w = req->waiting;

        stop_waiting(w);
        yl_wait_cancel(&w->wait);
        settle(w);
        leave_steps(w);
    }
}

static void
submit(struct yl_write *w)
{
    size_t n;
    int r;

    w->write.key = w->key;
    w->write.object = w->action == YL_WRITE_DELETE ? NULL : w->object;
    w->write.expected = w->base_revision;
    w->write.result = 0;
    w->write.revision = 0;
    yl_error_clear(&w->write.error);
    r = add_others(w);
    if (r < 0) {
        settle(w);
        fail(w, r);
        return;
    }
    n = w->write.n_with;
    yl_api_hold(w->request);
    yl_keyspace_write(w->request->server->keyspace, &w->write);
    while (n > 0) {
        yl_object_unref(w->with[--n].object);
    }
}

/* Adds the other writes that the kind's strategy puts into the batch. */
static int
add_others(struct yl_write *w)
{
    const struct yl_strategy *strategy = w->resource->strategy;
    int n;

    if (!strategy->with) {
        return 0;
    }
    if (!w->with) {
        w->with = yl_arena_alloc(w->request->arena,
                                 YL_KS_MAX_WITH * sizeof *w->with);
    }
    n = strategy->with(w->request->server, w->request->arena, w->base,
                       w->write.object, w->with, &w->write.error);
    w->write.with = w->with;
    w->write.n_with = n < 0 ? 0 : (size_t) n;
    return n;
}

/* Runs on the writer's thread. */
static void
on_done(struct yl_ks_write *write)
{
    struct yl_write *w = YL_CONTAINER_OF(write, struct yl_write, write);

    yl_loop_post(w->loop, &w->task);
}

static void
on_loop(struct yl_loop_task *task)
{
    struct yl_write *w = YL_CONTAINER_OF(task, struct yl_write, task);
    struct yl_api_request *req = w->request;

    settle(w);
    if (is_awaited(w) || w->rounds > 0
        || (w->again && w->write.result == 0)) {
        resume(w);
    }
    yl_api_release(req);
}

static void
resume(struct yl_write *w)
{
    int r = w->write.result;

    if (r == 0) {
        if (w->again) {
            next_round(w, w->write.revision);
            run(w);
        } else {
            w->revision = w->released ? w->base_revision
                                      : w->write.revision;
            end(w, 0);
        }
    } else if (r != YL_ECONFLICT && r != YL_EEXISTS && r != YL_ENOTFOUND) {
        fail(w, r);
    } else if (++w->tries < YL_WRITE_MAX_TRIES) {
        run(w);
    } else {
        end(w, yl_status_conflict(&w->status, yl_write_gvr(w), w->key.name,
                                  yl_str_null()));
    }
}

static void
end(struct yl_write *w, int result)
{
    w->result = result;
    if (result < 0 && !w->status.error.code) {
        /* The wait ended with a code and without a Status. */
        yl_status_internal(&w->status, yl_str_c(yl_error_text(result)));
    }
    if (is_awaited(w)) {
        w->finish(w);
    }
}

/* Can the request still be answered? */
static bool
is_awaited(const struct yl_write *w)
{
    return !w->request->ended && !w->request->answered;
}

static void
settle(struct yl_write *w)
{
    if (w->claims) {
        w->claims = false;
        w->resource->strategy->settle(w->request->server, w);
    }
}

/* Ends a write that storage refused or could not do. */
static void
fail(struct yl_write *w, int code)
{
    struct yl_str why = yl_str_c(yl_error_message(&w->write.error));

    if (code == YL_EUNAVAILABLE) {
        yl_status_unavailable(&w->status, why);
    } else if (code == YL_ETHROTTLED) {
        yl_status_too_many_requests(&w->status, why, 1);
    } else if (code == YL_ETOOBIG) {
        yl_status_too_large(&w->status, why);
    } else {
        yl_status_internal(&w->status, why);
    }
    end(w, code);
}

static void
forget(struct yl_write *w)
{
    w->base = yl_object_unref(w->base);
    w->object = yl_object_unref(w->object);
}

static void
release(void *w_)
{
    struct yl_write *w = w_;

    forget(w);
    yl_object_unref(w->stored);
    yl_error_clear(&w->conversion_error);
    yl_error_clear(&w->write.error);
    yl_status_clear(&w->status);
}
