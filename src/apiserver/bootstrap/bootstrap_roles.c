/* The roles and bindings that every server of Kubernetes 1.36 has; users rely
 * on their names.  See bootstrap_table.h. */

#include "apiserver/bootstrap/bootstrap_table.h"

#include "yuloh/compiler.h"

#define CLUSTER_ROLE(NAME) \
    { .what = YL_BOOTSTRAP_CLUSTER_ROLE, .name = NAME }
#define AGGREGATE(NAME, AGGREGATES, TO)                                       \
    { .what = YL_BOOTSTRAP_CLUSTER_ROLE, .name = NAME,                        \
      .aggregates = AGGREGATES, .aggregate_to = TO }
#define PART(NAME, TO) \
    { .what = YL_BOOTSTRAP_CLUSTER_ROLE, .name = NAME, .aggregate_to = TO }
#define ROLE(NAMESPACE, NAME) \
    { .what = YL_BOOTSTRAP_ROLE, .namespace_ = NAMESPACE, .name = NAME }
#define RULE(VERBS, GROUPS, RESOURCES)                                        \
    { .what = YL_BOOTSTRAP_RULE, .verbs = VERBS, .groups = GROUPS,            \
      .resources = RESOURCES }
#define NAMED(VERBS, GROUPS, RESOURCES, NAMES)                                \
    { .what = YL_BOOTSTRAP_RULE, .verbs = VERBS, .groups = GROUPS,            \
      .resources = RESOURCES, .names = NAMES }
#define URLS(VERBS, PATHS) \
    { .what = YL_BOOTSTRAP_RULE, .verbs = VERBS, .urls = PATHS }
#define CLUSTER_BINDING(NAME, SUBJECTS)                                       \
    { .what = YL_BOOTSTRAP_CLUSTER_ROLE_BINDING, .name = NAME, .role = NAME,  \
      .subjects = SUBJECTS }
#define BINDING(NAMESPACE, NAME, ROLE_NAME, SUBJECTS)                         \
    { .what = YL_BOOTSTRAP_ROLE_BINDING, .namespace_ = NAMESPACE,             \
      .name = NAME, .role = ROLE_NAME, .subjects = SUBJECTS }

