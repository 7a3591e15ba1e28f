#ifndef BUILTIN_GO_GO_CORE_ROW_H
#define BUILTIN_GO_GO_CORE_ROW_H 1

/* Rows of the tables in builtin/go/go_core.h: Go's name of a field, its name
 * in the tree, and what it is. */

#include "builtin/go/go_core.h"

#define STR(GO, JSON) { #GO, #JSON, YL_GO_STRING, NULL }
#define INT(GO, JSON) { #GO, #JSON, YL_GO_INT, NULL }
#define BOOL(GO, JSON) { #GO, #JSON, YL_GO_BOOL, NULL }
#define PTR(GO, JSON) { #GO, #JSON, YL_GO_POINTER, NULL }
#define QTY(GO, JSON) { #GO, #JSON, YL_GO_QUANTITY, NULL }
#define OUTER_BOOL(GO, JSON) { #GO, #JSON, YL_GO_OUTER_BOOL, NULL }
#define OUTER_PTR(GO, JSON) { #GO, #JSON, YL_GO_OUTER_POINTER, NULL }
#define STRUCT(GO, JSON, FIELDS) { #GO, #JSON, YL_GO_STRUCT, FIELDS }
#define STRUCT_PTR(GO, JSON, FIELDS)                                          \
    { #GO, #JSON, YL_GO_STRUCT_POINTER, FIELDS }
#define SLICE(GO, JSON, FIELDS) { #GO, #JSON, YL_GO_STRUCT_SLICE, FIELDS }
#define TAGGED(GO, JSON, FIELDS) { #GO, #JSON, YL_GO_TAGGED, FIELDS }
#define TAGGED_SLICE(GO, JSON, FIELDS)                                        \
    { #GO, #JSON, YL_GO_TAGGED_SLICE, FIELDS }
#define INLINE(JSON, FIELDS) { "", #JSON, YL_GO_INLINE, FIELDS }
#define END { NULL, NULL, YL_GO_POINTER, NULL }

#endif /* builtin/go/go_core_row.h */
