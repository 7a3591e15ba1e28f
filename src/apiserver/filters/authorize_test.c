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

/* The size of the answer to a request for 'before', 60,000 times 'unit' and
 * 'after'. */
static size_t
ask_for_long(const char *user, const char *before, const char *unit,
             const char *after)
{
    struct yl_buf path;

    yl_buf_init(&path, SIZE_MAX);
    yl_buf_append_c(&path, before);
    for (size_t i = 0; i < 60000 / strlen(unit); i++) {
        yl_buf_append_c(&path, unit);
    }
    yl_buf_append_c(&path, after);
    as(user, "GET", yl_buf_c_str(&path), NULL);
    yl_buf_release(&path);
    assert_true(rig.status >= 400 && rig.status != 414);
    return rig.answer.size;
}

/* A client's text is repeated up to 1 KB for each part of a message. */
TEST(long_names_are_not_repeated)
{
    static const char *const units[] = { "a", "\"", "%22", "%01", "<", "%ff" };
    static const char *const places[][2] = {
        { "/", "" },
        { "/api/v1/", "" },
        { "/api/v1/nodes/", "" },
        { "/api/v1/namespaces/", "/pods" },
        { "/api/v1/namespaces/n/pods/", "/log" },
        { "/api/v1/namespaces/n/pods/p/", "" },
        { "/apis/", "/v1/x" },
        { "/apis/x/", "/x" },
        { "/api/v1/pods?labelSelector=", "" },
        { "/api/v1/pods?fieldSelector=", "" },
        { "/api/v1/pods?limit=", "" },
        { "/api/v1/pods?resourceVersion=", "" },
        { "/api/v1/pods?continue=", "" },
        { "/api/v1/pods?timeout=", "" },
    };
    static const char *const users[] = { NULL, "wrong", "bob", "root" };
    size_t n_long = 0;

    auth_open();
    for (size_t u = 0; u < YL_ARRAY_SIZE(units); u++) {
        for (size_t p = 0; p < YL_ARRAY_SIZE(places); p++) {
            for (size_t i = 0; i < YL_ARRAY_SIZE(users); i++) {
                size_t size;

                if (strchr(places[p][0], '?') && units[u][0] == 'a'
                    && i == 3) {
                    continue;   /* That may be fine. */
                }
                size = ask_for_long(users[i], places[p][0], units[u],
                                    places[p][1]);
                if (size > (users[i] ? 16384 : 8192)) {
                    print_error("%s: %s%s...%s: %zu bytes\n",
                                users[i] ? users[i] : "nobody", places[p][0],
                                units[u], places[p][1], size);
                    n_long++;
                }
            }
        }
    }
    assert_int_equal(n_long, 0);
    ask_for_long(NULL, "/", "a", "");
    assert_non_null(strstr(text_at("/message"), "aaa...\""));
    auth_close();
}
