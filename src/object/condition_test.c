/* Tests of conditions. */

#include "yuloh/condition.h"

#include "unit.h"
#include "yuloh/arena.h"

#define OLD_READY                                                             \
    "{\"type\":\"Ready\", \"status\":\"False\",\"reason\":\"Down\","          \
    "\"message\":\"\\u0061\",\"observedGeneration\":3,"                       \
    "\"lastTransitionTime\":\"2026-01-31T12:00:00Z\",\"x\\u0079\":[1, 2]}"
#define OTHER "{\"type\":\"Other\", \"status\":\"True\"}"

static const struct yl_str old_text
    = YL_STR_INIT("[ " OTHER " , " OLD_READY " ]");
static const struct yl_time now = { 1800000000, 5 };    /* 2027-01-15 */

static struct yl_condition
ready(struct yl_str status, struct yl_str reason)
{
    return (struct yl_condition) {
        .type = YL_STR("Ready"), .status = status, .reason = reason,
        .message = YL_STR("a"), .observed_generation = 3,
    };
}

TEST(conditions_are_read_in_order)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_condition_iter it;
    struct yl_condition c;

    it = yl_condition_iter(yl_json(YL_STR("[1," OTHER "," OLD_READY "]")),
                           arena);
    assert_true(yl_condition_next(&it, &c));
    assert_str_equal(c.type, "Other");
    assert_str_equal(c.reason, "");
    assert_int_equal(c.observed_generation, 0);
    assert_true(yl_time_is_zero(c.last_transition_time));
    assert_true(yl_condition_next(&it, &c));
    assert_str_equal(c.type, "Ready");
    assert_str_equal(c.status, "False");
    assert_str_equal(c.reason, "Down");
    assert_str_equal(c.message, "a");
    assert_int_equal(c.observed_generation, 3);
    assert_int_equal(c.last_transition_time.seconds, 1769860800);
    assert_false(yl_condition_next(&it, &c));
    it = yl_condition_iter(yl_json(YL_STR("{\"a\":{}}")), arena);
    assert_false(yl_condition_next(&it, &c));
    yl_arena_free(arena);
}

TEST(one_is_found_by_its_type)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json conditions = yl_json(old_text);
    struct yl_condition c;

    assert_true(yl_condition_find(conditions, YL_STR("Ready"), arena, &c));
    assert_str_equal(c.reason, "Down");
    assert_false(yl_condition_find(conditions, YL_STR("Gone"), arena, &c));
    assert_true(yl_condition_is_false(conditions, YL_STR("Ready")));
    assert_false(yl_condition_is_true(conditions, YL_STR("Ready")));
    assert_true(yl_condition_is_true(conditions, YL_STR("Other")));
    assert_true(yl_condition_is(conditions, YL_STR("Other"),
                                YL_STR("True")));
    assert_false(yl_condition_is_true(conditions, YL_STR("Gone")));
    assert_false(yl_condition_is_false(conditions, YL_STR("Gone")));
    assert_false(yl_condition_is_false(yl_json_none(), YL_STR("Gone")));
    yl_arena_free(arena);
}

TEST(time_moves_only_when_the_status_changes)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_condition c = ready(YL_STR("False"), YL_STR("StillDown"));
    struct yl_str text;

    assert_int_equal(yl_condition_set(yl_json(old_text), &c, now, arena,
                                      &text, NULL), 1);
    assert_str_equal(text, "[" OTHER ",{\"lastTransitionTime\":"
                     "\"2026-01-31T12:00:00Z\",\"message\":\"a\","
                     "\"observedGeneration\":3,\"reason\":\"StillDown\","
                     "\"status\":\"False\",\"type\":\"Ready\","
                     "\"x\\u0079\":[1, 2]}]");
    c = ready(YL_STR("True"), YL_STR("Up"));
    assert_int_equal(yl_condition_set(yl_json(old_text), &c, now, arena,
                                      &text, NULL), 1);
    assert_str_equal(text, "[" OTHER ",{\"lastTransitionTime\":"
                     "\"2027-01-15T08:00:00Z\",\"message\":\"a\","
                     "\"observedGeneration\":3,\"reason\":\"Up\","
                     "\"status\":\"True\",\"type\":\"Ready\","
                     "\"x\\u0079\":[1, 2]}]");
    yl_arena_free(arena);
}

