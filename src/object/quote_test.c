/* Tests of quoted text. */

#include "object/quote.h"

#include "unit.h"

static const struct {
    struct yl_str text;
    const char *quoted, *plain;
} cases[] = {
    { YL_STR_INIT(""), "\"\"", "\"\"" },
    { YL_STR_INIT("a b"), "\"a b\"", "\"a b\"" },
    { YL_STR_INIT("\"\\"), "\"\\\"\\\\\"", "\"\\\"\\\\\"" },
    { YL_STR_INIT("\a\b\t\n\v\f\r"), "\"\\a\\b\\t\\n\\v\\f\\r\"",
      "\"\\x07\\x08\\x09\\x0a\\x0b\\x0c\\x0d\"" },
    { YL_STR_INIT("\0\x1f\x7f"), "\"\\x00\\x1f\\x7f\"",
      "\"\\x00\\x1f\x7f\"" },
    { YL_STR_INIT("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
      "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
      "\"\\xc3\\xa9\\xe2\\x82\\xac\\xf0\\x9f\\x98\\x80\"" },

    /* Not UTF-8: overlong, surrogate, beyond the last, cut short. */
    { YL_STR_INIT("\xc0\xaf"), "\"\\xc0\\xaf\"", "\"\\xc0\\xaf\"" },
    { YL_STR_INIT("\xe0\x80\x80"), "\"\\xe0\\x80\\x80\"",
      "\"\\xe0\\x80\\x80\"" },
    { YL_STR_INIT("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"",
      "\"\\xed\\xa0\\x80\"" },
    { YL_STR_INIT("\xf4\x90\x80\x80"), "\"\\xf4\\x90\\x80\\x80\"",
      "\"\\xf4\\x90\\x80\\x80\"" },
    { YL_STR_INIT("\xe2\x82"), "\"\\xe2\\x82\"", "\"\\xe2\\x82\"" },
    { YL_STR_INIT("\xe2x"), "\"\\xe2x\"", "\"\\xe2x\"" },
    { YL_STR_INIT("\xff"), "\"\\xff\"", "\"\\xff\"" },

    /* UTF-8, but not to be printed. */
    { YL_STR_INIT("\xc2\x85\xc2\xad"), "\"\\u0085\\u00ad\"",
      "\"\\xc2\\x85\\xc2\\xad\"" },
    { YL_STR_INIT("\xe2\x80\x8b\xef\xbb\xbf"), "\"\\u200b\\ufeff\"",
      "\"\\xe2\\x80\\x8b\\xef\\xbb\\xbf\"" },
    { YL_STR_INIT("\xf3\xb0\x80\x80"), "\"\\U000f0000\"",
      "\"\\xf3\\xb0\\x80\\x80\"" },
};

TEST(quoted_as_go_does)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 1 << 10);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        yl__quote(&buf, cases[i].text);
        assert_str_equal(yl_buf_str(&buf), cases[i].quoted);
        yl_buf_clear(&buf);
        yl__quote_plain(&buf, cases[i].text);
        assert_str_equal(yl_buf_str(&buf), cases[i].plain);
        yl_buf_clear(&buf);
    }
    yl_buf_release(&buf);
}
