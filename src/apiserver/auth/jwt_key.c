/* Keys of JSON web tokens.  See apiserver/auth/jwt_key.h for the contract.
 *
 * A signature of an elliptic curve is two numbers.  OpenSSL writes them in
 * DER, a token has them as bytes of a fixed size, one behind the other. */

#include "apiserver/auth/jwt_key.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509.h>

#include "apiserver/auth/jwt.h"
#include "base/alloc.h"
#include "json/base64.h"
#include "yuloh/error.h"

#define MIN_RSA_BITS 2048
#define MAX_RSA_BITS 16384
#define MAX_NUMBER 66           /* Bytes of a number of P-521. */
#define MAX_SIGNATURE (MAX_RSA_BITS / 8)
#define MAX_ID 64

struct algorithm {
    const char *name;
    const char *curve;          /* As OpenSSL calls it; NULL: RSA. */
    const char *jwk_curve;
    size_t number_size;         /* Of a curve: bytes of a number. */
    const EVP_MD *(*digest)(void);
};

struct yl_jwt_key {
    EVP_PKEY *key;
    const struct algorithm *algorithm;
    bool is_private;
    char *id;
};

static const struct algorithm algorithms[] = {
    { "RS256", NULL, NULL, 0, EVP_sha256 },
    { "ES256", "prime256v1", "P-256", 32, EVP_sha256 },
    { "ES384", "secp384r1", "P-384", 48, EVP_sha384 },
    { "ES512", "secp521r1", "P-521", 66, EVP_sha512 },
};

static EVP_PKEY *decode(const char *name, const unsigned char *der, long size,
                        bool *ret_private, bool *ret_known);
static int adopt(EVP_PKEY *, bool is_private, const char *path,
                 struct yl_jwt_key **ret_key, struct yl_error *);
static const struct algorithm *algorithm_of(EVP_PKEY *);
static char *id_of(EVP_PKEY *);
static void write_number(const struct yl_jwt_key *, const char *name,
                         size_t size, struct yl_buf *);
static bool sign_bytes(const struct yl_jwt_key *, struct yl_str text,
                       unsigned char *signature, size_t *size);
static bool from_der(const struct yl_jwt_key *, unsigned char *signature,
                     size_t *size);
static bool to_der(const struct yl_jwt_key *, struct yl_str signature,
                   unsigned char **ret_der, size_t *ret_size);

int
yl_jwt_key_new(struct yl_jwt_key **ret_key, struct yl_error *err)
{
    EVP_PKEY *key = EVP_EC_gen("P-256");

    ERR_clear_error();
    if (!key) {
        return yl_error_set(err, YL_EINTERNAL, "no key can be made");
    }
    return adopt(key, true, "a new key", ret_key, err);
}

void
yl_jwt_key_free(struct yl_jwt_key *key)
{
    if (key) {
        EVP_PKEY_free(key->key);
        free(key->id);
        free(key);
    }
}

int
yl_jwt_key_read(struct yl_str pem, size_t *at, const char *path,
                struct yl_jwt_key **ret_key, struct yl_error *err)
{
    BIO *bio = BIO_new_mem_buf(pem.data + *at, (int) (pem.size - *at));
    bool is_private = false, known = false;
    EVP_PKEY *key = NULL;
    char *name, *header;
    unsigned char *der;
    long size;

    while (!known && PEM_read_bio(bio, &name, &header, &der, &size) == 1) {
        key = decode(name, der, size, &is_private, &known);
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_clear_free(der, (size_t) size);
    }
    *at = pem.size - (size_t) BIO_pending(bio);
    BIO_free(bio);
    ERR_clear_error();
    if (!known) {
        return YL_ENOTFOUND;
    }
    if (!key) {
        return yl_error_set(err, YL_EINVALID, "%s: a key cannot be read",
                            path);
    }
    return adopt(key, is_private, path, ret_key, err);
}

char *
yl_jwt_key_pem(const struct yl_jwt_key *key)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *data = NULL, *text;
    long size;

    PEM_write_bio_PrivateKey(bio, key->key, NULL, NULL, 0, NULL, NULL);
    size = BIO_get_mem_data(bio, &data);
    text = yl_strdup(yl_str_n(data, size > 0 ? (size_t) size : 0));
    BIO_free(bio);
    ERR_clear_error();
    return text;
}

struct yl_str
yl_jwt_key_id(const struct yl_jwt_key *key)
{
    return yl_str_c(key->id);
}

const char *
yl_jwt_key_algorithm(const struct yl_jwt_key *key)
{
    return key->algorithm->name;
}

bool
yl_jwt_key_is_private(const struct yl_jwt_key *key)
{
    return key->is_private;
}

