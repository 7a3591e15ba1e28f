/* Tests of sets of fields. */

#include "apply/field_set.h"

#include "base/arena.h"
#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

static const struct yl_field_set *
parse(struct yl_arena *arena, const char *text)
{
    const struct yl_field_set *set;

    assert_int_equal(yl_field_set_parse(arena, yl_str_c(text), &set, NULL),
                     0);
    return set;
}

static void
check_written(const struct yl_field_set *set, const char *text)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_field_set_write(&buf, set);
    assert_str_equal(yl_buf_str(&buf), text);
    yl_buf_release(&buf);
}

/* What is read from 'text' is written as 'canonical'. */
static void
check_canonical(const char *text, const char *canonical)
{
    struct yl_arena *arena = yl_arena_new();

    check_written(parse(arena, text), canonical);
    yl_arena_free(arena);
}

static void
check_refused(const char *text, int code)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_set *set;

    assert_int_equal(yl_field_set_parse(arena, yl_str_c(text), &set, NULL),
                     code);
    yl_arena_free(arena);
}

typedef const struct yl_field_set *operation_fn(struct yl_arena *,
                                                const struct yl_field_set *,
                                                const struct yl_field_set *);

static void
check_operation(operation_fn *operation, const char *a, const char *b,
                const char *result)
{
    struct yl_arena *arena = yl_arena_new();

    check_written(operation(arena, parse(arena, a), parse(arena, b)), result);
    yl_arena_free(arena);
}

static bool
append_path(void *aux, const struct yl_path_element *path, size_t n)
{
    yl_path_print(aux, path, n);
    yl_buf_append_char(aux, '\n');
    return true;
}

TEST(fields_v1_is_read_and_written)
{
    check_canonical("{}", "{}");
    check_canonical("null", "{}");
    check_canonical("{\"f:a\":{}}", "{\"f:a\":{}}");
    check_canonical("{\"f:a\":null}", "{\"f:a\":{}}");
    check_canonical("{\"f:a\":{\".\":{}}}", "{\"f:a\":{}}");
    check_canonical("{\"f:a\":{\".\":1,\"f:b\":{}}}",
                    "{\"f:a\":{\".\":{},\"f:b\":{}}}");
    check_canonical("{\"f:a\":{\"f:b\":{}}}", "{\"f:a\":{\"f:b\":{}}}");
    check_canonical("{\".\":{}}", "{}");
}

TEST(fields_v1_is_written_sorted_by_bytes)
{
    check_canonical("{\"v:1\":{},\"i:2\":{},\"k:{\\\"a\\\":9}\":{},"
                    "\"k:{\\\"a\\\":80}\":{},\"f:b\":{},\"f:a\":{}}",
                    "{\"f:a\":{},\"f:b\":{},\"i:2\":{},"
                    "\"k:{\\\"a\\\":80}\":{},\"k:{\\\"a\\\":9}\":{},"
                    "\"v:1\":{}}");
}

TEST(elements_of_unknown_types_are_skipped)
{
    check_canonical("{\"x:a\":{\"f:b\":{}},\"f:c\":{}}", "{\"f:c\":{}}");
    check_canonical("{\"f:c\":{\"x:a\":{\"f:b\":{}}}}", "{\"f:c\":{}}");
}

TEST(elements_that_are_equal_are_joined)
{
    check_canonical("{\"v:1\":{},\"v:1.0\":{\"f:a\":{}},\"f:z\":{}}",
                    "{\"f:z\":{},\"v:1\":{\".\":{},\"f:a\":{}}}");
}

TEST(what_is_no_fields_v1_is_refused)
{
    check_refused("[]", YL_ETYPE);
    check_refused("{\"f:a\":1}", YL_ETYPE);
    check_refused("{\"a\":{}}", YL_EINVALID);
    check_refused("{\"aa\":{}}", YL_EINVALID);
    check_refused("{\"k:1\":{}}", YL_EINVALID);
    check_refused("{", YL_ETRUNCATED);
}

#define A "{\"f:a\":{\".\":{},\"f:b\":{}},\"f:c\":{},\"f:d\":{\"f:e\":{}}}"
#define B "{\"f:a\":{},\"f:d\":{\".\":{},\"f:e\":{},\"f:f\":{}}}"

TEST(union_has_the_fields_of_both)
{
    check_operation(yl_field_set_union, A, B,
                    "{\"f:a\":{\".\":{},\"f:b\":{}},\"f:c\":{},"
                    "\"f:d\":{\".\":{},\"f:e\":{},\"f:f\":{}}}");
    check_operation(yl_field_set_union, A, "{}", A);
    check_operation(yl_field_set_union, "{}", A, A);
}

