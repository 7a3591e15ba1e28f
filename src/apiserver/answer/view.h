#ifndef APISERVER_ANSWER_VIEW_H
#define APISERVER_ANSWER_VIEW_H 1

/* View: a stored object as a client asked to see it.
 *
 *     block in the hub version -> [asked version] -> object, Table or metadata
 *
 * The usual case, an object in the version that is stored, is a head and the
 * block's own bytes.  Only other versions are converted, in a tree. */

#include <stdint.h>

#include "base/buf.h"
#include "yuloh/object.h"
#include "yuloh/schema.h"

struct yl_accept;
struct yl_api_request;
struct yl_api_resource;
struct yl_api_version;
struct yl_arena;
struct yl_error;

/* The object in 'version': a reference to itself if that is the stored one or
 * has the same shape.  0, or YL_EINTERNAL if it cannot be converted. */
int yl_view_convert(struct yl_arena *, const struct yl_api_resource *,
                    const struct yl_api_version *, const struct yl_object *,
                    struct yl_object **ret_object, struct yl_error *err);

/* What is written around each object of an answer. */
struct yl_view {
    const struct yl_api_resource *resource;
    const struct yl_api_version *version;
    struct yl_type_meta type;   /* Of the version, */
    struct yl_type_meta meta;   /* of a PartialObjectMetadata, */
    struct yl_type_meta table;  /* of a Table. */
    struct yl_str list_kind;    /* "PodList". */
    int form;                   /* enum yl_output_form. */
    bool protobuf;              /* Are items and events in protobuf? */
    struct yl_type_ref message; /* Then what one is. */
    int include;                /* enum yl_view_include. */
    struct yl_arena *scratch;   /* Cleared by whoever renders, often. */
};

/* What the rows of a Table have as their object. */
enum yl_view_include {
    YL_INCLUDE_METADATA,
    YL_INCLUDE_OBJECT,
    YL_INCLUDE_NONE,
};

/* What the request asks for, of a list or of one object.  0, YL_EBADREQUEST
 * for an unknown includeObject, or YL_ENOTACCEPTABLE if it is the metadata of
 * the other. */
int yl_view_init(struct yl_view *, const struct yl_api_request *, bool list,
                 struct yl_error *err);

/* Appends one element of a list's items, or of a Table's rows.  Items of
 * lists have no apiVersion and kind, unless their kind is custom.  In
 * protobuf it is the list's field 2. */
int yl_view_write_item(const struct yl_view *, const struct yl_object *,
                       uint64_t revision, struct yl_buf *,
                       struct yl_error *err);

/* Appends what stands before the items of a list, or the rows of a Table.
 * 'revision' 0 leaves the metadata out: they may follow the items. */
void yl_view_write_list_head(const struct yl_view *, uint64_t revision,
                             struct yl_buf *);

/* Appends a document of its own: an object, or a Table of one row.  Later
 * Tables of a watch have no columns ('first' is false). */
int yl_view_write_one(const struct yl_view *, const struct yl_object *,
                      uint64_t revision, bool first, struct yl_buf *,
                      struct yl_error *err);

/* The same for the answer to a request. */
int yl_view_write(const struct yl_api_request *, const struct yl_object *,
                  uint64_t revision, struct yl_buf *, struct yl_error *err);

#endif /* apiserver/answer/view.h */
