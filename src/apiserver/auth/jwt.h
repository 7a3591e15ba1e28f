#ifndef APISERVER_AUTH_JWT_H
#define APISERVER_AUTH_JWT_H 1

/* JSON web tokens: the text of a signed one, taken apart (RFC 7515, 7519).
 *
 *     base64url(header) . base64url(payload) . base64url(signature)
 *     ^------------ what is signed --------^
 *
 * Only the compact form is read, and nothing is believed here: jwt_key.h
 * checks the signature, token_claims.h reads the payload.
 *
 * Guarantees
 * ==========
 *
 *   - Header and payload are JSON objects without repeated members, so that
 *     nobody else reads another value than we do.
 *
 *   - A header with "crit" is refused, as RFC 7515 demands of those who know
 *     no extension.
 *
 *   - The work is linear in the size of the text, which is at most
 *     YL_JWT_MAX. */

#include "yuloh/str.h"

struct yl_arena;

#define YL_JWT_MAX ((size_t) 64 << 10)

/* Everything lives in the arena or in the text. */
struct yl_jwt {
    struct yl_str algorithm;    /* "ES256". */
    struct yl_str key_id;       /* Of the key that signed it; may be empty. */
    struct yl_str payload;      /* JSON. */
    struct yl_str signed_;      /* The part of the text that is signed. */
    struct yl_str signature;    /* Bytes. */
};

/* Takes a token apart.  0, or YL_EINVALID for what is no such token. */
int yl_jwt_parse(struct yl_arena *, struct yl_str token,
                 struct yl_jwt *ret_jwt);

#endif /* apiserver/auth/jwt.h */
