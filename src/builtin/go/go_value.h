#ifndef BUILTIN_GO_GO_VALUE_H
#define BUILTIN_GO_GO_VALUE_H 1

/* Values as upstream's messages show them.
 *
 * Validation upstream works on internal types whose fields have no JSON names.
 * So a struct at fault is shown with Go's names and with every field, be it
 * set or not: {"Type":"X","RollingUpdate":null}.  A table for each such struct
 * gives its fields. */

#include "json/member.h"
#include "schema/at.h"

enum yl_go_kind {
    YL_GO_STRING,               /* "" if absent. */
    YL_GO_INT,                  /* 0 if absent. */
    YL_GO_BOOL,                 /* false if absent. */
    YL_GO_POINTER,              /* As it is, or null. */
    YL_GO_STRUCT,               /* By 'fields', always there. */
    YL_GO_STRUCT_POINTER,       /* By 'fields', or null. */
    YL_GO_STRUCT_SLICE,         /* A list of them, or null. */
    YL_GO_QUANTITY,             /* "0" if absent. */
    YL_GO_OUTER_BOOL,           /* Of the struct around this one. */
    YL_GO_OUTER_POINTER,
    YL_GO_INLINE,               /* By 'fields', strings and those that are not
                                 * empty, among the fields around it. */
    YL_GO_TAGGED,               /* A struct with just those, or null. */
    YL_GO_TAGGED_SLICE,         /* A list of those, or null. */
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

/* The same of a struct that has JSON names and leaves out what is empty, and
 * of a list of structs.  What is absent is null. */
struct yl_bad_value yl_bad_tagged(const struct yl_check *,
                                  const struct yl_node *,
                                  const struct yl_go_field *);
struct yl_bad_value yl_bad_slice(const struct yl_check *,
                                 const struct yl_node *list,
                                 const struct yl_go_field *);

/* Adds FieldValueForbidden for a struct that may not become 'now', with what
 * would change: a unified difference of their indented JSON behind 'text'. */
void yl_field_changed(struct yl_check *, const struct yl_at *,
                      const struct yl_node *old, const struct yl_node *now,
                      const struct yl_go_field *, const char *text);

/* Adds a cause with a detail to the two faults that have none upstream but
 * where it is set by hand: FieldValueDuplicate and FieldValueNotFound. */
void yl_field_duplicate_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);
void yl_field_not_found_because(struct yl_check *, const struct yl_at *,
                                struct yl_bad_value, const char *detail);

#endif /* builtin/go/go_value.h */
