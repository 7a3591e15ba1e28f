/* Tests of PATCH. */

#include "verb_rig.h"

static void
make(void)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS,
        "{'metadata':{'name':'a'},'data':{'a':'1','b':'2'}}");
}

TEST(three_types_of_patches)
{
    make();
    patch(200, "merge", CONFIG_MAPS "/a", "{'data':{'a':null,'c':'3'}}");
    says("/data", "{\"b\":\"2\",\"c\":\"3\"}");
    patch(200, "json", CONFIG_MAPS "/a",
          "[{'op':'add','path':'/data/d','value':'4'},"
          "{'op':'remove','path':'/data/b'}]");
    says("/data", "{\"c\":\"3\",\"d\":\"4\"}");
    patch(200, "strategic-merge", CONFIG_MAPS "/a",
          "{'data':{'$patch':'replace','e':'5'}}");
    says("/data", "{\"e\":\"5\"}");

    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    patch(200, "strategic-merge", DEPLOYMENTS "/d",
          "{'spec':{'template':{'spec':{'containers':[{'name':'x',"
          "'image':'j'}]}}}}");
    says("/spec/template/spec/containers/0/name", "x");
    says("/spec/template/spec/containers/1/name", "c");
    says("/metadata/generation", "2");
    rig_close();
}

TEST(a_patch_that_changes_nothing_makes_no_revision)
{
    char revision[32];

    make();
    snprintf(revision, sizeof revision, "%s",
             text_at("/metadata/resourceVersion"));
    patch(200, "merge", CONFIG_MAPS "/a", "{'data':{'a':'1'}}");
    says("/metadata/resourceVersion", revision);
    patch(200, "json", CONFIG_MAPS "/a", "null");
    says("/metadata/resourceVersion", revision);
    patch(200, "strategic-merge", CONFIG_MAPS "/a", "null");
    says("/metadata/resourceVersion", revision);
    patch(200, "merge", CONFIG_MAPS "/a?dryRun=All", "{'data':{'a':'2'}}");
    says("/metadata/resourceVersion", revision);
    says("/data/a", "2");
    rig_close();
}

TEST(identity_cannot_be_patched)
{
    make();
    patch(400, "merge", CONFIG_MAPS "/a", "{'metadata':{'name':'b'}}");
    patch(400, "merge", CONFIG_MAPS "/a", "{'metadata':{'namespace':'b'}}");
    patch(422, "merge", CONFIG_MAPS "/a", "{'metadata':{'uid':'b'}}");
    patch(409, "merge", CONFIG_MAPS "/a",
          "{'metadata':{'resourceVersion':'1'}}");
    patch(200, "merge", CONFIG_MAPS "/a",
          "{'metadata':{'resourceVersion':null}}");
    patch(422, "merge", CONFIG_MAPS "/a", "{'kind':'Secret'}");
    says("/details/causes/0/field", "patch");
    tells(" \"\" is invalid: patch: Invalid value: \"{"
          ANY_TEXT "}\": converting (v1.Secret) to (core.ConfigMap): "
          "unknown conversion");
    patch(422, "merge", CONFIG_MAPS "/a", "{'apiVersion':'v2'}");
    tells(" \"\" is invalid: patch: Invalid value: \"{"
          ANY_TEXT "}\": no kind \"ConfigMap\" is registered for version "
          "\"v2\" in scheme \"pkg/runtime/scheme.go:111\"");
    patch(200, "strategic-merge", CONFIG_MAPS "/a", "{'kind':'Secret'}");
    says("/kind", "ConfigMap");
    patch(404, "merge", CONFIG_MAPS "/none", "{");
    rig_close();
}

TEST(a_patch_must_leave_the_version)
{
    make();
    patch(400, "merge", CONFIG_MAPS "/a", "{'apiVersion':null}");
    says("/message", "the name of the object (a based on URL) was "
                     "undeterminable: name must be provided");
    assert_true(warned("unknown field \\\"metadata\\\""));
    patch(400, "json", CONFIG_MAPS "/a",
          "[{'op':'replace','path':'/apiVersion','value':''}]");
    patch(200, "strategic-merge", CONFIG_MAPS "/a", "{'apiVersion':null}");
    rig_close();
}

