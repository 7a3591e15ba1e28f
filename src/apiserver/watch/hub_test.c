/* Tests of the hub. */

#include "apiserver/watch/hub.h"

#include "keyspace_unit.h"
#include "apiserver/watch/class.h"
#include "net/loop.h"
#include "unit.h"

/* More than run in a turn with one other callback. */
#define N_CHORES (YL_LOOP_CHORES + 2 * YL_LOOP_CHORES_EACH)

struct sleeper {
    struct yl_watcher watcher;
    struct yl_clock *clock;
    yl_msec takes;              /* What serving it costs the loop. */
    struct fixture *writes;     /* If not NULL: new news come meanwhile. */
    struct yl_loop *loop;
    struct yl_loop_chore chores[N_CHORES];
    int n_news;
};

struct rig {
    struct fixture f;
    struct yl_clock *clock;
    struct yl_loop *loop;
    struct yl_watch_hub *hub;
    struct sleeper sleeper;
};

static void
do_nothing(struct yl_loop_chore *chore YL_UNUSED)
{
}

static void
on_news(struct yl_watcher *watcher)
{
    struct sleeper *s = YL_CONTAINER_OF(watcher, struct sleeper, watcher);
    char name[16];
    size_t i;

    s->n_news++;
    yl_clock_fake_advance(s->clock, s->takes);
    for (i = 0; i < N_CHORES; i++) {
        yl_loop_defer(s->loop, &s->chores[i]);
    }
    if (s->writes) {
        snprintf(name, sizeof name, "late-%d", s->n_news);
        put(s->writes, "a", name, "1", 0, NULL);
    }
}

static void
rig_init(struct rig *rig, yl_msec takes)
{
    fixture_init(&rig->f, NULL);
    rig->clock = yl_clock_fake_new(1000);
    assert_int_equal(yl_loop_new(rig->clock, &rig->loop, NULL), 0);
    rig->hub = yl_watch_hub_new();
    rig->sleeper = (struct sleeper) {
        .watcher.news = on_news, .clock = rig->clock, .takes = takes,
        .loop = rig->loop,
    };
    for (size_t i = 0; i < N_CHORES; i++) {
        yl_list_init(&rig->sleeper.chores[i].node);
        rig->sleeper.chores[i].run = do_nothing;
    }
    yl_watch_hub_add(rig->hub, rig->loop, rig->f.pods,
                     &rig->sleeper.watcher);
}

static void
rig_release(struct rig *rig)
{
    yl_watch_hub_remove(rig->hub, &rig->sleeper.watcher);
    yl_loop_free(rig->loop);
    yl_watch_hub_free(rig->hub);
    yl_clock_free(rig->clock);
    fixture_release(&rig->f);
}

static void
turn(struct rig *rig, int n)
{
    while (n--) {
        yl_loop_turn(rig->loop, false);
    }
}

TEST(a_write_wakes_the_watchers_of_its_resource_once)
{
    struct rig rig;

    rig_init(&rig, 0);
    assert_int_equal(yl_watch_hub_count(rig.hub), 1);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 0);
    put(&rig.f, NULL, "other", "1", 0, NULL);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 0);
    put(&rig.f, "a", "x", "1", 0, NULL);
    put(&rig.f, "a", "y", "1", 0, NULL);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 1);
    put(&rig.f, "a", "z", "1", 0, NULL);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 2);
    rig_release(&rig);
}

TEST(a_class_wakes_a_lane_like_a_write)
{
    struct yl_watch_waiter *waiter;
    struct rig rig;

    rig_init(&rig, 0);
    waiter = yl_watcher_waiter(&rig.sleeper.watcher);
    waiter->wake(waiter);
    waiter->wake(waiter);
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 1);
    waiter->wake(waiter);
    turn(&rig, 1);
    assert_int_equal(rig.sleeper.n_news, 2);
    rig_release(&rig);
}

TEST(news_for_idle_watchers_go_out_at_once)
{
    struct rig rig;
    char name[16];
    int i;

    rig_init(&rig, 20);
    for (i = 1; i <= 5; i++) {
        snprintf(name, sizeof name, "n%d", i);
        put(&rig.f, "a", name, "1", 0, NULL);
        turn(&rig, 1);
        assert_int_equal(rig.sleeper.n_news, i);
        turn(&rig, 1);          /* They were served. */
    }
    rig_release(&rig);
}

TEST(a_lane_that_is_always_late_rests_longer_and_longer)
{
    static const yl_msec rests[] = { 0, 10, 20, 30, 30 };
    struct rig rig;
    size_t i;

    rig_init(&rig, 10);
    rig.sleeper.writes = &rig.f;
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 1);
    for (i = 0; i < YL_ARRAY_SIZE(rests); i++) {
        int n = (int) i + 2;

        turn(&rig, 2);          /* The round ends, and there is news. */
        if (rests[i]) {
            yl_clock_fake_advance(rig.clock, rests[i] - 1);
            turn(&rig, 2);
            assert_int_equal(rig.sleeper.n_news, n - 1);
            yl_clock_fake_advance(rig.clock, 1);
            turn(&rig, 1);
        }
        assert_int_equal(rig.sleeper.n_news, n);
    }
    /* A round without news ends it: the next goes out at once. */
    rig.sleeper.writes = NULL;
    turn(&rig, 2);
    yl_clock_fake_advance(rig.clock, 30);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 7);
    yl_clock_fake_advance(rig.clock, 100);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 7);
    put(&rig.f, "a", "y", "1", 0, NULL);
    turn(&rig, 1);
    assert_int_equal(rig.sleeper.n_news, 8);
    rig_release(&rig);
}

TEST(news_that_come_while_watchers_are_served_are_not_lost)
{
    struct rig rig;

    rig_init(&rig, 0);
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 1);              /* 'served' is to come in the next turn. */
    put(&rig.f, "a", "y", "1", 0, NULL);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 2);
    rig_release(&rig);
}

TEST(no_rest_is_longer_than_50_ms)
{
    struct rig rig;

    rig_init(&rig, 1000);
    rig.sleeper.writes = &rig.f;
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 4);
    assert_int_equal(rig.sleeper.n_news, 2);
    yl_clock_fake_advance(rig.clock, 49);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 2);
    yl_clock_fake_advance(rig.clock, 1);
    turn(&rig, 1);
    assert_int_equal(rig.sleeper.n_news, 3);
    rig_release(&rig);
}
