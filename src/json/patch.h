#ifndef JSON_PATCH_H
#define JSON_PATCH_H 1

/* JSON Patch (RFC 6902): a list of operations that change a tree.
 *
 * There are two dialects.  The strict one is the RFC.  The other is what
 * clients of Kubernetes see, which is looser; where the RFC calls for an
 * error, Kubernetes
 *
 *   - takes "replace" of a missing member as an addition, "copy" of one as
 *     null, "test" of one against null as passed;
 *   - takes an absent "value" as null;
 *   - counts negative indices from the end ("-1" is the last element, and for
 *     "add" the place behind it), and reads "+1" and "01" as 1;
 *   - ignores what stands before the first slash of a path, and leaves a tilde
 *     that starts no escape as it is;
 *   - but accepts the empty path (the whole document) only in "test" and,
 *     with an object or an array, in "replace";
 *   - compares numbers in "test" as they are spelled: 1 is not 1.0.
 *     (Kubernetes compares strings as they are spelled too, so that "<" fails
 *     against "\u003c"; here they are compared by value.)
 *
 * Guarantees
 * ==========
 *
 *   - All or nothing, with the caller's help: operations change the tree in
 *     place, and after a failure it is half changed.  A caller that needs the
 *     old tree afterwards patches a copy.  The patch itself is never changed
 *     and shares no node with the result, so it can be applied again; but its
 *     source text must stay as long as the result.
 *
 *   - Bounded.  The number of operations, the bytes that "copy" makes, the
 *     depth of the result and the number of nodes that are looked at all have
 *     ceilings.  Finding an element costs its distance from the nearer end of
 *     its array, and a patch that would walk past 'max_work' nodes in all is
 *     refused with YL_ETOOBIG: well below a second.
 *
 * Errors
 * ======
 *
 * YL_EBADREQUEST for what is no patch, YL_ETESTFAILED for a "test" that does
 * not hold, YL_EINVALID for any other operation that cannot be done,
 * YL_ETOOBIG and YL_ETOODEEP for the ceilings.  Messages are those of
 * Kubernetes where it has one; "operation 3: " before them is not, and is
 * left out in its dialect. */

#include <stdbool.h>
#include <stddef.h>

struct yl_arena;
struct yl_error;
struct yl_node;

/* Options.  Zero means the default. */
struct yl_patch_opts {
    bool kubernetes;            /* Its dialect? [RFC 6902] */
    size_t max_operations;      /* [10000] */
    size_t max_copy_size;       /* Bytes made by all "copy" together [3 MB]. */
    size_t max_work;            /* Nodes looked at [64 M]. */
    unsigned max_depth;         /* Of the result [YL_JSON_MAX_DEPTH]. */
};

#define YL_PATCH_MAX_OPERATIONS 10000
#define YL_PATCH_MAX_COPY_SIZE ((size_t) 3 << 20)
#define YL_PATCH_MAX_WORK ((size_t) 64 << 20)

/* Checks the types in 'patch' as the server does before it applies one, unless
 * the client asked it not to validate fields: an array of objects (or nulls)
 * whose "op", "path" and "from" are strings (or null).  0, or YL_EBADREQUEST
 * with the message of the API server. */
int yl_patch_check(const struct yl_node *patch, struct yl_error *err);

/* Applies 'patch' to the tree at '*root', which may become another node.  New
 * nodes are made in 'arena'. */
int yl_patch_apply(struct yl_arena *arena, struct yl_node **root,
                   const struct yl_node *patch,
                   const struct yl_patch_opts *opts, struct yl_error *err);

#endif /* json/patch.h */
