/* Tests of tables of facts. */

#include "codegen/facts.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define HEADING "type\tjson\tvalue\tempty\tstrategy\tkey\tprotobuf\n"

static int
parse(struct yl_arena *arena, const char *text, struct yl_gen_facts **facts,
      struct yl_error *err)
{
    return yl_gen_facts_parse(arena, yl_str_c(text), facts, err);
}

static void
assert_refused(const char *row, const char *words)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_gen_facts *facts;
    char text[512];

    snprintf(text, sizeof text, HEADING "%s", row);
    assert_int_equal(parse(arena, text, &facts, &err), YL_ESYNTAX);
    assert_non_null(strstr(yl_error_message(&err), words));
    assert_non_null(strstr(yl_error_message(&err), "line 2"));
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(facts_are_found_by_type_and_field)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_facts *facts;
    const struct yl_gen_fact *fact;

    assert_int_equal(parse(arena, HEADING
                           "a/v1.X\tname\tstring\talways\t-\t-\t1 bytes\n"
                           "\n"
                           "a/v1.X\tn\t*int32\tomitempty\t-\t-\t7 varint\n"
                           "a/v1.X\tp\t*a/v1.P=string\talways\t-\t-\t-\n"
                           "a/v1.X\tt\tTime\tomitempty+omitzero\t-\t-\t-\n"
                           "a/v1.X\tl\t[]a/v1.Y\tomitempty\tmerge,retainKeys"
                           "\tname\t3 bytes\n"
                           "a/v1.X\tr\ta/v1.Y\tomitempty\treplace\t-\t-",
                           &facts, NULL), 0);
    fact = yl_gen_facts_find(facts, "a/v1.X", "name");
    assert_non_null(fact);
    assert_string_equal(fact->value, "string");
    assert_false(fact->pointer);
    assert_int_equal(fact->presence, YL_PRESENCE_ALWAYS);
    assert_int_equal(fact->number, 1);
    assert_int_equal(fact->line, 2);

    fact = yl_gen_facts_find(facts, "a/v1.X", "n");
    assert_true(fact->pointer);
    assert_string_equal(fact->value, "int32");
    assert_int_equal(fact->presence, YL_PRESENCE_POINTER);
    assert_int_equal(fact->number, 7);
    assert_int_equal(fact->line, 4);

    fact = yl_gen_facts_find(facts, "a/v1.X", "p");
    assert_int_equal(fact->presence, YL_PRESENCE_POINTER_ALWAYS);
    fact = yl_gen_facts_find(facts, "a/v1.X", "t");
    assert_int_equal(fact->presence, YL_PRESENCE_OMIT_ZERO);
    fact = yl_gen_facts_find(facts, "a/v1.X", "l");
    assert_int_equal(fact->patch, YL_FIELD_MERGE | YL_FIELD_RETAIN_KEYS);
    assert_string_equal(fact->merge_key, "name");
    fact = yl_gen_facts_find(facts, "a/v1.X", "r");
    assert_int_equal(fact->patch, YL_FIELD_REPLACE);
    assert_string_equal(fact->merge_key, "");

    assert_null(yl_gen_facts_find(facts, "a/v1.X", "other"));
    assert_null(yl_gen_facts_find(facts, "a/v1.Y", "name"));
    yl_arena_free(arena);
}

TEST(facts_of_embedded_structs_are_found)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_gen_facts *facts;

    assert_int_equal(parse(arena, HEADING
                           "a.X\t(inline)\ta.Y\t-\t-\t-\t-\n"
                           "a.X\t(inline)\ta.Z\t-\t-\t-\t-\n"
                           "a.Z\tdeep\tbool\talways\t-\t-\t9 varint\n"
                           "a.Loop\t(inline)\ta.Loop\t-\t-\t-\t-\n",
                           &facts, NULL), 0);
    assert_int_equal(yl_gen_facts_find(facts, "a.X", "deep")->number, 9);
    assert_null(yl_gen_facts_find(facts, "a.Loop", "deep"));
    yl_arena_free(arena);
}

TEST(broken_tables_are_refused_with_their_line)
{
    assert_refused("a\tb\tc\n", "7 columns");
    assert_refused("a\tb\tc\td\te\tf\tg\th\n", "7 columns");
    assert_refused("a\tb\tc\tsometimes\t-\t-\t-\n", "'sometimes'");
    assert_refused("a\tb\tc\talways\tmerge,mix\t-\t-\n", "'merge,mix'");
    assert_refused("a\tb\tc\talways\t-\t-\tone\n", "'one'");
    assert_refused("a\tb\tc\talways\t-\t-\t65536 bytes\n", "protobuf number");
}

TEST(tables_have_their_own_names_for_types)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(
        yl_gen_facts_type(arena, YL_STR("io.k8s.api.core.v1.PodSpec")),
        "core/v1.PodSpec");
    assert_string_equal(yl_gen_facts_type(arena, YL_STR("core.v1.PodSpec")),
                        "core/v1.PodSpec");
    assert_string_equal(yl_gen_facts_type(arena, YL_STR("PodSpec")),
                        "PodSpec");
    yl_arena_free(arena);
}
