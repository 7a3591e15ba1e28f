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