TEST(intersection_has_the_fields_that_are_in_both)
{
    check_operation(yl_field_set_intersection, A, B,
                    "{\"f:a\":{},\"f:d\":{\"f:e\":{}}}");
    check_operation(yl_field_set_intersection, A, "{}", "{}");
    check_operation(yl_field_set_intersection, "{\"f:a\":{\"f:b\":{}}}",
                    "{\"f:a\":{\"f:c\":{}}}", "{}");
}

TEST(difference_leaves_what_is_below)
{
    check_operation(yl_field_set_difference, A, B,
                    "{\"f:a\":{\"f:b\":{}},\"f:c\":{}}");
    check_operation(yl_field_set_difference, B, A,
                    "{\"f:d\":{\".\":{},\"f:f\":{}}}");
    check_operation(yl_field_set_difference, A, A, "{}");
    check_operation(yl_field_set_difference, A, "{}", A);
}

TEST(recursive_difference_takes_what_is_below)
{
    check_operation(yl_field_set_recursive_difference, A, B, "{\"f:c\":{}}");
    check_operation(yl_field_set_recursive_difference, A,
                    "{\"f:a\":{\"f:b\":{}}}",
                    "{\"f:a\":{},\"f:c\":{},\"f:d\":{\"f:e\":{}}}");
    check_operation(yl_field_set_recursive_difference, A, "{}", A);
}

TEST(leaves_have_nothing_below)
{
    struct yl_arena *arena = yl_arena_new();

    check_written(yl_field_set_leaves(arena, parse(arena, A)),
                  "{\"f:a\":{\"f:b\":{}},\"f:c\":{},\"f:d\":{\"f:e\":{}}}");
    yl_arena_free(arena);
}

TEST(patterns_include_what_is_below_them)
{
    static const char text[] =
        "{\"f:m\":{},\"f:spec\":{\"f:c\":{\"k:{\\\"n\\\":1}\":{\".\":{},"
        "\"f:i\":{},\"f:r\":{\"f:l\":{}}}},\"f:x\":{}}}";
    static const char *const patterns[] = { "spec.c.*.r", "spec.none" };
    struct yl_arena *arena = yl_arena_new();

    check_written(yl_field_set_matching(arena, parse(arena, text), patterns,
                                        2),
                  "{\"f:spec\":{\"f:c\":{\"k:{\\\"n\\\":1}\":{\".\":{},"
                  "\"f:r\":{\"f:l\":{}}}}}}");
    yl_arena_free(arena);
}

TEST(sets_are_made_of_paths)
{
    static const char *const paths[] = { "metadata.name", "kind",
                                         "metadata" };
    struct yl_arena *arena = yl_arena_new();

    check_written(yl_field_set_of(arena, paths, 3),
                  "{\"f:kind\":{},\"f:metadata\":{\".\":{},\"f:name\":{}}}");
    yl_arena_free(arena);
}

TEST(questions_about_sets)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_set *a = parse(arena, A), *b = parse(arena, B);
    struct yl_path_element path[2];

    assert_true(yl_field_set_is_empty(NULL));
    assert_true(yl_field_set_is_empty(parse(arena, "{}")));
    assert_false(yl_field_set_is_empty(a));
    assert_true(yl_field_set_equal(a, parse(arena, A)));
    assert_false(yl_field_set_equal(a, b));
    assert_false(yl_field_set_equal(a, NULL));
    assert_true(yl_field_set_equal(NULL, NULL));
    assert_int_equal(yl_field_set_count(a), 4);
    assert_int_equal(yl_field_set_count(b), 4);
    assert_false(yl_field_set_contains(a, b));
    assert_true(yl_field_set_contains(a, NULL));
    assert_false(yl_field_set_contains(NULL, a));
    assert_true(yl_field_set_contains(yl_field_set_union(arena, a, b), a));
    assert_false(yl_field_set_contains(parse(arena, "{\"f:a\":{\"f:b\":{}}}"),
                                       parse(arena, "{\"f:a\":{}}")));

    path[0] = yl_path_field(YL_STR("a"));
    path[1] = yl_path_field(YL_STR("b"));
    assert_true(yl_field_set_has(a, path, 2));
    assert_true(yl_field_set_has(a, path, 1));
    assert_false(yl_field_set_has(b, path, 2));
    assert_false(yl_field_set_has(a, path, 0));
    path[0] = yl_path_field(YL_STR("d"));
    assert_false(yl_field_set_has(a, path, 1));
    assert_null(yl_field_set_find(a, &path[1]));
    yl_arena_free(arena);
}