TEST(strategic_patches_tell_what_cannot_be_converted)
{
    make();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    patch(422, "strategic-merge", DEPLOYMENTS "/d",
          "{'spec':{'replicas':'x'}}");
    tells(" \"\" is invalid: patch: Invalid value: \"map[spec:map["
          "replicas:x]]\": unrecognized type: int32");
    patch(422, "strategic-merge", DEPLOYMENTS "/d",
          "{'spec':{'replicas':1.5}}");
    tells(" \"\" is invalid: patch: Invalid value: \"map[spec:map["
          "replicas:1.5]]\": cannot convert float64 to int32");
    patch(422, "strategic-merge", DEPLOYMENTS "/d",
          "{'metadata':{'labels':{'a':1}}}");
    tells(" \"\" is invalid: patch: Invalid value: \"map[metadata:map["
          "labels:map[a:1]]]\": cannot convert int64 to string");
    rig_close();
}

TEST(media_types)
{
    static const char *const bad[] = { "application/json", "text/plain",
                                       "APPLICATION/merge-patch+json" };
    size_t i;

    make();
    for (i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        rig.content_type = bad[i];
        ask(415, "PATCH", CONFIG_MAPS "/a", "{}");
        says("/message", "415: Unsupported Media Type");
    }
    rig.content_type = "application/merge-patch+json,application/json";
    ask(415, "PATCH", CONFIG_MAPS "/a", "{}");
    tells("the body of the request was in an unknown format - accepted media "
          "types include: application/json-patch+json, "
          "application/merge-patch+json, "
          "application/strategic-merge-patch+json, "
          "application/apply-patch+yaml");
    rig.content_type = "application/merge-patch+json; charset=utf-8";
    ask(200, "PATCH", CONFIG_MAPS "/a", "{}");
    rig.content_type = "application/apply-patch+yaml";
    ask(422, "PATCH", CONFIG_MAPS "/a", "{}");
    tells("PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required "
          "value: is required for apply patch");
    rig.content_type = "application/apply-patch+yaml";
    ask(415, "PATCH", CONFIG_MAPS "/a?fieldManager=me", "{}");
    tells("this server keeps no managedFields: send a patch of another type, "
          "such as application/strategic-merge-patch+json");
    patch(422, "merge", CONFIG_MAPS "/a?force=true", "{}");
    tells("PatchOptions.meta.k8s.io \"\" is invalid: force: Forbidden: may "
          "not be specified for non-apply patch");
    rig_close();
}

