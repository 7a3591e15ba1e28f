/* Tests of ownership: creations, applies, conflicts, lists.  See
 * tests/own_unit.h for how the tables read. */

#include "own_unit.h"

static const struct test_case writes[] = {
    { "a creation owns what it sets", {
        "post m cm:a 201 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "labels, annotations and finalizers are owned, the name is not", {
        "post m cm:a 201 'metadata':{'name':'a','labels':{'l':'1'},"
        "'annotations':{'n':'2'},'finalizers':['example.com/f']}",
        "= m .metadata.annotations .metadata.finalizers .metadata.labels "
        ".metadata.annotations.n .metadata.finalizers[=\"example.com/f\"] "
        ".metadata.labels.l",
    } },
    { "an object without fields has no owners", {
        "post m cm:a 201",
        "=",
        "merge m cm:a 200 'data':{'x':'1'}",
        "=",
    } },
    { "defaults are owned by who creates", {
        "post m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "= m .spec.internalTrafficPolicy .spec.ports .spec.sessionAffinity "
        ".spec.type .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol "
        ".spec.ports[port=80,protocol=\"TCP\"].targetPort",
    } },
    { "a creation cannot own a status", {
        "post m svc:s 201 'spec':{'ports':[{'port':80}]},'status':"
        "{'loadBalancer':{'ingress':[{'ip':'1.2.3.4'}]}}",
        "= m .spec.internalTrafficPolicy .spec.ports .spec.sessionAffinity "
        ".spec.type .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol "
        ".spec.ports[port=80,protocol=\"TCP\"].targetPort",
    } },
    { "a kind without a status subresource owns all", {
        "post m sec:s 201 'type':'example.com/t','stringData':{'a':'b'}",
        "= m .data .type .data.a",
    } },
    { "an update owns what it changes", {
        "post m cm:a 201 'data':{'x':'1','y':'1'}",
        "merge u cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x; u .data.y",
    } },
    { "what an update leaves as it is stays with its owner", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'data':{'x':'1','y':'2'}",
        "= m .data .data.x; u .data.y",
    } },
    { "what an update removes has no owner", {
        "post m cm:a 201 'data':{'x':'1','y':'1'}",
        "put u cm:a 200 'data':{'x':'1'}",
        "= m .data .data.x",
    } },
    { "an update that removes everything", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200",
        "=",
    } },
    { "a manager that updates again has one entry", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x .data.y",
    } },
    { "an update that changes nothing makes no revision", {
        "post m cm:a 201 'data':{'x':'1'}",
        "put u cm:a 200 'data':{'x':'1'}",
        "same",
        "= m .data .data.x",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
    } },
    { "the time of an entry is that of its last change", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'y':'1'}",
        "merge u cm:a 200 'data':{'y':'2'}",
        "= m .data .data.x; u .data.y",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
        "? /metadata/managedFields/1/time 2026-01-01T00:00:03Z",
    } },
    { "the user agent names the manager", {
        "post - cm:a 201 'data':{'x':'1'}",
        "= agent .data .data.x",
        "json - cm:a 200 {'op':'add','path':'/data/y','value':'2'}",
        "= agent .data .data.x .data.y",
    } },
    { "a list by keys is owned by its items", {
        "post m deploy:d 201 " SPEC(""),
        "merge u deploy:d 200 'spec':{" LIST("{'name':'c','image':'i'},"
            "{'name':'e','image':'j'}") "}",
        "= m .spec.progressDeadlineSeconds .spec.replicas "
        REST_OF_SPEC "; "
        "u .spec.template.spec.containers[name=\"e\"] "
        ".spec.template.spec.containers[name=\"e\"].image "
        ".spec.template.spec.containers[name=\"e\"].imagePullPolicy "
        ".spec.template.spec.containers[name=\"e\"].name "
        ".spec.template.spec.containers[name=\"e\"].resources "
        ".spec.template.spec.containers[name=\"e\"].terminationMessagePath "
        ".spec.template.spec.containers[name=\"e\"].terminationMessagePolicy",
    } },
    { "an item that is removed takes its fields with it", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ "
        ".spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "json u svc:s 200 {'op':'remove','path':'/spec/ports/0'}",
        "= n+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
    } },
};

