/* Recorder.  See yuloh/recorder.h for the contract.
 *
 *     any thread -> queue (bounded) -> thread: correlate, create or patch
 *
 * The correlator belongs to the thread. */

#include "yuloh/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/backoff.h"
#include "base/random.h"
#include "base/ref.h"
#include "base/thread.h"
#include "controller/event_correlator.h"
#include "yuloh/cancel.h"
#include "yuloh/client.h"
#include "yuloh/log.h"

struct yl_recorder {
    struct yl_ref ref;
    struct yl_recorder_opts opts;   /* Defaults filled in. */
    char *component, *host;
    struct yl_event_source source;
    struct yl_event_correlator *correlator;     /* The thread's. */
    uint64_t chance;            /* The thread's. */
    struct yl_cancel *cancel;   /* Set at the end. */
    struct yl_thread thread;

    /* The lock is a leaf: nothing is called with it held. */
    struct yl_mutex lock;
    struct yl_cond changed;     /* There is an event, or it is the end. */
    struct yl_cond finished_one;    /* For those who flush. */
    struct yl_list queue YL_GUARDED;
    size_t n_queued YL_GUARDED; /* Accepted so far. */
    size_t n_finished YL_GUARDED;   /* Of those, sent or given up. */
    struct yl_recorder_facts facts YL_GUARDED;
    bool ending YL_GUARDED;
};

static void recorder_free(struct yl_recorder *);
static void log_event(const struct yl_event_subject *, const char *type,
                      const char *reason, struct yl_str message);
static void run(void *aux);
static void handle(struct yl_recorder *, struct yl_event *);
static int send(struct yl_recorder *, const struct yl_event *,
                const struct yl_event_series *, bool patch);
static bool is_normal(int code, const struct yl_error *);
static bool may_be_tried_again(int code);
static bool wait_before(struct yl_recorder *, int n_tries);
static void count(struct yl_recorder *, enum yl_event_verdict, int result);
static int client_create(void *aux, const struct yl_key *, struct yl_str json,
                         struct yl_cancel *, struct yl_versioned *,
                         struct yl_error *);
static int client_patch(void *aux, const struct yl_key *, struct yl_str patch,
                        struct yl_cancel *, struct yl_versioned *,
                        struct yl_error *);

static const struct yl_event_sink client_sink = {
    client_create, client_patch,
};

struct yl_recorder *
yl_recorder_new(const struct yl_recorder_opts *opts)
{
    struct yl_recorder *r = yl_zalloc(sizeof *r);
    struct yl_recorder_opts *o = &r->opts;

    *o = *opts;
    yl_ref_init(&r->ref);
    yl_mutex_init(&r->lock);
    yl_cond_init(&r->changed);
    yl_cond_init(&r->finished_one);
    yl_list_init(&r->queue);
    r->component = yl_strdup(yl_str_c(o->component ? o->component : "yuloh"));
    r->host = yl_strdup(yl_str_c(o->host ? o->host : ""));
    r->source = (struct yl_event_source) {
        yl_str_c(r->component), yl_str_c(r->host),
    };
    r->correlator = yl_event_correlator_new(
        &(struct yl_event_correlator_opts) {
            .max_similar = o->max_similar,
            .similar_within = o->similar_within,
            .burst = o->burst,
            .refill = o->refill,
        });
    r->cancel = yl_cancel_new();
    r->chance = yl_random_u64();
    o->max_queue = o->max_queue ? o->max_queue : 1000;
    o->max_tries = o->max_tries > 0 ? o->max_tries : 12;
    o->retry_delay = o->retry_delay > 0 ? o->retry_delay : 10000;
    if (!o->sink && o->client) {
        o->sink = &client_sink;
        o->sink_aux = o->client;
    }
    if (o->sink && yl_thread_start(&r->thread, "recorder", run, r) < 0) {
        o->sink = NULL;
        recorder_free(r);
        return NULL;
    }
    return r;
}

struct yl_recorder *
yl_recorder_ref(struct yl_recorder *r)
{
    if (r) {
        yl_ref_get(&r->ref);
    }
    return r;
}

struct yl_recorder *
yl_recorder_unref(struct yl_recorder *r)
{
    if (r && yl_ref_put(&r->ref)) {
        yl_mutex_lock(&r->lock);
        r->ending = true;
        yl_cond_broadcast(&r->changed);
        yl_mutex_unlock(&r->lock);
        yl_cancel_now(r->cancel);
        if (r->opts.sink) {
            yl_thread_join(&r->thread);
        }
        recorder_free(r);
    }
    return NULL;
}

