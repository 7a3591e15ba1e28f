/* The status that a new Pod has.  See builtin/pods/pod.h for the contract. */

#include "builtin/pods/pod.h"

#include "json/member.h"
#include "schema/at.h"
#include "yuloh/time.h"

/* Only cpu and memory decide the QoS class. */
enum { CPU, MEMORY, N_RESOURCES };

/* The total amount of each, and whether there is any. */
struct sum {
    struct yl_quantity total[N_RESOURCES];
    bool has[N_RESOURCES];
};

static const char *qos_class(struct yl_arena *, const struct yl_node *spec);
static bool add_all(struct yl_arena *, const struct yl_node *spec,
                    const char *list, struct sum *requests,
                    struct sum *limits);
static bool add_resources(struct yl_arena *, const struct yl_node *resources,
                          struct sum *requests, struct sum *limits);
static unsigned add_list(struct yl_arena *, const struct yl_node *list,
                         struct sum *);
static void add_gated(struct yl_arena *, struct yl_node *status);

/* If 'podIP' and 'podIPs' differ, the older field 'podIP' wins. */
void
yl_pod_ips_default(struct yl_arena *arena, struct yl_node *status)
{
    struct yl_node *ip = yl_node_type(status) == YL_JSON_OBJECT
                         ? yl_node_get(status, YL_STR("podIP")) : NULL;
    struct yl_node *first = yl_member_first(status, "podIPs"), *list, *item;
    struct yl_check c = { arena, NULL };
    struct yl_at one = yl_at_root(ip), other = yl_at_root(first);

    if (yl_at_is(&one, "")) {
        if (first) {
            yl_member_keep(arena, status, first, "ip");
            item = yl_node_get(status, YL_STR("ip"));
            if (item) {
                yl_member_set(arena, status, "podIP", yl_node_detach(item));
            }
        }
        return;
    }
    if (first
        && yl_str_equal(yl_at_str(&c, &one),
                        yl_at_get_str(&c, &other, "ip"))) {
        return;
    }
    list = yl_node_new_array(arena);
    item = yl_node_new_object(arena);
    yl_member_set(arena, item, "ip", yl_node_copy(arena, ip));
    yl_node_append(list, item);
    yl_member_set(arena, status, "podIPs", list);
}

void
yl_pod_status_prepare(struct yl_arena *arena, struct yl_node *pod)
{
    struct yl_node *spec = yl_member_object(pod, "spec");
    struct yl_node *gates = yl_member_array(spec, "schedulingGates");
    struct yl_node *old = yl_member_object(pod, "status");
    struct yl_node *status = yl_node_new_object(arena);
    struct yl_check c = { arena, NULL };
    struct yl_at at = yl_at_root(old);
    struct yl_str class = yl_at_get_str(&c, &at, "qosClass");

    yl_member_set_str(arena, status, "phase", "Pending");
    if (gates && gates->n) {
        add_gated(arena, status);
    }
    /* If the client sends a class, it is kept. */
    yl_member_set_str(arena, status, "qosClass",
                      class.size ? yl_arena_strdup(arena, class)
                                 : qos_class(arena, spec));
    yl_member_set(arena, pod, "status", status);
}

/* Guaranteed if each container has limits for both resources and requests
 * equal to them, BestEffort if there are no requests and no limits, else
 * Burstable.  If the Pod has resources of its own, these count instead of the
 * containers'. */
static const char *
qos_class(struct yl_arena *arena, const struct yl_node *spec)
{
    struct sum requests = { .has = { false } }, limits = { .has = { false } };
    const struct yl_node *own = yl_member_object(spec, "resources");
    bool guaranteed;
    int i;

    if (own) {
        const struct yl_node *list = yl_member_object(own, "limits");

        guaranteed = add_resources(arena, own, &requests, &limits)
                     || !list || !list->n;
    } else {
        guaranteed = add_all(arena, spec, "containers", &requests, &limits);
        guaranteed &= add_all(arena, spec, "initContainers", &requests,
                              &limits);
    }
    if (!requests.has[CPU] && !requests.has[MEMORY] && !limits.has[CPU]
        && !limits.has[MEMORY]) {
        return "BestEffort";
    }
    for (i = 0; i < N_RESOURCES; i++) {
        guaranteed &= requests.has[i] == limits.has[i]
                      && (!limits.has[i]
                          || !yl_quantity_compare(&requests.total[i],
                                                  &limits.total[i]));
    }
    return guaranteed ? "Guaranteed" : "Burstable";
}

/* Adds the resources of all containers in a list; returns whether all of them
 * have both limits. */
static bool
add_all(struct yl_arena *arena, const struct yl_node *spec, const char *list,
        struct sum *requests, struct sum *limits)
{
    const struct yl_node *containers = yl_member_array(spec, list);
    const struct yl_node *container;
    bool all = true;

    if (containers) {
        YL_NODE_FOR_EACH (container, containers) {
            all &=
                add_resources(arena, yl_member_object(container, "resources"),
                              requests, limits);
        }
    }
    return all;
}

static bool
add_resources(struct yl_arena *arena, const struct yl_node *resources,
              struct sum *requests, struct sum *limits)
{
    add_list(arena, yl_member_object(resources, "requests"), requests);
    return add_list(arena, yl_member_object(resources, "limits"), limits)
           == N_RESOURCES;
}

/* Adds the amounts that are greater than 0 and returns their number. */
static unsigned
add_list(struct yl_arena *arena, const struct yl_node *list, struct sum *sum)
{
    static const char *const names[N_RESOURCES] = { "cpu", "memory" };
    unsigned n = 0;
    int i;

    for (i = 0; list && i < N_RESOURCES; i++) {
        struct yl_quantity q;

        if (!yl_node_quantity(arena, yl_node_get(list, yl_str_c(names[i])), &q)
            || yl_quantity_sign(&q) <= 0) {
            continue;
        }
        if (!sum->has[i]) {
            sum->total[i] = q;
        } else {
            (void) yl_quantity_add(&sum->total[i], &q);
        }
        sum->has[i] = true;
        n++;
    }
    return n;
}

static void
add_gated(struct yl_arena *arena, struct yl_node *status)
{
    struct yl_node *conditions = yl_node_new_array(arena);
    struct yl_node *condition = yl_node_new_object(arena);
    char now[YL_TIME_TEXT_SIZE];

    yl_time_write(yl_time_now(), now);
    yl_member_set_str(arena, condition, "type", "PodScheduled");
    yl_member_set_str(arena, condition, "status", "False");
    yl_member_set(arena, condition, "lastProbeTime", yl_node_new_null(arena));
    yl_member_set_str(arena, condition, "lastTransitionTime", now);
    yl_member_set_str(arena, condition, "reason", "SchedulingGated");
    yl_member_set_str(
        arena, condition, "message",
        "Scheduling is blocked due to non-empty scheduling gates");
    yl_node_append(conditions, condition);
    yl_member_set(arena, status, "conditions", conditions);
}
