/* Tests of Service. */

#include "builtin_case.h"

#define SVC(MORE) "{'spec':{'ports':[{'port':80}]" MORE "}}"

TEST(services_get_defaults)
{
    CASE_DEFAULT(
        "Service", SVC(""),
        "{'spec':{'internalTrafficPolicy':'Cluster','ports':[{'port':80,"
        "'protocol':'TCP','targetPort':80}],'sessionAffinity':'None',"
        "'type':'ClusterIP'}}");
    CASE_DEFAULT("Service", SVC(",'sessionAffinity':'ClientIP'"),
                 "{'spec':{'internalTrafficPolicy':'Cluster','ports':[{"
                 "'port':80,'protocol':'TCP','targetPort':80}],"
                 "'sessionAffinity':'ClientIP','sessionAffinityConfig':{"
                 "'clientIP':{'timeoutSeconds':10800}},'type':'ClusterIP'}}");
    CASE_DEFAULT("Service", SVC(",'type':'LoadBalancer'"),
                 "{'spec':{'allocateLoadBalancerNodePorts':true,"
                 "'externalTrafficPolicy':'Cluster',"
                 "'internalTrafficPolicy':'Cluster','ports':[{'port':80,"
                 "'protocol':'TCP','targetPort':80}],"
                 "'sessionAffinity':'None','type':'LoadBalancer'}}");
    CASE_DEFAULT("Service",
                 SVC(",'type':'LoadBalancer'},'status':{'loadBalancer':"
                     "{'ingress':[{'ip':'1.2.3.4'},{'hostname':'x'}]}"),
                 "{'spec':{'allocateLoadBalancerNodePorts':true,"
                 "'externalTrafficPolicy':'Cluster',"
                 "'internalTrafficPolicy':'Cluster','ports':[{'port':80,"
                 "'protocol':'TCP','targetPort':80}],"
                 "'sessionAffinity':'None','type':'LoadBalancer'},'status':{"
                 "'loadBalancer':{'ingress':[{'ip':'1.2.3.4','ipMode':'VIP'},"
                 "{'hostname':'x'}]}}}");
}

