#ifndef APPSERVICE_TYPES_H
#define APPSERVICE_TYPES_H 1

/* An AppService: a Deployment by its name, kept at a number of replicas. */

// +k8s:deepcopy-gen=package
// +groupName=appcontroller.k8s.io
// +version=v1alpha1

#include <yuloh/types.h>

struct app_service_spec {
    const char *deployment_name;
    const int32_t *replicas;    /* NULL: the Deployment's own. */
};

struct app_service_status {
    int32_t available_replicas;
};

// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +kubebuilder:metadata:annotations="api-approved.kubernetes.io=unapproved"

/* AppService describes an AppService resource. */
struct app_service {
    struct yl_object_meta metadata;
    struct app_service_spec spec;
    // +optional
    struct app_service_status status;
};

#endif /* appservice_types.h */
