/* Tests of json/base64.c. */

#include "json/base64.h"

#include "unit.h"
#include "yuloh/arena.h"

TEST(decodes_what_go_decodes)
{
    static const struct {
        const char *base64;
        const char *text;       /* NULL if it is refused. */
    } rows[] = {
        { "", "" }, { "YQ==", "a" }, { "YWI=", "ab" }, { "YWJj", "abc" },
        { "YWJjZA==", "abcd" }, { "Y\nW\r\nI\n=\n", "ab" },
        { "+/+/", "\357\277\275\357\277\275\357\277\275" },
        { "w6k=", "\303\251" }, { "/w==", "\357\277\275" },
        { "Yf9i", "a\357\277\275b" }, { "w2E=", "\357\277\275a" },
        { "Y", NULL }, { "YQ", NULL }, { "YQ=", NULL }, { "YQ===", NULL },
        { "YWI", NULL }, { "YWI==", NULL }, { "YWJj=", NULL }, { "=", NULL },
        { "Y=Q=", NULL }, { "YQ==YQ==", NULL }, { "Y Q=", NULL },
        { "YQ-_", NULL }, { "YR==", "a" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        struct yl_str s = yl_str_c(rows[i].base64);
        struct yl_str text;

        if (!rows[i].text) {
            assert_false(yl_base64_decode_text(arena, s, &text));
        } else {
            assert_true(yl_base64_decode_text(arena, s, &text));
            assert_str_equal(text, rows[i].text);
        }
    }
    yl_arena_free(arena);
}

TEST(bytes_are_written_with_padding_and_read_back)
{
    static const char *const texts[] = {
        "", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy",
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_str bytes;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 64);
    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        yl_buf_clear(&buf);
        yl_base64_write(&buf, yl_str_n("foobar", i));
        assert_str_equal(yl_buf_str(&buf), texts[i]);
        assert_true(yl_base64_decode(arena, yl_buf_str(&buf), &bytes));
        assert_int_equal(bytes.size, i);
        assert_memory_equal(bytes.data, "foobar", i);
    }
    yl_buf_clear(&buf);
    yl_base64_write(&buf, yl_str_n("\xff\x00\xfe", 3));
    assert_str_equal(yl_buf_str(&buf), "/wD+");
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(bytes_beyond_the_ceiling_are_not_written)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 3);
    yl_base64_write(&buf, YL_STR("f"));
    assert_int_equal(buf.size, 0);
    assert_true(yl_buf_error(&buf) < 0);
    yl_buf_release(&buf);
}

TEST(the_form_for_urls_has_one_text_for_each_value)
{
    static const char *const texts[] = {
        "", "-w", "-_4", "-_79", "-_79_A", "-_79_Ps", "-_79_Pv6",
    };
    static const char *const refused[] = {
        "A", "AAAAA", "-w==", "+w", "/w", "-x", "-_5", "-w\n", "-w ", "a.b",
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_str bytes;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 64);
    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        yl_buf_clear(&buf);
        yl_base64url_write(&buf, yl_str_n("\373\376\375\374\373\372", i));
        assert_str_equal(yl_buf_str(&buf), texts[i]);
        assert_true(yl_base64url_decode(arena, yl_buf_str(&buf), &bytes));
        assert_int_equal(bytes.size, i);
        assert_memory_equal(bytes.data, "\373\376\375\374\373\372", i);
    }
    for (i = 0; i < YL_ARRAY_SIZE(refused); i++) {
        assert_false(yl_base64url_decode(arena, yl_str_c(refused[i]),
                                         &bytes));
    }
    yl_buf_release(&buf);
    yl_arena_free(arena);
}
