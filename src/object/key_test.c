/* Tests of keys. */

#include "yuloh/key.h"

#include "unit.h"
#include "yuloh/arena.h"

TEST(splits_namespace_and_name)
{
    struct yl_key key;

    assert_int_equal(yl_key_parse(YL_STR("default/web-0"), &key, NULL), 0);
    assert_str_equal(key.namespace_, "default");
    assert_str_equal(key.name, "web-0");
    assert_int_equal(yl_key_parse(YL_STR("node-1"), &key, NULL), 0);
    assert_str_equal(key.namespace_, "");
    assert_str_equal(key.name, "node-1");
    assert_int_equal(yl_key_parse(YL_STR(""), &key, NULL), 0);
    assert_str_equal(key.name, "");
    assert_int_equal(yl_key_parse(YL_STR("a/"), &key, NULL), 0);
    assert_str_equal(key.namespace_, "a");
    assert_str_equal(key.name, "");
}

TEST(malformed_key_gets_client_go_s_message)
{
    static const struct {
        struct yl_str text;
        const char *message;
    } cases[] = {
        { YL_STR_INIT("a/b/c"), "unexpected key format: \"a/b/c\"" },
        { YL_STR_INIT("//"), "unexpected key format: \"//\"" },
        { YL_STR_INIT("a/b/\"\\\n\x7f\x01"),
          "unexpected key format: \"a/b/\\\"\\\\\\n\\x7f\\x01\"" },
        { YL_STR_INIT("//\0\xff\xc3\xa9"),
          "unexpected key format: \"//\\x00\\xff\xc3\xa9\"" },
        { YL_STR_INIT("//\xe2\x80\x8b\xed\xa0\x80\xf3\xb0\x80\x80"),
          "unexpected key format: \"//\\u200b\\xed\\xa0\\x80\\U000f0000\"" },
        { YL_STR_INIT("//\xe2\x82\xac\xe2\x82\xc0\xaf\xf0\x9f\x98\x80"),
          "unexpected key format: \"//\xe2\x82\xac\\xe2\\x82\\xc0\\xaf"
          "\xf0\x9f\x98\x80\"" },
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_key key = yl_key_make(YL_STR("x"), YL_STR("y"));
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_key_parse(cases[i].text, &key, &err),
                         YL_EINVALID);
        assert_string_equal(yl_error_message(&err), cases[i].message);
    }
    assert_str_equal(key.name, "y");
    assert_int_equal(yl_key_parse(YL_STR("a/b/c"), &key, NULL), YL_EINVALID);
    yl_error_clear(&err);
}

TEST(text_is_what_was_split)
{
    static const char *const texts[] = { "default/web-0", "node-1", "", "a/" };
    struct yl_arena *arena = yl_arena_new();
    struct yl_key key;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        assert_int_equal(yl_key_parse(yl_str_c(texts[i]), &key, NULL), 0);
        assert_str_equal(yl_key_text(&key, arena), texts[i]);
    }
    yl_arena_free(arena);
}

TEST(copies_hold_their_bytes_in_one_block)
{
    char text[] = "default/web-0";
    struct yl_arena *arena = yl_arena_new();
    struct yl_key key, *a, *b;

    assert_int_equal(yl_key_parse(yl_str_c(text), &key, NULL), 0);
    a = yl_key_new(&key);
    b = yl_key_copy(&key, arena);
    assert_true(yl_key_equal(a, &key) && yl_key_equal(b, &key));
    memset(text, 'x', sizeof text - 1);
    assert_str_equal(a->namespace_, "default");
    assert_str_equal(b->name, "web-0");
    assert_ptr_equal(a->namespace_.data, a + 1);
    free(a);
    yl_arena_free(arena);
}

TEST(order_is_namespace_then_name)
{
    static const struct yl_key keys[] = {
        { YL_STR_INIT(""), YL_STR_INIT("z") },
        { YL_STR_INIT("a"), YL_STR_INIT("b") },
        { YL_STR_INIT("a"), YL_STR_INIT("ba") },
        { YL_STR_INIT("b"), YL_STR_INIT("a") },
    };
    size_t i, j;

    for (i = 0; i < YL_ARRAY_SIZE(keys); i++) {
        for (j = 0; j < YL_ARRAY_SIZE(keys); j++) {
            int c = yl_key_compare(&keys[i], &keys[j]);

            assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
            assert_int_equal(yl_key_equal(&keys[i], &keys[j]), i == j);
            assert_int_equal(yl_key_hash(&keys[i]) == yl_key_hash(&keys[j]),
                             i == j);
        }
    }
}