static const struct test_case applies[] = {
    { "an apply creates", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "= m+ .data.x",
    } },
    { "the same again changes nothing", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "same",
        "= m+ .data.x",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:01Z",
    } },
    { "an apply changes what its manager owns", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'2'}",
        "= m+ .data.x",
        "? /data/x 2",
        "? /metadata/managedFields/0/time 2026-01-01T00:00:02Z",
    } },
    { "what is no longer applied is removed", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "= m+ .data.x",
        "? /data/y",
    } },
    { "everything can be given up", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply m cm:a 200",
        "=",
        "? /data",
    } },
    { "an apply that names nothing owns nothing", {
        "apply m cm:a 201",
        "=",
    } },
    { "an empty map is owned as such", {
        "apply m cm:a 201 'data':{}",
        "= m+ .data",
        "apply n cm:b 201 'data':{'x':'1'}",
        "apply m cm:b 200 'data':{}",
        "= m+ .data; n+ .data.x",
    } },
    { "other fields are left alone", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'y':'1'}",
        "= m+ .data.y; u .data .data.x",
        "? /data/x 1",
    } },
    { "to own the same value as others needs no force", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "new",
        "= n+ .data.x; m+ .data.x",
        "? /metadata/managedFields/0/time",
    } },
    { "who shares a field can give it up alone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "= n+ .data.x",
        "? /data/x 1",
        "apply n cm:a 200",
        "=",
        "? /data",
    } },
    { "who shares a field cannot change it alone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"n\": .data.x",
    } },
    { "what an update has set stays when an apply gives it up", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "= u .data .data.x",
        "? /data/x 1",
    } },
    { "what an update has changed stays when an apply gives it up", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "merge u cm:a 200 'data':{'x':'2'}",
        "= m+ .data.y; u .data.x",
        "apply m cm:a 200 'data':{'y':'1'}",
        "? /data/x 2",
        "= m+ .data.y; u .data.x",
    } },
    { "applied and updated by one manager are two entries", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "merge m cm:a 200 'data':{'y':'1'}",
        "= m+ .data.x; m .data.y",
        "apply m cm:a 409 'data':{'y':'2'}",
        ("! Apply failed with 1 conflict: conflict with \"m\" using v1: "
         ".data.y"),
    } },
    { "a dry run owns nothing", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n&dryRun=All cm:a 200 'data':{'y':'1'}",
        "= m+ .data.x; n+ .data.y",
        "get - cm:a 200",
        "= m+ .data.x",
    } },
    { "an object that is being deleted can be applied to", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/f']}",
        "delete - cm:a 200",
        "apply m cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/f']},'data':{'x':'1'}",
        "= m+ .data.x .metadata.finalizers[=\"example.com/f\"]",
        "apply m cm:a 200",
        "get - cm:a 404",
    } },
    { "what is applied is defaulted, which nobody owns", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/0/protocol TCP",
    } },
};

