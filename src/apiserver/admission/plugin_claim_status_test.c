/* Tests of who may write which part of a ResourceClaim's status, through the
 * whole server. */

#include "auth_rig.h"

#define CLAIMS "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"
#define STATUS CLAIMS "/a/status"
#define REF "'apiGroup':'rbac.authorization.k8s.io'"

#define ALLOCATION(MORE)                                                      \
    "{'status':{'allocation':{'devices':{'results':[{'request':'r','driver':" \
    "'a.b','pool':'p','device':'d'" MORE "}]},'nodeSelector':{"               \
    "'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':" \
    "'In','values':['n']}]}]}}}}"
#define DEVICES                                                               \
    "{'status':{'devices':[{'driver':'a.b','pool':'p','device':'d'}]}}"

/* Lets Bob do so. */
static void
give(const char *verb, const char *resource, const char *name)
{
    struct yl_arena *arena = yl_arena_new();

    assert_int_equal(
        as("root", "POST", RBAC "/clusterroles",
           yl_arena_printf(arena, "{'metadata':{'name':'%s'},'rules':[{"
                           "'verbs':['%s'],'apiGroups':['resource.k8s.io'],"
                           "'resources':['resourceclaims/%s']}]}", name, verb,
                           resource)), 201);
    assert_int_equal(
        as("root", "POST", RBAC "/clusterrolebindings",
           yl_arena_printf(arena, "{'metadata':{'name':'%s'},'roleRef':{"
                           "'kind':'ClusterRole','name':'%s'," REF "},"
                           "'subjects':[{'kind':'User','name':'bob'," REF
                           "}]}", name, name)), 201);
    yl_arena_free(arena);
}

static void
open_rig(void)
{
    auth_open();
    give("patch", "status", "status");
    assert_int_equal(
        as("root", "POST", CLAIMS,
           "{'metadata':{'name':'a'},'spec':{'devices':{'requests':[{'name':"
           "'r','exactly':{'deviceClassName':'c'}}]}}}"), 201);
}

static int
patch(const char *user, const char *body)
{
    rig.content_type = "application/merge-patch+json";
    return as(user, "PATCH", STATUS, body);
}

TEST(who_allocates_must_be_allowed_to_bind)
{
    open_rig();
    assert_int_equal(patch("bob", ALLOCATION("")), 422);
    assert_string_equal(
        text_at("/details/causes/0/message"),
        "Forbidden: changing status.allocation or status.reservedFor requires "
        "resource=\"resourceclaims/binding\", verb=\"patch\" "
        "permission: resourceclaims.resource.k8s.io is forbidden: User "
        "\"bob\" cannot patch resource \"resourceclaims/binding\" in "
        "API group \"resource.k8s.io\" at the cluster scope");
    assert_int_equal(patch("bob", "{'metadata':{'labels':{'a':'b'}}}"), 200);
    give("patch", "binding", "bind");
    assert_int_equal(patch("bob", ALLOCATION(",'adminAccess':true")), 422);
    assert_string_equal(text_at("/details/causes/0/field"),
                        "status.allocation.devices.results[0].adminAccess");
    assert_int_equal(patch("bob", ALLOCATION("")), 200);
    auth_close();
}

TEST(who_reports_on_devices_must_speak_for_their_driver)
{
    open_rig();
    assert_int_equal(patch("root", ALLOCATION("")), 200);
    assert_int_equal(patch("bob", DEVICES), 422);
    assert_string_equal(
        text_at("/details/causes/0/message"),
        "Forbidden: changing status.devices requires "
        "resource=\"resourceclaims/driver\", "
        "verb=\"[arbitrary-node:patch]\" permission: "
        "resourceclaims.resource.k8s.io \"a.b\" is forbidden: User "
        "\"bob\" cannot arbitrary-node:patch resource "
        "\"resourceclaims/driver\" in API group \"resource.k8s.io\" "
        "in the namespace \"default\"");
    give("arbitrary-node:patch", "driver", "drive");
    assert_int_equal(patch("bob", DEVICES), 200);
    assert_int_equal(patch("bob", "{'status':{'devices':null}}"), 200);
    auth_close();
}
