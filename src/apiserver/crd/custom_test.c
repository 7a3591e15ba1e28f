/* Tests of custom kinds: their objects go through every verb. */

#include "apiserver/crd/custom.h"

#include "crd_rig.h"

#define WIDGETS CUSTOM "widgets"

static void
open_widgets(void)
{
    verb_open();
    crd_create("widgets.example.com", CRD_WIDGETS);
}

TEST(objects_go_through_every_verb)
{
    struct rig_watch watch;

    open_widgets();
    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "WidgetList");
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'spec':{'color':'red'}}");
    says("/apiVersion", "example.com/v1");
    says("/metadata/generation", "1");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    says("/object/spec/color", "red");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/color", "red");
    patch(200, "merge", WIDGETS "/a", "{'spec':{'color':'blue'}}");
    says("/metadata/generation", "2");
    patch(200, "json", WIDGETS "/a",
          "[{'op':'replace','path':'/spec/color','value':'green'}]");
    says("/spec/color", "green");
    ask(422, "PUT", WIDGETS "/a", "{'apiVersion':'example.com/v1','kind':"
        "'Widget','metadata':{'name':'a'},'spec':{'color':'x'}}");
    ask(200, "DELETE", WIDGETS "/a", NULL);
    ask(404, "GET", WIDGETS "/a", NULL);
    ask(200, "DELETE", WIDGETS, NULL);
    rig_watch_close(&watch);
    rig_close();
}

TEST(objects_are_pruned_and_get_defaults)
{
    open_widgets();
    ask(201, "POST", WIDGETS,
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':"
        "{'name':'a','huh':1},'spec':{'huh':1,'color':null},'more':{}}");
    says("/spec/size", "3");
    says("/spec/huh", "");
    says("/spec/color", "");
    says("/more", "");
    assert_true(warned("unknown field \\\"metadata.huh\\\""));
    assert_true(warned("unknown field \\\"spec.huh\\\""));
    ask(400, "POST", WIDGETS "?fieldValidation=Strict",
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':"
        "{'name':'b'},'spec':{'huh':1}}");
    rig_close();
}

TEST(objects_are_validated)
{
    open_widgets();
    ask(422, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'spec':{'size':0}}");
    says("/details/causes/0/field", "spec.size");
    ask(422, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'A'}}");
    says("/details/causes/0/field", "metadata.name");
    ask(400, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a','labels':1}}");
    rig_close();
}

TEST(status_has_its_own_path)
{
    open_widgets();
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'status':{'phase':'x'}}");
    says("/status", "");
    patch(200, "merge", WIDGETS "/a/status",
          "{'metadata':{'labels':{'l':'v'}},'spec':{'color':'red'},"
          "'status':{'phase':'y'}}");
    says("/status/phase", "y");
    says("/spec/color", "");
    says("/metadata/labels", "");
    says("/metadata/generation", "1");
    patch(200, "merge", WIDGETS "/a", "{'status':{'phase':'z'}}");
    says("/status/phase", "y");
    says("/metadata/generation", "1");
    patch(200, "merge", WIDGETS "/a", "{'spec':{}}");
    says("/metadata/generation", "2");
    rig_close();
}

TEST(initial_events_end_with_a_bookmark)
{
    struct rig_watch watch;

    verb_open();
    crd_create("widgets.example.com", CRD_WIDGETS);
    assert_int_equal(rig_watch_open(&watch, CUSTOM "widgets?watch=1"
                                    "&allowWatchBookmarks=1&sendInitialEvents"
                                    "=1&resourceVersionMatch=NotOlderThan"),
                     200);
    assert_string_equal(rig_watch_next(&watch), "BOOKMARK");
    says("/object/kind", "Widget");
    assert_non_null(memmem(rig.body.data, rig.body.size,
                           "\"k8s.io/initial-events-end\":\"true\"", 34));
    rig_watch_close(&watch);
    rig_close();
}
