/* A blocking call. */

#include "client/call.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>

#include "client/answer.h"
#include "client/attempts.h"
#include "net/http_pool.h"
#include "yuloh/arena.h"
#include "yuloh/cancel.h"
#include "yuloh/log.h"

/* An attempt that is under way. */
struct attempt {
    const struct yl_call *call;
    yl_call_body_fn *body;
    void *aux;
    struct yl_call_answer *answer;
    size_t received;            /* Bytes of body. */
    bool too_big;               /* There were more than may be. */
};

static int attempt(const struct yl_call *, struct yl_arena *,
                   yl_msec deadline, bool is_retry, struct attempt *,
                   struct yl_error *);
static void measure(const struct attempt *, yl_msec duration, bool is_retry);
static int on_head(void *attempt_, const struct yl_http_answer *);
static int on_body(void *attempt_, struct yl_str piece);
static yl_msec deadline_of(const struct yl_call *, yl_msec now);
static int wait_for_token(const struct yl_call *, yl_msec deadline,
                          struct yl_error *);
static int wait_until(const struct yl_call *, yl_msec when, yl_msec deadline,
                      struct yl_error *);
static void sleep_until(struct yl_clock *, struct yl_cancel *, yl_msec when);
static void copy_text(char *out, size_t size, struct yl_str);

int
yl_call_run(const struct yl_call *call, yl_call_body_fn *body, void *aux,
            struct yl_call_answer *answer, struct yl_error *err)
{
    struct yl_client *client = call->client;
    yl_msec deadline = deadline_of(call, yl_now(client->opts.clock));
    struct yl_arena *arena = yl_arena_new();
    struct attempt state = { call, body, aux, answer, 0, false };
    struct yl_attempts attempts;
    yl_msec wait;
    int r;

    yl_attempts_init(&attempts, call->opts && call->opts->max_retries
                                ? call->opts->max_retries
                                : client->opts.max_retries);
    for (;;) {
        r = wait_for_token(call, deadline, err);
        if (r == 0) {
            r = attempt(call, arena, deadline, attempts.n_retries > 0, &state,
                        err);
        }
        if (r < 0 || !yl_attempts_next(&attempts, answer->http_status,
                                       yl_str_c(answer->retry_after),
                                       &wait)) {
            break;
        }
        yl_log_v(4, "Got a Retry-After response",
                 YL_LOG_STR("target", call->target),
                 YL_LOG_INT("status", answer->http_status),
                 YL_LOG_MSEC("delay", wait),
                 YL_LOG_INT("attempt", attempts.n_retries));

        /* If there is no time to try again, the last answer is the answer. */
        if (deadline - yl_now(client->opts.clock) <= wait) {
            break;
        }
        r = wait_until(call, yl_now(client->opts.clock) + wait, deadline,
                       err);
        if (r < 0) {
            break;
        }
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
    return r;
}

int
yl_call_succeed(const struct yl_call *call, yl_call_body_fn *body, void *aux,
                struct yl_call_answer *answer, struct yl_error *err)
{
    int r = yl_call_run(call, body, aux, answer, err);

