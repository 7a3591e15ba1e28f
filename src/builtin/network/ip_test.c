/* Tests of builtin/network/ip.h. */

#include "builtin/network/ip.h"

#include "unit.h"

TEST(addresses_are_told_from_other_texts)
{
    struct yl_ip ip;

    assert_true(yl_ip_parse(YL_STR("10.9.8.7"), &ip));
    assert_int_equal(ip.family, 4);
    assert_int_equal(ip.bytes[3], 7);
    assert_true(yl_ip_parse(YL_STR("010.9.8.7"), &ip));
    assert_true(ip.leading_zeros);
    assert_true(yl_ip_parse(YL_STR("2001:db8::ffff"), &ip));
    assert_int_equal(ip.family, 6);
    assert_true(yl_ip_parse(YL_STR("::ffff:1.2.3.4"), &ip));
    assert_int_equal(ip.family, 4);
    assert_true(ip.mapped);
    assert_int_equal(ip.bytes[0], 1);
    assert_false(yl_ip_parse(YL_STR("1.2.3"), &ip));
    assert_false(yl_ip_parse(YL_STR("1.2.3.4.5"), &ip));
    assert_false(yl_ip_parse(YL_STR("1.2.3.256"), &ip));
    assert_false(yl_ip_parse(YL_STR("1.2..4"), &ip));
    assert_false(yl_ip_parse(YL_STR("x"), &ip));
    assert_false(yl_ip_parse(YL_STR(""), &ip));
    assert_false(yl_ip_parse(YL_STR("::1::"), &ip));
    assert_false(yl_ip_parse(YL_STR("::1\0x"), &ip));
    assert_false(yl_ip_parse(
        YL_STR("1111:1111:1111:1111:1111:1111:1111:1111:1111:1111"), &ip));
}

TEST(blocks_have_a_length_that_fits)
{
    struct yl_ip ip;
    unsigned bits;

    assert_true(yl_cidr_parse(YL_STR("10.0.0.0/8"), &ip, &bits));
    assert_int_equal(bits, 8);
    assert_true(yl_cidr_parse(YL_STR("::/128"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("10.0.0.0/33"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("::/129"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("10.0.0.0"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("10.0.0.0/x"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("x/8"), &ip, &bits));
    assert_false(yl_cidr_parse(YL_STR("10.0.0.0/0008"), &ip, &bits));
}

TEST(addresses_are_written_in_canonical_form)
{
    static const char *const cases[][2] = {
        { "1.2.3.4", "1.2.3.4" },
        { "2001:DB8:0:0::1", "2001:db8::1" },
        { "::", "::" },
        { "::1", "::1" },
        { "1::", "1::" },
        { "1:0:0:2:0:0:0:3", "1:0:0:2::3" },
        { "1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7" },
    };
    char text[YL_IP_TEXT_SIZE];
    struct yl_ip ip;
    unsigned bits;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_true(yl_ip_parse(yl_str_c(cases[i][0]), &ip));
        yl_ip_text(&ip, text);
        assert_string_equal(text, cases[i][1]);
    }
    assert_true(yl_cidr_parse(YL_STR("2001:DB8::/112"), &ip, &bits));
    yl_cidr_text(&ip, bits, text);
    assert_string_equal(text, "2001:db8::/112");
}
