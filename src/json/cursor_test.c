/* Tests of cursors. */

#include "json/cursor.h"

#include "base/arena.h"
#include "json/bits.h"
#include "unit.h"
#include "yuloh/error.h"

static const char text[] =
    " { \"metadata\" : { \"name\" : \"web\" , \"labels\" : { } } ,\n"
    "   \"e\\nc\" : \"x\\ty\" , \"list\" : [ 1 , [ ] , \"two\" , { \"a\" : "
    "null } , true ] ,\n"
    "   \"brackets\" : \"]}[{\\\"\" , \"last\" : -1.5e3 } ";

static struct yl_json
at(const char *key)
{
    return yl_json_get(yl_json(yl_str_c(text)), yl_str_c(key));
}

TEST(members_are_found)
{
    struct yl_json root = yl_json(yl_str_c(text));

    assert_int_equal(yl_json_type(root), YL_JSON_OBJECT);
    assert_str_equal(yl_json_raw(at("last")), "-1.5e3");
    assert_str_equal(yl_json_raw(at("brackets")), "\"]}[{\\\"\"");
    assert_str_equal(yl_json_raw(at("e\nc")), "\"x\\ty\"");
    assert_false(yl_json_exists(at("e\\nc")));
    assert_false(yl_json_exists(at("none")));
    assert_false(yl_json_exists(at("")));
    assert_str_equal(yl_json_raw(yl_json_path(root, "metadata", "name",
                                              (char *) NULL)), "\"web\"");
    assert_false(yl_json_exists(yl_json_path(root, "metadata", "name", "x",
                                             (char *) NULL)));
    assert_ptr_equal(yl_json_path(root, (char *) NULL).start, root.start);
    assert_str_equal(yl_json_raw(yl_json_get(yl_json(YL_STR("{\"a\":1,"
                                                            "\"a\":2}")),
                                             YL_STR("a"))), "1");
}

TEST(elements_are_found)
{
    struct yl_json list = at("list");

    assert_str_equal(yl_json_raw(yl_json_at(list, 0)), "1");
    assert_str_equal(yl_json_raw(yl_json_at(list, 1)), "[ ]");
    assert_str_equal(yl_json_raw(yl_json_at(list, 3)), "{ \"a\" : null }");
    assert_str_equal(yl_json_raw(yl_json_at(list, 4)), "true");
    assert_false(yl_json_exists(yl_json_at(list, 5)));
    assert_false(yl_json_exists(yl_json_at(at("metadata"), 0)));
    assert_false(yl_json_exists(yl_json_at(at("last"), 0)));
    assert_false(yl_json_exists(yl_json_get(list, YL_STR("a"))));
}

TEST(types_are_promised_by_the_first_byte)
{
    static const struct {
        const char *text;
        enum yl_json_type type;
    } cases[] = {
        { "{", YL_JSON_OBJECT },    { "[", YL_JSON_ARRAY },
        { "\"", YL_JSON_STRING },   { "t", YL_JSON_BOOL },
        { "f", YL_JSON_BOOL },      { "n", YL_JSON_NULL },
        { "-", YL_JSON_NUMBER },    { "0", YL_JSON_NUMBER },
        { "9", YL_JSON_NUMBER },    { "x", YL_JSON_NONE },
        { "", YL_JSON_NONE },       { " \n", YL_JSON_NONE },
        { "+", YL_JSON_NONE },      { "}", YL_JSON_NONE },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_json_type(yl_json(yl_str_c(cases[i].text))),
                         cases[i].type);
    }
}

TEST(iteration_visits_everything_once)
{
    static const char *const keys[] = { "metadata", "e\\nc", "list",
                                        "brackets", "last" };
    struct yl_json_iter it = yl_json_iter(yl_json(yl_str_c(text)));
    size_t n = 0;

    while (yl_json_next(&it)) {
        assert_true(n < 5);
        assert_str_equal(it.key, keys[n]);
        assert_int_equal(it.escaped, n == 1);
        assert_ptr_equal(it.value.limit,
                         it.value.start + yl_json_raw(it.value).size);
        n++;
    }
    assert_int_equal(n, 5);
    assert_false(yl_json_next(&it));
    assert_false(yl_json_next(&it));

    n = 0;
    it = yl_json_iter(at("list"));
    while (yl_json_next(&it)) {
        assert_true(yl_str_is_null(it.key));
        n++;
    }
    assert_int_equal(n, 5);
}

