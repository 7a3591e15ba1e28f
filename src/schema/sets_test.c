/* Tests of lists that are sets or maps. */

#include "schema/sets.h"

#include "base/account.h"
#include "compiled_schema.h"

#define SCHEMA                                                                \
    "{'type':'object','properties':{"                                         \
    "'set':{'type':'array','x-kubernetes-list-type':'set','items':{}},"       \
    "'map':{'type':'array','x-kubernetes-list-type':'map',"                   \
    "'x-kubernetes-list-map-keys':['n'],'items':{'type':'object',"            \
    "'properties':{'n':{},'in':{'type':'array',"                              \
    "'x-kubernetes-list-type':'set','items':{'type':'string'}}}}},"           \
    "'two':{'type':'array','x-kubernetes-list-type':'map',"                   \
    "'x-kubernetes-list-map-keys':['n','p'],'items':{'type':'object'}},"      \
    "'by':{'type':'object','additionalProperties':{'type':'array',"           \
    "'x-kubernetes-list-type':'set','items':{}}}}}"

#define REPEATED "FieldValueDuplicate "

static struct yl_arena *arena;

static const char *
faults_of(const char *object, const char *old)
{
    struct yl_schema *schema = schema_of(arena, SCHEMA);
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_validate_sets(yl_schema_type(schema), tree_of(arena, object),
                             old ? tree_of(arena, old) : NULL, NULL, &err);

    assert_int_equal(r, err.n_causes ? YL_EINVALID : 0);
    assert_int_equal(r, err.code);
    yl_schema_unref(schema);
    return causes_of(arena, &err);
}

TEST(second_elements_are_reported)
{
    static const struct {
        const char *object, *faults;
    } cases[] = {
        { "{'set':[],'map':[],'two':[]}", "" },
        { "{'set':['a','b'],'map':[{'n':1},{'n':2}]}", "" },
        { "{'set':['a','b','a','a']}",
          REPEATED "set[2] Duplicate value: \"a\"" },
        { "{'set':['1','2','3','4','5','6','7','8','2','1','1']}",
          REPEATED "set[8] Duplicate value: \"2\"\n"
          REPEATED "set[9] Duplicate value: \"1\"" },
        { "{'set':[1,1.0,true,'1',null]}", "" },
        { "{'set':[1.5,1.5,null,null]}",
          REPEATED "set[1] Duplicate value: 1.5\n"
          REPEATED "set[3] Duplicate value: null" },
        { "{'set':[{'a':1,'b':[]},{'b':[],'a':1.0}]}",
          REPEATED "set[1] Duplicate value: {\"a\":1,\"b\":[]}" },
        { "{'map':[{'n':'x'},{'n':'x','in':['y','y']}]}",
          REPEATED "map[1] Duplicate value: {\"n\":\"x\"}\n"
          REPEATED "map[1].in[1] Duplicate value: \"y\"" },
        { "{'map':[{'n':1},{'n':1.0},{},{'n':null}]}", "" },
        { "{'map':[{},{'in':[]},null]}",
          REPEATED "map[1] Duplicate value: {}" },
        { "{'map':[{},1,[]]}",
          "FieldValueInvalid map[1] Invalid value: 1: must be an object for "
          "an array of list-type map" },
        { "{'two':[{'n':1},{'n':1,'p':2},{'p':2,'n':1.0,'q':3}]}",
          REPEATED "two[2] Duplicate value: {\"n\":1,\"p\":2}" },
        { "{'map':[{'n':1},{'n':2},{'n':3},{'n':4},{'n':5},{'n':6},{'n':7},"
          "{'n':8},{'n':9},{'n':2}]}",
          REPEATED "map[9] Duplicate value: {\"n\":2}" },
        { "{'by':{'k':[1,1]}}", REPEATED "by[k][1] Duplicate value: 1" },
        { "{'set':{'a':1},'map':'x','by':[1,1]}", "" },
    };
    size_t i;

    arena = yl_arena_new();
    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(faults_of(cases[i].object, NULL),
                            cases[i].faults);
    }
    yl_arena_free(arena);
}

TEST(faults_of_the_old_object_excuse_the_new_one)
{
    arena = yl_arena_new();
    assert_string_equal(faults_of("{'set':[1,1]}", "{'set':[1]}"),
                        REPEATED "set[1] Duplicate value: 1");
    assert_string_equal(faults_of("{'set':[1,1]}", "{'set':[2,2]}"), "");
    yl_arena_free(arena);
}

TEST(memory_is_charged)
{
    struct yl_account account = { .ceiling = 1 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_schema *schema;

    arena = yl_arena_new();
    schema = schema_of(arena, SCHEMA);
    assert_int_equal(yl_validate_sets(
        yl_schema_type(schema),
        tree_of(arena, "{'set':[1,2,3,4,5,6,7,8,9,10,11]}"), NULL, &account,
        &err), YL_ETOOBIG);
    assert_int_equal(err.n_causes, 0);
    assert_int_equal(account.used, 0);
    yl_error_clear(&err);
    yl_schema_unref(schema);
    yl_arena_free(arena);
}
