#ifndef SCHEMA_PROTOBUF_H
#define SCHEMA_PROTOBUF_H 1

/* Objects in protobuf, as "application/vnd.kubernetes.protobuf" has them.
 *
 *     bytes --> envelope --> [decode] --> tree, as of JSON --> normalise
 *     bytes <-- envelope <-- [encode] <-- JSON
 *
 * The object is in an envelope that says what it is:
 *
 *     "k8s\0"  Unknown { 1: TypeMeta { 1: apiVersion, 2: kind },
 *                        2: the object's message, 3: encoding, 4: type }
 *
 * Its message follows from descriptors, which have the number of each field.
 * These types have special forms:
 *
 *     time, micro time   { 1: seconds, 2: nanos }; empty is the zero time
 *     duration           { 1: nanoseconds }
 *     quantity           { 1: text }
 *     int-or-string      { 1: 0 or 1, 2: number, 3: string }
 *     raw, embedded      { 1: JSON }, with exceptions in protobuf_layout.h
 *     map                { 1: key, 2: value }, repeated
 *     list in a map      { 1: element, repeated }
 *     embedded struct    a message of its own (schema/go_set.h)
 *
 * Guarantees
 * ==========
 *
 *   - Decoding gives the same tree as parsing the JSON of the object; after
 *     normalising both are equal.
 *
 *   - Unknown fields are skipped.  A field that is repeated but is no list
 *     has its last value; messages are merged.
 *
 *   - Wrong wire types, cut off bytes, strings that are not UTF-8, times that
 *     JSON cannot express and messages deeper than YL_JSON_MAX_DEPTH are
 *     refused, as YL_EBADREQUEST, in the words of Go's decoder where it has
 *     them.
 *
 *   - Go decodes what was encoded to the same object.  Fields stand in the
 *     order of the JSON, and those that are absent there are not written.
 *     Values of another type than their field's are written as zero.
 *
 * Ownership
 * =========
 *
 * Envelopes and what is raw in trees point into the bytes.
 *
 * Usage
 * =====
 *
 *     struct yl_protobuf_envelope e;
 *     if (yl_protobuf_open(body, &e, err) == 0
 *         && yl_protobuf_decode(arena, yl_kind_type(kind), e.raw, NULL,
 *                               root, err) == 0) { ... } */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/json.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_node;

/* What envelopes start with. */
#define YL_PROTOBUF_MAGIC YL_STR("k8s\0")

struct yl_protobuf_envelope {
    struct yl_str api_version;
    struct yl_str kind;
    struct yl_str raw;
    struct yl_str content_encoding;
    struct yl_str content_type;
};

/* Reads an envelope.  0 or YL_EBADREQUEST. */
int yl_protobuf_open(struct yl_str bytes, struct yl_protobuf_envelope *ret,
                     struct yl_error *err);

/* Does the type have a form in protobuf?  Types of CRDs do not. */
bool yl_protobuf_has(struct yl_type_ref);

/* Reads a message of 'type' and puts its fields into 'object'.  0,
 * YL_EBADREQUEST, or yl_arena_check()'s error; the object is half filled
 * then. */
int yl_protobuf_decode(struct yl_arena *, struct yl_type_ref type,
                       struct yl_str message, struct yl_node *object,
                       struct yl_error *err);

/* Appends the message of 'object', which is a 'type' and valid JSON.  The
 * arena is for strings with escapes. */
void yl_protobuf_encode(struct yl_buf *, struct yl_type_ref type,
                        struct yl_json object, struct yl_arena *);

/* Appends the start of an envelope; the bytes appended until yl_protobuf_end()
 * are its message. */
size_t yl_protobuf_begin(struct yl_buf *, struct yl_str api_version,
                         struct yl_str kind);
void yl_protobuf_end(struct yl_buf *, size_t begun);

#endif /* schema/protobuf.h */
