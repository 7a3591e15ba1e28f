/* Tests of token_alive.c: a token does not outlive its objects. */

#include "apiserver/auth/token_alive.h"

#include "apiserver/auth/token_claims.h"
#include "json/base64.h"
#include "token_rig.h"
#include "yuloh/time.h"

#define INVALID "[invalid bearer token, "
#define GONE INVALID "service account token has been invalidated]"
#define SECRETS TOKEN_DEFAULT "/secrets"
#define PODS TOKEN_DEFAULT "/pods"
#define REF(KIND)                                                             \
    "'boundObjectRef':{'kind':'" KIND "','apiVersion':'v1','name':'x'}"
#define POD                                                                   \
    "{'metadata':{'name':'x'},'spec':{'serviceAccountName':'s',"              \
    "'containers':[{'name':'c','image':'i'}]}}"

/* A token is bound to an object, which is deleted and made again. */
static void
check_bound(const char *kind, const char *path, const char *body,
            const char *spec)
{
    struct yl_arena *arena = yl_arena_new();
    const char *one = yl_arena_printf(arena, "%s/x", path), *token, *why;

    token_open(NULL);
    token_create(path, body);
    token = token_for(spec);
    assert_string_equal(token_review(token, NULL), "");
    assert_int_equal(as("root", "DELETE", one,
                        "{'gracePeriodSeconds':0}"), 200);
    assert_string_equal(token_review(token, NULL), GONE);
    assert_int_equal(as(token, "GET", "/version", NULL), 401);
    token_create(path, body);
    why = yl_arena_printf(arena, "does not match service account %s ref "
                          "claim (", kind);
    assert_non_null(strstr(token_review(token, NULL), why));
    token_close();
    yl_arena_free(arena);
}

TEST(a_token_ends_with_the_object_that_it_is_bound_to)
{
    check_bound("pod", PODS, POD, REF("Pod"));
    check_bound("secret", SECRETS, "{'metadata':{'name':'x'}}",
                REF("Secret"));
    check_bound("node", "/api/v1/nodes", "{'metadata':{'name':'x'}}",
                REF("Node"));
}

TEST(a_token_ends_with_its_account)
{
    const char *token;

    token_open(NULL);
    token = token_for("");
    assert_int_equal(as("root", "DELETE", TOKEN_ACCOUNTS "/s", NULL), 200);
    assert_string_equal(token_review(token, NULL),
                        INVALID "serviceaccounts \"s\" not found]");
    token_create(TOKEN_ACCOUNTS, "{'metadata':{'name':'s'}}");
    assert_non_null(strstr(token_review(token, NULL),
                           ") does not match claim ("));
    token_close();
}

TEST(an_object_that_is_being_deleted_counts_until_the_leeway_is_over)
{
    struct yl_token_question question = { .n_audiences = 0 };
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_str *common;
    const struct yl_user *user;
    const char *token;
    size_t n;

    token_open(NULL);
    token_create(PODS, "{'metadata':{'name':'x','finalizers':['a/b']},'spec':"
                 "{'serviceAccountName':'s','terminationGracePeriodSeconds':"
                 "10,'nodeName':'n','containers':[{'name':'c','image':'i'}]}"
                 "}");
    token = token_for(REF("Pod"));
    assert_int_equal(as("root", "DELETE", PODS "/x", NULL), 200);
    assert_string_equal(token_review(token, NULL), "");
    question.token = yl_str_c(token);
    question.audiences = yl_service_accounts_audiences(
        rig.server->service_accounts, &question.n_audiences);
    question.now = yl_time_now().seconds + 65;
    assert_int_equal(yl_service_accounts_recognize(
        rig.server->service_accounts, token_arena, &question, &user, &common,
        &n, &err), 0);
    question.now += 10;
    assert_int_equal(yl_service_accounts_recognize(
        rig.server->service_accounts, token_arena, &question, &user, &common,
        &n, &err), YL_EUNAUTHORIZED);
    yl_error_clear(&err);
    token_close();
}

