#ifndef BUILTIN_PODS_POD_CHECK_H
#define BUILTIN_PODS_POD_CHECK_H 1

/* The parts of a PodSpec's validation, one file each. */

#include "builtin/common/checks.h"

/* One PodSpec that is being validated. */
struct yl_pod_check {
    struct yl_check *c;
    const struct yl_at *spec;
    const struct yl_at *metadata;   /* Of a Pod; NULL for a template. */
    struct yl_node *volumes;    /* The valid volumes, by name.  The value says
                                 * whether it can be a block device. */
    struct yl_node *claims;     /* Names of resource claims. */
    bool host_users;
};

/* pod_volumes.c: fills in 'volumes'. */
void yl_check_volumes(struct yl_pod_check *, const struct yl_at *volumes);

/* pod_volume_sources.c: what a volume is made of. */
void yl_check_volume_source(struct yl_pod_check *, const struct yl_at *volume);

/* The same for a PersistentVolume, whose spec is also the 'spec' of 'p'.  It
 * must have exactly one source. */
void yl_check_persistent_source(struct yl_pod_check *,
                                const struct yl_at *spec);

bool yl_is_iscsi_name(struct yl_str);

/* storage/volume_sources.c: sources with other rules in a
 * PersistentVolume. */
void yl_check_persistent_iscsi(struct yl_pod_check *, const struct yl_at *);
void yl_check_persistent_azure(struct yl_pod_check *, const struct yl_at *);
void yl_check_persistent_cinder(struct yl_pod_check *, const struct yl_at *);
void yl_check_persistent_gluster(struct yl_pod_check *, const struct yl_at *);

/* pod_projected.c */
void yl_check_projected(struct yl_check *, const struct yl_at *projected);
void yl_check_key_to_path(struct yl_check *, const struct yl_at *item);
void yl_check_downward_file(struct yl_check *, const struct yl_at *file);
void yl_check_claim_spec(struct yl_check *, const struct yl_at *spec);

/* pod_containers.c */
void yl_check_containers(struct yl_pod_check *);
void yl_check_container_images(struct yl_check *, const struct yl_at *list);

/* pod_env.c */
void yl_check_env(struct yl_check *, const struct yl_at *env);
void yl_check_env_from(struct yl_check *, const struct yl_at *env_from);
void yl_check_field_ref(struct yl_check *, const struct yl_at *ref,
                        bool volume);
void yl_check_resource_ref(struct yl_check *, const struct yl_at *ref,
                           bool volume);

/* pod_probes.c: probes and lifecycle hooks. */
void yl_check_probes(struct yl_pod_check *, const struct yl_at *container);

/* resources.c */
void yl_check_resources(struct yl_check *, const struct yl_at *resources,
                        const struct yl_node *claims, bool pod_level);
bool yl_check_resource_name(struct yl_check *, const struct yl_at *,
                            struct yl_str name);
void yl_check_container_resource_name(struct yl_check *,
                                      const struct yl_at *,
                                      struct yl_str name);
bool yl_resource_is_extended(struct yl_arena *, struct yl_str name);
bool yl_resource_can_overcommit(struct yl_str name);
void yl_check_amount(struct yl_check *, const struct yl_at *,
                     struct yl_str name);
void yl_check_pod_resources(struct yl_pod_check *);

/* pod_security.c */
void yl_check_security(struct yl_pod_check *, const struct yl_at *context);
void yl_check_pod_security(struct yl_pod_check *);
void yl_check_os(struct yl_pod_check *);
void yl_check_host_process(struct yl_pod_check *);

/* pod_windows.c */
void yl_check_windows(struct yl_check *, const struct yl_at *options);

/* pod_scheduling.c */
void yl_check_affinity(struct yl_check *, const struct yl_at *affinity);
void yl_check_node_selector(struct yl_check *, const struct yl_at *);
void yl_check_tolerations(struct yl_check *, const struct yl_at *);
void yl_check_topology_spread(struct yl_check *, const struct yl_at *);
void yl_check_taint_effect(struct yl_check *, const struct yl_at *);

/* pod_annotations.c: annotations alone, and compared with the fields that
 * replaced them; a claim as messages show it. */
void yl_check_pod_annotations(struct yl_check *, const struct yl_at *,
                              const struct yl_at *spec);
void yl_check_profiles_match(struct yl_check *, const struct yl_at *,
                             const struct yl_at *spec);
struct yl_bad_value yl_bad_claim(const struct yl_check *,
                                 const struct yl_at *claim);

/* pod_update.c: annotations that cannot be added, removed or changed. */
void yl_check_pod_annotation_changes(struct yl_check *,
                                     const struct yl_node *object,
                                     const struct yl_node *old);

/* pod_status_check.c: what a node reports.  The first function removes fields
 * whose feature gate is off. */
void yl_pod_status_drop(struct yl_node *status);
void yl_check_extended_claim(struct yl_check *, const struct yl_at *status,
                             const struct yl_at *spec);
void yl_check_container_statuses(struct yl_check *, const struct yl_at *status,
                                 const struct yl_at *spec);

/* All containers of a spec, of all three lists: the 'i'-th list, or false when
 * there is no such list. */
bool yl_pod_container_list(const struct yl_at *spec, size_t i,
                           struct yl_at *ret_list);

#endif /* builtin/pods/pod_check.h */
