/* The priority levels and flow schemas that every server of Kubernetes 1.36
 * has.  See bootstrap_table.h. */

#include "apiserver/bootstrap/bootstrap_table.h"

#include "yuloh/compiler.h"

static const struct yl_bootstrap_flow rows[] = {
    { "prioritylevelconfigurations", "catch-all",
      "{limited: {lendablePercent: 0, limitResponse: {type: Reject}, "
      "nominalConcurrencyShares: 5}, type: Limited}" },
    { "prioritylevelconfigurations", "exempt",
      "{exempt: {lendablePercent: 0, nominalConcurrencyShares: 0}, type: "
      "Exempt}" },
    { "prioritylevelconfigurations", "global-default",
      "{limited: {lendablePercent: 50, limitResponse: {queuing: {handSize: "
      "6, queueLengthLimit: 50, queues: 128}, type: Queue}, "
      "nominalConcurrencyShares: 20}, type: Limited}" },
    { "prioritylevelconfigurations", "leader-election",
      "{limited: {lendablePercent: 0, limitResponse: {queuing: {handSize: "
      "4, queueLengthLimit: 50, queues: 16}, type: Queue}, "
      "nominalConcurrencyShares: 10}, type: Limited}" },
    { "prioritylevelconfigurations", "node-high",
      "{limited: {lendablePercent: 25, limitResponse: {queuing: {handSize: "
      "6, queueLengthLimit: 50, queues: 64}, type: Queue}, "
      "nominalConcurrencyShares: 40}, type: Limited}" },
    { "prioritylevelconfigurations", "system",
      "{limited: {lendablePercent: 33, limitResponse: {queuing: {handSize: "
      "6, queueLengthLimit: 50, queues: 64}, type: Queue}, "
      "nominalConcurrencyShares: 30}, type: Limited}" },
    { "prioritylevelconfigurations", "workload-high",
      "{limited: {lendablePercent: 50, limitResponse: {queuing: {handSize: "
      "6, queueLengthLimit: 50, queues: 128}, type: Queue}, "
      "nominalConcurrencyShares: 40}, type: Limited}" },
    { "prioritylevelconfigurations", "workload-low",
      "{limited: {lendablePercent: 90, limitResponse: {queuing: {handSize: "
      "6, queueLengthLimit: 50, queues: 128}, type: Queue}, "
      "nominalConcurrencyShares: 100}, type: Limited}" },
    { "flowschemas", "catch-all",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 10000, "
      "priorityLevelConfiguration: {name: catch-all}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{group: {name: "
      "'system:unauthenticated'}, kind: Group}, {group: {name: "
      "'system:authenticated'}, kind: Group}]}]}" },
    { "flowschemas", "exempt",
      "{matchingPrecedence: 1, priorityLevelConfiguration: {name: exempt}, "
      "rules: [{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{group: {name: "
      "'system:masters'}, kind: Group}]}]}" },
    { "flowschemas", "global-default",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 9900, "
      "priorityLevelConfiguration: {name: global-default}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{group: {name: "
      "'system:unauthenticated'}, kind: Group}, {group: {name: "
      "'system:authenticated'}, kind: Group}]}]}" },
    { "flowschemas", "kube-controller-manager",
      "{distinguisherMethod: {type: ByNamespace}, matchingPrecedence: 800, "
      "priorityLevelConfiguration: {name: workload-high}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{kind: User, "
      "user: {name: 'system:kube-controller-manager'}}]}]}" },
    { "flowschemas", "kube-scheduler",
      "{distinguisherMethod: {type: ByNamespace}, matchingPrecedence: 800, "
      "priorityLevelConfiguration: {name: workload-high}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{kind: User, "
      "user: {name: 'system:kube-scheduler'}}]}]}" },
    { "flowschemas", "kube-system-service-accounts",
      "{distinguisherMethod: {type: ByNamespace}, matchingPrecedence: 900, "
      "priorityLevelConfiguration: {name: workload-high}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{kind: "
      "ServiceAccount, serviceAccount: {name: '*', namespace: "
      "kube-system}}]}]}" },
    { "flowschemas", "probes",
      "{matchingPrecedence: 2, priorityLevelConfiguration: {name: exempt}, "
      "rules: [{nonResourceRules: [{nonResourceURLs: [/healthz, /readyz, "
      "/livez], verbs: [get]}], subjects: [{group: {name: "
      "'system:unauthenticated'}, kind: Group}, {group: {name: "
      "'system:authenticated'}, kind: Group}]}]}" },
    { "flowschemas", "service-accounts",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 9000, "
      "priorityLevelConfiguration: {name: workload-low}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{group: {name: "
      "'system:serviceaccounts'}, kind: Group}]}]}" },
    { "flowschemas", "system-leader-election",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 100, "
      "priorityLevelConfiguration: {name: leader-election}, rules: "
      "[{resourceRules: [{apiGroups: [coordination.k8s.io], namespaces: "
      "['*'], resources: [leases], verbs: [get, create, update]}], "
      "subjects: [{kind: User, user: {name: "
      "'system:kube-controller-manager'}}, {kind: User, user: {name: "
      "'system:kube-scheduler'}}, {kind: ServiceAccount, serviceAccount: "
      "{name: '*', namespace: kube-system}}]}]}" },
    { "flowschemas", "system-node-high",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 400, "
      "priorityLevelConfiguration: {name: node-high}, rules: "
      "[{resourceRules: [{apiGroups: [''], clusterScope: true, namespaces: "
      "['*'], resources: [nodes, nodes/status], verbs: ['*']}, {apiGroups: "
      "[coordination.k8s.io], namespaces: ['*'], resources: [leases], "
      "verbs: ['*']}], subjects: [{group: {name: 'system:nodes'}, kind: "
      "Group}]}]}" },
    { "flowschemas", "system-nodes",
      "{distinguisherMethod: {type: ByUser}, matchingPrecedence: 500, "
      "priorityLevelConfiguration: {name: system}, rules: "
      "[{nonResourceRules: [{nonResourceURLs: ['*'], verbs: ['*']}], "
      "resourceRules: [{apiGroups: ['*'], clusterScope: true, namespaces: "
      "['*'], resources: ['*'], verbs: ['*']}], subjects: [{group: {name: "
      "'system:nodes'}, kind: Group}]}]}" },
};

const struct yl_bootstrap_flow *
yl_bootstrap_flows(size_t *ret_n)
{
    *ret_n = YL_ARRAY_SIZE(rows);
    return rows;
}
