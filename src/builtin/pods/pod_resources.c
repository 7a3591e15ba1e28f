/* Resources of a whole Pod.  See builtin/pods/pod_resources.h. */

#include "builtin/pods/pod_resources.h"

static void default_limits(struct yl_arena *, struct yl_node *spec,
                           struct yl_node *resources);
static void add_list(struct yl_arena *, struct yl_node *to,
                     const struct yl_node *list);
static void max_list(struct yl_arena *, struct yl_node *to,
                     const struct yl_node *list);

struct yl_node *
yl_pod_aggregate(struct yl_arena *arena, const struct yl_node *spec,
                 const char *what)
{
    struct yl_node *containers = yl_member_array(spec, "containers");
    struct yl_node *inits = yl_member_array(spec, "initContainers");
    struct yl_node *sum = yl_node_new_object(arena);
    struct yl_node *sidecars = yl_node_new_object(arena);
    struct yl_node *most = yl_node_new_object(arena);
    struct yl_node *container;

    if (containers) {
        YL_NODE_FOR_EACH (container, containers) {
            add_list(arena, sum,
                     yl_member_object(yl_member_object(container, "resources"),
                                      what));
        }
    }
    if (!inits) {
        return sum;
    }
    YL_NODE_FOR_EACH (container, inits) {
        struct yl_node *list =
            yl_member_object(yl_member_object(container, "resources"), what);
        struct yl_at at = yl_at_root(container);

        if (yl_at_get_is(&at, "restartPolicy", "Always")) {
            add_list(arena, sum, list);
            add_list(arena, sidecars, list);
            max_list(arena, most, sidecars);
        } else {
            struct yl_node *both = yl_node_new_object(arena);

            add_list(arena, both, list);
            add_list(arena, both, sidecars);
            max_list(arena, most, both);
        }
    }
    max_list(arena, sum, most);
    return sum;
}

bool
yl_resource_is_pod_level(struct yl_str name)
{
    return yl_str_equal_c(name, "cpu") || yl_str_equal_c(name, "memory")
           || yl_resource_is_hugepages(name);
}

bool
yl_resource_is_hugepages(struct yl_str name)
{
    return yl_str_starts_with(name, YL_STR("hugepages-"));
}

void
yl_pod_resources_default(struct yl_arena *arena, struct yl_node *spec)
{
    struct yl_node *resources = yl_member_object(spec, "resources");
    struct yl_node *limits, *requests, *sum, *amount;

    if (!resources) {
        return;
    }
    default_limits(arena, spec, resources);
    limits = yl_member_object(resources, "limits");
    if (!limits || !limits->n) {
        return;
    }
    requests = yl_member_make(arena, resources, "requests");
    sum = yl_pod_aggregate(arena, spec, "requests");
    YL_NODE_FOR_EACH (amount, sum) {
        struct yl_str name = yl_node_key(amount);

        if (!yl_node_get(requests, name) && yl_resource_is_pod_level(name)
            && !yl_resource_is_hugepages(name)) {
            yl_node_set(arena, requests, name, yl_node_copy(arena, amount));
        }
    }
    YL_NODE_FOR_EACH (amount, limits) {
        struct yl_str name = yl_node_key(amount);

        if (!yl_node_get(requests, name) && yl_resource_is_pod_level(name)) {
            yl_node_set(arena, requests, name, yl_node_copy(arena, amount));
        }
    }
}

/* Adds the containers' limits of huge pages to the Pod's own limits. */
static void
default_limits(struct yl_arena *arena, struct yl_node *spec,
               struct yl_node *resources)
{
    struct yl_node *limits = yl_member_object(resources, "limits");
    struct yl_node *requests = yl_member_object(resources, "requests");
    struct yl_node *sum, *amount;

    if (!(limits && limits->n) && !(requests && requests->n)) {
        return;
    }
    sum = yl_pod_aggregate(arena, spec, "limits");
    YL_NODE_FOR_EACH (amount, sum) {
        struct yl_str name = yl_node_key(amount);

        if (yl_resource_is_hugepages(name)
            && !(requests && yl_node_get(requests, name))
            && !(limits && yl_node_get(limits, name))) {
            limits = yl_member_make(arena, resources, "limits");
            yl_node_set(arena, limits, name, yl_node_copy(arena, amount));
        }
    }
}

static void
add_list(struct yl_arena *arena, struct yl_node *to,
         const struct yl_node *list)
{
    struct yl_node *amount;

    if (!list) {
        return;
    }
    YL_NODE_FOR_EACH (amount, list) {
        struct yl_node *old = yl_node_get(to, yl_node_key(amount));
        struct yl_node *sum = NULL;
        struct yl_quantity a, b;

        if (old && yl_node_quantity(arena, old, &a)
            && yl_node_quantity(arena, amount, &b)
            && yl_quantity_add(&a, &b) == 0) {
            char room[YL_QUANTITY_TEXT_SIZE];

            sum = yl_node_new_string(arena, yl_quantity_text(&a, room));
        }
        yl_node_set(arena, to, yl_node_key(amount),
                    sum ? sum : yl_node_copy(arena, amount));
    }
}

static void
max_list(struct yl_arena *arena, struct yl_node *to,
         const struct yl_node *list)
{
    struct yl_node *amount;

    YL_NODE_FOR_EACH (amount, list) {
        struct yl_node *old = yl_node_get(to, yl_node_key(amount));
        struct yl_quantity a, b;

        if (!old || (yl_node_quantity(arena, old, &a)
                     && yl_node_quantity(arena, amount, &b)
                     && yl_quantity_compare(&b, &a) > 0)) {
            yl_node_set(arena, to, yl_node_key(amount),
                        yl_node_copy(arena, amount));
        }
    }
}
