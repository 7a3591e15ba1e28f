/* Tests of NetworkPolicy. */

#include "builtin_case.h"

#define POLICY(MORE)                                                          \
    "{'spec':{'podSelector':{},'ingress':[{" MORE "}]}}"

TEST(policies_get_defaults)
{
    CASE_DEFAULT("NetworkPolicy",
                 "{'spec':{'ingress':[{'ports':[{'port':80}]}]}}",
                 "{'spec':{'ingress':[{'ports':[{'port':80,"
                 "'protocol':'TCP'}]}],'policyTypes':['Ingress']}}");
    CASE_DEFAULT("NetworkPolicy", "{'spec':{'egress':[{}]}}",
                 "{'spec':{'egress':[{}],'policyTypes':['Ingress',"
                 "'Egress']}}");
}

TEST(policies_are_checked)
{
    static const struct builtin_case cases[] = {
        { POLICY("'ports':[{'port':80,'endPort':90},{'port':'http'}],"
                 "'from':[{'podSelector':{},'namespaceSelector':{}},"
                 "{'ipBlock':{'cidr':'10.0.0.0/9',"
                 "'except':['10.1.0.0/16']}}]"),
          "" },
        { POLICY("'ports':[{'protocol':'X','endPort':1},{'port':'http',"
                 "'endPort':1},{'port':0},{'port':2,'endPort':1},"
                 "{'port':'a_'},{'port':1,'endPort':65536}]"),
          "spec.ingress[0].ports[0].protocol: Unsupported value: \"X\": "
          "supported values: \"TCP\", \"UDP\", \"SCTP\"\n"
          "spec.ingress[0].ports[0].endPort: Invalid value: 1: may not be "
          "specified when `port` is not specified\n"
          "spec.ingress[0].ports[1].endPort: Invalid value: 1: may not be "
          "specified when `port` is non-numeric\n"
          "spec.ingress[0].ports[2].port: Invalid value: 0: must be between "
          "1 and 65535, inclusive\n"
          "spec.ingress[0].ports[3].endPort: Invalid value: 2: must be "
          "greater than or equal to `port`\n"
          "spec.ingress[0].ports[4].port: Invalid value: \"a_\": must "
          "contain only alpha-numeric characters (a-z, 0-9), and hyphens "
          "(-)\n"
          "spec.ingress[0].ports[5].endPort: Invalid value: 65536: must be "
          "between 1 and 65535, inclusive\n" },
        { POLICY("'from':[{},{'podSelector':{},"
                 "'ipBlock':{'cidr':'10.0.0.0/8'}},"
                 "{'podSelector':{'matchLabels':{'a b':'c'}}}]"),
          "spec.ingress[0].from[0]: Required value: must specify a peer\n"
          "spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock "
          "and another peer\n"
          "spec.ingress[0].from[2].podSelector.matchLabels: Invalid value: "
          "\"a b\": " CASE_NAME_PART "\n" },
        { POLICY("'from':[{'ipBlock':{}},{'ipBlock':{'cidr':'x'}},"
                 "{'ipBlock':{'cidr':'10.0.0.0/9','except':['10.128.0.0/16',"
                 "'10.0.0.0/8','y','2001:db8::/64']}}]"),
          "spec.ingress[0].from[0].ipBlock.cidr: Required value\n"
          "spec.ingress[0].from[1].ipBlock.cidr: Invalid value: \"x\": must "
          "be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)\n"
          "spec.ingress[0].from[2].ipBlock.except[0]: Invalid value: "
          "\"10.128.0.0/16\": must be a strict subset of `cidr`\n"
          "spec.ingress[0].from[2].ipBlock.except[1]: Invalid value: "
          "\"10.0.0.0/8\": must be a strict subset of `cidr`\n"
          "spec.ingress[0].from[2].ipBlock.except[2]: Invalid value: \"y\": "
          "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)\n"
          "spec.ingress[0].from[2].ipBlock.except[3]: Invalid value: "
          "\"2001:db8::/64\": must be a strict subset of `cidr`\n" },
        { "{'spec':{'policyTypes':['X','Egress'],'egress':[{'to':[{}]}]}}",
          "spec.egress[0].to[0]: Required value: must specify a peer\n"
          "spec.policyTypes[0]: Unsupported value: \"X\": supported values: "
          "\"Ingress\", \"Egress\"\n" },
        { "{'spec':{'policyTypes':['Ingress','Egress','Egress']}}",
          "spec.policyTypes: Invalid value: "
          "[\"Ingress\",\"Egress\",\"Egress\"]: may not specify more than "
          "two policyTypes\n" },
    };

    CASE_RUN("NetworkPolicy", cases);
}

TEST(policies_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { POLICY(""),
          POLICY("'from':[{}]"),
          "spec.ingress[0].from[0]: Required value: must specify a peer\n" },
    };

    CASE_RUN_UPDATES("NetworkPolicy", cases);
}

/* Upstream compares them in the way that tells [] from nothing. */
TEST(an_empty_list_is_a_new_generation)
{
    static const char *const specs[][2] = {
        { "{'spec':{'podSelector':{}}}",
          "{'metadata':{'generation':1},"
          "'spec':{'podSelector':{},'policyTypes':['Ingress']}}" },
        { "{'spec':{'podSelector':{'matchExpressions':[]}}}",
          "{'metadata':{'generation':2},"
          "'spec':{'podSelector':{},'policyTypes':['Ingress']}}" },
    };
    const struct yl_builtin *kind = case_kind("NetworkPolicy");
    size_t i;

    for (i = 0; i < 2; i++) {
        struct yl_arena *arena = yl_arena_new();
        struct yl_node *old = case_parse(arena, "{'metadata':{'generation':1},"
                                                "'spec':{'podSelector':{}}}");
        struct yl_node *object = case_parse(arena, specs[i][0]);

        yl_builtin_default(kind, arena, old);
        yl_builtin_default(kind, arena, object);
        case_empty_out(object);
        yl_builtin_prepare_update(kind, arena, object, old);
        CASE_IS(object, specs[i][1]);
        yl_arena_free(arena);
    }
}
