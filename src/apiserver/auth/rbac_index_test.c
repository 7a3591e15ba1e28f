/* Tests of RBAC's index: decisions, reasons, aggregation. */

#include "apiserver/auth/rbac_index.h"

#include "apiserver/auth/rbac_aggregate.h"
#include "apiserver/auth/authorize.h"
#include "apiserver/auth/user.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/object.h"

struct fixture {
    struct yl_arena *arena;
    struct yl_rbac_index *index;
};

/* JSON with ' for ". */
static struct yl_object *
object(struct fixture *f, const char *text)
{
    char *json = yl_arena_strdup(f->arena, yl_str_c(text)), *p;
    struct yl_object *made;

    for (p = json; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &made, NULL), 0);
    return made;
}

static void
put(struct fixture *f, enum yl_rbac_kind kind, const char *text)
{
    struct yl_object *made = object(f, text);

    yl_rbac_index_put(f->index, kind, made);
    yl_object_unref(made);
}

static void
fixture_init(struct fixture *f)
{
    f->arena = yl_arena_new();
    f->index = yl_rbac_index_new();
    put(f, YL_RBAC_CLUSTER_ROLE,
        "{'metadata':{'name':'nodes'},'rules':["
        "{'verbs':['list'],'apiGroups':[''],'resources':['nodes']},"
        "{'verbs':['get'],'nonResourceURLs':['/metrics','/reads/*']}]}");
    put(f, YL_RBAC_CLUSTER_ROLE_BINDING,
        "{'metadata':{'name':'crb'},'roleRef':{'kind':'ClusterRole',"
        "'name':'nodes'},'subjects':[{'kind':'User','name':'c'},"
        "{'kind':'Group','name':'g'}]}");
    put(f, YL_RBAC_ROLE,
        "{'metadata':{'name':'r','namespace':'n'},'rules':["
        "{'verbs':['get','list'],'apiGroups':['','apps'],"
        "'resources':['pods','deployments/scale','*/status'],"
        "'resourceNames':['web','']},"
        "{'verbs':['*'],'apiGroups':['*'],'resources':['jobs']}]}");
    put(f, YL_RBAC_ROLE_BINDING,
        "{'metadata':{'name':'rb','namespace':'n'},'roleRef':{'kind':'Role',"
        "'name':'r'},'subjects':[{'kind':'ServiceAccount','name':'sa'},"
        "{'kind':'ServiceAccount','name':'far','namespace':'m'},"
        "{'kind':'Group','name':'g'},{'kind':'User','name':'d'},"
        "{'kind':'User','name':'d'},{'kind':'Odd','name':'d'}]}");
    put(f, YL_RBAC_ROLE_BINDING,
        "{'metadata':{'name':'lost','namespace':'n'},'roleRef':{"
        "'kind':'Role','name':'none'},'subjects':[{'kind':'User',"
        "'name':'m'}]}");
    put(f, YL_RBAC_ROLE_BINDING,
        "{'metadata':{'name':'lost2','namespace':'n'},'roleRef':{"
        "'kind':'ClusterRole','name':'none'},'subjects':[{'kind':'User',"
        "'name':'m'}]}");
    put(f, YL_RBAC_ROLE_BINDING,
        "{'metadata':{'name':'odd','namespace':'n'},'roleRef':{"
        "'kind':'Hat','name':'none'},'subjects':[{'kind':'User',"
        "'name':'o'}]}");
}

static void
fixture_release(struct fixture *f)
{
    yl_rbac_index_free(f->index);
    yl_arena_free(f->arena);
}

struct question {
    const char *user, *group;
    const char *verb, *api_group, *resource, *sub, *namespace_, *name, *path;
};

static void
ask(struct fixture *f, const struct question *q, bool want,
    const char *want_reason)
{
    struct yl_str group = yl_str_c(q->group), reason = yl_str_null();
    const struct yl_user user = {
        .name = yl_str_c(q->user), .groups = &group,
        .n_groups = q->group ? 1 : 0,
    };
    const struct yl_attributes attributes = {
        .user = &user, .verb = yl_str_c(q->verb), .is_resource = !q->path,
        .path = yl_str_c(q->path), .group = yl_str_c(q->api_group),
        .resource = yl_str_c(q->resource), .subresource = yl_str_c(q->sub),
        .namespace_ = yl_str_c(q->namespace_), .name = yl_str_c(q->name),
    };
    bool fast = yl_rbac_index_authorize(f->index, &attributes, NULL, NULL);
    bool slow = yl_rbac_index_authorize(f->index, &attributes, f->arena,
                                        &reason);

    assert_int_equal(fast, slow);
    assert_str_equal(reason, want_reason);
    assert_int_equal(fast, want);
}

