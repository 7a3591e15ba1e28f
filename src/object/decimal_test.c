/* Tests of decimal arithmetic, where quantities do not reach it. */

#include "object/decimal.h"

#include "unit.h"

/* 153 nines: as many digits as there is room for. */
static struct yl_decimal
full(void)
{
    struct yl_decimal d;
    size_t i;

    memset(&d, 0, sizeof d);
    d.n_limbs = YL_DECIMAL_LIMBS;
    for (i = 0; i < YL_DECIMAL_LIMBS; i++) {
        d.limbs[i] = 999999999;
    }
    return d;
}

TEST(normal_form_has_no_zeros_at_the_end)
{
    struct yl_decimal d;
    char text[200];

    yl_decimal_set_int(&d, 1200000000000000000, -3);
    assert_int_equal(d.exponent, 14);
    assert_int_equal(yl_decimal_write_digits(&d, text), 2);
    assert_memory_equal(text, "12", 2);
    yl_decimal_set_digits(&d, YL_STR("000000000000000000000"), 7);
    assert_int_equal(d.n_limbs, 0);
    assert_int_equal(d.exponent, 0);
    assert_int_equal(yl_decimal_n_digits(&d), 0);
}

TEST(what_does_not_fit_leaves_the_number_alone)
{
    struct yl_decimal d = full(), one, before = d;

    yl_decimal_set_int(&one, 1, 0);
    assert_false(yl_decimal_add(&d, &one, false));
    assert_memory_equal(&d, &before, sizeof d);
    assert_false(yl_decimal_multiply(&d, 2));
    assert_memory_equal(&d, &before, sizeof d);
    assert_false(yl_decimal_expand(&d, -1));
    assert_memory_equal(&d, &before, sizeof d);
    assert_false(yl_decimal_divide(&d, 1024));
    assert_memory_equal(&d, &before, sizeof d);
    assert_true(yl_decimal_add(&d, &one, true));
}

TEST(rounding_carries_through_every_limb)
{
    struct yl_decimal d = full();

    yl_decimal_round(&d, 1);
    assert_int_equal(d.n_limbs, 1);
    assert_int_equal(d.limbs[0], 1);
    assert_int_equal(d.exponent, YL_DECIMAL_LIMBS * 9);
    d = full();
    d.negative = true;
    yl_decimal_round(&d, 1000);
    assert_int_equal(d.limbs[0], 1);
    assert_int_equal(d.exponent, 1000);
    assert_true(d.negative);
}
