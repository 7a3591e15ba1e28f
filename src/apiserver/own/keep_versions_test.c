/* Tests of ownership: several versions, and managedFields that clients send.
 * See tests/own_unit.h for how the tables read. */

#include "own_unit.h"

static const struct test_case versions[] = {
    { "an entry names its version", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "= m+ .spec.maxReplicas .spec.scaleTargetRef",
        "get - hpa2:h 200",
        "= m+@autoscaling/v1 .spec.maxReplicas .spec.scaleTargetRef",
    } },
    { "fields are the same in both versions", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "apply n hpa2:h 409 'spec':{'maxReplicas':6}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.maxReplicas",
        "apply n hpa2:h 200 'spec':{'maxReplicas':5}",
        "= n+ .spec.maxReplicas; m+@autoscaling/v1 .spec.maxReplicas "
        ".spec.scaleTargetRef",
    } },
    { "a manager applies in another version", {
        "apply m hpa1:h 201 'spec':{'maxReplicas':5,'minReplicas':2,"
        "'scaleTargetRef':{'kind':'D','name':'d',"
        "'apiVersion':'apps/v1'}}",
        "apply m hpa2:h 200 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "= m+ .spec.maxReplicas .spec.scaleTargetRef.apiVersion "
        ".spec.scaleTargetRef.kind .spec.scaleTargetRef.name",
    } },
    { "an update in another version is another entry", {
        "post m hpa1:h 201 'spec':{'maxReplicas':5,'scaleTargetRef':"
        "{'kind':'D','name':'d','apiVersion':'apps/v1'}}",
        "merge m hpa2:h 200 'spec':{'maxReplicas':6}",
        "= m@autoscaling/v1 .spec.minReplicas .spec.scaleTargetRef "
        ".spec.targetCPUUtilizationPercentage; m .spec.maxReplicas",
    } },
    { "a version that is not served is forgotten", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{'manager':'old',"
        "'operation':'Update','apiVersion':'v0','fieldsType':'FieldsV1',"
        "'fieldsV1':{'f:data':{'f:x':{}}}}]}",
        "=",
    } },
    { "the version of what is applied must be the path's", {
        "apply m hpa2:h 400 'apiVersion':'autoscaling/v1',"
        "'kind':'HorizontalPodAutoscaler'",
        "! invalid object type: autoscaling/v1, Kind=HorizontalPodAutoscaler",
    } },
};

#define ENTRY(MANAGER, FIELDS)                                                \
    "{'manager':'" MANAGER "','operation':'Update','apiVersion':'v1',"        \
    "'fieldsType':'FieldsV1','fieldsV1':" FIELDS "}"

#define X(MANAGER) ENTRY(MANAGER, "{'f:data':{'f:x':{}}}")

static const struct test_case edited[] = {
    { "a client clears the owners", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{}]}",
        "=",
        "merge u cm:a 200 'data':{'y':'1'}",
        "=",
    } },
    { "an empty list clears them too", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'metadata':{'name':'a','managedFields':[]},'data':"
        "{'x':'1'}",
        "=",
    } },
    { "null, or none, leaves them as they are", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':null}",
        "= m .data .data.x",
        "put u cm:a 200 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "a client can edit them", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':["
        ENTRY("other", "{'f:data':{'f:x':{}}}") "]}",
        "= other .data.x",
    } },
    { "a new object can have owners", {
        "post m cm:a 201 'metadata':{'name':'a','managedFields':["
        ENTRY("other", "{'f:data':{'f:x':{}}}") "]},'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "what is not valid is ignored", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':[{'manager':'bad'}]}",
        "= m .data .data.x",
        "merge u cm:a 200 'metadata':{'managedFields':["
        ENTRY("other", "{'data':{}}") "]}",
        "= m .data .data.x",
    } },
    { "a subresource cannot edit them", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d/status 200 'metadata':{'managedFields':[{}]},"
        "'status':{'replicas':1}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        REST_OF_SPEC "; "
        "u/status .status.replicas",
    } },
    { "an apply cannot have any", {
        "apply m cm:a 400 'metadata':{'name':'a','managedFields':[]}",
        "! metadata.managedFields must be nil",
        "apply m cm:a 201 'metadata':{'name':'a','managedFields':null}",
    } },
    { "the first apply finds owners for what is there", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'metadata':{'managedFields':[{}]}",
        "apply n cm:a 409 'data':{'x':'2'}",
        ("! Apply failed with 1 conflict: conflict with "
         "\"before-first-apply\" using v1: .data.x"),
        "apply n cm:a 200 'data':{'y':'1'}",
        "= n+ .data.y; before-first-apply .data .data.x",
    } },
    { "many entries that a client sends are joined", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'metadata':{'managedFields':["
        X("a") "," X("b") "," X("c") "," X("d") ","
        X("e") "," X("f") "," X("g") "," X("h") ","
        X("i") "," X("j") "," X("k") "]}",
        "= ancient-changes .data.x; c .data.x; d .data.x; e .data.x; "
        "f .data.x; g .data.x; h .data.x; i .data.x; j .data.x; k .data.x",
    } },
    { "old updates are joined", {
        "post m0 cm:a 201 'data':{'k0':'1'}",
        "merge m1 cm:a 200 'data':{'k1':'1'}",
        "merge m2 cm:a 200 'data':{'k2':'1'}",
        "merge m3 cm:a 200 'data':{'k3':'1'}",
        "merge m4 cm:a 200 'data':{'k4':'1'}",
        "merge m5 cm:a 200 'data':{'k5':'1'}",
        "merge m6 cm:a 200 'data':{'k6':'1'}",
        "merge m7 cm:a 200 'data':{'k7':'1'}",
        "merge m8 cm:a 200 'data':{'k8':'1'}",
        "merge m9 cm:a 200 'data':{'k9':'1'}",
        "apply n cm:a 200 'data':{'n':'1'}",
        ("= n+ .data.n; m0 .data .data.k0; m1 .data.k1; m2 .data.k2; m3 "
         ".data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 .data.k7; m8 "
         ".data.k8; m9 .data.k9"),
        "merge m10 cm:a 200 'data':{'k10':'1'}",
        ("= n+ .data.n; ancient-changes .data .data.k0 .data.k1; m2 "
         ".data.k2; m3 .data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 "
         ".data.k7; m8 .data.k8; m9 .data.k9; m10 .data.k10"),
        "? /metadata/managedFields/1/time 2026-01-01T00:00:02Z",
        "merge m11 cm:a 200 'data':{'k11':'1'}",
        ("= n+ .data.n; ancient-changes .data .data.k0 .data.k1 .data.k2; "
         "m3 .data.k3; m4 .data.k4; m5 .data.k5; m6 .data.k6; m7 .data.k7; "
         "m8 .data.k8; m9 .data.k9; m10 .data.k10; m11 .data.k11"),
    } },
};

TEST(fields_in_several_versions)
{
    RUN(versions);
}

TEST(managed_fields_that_clients_send)
{
    RUN(edited);
}
