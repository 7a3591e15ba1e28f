#ifndef APISERVER_VERBS_PATCH_APPLY_H
#define APISERVER_VERBS_PATCH_APPLY_H 1

/* Applying the patch of a request to an object of the requested version.
 *
 *     object, body -> JSON patch, merge patch, strategic merge patch
 *                  -> decoded again -> object
 *
 * The result is decoded like a body, so that its values have the types of its
 * kind; members that are unknown in it, or repeated in the patch, cause
 * Warnings or a refusal.  Errors are in upstream's words. */

#include "apiserver/verbs/options.h"
#include "yuloh/schema.h"

struct yl_api_request;
struct yl_arena;
struct yl_node;
struct yl_status;

enum yl_patch_type {
    YL_PATCH_JSON,
    YL_PATCH_MERGE,
    YL_PATCH_STRATEGIC,
    YL_PATCH_APPLY,
};

/* The type that the Content-Type names.  0, or YL_EMEDIATYPE with a Status. */
int yl_patch_read_type(const struct yl_api_request *,
                       enum yl_patch_type *ret_type, struct yl_status *);

/* The first checks of a PATCH: its type, its options, memory for it.  0, or a
 * code with the Status to answer. */
int yl_patch_begin(struct yl_api_request *, enum yl_patch_type *ret_type,
                   struct yl_write_options *ret_options, struct yl_status *);

/* Applies the body to the object of 'kind' at '*root' and puts the result
 * there.  0, or a code with the Status to answer. */
int yl_patch_apply_body(struct yl_api_request *, struct yl_arena *,
                        enum yl_patch_type, enum yl_field_validation,
                        const struct yl_kind *, struct yl_node **root,
                        struct yl_status *);

#endif /* apiserver/verbs/patch_apply.h */
