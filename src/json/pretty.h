#ifndef JSON_PRETTY_H
#define JSON_PRETTY_H 1

/* JSON for people, as "kubectl get -o json" prints it: indented by four
 * blanks, members sorted, '<', '>', '&' and the Unicode line separators as
 * escapes, as Go's encoder has them. */

#include "base/buf.h"

struct yl_node;

/* Appends 'node' and a line end.  Returns 0, or YL_ERANGE if a number is too
 * large for a double. */
int yl_node_write_pretty(struct yl_buf *, const struct yl_node *node);

#endif /* json/pretty.h */
