/* Tests of the filter that asks whether they may. */

#include "auth_rig.h"

TEST(what_is_not_allowed_is_answered_403)
{
    static const struct {
        const char *user, *method, *path, *message;
    } cases[] = {
        { "bob", "GET", "/api/v1/namespaces/d/pods",
          "pods is forbidden: User \"bob\" cannot list resource \"pods\" in "
          "API group \"\" in the namespace \"d\"" },
        { "bob", "DELETE", "/apis/apps/v1/namespaces/d/deployments/w",
          "deployments.apps \"w\" is forbidden: User \"bob\" cannot delete "
          "resource \"deployments\" in API group \"apps\" in the namespace "
          "\"d\"" },
        { "bob", "GET", "/api/v1/namespaces/d/pods/p/log",
          "pods \"p\" is forbidden: User \"bob\" cannot get resource "
          "\"pods/log\" in API group \"\" in the namespace \"d\"" },
        { "bob", "GET", "/api/v1/nodes",
          "nodes is forbidden: User \"bob\" cannot list resource \"nodes\" "
          "in API group \"\" at the cluster scope" },
        { NULL, "GET", "/metrics",
          "forbidden: User \"system:anonymous\" cannot get path "
          "\"/metrics\"" },
        { NULL, "POST", "/%3Cb%3E&",
          "forbidden: User \"system:anonymous\" cannot post path "
          "\"/&lt;b&gt;&amp;\"" },
    };
    size_t i;

    auth_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(as(cases[i].user, cases[i].method, cases[i].path,
                            NULL), 403);
        assert_string_equal(text_at("/message"), cases[i].message);
    }
    assert_int_equal(as(NULL, "GET", "/version", NULL), 200);
    auth_close();
}

TEST(a_role_counts_at_once)
{
    auth_open();
    let_bob("[{'verbs':['list'],'apiGroups':[''],'resources':['pods']}]");
    assert_int_equal(as("bob", "GET", "/api/v1/namespaces/default/pods",
                        NULL), 200);
    assert_int_equal(as("bob", "GET", "/api/v1/namespaces/kube-system/pods",
                        NULL), 403);
    assert_int_equal(as("root", "DELETE",
                        RBAC "/namespaces/default/roles/bob", NULL), 200);
    assert_int_equal(as("bob", "GET", "/api/v1/namespaces/default/pods",
                        NULL), 403);
    tells("pods is forbidden: User \"bob\" cannot list resource \"pods\" in "
          "API group \"\" in the namespace \"default\": RBAC: "
          "role.rbac.authorization.k8s.io \"bob\" not found");
    auth_close();
}

TEST(a_put_that_creates_needs_create)
{
    static const char lease[] = "/apis/coordination.k8s.io/v1/namespaces/"
                                "default/leases/l";

    auth_open();
    let_bob("[{'verbs':['update'],'apiGroups':['coordination.k8s.io'],"
            "'resources':['leases']}]");
    assert_int_equal(as("bob", "PUT", lease, "{'metadata':{'name':'l'}}"),
                     403);
    assert_string_equal(text_at("/message"),
                        "leases.coordination.k8s.io \"l\" is forbidden: "
                        "User \"bob\" cannot create resource \"leases\" in "
                        "API group \"coordination.k8s.io\" in the namespace "
                        "\"default\"");
    let_bob("[{'verbs':['update','create'],'apiGroups':["
            "'coordination.k8s.io'],'resources':['leases']}]");
    assert_int_equal(as("bob", "PUT", lease, "{'metadata':{'name':'l'}}"),
                     201);
    auth_close();
}
