#ifndef APISERVER_VERBS_PATCH_STRICT_H
#define APISERVER_VERBS_PATCH_STRICT_H 1

/* What strict decoding finds in a patch, and other words for what decoding
 * its result finds.  See patch_apply.h. */

#include <stdbool.h>

#include "apiserver/verbs/patch_apply.h"

struct yl_error;
struct yl_strict;

/* Reports members that stand twice in 'patch'; of a JSON patch also members
 * that no operation has. */
void yl_patch_find_strict(bool json_patch, const struct yl_node *patch,
                          struct yl_strict *);

/* The sentence of a decoding error.  The result of a strategic merge patch
 * goes through another decoder upstream, with words of its own. */
const char *yl_patch_decode_words(struct yl_arena *, enum yl_patch_type,
                                  const struct yl_error *);

#endif /* apiserver/verbs/patch_strict.h */