void
yl_recorder_event(struct yl_recorder *r, const struct yl_event_subject *s,
                  const char *type, const char *reason, struct yl_str message)
{
    bool is_type = !strcmp(type, "Normal") || !strcmp(type, "Warning");
    struct yl_event *event = NULL;

    if (!r) {
        return;
    }
    if (!is_type) {
        yl_log_error(YL_EINVALID, "Unsupported event type",
                     YL_LOG_C("eventType", type));
    } else if (!r->opts.no_log) {
        log_event(s, type, reason, message);
    }
    if (is_type && r->opts.sink) {
        event = yl_event_new(s, yl_str_c(type), yl_str_c(reason), message,
                             yl_time_now());
    }
    yl_mutex_lock(&r->lock);
    r->facts.n_recorded++;
    if (event && r->facts.n_waiting < r->opts.max_queue) {
        yl_list_push_back(&r->queue, &event->node);
        r->n_queued++;
        r->facts.n_waiting++;
        event = NULL;
        yl_cond_signal(&r->changed);
    } else if (event || !is_type) {
        r->facts.n_dropped++;
    }
    yl_mutex_unlock(&r->lock);
    free(event);
}

void
yl_recorder_eventf(struct yl_recorder *r, const struct yl_event_subject *s,
                   const char *type, const char *reason, const char *format,
                   ...)
{
    va_list args;

    va_start(args, format);
    yl_recorder_veventf(r, s, type, reason, format, args);
    va_end(args);
}

void
yl_recorder_veventf(struct yl_recorder *r, const struct yl_event_subject *s,
                    const char *type, const char *reason, const char *format,
                    va_list args)
{
    struct yl_arena arena;

    if (r) {
        yl_arena_init(&arena);
        yl_recorder_event(r, s, type, reason,
                          yl_str_c(yl_arena_vprintf(&arena, format, args)));
        yl_arena_release(&arena);
    }
}

bool
yl_recorder_flush(struct yl_recorder *r, yl_msec timeout)
{
    yl_msec until = yl_now(r->opts.clock) + timeout;
    size_t target;
    bool done;

    yl_mutex_lock(&r->lock);
    target = r->n_queued;
    while (r->n_finished < target && yl_now(r->opts.clock) < until) {
        yl_cond_wait_until(&r->finished_one, &r->lock, r->opts.clock, until);
    }
    done = r->n_finished >= target;
    yl_mutex_unlock(&r->lock);
    return done;
}

void
yl_recorder_facts(struct yl_recorder *r, struct yl_recorder_facts *ret)
{
    yl_mutex_lock(&r->lock);
    *ret = r->facts;
    yl_mutex_unlock(&r->lock);
}

static void
recorder_free(struct yl_recorder *r)
{
    struct yl_event *event;

    YL_LIST_FOR_EACH_SAFE (event, node, &r->queue) {
        free(event);
    }
    yl_event_correlator_free(r->correlator);
    yl_cancel_unref(r->cancel);
    yl_cond_destroy(&r->finished_one);
    yl_cond_destroy(&r->changed);
    yl_mutex_destroy(&r->lock);
    free(r->component);
    free(r->host);
    free(r);
}

static void
log_event(const struct yl_event_subject *s, const char *type,
          const char *reason, struct yl_str message)
{
    struct yl_arena arena;

    yl_arena_init(&arena);
    yl_log_info("Event occurred",
                YL_LOG_STR("object", yl_key_text(&s->key, &arena)),
                YL_LOG_STR("kind", s->kind),
                YL_LOG_STR("apiVersion", s->api_version),
                YL_LOG_C("type", type), YL_LOG_C("reason", reason),
                YL_LOG_STR("message", message));
    yl_arena_release(&arena);
}

/* The thread. */
static void
run(void *aux)
{
    struct yl_recorder *r = aux;
    struct yl_list *node;

    yl_mutex_lock(&r->lock);
    while (!r->ending) {
        node = yl_list_pop_front(&r->queue);
        if (!node) {
            yl_cond_wait(&r->changed, &r->lock);
            continue;
        }
        yl_mutex_unlock(&r->lock);
        handle(r, YL_CONTAINER_OF(node, struct yl_event, node));
        yl_mutex_lock(&r->lock);
        r->facts.n_waiting--;
        r->n_finished++;
        yl_cond_broadcast(&r->finished_one);
    }
    yl_mutex_unlock(&r->lock);
}

