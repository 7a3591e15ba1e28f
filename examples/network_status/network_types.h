#ifndef NETWORK_TYPES_H
#define NETWORK_TYPES_H 1

/* A Network with a status, and with what the API server should check. */

// +k8s:deepcopy-gen=package
// +groupName=cloudteam.ztgame.com
// +version=v1

#include <yuloh/types.h>

/* What a Network should be. */
struct network_spec {
    /* The address range, such as 192.168.0.0/16. */
    // +kubebuilder:validation:Pattern=`^[0-9.]+/[0-9]+$`
    const char *cidr;

    /* The address of the gateway. */
    // +kubebuilder:validation:MinLength=1
    const char *gateway;
};

/* What a Network is. */
struct network_status {
    // +optional
    // +kubebuilder:validation:Enum=Pending;Ready;Failed
    const char *phase;

    // +optional
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions;
    size_t n_conditions;
};

/* Network is a specification for a Network resource. */
// +genclient
// +kubebuilder:resource:shortName=net
// +kubebuilder:subresource:status
// +kubebuilder:printcolumn:name="CIDR",type=string,JSONPath=`.spec.cidr`
// +kubebuilder:printcolumn:name="Phase",type=string,JSONPath=`.status.phase`
struct network {
    struct yl_object_meta metadata;
    struct network_spec spec;
    // +optional
    struct network_status status;
};

#endif /* network_types.h */
