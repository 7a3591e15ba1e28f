/* One reconcile, from the key to what becomes of it.  See yuloh/controller.h
 * for the rules and controller/runner.h for who calls. */

#include <stdatomic.h>

#include "controller/request.h"
#include "controller/runner.h"
#include "yuloh/arena.h"
#include "yuloh/log.h"
#include "yuloh/schema.h"
#include "yuloh/store.h"
#include "yuloh/workqueue.h"

/* How long a key waits for the cache after a conflict at most: a conflict is
 * no proof that something newer will come. */
#define CONFLICT_TIMEOUT 1000

#define OWN_WRITE_TIMEOUT 10000

static _Atomic(yl_error_hook_fn *) error_hook;

static int call(struct yl_request *);
static int cleanup(struct yl_request *);
static void settle(struct yl_request *, int r, yl_msec started);
static void settle_error(struct yl_request *, int r,
                         struct yl_outcome *outcome);
static void log_end(const struct yl_request *, int r, yl_msec took);
static bool is_shown(void *aux, const struct yl_await *);

void
yl_set_error_hook(yl_error_hook_fn *hook)
{
    atomic_store(&error_hook, hook);
}

void
yl_runner_reconcile(struct yl_runner *runner, const struct yl_key *key,
                    struct yl_arena *arena)
{
    const struct yl_controller *controller = runner->controller;
    yl_msec now = yl_now(runner->opts.clock);
    struct yl_request req = {
        .runner = runner,
        .arena = arena,
        .key = key,
        .deadline = controller->timeout ? now + controller->timeout
                                        : YL_NEVER,
        .requeue_after = YL_NEVER,
    };
    struct yl_taken taken;
    int r;

    if (!yl_keys_take(&runner->keys, key, now, is_shown, &req, arena,
                      &taken)) {
        yl_workqueue_add_after(runner->queue, key, taken.until - now);
        return;
    } else if (taken.gave_up) {
        yl_log_warning("The cache does not show what the controller wrote",
                       YL_LOG_C("controller", controller->name),
                       YL_LOG_STR("key", yl_key_text(key, arena)));
    }
    req.reason = taken.reason;
    req.n_failures = taken.n_failures;
    yl_gauge_add(runner->active, 1);
    r = call(&req);
    yl_gauge_add(runner->active, -1);
    settle(&req, r, now);
    yl_error_clear(&req.error);
}

/* Looks the object up and calls what there is to call. */
static int
call(struct yl_request *req)
{
    struct yl_runner *runner = req->runner;
    const struct yl_controller *controller = runner->controller;
    int r;

    if (!yl_store_get(runner->own->store, req->key, req->arena,
                      &req->object)) {
        req->object = (struct yl_versioned) { NULL, 0 };

        /* With a finalizer, 'cleanup' has run before the object went. */
        return controller->cleanup ? 0 : controller->reconcile(req);
    }
    if (controller->cleanup) {
        if (yl_object_is_deleting(req->object.object)) {
            return yl_request_has_finalizer(req) ? cleanup(req) : 0;
        }
        r = yl_request_add_finalizer(req);
        if (r < 0) {
            return r;
        }
    }
    r = yl_request_decode(req, runner->kind, &req->object, &req->record);
    return r < 0 ? r : controller->reconcile(req);
}

static int
cleanup(struct yl_request *req)
{
    int r = yl_request_decode(req, req->runner->kind, &req->object,
                              &req->record);

    if (r == 0) {
        r = req->runner->controller->cleanup(req);
    }
    return r < 0 ? r : yl_request_remove_finalizer(req);
}

