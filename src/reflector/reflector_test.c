/* Tests of yuloh/reflector.h, over a source in memory.
 *
 * The rig is a source, a reflector and a model of a consumer; settle() lets
 * them run, without time passing, until nothing happens any more. */

#include "yuloh/reflector.h"

#include "delta_model.h"
#include "object/fake_source.h"

struct rig {
    struct yl_fake_source *source;
    struct yl_reflector *reflector;
    struct model model;
    yl_msec now;
    int n_wakes;
    struct yl_buf states;       /* What the trace said. */
    struct yl_buf errors;
};

static struct rig rig;

static void
on_wake(void *aux)
{
    ++*(int *) aux;
}

static void
on_state(void *aux, const char *name, enum yl_reflector_state state,
         uint64_t revision)
{
    assert_string_equal(name, "things");
    yl_buf_printf(aux, "%s@%" PRIu64 " ", yl_reflector_state_name(state),
                  revision);
}

static void
on_error(void *aux, const struct yl_error *err)
{
    yl_buf_printf(aux, "%s ", yl_error_name(err->code));
}

static void
rig_init(const struct yl_reflector_opts *opts)
{
    struct yl_reflector_opts o = *opts;

    memset(&rig, 0, sizeof rig);
    rig.now = 1000000;
    yl_buf_init(&rig.states, SIZE_MAX);
    yl_buf_init(&rig.errors, SIZE_MAX);
    rig.source = yl_fake_source_new();
    model_init(&rig.model, NULL);
    o.lister_watcher = yl_fake_source_lister_watcher(rig.source);
    o.deltas = rig.model.queue;
    o.name = "things";
    o.wake = on_wake;
    o.wake_aux = &rig.n_wakes;
    o.trace = on_state;
    o.trace_aux = &rig.states;
    o.error = on_error;
    o.error_aux = &rig.errors;
    o.seed = o.seed ? o.seed : 1;
    rig.reflector = yl_reflector_new(&o);
}

#define PLAIN &(struct yl_reflector_opts) { .no_stream = true }
#define STREAMED &(struct yl_reflector_opts) { .no_stream = false }

static void
rig_release(void)
{
    yl_reflector_free(rig.reflector);
    assert_int_equal(yl_fake_source_n_calls(rig.source), 0);
    model_release(&rig.model);
    yl_fake_source_free(rig.source);
    yl_buf_release(&rig.states);
    yl_buf_release(&rig.errors);
}

static void
put(const char *name, const char *uid)
{
    char json[160];

    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"%s\","
             "\"namespace\":\"d\",\"uid\":\"%s\"}}", name, uid);
    assert_true(yl_fake_source_set(rig.source, yl_str_c(json), NULL) > 0);
}

static void
drop(const char *name)
{
    assert_true(yl_fake_source_delete(
        rig.source, yl_key_make(YL_STR("d"), yl_str_c(name)), NULL) > 0);
}

static void
settle(void)
{
    do {
        yl_reflector_run(rig.reflector, rig.now);
        model_drain(&rig.model);
    } while (yl_fake_source_run(rig.source) > 0
             || yl_reflector_next(rig.reflector) <= rig.now);
}

/* Lets the time until the next try pass. */
static yl_msec
wait_and_settle(void)
{
    yl_msec delay = yl_reflector_next(rig.reflector) - rig.now;

    rig.now += delay;
    settle();
    return delay;
}

static struct yl_reflector_facts
facts(void)
{
    struct yl_reflector_facts f;

    yl_reflector_facts(rig.reflector, &f);
    return f;
}

static const char *
text_of(struct yl_buf *buf)
{
    static char text[1024];

    snprintf(text, sizeof text, "%s", yl_buf_c_str(buf));
    yl_buf_clear(buf);
    return text;
}

#define assert_states(TEXT) assert_string_equal(text_of(&rig.states), TEXT)
#define assert_errors(TEXT) assert_string_equal(text_of(&rig.errors), TEXT)

TEST(lists_and_then_watches)
{
    rig_init(PLAIN);
    put("a", "1");
    put("b", "2");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    put("a", "1");
    put("c", "3");
    drop("b");
    settle();
    assert_log(&rig.model, "UPDATED a@3;ADDED c@4;DELETED b@5;");
    assert_states("listing@0 watching@2 ");
    assert_int_equal(facts().revision, 5);
    assert_int_equal(facts().n_lists, 1);
    assert_int_equal(facts().n_pages, 1);
    assert_int_equal(facts().n_watches, 1);
    assert_int_equal(rig.model.revision, 5);
    rig_release();
}

TEST(streams_the_first_list_and_goes_on_with_the_same_watch)
{
    rig_init(STREAMED);
    put("a", "1");
    put("b", "2");
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;initial REPLACED b@2;");
    put("c", "3");
    settle();
    assert_log(&rig.model, "ADDED c@3;");
    assert_states("streaming@0 watching@2 ");
    assert_int_equal(facts().n_streams, 1);
    assert_int_equal(facts().n_watches, 0);
    assert_int_equal(yl_fake_source_n_calls(rig.source), 1);
    rig_release();
}

TEST(a_watch_that_ends_is_resumed_behind_the_last_revision)
{
    rig_init(PLAIN);
    put("a", "1");
    settle();
    put("b", "2");
    settle();
    put("c", "3");
    yl_fake_source_end_calls(rig.source, 0);
    settle();
    assert_log(&rig.model, "initial REPLACED a@1;ADDED b@2;ADDED c@3;");
    assert_int_equal(facts().n_lists, 1);
    assert_int_equal(facts().n_watches, 2);
    rig_release();
}

TEST(an_expired_watch_is_followed_by_a_list)
{
    rig_init(PLAIN);
    put("a", "1");
    put("b", "2");
    settle();
    model_log(&rig.model);
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    settle();
    assert_errors("EEXPIRED ");
    drop("a");
    put("c", "3");
    yl_fake_source_compact(rig.source, 4);
    settle();
    assert_int_equal(facts().state, YL_REFLECTOR_WAITING);
    wait_and_settle();
    assert_log(&rig.model, "missed DELETED a@1;REPLACED b@2;REPLACED c@4;");
    assert_int_equal(facts().n_lists, 2);
    rig_release();
}
