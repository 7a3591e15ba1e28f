/* The source of objects that other tests list and watch: the contract of every
 * lister-watcher, and what a test does to this one. */

#include "object/fake_source.h"

#include "listwatch_contract.h"

static struct yl_fake_source *source;

static uint64_t
put(struct lw_rig *rig, const char *name, const char *v)
{
    char json[160];
    int64_t revision;

    (void) rig;
    snprintf(json, sizeof json, "{\"metadata\":{\"name\":\"%s\","
             "\"labels\":{\"v\":\"%s\"},\"namespace\":\"d\","
             "\"resourceVersion\":\"99\"}}", name, v);
    revision = yl_fake_source_set(source, yl_str_c(json), NULL);
    assert_int_equal(revision, yl_fake_source_revision(source));
    return (uint64_t) revision;
}

static uint64_t
remove_(struct lw_rig *rig, const char *name)
{
    int64_t revision = yl_fake_source_delete(
        source, yl_key_make(YL_STR("d"), yl_str_c(name)), NULL);

    (void) rig;
    assert_int_equal(revision, yl_fake_source_revision(source));
    return (uint64_t) revision;
}

static void
forget(struct lw_rig *rig)
{
    (void) rig;
    yl_fake_source_compact(source, yl_fake_source_revision(source));
}

static void
bookmark(struct lw_rig *rig)
{
    (void) rig;
    yl_fake_source_bookmark(source);
}

/* It has no clock: all calls end. */
static void
pass(struct lw_rig *rig, int seconds)
{
    (void) rig;
    (void) seconds;
    yl_fake_source_end_calls(source, 0);
}

static void
run(struct lw_rig *rig)
{
    (void) rig;
    yl_fake_source_run(source);
}

static void
rig_init(struct lw_rig *rig)
{
    source = yl_fake_source_new();
    rig->lw = yl_fake_source_lister_watcher(source);
    rig->put = put;
    rig->remove = remove_;
    rig->forget = forget;
    rig->bookmark = bookmark;
    rig->pass = pass;
    rig->run = run;
    rig->shares = true;
}

static void
rig_release(struct lw_rig *rig)
{
    (void) rig;
    assert_int_equal(yl_fake_source_n_calls(source), 0);
    yl_fake_source_free(source);
}

LISTWATCH_CASES(LISTWATCH_TEST)

/* What is this source's own
 * ========================= */

static void
step_by_step(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *one, *two;

    lw_put(rig, "a", "1");
    lw_put(rig, "b", "1");
    assert_false(yl_fake_source_step(source));
    one = lw_watch(rig, LW_ALL);
    two = lw_watch(rig, LW_ALL);
    assert_int_equal(yl_fake_source_n_calls(source), 2);

    /* The calls take turns. */
    assert_true(yl_fake_source_step(source));
    lw_heard(rig, "A:a=1@1 ");
    assert_true(yl_fake_source_step(source));
    lw_heard(rig, "A:a=1@1 ");
    assert_int_equal(yl_fake_source_run(source), 2);
    lw_heard(rig, "A:b=1@2 A:b=1@2 ");
    assert_false(yl_fake_source_step(source));
    yl_lister_watcher_stop(rig->lw, one);
    yl_lister_watcher_stop(rig->lw, two);
}

TEST(a_test_decides_what_interleaves)
{
    lw_run_case(step_by_step, rig_init, rig_release);
}

static void
failures(struct lw_rig *rig)
{
    struct yl_lister_watcher_call *call = NULL;
    struct yl_error err = YL_ERROR_INIT;

    yl_fake_source_fail(source, 2, YL_EUNAVAILABLE, false);
    assert_int_equal(yl_lister_watcher_list(rig->lw, NULL, &lw_list_sink, rig,
                                            &call, &err), YL_EUNAVAILABLE);
    assert_int_equal(yl_lister_watcher_watch(rig->lw, NULL, &lw_watch_sink,
                                             rig, &call, &err),
                     YL_EUNAVAILABLE);
    assert_null(call);
    lw_list(rig, LW_ALL, "=0+0;");
    yl_fake_source_fail(source, 1, YL_EIO, true);
    lw_list(rig, LW_ALL, "EIO;");
    lw_watch(rig, LW_ALL);
    yl_fake_source_end_calls(source, YL_EIO);
    lw_expect(rig, "EIO;");
    assert_int_equal(yl_fake_source_set(source, YL_STR("[]"), &err),
                     YL_ETYPE);
    yl_error_clear(&err);
    assert_int_equal(yl_fake_source_delete(source,
                                           yl_key_make(YL_STR("d"),
                                                       YL_STR("x")), NULL),
                     YL_ENOTFOUND);
}

TEST(calls_fail_on_order)
{
    lw_run_case(failures, rig_init, rig_release);
}

static void
no_revision_inside(struct lw_rig *rig)
{
    lw_put(rig, "a", "1");
    lw_list(rig, LW_ALL, "a=1@1 =1+0;");
    assert_int_equal(yl_object_revision(rig->last), 0);
}

TEST(the_revision_stands_beside_the_object)
{
    lw_run_case(no_revision_inside, rig_init, rig_release);
}

TEST(a_source_that_goes_away_takes_its_calls_with_it)
{
    struct lw_rig *rig = calloc(1, sizeof *rig);

    yl_buf_init(&rig->heard, 1000);
    rig_init(rig);
    lw_put(rig, "a", "1");
    lw_watch(rig, LW_ALL);
    yl_fake_source_free(source);
    lw_heard(rig, "");
    yl_buf_release(&rig->heard);
    free(rig);
    yl_fake_source_free(NULL);
}
