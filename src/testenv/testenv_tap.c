/* The tap of a fault.  See testenv/testenv_tap.h for the contract. */

#include "testenv/testenv_tap.h"

#include <string.h>

#include "net/http.h"
#include "net/loop.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/status.h"

enum tap_state {
    PASSING,                    /* The place has not come. */
    STALLED,                    /* Nothing passes. */
    OVER,                       /* Everything passes again. */
};

struct tap {
    struct yl_list node;        /* In the faults' 'taps'. */
    struct yl_http_request *http;
    enum yl_fault_kind what;
    int status;
    yl_msec delay;
    bool watch;
    bool inside;
    unsigned left;              /* Events that still pass. */
    enum tap_state state;
    struct yl_loop_timer timer; /* Ends the stall. */
    struct yl_str rest;         /* Pulled and held back; in the arena. */
    enum yl_http_pull said;     /* With the rest. */
};

static enum yl_http_pull pull(void *tap, const struct yl_http_source *,
                              void *source_aux, struct yl_buf *out);
static bool find_place(struct tap *, const struct yl_buf *, size_t start,
                       size_t *ret_place);
static enum yl_http_pull act(struct tap *, struct yl_buf *, size_t place,
                             enum yl_http_pull said);
static void stall(struct tap *, struct yl_str rest, enum yl_http_pull said);
static void append_error(struct tap *, struct yl_buf *);
static void on_timer(struct yl_loop_timer *);

static const struct yl_http_tap tap_class = { pull };

void
yl_fault_tap_start(struct yl_list *taps, struct yl_http_request *http,
                   const struct yl_testenv_fault *rule, bool watch)
{
    struct tap *tap = yl_arena_zalloc(http->arena, sizeof *tap);

    tap->http = http;
    tap->what = rule->what;
    tap->status = rule->status;
    tap->delay = rule->delay;
    tap->watch = watch;
    tap->inside = rule->inside;
    tap->left = watch ? rule->after_events : 0;
    tap->timer.fire = on_timer;
    yl_list_push_back(taps, &tap->node);
    yl_http_set_tap(http, &tap_class, tap);
}

void
yl_fault_tap_end(struct yl_list *taps, const struct yl_http_request *http)
{
    struct tap *tap;

    YL_LIST_FOR_EACH (tap, node, taps) {
        if (tap->http == http) {
            yl_loop_timer_cancel(http->loop, &tap->timer);
            yl_list_remove(&tap->node);
            return;
        }
    }
}

int
yl_fault_code(int status)
{
    /* The first row of 410 is Gone; servers say Expired. */
    return status == 410 ? YL_EEXPIRED
           : yl_error_from_wire(status ? status : 500, yl_str_null());
}

static enum yl_http_pull
pull(void *tap_, const struct yl_http_source *source, void *source_aux,
     struct yl_buf *out)
{
    struct tap *tap = tap_;
    size_t start = out->size, place;
    enum yl_http_pull said;

    if (tap->state == STALLED) {
        return YL_HTTP_WAIT;
    }
    if (tap->rest.data) {
        yl_buf_append_str(out, tap->rest);
        tap->rest = yl_str_null();

        /* While it stalled, the source may have said that it has more. */
        return tap->said == YL_HTTP_WAIT ? YL_HTTP_MORE : tap->said;
    }
    said = source->pull(source_aux, out);
    if (tap->state == PASSING && find_place(tap, out, start, &place)) {
        return act(tap, out, place, said);
    }
    return said;
}

/* Whether the place is in what was pulled, from 'start' on; counts the events
 * before it. */
static bool
find_place(struct tap *tap, const struct yl_buf *out, size_t start,
           size_t *ret_place)
{
    const char *at = out->data + start, *end = out->data + out->size, *line;

    for (; tap->left; tap->left--) {
        line = at < end ? memchr(at, '\n', (size_t) (end - at)) : NULL;
        if (!line) {
            return false;
        }
        at = line + 1;
    }
    if (tap->inside) {
        if (at == end) {
            return false;
        }
        line = tap->watch ? memchr(at, '\n', (size_t) (end - at)) : NULL;
        at += ((line ? line : end) - at + 1) / 2;
    }
    *ret_place = start + (size_t) (at - (out->data + start));
    return true;
}

static enum yl_http_pull
act(struct tap *tap, struct yl_buf *out, size_t place, enum yl_http_pull said)
{
    struct yl_str rest = yl_str_range(out->data + place,
                                      out->data + out->size);

    tap->state = OVER;
    if (tap->what == YL_FAULT_STALL) {
        stall(tap, rest, said);
    }
    out->size = place;
    if (tap->what == YL_FAULT_ERROR) {
        append_error(tap, out);
    }
    return tap->what == YL_FAULT_STALL ? YL_HTTP_WAIT
           : tap->what == YL_FAULT_CUT ? YL_HTTP_ABORT : YL_HTTP_END;
}

static void
stall(struct tap *tap, struct yl_str rest, enum yl_http_pull said)
{
    yl_msec now = yl_loop_now(tap->http->loop);

    tap->state = STALLED;
    tap->said = said;
    tap->rest = yl_arena_copy(tap->http->arena, rest);
    yl_loop_timer_arm(tap->http->loop, &tap->timer,
                      tap->delay < YL_NEVER - now ? now + tap->delay
                      : YL_NEVER);
}

static void
on_timer(struct yl_loop_timer *timer)
{
    struct tap *tap = YL_CONTAINER_OF(timer, struct tap, timer);

    tap->state = OVER;
    yl_http_resume(tap->http);
}

static void
append_error(struct tap *tap, struct yl_buf *out)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_status status = { 0 };

    yl_error_set(&err, yl_fault_code(tap->status), "a fault was injected");
    yl_status_take_error(&status, &err);
    yl_buf_append_c(out, "{\"type\":\"ERROR\",\"object\":");
    yl_buf_append_str(out, yl_status_json(&status, tap->http->arena));
    yl_buf_append_c(out, "}\n");
    yl_status_clear(&status);
}
