/* Tests of Events of both groups. */

#include "builtin_case.h"

#define GOOD "'metadata':{'name':'e'},'type':'Normal','reason':'r',"          \
             "'action':'a','reportingInstance':'i',"                          \
             "'eventTime':'2026-01-31T12:00:00.000000Z'"
#define LONG64 "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"                             \
               "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"

TEST(events_of_the_core_group)
{
    static const struct builtin_case cases[] = {
        { "{'involvedObject':{'namespace':'ns'}}", "" },
        { "{}", "involvedObject.namespace: Invalid value: \"\": does not "
                "match "
          "event.namespace\n" },
        { "{'involvedObject':{'namespace':'x'}}", "involvedObject.namespace: "
          "Invalid value: \"x\": does not match event.namespace\n" },
        { "{'metadata':{'namespace':'default'}}", "" },
        { "{'metadata':{'name':'a/b'},'involvedObject':{'namespace':'ns'}}",
          "metadata.name: Invalid value: \"a/b\": may not contain '/'\n" },
        { "{'involvedObject':{'namespace':'ns'},"
          "'eventTime':'2026-01-31T12:00:00.000000Z'}",
          "reportingComponent: Required value\n"
          "reportingComponent: Invalid value: \"\": name part must be "
          "non-empty\n"
          "reportingComponent: Invalid value: \"\": " CASE_NAME_PART "\n"
          "reportingInstance: Required value\n"
          "action: Required value\n"
          "reason: Required value\n" },
        { "{" GOOD ",'reportingComponent':'c','metadata':"
          "{'namespace':'kube-system'}}", "" },
    };

    CASE_RUN("Event", cases);
}

TEST(events_of_their_own_group)
{
    static const struct builtin_case cases[] = {
        { "{" GOOD ",'regarding':{'namespace':'ns'},"
          "'reportingController':'c'}", "" },
        { "{" GOOD ",'regarding':{'namespace':'ns'}}",
          "reportingController: Required value\n"
          "reportingController: Invalid value: \"\": name part must be "
          "non-empty\n"
          "reportingController: Invalid value: \"\": " CASE_NAME_PART "\n" },
        { "{" GOOD ",'regarding':{'namespace':'ns'},'reportingController':"
          "'a b'}",
          "reportingController: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { "{" GOOD ",'regarding':{'namespace':'ns'},'reportingController':"
          "'c','reason':'" LONG64 LONG64 "x'}",
          "reason: Invalid value: \"\": can have at most 128 characters\n" },
        { "{" GOOD ",'regarding':{'namespace':'ns'},'reportingController':"
          "'c','series':{'count':1}}",
          "series.count: Invalid value: \"\": should be at least 2\n"
          "series.lastObservedTime: Required value\n" },
        { "{'regarding':{'namespace':'ns'}}",
          "eventTime: Required value\n"
          "type: Invalid value: \"\": has invalid value: \n" },
        { "{" GOOD ",'regarding':{'namespace':'ns'},'reportingController':"
          "'c','type':'X','deprecatedCount':1,"
          "'deprecatedFirstTimestamp':'2026-01-31T12:00:00Z',"
          "'deprecatedLastTimestamp':'2026-01-31T12:00:00Z',"
          "'deprecatedSource':{'host':'h'}}",
          "type: Invalid value: \"\": has invalid value: X\n"
          "firstTimestamp: Invalid value: \"\": needs to be unset\n"
          "lastTimestamp: Invalid value: \"\": needs to be unset\n"
          "count: Invalid value: \"\": needs to be unset\n"
          "source: Invalid value: \"\": needs to be unset\n" },
    };
    const struct yl_builtin *kind = yl_builtin_find(
        YL_STR("events.k8s.io"), YL_STR("v1"), YL_STR("Event"));

    case_run(__FILE__, __LINE__, kind, cases, CASE_N(cases));
}

TEST(events_of_the_core_group_change)
{
    static const struct builtin_update cases[] = {
        { "{'involvedObject':{'namespace':'ns'},'count':1}",
          "{'involvedObject':{'namespace':'ns'},'count':2}",
          "" },
        { "{'involvedObject':{'namespace':'ns'}}",
          "{'involvedObject':{'namespace':'other'}}",
          "involvedObject.namespace: Invalid value: \"other\": does not "
          "match event.namespace\n" },
    };

    CASE_RUN_UPDATES("Event", cases);
}

/* Of the other group only the series goes on. */
TEST(events_of_the_other_group_are_what_they_were)
{
    static const char old[] =
        "{'metadata':{'name':'a','namespace':'ns'},'regarding':{'namespace':"
        "'ns'},'reason':'R','action':'A','type':'Normal',"
        "'reportingController':'c.d/e','reportingInstance':'i','note':'n',"
        "'eventTime':'2020-01-01T00:00:00.000000Z'}";
    const struct yl_builtin *kind =
        yl_builtin_find(YL_STR("events.k8s.io"), YL_STR("v1"),
                        YL_STR("Event"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *before = case_parse(arena, old);
    struct yl_node *object = case_parse(arena, old);
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *series = yl_member_make(arena, object, "series");

    yl_member_set(arena, series, "count", yl_node_new_int64(arena, 2));
    yl_member_set_str(arena, series, "lastObservedTime",
                      "2020-01-01T00:00:01.000000Z");
    yl_builtin_validate_update(kind, arena, object, before, &err);
    assert_string_equal(case_write_causes(arena, &err), "");
    yl_member_set(arena, series, "count", yl_node_new_int64(arena, 1));
    yl_member_set_str(arena, object, "reportingController", "other");
    yl_member_set_str(arena, object, "note", "m");
    yl_member_set_str(arena, yl_member_make(arena, object, "deprecatedSource"),
                      "component", "x");
    yl_builtin_validate_update(kind, arena, object, before, &err);
    assert_string_equal(case_write_causes(arena, &err),
                        "series.count: Invalid value: \"\": should be at "
                        "least 2\n"
                        "message: Invalid value: \"m\": field is immutable\n"
                        "source: Invalid value: {\"Component\":\"x\","
                        "\"Host\":\"\"}: field is immutable\n"
                        "reportingController: Invalid value: \"other\": "
                        "field is immutable\n");
    yl_arena_free(arena);
}
