/* TLS: the authorities and certificates of a client.  See net/tls.h for the
 * contract.
 *
 * Certificates are read from a BIO, over a file or over bytes in memory, so
 * that the errors are the same for both. */

#include "net/tls.h"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "net/tls_parts.h"
#include "yuloh/error.h"

struct yl_tls_client {
    SSL_CTX *context;
    char *verify_name;          /* NULL: the host. */
    char *sni;                  /* NULL: the host. */
    bool insecure;
};

static int load(struct yl_tls_client *, const struct yl_tls_client_opts *,
                struct yl_error *err);
static int load_authorities(SSL_CTX *, const struct yl_tls_pem *,
                            struct yl_error *err);
static int load_certificate(SSL_CTX *, const struct yl_tls_pem *,
                            struct yl_error *err);
static int load_key(SSL_CTX *, const struct yl_tls_pem *,
                    struct yl_error *err);
static bool is_given(const struct yl_tls_pem *);
static BIO *open_pem(const struct yl_tls_pem *);
static int pem_error(const struct yl_tls_pem *, const char *what,
                     struct yl_error *err);
static int no_password(char *, int size, int writing, void *aux);
static bool is_address(const char *name);

int
yl_tls_client_new(const struct yl_tls_client_opts *opts,
                  struct yl_tls_client **ret_client, struct yl_error *err)
{
    struct yl_tls_client *client = yl_zalloc(sizeof *client);
    int r;

    client->context = yl_tls_context(TLS_client_method());
    client->insecure = opts->insecure;
    if (opts->verify_name) {
        client->verify_name = yl_strdup(yl_str_c(opts->verify_name));
    }
    if (opts->sni) {
        client->sni = yl_strdup(yl_str_c(opts->sni));
    }
    r = load(client, opts, err);
    if (r < 0) {
        yl_tls_client_free(client);
        return r;
    }
    *ret_client = client;
    return 0;
}

void
yl_tls_client_free(struct yl_tls_client *client)
{
    if (client) {
        SSL_CTX_free(client->context);
        free(client->verify_name);
        free(client->sni);
        free(client);
    }
}

struct yl_tls *
yl_tls_connect(const struct yl_tls_client *client, const char *host)
{
    struct yl_tls *tls = yl_tls_new(SSL_new(client->context));
    const char *name = client->verify_name ? client->verify_name : host;
    const char *sni = client->sni ? client->sni : host;
    int ok = 1;

    if (!client->insecure) {
        X509_VERIFY_PARAM *param = SSL_get0_param(tls->ssl);

        /* As in Go, names in the subject do not count. */
        SSL_set_hostflags(tls->ssl, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
                                    | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        ok = is_address(name) ? X509_VERIFY_PARAM_set1_ip_asc(param, name)
                              : SSL_set1_host(tls->ssl, name);
    }
    if (ok == 1 && !is_address(sni)) {
        ok = SSL_set_tlsext_host_name(tls->ssl, sni) == 1;
    }
    SSL_set_connect_state(tls->ssl);
    if (ok != 1) {
        tls->failed = true;
        tls->why = "the name of the server is too long";
    }
    return tls;
}

static int
load(struct yl_tls_client *client, const struct yl_tls_client_opts *opts,
     struct yl_error *err)
{
    static const unsigned char both[] = "\x02h2\x08http/1.1";
    bool shows = is_given(&opts->certificate);
    SSL_CTX *context = client->context;
    int r = 0;

    ERR_clear_error();
    if (opts->insecure && is_given(&opts->authorities)) {
        return yl_error_set(err, YL_EINVALID, "authorities are of no use if "
                                              "any certificate will do");
    }
    if (shows != is_given(&opts->key)) {
        return yl_error_set(err, YL_EINVALID, "a certificate needs its key, "
                                              "and a key its certificate");
    }
    if (SSL_CTX_set_alpn_protos(context, opts->http1 ? both + 3 : both,
                                opts->http1 ? 9 : 12) != 0) {
        yl_out_of_memory(sizeof both);
    }
    if (!opts->insecure) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        r = load_authorities(context, &opts->authorities, err);
    }
    if (r == 0 && shows) {
        r = load_certificate(context, &opts->certificate, err);
    }
    if (r == 0 && shows) {
        r = load_key(context, &opts->key, err);
    }
    return r;
}

