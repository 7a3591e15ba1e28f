#include "apiserver/params.h"

#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int bad_number(struct yl_str value, struct yl_error *);

int
yl_params_parse(struct yl_arena *arena, struct yl_str query,
                struct yl_params *ret_params, struct yl_error *err)
{
    struct yl_param *all = NULL;
    size_t n = 0;

    while (query.size) {
        struct yl_str pair, name, value;

        if (!yl_str_cut(query, '&', &pair, &query)) {
            pair = query;
            query = yl_str_null();
        }
        if (!pair.size || memchr(pair.data, ';', pair.size)) {
            continue;
        }
        if (!yl_str_cut(pair, '=', &name, &value)) {
            name = pair;
            value = YL_STR("");
        }
        if (!yl_percent_decode(arena, name, true, &name)
            || !yl_percent_decode(arena, value, true, &value)) {
            continue;
        }
        if (n == YL_MAX_PARAMS) {
            return yl_error_set(err, YL_ETOOBIG,
                                "the query has more than %d parameters",
                                YL_MAX_PARAMS);
        }
        if (!all) {
            all = yl_arena_array(arena, YL_MAX_PARAMS, sizeof *all);
        }
        all[n].name = name;
        all[n++].value = value;
    }
    ret_params->all = all;
    ret_params->n = n;
    return 0;
}

struct yl_str
yl_params_get(const struct yl_params *params, struct yl_str name)
{
    size_t i;

    for (i = 0; i < params->n; i++) {
        if (yl_str_equal(params->all[i].name, name)) {
            return params->all[i].value;
        }
    }
    return yl_str_null();
}

bool
yl_params_has(const struct yl_params *params, struct yl_str name)
{
    return !yl_str_is_null(yl_params_get(params, name));
}

bool
yl_params_bool(const struct yl_params *params, struct yl_str name)
{
    struct yl_str value = yl_params_get(params, name);

    return !yl_str_is_null(value)
           && !(value.size == 5 && !strncasecmp(value.data, "false", 5))
           && !yl_str_equal(value, YL_STR("0"));
}

int
yl_params_int64(const struct yl_params *params, struct yl_str name,
                int64_t *ret_value, bool *ret_set, struct yl_error *err)
{
    struct yl_str value = yl_params_get(params, name);
    struct yl_str number = value;
    long long found;

    *ret_set = !yl_str_is_null(value);
    if (!*ret_set) {
        return 0;
    }
    if (yl_str_starts_with(number, YL_STR("+"))
        && !yl_str_starts_with(number, YL_STR("+-"))) {
        number = yl_str_skip(number, 1);
    }
    if (yl_str_to_i64(number, &found) < 0) {
        return bad_number(value, err);
    }
    *ret_value = found;
    return 0;
}

static int
hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool
yl_percent_decode(struct yl_arena *arena, struct yl_str text, bool plus,
                  struct yl_str *ret)
{
    char *plain;
    size_t i, n = 0;

    if (!text.size
        || (!memchr(text.data, '%', text.size)
            && (!plus || !memchr(text.data, '+', text.size)))) {
        *ret = text;
        return true;
    }
    plain = yl_arena_alloc(arena, text.size);
    for (i = 0; i < text.size; i++) {
        char c = text.data[i];

        if (c == '%') {
            int high = text.size - i > 2 ? hex_value(text.data[i + 1]) : -1;
            int low = text.size - i > 2 ? hex_value(text.data[i + 2]) : -1;

            if (high < 0 || low < 0) {
                return false;
            }
            c = (char) (high << 4 | low);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        plain[n++] = c;
    }
    *ret = yl_str_n(plain, n);
    return true;
}

/* Go's words: digits alone are too many of them. */
static int
bad_number(struct yl_str value, struct yl_error *err)
{
    struct yl_str digits = value;
    struct yl_buf quoted;
    bool number;
    size_t i;
    int r;

    if (digits.size && (digits.data[0] == '-' || digits.data[0] == '+')) {
        digits = yl_str_skip(digits, 1);
    }
    number = digits.size > 0;
    for (i = 0; i < digits.size; i++) {
        number = number && digits.data[i] >= '0' && digits.data[i] <= '9';
    }
    yl_buf_init(&quoted, 1 << 20);
    yl_quote(&quoted, value);
    r = yl_error_set(err, YL_EBADREQUEST, "strconv.ParseInt: parsing %s: %s",
                     yl_buf_c_str(&quoted),
                     number ? "value out of range" : "invalid syntax");
    yl_buf_release(&quoted);
    return r;
}
