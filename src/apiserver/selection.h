#ifndef APISERVER_SELECTION_H
#define APISERVER_SELECTION_H 1

/* Selection: which objects of a resource a request is about.
 *
 *     namespace, name, labelSelector, fieldSelector -> [selection] -> yes */

#include <stdbool.h>

#include "yuloh/selector.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_api_resource;
struct yl_arena;
struct yl_error;
struct yl_object;

struct yl_selection {
    const struct yl_api_resource *resource;
    struct yl_str namespace_;   /* Empty: all. */
    struct yl_str name;         /* Empty: all. */
    const struct yl_selector *labels;           /* NULL: all. */
    const struct yl_field_selector *fields;     /* NULL: all. */
};

/* What the request asks for.  0, or YL_EBADREQUEST. */
int yl_selection_init(struct yl_selection *, const struct yl_api_request *,
                      struct yl_error *err);

/* Does it choose among the objects of its scope? */
static inline bool
yl_selection_chooses(const struct yl_selection *selection)
{
    return selection->labels || selection->fields;
}

/* Is a stored object one of them? */
bool yl_selection_matches(const struct yl_selection *,
                          const struct yl_object *, struct yl_arena *scratch);

#endif /* apiserver/selection.h */
