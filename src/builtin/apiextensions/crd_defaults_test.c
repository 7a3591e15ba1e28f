/* Tests of the defaults of CustomResourceDefinitions, and of what the server
 * sets in them. */

#include "builtin_case.h"

static const struct yl_builtin *
v1beta1(void)
{
    return yl_builtin_find(YL_STR("apiextensions.k8s.io"), YL_STR("v1beta1"),
                           YL_STR("CustomResourceDefinition"));
}

/* 'json' in v1beta1 with its defaults must be 'want'. */
static void
check_v1beta1(const char *json, const char *want)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = case_parse(arena, json);

    yl_builtin_default(v1beta1(), arena, object);
    CASE_IS(object, want);
    yl_builtin_default(v1beta1(), arena, object);
    CASE_IS(object, want);
    yl_arena_free(arena);
}

#define SPEC(VERSIONS)                                                        \
    "'spec':{'conversion':{'strategy':'None'},'group':'x.io','names':{"       \
    "'kind':'Foo','listKind':'FooList','plural':'foos','singular':'foo'},"    \
    "'scope':'Cluster','versions':[" VERSIONS "]}"
#define V1 "{'name':'v1','served':true,'storage':true}"
#define V2 "{'name':'v2','served':true,'storage':true}"
#define OLD_V1 "{'name':'v1','served':true,'storage':false}"

TEST(v1beta1_says_less)
{
    check_v1beta1("{'spec':{'group':'x.io','version':'v1','names':{"
                  "'plural':'foos','kind':'Foo'}}}",
                  "{'spec':{'conversion':{'strategy':'None'},'group':'x.io',"
                  "'names':{'kind':'Foo','listKind':'FooList','plural':"
                  "'foos','singular':'foo'},'preserveUnknownFields':true,"
                  "'scope':'Namespaced','version':'v1','versions':["
                  V1 "]},'status':{'storedVersions':['v1']}}");
    check_v1beta1("{'spec':{'versions':[" V1 "],'scope':'Cluster',"
                  "'preserveUnknownFields':false,'conversion':{'strategy':"
                  "'Webhook','webhookClientConfig':{'service':{}}}}}",
                  "{'spec':{'conversion':{'conversionReviewVersions':["
                  "'v1beta1'],'strategy':'Webhook','webhookClientConfig':{"
                  "'service':{'port':443}}},'names':{},"
                  "'preserveUnknownFields':false,'scope':'Cluster',"
                  "'version':'v1','versions':[" V1 "]},'status':{"
                  "'storedVersions':['v1']}}");
    check_v1beta1("{}",
                  "{'spec':{'conversion':{'strategy':'None'},'names':{},"
                  "'preserveUnknownFields':true,'scope':'Namespaced'},"
                  "'status':{}}");
}

TEST(a_new_definition_has_no_status_of_its_own)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_builtin *kind = case_kind("CustomResourceDefinition");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'generation':7}," SPEC(V1) ",'status':{"
        "'storedVersions':['v0'],'acceptedNames':{'kind':'x'},"
        "'conditions':[{'type':'Established','status':'True'}]}}");

    yl_builtin_prepare(kind, arena, object);
    CASE_IS(object, "{'metadata':{'generation':1}," SPEC(V1)
                    ",'status':{'storedVersions':['v1']}}");
    object = case_parse(arena, "{}");
    yl_builtin_prepare(kind, arena, object);
    CASE_IS(object, "{'metadata':{'generation':1},'status':{}}");
    yl_arena_free(arena);
}

TEST(an_update_keeps_the_status_and_adds_the_stored_version)
{
    struct yl_arena *arena = yl_arena_new();
    const struct yl_builtin *kind = case_kind("CustomResourceDefinition");
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'generation':7}," SPEC(V1) ",'status':{"
        "'storedVersions':['v1'],'conditions':[]}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'generation':1}," SPEC(OLD_V1 "," V2)
        ",'status':{'storedVersions':['v9']}}");

    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object, "{'metadata':{'generation':8}," SPEC(OLD_V1 "," V2)
                    ",'status':{'conditions':[],'storedVersions':['v1',"
                    "'v2']}}");

    /* The old object is as it was, and the same again changes nothing. */
    CASE_IS(old, "{'metadata':{'generation':7}," SPEC(V1) ",'status':{"
                 "'conditions':[],'storedVersions':['v1']}}");
    object = yl_node_copy(arena, old);
    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object, "{'metadata':{'generation':7}," SPEC(V1) ",'status':{"
                    "'conditions':[],'storedVersions':['v1']}}");
    yl_arena_free(arena);
}

TEST(a_write_to_status_may_change_metadata)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(
        arena, "{'metadata':{'generation':7}," SPEC(V1) ",'status':{}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'labels':{'a':'b'}},'spec':{},'status':{"
        "'storedVersions':['v2']}}");

    yl_builtin_prepare_status(case_kind("CustomResourceDefinition"), arena,
                              object, old);
    CASE_IS(object, "{'metadata':{'generation':7,'labels':{'a':'b'}},"
                    SPEC(V1) ",'status':{'storedVersions':['v2']}}");
    yl_arena_free(arena);
}