static const struct yl_bootstrap_row rows[] = {
    AGGREGATE("admin", "admin", ""),

    CLUSTER_ROLE("cluster-admin"),
    RULE("*", "*", "*"),
    URLS("*", "*"),

    AGGREGATE("edit", "edit", "admin"),

    PART("system:aggregate-to-admin", "admin"),
    RULE("create", "authorization.k8s.io", "localsubjectaccessreviews"),
    RULE("create,delete,deletecollection,get,list,patch,update,watch",
         "rbac.authorization.k8s.io", "rolebindings,roles"),

    PART("system:aggregate-to-edit", "edit"),
    RULE("get,list,watch", "",
         "pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,"
         "services/proxy"),
    RULE("impersonate", "", "serviceaccounts"),
    RULE("create,delete,deletecollection,patch,update", "",
         "pods,pods/attach,pods/exec,pods/portforward,pods/proxy"),
    RULE("create", "", "pods/eviction"),
    RULE("create,delete,deletecollection,patch,update", "",
         "configmaps,persistentvolumeclaims,replicationcontrollers,"
         "replicationcontrollers/scale,secrets,serviceaccounts,services,"
         "services/proxy"),
    RULE("create", "", "serviceaccounts/token"),
    RULE("create,delete,deletecollection,patch,update", ",events.k8s.io",
         "events"),
    RULE("create,delete,deletecollection,patch,update", "apps",
         "daemonsets,deployments,deployments/rollback,deployments/scale,"
         "replicasets,replicasets/scale,statefulsets,statefulsets/scale"),
    RULE("create,delete,deletecollection,patch,update", "autoscaling",
         "horizontalpodautoscalers"),
    RULE("create,delete,deletecollection,patch,update", "batch",
         "cronjobs,jobs"),
    RULE("create,delete,deletecollection,patch,update", "extensions",
         "daemonsets,deployments,deployments/rollback,deployments/scale,"
         "ingresses,networkpolicies,replicasets,replicasets/scale,"
         "replicationcontrollers/scale"),
    RULE("create,delete,deletecollection,patch,update", "policy",
         "poddisruptionbudgets"),
    RULE("create,delete,deletecollection,patch,update", "networking.k8s.io",
         "ingresses,networkpolicies"),
    RULE("create,delete,deletecollection,get,list,patch,update,watch",
         "coordination.k8s.io", "leases"),
    RULE("create,delete,deletecollection,patch,update", "resource.k8s.io",
         "resourceclaims,resourceclaimtemplates"),

    PART("system:aggregate-to-view", "view"),
    RULE("get,list,watch", "",
         "configmaps,endpoints,persistentvolumeclaims,"
         "persistentvolumeclaims/status,pods,replicationcontrollers,"
         "replicationcontrollers/scale,serviceaccounts,services,"
         "services/status"),
    RULE("get,list,watch", "",
         "bindings,limitranges,namespaces/status,pods/log,pods/status,"
         "replicationcontrollers/status,resourcequotas,resourcequotas/status"),
    RULE("get,list,watch", "", "namespaces"),
    RULE("get,list,watch", ",events.k8s.io", "events"),
    RULE("get,list,watch", "discovery.k8s.io", "endpointslices"),
    RULE("get,list,watch", "apps",
         "controllerrevisions,daemonsets,daemonsets/status,deployments,"
         "deployments/scale,deployments/status,replicasets,"
         "replicasets/scale,replicasets/status,statefulsets,"
         "statefulsets/scale,statefulsets/status"),
    RULE("get,list,watch", "autoscaling",
         "horizontalpodautoscalers,horizontalpodautoscalers/status"),
    RULE("get,list,watch", "batch",
         "cronjobs,cronjobs/status,jobs,jobs/status"),
    RULE("get,list,watch", "extensions",
         "daemonsets,daemonsets/status,deployments,deployments/scale,"
         "deployments/status,ingresses,ingresses/status,networkpolicies,"
         "replicasets,replicasets/scale,replicasets/status,"
         "replicationcontrollers/scale"),
    RULE("get,list,watch", "policy",
         "poddisruptionbudgets,poddisruptionbudgets/status"),
    RULE("get,list,watch", "networking.k8s.io",
         "ingresses,ingresses/status,networkpolicies"),
    RULE("get,list,watch", "resource.k8s.io",
         "resourceclaims,resourceclaims/status,resourceclaimtemplates"),

    CLUSTER_ROLE("system:auth-delegator"),
    RULE("create", "authentication.k8s.io", "tokenreviews"),
    RULE("create", "authorization.k8s.io", "subjectaccessreviews"),

    CLUSTER_ROLE("system:basic-user"),
    RULE("create", "authorization.k8s.io",
         "selfsubjectaccessreviews,selfsubjectrulesreviews"),
    RULE("create", "authentication.k8s.io", "selfsubjectreviews"),

    CLUSTER_ROLE(
                 "system:certificates.k8s.io:certificatesigningrequests:"
                 "nodeclient"),
    RULE("create", "certificates.k8s.io",
         "certificatesigningrequests/nodeclient"),

    CLUSTER_ROLE(
                 "system:certificates.k8s.io:certificatesigningrequests:"
                 "selfnodeclient"),
    RULE("create", "certificates.k8s.io",
         "certificatesigningrequests/selfnodeclient"),

    CLUSTER_ROLE("system:certificates.k8s.io:kube-apiserver-client-approver"),
    NAMED("approve", "certificates.k8s.io", "signers",
          "kubernetes.io/kube-apiserver-client"),

    CLUSTER_ROLE(
                 "system:certificates.k8s.io:kube-apiserver-client-kubelet-"
                 "approver"),
    NAMED("approve", "certificates.k8s.io", "signers",
          "kubernetes.io/kube-apiserver-client-kubelet"),

    CLUSTER_ROLE("system:certificates.k8s.io:kubelet-serving-approver"),
    NAMED("approve", "certificates.k8s.io", "signers",
          "kubernetes.io/kubelet-serving"),

    CLUSTER_ROLE("system:certificates.k8s.io:legacy-unknown-approver"),
    NAMED("approve", "certificates.k8s.io", "signers",
          "kubernetes.io/legacy-unknown"),

    CLUSTER_ROLE("system:controller:attachdetach-controller"),
    RULE("list,watch", "", "persistentvolumeclaims,persistentvolumes"),
    RULE("get,list,watch", "", "nodes"),
    RULE("patch,update", "", "nodes/status"),
    RULE("list,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("create,delete,get,list,watch", "storage.k8s.io",
         "volumeattachments"),
    RULE("get,list,watch", "storage.k8s.io", "csidrivers"),
    RULE("get,list,watch", "storage.k8s.io", "csinodes"),

    CLUSTER_ROLE("system:controller:certificate-controller"),
    RULE("delete,get,list,watch", "certificates.k8s.io",
         "certificatesigningrequests"),
    RULE("update", "certificates.k8s.io",
         "certificatesigningrequests/approval,"
         "certificatesigningrequests/status"),
    NAMED("approve", "certificates.k8s.io", "signers",
          "kubernetes.io/kube-apiserver-client-kubelet"),
    NAMED("sign", "certificates.k8s.io", "signers",
          "kubernetes.io/kube-apiserver-client,"
          "kubernetes.io/kube-apiserver-client-kubelet,"
          "kubernetes.io/kubelet-serving,kubernetes.io/legacy-unknown"),
    RULE("create", "authorization.k8s.io", "subjectaccessreviews"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:clusterrole-aggregation-controller"),
    RULE("escalate,get,list,patch,update,watch", "rbac.authorization.k8s.io",
         "clusterroles"),

    CLUSTER_ROLE("system:controller:cronjob-controller"),
    RULE("get,list,update,watch", "batch", "cronjobs"),
    RULE("create,delete,get,list,patch,update,watch", "batch", "jobs"),
    RULE("update", "batch", "cronjobs/status"),
    RULE("update", "batch", "cronjobs/finalizers"),
    RULE("delete,list,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:daemon-set-controller"),
    RULE("get,list,watch", "apps,extensions", "daemonsets"),
    RULE("update", "apps,extensions", "daemonsets/status"),
    RULE("update", "apps,extensions", "daemonsets/finalizers"),
    RULE("list,watch", "", "nodes"),
    RULE("create,delete,list,patch,watch", "", "pods"),
    RULE("create", "", "pods/binding"),
    RULE("create,delete,get,list,patch,update,watch", "apps",
         "controllerrevisions"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:deployment-controller"),
    RULE("get,list,update,watch", "apps,extensions", "deployments"),
    RULE("update", "apps,extensions", "deployments/status"),
    RULE("update", "apps,extensions", "deployments/finalizers"),
    RULE("create,delete,get,list,patch,update,watch", "apps,extensions",
         "replicasets"),
    RULE("get,list,update,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:device-taint-eviction-controller"),
    RULE("delete,get,list,watch", "", "pods"),
    RULE("patch,update", "", "pods/status"),
    RULE("get,list,watch", "resource.k8s.io", "resourceclaims"),
    RULE("get,list,watch", "resource.k8s.io", "resourceslices"),
    RULE("get,list,watch", "resource.k8s.io", "deviceclasses"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:disruption-controller"),
    RULE("get,list,watch", "apps,extensions", "deployments"),
    RULE("get,list,watch", "apps,extensions", "replicasets"),
    RULE("get,list,watch", "", "replicationcontrollers"),
    RULE("get,list,watch", "policy", "poddisruptionbudgets"),
    RULE("get,list,watch", "apps", "statefulsets"),
    RULE("update", "policy", "poddisruptionbudgets/status"),
    RULE("patch,update", "", "pods/status"),
    RULE("get", "*", "*/scale"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:endpoint-controller"),
    RULE("get,list,watch", "", "pods,services"),
    RULE("create,delete,get,list,update,watch", "", "endpoints"),
    RULE("create", "", "endpoints/restricted"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:endpointslice-controller"),
    RULE("get,list,watch", "", "nodes,pods,services"),
    RULE("update", "", "services/finalizers"),
    RULE("create,delete,get,list,update,watch", "discovery.k8s.io",
         "endpointslices"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:endpointslicemirroring-controller"),
    RULE("get,list,watch", "", "endpoints,services"),
    RULE("update", "", "services/finalizers"),
    RULE("update", "", "endpoints/finalizers"),
    RULE("create,delete,get,list,update,watch", "discovery.k8s.io",
         "endpointslices"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:ephemeral-volume-controller"),
    RULE("get,list,watch", "", "pods"),
    RULE("update", "", "pods/finalizers"),
    RULE("create,get,list,watch", "", "persistentvolumeclaims"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:expand-controller"),
    RULE("get,list,patch,update,watch", "", "persistentvolumes"),
    RULE("patch,update", "", "persistentvolumeclaims/status"),
    RULE("get,list,watch", "", "persistentvolumeclaims"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:generic-garbage-collector"),
    RULE("delete,get,list,patch,update,watch", "*", "*"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:horizontal-pod-autoscaler"),
    RULE("get,list,watch", "autoscaling", "horizontalpodautoscalers"),
    RULE("update", "autoscaling", "horizontalpodautoscalers/status"),
    RULE("get,update", "*", "*/scale"),
    RULE("list,watch", "", "pods"),
    RULE("list,watch", "metrics.k8s.io", "pods"),
    RULE("get,list,watch", "custom.metrics.k8s.io", "*"),
    RULE("get,list,watch", "external.metrics.k8s.io", "*"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:job-controller"),
    RULE("get,list,patch,update,watch", "batch", "jobs"),
    RULE("update", "batch", "jobs/status"),
    RULE("update", "batch", "jobs/finalizers"),
    RULE("create,delete,list,patch,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:legacy-service-account-token-cleaner"),
    NAMED("get", "", "configmaps",
          "kube-apiserver-legacy-service-account-token-tracking"),
    RULE("delete,patch", "", "secrets"),

    CLUSTER_ROLE("system:controller:namespace-controller"),
    RULE("delete,get,list,watch", "", "namespaces"),
    RULE("update", "", "namespaces/finalize,namespaces/status"),
    RULE("delete,deletecollection,get,list,watch", "*", "*"),

    CLUSTER_ROLE("system:controller:node-controller"),
    RULE("delete,get,list,patch,update,watch", "", "nodes"),
    RULE("patch,update", "", "nodes/status"),
    RULE("patch,update", "", "pods/status"),
    RULE("delete,get,list,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:persistent-volume-binder"),
    RULE("create,delete,get,list,update,watch", "", "persistentvolumes"),
    RULE("update", "", "persistentvolumes/status"),
    RULE("get,list,update,watch", "", "persistentvolumeclaims"),
    RULE("update", "", "persistentvolumeclaims/status"),
    RULE("create,delete,get,list,watch", "", "pods"),
    RULE("get,list,watch", "storage.k8s.io", "storageclasses"),
    RULE("list,watch", "", "nodes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("watch", "", "events"),

    CLUSTER_ROLE("system:controller:pod-garbage-collector"),
    RULE("delete,list,watch", "", "pods"),
    RULE("get,list,watch", "", "nodes"),
    RULE("patch", "", "pods/status"),

    CLUSTER_ROLE("system:controller:pv-protection-controller"),
    RULE("get,list,update,watch", "", "persistentvolumes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:pvc-protection-controller"),
    RULE("get,list,update,watch", "", "persistentvolumeclaims"),
    RULE("update", "", "persistentvolumeclaims/status"),
    RULE("get,list,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:replicaset-controller"),
    RULE("get,list,update,watch", "apps,extensions", "replicasets"),
    RULE("update", "apps,extensions", "replicasets/status"),
    RULE("update", "apps,extensions", "replicasets/finalizers"),
    RULE("create,delete,list,patch,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:replication-controller"),
    RULE("get,list,update,watch", "", "replicationcontrollers"),
    RULE("update", "", "replicationcontrollers/status"),
    RULE("update", "", "replicationcontrollers/finalizers"),
    RULE("create,delete,list,patch,watch", "", "pods"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:resource-claim-controller"),
    RULE("get,list,watch", "", "pods"),
    RULE("update", "", "pods/finalizers"),
    RULE("create,delete,get,list,watch", "resource.k8s.io", "resourceclaims"),
    RULE("patch,update", "resource.k8s.io",
         "resourceclaims,resourceclaims/status"),
    RULE("patch,update", "", "pods/status"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("patch,update", "resource.k8s.io", "resourceclaims/binding"),

    CLUSTER_ROLE("system:controller:resourcequota-controller"),
    RULE("list,watch", "*", "*"),
    RULE("update", "", "resourcequotas/status"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:root-ca-cert-publisher"),
    RULE("create,update", "", "configmaps"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:route-controller"),
    RULE("list,watch", "", "nodes"),
    RULE("patch", "", "nodes/status"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:selinux-warning-controller"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("get,list,watch", "", "persistentvolumes"),
    RULE("get,list,watch", "", "persistentvolumeclaims"),
    RULE("get,list,watch", "", "pods"),
    RULE("get,list,watch", "storage.k8s.io", "csidrivers"),

    CLUSTER_ROLE("system:controller:service-account-controller"),
    RULE("create", "", "serviceaccounts"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:service-cidrs-controller"),
    RULE("get,list,patch,update,watch", "networking.k8s.io", "servicecidrs"),
    RULE("patch,update", "networking.k8s.io", "servicecidrs/finalizers"),
    RULE("patch,update", "networking.k8s.io", "servicecidrs/status"),
    RULE("get,list,watch", "networking.k8s.io", "ipaddresses"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:service-controller"),
    RULE("get,list,watch", "", "services"),
    RULE("patch,update", "", "services/status"),
    RULE("list,watch", "", "nodes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:statefulset-controller"),
    RULE("list,watch", "", "pods"),
    RULE("get,list,watch", "apps", "statefulsets"),
    RULE("update", "apps", "statefulsets/status"),
    RULE("update", "apps", "statefulsets/finalizers"),
    RULE("create,delete,get,patch,update", "", "pods"),
    RULE("create,delete,get,list,patch,update,watch", "apps",
         "controllerrevisions"),
    RULE("create,get,list,watch", "", "persistentvolumeclaims"),
    RULE("delete,update", "", "persistentvolumeclaims"),
    RULE("update", "", "pods/finalizers"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:ttl-after-finished-controller"),
    RULE("delete,get,list,watch", "batch", "jobs"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:controller:ttl-controller"),
    RULE("list,patch,update,watch", "", "nodes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE(
                 "system:controller:validatingadmissionpolicy-status-"
                 "controller"),
    RULE("get,list,watch", "admissionregistration.k8s.io",
         "validatingadmissionpolicies"),
    RULE("get,patch,update", "admissionregistration.k8s.io",
         "validatingadmissionpolicies/status"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE(
                 "system:controller:volumeattributesclass-protection-"
                 "controller"),
    RULE("get,list,watch", "", "persistentvolumeclaims"),
    RULE("get,list,watch", "", "persistentvolumes"),
    RULE("get,list,update,watch", "storage.k8s.io", "volumeattributesclasses"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:discovery"),
    URLS("get",
         "/api,/api/*,/apis,/apis/*,/healthz,/livez,/openapi,/openapi/*,"
         "/readyz,/version,/version/"),

    CLUSTER_ROLE("system:heapster"),
    RULE("get,list,watch", "", "events,namespaces,nodes,pods"),
    RULE("get,list,watch", "extensions", "deployments"),

    CLUSTER_ROLE("system:kube-aggregator"),
    RULE("get,list,watch", "", "endpoints,services"),

    CLUSTER_ROLE("system:kube-controller-manager"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("create", "coordination.k8s.io", "leases"),
    NAMED("get,update", "coordination.k8s.io", "leases",
          "kube-controller-manager"),
    RULE("create", "", "secrets,serviceaccounts"),
    RULE("delete", "", "secrets"),
    RULE("get", "", "configmaps,namespaces,secrets,serviceaccounts"),
    RULE("update", "", "secrets,serviceaccounts"),
    RULE("create", "authentication.k8s.io", "tokenreviews"),
    RULE("create", "authorization.k8s.io", "subjectaccessreviews"),
    RULE("list,watch", "*", "*"),
    RULE("create", "", "serviceaccounts/token"),

    CLUSTER_ROLE("system:kube-dns"),
    RULE("list,watch", "", "endpoints,services"),

    CLUSTER_ROLE("system:kube-scheduler"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("create", "coordination.k8s.io", "leases"),
    NAMED("get,list,update,watch", "coordination.k8s.io", "leases",
          "kube-scheduler"),
    RULE("create,delete,deletecollection,get,list,patch,update,watch",
         "coordination.k8s.io", "leasecandidates"),
    RULE("get,list,watch", "", "nodes"),
    RULE("delete,get,list,watch", "", "pods"),
    RULE("create", "", "bindings,pods/binding"),
    RULE("patch,update", "", "pods/status"),
    RULE("get,list,watch", "", "replicationcontrollers,services"),
    RULE("get,list,watch", "apps,extensions", "replicasets"),
    RULE("get,list,watch", "apps", "statefulsets"),
    RULE("get,list,watch", "policy", "poddisruptionbudgets"),
    RULE("get,list,watch", "", "persistentvolumeclaims,persistentvolumes"),
    RULE("create", "authentication.k8s.io", "tokenreviews"),
    RULE("create", "authorization.k8s.io", "subjectaccessreviews"),
    RULE("get,list,watch", "storage.k8s.io", "csinodes"),
    RULE("get,list,watch", "storage.k8s.io", "volumeattachments"),
    RULE("get,list,watch", "", "namespaces"),
    RULE("get,list,watch", "storage.k8s.io", "csidrivers"),
    RULE("get,list,watch", "storage.k8s.io", "csistoragecapacities"),
    RULE("get,list,watch", "resource.k8s.io", "deviceclasses"),
    RULE("get,list,patch,update,watch", "resource.k8s.io", "resourceclaims"),
    RULE("get,list,patch,update,watch", "resource.k8s.io",
         "resourceclaims/status"),
    RULE("update", "", "pods/finalizers"),
    RULE("get,list,watch", "resource.k8s.io", "resourceslices"),
    RULE("create,delete", "resource.k8s.io", "resourceclaims"),
    RULE("patch,update", "resource.k8s.io", "resourceclaims/binding"),

    CLUSTER_ROLE("system:kubelet-api-admin"),
    RULE("get,list,watch", "", "nodes"),
    RULE("proxy", "", "nodes"),
    RULE("*", "", "nodes/log,nodes/metrics,nodes/proxy,nodes/stats"),
    RULE("*", "", "nodes/configz,nodes/healthz,nodes/pods"),

    CLUSTER_ROLE("system:monitoring"),
    URLS("get",
         "/flagz,/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,"
         "/readyz,/readyz/*,/statusz"),
    RULE("get", "", "nodes/metrics"),

    CLUSTER_ROLE("system:node"),
    RULE("create", "authentication.k8s.io", "tokenreviews"),
    RULE("create", "authorization.k8s.io",
         "localsubjectaccessreviews,subjectaccessreviews"),
    RULE("get,list,watch", "", "services"),
    RULE("create,get,list,watch", "", "nodes"),
    RULE("patch,update", "", "nodes/status"),
    RULE("patch,update", "", "nodes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("get,list,watch", "", "pods"),
    RULE("create,delete", "", "pods"),
    RULE("patch,update", "", "pods/status"),
    RULE("create", "", "pods/eviction"),
    RULE("get,list,watch", "", "configmaps,secrets"),
    RULE("get", "", "persistentvolumeclaims,persistentvolumes"),
    RULE("get", "", "endpoints"),
    RULE("create,get,list,watch", "certificates.k8s.io",
         "certificatesigningrequests"),
    RULE("create,delete,get,patch,update", "coordination.k8s.io", "leases"),
    RULE("get", "storage.k8s.io", "volumeattachments"),
    RULE("create", "", "serviceaccounts/token"),
    RULE("get,patch,update", "", "persistentvolumeclaims/status"),
    RULE("get,list,watch", "storage.k8s.io", "csidrivers"),
    RULE("create,delete,get,patch,update", "storage.k8s.io", "csinodes"),
    RULE("get,list,watch", "node.k8s.io", "runtimeclasses"),
    RULE("get", "resource.k8s.io", "resourceclaims"),
    RULE("deletecollection", "resource.k8s.io", "resourceslices"),
    RULE("get", "", "serviceaccounts"),

    CLUSTER_ROLE("system:node-bootstrapper"),
    RULE("create,get,list,watch", "certificates.k8s.io",
         "certificatesigningrequests"),

    CLUSTER_ROLE("system:node-problem-detector"),
    RULE("get", "", "nodes"),
    RULE("patch", "", "nodes/status"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:node-proxier"),
    RULE("list,watch", "", "endpoints,services"),
    RULE("get,list,watch", "", "nodes"),
    RULE("create,patch,update", ",events.k8s.io", "events"),
    RULE("list,watch", "networking.k8s.io", "servicecidrs"),
    RULE("list,watch", "discovery.k8s.io", "endpointslices"),

    CLUSTER_ROLE("system:persistent-volume-provisioner"),
    RULE("create,delete,get,list,watch", "", "persistentvolumes"),
    RULE("get,list,update,watch", "", "persistentvolumeclaims"),
    RULE("get,list,watch", "storage.k8s.io", "storageclasses"),
    RULE("watch", "", "events"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_ROLE("system:public-info-viewer"),
    URLS("get", "/healthz,/livez,/readyz,/version,/version/"),

    CLUSTER_ROLE("system:service-account-issuer-discovery"),
    URLS("get",
         "/.well-known/openid-configuration,"
         "/.well-known/openid-configuration/,/openid/v1/jwks,"
         "/openid/v1/jwks/"),

    CLUSTER_ROLE("system:volume-scheduler"),
    RULE("get,list,patch,update,watch", "", "persistentvolumes"),
    RULE("get,list,watch", "storage.k8s.io", "storageclasses"),
    RULE("get,list,patch,update,watch", "", "persistentvolumeclaims"),

    AGGREGATE("view", "view", "edit"),

    ROLE("kube-public", "system:controller:bootstrap-signer"),
    RULE("get,list,watch", "", "configmaps"),
    NAMED("update", "", "configmaps", "cluster-info"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    ROLE("kube-system", "extension-apiserver-authentication-reader"),
    NAMED("get,list,watch", "", "configmaps",
          "extension-apiserver-authentication"),

    ROLE("kube-system", "system::leader-locking-kube-controller-manager"),
    RULE("create,get,list,update,watch", "coordination.k8s.io", "leases"),
    RULE("create,get,list,update,watch", "coordination.k8s.io",
         "leasecandidates"),

    ROLE("kube-system", "system::leader-locking-kube-scheduler"),
    RULE("create,get,list,update,watch", "coordination.k8s.io", "leases"),
    RULE("create,get,list,update,watch", "coordination.k8s.io",
         "leasecandidates"),

    ROLE("kube-system", "system:controller:bootstrap-signer"),
    RULE("get,list,watch", "", "secrets"),

    ROLE("kube-system", "system:controller:cloud-provider"),
    RULE("create,get,list,watch", "", "configmaps"),

    ROLE("kube-system", "system:controller:token-cleaner"),
    RULE("delete,get,list,watch", "", "secrets"),
    RULE("create,patch,update", ",events.k8s.io", "events"),

    CLUSTER_BINDING("cluster-admin", "Group system:masters"),
    CLUSTER_BINDING("system:basic-user", "Group system:authenticated"),
    CLUSTER_BINDING("system:controller:attachdetach-controller",
                    "ServiceAccount attachdetach-controller"),
    CLUSTER_BINDING("system:controller:certificate-controller",
                    "ServiceAccount certificate-controller"),
    CLUSTER_BINDING("system:controller:clusterrole-aggregation-controller",
                    "ServiceAccount clusterrole-aggregation-controller"),
    CLUSTER_BINDING("system:controller:cronjob-controller",
                    "ServiceAccount cronjob-controller"),
    CLUSTER_BINDING("system:controller:daemon-set-controller",
                    "ServiceAccount daemon-set-controller"),
    CLUSTER_BINDING("system:controller:deployment-controller",
                    "ServiceAccount deployment-controller"),
    CLUSTER_BINDING("system:controller:device-taint-eviction-controller",
                    "ServiceAccount device-taint-eviction-controller"),
    CLUSTER_BINDING("system:controller:disruption-controller",
                    "ServiceAccount disruption-controller"),
    CLUSTER_BINDING("system:controller:endpoint-controller",
                    "ServiceAccount endpoint-controller"),
    CLUSTER_BINDING("system:controller:endpointslice-controller",
                    "ServiceAccount endpointslice-controller"),
    CLUSTER_BINDING("system:controller:endpointslicemirroring-controller",
                    "ServiceAccount endpointslicemirroring-controller"),
    CLUSTER_BINDING("system:controller:ephemeral-volume-controller",
                    "ServiceAccount ephemeral-volume-controller"),
    CLUSTER_BINDING("system:controller:expand-controller",
                    "ServiceAccount expand-controller"),
    CLUSTER_BINDING("system:controller:generic-garbage-collector",
                    "ServiceAccount generic-garbage-collector"),
    CLUSTER_BINDING("system:controller:horizontal-pod-autoscaler",
                    "ServiceAccount horizontal-pod-autoscaler"),
    CLUSTER_BINDING("system:controller:job-controller",
                    "ServiceAccount job-controller"),
    CLUSTER_BINDING("system:controller:legacy-service-account-token-cleaner",
                    "ServiceAccount legacy-service-account-token-cleaner"),
    CLUSTER_BINDING("system:controller:namespace-controller",
                    "ServiceAccount namespace-controller"),
    CLUSTER_BINDING("system:controller:node-controller",
                    "ServiceAccount node-controller"),
    CLUSTER_BINDING("system:controller:persistent-volume-binder",
                    "ServiceAccount persistent-volume-binder"),
    CLUSTER_BINDING("system:controller:pod-garbage-collector",
                    "ServiceAccount pod-garbage-collector"),
    CLUSTER_BINDING("system:controller:pv-protection-controller",
                    "ServiceAccount pv-protection-controller"),
    CLUSTER_BINDING("system:controller:pvc-protection-controller",
                    "ServiceAccount pvc-protection-controller"),
    CLUSTER_BINDING("system:controller:replicaset-controller",
                    "ServiceAccount replicaset-controller"),
    CLUSTER_BINDING("system:controller:replication-controller",
                    "ServiceAccount replication-controller"),
    CLUSTER_BINDING("system:controller:resource-claim-controller",
                    "ServiceAccount resource-claim-controller"),
    CLUSTER_BINDING("system:controller:resourcequota-controller",
                    "ServiceAccount resourcequota-controller"),
    CLUSTER_BINDING("system:controller:root-ca-cert-publisher",
                    "ServiceAccount root-ca-cert-publisher"),
    CLUSTER_BINDING("system:controller:route-controller",
                    "ServiceAccount route-controller"),
    CLUSTER_BINDING("system:controller:selinux-warning-controller",
                    "ServiceAccount selinux-warning-controller"),
    CLUSTER_BINDING("system:controller:service-account-controller",
                    "ServiceAccount service-account-controller"),
    CLUSTER_BINDING("system:controller:service-cidrs-controller",
                    "ServiceAccount service-cidrs-controller"),
    CLUSTER_BINDING("system:controller:service-controller",
                    "ServiceAccount service-controller"),
    CLUSTER_BINDING("system:controller:statefulset-controller",
                    "ServiceAccount statefulset-controller"),
    CLUSTER_BINDING("system:controller:ttl-after-finished-controller",
                    "ServiceAccount ttl-after-finished-controller"),
    CLUSTER_BINDING("system:controller:ttl-controller",
                    "ServiceAccount ttl-controller"),
    CLUSTER_BINDING(
                    "system:controller:validatingadmissionpolicy-status-"
                    "controller",
                    "ServiceAccount validatingadmissionpolicy-status-"
                    "controller"),
    CLUSTER_BINDING(
                    "system:controller:volumeattributesclass-protection-"
                    "controller",
                    "ServiceAccount volumeattributesclass-protection-"
                    "controller"),
    CLUSTER_BINDING("system:discovery", "Group system:authenticated"),
    CLUSTER_BINDING("system:kube-controller-manager",
                    "User system:kube-controller-manager"),
    CLUSTER_BINDING("system:kube-dns", "ServiceAccount kube-dns"),
    CLUSTER_BINDING("system:kube-scheduler", "User system:kube-scheduler"),
    CLUSTER_BINDING("system:monitoring", "Group system:monitoring"),
    CLUSTER_BINDING("system:node", ""),
    CLUSTER_BINDING("system:node-proxier", "User system:kube-proxy"),
    CLUSTER_BINDING("system:public-info-viewer",
                    "Group system:authenticated,Group system:unauthenticated"),
    CLUSTER_BINDING("system:service-account-issuer-discovery",
                    "Group system:serviceaccounts"),
    CLUSTER_BINDING("system:volume-scheduler", "User system:kube-scheduler"),

    BINDING("kube-public", "system:controller:bootstrap-signer",
            "system:controller:bootstrap-signer",
            "ServiceAccount bootstrap-signer"),
    BINDING("kube-system", "system::extension-apiserver-authentication-reader",
            "extension-apiserver-authentication-reader",
            "User system:kube-controller-manager,User system:kube-scheduler"),
    BINDING("kube-system", "system::leader-locking-kube-controller-manager",
            "system::leader-locking-kube-controller-manager",
            "User system:kube-controller-manager,"
            "ServiceAccount kube-controller-manager,"
            "ServiceAccount leader-election-controller"),
    BINDING("kube-system", "system::leader-locking-kube-scheduler",
            "system::leader-locking-kube-scheduler",
            "User system:kube-scheduler,ServiceAccount kube-scheduler"),
    BINDING("kube-system", "system:controller:bootstrap-signer",
            "system:controller:bootstrap-signer",
            "ServiceAccount bootstrap-signer"),
    BINDING("kube-system", "system:controller:cloud-provider",
            "system:controller:cloud-provider",
            "ServiceAccount cloud-provider"),
    BINDING("kube-system", "system:controller:token-cleaner",
            "system:controller:token-cleaner", "ServiceAccount token-cleaner"),
};

const struct yl_bootstrap_row *
yl_bootstrap_roles(size_t *ret_n)
{
    *ret_n = YL_ARRAY_SIZE(rows);
    return rows;
}