TEST(counts)
{
    assert_int_equal(yl_json_count(yl_json(yl_str_c(text))), 5);
    assert_int_equal(yl_json_count(at("list")), 5);
    assert_int_equal(yl_json_count(at("last")), 0);
    assert_int_equal(yl_json_count(yl_json_none()), 0);
    assert_int_equal(yl_json_count(yl_json(YL_STR("[]"))), 0);
    assert_int_equal(yl_json_count(yl_json(YL_STR("[ ]"))), 0);
    assert_int_equal(yl_json_count(yl_json(YL_STR("{ }"))), 0);
    assert_int_equal(yl_json_count(yl_json(YL_STR("[[],{}]"))), 2);
}

/* The scalars of one text: the codes of bool, int64, uint64 and double. */
static void
assert_scalars(const char *s, int as_bool, int as_int, int as_uint,
               int as_double)
{
    struct yl_json value = yl_json(yl_str_c(s));
    bool flag;
    int64_t i;
    uint64_t u;
    double d;

    assert_int_equal(yl_json_bool(value, &flag), as_bool);
    assert_int_equal(yl_json_int64(value, &i), as_int);
    assert_int_equal(yl_json_uint64(value, &u), as_uint);
    assert_int_equal(yl_json_double(value, &d), as_double);
}

TEST(scalars)
{
    const int type = YL_ETYPE;
    const int range = YL_ERANGE;
    bool flag = false;
    int64_t i;
    uint64_t u;
    double d;

    assert_int_equal(yl_json_bool(yl_json(YL_STR("true")), &flag), 0);
    assert_true(flag);
    assert_int_equal(yl_json_bool(yl_json(YL_STR("false ")), &flag), 0);
    assert_false(flag);
    assert_int_equal(yl_json_int64(yl_json(YL_STR("-12,")), &i), 0);
    assert_int_equal(i, -12);
    assert_int_equal(yl_json_uint64(yl_json(YL_STR("18446744073709551615")),
                                    &u), 0);
    assert_true(u == UINT64_MAX);
    assert_int_equal(yl_json_double(at("last"), &d), 0);
    assert_true(d == -1500);

    assert_scalars("true", 0, type, type, type);
    assert_scalars("1", type, 0, 0, 0);
    assert_scalars("-1", type, 0, range, 0);
    assert_scalars("1.0", type, range, range, 0);
    assert_scalars("1e2", type, range, range, 0);
    assert_scalars("1e999", type, range, range, range);
    assert_scalars("18446744073709551616", type, range, range, 0);
    assert_scalars("null", type, type, type, type);
    assert_scalars("\"1\"", type, type, type, type);
    assert_scalars("[1]", type, type, type, type);
    assert_scalars("", type, type, type, type);
    assert_scalars("tru", type, type, type, type);
    assert_scalars("truex", type, type, type, type);
    assert_scalars("-", type, type, type, type);
    assert_scalars("01", type, type, type, type);
    assert_scalars("1x", type, type, type, type);
    assert_scalars("1.", type, type, type, type);
}

TEST(strings)
{
    struct yl_json plain = yl_json_path(yl_json(yl_str_c(text)), "metadata",
                                        "name", (char *) NULL);
    struct yl_str s = YL_STR("before");
    struct yl_arena arena;

    yl_arena_init(&arena);

    /* Without escapes: a slice of the text. */
    assert_int_equal(yl_json_string(plain, NULL, &s), 0);
    assert_str_equal(s, "web");
    assert_ptr_equal(s.data, plain.start + 1);
    assert_true(yl_json_string_is(plain, YL_STR("web")));
    assert_false(yl_json_string_is(plain, YL_STR("we")));

    assert_int_equal(yl_json_string(at("e\nc"), &arena, &s), 0);
    assert_str_equal(s, "x\ty");
    assert_true(yl_json_string_is(at("e\nc"), YL_STR("x\ty")));
    assert_false(yl_json_string_is(at("e\nc"), YL_STR("x\\ty")));

    s = YL_STR("before");
    assert_int_equal(yl_json_string(at("last"), &arena, &s), YL_ETYPE);
    assert_int_equal(yl_json_string(yl_json_none(), &arena, &s), YL_ETYPE);
    assert_int_equal(yl_json_string(yl_json(YL_STR("\"open")), &arena, &s),
                     YL_ETYPE);
    assert_int_equal(yl_json_string(yl_json(YL_STR("\"\\x\"")), &arena, &s),
                     YL_ESYNTAX);
    assert_int_equal(yl_json_string(yl_json(YL_STR("\"\\ud800\"")), &arena,
                                    &s), YL_ESYNTAX);
    assert_str_equal(s, "before");
    assert_false(yl_json_string_is(at("last"), YL_STR("-1.5e3")));
    assert_false(yl_json_string_is(yl_json_none(), YL_STR("")));
    yl_arena_release(&arena);
}

