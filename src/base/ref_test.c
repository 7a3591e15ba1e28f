/* Tests of the reference count. */

#include "base/ref.h"

#include <pthread.h>

#include "unit.h"

TEST(last_put_says_so)
{
    struct yl_ref ref = YL_REF_INIT;

    assert_true(yl_ref_is_last(&ref));
    yl_ref_get(&ref);
    assert_false(yl_ref_is_last(&ref));
    assert_int_equal(yl_ref_count(&ref), 2);
    assert_false(yl_ref_put(&ref));
    assert_true(yl_ref_put(&ref));
}

static void
get(void *ref)
{
    yl_ref_get(ref);
}

static void
put(void *ref)
{
    if (yl_ref_put(ref)) {
        fail();
    }
}

TEST(count_never_wraps)
{
    struct yl_ref dead = { 0 }, full = { YL_REF_MAX };

    assert_aborts(get, &dead, "yuloh: bug: reference taken when there were 0");
    assert_aborts(put, &dead,
                  "yuloh: bug: reference let go when there were 0");
    assert_aborts(get, &full, "bug: reference taken");
    assert_false(yl_ref_put(&full));
}

#define N_THREADS 4

struct shared {
    struct yl_ref ref;
    int written[N_THREADS];     /* By each holder, before its put. */
    int sum;                    /* By the last one. */
};

struct holder {
    struct shared *shared;
    int number;
};

static void *
hold(void *holder_)
{
    struct holder *holder = holder_;
    struct shared *shared = holder->shared;
    int i;

    for (i = 0; i < 1000; i++) {
        yl_ref_get(&shared->ref);
        put(&shared->ref);
    }
    shared->written[holder->number] = 1;
    if (yl_ref_put(&shared->ref)) {
        for (i = 0; i < N_THREADS; i++) {
            shared->sum += shared->written[i];
        }
    }
    return NULL;
}

TEST(last_holder_sees_what_all_others_wrote)
{
    struct shared shared = { .ref = YL_REF_INIT };
    struct holder holders[N_THREADS];
    pthread_t threads[N_THREADS];
    int i;

    for (i = 1; i < N_THREADS; i++) {
        yl_ref_get(&shared.ref);
    }
    for (i = 0; i < N_THREADS; i++) {
        holders[i] = (struct holder) { &shared, i };
        pthread_create(&threads[i], NULL, hold, &holders[i]);
    }
    for (i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    assert_int_equal(shared.sum, N_THREADS);
}