TEST(members_of_a_level_come_before_what_is_below)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 20);
    yl_field_set_for_each(
        parse(arena, "{\"f:a\":{\"f:x\":{\"f:y\":{}},\"v:1\":{}},"
                     "\"f:b\":{\".\":{},\"k:{\\\"n\\\":\\\"q\\\"}\":{}}}"),
        append_path, &buf);
    assert_str_equal(yl_buf_str(&buf),
                     ".b\n.a[=1]\n.a.x.y\n.b[n=\"q\"]\n");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(large_sets_that_are_not_sorted_are_read_in_time)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_set *set;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 16 << 20);
    yl_buf_append_char(&buf, '{');
    for (i = 50000; i-- > 0;) {
        yl_buf_printf(&buf, "\"k:{\\\"n\\\":%zu}\":{}%s", i, i ? "," : "}");
    }
    assert_int_equal(yl_field_set_parse(arena, yl_buf_str(&buf), &set, NULL),
                     0);
    assert_int_equal(set->n, 50000);
    assert_true(yl_arena_footprint(arena) < 20 << 20);
    assert_true(yl_field_set_equal(set, yl_field_set_union(arena, set, set)));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

/* The set of the multiples of 'step' below 'end'. */
static const struct yl_field_set *
multiples(struct yl_arena *arena, size_t step, size_t end)
{
    const struct yl_field_set *set;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 16 << 20);
    for (i = 0; i < end; i += step) {
        yl_buf_printf(&buf, "%c\"i:%zu\":{}", i ? ',' : '{', i);
    }
    yl_buf_append_char(&buf, '}');
    assert_int_equal(yl_field_set_parse(
        arena, yl_arena_copy(arena, yl_buf_str(&buf)), &set, NULL), 0);
    yl_buf_release(&buf);
    return set;
}

static bool
has_number(const struct yl_field_set *set, size_t i)
{
    char text[24];
    struct yl_path_element e = { text, 0, YL_PATH_INDEX };

    e.size = (uint32_t) snprintf(text, sizeof text, "%zu", i);
    return yl_field_set_has(set, &e, 1);
}

TEST(a_small_set_beside_a_large_one)
{
    struct yl_arena *arena = yl_arena_new();
    size_t a, b, i;

    for (a = 1; a < 60; a += 7) {
        for (b = 1; b < 60; b += 5) {
            const struct yl_field_set *x = multiples(arena, a, 100 + a);
            const struct yl_field_set *y = multiples(arena, b, 200 - b);
            const struct yl_field_set *both, *rest;

            both = yl_field_set_intersection(arena, x, y);
            rest = yl_field_set_difference(arena, x, y);
            assert_true(yl_field_set_equal(
                rest, yl_field_set_recursive_difference(arena, x, y)));
            for (i = 0; i < 200; i++) {
                bool in_x = has_number(x, i), in_y = has_number(y, i);

                assert_int_equal(has_number(both, i), in_x && in_y);
                assert_int_equal(has_number(rest, i), in_x && !in_y);
            }
            assert_true(yl_field_set_contains(x, both));
            assert_true(yl_field_set_contains(y, both));
            assert_int_equal(yl_field_set_contains(y, x), rest == NULL);
        }
    }
    yl_arena_free(arena);
}

TEST(many_sets_are_joined_in_little_memory)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_field_set *sets[2001], *all;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(sets); i++) {
        const char *path = yl_arena_printf(arena, "a.%zu", i);

        sets[i] = yl_field_set_of(arena, &path, 1);
    }
    all = yl_field_set_union_all(arena, sets, YL_ARRAY_SIZE(sets));
    assert_int_equal(yl_field_set_count(all), YL_ARRAY_SIZE(sets));
    assert_true(yl_arena_footprint(arena) < 8 << 20);
    assert_null(yl_field_set_union_all(arena, sets, 0));
    yl_arena_free(arena);
}

TEST(a_full_account_ends_the_work)
{
    struct yl_account account = { .ceiling = 4096 };
    struct yl_arena arena;
    const struct yl_field_set *set;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 16 << 20);
    yl_buf_append_char(&buf, '{');
    for (i = 0; i < 10000; i++) {
        yl_buf_printf(&buf, "\"f:%zu\":{}%s", i, i < 9999 ? "," : "}");
    }
    yl_arena_init(&arena);
    yl_arena_set_account(&arena, &account);
    assert_int_equal(yl_field_set_parse(&arena, yl_buf_str(&buf), &set, NULL),
                     YL_ETOOBIG);
    yl_arena_release(&arena);
    yl_buf_release(&buf);
}
