/* Doubles as text.  See base/number.h. */

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t
yl_double_format(char out[YL_DOUBLE_SIZE], double value)
{
    int digits;
    char *p;

    if (isnan(value)) {
        return (size_t) snprintf(out, YL_DOUBLE_SIZE, "NaN");
    } else if (isinf(value)) {
        return (size_t) snprintf(out, YL_DOUBLE_SIZE,
                                 value > 0 ? "+Inf" : "-Inf");
    }
    for (digits = 15; digits <= 17; digits++) {
        snprintf(out, YL_DOUBLE_SIZE, "%.*g", digits, value);
        if (strtod(out, NULL) == value) {
            break;
        }
    }

    /* A program that embeds us may have set a locale whose decimal point is
     * another byte. */
    for (p = out; *p; p++) {
        if (!strchr("0123456789+-e", *p)) {
            *p = '.';
        }
    }
    return (size_t) (p - out);
}
