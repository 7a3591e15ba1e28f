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
        "{'name':'b','huh':1},'spec':{'huh':1,'size':4,'size':5}}");
    says("/message", "Widget in version \"v1\" cannot be handled as a Widget: "
         "strict decoding error: duplicate field \"spec.size\", unknown field "
         "\"metadata.huh\", unknown field \"spec.huh\"");
    rig_close();
}

/* Nothing may be lost because a webhook is not called. */
TEST(versions_with_a_webhook_are_not_converted)
{
#define V2 "/apis/example.com/v2/namespaces/ns/widgets"
    verb_open();
    crd_create("widgets.example.com",
               "{'apiVersion':'apiextensions.k8s.io/v1','kind':"
               "'CustomResourceDefinition','metadata':{'name':"
               "'widgets.example.com'},'spec':{'group':'example.com','scope':"
               "'Namespaced','names':{'plural':'widgets','kind':'Widget'},"
               "'conversion':{'strategy':'Webhook','webhook':{"
               "'conversionReviewVersions':['v1'],'clientConfig':{'url':"
               "'https://127.0.0.1:1/'}}},'versions':["
               CRD_VERSION("v1", "'storage':true", CRD_SPEC) ","
               CRD_VERSION("v2", "'storage':false", "") "]}}");
    ask(200, "GET", V2, NULL);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'}}");
    ask(200, "GET", WIDGETS, NULL);
    ask(500, "GET", V2, NULL);
    says("/message", "conversion webhook for example.com/v1, Kind=Widget "
         "failed: this server does not call conversion webhooks yet");
    ask(500, "GET", V2 "/a", NULL);
    ask(500, "PUT", V2 "/a", "{'apiVersion':'example.com/v2','kind':'Widget',"
        "'metadata':{'name':'a'}}");
    ask(500, "POST", V2, "{'apiVersion':'example.com/v2','kind':'Widget',"
        "'metadata':{'name':'b'}}");
    ask(404, "GET", WIDGETS "/b", NULL);
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/size", "");
    rig_close();
#undef V2
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

/* Widgets whose status has a default, and whose Scale is in spec. */
#define SCALED                                                                \
    CRD("widgets", "Widget",                                                  \
        CRD_VERSION("v1", "'storage':true,'subresources':{'status':{},'scale'"\
                    ":{'specReplicasPath':'.spec.n','statusReplicasPath':"    \
                    "'.status.n'}}",                                          \
                    "'spec':{'x-kubernetes-preserve-unknown-fields':true,"    \
                    "'properties':{'color':{'type':'string','default':"       \
                    "'red'}}},"                                               \
                    "'status':{'type':'object','default':{'n':3},"            \
                    "'properties':{'n':{'type':'integer'}}}"))

TEST(a_new_object_has_the_default_of_its_status)
{
    verb_open();
    crd_create("widgets.example.com", SCALED);
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'status':{'n':1}}");
    says("/status", "{\"n\":3}");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/status", "{\"n\":3}");
    says("/spec", "");
    ask(200, "PUT", WIDGETS "/a/scale", "{'apiVersion':'autoscaling/v1',"
        "'kind':'Scale','metadata':{'name':'a','namespace':'ns'},'spec':"
        "{'replicas':2}}");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/n", "2");
    says("/spec/color", "red");
    rig_close();
}

TEST(what_a_scale_shows_is_a_number)
{
    static const struct {
        const char *body, *field, *message;
    } cases[] = {
        { "'spec':{'n':1.0}", ".spec.n", "Invalid value: 0: .spec.n accessor "
          "error: 1 is of the type float64, expected int64" },
        { "'spec':{'n':null}", ".spec.n", "Invalid value: 0: .spec.n accessor "
          "error: <nil> is of the type <nil>, expected int64" },
        { "'spec':'x'", ".spec.n", "Invalid value: 0: .spec.n accessor error: "
          "x is of the type string, expected map[string]interface{}" },
        { "'spec':{'n':-1}", ".spec.n",
          "Invalid value: -1: should be a non-negative integer" },
    };
    char body[256];
    size_t i;

    verb_open();
    crd_create("widgets.example.com", SCALED);
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        snprintf(body, sizeof body, "{'apiVersion':'example.com/v1','kind':"
                 "'Widget','metadata':{'name':'a'},%s}", cases[i].body);
        ask(422, "POST", WIDGETS, body);
        says("/details/causes/0/field", cases[i].field);
        says("/details/causes/0/message", cases[i].message);
    }
    rig_close();
}