/* The members stand in the order in which kube-apiserver writes them. */
void
yl_jwt_key_write_jwk(const struct yl_jwt_key *key, struct yl_buf *out)
{
    const struct algorithm *a = key->algorithm;

    yl_buf_printf(out, "{\"use\":\"sig\",\"kty\":\"%s\",\"kid\":\"%s\",",
                  a->curve ? "EC" : "RSA", key->id);
    if (a->curve) {
        yl_buf_printf(out, "\"crv\":\"%s\",\"alg\":\"%s\",\"x\":\"",
                      a->jwk_curve, a->name);
        write_number(key, OSSL_PKEY_PARAM_EC_PUB_X, a->number_size, out);
        yl_buf_append_c(out, "\",\"y\":\"");
        write_number(key, OSSL_PKEY_PARAM_EC_PUB_Y, a->number_size, out);
    } else {
        yl_buf_printf(out, "\"alg\":\"%s\",\"n\":\"", a->name);
        write_number(key, OSSL_PKEY_PARAM_RSA_N, 0, out);
        yl_buf_append_c(out, "\",\"e\":\"");
        write_number(key, OSSL_PKEY_PARAM_RSA_E, 0, out);
    }
    yl_buf_append_c(out, "\"}");
}

int
yl_jwt_key_sign(const struct yl_jwt_key *key, struct yl_str payload,
                struct yl_buf *token, struct yl_error *err)
{
    unsigned char signature[MAX_SIGNATURE];
    size_t start = token->size, size = sizeof signature;
    struct yl_buf header;
    struct yl_str text;
    int r = 0;

    yl_buf_init(&header, 256);
    yl_buf_printf(&header, "{\"alg\":\"%s\",\"kid\":\"%s\"}",
                  key->algorithm->name, key->id);
    yl_base64url_write(token, yl_buf_str(&header));
    yl_buf_release(&header);
    yl_buf_append_c(token, ".");
    yl_base64url_write(token, payload);
    text = yl_str_skip(yl_buf_str(token), start);
    if (yl_buf_error(token) < 0) {
        r = yl_error_set(err, YL_ETOOBIG, "the token is too large");
    } else if (!sign_bytes(key, text, signature, &size)
               || (key->algorithm->curve
                   && !from_der(key, signature, &size))) {
        r = yl_error_set(err, YL_EINTERNAL, "the token cannot be signed");
    } else {
        yl_buf_append_c(token, ".");
        yl_base64url_write(token, yl_str_n((char *) signature, size));
        r = yl_buf_error(token);
    }
    ERR_clear_error();
    return r;
}

bool
yl_jwt_key_verify(const struct yl_jwt_key *key, const struct yl_jwt *jwt)
{
    const struct algorithm *a = key->algorithm;
    const unsigned char *signature = (const unsigned char *)
                                     jwt->signature.data;
    size_t size = jwt->signature.size;
    unsigned char *der = NULL;
    EVP_MD_CTX *context;
    bool good;

    if (!yl_str_equal_c(jwt->algorithm, a->name) || size > MAX_SIGNATURE) {
        return false;
    }
    if (a->curve) {
        if (!to_der(key, jwt->signature, &der, &size)) {
            return false;
        }
        signature = der;
    }
    context = EVP_MD_CTX_new();
    good = context
           && EVP_DigestVerifyInit(context, NULL, a->digest(), NULL,
                                   key->key) == 1
           && EVP_DigestVerify(context, signature, size,
                               (const unsigned char *) jwt->signed_.data,
                               jwt->signed_.size) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_free(der);
    ERR_clear_error();
    return good;
}

/* Decodes a block of a PEM file.  '*ret_known' says whether it holds a key at
 * all; NULL if that is so and it cannot be read. */
static EVP_PKEY *
decode(const char *name, const unsigned char *der, long size,
       bool *ret_private, bool *ret_known)
{
    EVP_PKEY *key;
    X509 *certificate;

    *ret_known = true;
    *ret_private = !strcmp(name, "PRIVATE KEY")
                   || !strcmp(name, "RSA PRIVATE KEY")
                   || !strcmp(name, "EC PRIVATE KEY");
    if (*ret_private) {
        return d2i_AutoPrivateKey(NULL, &der, size);
    }
    if (!strcmp(name, "PUBLIC KEY")) {
        return d2i_PUBKEY(NULL, &der, size);
    }
    if (!strcmp(name, "RSA PUBLIC KEY")) {
        return d2i_PublicKey(EVP_PKEY_RSA, NULL, &der, size);
    }
    if (!strcmp(name, "CERTIFICATE")) {
        certificate = d2i_X509(NULL, &der, size);
        key = certificate ? X509_get_pubkey(certificate) : NULL;
        X509_free(certificate);
        return key;
    }
    *ret_known = false;
    return NULL;
}

