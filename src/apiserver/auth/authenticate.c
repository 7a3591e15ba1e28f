/* Authentication.  See apiserver/auth/authenticate.h. */

#include "apiserver/auth/authenticate.h"

#include <stdlib.h>
#include <strings.h>

#include "apiserver/auth/token_file.h"
#include "apiserver/auth/user.h"
#include "base/alloc.h"
#include "net/http.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct yl_authenticator {
    struct yl_token_file *tokens;   /* NULL without a file. */
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
    struct yl_str token;

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
        return yl_authenticate_token(authenticator, arena, token, ret_user);
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
                      const struct yl_user **ret_user)
{
    const struct yl_user *user = authenticator->tokens
        ? yl_token_file_find(authenticator->tokens, token) : NULL;

    if (!user) {
        return YL_EUNAUTHORIZED;
    }
    *ret_user = with_authenticated(arena, user);
    return 0;
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
