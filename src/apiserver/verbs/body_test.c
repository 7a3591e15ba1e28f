/* Tests of bodies. */

#include "apiserver/verbs/body.h"

#include "json/tree.h"
#include "schema/strict.h"
#include "verb_rig.h"

TEST(what_nobody_understands_is_shown)
{
    static const struct {
        const char *body, *message;
    } cases[] = {
        { "", "the object provided is unrecognized (must be of type "
          "ConfigMap): couldn't get version/kind; json parse error: "
          "unexpected end of JSON input (<empty>)" },
        { "{",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: unexpected end of "
          "JSON input ({)" },
        { "[]",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: json: cannot "
          "unmarshal array into Go value of type struct { APIVersion string "
          "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
          "\"json:\\\"kind,omitempty\\\"\" } (5b5d)" },
        { "nonsense nonsense nonsense nonsense",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: invalid character "
          "'o' in literal null (expecting 'u') "
          "(6e6f6e73656e7365206e6f6e73656e7365206e6f6e73656e7365206e6f6e "
          "...)" },
        { "{'apiVersion':1}",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: json: cannot "
          "unmarshal number into Go struct field .apiVersion of type string "
          "({\"apiVersion\":1})" },
        { "{'kind':true}",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: json: cannot "
          "unmarshal bool into Go struct field .kind of type string ({"
          "\"kind\":true})" },
        { "{'apiVersion':'a/b/c','kind':'ConfigMap'}",
          "the object provided is unrecognized (must be of type ConfigMap): "
          "unexpected GroupVersion string: a/b/c ({\"apiVersion\":\"a/b/c\","
          "\"kind\":\" ...)" },
        { "{'kind':'Nothing'}", "Nothing in version \"v1\" cannot be handled "
          "as a ConfigMap: no kind \"Nothing\" is registered for version "
          "\"v1\" in scheme \"pkg/runtime/scheme.go:111\"" },
        { "{'apiVersion':'v2'}",
          "ConfigMap in version \"v2\" cannot be handled as a ConfigMap: no "
          "kind \"ConfigMap\" is registered for version \"v2\" in scheme "
          "\"pkg/runtime/scheme.go:111\"" },
        { "{'kind':'SecretList'}",
          "SecretList in version \"v1\" cannot be handled as a ConfigMap: "
          "converting (v1.SecretList) to (core.ConfigMap): unknown "
          "conversion" },
        { "{'kind':'Status'}",
          "Status in version \"v1\" cannot be handled as a ConfigMap: "
          "converting (v1.Status) to (core.ConfigMap): unknown conversion" },
        { "{'data':[]}", "ConfigMap in version \"v1\" cannot be handled as a "
          "ConfigMap: json: cannot unmarshal array into Go struct field "
          "ConfigMap.data of type map[string]string" },
    };
    size_t i;

    verb_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        ask(400, "POST", CONFIG_MAPS, cases[i].body);
        says("/reason", "BadRequest");
        tells(cases[i].message);
    }
    ask(400, "POST", DEPLOYMENTS,
        "{'apiVersion':'extensions/v1beta1','kind':'Deployment'}");
    says("/message", "the API version in the data (extensions/v1beta1) does "
         "not match the expected API version (apps/v1)");
    rig_close();
}

TEST(gaps_in_the_type_are_filled)
{
    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    ask(201, "POST", CONFIG_MAPS,
        "{'apiVersion':'','kind':null,'metadata':{'name':'b'}}");
    says("/kind", "ConfigMap");
    ask(422, "POST", CONFIG_MAPS, "null");
    rig_close();
}

TEST(yaml_is_read)
{
    verb_open();
    rig.content_type = "application/yaml";
    ask(201, "POST", CONFIG_MAPS, "metadata:\n  name: a\ndata:\n  x: why\n");
    says("/data/x", "why");
    rig.content_type = "Application/YAML; charset=utf-8";
    ask(201, "POST", CONFIG_MAPS,
        "metadata:\n  name: b\ndata:\n  x: v\n  x: w\n");
    says("/data/x", "w");
    assert_true(warned("line 5: key \\\"x\\\" already set in map"));
    rig.content_type = "application/yaml";
    ask(400, "POST", CONFIG_MAPS "?fieldValidation=Strict",
        "metadata:\n  name: c\ndata:\n  x: v\n  x: w\n");
    tells("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: "
          "strict decoding error: yaml: unmarshal errors:\n"
          "  line 5: key \"x\" already set in map");
    rig.content_type = "application/yaml";
    ask(400, "POST", CONFIG_MAPS, "metadata:\n  name: 1\ndata:\n  x: 2\n");
    tells("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: "
          "json: cannot unmarshal number into Go struct field ConfigMap.data "
          "of type string");       /* In this order. */
    rig.content_type = "application/yaml";
    ask(400, "POST", CONFIG_MAPS, "a: b: c");
    tells("the object provided is unrecognized (must be of type ConfigMap): "
          "yaml: mapping values are not allowed in this context "
          "(613a20623a2063)");
    rig_close();
}

