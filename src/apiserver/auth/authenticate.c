/* Authentication.  See apiserver/auth/authenticate.h. */

#include "apiserver/auth/authenticate.h"

#include <stdlib.h>
#include <strings.h>

#include "apiserver/auth/service_accounts.h"
#include "apiserver/auth/token_file.h"
#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "net/http.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/time.h"

struct yl_authenticator {
    struct yl_token_file *tokens;   /* NULL without a file. */
    struct yl_service_accounts *accounts;   /* NULL without any. */
};

static const struct yl_str default_audience[] = {
    YL_STR_INIT(YL_SERVICE_ACCOUNTS_ISSUER),
};

static const struct yl_str unauthenticated_groups[] = {
    YL_STR_INIT("system:unauthenticated"),
};

static const struct yl_user anonymous = {
    .name = YL_STR_INIT("system:anonymous"),
    .groups = unauthenticated_groups,
    .n_groups = 1,
};

static const struct yl_user *from_certificate(struct yl_arena *,
                                              const struct yl_http_peer *);
static bool bearer_token(struct yl_str header, struct yl_str *ret_token,
                         const char **ret_warning);
static const struct yl_str *api_audiences(const struct yl_authenticator *,
                                          size_t *ret_n);
static bool find_in_file(const struct yl_authenticator *, struct yl_arena *,
                         const struct yl_token_question *,
                         struct yl_token_answer *ret);
static int recognize(const struct yl_authenticator *, struct yl_arena *,
                     const struct yl_token_question *,
                     struct yl_token_answer *ret, struct yl_error *);
static const struct yl_user *with_authenticated(struct yl_arena *,
                                                const struct yl_user *);

int
yl_authenticator_new(const struct yl_authenticator_opts *opts,
                     struct yl_authenticator **ret_authenticator,
                     struct yl_error *err)
{
    struct yl_token_file *tokens = NULL;
    struct yl_authenticator *authenticator;

    if (opts->token_file) {
        int r = yl_token_file_read(opts->token_file, &tokens, err);

        if (r < 0) {
            return r;
        }
    }
    authenticator = yl_zalloc(sizeof *authenticator);
    authenticator->tokens = tokens;
    authenticator->accounts = opts->service_accounts;
    *ret_authenticator = authenticator;
    return 0;
}

void
yl_authenticator_free(struct yl_authenticator *authenticator)
{
    if (authenticator) {
        yl_token_file_free(authenticator->tokens);
        free(authenticator);
    }
}

int
yl_authenticate(const struct yl_authenticator *authenticator,
                struct yl_arena *arena, const struct yl_http_request *request,
                const struct yl_user **ret_user, const char **ret_warning)
{
    struct yl_token_answer answer;
    struct yl_str token;
    int r;

    *ret_warning = NULL;
    if (request->peer && request->peer->identity) {
        *ret_user = with_authenticated(arena, request->peer->identity);
        return 0;
    }
    if (request->peer && !yl_str_is_empty(request->peer->common_name)) {
        *ret_user = from_certificate(arena, request->peer);
        return 0;
    }
    if (bearer_token(yl_http_header(request, YL_STR("authorization")), &token,
                     ret_warning)) {
        r = yl_authenticate_token(authenticator, arena, token, NULL, 0,
                                  &answer, NULL);
        if (r == 0) {
            *ret_user = answer.user;
        }
        return r;
    }
    if (request->peer && request->peer->refused) {
        return YL_EUNAUTHORIZED;
    }
    *ret_user = &anonymous;
    return 0;
}

int
yl_authenticate_token(const struct yl_authenticator *authenticator,
                      struct yl_arena *arena, struct yl_str token,
                      const struct yl_str *audiences, size_t n_audiences,
                      struct yl_token_answer *ret, struct yl_error *err)
{
    struct yl_token_question question = {
        .token = token,
        .audiences = audiences,
        .n_audiences = n_audiences,
        .now = yl_time_now().seconds,
    };

    if (!n_audiences) {
        question.audiences = api_audiences(authenticator,
                                           &question.n_audiences);
    }
    if (find_in_file(authenticator, arena, &question, ret)) {
        return 0;
    }
    return recognize(authenticator, arena, &question, ret, err);
}

static const struct yl_str *
api_audiences(const struct yl_authenticator *authenticator, size_t *ret_n)
{
    if (authenticator->accounts) {
        return yl_service_accounts_audiences(authenticator->accounts, ret_n);
    }
    *ret_n = YL_ARRAY_SIZE(default_audience);
    return default_audience;
}