/* Sends an event, if the correlator wants it, and frees it. */
static void
handle(struct yl_recorder *r, struct yl_event *event)
{
    struct yl_event_series series;
    enum yl_event_verdict verdict;
    int n_tries = 0, result = 0;

    verdict = yl_event_correlate(r->correlator, event, &r->source,
                                 yl_now(r->opts.clock), &series);
    if (verdict != YL_EVENT_SKIP) {
        do {
            result = send(r, event, &series, verdict == YL_EVENT_PATCH);
            n_tries++;
        } while (may_be_tried_again(result) && n_tries < r->opts.max_tries
                 && wait_before(r, n_tries));
    }
    count(r, verdict, result);
    free(event);
}

/* As in client-go, an Event that is gone is made again, with its count. */
static int
send(struct yl_recorder *r, const struct yl_event *event,
     const struct yl_event_series *series, bool patch)
{
    struct yl_key key = yl_key_make(yl_event_namespace(event),
                                    yl_str_c(series->name));
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena arena;
    int result = YL_ENOTFOUND;

    yl_arena_init(&arena);
    if (patch) {
        result = r->opts.sink->patch(r->opts.sink_aux, &key,
                                     yl_event_patch(event, series, &arena),
                                     r->cancel, NULL, &err);
    }
    if (result == YL_ENOTFOUND) {
        yl_error_clear(&err);
        result = r->opts.sink->create(
            r->opts.sink_aux, &key,
            yl_event_json(event, &r->source, series, &arena), r->cancel, NULL,
            &err);
    }
    if (result < 0 && is_normal(result, &err)) {
        yl_log_v(2, "An event was not recorded",
                 YL_LOG_STR("name", key.name), YL_LOG_ERROR(&err));
    } else if (result < 0) {
        yl_log_warning("An event was not recorded",
                       YL_LOG_STR("name", key.name), YL_LOG_ERROR(&err));
    }
    yl_error_clear(&err);
    yl_arena_release(&arena);
    return result;
}

/* Is it nobody's fault?  A namespace that is about to be gone takes no more
 * events, and the end of the program waits for none. */
static bool
is_normal(int code, const struct yl_error *err)
{
    size_t i;

    for (i = 0; i < err->n_causes; i++) {
        if (err->causes[i].reason
            && !strcmp(err->causes[i].reason, "NamespaceTerminating")) {
            return true;
        }
    }
    return code == YL_EEXISTS || code == YL_ECANCELED;
}

/* Was the server not reached?  What it has refused, it will refuse again. */
static bool
may_be_tried_again(int code)
{
    return code == YL_EUNAVAILABLE || code == YL_ETIMEOUT || code == YL_EIO;
}

/* False if it is the end.  The first delay is random, so that the recorders of
 * a cluster whose server was away do not come back together. */
static bool
wait_before(struct yl_recorder *r, int n_tries)
{
    yl_msec delay = n_tries == 1 ? yl_chance(&r->chance, r->opts.retry_delay)
                                 : r->opts.retry_delay;
    yl_msec until = yl_now(r->opts.clock) + delay;
    bool ending;

    yl_mutex_lock(&r->lock);
    while (!r->ending && yl_now(r->opts.clock) < until) {
        yl_cond_wait_until(&r->changed, &r->lock, r->opts.clock, until);
    }
    ending = r->ending;
    yl_mutex_unlock(&r->lock);
    return !ending;
}

static void
count(struct yl_recorder *r, enum yl_event_verdict verdict, int result)
{
    yl_mutex_lock(&r->lock);
    if (verdict == YL_EVENT_SKIP) {
        r->facts.n_filtered++;
    } else if (result < 0) {
        r->facts.n_dropped++;
    } else if (verdict == YL_EVENT_PATCH) {
        r->facts.n_patched++;
    } else {
        r->facts.n_created++;
    }
    yl_mutex_unlock(&r->lock);
}

/* Events at an API server
 * ======================= */

static const struct yl_resource events = {
    { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("events") },
    YL_STR_INIT("Event"), true,
};

static int
client_create(void *aux, const struct yl_key *key, struct yl_str json,
              struct yl_cancel *cancel, struct yl_versioned *ret,
              struct yl_error *err)
{
    return yl_client_create(aux, &events, key->namespace_, json,
                            &(struct yl_call_opts) { .cancel = cancel }, ret,
                            err);
}

static int
client_patch(void *aux, const struct yl_key *key, struct yl_str patch,
             struct yl_cancel *cancel, struct yl_versioned *ret,
             struct yl_error *err)
{
    return yl_client_patch(aux, &events, key, YL_PATCH_STRATEGIC, patch,
                           &(struct yl_call_opts) { .cancel = cancel }, ret,
                           err);
}
