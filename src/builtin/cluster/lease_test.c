/* Tests of Lease. */

#include "builtin_case.h"

TEST(leases)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'leaseDurationSeconds':1}}", "" },
        { "{'spec':{'leaseDurationSeconds':0}}", "spec.leaseDurationSeconds: "
          "Invalid value: 0: must be greater than 0\n" },
        { "{'spec':{'leaseTransitions':-1}}", "spec.leaseTransitions: Invalid "
          "value: -1: must be greater than or equal to 0\n" },
        { "{'spec':{'strategy':'X','preferredHolder':'y'}}", "" },
    };

    CASE_RUN("Lease", cases);
}

/* A server that elects leaders keeps these fields. */
TEST(strategies_are_checked_where_they_are_kept)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'name':'a','namespace':'b'},"
               "'spec':{'strategy':'X','preferredHolder':'y'}}");

    assert_int_equal(yl_builtin_validate(case_kind("Lease"), arena, object,
                                         &err), YL_EINVALID);
    assert_string_equal(err.causes[0].field, "spec.strategy.strategy");
    assert_string_equal(err.causes[0].message,
                        "Unsupported value: \"X\": supported values: "
                        "\"OldestEmulationVersion\"");
    yl_error_clear(&err);
    object = case_parse(arena, "{'metadata':{'name':'a','namespace':'b'},"
                               "'spec':{'strategy':'a b/c'}}");
    yl_builtin_validate(case_kind("Lease"), arena, object, &err);
    assert_string_equal(err.causes[0].field, "spec.strategy.strategy");
    yl_error_clear(&err);
    object = case_parse(arena, "{'metadata':{'name':'a','namespace':'b'},"
                               "'spec':{'preferredHolder':'y'}}");
    yl_builtin_validate(case_kind("Lease"), arena, object, &err);
    assert_string_equal(err.causes[0].message,
                        "Forbidden: may only be specified if `strategy` is "
                        "defined");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(leases_are_renewed)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'holderIdentity':'a','leaseDurationSeconds':1}}",
          "{'spec':{'holderIdentity':'b','leaseDurationSeconds':2,"
          "'strategy':'X'}}",
          "" },
        { "{}",
          "{'spec':{'leaseDurationSeconds':0}}",
          "spec.leaseDurationSeconds: Invalid value: 0: must be greater "
          "than 0\n" },
    };

    CASE_RUN_UPDATES("Lease", cases);
}
