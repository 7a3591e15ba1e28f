/* The order of members in YAML.  See json/yaml_sort.h.
 *
 * The order is not a total order: there are keys with a < b < c < a.  So we
 * use a merge sort, which works with any comparison.  For such keys Go's
 * output depends on chance, so any result is as good as Go's. */

#include "json/yaml_sort.h"

#include <stdint.h>

#include "json/tree.h"
#include "json/unicode.h"
#include "json/utf8.h"
#include "yuloh/arena.h"

/* A key, and where we are in it. */
struct place {
    const char *p;
    const char *end;
};

static uint32_t next_char(struct place *);
static bool has_nonzero_digit_before(const char *start, const char *p);
static uint64_t read_digits(struct place, uint64_t value, size_t *ret_n);

bool
yl_yaml_key_less(struct yl_str a, struct yl_str b)
{
    struct place x = { a.data, a.data + a.size };
    struct place y = { b.data, b.data + b.size };

    while (x.p < x.end && y.p < y.end) {
        struct place x0 = x, y0 = y;
        uint32_t c = next_char(&x);
        uint32_t d = next_char(&y);
        bool c_is_letter, d_is_letter;
        uint64_t m, n;
        size_t i, j;

        if (c == d) {
            continue;
        }
        c_is_letter = yl_unicode_is_letter(c);
        d_is_letter = yl_unicode_is_letter(d);
        if (c_is_letter && d_is_letter) {
            return c < d;
        } else if (c_is_letter || d_is_letter) {
            return d_is_letter;
        }

        /* A zero counts as leading only if no other digit stands before it. */
        m = (c == '0' || d == '0') && has_nonzero_digit_before(a.data, x0.p);
        n = m;
        m = read_digits(x0, m, &i);
        n = read_digits(y0, n, &j);
        if (m != n) {
            return (int64_t) m < (int64_t) n;
        } else if (i != j) {
            return i < j;
        }
        return c < d;
    }
    return x.p == x.end && y.p < y.end;
}

const struct yl_node **
yl_yaml_sort(struct yl_arena *arena, const struct yl_node *object)
{
    size_t n = object->n;
    const struct yl_node **from = yl_arena_array(arena, n, sizeof *from);
    const struct yl_node **to = yl_arena_array(arena, n, sizeof *to);
    const struct yl_node *child;
    size_t i = 0;
    size_t width;

    YL_NODE_FOR_EACH (child, object) {
        from[i++] = child;
    }
    for (width = 1; width < n; width *= 2) {
        const struct yl_node **swap = from;
        size_t start;

        for (start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n;
            size_t end = middle + width < n ? middle + width : n;
            size_t left = start;
            size_t right = middle;

            for (i = start; i < end; i++) {
                bool use_right = right < end
                    && (left == middle
                        || yl_yaml_key_less(yl_node_key(from[right]),
                                            yl_node_key(from[left])));

                to[i] = from[use_right ? right++ : left++];
            }
        }
        from = to;
        to = swap;
    }
    return from;
}

/* The character at 'place', which moves behind it. */
static uint32_t
next_char(struct place *place)
{
    uint32_t code;
    size_t n = yl_unicode_read(yl_str_range(place->p, place->end), &code);

    place->p += n;
    return code;
}

/* Do the digits right before 'p' have one that is not zero?  They are all the
 * same in both keys. */
static bool
has_nonzero_digit_before(const char *start, const char *p)
{
    while (p > start) {
        struct place place = { p, p };
        uint32_t c;

        do {
            p--;
        } while (p > start && ((unsigned char) *p & 0xc0) == 0x80);
        place.p = p;
        c = next_char(&place);
        if (!yl_unicode_is_digit(c)) {
            return false;
        } else if (c != '0') {
            return true;
        }
    }
    return false;
}

/* Continues 'value' with the digits at 'place' and counts them.  Overflows as
 * Go's does. */
static uint64_t
read_digits(struct place place, uint64_t value, size_t *ret_n)
{
    *ret_n = 0;
    while (place.p < place.end) {
        uint32_t c = next_char(&place);

        if (!yl_unicode_is_digit(c)) {
            break;
        }
        value = value * 10 + (uint64_t) c - '0';
        ++*ret_n;
    }
    return value;
}
