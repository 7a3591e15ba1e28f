/* Faults.  See testenv/testenv_faults.h for the contract. */

#include "testenv/testenv_faults.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "net/loop.h"
#include "testenv/testenv_tap.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct fault {
    struct yl_list node;        /* In the faults' 'all'. */
    struct yl_testenv_fault rule;       /* Its strings are our own. */
    int number;
    unsigned n_seen;            /* Requests that fit. */
    unsigned n_hits;
    bool removed;               /* Kept for its count only. */
};

/* A request that waits to begin. */
struct delay {
    struct yl_loop_timer timer;
    struct yl_loop *loop;
    struct yl_api_request *req;
};

static bool find(struct yl_faults *, const struct yl_api_request *,
                 struct yl_testenv_fault *ret_rule);
static bool fits(const struct yl_testenv_fault *,
                 const struct yl_api_request *);
static bool is_due(struct fault *);
static enum yl_step answer(struct yl_api_request *,
                           const struct yl_testenv_fault *);
static enum yl_step wait_first(struct yl_api_request *, yl_msec delay);
static char *copy(const char *);

void
yl_faults_init(struct yl_faults *faults)
{
    yl_mutex_init(&faults->lock);
    yl_mutex_lock(&faults->lock);
    yl_list_init(&faults->all);
    yl_list_init(&faults->taps);
    faults->n = 0;
    yl_mutex_unlock(&faults->lock);
}

void
yl_faults_release(struct yl_faults *faults)
{
    struct yl_list *node;

    while ((node = yl_list_pop_front(&faults->all)) != NULL) {
        struct fault *fault = YL_CONTAINER_OF(node, struct fault, node);

        free((char *) fault->rule.verb);
        free((char *) fault->rule.resource);
        free((char *) fault->rule.namespace_);
        free((char *) fault->rule.name);
        free((char *) fault->rule.user_agent);
        free(fault);
    }
    yl_mutex_destroy(&faults->lock);
}

int
yl_faults_add(struct yl_faults *faults, const struct yl_testenv_fault *rule)
{
    struct fault *fault = yl_zalloc(sizeof *fault);
    int number;

    fault->rule = *rule;
    fault->rule.verb = copy(rule->verb);
    fault->rule.resource = copy(rule->resource);
    fault->rule.namespace_ = copy(rule->namespace_);
    fault->rule.name = copy(rule->name);
    fault->rule.user_agent = copy(rule->user_agent);
    yl_mutex_lock(&faults->lock);
    number = fault->number = faults->n++;
    yl_list_push_back(&faults->all, &fault->node);
    yl_mutex_unlock(&faults->lock);
    return number;
}

unsigned
yl_faults_hits(struct yl_faults *faults, int number)
{
    struct fault *fault;
    unsigned n = 0;

    yl_mutex_lock(&faults->lock);
    YL_LIST_FOR_EACH (fault, node, &faults->all) {
        if (fault->number == number) {
            n = fault->n_hits;
        }
    }
    yl_mutex_unlock(&faults->lock);
    return n;
}

void
yl_faults_remove(struct yl_faults *faults, int number)
{
    struct fault *fault;

    yl_mutex_lock(&faults->lock);
    YL_LIST_FOR_EACH (fault, node, &faults->all) {
        if (number < 0 || fault->number == number) {
            fault->removed = true;
        }
    }
    yl_mutex_unlock(&faults->lock);
}

enum yl_step
yl_faults_meet(struct yl_faults *faults, struct yl_api_request *req)
{
    struct yl_testenv_fault rule;

    if (!find(faults, req, &rule)) {
        return YL_STEP_NEXT;
    }
    switch (rule.what) {
    case YL_FAULT_ANSWER:
        return answer(req, &rule);

    case YL_FAULT_DELAY:
        return wait_first(req, rule.delay);

    case YL_FAULT_CUT:
    case YL_FAULT_END:
    case YL_FAULT_STALL:
    case YL_FAULT_ERROR:
        break;
    }
    yl_fault_tap_start(&faults->taps, req->http, &rule,
                       yl_str_equal(req->info.verb, YL_STR("watch")));
    return YL_STEP_NEXT;
}

