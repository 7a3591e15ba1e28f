/* Updates of a part of an object.  See subresources.h for the contract; what
 * each of them may change stands in builtin/common/subresources.h. */

#include "apiserver/verbs/subresources.h"

#include "apiserver/verbs/write.h"
#include "builtin/builtin.h"
#include "builtin/common/subresources.h"

static const struct yl_builtin_subresource *
rules_of(const struct yl_api_request *);
static void prepare(struct yl_write *, struct yl_node *object,
                    const struct yl_node *old);
static int validate(struct yl_write *, const struct yl_node *object,
                    const struct yl_node *old, struct yl_status *);

struct yl_propose_opts
yl_subresource_opts(const struct yl_api_request *req)
{
    struct yl_propose_opts opts = {
        .subresource = req->subresource ? req->subresource->what
                                        : YL_SUB_NONE,
    };

    if (rules_of(req)) {
        opts.prepare = prepare;
        opts.validate = validate;
    }
    return opts;
}

/* NULL for the object itself, and for /status. */
static const struct yl_builtin_subresource *
rules_of(const struct yl_api_request *req)
{
    switch (req->subresource ? req->subresource->what : YL_SUB_NONE) {
    case YL_SUB_FINALIZE:
        return &yl_namespace_finalize;
    case YL_SUB_EPHEMERAL_CONTAINERS:
        return &yl_pod_ephemeral_containers;
    case YL_SUB_RESIZE:
        return &yl_pod_resize;
    case YL_SUB_APPROVAL:
        return &yl_csr_approval;
    default:
        return NULL;
    }
}

static void
prepare(struct yl_write *w, struct yl_node *object, const struct yl_node *old)
{
    yl_subresource_prepare(rules_of(w->request), w->arena, object, old);
}

static int
validate(struct yl_write *w, const struct yl_node *object,
         const struct yl_node *old, struct yl_status *status)
{
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_subresource_validate(rules_of(w->request),
                                    w->resource->builtin, w->arena, object,
                                    old, &err);

    if (r < 0) {
        r = yl_status_invalid(status, yl_write_gvk(w), w->key.name, &err);
    }
    yl_error_clear(&err);
    return r;
}
