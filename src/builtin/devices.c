/* Defaults of the kinds of resource.k8s.io. */

#include "builtin/fields.h"
#include "builtin/rows.h"

static void default_claim_spec(struct yl_arena *, struct yl_node *spec);
static void default_request(struct yl_arena *, struct yl_node *request);

void
yl_resource_claim_default(struct yl_arena *arena, struct yl_node *object)
{
    default_claim_spec(arena, yl_get_object(object, "spec"));
}

void
yl_resource_claim_template_default(struct yl_arena *arena,
                                   struct yl_node *object)
{
    default_claim_spec(arena, yl_get_object(yl_get_object(object, "spec"),
                                            "spec"));
}

static void
default_claim_spec(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *devices = yl_get_object(spec, "devices");
    struct yl_node *request, *sub;

    YL_EACH (request, devices, "requests") {
        default_request(arena, yl_get_object(request, "exactly"));
        YL_EACH (sub, request, "firstAvailable") {
            default_request(arena, sub);
        }
    }
}

/* One device. */
static void
default_request(struct yl_arena *arena, struct yl_node *request)
{
    struct yl_at at = yl_at_root(request);

    yl_default_str(arena, request, "allocationMode", "ExactCount");
    if (yl_get_is(&at, "allocationMode", "ExactCount")) {
        yl_default_int(arena, request, "count", 1);
    }
}
