#ifndef APISERVER_AUTH_PKI_CERTIFICATE_H
#define APISERVER_AUTH_PKI_CERTIFICATE_H 1

/* Certificates: OpenSSL behind a few functions, for pki.c. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

struct yl_error;

enum yl_certificate_use {
    YL_CERTIFICATE_AUTHORITY,
    YL_CERTIFICATE_SERVER,
    YL_CERTIFICATE_CLIENT,
};

struct yl_certificate_request {
    enum yl_certificate_use use;
    const char *common_name;
    const char *const *organizations;
    size_t n_organizations;
    const char *const *names;   /* Of a server: DNS names and addresses. */
    size_t n_names;
    int64_t not_before;         /* Seconds since 1970. */
    int64_t not_after;
};

/* A new key.  YL_EINTERNAL if the library cannot make one. */
int yl_certificate_new_key(EVP_PKEY **ret_key, struct yl_error *err);

/* Makes a certificate for 'key', signed by 'issuer' and 'issuer_key'; by
 * itself if 'issuer' is NULL.  YL_EINVALID for names that do not fit. */
int yl_certificate_sign(const struct yl_certificate_request *, EVP_PKEY *key,
                        X509 *issuer, EVP_PKEY *issuer_key,
                        X509 **ret_certificate, struct yl_error *err);

/* PEM.  The texts are the caller's to free; 'path' is for messages. */
char *yl_certificate_pem(X509 *);
char *yl_certificate_key_pem(EVP_PKEY *);
int yl_certificate_read(const char *pem, const char *path, X509 **ret,
                        struct yl_error *err);
int yl_certificate_read_key(const char *pem, const char *path, EVP_PKEY **ret,
                            struct yl_error *err);

/* Whether the certificate is valid for this name or address. */
bool yl_certificate_has_name(X509 *, const char *name);

/* When a certificate becomes valid and when it expires, in seconds since 1970.
 * One that cannot be read is never valid. */
int64_t yl_certificate_begin(const X509 *);
int64_t yl_certificate_end(const X509 *);

#endif /* apiserver/auth/pki_certificate.h */
