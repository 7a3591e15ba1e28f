#ifndef TESTS_ALL_KINDS_H
#define TESTS_ALL_KINDS_H 1

/* Every built-in kind, for tests that read what was recorded of them. */

#include <assert.h>
#include <stddef.h>

#include "yuloh/scheme.h"

extern const struct yl_type_set admissionregistration_v1_types;
extern const struct yl_type_set apiextensions_v1_types;
extern const struct yl_type_set apiextensions_v1beta1_types;
extern const struct yl_type_set apiregistration_v1_types;
extern const struct yl_type_set apps_v1_types;
extern const struct yl_type_set authentication_v1_types;
extern const struct yl_type_set authorization_v1_types;
extern const struct yl_type_set autoscaling_v1_types;
extern const struct yl_type_set autoscaling_v2_types;
extern const struct yl_type_set batch_v1_types;
extern const struct yl_type_set batch_v1beta1_types;
extern const struct yl_type_set batch_v2alpha1_types;
extern const struct yl_type_set certificates_v1_types;
extern const struct yl_type_set coordination_v1_types;
extern const struct yl_type_set core_v1_types;
extern const struct yl_type_set discovery_v1_types;
extern const struct yl_type_set events_v1_types;
extern const struct yl_type_set flowcontrol_v1_types;
extern const struct yl_type_set meta_v1_types;
extern const struct yl_type_set networking_v1_types;
extern const struct yl_type_set node_v1_types;
extern const struct yl_type_set policy_v1_types;
extern const struct yl_type_set rbac_v1_types;
extern const struct yl_type_set resource_v1_types;
extern const struct yl_type_set scheduling_v1_types;
extern const struct yl_type_set storage_v1_types;

/* The type sets of all built-in kinds; that of meta/v1 holds what they
 * share. */
static const struct yl_type_set *const all_kinds[] = {
    &admissionregistration_v1_types,
    &apiextensions_v1_types,
    &apiextensions_v1beta1_types,
    &apiregistration_v1_types,
    &apps_v1_types,
    &authentication_v1_types,
    &authorization_v1_types,
    &autoscaling_v1_types,
    &autoscaling_v2_types,
    &batch_v1_types,
    &batch_v1beta1_types,
    &batch_v2alpha1_types,
    &certificates_v1_types,
    &coordination_v1_types,
    &core_v1_types,
    &discovery_v1_types,
    &events_v1_types,
    &flowcontrol_v1_types,
    &networking_v1_types,
    &node_v1_types,
    &policy_v1_types,
    &rbac_v1_types,
    &resource_v1_types,
    &scheduling_v1_types,
    &storage_v1_types,
};

#define N_ALL_KINDS (sizeof all_kinds / sizeof all_kinds[0])

/* A scheme with all of them; free it with yl_scheme_free(). */
static inline struct yl_scheme *
all_kinds_new(void)
{
    struct yl_scheme *scheme = yl_scheme_new();
    int r = yl_scheme_add(scheme, &meta_v1_types);
    size_t i;

    for (i = 0; i < N_ALL_KINDS && r == 0; i++) {
        r = yl_scheme_add(scheme, all_kinds[i]);
    }
    assert(r == 0);
    (void) r;
    return scheme;
}

#endif /* tests/all_kinds.h */
