/* Keys of tokens.  See apiserver/auth/token_keys.h for the contract. */

#include "apiserver/auth/token_keys.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/crypto.h>

#include "apiserver/auth/jwt.h"
#include "apiserver/auth/jwt_key.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/ref.h"
#include "yuloh/error.h"

#define SIGNER "sa.key"
#define OTHERS "sa-"
#define MAX_PATH_SIZE 4096

struct yl_token_keys {
    struct yl_ref ref;
    struct yl_jwt_key *all[YL_TOKEN_MAX_KEYS];  /* The first one signs. */
    size_t n;
};

static int load_directory(struct yl_token_keys *, const char *directory,
                          bool signs, struct yl_error *);
static int add_others(struct yl_token_keys *, const char *directory,
                      struct yl_error *);
static int is_other(const struct dirent *);
static int make_signer(struct yl_token_keys *, const char *path,
                       struct yl_error *);
static int add_file(struct yl_token_keys *, const char *path,
                    struct yl_error *);
static int add_pem(struct yl_token_keys *, struct yl_str pem,
                   const char *path, struct yl_error *);
static bool has(const struct yl_token_keys *, struct yl_str id);
static char *join(const char *directory, const char *name);
static int compare(const void *a, const void *b);

int
yl_token_keys_load(const struct yl_token_keys_opts *opts,
                   struct yl_token_keys **ret_keys, struct yl_error *err)
{
    struct yl_token_keys *keys = yl_zalloc(sizeof *keys);
    size_t i;
    int r = 0;

    yl_ref_init(&keys->ref);
    if (opts->signing_file) {
        r = add_file(keys, opts->signing_file, err);
        if (r == 0 && !yl_jwt_key_is_private(keys->all[0])) {
            r = yl_error_set(err, YL_EINVALID, "%s: tokens are signed with a "
                             "private key", opts->signing_file);
        }
    } else if (!opts->directory) {
        r = yl_jwt_key_new(&keys->all[0], err);
        keys->n = r == 0;
    }
    if (r == 0 && opts->directory) {
        r = load_directory(keys, opts->directory, !opts->signing_file, err);
    }
    for (i = 0; i < opts->n_files && r == 0; i++) {
        r = add_file(keys, opts->files[i], err);
    }
    if (r < 0) {
        yl_token_keys_unref(keys);
        return r;
    }
    *ret_keys = keys;
    return 0;
}

struct yl_token_keys *
yl_token_keys_ref(struct yl_token_keys *keys)
{
    yl_ref_get(&keys->ref);
    return keys;
}

struct yl_token_keys *
yl_token_keys_unref(struct yl_token_keys *keys)
{
    size_t i;

    if (keys && yl_ref_put(&keys->ref)) {
        for (i = 0; i < keys->n; i++) {
            yl_jwt_key_free(keys->all[i]);
        }
        free(keys);
    }
    return NULL;
}

const struct yl_jwt_key *
yl_token_keys_signer(const struct yl_token_keys *keys)
{
    return keys->all[0];
}

int
yl_token_keys_verify(const struct yl_token_keys *keys,
                     const struct yl_jwt *jwt)
{
    int r = YL_ENOTFOUND;
    size_t i;

    for (i = 0; i < keys->n; i++) {
        if (jwt->key_id.size
            && !yl_str_equal(jwt->key_id, yl_jwt_key_id(keys->all[i]))) {
            continue;
        }
        if (yl_jwt_key_verify(keys->all[i], jwt)) {
            return 0;
        }
        r = YL_EUNAUTHORIZED;
    }
    return r;
}

void
yl_token_keys_write_jwks(const struct yl_token_keys *keys, struct yl_buf *out)
{
    size_t i;

    yl_buf_append_c(out, "{\"keys\":[");
    for (i = 0; i < keys->n; i++) {
        yl_buf_append_c(out, i ? "," : "");
        yl_jwt_key_write_jwk(keys->all[i], out);
    }
    yl_buf_append_c(out, "]}");
}

void
yl_token_keys_write_algorithms(const struct yl_token_keys *keys,
                               struct yl_buf *out)
{
    const char *names[YL_TOKEN_MAX_KEYS];
    size_t i;

    for (i = 0; i < keys->n; i++) {
        names[i] = yl_jwt_key_algorithm(keys->all[i]);
    }
    qsort(names, keys->n, sizeof *names, compare);
    yl_buf_append_c(out, "[");
    for (i = 0; i < keys->n; i++) {
        if (i == 0 || strcmp(names[i - 1], names[i])) {
            yl_buf_printf(out, "%s\"%s\"", i ? "," : "", names[i]);
        }
    }
    yl_buf_append_c(out, "]");
}

