/* JSON Patch, merge patch and the diff that makes one. */

#include "driver.h"

#include "json/merge.h"
#include "json/patch.h"
#include "json/tree.h"

static int parse_both(struct call *, struct yl_node **ret_a,
                      struct yl_node **ret_b);

/* document, patch */
OP(json_patch)
{
    struct yl_patch_opts opts = { .kubernetes = true };
    struct yl_node *document, *patch;
    int r = parse_both(call, &document, &patch);

    if (r == 0) {
        r = yl_patch_apply(call->arena, &document, patch, &opts, &call->err);
    }
    return r < 0 ? r : answer_tree(call, document);
}

/* document, patch */
OP(merge_patch)
{
    struct yl_merge_opts opts = { .kubernetes = true };
    struct yl_node *document, *patch;
    int r = parse_both(call, &document, &patch);

    if (r == 0) {
        r = yl_merge_apply(call->arena, &document, patch, &opts, &call->err);
    }
    return r < 0 ? r : answer_tree(call, document);
}

/* from, to */
OP(merge_diff)
{
    struct yl_node *from, *to, *patch;
    int r = parse_both(call, &from, &to);

    if (r == 0) {
        r = yl_merge_diff(call->arena, from, to, &patch, &call->err);
    }
    return r < 0 ? r : answer_tree(call, patch);
}

static int
parse_both(struct call *call, struct yl_node **ret_a, struct yl_node **ret_b)
{
    int r = yl_tree_parse(call->arena, arg(call, 0), NULL, ret_a, &call->err);

    return r < 0 ? r : yl_tree_parse(call->arena, arg(call, 1), NULL, ret_b,
                                     &call->err);
}
