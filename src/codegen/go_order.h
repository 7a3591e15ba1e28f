#ifndef CODEGEN_GO_ORDER_H
#define CODEGEN_GO_ORDER_H 1

/* The fields of upstream's Go types, in order.
 *
 * A header has the order of the types that clients use.  Validation upstream
 * works on internal types, whose order and names are mostly the same; markers
 * ("+internal:after=") say where they are not. */

#include <stddef.h>

struct yl_arena;
struct yl_diag;
struct yl_gen_field;
struct yl_gen_type;
struct yl_gen_unit;

/* Finds out how deep in embedded structs each field is, and reports markers
 * that name no field.  Call it once, when everything has been read. */
void yl_gen_go_settle(struct yl_gen_unit *, struct yl_diag *);

/* The fields of the internal type.  Fields that JSON has in a type around it,
 * marked with "+internal:in=", come first. */
struct yl_gen_field **yl_gen_go_order(const struct yl_gen_type *,
                                      size_t *ret_n);

/* The field's name there: that of "+internal:name=", or the JSON name with a
 * capital first letter, or a first word in capitals if Go writes it so
 * ("APIVersion"). */
const char *yl_gen_go_name(struct yl_arena *, const struct yl_gen_field *);

#endif /* codegen/go_order.h */
