#ifndef APISERVER_AUTH_SERVICE_ACCOUNTS_H
#define APISERVER_AUTH_SERVICE_ACCOUNTS_H 1

/* Service accounts: issues their tokens and recognizes them.
 *
 *     claims -> [issue] -> token
 *     token -> signature -> issuer, audience -> times -> objects alive -> user
 *               ^^^^^^^^^ checked once, then remembered
 *
 * Guarantees
 * ==========
 *
 *   - A token is refused from the moment on at which its ServiceAccount, or
 *     the Pod, Secret or Node that it is bound to, is deleted or has another
 *     uid.  (An object with a deletionTimestamp counts as deleted when that is
 *     YL_TOKEN_LEEWAY ago.)
 *
 *   - A signature is checked once for each token: what was verified is
 *     remembered, for YL_SERVICE_ACCOUNTS_MAX_KNOWN tokens of ordinary size
 *     (see known_tokens.h) at most.  Everything else is checked at each use.
 *     Forged tokens are never remembered.
 *
 *   - After yl_service_accounts_reload() no token is accepted whose key is
 *     gone.
 *
 * Threads
 * =======
 *
 * Any thread.  One lock guards keys and memory, for a lookup. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_registry;
struct yl_service_accounts;
struct yl_token_claims;
struct yl_user;

#define YL_SERVICE_ACCOUNTS_MAX_KNOWN 1024
#define YL_SERVICE_ACCOUNTS_ISSUER "https://kubernetes.default.svc"

/* The texts and lists are borrowed until the service accounts are freed. */
struct yl_service_account_opts {
    const char *key_directory;  /* See token_keys.h; NULL: a key that is
                                 * forgotten with the process. */
    const char *signing_key_file;
    const char *const *key_files;
    size_t n_key_files;
    const char *const *issuers; /* The first is that of new tokens, all are
                                 * accepted.  [YL_SERVICE_ACCOUNTS_ISSUER] */
    size_t n_issuers;
    const char *const *audiences;   /* Of the API. [the issuers] */
    size_t n_audiences;
    const char *jwks_uri;       /* [this server's] */
    int64_t max_expiration;     /* Seconds. [0: any] */
    bool exact_expiration;      /* A Pod's token ends when it says so, not a
                                 * year later with a warning before. */
    bool skip_lookup;           /* Tokens of Secrets are accepted even if the
                                 * Secret is gone. */
};

/* The errors of yl_token_keys_load(). */
int yl_service_accounts_new(const struct yl_service_account_opts *,
                            struct yl_registry *,
                            struct yl_service_accounts **ret_accounts,
                            struct yl_error *err);
void yl_service_accounts_free(struct yl_service_accounts *);

/* Reads the keys again.  On failure the old ones stay. */
int yl_service_accounts_reload(struct yl_service_accounts *,
                               struct yl_error *err);

/* The audiences of the API, and the options. */
const struct yl_str *yl_service_accounts_audiences(
    const struct yl_service_accounts *, size_t *ret_n);
const struct yl_service_account_opts *
yl_service_accounts_opts(const struct yl_service_accounts *);

/* Appends a token with these claims.  The issuer is filled in, unless the
 * claims name YL_TOKEN_LEGACY_ISSUER. */
int yl_service_accounts_issue(struct yl_service_accounts *,
                              const struct yl_token_claims *,
                              struct yl_buf *token, struct yl_error *err);

/* A question about a token. */
struct yl_token_question {
    struct yl_str token;
    const struct yl_str *audiences; /* One of these must be the token's. */
    size_t n_audiences;
    int64_t now;                /* Seconds since 1970. */
};

/* Finds the user of a token, who lives in the arena.  0; YL_ENOTFOUND if it is
 * no token of ours; YL_EUNAUTHORIZED if it is one that is not valid, and 'err'
 * says why in kube-apiserver's words.  '*ret_audiences' are those of the
 * question that are the token's. */
int yl_service_accounts_recognize(struct yl_service_accounts *,
                                  struct yl_arena *,
                                  const struct yl_token_question *,
                                  const struct yl_user **ret_user,
                                  const struct yl_str **ret_audiences,
                                  size_t *ret_n_audiences,
                                  struct yl_error *err);

/* Appends the documents of OpenID discovery; 'address' ("HOST:PORT") is where
 * this server can be reached. */
void yl_service_accounts_write_configuration(struct yl_service_accounts *,
                                             const char *address,
                                             struct yl_buf *);
void yl_service_accounts_write_keys(struct yl_service_accounts *,
                                    struct yl_buf *);

#endif /* apiserver/auth/service_accounts.h */
