/* Reflector: its states, delays and reports.  See yuloh/reflector.h for the
 * contract, and reflector/machine.h for how the parts fit together. */

#include "yuloh/reflector.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/random.h"
#include "reflector/machine.h"
#include "yuloh/delta.h"

/* The longest delay that a server can name. */
#define MAX_RETRY_AFTER (10 * YL_MINUTE)

static bool step(struct yl_reflector *, yl_msec now);
static bool look(struct yl_reflector *, yl_msec now);
static void begin_list(struct yl_reflector *, yl_msec now);
static void wait_for(struct yl_reflector *, yl_msec now, yl_msec delay);
static void stop_call(struct yl_reflector *);
static bool is_too_large(const struct yl_error *);
static bool is_network(int code);
static yl_msec or_default(yl_msec value, yl_msec default_);

struct yl_reflector *
yl_reflector_new(const struct yl_reflector_opts *opts)
{
    struct yl_reflector *r = yl_zalloc(sizeof *r);
    struct yl_reflector_opts *o = &r->opts;

    assert(opts->lister_watcher && opts->deltas);
    *o = *opts;
    r->name = yl_strdup(yl_str_c(o->name ? o->name : "reflector"));
    o->name = r->name;
    o->watch_timeout_min = or_default(o->watch_timeout_min, 5 * YL_MINUTE);
    o->watch_timeout_max = or_default(o->watch_timeout_max,
                                      2 * o->watch_timeout_min);
    if (o->watch_timeout_max < o->watch_timeout_min) {
        o->watch_timeout_max = o->watch_timeout_min;
    }
    o->watch_slack = or_default(o->watch_slack, 30 * YL_SECOND);
    o->list_stall = or_default(o->list_stall, YL_MINUTE);
    o->backoff_min = or_default(o->backoff_min, 800);
    o->backoff_max = or_default(o->backoff_max, 30 * YL_SECOND);
    o->backoff_reset = or_default(o->backoff_reset, 2 * YL_MINUTE);
    r->chance = o->seed ? o->seed : yl_random_u64();
    yl_backoff_init(&r->list_backoff, o->backoff_min, o->backoff_max,
                    o->backoff_reset, r->chance + 1);
    yl_backoff_init(&r->watch_backoff, o->backoff_min, o->backoff_max,
                    o->backoff_reset, r->chance + 2);
    r->internal_since = YL_NEVER;
    return r;
}

void
yl_reflector_free(struct yl_reflector *r)
{
    if (!r) {
        return;
    }
    yl_reflector_stop(r);
    yl_error_clear(&r->end.err);
    free(r->continue_);
    free(r->last_message);
    free(r->name);
    free(r);
}

void
yl_reflector_run(struct yl_reflector *r, yl_msec now)
{
    r->woken = false;
    while (step(r, now)) {
        continue;
    }
}

yl_msec
yl_reflector_next(const struct yl_reflector *r)
{
    switch (r->facts.state) {
    case YL_REFLECTOR_IDLE:
        return 0;

    case YL_REFLECTOR_STOPPED:
        return YL_NEVER;

    default:
        return r->woken ? 0 : r->deadline;
    }
}

void
yl_reflector_stop(struct yl_reflector *r)
{
    if (r->facts.state == YL_REFLECTOR_STOPPED) {
        return;
    }
    stop_call(r);
    yl_delta_queue_replace_cancel(r->opts.deltas);
    yl_reflector_enter(r, YL_REFLECTOR_STOPPED);
}

void
yl_reflector_facts(const struct yl_reflector *r,
                   struct yl_reflector_facts *ret_facts)
{
    *ret_facts = r->facts;
    ret_facts->last_message = r->last_message ? r->last_message : "";
    ret_facts->next_try = r->facts.state == YL_REFLECTOR_WAITING
                          ? r->deadline : YL_NEVER;
}

const char *
yl_reflector_state_name(enum yl_reflector_state state)
{
    static const char *const names[] = {
        "idle", "streaming", "listing", "watching", "waiting", "stopped",
    };

    return names[state];
}

/* Does one thing; false if there is nothing to do before the deadline or the
 * next word of the call. */
static bool
step(struct yl_reflector *r, yl_msec now)
{
    switch (r->facts.state) {
    case YL_REFLECTOR_IDLE:
        begin_list(r, now);
        return true;

    case YL_REFLECTOR_WAITING:
        if (now < r->deadline) {
            return false;
        }
        if (r->watch_next) {
            yl_reflector_start_watch(r, now);
        } else {
            begin_list(r, now);
        }
        return true;

    case YL_REFLECTOR_STREAMING:
        if (!look(r, now)) {
            return false;
        }
        yl_reflector_stream_ended(r, now);
        return true;

    case YL_REFLECTOR_LISTING:
        if (!look(r, now)) {
            return false;
        }
        yl_reflector_list_ended(r, now);
        return true;

    case YL_REFLECTOR_WATCHING:
        if (r->watch_limit) {
            /* A stream has become a watch since the last run. */
            r->limit = r->watch_limit;
            r->deadline = r->started + r->limit;
            r->watch_limit = 0;
        }
        if (!look(r, now)) {
            return false;
        }
        yl_reflector_watch_ended(r, now);
        return true;

    case YL_REFLECTOR_STOPPED:
        return false;
    }
    return false;
}

