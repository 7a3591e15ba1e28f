/* Tests of escalation: nobody gives away what he has not got. */

#include "auth_rig.h"

#define ROLES RBAC "/namespaces/default/roles"
#define BINDINGS RBAC "/namespaces/default/rolebindings"
#define REF "'apiGroup':'rbac.authorization.k8s.io'"

/* Bob may write roles and bindings, and get ConfigMaps. */
static void
open_for_bob(const char *more)
{
    struct yl_arena *arena = yl_arena_new();

    auth_open();
    let_bob(yl_arena_printf(
        arena, "[{'verbs':['get','create','update','patch'],'apiGroups':["
        "'rbac.authorization.k8s.io'],'resources':['roles','rolebindings']},"
        "{'verbs':['get'],'apiGroups':[''],'resources':['configmaps']}%s]",
        more));
    assert_int_equal(as("root", "POST", ROLES,
                        "{'metadata':{'name':'big'},'rules':[{'verbs':["
                        "'get'],'apiGroups':[''],'resources':['secrets']}]}"),
                     201);
    yl_arena_free(arena);
}

TEST(a_role_gives_only_what_its_writer_has)
{
    open_for_bob("");
    assert_int_equal(as("bob", "POST", ROLES,
                        "{'metadata':{'name':'x'},'rules':[{'verbs':['get'],"
                        "'apiGroups':[''],'resources':['configmaps']}]}"),
                     201);
    assert_int_equal(as("bob", "POST", ROLES,
                        "{'metadata':{'name':'y'},'rules':[{'verbs':['get'],"
                        "'apiGroups':[''],'resources':['configmaps',"
                        "'secrets']}]}"), 403);
    assert_string_equal(text_at("/message"),
                        "roles.rbac.authorization.k8s.io \"y\" is forbidden: "
                        "user \"bob\" (groups=[\"dev\" "
                        "\"system:authenticated\"]) is attempting to grant "
                        "RBAC permissions not currently held:\n"
                        "{APIGroups:[\"\"], Resources:[\"secrets\"], "
                        "Verbs:[\"get\"]}");
    assert_int_equal(as("bob", "PUT", ROLES "/x",
                        "{'metadata':{'name':'x'},'rules':[{'verbs':['*'],"
                        "'apiGroups':[''],'resources':['configmaps']}]}"),
                     403);

    /* A change of links alone passes, one of labels does not. */
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(as("bob", "PATCH", ROLES "/big",
                        "{'metadata':{'finalizers':['a/b']}}"), 200);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(as("bob", "PATCH", ROLES "/big",
                        "{'metadata':{'labels':{'a':'b'}}}"), 403);
    auth_close();
}

TEST(escalate_lets_through)
{
    open_for_bob(",{'verbs':['escalate'],'apiGroups':["
                 "'rbac.authorization.k8s.io'],'resources':['roles'],"
                 "'resourceNames':['big']}");
    assert_int_equal(as("bob", "PUT", ROLES "/big",
                        "{'metadata':{'name':'big'},'rules':[{'verbs':["
                        "'get','list'],'apiGroups':[''],'resources':["
                        "'secrets']}]}"), 200);
    assert_int_equal(as("root", "DELETE", ROLES "/big", NULL), 200);

    /* A new object has no name yet as far as this right goes. */
    assert_int_equal(as("bob", "POST", ROLES,
                        "{'metadata':{'name':'big'},'rules':[{'verbs':["
                        "'get'],'apiGroups':[''],'resources':['secrets']}]}"),
                     403);
    auth_close();
}

