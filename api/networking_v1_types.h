#ifndef NETWORKING_V1_TYPES_H
#define NETWORKING_V1_TYPES_H 1

/* Types of networking.k8s.io/v1, which yuloh-gen reads. */

// +groupName=networking.k8s.io
// +version=v1
// +k8s:openapi-model-package=io.k8s.api.networking.v1
// +kubebuilder:validation:Optional

#include "yuloh/types.h"
#include "core_v1_types.h"

struct networking_v1_parent_reference {
    const char *group; // +protobuf=1
    // +required
    // +json=,omitempty
    const char *resource; // +protobuf=2
    const char *namespace_; // +protobuf=3
    // +required
    // +json=,omitempty
    const char *name; // +protobuf=4
};

// +typeName=IPAddressSpec
struct networking_v1_ip_address_spec {
    // +required
    const struct networking_v1_parent_reference *parent_ref; // +protobuf=1
};

// +kind=IPAddress
// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=ip,scope=Cluster
struct networking_v1_ip_address {
    struct yl_object_meta metadata; // +protobuf=1
    // +required
    // +json=,omitempty
    struct networking_v1_ip_address_spec spec; // +protobuf=2
};

// +structType=atomic
struct networking_v1_service_backend_port {
    const char *name; // +protobuf=1
    int32_t number; // +protobuf=2
};

struct networking_v1_ingress_service_backend {
    // +required
    const char *name; // +protobuf=1
    struct networking_v1_service_backend_port port; // +protobuf=2
};

struct networking_v1_ingress_backend {
    const struct networking_v1_ingress_service_backend *service; // +protobuf=4
    const struct core_v1_typed_local_object_reference *resource; // +protobuf=3
};

// +typeName=IngressTLS
struct networking_v1_ingress_tls {
    // +listType=atomic
    const char *const *hosts; // +protobuf=1
    size_t n_hosts;
    const char *secret_name; // +protobuf=2
};

// +typeName=HTTPIngressPath
struct networking_v1_http_ingress_path {
    const char *path; // +protobuf=1
    // +required
    // +json=,pointer,always
    const char *path_type; // +protobuf=3 +goType=v1.PathType
    // +required
    struct networking_v1_ingress_backend backend; // +protobuf=2
};

// +typeName=HTTPIngressRuleValue
struct networking_v1_http_ingress_rule_value {
    // +required
    // +listType=atomic
    const struct networking_v1_http_ingress_path *paths; // +protobuf=1
    size_t n_paths;
};

// +embeds:name=IngressRuleValue,protobuf=2,first=http,last=http
struct networking_v1_ingress_rule {
    const char *host; // +protobuf=1
    const struct networking_v1_http_ingress_rule_value *http; // +protobuf=1
};

struct networking_v1_ingress_spec {
    // +json=,pointer
    const char *ingress_class_name; // +protobuf=4
    const struct networking_v1_ingress_backend *default_backend; // +protobuf=1
    // +listType=atomic
    const struct networking_v1_ingress_tls *tls; // +protobuf=2
    size_t n_tls;
    // +listType=atomic
    const struct networking_v1_ingress_rule *rules; // +protobuf=3
    size_t n_rules;
};

struct networking_v1_ingress_port_status {
    // +required
    int32_t port; // +protobuf=1
    // +required
    const char *protocol; // +protobuf=2 +goType=v1.Protocol
    // +json=,pointer
    const char *error; // +protobuf=3
};

struct networking_v1_ingress_load_balancer_ingress {
    const char *ip; // +protobuf=1
    const char *hostname; // +protobuf=2
    // +listType=atomic
    const struct networking_v1_ingress_port_status *ports; // +protobuf=4
    size_t n_ports;
};

struct networking_v1_ingress_load_balancer_status {
    // +listType=atomic
    // +protobuf=1
    const struct networking_v1_ingress_load_balancer_ingress *ingress;
    size_t n_ingress;
};

struct networking_v1_ingress_status {
    // +protobuf=1
    struct networking_v1_ingress_load_balancer_status load_balancer;
};

