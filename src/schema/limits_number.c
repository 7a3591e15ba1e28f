/* Numbers and their limits.  See schema/limits_number.h for the contract. */

#include "schema/limits_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json/tree.h"
#include "schema/format.h"
#include "schema/go_value.h"

/* A limit of a schema, and the words about it. */
struct limit {
    double limit;
    bool exclusive;
    bool is_minimum;
    const char *name;           /* "Minimum boundary" */
};

static bool check_range(struct yl_validation *, const struct yl_limits *,
                        const struct yl_field_path *, const char *what,
                        struct yl_go_number);
static bool fits(const struct yl_limits *, struct yl_go_number);
static void check_multiple(struct yl_validation *, const struct yl_limits *,
                           const struct yl_field_path *, struct yl_go_number);
static void check_limit(struct yl_validation *, const struct yl_limits *,
                        const struct yl_field_path *, const struct limit *,
                        struct yl_go_number);
static bool is_multiple(double, double factor);

void
yl_limits_check_number(struct yl_validation *v, const struct yl_limits *limits,
                       const struct yl_field_path *path,
                       const struct yl_node *node)
{
    struct yl_go_number number = yl_go_number(node);

    check_range(v, limits, path, "Checked", number);
    if (limits->has_multiple_of) {
        check_multiple(v, limits, path, number);
    }
    if (limits->has_minimum) {
        struct limit minimum = { limits->minimum, limits->exclusive_minimum,
                                 true, "Minimum boundary" };

        check_limit(v, limits, path, &minimum, number);
    }
    if (limits->has_maximum) {
        struct limit maximum = { limits->maximum, limits->exclusive_maximum,
                                 false, "Maximum boundary" };

        check_limit(v, limits, path, &maximum, number);
    }
}

bool
yl_limits_is_whole(double number)
{
    double below = floor(number);

    if (fabs(number) > 9007199254740991.0 || isnan(number)) {
        return false;
    }
    return number == below
           || (below > 0 && (number - below) / (number + below) < 1e-9);
}

int64_t
yl_limits_to_int(double number)
{
    return number >= -0x1p63 && number < 0x1p63 ? (int64_t) number : INT64_MIN;
}

struct yl_str
yl_limits_character(int64_t code, char utf8[4])
{
    uint32_t c = code < 0 || code > 0x10ffff
                 || (code >= 0xd800 && code < 0xe000) ? 0xfffd
                                                      : (uint32_t) code;
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, i;

    if (n == 1) {
        utf8[0] = (char) c;
        return yl_str_n(utf8, 1);
    }
    for (i = n - 1; i > 0; i--) {
        utf8[i] = (char) (0x80 | (c & 0x3f));
        c >>= 6;
    }
    utf8[0] = (char) ((0xf00 >> n) | c);
    return yl_str_n(utf8, n);
}

/* Does a number fit the type and format of the schema?  The fault names no
 * field. */
static bool
check_range(struct yl_validation *v, const struct yl_limits *limits,
            const struct yl_field_path *path, const char *what,
            struct yl_go_number number)
{
    const char *format = limits->format ? limits->format : "";
    struct yl_buf name, with;

    if (!yl_format_is_known(limits->types, yl_str_c(format))) {
        format = "";
    }

    if (fits(limits, number)) {
        return true;
    } else if (!yl_limits_found(v)) {
        return false;
    }
    yl_buf_init(&name, SIZE_MAX);
    yl_buf_init(&with, SIZE_MAX);
    yl_limits_write_name(&name, v, path);
    yl_buf_printf(&with, *format ? "with format %s" : "(default format)%s",
                  format);
    yl_field_invalid(v->err, v->opts->path, yl_bad_string(YL_STR("")),
                     "%s value must be of type %s %s in %s", what,
                     limits->types, yl_buf_c_str(&with), yl_buf_c_str(&name));
    yl_buf_release(&name);
    yl_buf_release(&with);
    return false;
}

static bool
fits(const struct yl_limits *limits, struct yl_go_number n)
{
    const char *types = limits->types ? limits->types : "";
    const char *format = limits->format ? limits->format : "";

    if (!strcmp(types, "integer")) {
        /* A float64 is judged by its shortest text, and that of -2^63 is
         * -9223372036854776000, which is no int64. */
        if (!strcmp(format, "int32")) {
            return n.number == trunc(n.number) && n.number >= -0x1p31
                   && n.number < 0x1p31;
        }
        return n.is_int || (n.number == trunc(n.number)
                            && fabs(n.number) < 0x1p63);
    } else if (!strcmp(types, "number") && !strcmp(format, "float")) {
        /* Halfway between the largest float32 and what would follow. */
        return fabs(n.number) < 0x1.ffffffp127;
    }
    return true;
}

static void
check_multiple(struct yl_validation *v, const struct yl_limits *limits,
               const struct yl_field_path *path, struct yl_go_number n)
{
    double factor = limits->multiple_of;
    struct yl_go_number limit = { false, 0, factor };
    struct yl_bad_value value = yl_bad_double(n.number);
    char text[YL_DOUBLE_SIZE];
    bool is_int = check_range(v, limits, path, "MultipleOf", limit)
                  && n.is_int;
    int64_t whole = yl_limits_to_int(factor);
    struct yl_buf name;

    if (is_int) {
        value = yl_bad_int(n.integer);
        snprintf(text, sizeof text, "%" PRId64, whole);
    } else {
        yl_go_double(text, factor);
    }
    if (is_int ? whole <= 0 : factor <= 0) {
        if (!yl_limits_found(v)) {
            return;
        }
        yl_buf_init(&name, SIZE_MAX);
        yl_limits_write_name(&name, v, path);
        yl_field_invalid(v->err, path,
                         is_int ? yl_bad_int(whole) : yl_bad_double(factor),
                         "factor MultipleOf declared for %s must be positive:"
                         " %s", yl_buf_c_str(&name), text);
        yl_buf_release(&name);
    } else if (is_int ? n.integer % whole != 0
                      : !is_multiple(n.number, factor)) {
        yl_limits_fault(v, path, value, "should be a multiple of %s", text);
    }
}

static void
check_limit(struct yl_validation *v, const struct yl_limits *limits,
            const struct yl_field_path *path, const struct limit *limit,
            struct yl_go_number n)
{
    struct yl_go_number number = { false, 0, limit->limit };
    struct yl_bad_value value = yl_bad_double(n.number);
    char text[YL_DOUBLE_SIZE];
    bool below, equal;

    if (check_range(v, limits, path, limit->name, number) && n.is_int) {
        int64_t whole = yl_limits_to_int(limit->limit);

        value = yl_bad_int(n.integer);
        snprintf(text, sizeof text, "%" PRId64, whole);
        below = n.integer < whole;
        equal = n.integer == whole;
    } else {
        yl_go_double(text, limit->limit);
        below = n.number < limit->limit;
        equal = n.number == limit->limit;
    }
    if (equal ? limit->exclusive : below == limit->is_minimum) {
        yl_limits_fault(v, path, value, "should be %s than%s %s",
                        limit->is_minimum ? "greater" : "less",
                        limit->exclusive ? "" : " or equal to", text);
    }
}

static bool
is_multiple(double number, double factor)
{
    return yl_limits_is_whole(factor < 1 ? 1 / factor * number
                                         : number / factor);
}
