#ifndef APISERVER_VERBS_PATCH_STRICT_H
#define APISERVER_VERBS_PATCH_STRICT_H 1

/* Strict decoding of a patch before it is applied.  See patch_apply.h. */

#include <stdbool.h>

#include "apiserver/verbs/patch_apply.h"

struct yl_error;
struct yl_strict;

/* Reports members that occur twice in 'patch'; for a JSON patch also members
 * that no operation has. */
void yl_patch_find_strict(bool json_patch, const struct yl_node *patch,
                          struct yl_strict *);

/* 0, or YL_EBADREQUEST if a number is too large for Go's decoder; in a JSON
 * patch only the values are checked. */
int yl_patch_check_numbers(bool json_patch, const struct yl_node *patch,
                           struct yl_error *err);

#endif /* apiserver/verbs/patch_strict.h */