TEST(other_media_types_are_refused)
{
    static const char *const types[] = { "text/plain", "application/x-yaml",
                                         "application/cbor", ";",
                                         "application/json; charset",
                                         "application/json; =x",
                                         "application/json; a=\"",
                                         "application/json; a=b; A=c",
                                         "application/json; a=\"b\" c" };
    size_t i;

    verb_open();
    for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
        rig.content_type = types[i];
        ask(415, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
        tells("the body of the request was in an unknown format - accepted "
              "media types include: application/json, application/yaml, "
              "application/vnd.kubernetes.protobuf");
    }
    rig.content_type = "application/vnd.kubernetes.protobuf";
    ask(400, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    tells("the object provided is unrecognized (must be of type ConfigMap): "
          "provided data does not appear to be a protobuf message, expected "
          "prefix [107 56 115 0] ({\"metadata\":{\"name\":\"a\"}})");
    rig_close();
}

TEST(parameters_of_a_type_do_not_matter)
{
    static const char *const types[] = {
        "application/json;", "application/JSON ; charset=utf-8",
        "application/json; a=\"x;y\\\"z\"; b=c",
    };
    size_t i;

    verb_open();
    for (i = 0; i < YL_ARRAY_SIZE(types); i++) {
        rig.content_type = types[i];
        ask(201, "POST", CONFIG_MAPS "?dryRun=All",
            "{'metadata':{'name':'a'}}");
    }
    rig_close();
}

TEST(the_case_of_kind_does_not_matter)
{
    verb_open();
    ask(400, "POST", CONFIG_MAPS, "{'KIND':'Pod','metadata':{'name':'a'}}");
    tells("Pod in version \"v1\" cannot be handled as a ConfigMap: "
          "converting (v1.Pod) to (core.ConfigMap): unknown conversion");
    ask(400, "POST", CONFIG_MAPS, "{'kind':null,'apiversion':'foo/v1'}");
    tells("ConfigMap in version \"v1\" cannot be handled as a ConfigMap: no "
          "kind \"ConfigMap\" is registered for version \"foo/v1\" in scheme "
          "\"pkg/runtime/scheme.go:111\"");
    ask(400, "POST", CONFIG_MAPS, "{'apiVersion':'__internal'}");
    rig_close();
}

TEST(kinds_of_versions_that_are_gone_are_known)
{
    verb_open();
    ask(201, "POST", DEPLOYMENTS, DEPLOYMENT("d"));
    ask(400, "PUT", DEPLOYMENTS "/d",
        "{'kind':'Deployment','apiVersion':'extensions/v1beta1'}");
    tells("the API version in the data (extensions/v1beta1) does not match "
          "the expected API version (apps/v1)");
    ask(400, "PUT", DEPLOYMENTS "/d/scale",
        "{'kind':'Deployment','apiVersion':'apps/v1beta1'}");
    tells("Deployment in version \"v1beta1\" cannot be handled as a Scale: "
          "converting (v1beta1.Deployment) to (autoscaling.Scale): unknown "
          "conversion");
    ask(400, "PUT", DEPLOYMENTS "/d/scale",
        "{'kind':'Scale','apiVersion':'apps/v1beta2'}");
    tells("the API version in the data (apps/v1beta2) does not match the "
          "expected API version (autoscaling/v1)");
    ask(400, "PUT", DEPLOYMENTS "/d/scale",
        "{'kind':'Scale','apiVersion':'batch/v1beta1'}");
    tells("Scale in version \"v1beta1\" cannot be handled as a Scale: no "
          "kind \"Scale\" is registered for version \"batch/v1beta1\" in "
          "scheme \"pkg/runtime/scheme.go:111\"");
    ask(400, "PUT", DEPLOYMENTS "/d",
        "{'kind':'DeleteOptions','apiVersion':'policy/v1beta1'}");
    tells("DeleteOptions in version \"v1beta1\" cannot be handled as a "
          "Deployment: converting (v1.DeleteOptions) to (apps.Deployment): "
          "unknown conversion");
    rig_close();
}

TEST(other_options_do_not_delete)
{
    static const char *const cases[][2] = {
        { "{'kind':'CreateOptions','apiVersion':'apps/v1'}",
          "converting (v1.CreateOptions) to (v1.DeleteOptions): unknown "
          "conversion" },
        { "{'kind':'ListOptions'}",
          "converting (v1.ListOptions) to (v1.DeleteOptions): unknown "
          "conversion" },
        { "{'kind':'ListOptions','apiVersion':'v1'}",
          "no kind \"ListOptions\" is registered for version \"v1\" in "
          "scheme \"pkg/runtime/scheme.go:111\"" },
        { "{'kind':'Pod'}",
          "no kind \"Pod\" is registered for version \"meta.k8s.io/v1\" in "
          "scheme \"pkg/runtime/scheme.go:111\"" },
        { "{'kind':'Pod','apiVersion':'apps/__internal'}",
          "no kind \"Pod\" is registered for the internal version of group "
          "\"apps\" in scheme \"pkg/runtime/scheme.go:111\"" },
    };
    size_t i;

    verb_open();
    ask(201, "POST", CONFIG_MAPS, "{'metadata':{'name':'a'}}");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        ask(400, "DELETE", CONFIG_MAPS "/a", cases[i][0]);
        tells(cases[i][1]);
    }
    rig_close();
}

