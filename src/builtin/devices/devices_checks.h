#ifndef BUILTIN_DEVICES_DEVICES_CHECKS_H
#define BUILTIN_DEVICES_DEVICES_CHECKS_H 1

/* Checks that the kinds of resource.k8s.io share. */

#include "builtin/common/meta.h"

/* Lists and maps
 * ============== */

/* Checks every element of a list with at most 'max' elements (any number if
 * 'max' is negative).  The elements of a list that is too long are not
 * checked. */
typedef void yl_device_item_fn(struct yl_check *, const struct yl_at *item,
                               const void *aux);
void yl_check_device_list(struct yl_check *, const struct yl_at *list,
                          int64_t max, yl_device_item_fn *, const void *aux);

/* The same, and no two elements may be equal: their member 'key' is compared,
 * or the whole elements if 'key' is NULL. */
void yl_check_device_set(struct yl_check *, const struct yl_at *list,
                         int64_t max, yl_device_item_fn *, const void *aux,
                         const char *key);

/* Names
 * ===== */

/* "a/b.example.com": subdomains with slashes between. */
void yl_check_pool_name(struct yl_check *, const struct yl_at *name);

/* "name" or "domain/name", of an attribute or a capacity.  Causes name 'at',
 * which is the name itself or the map in which it is a key. */
void yl_check_device_qualified(struct yl_check *, const struct yl_at *at,
                               struct yl_str name);

/* A UUID in its normal form. */
void yl_check_uuid(struct yl_check *, const struct yl_at *uid);

/* The names of a claim's requests and of their alternatives: "a", "a/b". */
struct yl_node *yl_device_request_names(struct yl_check *,
                                        const struct yl_at *devices);

/* Checks that a name is in the set; a yl_device_item_fn whose 'aux' is the
 * set. */
void yl_check_request_ref(struct yl_check *, const struct yl_at *name,
                          const void *names);

/* Parts
 * ===== */

/* The member 'opaque' of 'at'; 'stored' if it is stored already and
 * unchanged. */
void yl_check_device_config(struct yl_check *, const struct yl_at *at,
                            bool stored);

/* An object of at most 'max' bytes with any content. */
void yl_check_raw_object(struct yl_check *, const struct yl_at *,
                         size_t max, bool stored);

/* CEL expressions that select devices. */
void yl_check_device_selectors(struct yl_check *,
                               const struct yl_at *selectors);

/* Taints and tolerations. */
void yl_check_device_taint(struct yl_check *, const struct yl_at *taint);
void yl_check_device_toleration(struct yl_check *,
                                const struct yl_at *toleration);

/* 'bindingConditions' and 'bindingFailureConditions' of 'at'. */
void yl_check_device_bindings(struct yl_check *, const struct yl_at *at);

/* The size and the policy of a member of 'capacity'; 'many' says that several
 * claims may share the device. */
void yl_check_device_capacity(struct yl_check *, const struct yl_at *,
                              bool many);

/* Messages
 * ========
 *
 * The spec of a claim, that of a template, an allocation and the terms of a
 * node selector, as Go writes them. */

struct yl_bad_value yl_bad_device_claim(const struct yl_check *,
                                        const struct yl_at *spec);
struct yl_bad_value yl_bad_claim_template(const struct yl_check *,
                                          const struct yl_at *template);
struct yl_bad_value yl_bad_allocation(const struct yl_check *,
                                      const struct yl_at *);
struct yl_bad_value yl_bad_node_terms(const struct yl_check *,
                                      const struct yl_at *terms);

/* Defaults
 * ======== */

/* Defaults of each of the 'tolerations' of an object. */
void yl_device_tolerations_default(struct yl_arena *, struct yl_node *object);

#endif /* builtin/devices/devices_checks.h */