/* Stores a token of the Secret "x" in it, and returns the token. */
static const char *
store_legacy(void)
{
    struct yl_token_claims claims = {
        .issuer = YL_STR_INIT(YL_TOKEN_LEGACY_ISSUER),
        .subject = YL_STR_INIT("system:serviceaccount:default:s"),
        .expires = YL_TOKEN_NEVER,
        .not_before = INT64_MIN,
        .issued = INT64_MIN,
        .namespace_ = YL_STR_INIT("default"),
        .account = { true, YL_STR_INIT("s"), YL_STR_INIT("") },
        .secret = { true, YL_STR_INIT("x"), YL_STR_INIT("") },
    };
    struct yl_buf token, base64;
    const char *text;

    assert_int_equal(as("root", "GET", TOKEN_ACCOUNTS "/s", NULL), 200);
    claims.account.uid = yl_arena_copy(token_arena,
                                       yl_str_c(text_at("/metadata/uid")));
    yl_buf_init(&token, 4096);
    yl_buf_init(&base64, 8192);
    assert_int_equal(yl_service_accounts_issue(rig.server->service_accounts,
                                               &claims, &token, NULL), 0);
    yl_base64_write(&base64, yl_buf_str(&token));
    token_create(SECRETS, yl_arena_printf(
        token_arena, "{'metadata':{'name':'x','annotations':"
        "{'kubernetes.io/service-account.name':'s'}},"
        "'type':'kubernetes.io/service-account-token','data':{'token':'%s'}}",
        yl_buf_c_str(&base64)));
    text = yl_arena_strdup(token_arena, yl_buf_str(&token));
    yl_buf_release(&token);
    yl_buf_release(&base64);
    return text;
}

TEST(a_token_of_a_secret_is_good_while_the_secret_has_it)
{
    const char *token;

    token_open(NULL);
    token = store_legacy();
    assert_string_equal(token_review(token, NULL), "");
    assert_string_equal(text_at("/status/user/username"),
                        "system:serviceaccount:default:s");
    assert_int_equal(as(token, "GET", "/version", NULL), 200);
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(as("root", "PATCH", SECRETS "/x", "{'metadata':{'labels':"
                        "{'kubernetes.io/legacy-token-invalid-since':"
                        "'2026-01-01'}}}"), 200);
    assert_non_null(strstr(token_review(token, NULL),
                           "has been marked invalid"));
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(as("root", "PATCH", SECRETS "/x", "{'data':{'token':"
                        "'eA=='}}"), 200);
    assert_string_equal(token_review(token, NULL),
                        INVALID "Token does not match server's copy]");
    assert_int_equal(as("root", "DELETE", SECRETS "/x", NULL), 200);
    assert_string_equal(token_review(token, NULL),
                        INVALID "Token has been invalidated]");
    token_close();
}

TEST(without_lookup_a_token_of_a_secret_is_believed)
{
    struct yl_service_account_opts opts = { .skip_lookup = true };
    const char *token;

    token_open(&opts);
    token = store_legacy();
    assert_int_equal(as("root", "DELETE", SECRETS "/x", NULL), 200);
    assert_string_equal(token_review(token, NULL), "");
    token_close();
}

TEST(a_token_of_a_secret_needs_all_claims)
{
    static const struct {
        struct yl_token_claims claims;
        const char *why;
    } cases[] = {
        { { .subject = YL_STR_INIT("") }, "sub claim is missing" },
        { { .subject = YL_STR_INIT("x") }, "namespace claim is missing" },
        { { .subject = YL_STR_INIT("x"), .namespace_ = YL_STR_INIT("n") },
          "secretName claim is missing" },
        { { .subject = YL_STR_INIT("x"), .namespace_ = YL_STR_INIT("n"),
            .secret = { true, YL_STR_INIT("x"), YL_STR_INIT("") } },
          "serviceAccountName claim is missing" },
        { { .subject = YL_STR_INIT("x"), .namespace_ = YL_STR_INIT("n"),
            .secret = { true, YL_STR_INIT("x"), YL_STR_INIT("") },
            .account = { true, YL_STR_INIT("s"), YL_STR_INIT("") } },
          "serviceAccountUID claim is missing" },
        { { .subject = YL_STR_INIT("x"), .namespace_ = YL_STR_INIT("n"),
            .secret = { true, YL_STR_INIT("x"), YL_STR_INIT("") },
            .account = { true, YL_STR_INIT("s"), YL_STR_INIT("u") } },
          "sub claim is invalid" },
        { { .subject = YL_STR_INIT("system:serviceaccount:a:b:c"),
            .namespace_ = YL_STR_INIT("a:b"),
            .secret = { true, YL_STR_INIT("x"), YL_STR_INIT("") },
            .account = { true, YL_STR_INIT("c"), YL_STR_INIT("u") } },
          "sub claim is invalid" },
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_objects objects = { .skip_secrets = true };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(yl_token_check_secret(&objects, arena,
                                               &cases[i].claims, YL_STR("t"),
                                               &err), YL_EUNAUTHORIZED);
        assert_string_equal(yl_error_message(&err), cases[i].why);
    }
    yl_error_clear(&err);
    yl_arena_free(arena);
}
