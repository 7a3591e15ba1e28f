/* Tests of the kinds of resource.k8s.io. */

#include "builtin_case.h"

#define CLAIM(CLASS, STATUS)                                                  \
    "{'spec':{'devices':{'requests':[{'name':'r','exactly':"                  \
    "{'deviceClassName':'" CLASS "'}}]}},'status':{" STATUS "}}"
#define ALLOCATED(DEVICE)                                                     \
    "'allocation':{'devices':{'results':[{'request':'r','driver':'d',"        \
    "'pool':'p','device':'" DEVICE "'}]}}"

TEST(a_request_is_for_one_device)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "ResourceClaim", CLAIM("a", ""),
                     "\"allocationMode\":\"ExactCount\",\"count\":1");
    yl_arena_free(arena);
}

TEST(the_spec_of_a_claim_stays)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(case_update_causes(arena, "ResourceClaim",
                                           CLAIM("a", ""), CLAIM("a", ""),
                                           false), "");
    assert_non_null(strstr(case_update_causes(arena, "ResourceClaim",
                                              CLAIM("a", ""), CLAIM("b", ""),
                                              false),
                           "field is immutable"));
    yl_arena_free(arena);
}

TEST(an_allocation_comes_and_goes_but_does_not_change)
{
    struct yl_arena *arena = yl_arena_new();
    static const char none[] = CLAIM("a", "");
    static const char one[] = CLAIM("a", ALLOCATED("d1"));
    static const char two[] = CLAIM("a", ALLOCATED("d2"));

    assert_string_equal(case_update_causes(arena, "ResourceClaim", none, one,
                                           true), "");
    assert_string_equal(case_update_causes(arena, "ResourceClaim", one, none,
                                           true), "");
    assert_non_null(strstr(case_update_causes(arena, "ResourceClaim", one,
                                              two, true),
                           "status.allocation"));
    yl_arena_free(arena);
}

TEST(claims_ask_for_one_device)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "ResourceClaim",
                     "{'spec':{'devices':{'requests':[{'exactly':{}},"
                     "{'firstAvailable':[{'allocationMode':'All'},"
                     "{'count':2}]}]}}}",
                     "{\"spec\":{\"devices\":{\"requests\":[{\"exactly\":"
                     "{\"allocationMode\":\"ExactCount\",\"count\":1}},"
                     "{\"firstAvailable\":[{\"allocationMode\":\"All\"},"
                     "{\"allocationMode\":\"ExactCount\","
                     "\"count\":2}]}]}}}");
    yl_arena_free(arena);
}

TEST(templates_ask_for_one_device)
{
    struct yl_arena *arena = yl_arena_new();

    CASE_DEFAULT_HAS(arena, "ResourceClaimTemplate",
                     "{'spec':{'spec':{'devices':{'requests':[{'exactly':{}}"
                     "]}}}}",
                     "{\"spec\":{\"spec\":{\"devices\":{\"requests\":"
                     "[{\"exactly\":{\"allocationMode\":\"ExactCount\","
                     "\"count\":1}}]}}}}");
    yl_arena_free(arena);
}