/* Makes a key of what OpenSSL has read, and takes that. */
static int
adopt(EVP_PKEY *pkey, bool is_private, const char *path,
      struct yl_jwt_key **ret_key, struct yl_error *err)
{
    const struct algorithm *algorithm = algorithm_of(pkey);
    struct yl_jwt_key *key;

    if (!algorithm) {
        EVP_PKEY_free(pkey);
        ERR_clear_error();
        return yl_error_set(err, YL_EINVALID, "%s: a key for tokens is an "
                            "RSA key of at least %d bits, or one on the "
                            "curve P-256, P-384 or P-521", path,
                            MIN_RSA_BITS);
    }
    key = yl_zalloc(sizeof *key);
    key->key = pkey;
    key->algorithm = algorithm;
    key->is_private = is_private;
    key->id = id_of(pkey);
    ERR_clear_error();
    *ret_key = key;
    return 0;
}

static const struct algorithm *
algorithm_of(EVP_PKEY *key)
{
    char curve[64];
    size_t i;

    if (EVP_PKEY_is_a(key, "RSA")) {
        return EVP_PKEY_get_bits(key) >= MIN_RSA_BITS
               && EVP_PKEY_get_bits(key) <= MAX_RSA_BITS
               ? &algorithms[0] : NULL;
    }
    if (!EVP_PKEY_is_a(key, "EC")
        || EVP_PKEY_get_utf8_string_param(key, OSSL_PKEY_PARAM_GROUP_NAME,
                                          curve, sizeof curve, NULL) != 1) {
        return NULL;
    }
    for (i = 1; i < YL_ARRAY_SIZE(algorithms); i++) {
        if (!strcmp(curve, algorithms[i].curve)) {
            return &algorithms[i];
        }
    }
    return NULL;
}

/* The hash of the public part, as kube-apiserver computes it. */
static char *
id_of(EVP_PKEY *key)
{
    unsigned char hash[SHA256_DIGEST_LENGTH], *der = NULL;
    int size = i2d_PUBKEY(key, &der);
    struct yl_buf id;

    SHA256(der, size > 0 ? (size_t) size : 0, hash);
    OPENSSL_free(der);
    yl_buf_init(&id, MAX_ID);
    yl_base64url_write(&id, yl_str_n((char *) hash, sizeof hash));
    return yl_buf_detach(&id);
}

/* A number of the key; 'size' bytes, or as many as it needs if that is 0. */
static void
write_number(const struct yl_jwt_key *key, const char *name, size_t size,
             struct yl_buf *out)
{
    unsigned char bytes[MAX_RSA_BITS / 8];
    BIGNUM *number = NULL;

    if (EVP_PKEY_get_bn_param(key->key, name, &number) == 1) {
        size = size ? size : (size_t) BN_num_bytes(number);
        if (size <= sizeof bytes
            && BN_bn2binpad(number, bytes, (int) size) >= 0) {
            yl_base64url_write(out, yl_str_n((char *) bytes, size));
        }
    }
    BN_free(number);
    ERR_clear_error();
}

static bool
sign_bytes(const struct yl_jwt_key *key, struct yl_str text,
           unsigned char *signature, size_t *size)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = context
                && EVP_DigestSignInit(context, NULL, key->algorithm->digest(),
                                      NULL, key->key) == 1
                && EVP_DigestSign(context, signature, size,
                                  (const unsigned char *) text.data,
                                  text.size) == 1;

    EVP_MD_CTX_free(context);
    return good;
}

/* Turns a signature from DER into two numbers, in place. */
static bool
from_der(const struct yl_jwt_key *key, unsigned char *signature, size_t *size)
{
    int n = (int) key->algorithm->number_size;
    const unsigned char *der = signature;
    ECDSA_SIG *pair = d2i_ECDSA_SIG(NULL, &der, (long) *size);
    bool good = pair
                && BN_bn2binpad(ECDSA_SIG_get0_r(pair), signature, n) == n
                && BN_bn2binpad(ECDSA_SIG_get0_s(pair), signature + n, n) == n;

    ECDSA_SIG_free(pair);
    *size = 2 * (size_t) n;
    return good;
}

static bool
to_der(const struct yl_jwt_key *key, struct yl_str signature,
       unsigned char **ret_der, size_t *ret_size)
{
    size_t n = key->algorithm->number_size;
    const unsigned char *bytes = (const unsigned char *) signature.data;
    ECDSA_SIG *pair;
    int size;

    if (signature.size != 2 * n) {
        return false;
    }
    pair = ECDSA_SIG_new();
    ECDSA_SIG_set0(pair, BN_bin2bn(bytes, (int) n, NULL),
                   BN_bin2bn(bytes + n, (int) n, NULL));
    size = i2d_ECDSA_SIG(pair, ret_der);
    ECDSA_SIG_free(pair);
    *ret_size = size > 0 ? (size_t) size : 0;
    return size > 0;
}
