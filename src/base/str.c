/* String slices.  See yuloh/str.h. */

#include "yuloh/str.h"

#include <limits.h>

#include "yuloh/error.h"

static bool is_blank(char c);

struct yl_str
yl_str_trim(struct yl_str s)
{
    while (s.size && is_blank(s.data[0])) {
        s = yl_str_skip(s, 1);
    }
    while (s.size && is_blank(s.data[s.size - 1])) {
        s.size--;
    }
    return s;
}

bool
yl_str_cut(struct yl_str s, char separator, struct yl_str *ret_before,
           struct yl_str *ret_after)
{
    const char *at = yl_str_find_char(s, separator);

    if (!at) {
        return false;
    }
    *ret_before = yl_str_range(s.data, at);
    *ret_after = yl_str_range(at + 1, s.data + s.size);
    return true;
}

int
yl_str_to_u64(struct yl_str s, unsigned long long *ret_value)
{
    unsigned long long value = 0;
    size_t i;

    if (s.size == 0) {
        return YL_EINVALID;
    }
    for (i = 0; i < s.size; i++) {
        unsigned digit = (unsigned char) s.data[i] - (unsigned) '0';

        if (digit > 9 || value > (ULLONG_MAX - digit) / 10) {
            return YL_EINVALID;
        }
        value = value * 10 + digit;
    }
    *ret_value = value;
    return 0;
}

int
yl_str_to_i64(struct yl_str s, long long *ret_value)
{
    bool negative = s.size && s.data[0] == '-';
    unsigned long long limit = (unsigned long long) LLONG_MAX + negative;
    unsigned long long value;

    if (yl_str_to_u64(negative ? yl_str_skip(s, 1) : s, &value) < 0
        || value > limit) {
        return YL_EINVALID;
    }
    *ret_value = negative ? (long long) (0 - value) : (long long) value;
    return 0;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
