/* Tests of token_request.c: what is refused, what is answered. */

#include "apiserver/auth/token_request.h"

#include "apiserver/auth/jwt.h"
#include "token_rig.h"

#define PODS TOKEN_DEFAULT "/pods"
#define POD(NAME, MORE)                                                       \
    "{'metadata':{'name':'" NAME "'},'spec':{" MORE                           \
    "'containers':[{'name':'c','image':'i'}]}}"

/* A claim of a token, by its JSON pointer. */
static const char *
claim(const char *token, const char *pointer)
{
    struct yl_jwt jwt;

    assert_int_equal(yl_jwt_parse(token_arena, yl_str_c(token), &jwt), 0);
    rig.body = jwt.payload;
    return text_at(pointer);
}

static int64_t
number(const char *text)
{
    return strtoll(text, NULL, 10);
}

TEST(the_answer_is_the_request_with_a_token)
{
    const char *token;

    token_open(NULL);
    assert_int_equal(token_ask(""), 201);
    assert_string_equal(text_at("/kind"), "TokenRequest");
    assert_string_equal(text_at("/metadata/name"), "s");
    assert_string_equal(text_at("/metadata/namespace"), "default");
    assert_string_equal(text_at("/spec/audiences"),
                        "[\"https://kubernetes.default.svc\"]");
    assert_string_equal(text_at("/spec/expirationSeconds"), "3600");
    assert_string_equal(text_at("/spec/boundObjectRef"), "null");
    assert_string_equal(text_at("/metadata/managedFields/0/subresource"),
                        "token");
    assert_string_equal(text_at("/metadata/managedFields/0/fieldsV1"),
                        "{\"f:spec\":{\"f:expirationSeconds\":{}}}");
    token = token_for("'audiences':['a','b'],'expirationSeconds':700");
    assert_string_equal(claim(token, "/aud"), "[\"a\",\"b\"]");
    assert_string_equal(claim(token, "/sub"),
                        "system:serviceaccount:default:s");
    assert_string_equal(claim(token, "/iss"),
                        "https://kubernetes.default.svc");
    assert_int_equal(number(claim(token, "/exp"))
                     - number(claim(token, "/iat")), 700);
    token_close();
}

TEST(requests_that_ask_for_the_impossible_are_refused)
{
    static const struct {
        const char *spec;
        int status;
        const char *message;
    } cases[] = {
        { "'expirationSeconds':599", 422,
          "TokenRequest.authentication.k8s.io \"\" is invalid: "
          "spec.expirationSeconds: Invalid value: 599: may not specify a "
          "duration less than 10 minutes" },
        { "'expirationSeconds':4294967297", 422,
          "TokenRequest.authentication.k8s.io \"\" is invalid: "
          "spec.expirationSeconds: Invalid value: 4294967297: may not "
          "specify a duration larger than 2^32 seconds" },
        { "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'x'}", 404,
          "pods \"x\" not found" },
        { "'boundObjectRef':{'kind':'Node','apiVersion':'v1','name':'x'}",
          404, "nodes \"x\" not found" },
        { "'boundObjectRef':{'kind':'Secret','apiVersion':'v1'}", 400,
          "Name parameter required." },
        { "'boundObjectRef':{'kind':'Pod','apiVersion':'apps/v1',"
          "'name':'x'}", 400,
          "cannot bind token to object of type apps/v1, Kind=Pod" },
        { "'boundObjectRef':{}", 400,
          "cannot bind token to object of type /, Kind=" },
        { "'boundObjectRef':{'kind':'Pod','apiVersion':'v1','name':'p'}", 400,
          "cannot bind token for serviceaccount \"s\" to pod running with "
          "different serviceaccount name." },
        { "'boundObjectRef':{'kind':'Secret','apiVersion':'v1','name':'c',"
          "'uid':'u'}", 409,
          "Operation cannot be fulfilled on Secret \"c\": the UID in the "
          "bound object reference (u) does not match the UID in record. The "
          "object might have been deleted and then recreated" },
    };
    size_t i;

    token_open(NULL);
    token_create(PODS, POD("p", ""));
    token_create(TOKEN_DEFAULT "/secrets", "{'metadata':{'name':'c'}}");
    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(token_ask(cases[i].spec), cases[i].status);
        tells(cases[i].message);
    }
    token_close();
}

