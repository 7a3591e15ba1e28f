/* Tests of LimitRange. */

#include "builtin_case.h"

#define LIMIT(MORE)                                                           \
    "{'spec':{'limits':[{" MORE "}]}}"

TEST(containers_get_limits_from_each_other)
{
    CASE_DEFAULT("LimitRange",
                 LIMIT("'type':'Container','max':{'cpu':'2'},"
                       "'min':{'memory':'1Mi'}"),
                 "{'spec':{'limits':[{'default':{'cpu':'2'},"
                 "'defaultRequest':{'cpu':'2','memory':'1Mi'},'max':{"
                 "'cpu':'2'},'min':{'memory':'1Mi'},'type':'Container'}]}}");
    CASE_DEFAULT("LimitRange", LIMIT("'type':'Pod','max':{'cpu':'0.0005'}"),
                 "{'spec':{'limits':[{'max':{'cpu':'1m'},'type':'Pod'}]}}");
}

TEST(limits_are_checked)
{
    static const struct builtin_case cases[] = {
        { LIMIT("'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'},"
                "'default':{'cpu':'2'},'defaultRequest':{'cpu':'1'},"
                "'maxLimitRequestRatio':{'cpu':'2'}"),
          "" },
        { LIMIT("'type':'X'"),
          "spec.limits[0].type: Invalid value: \"X\": must be a standard "
          "limit type or fully qualified\n" },
        { LIMIT("'type':'a b'"),
          "spec.limits[0].type: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { LIMIT("'type':'example.com/x'"), "" },
        { LIMIT("'type':'Pod'},{'type':'Pod'"),
          "spec.limits[1].type: Duplicate value: \"Pod\"\n" },
        { LIMIT("'type':'Pod','default':{'cpu':'1'},"
                "'defaultRequest':{'cpu':'1'}"),
          "spec.limits[0].default: Forbidden: may not be specified when "
          "`type` is 'Pod'\n"
          "spec.limits[0].defaultRequest: Forbidden: may not be specified "
          "when `type` is 'Pod'\n" },
        { LIMIT("'type':'PersistentVolumeClaim'"),
          "spec.limits[0].limits: Required value: either minimum or maximum "
          "storage value is required, but neither was provided\n" },
        { LIMIT("'type':'PersistentVolumeClaim','min':{'storage':'1Gi'},"
                "'max':{'a b':'1'}"),
          "spec.limits[0].max[a b]: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { LIMIT("'type':'Container','max':{'x':'1'}"),
          "spec.limits[0].max[x]: Invalid value: \"x\": must be a standard "
          "resource type or fully qualified\n"
          "spec.limits[0].max[x]: Invalid value: \"x\": must be a standard "
          "resource for containers\n"
          "spec.limits[0].default[x]: Invalid value: \"x\": must be a "
          "standard resource type or fully qualified\n"
          "spec.limits[0].default[x]: Invalid value: \"x\": must be a "
          "standard resource for containers\n"
          "spec.limits[0].defaultRequest[x]: Invalid value: \"x\": must be "
          "a standard resource type or fully qualified\n"
          "spec.limits[0].defaultRequest[x]: Invalid value: \"x\": must be "
          "a standard resource for containers\n" },
        { LIMIT("'type':'Pod','min':{'cpu':'2'},'max':{'cpu':'1'}"),
          "spec.limits[0].min[cpu]: Invalid value: \"2\": min value 2 is "
          "greater than max value 1\n" },
        { LIMIT("'type':'Container','min':{'cpu':'3'},"
                "'defaultRequest':{'cpu':'2'},'default':{'cpu':'1'},"
                "'max':{'cpu':'500m'}"),
          "spec.limits[0].min[cpu]: Invalid value: \"3\": min value 3 is "
          "greater than max value 500m\n"
          "spec.limits[0].defaultRequest[cpu]: Invalid value: \"2\": min "
          "value 3 is greater than default request value 2\n"
          "spec.limits[0].defaultRequest[cpu]: Invalid value: \"2\": "
          "default request value 2 is greater than max value 500m\n"
          "spec.limits[0].defaultRequest[cpu]: Invalid value: \"2\": "
          "default request value 2 is greater than default limit value 1\n"
          "spec.limits[0].default[cpu]: Invalid value: \"3\": min value 3 "
          "is greater than default value 1\n"
          "spec.limits[0].default[cpu]: Invalid value: \"500m\": default "
          "value 1 is greater than max value 500m\n" },
        { LIMIT("'type':'Container','maxLimitRequestRatio':{'cpu':'0.5'}"),
          "spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "
          "\"500m\": ratio 500m is less than 1\n" },
        { LIMIT("'type':'Container','min':{'cpu':'1'},'max':{'cpu':'2'},"
                "'maxLimitRequestRatio':{'cpu':'3'}"),
          "spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"3\": "
          "ratio 3 is greater than max/min = 2.000000\n" },
        { LIMIT("'type':'Container','min':{'memory':'1Ei'},"
                "'max':{'memory':'2Ei'},'maxLimitRequestRatio':{'memory':"
                "'3'}"),
          "spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "
          "\"3\": ratio 3 is greater than max/min = 2.000000\n" },
        { LIMIT("'type':'Container','default':{'example.com/g':'2'},"
                "'defaultRequest':{'example.com/g':'1'}"),
          "spec.limits[0].defaultRequest[example.com/g]: Invalid value: "
          "\"1\": default value 2 must equal to defaultRequest value 1 in "
          "example.com/g\n" },
    };

    CASE_RUN("LimitRange", cases);
}

TEST(limits_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { LIMIT("'type':'Pod'"),
          LIMIT("'type':'Y'"),
          "spec.limits[0].type: Invalid value: \"Y\": must be a standard "
          "limit type or fully qualified\n" },
    };

    CASE_RUN_UPDATES("LimitRange", cases);
}

TEST(a_range_without_a_name_gets_one)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, "{'metadata':{}}");

    yl_builtin_prepare(case_kind("LimitRange"), arena, object);
    assert_false(
        yl_member_is_zero(yl_member_object(object, "metadata"), "name"));
    yl_arena_free(arena);
}

TEST(ratios_are_within_the_bounds)
{
    static const struct builtin_case cases[] = {
        { LIMIT("'type':'Container','min':{'cpu':'1'},'max':{'cpu':'3'},"
                "'maxLimitRequestRatio':{'cpu':'4'}"),
          "spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: \"4\": "
          "ratio 4 is greater than max/min = 3.000000\n" },
        { LIMIT("'type':'Container','min':{'cpu':'1'},'max':{'cpu':'3'},"
                "'maxLimitRequestRatio':{'cpu':'3'}"),
          "" },
    };

    CASE_RUN("LimitRange", cases);
}
