/* Durations.  See yuloh/time.h for the contract. */

#include "yuloh/time.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/quote.h"

#define SECOND UINT64_C(1000000000)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)

#define LIMIT (UINT64_C(1) << 63)

#define MESSAGE_CEILING 4096

static const struct {
    struct yl_str name;
    uint64_t nanos;
} units[] = {
    { YL_STR_INIT("ns"), 1 },
    { YL_STR_INIT("us"), 1000 },
    { YL_STR_INIT("\xc2\xb5s"), 1000 },     /* Micro sign. */
    { YL_STR_INIT("\xce\xbcs"), 1000 },     /* Greek mu. */
    { YL_STR_INIT("ms"), 1000000 },
    { YL_STR_INIT("s"), SECOND },
    { YL_STR_INIT("m"), MINUTE },
    { YL_STR_INIT("h"), HOUR },
};

/* The parts of one term, such as "12.5h". */
struct term {
    uint64_t whole;
    uint64_t fraction;
    double scale;               /* 'fraction' divided by this is the real
                                 * fraction. */
    struct yl_str unit;
};

static const char *read_term(struct yl_str *rest, struct term *);
static uint64_t unit_of(struct yl_str name);
static bool add_term(uint64_t *sum, const struct term *, uint64_t unit);
static size_t write_decimal(char *text, size_t size, const char *sign,
                            uint64_t whole, uint64_t fraction, int n_digits);
static size_t write_pair(char text[YL_DURATION_TEXT_SIZE], int64_t number,
                         const char *unit, int64_t rest,
                         const char *rest_unit);
static int fail(struct yl_str text, const char *what, struct yl_str unit,
                struct yl_error *);

int
yl_duration_parse(struct yl_str text, int64_t *ret_nanos,
                  struct yl_error *err)
{
    struct yl_str rest = text;
    bool negative = false;
    uint64_t sum = 0;

    if (rest.size && (rest.data[0] == '-' || rest.data[0] == '+')) {
        negative = rest.data[0] == '-';
        rest = yl_str_skip(rest, 1);
    }
    if (yl_str_equal_c(rest, "0")) {
        *ret_nanos = 0;
        return 0;
    } else if (!rest.size) {
        return fail(text, "invalid", yl_str_null(), err);
    }
    while (rest.size) {
        struct term term;
        const char *fault = read_term(&rest, &term);
        uint64_t unit;

        if (fault) {
            return fail(text, fault, yl_str_null(), err);
        }
        unit = unit_of(term.unit);
        if (!unit) {
            return fail(text, "unknown unit", term.unit, err);
        } else if (!add_term(&sum, &term, unit)) {
            return fail(text, "invalid", yl_str_null(), err);
        }
    }
    if (!negative && sum == LIMIT) {
        return fail(text, "invalid", yl_str_null(), err);
    }
    *ret_nanos = sum == LIMIT ? INT64_MIN
                 : negative ? -(int64_t) sum : (int64_t) sum;
    return 0;
}

size_t
yl_duration_write(int64_t nanos, char text[YL_DURATION_TEXT_SIZE])
{
    uint64_t u = nanos < 0 ? 0 - (uint64_t) nanos : (uint64_t) nanos;
    const char *sign = nanos < 0 ? "-" : "";
    const char *unit = "s";
    size_t n = 0;

    if (u && u < SECOND) {
        uint64_t one = u < 1000 ? 1 : u < 1000000 ? 1000 : 1000000;

        unit = one == 1 ? "ns" : one == 1000 ? "\xc2\xb5s" : "ms";
        n = write_decimal(text, YL_DURATION_TEXT_SIZE, sign, u / one, u % one,
                          one == 1 ? 0 : one == 1000 ? 3 : 6);
    } else {
        if (u >= HOUR) {
            n = (size_t) snprintf(text, YL_DURATION_TEXT_SIZE, "%s%lluh",
                                  sign, (unsigned long long) (u / HOUR));
            sign = "";
        }
        if (u >= MINUTE) {
            n += (size_t) snprintf(text + n, YL_DURATION_TEXT_SIZE - n,
                                   "%s%dm", sign, (int) (u / MINUTE % 60));
            sign = "";
        }
        n += write_decimal(text + n, YL_DURATION_TEXT_SIZE - n, sign,
                           u / SECOND % 60, u % SECOND, 9);
    }
    return n + (size_t) snprintf(text + n, YL_DURATION_TEXT_SIZE - n, "%s",
                                 unit);
}