TEST(scale_shows_what_its_paths_lead_to)
{
    verb_open();
    crd_create("widgets.example.com",
               CRD("widgets", "Widget",
                   CRD_VERSION("v1", "'storage':true,'subresources':{'scale':"
                               "{'specReplicasPath':'.spec.n',"
                               "'statusReplicasPath':'.status.n',"
                               "'labelSelectorPath':'.status.s'}}",
                               "'spec':{'type':'object','properties':{'n':"
                               "{'x-kubernetes-int-or-string':true}}},"
                               "'status':{'type':'object','properties':"
                               "{'n':{'type':'integer'},'s':"
                               "{'type':'string'}}}")));
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'spec':{'n':3},'status':{'s':'l=v'}}");
    ask(200, "GET", WIDGETS "/a/scale", NULL);
    says("/kind", "Scale");
    says("/spec/replicas", "3");
    says("/status/selector", "l=v");
    patch(200, "merge", WIDGETS "/a/scale", "{'spec':{'replicas':5}}");
    says("/spec/replicas", "5");
    ask(200, "GET", WIDGETS "/a", NULL);
    says("/spec/n", "5");
    says("/metadata/generation", "2");
    patch(422, "merge", WIDGETS "/a/scale", "{'spec':{'replicas':-1}}");
    tells("Widget.example.com \"a\" is invalid: .spec.n: Invalid value: -1: "
          "should be a non-negative integer");
    ask(422, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'b'},'spec':{'n':'x'}}");
    says("/details/causes/0/message", "Invalid value: 0: .spec.n accessor "
         "error: x is of the type string, expected int64");
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'b'}}");
    ask(500, "GET", WIDGETS "/b/scale", NULL);
    tells("Internal error occurred: the spec replicas field \".spec.n\" does "
          "not exist");
    patch(400, "merge", WIDGETS "/b/scale", "{'metadata':{'labels':{}}}");
    tells("the spec replicas field \".spec.n\" cannot be empty");
    patch(200, "merge", WIDGETS "/b/scale", "{'spec':{'replicas':1}}");
    rig_close();
}

TEST(columns_and_selectable_fields_come_from_the_definition)
{
    struct rig_watch watch;

    verb_open();
    crd_create("widgets.example.com",
               CRD("widgets", "Widget",
                   CRD_VERSION("v1", "'storage':true,"
                               "'additionalPrinterColumns':[{'name':'Color',"
                               "'type':'string','jsonPath':'.spec.color',"
                               "'priority':1}],'selectableFields':"
                               "[{'jsonPath':'.spec.color'}]", CRD_SPEC)));
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'a'},'spec':{'color':'red'}}");
    ask(201, "POST", WIDGETS, "{'apiVersion':'example.com/v1','kind':'Widget',"
        "'metadata':{'name':'b'}}");
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    ask(200, "GET", WIDGETS, NULL);
    says("/columnDefinitions/1/name", "Color");
    says("/columnDefinitions/1/priority", "1");
    says("/rows/0/cells/1", "red");
    says("/rows/1/cells/1", "null");
    ask(200, "GET", WIDGETS "?fieldSelector=spec.color%3Dred", NULL);
    says("/items/0/metadata/name", "a");
    says("/items/1", "");
    ask(400, "GET", WIDGETS "?fieldSelector=spec.size%3D3", NULL);
    tells("field label not supported: spec.size");
    assert_int_equal(rig_watch_open(&watch, WIDGETS
                                    "?watch=true&fieldSelector="
                                    "spec.color%3Dblue"), 200);
    patch(200, "merge", WIDGETS "/b", "{'spec':{'color':'blue'}}");
    assert_string_equal(rig_watch_next(&watch), "ADDED");
    patch(200, "merge", WIDGETS "/b", "{'spec':{'color':'red'}}");
    assert_string_equal(rig_watch_next(&watch), "DELETED");
    rig_watch_close(&watch);
    rig_close();
}