TEST(decisions_follow_bindings)
{
    static const char by_cluster[]
        = "RBAC: allowed by ClusterRoleBinding \"crb\" of ClusterRole "
          "\"nodes\" to User \"c\"";
    static const char by_sa[]
        = "RBAC: allowed by RoleBinding \"rb/n\" of Role \"r\" to "
          "ServiceAccount \"sa/n\"";
    static const char by_user[]
        = "RBAC: allowed by RoleBinding \"rb/n\" of Role \"r\" to User "
          "\"d\"";
    static const struct {
        struct question q;
        const char *reason;
    } allowed[] = {
        { { .user = "c", .verb = "list", .resource = "nodes" }, by_cluster },
        { { .user = "c", .verb = "list", .resource = "nodes",
            .namespace_ = "any" }, by_cluster },
        { { .user = "x", .group = "g", .verb = "list", .resource = "nodes" },
          "RBAC: allowed by ClusterRoleBinding \"crb\" of ClusterRole "
          "\"nodes\" to Group \"g\"" },
        { { .user = "c", .verb = "get", .path = "/metrics" }, by_cluster },
        { { .user = "c", .verb = "get", .path = "/reads/x" }, by_cluster },
        { { .user = "c", .verb = "get", .path = "/reads/" }, by_cluster },
        { { .user = "system:serviceaccount:n:sa", .verb = "get",
            .resource = "pods", .namespace_ = "n", .name = "web" }, by_sa },
        { { .user = "system:serviceaccount:m:far", .verb = "get",
            .resource = "pods", .namespace_ = "n", .name = "web" },
          "RBAC: allowed by RoleBinding \"rb/n\" of Role \"r\" to "
          "ServiceAccount \"far/m\"" },
        { { .user = "d", .verb = "list", .resource = "pods",
            .namespace_ = "n" }, by_user },
        { { .user = "d", .verb = "get", .api_group = "apps",
            .resource = "deployments", .sub = "scale", .namespace_ = "n",
            .name = "web" }, by_user },
        { { .user = "d", .verb = "get", .api_group = "apps",
            .resource = "anything", .sub = "status", .namespace_ = "n",
            .name = "web" }, by_user },
        { { .user = "d", .verb = "frob", .api_group = "x", .resource = "jobs",
            .namespace_ = "n", .name = "any" }, by_user },
    };
    static const struct question refused[] = {
        { .user = "x", .verb = "list", .resource = "nodes" },
        { .user = "c", .verb = "get", .resource = "nodes" },
        { .user = "c", .verb = "list", .api_group = "apps",
          .resource = "nodes" },
        { .user = "c", .verb = "list", .resource = "nodes", .sub = "status" },
        { .user = "c", .verb = "get", .path = "/reads" },
        { .user = "c", .verb = "post", .path = "/metrics" },
        { .user = "c", .verb = "get", .path = "/metrics/x" },
        { .user = "d", .verb = "get", .resource = "pods", .namespace_ = "n",
          .name = "db" },
        { .user = "d", .verb = "get", .resource = "pods", .namespace_ = "o",
          .name = "web" },
        { .user = "d", .verb = "get", .resource = "pods", .name = "web" },
        { .user = "d", .verb = "get", .api_group = "apps",
          .resource = "deployments", .namespace_ = "n", .name = "web" },
        { .user = "d", .verb = "get", .path = "/metrics",
          .namespace_ = "n" },
        { .user = "system:serviceaccount:m:sa", .verb = "get",
          .resource = "pods", .namespace_ = "n", .name = "web" },
        { .user = "g", .verb = "list", .resource = "nodes" },
    };
    struct fixture f;
    size_t i;

    fixture_init(&f);
    for (i = 0; i < YL_ARRAY_SIZE(allowed); i++) {
        ask(&f, &allowed[i].q, true, allowed[i].reason);
    }
    for (i = 0; i < YL_ARRAY_SIZE(refused); i++) {
        ask(&f, &refused[i], false, "");
    }
    fixture_release(&f);
}

