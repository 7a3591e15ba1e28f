#ifndef JSON_YAML_VALUE_H
#define JSON_YAML_VALUE_H 1

/* JSON values and keys from YAML scalars.
 *
 * Errors say what is wrong, but not where; the reader knows that. */

#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_yaml_scalar;

/* What 'text' means with an explicit tag, given in its long form, whether the
 * text is quoted or not.  Tags that JSON has no type for make it a string; so
 * does !!binary, whose string is the decoded bytes.  Returns 0, or YL_ETYPE if
 * 'text' is not what the tag says. */
int yl_yaml_resolve_tagged(struct yl_arena *, const char *tag,
                           struct yl_str text,
                           struct yl_yaml_scalar *ret_scalar,
                           struct yl_error *err);

/* A node for a scalar: 0, or YL_ERANGE for an infinity and NaN.  The node
 * does not point into the scalar's text. */
int yl_yaml_to_node(struct yl_arena *, const struct yl_yaml_scalar *,
                    struct yl_node **ret_node, struct yl_error *err);

/* The key that a scalar becomes, which may be its text: 0, or YL_ESYNTAX for
 * null and for what an int64 cannot hold. */
int yl_yaml_to_key(struct yl_arena *, const struct yl_yaml_scalar *,
                   struct yl_str *ret_key, struct yl_error *err);

#endif /* json/yaml_value.h */
