/* Tests of query parameters. */

#include "apiserver/params.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_params
parse(struct yl_arena *arena, const char *query)
{
    struct yl_params params;

    assert_int_equal(yl_params_parse(arena, yl_str_c(query), &params, NULL),
                     0);
    return params;
}

TEST(pairs_are_decoded_and_the_first_value_counts)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_params p = parse(arena, "a=1&b=x%20y+z&a=2&c&&d=%3D%26");

    assert_int_equal(p.n, 5);
    assert_true(yl_str_equal_c(yl_params_get(&p, YL_STR("a")), "1"));
    assert_true(yl_str_equal_c(yl_params_get(&p, YL_STR("b")), "x y z"));
    assert_true(yl_str_equal_c(yl_params_get(&p, YL_STR("c")), ""));
    assert_true(yl_str_equal_c(yl_params_get(&p, YL_STR("d")), "=&"));
    assert_false(yl_params_has(&p, YL_STR("e")));
    yl_arena_free(arena);
}

TEST(broken_pairs_are_left_out)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_params p = parse(arena, "a=%&b=%4&c=%zz&d;e=1&f=1%");

    assert_int_equal(p.n, 0);
    yl_arena_free(arena);
}

TEST(bools_are_true_unless_they_say_false)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_params p = parse(arena, "a=&b=false&c=0&d=False&e=x&f=true");

    assert_true(yl_params_bool(&p, YL_STR("a")));
    assert_false(yl_params_bool(&p, YL_STR("b")));
    assert_false(yl_params_bool(&p, YL_STR("c")));
    assert_false(yl_params_bool(&p, YL_STR("d")));
    assert_true(yl_params_bool(&p, YL_STR("e")));
    assert_true(yl_params_bool(&p, YL_STR("f")));
    assert_false(yl_params_bool(&p, YL_STR("none")));
    yl_arena_free(arena);
}

TEST(numbers_fail_in_the_words_of_go)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_params p = parse(arena, "a=%2b7&b=x&c=99999999999999999999&d=");
    struct yl_error err = YL_ERROR_INIT;
    int64_t n = 0;
    bool set;

    assert_int_equal(yl_params_int64(&p, YL_STR("a"), &n, &set, &err), 0);
    assert_int_equal(n, 7);
    assert_true(set);
    assert_int_equal(yl_params_int64(&p, YL_STR("none"), &n, &set, &err), 0);
    assert_false(set);
    assert_int_equal(yl_params_int64(&p, YL_STR("b"), &n, &set, &err),
                     YL_EBADREQUEST);
    assert_string_equal(err.message,
                        "strconv.ParseInt: parsing \"x\": invalid syntax");
    assert_int_equal(yl_params_int64(&p, YL_STR("c"), &n, &set, &err),
                     YL_EBADREQUEST);
    assert_string_equal(err.message,
                        "strconv.ParseInt: parsing \"99999999999999999999\": "
                        "value out of range");
    assert_int_equal(yl_params_int64(&p, YL_STR("d"), &n, &set, &err),
                     YL_EBADREQUEST);
    assert_int_equal(yl_params_bad_number("ParseUint", YL_STR("-5"), &err),
                     YL_EBADREQUEST);
    assert_string_equal(err.message,
                        "strconv.ParseUint: parsing \"-5\": invalid syntax");
    yl_error_clear(&err);
    yl_arena_free(arena);
}

TEST(too_many_are_refused)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_params p;
    char query[2 * (YL_MAX_PARAMS + 1) + 1];
    size_t i;

    for (i = 0; i <= YL_MAX_PARAMS; i++) {
        query[2 * i] = 'a';
        query[2 * i + 1] = '&';
    }
    query[sizeof query - 1] = '\0';
    assert_int_equal(yl_params_parse(arena, yl_str_c(query), &p, &err),
                     YL_ETOOBIG);
    yl_error_clear(&err);
    yl_arena_free(arena);
}
