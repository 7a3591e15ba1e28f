#ifndef APISERVER_AUTH_TOKEN_KEYS_H
#define APISERVER_AUTH_TOKEN_KEYS_H 1

/* The keys of service accounts' tokens: one signs, several are accepted.
 *
 *     DIRECTORY/sa.key              signs; made if it is missing
 *     DIRECTORY/sa-*.key, sa-*.pub  accepted, in the order of their names
 *     --service-account-key-file    accepted
 *
 * To rotate, rename sa.key to sa-OLD.key and load again: a new key is made,
 * and tokens that the old one has signed stay valid until its file is removed.
 *
 * Guarantees
 * ==========
 *
 *   - The key that signs is accepted, and is the first.  No key is there
 *     twice.
 *
 *   - A new key is readable by its owner alone from the first byte on.
 *
 *   - There are at most YL_TOKEN_MAX_KEYS keys, and a file has at most
 *     YL_TOKEN_MAX_KEY_FILE bytes.
 *
 * Threads
 * =======
 *
 * A set never changes.  It is counted: any thread may hold it. */

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;
struct yl_jwt;
struct yl_jwt_key;
struct yl_token_keys;

#define YL_TOKEN_MAX_KEYS 256
#define YL_TOKEN_MAX_KEY_FILE ((size_t) 1 << 20)

struct yl_token_keys_opts {
    const char *directory;      /* NULL: the key is made anew each time. */
    const char *signing_file;   /* NULL: the directory's. */
    const char *const *files;   /* More keys to accept. */
    size_t n_files;
};

/* 0; YL_EIO, YL_ENOTFOUND, YL_ETOOBIG or YL_EINVALID with the file's name. */
int yl_token_keys_load(const struct yl_token_keys_opts *,
                       struct yl_token_keys **ret_keys, struct yl_error *err);
struct yl_token_keys *yl_token_keys_ref(struct yl_token_keys *);
struct yl_token_keys *yl_token_keys_unref(struct yl_token_keys *);

const struct yl_jwt_key *yl_token_keys_signer(const struct yl_token_keys *);

/* Has one of the keys signed it?  A token that names its key is checked with
 * that one only.  0; YL_ENOTFOUND if there is no such key; or
 * YL_EUNAUTHORIZED. */
int yl_token_keys_verify(const struct yl_token_keys *, const struct yl_jwt *);

/* Appends all keys as a JSON web key set, and the algorithms they use as a
 * list of strings without repetitions, sorted. */
void yl_token_keys_write_jwks(const struct yl_token_keys *, struct yl_buf *);
void yl_token_keys_write_algorithms(const struct yl_token_keys *,
                                    struct yl_buf *);

#endif /* apiserver/auth/token_keys.h */
