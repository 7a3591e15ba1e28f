/* JSON values as Go has them.  See schema/go_value.h for the contract. */

#include "schema/go_value.h"

#include <math.h>
#include <string.h>

#include "json/tree.h"
#include "yuloh/str.h"

static bool equal_members(const struct yl_node *, const struct yl_node *);

struct yl_go_number
yl_go_number(const struct yl_node *node)
{
    struct yl_go_number number = { false, 0, 0 };
    struct yl_str text = yl_str_null();

    yl_node_number(node, &text);
    number.is_int = yl_str_to_i64(text, &number.integer) == 0;
    if (number.is_int) {
        number.number = (double) number.integer;
    } else if (yl_node_double(node, &number.number) < 0) {
        number.number = INFINITY;
    }
    return number;
}

bool
yl_go_equal(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y;

    if (yl_node_type(a) != yl_node_type(b)) {
        return false;
    }
    switch (yl_node_type(a)) {
    case YL_JSON_NUMBER:
        return yl_go_number(a).is_int == yl_go_number(b).is_int
               && yl_node_equal(a, b);

    case YL_JSON_ARRAY:
        if (a->n != b->n) {
            return false;
        }
        for (x = a->first, y = b->first; x && yl_go_equal(x, y);
             x = x->next, y = y->next) {
            continue;
        }
        return !x;

    case YL_JSON_OBJECT:
        return a->n == b->n && equal_members(a, b);

    case YL_JSON_NONE:
    case YL_JSON_NULL:
    case YL_JSON_BOOL:
    case YL_JSON_STRING:
        break;
    }
    return yl_node_equal(a, b);
}

/* Members mostly stand in the same order. */
static bool
equal_members(const struct yl_node *a, const struct yl_node *b)
{
    const struct yl_node *x, *y = b->first;

    YL_NODE_FOR_EACH (x, a) {
        if (!y || !yl_str_equal(yl_node_key(x), yl_node_key(y))) {
            y = yl_node_get(b, yl_node_key(x));
        }
        if (!y || !yl_go_equal(x, y)) {
            return false;
        }
        y = y->next;
    }
    return true;
}

size_t
yl_go_double(char out[YL_DOUBLE_SIZE], double value)
{
    long long exponent = 0;
    int precision;
    const char *e;

    if (!isfinite(value)) {
        return yl_double_format(out, value);
    }
    for (precision = 0; precision < 16; precision++) {
        yl_double_printf(out, YL_DOUBLE_SIZE, "%.*e", precision, value);
        if (yl_double_parse(out) == value) {
            break;
        }
    }
    if (precision == 16) {
        yl_double_printf(out, YL_DOUBLE_SIZE, "%.*e", precision, value);
    }
    e = strchr(out, 'e');
    yl_str_to_i64(yl_str_c(e + (e[1] == '+' ? 2 : 1)), &exponent);
    if (exponent >= -4 && exponent < 6) {
        int decimals = precision - (int) exponent;

        yl_double_printf(out, YL_DOUBLE_SIZE, "%.*f",
                         decimals > 0 ? decimals : 0, value);
    }
    return strlen(out);
}
