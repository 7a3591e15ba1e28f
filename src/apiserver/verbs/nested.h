#ifndef APISERVER_VERBS_NESTED_H
#define APISERVER_VERBS_NESTED_H 1

/* Fields by a path of members, ".spec.replicas", as upstream reads them from
 * objects that have no Go type: for Scales of custom resources. */

#include <stdbool.h>
#include <stdint.h>

#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Read a number or a text; 0, or an empty one, if there is none, which is what
 * 'ret_found' (may be NULL) says.  0; or YL_EINVALID if it is something else,
 * in upstream's words: ".spec.replicas accessor error: x is of the type
 * string, expected int64". */
int yl_nested_int(const struct yl_node *object, const char *path,
                  int64_t *ret_value, bool *ret_found, struct yl_error *err);
int yl_nested_text(const struct yl_node *object, const char *path,
                   struct yl_arena *, struct yl_str *ret_value,
                   struct yl_error *err);

#endif /* apiserver/verbs/nested.h */
