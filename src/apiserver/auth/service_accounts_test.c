/* Tests of service_accounts.c: which tokens are recognized. */

#include "apiserver/auth/service_accounts.h"

#include "apiserver/auth/token_claims.h"
#include "apiserver/auth/user.h"
#include "token_rig.h"
#include "yuloh/time.h"

#define SELF "/apis/authentication.k8s.io/v1/selfsubjectreviews"
#define INVALID "[invalid bearer token, "

/* Recognizes a token at a moment, for the API; its error, or "". */
static const char *
recognize_at(const char *token, int64_t now)
{
    struct yl_token_question question = {
        .token = yl_str_c(token), .now = now,
    };
    struct yl_error err = YL_ERROR_INIT;
    const struct yl_str *common;
    const struct yl_user *user;
    const char *why = "";
    size_t n;

    question.audiences = yl_service_accounts_audiences(
        rig.server->service_accounts, &question.n_audiences);
    if (yl_service_accounts_recognize(rig.server->service_accounts,
                                      token_arena, &question, &user, &common,
                                      &n, &err) < 0) {
        why = yl_arena_strdup(token_arena, yl_str_c(yl_error_message(&err)));
    }
    yl_error_clear(&err);
    return why;
}

TEST(a_token_makes_its_account_the_user)
{
    const char *token;

    token_open(NULL);
    token = token_for("");
    assert_int_equal(as(token, "POST", SELF, "{}"), 201);
    assert_string_equal(text_at("/status/userInfo/username"),
                        "system:serviceaccount:default:s");
    assert_string_equal(text_at("/status/userInfo/groups"),
                        "[\"system:serviceaccounts\","
                        "\"system:serviceaccounts:default\","
                        "\"system:authenticated\"]");
    assert_int_equal(as(token, "GET", "/api/v1/nodes", NULL), 403);
    tells("nodes is forbidden: User \"system:serviceaccount:default:s\" "
          "cannot list resource \"nodes\" in API group \"\" at the cluster "
          "scope");
    token_close();
}

TEST(a_token_is_good_for_its_audiences_only)
{
    const char *token;

    token_open(NULL);
    token = token_for("'audiences':['a','b']");
    assert_int_equal(as(token, "GET", "/version", NULL), 401);
    assert_string_equal(token_review(token, NULL),
                        INVALID "token audiences [\"a\" \"b\"] is invalid "
                        "for the target audiences "
                        "[\"https://kubernetes.default.svc\"]]");
    assert_string_equal(token_review(token, "['b','c','a']"), "");
    assert_string_equal(text_at("/status/audiences"), "[\"b\",\"a\"]");
    token = token_for("");
    assert_string_equal(token_review(token, "['a']"),
                        INVALID "token audiences "
                        "[\"https://kubernetes.default.svc\"] is invalid for "
                        "the target audiences [\"a\"]]");
    assert_string_equal(token_review(token, NULL), "");
    token_close();
}

TEST(the_audiences_of_the_api_and_the_issuers_can_be_chosen)
{
    static const char *const issuers[] = { "https://new", "https://old" };
    static const char *const audiences[] = { "x", "y" };
    static const char *const old[] = { "https://old" };
    struct yl_service_account_opts opts = {
        .key_directory = "/tmp", .issuers = old, .n_issuers = 1,
    };
    char directory[] = "/tmp/yuloh-keys-XXXXXX", path[64];
    const char *token, *kept;

    assert_non_null(mkdtemp(directory));
    opts.key_directory = directory;
    token_open(&opts);
    token = token_for("'audiences':['y']");
    kept = strdup(token);
    token_close();

    opts.issuers = issuers;
    opts.n_issuers = 2;
    opts.audiences = audiences;
    opts.n_audiences = 2;
    token_open(&opts);
    token = token_for("");
    assert_int_equal(as(token, "GET", "/version", NULL), 200);
    assert_string_equal(token_review("root", "['y','z']"), "");
    assert_string_equal(text_at("/status/audiences"), "[\"y\"]");

    /* The account is another one now, which is said only of a token whose
     * signature, issuer and audience are right. */
    assert_non_null(strstr(token_review(kept, NULL), "service account UID"));
    token_close();
    free((char *) (uintptr_t) kept);
    snprintf(path, sizeof path, "%s/sa.key", directory);
    unlink(path);
    rmdir(directory);
}

TEST(times_are_checked_at_each_use)
{
    int64_t now = yl_time_now().seconds;
    const char *token;

    token_open(NULL);
    token = token_for("");
    assert_string_equal(recognize_at(token, now), "");
    assert_string_equal(recognize_at(token, now + 3600), "");
    assert_string_equal(recognize_at(token, now + 3700),
                        "service account token has expired");
    assert_string_equal(recognize_at(token, now - 100),
                        "service account token is not valid yet");
    assert_string_equal(recognize_at(token, now), "");
    token_close();
}

TEST(what_is_no_token_of_ours_is_just_invalid)
{
    const char *token;

    token_open(NULL);
    token = token_for("");
    assert_string_equal(token_review("x.y.z", NULL), "invalid bearer token");
    assert_string_equal(token_review(yl_arena_printf(token_arena, "%s.x",
                                                     token), NULL),
                        "invalid bearer token");
    assert_string_equal(token_review(yl_arena_printf(
        token_arena, "%.*sAAAA", (int) strlen(token) - 4, token), NULL),
                        INVALID "invalid signature]");
    token_close();
}

TEST(a_forged_token_is_not_remembered)
{
    const char *token, *forged;
    int i;

    token_open(NULL);
    token = token_for("");
    forged = yl_arena_printf(token_arena, "%.*sAAAA",
                             (int) strlen(token) - 4, token);
    for (i = 0; i < 3; i++) {
        assert_int_equal(as(forged, "GET", "/version", NULL), 401);
    }
    assert_int_equal(as(token, "GET", "/version", NULL), 200);
    assert_int_equal(as(forged, "GET", "/version", NULL), 401);
    token_close();
}

TEST(after_a_reload_a_key_that_is_gone_is_not_accepted)
{
    const char *token;

    token_open(NULL);
    token = token_for("");
    assert_int_equal(as(token, "GET", "/version", NULL), 200);

    /* Without a directory each reload makes a new key. */
    assert_int_equal(yl_service_accounts_reload(rig.server->service_accounts,
                                                NULL), 0);
    assert_int_equal(as(token, "GET", "/version", NULL), 401);
    assert_string_equal(token_review(token, NULL),
                        INVALID "invalid signature, no keys found]");
    assert_int_equal(as(token_for(""), "GET", "/version", NULL), 200);
    token_close();
}

TEST(a_failed_reload_changes_nothing)
{
    char directory[] = "/tmp/yuloh-keys-XXXXXX", path[64];
    struct yl_service_account_opts opts = { .key_directory = directory };
    const char *token;

    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/sa.key", directory);
    token_open(&opts);
    token = token_for("");
    assert_int_equal(yl_file_replace(path, YL_STR("x"), 0600, NULL), 0);
    assert_int_equal(yl_service_accounts_reload(rig.server->service_accounts,
                                                NULL), YL_EINVALID);
    assert_int_equal(as(token, "GET", "/version", NULL), 200);
    token_close();
    unlink(path);
    rmdir(directory);
}
