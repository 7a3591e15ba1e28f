#ifndef YL_SCHEME_H
#define YL_SCHEME_H 1

/* Scheme: the kinds that a program knows.
 *
 * A table that finds a kind's descriptor, either by what an object says of
 * itself (group, version, kind) or by what a request's path says (group,
 * version, resource).  Each generated header has a function that adds its
 * group-version.
 *
 * Ownership
 * =========
 *
 * A scheme borrows the sets that are added to it.
 *
 * Threads
 * =======
 *
 * Add everything first; then any number of threads may look things up.
 *
 * Usage
 * =====
 *
 *     struct yl_scheme *scheme = yl_scheme_new();
 *     apps_v1_add_to_scheme(scheme);
 *     kind = yl_scheme_find(scheme, YL_STR("apps"), YL_STR("v1"),
 *                           YL_STR("Deployment")); */

#include <stddef.h>

#include "yuloh/compiler.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

YL_C_BEGIN

struct yl_scheme;

struct yl_scheme *yl_scheme_new(void);
void yl_scheme_free(struct yl_scheme *);

/* Adds all kinds of a group-version.  YL_EEXISTS if one of them, or its
 * resource, is there already; then nothing is added. */
int yl_scheme_add(struct yl_scheme *, const struct yl_type_set *);

/* The kind, or NULL. */
const struct yl_kind *yl_scheme_find(const struct yl_scheme *,
                                     struct yl_str group,
                                     struct yl_str version,
                                     struct yl_str kind);
const struct yl_kind *yl_scheme_find_resource(const struct yl_scheme *,
                                              struct yl_str group,
                                              struct yl_str version,
                                              struct yl_str resource);

/* The sets, in the order they were added; their number in '*ret_n'. */
const struct yl_type_set *const *yl_scheme_sets(const struct yl_scheme *,
                                                size_t *ret_n);

YL_C_END

#endif /* yuloh/scheme.h */
