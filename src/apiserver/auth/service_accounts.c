/* Service accounts.  See apiserver/auth/service_accounts.h for the
 * contract. */

#include "apiserver/auth/service_accounts.h"

#include <stdlib.h>
#include <string.h>

#include "apiserver/auth/jwt.h"
#include "apiserver/auth/jwt_key.h"
#include "apiserver/auth/known_tokens.h"
#include "apiserver/auth/token_alive.h"
#include "apiserver/auth/token_keys.h"
#include "base/alloc.h"
#include "base/quote.h"
#include "base/thread.h"
#include "json/text.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

#define MAX_SHOWN 16            /* Audiences in a message. */

struct yl_service_accounts {
    struct yl_service_account_opts opts;    /* Defaults filled in. */
    struct yl_str *audiences;   /* Of the API: n_audiences of the options. */
    struct yl_token_objects objects;
    struct yl_known_tokens *known;

    /* Taken before the lock of 'known'. */
    struct yl_mutex lock;
    struct yl_token_keys *keys YL_GUARDED;
};

static const char *const default_issuer[] = { YL_SERVICE_ACCOUNTS_ISSUER };

static int load_keys(const struct yl_service_accounts *,
                     struct yl_token_keys **ret_keys, struct yl_error *);
static struct yl_token_keys *keys_of(struct yl_service_accounts *,
                                     uint64_t *ret_generation);
static int verify(struct yl_service_accounts *, struct yl_arena *,
                  struct yl_str token, struct yl_known_token **ret_known,
                  struct yl_error *);
static bool is_issuer(const struct yl_service_accounts *, struct yl_str);
static void match_audiences(struct yl_service_accounts *, struct yl_arena *,
                            const struct yl_token_claims *,
                            const struct yl_token_question *,
                            const struct yl_str **ret_common, size_t *ret_n);
static int refuse_audiences(struct yl_arena *, const struct yl_str *have,
                            size_t n_have, const struct yl_token_question *,
                            struct yl_error *);
static const char *quoted(struct yl_arena *, const struct yl_str *, size_t n);
static int compare(const void *a, const void *b);
static void drop(void *known);

int
yl_service_accounts_new(const struct yl_service_account_opts *opts,
                        struct yl_registry *registry,
                        struct yl_service_accounts **ret_accounts,
                        struct yl_error *err)
{
    struct yl_service_accounts *accounts = yl_zalloc(sizeof *accounts);
    struct yl_service_account_opts *o = &accounts->opts;
    struct yl_token_keys *keys;
    size_t i;
    int r;

    *o = *opts;
    if (!o->n_issuers) {
        o->issuers = default_issuer;
        o->n_issuers = YL_ARRAY_SIZE(default_issuer);
    }
    if (!o->n_audiences) {
        o->audiences = o->issuers;
        o->n_audiences = o->n_issuers;
    }
    r = load_keys(accounts, &keys, err);
    if (r < 0) {
        free(accounts);
        return r;
    }
    accounts->audiences = yl_zalloc(o->n_audiences
                                    * sizeof *accounts->audiences);
    for (i = 0; i < o->n_audiences; i++) {
        accounts->audiences[i] = yl_str_c(o->audiences[i]);
    }
    yl_mutex_init(&accounts->lock);
    yl_mutex_lock(&accounts->lock);
    accounts->keys = keys;
    yl_mutex_unlock(&accounts->lock);
    accounts->known = yl_known_tokens_new(YL_SERVICE_ACCOUNTS_MAX_KNOWN);
    yl_token_objects_init(&accounts->objects, registry, o->skip_lookup);
    *ret_accounts = accounts;
    return 0;
}

void
yl_service_accounts_free(struct yl_service_accounts *accounts)
{
    if (accounts) {
        yl_known_tokens_free(accounts->known);
        yl_mutex_lock(&accounts->lock);
        yl_token_keys_unref(accounts->keys);
        yl_mutex_unlock(&accounts->lock);
        yl_mutex_destroy(&accounts->lock);
        free(accounts->audiences);
        free(accounts);
    }
}

int
yl_service_accounts_reload(struct yl_service_accounts *accounts,
                           struct yl_error *err)
{
    struct yl_token_keys *keys, *old;
    int r = load_keys(accounts, &keys, err);

    if (r < 0) {
        return r;
    }
    yl_mutex_lock(&accounts->lock);
    old = accounts->keys;
    accounts->keys = keys;
    yl_known_tokens_clear(accounts->known);
    yl_mutex_unlock(&accounts->lock);
    yl_token_keys_unref(old);
    return 0;
}

const struct yl_str *
yl_service_accounts_audiences(const struct yl_service_accounts *accounts,
                              size_t *ret_n)
{
    *ret_n = accounts->opts.n_audiences;
    return accounts->audiences;
}

