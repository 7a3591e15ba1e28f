#ifndef BUILTIN_GO_VALUE_H
#define BUILTIN_GO_VALUE_H 1

/* Values as upstream's messages show them.
 *
 * Validation upstream works on internal types whose fields have no JSON names.
 * So a struct at fault is shown with Go's names and with every field, be it
 * set or not: {"Type":"X","RollingUpdate":null}.  A table for each such struct
 * gives its fields. */

#include "builtin/fields.h"

enum yl_go_kind {
    YL_GO_STRING,               /* "" if absent. */
    YL_GO_INT,                  /* 0 if absent. */
    YL_GO_BOOL,                 /* false if absent. */
    YL_GO_POINTER,              /* As it is, or null. */
    YL_GO_STRUCT,               /* By 'fields', always there. */
    YL_GO_STRUCT_POINTER,       /* By 'fields', or null. */
    YL_GO_STRUCT_SLICE,         /* A list of them, or null. */
};

/* The last of a table has a NULL name. */
struct yl_go_field {
    const char *name;           /* In Go. */
    const char *json;           /* In the tree. */
    enum yl_go_kind kind;
    const struct yl_go_field *fields;
};

/* The struct, for an error; the text lives in the check's arena.  A NULL node
 * is the struct of zeros. */
struct yl_bad_value yl_bad_struct(const struct yl_check *,
                                  const struct yl_node *,
                                  const struct yl_go_field *);

/* Adds a cause with a detail to the two faults that have none upstream but
 * where it is set by hand: FieldValueDuplicate and FieldValueNotFound. */
void yl_field_duplicate_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);
void yl_field_not_found_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);

#endif /* builtin/go_value.h */
