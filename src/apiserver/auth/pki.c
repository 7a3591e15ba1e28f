/* PKI.  See apiserver/auth/pki.h.
 *
 * A key is written before its certificate.  So after a crash between the two
 * either the certificate is missing, or it does not fit the key; a leaf is
 * made again then, and the authority signs itself again with the key that is
 * there. */

#include "apiserver/auth/pki.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "apiserver/auth/pki_certificate.h"
#include "apiserver/auth/pki_names.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define CA_NAME "kubernetes"
#define DAY ((int64_t) 24 * 60 * 60)
#define CA_LIFE (3652 * DAY)
#define LEAF_LIFE (365 * DAY)
#define RENEW_BEFORE (30 * DAY)

/* Seconds by which certificates are backdated, because the clocks of clients
 * may be slow. */
#define EARLIER 300

#define MAX_FILE ((size_t) 1 << 20)

/* A certificate with its key, either of which may be missing. */
struct pair {
    X509 *certificate;
    EVP_PKEY *key;
};

static const char *const admin_groups[] = { "system:masters" };

static int read_file(const char *directory, const char *name,
                     const char *suffix, char **ret_text, struct yl_error *);
static int read_pair(const char *directory, const char *name, struct pair *,
                     struct yl_error *);
static int write_pair(const char *directory, const char *name, struct pair,
                      struct yl_error *);
static void pair_release(struct pair *);
static bool pair_fits(struct pair);
static int prepare_authority(const char *directory, int64_t now,
                             struct pair *ret_ca, struct yl_error *);
static bool is_ours(X509 *authority);
static int prepare_leaf(const char *directory, const char *name,
                        struct yl_certificate_request *, struct pair ca,
                        int64_t now, struct yl_error *);
static bool is_good(struct pair, const struct yl_certificate_request *,
                    struct pair ca, int64_t now);
static int issue(struct yl_certificate_request *, struct pair ca, int64_t now,
                 int64_t life, struct pair *ret_pair, struct yl_error *);
static int64_t or_now(int64_t now);

int
yl_pki_prepare(const struct yl_pki_opts *opts, struct yl_error *err)
{
    struct yl_certificate_request server = {
        .use = YL_CERTIFICATE_SERVER,
        .common_name = "kube-apiserver",
    };
    struct yl_certificate_request admin = {
        .use = YL_CERTIFICATE_CLIENT,
        .common_name = "kubernetes-admin",
        .organizations = admin_groups,
        .n_organizations = YL_ARRAY_SIZE(admin_groups),
    };
    struct yl_arena *arena = yl_arena_new();
    int64_t now = or_now(opts->now);
    struct pair ca = { NULL, NULL };
    int r, changed = 0;

    server.names = yl_pki_names(arena, opts->service_cidr, opts->names,
                                opts->n_names, &server.n_names);
    r = yl_file_make_directory(opts->directory, 0700, err);
    if (r == 0) {
        r = prepare_authority(opts->directory, now, &ca, err);
    }
    if (r == 0) {
        r = changed = prepare_leaf(opts->directory, YL_PKI_SERVER, &server,
                                   ca, now, err);
    }
    if (r >= 0) {
        r = prepare_leaf(opts->directory, YL_PKI_ADMIN, &admin, ca, now, err);
    }
    pair_release(&ca);
    yl_arena_free(arena);
    return r < 0 ? r : changed;
}

void
yl_pki_pair_release(struct yl_pki_pair *pair)
{
    free(pair->certificate);
    if (pair->key) {
        OPENSSL_cleanse(pair->key, strlen(pair->key));
    }
    free(pair->key);
    pair->certificate = pair->key = NULL;
}

int
yl_pki_issue(const char *directory, const char *user,
             const char *const *groups, size_t n_groups, int64_t seconds,
             int64_t now, struct yl_pki_pair *ret_pair, struct yl_error *err)
{
    struct yl_certificate_request request = {
        .use = YL_CERTIFICATE_CLIENT,
        .common_name = user,
        .organizations = groups,
        .n_organizations = n_groups,
    };
    struct pair ca = { NULL, NULL }, pair;
    int r = read_pair(directory, YL_PKI_CA, &ca, err);

    if (r == 0 && !(ca.certificate && ca.key)) {
        r = yl_error_set(err, YL_ENOTFOUND, "there is no authority in %s "
                         "yet: start the server once", directory);
    }
    if (r == 0) {
        r = issue(&request, ca, or_now(now), seconds, &pair, err);
    }
    pair_release(&ca);
    if (r < 0) {
        return r;
    }
    ret_pair->certificate = yl_certificate_pem(pair.certificate);
    ret_pair->key = yl_certificate_key_pem(pair.key);
    pair_release(&pair);
    return 0;
}

