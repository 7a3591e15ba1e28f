#ifndef TESTS_CONFORMANCE_SETS_H
#define TESTS_CONFORMANCE_SETS_H 1

/* Every set of built-in kinds, and reading what they are compared with. */

#include "yuloh/schema.h"

#include "yuloh/api/admissionregistration_v1.h"
#include "yuloh/api/apiextensions_v1.h"
#include "yuloh/api/apiextensions_v1beta1.h"
#include "yuloh/api/apiregistration_v1.h"
#include "yuloh/api/apps_v1.h"
#include "yuloh/api/authentication_v1.h"
#include "yuloh/api/authorization_v1.h"
#include "yuloh/api/autoscaling_v1.h"
#include "yuloh/api/autoscaling_v2.h"
#include "yuloh/api/batch_v1.h"
#include "yuloh/api/batch_v1beta1.h"
#include "yuloh/api/batch_v2alpha1.h"
#include "yuloh/api/certificates_v1.h"
#include "yuloh/api/coordination_v1.h"
#include "yuloh/api/core_v1.h"
#include "yuloh/api/discovery_v1.h"
#include "yuloh/api/events_v1.h"
#include "yuloh/api/flowcontrol_v1.h"
#include "yuloh/api/networking_v1.h"
#include "yuloh/api/node_v1.h"
#include "yuloh/api/policy_v1.h"
#include "yuloh/api/rbac_v1.h"
#include "yuloh/api/resource_v1.h"
#include "yuloh/api/scheduling_v1.h"
#include "yuloh/api/storage_v1.h"
#include "yuloh/api/meta_v1.h"

static const struct yl_type_set *const sets[] = {
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
#define N_SETS (sizeof sets / sizeof sets[0])

#endif /* tests/conformance/sets.h */
