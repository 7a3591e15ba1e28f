/* Tests of token_claims.c. */

#include "apiserver/auth/token_claims.h"

#include "apiserver/auth/user.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static int
read_claims(struct yl_arena *arena, const char *json,
            struct yl_token_claims *claims)
{
    char *text = yl_arena_strdup(arena, yl_str_c(json)), *p;

    for (p = text; *p; p++) {
        *p = *p == '\'' ? '"' : *p;
    }
    return yl_token_claims_read(arena, yl_str_c(text), claims, NULL);
}

static const char *
written(struct yl_arena *arena, const struct yl_token_claims *claims)
{
    struct yl_buf buf;
    char *text;

    yl_buf_init(&buf, 4096);
    yl_token_claims_write(claims, &buf);
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

TEST(what_is_written_is_read_back)
{
    static const char bound[] =
        "{\"aud\":[\"a\",\"b\"],\"exp\":20,\"iat\":10,\"iss\":\"i\","
        "\"jti\":\"j\",\"kubernetes.io\":{\"namespace\":\"n\","
        "\"node\":{\"name\":\"m\"},\"pod\":{\"name\":\"p\",\"uid\":\"1\"},"
        "\"secret\":{\"name\":\"s\",\"uid\":\"2\"},"
        "\"serviceaccount\":{\"name\":\"x\",\"uid\":\"3\"},"
        "\"warnafter\":15},\"nbf\":10,\"sub\":\"system:\\\"\"}";
    static const char legacy[] =
        "{\"iss\":\"kubernetes/serviceaccount\","
        "\"kubernetes.io/serviceaccount/namespace\":\"n\","
        "\"kubernetes.io/serviceaccount/secret.name\":\"s\","
        "\"kubernetes.io/serviceaccount/service-account.name\":\"x\","
        "\"kubernetes.io/serviceaccount/service-account.uid\":\"3\","
        "\"sub\":\"u\"}";
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_claims claims;

    assert_int_equal(read_claims(arena, bound, &claims), 0);
    assert_string_equal(written(arena, &claims), bound);
    assert_false(yl_token_claims_is_legacy(&claims));
    assert_int_equal(claims.n_audiences, 2);
    assert_str_equal(claims.pod.uid, "1");
    assert_int_equal(read_claims(arena, legacy, &claims), 0);
    assert_string_equal(written(arena, &claims), legacy);
    assert_true(yl_token_claims_is_legacy(&claims));
    assert_int_equal(claims.expires, YL_TOKEN_NEVER);
    yl_arena_free(arena);
}

TEST(claims_of_others_are_read_too)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_claims claims;

    assert_int_equal(read_claims(arena, "{'aud':'a','exp':1.9e9,'nbf':-1e99,"
                                 "'iat':null,'sub':null,'x':[]}", &claims), 0);
    assert_int_equal(claims.n_audiences, 1);
    assert_str_equal(claims.audiences[0], "a");
    assert_int_equal(claims.expires, 1900000000);
    assert_true(claims.not_before < 0);
    assert_int_equal(claims.issued, INT64_MIN);
    assert_int_equal(read_claims(arena, "{}", &claims), 0);
    assert_int_equal(claims.n_audiences, 0);
    assert_int_equal(read_claims(arena, "{'aud':[]}", &claims), 0);
    assert_int_equal(claims.n_audiences, 0);
    yl_arena_free(arena);
}

TEST(claims_of_another_type_are_refused)
{
    static const char *const texts[] = {
        "{'iss':1}", "{'sub':{}}", "{'exp':'1'}", "{'exp':1e999}",
        "{'aud':1}", "{'aud':['a',1]}", "{'aud':{}}",
        "{'kubernetes.io':{'pod':'p'}}",
        "{'kubernetes.io':{'pod':{'name':1}}}",
        ("{'iss':'kubernetes/serviceaccount',"
         "'kubernetes.io/serviceaccount/namespace':1}"),
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_claims claims;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        assert_int_equal(read_claims(arena, texts[i], &claims), YL_EINVALID);
    }
    yl_arena_free(arena);
}

TEST(clocks_may_differ_by_the_leeway)
{
    struct yl_token_claims claims = {
        .not_before = 1000, .issued = 1000, .expires = 2000,
    };
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_token_claims_check_times(&claims, 940, NULL), 0);
    assert_int_equal(yl_token_claims_check_times(&claims, 2060, NULL), 0);
    assert_int_equal(yl_token_claims_check_times(&claims, 939, &err),
                     YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&err),
                        "service account token is not valid yet");
    assert_int_equal(yl_token_claims_check_times(&claims, 2061, &err),
                     YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&err),
                        "service account token has expired");
    claims.not_before = INT64_MIN;
    assert_int_equal(yl_token_claims_check_times(&claims, 0, &err),
                     YL_EUNAUTHORIZED);
    assert_string_equal(yl_error_message(&err),
                        "service account token is issued in the future");
    claims.issued = INT64_MIN;
    claims.expires = YL_TOKEN_NEVER;
    assert_int_equal(yl_token_claims_check_times(&claims, 0, NULL), 0);
    yl_error_clear(&err);
}

TEST(the_user_has_what_the_token_is_bound_to_in_its_extras)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_token_claims claims;
    const struct yl_user *user;

    assert_int_equal(read_claims(
        arena, "{'jti':'j','kubernetes.io':{'namespace':'n','node':"
        "{'name':'m','uid':'4'},'pod':{'name':'p','uid':'1'},"
        "'serviceaccount':{'name':'x','uid':'3'},'warnafter':9}}", &claims),
        0);
    user = yl_token_claims_user(arena, &claims);
    assert_str_equal(user->name, "system:serviceaccount:n:x");
    assert_str_equal(user->uid, "3");
    assert_int_equal(user->warn_after, 9);
    assert_int_equal(user->n_groups, 3);
    assert_str_equal(user->groups[0], "system:serviceaccounts");
    assert_str_equal(user->groups[1], "system:serviceaccounts:n");
    assert_str_equal(user->groups[2], "system:authenticated");
    assert_int_equal(user->n_extra, 5);
    assert_str_equal(user->extra[0].key,
                     "authentication.kubernetes.io/credential-id");
    assert_str_equal(user->extra[0].values[0], "JTI=j");
    assert_str_equal(user->extra[1].key,
                     "authentication.kubernetes.io/node-name");
    assert_str_equal(user->extra[4].values[0], "1");
    assert_int_equal(read_claims(
        arena, "{'kubernetes.io':{'namespace':'n','serviceaccount':"
        "{'name':'x','uid':'3'}}}", &claims), 0);
    assert_int_equal(yl_token_claims_user(arena, &claims)->n_extra, 0);
    yl_arena_free(arena);
}