int
yl_pki_load(const char *directory, const char *name,
            struct yl_pki_pair *ret_pair, struct yl_error *err)
{
    struct yl_pki_pair pair = { NULL, NULL };
    int r = read_file(directory, name, ".crt", &pair.certificate, err);

    if (r == 0 && strcmp(name, YL_PKI_CA)) {
        r = read_file(directory, name, ".key", &pair.key, err);
    }
    if (r < 0) {
        yl_pki_pair_release(&pair);
        return r;
    }
    *ret_pair = pair;
    return 0;
}

char *
yl_pki_path(const char *directory, const char *name, const char *suffix)
{
    struct yl_buf path;

    yl_buf_init(&path, MAX_FILE);
    yl_buf_printf(&path, "%s/%s%s", directory, name, suffix);
    return yl_buf_detach(&path);
}

static int
read_file(const char *directory, const char *name, const char *suffix,
          char **ret_text, struct yl_error *err)
{
    char *path = yl_pki_path(directory, name, suffix);
    struct yl_buf buf;
    int r;

    yl_buf_init(&buf, MAX_FILE);
    r = yl_file_read(path, &buf, err);
    if (r == 0) {
        *ret_text = yl_strdup(yl_buf_str(&buf));
    }
    if (buf.data) {
        OPENSSL_cleanse(buf.data, buf.size);
    }
    yl_buf_release(&buf);
    free(path);
    return r;
}

/* Reads the files of a pair; one that is missing stays NULL. */
static int
read_pair(const char *directory, const char *name, struct pair *ret_pair,
          struct yl_error *err)
{
    char *certificate_path = yl_pki_path(directory, name, ".crt");
    char *key_path = yl_pki_path(directory, name, ".key");
    struct yl_pki_pair text = { NULL, NULL };
    struct pair pair = { NULL, NULL };
    struct yl_error missing = YL_ERROR_INIT;
    int r;

    r = read_file(directory, name, ".crt", &text.certificate, &missing);
    if (r == 0) {
        r = yl_certificate_read(text.certificate, certificate_path,
                                &pair.certificate, &missing);
    }
    if (r == 0 || r == YL_ENOTFOUND) {
        r = read_file(directory, name, ".key", &text.key, &missing);
    }
    if (r == 0) {
        r = yl_certificate_read_key(text.key, key_path, &pair.key, &missing);
    }
    if (r == YL_ENOTFOUND) {
        r = 0;
    }
    if (r == 0) {
        *ret_pair = pair;
    } else {
        yl_error_set(err, r, "%s", yl_error_message(&missing));
        pair_release(&pair);
    }
    yl_error_clear(&missing);
    yl_pki_pair_release(&text);
    free(certificate_path);
    free(key_path);
    return r;
}

static int
write_pair(const char *directory, const char *name, struct pair pair,
           struct yl_error *err)
{
    char *certificate_path = yl_pki_path(directory, name, ".crt");
    char *key_path = yl_pki_path(directory, name, ".key");
    struct yl_pki_pair text = {
        .certificate = yl_certificate_pem(pair.certificate),
        .key = yl_certificate_key_pem(pair.key),
    };
    int r = yl_file_replace(key_path, yl_str_c(text.key), 0600, err);

    if (r == 0) {
        r = yl_file_replace(certificate_path, yl_str_c(text.certificate),
                            0644, err);
    }
    yl_pki_pair_release(&text);
    free(certificate_path);
    free(key_path);
    return r;
}

static void
pair_release(struct pair *pair)
{
    X509_free(pair->certificate);
    EVP_PKEY_free(pair->key);
    pair->certificate = NULL;
    pair->key = NULL;
}

static bool
pair_fits(struct pair pair)
{
    return pair.certificate && pair.key
           && EVP_PKEY_eq(X509_get0_pubkey(pair.certificate), pair.key) == 1;
}

/* Reads the authority, or makes it.  If there is a key it is used, so that
 * certificates that it has signed stay valid. */
