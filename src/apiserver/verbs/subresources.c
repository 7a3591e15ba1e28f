/* Updates of a part of an object.  See subresources.h for the contract; what
 * each of them may change is up to the kind's strategy. */

#include "apiserver/verbs/subresources.h"

struct yl_propose_opts
yl_subresource_opts(const struct yl_api_request *req)
{
    struct yl_propose_opts opts = {
        .subresource = req->subresource ? req->subresource->what
                                        : YL_SUB_NONE,
    };

    return opts;
}
