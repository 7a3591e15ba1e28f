/* Tests of what is known of keys. */

#include "controller/keys.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_keys keys;
static struct yl_arena *arena;
static struct yl_key a, b;
static uint64_t shown[2];       /* How far the caches of two sources are. */
static unsigned n_woken;
static struct yl_key woken;     /* The last one. */

static void
begin(void)
{
    arena = yl_arena_new();
    yl_keys_init(&keys, 2);
    a = yl_key_make(YL_STR("default"), YL_STR("a"));
    b = yl_key_make(YL_STR("default"), YL_STR("b"));
    shown[0] = shown[1] = 0;
    n_woken = 0;
}

static void
end(void)
{
    yl_keys_release(&keys);
    yl_arena_free(arena);
}

static bool
is_shown(void *aux YL_UNUSED, const struct yl_await *await)
{
    return shown[await->source] >= await->revision;
}

static void
wake(void *aux YL_UNUSED, const struct yl_key *key)
{
    n_woken++;
    woken = *yl_key_copy(key, arena);
}

static void
note(const struct yl_key *key, enum yl_reason_type type, const char *kind,
     const struct yl_key *object, uint64_t revision)
{
    yl_keys_note(&keys, key, &(struct yl_reason) {
        .type = type, .kind = kind, .object = *object,
        .revision = revision });
}

static bool
take(const struct yl_key *key, yl_msec now, struct yl_taken *taken)
{
    return yl_keys_take(&keys, key, now, is_shown, NULL, arena, taken);
}

static void
done(const struct yl_key *key, int code, const struct yl_await *awaits,
     size_t n)
{
    yl_keys_done(&keys, key, &(struct yl_outcome) {
        .code = code, .message = "it broke", .awaits = awaits, .n_awaits = n,
        .await_until = 1000 });
}

static void
seen(unsigned source, uint64_t revision)
{
    shown[source] = revision;
    yl_keys_seen(&keys, source, revision, wake, NULL);
}

TEST(the_first_reason_is_told_and_how_many_more)
{
    struct yl_taken taken;

    begin();
    note(&a, YL_REASON_MODIFIED, "Deployment", &b, 7);
    note(&a, YL_REASON_ADDED, "Foo", &a, 8);
    note(&b, YL_REASON_LISTED, "Foo", &b, 9);
    assert_true(take(&a, 0, &taken));
    assert_string_equal(taken.reason,
                        "Deployment default/b modified at 7, and 1 more");
    assert_true(take(&b, 0, &taken));
    assert_string_equal(taken.reason, "Foo default/b listed at 9");
    assert_true(take(&b, 0, &taken));
    assert_string_equal(taken.reason, "somebody asked for it");
    end();
}

TEST(a_key_waits_for_its_own_writes)
{
    const struct yl_await awaits[] = {
        { .source = 0, .object = a, .revision = 10 },
        { .source = 1, .object = b, .revision = 12 },
    };
    struct yl_taken taken;

    begin();
    done(&a, 0, awaits, 2);
    note(&a, YL_REASON_ADDED, "Foo", &a, 8);
    assert_false(take(&a, 0, &taken));
    assert_int_equal(taken.until, 1000);
    assert_int_equal(yl_keys_n_parked(&keys), 1);
    seen(0, 9);
    assert_int_equal(n_woken, 0);
    seen(0, 10);
    assert_int_equal(n_woken, 1);
    assert_true(yl_key_equal(&woken, &a));

    /* The other one is not seen yet. */
    assert_false(take(&a, 0, &taken));
    seen(0, 20);
    assert_int_equal(n_woken, 1);
    seen(1, 30);
    assert_int_equal(n_woken, 2);
    assert_true(take(&a, 0, &taken));
    assert_false(taken.gave_up);
    assert_string_equal(taken.reason, "Foo default/a added at 8");
    assert_int_equal(yl_keys_n_parked(&keys), 0);
    end();
}

TEST(a_write_that_was_seen_meanwhile_delays_nobody)
{
    const struct yl_await await = { .source = 0, .object = a, .revision = 10 };
    struct yl_taken taken;

    begin();
    shown[0] = 10;
    done(&a, 0, &await, 1);
    assert_true(take(&a, 0, &taken));
    end();
}

