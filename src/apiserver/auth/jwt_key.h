#ifndef APISERVER_AUTH_JWT_KEY_H
#define APISERVER_AUTH_JWT_KEY_H 1

/* Keys of JSON web tokens: OpenSSL behind a few functions.
 *
 *     key, payload -> [sign]   -> token
 *     key, token   -> [verify] -> did this key sign it?
 *
 * RSA keys of at least 2,048 bits sign with RS256, keys on the curves P-256,
 * P-384 and P-521 with ES256, ES384 and ES512, as in kube-apiserver.
 *
 * Guarantees
 * ==========
 *
 *   - A token must name the algorithm of the key.  So nobody can choose a
 *     weaker one, or none.
 *
 *   - A key's id is the hash of its public part, and is the one that
 *     kube-apiserver gives the same key.
 *
 * Threads
 * =======
 *
 * A key never changes, so any thread may use it. */

#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;
struct yl_jwt;
struct yl_jwt_key;

/* Makes a key on the curve P-256.  YL_EINTERNAL if the library cannot. */
int yl_jwt_key_new(struct yl_jwt_key **ret_key, struct yl_error *err);
void yl_jwt_key_free(struct yl_jwt_key *);

/* Reads the first key of a PEM text at or after '*at', and moves '*at' behind
 * it: a private or public key, or a certificate; other blocks are skipped.  0;
 * YL_ENOTFOUND if there are no more; YL_EINVALID for one that cannot be used,
 * with 'path' in the message. */
int yl_jwt_key_read(struct yl_str pem, size_t *at, const char *path,
                    struct yl_jwt_key **ret_key, struct yl_error *err);

/* The private key in PEM, to be wiped and freed. */
char *yl_jwt_key_pem(const struct yl_jwt_key *);

struct yl_str yl_jwt_key_id(const struct yl_jwt_key *);
const char *yl_jwt_key_algorithm(const struct yl_jwt_key *);
bool yl_jwt_key_is_private(const struct yl_jwt_key *);

/* Appends the public part as a JSON web key (RFC 7517). */
void yl_jwt_key_write_jwk(const struct yl_jwt_key *, struct yl_buf *);

/* Appends the token with this payload.  The key must be private.
 * YL_EINTERNAL if the library fails. */
int yl_jwt_key_sign(const struct yl_jwt_key *, struct yl_str payload,
                    struct yl_buf *token, struct yl_error *err);

/* Did this key sign it? */
bool yl_jwt_key_verify(const struct yl_jwt_key *, const struct yl_jwt *);

#endif /* apiserver/auth/jwt_key.h */