const struct yl_service_account_opts *
yl_service_accounts_opts(const struct yl_service_accounts *accounts)
{
    return &accounts->opts;
}

int
yl_service_accounts_issue(struct yl_service_accounts *accounts,
                          const struct yl_token_claims *claims,
                          struct yl_buf *token, struct yl_error *err)
{
    struct yl_token_keys *keys = keys_of(accounts, NULL);
    struct yl_token_claims whole = *claims;
    struct yl_buf payload;
    int r;

    if (!yl_token_claims_is_legacy(claims)) {
        whole.issuer = yl_str_c(accounts->opts.issuers[0]);
    }
    yl_buf_init(&payload, YL_JWT_MAX);
    yl_token_claims_write(&whole, &payload);
    r = yl_buf_error(&payload);
    if (r < 0) {
        yl_error_set(err, r, "the claims of the token are too large");
    } else {
        r = yl_jwt_key_sign(yl_token_keys_signer(keys), yl_buf_str(&payload),
                            token, err);
    }
    yl_buf_release(&payload);
    yl_token_keys_unref(keys);
    return r;
}

int
yl_service_accounts_recognize(struct yl_service_accounts *accounts,
                              struct yl_arena *arena,
                              const struct yl_token_question *question,
                              const struct yl_user **ret_user,
                              const struct yl_str **ret_audiences,
                              size_t *ret_n_audiences, struct yl_error *err)
{
    struct yl_known_token *known = yl_known_tokens_find(accounts->known,
                                                        question->token);
    const struct yl_token_claims *claims;
    const struct yl_str *common;
    size_t n;
    int r = known ? 0 : verify(accounts, arena, question->token, &known, err);

    if (r < 0) {
        return r;
    }
    yl_arena_attach(arena, drop, known);
    claims = &known->claims;
    match_audiences(accounts, arena, claims, question, &common, &n);
    if (!n) {
        return claims->n_audiences
               ? refuse_audiences(arena, claims->audiences,
                                  claims->n_audiences, question, err)
               : refuse_audiences(arena, accounts->audiences,
                                  accounts->opts.n_audiences, question, err);
    }
    r = yl_token_claims_check_times(claims, question->now, err);
    if (r == 0) {
        r = yl_token_claims_is_legacy(claims)
            ? yl_token_check_secret(&accounts->objects, arena, claims,
                                    question->token, err)
            : yl_token_check_bound(&accounts->objects, arena, claims,
                                   question->now, err);
    }
    if (r == 0) {
        *ret_user = known->user;
        *ret_audiences = common;
        *ret_n_audiences = n;
    }
    return r;
}

void
yl_service_accounts_write_configuration(struct yl_service_accounts *accounts,
                                        const char *address,
                                        struct yl_buf *out)
{
    struct yl_token_keys *keys = keys_of(accounts, NULL);

    yl_buf_append_c(out, "{\"issuer\":");
    yl_json_write_string(out, yl_str_c(accounts->opts.issuers[0]));
    yl_buf_append_c(out, ",\"jwks_uri\":");
    if (accounts->opts.jwks_uri) {
        yl_json_write_string(out, yl_str_c(accounts->opts.jwks_uri));
    } else {
        yl_buf_printf(out, "\"https://%s/openid/v1/jwks\"", address);
    }
    yl_buf_append_c(out, ",\"response_types_supported\":[\"id_token\"],"
                         "\"subject_types_supported\":[\"public\"],"
                         "\"id_token_signing_alg_values_supported\":");
    yl_token_keys_write_algorithms(keys, out);
    yl_buf_append_c(out, "}");
    yl_token_keys_unref(keys);
}

void
yl_service_accounts_write_keys(struct yl_service_accounts *accounts,
                               struct yl_buf *out)
{
    struct yl_token_keys *keys = keys_of(accounts, NULL);

    yl_token_keys_write_jwks(keys, out);
    yl_token_keys_unref(keys);
}

static int
load_keys(const struct yl_service_accounts *accounts,
          struct yl_token_keys **ret_keys, struct yl_error *err)
{
    const struct yl_token_keys_opts opts = {
        .directory = accounts->opts.key_directory,
        .signing_file = accounts->opts.signing_key_file,
        .files = accounts->opts.key_files,
        .n_files = accounts->opts.n_key_files,
    };

    return yl_token_keys_load(&opts, ret_keys, err);
}

/* A reference to the keys, and the generation of what they verify. */
static struct yl_token_keys *
keys_of(struct yl_service_accounts *accounts, uint64_t *ret_generation)
{
    struct yl_token_keys *keys;

    yl_mutex_lock(&accounts->lock);
    keys = yl_token_keys_ref(accounts->keys);
    if (ret_generation) {
        *ret_generation = yl_known_tokens_generation(accounts->known);
    }
    yl_mutex_unlock(&accounts->lock);
    return keys;
}

