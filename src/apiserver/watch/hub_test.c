/* Tests of the hub. */

#include "apiserver/watch/hub.h"

#include "apiserver/keyspace/testing.h"
#include "net/loop.h"
#include "unit.h"

struct sleeper {
    struct yl_watcher watcher;
    struct yl_clock *clock;
    yl_msec takes;              /* What serving it costs the loop. */
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
on_news(struct yl_watcher *watcher)
{
    struct sleeper *s = YL_CONTAINER_OF(watcher, struct sleeper, watcher);

    s->n_news++;
    yl_clock_fake_advance(s->clock, s->takes);
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
    };
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

TEST(a_lane_rests_as_long_as_its_watchers_took)
{
    struct rig rig;

    rig_init(&rig, 20);
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 1);
    put(&rig.f, "a", "y", "1", 0, NULL);
    turn(&rig, 3);
    yl_clock_fake_advance(rig.clock, 19);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 1);
    yl_clock_fake_advance(rig.clock, 1);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 2);
    /* Nothing was written while it rests: it stays quiet. */
    yl_clock_fake_advance(rig.clock, 100);
    turn(&rig, 3);
    assert_int_equal(rig.sleeper.n_news, 2);
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
    put(&rig.f, "a", "x", "1", 0, NULL);
    turn(&rig, 2);
    put(&rig.f, "a", "y", "1", 0, NULL);
    yl_clock_fake_advance(rig.clock, 50);
    turn(&rig, 2);
    assert_int_equal(rig.sleeper.n_news, 2);
    rig_release(&rig);
}
