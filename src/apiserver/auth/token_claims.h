#ifndef APISERVER_AUTH_TOKEN_CLAIMS_H
#define APISERVER_AUTH_TOKEN_CLAIMS_H 1

/* Claims: what the token of a service account says, in Kubernetes' words.
 *
 *     {"iss":ISSUER,"sub":"system:serviceaccount:NS:NAME","aud":[...],
 *      "exp":...,"iat":...,"nbf":...,"jti":UUID,
 *      "kubernetes.io":{"namespace":NS,"serviceaccount":{"name","uid"},
 *                       "pod":{"name","uid"},"node":{...},"warnafter":...}}
 *
 * Tokens in Secrets are older: they have the issuer YL_TOKEN_LEGACY_ISSUER, no
 * times and no audience, and other names for the rest.
 *
 * Guarantees
 * ==========
 *
 *   - What is written is read back the same.
 *
 *   - Clocks may differ by YL_TOKEN_LEEWAY.
 *
 * Ownership
 * =========
 *
 * Claims live in the arena that is passed and in the text that was read, users
 * in the arena and in the claims. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_arena;
struct yl_error;
struct yl_user;

#define YL_TOKEN_LEGACY_ISSUER "kubernetes/serviceaccount"
#define YL_TOKEN_LEEWAY 60      /* Seconds. */
#define YL_TOKEN_NEVER INT64_MAX

/* An object that a token names. */
struct yl_token_ref {
    bool is_set;
    struct yl_str name;
    struct yl_str uid;
};

struct yl_token_claims {
    struct yl_str issuer;
    struct yl_str subject;
    struct yl_str id;           /* "jti"; empty in tokens of Secrets. */
    const struct yl_str *audiences;
    size_t n_audiences;
    int64_t expires;            /* Seconds since 1970, or YL_TOKEN_NEVER. */
    int64_t not_before;         /* INT64_MIN if absent. */
    int64_t issued;             /* INT64_MIN if absent. */
    int64_t warn_after;         /* 0 if absent. */
    struct yl_str namespace_;
    struct yl_token_ref account, pod, secret, node;
};

/* Is it a token of a Secret? */
static inline bool
yl_token_claims_is_legacy(const struct yl_token_claims *claims)
{
    return yl_str_equal_c(claims->issuer, YL_TOKEN_LEGACY_ISSUER);
}

/* Reads a payload, which is valid JSON.  0, or YL_EINVALID if a claim is not
 * of its type. */
int yl_token_claims_read(struct yl_arena *, struct yl_str payload,
                         struct yl_token_claims *ret_claims,
                         struct yl_error *err);

/* Appends the payload; members that say nothing are left out. */
void yl_token_claims_write(const struct yl_token_claims *, struct yl_buf *);

/* Are they valid at 'now', in seconds since 1970?  0, or YL_EUNAUTHORIZED in
 * kube-apiserver's words. */
int yl_token_claims_check_times(const struct yl_token_claims *, int64_t now,
                                struct yl_error *err);

/* The user that they stand for, with what the token is bound to in its
 * extras. */
const struct yl_user *yl_token_claims_user(struct yl_arena *,
                                           const struct yl_token_claims *);

/* "system:serviceaccount:NAMESPACE:NAME", in the arena. */
struct yl_str yl_token_user_name(struct yl_arena *, struct yl_str namespace_,
                                 struct yl_str name);

#endif /* apiserver/auth/token_claims.h */
