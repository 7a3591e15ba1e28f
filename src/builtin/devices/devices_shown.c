/* Claims and allocations as upstream's messages show them.  See
 * builtin/devices/devices_checks.h for the contract. */

#include "builtin/devices/devices_checks.h"
#include "builtin/go/go_core.h"

#define END { NULL, NULL, YL_GO_STRING, NULL }

static const struct yl_go_field cel[] = {
    { "Expression", "expression", YL_GO_STRING, NULL },
    END
};
static const struct yl_go_field selector[] = {
    { "CEL", "cel", YL_GO_STRUCT_POINTER, cel },
    END
};
static const struct yl_go_field capacity[] = {
    { "Requests", "requests", YL_GO_POINTER, NULL },
    END
};
static const struct yl_go_field exactly[] = {
    { "DeviceClassName", "deviceClassName", YL_GO_STRING, NULL },
    { "Selectors", "selectors", YL_GO_STRUCT_SLICE, selector },
    { "AllocationMode", "allocationMode", YL_GO_STRING, NULL },
    { "Count", "count", YL_GO_INT, NULL },
    { "AdminAccess", "adminAccess", YL_GO_POINTER, NULL },
    { "Tolerations", "tolerations", YL_GO_STRUCT_SLICE, yl_go_toleration },
    { "Capacity", "capacity", YL_GO_STRUCT_POINTER, capacity },
    END
};
static const struct yl_go_field alternative[] = {
    { "Name", "name", YL_GO_STRING, NULL },
    { "DeviceClassName", "deviceClassName", YL_GO_STRING, NULL },
    { "Selectors", "selectors", YL_GO_STRUCT_SLICE, selector },
    { "AllocationMode", "allocationMode", YL_GO_STRING, NULL },
    { "Count", "count", YL_GO_INT, NULL },
    { "Tolerations", "tolerations", YL_GO_STRUCT_SLICE, yl_go_toleration },
    { "Capacity", "capacity", YL_GO_STRUCT_POINTER, capacity },
    END
};
static const struct yl_go_field request[] = {
    { "Name", "name", YL_GO_STRING, NULL },
    { "Exactly", "exactly", YL_GO_STRUCT_POINTER, exactly },
    { "FirstAvailable", "firstAvailable", YL_GO_STRUCT_SLICE, alternative },
    END
};
static const struct yl_go_field constraint[] = {
    { "Requests", "requests", YL_GO_POINTER, NULL },
    { "MatchAttribute", "matchAttribute", YL_GO_POINTER, NULL },
    { "DistinctAttribute", "distinctAttribute", YL_GO_POINTER, NULL },
    END
};
static const struct yl_go_field opaque[] = {
    { "Driver", "driver", YL_GO_STRING, NULL },
    { "Parameters", "parameters", YL_GO_POINTER, NULL },
    END
};
static const struct yl_go_field claim_config[] = {
    { "Requests", "requests", YL_GO_POINTER, NULL },
    { "Opaque", "opaque", YL_GO_STRUCT_POINTER, opaque },
    END
};
static const struct yl_go_field claimed[] = {
    { "Requests", "requests", YL_GO_STRUCT_SLICE, request },
    { "Constraints", "constraints", YL_GO_STRUCT_SLICE, constraint },
    { "Config", "config", YL_GO_STRUCT_SLICE, claim_config },
    END
};
static const struct yl_go_field claim[] = {
    { "Devices", "devices", YL_GO_STRUCT, claimed },
    END
};

static const struct yl_go_field result[] = {
    { "Request", "request", YL_GO_STRING, NULL },
    { "Driver", "driver", YL_GO_STRING, NULL },
    { "Pool", "pool", YL_GO_STRING, NULL },
    { "Device", "device", YL_GO_STRING, NULL },
    { "AdminAccess", "adminAccess", YL_GO_POINTER, NULL },
    { "Tolerations", "tolerations", YL_GO_STRUCT_SLICE, yl_go_toleration },
    { "BindingConditions", "bindingConditions", YL_GO_POINTER, NULL },
    { "BindingFailureConditions", "bindingFailureConditions", YL_GO_POINTER,
      NULL },
    { "ShareID", "shareID", YL_GO_POINTER, NULL },
    { "ConsumedCapacity", "consumedCapacity", YL_GO_POINTER, NULL },
    END
};
static const struct yl_go_field allocated_config[] = {
    { "Source", "source", YL_GO_STRING, NULL },
    { "Requests", "requests", YL_GO_POINTER, NULL },
    { "Opaque", "opaque", YL_GO_STRUCT_POINTER, opaque },
    END
};
static const struct yl_go_field allocated[] = {
    { "Results", "results", YL_GO_STRUCT_SLICE, result },
    { "Config", "config", YL_GO_STRUCT_SLICE, allocated_config },
    END
};
static const struct yl_go_field allocation[] = {
    { "Devices", "devices", YL_GO_STRUCT, allocated },
    { "NodeSelector", "nodeSelector", YL_GO_STRUCT_POINTER,
      yl_go_node_selector },
    { "AllocationTimestamp", "allocationTimestamp", YL_GO_POINTER, NULL },
    END
};

struct yl_bad_value
yl_bad_device_claim(const struct yl_check *c, const struct yl_at *spec)
{
    return yl_bad_struct(c, spec->node, claim);
}

/* Metadata are a part of the struct, with names of their own. */
struct yl_bad_value
yl_bad_claim_template(const struct yl_check *c, const struct yl_at *template)
{
    static const char *const members[] = { "labels", "annotations" };
    struct yl_at metadata = yl_at(template, "metadata");
    struct yl_at spec = yl_at(template, "spec");
    struct yl_buf buf;
    struct yl_str text;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_char(&buf, '{');
    for (i = 0; i < YL_ARRAY_SIZE(members); i++) {
        struct yl_at map = yl_at(&metadata, members[i]);

        if (yl_at_count(&map)) {
            yl_buf_printf(&buf, "\"%s\":", members[i]);
            (void) yl_node_write_canonical(&buf, map.node);
            yl_buf_append_char(&buf, ',');
        }
    }
    yl_buf_append_c(&buf, "\"Spec\":");
    yl_bad_value_write(&buf, yl_bad_device_claim(c, &spec));
    yl_buf_append_char(&buf, '}');
    text = yl_arena_copy(c->arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return yl_bad_text(text);
}

struct yl_bad_value
yl_bad_allocation(const struct yl_check *c, const struct yl_at *at)
{
    return yl_bad_struct(c, at->node, allocation);
}

struct yl_bad_value
yl_bad_node_terms(const struct yl_check *c, const struct yl_at *terms)
{
    return yl_bad_slice(c, terms->node, yl_go_node_selector_term);
}
