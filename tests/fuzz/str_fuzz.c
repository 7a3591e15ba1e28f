/* Fuzzes string slices: their functions must agree with each other, for any
 * bytes. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "yuloh/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cut(struct yl_str s, char separator);
static void check_numbers(struct yl_str s);
static void check(bool truth);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_str s = yl_str_n((const char *) data, size);
    struct yl_str trimmed = yl_str_trim(s);

    check(trimmed.size <= s.size);
    check(yl_str_equal(yl_str_trim(trimmed), trimmed));
    if (size) {
        check_cut(yl_str_skip(s, 1), s.data[0]);
    }
    check_numbers(s);
    check_numbers(trimmed);
    return 0;
}

/* The two parts and the separator must make the whole again. */
static void
check_cut(struct yl_str s, char separator)
{
    struct yl_str before, after;

    if (yl_str_cut(s, separator, &before, &after)) {
        check(before.size + 1 + after.size == s.size);
        check(!yl_str_find_char(before, separator));
        check(yl_str_starts_with(s, before) && yl_str_ends_with(s, after));
        check(s.data[before.size] == separator);
    } else {
        check(!yl_str_find_char(s, separator));
    }
}

/* A text that is read as a number must print as the same digits, except for
 * leading zeros. */
static void
check_numbers(struct yl_str s)
{
    unsigned long long u;
    long long i;
    char text[32];

    if (yl_str_to_i64(s, &i) == 0) {
        struct yl_str digits = s;
        bool negative = s.data[0] == '-';

        if (negative) {
            digits = yl_str_skip(digits, 1);
        }
        while (digits.size > 1 && digits.data[0] == '0') {
            digits = yl_str_skip(digits, 1);
        }
        snprintf(text, sizeof text, "%lld", i);
        check(yl_str_equal_c(digits, text + (i < 0)));
        check(i >= 0 || negative);
    }
    if (yl_str_to_u64(s, &u) == 0 && u <= INT64_MAX) {
        check(yl_str_to_i64(s, &i) == 0 && (unsigned long long) i == u);
    }
}

static void
check(bool truth)
{
    if (!truth) {
        abort();
    }
}
