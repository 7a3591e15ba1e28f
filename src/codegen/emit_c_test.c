/* Tests of what writers of C share. */

#include "codegen/emit_c.h"

#include "unit.h"
#include "yuloh/arena.h"

static void
assert_call(const char *const *args, const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 4096);
    yl_gen_emit_call(&buf, "    return ", "f", args, ";");
    assert_string_equal(yl_buf_c_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(calls_stand_on_one_line_if_there_is_room)
{
    static const char *const args[] = { "a", "b", NULL };

    assert_call(args, "    return f(a, b);\n");
}

TEST(calls_have_79_columns_at_most)
{
    size_t n;

    /* Both arguments are made longer until they need two lines. */
    for (n = 20; n < 45; n++) {
        char first[64], second[64], expected[200];
        const char *args[] = { first, second, NULL };
        bool fits = strlen("    return f(, );") + 2 * n <= 79;

        memset(first, 'a', n);
        memset(second, 'b', n);
        first[n] = second[n] = '\0';
        snprintf(expected, sizeof expected, "    return f(%s,%s%s);\n", first,
                 fits ? " " : "\n             ", second);
        assert_call(args, expected);
    }
}

TEST(macro_names_are_upper_case)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(yl_gen_macro_name(arena, "apps_v1"), "APPS_V1");
    assert_string_equal(yl_gen_macro_name(arena, "my-api.x"), "MY_API_X");
    yl_arena_free(arena);
}