static const struct test_case conflicts[] = {
    { "another value of another's field is a conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"m\": .data.x",
        "? /reason Conflict",
        "? /details/causes/0/reason FieldManagerConflict",
        "? /details/causes/0/message conflict with \"m\"",
        "? /details/causes/0/field .data.x",
        "get - cm:a 200",
        "= m+ .data.x",
    } },
    { "conflicts of several managers come in their order", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "apply l cm:a 200 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'z':'1'}",
        "apply n cm:a 409 'data':{'x':'2','y':'2','z':'2'}",
        ("! Apply failed with 4 conflicts: conflicts with \"l\":\n- .data.x\n"
         "conflicts with \"m\":\n- .data.x\n- .data.y\n"
         "conflicts with \"u\" using v1:\n- .data.z"),
    } },
    { "force takes the field", {
        "apply m cm:a 201 'data':{'x':'1','y':'1'}",
        "force n cm:a 200 'data':{'x':'2'}",
        "= m+ .data.y; n+ .data.x",
        "? /data/x 2",
    } },
    { "who lost all fields by force is gone", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "force n cm:a 200 'data':{'x':'2'}",
        "= n+ .data.x",
    } },
    { "an update takes without force, and is in conflict then", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "merge u cm:a 200 'data':{'x':'2'}",
        "= u .data.x",
        "apply m cm:a 409 'data':{'x':'1'}",
        ("! Apply failed with 1 conflict: conflict with \"u\" using v1: "
         ".data.x"),
        "force m cm:a 200 'data':{'x':'1'}",
        "= m+ .data.x",
    } },
    { "what a creation has set is in conflict", {
        "post u cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 409 'data':{'x':'2'}",
        "! Apply failed with 1 conflict: conflict with \"u\" using v1: "
        ".data.x",
    } },
    { "a field that nobody owns can be changed", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply n cm:a 200 'data':{'x':'1'}",
        "apply m cm:a 200",
        "apply n cm:a 200",
        "apply o cm:a 200 'data':{'x':'3'}",
        "= o+ .data.x",
    } },
    { "a removed field of another is no conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "json u cm:a 200 {'op':'remove','path':'/data/x'}",
        "=",
        "apply n cm:a 200 'data':{'x':'2'}",
        "= n+ .data.x",
    } },
    { "a revision that has passed is another conflict", {
        "apply m cm:a 201 'data':{'x':'1'}",
        "apply m cm:a 409 'metadata':{'name':'a','resourceVersion':'1'},"
        "'data':{'x':'2'}",
        "! Operation cannot be fulfilled on configmaps \"a\": the object has "
        "been modified; please apply your changes to the latest version and "
        "try again",
    } },
    { "a uid of an object that does not exist", {
        "apply m cm:a 409 'metadata':{'name':'a','uid':'u'}",
        "! Operation cannot be fulfilled on configmaps \"a\": uid mismatch: "
        "the provided object specified uid u, and no existing object was "
        "found",
    } },
};

