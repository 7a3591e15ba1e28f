/* Defaults of the kinds of resource.k8s.io, and what they may not change. */

#include "builtin/fields.h"
#include "builtin/meta.h"
#include "builtin/rows.h"

static const struct yl_meta_rule rule =
    { YL_NAME_DNS1123_SUBDOMAIN, true, false };

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

/* The spec stays as it was made. */
void
yl_resource_claim_validate_update(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    static const char *const fixed[] = { "spec" };

    yl_check_object_meta_update(c, object, old, &rule);
    yl_check_fixed(c, object, old, fixed, 1);
}

/* An allocation may come and go, but not change. */
void
yl_resource_claim_validate_status(struct yl_check *c,
                                  const struct yl_node *object,
                                  const struct yl_node *old)
{
    struct yl_at root = yl_at_root(object), before = yl_at_root(old);
    struct yl_at status = yl_at(&root, "status");
    struct yl_at then = yl_at(&before, "status");
    struct yl_at allocation = yl_at(&status, "allocation");
    struct yl_at was = yl_at(&then, "allocation");

    yl_check_object_meta_update(c, object, old, &rule);
    if (yl_at_has(&allocation) && yl_at_has(&was)) {
        yl_check_immutable(c, &allocation, was.node);
    }
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
