/* Tests of reviews: the answers, and what is no question. */

#include "auth_rig.h"

#define AUTHORIZATION "/apis/authorization.k8s.io/v1"
#define AUTHENTICATION "/apis/authentication.k8s.io/v1"
#define LOCAL AUTHORIZATION "/namespaces/default/localsubjectaccessreviews"

TEST(access_is_reviewed)
{
    auth_open();
    let_bob("[{'verbs':['get'],'apiGroups':[''],'resources':['pods']}]");
    assert_int_equal(as("bob", "POST",
                        AUTHORIZATION "/selfsubjectaccessreviews",
                        "{'spec':{'resourceAttributes':{'namespace':"
                        "'default','verb':'get','resource':'pods'}}}"), 201);
    assert_string_equal(text_at("/status/allowed"), "true");
    assert_string_equal(text_at("/status/reason"),
                        "RBAC: allowed by RoleBinding \"bob/default\" of "
                        "Role \"bob\" to User \"bob\"");
    assert_int_equal(as("root", "POST",
                        AUTHORIZATION "/subjectaccessreviews",
                        "{'spec':{'user':'bob','nonResourceAttributes':{"
                        "'verb':'get','path':'/metrics'}}}"), 201);
    assert_string_equal(text_at("/status"), "{\"allowed\":false}");
    assert_int_equal(as("root", "POST",
                        AUTHORIZATION "/subjectaccessreviews",
                        "{'spec':{'groups':['system:masters'],'extra':{"
                        "'a':['b']},'resourceAttributes':{}}}"), 201);
    assert_string_equal(text_at("/status"), "{\"allowed\":true}");
    assert_int_equal(as("root", "POST", LOCAL,
                        "{'spec':{'user':'bob','resourceAttributes':{"
                        "'namespace':'default','verb':'get',"
                        "'resource':'pods'}}}"), 201);
    assert_string_equal(text_at("/status/allowed"), "true");
    assert_string_equal(text_at("/metadata"), "{\"namespace\":\"default\"}");
    auth_close();
}

TEST(selectors_are_read_and_not_looked_at)
{
    static const struct {
        const char *selectors, *error;
    } cases[] = {
        { "'labelSelector':{'rawSelector':'a=b'},"
          "'fieldSelector':{'rawSelector':'a=b'}", "" },
        { "'labelSelector':{'rawSelector':'a in'}",
          "spec.resourceAttributes.labelSelector ignored due to parse "
          "error" },
        { "'labelSelector':{'requirements':[{'key':'a','operator':'Odd',"
          "'values':['b']},{'key':'a','operator':'In','values':['b']},"
          "{'key':'a','operator':'Exists'},"
          "{'key':'a','operator':'In','values':['b c']}]}",
          "spec.resourceAttributes.labelSelector partially ignored due to "
          "parse error" },
        { "'fieldSelector':{'requirements':[{'key':'a','operator':'In',"
          "'values':['b','c']}]},'labelSelector':{'requirements':[{"
          "'key':'a','operator':'Odd'}]}",
          "spec.resourceAttributes.fieldSelector ignored due to parse error; "
          "spec.resourceAttributes.labelSelector ignored due to parse "
          "error" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    auth_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(as("root", "POST",
                            AUTHORIZATION "/selfsubjectaccessreviews",
                            yl_arena_printf(
                                arena, "{'spec':{'resourceAttributes':{"
                                "'verb':'list',%s}}}", cases[i].selectors)),
                         201);
        assert_string_equal(text_at("/status/evaluationError"),
                            cases[i].error);
    }
    auth_close();
    yl_arena_free(arena);
}

TEST(bad_questions_are_refused)
{
#define BOTH "exactly one of nonResourceAttributes or resourceAttributes " \
             "must be specified"
    static const struct {
        const char *path, *body, *message;
    } cases[] = {
        { AUTHORIZATION "/subjectaccessreviews", "{}",
          ".authorization.k8s.io \"\" is invalid: [spec.resourceAttributes: "
          "Invalid value: null: " BOTH ", spec.user: Invalid value: \"\": "
          "at least one of user or group must be specified]" },
        { AUTHORIZATION "/selfsubjectaccessreviews",
          "{'spec':{'resourceAttributes':{},'nonResourceAttributes':{"
          "'verb':'g'}}}",
          ".authorization.k8s.io \"\" is invalid: "
          "spec.nonResourceAttributes: Invalid value: {\"Path\":\"\","
          "\"Verb\":\"g\"}: cannot be specified in combination with "
          "resourceAttributes" },
        { AUTHORIZATION "/selfsubjectaccessreviews",
          "{'metadata':{'name':'x'},'spec':{'resourceAttributes':{}}}",
          ".authorization.k8s.io \"\" is invalid: metadata: Invalid value: "
          "{\"name\":\"x\"}: must be empty" },
        { LOCAL, "{'metadata':{'labels':{'a':'b'}},'spec':{'user':'u',"
          "'resourceAttributes':{'namespace':'other'}}}",
          ".authorization.k8s.io \"\" is invalid: [metadata: Invalid value: "
          "{\"labels\":{\"a\":\"b\"},\"namespace\":\"default\"}: must be "
          "empty except for namespace, spec.resourceAttributes.namespace: "
          "Invalid value: \"other\": must match metadata.namespace]" },
        { LOCAL, "{'spec':{'user':'u','nonResourceAttributes':{"
          "'path':'/x'}}}",
          ".authorization.k8s.io \"\" is invalid: "
          "spec.nonResourceAttributes: Invalid value: {\"Path\":\"/x\","
          "\"Verb\":\"\"}: disallowed on this kind of request" },
        { LOCAL, "{'metadata':{'namespace':'x'}}",
          "the namespace of the provided object does not match the "
          "namespace sent on the request" },
        { AUTHORIZATION "/selfsubjectaccessreviews",
          "{'spec':{'resourceAttributes':{'fieldSelector':{},"
          "'labelSelector':{'rawSelector':'a','requirements':[{"
          "'key':'','operator':'In'},{'key':'a','operator':'Exists',"
          "'values':['x']}]}}}}",
          ".authorization.k8s.io \"\" is invalid: "
          "[spec.resourceAttributes.fieldSelector.requirements: Required "
          "value: when spec.resourceAttributes.fieldSelector is specified, "
          "requirements or rawSelector is required, "
          "spec.resourceAttributes.labelSelector.rawSelector: Invalid "
          "value: \"a\": may not specified at the same time as "
          "requirements, "
          "spec.resourceAttributes.labelSelector.requirements[0].values: "
          "Required value: must be specified when `operator` is 'In' or "
          "'NotIn', "
          "spec.resourceAttributes.labelSelector.requirements[0].key: "
          "Invalid value: \"\": name part must be non-empty, "
          "spec.resourceAttributes.labelSelector.requirements[0].key: "
          "Invalid value: \"\": name part must consist of alphanumeric "
          "characters, '-', '_' or '.', and must start and end with an "
          "alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
          "'123-abc', regex used for validation is "
          "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), "
          "spec.resourceAttributes.labelSelector.requirements[1].values: "
          "Forbidden: may not be specified when `operator` is 'Exists' or "
          "'DoesNotExist']" },
        { AUTHORIZATION "/selfsubjectaccessreviews",
          "{'spec':{'resourceAttributes':{'fieldSelector':{"
          "'requirements':[{'operator':'Odd'}]}}}}",
          ".authorization.k8s.io \"\" is invalid: "
          "spec.resourceAttributes.fieldSelector.requirements[0].key: "
          "Required value: must be specified" },
        { AUTHORIZATION "/selfsubjectrulesreviews", "{}",
          "no namespace on request" },
        { AUTHENTICATION "/tokenreviews", "{}",
          "token is required for TokenReview in authentication" },
        { AUTHENTICATION "/tokenreviews", "{'kind':'Pod'}", NULL },
    };
    size_t i;

    auth_open();
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        int status = as("root", "POST", cases[i].path, cases[i].body);

        assert_true(status == 422 || status == 400);
        if (cases[i].message) {
            assert_string_equal(text_at("/message"), cases[i].message);
        }
    }
    assert_int_equal(as("root", "GET", AUTHENTICATION "/tokenreviews/x",
                        NULL), 404);
    assert_int_equal(as("root", "GET", AUTHENTICATION "/tokenreviews", NULL),
                     405);
    auth_close();
}

