#ifndef CODEGEN_MARKER_TEXT_H
#define CODEGEN_MARKER_TEXT_H 1

/* The small grammar behind a marker's "=", which is controller-gen's:
 *
 *     word                    a string
 *     "a \"b\""  `a "b"`      strings with anything in them
 *     1  -0.5  true  null     as in JSON
 *     a;b;c                   a list, where one is expected
 *     {a, b}  {k: v}  [1, 2]  lists and maps, as values
 *     name="x",type=string    named arguments
 *
 * Texts of results live in the arena. */

#include <stdbool.h>
#include <stddef.h>

#include "yuloh/str.h"

struct yl_arena;

/* A string without its quotes.  False if a quote is not closed or something
 * stands behind it. */
bool yl_marker_string(struct yl_arena *, struct yl_str, const char **ret);

/* Any value, as JSON text. */
bool yl_marker_json(struct yl_arena *, struct yl_str, const char **ret);

/* Cuts the first item off '*rest', up to a 'separator' outside of quotes and
 * brackets; false when there is none left. */
bool yl_marker_next(struct yl_str *rest, char separator,
                    struct yl_str *ret_item);

#endif /* codegen/marker_text.h */
