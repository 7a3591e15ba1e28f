#ifndef SCHEMA_STRATEGIC_H
#define SCHEMA_STRATEGIC_H 1

/* Strategic merge patch: a merge patch that knows which lists are sets.
 *
 *     PATCH, application/strategic-merge-patch+json --> [strategic merge]
 *
 * It is a merge patch (json/merge.h) in which a field's descriptor may say
 * that a list is merged instead of replaced: element by element, matched by a
 * merge key (the containers of a Pod by name), or as a set of scalars.  The
 * patch may hold directives:
 *
 *     $patch: replace, delete          of an object, or of an element
 *     $retainKeys: [KEY...]            drops all other members
 *     $deleteFromPrimitiveList/x: []   takes scalars out of list x
 *     $setElementOrder/x: []           the order that list x shall have
 *
 * This follows upstream's k8s.io/apimachinery/pkg/util/strategicpatch exactly,
 * oddities included: elements that are new to a list keep their nulls and
 * directives, while objects that are new lose them.  Where the result depends
 * on the random order of Go's maps, the order of the patch decides.
 *
 * Guarantees
 * ==========
 *
 *   - The patch is never changed and shares no node with the result; its
 *     source text must stay as long as the result.
 *
 *   - Parts that the patch does not name are not touched, and are written with
 *     their source bytes.
 *
 *   - Bounded.  Merging a list costs its length and the patch's; a patch for
 *     which more than YL_STRATEGIC_MAX_WORK elements would be visited is
 *     refused with YL_ETOOBIG.
 *
 * Errors
 * ======
 *
 * Messages are upstream's.  YL_EBADREQUEST for a patch in a wrong format,
 * YL_EINVALID for lists of lists, and YL_EINTERNAL, which upstream answers
 * too, for everything else (an element without its merge key, say). */

#include "yuloh/schema.h"

struct yl_arena;
struct yl_error;
struct yl_node;

#define YL_STRATEGIC_MAX_WORK ((size_t) 2 << 20)

/* Merges 'patch' into the object at '*root', which is a 'type' and may be
 * replaced.  After an error the tree is partly changed. */
int yl_strategic_apply(struct yl_arena *, struct yl_type_ref type,
                       struct yl_node **root, const struct yl_node *patch,
                       struct yl_error *err);

#endif /* schema/strategic.h */
