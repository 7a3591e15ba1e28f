#ifndef CODEGEN_MARKERS_H
#define CODEGEN_MARKERS_H 1

/* The marker language: "+name=value" in comments, as one table.
 *
 * docs/markers.md is its manual; a test compares the two. */

#include <stdbool.h>
#include <stddef.h>

#include "codegen/diag.h"
#include "codegen/model.h"
#include "yuloh/str.h"

/* Where a marker may stand. */
enum yl_marker_where {
    YL_MARKER_FILE = 1 << 0,    /* Above the first declaration. */
    YL_MARKER_TYPE = 1 << 1,    /* Above any struct. */
    YL_MARKER_KIND = 1 << 2,    /* Above a struct that is a kind, or that it
                                 * makes one. */
    YL_MARKER_FIELD = 1 << 3,   /* Above or behind a member. */
};

/* What stands behind the "=". */
enum yl_marker_arg {
    YL_MARKER_ARG_NONE,
    YL_MARKER_ARG_BOOL,         /* May be left out: true. */
    YL_MARKER_ARG_TEXT,         /* May be left out: "". */
    YL_MARKER_ARG_INTEGER,
    YL_MARKER_ARG_NUMBER,
    YL_MARKER_ARG_JSON,
    YL_MARKER_ARG_LIST,         /* a;b or {a,b}. */
    YL_MARKER_ARG_NAMED,        /* name:a=b,c=d, or name:a=b=c for one. */
};

struct yl_marker {
    const char *name;           /* Without the '+'. */
    unsigned where;             /* enum yl_marker_where. */
    enum yl_marker_arg arg;
    int sets;                   /* enum yl_marker_sets. */
    int op;                     /* The enum yl_rule_op it adds, if it does. */
};

extern const struct yl_marker yl_markers[];
extern const size_t yl_n_markers;

/* What markers apply to, filled in by the reader.  What the markers of a field
 * say about presence is kept here until all are read. */
struct yl_marker_target {
    enum yl_marker_where where; /* YL_MARKER_TYPE also for kinds. */
    struct yl_gen_unit *unit;
    struct yl_gen_type *type;   /* NULL for a file. */
    struct yl_gen_field *field; /* Of YL_MARKER_FIELD. */
    struct yl_diag *diag;
    const char *file;
    unsigned line;              /* Of the marker at hand. */

    bool optional, required;
    bool inlined;               /* +json=,inline */
    const char *presence;       /* Of +json: "omitempty", ...; or NULL. */
};

/* Whether 'line', a line of a comment, is a marker. */
bool yl_marker_is(struct yl_str line);

/* Applies the marker 'line' ("+name=value").  Errors go to the target's
 * 'diag'. */
void yl_marker_apply(struct yl_marker_target *, struct yl_str line);

/* If 'line' is a marker that only files have, that marker; else NULL.  Such
 * markers may stand above the first struct and do not belong to it. */
const struct yl_marker *yl_marker_of_file(struct yl_str line);

/* Whether 'line' gives the type its name; such markers are applied first,
 * because other names derive from it.  And whether it is "+transparent". */
bool yl_marker_is_name(struct yl_str line);
bool yl_marker_is_transparent(struct yl_str line);

/* The marker that adds rules of this kind; and whether such a rule can apply
 * to values of that kind. */
const struct yl_marker *yl_marker_of_rule(enum yl_rule_op);
bool yl_marker_rule_fits(enum yl_rule_op, enum yl_value_kind);

/* Decides name, presence and "required" of a field, after all its markers have
 * been read, and reports those that contradict each other. */
void yl_marker_settle(struct yl_marker_target *, bool pointer);

#endif /* codegen/markers.h */