static int
prepare_authority(const char *directory, int64_t now, struct pair *ret_ca,
                  struct yl_error *err)
{
    const struct yl_certificate_request request = {
        .use = YL_CERTIFICATE_AUTHORITY,
        .common_name = CA_NAME,
        .not_before = now - EARLIER,
        .not_after = now + CA_LIFE,
    };
    struct pair ca = { NULL, NULL };
    int r = read_pair(directory, YL_PKI_CA, &ca, err);

    if (r == 0 && ca.certificate && !ca.key) {
        r = yl_error_set(err, YL_EINVALID, "%s/ca.key is missing, ca.crt is "
                         "not: put it back, or move the directory away to "
                         "get a new authority", directory);
    }
    if (r == 0 && ca.certificate && !pair_fits(ca)) {
        r = yl_error_set(err, YL_EINVALID, "%s/ca.key is not the key of "
                         "ca.crt beside it: put the right one back, or move "
                         "the directory away to get a new authority",
                         directory);
    }
    if (r == 0 && ca.certificate && !is_ours(ca.certificate)) {
        if (yl_certificate_end(ca.certificate) <= now) {
            r = yl_error_set(err, YL_EINVALID, "the authority in %s/ca.crt "
                             "has expired, and is not one that this server "
                             "made: put a new one in its place", directory);
        }
    } else if (r == 0
               && !(ca.certificate
                    && yl_certificate_begin(ca.certificate) <= now
                    && yl_certificate_end(ca.certificate) - now
                       > LEAF_LIFE)) {
        X509_free(ca.certificate);
        ca.certificate = NULL;
        if (!ca.key) {
            r = yl_certificate_new_key(&ca.key, err);
        }
        if (r == 0) {
            r = yl_certificate_sign(&request, ca.key, NULL, ca.key,
                                    &ca.certificate, err);
        }
        if (r == 0) {
            r = write_pair(directory, YL_PKI_CA, ca, err);
        }
    }
    if (r < 0) {
        pair_release(&ca);
        return r;
    }
    *ret_ca = ca;
    return 0;
}

/* Whether the authority is self-signed and has the name that we give ours.
 * Only then may it be made again. */
static bool
is_ours(X509 *authority)
{
    X509_NAME *subject = X509_get_subject_name(authority);
    char name[sizeof CA_NAME + 1];

    return X509_NAME_cmp(subject, X509_get_issuer_name(authority)) == 0
           && X509_NAME_entry_count(subject) == 1
           && X509_NAME_get_text_by_NID(subject, NID_commonName, name,
                                        sizeof name) > 0
           && !strcmp(name, CA_NAME);
}

/* Returns 1 if it made a new certificate. */
static int
prepare_leaf(const char *directory, const char *name,
             struct yl_certificate_request *request, struct pair ca,
             int64_t now, struct yl_error *err)
{
    struct pair pair = { NULL, NULL };
    bool good = read_pair(directory, name, &pair, NULL) == 0
                && is_good(pair, request, ca, now);
    int r;

    pair_release(&pair);
    if (good) {
        return 0;
    }
    r = issue(request, ca, now, LEAF_LIFE, &pair, err);
    if (r == 0) {
        r = write_pair(directory, name, pair, err);
        pair_release(&pair);
    }
    return r < 0 ? r : 1;
}

static bool
is_good(struct pair pair, const struct yl_certificate_request *request,
        struct pair ca, int64_t now)
{
    size_t i;

    if (!pair_fits(pair) || X509_verify(pair.certificate, ca.key) != 1
        || yl_certificate_begin(pair.certificate) > now
        || yl_certificate_end(pair.certificate) - now < RENEW_BEFORE) {
        return false;
    }
    for (i = 0; i < request->n_names; i++) {
        if (!yl_certificate_has_name(pair.certificate, request->names[i])) {
            return false;
        }
    }
    return true;
}

static int
issue(struct yl_certificate_request *request, struct pair ca, int64_t now,
      int64_t life, struct pair *ret_pair, struct yl_error *err)
{
    int64_t ca_end = yl_certificate_end(ca.certificate);
    struct pair pair = { NULL, NULL };
    int r;

    request->not_before = now - EARLIER;
    request->not_after = life < ca_end - now ? now + life : ca_end;
    r = yl_certificate_new_key(&pair.key, err);
    if (r == 0) {
        r = yl_certificate_sign(request, pair.key, ca.certificate, ca.key,
                                &pair.certificate, err);
    }
    if (r < 0) {
        pair_release(&pair);
        return r;
    }
    *ret_pair = pair;
    return 0;
}

static int64_t
or_now(int64_t now)
{
    return now ? now : (int64_t) time(NULL);
}
