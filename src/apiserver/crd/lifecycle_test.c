/* Tests of the lifecycle of CRDs. */

#include "apiserver/crd/lifecycle.h"

#include "crd_rig.h"

#define NAME "widgets.example.com"
#define WIDGETS CUSTOM "widgets"
#define WIDGET(NAME)                                                          \
    "{'apiVersion':'example.com/v1','kind':'Widget','metadata':{'name':'"     \
    NAME "'}}"

TEST(a_definition_is_served_when_it_is_established)
{
    verb_open();
    ask(404, "GET", WIDGETS, NULL);
    ask(201, "POST", CRDS, CRD_WIDGETS);
    crd_wait(NAME, "Established", "True");
    ask(200, "GET", WIDGETS, NULL);
    ask(200, "GET", CRDS "/" NAME, NULL);
    says("/status/acceptedNames/listKind", "WidgetList");
    says("/status/conditions/0/type", "NamesAccepted");
    says("/status/conditions/0/reason", "NoConflicts");
    says("/status/conditions/1/reason", "InitialNamesAccepted");
    rig_close();
}

TEST(a_name_has_one_owner_until_it_is_free)
{
    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", CRDS,
        CRD("gadgets", "Widget",
            CRD_VERSION("v1", "'storage':true", CRD_SPEC)));
    crd_wait("gadgets.example.com", "NamesAccepted", "False");
    says("/object/status/conditions/0/reason", "ListKindConflict");
    says("/object/status/conditions/0/message",
         "\"WidgetList\" is already in use");
    says("/object/status/conditions/1/reason", "NotAccepted");
    ask(404, "GET", CUSTOM "gadgets", NULL);
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    crd_wait("gadgets.example.com", "Established", "True");
    ask(200, "GET", CUSTOM "gadgets", NULL);
    rig_close();
}

TEST(a_deletion_removes_the_objects_first)
{
    struct rig_watch watch;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    ask(201, "POST", WIDGETS, WIDGET("a"));
    ask(201, "POST", WIDGETS, WIDGET("held"));
    patch(200, "merge", WIDGETS "/held",
          "{'metadata':{'finalizers':['x.y/z']}}");
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    ask(200, "DELETE", CRDS "/" NAME, NULL);
    says("/metadata/finalizers/0",
         "customresourcecleanup.apiextensions.k8s.io");
    assert_string_equal(rig_watch_next(&watch), "DELETED");
    says("/object/metadata/name", "a");
    assert_string_equal(rig_watch_next(&watch), "MODIFIED");
    ask(403, "POST", WIDGETS, WIDGET("b"));
    tells("widgets.example.com \"b\" is forbidden: create not allowed while "
          "custom resource definition is terminating");
    patch(200, "merge", WIDGETS "/held", "{'metadata':{'finalizers':null}}");
    assert_string_equal(rig_watch_next(&watch), "DELETED");
    crd_wait_gone(NAME);
    rig_watch_close(&watch);
    rig_close();
}

TEST(a_name_comes_back_with_another_scope)
{
    int i;

    verb_open();
    for (i = 0; i < 2; i++) {
        crd_create(NAME, CRD_WIDGETS);
        ask(201, "POST", WIDGETS, WIDGET("a"));
        ask(200, "DELETE", CRDS "/" NAME, NULL);
        crd_wait_gone(NAME);
        crd_create(NAME,
                   "{'apiVersion':'apiextensions.k8s.io/v1','kind':"
                   "'CustomResourceDefinition','metadata':{'name':'" NAME
                   "'},'spec':{'group':'example.com','scope':'Cluster',"
                   "'names':{'plural':'widgets','kind':'Widget'},'versions':["
                   CRD_VERSION("v1", "'storage':true", CRD_SPEC) "]}}");
        ask(200, "GET", "/apis/example.com/v1/widgets", NULL);
        assert_string_equal(text_at("/items/0"), "");
        ask(201, "POST", "/apis/example.com/v1/widgets", WIDGET("a"));
        ask(404, "GET", WIDGETS "/a", NULL);
        ask(200, "DELETE", CRDS "/" NAME, NULL);
        crd_wait_gone(NAME);
    }
    rig_close();
}

TEST(watches_of_a_changed_definition_end)
{
    struct rig_watch watch;

    verb_open();
    crd_create(NAME, CRD_WIDGETS);
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
    patch(200, "merge", CRDS "/" NAME,
          "{'spec':{'names':{'shortNames':['wi']}}}");
    while (!watch.ended) {
        rig_watch_receive(&watch);
    }
    rig_watch_close(&watch);
    rig_close();
}
