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
