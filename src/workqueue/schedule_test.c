/* Tests of the schedule. */

#include "workqueue/schedule.h"

#include "unit.h"
#include "yuloh/arena.h"


static struct yl_key
key_of(const char *name)
{
    return yl_key_make(YL_STR("ns"), yl_str_c(name));
}

static enum yl_schedule_change
add(struct yl_schedule *schedule, const char *name, yl_msec when, int priority)
{
    struct yl_key key = key_of(name);

    return yl_schedule_add(
        schedule, yl_schedule_find_or_add(schedule, &key, yl_key_hash(&key)),
        when, priority, 0);
}

/* Takes what is next and puts it back. */
static void
expect(struct yl_schedule *schedule, const char *name)
{
    struct yl_work *work = yl_schedule_take(schedule, 0);

    assert_non_null(work);
    assert_str_equal(work->key.namespace_, "ns");
    assert_str_equal(work->key.name, name);
    yl_schedule_put_back(schedule, work, 0, 0);
}

TEST(ready_keys_come_in_order)
{
    struct yl_schedule schedule;

    yl_schedule_init(&schedule, NULL);
    assert_int_equal(add(&schedule, "b", YL_AT_ONCE, 0), YL_SCHEDULE_READY);
    assert_int_equal(add(&schedule, "a", YL_AT_ONCE, 0), YL_SCHEDULE_READY);
    assert_int_equal(add(&schedule, "b", YL_AT_ONCE, 0), YL_SCHEDULE_SAME);
    expect(&schedule, "b");
    expect(&schedule, "a");
    assert_null(yl_schedule_take(&schedule, 0));
    assert_true(yl_map_is_empty(&schedule.works));
    yl_schedule_release(&schedule);
}

TEST(higher_priorities_come_first)
{
    struct yl_schedule schedule;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "low", YL_AT_ONCE, -100);
    add(&schedule, "plain-1", YL_AT_ONCE, 0);
    add(&schedule, "high-1", YL_AT_ONCE, 5);
    add(&schedule, "plain-2", YL_AT_ONCE, 0);
    add(&schedule, "high-2", YL_AT_ONCE, 5);
    add(&schedule, "highest", YL_AT_ONCE, INT32_MAX);
    add(&schedule, "lowest", YL_AT_ONCE, INT32_MIN);
    expect(&schedule, "highest");
    expect(&schedule, "high-1");
    expect(&schedule, "high-2");
    expect(&schedule, "plain-1");
    expect(&schedule, "plain-2");
    expect(&schedule, "low");
    expect(&schedule, "lowest");
    yl_schedule_release(&schedule);
}

TEST(of_several_priorities_the_highest_wins)
{
    struct yl_schedule schedule;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "plain", YL_AT_ONCE, 0);
    add(&schedule, "raised", YL_AT_ONCE, -1);
    add(&schedule, "raised", YL_AT_ONCE, 7);
    add(&schedule, "raised", YL_AT_ONCE, 3);
    add(&schedule, "also", YL_AT_ONCE, 0);
    add(&schedule, "also", YL_AT_ONCE, 8);
    add(&schedule, "later", 50, 1);
    add(&schedule, "later", 60, 9);
    add(&schedule, "to-plain", YL_AT_ONCE, -3);
    add(&schedule, "to-plain", YL_AT_ONCE, 0);
    yl_schedule_promote(&schedule, 50);
    expect(&schedule, "later");
    expect(&schedule, "also");
    expect(&schedule, "raised");
    expect(&schedule, "plain");
    expect(&schedule, "to-plain");
    assert_null(yl_schedule_take(&schedule, 0));
    yl_schedule_release(&schedule);
}

