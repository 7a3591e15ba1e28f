/* Pods: their grace periods, and their special subresources.  See
 * apiserver/strategy/builtin.h. */

#include "apiserver/strategy/builtin.h"
#include "apiserver/verbs/options.h"
#include "json/member.h"
#include "schema/at.h"

/* The grace period.  It is 0 for a Pod that has no node yet or has ended. */
int64_t
yl_pods_grace(const struct yl_node *object,
              const struct yl_deletion_options *options)
{
    struct yl_at pod = yl_at_root(object);
    struct yl_at spec = yl_at(&pod, "spec");
    struct yl_at status = yl_at(&pod, "status");
    int64_t period =
        options->has_grace_period
            ? options->grace_period
            : yl_at_get_int(&spec, "terminationGracePeriodSeconds");

    if (yl_member_is_zero(spec.node, "nodeName")
        || yl_at_get_is(&status, "phase", "Failed")
        || yl_at_get_is(&status, "phase", "Succeeded")) {
        return 0;
    }
    return period < 0 ? 1 : period;
}

enum yl_step
yl_pods_serve(struct yl_api_request *req)
{
    switch (req->subresource ? req->subresource->what : YL_SUB_NONE) {
    case YL_SUB_BINDING:
        return yl_pods_bind(req);
    case YL_SUB_EVICTION:
        return yl_pods_evict(req);
    default:
        return yl_connect_serve(req);
    }
}

void
yl_jobs_warn_deletion(struct yl_api_request *req,
                      const struct yl_deletion_options *options)
{
    if (!options->has_orphan && yl_str_is_null(options->propagation)) {
        yl_api_warn(req, "child pods are preserved by default when jobs are "
                    "deleted; set propagationPolicy=Background to remove "
                    "them or set propagationPolicy=Orphan to suppress this "
                    "warning");
    }
}