TEST(the_request_must_be_about_the_account_of_the_path)
{
    token_open(NULL);
    assert_int_equal(as("root", "POST", TOKEN_PATH,
                        "{'metadata':{'name':'other'}}"), 422);
    tells("TokenRequest.authentication.k8s.io \"s\" is invalid: "
          "metadata.name: Invalid value: \"other\": must match the service "
          "account name if specified");
    assert_int_equal(as("root", "POST", TOKEN_PATH,
                        "{'metadata':{'namespace':'other'}}"), 400);
    assert_int_equal(as("root", "POST", TOKEN_PATH,
                        "{'metadata':{'uid':'u'}}"), 409);
    assert_int_equal(as("root", "POST", TOKEN_ACCOUNTS "/absent/token", "{}"),
                     404);
    tells("serviceaccounts \"absent\" not found");
    assert_int_equal(as("root", "POST", "/api/v1/namespaces/absent/"
                        "serviceaccounts/s/token", "{}"), 404);
    tells("namespaces \"absent\" not found");
    assert_int_equal(as("root", "GET", TOKEN_PATH, NULL), 405);
    assert_int_equal(as("bob", "POST", TOKEN_PATH, "{}"), 403);
    assert_int_equal(as("root", "POST", TOKEN_PATH "?fieldValidation=Strict",
                        "{'spec':{'odd':1}}"), 400);
    token_close();
}

TEST(a_bound_token_names_its_object_and_a_pods_its_node)
{
    const char *token;

    token_open(NULL);
    token_create("/api/v1/nodes", "{'metadata':{'name':'n'}}");
    token_create(PODS, POD("p", "'serviceAccountName':'s','nodeName':'n',"));
    token_create(PODS, POD("q", "'serviceAccountName':'s','nodeName':'m',"));
    token = token_for("'boundObjectRef':{'kind':'Pod','apiVersion':'v1',"
                      "'name':'p'}");
    assert_string_equal(claim(token, "/kubernetes.io/pod/name"), "p");
    assert_int_equal(strlen(claim(token, "/kubernetes.io/pod/uid")), 36);
    assert_string_equal(claim(token, "/kubernetes.io/node/name"), "n");
    assert_int_equal(strlen(claim(token, "/kubernetes.io/node/uid")), 36);
    token = token_for("'boundObjectRef':{'kind':'Pod','apiVersion':'v1',"
                      "'name':'q'}");
    assert_string_equal(claim(token, "/kubernetes.io/node"),
                        "{\"name\":\"m\"}");
    token = token_for("'boundObjectRef':{'kind':'Node','apiVersion':'v1',"
                      "'name':'n'}");
    assert_string_equal(claim(token, "/kubernetes.io/node/name"), "n");
    assert_string_equal(claim(token, "/kubernetes.io/pod"), "");
    token_close();
}

TEST(the_token_that_a_pod_gets_by_default_lasts_for_a_year)
{
    static const char ref[] = "'expirationSeconds':3607,'boundObjectRef':"
        "{'kind':'Pod','apiVersion':'v1','name':'p'}";
    struct yl_service_account_opts exact = { .exact_expiration = true };
    const char *token;

    token_open(NULL);
    token_create(PODS, POD("p", "'serviceAccountName':'s',"));
    token = token_for(ref);
    assert_int_equal(number(claim(token, "/exp"))
                     - number(claim(token, "/iat")), 365 * 24 * 3600);
    assert_int_equal(number(claim(token, "/kubernetes.io/warnafter"))
                     - number(claim(token, "/iat")), 3607);
    token = token_for("'expirationSeconds':3607");
    assert_string_equal(claim(token, "/kubernetes.io/warnafter"), "");
    token_close();

    token_open(&exact);
    token_create(PODS, POD("p", "'serviceAccountName':'s',"));
    token = token_for(ref);
    assert_int_equal(number(claim(token, "/exp"))
                     - number(claim(token, "/iat")), 3607);
    token_close();
}

TEST(a_time_beyond_the_maximum_is_shortened_with_a_warning)
{
    struct yl_service_account_opts opts = { .max_expiration = 7200 };

    token_open(&opts);
    assert_int_equal(token_ask("'expirationSeconds':7201"), 201);
    assert_string_equal(text_at("/spec/expirationSeconds"), "7200");
    assert_non_null(memmem(rig.head.data, rig.head.size, "requested "
                           "expiration of 7201 seconds shortened to 7200 "
                           "seconds", 62));
    token_close();
}