TEST(setting_what_is_there_changes_nothing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_condition c = ready(YL_STR("False"), YL_STR("Down"));
    struct yl_str text;

    c.last_transition_time = now;
    assert_int_equal(yl_condition_set(yl_json(old_text), &c, now, arena,
                                      &text, NULL), 0);
    assert_true(yl_str_equal(text, old_text));
    c.observed_generation = 4;
    assert_int_equal(yl_condition_set(yl_json(old_text), &c, now, arena,
                                      &text, NULL), 1);
    c = ready(YL_STR("False"), YL_STR("Down"));
    c.message = YL_STR("b");
    assert_int_equal(yl_condition_set(yl_json(old_text), &c, now, arena,
                                      &text, NULL), 1);
    yl_arena_free(arena);
}

TEST(a_new_one_goes_to_the_end)
{
    static const char *const empty[] = { "", "null", "[]", "[ ]" };
    struct yl_arena *arena = yl_arena_new();
    struct yl_condition c = {
        .type = YL_STR("New"), .status = YL_STR("Unknown"),
        .message = YL_STR("bad \xff byte \xc3"),
    };
    struct yl_str text;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(empty); i++) {
        assert_int_equal(yl_condition_set(yl_json(yl_str_c(empty[i])), &c,
                                          now, arena, &text, NULL), 1);
        assert_str_equal(text, "[{\"lastTransitionTime\":"
                         "\"2027-01-15T08:00:00Z\",\"message\":\"bad "
                         "\xef\xbf\xbd byte \xef\xbf\xbd\",\"reason\":\"\","
                         "\"status\":\"Unknown\",\"type\":\"New\"}]");
        assert_int_equal(yl_json_validate(text, NULL, NULL), 0);
    }
    c.message = YL_STR("");
    c.last_transition_time = (struct yl_time) { 1769860800, 0 };
    assert_int_equal(yl_condition_set(yl_json(YL_STR("[" OTHER "]")), &c, now,
                                      arena, &text, NULL), 1);
    assert_str_equal(text, "[" OTHER ",{\"lastTransitionTime\":"
                     "\"2026-01-31T12:00:00Z\",\"message\":\"\","
                     "\"reason\":\"\",\"status\":\"Unknown\","
                     "\"type\":\"New\"}]");
    yl_arena_free(arena);
}

TEST(a_missing_time_stays_missing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_condition c = {
        .type = YL_STR("Other"), .status = YL_STR("True"),
        .reason = YL_STR("R"),
    };
    struct yl_str text;

    assert_int_equal(yl_condition_set(yl_json(YL_STR("[" OTHER "]")), &c, now,
                                      arena, &text, NULL), 1);
    assert_str_equal(text, "[{\"lastTransitionTime\":null,\"message\":\"\","
                     "\"reason\":\"R\",\"status\":\"True\","
                     "\"type\":\"Other\"}]");
    yl_arena_free(arena);
}

TEST(removal_takes_all_of_a_type)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str text;

    assert_int_equal(yl_condition_remove(
                         yl_json(YL_STR("[" OTHER "," OLD_READY "," OTHER
                                        "]")),
                         YL_STR("Other"), arena, &text, NULL), 1);
    assert_str_equal(text, "[" OLD_READY "]");
    assert_int_equal(yl_condition_remove(yl_json(old_text), YL_STR("Gone"),
                                         arena, &text, NULL), 0);
    assert_true(yl_str_equal(text, old_text));
    assert_int_equal(yl_condition_remove(yl_json_none(), YL_STR("Gone"),
                                         arena, &text, NULL), 0);
    assert_str_equal(text, "[]");
    assert_int_equal(yl_condition_remove(yl_json(YL_STR("[" OTHER "]")),
                                         YL_STR("Other"), arena, &text,
                                         NULL), 1);
    assert_str_equal(text, "[]");
    yl_arena_free(arena);
}

TEST(what_is_not_an_array_is_an_error)
{
    struct yl_condition c = ready(YL_STR("True"), YL_STR("Up"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str text = YL_STR("untouched");

    assert_int_equal(yl_condition_set(yl_json(YL_STR("{}")), &c, now, arena,
                                      &text, &err), YL_ETYPE);
    assert_string_equal(yl_error_message(&err), "conditions are not an array");
    assert_int_equal(yl_condition_remove(yl_json(YL_STR("\"x\"")),
                                         YL_STR("Ready"), arena, &text,
                                         &err), YL_ETYPE);
    assert_str_equal(text, "untouched");
    yl_error_clear(&err);
    yl_arena_free(arena);
}
