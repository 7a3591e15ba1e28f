/* Tests of updates of Services. */

#include "builtin_case.h"

#define SVC(MORE)                                                             \
    "{'spec':{'ports':[{'port':80}]" MORE "}}"

#define HAS(MORE)                                                             \
    "{'spec':{'type':'NodePort','clusterIP':'10.0.0.1',"                      \
    "'clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4'],"                        \
    "'ipFamilyPolicy':'SingleStack','ports':[{'name':'a','port':80,"          \
    "'nodePort':30001}]" MORE "}}"

#define LB(MORE)                                                              \
    "{'spec':{'type':'LoadBalancer','clusterIP':'10.0.0.1',"                  \
    "'clusterIPs':['10.0.0.1'],'ipFamilies':['IPv4'],"                        \
    "'ports':[{'port':80}]" MORE "}}"

TEST(services_keep_their_first_address)
{
    static const struct builtin_update cases[] = {
        { HAS(""),
          "{'spec':{'type':'NodePort','ports':[{'name':'a','port':81}]}}",
          "" },
        { HAS(""),
          HAS(",'clusterIP':'10.0.0.2'"),
          "spec.clusterIPs[0]: Invalid value: [\"10.0.0.2\"]: may not "
          "change once set\n" },
        { HAS(""),
          HAS(",'clusterIPs':['10.0.0.1','fd00::1'],'ipFamilies':['IPv4',"
              "'IPv6']"),
          "" },
        { HAS(""),
          HAS(",'ipFamilies':['IPv6'],'clusterIP':'fd00::1',"
              "'clusterIPs':['fd00::1']"),
          "spec.clusterIPs[0]: Invalid value: [\"fd00::1\"]: may not change "
          "once set\n"
          "spec.ipFamilies[0]: Invalid value: [\"IPv6\"]: may not change "
          "once set\n" },
        { HAS(",'clusterIPs':['10.0.0.1','fd00::1'],'ipFamilies':['IPv4',"
              "'IPv6'],'ipFamilyPolicy':'PreferDualStack'"),
          HAS(",'ipFamilyPolicy':'PreferDualStack'"),
          "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be "
          "set to 'SingleStack' when releasing the secondary clusterIP\n"
          "spec.ipFamilyPolicy: Invalid value: \"PreferDualStack\": must be "
          "set to 'SingleStack' when releasing the secondary ipFamily\n" },
        { HAS(""), "{'spec':{'type':'ExternalName','externalName':'a'}}", "" },
        { "{'spec':{'type':'ExternalName','externalName':'a'}}", SVC(""), "" },
        { HAS(""),
          "{'spec':{'type':'NodePort','clusterIP':'None',"
          "'ports':[{'port':80}]}}",
          "spec.clusterIPs[0]: Invalid value: [\"None\"]: may not change "
          "once set\n"
          "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to "
          "'None' for NodePort services\n" },
        { "{'spec':{'clusterIP':'None','clusterIPs':['None'],"
          "'ports':[{'port':80}]}}",
          "{'spec':{'clusterIP':'None','clusterIPs':['None'],"
          "'ports':[{'port':81}]}}",
          "" },
    };

    CASE_RUN_UPDATES("Service", cases);
}

TEST(balancers_keep_their_class)
{
    static const struct builtin_update cases[] = {
        { LB(",'loadBalancerClass':'a.b/c'"),
          LB(",'loadBalancerClass':'a.b/d'"),
          "spec.loadBalancerClass: Invalid value: \"a.b/d\": may not change "
          "once set\n" },
        { LB(""),
          LB(",'type':'ClusterIP','loadBalancerClass':'a.b/d'"),
          "spec.loadBalancerClass: Forbidden: may only be used when `type` "
          "is 'LoadBalancer'\n"
          "spec.loadBalancerClass: Forbidden: may only be used when `type` "
          "is 'LoadBalancer'\n" },
        { LB(""),
          LB(",'loadBalancerClass':'a b'"),
          "spec.loadBalancerClass: Invalid value: \"a b\": may not change "
          "once set\n"
          "spec.loadBalancerClass: Invalid value: \"a b\": "
          CASE_NAME_PART "\n"
          "spec.loadBalancerClass: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { LB(",'externalTrafficPolicy':'Local',"
             "'healthCheckNodePort':30005"),
          LB(",'externalTrafficPolicy':'Local'"),
          "" },
        { LB(",'externalTrafficPolicy':'Local',"
             "'healthCheckNodePort':30005"),
          LB(",'externalTrafficPolicy':'Local',"
             "'healthCheckNodePort':30006"),
          "spec.healthCheckNodePort: Forbidden: field is immutable\n" },
    };

    CASE_RUN_UPDATES("Service", cases);
}

TEST(balancers_have_addresses)
{
    static const struct builtin_update cases[] = {
        { LB(""),
          "{'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4',"
          "'ipMode':'VIP'},{'hostname':'a.b'}]}}}",
          "" },
        { SVC(""),
          "{'status':{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}}",
          "status.loadBalancer.ingress: Forbidden: may only be used when "
          "`spec.type` is 'LoadBalancer'\n" },
        { LB(""),
          "{'status':{'loadBalancer':{'ingress':[{'ip':'x','ipMode':'X'},"
          "{'hostname':'1.2.3.4','ipMode':'VIP'},{'hostname':'A'}]}}}",
          "status.loadBalancer.ingress[0].ip: Invalid value: \"x\": must be "
          "a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "status.loadBalancer.ingress[0].ipMode: Unsupported value: \"X\": "
          "supported values: \"Proxy\", \"VIP\"\n"
          "status.loadBalancer.ingress[1].ipMode: Forbidden: may not be "
          "specified when `ip` is not set\n"
          "status.loadBalancer.ingress[1].hostname: Invalid value: "
          "\"1.2.3.4\": must be a DNS name, not an IP address\n"
          "status.loadBalancer.ingress[2].hostname: Invalid value: \"A\": "
          CASE_SUBDOMAIN "\n" },
    };

    CASE_RUN_STATUS("Service", cases);
}

