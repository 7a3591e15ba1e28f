/* Tests of warnings of Nodes and of kinds that name Nodes or addresses. */

#include "builtin/warnings/warnings.h"

#include "builtin_case.h"

TEST(nodes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'externalID':'x','podCIDR':'2001:DB8::/64',"
          "'podCIDRs':['2001:DB8::/64']}}",
          "spec.externalID: this field is deprecated, and is unused by "
          "Kubernetes\n"
          "spec.podCIDRs[0]: IPv6 CIDR value \"2001:DB8::/64\" should be "
          "in RFC 5952 canonical format (\"2001:db8::/64\")\n" },
        { NULL,
          "{'spec':{'podCIDRs':['10.0.0.0/24']}}",
          "" },
    };

    CASE_RUN_WARNINGS("Node", cases);
}

TEST(runtime_classes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'handler':'h','scheduling':{'nodeSelector':{'beta.kubernetes.i"
          "o/os':'linux','x':'y'}}}",
          "scheduling.nodeSelector: deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead\n" },
    };

    CASE_RUN_WARNINGS("RuntimeClass", cases);
}

TEST(storage_classes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'provisioner':'p','allowedTopologies':[{'matchLabelExpressions"
          "':[{'key':'beta.kubernetes.io/os','values':['x']},{'key':'z',"
          "'values':['x']}]}]}",
          "allowedTopologies[0].matchLabelExpressions[0].key: deprecated "
          "since v1.14; use \"kubernetes.io/os\" instead\n" },
    };

    CASE_RUN_WARNINGS("StorageClass", cases);
}

TEST(capacities_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'storageClassName':'c',"
          "'nodeTopology':{'matchLabels':{'beta.kubernetes.io/os':'x'},"
          "'matchExpressions':[{'key':'node-role.kubernetes.io/master',"
          "'operator':'Exists'}]}}",
          "nodeTopology.matchExpressions[0].key: "
          "node-role.kubernetes.io/master is use "
          "\"node-role.kubernetes.io/control-plane\" instead\n"
          "nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated "
          "since v1.14; use \"kubernetes.io/os\" instead\n" },
    };

    CASE_RUN_WARNINGS("CSIStorageCapacity", cases);
}

TEST(drivers_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'tokenRequests':[{'audience':''}]}}",
          "spec.serviceAccountTokenInSecrets is unset; if supported by "
          "this CSI driver, set to true to prevent possible logging of "
          "tokens in volume attributes\n" },
        { NULL,
          "{'spec':{'tokenRequests':[{'audience':''}],"
          "'serviceAccountTokenInSecrets':false}}",
          "" },
    };

    CASE_RUN_WARNINGS("CSIDriver", cases);
}

TEST(network_policies_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'podSelector':{},"
          "'ingress':[{'from':[{'ipBlock':{'cidr':'2001:DB8::/32',"
          "'except':['2001:DB8:1::/48']}}]}],"
          "'egress':[{'to':[{'ipBlock':{'cidr':'2001:db8:0::/32'}},"
          "{'ipBlock':{'cidr':'10.0.0.0/8'}}]}]}}",
          "spec.ingress[0].from[0].ipBlock.cidr: IPv6 CIDR value "
          "\"2001:DB8::/32\" should be in RFC 5952 canonical format "
          "(\"2001:db8::/32\")\n"
          "spec.ingress[0].from[0].ipBlock.except[0]: IPv6 CIDR value "
          "\"2001:DB8:1::/48\" should be in RFC 5952 canonical format "
          "(\"2001:db8:1::/48\")\n"
          "spec.egress[0].to[0].ipBlock.cidr: IPv6 CIDR value "
          "\"2001:db8:0::/32\" should be in RFC 5952 canonical format "
          "(\"2001:db8::/32\")\n" },
    };

    CASE_RUN_WARNINGS("NetworkPolicy", cases);
}

TEST(endpoints_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'subsets':[{'addresses':[{'ip':'2001:DB8::1'}],"
          "'notReadyAddresses':[{'ip':'2001:db8::0:2'}],"
          "'ports':[{'port':1}]}]}",
          "subsets[0].addresses[0].ip: IPv6 address \"2001:DB8::1\" "
          "should be in RFC 5952 canonical format (\"2001:db8::1\")\n"
          "subsets[0].notReadyAddresses[0].ip: IPv6 address "
          "\"2001:db8::0:2\" should be in RFC 5952 canonical format "
          "(\"2001:db8::2\")\n" },
        { NULL,
          "{'metadata':{'labels':{'endpoints.kubernetes.io/managed-by':'en"
          "dpoint-controller'}},"
          "'subsets':[{'addresses':[{'ip':'2001:DB8::1'}],"
          "'ports':[{'port':1}]}]}",
          "" },
    };

    CASE_RUN_WARNINGS("Endpoints", cases);
}