/* Decides when the key comes out again, remembers, counts and logs. */
static void
settle(struct yl_request *req, int r, yl_msec started)
{
    struct yl_runner *runner = req->runner;
    const struct yl_controller *controller = runner->controller;
    yl_msec now = yl_now(runner->opts.clock);
    struct yl_outcome outcome = {
        .code = r < 0 ? r : 0,
        .awaits = req->awaits,
        .n_awaits = req->n_awaits,
        .await_until = now + (controller->own_write_timeout
                                  ? controller->own_write_timeout
                                  : OWN_WRITE_TIMEOUT),
        .now = now,
    };
    enum yl_result result = YL_RESULT_SUCCESS;

    if (r < 0) {
        /* Whoever returns a code without details leaves them to the table. */
        if (req->error.code != r) {
            yl_error_clear(&req->error);
            req->error.code = r;
        }
        result = YL_RESULT_ERROR;
        outcome.message = yl_error_message(&req->error);
        settle_error(req, r, &outcome);
    } else {
        yl_workqueue_forget(runner->queue, req->key);
        if (req->requeue_after != YL_NEVER) {
            result = YL_RESULT_REQUEUE_AFTER;
            outcome.again = YL_REASON_REQUEUE;
            yl_workqueue_add_after(runner->queue, req->key,
                                   req->requeue_after);
        }
    }
    yl_keys_done(&runner->keys, req->key, &outcome);
    yl_counter_add(runner->results[result], 1);
    yl_histogram_observe(runner->time, (double) (now - started) / 1000);
    if (now > req->deadline) {
        yl_counter_add(runner->timeouts, 1);
    }
    log_end(req, r, now - started);
    if (r < 0) {
        yl_error_hook_fn *hook = atomic_load(&error_hook);

        yl_counter_add(runner->errors, 1);
        if (hook) {
            hook(controller, req->key, &req->error);
        }
    }
}

static void
settle_error(struct yl_request *req, int r, struct yl_outcome *outcome)
{
    struct yl_runner *runner = req->runner;
    enum yl_retry retry = yl_error_retry(r);

    outcome->again = YL_REASON_RETRY;
    if (retry == YL_RETRY_NEVER) {
        outcome->again = YL_REASON_NONE;
        yl_workqueue_forget(runner->queue, req->key);
        yl_counter_add(runner->terminal_errors, 1);
    } else if (retry == YL_RETRY_NOW && outcome->n_awaits) {
        /* The key comes out at once and then waits for the cache. */
        if (outcome->await_until > outcome->now + CONFLICT_TIMEOUT) {
            outcome->await_until = outcome->now + CONFLICT_TIMEOUT;
        }
        yl_workqueue_add(runner->queue, req->key);
    } else if (retry == YL_RETRY_AS_TOLD && req->error.retry_after > 0) {
        yl_workqueue_add_after(runner->queue, req->key,
                               req->error.retry_after);
    } else {
        /* A conflict over something that is not watched is here too: nothing
         * says when to try again. */
        yl_workqueue_add_rate_limited(runner->queue, req->key);
    }
}

static void
log_end(const struct yl_request *req, int r, yl_msec took)
{
    struct yl_arena *arena = req->arena;
    const char *name = req->runner->controller->name;

    if (r >= 0) {
        yl_log_v(2, "Reconciled", YL_LOG_C("controller", name),
                 YL_LOG_STR("key", yl_key_text(req->key, arena)),
                 YL_LOG_C("reason", req->reason), YL_LOG_MSEC("took", took));
        return;
    }
    yl_log_error(r, yl_error_retry(r) == YL_RETRY_NEVER
                        ? "Reconcile failed for good"
                        : "Reconcile failed",
                 YL_LOG_C("controller", name),
                 YL_LOG_STR("key", yl_key_text(req->key, arena)),
                 YL_LOG_C("reason", req->reason),
                 YL_LOG_INT("failures", (int64_t) req->n_failures + 1),
                 YL_LOG_MSEC("took", took), YL_LOG_ERROR(&req->error));
}

static bool
is_shown(void *aux, const struct yl_await *awaited)
{
    struct yl_request *req = aux;

    return yl_source_shows(&req->runner->sources[awaited->source], awaited,
                           req->arena);
}