/* What becomes of 'json' as an update of 'old'. */
static struct yl_node *
update(struct yl_arena *arena, const char *old, const char *json)
{
    const struct yl_builtin *kind = case_kind("Service");
    struct yl_node *object = case_parse(arena, json);

    yl_builtin_default(kind, arena, object);
    yl_builtin_prepare_update(kind, arena, object, case_parse(arena, old));
    return object;
}

TEST(what_was_allocated_is_kept)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = update(
        arena, HAS(""),
        "{'spec':{'type':'NodePort','ports':[{'name':'b','port':1},"
        "{'name':'a','port':2}]}}");

    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.1','clusterIPs':["
            "'10.0.0.1'],'externalTrafficPolicy':'Cluster',"
            "'internalTrafficPolicy':'Cluster','ports':[{'name':'b','port':1,"
            "'protocol':'TCP','targetPort':1},{'name':'a','nodePort':30001,"
            "'port':2,'protocol':'TCP','targetPort':2}],"
            "'sessionAffinity':'None','type':'NodePort'},'status':{"
            "'loadBalancer':{}}}");
    object = update(arena, HAS(""),
                    "{'spec':{'type':'NodePort','ports':[{'name':'b','port':1,"
                    "'nodePort':30001},{'name':'a','port':2}]}}");
    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.1','clusterIPs':["
            "'10.0.0.1'],'externalTrafficPolicy':'Cluster',"
            "'internalTrafficPolicy':'Cluster','ports':[{'name':'b',"
            "'nodePort':30001,'port':1,'protocol':'TCP','targetPort':1},{"
            "'name':'a','port':2,'protocol':'TCP','targetPort':2}],"
            "'sessionAffinity':'None','type':'NodePort'},'status':{"
            "'loadBalancer':{}}}");
    object = update(arena, HAS(""), HAS(",'clusterIP':'10.0.0.2'"));
    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.2','clusterIPs':["
            "'10.0.0.2'],'externalTrafficPolicy':'Cluster',"
            "'internalTrafficPolicy':'Cluster','ipFamilies':['IPv4'],"
            "'ipFamilyPolicy':'SingleStack','ports':[{'name':'a',"
            "'nodePort':30001,'port':80,'protocol':'TCP','targetPort':80}],"
            "'sessionAffinity':'None','type':'NodePort'},'status':{"
            "'loadBalancer':{}}}");
    object = update(arena, HAS(""), HAS(",'clusterIP':''"));
    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.1','clusterIPs':["
            "'10.0.0.1'],'externalTrafficPolicy':'Cluster',"
            "'internalTrafficPolicy':'Cluster','ipFamilies':['IPv4'],"
            "'ipFamilyPolicy':'SingleStack','ports':[{'name':'a',"
            "'nodePort':30001,'port':80,'protocol':'TCP','targetPort':80}],"
            "'sessionAffinity':'None','type':'NodePort'},'status':{"
            "'loadBalancer':{}}}");
    yl_arena_free(arena);
}

TEST(what_a_type_does_not_need_goes)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = update(arena, HAS(""),
                                    HAS(",'type':'ExternalName',"
                                        "'internalTrafficPolicy':'Local'"));

    CASE_IS(object,
            "{'metadata':{},'spec':{'ports':[{'name':'a','port':80,"
            "'protocol':'TCP','targetPort':80}],'sessionAffinity':'None',"
            "'type':'ExternalName'},'status':{'loadBalancer':{}}}");
    object = update(arena, HAS(""),
                    HAS(",'type':'ClusterIP','ports':[{'port':80,"
                        "'nodePort':30002}]"));
    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.1','clusterIPs':["
            "'10.0.0.1'],'internalTrafficPolicy':'Cluster','ipFamilies':["
            "'IPv4'],'ipFamilyPolicy':'SingleStack','ports':[{"
            "'nodePort':30002,'port':80,'protocol':'TCP','targetPort':80}],"
            "'sessionAffinity':'None','type':'ClusterIP'},'status':{"
            "'loadBalancer':{}}}");
    object = update(arena,
                    LB(",'allocateLoadBalancerNodePorts':true,"
                       "'loadBalancerClass':'a/b','externalTrafficPolicy':"
                       "'Local','healthCheckNodePort':30005},'status':"
                       "{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}"),
                    LB(",'allocateLoadBalancerNodePorts':true,"
                       "'loadBalancerClass':'a/b','externalTrafficPolicy':"
                       "'Local','healthCheckNodePort':30005,'type':"
                       "'ClusterIP'"));
    CASE_IS(object,
            "{'metadata':{},'spec':{'clusterIP':'10.0.0.1','clusterIPs':["
            "'10.0.0.1'],'internalTrafficPolicy':'Cluster','ipFamilies':["
            "'IPv4'],'ports':[{'port':80,'protocol':'TCP','targetPort':80}],"
            "'sessionAffinity':'None','type':'ClusterIP'},'status':{"
            "'loadBalancer':{}}}");
    yl_arena_free(arena);
}

TEST(an_address_that_is_left_out_is_kept)
{
    static const struct builtin_update cases[] = {
        { HAS(""),
          "{'spec':{'type':'NodePort','clusterIPs':['10.0.0.1'],"
          "'ports':[{'name':'a','port':80}]}}",
          "" },
        { HAS(""), HAS(",'clusterIP':'','clusterIPs':[]"), "" },
    };

    CASE_RUN_UPDATES("Service", cases);
}