TEST(addresses_of_services_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'type':'LoadBalancer','ports':[{'port':1}],"
          "'loadBalancerIP':'2001:DB8::1',"
          "'loadBalancerSourceRanges':['2001:DB8::/32'],"
          "'externalIPs':['2001:DB8::2']}}",
          "spec.externalIPs[0]: IPv6 address \"2001:DB8::2\" should be in "
          "RFC 5952 canonical format (\"2001:db8::2\")\n"
          "spec.externalIPs is deprecated and may no longer be "
          "implemented in some clusters\n"
          "spec.loadBalancerIP: IPv6 address \"2001:DB8::1\" should be in "
          "RFC 5952 canonical format (\"2001:db8::1\")\n"
          "spec.loadBalancerSourceRanges[0]: IPv6 CIDR value "
          "\"2001:DB8::/32\" should be in RFC 5952 canonical format "
          "(\"2001:db8::/32\")\n" },
    };

    CASE_RUN_WARNINGS("Service", cases);
}

TEST(places_of_volumes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'annotations':{'volume.beta.kubernetes.io/mount-op"
          "tions':'ro','volume.beta.kubernetes.io/storage-class':'x'}},"
          "'spec':{'capacity':{'storage':'1Gi'},"
          "'accessModes':['ReadWriteOnce'],'nfs':{'server':'s',"
          "'path':'/x'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
          "'matchExpressions':[{'key':'beta.kubernetes.io/os',"
          "'operator':'Exists'}]}]}}}}",
          "metadata.annotations[volume.beta.kubernetes.io/storage-class]: "
          "deprecated since v1.8; use \"storageClassName\" attribute "
          "instead\n"
          "metadata.annotations[volume.beta.kubernetes.io/mount-options]: "
          "deprecated since v1.31; use \"mountOptions\" attribute "
          "instead\n"
          "spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpression"
          "s[0].key: beta.kubernetes.io/os is deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead\n" },
    };

    CASE_RUN_WARNINGS("PersistentVolume", cases);
}

TEST(drivers_of_slices_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'spec':{'driver':'D','pool':{'name':'p',"
          "'resourceSliceCount':1},'allNodes':true}}",
          "spec.driver: driver names should be lowercase; \"D\" contains "
          "uppercase characters\n" },
    };

    CASE_RUN_WARNINGS("ResourceSlice", cases);
}

/* New ones are refused; those that were there before are not. */
TEST(addresses_of_slices_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { "{}",
          "{'addressType':'IPv6','endpoints':[{'addresses':['2001:DB8::1',"
          "'::ffff:1.2.3.4']}]}",
          "endpoints[0].addresses[0]: IPv6 address \"2001:DB8::1\" should be "
          "in RFC 5952 canonical format (\"2001:db8::1\")\n"
          "endpoints[0].addresses[1]: non-standard IP address "
          "\"::ffff:1.2.3.4\" is invalid: use \"1.2.3.4\"\n" },
        { "{}",
          "{'metadata':{'labels':{'endpointslice.kubernetes.io/managed-by':"
          "'endpointslice-controller.k8s.io'}},'addressType':'IPv6',"
          "'endpoints':[{'addresses':['2001:DB8::1']}]}",
          "" },
    };

    CASE_RUN_WARNINGS("EndpointSlice", cases);
}

TEST(old_labels_of_nodes_are_warned_of)
{
    static const struct builtin_update cases[] = {
        { NULL,
          "{'metadata':{'name':'n'},'handler':'h','scheduling':"
          "{'nodeSelector':{'beta.kubernetes.io/arch':'',"
          "'beta.kubernetes.io/os':'',"
          "'failure-domain.beta.kubernetes.io/region':'',"
          "'failure-domain.beta.kubernetes.io/zone':'',"
          "'beta.kubernetes.io/instance-type':'',"
          "'app.kubernetes.io/created-by':'',"
          "'scheduler.alpha.kubernetes.io/preferAvoidPods':'',"
          "'node-role.kubernetes.io/master':''}}}",
          "scheduling.nodeSelector: deprecated since v1.14; use "
          "\"kubernetes.io/arch\" instead\n"
          "scheduling.nodeSelector: deprecated since v1.14; use "
          "\"kubernetes.io/os\" instead\n"
          "scheduling.nodeSelector: deprecated since v1.17; use "
          "\"topology.kubernetes.io/region\" instead\n"
          "scheduling.nodeSelector: deprecated since v1.17; use "
          "\"topology.kubernetes.io/zone\" instead\n"
          "scheduling.nodeSelector: deprecated since v1.17; use "
          "\"node.kubernetes.io/instance-type\" instead\n"
          "scheduling.nodeSelector: deprecated since v1.9\n"
          "scheduling.nodeSelector: deprecated since v1.22; use Taints and "
          "Tolerations instead\n"
          "scheduling.nodeSelector: use "
          "\"node-role.kubernetes.io/control-plane\" instead\n" },
    };

    CASE_RUN_WARNINGS("RuntimeClass", cases);
}
