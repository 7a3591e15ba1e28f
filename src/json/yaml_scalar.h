#ifndef JSON_YAML_SCALAR_H
#define JSON_YAML_SCALAR_H 1

/* What an unquoted YAML scalar means.
 *
 * The reader uses this to find the value of a scalar, the writer to find out
 * whether a string would be read as something else and needs quotes.  The
 * rules are those of the library that kubectl uses, which implements YAML 1.1
 * incompletely:
 *
 *     null      empty, ~, null, Null, NULL
 *     bool      y, yes, true, on, n, no, false, off; also Yes and YES
 *     integer   12, -0x1f, 0o17, 017, 0b11, 1_000; up to 64 bits
 *     float     1.5, .5, 1e3, 08, .inf, -.inf, .nan
 *     time      2001-12-14, 2001-12-14T21:59:43.10-05:00; it stays a string
 *     string    everything else, 1:30:00 and 1e999 included
 *
 * A number of more than 1,024 characters is a string. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_buf;
struct yl_node;

enum yl_yaml_type {
    YL_YAML_NULL,
    YL_YAML_BOOL,
    YL_YAML_INT,
    YL_YAML_UINT,               /* More than an int64 holds. */
    YL_YAML_FLOAT,
    YL_YAML_TIME,
    YL_YAML_STRING,
};

struct yl_yaml_scalar {
    enum yl_yaml_type type;
    struct yl_str text;         /* As given. */
    union {
        bool truth;
        int64_t integer;
        uint64_t natural;
        double real;
    } as;
};

/* What 'text' means when it has neither quotes nor a tag. */
struct yl_yaml_scalar yl_yaml_resolve(struct yl_str text);

/* Appends a number as Go's %g writes it: the shortest digits that read back
 * as the same double (or, if 'single', the same float), an exponent below
 * 1e-4 and from 1e6 on; or .inf, -.inf, .nan. */
void yl_yaml_write_float(struct yl_buf *, double, bool single);

/* Whether 's' is a number in base 60, such as 1:30.  We read it as a string,
 * but other YAML readers as a number. */
bool yl_yaml_is_base60(struct yl_str s);

#endif /* json/yaml_scalar.h */
