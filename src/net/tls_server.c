/* TLS: certificates of a server, and the names in those of its clients.  See
 * net/tls.h for the contract. */

#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "net/tls_parts.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

struct yl_tls_server {
    char *certificate, *key, *client_ca;    /* Paths. */

    _Atomic unsigned n_loads;   /* Number of times 'context' was loaded. */

    struct yl_mutex lock;       /* Innermost. */
    SSL_CTX *context YL_GUARDED;
};

static int load(struct yl_tls_server *, SSL_CTX **ret_context,
                struct yl_error *err);
static int load_files(SSL_CTX *, const struct yl_tls_server *,
                      struct yl_error *err);
static int keep_verdict(int ok, X509_STORE_CTX *);
static int choose_protocol(SSL *, const unsigned char **ret_name,
                           unsigned char *ret_length,
                           const unsigned char *offers,
                           unsigned int offers_size, void *aux);
static struct yl_str asn1_text(const ASN1_STRING *, struct yl_arena *);
static void read_subject(X509 *, struct yl_arena *, struct yl_tls_peer *);
static struct yl_str fingerprint(X509 *, struct yl_arena *);
static int64_t expiry(X509 *);

int
yl_tls_server_new(const struct yl_tls_files *files,
                  struct yl_tls_server **ret_server, struct yl_error *err)
{
    struct yl_tls_server *server = yl_zalloc(sizeof *server);
    int r;

    server->certificate = yl_strdup(yl_str_c(files->certificate));
    server->key = yl_strdup(yl_str_c(files->key));
    if (files->client_ca) {
        server->client_ca = yl_strdup(yl_str_c(files->client_ca));
    }
    yl_mutex_init(&server->lock);
    r = yl_tls_server_reload(server, err);
    if (r < 0) {
        yl_tls_server_free(server);
        return r;
    }
    *ret_server = server;
    return 0;
}

void
yl_tls_server_free(struct yl_tls_server *server)
{
    if (server) {
        yl_mutex_lock(&server->lock);
        SSL_CTX_free(server->context);
        yl_mutex_unlock(&server->lock);
        yl_mutex_destroy(&server->lock);
        free(server->certificate);
        free(server->key);
        free(server->client_ca);
        free(server);
    }
}

int
yl_tls_server_reload(struct yl_tls_server *server, struct yl_error *err)
{
    SSL_CTX *context = NULL;
    SSL_CTX *old;
    int r = load(server, &context, err);

    if (r < 0) {
        return r;
    }
    yl_mutex_lock(&server->lock);
    old = server->context;
    server->context = context;
    atomic_fetch_add(&server->n_loads, 1);
    yl_mutex_unlock(&server->lock);
    SSL_CTX_free(old);
    return 0;
}

struct yl_tls *
yl_tls_accept(struct yl_tls_server *server)
{
    struct yl_tls *tls;
    unsigned n_loads;
    SSL *ssl;

    yl_mutex_lock(&server->lock);
    ssl = SSL_new(server->context);
    n_loads = atomic_load(&server->n_loads);
    yl_mutex_unlock(&server->lock);
    tls = yl_tls_new(ssl);
    tls->n_loads = n_loads;
    SSL_set_accept_state(tls->ssl);
    return tls;
}

void
yl_tls_peer(const struct yl_tls *tls, struct yl_arena *arena,
            struct yl_tls_peer *ret_peer)
{
    X509 *certificate = SSL_get0_peer_certificate(tls->ssl);
    long verdict = SSL_get_verify_result(tls->ssl);

    memset(ret_peer, 0, sizeof *ret_peer);
    if (!certificate) {
        return;
    }
    if (verdict != X509_V_OK) {
        ret_peer->refused = X509_verify_cert_error_string(verdict);
        return;
    }
    read_subject(certificate, arena, ret_peer);
    ret_peer->fingerprint = fingerprint(certificate, arena);
    ret_peer->not_after = expiry(certificate);
}

const char *
yl_tls_recheck(struct yl_tls *tls, struct yl_tls_server *server)
{
    X509 *certificate = SSL_get0_peer_certificate(tls->ssl);
    const char *refused = NULL;
    X509_STORE_CTX *check;
    X509_STORE *store;

    if (YL_LIKELY(tls->n_loads == atomic_load(&server->n_loads))
        || !certificate) {
        return NULL;
    }
    yl_mutex_lock(&server->lock);
    tls->n_loads = atomic_load(&server->n_loads);
    store = SSL_CTX_get_cert_store(server->context);
    X509_STORE_up_ref(store);
    yl_mutex_unlock(&server->lock);

    /* Checking signatures takes time, so it is done without the lock. */
    check = X509_STORE_CTX_new();
    if (!check
        || !X509_STORE_CTX_init(check, store, certificate,
                                SSL_get_peer_cert_chain(tls->ssl))) {
        yl_out_of_memory(sizeof *tls);
    }
    X509_STORE_CTX_set_default(check, "ssl_client");
    if (X509_verify_cert(check) != 1) {
        refused = X509_verify_cert_error_string(
            X509_STORE_CTX_get_error(check));
    }
    X509_STORE_CTX_free(check);
    X509_STORE_free(store);
    return refused;
}

