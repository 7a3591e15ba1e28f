#ifndef APISERVER_VERBS_BODY_KIND_H
#define APISERVER_VERBS_BODY_KIND_H 1

/* The kind that a body says it is, and upstream's errors about it.  See
 * body.h. */

#include <stdbool.h>

#include "yuloh/gvk.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_apiserver;
struct yl_arena;
struct yl_error;
struct yl_node;

/* Is 'type' the media type 'name'?  Upper and lower case are the same. */
bool yl_body_media_is(struct yl_str type, const char *name);

/* Are these parameters of a media type, "charset=utf-8; a=b", that Go would
 * read?  A semicolon may be the last. */
bool yl_body_has_params(struct yl_str params);

/* The kind of the object at '*root' (null becomes {}), with gaps filled in
 * from 'kind' (may be NULL).  0, or YL_EBADREQUEST if it is no object or its
 * apiVersion or kind cannot be read. */
int yl_body_gvk(struct yl_arena *, struct yl_node **root,
                const struct yl_kind *, struct yl_gvk *ret_gvk,
                struct yl_error *err);

bool yl_body_is_kind(const struct yl_gvk *, const struct yl_kind *);

/* Is it the same kind in another version, or in a group where upstream still
 * knows it? */
bool yl_body_is_other_version(struct yl_apiserver *, const struct yl_gvk *,
                              const struct yl_kind *);

/* Sets apiVersion and kind. */
void yl_body_set_type(struct yl_arena *, struct yl_node *root,
                      const struct yl_kind *);

/* Make error messages; all return YL_EBADREQUEST.  The second is about a body
 * that should be DeleteOptions. */
int yl_body_unknown_kind(struct yl_gvk, struct yl_arena *,
                         struct yl_error *err);
int yl_body_other_options(struct yl_gvk, struct yl_arena *,
                          struct yl_error *err);
int yl_body_no_conversion(struct yl_gvk, const struct yl_kind *wanted,
                          struct yl_error *err);

/* The name that Go's decoder has for the type of a value: "object", "array",
 * ... */
const char *yl_body_json_type(const struct yl_node *);

#endif /* apiserver/verbs/body_kind.h */
