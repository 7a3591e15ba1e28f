#ifndef BUILTIN_PODS_POD_H
#define BUILTIN_PODS_POD_H 1

/* Pods and Pod templates: their defaults and their validation.
 *
 * A template has the same defaults as a Pod, except those for fields that only
 * a Pod has.  Functions work on the arena tree and take NULL for "absent". */

#include <stdbool.h>

#include "builtin/common/meta.h"
#include "json/member.h"
#include "schema/at.h"

/* Defaults of a Pod, of a PodSpec inside of a template, and of the spec of a
 * claim that a template makes. */
void yl_pod_default(struct yl_arena *, struct yl_node *pod);
void yl_pod_spec_default(struct yl_arena *, struct yl_node *spec);
void yl_claim_spec_default(struct yl_arena *, struct yl_node *spec);

/* Removes fields whose feature gate is off. */
void yl_pod_spec_prepare(struct yl_arena *, struct yl_node *spec);

/* The status of a new Pod: Pending, with the QoS class that follows from its
 * resources, and SchedulingGated if it has gates. */
void yl_pod_status_prepare(struct yl_arena *, struct yl_node *pod);

/* Makes 'podIP' and 'podIPs' of a status agree. */
void yl_pod_ips_default(struct yl_arena *, struct yl_node *status);

/* Adds the Pod's own values of the labels that 'matchLabelKeys' and
 * 'mismatchLabelKeys' name to the selectors beside them. */
void yl_pod_merge_label_keys(struct yl_arena *, struct yl_node *pod);

/* The field that corresponds to an AppArmor annotation, or NULL; and the
 * function that copies such annotations of a new Pod into fields. */
struct yl_node *yl_app_armor_profile(struct yl_arena *,
                                     struct yl_str annotation);
void yl_pod_copy_app_armor(struct yl_arena *, struct yl_node *pod);

/* Rounds amounts up to whole thousandths. */
void yl_resource_list_default(struct yl_arena *, struct yl_node *list);

/* Validation of a Pod, new or not: metadata and spec. */
void yl_check_pod(struct yl_check *, const struct yl_node *pod);

/* Validation of a template of Pods. */
void yl_check_pod_template(struct yl_check *, const struct yl_at *template);

#endif /* builtin/pods/pod.h */
