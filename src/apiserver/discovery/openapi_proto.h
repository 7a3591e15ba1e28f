#ifndef APISERVER_DISCOVERY_OPENAPI_PROTO_H
#define APISERVER_DISCOVERY_OPENAPI_PROTO_H 1

/* OpenAPI v2 as protobuf, for kubectl before 1.27, which reads nothing else.
 *
 *     JSON document -> [proto] -> openapi.v2.Document of gnostic
 *
 * The encoder walks the JSON with a table of members and field numbers.  One
 * generated from the .proto with protobuf-c was weighed: it would need a tree
 * of some hundred thousand structs in memory to pack a document that is
 * written once, and five thousand lines of generated code for the thirty
 * messages that occur.
 *
 * Guarantees
 * ==========
 *
 *   - Everything that documents of this server say is there; members that the
 *     table does not know, and that do not start with "x-", are left out, and
 *     so is what is nested deeper than any schema may be.
 *
 *   - Any bytes can be passed. */

#include "base/buf.h"
#include "yuloh/str.h"

/* Levels of messages. */
#define YL_OPENAPI_PROTO_MAX_DEPTH 256

/* Appends the message. */
void yl_openapi_encode_v2(struct yl_buf *, struct yl_str json);

#endif /* apiserver/discovery/openapi_proto.h */