    if (r == 0 && !yl_answer_is_success(answer->http_status)) {
        r = yl_answer_error(&(struct yl_answer) {
            .http_status = answer->http_status,
            .content_type = yl_str_c(answer->content_type),
            .retry_after = yl_str_c(answer->retry_after),
            .body = yl_buf_str(&answer->body),
            .method = yl_str_c(call->method),
            .gvr = call->resource ? call->resource->gvr
                                  : (struct yl_gvr) { .group = YL_STR("") },
            .name = call->name,
        }, err);
    }
    return r;
}

static int
attempt(const struct yl_call *call, struct yl_arena *arena, yl_msec deadline,
        bool is_retry, struct attempt *state, struct yl_error *err)
{
    static const struct yl_http_sink sink = { on_head, on_body };
    struct yl_client *client = call->client;
    yl_msec start = yl_now(client->opts.clock);
    struct yl_client_headers headers;
    struct yl_credentials_use use;
    struct yl_http_call http = {
        .method = yl_str_c(call->method),
        .target = call->target,
        .body = call->body,
        .timeout = deadline == YL_NEVER ? 0 : deadline - start,
        .cancel = call->opts ? call->opts->cancel : NULL,
    };
    int r;

    if (deadline <= start) {
        return yl_error_set(err, YL_ETIMEOUT, "the time of the call is over");
    }
    r = yl_client_identify(client, http.cancel, arena, &use, err);
    if (r < 0) {
        return r;
    }
    headers = yl_client_headers(client, arena, &use,
                                call->body.data ? call->content_type : NULL,
                                call->accept);
    http.headers = headers.headers;
    http.n_headers = headers.n;
    state->answer->http_status = 0;
    state->received = 0;
    yl_buf_clear(&state->answer->body);
    r = yl_http_call(client->pool, &http, &sink, state, err);
    if (state->too_big) {
        r = yl_error_set(err, YL_ETOOBIG,
                         "the server's answer has more than %zu bytes",
                         state->answer->body.ceiling);
    }
    if (state->answer->http_status == 401) {
        yl_credentials_refused(client->credentials, use.generation);
    }
    measure(state, yl_now(client->opts.clock) - start, is_retry);
    yl_log_v(6, "Response", YL_LOG_C("verb", call->method),
             YL_LOG_STR("target", call->target),
             YL_LOG_INT("status", state->answer->http_status),
             YL_LOG_MSEC("duration", yl_now(client->opts.clock) - start));
    return r;
}

static void
measure(const struct attempt *state, yl_msec duration, bool is_retry)
{
    const struct yl_call *call = state->call;
    struct yl_call_metrics *metrics = &call->client->metrics;

    if (call->is_watch) {
        yl_call_metrics_count_watch(metrics, state->answer->http_status);
    } else {
        yl_call_metrics_count(metrics, &(struct yl_call_measure) {
            .method = yl_str_c(call->method),
            .http_status = state->answer->http_status,
            .is_retry = is_retry,
            .duration = duration,
            .sent = call->body.size,
            .received = state->received,
        });
    }
}

static int
on_head(void *attempt_, const struct yl_http_answer *head)
{
    struct attempt *state = attempt_;
    struct yl_call_answer *answer = state->answer;

    answer->http_status = head->status;
    copy_text(answer->content_type, sizeof answer->content_type,
              yl_http_answer_header(head, YL_STR("content-type")));
    copy_text(answer->retry_after, sizeof answer->retry_after,
              yl_http_answer_header(head, YL_STR("retry-after")));
    yl_client_warn(state->call->client, head);
    return 0;
}

static int
on_body(void *attempt_, struct yl_str piece)
{
    struct attempt *state = attempt_;
    struct yl_buf *body = &state->answer->body;
    bool success = yl_answer_is_success(state->answer->http_status);
    size_t room;

    state->received += piece.size;
    if (success && state->body) {
        return state->body(state->aux, piece);
    }
    room = body->ceiling - body->size;
    if (piece.size > room) {
        if (success) {
            state->too_big = true;
            return YL_ETOOBIG;
        }
        piece.size = room;
    }
    yl_buf_append_str(body, piece);
    return 0;
}

static yl_msec
deadline_of(const struct yl_call *call, yl_msec now)
{
    yl_msec timeout = call->opts && call->opts->timeout > 0
                      ? call->opts->timeout
                      : call->client->timeout > 0 ? call->client->timeout
                      : call->timeout;

    return timeout > 0 && timeout < YL_NEVER - now ? now + timeout
                                                   : YL_NEVER;
}

static int
wait_for_token(const struct yl_call *call, yl_msec deadline,
               struct yl_error *err)
{
    struct yl_client *client = call->client;
    yl_msec now = yl_now(client->opts.clock), when;
    int r = 0;

    if (!yl_throttle_take(&client->throttle, now, deadline, &when)) {
        return yl_error_set(err, YL_ETIMEOUT,
                            "client rate limiter Wait returned an error: "
                            "rate: Wait(n=1) would exceed context deadline");
    }
    if (when > now) {
        r = wait_until(call, when, deadline, err);
        if (r < 0) {
            yl_throttle_give_back(&client->throttle);
        } else {
            yl_call_metrics_throttled(&client->metrics,
                                      yl_str_c(call->method), when - now);
        }
    }
    return r;
}

/* Waits until 'when' or 'deadline' or until the call is canceled, whichever
 * comes first. */
static int
wait_until(const struct yl_call *call, yl_msec when, yl_msec deadline,
           struct yl_error *err)
{
    struct yl_cancel *cancel = call->opts ? call->opts->cancel : NULL;

    sleep_until(call->client->opts.clock, cancel,
                when < deadline ? when : deadline);
    if (yl_cancel_is_set(cancel)) {
        return yl_error_set(err, YL_ECANCELED, "canceled");
    } else if (when > deadline) {
        return yl_error_set(err, YL_ETIMEOUT, "the time of the call is over");
    }
    return 0;
}

/* A fake clock wakes only those that wait for it in its own way, so with one
 * of those a cancel is noticed when the time has come. */
static void
sleep_until(struct yl_clock *clock, struct yl_cancel *cancel, yl_msec when)
{
    if (clock) {
        struct yl_mutex lock = YL_MUTEX_INIT;
        struct yl_cond never;

        yl_cond_init(&never);
        yl_mutex_lock(&lock);
        while (!yl_cancel_is_set(cancel)
               && !yl_cond_wait_until(&never, &lock, clock, when)) {
        }
        yl_mutex_unlock(&lock);
        yl_cond_destroy(&never);
        yl_mutex_destroy(&lock);
        return;
    }
    while (!yl_cancel_is_set(cancel)) {
        struct pollfd fd = { .fd = yl_cancel_fd(cancel), .events = POLLIN };
        yl_msec left = when - yl_now(NULL);

        if (left <= 0) {
            return;
        }
        poll(&fd, 1, left < INT_MAX ? (int) left : INT_MAX);
    }
}

/* The text with a NUL; nothing if it does not fit. */
static void
copy_text(char *out, size_t size, struct yl_str text)
{
    if (text.size >= size) {
        text.size = 0;
    }
    snprintf(out, size, "%.*s", YL_STR_ARG(text));
}
