/* Tests of listeners. */

#include "apiserver/keyspace/keyspace.h"

#include <stdatomic.h>

#include "keyspace_unit.h"
#include "base/thread.h"

struct counter {
    struct yl_ks_listener listener;
    atomic_int n;
};

static void
count(struct yl_ks_listener *listener)
{
    struct counter *counter = YL_CONTAINER_OF(listener, struct counter,
                                              listener);

    atomic_fetch_add(&counter->n, 1);
}

KS_TEST(a_listener_is_woken_once_until_it_is_ready)
{
    struct counter a = { .listener.wake = count };
    struct counter b = { .listener.wake = count };
    struct fixture f;

    fixture_init(&f, NULL);
    yl_ks_listen(f.pods, &a.listener);
    yl_ks_listen(f.pods, &b.listener);
    put(&f, "a", "x", "1", 0, NULL);
    assert_int_equal(atomic_load(&a.n), 1);
    put(&f, "a", "y", "1", 0, NULL);
    assert_int_equal(atomic_load(&a.n), 1);
    yl_ks_listener_ready(f.pods, &a.listener);
    put(&f, NULL, "other", "1", 0, NULL);
    assert_int_equal(atomic_load(&a.n), 1);
    put(&f, "a", "z", "1", 0, NULL);
    assert_int_equal(atomic_load(&a.n), 2);
    assert_int_equal(atomic_load(&b.n), 1);
    yl_ks_unlisten(f.pods, &b.listener);
    yl_ks_listener_ready(f.pods, &a.listener);
    put(&f, "a", "w", "1", 0, NULL);
    assert_int_equal(atomic_load(&a.n), 3);
    assert_int_equal(atomic_load(&b.n), 1);
    yl_ks_unlisten(f.pods, &a.listener);
    fixture_release(&f);
}

/* A listener whose 'wake' waits for the test. */
struct slow {
    struct yl_ks_listener listener;
    struct yl_mutex lock;
    struct yl_cond changed;
    bool is_in, may_leave, has_left;
};

static void
wait_in_wake(struct yl_ks_listener *listener)
{
    struct slow *slow = YL_CONTAINER_OF(listener, struct slow, listener);

    yl_mutex_lock(&slow->lock);
    slow->is_in = true;
    yl_cond_broadcast(&slow->changed);
    while (!slow->may_leave) {
        yl_cond_wait(&slow->changed, &slow->lock);
    }
    slow->has_left = true;
    yl_mutex_unlock(&slow->lock);
}

static void
let_leave(void *arg)
{
    struct slow *slow = arg;

    yl_mutex_lock(&slow->lock);
    slow->may_leave = true;
    yl_cond_broadcast(&slow->changed);
    yl_mutex_unlock(&slow->lock);
}

static void
ignore(struct yl_ks_write *write)
{
    yl_object_unref(write->object);
}

KS_TEST(taking_one_away_waits_for_its_call)
{
    struct slow slow = { .listener.wake = wait_in_wake };
    struct yl_ks_write write;
    struct yl_thread thread;
    struct fixture f;

    fixture_init(&f, NULL);
    yl_mutex_init(&slow.lock);
    yl_cond_init(&slow.changed);
    yl_ks_listen(f.pods, &slow.listener);
    write = (struct yl_ks_write) {
        .resource = f.pods,
        .key = key_of("a", "x"),
        .object = object_of("a", "x", "1"),
        .done = ignore,
    };
    yl_keyspace_write(f.ks, &write);
    yl_mutex_lock(&slow.lock);
    while (!slow.is_in) {
        yl_cond_wait(&slow.changed, &slow.lock);
    }
    yl_mutex_unlock(&slow.lock);

    /* What was published can be read while it is called. */
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), NULL, NULL), 0);
    assert_int_equal(yl_thread_start(&thread, "leave", let_leave, &slow), 0);
    yl_ks_unlisten(f.pods, &slow.listener);
    assert_true(slow.has_left);
    yl_thread_join(&thread);
    fixture_release(&f);
    yl_cond_destroy(&slow.changed);
    yl_mutex_destroy(&slow.lock);
}
