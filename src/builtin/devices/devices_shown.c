/* Claims and allocations as upstream's messages show them.  See
 * builtin/devices/devices_checks.h for the contract. */

#include "builtin/devices/devices_checks.h"
#include "builtin/go/go_value.h"
#include "gen/core_v1_go.h"
#include "gen/resource_v1_go.h"

struct yl_bad_value
yl_bad_device_claim(const struct yl_check *c, const struct yl_at *spec)
{
    return yl_bad_struct(c, spec->node,
                         YL_GO(resource_v1, resource_claim_spec));
}

struct yl_bad_value
yl_bad_claim_template(const struct yl_check *c, const struct yl_at *template)
{
    return yl_bad_struct(c, template->node,
                         YL_GO(resource_v1, resource_claim_template_spec));
}

struct yl_bad_value
yl_bad_allocation(const struct yl_check *c, const struct yl_at *at)
{
    return yl_bad_struct(c, at->node, YL_GO(resource_v1, allocation_result));
}

struct yl_bad_value
yl_bad_node_terms(const struct yl_check *c, const struct yl_at *terms)
{
    return yl_bad_slice(c, terms->node, YL_GO(core_v1, node_selector_term));
}
