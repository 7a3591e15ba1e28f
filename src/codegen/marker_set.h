#ifndef CODEGEN_MARKER_SET_H
#define CODEGEN_MARKER_SET_H 1

/* What each marker changes in the model. */

#include "codegen/markers.h"

enum yl_marker_sets {
    YL_SETS_NOTHING,            /* Accepted and ignored, for headers translated
                                 * from Go. */
    YL_SETS_GROUP,
    YL_SETS_VERSION,
    YL_SETS_OUTPUT,
    YL_SETS_INCLUDE,
    YL_SETS_PREFIX,
    YL_SETS_OPENAPI,
    YL_SETS_NO_INTERNAL,
    YL_SETS_DEEPCOPY,
    YL_SETS_KIND,
    YL_SETS_TYPE_NAME,
    YL_SETS_STRUCT_TYPE,
    YL_SETS_EMBEDS,
    YL_SETS_CLIENT,
    YL_SETS_NO_STATUS,
    YL_SETS_ONLY_VERBS,
    YL_SETS_CLUSTER_SCOPED,
    YL_SETS_ROOT,
    YL_SETS_RESOURCE,
    YL_SETS_STATUS,
    YL_SETS_SCALE,
    YL_SETS_COLUMN,
    YL_SETS_STORAGE,
    YL_SETS_UNSERVED,
    YL_SETS_DEPRECATED,
    YL_SETS_SELECTABLE,
    YL_SETS_METADATA,
    YL_SETS_JSON,
    YL_SETS_OPTIONAL,
    YL_SETS_REQUIRED,
    YL_SETS_NULLABLE,
    YL_SETS_DEFAULT,
    YL_SETS_LIST_TYPE,
    YL_SETS_LIST_KEY,
    YL_SETS_MAP_TYPE,
    YL_SETS_PATCH,
    YL_SETS_MERGE_KEY,
    YL_SETS_NUMBER,
    YL_SETS_GO_TYPE,
    YL_SETS_INTERNAL_NAME,
    YL_SETS_INTERNAL_AFTER,
    YL_SETS_INTERNAL_IN,
    YL_SETS_INTERNAL_ABSENT,
    YL_SETS_INTERNAL_VALUE,
    YL_SETS_PRESERVE,
    YL_SETS_RULE,
};

/* A marker's argument, read as its row says. */
struct yl_marker_value {
    const char *text;           /* TEXT, JSON, LIST (as a JSON array). */
    double number;              /* INTEGER, NUMBER. */
    bool on;                    /* BOOL. */
    struct yl_str named;        /* NAMED: "a=b,c=d". */
};

/* Applies 'marker' to the target, or to 'value' (of the field, or of an
 * element); 'rest' is what follows the marker's name. */
void yl_marker_set(struct yl_marker_target *, const struct yl_marker *marker,
                   struct yl_gen_value *value, struct yl_str rest);

/* Applies the markers about a kind. */
void yl_marker_set_kind(struct yl_marker_target *, const struct yl_marker *,
                        const struct yl_marker_value *);

/* Applies the markers that say how Go's own types differ from JSON. */
void yl_marker_set_go(struct yl_marker_target *, const struct yl_marker *,
                      const struct yl_marker_value *);

/* Reports an error about 'marker' at the target's line. */
void yl_marker_fault(struct yl_marker_target *, const struct yl_marker *,
                     const char *format, ...) YL_PRINTF(3, 4);

#endif /* codegen/marker_set.h */
