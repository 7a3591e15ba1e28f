#ifndef APISERVER_SELECTION_H
#define APISERVER_SELECTION_H 1

/* Selection: which objects of a resource a request is about.
 *
 *     namespace, name, labelSelector, fieldSelector -> [selection] -> yes */

#include <stdbool.h>

#include "apiserver/keyspace/keyspace.h"
#include "yuloh/selector.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_api_resource;
struct yl_api_version;
struct yl_arena;
struct yl_error;
struct yl_object;

struct yl_selection {
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;       /* Whose fields 'fields'
                                                 * names. */
    struct yl_str namespace_;   /* Empty: all. */
    struct yl_str name;         /* Empty: all. */
    const struct yl_selector *labels;           /* NULL: all. */
    const struct yl_field_selector *fields;     /* NULL: all. */
};

/* Reads selectors, whose fields have the names of 'version'; both may be
 * empty.  'selection' has its resource and namespace; the rest is filled in,
 * and lives in 'arena', as must the text.  0, YL_EBADREQUEST or YL_ETOOBIG. */
int yl_selection_parse(struct yl_selection *, const struct yl_api_version *,
                       struct yl_str label_selector,
                       struct yl_str field_selector, struct yl_arena *,
                       struct yl_error *err);

/* Makes the selection of a request.  0, or YL_EBADREQUEST. */
int yl_selection_init(struct yl_selection *, const struct yl_api_request *,
                      struct yl_error *err);

/* Does it select by more than its scope? */
static inline bool
yl_selection_chooses(const struct yl_selection *selection)
{
    return selection->labels || selection->fields;
}

/* Does it select this stored object? */
bool yl_selection_matches(const struct yl_selection *,
                          const struct yl_object *, struct yl_arena *scratch);

/* Turns an event into what a watch of the selection gets: an object that comes
 * into the selection is an addition, one that leaves it a deletion of its last
 * state there.  False if the watch gets nothing.  The object is borrowed from
 * the event. */
bool yl_selection_sees(const struct yl_selection *,
                       const struct yl_ks_event *, struct yl_arena *scratch,
                       enum yl_ks_event_type *ret_type,
                       const struct yl_object **ret_object);

#endif /* apiserver/selection.h */