TEST(missing_roles_are_named)
{
    struct fixture f;

    fixture_init(&f);
    ask(&f, &(struct question) { .user = "m", .verb = "get",
                                 .resource = "x", .namespace_ = "n" }, false,
        "RBAC: [role.rbac.authorization.k8s.io \"none\" not found, "
        "clusterrole.rbac.authorization.k8s.io \"none\" not found]");
    ask(&f, &(struct question) { .user = "o", .verb = "get",
                                 .resource = "x", .namespace_ = "n" }, false,
        "RBAC: unsupported role reference kind: \"Hat\"");
    fixture_release(&f);
}

TEST(objects_come_and_go)
{
    const struct question q = { .user = "c", .verb = "list",
                                .resource = "nodes" };
    struct fixture f;

    fixture_init(&f);
    put(&f, YL_RBAC_CLUSTER_ROLE_BINDING,
        "{'metadata':{'name':'crb'},'roleRef':{'kind':'ClusterRole',"
        "'name':'nodes'},'subjects':[{'kind':'Group','name':'g'}]}");
    ask(&f, &q, false, "");
    put(&f, YL_RBAC_CLUSTER_ROLE_BINDING,
        "{'metadata':{'name':'two'},'roleRef':{'kind':'ClusterRole',"
        "'name':'nodes'},'subjects':[{'kind':'User','name':'c'}]}");
    ask(&f, &q, true, "RBAC: allowed by ClusterRoleBinding \"two\" of "
        "ClusterRole \"nodes\" to User \"c\"");
    yl_rbac_index_remove(f.index, YL_RBAC_CLUSTER_ROLE,
                         yl_key_make(YL_STR(""), YL_STR("nodes")));
    ask(&f, &q, false, "RBAC: clusterrole.rbac.authorization.k8s.io "
        "\"nodes\" not found");
    yl_rbac_index_clear(f.index, YL_RBAC_CLUSTER_ROLE_BINDING);
    ask(&f, &q, false, "");

    /* Those of namespaces stay. */
    ask(&f, &(struct question) { .user = "d", .verb = "list",
                                 .resource = "jobs", .namespace_ = "n" },
        true, "RBAC: allowed by RoleBinding \"rb/n\" of Role \"r\" to User "
        "\"d\"");
    yl_rbac_index_remove(f.index, YL_RBAC_ROLE,
                         yl_key_make(YL_STR("n"), YL_STR("none")));
    fixture_release(&f);
}

TEST(rules_of_a_user_are_listed_once)
{
    struct yl_str groups[] = { YL_STR("g") }, errors;
    const struct yl_user user = { .name = YL_STR("d"), .groups = groups,
                                  .n_groups = 1 };
    const struct yl_user lost = { .name = YL_STR("m") };
    struct yl_policy policy;
    struct fixture f;

    fixture_init(&f);
    policy = yl_rbac_index_rules(f.index, &user, YL_STR("n"), f.arena,
                                 &errors);
    assert_int_equal(policy.n, 4);
    assert_str_equal(policy.all[0].resources.all[0], "nodes");
    assert_str_equal(policy.all[3].resources.all[0], "jobs");
    assert_str_equal(errors, "");
    policy = yl_rbac_index_rules(f.index, &user, YL_STR(""), f.arena,
                                 &errors);
    assert_int_equal(policy.n, 2);
    policy = yl_rbac_index_rules(f.index, &lost, YL_STR("n"), f.arena,
                                 &errors);
    assert_int_equal(policy.n, 0);
    assert_str_equal(errors,
                     "[role.rbac.authorization.k8s.io \"none\" not found, "
                     "clusterrole.rbac.authorization.k8s.io \"none\" not "
                     "found]");
    assert_int_equal(yl_rbac_index_role(f.index, YL_STR("n"), YL_STR("r"),
                                        f.arena, &policy), 0);
    assert_int_equal(policy.n, 2);
    assert_int_equal(yl_rbac_index_role(f.index, YL_STR(""), YL_STR("r"),
                                        f.arena, &policy), YL_ENOTFOUND);
    fixture_release(&f);
}