TEST(a_key_does_not_wait_for_ever)
{
    const struct yl_await await = { .source = 0, .object = a, .revision = 10 };
    struct yl_taken taken;

    begin();
    done(&a, 0, &await, 1);
    assert_false(take(&a, 999, &taken));
    assert_true(take(&a, 1000, &taken));
    assert_true(taken.gave_up);
    assert_true(take(&a, 1000, &taken));
    assert_false(taken.gave_up);
    end();
}

TEST(errors_are_remembered_until_a_success)
{
    const struct yl_key_status *statuses;

    begin();
    done(&a, YL_EINVALID, NULL, 0);
    done(&a, YL_EUNAVAILABLE, NULL, 0);
    done(&b, 0, NULL, 0);
    assert_int_equal(yl_keys_snapshot(&keys, 10, arena, &statuses), 1);
    assert_true(yl_key_equal(statuses[0].key, &a));
    assert_string_equal(statuses[0].error, "it broke");
    assert_int_equal(statuses[0].code, YL_EUNAVAILABLE);
    assert_int_equal(statuses[0].n_failures, 2);
    assert_null(statuses[0].await);
    done(&a, 0, NULL, 0);
    assert_int_equal(yl_keys_snapshot(&keys, 10, arena, &statuses), 0);
    end();
}

TEST(the_status_shows_what_a_key_waits_for)
{
    const struct yl_await await = { .source = 1, .object = b,
                                    .revision = 10 };
    const struct yl_key_status *statuses;
    struct yl_taken taken;

    begin();
    done(&a, 0, &await, 1);
    assert_false(take(&a, 0, &taken));
    assert_int_equal(yl_keys_snapshot(&keys, 10, arena, &statuses), 1);
    assert_non_null(statuses[0].await);
    assert_true(yl_key_equal(&statuses[0].await->object, &b));
    assert_int_equal(statuses[0].await->revision, 10);
    end();
}

TEST(what_is_not_remembered_takes_no_memory)
{
    struct yl_taken taken;

    begin();
    note(&a, YL_REASON_ADDED, "Foo", &a, 8);
    assert_true(take(&a, 0, &taken));
    done(&a, 0, NULL, 0);
    done(&b, YL_EINVALID, NULL, 0);
    assert_true(take(&b, 0, &taken));
    done(&b, 0, NULL, 0);
    yl_mutex_lock(&keys.lock);
    assert_int_equal(yl_map_count(&keys.entries), 0);
    yl_mutex_unlock(&keys.lock);
    end();
}

/* A key that is never at rest: it is out, then waits for its write, then is
 * ready. */
static atomic_uint n_queued;    /* Ready or out. */
static atomic_bool is_over;

static void
wake_one(void *aux YL_UNUSED, const struct yl_key *key YL_UNUSED)
{
    n_queued++;
}

static void
go_round(void *aux YL_UNUSED)
{
    struct yl_taken taken;
    uint64_t i;

    for (i = 1; i <= 300; i++) {
        const struct yl_await await = { .source = 0, .object = a,
                                        .revision = i };

        done(&a, 0, &await, 1);
        assert_false(take(&a, 0, &taken));
        n_queued--;
        sched_yield();
        shown[0] = i;
        yl_keys_seen(&keys, 0, i, wake_one, NULL);
        assert_true(take(&a, 0, &taken));
        yl_arena_clear(arena);
    }
    is_over = true;
}

static bool
is_nothing_queued(void *aux YL_UNUSED)
{
    bool idle = n_queued == 0;

    sched_yield();              /* Whatever may happen now, happens. */
    return idle;
}

TEST(a_key_that_is_woken_is_never_taken_for_idle)
{
    struct yl_thread thread;

    begin();
    assert_true(yl_keys_are_idle(&keys, is_nothing_queued, NULL));
    n_queued = 1;
    is_over = false;
    assert_int_equal(yl_thread_start(&thread, "round", go_round, NULL), 0);
    while (!is_over) {
        assert_false(yl_keys_are_idle(&keys, is_nothing_queued, NULL));
    }
    yl_thread_join(&thread);
    end();
}
