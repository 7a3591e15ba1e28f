#ifndef APISERVER_ANSWER_PROTOBUF_H
#define APISERVER_ANSWER_PROTOBUF_H 1

/* Answers in protobuf: documents that were made as JSON, in envelopes
 * (schema/protobuf.h).
 *
 * The server works with JSON.  For a client that asks for protobuf the JSON is
 * translated, with the descriptors of the kind.  Answers that are not objects
 * (Statuses, discovery, metadata alone) have descriptors of their own,
 * answers_v1. */

#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_arena;

#define YL_PROTOBUF_MEDIA_TYPE "application/vnd.kubernetes.protobuf"

/* The type called 'kind' among those that are no objects: "Status",
 * "DeleteOptions". */
struct yl_type_ref yl_answer_type(struct yl_str kind);

/* Appends the envelope of a JSON document that answers the request; false, and
 * appends nothing, if protobuf has no form for it. */
bool yl_answer_protobuf(const struct yl_api_request *, struct yl_str json,
                        struct yl_buf *);

/* The reverse: appends the JSON of an envelope that is the request's body or
 * its answer; false if its type is unknown or it is malformed. */
bool yl_envelope_json(const struct yl_api_request *, struct yl_str envelope,
                      struct yl_buf *);

/* Appends an envelope with an object of that type.  apiVersion and kind are
 * taken from the JSON. */
void yl_answer_envelope(struct yl_buf *, struct yl_type_ref,
                        struct yl_json object, struct yl_arena *);

#endif /* apiserver/answer/protobuf.h */
