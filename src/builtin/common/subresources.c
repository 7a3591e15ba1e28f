/* Subresources.  See builtin/common/subresources.h for the contract. */

#include "builtin/common/subresources.h"

#include "builtin/common/meta.h"
#include "json/member.h"
#include "schema/at.h"

const struct yl_builtin_subresource yl_namespace_finalize = {
    yl_namespace_prepare_finalize, yl_namespace_validate_finalize, false
};
const struct yl_builtin_subresource yl_pod_ephemeral_containers = {
    yl_pod_prepare_ephemeral, yl_pod_validate_ephemeral, true
};
const struct yl_builtin_subresource yl_pod_resize = {
    yl_pod_prepare_resize, yl_pod_validate_resize, true
};

void
yl_subresource_prepare(const struct yl_builtin_subresource *subresource,
                       struct yl_arena *arena, struct yl_node *object,
                       const struct yl_node *old)
{
    /* The rules of the kind itself do not apply here, so this row has only the
     * subresource's function. */
    struct yl_builtin none = {
        .prepare_update = subresource->prepare,
        .flags = subresource->counts ? YL_BUILTIN_GENERATION : 0,
    };

    yl_builtin_prepare_update(&none, arena, object, old);
}

int
yl_subresource_validate(const struct yl_builtin_subresource *subresource,
                        const struct yl_builtin *kind,
                        struct yl_arena *arena,
                        const struct yl_node *object,
                        const struct yl_node *old, struct yl_error *err)
{
    struct yl_builtin row = {
        .namespaced = kind->namespaced,
        .validate_update = subresource->validate,
    };

    return yl_builtin_validate_update(&row, arena, object, old, err);
}