/* Verifies the signature and the issuer of a token, and remembers it. */
static int
verify(struct yl_service_accounts *accounts, struct yl_arena *arena,
       struct yl_str text, struct yl_known_token **ret_known,
       struct yl_error *err)
{
    struct yl_known_token *known;
    struct yl_token_keys *keys;
    struct yl_str issuer;
    uint64_t generation;
    struct yl_jwt jwt;
    int r;

    if (yl_jwt_parse(arena, text, &jwt) < 0
        || yl_json_string(yl_json_get(yl_json(jwt.payload), YL_STR("iss")),
                          arena, &issuer) < 0
        || !is_issuer(accounts, issuer)) {
        return YL_ENOTFOUND;
    }
    keys = keys_of(accounts, &generation);
    r = yl_token_keys_verify(keys, &jwt);
    yl_token_keys_unref(keys);
    if (r < 0) {
        return yl_error_set(err, YL_EUNAUTHORIZED, "%s",
                            r == YL_ENOTFOUND
                            ? "invalid signature, no keys found"
                            : "invalid signature");
    }
    known = yl_known_token_new(text);
    r = yl_token_claims_read(known->arena,
                             yl_arena_copy(known->arena, jwt.payload),
                             &known->claims, err);
    if (r < 0) {
        yl_known_token_unref(known);
        return YL_EUNAUTHORIZED;
    }
    known->user = yl_token_claims_user(known->arena, &known->claims);
    yl_known_tokens_add(accounts->known, known, generation);
    *ret_known = known;
    return 0;
}

static bool
is_issuer(const struct yl_service_accounts *accounts, struct yl_str issuer)
{
    size_t i;

    for (i = 0; i < accounts->opts.n_issuers; i++) {
        if (yl_str_equal_c(issuer, accounts->opts.issuers[i])) {
            return true;
        }
    }
    return yl_str_equal_c(issuer, YL_TOKEN_LEGACY_ISSUER);
}

/* The audiences of the question that are the token's, in the question's order.
 * A token without any is for the API. */
static void
match_audiences(struct yl_service_accounts *accounts, struct yl_arena *arena,
                const struct yl_token_claims *claims,
                const struct yl_token_question *question,
                const struct yl_str **ret_common, size_t *ret_n)
{
    const struct yl_str *have = claims->audiences;
    size_t n_have = claims->n_audiences, i, n = 0;
    struct yl_str *common = yl_arena_array(arena, question->n_audiences,
                                           sizeof *common);
    struct yl_str *sorted;

    if (!n_have) {
        have = accounts->audiences;
        n_have = accounts->opts.n_audiences;
    }
    sorted = yl_arena_array(arena, n_have, sizeof *sorted);
    memcpy(sorted, have, n_have * sizeof *sorted);
    qsort(sorted, n_have, sizeof *sorted, compare);
    for (i = 0; i < question->n_audiences; i++) {
        if (bsearch(&question->audiences[i], sorted, n_have, sizeof *sorted,
                    compare)) {
            common[n++] = question->audiences[i];
        }
    }
    *ret_common = common;
    *ret_n = n;
}

static int
refuse_audiences(struct yl_arena *arena, const struct yl_str *have,
                 size_t n_have, const struct yl_token_question *question,
                 struct yl_error *err)
{
    return yl_error_set(err, YL_EUNAUTHORIZED, "token audiences %s is "
                        "invalid for the target audiences %s",
                        quoted(arena, have, n_have),
                        quoted(arena, question->audiences,
                               question->n_audiences));
}

/* As Go prints a list of strings: ["a" "b"].  Of many only the first ones. */
static const char *
quoted(struct yl_arena *arena, const struct yl_str *all, size_t n)
{
    struct yl_buf text;
    const char *copy;
    size_t i;

    yl_buf_init(&text, SIZE_MAX);
    yl_buf_append_c(&text, "[");
    for (i = 0; i < n && i < MAX_SHOWN; i++) {
        yl_buf_append_c(&text, i ? " " : "");
        yl_quote_excerpt(&text, all[i]);
    }
    yl_buf_append_c(&text, i < n ? " ...]" : "]");
    copy = yl_arena_strdup(arena, yl_buf_str(&text));
    yl_buf_release(&text);
    return copy;
}

static int
compare(const void *a, const void *b)
{
    return yl_str_compare(*(const struct yl_str *) a,
                          *(const struct yl_str *) b);
}

static void
drop(void *known)
{
    yl_known_token_unref(known);
}
