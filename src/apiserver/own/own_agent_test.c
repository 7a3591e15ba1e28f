/* Tests of the manager that a user agent stands for. */

#include "apiserver/own/own.h"
#include "apiserver/verbs/options.h"
#include "unit.h"
#include "yuloh/arena.h"

static void
check(const char *agent, const char *manager)
{
    struct yl_arena *arena = yl_arena_new();

    assert_str_equal(yl_own_agent(arena, yl_str_c(agent)), manager);
    yl_arena_free(arena);
}

TEST(it_is_what_stands_before_the_slash)
{
    check("kubectl/v1.33.0 (linux/amd64)", "kubectl");
    check("curl", "curl");
    check("/1", "");
    check("", "");
}

TEST(it_is_printable)
{
    check("a\tb\x7f c/1", "ab c");
    check("\xc3\xbc\xff/1", "\xc3\xbc\xef\xbf\xbd");
}

TEST(an_option_becomes_text)
{
    struct yl_arena *arena = yl_arena_new();

    assert_str_equal(yl_own_manager(arena, NULL, YL_STR("me")), "me");
    assert_str_equal(yl_own_manager(arena, NULL, YL_STR("a\xff\xc3")),
                     "a\xef\xbf\xbd\xef\xbf\xbd");
    yl_arena_free(arena);
}

TEST(it_is_not_too_long)
{
    char agent[YL_FIELD_MANAGER_MAX + 8] = "";
    char manager[YL_FIELD_MANAGER_MAX + 1] = "";

    memset(agent, 'a', YL_FIELD_MANAGER_MAX + 4);
    memset(manager, 'a', YL_FIELD_MANAGER_MAX);
    check(agent, manager);

    /* A character is not cut in two. */
    memcpy(agent + YL_FIELD_MANAGER_MAX - 1, "\xc3\xbc", 2);
    manager[YL_FIELD_MANAGER_MAX - 1] = '\0';
    check(agent, manager);
}
