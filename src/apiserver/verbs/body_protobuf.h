#ifndef APISERVER_VERBS_BODY_PROTOBUF_H
#define APISERVER_VERBS_BODY_PROTOBUF_H 1

/* Bodies in protobuf, read in two steps: the envelope says what kind they are,
 * which must be known before the message can be decoded.  See body.h. */

#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_arena;
struct yl_error;
struct yl_node;

/* Makes an object with the envelope's apiVersion and kind.  0 or
 * YL_EBADREQUEST. */
int yl_body_protobuf_open(struct yl_arena *, struct yl_str bytes,
                          struct yl_node **ret_root, struct yl_error *err);

/* Decodes the message in the envelope of the request's body into 'root'.  0,
 * YL_EBADREQUEST, or YL_ETHROTTLED if there is no memory for it. */
int yl_body_protobuf_read(struct yl_api_request *, struct yl_arena *,
                          struct yl_type_ref, struct yl_node *root,
                          struct yl_error *err);

#endif /* apiserver/verbs/body_protobuf.h */
