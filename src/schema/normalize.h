#ifndef SCHEMA_NORMALIZE_H
#define SCHEMA_NORMALIZE_H 1

/* Normalising: gives a tree the form that it has in Go after decoding into a
 * struct and encoding again.
 *
 *     request --> tree --> [normalise] --> defaults --> validation --> storage
 *
 * kube-apiserver decodes objects of built-in kinds into Go structs.  Members
 * that the type does not have are lost, and so are nulls where they mean
 * "absent"; empty values are written or left out, depending on the field's
 * presence; numbers, times, quantities, durations and base64 are written in
 * the one way Go writes them.  This does the same to a tree, in one walk,
 * without a record.
 *
 * Guarantees
 * ==========
 *
 *   - Normalising twice changes nothing the second time (except for a pointer
 *     to the zero time, which is null first and then absent, as in Go).
 *     Values that are normal already keep their source bytes.
 *
 *   - A value of the wrong type is refused in the words of Go's decoder:
 *     "json: cannot unmarshal string into Go struct field
 *     DeploymentSpec.spec.replicas of type int32".  As there, the first one in
 *     the text is named, unless a later one is of a type that Go decodes with
 *     code of its own (a time, a quantity, a duration, an int-or-string),
 *     which ends decoding at once.
 *
 *   - Unknown members are dropped, and reported if asked, except below
 *     YL_VALUE_PRESERVE and in raw values.
 *
 *   - A kind has an apiVersion and a kind wherever it stands, even if its type
 *     has not got them as fields.
 *
 * One part of Go's messages is not in descriptors: the name of a type that is
 * a string, as in "of type v1.Protocol".  It comes from schema/go_set.h.
 *
 * Usage
 * =====
 *
 *     if (yl_normalize(arena, yl_kind_type(&apps_v1_deployment_kind), root,
 *                      NULL, err) < 0) { ... } */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_strict;

/* Normalises the object 'root', which is a 'type'.  Unknown and repeated
 * members are reported to 'strict', if it is not NULL.  0, or YL_EBADREQUEST
 * if something has the wrong type; the tree is half changed then. */
int yl_normalize(struct yl_arena *, struct yl_type_ref type,
                 struct yl_node *root, struct yl_strict *strict,
                 struct yl_error *err);

/* The same, but empty lists and maps stay: in Go they differ from absent ones
 * until they are encoded. */
int yl_normalize_decoded(struct yl_arena *, struct yl_type_ref type,
                         struct yl_node *root, struct yl_strict *strict,
                         struct yl_error *err);

/* The same for an object whose kind upstream stores as protobuf, as clients
 * see it when it comes back: lists and maps that are written although they are
 * empty are null, and null among the byte strings of a map is "". */
int yl_normalize_stored(struct yl_arena *, struct yl_type_ref type,
                        struct yl_node *root, struct yl_error *err);

/* The same, but an object remembers the lists and maps that were removed
 * because they were empty (yl_node_emptied()), for messages that show what was
 * sent. */
int yl_normalize_update(struct yl_arena *, struct yl_type_ref type,
                        struct yl_node *root, struct yl_error *err);

#endif /* schema/normalize.h */