// +genclient
// +kubebuilder:resource:shortName=ing
// +kubebuilder:subresource:status
struct networking_v1_ingress {
    struct yl_object_meta metadata; // +protobuf=1
    struct networking_v1_ingress_spec spec; // +protobuf=2
    struct networking_v1_ingress_status status; // +protobuf=3
};

struct networking_v1_ingress_class_parameters_reference {
    // +json=,pointer
    const char *api_group; // +protobuf=1
    // +required
    const char *kind; // +protobuf=2
    // +required
    const char *name; // +protobuf=3
    // +json=,pointer,always
    const char *scope; // +protobuf=4
    // +json=,pointer
    const char *namespace_; // +protobuf=5
};

struct networking_v1_ingress_class_spec {
    const char *controller; // +protobuf=1
    // +protobuf=2
    const struct networking_v1_ingress_class_parameters_reference *parameters;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:scope=Cluster
struct networking_v1_ingress_class {
    struct yl_object_meta metadata; // +protobuf=1
    struct networking_v1_ingress_class_spec spec; // +protobuf=2
};

struct networking_v1_network_policy_port {
    // +json=,pointer
    const char *protocol; // +protobuf=1 +goType=v1.Protocol
    const struct yl_int_or_string *port; // +protobuf=2
    const int32_t *end_port; // +protobuf=3
};

// +typeName=IPBlock
struct networking_v1_ip_block {
    // +required
    const char *cidr; // +protobuf=1
    // +listType=atomic
    const char *const *except; // +protobuf=2
    size_t n_except;
};

struct networking_v1_network_policy_peer {
    const struct yl_label_selector *pod_selector; // +protobuf=1
    const struct yl_label_selector *namespace_selector; // +protobuf=2
    const struct networking_v1_ip_block *ip_block; // +protobuf=3
};

struct networking_v1_network_policy_ingress_rule {
    // +listType=atomic
    const struct networking_v1_network_policy_port *ports; // +protobuf=1
    size_t n_ports;
    // +listType=atomic
    const struct networking_v1_network_policy_peer *from; // +protobuf=2
    size_t n_from;
};

struct networking_v1_network_policy_egress_rule {
    // +listType=atomic
    const struct networking_v1_network_policy_port *ports; // +protobuf=1
    size_t n_ports;
    // +listType=atomic
    const struct networking_v1_network_policy_peer *to; // +protobuf=2
    size_t n_to;
};

struct networking_v1_network_policy_spec {
    // +json=,always
    struct yl_label_selector pod_selector; // +protobuf=1
    // +listType=atomic
    // +protobuf=2
    const struct networking_v1_network_policy_ingress_rule *ingress;
    size_t n_ingress;
    // +listType=atomic
    // +protobuf=3
    const struct networking_v1_network_policy_egress_rule *egress;
    size_t n_egress;
    // +listType=atomic
    const char *const *policy_types; // +protobuf=4 +goType=[]v1.PolicyType
    size_t n_policy_types;
};

// +genclient
// +genclient:noStatus
// +kubebuilder:resource:shortName=netpol
struct networking_v1_network_policy {
    struct yl_object_meta metadata; // +protobuf=1
    struct networking_v1_network_policy_spec spec; // +protobuf=2
};

// +typeName=ServiceCIDRSpec
struct networking_v1_service_cidr_spec {
    // +listType=atomic
    const char *const *cidrs; // +protobuf=1
    size_t n_cidrs;
};

// +typeName=ServiceCIDRStatus
struct networking_v1_service_cidr_status {
    // +patchStrategy=merge
    // +patchMergeKey=type
    // +listType=map
    // +listMapKey=type
    const struct yl_meta_condition *conditions; // +protobuf=1
    size_t n_conditions;
};

// +kind=ServiceCIDR
// +genclient
// +kubebuilder:resource:scope=Cluster
// +kubebuilder:subresource:status
struct networking_v1_service_cidr {
    struct yl_object_meta metadata; // +protobuf=1
    struct networking_v1_service_cidr_spec spec; // +protobuf=2
    struct networking_v1_service_cidr_status status; // +protobuf=3
};

#endif /* networking_v1_types.h */