/* Makes a context from the files. */
static int
load(struct yl_tls_server *server, SSL_CTX **ret_context,
     struct yl_error *err)
{
    SSL_CTX *context = yl_tls_context(TLS_server_method());
    int r;

    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE
                        | SSL_OP_PRIORITIZE_CHACHA);
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    r = load_files(context, server, err);
    if (r < 0) {
        SSL_CTX_free(context);
        return r;
    }
    *ret_context = context;
    return 0;
}

static int
load_files(SSL_CTX *context, const struct yl_tls_server *server,
           struct yl_error *err)
{
    STACK_OF(X509_NAME) *names;

    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, server->certificate)
        != 1) {
        return yl_tls_error(err, "certificate", server->certificate);
    }
    if (SSL_CTX_use_PrivateKey_file(context, server->key, SSL_FILETYPE_PEM)
            != 1
        || SSL_CTX_check_private_key(context) != 1) {
        return yl_tls_error(err, "private key", server->key);
    }
    if (!server->client_ca) {
        return 0;
    }
    names = SSL_load_client_CA_file(server->client_ca);
    if (!names
        || SSL_CTX_load_verify_file(context, server->client_ca) != 1) {
        return yl_tls_error(err, "client authorities", server->client_ca);
    }
    SSL_CTX_set_client_CA_list(context, names);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, keep_verdict);
    return 0;
}

/* Lets a handshake go on with a bad certificate, so that authentication can
 * refuse it with a message.  The first error stays in
 * SSL_get_verify_result(). */
static int
keep_verdict(int ok YL_UNUSED, X509_STORE_CTX *store YL_UNUSED)
{
    return 1;
}

static int
choose_protocol(SSL *ssl YL_UNUSED, const unsigned char **ret_name,
                unsigned char *ret_length, const unsigned char *offers,
                unsigned int offers_size, void *aux YL_UNUSED)
{
    static const unsigned char ours[] = "\x02h2\x08http/1.1";
    unsigned char *name;

    if (SSL_select_next_proto(&name, ret_length, ours, sizeof ours - 1,
                              offers, offers_size)
        != OPENSSL_NPN_NEGOTIATED) {
        return SSL_TLSEXT_ERR_NOACK;
    }
    *ret_name = name;
    return SSL_TLSEXT_ERR_OK;
}

/* Text of a certificate as UTF-8, whatever its encoding; empty if it cannot be
 * converted. */
static struct yl_str
asn1_text(const ASN1_STRING *string, struct yl_arena *arena)
{
    unsigned char *utf8 = NULL;
    int n = ASN1_STRING_to_UTF8(&utf8, string);
    struct yl_str copy;

    if (n < 0) {
        return YL_STR("");
    }
    copy = yl_arena_copy(arena, yl_str_n((const char *) utf8, (size_t) n));
    OPENSSL_free(utf8);
    return copy;
}

static void
read_subject(X509 *certificate, struct yl_arena *arena,
             struct yl_tls_peer *peer)
{
    X509_NAME *subject = X509_get_subject_name(certificate);
    int n = X509_NAME_entry_count(subject);

    peer->common_name = YL_STR("");
    peer->organizations = yl_arena_array(arena, YL_TLS_MAX_ORGANIZATIONS,
                                         sizeof *peer->organizations);
    for (int i = 0; i < n; i++) {
        X509_NAME_ENTRY *entry = X509_NAME_get_entry(subject, i);
        int type = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
        const ASN1_STRING *value = X509_NAME_ENTRY_get_data(entry);

        /* The last common name counts, as in Go. */
        if (type == NID_commonName) {
            peer->common_name = asn1_text(value, arena);
        } else if (type == NID_organizationName
                   && peer->n_organizations < YL_TLS_MAX_ORGANIZATIONS) {
            peer->organizations[peer->n_organizations++]
                = asn1_text(value, arena);
        }
    }
}

static struct yl_str
fingerprint(X509 *certificate, struct yl_arena *arena)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    char *text;

    if (!X509_digest(certificate, EVP_sha256(), hash, &size)) {
        yl_out_of_memory(sizeof hash);
    }
    text = yl_arena_alloc(arena, 2 * (size_t) size + 1);
    for (unsigned int i = 0; i < size; i++) {
        text[2 * i] = digits[hash[i] >> 4];
        text[2 * i + 1] = digits[hash[i] & 15];
    }
    text[2 * (size_t) size] = '\0';
    return yl_str_n(text, 2 * (size_t) size);
}

static int64_t
expiry(X509 *certificate)
{
    ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
    int days = 0;
    int seconds = 0;

    if (!epoch) {
        yl_out_of_memory(sizeof epoch);
    }
    ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate));
    ASN1_TIME_free(epoch);
    return (int64_t) days * 86400 + seconds;
}
