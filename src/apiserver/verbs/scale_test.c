/* Tests of /scale. */

#include "verb_rig.h"

#define SCALE DEPLOYMENTS "/d/scale"

TEST(a_scale_shows_the_replicas)
{
    verb_open();
    ask(404, "GET", SCALE, NULL);
    says("/details/kind", "deployments");
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    patch(200, "merge", DEPLOYMENTS "/d/status", "{'status':{'replicas':1}}");
    ask(200, "GET", SCALE, NULL);
    says("/kind", "Scale");
    says("/apiVersion", "autoscaling/v1");
    says("/metadata/name", "d");
    says("/metadata/generation", "");
    says("/spec", "{\"replicas\":2}");
    says("/status/replicas", "1");
    says("/status/selector", "a=b");

    ask(201, "POST", "/api/v1/namespaces/ns/replicationcontrollers",
        "{'metadata':{'name':'r'},'spec':{'replicas':0,'selector':{'x':'y',"
        "'a':'b'},'template':{'metadata':{'labels':{'a':'b','x':'y'}},'spec':"
        "{'containers':[{'name':'c','image':'i'}]}}}}");
    ask(200, "GET", "/api/v1/namespaces/ns/replicationcontrollers/r/scale",
        NULL);
    says("/spec", "{}");
    says("/status/selector", "a=b,x=y");
    rig_close();
}

TEST(a_scale_has_forms)
{
    verb_open();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\n";
    ask(200, "GET", SCALE, NULL);
    says("/kind", "Table");
    says("/columnDefinitions/1/name", "Desired");
    says("/rows/0/cells/1", "2");
    rig.headers = "accept: application/json;as=PartialObjectMetadata;v=v1;"
                  "g=meta.k8s.io\r\n";
    ask(200, "GET", SCALE, NULL);
    says("/kind", "PartialObjectMetadata");
    says("/metadata/name", "d");
    rig.headers = "accept: application/json;as=Table;v=v1;g=meta.k8s.io;"
                  "\r\n";
    ask(400, "GET", SCALE "?includeObject=x", NULL);
    rig_close();
}

TEST(a_scale_is_written)
{
    char body[160], revision[32];

    verb_open();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    ask(200, "PUT", SCALE "?dryRun=All",
        "{'metadata':{'name':'d'},'spec':{'replicas':9}}");
    says("/spec/replicas", "9");
    says("/metadata/resourceVersion", revision);
    snprintf(body, sizeof body, "{'metadata':{'name':'d','resourceVersion':"
             "'%s'},'spec':{'replicas':5}}", revision);
    ask(200, "PUT", SCALE, body);
    says("/spec/replicas", "5");
    ask(409, "PUT", SCALE, body);
    ask(200, "GET", DEPLOYMENTS "/d", NULL);
    says("/spec/replicas", "5");
    says("/metadata/generation", "2");
    patch(200, "merge", SCALE, "{'spec':{'replicas':6}}");
    patch(200, "json", SCALE,
          "[{'op':'replace','path':'/spec/replicas','value':7}]");
    patch(200, "strategic-merge", SCALE, "{'spec':{'replicas':8}}");
    says("/spec/replicas", "8");
    patch(200, "merge", SCALE, "{'spec':null}");
    says("/spec", "{}");
    ask(200, "GET", DEPLOYMENTS "/d", NULL);
    says("/spec/replicas", "0");
    rig_close();
}

TEST(a_bad_scale_is_refused)
{
    verb_open();
    ask(404, "PUT", SCALE, "{'metadata':{'name':'d'}}");
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    ask(422, "PUT", SCALE, "{'metadata':{'name':'d'},'spec':{'replicas':-1}}");
    tells("Scale.autoscaling \"d\" is invalid: spec.replicas: Invalid value: "
          "-1: must be greater than or equal to 0");
    ask(400, "PUT", SCALE, "{'metadata':{'name':'x'}}");
    ask(409, "PUT", SCALE, "{'metadata':{'name':'d','uid':'x'}}");
    ask(400, "PUT", SCALE,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{}}");
    tells("Deployment in version \"v1\" cannot be handled as a Scale: "
          "converting (v1.Deployment) to (autoscaling.Scale): unknown "
          "conversion");
    patch(422, "merge", SCALE, "{'spec':{'replicas':'x'}}");
    patch(415, "other", SCALE, "{}");
    ask(405, "DELETE", SCALE, NULL);
    rig_close();
}

TEST(a_write_of_a_scale_warns_of_the_object)
{
    verb_open();
    ask(201, "POST", DEPLOYMENTS, "{'metadata':{'name':'d'},'spec':{'selector'"
        ":{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':"
        "'b'}},'spec':{'containers':[{'name':'c','image':'i','ports':["
        "{'containerPort':80,'hostIP':'10.0.0.1'}]}]}}}}");
    assert_true(warned("hostIP set without hostPort"));
    patch(200, "merge", SCALE, "{'spec':{'replicas':3}}");
    assert_true(warned("hostIP set without hostPort"));
    rig_close();
}
