/* Query parameters.  See apiserver/params.h for the contract. */

#include "apiserver/params.h"

#include <string.h>

#include "base/buf.h"
#include "base/quote.h"
#include "net/url.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"


int
yl_params_parse(struct yl_arena *arena, struct yl_str query,
                struct yl_params *ret_params, struct yl_error *err)
{
    struct yl_param *all = NULL;
    struct yl_url_pair pair;
    size_t n = 0;
    int r;

    while ((r = yl_url_query_next(arena, &query, &pair, NULL)) != 0) {
        if (r < 0) {
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
        all[n].name = pair.name;
        all[n++].value = pair.value;
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
        return yl_params_bad_number("ParseInt", value, err);
    }
    *ret_value = found;
    return 0;
}

int
yl_params_bad_number(const char *parser, struct yl_str value,
                     struct yl_error *err)
{
    struct yl_str digits = value;
    struct yl_buf quoted;
    bool number;
    size_t i;
    int r;

    if (strcmp(parser, "ParseInt") == 0 && digits.size
        && (digits.data[0] == '-' || digits.data[0] == '+')) {
        digits = yl_str_skip(digits, 1);
    }
    /* A value of digits alone is a number that is too large. */
    number = digits.size > 0;
    for (i = 0; i < digits.size; i++) {
        number = number && digits.data[i] >= '0' && digits.data[i] <= '9';
    }
    yl_buf_init(&quoted, 1 << 20);
    yl_quote_excerpt(&quoted, value);
    r = yl_error_set(err, YL_EBADREQUEST, "strconv.%s: parsing %s: %s",
                     parser, yl_buf_c_str(&quoted),
                     number ? "value out of range" : "invalid syntax");
    yl_buf_release(&quoted);
    return r;
}
