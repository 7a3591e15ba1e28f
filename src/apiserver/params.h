#ifndef APISERVER_PARAMS_H
#define APISERVER_PARAMS_H 1

/* Query parameters, decoded as Go's url.ParseQuery does, and read as
 * Kubernetes reads those of its options. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_error;

struct yl_param {
    struct yl_str name;
    struct yl_str value;
};

struct yl_params {
    const struct yl_param *all;
    size_t n;
};

#define YL_MAX_PARAMS 256

/* Decodes a query.  Unlike Go's it does not fail for a pair that cannot be
 * decoded: that pair is left out.  YL_ETOOBIG for more than YL_MAX_PARAMS. */
int yl_params_parse(struct yl_arena *, struct yl_str query,
                    struct yl_params *ret_params, struct yl_error *err);

/* The first value of that name; the null slice if there is none. */
struct yl_str yl_params_get(const struct yl_params *, struct yl_str name);
bool yl_params_has(const struct yl_params *, struct yl_str name);

/* A parameter as Kubernetes reads a bool: false if it is absent, "false" or
 * "0", else true. */
bool yl_params_bool(const struct yl_params *, struct yl_str name);

/* Returns 0 and sets '*ret_set' to whether it is there, or YL_EBADREQUEST in
 * Go's words. */
int yl_params_int64(const struct yl_params *, struct yl_str name,
                    int64_t *ret_value, bool *ret_set, struct yl_error *err);

/* The error of Go's "ParseInt" or "ParseUint" for a number that they cannot
 * read; returns YL_EBADREQUEST. */
int yl_params_bad_number(const char *parser, struct yl_str value,
                         struct yl_error *err);

#endif /* apiserver/params.h */