TEST(many_subjects_and_bindings_are_no_trouble)
{
    struct fixture f;
    struct yl_buf json;
    int i;

    fixture_init(&f);
    yl_buf_init(&json, 16 << 20);
    yl_buf_append_c(&json, "{'metadata':{'name':'wide'},'roleRef':{'kind':"
                           "'ClusterRole','name':'nodes'},'subjects':[");
    for (i = 0; i < 20000; i++) {
        yl_buf_printf(&json, "%s{'kind':'User','name':'u%d'}", i ? "," : "",
                      i % 100);
    }
    yl_buf_append_c(&json, "]}");
    put(&f, YL_RBAC_CLUSTER_ROLE_BINDING, yl_buf_c_str(&json));
    for (i = 0; i < 20000; i++) {
        yl_buf_clear(&json);
        yl_buf_printf(&json, "{'metadata':{'name':'b%d','namespace':'n%d'},"
                      "'roleRef':{'kind':'Role','name':'none'},'subjects':["
                      "{'kind':'Group','name':'all'}]}", i, i % 2);
        put(&f, YL_RBAC_ROLE_BINDING, yl_buf_c_str(&json));
    }
    ask(&f, &(struct question) { .user = "u7", .verb = "list",
                                 .resource = "nodes" }, true,
        "RBAC: allowed by ClusterRoleBinding \"wide\" of ClusterRole "
        "\"nodes\" to User \"u7\"");
    yl_rbac_index_clear(f.index, YL_RBAC_ROLE_BINDING);
    yl_buf_release(&json);
    fixture_release(&f);
}

/* The aggregated role's new rules as JSON; "same" if there are none. */
static struct yl_str
aggregated(struct fixture *f, const char *name)
{
    const struct yl_rbac_cluster_role *roles;
    struct yl_object *made;
    struct yl_str rules;
    size_t n, i;

    roles = yl_rbac_index_cluster_roles(f->index, f->arena, &n);
    for (i = 0; !yl_str_equal_c(yl_object_name(roles[i].object), name); i++) {
        continue;
    }
    assert_true(roles[i].aggregates);
    if (!yl_aggregate(roles, n, i, &made)) {
        return YL_STR("same");
    }
    yl_rbac_index_put(f->index, YL_RBAC_CLUSTER_ROLE, made);
    rules = yl_arena_copy(
        f->arena, yl_json_raw(yl_object_field(made, f->arena, "rules")));
    yl_object_unref(made);
    return rules;
}

TEST(aggregated_roles_are_the_sum_of_others)
{
    struct fixture f;

    fixture_init(&f);
    put(&f, YL_RBAC_CLUSTER_ROLE,
        "{'metadata':{'name':'b','labels':{'to':'view'}},'rules':["
        "{'verbs':['get'],'apiGroups':[''],'resources':['pods']},"
        "{'verbs':['get'],'apiGroups':[''],'resources':['x'],"
        "'resourceNames':['y']}]}");
    put(&f, YL_RBAC_CLUSTER_ROLE,
        "{'metadata':{'name':'a','labels':{'to':'view'}},'rules':["
        "{'verbs':['get'],'nonResourceURLs':['/a']},"
        "{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]}");
    put(&f, YL_RBAC_CLUSTER_ROLE,
        "{'metadata':{'name':'view','labels':{'to':'view'}},"
        "'aggregationRule':{'clusterRoleSelectors':[{'matchLabels':"
        "{'to':'view'}}]},'rules':null}");
    assert_str_equal(aggregated(&f, "view"),
                     "[{\"nonResourceURLs\":[\"/a\"],\"verbs\":[\"get\"]},"
                     "{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],"
                     "\"verbs\":[\"get\"]},"
                     "{\"apiGroups\":[\"\"],\"resourceNames\":[\"y\"],"
                     "\"resources\":[\"x\"],\"verbs\":[\"get\"]}]");
    assert_str_equal(aggregated(&f, "view"), "same");
    yl_rbac_index_remove(f.index, YL_RBAC_CLUSTER_ROLE,
                         yl_key_make(YL_STR(""), YL_STR("a")));
    yl_rbac_index_remove(f.index, YL_RBAC_CLUSTER_ROLE,
                         yl_key_make(YL_STR(""), YL_STR("b")));
    assert_str_equal(aggregated(&f, "view"), "null");
    put(&f, YL_RBAC_CLUSTER_ROLE,
        "{'metadata':{'name':'view'},'aggregationRule':{"
        "'clusterRoleSelectors':[{'matchExpressions':[{'key':'x',"
        "'operator':'Odd'}]}]}}");
    assert_str_equal(aggregated(&f, "view"), "same");
    fixture_release(&f);
}
