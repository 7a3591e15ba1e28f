/* Tests of quoted text. */

#include "base/quote.h"

#include "unit.h"

static void
check(struct yl_str s, const char *expected)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1000);
    yl_quote(&buf, s);
    assert_str_equal(yl_buf_str(&buf), expected);
    yl_buf_release(&buf);
}

TEST(printable_text_stands_as_it_is)
{
    check(yl_str_null(), "\"\"");
    check(YL_STR("plain"), "\"plain\"");
    check(YL_STR("\xc3\xa9\xe6\x91\x87\xf0\x9f\x9a\xa3"),
          "\"\xc3\xa9\xe6\x91\x87\xf0\x9f\x9a\xa3\"");
}

TEST(quotes_and_controls_are_escaped_as_go_does)
{
    check(YL_STR("a\"b\\c"), "\"a\\\"b\\\\c\"");
    check(YL_STR("\a\b\t\n\v\f\r"), "\"\\a\\b\\t\\n\\v\\f\\r\"");
    check(yl_str_n("\0\x1b[2J\x7f", 6), "\"\\x00\\x1b[2J\\x7f\"");
}

TEST(hidden_characters_are_escaped)
{
    check(YL_STR("\xc2\x9b"), "\"\\u009b\"");           /* C1 control. */
    check(YL_STR("\xe2\x80\xae"), "\"\\u202e\"");       /* Right to left. */
    check(YL_STR("\xef\xbb\xbf"), "\"\\ufeff\"");       /* Byte order mark. */
    check(YL_STR("\xf3\xa0\x80\x81"), "\"\\U000e0001\"");
}

TEST(bytes_that_are_not_utf8_are_escaped)
{
    check(YL_STR("\xff\x80"), "\"\\xff\\x80\"");
    check(YL_STR("\xc3"), "\"\\xc3\"");                 /* Cut. */
    check(YL_STR("\xc3(") , "\"\\xc3(\"");
    check(YL_STR("\xc0\xaf"), "\"\\xc0\\xaf\"");        /* Overlong. */
    check(YL_STR("\xe0\x80\xaf"), "\"\\xe0\\x80\\xaf\"");
    check(YL_STR("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");   /* Surrogate. */
    check(YL_STR("\xf4\x90\x80\x80"), "\"\\xf4\\x90\\x80\\x80\"");
}

TEST(decode_says_how_long_a_character_is)
{
    uint32_t rune = 7;

    assert_int_equal(yl_rune_decode(yl_str_null(), &rune), 0);
    assert_int_equal(yl_rune_decode(YL_STR("\xe2\x82"), &rune), 0);
    assert_int_equal(rune, 7);
    assert_int_equal(yl_rune_decode(YL_STR("\xe2\x82\xac!"), &rune), 3);
    assert_int_equal(rune, 0x20ac);
}

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

TEST(both_forms_are_those_of_go)
{
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, 1 << 10);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        yl_quote(&buf, cases[i].text);
        assert_str_equal(yl_buf_str(&buf), cases[i].quoted);
        yl_buf_clear(&buf);
        yl_quote_plain(&buf, cases[i].text);
        assert_str_equal(yl_buf_str(&buf), cases[i].plain);
        yl_buf_clear(&buf);
    }
    yl_buf_release(&buf);
}

TEST(browsers_see_no_html)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 10);
    yl_quote_html(&buf, YL_STR("<b a=\"1\">&amp;</b>"));
    assert_str_equal(yl_buf_str(&buf),
                     "&lt;b a=\"1\"&gt;&amp;amp;&lt;/b&gt;");
    yl_buf_release(&buf);
}

static size_t
excerpt_size(const char *unit, size_t n)
{
    struct yl_buf text;
    size_t size;

    yl_buf_init(&text, SIZE_MAX);
    for (size_t i = 0; i < n; i++) {
        yl_buf_append_c(&text, unit);
    }
    size = yl_excerpt(yl_buf_str(&text), YL_EXCERPT_MAX).size;
    yl_buf_release(&text);
    return size;
}

TEST(an_excerpt_counts_what_it_becomes)
{
    assert_int_equal(excerpt_size("a", 1024), 1024);
    assert_int_equal(excerpt_size("a", 1025), 1024);
    assert_int_equal(excerpt_size("\"", 256), 256);
    assert_int_equal(excerpt_size("\"", 60000), 256);
    assert_int_equal(excerpt_size("\x01", 60000), 1024 / 5);
    assert_int_equal(excerpt_size("<", 60000), 1024 / 6);
    assert_int_equal(excerpt_size("\xc3\xa9", 60000), 1024);
    assert_int_equal(excerpt_size("\xe2\x82\xac", 60000), 1023);
    assert_int_equal(excerpt_size("\xff", 60000), 1024 / 5);
}

TEST(what_is_cut_ends_in_dots)
{
    char long_one[2000];
    struct yl_buf buf;

    memset(long_one, 'a', sizeof long_one);
    yl_buf_init(&buf, SIZE_MAX);
    yl_quote_excerpt(&buf, YL_STR("a\"b"));
    yl_append_excerpt(&buf, YL_STR(" a\"b"));
    assert_string_equal(yl_buf_c_str(&buf), "\"a\\\"b\" a\"b");
    yl_buf_clear(&buf);
    yl_quote_excerpt(&buf, yl_str_n(long_one, sizeof long_one));
    assert_int_equal(buf.size, 1024 + 5);
    assert_memory_equal(buf.data + buf.size - 5, "a...\"", 5);
    yl_buf_clear(&buf);
    yl_append_excerpt(&buf, yl_str_n(long_one, sizeof long_one));
    assert_int_equal(buf.size, 1024 + 3);
    yl_buf_release(&buf);
}
