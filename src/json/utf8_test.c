/* Tests of UTF-8. */

#include "json/utf8.h"

#include "unit.h"

/* Is the code point one that UTF-8 may hold? */
static bool
is_scalar_value(unsigned code)
{
    return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}

/* What the bytes would be in the pattern of 'n' bytes, valid or not. */
static void
encode(unsigned code, size_t n, char *out)
{
    static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    size_t i;

    if (n == 1) {
        out[0] = (char) code;
        return;
    }
    for (i = n - 1; i > 0; i--) {
        out[i] = (char) (0x80 | (code & 0x3f));
        code >>= 6;
    }
    out[0] = (char) (lead[n] | code);
}

TEST(every_code_point_in_every_length)
{
    static const unsigned first[] = { 0, 0, 0x80, 0x800, 0x10000 };
    static const unsigned end[] = { 0, 0x80, 0x800, 0x10000, 0x200000 };
    unsigned code;
    size_t n;

    for (n = 1; n <= 4; n++) {
        for (code = 0; code < end[n]; code++) {
            bool good = code >= first[n] && is_scalar_value(code);
            char s[4];

            encode(code, n, s);
            assert_true(yl_utf8_char_size(yl_str_n(s, n)) == (good ? n : 0));
        }
    }
}

TEST(characters_are_not_cut_short)
{
    const char *s = "\xf0\x9f\x98\x80";
    size_t i;

    assert_int_equal(yl_utf8_char_size(yl_str_n(s, 4)), 4);
    for (i = 0; i < 4; i++) {
        assert_int_equal(yl_utf8_char_size(yl_str_n(s, i)), 0);
    }
    assert_int_equal(yl_utf8_char_size(yl_str_null()), 0);

    /* More bytes behind it do not matter. */
    assert_int_equal(yl_utf8_char_size(YL_STR("\xc3\xa9\xff")), 2);
}

TEST(bytes_that_start_nothing)
{
    int c;

    for (c = 0x80; c < 0x100; c++) {
        char s[4] = { (char) c, (char) 0x41, (char) 0x80, (char) 0x80 };

        assert_int_equal(yl_utf8_char_size(yl_str_n(s, 4)), 0);
        if (c >= 0xc2 && c <= 0xf4) {
            continue;
        }
        memset(s + 1, 0x80, 3);
        assert_int_equal(yl_utf8_char_size(yl_str_n(s, 4)), 0);
    }
}

TEST(find_invalid_finds_the_first)
{
    assert_null(yl_utf8_find_invalid(YL_STR("")));
    assert_null(yl_utf8_find_invalid(yl_str_null()));
    assert_null(yl_utf8_find_invalid(YL_STR("plain and \xc3\xa9 and "
                                            "\xe2\x82\xac and "
                                            "\xf0\x9f\x98\x80")));
    assert_null(yl_utf8_find_invalid(yl_str_n("a\0b", 3)));
}

TEST(find_invalid_at_every_place)
{
    char s[64];
    size_t at, size;

    for (size = 1; size <= sizeof s; size++) {
        for (at = 0; at < size; at++) {
            memset(s, 'a', sizeof s);
            assert_null(yl_utf8_find_invalid(yl_str_n(s, size)));
            s[at] = (char) 0xff;
            assert_ptr_equal(yl_utf8_find_invalid(yl_str_n(s, size)), s + at);

            /* A character that the end cuts off. */
            s[at] = (char) 0xc3;
            assert_ptr_equal(yl_utf8_find_invalid(yl_str_n(s, at + 1)),
                             s + at);
            if (at + 1 < size) {
                s[at + 1] = (char) 0xa9;
                assert_null(yl_utf8_find_invalid(yl_str_n(s, size)));
            }
        }
    }
}

TEST(a_cut_text_has_whole_characters)
{
    struct yl_str s = yl_str_c("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z");

    assert_int_equal(yl_utf8_cut(s, 100).size, s.size);
    assert_int_equal(yl_utf8_cut(s, s.size).size, s.size);
    assert_int_equal(yl_utf8_cut(s, 10).size, 10);
    assert_int_equal(yl_utf8_cut(s, 9).size, 6);
    assert_int_equal(yl_utf8_cut(s, 7).size, 6);
    assert_int_equal(yl_utf8_cut(s, 5).size, 3);
    assert_int_equal(yl_utf8_cut(s, 2).size, 1);
    assert_int_equal(yl_utf8_cut(s, 0).size, 0);
    s = yl_str_c("\x80\x80\x80\x80\x80\x80");
    assert_int_equal(yl_utf8_cut(s, 5).size, 5);
    assert_int_equal(yl_utf8_cut(s, 2).size, 2);
}