/* Has the call ended?  One that was silent for too long is ended here. */
static bool
look(struct yl_reflector *r, yl_msec now)
{
    struct yl_error err = YL_ERROR_INIT;

    if (!r->end.is && now >= r->deadline) {
        if (r->heard) {
            r->heard = false;
            r->deadline = now + r->limit;
        } else {
            yl_error_set(&err, YL_EUNAVAILABLE,
                         "nothing was received for %" PRId64 " s",
                         r->limit / YL_SECOND);
            yl_reflector_end_call(r, &err);
            yl_error_clear(&err);
        }
    }
    if (r->end.is) {
        stop_call(r);
    }
    return r->end.is;
}

static void
begin_list(struct yl_reflector *r, yl_msec now)
{
    r->facts.n_lists++;
    r->cut = false;
    r->whole = false;
    free(r->continue_);
    r->continue_ = NULL;
    if (r->opts.no_stream) {
        yl_reflector_start_page(r, now);
    } else {
        yl_reflector_start_stream(r, now);
    }
}

void
yl_reflector_call_started(struct yl_reflector *r,
                          enum yl_reflector_state state, yl_msec now,
                          yl_msec limit)
{
    yl_error_clear(&r->end.err);
    memset(&r->end, 0, sizeof r->end);
    r->heard = false;
    r->started = now;
    r->limit = limit;
    r->deadline = now + limit;
    yl_reflector_enter(r, state);
}

void
yl_reflector_wait_before_list(struct yl_reflector *r, yl_msec now)
{
    r->watch_next = false;
    wait_for(r, now, yl_backoff_next(&r->list_backoff, now));
}

void
yl_reflector_wait_before_watch(struct yl_reflector *r, yl_msec now)
{
    r->watch_next = true;
    wait_for(r, now, yl_backoff_next(&r->watch_backoff, now));
}

/* Waits for 'delay', or longer if the server has said so. */
static void
wait_for(struct yl_reflector *r, yl_msec now, yl_msec delay)
{
    yl_msec told = r->end.err.retry_after;

    told = told > MAX_RETRY_AFTER ? MAX_RETRY_AFTER : told;
    r->deadline = now + (told > delay ? told : delay);
    yl_reflector_enter(r, YL_REFLECTOR_WAITING);
}

/* Notes how the call has ended, unless that is noted already: an ERROR event
 * says more than the end of the watch that it is followed by. */
void
yl_reflector_end_call(struct yl_reflector *r, const struct yl_error *err)
{
    int code;

    if (!r->end.is) {
        r->end.is = true;
        if (err) {
            code = err->code ? err->code : YL_EINTERNAL;
            yl_error_set(&r->end.err, code, "%s", yl_error_message(err));
            r->end.err.retry_after = err->retry_after;
            r->end.expired = code == YL_EEXPIRED || code == YL_EGONE;
            r->end.too_large = is_too_large(err);
            r->end.network = !r->end.too_large && is_network(code);
        }
    }
    yl_reflector_wake(r);
}

static void
stop_call(struct yl_reflector *r)
{
    if (r->call) {
        yl_lister_watcher_stop(r->opts.lister_watcher, r->call);
        r->call = NULL;
    }
}

void
yl_reflector_enter(struct yl_reflector *r, enum yl_reflector_state state)
{
    r->facts.state = state;
    if (r->opts.trace) {
        r->opts.trace(r->opts.trace_aux, r->name, state, r->facts.revision);
    }
}

void
yl_reflector_wake(struct yl_reflector *r)
{
    if (!r->woken) {
        r->woken = true;
        if (r->opts.wake) {
            r->opts.wake(r->opts.wake_aux);
        }
    }
}

void
yl_reflector_report(struct yl_reflector *r, const struct yl_error *err)
{
    r->facts.n_errors++;
    r->facts.last_error = err->code;
    free(r->last_message);
    r->last_message = yl_strdup(yl_str_c(yl_error_message(err)));
    if (r->opts.error) {
        r->opts.error(r->opts.error_aux, err);
    }
}

/* Servers up to 1.18 say it in the cause's message, or in the error's. */
static bool
is_too_large(const struct yl_error *err)
{
    static const char text[] = "Too large resource version";
    bool timeout = err->code == YL_ETIMEOUT;
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        const struct yl_cause *cause = &err->causes[i];

        if ((cause->reason
             && !strcmp(cause->reason, "ResourceVersionTooLarge"))
            || (timeout && cause->message && !strcmp(cause->message, text))) {
            return true;
        }
    }
    return timeout && strstr(yl_error_message(err), text);
}

static bool
is_network(int code)
{
    return code == YL_EUNAVAILABLE || code == YL_ETIMEOUT || code == YL_EIO
           || code == YL_ETRUNCATED;
}

static yl_msec
or_default(yl_msec value, yl_msec default_)
{
    return value > 0 ? value : default_;
}
