#ifndef APISERVER_ANSWER_VIEW_H
#define APISERVER_ANSWER_VIEW_H 1

/* View: a stored object as a client asked to see it.
 *
 *     block in the hub version -> [asked version] -> object, Table or metadata
 *
 * The usual case, an object in the version that is stored, is a head and the
 * block's own bytes.  Only other versions are converted, in a tree.
 *
 * A conversion may have to wait (a webhook).  Who renders and can wait gives
 * the view a struct yl_view_wait; then the functions below may return
 * YL_WAITING.  They have written nothing then, and are called again with the
 * same object once 'resume' was called; the scratch must not be cleared in
 * between.  Without one a conversion that would wait fails. */

#include <stdint.h>

#include "apiserver/answer/accept.h"
#include "apiserver/strategy/strategy.h"
#include "apiserver/wait.h"
#include "base/buf.h"
#include "yuloh/error.h"
#include "yuloh/object.h"
#include "yuloh/schema.h"

struct yl_accept;
struct yl_api_request;
struct yl_api_resource;
struct yl_api_version;
struct yl_arena;
struct yl_view_wait;

/* The object in 'version': a reference to itself if that is the stored one and
 * its schema has not changed since.
 * 0, YL_EINTERNAL if it cannot be converted, or YL_WAITING ('wait' may be
 * NULL). */
int yl_view_convert(struct yl_arena *, const struct yl_api_resource *,
                    const struct yl_api_version *, const struct yl_object *,
                    struct yl_view_wait *wait, struct yl_object **ret_object,
                    struct yl_error *err);

/* A conversion that may wait, of one object at a time. */
struct yl_view_wait {
    struct yl_wait wait;
    void (*resume)(struct yl_view_wait *);      /* On the loop: go on. */
    struct yl_conversion conversion;
    struct yl_node *root;
    struct yl_error error;
    bool done;                  /* 'root' is converted, or 'result' says why
                                 * not. */
    int result;
};

void yl_view_wait_init(struct yl_view_wait *, struct yl_loop *,
                       void (*resume)(struct yl_view_wait *));

/* Whether the conversion is waiting. */
bool yl_view_waits(const struct yl_view_wait *);

/* Abandons the conversion and frees what it holds.  'resume' is not called
 * afterwards. */
void yl_view_wait_release(struct yl_view_wait *);

/* How each object of an answer is written. */
struct yl_view {
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    struct yl_type_meta type;   /* Of the version, */
    struct yl_type_meta meta;   /* of a PartialObjectMetadata, */
    struct yl_type_meta table;  /* of a Table. */
    struct yl_str list_kind;    /* "PodList". */
    int form;                   /* enum yl_output_form. */
    bool protobuf;              /* Are items and events in protobuf? */
    struct yl_type_ref message; /* If so, the type of one. */
    int include;                /* enum yl_view_include. */
    struct yl_arena *scratch;   /* Cleared often by the code that renders. */
    struct yl_view_wait *wait;  /* NULL: who renders cannot wait. */
};

/* What the rows of a Table have as their object. */
enum yl_view_include {
    YL_INCLUDE_METADATA,
    YL_INCLUDE_OBJECT,
    YL_INCLUDE_NONE,
};

/* Reads from the request how a list or one object should be written.  0,
 * YL_EBADREQUEST for an unknown includeObject, or YL_ENOTACCEPTABLE if a
 * list's form is asked of one object or the other way round. */
int yl_view_init(struct yl_view *, const struct yl_api_request *, bool list,
                 struct yl_error *err);

/* The columns of its Tables. */
static inline const struct yl_columns *
yl_view_columns(const struct yl_view *view)
{
    return view->version->columns ? view->version->columns
                                  : view->resource->columns;
}

/* All that write return 0, a negative code, or YL_WAITING. */

/* Appends one element of a list's items, or of a Table's rows.  Items of
 * lists have no apiVersion and kind, unless they are unstructured.  In
 * protobuf it is the list's field 2. */
int yl_view_write_item(const struct yl_view *, const struct yl_object *,
                       uint64_t revision, struct yl_buf *,
                       struct yl_error *err);

/* Does it write whole objects that have no Go type upstream?  Items of such
 * lists have apiVersion and kind, and their metadata always has "continue". */
static inline bool
yl_view_is_unstructured(const struct yl_view *view)
{
    return view->form == YL_FORM_OBJECT
           && view->resource->strategy->flags & YL_STRATEGY_UNSTRUCTURED;
}

/* Appends the part of a list before its items, or of a Table before its rows.
 * With a 'revision' of 0 the metadata is left out: it may follow the items. */
void yl_view_write_list_head(const struct yl_view *, uint64_t revision,
                             struct yl_buf *);

/* Appends a complete document: an object, or a Table of one row.  In a watch,
 * only the first Table has columns ('first'). */
int yl_view_write_one(const struct yl_view *, const struct yl_object *,
                      uint64_t revision, bool first, struct yl_buf *,
                      struct yl_error *err);

#endif /* apiserver/answer/view.h */
