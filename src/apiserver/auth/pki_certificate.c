/* Certificates.  See apiserver/auth/pki_certificate.h. */

#include "apiserver/auth/pki_certificate.h"

#include <arpa/inet.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "base/alloc.h"
#include "yuloh/error.h"

/* Serial numbers are random; 159 bits are the most that stays positive in 20
 * bytes (RFC 5280). */
#define SERIAL_BITS 159

static int failed(struct yl_error *, const char *what);
static bool set_times(X509 *, const struct yl_certificate_request *);
static bool set_serial(X509 *);
static int set_subject(X509 *, const struct yl_certificate_request *,
                       struct yl_error *);
static bool add_extensions(X509 *, X509 *issuer,
                           const struct yl_certificate_request *);
static bool add_names(X509 *, const struct yl_certificate_request *);
static GENERAL_NAME *general_name(const char *name);
static char *take_text(BIO *);

int
yl_certificate_new_key(EVP_PKEY **ret_key, struct yl_error *err)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");

    if (!key) {
        return failed(err, "cannot make a key");
    }
    *ret_key = key;
    return 0;
}

int
yl_certificate_sign(const struct yl_certificate_request *request,
                    EVP_PKEY *key, X509 *issuer, EVP_PKEY *issuer_key,
                    X509 **ret_certificate, struct yl_error *err)
{
    X509 *certificate = X509_new();
    int r;

    if (!certificate) {
        return failed(err, "cannot make a certificate");
    }
    r = set_subject(certificate, request, err);
    if (r == 0
        && !(X509_set_version(certificate, X509_VERSION_3)
             && set_serial(certificate) && set_times(certificate, request)
             && X509_set_issuer_name(
                 certificate,
                 X509_get_subject_name(issuer ? issuer : certificate))
             && X509_set_pubkey(certificate, key)
             && add_extensions(certificate, issuer ? issuer : certificate,
                               request)
             && X509_sign(certificate, issuer_key, EVP_sha256()))) {
        r = failed(err, "cannot make a certificate");
    }
    if (r < 0) {
        X509_free(certificate);
        return r;
    }
    *ret_certificate = certificate;
    return 0;
}

char *
yl_certificate_pem(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());

    PEM_write_bio_X509(bio, certificate);
    return take_text(bio);
}

char *
yl_certificate_key_pem(EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_secmem());

    PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    return take_text(bio);
}

int
yl_certificate_read(const char *pem, const char *path, X509 **ret,
                    struct yl_error *err)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    X509 *certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL);

    BIO_free(bio);
    if (!certificate) {
        ERR_clear_error();
        return yl_error_set(err, YL_EINVALID, "%s is not a certificate in "
                            "PEM form", path);
    }
    *ret = certificate;
    return 0;
}

int
yl_certificate_read_key(const char *pem, const char *path, EVP_PKEY **ret,
                        struct yl_error *err)
{
    BIO *bio = BIO_new_mem_buf(pem, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);

    BIO_free(bio);
    if (!key) {
        ERR_clear_error();
        return yl_error_set(err, YL_EINVALID, "%s is not a private key in "
                            "PEM form", path);
    }
    *ret = key;
    return 0;
}

bool
yl_certificate_has_name(X509 *certificate, const char *name)
{
    unsigned char address[16];

    return inet_pton(AF_INET, name, address) == 1
           || inet_pton(AF_INET6, name, address) == 1
           ? X509_check_ip_asc(certificate, name, 0) == 1
           : X509_check_host(certificate, name, 0, 0, NULL) == 1;
}

int64_t
yl_certificate_begin(const X509 *certificate)
{
    struct tm tm;

    return ASN1_TIME_to_tm(X509_get0_notBefore(certificate), &tm)
           ? (int64_t) timegm(&tm) : INT64_MAX;
}

int64_t
yl_certificate_end(const X509 *certificate)
{
    struct tm tm;

    return ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &tm)
           ? (int64_t) timegm(&tm) : INT64_MIN;
}

/* Sets an error with OpenSSL's message. */
static int
failed(struct yl_error *err, const char *what)
{
    char text[256];

    ERR_error_string_n(ERR_peek_last_error(), text, sizeof text);
    ERR_clear_error();
    return yl_error_set(err, YL_EINTERNAL, "%s: %s", what, text);
}

