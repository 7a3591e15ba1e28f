#ifndef JSON_MERGE_H
#define JSON_MERGE_H 1

/* JSON Merge Patch (RFC 7386), and the diff that makes one.
 *
 * A merge patch looks like the document it changes: its members are set in the
 * document, nulls remove, objects are merged, everything else (arrays too) is
 * replaced.  So a null cannot be set, only removed.
 *
 * Guarantees
 * ==========
 *
 *   - What the patch does not name is not touched, and is written back as its
 *     source bytes.  Members keep their place; new ones come last, in the
 *     patch's order.
 *
 *   - The cost grows with the size of the patch, not of the document.
 *
 *   - The patch is never changed and shares no node with the result; its
 *     source text must stay as long as the result.
 *
 *   - The result is no deeper than the deeper of the two.  Both functions
 *     recurse, so they refuse trees nested deeper than YL_JSON_MAX_DEPTH with
 *     YL_ETOODEEP, before anything is changed. */

#include <stdbool.h>

struct yl_arena;
struct yl_error;
struct yl_node;

/* Options.  Zero means the default. */
struct yl_merge_opts {
    /* Kubernetes' dialect?  [RFC 7386]  The patch must be an object; objects
     * inside of new arrays lose their null members too, except in an array
     * that takes the place of an object. */
    bool kubernetes;
};

/* Merges 'patch' into the tree at '*root', which may become another node.  0
 * or YL_ETOODEEP; in Kubernetes' dialect also YL_EBADREQUEST, with the message
 * of the API server, for a patch that is no object. */
int yl_merge_apply(struct yl_arena *, struct yl_node **root,
                   const struct yl_node *patch, const struct yl_merge_opts *,
                   struct yl_error *err);

/* Makes the smallest merge patch that turns 'from' into 'to': members that are
 * equal as values (yl_node_equal()) are not in it, and {} means that nothing
 * changes.  If either is no object, the patch is a copy of 'to'.
 *
 * Applying it to 'from' by the RFC gives a tree equal to 'to', with one
 * exception that the format cannot express: a null member of 'to' (outside of
 * arrays) that is not in 'from' as well is absent from the result. */
int yl_merge_diff(struct yl_arena *, const struct yl_node *from,
                  const struct yl_node *to, struct yl_node **ret_patch,
                  struct yl_error *err);

#endif /* json/merge.h */