TEST(of_several_times_the_earliest_wins)
{
    struct yl_schedule schedule;

    yl_schedule_init(&schedule, NULL);
    assert_int_equal(yl_schedule_next(&schedule), YL_NEVER);
    assert_int_equal(add(&schedule, "a", 50, 0), YL_SCHEDULE_SOONER);
    assert_int_equal(add(&schedule, "b", 60, 0), YL_SCHEDULE_SAME);
    assert_int_equal(add(&schedule, "b", 40, 0), YL_SCHEDULE_SOONER);
    assert_int_equal(add(&schedule, "a", 70, 0), YL_SCHEDULE_SAME);
    assert_int_equal(yl_schedule_next(&schedule), 40);
    yl_schedule_promote(&schedule, 39);
    assert_null(yl_schedule_take(&schedule, 0));
    yl_schedule_promote(&schedule, 40);
    expect(&schedule, "b");
    assert_null(yl_schedule_take(&schedule, 0));
    assert_int_equal(add(&schedule, "a", YL_AT_ONCE, 0), YL_SCHEDULE_READY);
    assert_int_equal(add(&schedule, "a", 80, 0), YL_SCHEDULE_SAME);
    expect(&schedule, "a");
    yl_schedule_promote(&schedule, YL_NEVER);
    assert_null(yl_schedule_take(&schedule, 0));
    yl_schedule_release(&schedule);
}

TEST(what_is_added_while_it_is_out_comes_again)
{
    struct yl_schedule schedule;
    struct yl_work *work;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "a", YL_AT_ONCE, 4);
    work = yl_schedule_take(&schedule, 0);
    assert_int_equal(add(&schedule, "a", 90, 1), YL_SCHEDULE_SAME);
    assert_int_equal(add(&schedule, "a", 80, -1), YL_SCHEDULE_SAME);
    assert_int_equal(work->priority, 4);
    assert_null(yl_schedule_take(&schedule, 0));
    assert_int_equal(yl_schedule_put_back(&schedule, work, 10, 0),
                     YL_SCHEDULE_SOONER);
    assert_int_equal(yl_schedule_next(&schedule), 80);
    yl_schedule_promote(&schedule, 80);
    work = yl_schedule_take(&schedule, 0);
    assert_int_equal(work->priority, 1);

    /* The time comes while it is out. */
    add(&schedule, "a", 95, 0);
    assert_int_equal(yl_schedule_put_back(&schedule, work, 95, 0),
                     YL_SCHEDULE_READY);
    work = yl_schedule_take(&schedule, 0);
    add(&schedule, "a", 200, -5);
    add(&schedule, "a", YL_AT_ONCE, -7);
    assert_int_equal(yl_schedule_put_back(&schedule, work, 100, 0),
                     YL_SCHEDULE_READY);
    work = yl_schedule_take(&schedule, 0);
    assert_int_equal(work->priority, -5);
    assert_int_equal(yl_schedule_put_back(&schedule, work, 100, 0),
                     YL_SCHEDULE_SAME);
    assert_true(yl_map_is_empty(&schedule.works));
    yl_schedule_release(&schedule);
}

TEST(failures_keep_a_work_until_they_are_forgotten)
{
    struct yl_schedule schedule;
    struct yl_key key = key_of("a");
    struct yl_work *work;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "a", YL_AT_ONCE, 0);
    work = yl_schedule_find(&schedule, &key, yl_key_hash(&key));
    work->n_requeues = 3;
    expect(&schedule, "a");
    assert_ptr_equal(yl_schedule_find(&schedule, &key, yl_key_hash(&key)),
                     work);
    work->n_requeues = 0;
    yl_schedule_free_if_unused(&schedule, work);
    assert_null(yl_schedule_find(&schedule, &key, yl_key_hash(&key)));
    yl_schedule_release(&schedule);
}

