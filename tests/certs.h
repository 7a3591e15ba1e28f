#ifndef TESTS_CERTS_H
#define TESTS_CERTS_H 1

/* Certificates for tests, made on the spot: P-256, valid from an hour ago.
 *
 *     struct cert ca, server;
 *     cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
 *     cert_make(&server, &ca, "/CN=localhost", 3600, CERT_SERVER);
 *     cert_write(&server, certificate_path, key_path);
 *     cert_release(&server); */

#include <stdio.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "unit.h"

struct cert {
    X509 *certificate;
    EVP_PKEY *key;
};

enum cert_use {
    CERT_CA,
    CERT_SERVER,                /* localhost and 127.0.0.1. */
    CERT_CLIENT,
};

static inline void
cert_extend(struct cert *cert, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509_EXTENSION *extension;

    X509V3_set_ctx(&context, issuer, cert->certificate, NULL, NULL, 0);
    extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    assert_non_null(extension);
    X509_add_ext(cert->certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

/* 'subject' is "/O=a/O=b/CN=c".  If 'issuer' is NULL, the certificate is
 * self-signed. */
static inline void
cert_make(struct cert *cert, const struct cert *issuer, const char *subject,
          long seconds, enum cert_use use)
{
    static long serial;
    X509_NAME *name;
    char text[256];

    cert->key = EVP_EC_gen("P-256");
    cert->certificate = X509_new();
    assert_non_null(cert->key);
    assert_non_null(cert->certificate);
    if (!issuer) {
        issuer = cert;
    }
    X509_set_version(cert->certificate, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(cert->certificate), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(cert->certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(cert->certificate), seconds);
    X509_set_pubkey(cert->certificate, cert->key);
    name = X509_get_subject_name(cert->certificate);
    snprintf(text, sizeof text, "%s", subject);
    for (char *part = text; part; ) {
        char *end = strchr(part + 1, '/');
        char *equals = strchr(part + 1, '=');

        if (end) {
            *end = '\0';
        }
        *equals = '\0';
        X509_NAME_add_entry_by_txt(name, part + 1, MBSTRING_UTF8,
                                   (unsigned char *) equals + 1, -1, -1, 0);
        part = end;
    }
    X509_set_issuer_name(cert->certificate,
                         X509_get_subject_name(issuer->certificate));
    if (use == CERT_CA) {
        cert_extend(cert, issuer->certificate, NID_basic_constraints,
                    "critical,CA:TRUE");
    } else {
        cert_extend(cert, issuer->certificate, NID_ext_key_usage,
                    use == CERT_SERVER ? "serverAuth" : "clientAuth");
    }
    if (use == CERT_SERVER) {
        cert_extend(cert, issuer->certificate, NID_subject_alt_name,
                    "DNS:localhost,IP:127.0.0.1");
    }
    assert_true(X509_sign(cert->certificate, issuer->key, EVP_sha256()));
}

/* Writes PEM files; either path may be NULL. */
static inline void
cert_write(const struct cert *cert, const char *certificate_path,
           const char *key_path)
{
    FILE *f;

    if (certificate_path) {
        f = fopen(certificate_path, "w");
        assert_non_null(f);
        assert_true(PEM_write_X509(f, cert->certificate));
        fclose(f);
    }
    if (key_path) {
        f = fopen(key_path, "w");
        assert_non_null(f);
        assert_true(PEM_write_PrivateKey(f, cert->key, NULL, NULL, 0, NULL,
                                         NULL));
        fclose(f);
    }
}

static inline void
cert_release(struct cert *cert)
{
    X509_free(cert->certificate);
    EVP_PKEY_free(cert->key);
}

#endif /* tests/certs.h */