size_t
yl_duration_write_human(int64_t nanos, char text[YL_DURATION_TEXT_SIZE])
{
    int64_t seconds = nanos / (int64_t) SECOND;
    int64_t minutes = seconds / 60, hours = minutes / 60, days = hours / 24;

    if (seconds < -1) {
        return (size_t) snprintf(text, YL_DURATION_TEXT_SIZE, "<invalid>");
    } else if (seconds < 60 * 2) {
        /* A difference of one second between two clocks counts as 0. */
        return write_pair(text, seconds < 0 ? 0 : seconds, "s", 0, "");
    } else if (minutes < 10) {
        return write_pair(text, minutes, "m", seconds % 60, "s");
    } else if (minutes < 60 * 3) {
        return write_pair(text, minutes, "m", 0, "");
    } else if (hours < 8) {
        return write_pair(text, hours, "h", minutes % 60, "m");
    } else if (hours < 48) {
        return write_pair(text, hours, "h", 0, "");
    } else if (days < 8) {
        return write_pair(text, days, "d", hours % 24, "h");
    } else if (days < 365 * 2) {
        return write_pair(text, days, "d", 0, "");
    } else if (days < 365 * 8) {
        return write_pair(text, days / 365, "y", days % 365, "d");
    }
    return write_pair(text, days / 365, "y", 0, "");
}

/* Reads one term.  Returns NULL, or what is wrong with it. */
static const char *
read_term(struct yl_str *rest, struct term *term)
{
    struct yl_str s = *rest;
    bool full = false;
    size_t i = 0, n_digits = 0;

    term->whole = 0;
    term->fraction = 0;
    term->scale = 1;
    for (; i < s.size && s.data[i] >= '0' && s.data[i] <= '9'; i++) {
        if (term->whole > LIMIT / 10) {
            return "invalid";
        }
        term->whole = term->whole * 10 + (uint64_t) (s.data[i] - '0');
        if (term->whole > LIMIT) {
            return "invalid";
        }
        n_digits++;
    }
    if (i < s.size && s.data[i] == '.') {
        for (i++; i < s.size && s.data[i] >= '0' && s.data[i] <= '9'; i++) {
            uint64_t next = term->fraction * 10 + (uint64_t) (s.data[i] - '0');

            /* Digits that do not fit are below a nanosecond and can be
             * dropped. */
            full = full || term->fraction > (LIMIT - 1) / 10 || next > LIMIT;
            if (!full) {
                term->fraction = next;
                term->scale *= 10;
            }
            n_digits++;
        }
    }
    if (!n_digits) {
        return "invalid";
    }
    s = yl_str_skip(s, i);
    for (i = 0; i < s.size && s.data[i] != '.'
                && (s.data[i] < '0' || s.data[i] > '9'); i++) {
        continue;
    }
    term->unit = yl_str_n(s.data, i);
    *rest = yl_str_skip(s, i);
    return i ? NULL : "missing unit in";
}

/* The unit's nanoseconds, or 0 if there is no such unit. */
static uint64_t
unit_of(struct yl_str name)
{
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(units); i++) {
        if (yl_str_equal(units[i].name, name)) {
            return units[i].nanos;
        }
    }
    return 0;
}

static bool
add_term(uint64_t *sum, const struct term *term, uint64_t unit)
{
    uint64_t nanos = term->whole;

    if (nanos > LIMIT / unit) {
        return false;
    }
    nanos *= unit;
    if (term->fraction) {
        /* In floating point, with Go's order of operations, so that the last
         * digit is the same. */
        nanos += (uint64_t) ((double) term->fraction
                             * ((double) unit / term->scale));
        if (nanos > LIMIT) {
            return false;
        }
    }
    *sum += nanos;
    return *sum <= LIMIT;
}

/* Writes 'whole' and a fraction of 'n_digits' digits without its last
 * zeros. */
static size_t
write_decimal(char *text, size_t size, const char *sign, uint64_t whole,
              uint64_t fraction, int n_digits)
{
    while (n_digits && fraction % 10 == 0) {
        fraction /= 10;
        n_digits--;
    }
    return (size_t) (n_digits
                     ? snprintf(text, size, "%s%llu.%0*llu", sign,
                                (unsigned long long) whole, n_digits,
                                (unsigned long long) fraction)
                     : snprintf(text, size, "%s%llu", sign,
                                (unsigned long long) whole));
}

/* Writes "5d" or "5d3h": the rest is left out when it is 0. */
static size_t
write_pair(char text[YL_DURATION_TEXT_SIZE], int64_t number, const char *unit,
           int64_t rest, const char *rest_unit)
{
    return (size_t) (rest
                     ? snprintf(text, YL_DURATION_TEXT_SIZE, "%lld%s%lld%s",
                                (long long) number, unit, (long long) rest,
                                rest_unit)
                     : snprintf(text, YL_DURATION_TEXT_SIZE, "%lld%s",
                                (long long) number, unit));
}

static int
fail(struct yl_str text, const char *what, struct yl_str unit,
     struct yl_error *err)
{
    struct yl_buf m;

    yl_buf_init(&m, MESSAGE_CEILING);
    yl_buf_printf(&m, "time: %s ", what);
    if (!yl_str_is_null(unit)) {
        yl_quote_plain(&m, unit);
        yl_buf_append_c(&m, " in ");
    }
    yl_buf_append_c(&m, "duration ");
    yl_quote_plain(&m, text);
    yl_error_set(err, YL_EINVALID, "%s", yl_buf_c_str(&m));
    yl_buf_release(&m);
    return YL_EINVALID;
}
