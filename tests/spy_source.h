#ifndef TESTS_SPY_SOURCE_H
#define TESTS_SPY_SOURCE_H 1

/* A lister-watcher between a reflector and a source in memory, for tests: it
 * writes down what was asked for, and breaks what it is told to break.
 *
 * Whatever happens is a step: a call is started, or a sink is called.  A fault
 * names a step, or the n-th call, and what goes wrong there. */

#include <inttypes.h>

#include "unit.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "yuloh/listwatch.h"

enum spy_break {
    SPY_FAIL,                   /* Starting fails, or the call ends with the
                                 * error (with code 0: normally). */
    SPY_ERROR_EVENT,            /* A watch sends an ERROR event and ends. */
    SPY_SILENCE,                /* The call says nothing any more. */
    SPY_UNKNOWN_EVENT,          /* An event has a type that nobody knows. */
    SPY_BAD_EVENT,              /* An event has no object. */
};

struct spy_fault {
    int step;                   /* At which step; 0: see 'call'. */
    int call;                   /* In which call (the first is 1), before... */
    int after;                  /* ...its n-th word; 0 is the start. */
    enum spy_break what;
    int code;
    const char *message;
    const char *cause;          /* Reason of a cause, or NULL. */
    yl_msec retry_after;
};

struct spy {
    struct yl_lister_watcher lw;
    struct yl_lister_watcher *inner;
    struct yl_buf log;          /* "list 0 limit=500; watch 3; ..." */
    int n_steps, n_calls;
    const struct spy_fault *faults;
    size_t n_faults;
    int n_faults_met;
    int n_open;                 /* Calls under way, silent ones included. */

    /* If set, asked at every step for a fault, in place of 'faults'. */
    const struct spy_fault *(*choose)(void *aux);
    void *choose_aux;
};

struct spy_call {
    struct spy *spy;
    struct yl_lister_watcher_call *inner;   /* NULL if it is silent. */
    const struct yl_list_sink *list;
    const struct yl_watch_sink *watch;
    void *aux;
    int number;                 /* The how manieth call it is. */
    int n_words;                /* Sink calls so far. */
};

static inline const struct spy_fault *
spy_step(struct spy *spy, int call, int n_words)
{
    size_t i;

    spy->n_steps++;
    if (spy->choose) {
        const struct spy_fault *fault = spy->choose(spy->choose_aux);

        spy->n_faults_met += fault != NULL;
        return fault;
    }
    for (i = 0; i < spy->n_faults; i++) {
        const struct spy_fault *fault = &spy->faults[i];

        if (fault->step ? fault->step == spy->n_steps
            : fault->call == call && fault->after == n_words) {
            spy->n_faults_met++;
            return fault;
        }
    }
    return NULL;
}

static inline void
spy_error(const struct spy_fault *fault, struct yl_error *err)
{
    yl_error_set(err, fault->code, "%s", fault->message ? fault->message
                 : yl_error_text(fault->code));
    if (fault->cause) {
        yl_error_add_cause(err, yl_str_c(fault->cause), YL_STR(""),
                           YL_STR(""));
    }
    err->retry_after = fault->retry_after;
}

static inline void
spy_close(struct spy_call *call)
{
    if (call->inner) {
        yl_lister_watcher_stop(call->spy->inner, call->inner);
    }
    call->spy->n_open--;
    free(call);
}

/* Says the last word of a call. */
static inline void
spy_finish(struct spy_call *call, const struct yl_error *err)
{
    const struct yl_list_sink *list = call->list;
    const struct yl_watch_sink *watch = call->watch;
    void *aux = call->aux;

    spy_close(call);
    if (list) {
        list->done(aux, err ? NULL : &(struct yl_list_page) { 0 }, err);
    } else {
        watch->done(aux, err);
    }
}

/* Does what 'fault' says to a call that is under way.  Returns true if the
 * word that was to be said is lost. */
static inline bool
spy_break(struct spy_call *call, const struct spy_fault *fault)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_watch_event event = { 0 };

    switch (fault->what) {
    case SPY_FAIL:
        if (fault->code) {
            spy_error(fault, &err);
        } else if (call->list) {
            yl_error_set(&err, YL_ETRUNCATED, "the list was cut");
        }
        spy_finish(call, err.code ? &err : NULL);
        yl_error_clear(&err);
        return true;

    case SPY_ERROR_EVENT:
        spy_error(fault, &err);
        if (call->watch) {
            event.type = YL_WATCH_ERROR;
            event.error = err;
            call->watch->event(call->aux, &event);
            spy_finish(call, NULL);
        } else {
            spy_finish(call, &err);
        }
        yl_error_clear(&err);
        return true;

    case SPY_SILENCE:
        yl_lister_watcher_stop(call->spy->inner, call->inner);
        call->inner = NULL;
        return true;

    case SPY_UNKNOWN_EVENT:
    case SPY_BAD_EVENT:
        if (call->watch) {
            event.type = fault->what == SPY_BAD_EVENT ? YL_WATCH_MODIFIED
                                                      : 77;
            call->watch->event(call->aux, &event);
        }
        return false;
    }
    return false;
}