static const struct test_case lists[] = {
    { "items of a list by keys", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ "
        ".spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "? /spec/ports/1/port 81",
        "apply m svc:s 200",
        "? /spec/ports/1",
    } },
    { "an item is removed with its last owner", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80},"
        "{'name':'b','port':81}]}",
        "apply m svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "= m+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port",
        "? /spec/ports/0/port 81",
    } },
    { "an item stays while another owns it", {
        "apply m svc:s 201 'spec':{'ports':[{'name':'a','port':80},"
        "{'name':'b','port':81}]}",
        "apply n svc:s 200 'spec':{'ports':[{'name':'b','port':81}]}",
        "apply m svc:s 200 'spec':{'ports':[{'name':'a','port':80}]}",
        "= n+ .spec.ports[port=81,protocol=\"TCP\"] "
        ".spec.ports[port=81,protocol=\"TCP\"].name "
        ".spec.ports[port=81,protocol=\"TCP\"].port; m+ "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].name "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/1/name b",
    } },
    { "the default of a key counts", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}]}",
        "apply n svc:s 200 'spec':{'ports':[{'port':80,'protocol':'TCP'}]}",
        "= n+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port "
        ".spec.ports[port=80,protocol=\"TCP\"].protocol; m+ "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
        "? /spec/ports/1",
    } },
    { "a field of an item is in conflict", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 409 'spec':{'template':{'spec':{'containers':"
        "[{'name':'c','image':'j'}]}}}",
        "! Apply failed with 1 conflict: conflict with \"m\": "
        ".spec.template.spec.containers[name=\"c\"].image",
    } },
    { "a new item comes behind the others", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 200 'spec':{'template':{'spec':{'containers':"
        "[{'name':'b','image':'j'}]}}}",
        "? /spec/template/spec/containers/0/name c",
        "? /spec/template/spec/containers/1/name b",
        "= m+ .spec.selector .spec.template.metadata.labels.a "
        ".spec.template.spec.containers[name=\"c\"] "
        ".spec.template.spec.containers[name=\"c\"].image "
        ".spec.template.spec.containers[name=\"c\"].name; n+ "
        ".spec.template.spec.containers[name=\"b\"] "
        ".spec.template.spec.containers[name=\"b\"].image "
        ".spec.template.spec.containers[name=\"b\"].name",
    } },
    { "an item twice is refused", {
        "apply m svc:s 500 'spec':{'ports':[{'port':80},{'port':80}]}",
        "! failed to create typed patch object (/s; /v1, Kind=Service): "
        ".spec.ports: duplicate entries for key [port=80,protocol=\"TCP\"]",
    } },
    { "values of a set", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply n cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/b']}",
        "= m+ .metadata.finalizers[=\"example.com/a\"]; n+ "
        ".metadata.finalizers[=\"example.com/b\"]",
        "apply m cm:a 200",
        "= n+ .metadata.finalizers[=\"example.com/b\"]",
        "? /metadata/finalizers/0 example.com/b",
    } },
    { "a value of a set that two own", {
        "apply m cm:a 201 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply n cm:a 200 'metadata':{'name':'a','finalizers':"
        "['example.com/a']}",
        "apply m cm:a 200",
        "= n+ .metadata.finalizers[=\"example.com/a\"]",
        "? /metadata/finalizers/0 example.com/a",
    } },
    { "an atomic map is owned as a whole", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}],'selector':"
        "{'a':'b'}}",
        "apply n svc:s 409 'spec':{'selector':{'a':'b','c':'d'}}",
        "! Apply failed with 1 conflict: conflict with \"m\": .spec.selector",
        "force n svc:s 200 'spec':{'selector':{'c':'d'}}",
        "= m+ .spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port; n+ .spec.selector",
        "? /spec/selector/a",
    } },
    { "an atomic map can be shared", {
        "apply m svc:s 201 'spec':{'ports':[{'port':80}],'selector':"
        "{'a':'b'}}",
        "apply n svc:s 200 'spec':{'selector':{'a':'b'}}",
        "= n+ .spec.selector; m+ .spec.selector "
        ".spec.ports[port=80,protocol=\"TCP\"] "
        ".spec.ports[port=80,protocol=\"TCP\"].port",
    } },
    { "an atomic list is replaced", {
        "apply m pod:p 201 'spec':{'containers':[{'name':'c','image':'i',"
        "'args':['a','b']}]}",
        "= m+ .spec.containers[name=\"c\"] "
        ".spec.containers[name=\"c\"].args "
        ".spec.containers[name=\"c\"].image "
        ".spec.containers[name=\"c\"].name",
    } },
    { "a part of an atomic struct belongs to the whole", {
        "apply m deploy:d 201 " SPEC(""),
        "apply n deploy:d 409 'spec':{'selector':{'matchLabels':"
        "{'a':'c'}}}",
        "! Apply failed with 1 conflict: conflict with \"m\": .spec.selector",
    } },
};

