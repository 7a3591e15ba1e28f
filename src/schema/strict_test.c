/* Tests of what strict decoding reports. */

#include "schema/strict.h"

#include "json/tree.h"
#include "schema/field_error.h"
#include "unit.h"
#include "yuloh/arena.h"

TEST(each_report_is_kept_once)
{
    struct yl_field_path spec = yl_field_member(NULL, YL_STR("spec"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_strict strict;
    struct yl_buf buf;

    yl_strict_init(&strict, arena);
    yl_strict_unknown(&strict, &spec, YL_STR("a\"b"));
    yl_strict_unknown(&strict, &spec, YL_STR("a\"b"));
    yl_strict_duplicate(&strict, &spec, YL_STR("a\"b"));
    yl_strict_unknown(&strict, NULL, YL_STR("x"));
    yl_strict_unknown(NULL, NULL, YL_STR("x"));
    yl_buf_init(&buf, SIZE_MAX);
    yl_strict_write(&buf, &strict);
    assert_str_equal(yl_buf_str(&buf), "unknown field \"spec.a\\\"b\", "
                                       "duplicate field \"spec.a\\\"b\", "
                                       "unknown field \"x\"");
    yl_buf_release(&buf);
    yl_strict_release(&strict);
    yl_arena_free(arena);
}

TEST(reports_have_a_ceiling)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_strict strict;
    char *name = calloc(1, YL_FIELD_TEXT_MAX + 100);
    size_t i;

    yl_strict_init(&strict, arena);
    memset(name, 'x', YL_FIELD_TEXT_MAX + 99);
    yl_strict_unknown(&strict, NULL, yl_str_c(name));
    assert_true(strict.errors[0].size < YL_FIELD_TEXT_MAX + 30);
    for (i = 0; i < 2 * YL_STRICT_MAX; i++) {
        yl_strict_unknown(&strict, NULL,
                          yl_str_c(yl_arena_printf(arena, "%zu", i)));
    }
    assert_int_equal(strict.n_errors, YL_STRICT_MAX);
    free(name);
    yl_strict_release(&strict);
    yl_arena_free(arena);
}

TEST(repeats_are_kept_by_object)
{
    static const char text[] = "{\"a\":{\"x\":1,\"y\":2,\"x\":3,\"x\":4,"
                               "\"y\":5},\"b\":{\"x\":1}}";
    struct yl_arena *arena = yl_arena_new();
    const struct yl_strict_repeat *repeat;
    struct yl_strict strict;
    struct yl_tree_opts opts = { .on_duplicate = yl_strict_on_duplicate,
                                 .aux = &strict };
    struct yl_node *root;

    yl_strict_init(&strict, arena);
    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), &opts, &root, NULL),
                     0);
    repeat = yl_strict_repeats(&strict, yl_node_get(root, YL_STR("a")));
    assert_str_equal(repeat->key, "x");
    assert_int_equal(repeat->position, 2);
    assert_str_equal(repeat->next->key, "y");
    assert_null(repeat->next->next);
    assert_null(yl_strict_repeats(&strict, yl_node_get(root, YL_STR("b"))));
    yl_strict_release(&strict);
    yl_arena_free(arena);
}

TEST(repeats_of_one_object_have_a_ceiling)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_strict_repeat *repeat;
    struct yl_strict strict;
    struct yl_node *object = yl_node_new_object(arena);
    size_t n = 0, i;

    yl_strict_init(&strict, arena);
    for (i = 0; i < 2 * YL_STRICT_MAX; i++) {
        yl_strict_on_duplicate(&strict, object,
                               yl_str_c(yl_arena_printf(arena, "%zu", i)));
    }
    for (repeat = yl_strict_repeats(&strict, object); repeat;
         repeat = repeat->next) {
        n++;
    }
    assert_int_equal(n, YL_STRICT_MAX);
    yl_strict_release(&strict);
    yl_arena_free(arena);
}

TEST(repeats_come_first)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_strict strict;
    struct yl_buf buf;

    yl_strict_init(&strict, arena);
    yl_strict_unknown(&strict, NULL, YL_STR("stays"));
    yl_strict_unknown(&strict, NULL, YL_STR("z"));
    yl_strict_duplicate(&strict, NULL, YL_STR("y"));
    yl_strict_unknown(&strict, NULL, YL_STR("b"));
    yl_strict_duplicate(&strict, NULL, YL_STR("a"));
    assert_int_equal(yl_strict_put_repeats_first(&strict, 1), 3);
    assert_int_equal(yl_strict_put_repeats_first(&strict, 5), 5);
    yl_buf_init(&buf, SIZE_MAX);
    yl_strict_write(&buf, &strict);
    assert_str_equal(yl_buf_str(&buf),
                     "unknown field \"stays\", duplicate field \"y\", "
                     "duplicate field \"a\", unknown field \"z\", "
                     "unknown field \"b\"");
    yl_buf_release(&buf);
    yl_strict_release(&strict);
    yl_arena_free(arena);
}
