/* Tests of json/unicode.c. */

#include "json/unicode.h"

#include "unit.h"

TEST(reads_characters_and_broken_bytes)
{
    static const struct {
        const char *text;
        uint32_t code;
        size_t size;
    } rows[] = {
        { "a", 'a', 1 }, { "\303\251", 0xe9, 2 },
        { "\342\200\250", 0x2028, 3 },
        { "\360\237\230\200", 0x1f600, 4 }, { "\377", 0xfffd, 1 },
        { "\303", 0xfffd, 1 }, { "\355\240\200", 0xfffd, 1 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rows); i++) {
        uint32_t code;

        assert_int_equal(yl_unicode_read(yl_str_c(rows[i].text), &code),
                         rows[i].size);
        assert_int_equal(code, rows[i].code);
    }
}

TEST(tells_letters)
{
    static const uint32_t yes[] = { 'a', 'z', 'A', 'Z', 0xaa, 0xe9, 0x3b1,
                                    0x65e5, 0x10000, 0x323af };
    static const uint32_t no[] = { 0, '0', '_', '@', '[', '`', '{', 0x7f, 0xa0,
                                   0xd7, 0x663, 0x1f600, 0x323b0, 0x10ffff };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        assert_true(yl_unicode_is_letter(yes[i]));
    }
    for (i = 0; i < YL_ARRAY_SIZE(no); i++) {
        assert_false(yl_unicode_is_letter(no[i]));
    }
}

TEST(tells_digits)
{
    assert_true(yl_unicode_is_digit('0'));
    assert_true(yl_unicode_is_digit('9'));
    assert_true(yl_unicode_is_digit(0x663));
    assert_true(yl_unicode_is_digit(0x1fbf9));
    assert_false(yl_unicode_is_digit('a'));
    assert_false(yl_unicode_is_digit('/'));
    assert_false(yl_unicode_is_digit(':'));
    assert_false(yl_unicode_is_digit(0xb2));
    assert_false(yl_unicode_is_digit(0x65f));
}

/* The number of code points was counted with Go's tables. */
TEST(the_tables_are_complete)
{
    size_t n_letters = 0, n_digits = 0;
    uint32_t code;

    for (code = 0; code <= 0x10ffff; code++) {
        n_letters += yl_unicode_is_letter(code);
        n_digits += yl_unicode_is_digit(code);
    }
    assert_int_equal(n_letters, 136104);
    assert_int_equal(n_digits, 680);
}