/* A token of the file is meant for the API. */
static bool
find_in_file(const struct yl_authenticator *authenticator,
             struct yl_arena *arena, const struct yl_token_question *question,
             struct yl_token_answer *ret)
{
    const struct yl_user *user = authenticator->tokens
        ? yl_token_file_find(authenticator->tokens, question->token) : NULL;
    size_t n_own, n = 0, i, j;
    const struct yl_str *own = api_audiences(authenticator, &n_own);
    struct yl_str *common;

    if (!user) {
        return false;
    }
    common = yl_arena_array(arena, question->n_audiences, sizeof *common);
    for (i = 0; i < question->n_audiences; i++) {
        for (j = 0; j < n_own; j++) {
            if (yl_str_equal(question->audiences[i], own[j])) {
                common[n++] = own[j];
                break;
            }
        }
    }
    *ret = (struct yl_token_answer) {
        .user = with_authenticated(arena, user),
        .audiences = common,
        .n_audiences = n,
    };
    return n > 0;
}

static int
recognize(const struct yl_authenticator *authenticator,
          struct yl_arena *arena, const struct yl_token_question *question,
          struct yl_token_answer *ret, struct yl_error *err)
{
    struct yl_error why = YL_ERROR_INIT;
    int r = YL_ENOTFOUND;

    if (authenticator->accounts) {
        r = yl_service_accounts_recognize(
            authenticator->accounts, arena, question, &ret->user,
            &ret->audiences, &ret->n_audiences, err ? &why : NULL);
    }
    if (r == YL_ENOTFOUND) {
        yl_error_set(err, YL_EUNAUTHORIZED, "invalid bearer token");
    } else if (r < 0) {
        yl_error_set(err, YL_EUNAUTHORIZED, "[invalid bearer token, %s]",
                     yl_error_message(&why));
    }
    yl_error_clear(&why);
    return r < 0 ? YL_EUNAUTHORIZED : 0;
}

static const struct yl_user *
from_certificate(struct yl_arena *arena, const struct yl_http_peer *peer)
{
    struct yl_user *user = yl_arena_zalloc(arena, sizeof *user);
    struct yl_user_extra *extra = yl_arena_zalloc(arena, sizeof *extra);
    struct yl_str *id = yl_arena_alloc(arena, sizeof *id);
    struct yl_str *groups = yl_arena_array(arena, peer->n_organizations,
                                           sizeof *groups);
    size_t i;

    *id = yl_str_c(yl_arena_printf(arena, "X509SHA256=%.*s",
                                   YL_STR_ARG(peer->fingerprint)));
    extra->key = YL_STR("authentication.kubernetes.io/credential-id");
    extra->values = id;
    extra->n_values = 1;
    user->name = yl_arena_copy(arena, peer->common_name);
    for (i = 0; i < peer->n_organizations; i++) {
        groups[i] = yl_arena_copy(arena, peer->organizations[i]);
    }
    user->groups = groups;
    user->n_groups = peer->n_organizations;
    user->extra = extra;
    user->n_extra = 1;
    return with_authenticated(arena, user);
}

/* The token of a header "Bearer TOKEN".  The first word may be in any case.
 * Anything after a second blank is ignored. */
static bool
bearer_token(struct yl_str header, struct yl_str *ret_token,
             const char **ret_warning)
{
    struct yl_str scheme, token, rest;
    bool more;

    if (!yl_str_cut(yl_str_trim(header), ' ', &scheme, &token)
        || scheme.size != strlen("bearer")
        || strncasecmp(scheme.data, "bearer", scheme.size) != 0) {
        return false;
    }
    more = yl_str_cut(token, ' ', &token, &rest);
    if (yl_str_is_empty(token)) {
        if (more) {
            *ret_warning = "the provided Authorization header contains extra "
                           "space before the bearer token, and is ignored";
        }
        return false;
    }
    *ret_token = token;
    return true;
}

static const struct yl_user *
with_authenticated(struct yl_arena *arena, const struct yl_user *user)
{
    struct yl_str *groups;
    struct yl_user *copy;

    if (yl_str_equal(user->name, anonymous.name)
        || yl_user_in_group(user, YL_STR("system:authenticated"))
        || yl_user_in_group(user, unauthenticated_groups[0])) {
        return user;
    }
    groups = yl_arena_array(arena, user->n_groups + 1, sizeof *groups);
    if (user->n_groups) {
        memcpy(groups, user->groups, user->n_groups * sizeof *groups);
    }
    groups[user->n_groups] = YL_STR("system:authenticated");
    copy = yl_arena_alloc(arena, sizeof *copy);
    *copy = *user;
    copy->groups = groups;
    copy->n_groups++;
    return copy;
}