TEST(what_is_no_patch)
{
    static const struct {
        const char *type, *body;
        int status;
        const char *message;
    } cases[] = {
        { "json", "{", 400,
          "error decoding patch: unexpected end of JSON input" },
        { "json", "{}", 400, "error decoding patch: json: cannot unmarshal "
          "object into Go value of type []handlers.jsonPatchOp" },
        { "json", "[{'op':5}]", 400,
          "error decoding patch: json: cannot unmarshal number into Go "
          "struct field jsonPatchOp.op of type string" },
        { "json", "[{'op':'test','path':'/data/a','value':'x'}]", 422,
          "the server rejected our request due to an error in our request" },
        { "merge", "nonsense", 400,
          "error decoding patch: invalid character 'o' in literal null "
          "(expecting 'u')" },
        { "merge", "[]", 400,
          "error decoding patch: json: cannot unmarshal array into Go value "
          "of type map[string]interface {}" },
        { "merge", "null", 400, "Invalid JSON Patch" },
        { "merge", "{'data':[]}", 422,
          " \"\" is invalid: patch: Invalid value: \"{"
          ANY_TEXT "}\": json: cannot unmarshal array into Go struct field "
          "ConfigMap.data of type map[string]string" },
        { "strategic-merge", "{", 400, "unexpected end of JSON input" },
        { "strategic-merge", "5", 400, "json: cannot unmarshal number into Go "
          "value of type map[string]interface {}" },
        { "strategic-merge", "{'data':{'x':5}}", 422,
          " \"\" is invalid: patch: Invalid value: \"map[data:map[x:5]]\": "
          "cannot convert int64 to string" },
        { "merge", "{'x':1e400}", 400, "error decoding patch: json: cannot "
          "unmarshal number 1e400 into Go value of type float64" },
        { "strategic-merge", "{'x':[-1e400]}", 400, "json: cannot unmarshal "
          "number -1e400 into Go value of type float64" },
        { "json", "[{'op':'add','path':'/data/x','value':{'a':1e400}}]", 400,
          "error decoding patch: json: cannot unmarshal number 1e400 into Go "
          "struct field jsonPatchOp.value of type float64" },
        { "strategic-merge", "{'data':['x']}", 422,
          " \"\" is invalid: patch: Invalid value: \"map[data:[x]]\": cannot "
          "restore map from slice" },
        { "strategic-merge", "{'metadata':{'finalizers':{'a':'b'}}}", 422,
          " \"\" is invalid: patch: Invalid value: \"map[metadata:map["
          "finalizers:map[a:b]]]\": cannot restore slice from map" },
        { "strategic-merge", "{'metadata':'x'}", 422,
          " \"\" is invalid: patch: Invalid value: \"map[metadata:x]\": "
          "cannot restore struct from: string" },
        { "strategic-merge", "{'binaryData':{'x':'%'}}", 422,
          " \"\" is invalid: patch: Invalid value: \"map[binaryData:map["
          "x:%]]\": error decoding from json: illegal base64 data at input "
          "byte 0" },
    };
    char type[64];
    size_t i;

    make();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        snprintf(type, sizeof type, "application/%s-patch+json",
                 cases[i].type);
        rig.content_type = type;
        ask(cases[i].status, "PATCH", CONFIG_MAPS "/a", cases[i].body);
        tells(cases[i].message);
    }
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    patch(500, "strategic-merge", DEPLOYMENTS "/d",
          "{'spec':{'template':{'spec':{'containers':[{'image':'x'}]}}}}");
    tells("map: map[image:x] does not contain declared merge key: name");
    says("/reason", "");
    rig_close();
}

TEST(unknown_and_repeated_members)
{
    make();
    patch(200, "merge", CONFIG_MAPS "/a", "{'x':1,'data':{'d':'1','d':'2'}}");
    assert_true(warned("duplicate field \\\"data.d\\\""));
    assert_true(warned("unknown field \\\"x\\\""));
    patch(200, "merge", CONFIG_MAPS "/a?fieldValidation=Ignore", "{'x':1}");
    assert_false(warned("unknown"));
    patch(422, "merge", CONFIG_MAPS "/a?fieldValidation=Strict", "{'x':1}");
    tells(" \"\" is invalid: patch: Invalid value: \"{"
          ANY_TEXT "}\": strict decoding error: unknown field \"x\"");
    patch(200, "strategic-merge", CONFIG_MAPS "/a", "{'y':1,'x':1}");
    assert_true(warned("unknown field \\\"x\\\""));
    patch(422, "strategic-merge", CONFIG_MAPS "/a?fieldValidation=Strict",
          "{'x':{'b':1,'a':1}}");
    tells(" \"\" is invalid: patch: Invalid value: \"map[x:map[a:1 b:1]]\": "
          "strict decoding error: unknown field \"x\"");
    patch(200, "json", CONFIG_MAPS "/a",
          "[{'op':'add','path':'/data/x','value':'1','value':'2','more':1}]");
    assert_true(warned("json patch unknown field \\\"[0].more\\\""));
    assert_true(warned("json patch duplicate field \\\"[0].value\\\""));
    patch(200, "json", CONFIG_MAPS "/a?fieldValidation=Ignore",
          "[{'op':'add','path':'/data/x','value':'3','more':1}]");
    says("/data/x", "3");
    rig_close();
}

TEST(too_many_operations)
{
    struct yl_buf body;
    int i;

    make();
    yl_buf_init(&body, 1 << 20);
    yl_buf_append_char(&body, '[');
    for (i = 0; i <= 10000; i++) {
        yl_buf_append_c(&body, i ? ",{}" : "{}");
    }
    yl_buf_append_char(&body, ']');
    rig.content_type = "application/json-patch+json";
    assert_int_equal(api("PATCH", CONFIG_MAPS "/a", yl_buf_c_str(&body)),
                     413);
    yl_buf_release(&body);
    rig_close();
}
