#ifndef BUILTIN_COMMON_SUBRESOURCES_H
#define BUILTIN_COMMON_SUBRESOURCES_H 1

/* Writes to subresources other than /status, which a few kinds have.  Each
 * has the two steps of an update (see builtin/builtin.h):
 *
 *     yl_subresource_prepare(&yl_pod_resize, arena, object, old);
 *     yl_subresource_validate(&yl_pod_resize, kind, arena, object, old, err);
 */

#include "builtin/builtin.h"

struct yl_builtin_subresource {
    yl_prepare_change_fn *prepare;
    yl_validate_change_fn *validate;
    bool counts;                /* A change is a new generation. */
};

/* namespaces/finalize, pods/ephemeralcontainers, pods/resize,
 * certificatesigningrequests/approval */
extern const struct yl_builtin_subresource yl_namespace_finalize;
extern const struct yl_builtin_subresource yl_pod_ephemeral_containers;
extern const struct yl_builtin_subresource yl_pod_resize;
extern const struct yl_builtin_subresource yl_csr_approval;

void yl_subresource_prepare(const struct yl_builtin_subresource *,
                            struct yl_arena *, struct yl_node *object,
                            const struct yl_node *old);
int yl_subresource_validate(const struct yl_builtin_subresource *,
                            const struct yl_builtin *, struct yl_arena *,
                            const struct yl_node *object,
                            const struct yl_node *old, struct yl_error *err);

/* The functions behind them. */
yl_prepare_change_fn yl_namespace_prepare_finalize;
yl_validate_change_fn yl_namespace_validate_finalize;
yl_prepare_change_fn yl_pod_prepare_ephemeral;
yl_validate_change_fn yl_pod_validate_ephemeral;
yl_prepare_change_fn yl_pod_prepare_resize;
yl_validate_change_fn yl_pod_validate_resize;

#endif /* builtin/common/subresources.h */
