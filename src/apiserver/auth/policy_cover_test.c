/* Tests of covering one policy by another. */

#include "apiserver/auth/policy_cover.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_policy
policy(struct yl_arena *arena, const char *text)
{
    char *json = yl_arena_strdup(arena, yl_str_c(text)), *p;

    for (p = json; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    return yl_policy_read(arena, yl_json(yl_str_c(json)));
}

static void
misses(const char *owned, const char *wanted, const char *missing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_policy atoms;

    assert_int_equal(yl_policy_missing(arena, policy(arena, owned),
                                       policy(arena, wanted), &atoms), 0);
    assert_str_equal(yl_policy_describe(arena, atoms), missing);
    yl_arena_free(arena);
}

TEST(what_is_owned_is_covered)
{
#define ALL "[{'verbs':['*'],'apiGroups':['*'],'resources':['*']}," \
            "{'verbs':['*'],'nonResourceURLs':['*']}]"
    static const struct {
        const char *owned, *wanted;
    } cases[] = {
        { "[]", "[]" },
        { ALL, ALL },
        { ALL, "[{'verbs':['get'],'apiGroups':['a','b'],"
               "'resources':['c','d/e'],'resourceNames':['n']},"
               "{'verbs':['get'],'nonResourceURLs':['/a','/b*']}]" },
        { "[{'verbs':['get','list'],'apiGroups':[''],'resources':['a','b']}]",
          "[{'verbs':['list'],'apiGroups':[''],'resources':['b']}]" },
        { "[{'verbs':['get'],'apiGroups':[''],'resources':['a']},"
          "{'verbs':['list'],'apiGroups':[''],'resources':['a']}]",
          "[{'verbs':['list','get'],'apiGroups':[''],'resources':['a']}]" },
        { "[{'verbs':['get'],'apiGroups':[''],'resources':['*/scale']}]",
          "[{'verbs':['get'],'apiGroups':[''],'resources':['a/scale']}]" },
        { "[{'verbs':['get'],'apiGroups':[''],'resources':['a'],"
          "'resourceNames':['x','y']}]",
          "[{'verbs':['get'],'apiGroups':[''],'resources':['a'],"
          "'resourceNames':['y']}]" },
        { "[{'verbs':['get'],'nonResourceURLs':['/a*']}]",
          "[{'verbs':['get'],'nonResourceURLs':['/a','/abc','/a/*']}]" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        misses(cases[i].owned, cases[i].wanted, "");
    }
}

TEST(what_is_missing_is_described)
{
    misses("[{'verbs':['get','list'],'apiGroups':[''],"
           "'resources':['configmaps']}]",
           "[{'verbs':['get','list'],'apiGroups':['','apps'],"
           "'resources':['configmaps','pods'],'resourceNames':['n']}]",
           "{APIGroups:[\"\"], Resources:[\"pods\"], ResourceNames:[\"n\"], "
           "Verbs:[\"get\" \"list\"]}\n"
           "{APIGroups:[\"apps\"], Resources:[\"configmaps\"], "
           "ResourceNames:[\"n\"], Verbs:[\"get\" \"list\"]}\n"
           "{APIGroups:[\"apps\"], Resources:[\"pods\"], "
           "ResourceNames:[\"n\"], Verbs:[\"get\" \"list\"]}");
    misses("[]", ALL,
           "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}\n"
           "{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}");
    misses("[{'verbs':['get'],'apiGroups':[''],'resources':['a'],"
           "'resourceNames':['x']},{'verbs':['get'],'apiGroups':[''],"
           "'resources':['*/status']}]",
           "[{'verbs':['get'],'apiGroups':[''],'resources':['a','b']},"
           "{'verbs':['put','get'],'nonResourceURLs':['/x']},"
           "{'verbs':['get'],'nonResourceURLs':['/x']},"
           "{'verbs':['get'],'apiGroups':[''],'resources':['a/b']}]",
           "{APIGroups:[\"\"], Resources:[\"a\"], Verbs:[\"get\"]}\n"
           "{APIGroups:[\"\"], Resources:[\"a/b\"], Verbs:[\"get\"]}\n"
           "{APIGroups:[\"\"], Resources:[\"b\"], Verbs:[\"get\"]}\n"
           "{NonResourceURLs:[\"/x\"], Verbs:[\"get\"]}\n"
           "{NonResourceURLs:[\"/x\"], Verbs:[\"put\"]}");
}

TEST(products_have_a_ceiling)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_policy atoms, owned, wide;
    struct yl_buf json;
    int i;

    yl_buf_init(&json, 1 << 20);
    yl_buf_append_c(&json, "['x'");
    for (i = 0; i < 200; i++) {
        yl_buf_printf(&json, ",'%d'", i);
    }
    yl_buf_append_c(&json, "]");
    wide = policy(arena, yl_arena_printf(
        arena, "[{'verbs':%s,'apiGroups':%s,'resources':%s,"
        "'nonResourceURLs':%s}]", yl_buf_c_str(&json), yl_buf_c_str(&json),
        yl_buf_c_str(&json), yl_buf_c_str(&json)));
    owned = policy(arena, "[]");
    assert_int_equal(yl_policy_missing(arena, owned, wide, &atoms),
                     YL_ETOOBIG);
    yl_buf_release(&json);

    /* URLs too, */
    ((struct yl_policy_rule *) wide.all)->groups.n = 0;
    assert_int_equal(yl_policy_missing(arena, owned, wide, &atoms),
                     YL_ETOOBIG);

    /* and comparisons. */
    yl_buf_init(&json, 1 << 20);
    yl_buf_append_c(&json, "['x'");
    for (i = 0; i < 20000; i++) {
        yl_buf_printf(&json, ",'%d'", i);
    }
    yl_buf_append_c(&json, "]");
    wide = policy(arena, yl_arena_printf(
        arena, "[{'verbs':%s,'apiGroups':['a'],'resources':['b']}]",
        yl_buf_c_str(&json)));
    owned = policy(arena, yl_arena_printf(
        arena, "[{'verbs':%s,'apiGroups':['c'],'resources':['b']}]",
        yl_buf_c_str(&json)));
    assert_int_equal(yl_policy_missing(arena, owned, wide, &atoms),
                     YL_ETOOBIG);
    yl_buf_release(&json);
    yl_arena_free(arena);
}
