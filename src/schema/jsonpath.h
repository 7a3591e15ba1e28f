#ifndef SCHEMA_JSONPATH_H
#define SCHEMA_JSONPATH_H 1

/* JSONPath, as far as the columns of custom resources need it.
 *
 *     additionalPrinterColumns[].jsonPath -> [parse] -> [cell] -> Table
 *
 * The language is client-go's, not an RFC's:
 *
 *     .spec.replicas                       members
 *     .metadata.labels.app\.io/name        a dot in a name
 *     .metadata.labels['app\.io/name']     the same
 *     .spec.*   .spec.list[*]              all of them
 *     .list[0]  .list[-1]  .list[0:4:2]    elements
 *     .list[0,2]                           some of them
 *     ..name                               wherever it is
 *     .conditions[?(@.type=="Ready")].status
 *
 * Left out are text, numbers and "range" outside of filters, which make sense
 * in templates only.
 *
 * Guarantees
 * ==========
 *
 *   - A path of the language above that client-go accepts for a column finds
 *     the same values as there.  Members are visited in the order of the text;
 *     client-go's order for '*' and '..' on maps is random.
 *
 *   - Bounded.  A path has at most YL_JSONPATH_MAX_SIZE bytes and at most
 *     YL_JSONPATH_MAX_DEPTH levels of filters in filters; an evaluation that
 *     meets more than YL_JSONPATH_MAX_VALUES values finds nothing.
 *
 * Ownership
 * =========
 *
 * A path lives in the arena it was parsed into and borrows its text.
 *
 * Threads
 * =======
 *
 * A path never changes; any thread may evaluate it. */

#include <stddef.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/str.h"
#include "yuloh/time.h"

struct yl_arena;
struct yl_error;
struct yl_jsonpath;

#define YL_JSONPATH_MAX_SIZE 4096
#define YL_JSONPATH_MAX_DEPTH 8
#define YL_JSONPATH_MAX_VALUES 100000

/* Reads 'text'.  YL_EINVALID if it is malformed, YL_ETOOBIG or YL_ETOODEEP if
 * it passes a ceiling. */
int yl_jsonpath_parse(struct yl_str text, struct yl_arena *,
                      const struct yl_jsonpath **ret_path,
                      struct yl_error *err);

/* The first value that 'path' finds in 'object'; absent if there is none or if
 * it cannot be followed (an index out of bounds, a filter of something that is
 * no list, a comparison of a string with a number). */
struct yl_json yl_jsonpath_first(const struct yl_jsonpath *,
                                 struct yl_json object, struct yl_arena *);

/* Appends the cell of a custom resource's column, as JSON: what 'path' finds,
 * in the form of the column's type ("integer", "number", "string", "boolean",
 * "date"), or null.  Dates are shown as ages, counted from 'now'. */
void yl_jsonpath_write_cell(const struct yl_jsonpath *, struct yl_str type,
                            struct yl_json object, struct yl_time now,
                            struct yl_arena *, struct yl_buf *);

#endif /* schema/jsonpath.h */