static const struct test_case faults[] = {
    { "a manager is needed", {
        "apply - cm:a 422 'data':{'x':'1'}",
        "! PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required "
        "value: is required for apply patch",
    } },
    { "only an apply has force", {
        "post m cm:a 201 'data':{'x':'1'}",
        "merge m&force=true cm:a 422 'data':{'x':'2'}",
        "! PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may "
        "not be specified for non-apply patch",
    } },
    { "the kind must be the path's", {
        "apply m cm:a 400 'kind':'Secret','apiVersion':'v1'",
        "! invalid object type: /v1, Kind=Secret",
        "apply m cm:a 400 'kind':'ConfigMap'",
        "! invalid object type: /, Kind=ConfigMap",
        "apply m cm:a 400 'kind':'ConfigMap','apiVersion':'a/b/c'",
        "! invalid object type: /, Kind=",
    } },
    { "so must the name be", {
        "apply m cm:a 400 'metadata':{'name':'b'}",
        "! the name of the object (b) does not match the name on the URL (a)",
        "apply m cm:a 400 'metadata':{}",
        "! the name of the object (a based on URL) was undeterminable: name "
        "must be provided",
    } },
    { "and the namespace", {
        "apply m cm:a 400 'metadata':{'name':'a','namespace':'other'}",
        "! the namespace of the provided object does not match the namespace "
        "sent on the request",
    } },
    { "unknown fields and wrong types are refused", {
        "apply m cm:a 500 'other':1",
        "! failed to create typed patch object (/a; /v1, Kind=ConfigMap): "
        ".other: field not declared in schema",
        "apply m cm:a 500 'data':{'x':1}",
        "! failed to create typed patch object (/a; /v1, Kind=ConfigMap): "
        ".data.x: expected string, got &value.valueUnstructured{Value:1}",
        "apply m deploy:d 500 " SPEC(",'replicas':2.5"),
        "! failed to convert new object (/d; apps/v1, Kind=Deployment) to "
        "proper version: unable to convert unstructured object to apps/v1, "
        "Kind=Deployment: cannot convert float64 to int32",
    } },
    { "what is applied is validated", {
        "apply m deploy:d 422 " SPEC(",'replicas':-1"),
        "! Deployment.apps \"d\" is invalid: spec.replicas: Invalid value: "
        "-1: must be greater than or equal to 0",
    } },
    { "null is no value", {
        "apply m cm:a 201 'data':{'x':null,'y':'1'}",
        "= m+ .data.x .data.y",
    } },
    { "an object with an item that has no key", {
        "post u sa:a 201 'secrets':[{}]",
        "= ",
        "apply m sa:a 500 'metadata':{'name':'a','labels':{'x':'1'}}",
        "! failed to create manager for existing fields: failed to convert "
        "new object (ns/a; /v1, Kind=ServiceAccount) to smd typed: .secrets: "
        "element 0: associative list with keys has an element that omits all "
        "key fields [\"name\"] (and doesn't have default values for any key "
        "fields)",
    } },
};

TEST(writes_that_are_no_applies)
{
    RUN(writes);
}

TEST(applies_of_one_and_of_several)
{
    RUN(applies);
}

TEST(conflicts_and_force)
{
    RUN(conflicts);
}

TEST(lists_sets_and_atomic_fields)
{
    RUN(lists);
}

TEST(what_is_refused)
{
    RUN(faults);
}

TEST(fields_that_a_definition_preserves)
{
    rig_open_with((struct yl_apiserver_opts) { .authorize_always = true,
                                               .own = keep });
    ask(201, "POST", "/api/v1/namespaces", "{'metadata':{'name':'ns'}}");
    ask(201, "POST",
        "/apis/apiextensions.k8s.io/v1beta1/customresourcedefinitions",
        "{'metadata':{'name':'olds.example.com'},'spec':{'group':"
        "'example.com','scope':'Namespaced','version':'v1',"
        "'names':{'plural':'olds','kind':'Old'},'preserveUnknownFields':true,"
        "'validation':{'openAPIV3Schema':{'type':'object','properties':"
        "{'spec':{'type':'object','properties':{'a':{'type':'integer'}}}}}}}"
        "}");
    crd_wait("olds.example.com", "Established", "True");
    rig.content_type = "application/apply-patch+yaml";
    ask(201, "PATCH", CUSTOM "olds/x?fieldManager=m",
        "{'apiVersion':'example.com/v1','kind':'Old','metadata':{'name':'x'},"
        "'spec':{'a':1,'b':{'c':2}},'more':[3]}");
    assert_string_equal(owners_of("example.com/v1"),
                        "m+ .more .spec.a .spec.b .spec.b.c");
    rig_close();
}
