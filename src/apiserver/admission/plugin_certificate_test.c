/* Tests of who may approve and sign certificates, through the whole server;
 * what subjects may ask for is tested with the other plugins. */

#include "auth_rig.h"
#include "csr.h"

#define CSRS "/apis/certificates.k8s.io/v1/certificatesigningrequests"
#define APPROVAL CSRS "/a/approval"
#define STATUS CSRS "/a/status"
#define REF "'apiGroup':'rbac.authorization.k8s.io'"

#define CONDITION(TYPE)                                                       \
    "{'metadata':{'name':'a'},'status':{'conditions':[{'type':'" TYPE "',"    \
    "'status':'True','reason':'r'}]}}"

/* Bob may update every part of requests, and what 'more' says. */
static void
open_for_bob(const char *more)
{
    struct yl_arena *arena = yl_arena_new();

    auth_open();
    assert_int_equal(
        as("root", "POST", RBAC "/clusterroles",
           yl_arena_printf(arena, "{'metadata':{'name':'bob'},'rules':[{"
                           "'verbs':['get','update','patch'],'apiGroups':["
                           "'certificates.k8s.io'],'resources':["
                           "'certificatesigningrequests/approval',"
                           "'certificatesigningrequests/status']}%s]}", more)),
        201);
    assert_int_equal(
        as("root", "POST", RBAC "/clusterrolebindings",
           "{'metadata':{'name':'bob'},'roleRef':{'kind':'ClusterRole',"
           "'name':'bob'," REF "},'subjects':[{'kind':'User','name':'bob',"
           REF "}]}"), 201);
    assert_int_equal(
        as("root", "POST", CSRS,
           "{'metadata':{'name':'a'},'spec':{'request':'" CSR_REQUEST "',"
           "'signerName':'a.io/b','usages':['any']}}"), 201);
    yl_arena_free(arena);
}

static int
patch_as(const char *user, const char *path, const char *body)
{
    rig.content_type = "application/merge-patch+json";
    return as(user, "PATCH", path, body);
}

TEST(who_approves_must_be_allowed_to_for_the_signer)
{
    open_for_bob(",{'verbs':['sign'],'apiGroups':['certificates.k8s.io'],"
                 "'resources':['signers']},{'verbs':['approve'],'apiGroups':"
                 "['certificates.k8s.io'],'resources':['signers'],"
                 "'resourceNames':['a.io/c','a.io','b.io/*']}");
    assert_int_equal(patch_as("bob", APPROVAL, CONDITION("Approved")), 403);
    assert_string_equal(text_at("/message"),
                        "certificatesigningrequests.certificates.k8s.io \"a\" "
                        "is forbidden: user not permitted to approve requests "
                        "with signerName \"a.io/b\"");
    assert_int_equal(patch_as("bob", APPROVAL "?dryRun=All",
                              CONDITION("Denied")), 403);
    assert_int_equal(patch_as("root", APPROVAL, CONDITION("Approved")), 200);
    auth_close();
}

TEST(rights_are_for_a_signer_or_for_its_domain)
{
    static const char *const names[] = { "a.io/b", "a.io/*" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(names); i++) {
        struct yl_arena *arena = yl_arena_new();

        open_for_bob(yl_arena_printf(
            arena, ",{'verbs':['approve'],'apiGroups':["
            "'certificates.k8s.io'],'resources':['signers'],"
            "'resourceNames':['%s']}", names[i]));
        assert_int_equal(patch_as("bob", APPROVAL, CONDITION("Approved")),
                         200);
        auth_close();
        yl_arena_free(arena);
    }
}

TEST(who_signs_must_be_allowed_to_for_the_signer)
{
    open_for_bob(",{'verbs':['approve'],'apiGroups':['certificates.k8s.io'],"
                 "'resources':['signers']}");
    assert_int_equal(patch_as("bob", STATUS, CONDITION("Failed")), 403);
    assert_string_equal(text_at("/message"),
                        "certificatesigningrequests.certificates.k8s.io \"a\" "
                        "is forbidden: user not permitted to sign requests "
                        "with signerName \"a.io/b\"");

    /* A status without a certificate or a condition concerns no plugin. */
    assert_int_equal(patch_as("bob", STATUS, "{'metadata':{'name':'a'}}"),
                     200);
    assert_int_equal(patch_as("root", STATUS, CONDITION("Failed")), 200);
    auth_close();
}
