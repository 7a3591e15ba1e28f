/* Tests of ownership: status and scale.  See tests/own_unit.h for how the
 * tables read. */

#include "own_unit.h"

static const struct test_case parts[] = {
    { "the status has its own entry", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'status':{'replicas':1}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        REST_OF_SPEC "; "
        "u/status .status.replicas",
    } },
    { "a write of the object cannot own the status", {
        "apply m deploy:d 201 " SPEC("") ",'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /status/replicas",
    } },
    { "an apply of the status cannot own the spec", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d/status 200 'spec':{'replicas':5},'status':"
        "{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+/status "
        ".status.replicas",
        "? /spec/replicas 1",
    } },
    { "labels by the status of a Deployment have no owner", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d/status 200 'metadata':{'name':'d','labels':"
        "{'a':'b'}},'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+/status "
        ".status.replicas",
    } },
    { "one manager through two subresources", {
        "apply m deploy:d 201 " SPEC(""),
        "apply m deploy:d/status 200 'status':{'replicas':1}",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; m+/status "
        ".status.replicas",
        "apply m deploy:d/status 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /status/replicas",
    } },
    { "conflicts name the subresource", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'status':{'replicas':1}",
        "apply n deploy:d/status 409 'status':{'replicas':2}",
        "! Apply failed with 1 conflict: conflict with \"u\" with "
        "subresource \"status\" using apps/v1: .status.replicas",
    } },
    { "the status of what does not exist", {
        "apply m deploy:d/status 404 'status':{'replicas':1}",
        "! deployments.apps \"d\" not found",
    } },
    { "conditions are a list by type", {
        "apply m pod:p 201 'spec':{'containers':[{'name':'c','image':'i'}]}",
        "apply n pod:p/status 200 'status':{'conditions':[{'type':'A',"
        "'status':'True'}]}",
        "apply o pod:p/status 200 'status':{'conditions':[{'type':'B',"
        "'status':'True'}]}",
        "= m+ .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].name; n+/status "
        ".status.conditions[type=\"A\"] "
        ".status.conditions[type=\"A\"].status "
        ".status.conditions[type=\"A\"].type; o+/status "
        ".status.conditions[type=\"B\"] "
        ".status.conditions[type=\"B\"].status "
        ".status.conditions[type=\"B\"].type",
    } },
    { "a Scale takes the replicas", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "merge h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; h/scale "
        ".spec.replicas",
        "apply m deploy:d 409 " SPEC(",'replicas':2"),
        "! Apply failed with 1 conflict: conflict with \"h\" with "
        "subresource \"scale\" using apps/v1: .spec.replicas",
    } },
    { "a Scale of replicas that nobody owns has no owner", {
        "apply m deploy:d 201 " SPEC(""),
        "merge h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /spec/replicas 3",
    } },
    { "an applied Scale", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "apply h deploy:d/scale 409 'spec':{'replicas':3}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.replicas",
        "force h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= h+/scale .spec.replicas; m+ .spec.selector "
        ".spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
        "? /spec/replicas 3",
        "apply h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "same",
    } },
    { "a Scale of the same replicas is shared", {
        "apply m deploy:d 201 " SPEC(",'replicas':2"),
        "apply h deploy:d/scale 200 'spec':{'replicas':2}",
        "get - deploy:d 200",
        "= h+/scale .spec.replicas; m+ .spec.replicas .spec.selector "
        ".spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name",
    } },
    { "a Scale of an object that nobody has applied", {
        "post m deploy:d 201 " SPEC(",'replicas':2"),
        "put h deploy:d/scale 200 'spec':{'replicas':3}",
        "get - deploy:d 200",
        "= h/scale .spec.replicas; m .spec.progressDeadlineSeconds "
        REST_OF_SPEC,
    } },
    { "a Pod is bound by nobody", {
        "post m pod:p 201 'spec':{'containers':[{'name':'c','image':'i'}]}",
        "post s pod:p/binding 201 'kind':'Binding','metadata':{'name':'p'},"
        "'target':{'kind':'Node','name':'n'}",
        "get - pod:p 200",
        "? /spec/nodeName n",
        "= m .spec.dnsPolicy .spec.enableServiceLinks .spec.restartPolicy "
        ".spec.schedulerName .spec.securityContext "
        ".spec.terminationGracePeriodSeconds .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].imagePullPolicy "
        ".spec.containers[name=\"c\"].name "
        ".spec.containers[name=\"c\"].resources "
        ".spec.containers[name=\"c\"].terminationMessagePath "
        ".spec.containers[name=\"c\"].terminationMessagePolicy",
    } },
};

TEST(status_and_scale)
{
    RUN(parts);
}