TEST(a_binding_gives_only_what_its_writer_has)
{
    open_for_bob(",{'verbs':['bind'],'apiGroups':["
                 "'rbac.authorization.k8s.io'],'resources':['clusterroles'],"
                 "'resourceNames':['view']}");
    assert_int_equal(as("bob", "POST", BINDINGS,
                        "{'metadata':{'name':'b1'},'roleRef':{" REF ","
                        "'kind':'Role','name':'big'}}"), 403);
    tells("rolebindings.rbac.authorization.k8s.io \"b1\" is forbidden: user "
          "\"bob\" (groups=[\"dev\" \"system:authenticated\"]) is attempting "
          "to grant RBAC permissions not currently held:\n"
          "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
    assert_int_equal(as("bob", "POST", BINDINGS,
                        "{'metadata':{'name':'b2'},'roleRef':{" REF ","
                        "'kind':'Role','name':'none'}}"), 404);
    assert_string_equal(text_at("/message"),
                        "rolebindings.rbac.authorization.k8s.io \"none\" not "
                        "found");
    assert_int_equal(as("bob", "POST", BINDINGS,
                        "{'metadata':{'name':'b3'},'roleRef':{" REF ","
                        "'kind':'Role','name':'bob'}}"), 201);
    assert_int_equal(as("bob", "POST", BINDINGS,
                        "{'metadata':{'name':'b4'},'roleRef':{" REF ","
                        "'kind':'ClusterRole','name':'view'}}"), 201);
    assert_int_equal(as("bob", "POST", BINDINGS,
                        "{'metadata':{'name':'b5'},'roleRef':{" REF ","
                        "'kind':'Hat','name':'view'}}"), 500);
    assert_string_equal(text_at("/message"),
                        "unsupported role reference kind: \"Hat\"");
    assert_int_equal(as("root", "POST", BINDINGS,
                        "{'metadata':{'name':'b5'},'roleRef':{" REF ","
                        "'kind':'Hat','name':'view'}}"), 422);
    auth_close();
}

TEST(aggregation_needs_everything)
{
    auth_open();
    assert_int_equal(as("root", "POST", RBAC "/clusterroles",
                        "{'metadata':{'name':'w'},'rules':[{'verbs':["
                        "'create'],'apiGroups':['rbac.authorization.k8s.io'],"
                        "'resources':['clusterroles']}]}"), 201);
    assert_int_equal(as("root", "POST", RBAC "/clusterrolebindings",
                        "{'metadata':{'name':'w'},'roleRef':{" REF ","
                        "'kind':'ClusterRole','name':'w'},'subjects':[{"
                        "'kind':'Group','name':'dev'," REF "}]}"), 201);
    assert_int_equal(as("bob", "POST", RBAC "/clusterroles",
                        "{'metadata':{'name':'a'},'aggregationRule':{"
                        "'clusterRoleSelectors':[{'matchLabels':{'a':'b'}}]},"
                        "'rules':[]}"), 403);
    assert_string_equal(text_at("/message"),
                        "clusterroles.rbac.authorization.k8s.io \"a\" is "
                        "forbidden: must have cluster-admin privileges to "
                        "use the aggregationRule");
    assert_int_equal(as("root", "POST", BINDINGS,
                        "{'metadata':{'name':'lost'},'roleRef':{" REF ","
                        "'kind':'Role','name':'none'},'subjects':[{"
                        "'kind':'User','name':'bob'," REF "}]}"), 201);
    auth_close();
}

TEST(missing_roles_are_told)
{
    open_for_bob("");
    assert_int_equal(as("root", "POST", BINDINGS,
                        "{'metadata':{'name':'lost'},'roleRef':{" REF ","
                        "'kind':'Role','name':'none'},'subjects':[{"
                        "'kind':'User','name':'bob'," REF "}]}"), 201);
    assert_int_equal(as("bob", "POST", ROLES,
                        "{'metadata':{'name':'y'},'rules':[{'verbs':['get'],"
                        "'apiGroups':[''],'resources':['secrets']}]}"), 403);
    tells("roles.rbac.authorization.k8s.io \"y\" is forbidden: user \"bob\" "
          "(groups=[\"dev\" \"system:authenticated\"]) is attempting to "
          "grant RBAC permissions not currently held:\n"
          "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}; "
          "resolution errors: [role.rbac.authorization.k8s.io \"none\" not "
          "found]");
    auth_close();
}

/* A rule that nothing asks for, of six megabytes once its aliases are
 * followed, in front of one that allows everything. */
TEST(large_rules_hide_no_others)
{
    struct yl_buf body;
    char large[40001];
    int i;

    open_for_bob(",{'verbs':['large'],'apiGroups':['*'],'resources':['*']}");
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    yl_buf_init(&body, 1 << 20);
    yl_buf_printf(&body, "metadata: {name: x}\nrules:\n- verbs: [large]\n  "
                         "apiGroups: [g]\n  resources: [&a %s", large);
    for (i = 0; i < 150; i++) {
        yl_buf_append_c(&body, ", *a");
    }
    yl_buf_append_c(&body, "]\n- {verbs: ['*'], apiGroups: ['*'], resources: "
                           "['*']}\n");
    rig.content_type = "application/yaml";
    rig.headers = "authorization: Bearer bob\r\n";
    assert_int_equal(api("POST", ROLES, yl_buf_c_str(&body)), 403);
    tells("roles.rbac.authorization.k8s.io \"x\" is forbidden: user \"bob\" "
          "(groups=[\"dev\" \"system:authenticated\"]) is attempting to "
          "grant RBAC permissions not currently held:\n"
          "{APIGroups:[\"*\"], Resources:[\"*\"], Verbs:[\"*\"]}");
    yl_buf_release(&body);
    auth_close();
}
