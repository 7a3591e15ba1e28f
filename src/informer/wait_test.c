/* Waiting until caches have synced. */

#include "informer/informer_parts.h"

#include "informer_unit.h"
#include "yuloh/cancel.h"

TEST(a_wait_for_synced_caches_returns_at_once)
{
    struct rig rig;

    rig_init(&rig, NULL);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_int_equal(yl_wait_for_cache_sync(&rig.informer, 1, 0, NULL, NULL),
                     0);
    assert_int_equal(yl_wait_for_cache_sync(NULL, 0, 0, NULL, NULL), 0);
    rig_release(&rig);
}

TEST(a_wait_names_the_cache_and_its_last_error)
{
    struct yl_informer_opts opts = { .name = "pods" };
    struct yl_error err = YL_ERROR_INIT;
    struct rig rig;

    rig_init(&rig, &opts);
    assert_int_equal(yl_wait_for_cache_sync(&rig.informer, 1, 0, NULL, &err),
                     YL_ETIMEOUT);
    assert_string_equal(yl_error_message(&err),
                        "cache of pods has not synced in time");
    yl_error_clear(&err);
    yl_fake_source_fail(rig.source, 100, YL_EFORBIDDEN, true);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    assert_int_equal(yl_wait_for_cache_sync(&rig.informer, 1, 1, NULL, &err),
                     YL_ETIMEOUT);
    assert_non_null(strstr(yl_error_message(&err),
                           "cache of pods has not synced in time; its last "
                           "error: "));
    yl_error_clear(&err);
    rig_release(&rig);
}

struct waiter {
    struct yl_thread thread;
    struct yl_informer *informer;
    struct yl_cancel *cancel;
    int r;
};

static void
wait_for_ever(void *waiter_)
{
    struct waiter *waiter = waiter_;

    waiter->r = yl_wait_for_cache_sync(&waiter->informer, 1, YL_NEVER,
                                       waiter->cancel, NULL);
}

static void
start_waiter(struct waiter *waiter, struct rig *rig, struct yl_cancel *cancel)
{
    waiter->informer = rig->informer;
    waiter->cancel = cancel;
    assert_int_equal(yl_thread_start(&waiter->thread, "waiter", wait_for_ever,
                                     waiter), 0);
}

TEST(a_sync_a_cancel_and_a_stop_end_waits)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct waiter waiter;
    struct rig rig;

    rig_init(&rig, NULL);
    start_waiter(&waiter, &rig, cancel);
    yl_cancel_now(cancel);
    yl_thread_join(&waiter.thread);
    assert_int_equal(waiter.r, YL_ECANCELED);

    start_waiter(&waiter, &rig, NULL);
    yl_informer_start(rig.informer);
    rig_run(&rig);
    yl_thread_join(&waiter.thread);
    assert_int_equal(waiter.r, 0);
    rig_release(&rig);

    rig_init(&rig, NULL);
    start_waiter(&waiter, &rig, NULL);
    yl_informer_stop(rig.informer);
    yl_thread_join(&waiter.thread);
    assert_int_equal(waiter.r, YL_EUNAVAILABLE);
    rig_release(&rig);
    yl_cancel_unref(cancel);
}