TEST(dropping_keeps_what_is_due)
{
    struct yl_schedule schedule;
    struct yl_work *a, *b, *c;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "a", YL_AT_ONCE, 0);
    add(&schedule, "b", YL_AT_ONCE, 0);
    add(&schedule, "c", YL_AT_ONCE, 0);
    a = yl_schedule_take(&schedule, 0);
    b = yl_schedule_take(&schedule, 0);
    c = yl_schedule_take(&schedule, 0);
    add(&schedule, "a", 11, 0);
    add(&schedule, "b", 10, 0);
    add(&schedule, "c", YL_AT_ONCE, 0);
    add(&schedule, "due", 9, 0);
    add(&schedule, "late", 12, 0);
    yl_schedule_drop_waiting(&schedule, 10);
    yl_schedule_put_back(&schedule, a, 100, 0);
    yl_schedule_put_back(&schedule, b, 100, 0);
    yl_schedule_put_back(&schedule, c, 100, 0);
    expect(&schedule, "due");
    expect(&schedule, "b");
    expect(&schedule, "c");
    yl_schedule_promote(&schedule, 1000);
    assert_null(yl_schedule_take(&schedule, 0));
    assert_true(yl_map_is_empty(&schedule.works));
    yl_schedule_release(&schedule);
}

/* Keys that are longer than what is kept for the next one, and more keys than
 * are kept. */
TEST(keys_may_be_long_and_many)
{
    struct yl_schedule schedule;
    char name[400];
    int i, round;

    yl_schedule_init(&schedule, NULL);
    for (round = 0; round < 3; round++) {
        for (i = 1; i < 390; i++) {
            memset(name, 'a' + i % 26, (size_t) i);
            name[i] = '\0';
            add(&schedule, name, YL_AT_ONCE, 0);
        }
        for (i = 1; i < 390; i++) {
            memset(name, 'a' + i % 26, (size_t) i);
            name[i] = '\0';
            expect(&schedule, name);
        }
    }
    yl_schedule_release(&schedule);
}

TEST(snapshot_lists_in_the_order_of_coming_out)
{
    static const char *const wants[] = {
        "out", "high", "plain", "low", "at-10", "at-20", "at-30", "at-40",
        "at-50", "idle",
    };
    struct yl_schedule schedule;
    struct yl_arena *arena = yl_arena_new();
    const struct yl_workqueue_entry *entries;
    struct yl_key idle = key_of("idle");
    struct yl_work *out;
    size_t i, max, n;

    yl_schedule_init(&schedule, NULL);
    add(&schedule, "out", YL_AT_ONCE, 0);
    out = yl_schedule_take(&schedule, 0);
    add(&schedule, "out", 33, 0);
    add(&schedule, "at-30", 30, 0);
    add(&schedule, "at-50", 50, 0);
    add(&schedule, "at-20", 20, 0);
    add(&schedule, "at-10", 10, 0);
    add(&schedule, "at-40", 40, 2);
    add(&schedule, "low", YL_AT_ONCE, -1);
    add(&schedule, "plain", YL_AT_ONCE, 0);
    add(&schedule, "high", YL_AT_ONCE, 1);
    yl_schedule_find_or_add(&schedule, &idle, yl_key_hash(&idle))->n_requeues
        = 3;
    for (max = 0; max <= YL_ARRAY_SIZE(wants) + 1; max++) {
        n = yl_schedule_snapshot(&schedule, max, arena, &entries);
        assert_int_equal(n, max < YL_ARRAY_SIZE(wants) ? max
                                                       : YL_ARRAY_SIZE(wants));
        for (i = 0; i < n; i++) {
            assert_str_equal(entries[i].key->name, wants[i]);
        }
    }
    assert_int_equal(entries[0].state, YL_WORKQUEUE_OUT);
    assert_int_equal(entries[0].when, 33);
    assert_int_equal(entries[1].state, YL_WORKQUEUE_READY);
    assert_int_equal(entries[1].priority, 1);
    assert_int_equal(entries[4].state, YL_WORKQUEUE_WAITING);
    assert_int_equal(entries[4].when, 10);
    assert_int_equal(entries[9].state, YL_WORKQUEUE_IDLE);
    assert_int_equal(entries[9].n_requeues, 3);
    yl_schedule_put_back(&schedule, out, 0, 0);
    yl_schedule_release(&schedule);
    yl_arena_free(arena);
}
