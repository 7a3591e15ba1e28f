/* Tests of conditions, by those of a PodDisruptionBudget. */

#include "builtin_case.h"

#define COND(MORE)                                                            \
    "{'status':{'conditions':[{'type':'a','status':'True',"                   \
    "'lastTransitionTime':'2020-01-01T00:00:00Z'" MORE "}]}}"

TEST(conditions_are_checked)
{
    static const struct builtin_update cases[] = {
        { "{}", COND(",'reason':'A','message':''"), "" },
        { "{}", COND(",'reason':'A,b:c_1'"), "" },
        { "{}",
          COND(",'reason':'A,'"),
          "status.conditions[0].reason: Invalid value: \"A,\": a condition "
          "reason must start with alphabetic character, optionally followed "
          "by a string of alphanumeric characters or '_,:', and must end "
          "with an alphanumeric character or '_' (e.g. 'my_name',  or "
          "'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or "
          "'ReasonA:ReasonB', regex used for validation is '[A-Za-z](["
          "A-Za-z0-9_,:]*[A-Za-z0-9_])?')\n" },
        { "{}",
          COND(",'reason':'1a'"),
          "status.conditions[0].reason: Invalid value: \"1a\": a condition "
          "reason must start with alphabetic character, optionally followed "
          "by a string of alphanumeric characters or '_,:', and must end "
          "with an alphanumeric character or '_' (e.g. 'my_name',  or "
          "'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or "
          "'ReasonA:ReasonB', regex used for validation is '[A-Za-z](["
          "A-Za-z0-9_,:]*[A-Za-z0-9_])?')\n" },
        { "{}",
          COND(",'reason':'a b'"),
          "status.conditions[0].reason: Invalid value: \"a b\": a condition "
          "reason must start with alphabetic character, optionally followed "
          "by a string of alphanumeric characters or '_,:', and must end "
          "with an alphanumeric character or '_' (e.g. 'my_name',  or "
          "'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or "
          "'ReasonA:ReasonB', regex used for validation is '[A-Za-z](["
          "A-Za-z0-9_,:]*[A-Za-z0-9_])?')\n" },
        { "{}",
          COND(",'reason':'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
               "aaaaaaaaaaaaaaaa'"),
          "status.conditions[0].reason: Too long: may not be more than 1024 "
          "bytes\n" },
        { "{}",
          COND(",'reason':'a','observedGeneration':-1"),
          "status.conditions[0].observedGeneration: Invalid value: -1: must "
          "be greater than or equal to zero\n" },
        { "{}",
          COND("},{'type':'a b','status':'X'"),
          "status.conditions[0].reason: Required value\n"
          "status.conditions[1].type: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "status.conditions[1].status: Unsupported value: \"X\": supported "
          "values: \"False\", \"True\", \"Unknown\"\n"
          "status.conditions[1].lastTransitionTime: Required value\n"
          "status.conditions[1].reason: Required value\n" },
        { "{}",
          COND(",'reason':'a'},{'type':'a','status':'False','reason':'b',"
               "'lastTransitionTime':'2020-01-01T00:00:00Z'"),
          "status.conditions[1].type: Duplicate value: \"a\"\n" },
    };

    CASE_RUN_STATUS("PodDisruptionBudget", cases);
}

TEST(messages_are_short)
{
    struct yl_arena *arena = yl_arena_new();
    char *text = yl_arena_alloc(arena, 33 * 1024 + 1);
    const char *json;

    memset(text, 'x', 33 * 1024);
    text[33 * 1024] = '\0';
    json = yl_arena_printf(arena, COND(",'reason':'a','message':'%s'"), text);
    assert_string_equal(case_update_causes(arena, "PodDisruptionBudget", "{}",
                                           json, true),
                        "status.conditions[0].message: Too long: may not be "
                        "more than 32768 bytes\n");
    yl_arena_free(arena);
}
