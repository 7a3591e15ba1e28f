/* Label keys of affinity and topology spread: a key in 'matchLabelKeys' means
 * "the value that this Pod has", and is turned into a requirement when the Pod
 * is created. */

#include "builtin/pods/pod.h"

static void merge_terms(struct yl_arena *, struct yl_node *affinity,
                        const struct yl_node *labels);
static void merge(struct yl_arena *, struct yl_node *term,
                  const struct yl_node *labels);
static void merge_keys(struct yl_arena *, struct yl_node *term,
                       const struct yl_node *labels, const char *list,
                       const char *operator);

void
yl_pod_merge_label_keys(struct yl_arena *arena, struct yl_node *pod)
{
    struct yl_node *spec = yl_member_object(pod, "spec");
    struct yl_node *labels =
        yl_member_object(yl_member_object(pod, "metadata"), "labels");
    struct yl_node *affinity = yl_member_object(spec, "affinity");
    struct yl_node *spread =
        yl_member_array(spec, "topologySpreadConstraints");
    struct yl_node *constraint;

    if (!labels) {
        return;
    }
    merge_terms(arena, yl_member_object(affinity, "podAffinity"), labels);
    merge_terms(arena, yl_member_object(affinity, "podAntiAffinity"), labels);
    if (spread) {
        YL_NODE_FOR_EACH (constraint, spread) {
            merge(arena, constraint, labels);
        }
    }
}

static void
merge_terms(struct yl_arena *arena, struct yl_node *affinity,
            const struct yl_node *labels)
{
    struct yl_node *required = yl_member_array(
        affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    struct yl_node *preferred = yl_member_array(
        affinity, "preferredDuringSchedulingIgnoredDuringExecution");
    struct yl_node *term;

    if (required) {
        YL_NODE_FOR_EACH (term, required) {
            merge(arena, term, labels);
        }
    }
    if (preferred) {
        YL_NODE_FOR_EACH (term, preferred) {
            merge(arena, yl_member_object(term, "podAffinityTerm"), labels);
        }
    }
}

static void
merge(struct yl_arena *arena, struct yl_node *term,
      const struct yl_node *labels)
{
    merge_keys(arena, term, labels, "matchLabelKeys", "In");
    merge_keys(arena, term, labels, "mismatchLabelKeys", "NotIn");
}

static void
merge_keys(struct yl_arena *arena, struct yl_node *term,
           const struct yl_node *labels, const char *list,
           const char *operator)
{
    struct yl_node *selector = yl_member_object(term, "labelSelector");
    struct yl_node *keys = yl_member_array(term, list);
    struct yl_node *key;

    if (!selector || !keys) {
        return;
    }
    YL_NODE_FOR_EACH (key, keys) {
        struct yl_node *requirement = yl_node_new_object(arena);
        struct yl_node *values = yl_node_new_array(arena);
        struct yl_node *expressions =
            yl_member_array(selector, "matchExpressions");
        struct yl_str name = YL_STR("");
        struct yl_node *value;

        (void) yl_node_string(key, arena, &name);
        value = yl_node_get(labels, name);
        if (!value) {
            continue;
        }
        if (!expressions) {
            expressions = yl_node_new_array(arena);
            yl_member_set(arena, selector, "matchExpressions", expressions);
        }
        yl_node_append(values, yl_node_copy(arena, value));
        yl_member_set(arena, requirement, "key", yl_node_copy(arena, key));
        yl_member_set_str(arena, requirement, "operator", operator);
        yl_member_set(arena, requirement, "values", values);
        yl_node_append(expressions, requirement);
    }
}