static bool
set_times(X509 *certificate, const struct yl_certificate_request *request)
{
    return ASN1_TIME_set(X509_getm_notBefore(certificate),
                         (time_t) request->not_before)
           && ASN1_TIME_set(X509_getm_notAfter(certificate),
                            (time_t) request->not_after);
}

static bool
set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    bool ok = number
              && BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ANY,
                         BN_RAND_BOTTOM_ANY)
              && BN_to_ASN1_INTEGER(number,
                                    X509_get_serialNumber(certificate));

    BN_free(number);
    return ok;
}

static int
set_subject(X509 *certificate, const struct yl_certificate_request *request,
            struct yl_error *err)
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    size_t i;

    for (i = 0; i <= request->n_organizations; i++) {
        bool last = i == request->n_organizations;
        const char *text = last ? request->common_name
                                : request->organizations[i];

        /* The last argument, 0, makes each entry a part of its own; otherwise
         * entries could be merged into one multi-valued part. */
        if (!*text
            || !X509_NAME_add_entry_by_txt(subject, last ? "CN" : "O",
                                           MBSTRING_UTF8,
                                           (const unsigned char *) text, -1,
                                           -1, 0)) {
            ERR_clear_error();
            return yl_error_set(err, YL_EINVALID, "'%s' cannot stand in a "
                                "certificate: names have 1 to 64 characters",
                                text);
        }
    }
    return 0;
}

static bool
add_extensions(X509 *certificate, X509 *issuer,
               const struct yl_certificate_request *request)
{
    static const struct {
        int nid;
        const char *values[3];  /* By enum yl_certificate_use. */
    } extensions[] = {
        { NID_basic_constraints,
          { "critical,CA:TRUE", "critical,CA:FALSE", "critical,CA:FALSE" } },
        { NID_key_usage,
          { "critical,digitalSignature,keyCertSign,cRLSign",
            "critical,digitalSignature", "critical,digitalSignature" } },
        { NID_ext_key_usage, { NULL, "serverAuth", "clientAuth" } },
        { NID_subject_key_identifier, { "hash", "hash", "hash" } },
        { NID_authority_key_identifier, { "keyid", "keyid", "keyid" } },
    };
    X509V3_CTX ctx;
    size_t i;

    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, issuer, certificate, NULL, NULL, 0);
    for (i = 0; i < YL_ARRAY_SIZE(extensions); i++) {
        const char *value = extensions[i].values[request->use];
        X509_EXTENSION *extension;
        int ok;

        if (!value) {
            continue;
        }
        extension = X509V3_EXT_conf_nid(NULL, &ctx, extensions[i].nid, value);
        ok = extension && X509_add_ext(certificate, extension, -1);
        X509_EXTENSION_free(extension);
        if (!ok) {
            return false;
        }
    }
    return request->n_names == 0 || add_names(certificate, request);
}

/* Adds the names one by one.  OpenSSL's textual configuration is not used,
 * because names come from outside, and there a comma would start another
 * name. */
static bool
add_names(X509 *certificate, const struct yl_certificate_request *request)
{
    GENERAL_NAMES *names = GENERAL_NAMES_new();
    bool ok = names != NULL;
    size_t i;

    for (i = 0; ok && i < request->n_names; i++) {
        GENERAL_NAME *name = general_name(request->names[i]);

        ok = name && sk_GENERAL_NAME_push(names, name) > 0;
    }
    ok = ok && X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0,
                                 X509V3_ADD_DEFAULT) > 0;
    GENERAL_NAMES_free(names);
    return ok;
}

static GENERAL_NAME *
general_name(const char *text)
{
    unsigned char address[16];
    int size = inet_pton(AF_INET, text, address) == 1 ? 4
               : inet_pton(AF_INET6, text, address) == 1 ? 16 : 0;
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *value = size ? ASN1_OCTET_STRING_new() : ASN1_IA5STRING_new();

    if (!name || !value
        || !ASN1_STRING_set(value, size ? (const char *) address : text,
                            size ? size : -1)) {
        GENERAL_NAME_free(name);
        ASN1_STRING_free(value);
        return NULL;
    }
    GENERAL_NAME_set0_value(name, size ? GEN_IPADD : GEN_DNS, value);
    return name;
}

/* Returns a copy of the text in 'bio' and frees 'bio'. */
static char *
take_text(BIO *bio)
{
    char *data, *text;
    long size = BIO_get_mem_data(bio, &data);

    text = yl_strdup(yl_str_n(data, size > 0 ? (size_t) size : 0));
    BIO_free(bio);
    return text;
}