TEST(rules_are_listed)
{
    auth_open();
    let_bob("[{'verbs':['get'],'apiGroups':[''],'resources':['pods'],"
            "'resourceNames':['x']}]");
    assert_int_equal(as("bob", "POST",
                        AUTHORIZATION "/selfsubjectrulesreviews",
                        "{'spec':{'namespace':'default'}}"), 201);
    assert_string_equal(text_at("/spec"), "{}");
    assert_string_equal(text_at("/status/incomplete"), "false");
    assert_string_equal(text_at("/status/nonResourceRules/0/verbs/0"),
                        "get");
    assert_non_null(strstr(text_at("/status/resourceRules"),
                           "\"resourceNames\":[\"x\"]"));
    auth_close();
}

TEST(who_one_is)
{
    auth_open();
    assert_int_equal(as("bob", "POST", AUTHENTICATION "/selfsubjectreviews",
                        "{'status':{'userInfo':{'username':'x'}}}"), 201);
    assert_string_equal(text_at("/status/userInfo"),
                        "{\"groups\":[\"dev\",\"system:authenticated\"],"
                        "\"uid\":\"b-1\",\"username\":\"bob\"}");
    rig.headers = "impersonate-user: a\xe9z\r\n";
    assert_int_equal(as("root", "POST", AUTHENTICATION "/selfsubjectreviews",
                        "{}"), 201);
    assert_string_equal(text_at("/status/userInfo/username"),
                        "a\xef\xbf\xbdz");
    assert_int_equal(as("root", "POST", AUTHENTICATION "/tokenreviews",
                        "{'spec':{'token':'bob'}}"), 201);
    assert_string_equal(text_at("/status/authenticated"), "true");
    assert_string_equal(text_at("/status/user/username"), "bob");
    assert_string_equal(text_at("/status/audiences"),
                        "[\"https://kubernetes.default.svc\"]");

    /* Who is not the server must not take the server's tokens. */
    assert_int_equal(as("root", "POST", AUTHENTICATION "/tokenreviews",
                        "{'spec':{'token':'bob','audiences':['vault']}}"),
                     201);
    assert_string_equal(text_at("/status/authenticated"), "");
    assert_string_equal(text_at("/status/error"), "invalid bearer token");
    assert_string_equal(text_at("/status/user"), "{}");
    assert_int_equal(as("root", "POST", AUTHENTICATION "/tokenreviews",
                        "{'spec':{'token':'bob','audiences':['vault',"
                        "'https://kubernetes.default.svc']}}"), 201);
    assert_string_equal(text_at("/status/authenticated"), "true");
    assert_string_equal(text_at("/status/audiences"),
                        "[\"https://kubernetes.default.svc\"]");
    assert_int_equal(as("root", "POST", AUTHENTICATION "/tokenreviews",
                        "{'spec':{'token':'wrong'}}"), 201);
    assert_string_equal(text_at("/status/authenticated"), "");
    assert_string_equal(text_at("/status/error"), "invalid bearer token");
    auth_close();
}
