#ifndef APISERVER_STRATEGY_SCHEME_H
#define APISERVER_STRATEGY_SCHEME_H 1

/* Scheme: which kinds upstream's decoder knows, whether they are served or
 * not.  A body of such a kind in the wrong place gets another error message
 * than one of an unknown kind. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_apiserver;
struct yl_gvk;

/* Does upstream's scheme have such a kind? */
bool yl_scheme_has(struct yl_apiserver *, const struct yl_gvk *);

/* Is it a kind that every group and version has, such as "Status"? */
bool yl_scheme_is_everywhere(struct yl_str kind);

#endif /* apiserver/strategy/scheme.h */
