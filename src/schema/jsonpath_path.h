#ifndef SCHEMA_JSONPATH_PATH_H
#define SCHEMA_JSONPATH_PATH_H 1

/* A parsed path, for its parser and its evaluator. */

#include <stdbool.h>
#include <stdint.h>

#include "schema/jsonpath.h"

enum yl_jsonpath_op {
    YL_JSONPATH_FIELD,          /* .name */
    YL_JSONPATH_WILDCARD,       /* .* */
    YL_JSONPATH_RECURSIVE,      /* .. */
    YL_JSONPATH_ARRAY,          /* [from:to:step] */
    YL_JSONPATH_UNION,          /* [a,b] */
    YL_JSONPATH_FILTER,         /* [?(left comparison right)] */
    YL_JSONPATH_LITERAL,        /* In a filter: "text", 1, true. */
};

enum yl_jsonpath_comparison {
    YL_JSONPATH_EXISTS,
    YL_JSONPATH_EQUAL,
    YL_JSONPATH_NOT_EQUAL,
    YL_JSONPATH_LESS,
    YL_JSONPATH_LESS_EQUAL,
    YL_JSONPATH_GREATER,
    YL_JSONPATH_GREATER_EQUAL,
    YL_JSONPATH_UNKNOWN,        /* "=" or "=<"; an error when it is
                                 * evaluated. */
};

/* One bound of a slice. */
struct yl_jsonpath_bound {
    int64_t value;
    bool known;
    bool derived;               /* For [n]: the bound that follows from n. */
};

struct yl_jsonpath_step {
    enum yl_jsonpath_op op;
    struct yl_str name;         /* FIELD. */
    struct yl_json literal;     /* LITERAL. */
    struct yl_jsonpath_bound bounds[3];     /* ARRAY. */
    const struct yl_jsonpath *paths;        /* UNION; FILTER: left, right. */
    size_t n_paths;
    enum yl_jsonpath_comparison comparison; /* FILTER. */
};

struct yl_jsonpath {
    const struct yl_jsonpath_step *steps;
    size_t n_steps;
};

#endif /* schema/jsonpath_path.h */
