#ifndef APISERVER_DISCOVERY_OPENAPI_PROTO_H
#define APISERVER_DISCOVERY_OPENAPI_PROTO_H 1

/* OpenAPI v2 as protobuf, for kubectl before 1.27, which reads nothing else.
 *
 *     JSON document -> [proto] -> openapi.v2.Document of gnostic
 *
 * The encoder walks the JSON with a table of members and field numbers.  Code
 * generated from the .proto with protobuf-c was considered: it would need a
 * tree of some hundred thousand structs in memory for a document that is
 * written once, and five thousand lines of generated code for the thirty
 * messages that occur.
 *
 * Guarantees
 * ==========
 *
 *   - Everything in this server's documents is encoded.  Members that the
 *     table does not have, and that do not start with "x-", are left out, and
 *     so is everything nested deeper than a schema may be.
 *
 *   - Safe on any bytes. */

#include "base/buf.h"
#include "yuloh/str.h"

/* The most nested messages. */
#define YL_OPENAPI_PROTO_MAX_DEPTH 256

/* Appends the message. */
void yl_openapi_encode_v2(struct yl_buf *, struct yl_str json);

#endif /* apiserver/discovery/openapi_proto.h */