TEST(absent_values_chain)
{
    struct yl_json none = yl_json_get(yl_json_at(yl_json_none(), 3),
                                      YL_STR("a"));
    struct yl_json_iter it = yl_json_iter(none);

    assert_false(yl_json_exists(none));
    assert_int_equal(yl_json_type(none), YL_JSON_NONE);
    assert_true(yl_str_is_null(yl_json_raw(none)));
    assert_false(yl_json_next(&it));
    assert_false(yl_json_exists(yl_json(yl_str_null())));
    assert_false(yl_json_exists(yl_json(YL_STR(""))));
}

/* Calls everything on 'value' and on what is in it. */
static void
poke(struct yl_json value, struct yl_arena *arena, unsigned depth)
{
    struct yl_json_iter it = yl_json_iter(value);
    struct yl_str s = yl_json_raw(value);
    bool flag;
    int64_t i;
    uint64_t u;
    double d;

    if (s.data) {
        assert_true(s.data + s.size <= value.limit);
    }
    yl_json_type(value);
    yl_json_bool(value, &flag);
    yl_json_int64(value, &i);
    yl_json_uint64(value, &u);
    yl_json_double(value, &d);
    yl_json_string(value, arena, &s);
    yl_json_string_is(value, YL_STR("two"));
    yl_json_count(value);
    yl_json_at(value, 2);
    yl_json_get(value, YL_STR("last"));
    while (depth && yl_json_next(&it)) {
        poke(it.value, arena, depth - 1);
    }
}

/* Each cut has memory of its own, so that a sanitizer sees what is read behind
 * its end. */
TEST(cut_texts_are_safe_at_every_byte)
{
    const struct yl_bits *const *variant;
    struct yl_arena arena;
    size_t n;

    yl_arena_init(&arena);
    for (variant = yl_bits_variants(); *variant; variant++) {
        yl_bits_use(*variant);
        for (n = 0; n <= sizeof text - 1; n++) {
            char *copy = malloc(n ? n : 1);

            memcpy(copy, text, n);
            poke(yl_json(yl_str_n(copy, n)), &arena, 8);
            free(copy);
        }
    }
    yl_bits_use(NULL);
    yl_arena_release(&arena);
}

TEST(broken_texts_are_safe)
{
    unsigned seed = 3;
    struct yl_arena arena;
    int i;

    yl_arena_init(&arena);
    for (i = 0; i < 20000; i++) {
        static const char junk[] = "\"\\{}[],:0-e.tfn \xff";
        size_t n = sizeof text - 1;
        char *copy = malloc(n);
        int j;

        memcpy(copy, text, n);
        for (j = 0; j < 3; j++) {
            seed = seed * 1103515245u + 12345u;
            copy[(seed >> 8) % n] = junk[(seed >> 20) % (sizeof junk - 1)];
        }
        poke(yl_json(yl_str_n(copy, n)), &arena, 8);
        free(copy);
    }
    yl_arena_release(&arena);
}

TEST(skip_string_of_every_length)
{
    char s[100];
    size_t n;

    for (n = 0; n < 80; n++) {
        bool escaped = true;

        memset(s, 'a', sizeof s);
        s[0] = '"';
        s[n + 1] = '"';
        assert_ptr_equal(yl_json_skip_string(s, s + sizeof s, &escaped),
                         s + n + 2);
        assert_false(escaped);
        assert_ptr_equal(yl_json_skip_string(s, s + n + 2, &escaped),
                         s + n + 2);
        assert_null(yl_json_skip_string(s, s + n + 1, &escaped));
        if (n >= 2) {
            /* A quote that does not count, and a backslash behind the end
             * that is not seen. */
            s[n - 1] = '\\';
            s[n] = '"';
            s[n + 3] = '\\';
            assert_ptr_equal(yl_json_skip_string(s, s + sizeof s, &escaped),
                             s + n + 2);
            assert_true(escaped);
            assert_null(yl_json_skip_string(s, s + n, &escaped));
        }
    }
}

TEST(skip_value)
{
    static const struct {
        const char *s;
        int size;               /* -1: NULL. */
    } cases[] = {
        { "1,", 1 },        { "true]", 4 },     { "-1.5e+3}", 7 },
        { "\"a\\\"b\"x", 6 }, { "[]x", 2 },     { "{}", 2 },
        { "[1,[2,{}]]]", 10 }, { "{\"a\":\"}\"}x", 9 },
        { "", -1 },         { ",", -1 },        { "]", -1 },
        { "\"a", -1 },      { "[1", -1 },       { "[", -1 },
        { "{\"a\":\"}", -1 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        const char *s = cases[i].s;
        const char *end = yl_json_skip_value(s, s + strlen(s));

        assert_int_equal(end ? end - s : -1, cases[i].size);
    }
}
