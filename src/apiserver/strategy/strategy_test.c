/* Tests of strategies: kinds that Kubernetes does not know go through every
 * verb. */

#include "widgets.h"

#include "schema/at.h"

static const struct yl_strategy own = { WIDGETS_STRATEGY };
static const struct yl_strategy nothing = { .flags = 0 };

static void
open_widgets(const struct yl_strategy *strategy)
{
    verb_open();
    widgets_add(strategy);
}

static void
close_widgets(void)
{
    rig_close();
    widgets_release();
}

/* What is so for every strategy. */
static void
go_through_the_verbs(void)
{
    struct rig_watch watch;

    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "WidgetList");
    says("/items", "[]");
    assert_int_equal(rig_watch_open(&watch, WIDGETS "?watch=true"), 200);

    ask(201, "POST", WIDGETS "?dryRun=All", "{'metadata':{'name':'a'}}");
    ask(404, "GET", WIDGETS "/a", NULL);
    ask(201, "POST", WIDGETS,
        "{'apiVersion':'example.com/v1','kind':'Widget','metadata':"
        "{'name':'a','labels':{'l':'v'}},'spec':{'replicas':3,'huh':1,"
        "'parts':[{'name':'x','weight':1}]}}");
    assert_true(warned("unknown field \\\"spec.huh\\\""));
    says("/kind", "Widget");
    says("/apiVersion", "example.com/v1");
    says("/spec/replicas", "3");
    says("/spec/huh", "");
    assert_int_equal(strlen(text_at("/metadata/uid")), 36);
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    says("/object/metadata/name", "a");
    ask(409, "POST", WIDGETS, "{'metadata':{'name':'a'}}");
    ask(422, "POST", WIDGETS, "{'metadata':{'name':'a/b'}}");
    ask(400, "POST", WIDGETS, "{'kind':'Gadget','metadata':{'name':'b'}}");
    ask(201, "POST", WIDGETS, "{'metadata':{'generateName':'g-'}}");

    ask(200, "GET", WIDGETS "/a", NULL);
    says("/metadata/labels/l", "v");
    ask(200, "GET", WIDGETS "?labelSelector=l%3Dv", NULL);
    says("/items/0/metadata/name", "a");
    says("/items/1", "");

    ask(200, "PUT", WIDGETS "/a",
        "{'metadata':{'name':'a','labels':{'l':'w'}},'spec':{'replicas':4,"
        "'parts':[{'name':'x','weight':1}]}}");
    says("/metadata/labels/l", "w");
    says("/spec/replicas", "4");
    ask(409, "PUT", WIDGETS "/a",
        "{'metadata':{'name':'a','resourceVersion':'1'}}");
    ask(404, "PUT", WIDGETS "/none", "{'metadata':{'name':'none'}}");

    patch(200, "merge", WIDGETS "/a", "{'spec':{'replicas':5}}");
    says("/spec/replicas", "5");
    patch(200, "json", WIDGETS "/a",
          "[{'op':'replace','path':'/spec/replicas','value':6}]");
    says("/spec/replicas", "6");
    patch(200, "strategic-merge", WIDGETS "/a",
          "{'spec':{'parts':[{'name':'y'}]}}");
    says("/spec/parts/1/name", "x");

    patch(200, "merge", WIDGETS "/a/status", "{'status':{'replicas':2}}");
    says("/status/replicas", "2");
    ask(200, "GET", WIDGETS "/a/status", NULL);
    says("/spec/replicas", "6");

    ask(200, "GET", WIDGETS "/a/scale", NULL);
    says("/kind", "Scale");
    says("/spec/replicas", "6");
    says("/status/replicas", "2");
    ask(200, "PUT", WIDGETS "/a/scale",
        "{'metadata':{'name':'a'},'spec':{'replicas':7}}");
    says("/spec/replicas", "7");
    patch(200, "merge", WIDGETS "/a/scale", "{'spec':{'replicas':8}}");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/replicas", "8");
    says("/spec/parts/1/name", "x");

    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    ask(200, "GET", WIDGETS, NULL);
    says("/kind", "Table");
    says("/rows/0/cells/0", "a");
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/kind", "PartialObjectMetadata");
    says("/spec", "");
    rig.headers = "accept: application/yaml\r\n";
    ask(200, "GET", WIDGETS, NULL);

    ask(200, "GET", WIDGETS_BETA "/a", NULL);
    says("/apiVersion", "example.com/v1beta1");
    ask(200, "GET", WIDGETS_BETA, NULL);
    says("/apiVersion", "example.com/v1beta1");
    says("/items/0/apiVersion", "");

    patch(200, "merge", WIDGETS "/a",
          "{'metadata':{'finalizers':['x.y/z']}}");
    ask(200, "DELETE", WIDGETS "/a", NULL);
    assert_int_equal(strlen(text_at("/metadata/deletionTimestamp")), 20);
    patch(200, "merge", WIDGETS "/a", "{'metadata':{'finalizers':null}}");
    ask(404, "GET", WIDGETS "/a", NULL);
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'b'}}");
    ask(200, "DELETE", WIDGETS "/b", NULL);
    says("/status", "Success");
    ask(200, "DELETE", WIDGETS, NULL);
    ask(200, "GET", WIDGETS, NULL);
    says("/items", "[]");
    rig_watch_close(&watch);
}