TEST(services_are_checked)
{
    static const struct builtin_case cases[] = {
        { SVC(""), "" },
        { SVC(",'type':'LoadBalancer','externalTrafficPolicy':'Local'"), "" },
        { "{'spec':{}}", "spec.ports: Required value\n" },
        { "{'spec':{'clusterIP':'None'}}", "" },
        { SVC(",'clusterIP':'None','type':'NodePort'"),
          "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to "
          "'None' for NodePort services\n" },
        { "{'spec':{'type':'ExternalName','ipFamilies':['IPv4'],"
          "'ipFamilyPolicy':'SingleStack','clusterIP':'1.2.3.4'}}",
          "spec.clusterIPs: Forbidden: may not be set for ExternalName "
          "services\n"
          "spec.ipFamilies: Forbidden: may not be set for ExternalName "
          "services\n"
          "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName "
          "services\n"
          "spec.externalName: Required value\n" },
        { "{'spec':{'type':'ExternalName','externalName':'a.b.'}}", "" },
        { "{'spec':{'ports':[{'port':1},{'port':1,'name':'A'}]}}",
          "spec.ports[0].name: Required value\n"
          "spec.ports[1].name: Invalid value: \"A\": " CASE_LABEL "\n"
          "spec.ports[1]: Duplicate value: {\"Name\":\"\","
          "\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":1,"
          "\"TargetPort\":0,\"NodePort\":0}\n" },
        { "{'spec':{'ports':[{'port':1,'name':'a'},{'port':1,'name':'a'}]}}",
          "spec.ports[1].name: Duplicate value: \"a\"\n"
          "spec.ports[1]: Duplicate value: {\"Name\":\"\","
          "\"Protocol\":\"TCP\",\"AppProtocol\":null,\"Port\":1,"
          "\"TargetPort\":0,\"NodePort\":0}\n" },
        { "{'spec':{'type':'NodePort','ports':[{'port':1,'name':'a',"
          "'nodePort':30000},{'port':2,'name':'b','nodePort':30000,"
          "'appProtocol':'a b','targetPort':'x_','protocol':'X'}]}}",
          "spec.ports[1].protocol: Unsupported value: \"X\": supported "
          "values: \"SCTP\", \"TCP\", \"UDP\"\n"
          "spec.ports[1].targetPort: Invalid value: \"x_\": must contain "
          "only alpha-numeric characters (a-z, 0-9), and hyphens (-)\n"
          "spec.ports[1].appProtocol: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { "{'spec':{'ports':[{'port':1,'nodePort':30000}]}}",
          "spec.ports[0].nodePort: Forbidden: may not be used when `type` is "
          "'ClusterIP'\n" },
        { "{'spec':{'type':'NodePort','ports':[{'port':1,'name':'a',"
          "'nodePort':30000},{'port':2,'name':'b','nodePort':30000}]}}",
          "spec.ports[1].nodePort: Duplicate value: 30000\n" },
        { SVC(",'sessionAffinity':'X'"), "spec.sessionAffinity: Unsupported "
          "value: \"X\": supported values: \"ClientIP\", \"None\"\n" },
        { SVC(",'sessionAffinity':'ClientIP','sessionAffinityConfig':"
              "{'clientIP':{'timeoutSeconds':0}}"),
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid "
          "value: 0: must be greater than 0 and less than 86400\n" },
        { SVC(",'clusterIP':'1.2.3.4','clusterIPs':['1.2.3.5']"),
          "spec.clusterIPs: Invalid value: [\"1.2.3.5\"]: first value must "
          "match `clusterIP`\n" },
        { SVC(",'clusterIP':'1.2.3.4','clusterIPs':['1.2.3.4','1.2.3.5','x']"),
          "spec.clusterIPs[2]: Invalid value: \"x\": must be a valid IP "
          "address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "spec.clusterIPs: Invalid value: [\"1.2.3.4\",\"1.2.3.5\",\"x\"]: "
          "may only hold up to 2 values\n" },
        { SVC(",'clusterIP':'1.2.3.4','clusterIPs':['1.2.3.4','1.2.3.5'],"
              "'ipFamilies':['IPv6','IPv6','X'],'ipFamilyPolicy':'Y'"),
          "spec.ipFamilies[1]: Duplicate value: \"IPv6\"\n"
          "spec.ipFamilies[2]: Unsupported value: \"X\": supported values: "
          "\"IPv4\", \"IPv6\"\n"
          "spec.ipFamilyPolicy: Unsupported value: \"Y\": supported values: "
          "\"PreferDualStack\", \"RequireDualStack\", \"SingleStack\"\n"
          "spec.clusterIPs: Invalid value: [\"1.2.3.4\",\"1.2.3.5\"]: may "
          "specify no more than one IP for each IP family\n"
          "spec.clusterIPs[0]: Invalid value: \"1.2.3.4\": expected an IPv6 "
          "value as indicated by `ipFamilies[0]`\n"
          "spec.clusterIPs[1]: Invalid value: \"1.2.3.5\": expected an IPv6 "
          "value as indicated by `ipFamilies[1]`\n" },
        { SVC(",'clusterIP':'None','clusterIPs':['None','1.2.3.5']"),
          "spec.clusterIPs: Invalid value: [\"None\",\"1.2.3.5\"]: 'None' "
          "must be the first and only value\n" },
        { SVC(",'externalIPs':['0.0.0.0','127.0.0.1','169.254.1.1',"
              "'224.0.0.1','::1','x','fe80::1','ff02::1','::']"),
          "spec.externalIPs[0]: Invalid value: \"0.0.0.0\": may not be "
          "unspecified (0.0.0.0)\n"
          "spec.externalIPs[1]: Invalid value: \"127.0.0.1\": may not be in "
          "the loopback range (127.0.0.0/8, ::1/128)\n"
          "spec.externalIPs[2]: Invalid value: \"169.254.1.1\": may not be "
          "in the link-local range (169.254.0.0/16, fe80::/10)\n"
          "spec.externalIPs[3]: Invalid value: \"224.0.0.1\": may not be in "
          "the link-local multicast range (224.0.0.0/24, ff02::/10)\n"
          "spec.externalIPs[4]: Invalid value: \"::1\": may not be in the "
          "loopback range (127.0.0.0/8, ::1/128)\n"
          "spec.externalIPs[5]: Invalid value: \"x\": must be a valid IP "
          "address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "spec.externalIPs[6]: Invalid value: \"fe80::1\": may not be in "
          "the link-local range (169.254.0.0/16, fe80::/10)\n"
          "spec.externalIPs[7]: Invalid value: \"ff02::1\": may not be in "
          "the link-local multicast range (224.0.0.0/24, ff02::/10)\n"
          "spec.externalIPs[8]: Invalid value: \"::\": may not be "
          "unspecified (::)\n" },
        { SVC(",'loadBalancerSourceRanges':[' 10.0.0.0/8 ','x']"),
          "spec.LoadBalancerSourceRanges: Forbidden: may only be used when "
          "`type` is 'LoadBalancer'\n"
          "spec.LoadBalancerSourceRanges[1]: Invalid value: \"x\": must be a "
          "valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)\n" },
        { "{'metadata':{'annotations':{'service.beta.kubernetes.io/"
          "load-balancer-source-ranges':'10.0.0.0/8, x','service.kubernetes."
          "io/topology-mode':'a','service.kubernetes.io/"
          "topology-aware-hints':'b'}},'spec':{'ports':[{'port':1}]}}",
          "metadata.annotations[service.kubernetes.io/topology-mode]: "
          "Invalid value: \"a\": must match annotations["
          "service.kubernetes.io/topology-aware-hints] when both are "
          "specified\n"
          "metadata.annotations["
          "service.beta.kubernetes.io/load-balancer-source-ranges]: "
          "Forbidden: may only be used when `type` is 'LoadBalancer'\n"
          "metadata.annotations["
          "service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid "
          "value: \"x\": must be a valid CIDR value, (e.g. 10.9.8.0/24 or "
          "2001:db8::/64)\n" },
        { SVC(",'allocateLoadBalancerNodePorts':true,'loadBalancerClass':"
              "'x','externalTrafficPolicy':'Local','healthCheckNodePort':1,"
              "'trafficDistribution':'X','internalTrafficPolicy':'Y'"),
          "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used "
          "when `type` is 'LoadBalancer'\n"
          "spec.loadBalancerClass: Forbidden: may only be used when `type` is "
          "'LoadBalancer'\n"
          "spec.externalTrafficPolicy: Invalid value: \"Local\": may only be "
          "set for externally-accessible services\n"
          "spec.healthCheckNodePort: Invalid value: 1: may only be set when "
          "`type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'\n"
          "spec.internalTrafficPolicy: Unsupported value: \"Y\": supported "
          "values: \"Cluster\", \"Local\"\n"
          "spec.trafficDistribution: Unsupported value: \"X\": supported "
          "values: \"PreferClose\", \"PreferSameZone\", "
          "\"PreferSameNode\"\n" },
        { SVC(",'type':'X'"), "spec.type: Unsupported value: \"X\": supported "
          "values: \"ClusterIP\", \"ExternalName\", \"LoadBalancer\", "
          "\"NodePort\"\n" },
    };

    CASE_RUN("Service", cases);
}

TEST(affinity_is_configured_where_there_is_one)
{
    static const struct builtin_case cases[] = {
        { SVC(",'sessionAffinity':'None','sessionAffinityConfig':{"
              "'clientIP':{'timeoutSeconds':1}}"),
          "" },
        { SVC(",'sessionAffinity':'ClientIP','sessionAffinityConfig':{"
              "'clientIP':{'timeoutSeconds':86401}}"),
          "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid "
          "value: 86401: must be greater than 0 and less than 86400\n" },
        { SVC(",'sessionAffinity':'X'"),
          "spec.sessionAffinity: Unsupported value: \"X\": supported values: "
          "\"ClientIP\", \"None\"\n" },
        { SVC(",'clusterIPs':['1.2.3.4']"),
          "spec.clusterIPs: Invalid value: [\"1.2.3.4\"]: must be empty when "
          "`clusterIP` is not specified\n" },
    };

    CASE_RUN("Service", cases);
}
