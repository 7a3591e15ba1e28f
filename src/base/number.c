/* Doubles and text.  See base/number.h.
 *
 * Each call sets the thread's locale to "C" and sets it back afterwards.
 * strtod_l() would be enough for reading, but it is not in POSIX, and there is
 * no such function for printing. */

#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"

static locale_t c_locale;
static struct yl_once c_locale_once = YL_ONCE_INIT;

static locale_t enter_c_locale(void);

double
yl_double_parse(const char *text)
{
    locale_t old = enter_c_locale();
    double value = strtod(text, NULL);

    uselocale(old);
    return value;
}

float
yl_float_parse(const char *text)
{
    locale_t old = enter_c_locale();
    float value = strtof(text, NULL);

    uselocale(old);
    return value;
}

int
yl_double_printf(char *out, size_t size, const char *format, ...)
{
    locale_t old = enter_c_locale();
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(out, size, format, args);
    va_end(args);
    uselocale(old);
    return n;
}

size_t
yl_double_format(char out[YL_DOUBLE_SIZE], double value)
{
    int digits, n = 0;

    if (isnan(value)) {
        return (size_t) snprintf(out, YL_DOUBLE_SIZE, "NaN");
    } else if (isinf(value)) {
        return (size_t) snprintf(out, YL_DOUBLE_SIZE,
                                 value > 0 ? "+Inf" : "-Inf");
    }
    for (digits = 15; digits <= 17; digits++) {
        n = yl_double_printf(out, YL_DOUBLE_SIZE, "%.*g", digits, value);
        if (yl_double_parse(out) == value) {
            break;
        }
    }
    return (size_t) n;
}

static void
make_c_locale(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}

/* Returns the locale to go back to. */
static locale_t
enter_c_locale(void)
{
    yl_once(&c_locale_once, make_c_locale);
    return uselocale(c_locale);
}