void
yl_faults_end(struct yl_faults *faults, const struct yl_http_request *http)
{
    yl_fault_tap_end(&faults->taps, http);
}

/* Whether a fault hits this request, and what it does. */
static bool
find(struct yl_faults *faults, const struct yl_api_request *req,
     struct yl_testenv_fault *ret_rule)
{
    struct fault *fault;
    bool found = false;

    yl_mutex_lock(&faults->lock);
    YL_LIST_FOR_EACH (fault, node, &faults->all) {
        if (!fault->removed && fits(&fault->rule, req) && is_due(fault)) {
            *ret_rule = fault->rule;
            found = true;
            break;
        }
    }
    yl_mutex_unlock(&faults->lock);
    return found;
}

static bool
is_one(const char *want, struct yl_str have)
{
    return !want || yl_str_equal(have, yl_str_c(want));
}

static bool
fits(const struct yl_testenv_fault *rule, const struct yl_api_request *req)
{
    const struct yl_request_info *info = &req->info;
    struct yl_str resource = rule->resource ? yl_str_c(rule->resource)
                             : yl_str_null();
    struct yl_str subresource = yl_str_null();

    yl_str_cut(resource, '/', &resource, &subresource);
    return is_one(rule->verb, info->verb)
           && (!rule->resource
               || (yl_str_equal(info->resource, resource)
                   && yl_str_equal(info->subresource, subresource)))
           && is_one(rule->namespace_, info->namespace_)
           && is_one(rule->name, info->name)
           && (!rule->user_agent
               || yl_str_starts_with(yl_http_header(req->http,
                                                    YL_STR("user-agent")),
                                     yl_str_c(rule->user_agent)));
}

/* Counts a request that fits; true if it is to be hit. */
static bool
is_due(struct fault *fault)
{
    const struct yl_testenv_fault *rule = &fault->rule;
    unsigned n = fault->n_seen++;
    unsigned every = rule->every ? rule->every : 1;

    if (n < rule->skip || (rule->times && fault->n_hits >= rule->times)
        || (n - rule->skip) % every != every - 1) {
        return false;
    }
    fault->n_hits++;
    return true;
}

static enum yl_step
answer(struct yl_api_request *req, const struct yl_testenv_fault *rule)
{
    struct yl_error err = YL_ERROR_INIT;

    if (rule->retry_after) {
        yl_api_add_header(req, YL_STR("retry-after"),
                          yl_str_c(yl_arena_printf(req->arena, "%d",
                                                   rule->retry_after)));
    }
    yl_error_set(&err, yl_fault_code(rule->status), "a fault was injected");
    return yl_api_respond_error(req, &err);
}

static void
on_delay(struct yl_loop_timer *timer)
{
    struct delay *delay = YL_CONTAINER_OF(timer, struct delay, timer);

    yl_api_continue(delay->req);
}

static void
cancel_delay(struct yl_api_request *req)
{
    struct delay *delay = req->waiter;

    yl_loop_timer_cancel(delay->loop, &delay->timer);
}

static enum yl_step
wait_first(struct yl_api_request *req, yl_msec by)
{
    struct delay *delay = yl_arena_zalloc(req->arena, sizeof *delay);
    yl_msec now = yl_loop_now(req->http->loop);

    delay->req = req;
    delay->loop = req->http->loop;
    delay->timer.fire = on_delay;
    req->waiter = delay;
    req->cancel = cancel_delay;
    yl_loop_timer_arm(delay->loop, &delay->timer,
                      by < YL_NEVER - now ? now + by : YL_NEVER);
    return YL_STEP_WAIT;
}

static char *
copy(const char *text)
{
    return text ? yl_strdup(yl_str_c(text)) : NULL;
}
