#ifndef TESTS_REFLECTOR_RIG_H
#define TESTS_REFLECTOR_RIG_H 1

/* A reflector between a source in memory and a model of a consumer, for tests.
 *
 *     fake source -> spy, which breaks things -> reflector -> model
 *
 * rig_settle() lets them run, without time passing, until nothing happens any
 * more. */

#include "delta_model.h"
#include "spy_source.h"

#include "object/fake_source.h"
#include "yuloh/reflector.h"

struct rig {
    struct yl_fake_source *source;
    struct spy spy;
    struct yl_reflector *reflector;
    struct model model;
    yl_msec now;
    int n_wakes;
    struct yl_buf states;       /* What the trace said. */
    struct yl_buf errors;
};

static inline void
rig_on_wake(void *aux)
{
    ++*(int *) aux;
}

static inline void
rig_on_state(void *aux, const char *name, enum yl_reflector_state state,
             uint64_t revision)
{
    assert_string_equal(name, "things");
    yl_buf_printf(aux, "%s@%" PRIu64 " ", yl_reflector_state_name(state),
                  revision);
}

static inline void
rig_on_error(void *aux, const struct yl_error *err)
{
    yl_buf_printf(aux, "%s ", yl_error_name(err->code));
}

static inline void
rig_init(struct rig *rig, const struct yl_reflector_opts *opts,
         const struct yl_delta_queue_opts *delta_opts)
{
    struct yl_reflector_opts o = *opts;

    memset(rig, 0, sizeof *rig);
    rig->now = 1000000;
    yl_buf_init(&rig->states, SIZE_MAX);
    yl_buf_init(&rig->errors, SIZE_MAX);
    rig->source = yl_fake_source_new();
    spy_init(&rig->spy, yl_fake_source_lister_watcher(rig->source));
    model_init(&rig->model, delta_opts);
    o.lister_watcher = &rig->spy.lw;
    o.deltas = rig->model.queue;
    o.name = "things";
    o.wake = rig_on_wake;
    o.wake_aux = &rig->n_wakes;
    o.trace = rig_on_state;
    o.trace_aux = &rig->states;
    o.error = rig_on_error;
    o.error_aux = &rig->errors;
    o.seed = o.seed ? o.seed : 1;
    rig->reflector = yl_reflector_new(&o);
}

static inline void
rig_release(struct rig *rig)
{
    yl_reflector_free(rig->reflector);
    assert_int_equal(yl_fake_source_n_calls(rig->source), 0);
    spy_release(&rig->spy);
    model_release(&rig->model);
    yl_fake_source_free(rig->source);
    yl_buf_release(&rig->states);
    yl_buf_release(&rig->errors);
}

static inline void
rig_put(struct rig *rig, const char *name, const char *uid)
{
    char json[160];

    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"d\",\"uid\":\"%s\"}}", name, uid);
    assert_true(yl_fake_source_set(rig->source, yl_str_c(json), NULL) > 0);
}

static inline void
rig_drop(struct rig *rig, const char *name)
{
    assert_true(yl_fake_source_delete(
        rig->source, yl_key_make(YL_STR("d"), yl_str_c(name)), NULL) > 0);
}

static inline void
rig_settle(struct rig *rig)
{
    do {
        yl_reflector_run(rig->reflector, rig->now);
        model_drain(&rig->model);
    } while (yl_fake_source_run(rig->source) > 0
             || yl_reflector_next(rig->reflector) <= rig->now);
}

/* Lets the time until the reflector's next move pass, and returns it. */
static inline yl_msec
rig_wait(struct rig *rig)
{
    yl_msec delay = yl_reflector_next(rig->reflector) - rig->now;

    assert_true(delay > 0 && delay < YL_NEVER / 2);
    rig->now += delay;
    rig_settle(rig);
    return delay;
}

static inline struct yl_reflector_facts
rig_facts(struct rig *rig)
{
    struct yl_reflector_facts facts;

    yl_reflector_facts(rig->reflector, &facts);
    return facts;
}

/* Is the consumer's state that of the source?  Lists the source to see. */
struct rig_truth {
    struct rig *rig;
    size_t n;
    bool same;
};

static inline void
rig_truth_item(void *aux, struct yl_versioned item)
{
    struct rig_truth *truth = aux;
    struct yl_key key = yl_object_key(item.object);
    size_t i = model_find(&truth->rig->model, &key);

    truth->n++;
    if (i == truth->rig->model.n_objects
        || truth->rig->model.objects[i].revision != item.revision
        || truth->rig->model.objects[i].object != item.object) {
        truth->same = false;
    }
    yl_object_unref(item.object);
}

static inline void
rig_truth_done(void *aux YL_UNUSED, const struct yl_list_page *meta YL_UNUSED,
               const struct yl_error *err)
{
    assert_null(err);
}

static inline bool
rig_is_converged(struct rig *rig)
{
    static const struct yl_list_sink sink = { rig_truth_item, rig_truth_done };
    struct rig_truth truth = { rig, 0, true };
    struct yl_lister_watcher_call *call;

    assert_int_equal(yl_lister_watcher_list(
        yl_fake_source_lister_watcher(rig->source), NULL, &sink, &truth, &call,
        NULL), 0);
    yl_fake_source_run(rig->source);
    model_drain(&rig->model);
    return truth.same && truth.n == rig->model.n_objects;
}

static inline const char *
rig_text(struct yl_buf *buf)
{
    static char text[1024];

    snprintf(text, sizeof text, "%s", yl_buf_c_str(buf));
    yl_buf_clear(buf);
    return text;
}

/* The rig of a file's cases, and short names for what they do with it. */
static struct rig rig;

/* Starts with pages, or with a stream. */
static inline void
pages(void)
{
    rig_init(&rig, &(struct yl_reflector_opts) { .no_stream = true }, NULL);
}

static inline void
streamed(void)
{
    rig_init(&rig, &(struct yl_reflector_opts) { .seed = 1 }, NULL);
}

static inline void
put(const char *name, const char *uid)
{
    rig_put(&rig, name, uid);
}

static inline void
drop(const char *name)
{
    rig_drop(&rig, name);
}

static inline void
settle(void)
{
    rig_settle(&rig);
}

static inline void
faults(const struct spy_fault *first, size_t n)
{
    rig.spy.faults = first;
    rig.spy.n_faults = n;
}

#define FAULTS(...)                                                           \
    faults((const struct spy_fault[]) { __VA_ARGS__ },                        \
           sizeof((const struct spy_fault[]) { __VA_ARGS__ })                 \
           / sizeof(struct spy_fault))

#define assert_states(TEXT)                                                   \
    assert_string_equal(rig_text(&rig.states), TEXT)
#define assert_errors(TEXT)                                                   \
    assert_string_equal(rig_text(&rig.errors), TEXT)
#define assert_calls(TEXT) assert_string_equal(spy_log(&rig.spy), TEXT)

static inline void
assert_waits(yl_msec from, yl_msec to)
{
    yl_msec delay = yl_reflector_next(rig.reflector) - rig.now;

    assert_int_equal(rig_facts(&rig).state, YL_REFLECTOR_WAITING);
    assert_int_equal(rig_facts(&rig).next_try,
                     yl_reflector_next(rig.reflector));
    assert_true(delay >= from);
    assert_true(delay < to);
}

#endif /* tests/reflector_rig.h */
