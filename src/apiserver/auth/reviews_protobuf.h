#ifndef APISERVER_AUTH_REVIEWS_PROTOBUF_H
#define APISERVER_AUTH_REVIEWS_PROTOBUF_H 1

/* Reviews in protobuf: kubectl from 1.32 on asks "may I?" in no other form.
 *
 *     "k8s\0" Unknown { TypeMeta { apiVersion, kind }, raw } -> tree
 *
 * Driven by the descriptors' numbers.  Only for reviews: their types embed no
 * structs, which descriptors flatten and protobuf does not.  What a review has
 * no use for (times, owners) is passed over. */

#include <stdbool.h>

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* Is this Content-Type protobuf? */
bool yl_review_is_protobuf(struct yl_str content_type);

/* Reads a body as an object of 'kind', without apiVersion and kind.  0, or
 * YL_EBADREQUEST if it is malformed or another kind. */
int yl_review_read_protobuf(struct yl_arena *, const struct yl_kind *kind,
                            struct yl_str body, struct yl_node **ret_root,
                            struct yl_error *err);

#endif /* apiserver/auth/reviews_protobuf.h */