/* Adds the keys of the directory; its own key only if that 'signs'. */
static int
load_directory(struct yl_token_keys *keys, const char *directory, bool signs,
               struct yl_error *err)
{
    char *path = join(directory, SIGNER);
    struct yl_error missing = YL_ERROR_INIT;
    int r = add_file(keys, path, &missing);

    if (r == YL_ENOTFOUND) {
        r = signs ? make_signer(keys, path, err) : 0;
    } else if (r < 0) {
        yl_error_set(err, r, "%s", yl_error_message(&missing));
    } else if (signs && !yl_jwt_key_is_private(keys->all[0])) {
        r = yl_error_set(err, YL_EINVALID, "%s: tokens are signed with a "
                         "private key", path);
    }
    yl_error_clear(&missing);
    free(path);
    return r < 0 ? r : add_others(keys, directory, err);
}

static int
add_others(struct yl_token_keys *keys, const char *directory,
           struct yl_error *err)
{
    struct dirent **names = NULL;
    int n = scandir(directory, &names, is_other, alphasort);
    int r = 0, i;

    if (n < 0) {
        return yl_error_set(err, YL_EIO, "%s: %s", directory,
                            strerror(errno));
    }
    for (i = 0; i < n; i++) {
        char *path = join(directory, names[i]->d_name);

        r = r == 0 ? add_file(keys, path, err) : r;
        free(path);
        free(names[i]);
    }
    free(names);
    return r;
}

static int
is_other(const struct dirent *entry)
{
    struct yl_str name = yl_str_c(entry->d_name);

    return yl_str_starts_with(name, YL_STR(OTHERS))
           && (yl_str_ends_with(name, YL_STR(".key"))
               || yl_str_ends_with(name, YL_STR(".pub")));
}

static int
make_signer(struct yl_token_keys *keys, const char *path,
            struct yl_error *err)
{
    struct yl_jwt_key *key;
    char *pem;
    int r = yl_jwt_key_new(&key, err);

    if (r < 0) {
        return r;
    }
    pem = yl_jwt_key_pem(key);
    r = yl_file_replace(path, yl_str_c(pem), 0600, err);
    OPENSSL_cleanse(pem, strlen(pem));
    free(pem);
    keys->all[keys->n++] = key;
    return r;
}

static int
add_file(struct yl_token_keys *keys, const char *path, struct yl_error *err)
{
    struct yl_buf pem;
    int r;

    yl_buf_init(&pem, YL_TOKEN_MAX_KEY_FILE);
    r = yl_file_read(path, &pem, err);
    if (r == 0) {
        r = add_pem(keys, yl_buf_str(&pem), path, err);
    }
    if (pem.data) {
        OPENSSL_cleanse(pem.data, pem.size);
    }
    yl_buf_release(&pem);
    return r;
}

static int
add_pem(struct yl_token_keys *keys, struct yl_str pem, const char *path,
        struct yl_error *err)
{
    struct yl_jwt_key *key;
    size_t at = 0, n = 0;
    int r;

    while ((r = yl_jwt_key_read(pem, &at, path, &key, err)) == 0) {
        n++;
        if (has(keys, yl_jwt_key_id(key))) {
            yl_jwt_key_free(key);
        } else if (keys->n == YL_TOKEN_MAX_KEYS) {
            yl_jwt_key_free(key);
            return yl_error_set(err, YL_ETOOBIG, "%s: there are more than %d "
                                "keys for tokens", path, YL_TOKEN_MAX_KEYS);
        } else {
            keys->all[keys->n++] = key;
        }
    }
    if (r != YL_ENOTFOUND) {
        return r;
    }
    return n ? 0 : yl_error_set(err, YL_EINVALID, "%s: there is no key in it",
                                path);
}

static bool
has(const struct yl_token_keys *keys, struct yl_str id)
{
    size_t i;

    for (i = 0; i < keys->n; i++) {
        if (yl_str_equal(id, yl_jwt_key_id(keys->all[i]))) {
            return true;
        }
    }
    return false;
}

static char *
join(const char *directory, const char *name)
{
    struct yl_buf path;

    yl_buf_init(&path, MAX_PATH_SIZE);
    yl_buf_printf(&path, "%s/%s", directory, name);
    return yl_buf_detach(&path);
}

static int
compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *) a, *(const char *const *) b);
}