TEST(a_kind_with_its_own_strategy_has_every_verb)
{
    open_widgets(&own);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_kind_with_an_empty_strategy_has_every_verb)
{
    open_widgets(&nothing);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_kind_without_a_strategy_has_every_verb)
{
    open_widgets(NULL);
    go_through_the_verbs();
    close_widgets();
}

TEST(a_strategy_says_how_its_kind_behaves)
{
    open_widgets(&own);
    ask(201, "POST", WIDGETS, "{'metadata':{'name':'a'},'status':"
        "{'phase':'Mine'}}");
    says("/spec/color", "red");
    says("/metadata/generation", "1");
    says("/status/phase", "New");
    ask(422, "POST", WIDGETS,
        "{'metadata':{'name':'b'},'spec':{'color':'none'}}");
    says("/message", "Widget.example.com \"b\" is invalid: spec.color: "
         "Required value: it must have one");
    patch(200, "merge", WIDGETS "/a", "{'spec':{'color':'pink'},"
          "'status':{'phase':'Mine'}}");
    assert_true(warned("pink is out of fashion"));
    says("/metadata/generation", "2");
    says("/status/phase", "New");
    patch(200, "merge", WIDGETS "/a/status",
          "{'spec':{'color':'blue'},'status':{'labels':'l=v'}}");
    says("/spec/color", "pink");
    says("/metadata/generation", "2");
    ask(200, "GET", WIDGETS "/a/scale", NULL);
    says("/status/selector", "l=v");
    close_widgets();
}

TEST(a_strategy_converts_between_versions)
{
    struct rig_watch watch;

    open_widgets(&own);
    assert_int_equal(rig_watch_open(&watch, WIDGETS_BETA "?watch=true"), 200);
    ask(201, "POST", WIDGETS_BETA,
        "{'metadata':{'name':'a'},'spec':{'count':3}}");
    says("/apiVersion", "example.com/v1beta1");
    says("/spec/count", "3");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    says("/object/spec/count", "3");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/replicas", "3");
    says("/spec/count", "");
    patch(200, "merge", WIDGETS_BETA "/a", "{'spec':{'count':4}}");
    says("/spec/count", "4");
    ask(200, "GET", WIDGETS_BETA, NULL);
    says("/items/0/spec/count", "4");
    ask(400, "POST", WIDGETS_BETA,
        "{'apiVersion':'example.com/v1','metadata':{'name':'b'}}");
    tells("does not match the expected API version");
    rig_watch_close(&watch);
    close_widgets();
}
