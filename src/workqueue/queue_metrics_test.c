/* Tests of the metrics of work queues. */

#include "workqueue/queue_metrics.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/clock.h"
#include "yuloh/metrics.h"
#include "yuloh/workqueue.h"

struct fixture {
    struct yl_clock *clock;
    struct yl_metrics *metrics;
    struct yl_workqueue *q;
};

static struct fixture
set_up(void)
{
    struct fixture f = { .clock = yl_clock_fake_new(1000),
                         .metrics = yl_metrics_new() };

    f.q = yl_workqueue_new(&(struct yl_workqueue_opts) {
        .name = "pods", .clock = f.clock, .metrics = f.metrics });
    return f;
}

static void
tear_down(struct fixture *f)
{
    yl_workqueue_free(f->q);
    yl_metrics_free(f->metrics);
    yl_clock_free(f->clock);
}

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}

/* The line 'name'{name="pods"} must have 'value'. */
static void
expect(struct fixture *f, const char *name, const char *value)
{
    struct yl_buf all;
    char line[128];

    yl_buf_init(&all, 1 << 20);
    yl_metrics_render(f->metrics, append, &all);
    snprintf(line, sizeof line, "\n%s{name=\"pods\"} %s\n", name, value);
    if (!strstr(yl_buf_c_str(&all), line)) {
        fail_msg("no line%sin%s", line, yl_buf_c_str(&all));
    }
    yl_buf_release(&all);
}

static struct yl_key
key_of(const char *name)
{
    return yl_key_make(YL_STR("ns"), yl_str_c(name));
}

TEST(depth_and_adds_count_what_is_wanted_at_once)
{
    struct fixture f = set_up();
    struct yl_key a = key_of("a"), b = key_of("b");
    const struct yl_key *key;

    yl_workqueue_add(f.q, &a);
    yl_workqueue_add(f.q, &a);
    yl_workqueue_add_after(f.q, &b, 10);
    expect(&f, "workqueue_adds_total", "1");
    expect(&f, "workqueue_depth", "1");
    expect(&f, "workqueue_retries_total", "1");

    key = yl_workqueue_get(f.q);
    expect(&f, "workqueue_depth", "0");
    yl_workqueue_add(f.q, &a);
    yl_workqueue_add(f.q, &a);
    expect(&f, "workqueue_adds_total", "2");
    expect(&f, "workqueue_depth", "1");
    yl_workqueue_done(f.q, key);
    expect(&f, "workqueue_depth", "1");
    yl_workqueue_done(f.q, yl_workqueue_get(f.q));

    yl_clock_fake_advance(f.clock, 10);
    assert_int_equal(yl_workqueue_len(f.q), 1);
    expect(&f, "workqueue_adds_total", "3");
    expect(&f, "workqueue_depth", "1");
    yl_workqueue_add_rate_limited(f.q, &b);
    expect(&f, "workqueue_retries_total", "2");
    tear_down(&f);
}

TEST(latency_and_work_are_measured)
{
    struct fixture f = set_up();
    struct yl_key a = key_of("a"), b = key_of("b");
    const struct yl_key *key;

    yl_workqueue_add(f.q, &a);
    yl_workqueue_add_after(f.q, &b, 250);
    yl_clock_fake_advance(f.clock, 500);
    key = yl_workqueue_get(f.q);
    expect(&f, "workqueue_queue_duration_seconds_sum", "0.5");
    yl_clock_fake_advance(f.clock, 2000);
    yl_workqueue_done(f.q, key);
    expect(&f, "workqueue_work_duration_seconds_sum", "2");
    expect(&f, "workqueue_work_duration_seconds_count", "1");

    /* Its latency counts from when it was due. */
    key = yl_workqueue_get(f.q);
    expect(&f, "workqueue_queue_duration_seconds_sum", "2.75");
    expect(&f, "workqueue_queue_duration_seconds_count", "2");
    yl_workqueue_done(f.q, key);
    tear_down(&f);
}

TEST(ages_of_keys_that_are_out_are_current)
{
    struct fixture f = set_up();
    struct yl_key a = key_of("a"), b = key_of("b");
    const struct yl_key *first, *second;

    expect(&f, "workqueue_unfinished_work_seconds", "0");
    yl_workqueue_add(f.q, &a);
    yl_workqueue_add(f.q, &b);
    first = yl_workqueue_get(f.q);
    yl_clock_fake_advance(f.clock, 1000);
    second = yl_workqueue_get(f.q);
    yl_clock_fake_advance(f.clock, 500);
    expect(&f, "workqueue_unfinished_work_seconds", "2");
    expect(&f, "workqueue_longest_running_processor_seconds", "1.5");
    yl_workqueue_done(f.q, first);
    expect(&f, "workqueue_unfinished_work_seconds", "0.5");
    expect(&f, "workqueue_longest_running_processor_seconds", "0.5");
    yl_workqueue_done(f.q, second);
    expect(&f, "workqueue_unfinished_work_seconds", "0");
    tear_down(&f);
}

TEST(ages_stand_still_after_a_shutdown)
{
    struct fixture f = set_up();
    struct yl_key a = key_of("a");
    const struct yl_key *key;

    yl_workqueue_add(f.q, &a);
    key = yl_workqueue_get(f.q);
    yl_clock_fake_advance(f.clock, 1000);
    expect(&f, "workqueue_unfinished_work_seconds", "1");
    yl_workqueue_shut_down(f.q);
    yl_clock_fake_advance(f.clock, 1000);
    expect(&f, "workqueue_unfinished_work_seconds", "1");
    yl_workqueue_done(f.q, key);
    expect(&f, "workqueue_work_duration_seconds_sum", "2");
    tear_down(&f);
}

TEST(a_snapshot_says_since_when_a_key_is_out)
{
    struct fixture f = set_up();
    struct yl_arena *arena = yl_arena_new();
    const struct yl_workqueue_entry *entries;
    struct yl_key a = key_of("a");
    const struct yl_key *key;

    yl_workqueue_add(f.q, &a);
    yl_clock_fake_advance(f.clock, 5);
    key = yl_workqueue_get(f.q);
    yl_clock_fake_advance(f.clock, 7);
    assert_int_equal(yl_workqueue_snapshot(f.q, 10, arena, &entries), 1);
    assert_int_equal(entries[0].since, 1005);
    assert_int_equal(entries[0].state, YL_WORKQUEUE_OUT);
    yl_workqueue_done(f.q, key);
    yl_arena_free(arena);
    tear_down(&f);
}
