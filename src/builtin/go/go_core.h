#ifndef BUILTIN_GO_GO_CORE_H
#define BUILTIN_GO_GO_CORE_H 1

/* The structs of Pods and volumes as upstream's messages show them: tables for
 * yl_bad_struct() and yl_field_changed().
 *
 * Upstream keeps 'hostNetwork' and its like in the security context; the
 * tables know. */

#include "builtin/go/go_value.h"

/* metav1: these have JSON names and leave out what is empty. */
extern const struct yl_go_field yl_go_metadata[];
extern const struct yl_go_field yl_go_selector[];

/* go_core_pod.c */
extern const struct yl_go_field yl_go_pod_spec[];
extern const struct yl_go_field yl_go_pod_template[];
extern const struct yl_go_field yl_go_ephemeral_container[];
extern const struct yl_go_field yl_go_security_context[];
extern const struct yl_go_field yl_go_seccomp_profile[];
extern const struct yl_go_field yl_go_toleration[];
extern const struct yl_go_field yl_go_node_selector[];
extern const struct yl_go_field yl_go_node_selector_term[];

/* go_core_volume.c */
extern const struct yl_go_field yl_go_volume[];
extern const struct yl_go_field yl_go_claim_spec[];
extern const struct yl_go_field yl_go_persistent_source[];
extern const struct yl_go_field yl_go_persistent_spec[];
extern const struct yl_go_field yl_go_local_reference[];
extern const struct yl_go_field yl_go_field_ref[];
extern const struct yl_go_field yl_go_resource_ref[];

#endif /* builtin/go/go_core.h */
