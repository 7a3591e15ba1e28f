/* Tests of bindings. */

#include "verb_rig.h"

#define BINDING(NAME, MORE)                                                   \
    "{'metadata':{'name':'" NAME "'" MORE "},'target':{'kind':'Node',"        \
    "'name':'n'}}"

TEST(a_pod_gets_its_node)
{
    verb_open();
    ask(201, "POST", PODS, POD("p", ""));
    ask(201, "POST", PODS "/p/binding?dryRun=All", BINDING("p", ""));
    ask(200, "GET", PODS "/p", NULL);
    says("/spec/nodeName", "");
    ask(201, "POST", PODS "/p/binding",
        BINDING("p", ",'labels':{'l':'v'},'annotations':{'a':'b'}"));
    says("/kind", "Status");
    says("/status", "Success");
    says("/code", "201");
    ask(200, "GET", PODS "/p", NULL);
    says("/spec/nodeName", "n");
    says("/metadata/labels/l", "v");
    says("/metadata/annotations/a", "b");
    says("/metadata/generation", "1");
    says("/status/conditions/0/type", "PodScheduled");
    says("/status/conditions/0/status", "True");
    ask(409, "POST", PODS "/p/binding", BINDING("p", ""));
    says("/message", "Operation cannot be fulfilled on pods/binding \"p\": "
         "pod p is already assigned to node \"n\"");

    ask(201, "POST", PODS, POD("q", ""));
    ask(201, "POST", "/api/v1/namespaces/ns/bindings", BINDING("q", ""));
    ask(200, "GET", PODS "/q", NULL);
    says("/spec/nodeName", "n");
    ask(404, "GET", "/api/v1/namespaces/ns/bindings/q", NULL);
    rig_close();
}

TEST(what_cannot_be_bound)
{
    verb_open();
    ask(404, "POST", PODS "/p/binding", BINDING("p", ""));
    ask(201, "POST", PODS, POD("p", ""));
    ask(400, "POST", PODS "/p/binding", BINDING("q", ""));
    says("/message", "name in URL does not match name in Binding object");
    ask(409, "POST", PODS "/p/binding", BINDING("p", ",'uid':'x'"));
    ask(409, "POST", PODS "/p/binding",
        BINDING("p", ",'resourceVersion':'1'"));
    ask(400, "POST", PODS "/p/binding", BINDING("p", ",'namespace':'x'"));
    ask(500, "POST", PODS "/p/binding",
        "{'metadata':{'name':'p'},'target':{'kind':'Pod'}}");
    says("/message", "[target.kind: Unsupported value: \"Pod\": supported "
         "values: \"Node\", \"<empty>\", target.name: Required value]");
    ask(422, "POST", PODS "/p/binding?dryRun=x", BINDING("p", ""));

    ask(201, "POST", PODS, POD("g", ",'schedulingGates':[{'name':'x.y/z'}]"));
    ask(409, "POST", PODS "/g/binding", BINDING("g", ""));
    tells("Operation cannot be fulfilled on pods/binding \"g\": pod g has "
          "non-empty .spec.schedulingGates");
    patch(200, "merge", PODS "/p", "{'metadata':{'finalizers':['x.y/z']}}");
    ask(200, "DELETE", PODS "/p", NULL);
    ask(409, "POST", PODS "/p/binding", BINDING("p", ""));
    tells("Operation cannot be fulfilled on pods/binding \"p\": pod p is "
          "being deleted, cannot be assigned to a host");
    rig_close();
}