static inline void
spy_item(void *aux, struct yl_versioned item)
{
    struct spy_call *call = aux;
    const struct spy_fault *fault = spy_step(call->spy, call->number,
                                             ++call->n_words);

    if (fault && spy_break(call, fault)) {
        yl_object_unref(item.object);
    } else {
        call->list->item(call->aux, item);
    }
}

static inline void
spy_list_done(void *aux, const struct yl_list_page *meta,
              const struct yl_error *err)
{
    struct spy_call *call = aux;
    const struct spy_fault *fault = spy_step(call->spy, call->number,
                                             ++call->n_words);
    const struct yl_list_sink *list = call->list;
    void *list_aux = call->aux;

    call->inner = NULL;
    if (fault && fault->what == SPY_SILENCE) {
        return;
    } else if (fault && fault->code && !err) {
        spy_break(call, fault);
    } else {
        spy_close(call);
        list->done(list_aux, meta, err);
    }
}

static inline void
spy_event(void *aux, struct yl_watch_event *event)
{
    struct spy_call *call = aux;
    const struct spy_fault *fault = spy_step(call->spy, call->number,
                                             ++call->n_words);

    if (!fault || !spy_break(call, fault)) {
        call->watch->event(call->aux, event);
    }
}

static inline void
spy_watch_done(void *aux, const struct yl_error *err)
{
    struct spy_call *call = aux;

    call->inner = NULL;
    spy_finish(call, err);
}

static inline struct spy_call *
spy_open(struct spy *spy, void *aux)
{
    struct spy_call *call = yl_zalloc(sizeof *call);

    call->spy = spy;
    call->aux = aux;
    call->number = spy->n_calls;
    spy->n_open++;
    return call;
}

static inline int
spy_start(struct spy *spy, bool watch, const struct yl_list_options *o,
          const struct yl_list_sink *list_sink,
          const struct yl_watch_sink *watch_sink, void *aux,
          struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    static const struct yl_list_sink my_list = { spy_item, spy_list_done };
    static const struct yl_watch_sink my_watch = { spy_event, spy_watch_done };
    const struct spy_fault *fault;
    struct spy_call *call;
    int r;

    yl_buf_printf(&spy->log, "%s",
                  !watch ? "list" : o->send_initial_events ? "stream"
                  : "watch");
    if (o->continue_.size) {
        yl_buf_append_c(&spy->log, " more");
    } else {
        yl_buf_printf(&spy->log, " \"%.*s\"", YL_STR_ARG(o->resource_version));
    }
    if (o->limit) {
        yl_buf_printf(&spy->log, " limit %" PRId64, o->limit);
    }
    yl_buf_append_c(&spy->log, o->resource_version_match
                    == YL_MATCH_NOT_OLDER_THAN ? " or newer; " : "; ");
    spy->n_calls++;
    fault = spy_step(spy, spy->n_calls, 0);
    if (fault && fault->what != SPY_SILENCE && fault->code) {
        spy_error(fault, err);
        return fault->code;
    }
    call = spy_open(spy, aux);
    call->list = list_sink;
    call->watch = watch_sink;
    if (fault && fault->what == SPY_SILENCE) {
        r = 0;
    } else if (watch) {
        r = yl_lister_watcher_watch(spy->inner, o, &my_watch, call,
                                    &call->inner, err);
    } else {
        r = yl_lister_watcher_list(spy->inner, o, &my_list, call,
                                   &call->inner, err);
    }
    if (r < 0) {
        spy->n_open--;
        free(call);
        return r;
    }
    *ret_call = (struct yl_lister_watcher_call *) call;
    return 0;
}

static inline int
spy_list(struct yl_lister_watcher *lw, const struct yl_list_options *o,
         const struct yl_list_sink *sink, void *aux,
         struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    return spy_start(YL_CONTAINER_OF(lw, struct spy, lw), false, o, sink, NULL,
                     aux, ret_call, err);
}

static inline int
spy_watch(struct yl_lister_watcher *lw, const struct yl_list_options *o,
          const struct yl_watch_sink *sink, void *aux,
          struct yl_lister_watcher_call **ret_call, struct yl_error *err)
{
    return spy_start(YL_CONTAINER_OF(lw, struct spy, lw), true, o, NULL, sink,
                     aux, ret_call, err);
}

static inline void
spy_stop(struct yl_lister_watcher *lw YL_UNUSED,
         struct yl_lister_watcher_call *call)
{
    spy_close((struct spy_call *) call);
}

static inline void
spy_init(struct spy *spy, struct yl_lister_watcher *inner)
{
    memset(spy, 0, sizeof *spy);
    spy->lw.list = spy_list;
    spy->lw.watch = spy_watch;
    spy->lw.stop = spy_stop;
    spy->inner = inner;
    yl_buf_init(&spy->log, SIZE_MAX);
}

static inline void
spy_release(struct spy *spy)
{
    assert_int_equal(spy->n_open, 0);
    yl_buf_release(&spy->log);
}

/* What was asked for since the last call, lent until the next one. */
static inline const char *
spy_log(struct spy *spy)
{
    static char text[4096];

    snprintf(text, sizeof text, "%s", yl_buf_c_str(&spy->log));
    yl_buf_clear(&spy->log);
    return text;
}

#endif /* tests/spy_source.h */
