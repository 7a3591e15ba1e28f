/* Priority: sets a Pod's priority to the value of its PriorityClass. */

#include "apiserver/admission/plugin.h"

#define GROUP "scheduling.k8s.io"
#define PLURAL "priorityclasses"

/* The default class with the lowest value. */
struct lowest {
    const struct yl_node *class;
    int64_t value;
};

static int set_priority(struct yl_admission *, struct yl_status *);
static int find_class(const struct yl_admission *, struct yl_node *spec,
                      const struct yl_node **ret_class, struct yl_status *);
static int set_policy(const struct yl_admission *, struct yl_node *spec,
                      struct yl_str policy, struct yl_status *);
static const struct yl_node *default_class(const struct yl_admission *);
static bool find_lowest(const struct yl_node *class, void *lowest);

int
yl_plugin_priority(struct yl_admission *a, struct yl_status *status)
{
    struct yl_node *spec, *old;

    if (a->operation == YL_OPERATION_DELETE) {
        return yl_plugin_is_for(a, GROUP, PLURAL)
               && yl_str_starts_with(a->name, YL_STR("system-"))
               ? yl_plugin_forbid(a, status, "this is a system priority class "
                                             "and cannot be deleted") : 0;
    }
    if (!yl_plugin_is_for(a, "", "pods")) {
        return 0;
    }
    if (a->operation == YL_OPERATION_CREATE) {
        return set_priority(a, status);
    }
    spec = yl_member_make(a->arena, a->object, "spec");
    old = yl_member_object(a->old, "spec");
    if (yl_member_is_absent(spec, "priority")) {
        yl_member_keep(a->arena, spec, old, "priority");
    }
    if (yl_member_is_absent(spec, "preemptionPolicy")) {
        yl_member_keep(a->arena, spec, old, "preemptionPolicy");
    }
    return 0;
}

/* Refuses a second default class. */
int
yl_plugin_priority_class(const struct yl_admission *a,
                         struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at root = yl_at_root(a->object);
    struct yl_at metadata = yl_at(&root, "metadata");
    const struct yl_node *class;
    struct yl_str other;

    if (a->operation == YL_OPERATION_DELETE
        || !yl_plugin_is_for(a, GROUP, PLURAL)
        || !yl_at_get_bool(&root, "globalDefault")) {
        return 0;
    }
    class = default_class(a);
    if (!class) {
        return 0;
    }
    root = yl_at_root(yl_member_object(class, "metadata"));
    other = yl_at_get_str(&c, &root, "name");
    if (a->operation == YL_OPERATION_UPDATE
        && yl_str_equal(other, yl_at_get_str(&c, &metadata, "name"))) {
        return 0;
    }
    return yl_plugin_forbid(a, status,
                            "PriorityClass %.*s is already marked as default. "
                            "Only one default can exist", YL_STR_ARG(other));
}

static int
set_priority(struct yl_admission *a, struct yl_status *status)
{
    struct yl_node *spec = yl_member_make(a->arena, a->object, "spec");
    struct yl_check c = { a->arena, NULL };
    struct yl_at at = yl_at_root(spec);
    const struct yl_node *class = NULL;
    struct yl_at root;
    int64_t value;
    int r;

    r = find_class(a, spec, &class, status);
    if (r < 0) {
        return r;
    }
    root = yl_at_root(class);
    value = yl_at_get_int(&root, "value");
    if (!yl_member_is_absent(spec, "priority")
        && yl_at_get_int(&at, "priority") != value) {
        return yl_plugin_forbid(
            a, status,
            "the integer value of priority (%lld) must not be "
            "provided in pod spec; priority admission controller computed "
            "%lld from the given PriorityClass name",
            (long long) yl_at_get_int(&at, "priority"), (long long) value);
    }
    yl_member_set(a->arena, spec, "priority",
                  yl_node_new_int64(a->arena, value));
    return set_policy(a, spec,
                      class ? yl_at_get_str(&c, &root, "preemptionPolicy")
                            : YL_STR("PreemptLowerPriority"),
                      status);
}

/* The class that a Pod names, or else the default one, whose name is put into
 * the Pod; NULL if there is neither. */
static int
find_class(const struct yl_admission *a, struct yl_node *spec,
           const struct yl_node **ret_class, struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at at = yl_at_root(spec);
    struct yl_str name = yl_at_get_str(&c, &at, "priorityClassName");
    const struct yl_node *class;

    if (name.size) {
        class = yl_plugin_read(a, GROUP, PLURAL, YL_STR(""), name);
        if (!class) {
            return yl_plugin_forbid(a, status,
                                    "no PriorityClass with name %.*s was "
                                    "found", YL_STR_ARG(name));
        }
    } else {
        class = default_class(a);
        if (class) {
            struct yl_at metadata =
                yl_at_root(yl_member_object(class, "metadata"));

            yl_member_set(a->arena, spec, "priorityClassName",
                          yl_node_new_string(
                              a->arena, yl_at_get_str(&c, &metadata, "name")));
        }
    }
    *ret_class = class;
    return 0;
}

static int
set_policy(const struct yl_admission *a, struct yl_node *spec,
           struct yl_str policy, struct yl_status *status)
{
    struct yl_check c = { a->arena, NULL };
    struct yl_at at = yl_at_root(spec);
    struct yl_str own = yl_at_get_str(&c, &at, "preemptionPolicy");

    if (!policy.size) {
        return 0;
    }
    if (!yl_member_is_absent(spec, "preemptionPolicy")
        && !yl_str_equal(own, policy)) {
        return yl_plugin_forbid(
            a, status, "the string value of PreemptionPolicy (%.*s) must not "
            "be provided in pod spec; priority admission controller computed "
            "%.*s from the given PriorityClass name", YL_STR_ARG(own),
            YL_STR_ARG(policy));
    }
    yl_member_set(a->arena, spec, "preemptionPolicy",
                  yl_node_new_string(a->arena, policy));
    return 0;
}

static const struct yl_node *
default_class(const struct yl_admission *a)
{
    struct lowest lowest = { NULL, 0 };

    yl_plugin_each(a, GROUP, PLURAL, find_lowest, &lowest);
    return lowest.class;
}

static bool
find_lowest(const struct yl_node *class, void *aux)
{
    struct lowest *lowest = aux;
    struct yl_at root = yl_at_root(class);
    int64_t value = yl_at_get_int(&root, "value");

    if (yl_at_get_bool(&root, "globalDefault")
        && (!lowest->class || value < lowest->value)) {
        lowest->class = class;
        lowest->value = value;
    }
    return true;
}
