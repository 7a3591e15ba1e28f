#ifndef APISERVER_VERBS_BODY_H
#define APISERVER_VERBS_BODY_H 1

/* Bodies of requests: from bytes to an object of the requested version.
 *
 *     JSON, YAML -> parse -> what kind is it? -> normalise -> tree
 *                     \________ repeated, unknown members -> Warnings or 400
 *     protobuf -> envelope -> what kind is it? -> decode -> normalise -> tree
 *
 * Errors are in upstream's words, which name the kind, show the first bytes of
 * a body that cannot be read, and repeat the message of Go's decoder.
 *
 * Guarantees
 * ==========
 *
 *   - Reading again gives the same: a write that is tried again reads its body
 *     again.
 *
 *   - The memory of parsing is charged to the arena's account, and parsing
 *     stops when that has no room.
 *
 *   - Bytes that are not UTF-8, and halves of surrogate pairs, become U+FFFD,
 *     as Go's decoder makes them.
 *
 * Ownership
 * =========
 *
 * Trees live in the arena that is passed and point into the request's
 * body. */

#include <stdbool.h>

#include "apiserver/verbs/options.h"
#include "yuloh/schema.h"
#include "yuloh/str.h"

struct yl_api_request;
struct yl_arena;
struct yl_error;
struct yl_node;
struct yl_status;
struct yl_strict;

/* The first check of a verb that takes an object: can its Content-Type be
 * read?  0, or a code with the Status to answer. */
int yl_body_begin(const struct yl_api_request *, struct yl_status *);

/* Reads the body as an object of 'kind'; apiVersion and kind are filled in.
 * With YL_STRATEGY_UNSTRUCTURED they must be there, and the kind may be
 * another.
 * Under YL_FIELDS_WARN unknown and repeated members become Warnings.  0, or a
 * code with the Status to answer. */
int yl_body_object(struct yl_api_request *, struct yl_arena *,
                   const struct yl_kind *, enum yl_field_validation,
                   struct yl_node **ret_root, struct yl_status *);

/* The same for a kind that may also be sent in 'other_version' (may be NULL),
 * which has the same fields. */
int yl_body_object_like(struct yl_api_request *, struct yl_arena *,
                        const struct yl_kind *, const char *other_version,
                        enum yl_field_validation, struct yl_node **ret_root,
                        struct yl_status *);

/* Is 'kind' that of the requested version, and unstructured? */
bool yl_body_is_unstructured(const struct yl_api_request *,
                             const struct yl_kind *);

/* Prunes and normalises a tree of 'kind': by the resource's strategy, if it is
 * the kind of the requested version. */
int yl_body_decode(struct yl_api_request *, struct yl_arena *,
                   const struct yl_kind *, struct yl_node *root,
                   struct yl_strict *, struct yl_error *err);

/* Reads the body as DeleteOptions. */
int yl_body_delete_options(struct yl_api_request *, struct yl_node **ret_root,
                           struct yl_status *);

/* Parses JSON as Go's decoder does.  Repeated members go to 'strict', if it is
 * not NULL.  0, or the errors of yl_tree_parse(). */
int yl_body_parse_json(struct yl_arena *, struct yl_str text,
                       struct yl_strict *, struct yl_node **ret_root,
                       struct yl_error *err);

/* Adds a Warning for each entry of 'strict'. */
void yl_body_warn(struct yl_api_request *, const struct yl_strict *);

#endif /* apiserver/verbs/body.h */
