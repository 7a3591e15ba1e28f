/* Tests of controller/event_correlator.h. */

#include "controller/event_correlator.h"

#include "unit.h"

#define SECOND ((yl_msec) 1000)
#define MINUTE (60 * SECOND)

static const struct yl_event_source source = {
    YL_STR_INIT("test"), YL_STR_INIT(""),
};

static struct yl_event_correlator *correlator;
static yl_msec now;
static struct yl_event_series series;
static char series_name[YL_EVENT_NAME_SIZE];
static char series_message[2048];

static void
begin(const struct yl_event_correlator_opts *opts)
{
    correlator = yl_event_correlator_new(opts);
    now = 1000;
}

static void
end(void)
{
    yl_event_correlator_free(correlator);
}

static enum yl_event_verdict
see_typed(const char *name, const char *type, const char *reason,
          const char *message)
{
    struct yl_event_subject s = {
        .api_version = YL_STR("v1"), .kind = YL_STR("Pod"),
        .key = { YL_STR("d"), yl_str_c(name) }, .uid = YL_STR("u"),
    };
    struct yl_event *event = yl_event_new(
        &s, yl_str_c(type), yl_str_c(reason), yl_str_c(message),
        (struct yl_time) { now / 1000, 0 });
    enum yl_event_verdict verdict = yl_event_correlate(
        correlator, event, &source, now, &series);

    if (verdict != YL_EVENT_SKIP) {
        snprintf(series_name, sizeof series_name, "%s", series.name);
        snprintf(series_message, sizeof series_message, "%.*s",
                 YL_STR_ARG(series.message));
    }
    free(event);
    return verdict;
}

static enum yl_event_verdict
see(const char *name, const char *reason, const char *message)
{
    return see_typed(name, "Normal", reason, message);
}

static const struct yl_event_correlator_opts no_limits = {
    .burst = 1000000, .max_similar = 1000,
};

TEST(an_equal_event_is_counted)
{
    char name[YL_EVENT_NAME_SIZE];

    begin(&no_limits);
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_CREATE);
    assert_int_equal(series.count, 1);
    snprintf(name, sizeof name, "%s", series_name);
    now += 5 * SECOND;
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_PATCH);
    assert_int_equal(series.count, 2);
    assert_int_equal(series.first.seconds, 1);
    assert_string_equal(series_name, name);
    assert_string_equal(series_message, "m");
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_PATCH);
    assert_int_equal(series.count, 3);
    end();
}

TEST(events_that_differ_are_not_counted_together)
{
    begin(&no_limits);
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("b", "Started", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("a", "Stopped", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("a", "Started", "n"), YL_EVENT_CREATE);
    assert_int_equal(see_typed("a", "Warning", "Started", "m"),
                     YL_EVENT_CREATE);

    /* What is next to each other is not the same. */
    assert_int_equal(see("a", "Starte", "dm"), YL_EVENT_CREATE);
    end();
}

TEST(ten_similar_events_are_combined)
{
    char message[32];
    int i;

    begin(&(struct yl_event_correlator_opts) { .burst = 1000 });
    for (i = 1; i <= 30; i++) {
        enum yl_event_verdict verdict;

        snprintf(message, sizeof message, "message %d", i);
        now += SECOND;
        verdict = see("a", "Started", message);
        if (i < 10) {
            assert_int_equal(verdict, YL_EVENT_CREATE);
            assert_string_equal(series_message, message);
        } else {
            assert_int_equal(verdict, i == 10 ? YL_EVENT_CREATE
                                              : YL_EVENT_PATCH);
            assert_int_equal(series.count, i - 9);
            assert_memory_equal(series_message,
                                "(combined from similar events): message ",
                                40);
            assert_string_equal(series_message + 32, message);
        }
    }

    /* Others are not. */
    assert_int_equal(see("a", "Stopped", "m"), YL_EVENT_CREATE);
    assert_string_equal(series_message, "m");
    end();
}

TEST(equal_events_are_not_similar_ones)
{
    int i;

    begin(&(struct yl_event_correlator_opts) { .burst = 1000 });
    for (i = 0; i < 30; i++) {
        see("a", "Started", "m");
        assert_string_equal(series_message, "m");
    }
    assert_int_equal(series.count, 30);
    end();
}

TEST(similar_events_with_ten_quiet_minutes_between_are_not_combined)
{
    char message[32];
    int i;

    begin(&(struct yl_event_correlator_opts) { .burst = 1000 });
    for (i = 0; i < 30; i++) {
        snprintf(message, sizeof message, "%d", i);
        now += i % 9 == 0 ? 10 * MINUTE + 1 : SECOND;
        assert_int_equal(see("a", "Started", message), YL_EVENT_CREATE);
        assert_string_equal(series_message, message);
    }
    end();
}

TEST(an_object_cannot_flood)
{
    int i;

    begin(&(struct yl_event_correlator_opts) { .max_similar = 1000 });
    for (i = 0; i < 25; i++) {
        assert_int_not_equal(see("a", "Started", "m"), YL_EVENT_SKIP);
    }
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_SKIP);
    assert_int_equal(see("a", "Stopped", "n"), YL_EVENT_SKIP);

    /* Others can speak, and so can its warnings. */
    assert_int_equal(see("b", "Started", "m"), YL_EVENT_CREATE);
    assert_int_equal(see_typed("a", "Warning", "Started", "m"),
                     YL_EVENT_CREATE);

    /* After five minutes it has one more; the count has grown meanwhile. */
    now += 5 * MINUTE - 1;
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_SKIP);
    now += 1;
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_PATCH);
    assert_int_equal(series.count, 28);
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_SKIP);

    /* It saves up no more than 25. */
    now += 100 * 60 * MINUTE;
    for (i = 0; i < 25; i++) {
        assert_int_not_equal(see("a", "Started", "m"), YL_EVENT_SKIP);
    }
    assert_int_equal(see("a", "Started", "m"), YL_EVENT_SKIP);
    end();
}

TEST(what_was_used_longest_ago_is_forgotten)
{
    begin(&(struct yl_event_correlator_opts) { .max_entries = 2 });
    assert_int_equal(see("a", "R", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("b", "R", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("a", "R", "m"), YL_EVENT_PATCH);
    assert_int_equal(see("c", "R", "m"), YL_EVENT_CREATE);
    assert_int_equal(see("a", "R", "m"), YL_EVENT_PATCH);
    assert_int_equal(see("b", "R", "m"), YL_EVENT_CREATE);
    end();
    yl_event_correlator_free(NULL);
}
