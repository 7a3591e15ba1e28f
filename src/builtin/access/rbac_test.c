/* Tests of roles and their bindings. */

#include "builtin_case.h"

#define BIND(MORE)                                                            \
    "{'roleRef':{'kind':'ClusterRole','name':'r'}" MORE "}"

TEST(references_are_to_rbac)
{
    CASE_DEFAULT("RoleBinding",
                 BIND(",'subjects':[{'kind':'User','name':'u'},"
                      "{'kind':'ServiceAccount','name':'s'}]"),
                 "{'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
                 "'kind':'ClusterRole','name':'r'},'subjects':[{"
                 "'apiGroup':'rbac.authorization.k8s.io','kind':'User',"
                 "'name':'u'},{'kind':'ServiceAccount','name':'s'}]}");
}

TEST(rules_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'rules':[{'verbs':['get'],'apiGroups':[''],"
          "'resources':['pods']}]}",
          "" },
        { "{'rules':[{}]}",
          "rules[0].verbs: Required value: verbs must contain at least one "
          "value\n"
          "rules[0].apiGroups: Required value: resource rules must supply "
          "at least one api group\n"
          "rules[0].resources: Required value: resource rules must supply "
          "at least one resource\n" },
        { "{'rules':[{'verbs':['get'],'nonResourceURLs':['/a']}]}",
          "rules[0].nonResourceURLs: Invalid value: [\"/a\"]: namespaced "
          "rules cannot apply to non-resource URLs\n" },
        { "{'rules':[{'verbs':['get'],'nonResourceURLs':['/a'],"
          "'resourceNames':['x']}]}",
          "rules[0].nonResourceURLs: Invalid value: [\"/a\"]: namespaced "
          "rules cannot apply to non-resource URLs\n"
          "rules[0].nonResourceURLs: Invalid value: [\"/a\"]: rules cannot "
          "apply to both regular resources and non-resource URLs\n" },
        { "{'metadata':{'name':'a/b'}}",
          "metadata.name: Invalid value: \"a/b\": may not contain '/'\n" },
        { "{'metadata':{'name':'A:b'}}", "" },
    };

    CASE_RUN("Role", cases);
}

TEST(rules_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { "{}",
          "{'rules':[{'verbs':['get'],'apiGroups':['']}]}",
          "rules[0].resources: Required value: resource rules must supply "
          "at least one resource\n" },
    };

    CASE_RUN_UPDATES("Role", cases);
}

TEST(cluster_roles_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'rules':[{'verbs':['get'],'nonResourceURLs':['/a']}]}", "" },
        { "{'aggregationRule':{}}",
          "aggregationRule.clusterRoleSelectors: Required value: at least "
          "one clusterRoleSelector required if aggregationRule is non-nil\n"
          "" },
        { "{'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':{'a':"
          "'b'}}]}}",
          "" },
        { "{'aggregationRule':{'clusterRoleSelectors':[{'matchExpressions':"
          "[{'key':'a','operator':'X'}]}]}}",
          "aggregationRule.clusterRoleSelectors[0].matchExpressions["
          "0].operator: Invalid value: \"X\": not a valid selector operator\n"
          "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: "
          "invalid label selector.\n" },
    };

    CASE_RUN("ClusterRole", cases);
}

TEST(cluster_roles_are_checked_again)
{
    static const struct builtin_update cases[] = {
        { "{}",
          "{'aggregationRule':{}}",
          "aggregationRule.clusterRoleSelectors: Required value: at least "
          "one clusterRoleSelector required if aggregationRule is non-nil\n"
          "" },
    };

    CASE_RUN_UPDATES("ClusterRole", cases);
}

TEST(bindings_are_checked)
{
    static const struct builtin_case cases[] = {
        { BIND(""), "" },
        { "{}",
          "roleRef.kind: Unsupported value: \"\": supported values: "
          "\"Role\", \"ClusterRole\"\n"
          "roleRef.name: Required value\n" },
        { "{'roleRef':{'apiGroup':'x','kind':'X','name':'a/b'}}",
          "roleRef.apiGroup: Unsupported value: \"x\": supported values: "
          "\"rbac.authorization.k8s.io\"\n"
          "roleRef.kind: Unsupported value: \"X\": supported values: "
          "\"Role\", \"ClusterRole\"\n"
          "roleRef.name: Invalid value: \"a/b\": may not contain '/'\n" },
        { BIND(",'subjects':[{}]"),
          "subjects[0].name: Required value\n"
          "subjects[0].kind: Unsupported value: \"\": supported values: "
          "\"ServiceAccount\", \"User\", \"Group\"\n" },
        { BIND(",'subjects':[{'kind':'ServiceAccount','name':'a "
               "b','apiGroup':'x'}]"),
          "subjects[0].name: Invalid value: \"a b\": " CASE_SUBDOMAIN "\n"
          "subjects[0].apiGroup: Unsupported value: \"x\": supported values: "
          "\"\"\n" },
        { BIND(",'subjects':[{'kind':'ServiceAccount','name':'a'}]"), "" },
        { BIND(",'subjects':[{'kind':'User','name':'a','apiGroup':'x'},"
               "{'kind':'Group','name':'g'}]"),
          "subjects[0].apiGroup: Unsupported value: \"x\": supported "
          "values: \"rbac.authorization.k8s.io\"\n" },
    };

    CASE_RUN("RoleBinding", cases);
}

TEST(cluster_bindings_are_checked)
{
    static const struct builtin_case cases[] = {
        { BIND(",'subjects':[{'kind':'ServiceAccount','name':'a'}]"),
          "subjects[0].namespace: Required value\n" },
        { "{'roleRef':{'kind':'Role','name':'r'}}",
          "roleRef.kind: Unsupported value: \"Role\": supported values: "
          "\"ClusterRole\"\n" },
    };

    CASE_RUN("ClusterRoleBinding", cases);
}

TEST(bindings_keep_their_role)
{
    static const struct builtin_update cases[] = {
        { BIND(""), BIND(",'subjects':[{'kind':'User','name':'a'}]"), "" },
        { BIND(""),
          "{'roleRef':{'kind':'ClusterRole','name':'other'}}",
          "roleRef: Invalid value: {\"APIGroup\":"
          "\"rbac.authorization.k8s.io\",\"Kind\":\"ClusterRole\","
          "\"Name\":\"other\"}: cannot change roleRef\n" },
    };

    CASE_RUN_UPDATES("RoleBinding", cases);
}

TEST(cluster_bindings_keep_their_role)
{
    static const struct builtin_update cases[] = {
        { BIND(""),
          "{'roleRef':{'kind':'ClusterRole','name':'other'}}",
          "roleRef: Invalid value: {\"APIGroup\":"
          "\"rbac.authorization.k8s.io\",\"Kind\":\"ClusterRole\","
          "\"Name\":\"other\"}: cannot change roleRef\n" },
    };

    CASE_RUN_UPDATES("ClusterRoleBinding", cases);
}
