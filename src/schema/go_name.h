#ifndef SCHEMA_GO_NAME_H
#define SCHEMA_GO_NAME_H 1

/* Go's names for the types that descriptors describe, for messages of its
 * decoder that clients see: "[]v1.Container". */

#include "base/buf.h"
#include "yuloh/schema.h"

/* Appends the name of a value's type, or of a struct. */
void yl_go_name_value(struct yl_buf *, const struct yl_type_set *,
                      const struct yl_value *);
void yl_go_name_struct(struct yl_buf *, struct yl_type_ref);

/* The number of embedded structs around 'field', which descriptors have
 * flattened: 1 for a Probe's exec. */
unsigned yl_go_name_depth(struct yl_type_ref type, struct yl_str field);

#endif /* schema/go_name.h */
