#ifndef SCHEMA_GO_PRINT_H
#define SCHEMA_GO_PRINT_H 1

/* JSON values as Go prints them, for messages that clients see.
 *
 * Upstream's messages often hold a whole decoded value in Go's %v:
 * map[a:1 b:[x y] c:<nil>]. */

#include "base/buf.h"

struct yl_node;

/* Appends 'node' as %v does: members sorted, strings as they are.  At most
 * YL_FIELD_TEXT_MAX bytes, then "...".  NULL is <nil>. */
void yl_go_print(struct yl_buf *, const struct yl_node *);

/* The name of the type that Go decodes 'node' to: "map[string]interface {}",
 * "[]interface {}", "string", "int64", "float64", "bool"; "%!s(<nil>)" for
 * null, as a message has it. */
const char *yl_go_type(const struct yl_node *);

#endif /* schema/go_print.h */