TEST(too_deep_is_told_as_go_does)
{
    static char text[10002];

    verb_open();
    memset(text, '[', sizeof text - 1);
    ask(400, "POST", CONFIG_MAPS, text);
    tells("the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: invalid character '["
          "' exceeded max depth "
          "(5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b "
          "...)");
    text[5000] = '\0';
    ask(400, "POST", CONFIG_MAPS, text);
    tells("the object provided is unrecognized (must be of type ConfigMap): "
          "couldn't get version/kind; json parse error: exceeded max depth "
          "of 1000 "
          "(5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b5b "
          "...)");
    rig_close();
}

TEST(errors_of_yaml_are_those_of_go)
{
    verb_open();
    rig.content_type = "application/yaml";
    ask(400, "POST", CONFIG_MAPS, "a: *x");
    tells("the object provided is unrecognized (must be of type ConfigMap): "
          "yaml: unknown anchor 'x' referenced (613a202a78)");
    rig_close();
}

TEST(unknown_and_repeated_members_are_judged)
{
    static const char body[] = "{'metadata':{'name':'a','foo':1},'data':"
                               "{'x':'1','x':'2'},'bar':2}";

    verb_open();
    ask(201, "POST", CONFIG_MAPS "?dryRun=All", body);
    assert_true(warned("unknown field \\\"metadata.foo\\\""));
    assert_true(warned("unknown field \\\"bar\\\""));
    assert_true(warned("duplicate field \\\"data.x\\\""));
    ask(201, "POST", CONFIG_MAPS "?dryRun=All&fieldValidation=Ignore", body);
    assert_false(warned("warning"));
    ask(400, "POST", CONFIG_MAPS "?fieldValidation=Strict", body);
    says("/message", "ConfigMap in version \"v1\" cannot be handled as a "
         "ConfigMap: strict decoding error: unknown field \"metadata.foo\", "
         "duplicate field \"data.x\", unknown field \"bar\"");
    rig_close();
}

TEST(text_is_read_as_go_reads_it)
{
    static const struct {
        const char *text, *value;
    } cases[] = {
        { "{\"a\":\"\xff\xfe\"}", "\xef\xbf\xbd\xef\xbf\xbd" },
        { "{\"a\":\"\\ud800\"}", "\xef\xbf\xbd" },
        { "{\"a\":\"\\udc00x\"}", "\xef\xbf\xbdx" },
        { "{\"a\":\"\\ud83d\\ude00\\ud800\"}",
          "\xf0\x9f\x98\x80\xef\xbf\xbd" },
        { "{\"a\":\"\\\\ud800\xff\"}", "\\ud800\xef\xbf\xbd" },
        { "{\"a\":\"\\u00e9\\uD800\"}", "\xc3\xa9\xef\xbf\xbd" },
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_node *root;
    struct yl_str value;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_body_parse_json(arena, yl_str_c(cases[i].text),
                                            NULL, &root, NULL), 0);
        assert_int_equal(yl_node_string(yl_node_get(root, YL_STR("a")), arena,
                                        &value), 0);
        assert_str_equal(value, cases[i].value);
    }

    /* What is wrong otherwise stays wrong, in its own words. */
    assert_int_equal(yl_body_parse_json(arena, YL_STR("\xef\xbb\xbf{}"), NULL,
                                        &root, &err), YL_ESYNTAX);
    yl_error_clear(&err);
    assert_int_equal(yl_body_parse_json(arena, YL_STR("{\"a\":\"\\uzzzz\"}"),
                                        NULL, &root, NULL), YL_ESYNTAX);
    assert_int_equal(yl_body_parse_json(arena, YL_STR("{\"\\u12\":\xff}"),
                                        NULL, &root, NULL), YL_ESYNTAX);
    yl_arena_free(arena);
}

TEST(repeated_members_are_found_while_parsing)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_strict strict;
    struct yl_node *root;

    yl_strict_init(&strict, arena);
    assert_int_equal(yl_body_parse_json(arena, YL_STR("{\"a\":1,\"a\":2}"),
                                        &strict, &root, NULL), 0);
    assert_non_null(yl_strict_repeats(&strict, root));
    yl_strict_release(&strict);
    yl_arena_free(arena);
}