static int
load_authorities(SSL_CTX *context, const struct yl_tls_pem *pem,
                 struct yl_error *err)
{
    X509_STORE *store = SSL_CTX_get_cert_store(context);
    X509 *certificate;
    int n = 0;
    BIO *bio;

    if (!is_given(pem)) {
        SSL_CTX_set_default_verify_paths(context);
        return 0;
    }
    bio = open_pem(pem);
    while (bio && (certificate = PEM_read_bio_X509(bio, NULL, no_password,
                                                   NULL)) != NULL) {
        n += X509_STORE_add_cert(store, certificate);
        X509_free(certificate);
    }
    BIO_free(bio);
    if (!n) {
        return pem_error(pem, "authorities", err);
    }

    /* Reading up to the end leaves an error in the queue. */
    ERR_clear_error();
    return 0;
}

/* Loads the certificate and those between it and its authority. */
static int
load_certificate(SSL_CTX *context, const struct yl_tls_pem *pem,
                 struct yl_error *err)
{
    BIO *bio = open_pem(pem);
    X509 *certificate = bio ? PEM_read_bio_X509(bio, NULL, no_password, NULL)
                            : NULL;
    bool ok = certificate
              && SSL_CTX_use_certificate(context, certificate) == 1;

    X509_free(certificate);
    while (ok && (certificate = PEM_read_bio_X509(bio, NULL, no_password,
                                                  NULL)) != NULL) {
        ok = SSL_CTX_add0_chain_cert(context, certificate) == 1;
        if (!ok) {
            X509_free(certificate);
        }
    }
    BIO_free(bio);
    if (!ok) {
        return pem_error(pem, "certificate", err);
    }
    ERR_clear_error();
    return 0;
}

static int
load_key(SSL_CTX *context, const struct yl_tls_pem *pem, struct yl_error *err)
{
    BIO *bio = open_pem(pem);
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, no_password,
                                                  NULL) : NULL;
    bool ok = key && SSL_CTX_use_PrivateKey(context, key) == 1
              && SSL_CTX_check_private_key(context) == 1;

    EVP_PKEY_free(key);
    BIO_free(bio);
    return ok ? 0 : pem_error(pem, "private key", err);
}

static bool
is_given(const struct yl_tls_pem *pem)
{
    return pem->path || pem->bytes.size;
}

/* NULL if there is no such file. */
static BIO *
open_pem(const struct yl_tls_pem *pem)
{
    BIO *bio;

    if (!pem->bytes.size) {
        return BIO_new_file(pem->path, "r");
    }
    bio = pem->bytes.size > INT32_MAX ? NULL
          : BIO_new_mem_buf(pem->bytes.data, (int) pem->bytes.size);
    if (!bio) {
        yl_out_of_memory(pem->bytes.size);
    }
    return bio;
}

static int
pem_error(const struct yl_tls_pem *pem, const char *what,
          struct yl_error *err)
{
    return yl_tls_error(err, what,
                        pem->path ? pem->path : "the configuration");
}

/* Refuses to ask for a password on the terminal. */
static int
no_password(char *buf YL_UNUSED, int size YL_UNUSED, int writing YL_UNUSED,
            void *aux YL_UNUSED)
{
    return -1;
}

static bool
is_address(const char *name)
{
    unsigned char bytes[16];

    return inet_pton(AF_INET, name, bytes) == 1
           || inet_pton(AF_INET6, name, bytes) == 1;
}
