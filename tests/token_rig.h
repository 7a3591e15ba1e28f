#ifndef TESTS_TOKEN_RIG_H
#define TESTS_TOKEN_RIG_H 1

/* The server of auth_rig.h with a ServiceAccount "s" in the namespace default,
 * and tokens of it.
 *
 *     token_open(NULL);
 *     const char *token = token_for("'audiences':['a']");
 *     assert_int_equal(as(token, "GET", "/version", NULL), 401);
 *     token_close(); */

#include "auth_rig.h"

#include "apiserver/own/own.h"

#define TOKEN_DEFAULT "/api/v1/namespaces/default"
#define TOKEN_ACCOUNTS TOKEN_DEFAULT "/serviceaccounts"
#define TOKEN_PATH TOKEN_ACCOUNTS "/s/token"
#define TOKEN_REVIEWS "/apis/authentication.k8s.io/v1/tokenreviews"

static struct yl_arena *token_arena;    /* Of the tokens. */

static inline void
token_open(const struct yl_service_account_opts *opts)
{
    struct yl_apiserver_opts server = { .own = yl_own_keep };

    if (opts) {
        server.service_accounts = *opts;
    }
    token_arena = yl_arena_new();
    auth_open_with(server);
    assert_int_equal(as("root", "POST", TOKEN_ACCOUNTS,
                        "{'metadata':{'name':'s'}}"), 201);
}

static inline void
token_close(void)
{
    auth_close();
    yl_arena_free(token_arena);
}

/* Asks for a token with this spec; the status. */
static inline int
token_ask(const char *spec)
{
    return as("root", "POST", TOKEN_PATH,
              yl_arena_printf(token_arena, "{'spec':{%s}}", spec));
}

static inline const char *
token_for(const char *spec)
{
    assert_int_equal(token_ask(spec), 201);
    return yl_arena_strdup(token_arena, yl_str_c(text_at("/status/token")));
}

/* The error of a TokenReview; "" if the token is good.  'audiences' is a JSON
 * list, or NULL. */
static inline const char *
token_review(const char *token, const char *audiences)
{
    assert_int_equal(as("root", "POST", TOKEN_REVIEWS, yl_arena_printf(
        token_arena, "{'spec':{'token':'%s'%s%s}}", token,
        audiences ? ",'audiences':" : "", audiences ? audiences : "")), 201);
    assert_string_equal(text_at("/status/authenticated"),
                        *text_at("/status/error") ? "" : "true");
    return text_at("/status/error");
}

/* Creates an object. */
static inline void
token_create(const char *path, const char *body)
{
    assert_int_equal(as("root", "POST", path, body), 201);
}

#endif /* tests/token_rig.h */
