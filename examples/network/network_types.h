#ifndef NETWORK_TYPES_H
#define NETWORK_TYPES_H 1

/* A Network: a name for an address range and its gateway. */

// +k8s:deepcopy-gen=package
// +groupName=cloudteam.ztgame.com
// +version=v1

#include <yuloh/types.h>

/* What a Network should be. */
struct network_spec {
    const char *cidr;
    const char *gateway;
};

// +genclient
// +genclient:noStatus
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object

/* Network describes a Network resource. */
struct network {
    struct yl_object_meta metadata;
    struct network_spec spec;
};

#endif /* network_types.h */
