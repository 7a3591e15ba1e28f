#ifndef APISERVER_ADMISSION_PLUGIN_H
#define APISERVER_ADMISSION_PLUGIN_H 1

/* Admission plugins: the functions in the table of admission.c, and helpers
 * that they share.
 *
 * A plugin checks whether a write concerns it, and then changes the object or
 * refuses the write.  The functions return 0, or a negative code and a Status
 * that says why.
 *
 * Trees that are read here live in the admission's arena. */

#include <stdbool.h>
#include <stdint.h>

#include "apiserver/admission/admission.h"
#include "json/member.h"
#include "schema/at.h"
#include "yuloh/compiler.h"

/* Is it a write of the object itself (not of a subresource), of the kind with
 * this plural? */
bool yl_plugin_is_for(const struct yl_admission *, const char *group,
                      const char *plural);

/* Another object as a tree; NULL if there is none. */
struct yl_node *yl_plugin_read(const struct yl_admission *, const char *group,
                               const char *plural, struct yl_str namespace_,
                               struct yl_str name);

/* Calls 'each' with every object of a resource in the order of their names,
 * until it returns false. */
void yl_plugin_each(const struct yl_admission *, const char *group,
                    const char *plural,
                    bool (*each)(const struct yl_node *object, void *aux),
                    void *aux);

/* Of the objects that have annotation 'key' or 'other' (which may be NULL) set
 * to "true", the name of the newest: this is the default class.  Null if there
 * is none. */
struct yl_str yl_plugin_default_class(const struct yl_admission *,
                                      const char *group, const char *plural,
                                      const char *key, const char *other);

/* "pods \"a\" is forbidden: ..." with the name the object has or will have.
 * Returns its code. */
int yl_plugin_forbid(const struct yl_admission *, struct yl_status *,
                     const char *format, ...) YL_PRINTF(3, 4);

/* Adds a text to a list that does not have it. */
void yl_plugin_add_finalizer(struct yl_arena *, struct yl_node *object,
                             const char *finalizer);

/* Does the Pod with this spec name any Secret? */
bool yl_plugin_has_secrets(const struct yl_admission *,
                           const struct yl_at *spec);

/* Refuses a Pod with Secrets that its ServiceAccount does not list, if that
 * wants to be asked. */
int yl_plugin_limit_secrets(const struct yl_admission *,
                            const struct yl_node *account,
                            struct yl_status *);

yl_mutate_fn yl_plugin_namespace_lifecycle;
yl_mutate_fn yl_plugin_service_account;
yl_mutate_fn yl_plugin_taint_nodes;
yl_mutate_fn yl_plugin_priority;
yl_mutate_fn yl_plugin_default_tolerations;
yl_mutate_fn yl_plugin_default_storage_class;
yl_mutate_fn yl_plugin_in_use_protection;
yl_mutate_fn yl_plugin_runtime_class;
yl_mutate_fn yl_plugin_default_ingress_class;
yl_mutate_fn yl_plugin_pod_topology_labels;
yl_mutate_fn yl_plugin_certificate_user;

yl_validate_fn yl_plugin_service_account_check;
yl_validate_fn yl_plugin_priority_class;
yl_validate_fn yl_plugin_claim_resize;
yl_validate_fn yl_plugin_node_features;
yl_validate_fn yl_plugin_pod_overhead;
yl_validate_fn yl_plugin_certificate_approval;
yl_validate_fn yl_plugin_certificate_signing;
yl_validate_fn yl_plugin_certificate_subject;
yl_validate_fn yl_plugin_device_admin_access;
yl_validate_fn yl_plugin_claim_status;

#endif /* apiserver/admission/plugin.h */
