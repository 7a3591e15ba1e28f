/* TLS.  See net/tls.h for the contract.
 *
 * A BIO of our own stands where OpenSSL expects the socket.  It reads from the
 * bytes that yl_tls_receive() was given and writes to the buffer of the call
 * that is running, so nothing is copied to a memory BIO in between, a dozen of
 * records leave with one system call, and no write can raise SIGPIPE. */

#include "net/tls.h"

#include <assert.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bug.h"
#include "base/thread.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

/* What one SSL_read() asks for: a record. */
#define RECORD 16384

/* Of TLS 1.3, in Go's order: the first is strong enough for anybody and costs
 * a tenth less than the second, which OpenSSL's clients would rather have.
 * Who asks for ChaCha first has no instructions for AES, and gets it. */
#define CIPHERS "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:" \
                "TLS_CHACHA20_POLY1305_SHA256"

/* For who writes http:// and means https://; the words of Go's server. */
#define IN_THE_CLEAR \
    "HTTP/1.0 400 Bad Request\r\n\r\n" \
    "Client sent an HTTP request to an HTTPS server.\n"

struct yl_tls_server {
    char *certificate, *key, *client_ca;    /* Paths. */

    _Atomic unsigned n_loads;   /* Of 'context'. */

    struct yl_mutex lock;       /* Innermost. */
    SSL_CTX *context YL_GUARDED;
};

struct yl_tls {
    SSL *ssl;
    struct yl_str in;           /* What the BIO may read; of this call. */
    struct yl_buf *out;         /* Where the BIO writes; of this call. */
    bool failed;
    bool open;
    unsigned n_loads;           /* Of the server when it was last checked. */
};

static struct yl_once once = YL_ONCE_INIT;
static BIO_METHOD *bio_method;  /* Written once. */

static void make_bio_method(void);
static int bio_read(BIO *, char *, int size);
static int bio_write(BIO *, const char *, int size);
static long bio_ctrl(BIO *, int command, long, void *);
static int load(struct yl_tls_server *, SSL_CTX **ret_context,
                struct yl_error *err);
static int load_files(SSL_CTX *, const struct yl_tls_server *,
                      struct yl_error *err);
static int ssl_error(struct yl_error *, const char *what, const char *path);
static int keep_verdict(int ok, X509_STORE_CTX *);
static void note_handshake(const SSL *, int where, int result);
static int choose_protocol(SSL *, const unsigned char **ret_name,
                           unsigned char *ret_length,
                           const unsigned char *offers,
                           unsigned int offers_size, void *aux);
static void keep_buffer(struct yl_tls *, bool keep);
static enum yl_tls_result judge(struct yl_tls *, int result);
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

    yl_once(&once, make_bio_method);
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
yl_tls_new(struct yl_tls_server *server)
{
    struct yl_tls *tls = yl_zalloc(sizeof *tls);
    BIO *bio = BIO_new(bio_method);

    yl_mutex_lock(&server->lock);
    tls->ssl = SSL_new(server->context);
    tls->n_loads = atomic_load(&server->n_loads);
    yl_mutex_unlock(&server->lock);
    if (!bio || !tls->ssl) {
        yl_out_of_memory(sizeof *tls);
    }
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_app_data(tls->ssl, tls);
    SSL_set_bio(tls->ssl, bio, bio);
    SSL_set_accept_state(tls->ssl);
    return tls;
}

void
yl_tls_free(struct yl_tls *tls)
{
    if (tls) {
        SSL_free(tls->ssl);
        free(tls);
    }
}

enum yl_tls_result
yl_tls_receive(struct yl_tls *tls, struct yl_str wire, struct yl_buf *plain,
               struct yl_buf *out)
{
    enum yl_tls_result result = tls->failed ? YL_TLS_FAILED : YL_TLS_OK;

    tls->in = wire;
    tls->out = out;
    while (result == YL_TLS_OK) {
        char *room = yl_buf_reserve(plain, RECORD);
        int n;

        if (!room) {
            tls->failed = true;
            result = YL_TLS_FAILED;
            break;
        }
        ERR_clear_error();
        n = SSL_read(tls->ssl, room, RECORD);
        tls->open = tls->open || SSL_is_init_finished(tls->ssl);
        if (tls->failed) {
            result = YL_TLS_FAILED;
        } else if (n > 0) {
            yl_buf_commit(plain, (size_t) n);
            if (!tls->in.size && !SSL_has_pending(tls->ssl)) {
                break;
            }
        } else if (SSL_get_error(tls->ssl, n) == SSL_ERROR_WANT_READ) {
            break;
        } else {
            result = judge(tls, n);
        }
    }
    tls->in = yl_str_null();
    tls->out = NULL;
    return result;
}

enum yl_tls_result
yl_tls_send(struct yl_tls *tls, struct yl_str plain, struct yl_buf *out)
{
    assert(tls->open);
    tls->out = out;
    while (plain.size && !tls->failed) {
        int n;

        ERR_clear_error();
        keep_buffer(tls, plain.size > RECORD);
        n = SSL_write(tls->ssl, plain.data,
                      plain.size < RECORD ? (int) plain.size : RECORD);
        if (n <= 0) {
            judge(tls, n);
            tls->failed = true;
        } else {
            plain = yl_str_skip(plain, (size_t) n);
        }
    }
    tls->out = NULL;
    return tls->failed ? YL_TLS_FAILED : YL_TLS_OK;
}

void
yl_tls_close(struct yl_tls *tls, struct yl_buf *out)
{
    if (!tls->failed && tls->open) {
        tls->out = out;
        ERR_clear_error();
        SSL_shutdown(tls->ssl);
        tls->out = NULL;
        tls->failed = true;
    }
}

bool
yl_tls_is_open(const struct yl_tls *tls)
{
    return tls->open;
}

bool
yl_tls_is_h2(const struct yl_tls *tls)
{
    const unsigned char *name = NULL;
    unsigned int length = 0;

    SSL_get0_alpn_selected(tls->ssl, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
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

    /* Signatures take their time: others need not wait for them. */
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

/* The BIO. */
static void
make_bio_method(void)
{
    bio_method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK,
                              "yuloh");
    if (!bio_method
        || !BIO_meth_set_read(bio_method, bio_read)
        || !BIO_meth_set_write(bio_method, bio_write)
        || !BIO_meth_set_ctrl(bio_method, bio_ctrl)) {
        yl_bug("OpenSSL has no room for a kind of BIO");
    }
}

static int
bio_read(BIO *bio, char *bytes, int size)
{
    struct yl_tls *tls = BIO_get_data(bio);
    size_t n = (size_t) size < tls->in.size ? (size_t) size : tls->in.size;

    BIO_clear_retry_flags(bio);
    if (!n) {
        BIO_set_retry_read(bio);
        return -1;
    }
    memcpy(bytes, tls->in.data, n);
    tls->in = yl_str_skip(tls->in, n);
    return (int) n;
}

static int
bio_write(BIO *bio, const char *bytes, int size)
{
    struct yl_tls *tls = BIO_get_data(bio);

    BIO_clear_retry_flags(bio);
    yl_buf_append(tls->out, bytes, (size_t) size);
    return yl_buf_error(tls->out) ? -1 : size;
}

static long
bio_ctrl(BIO *bio YL_UNUSED, int command, long number YL_UNUSED,
         void *pointer YL_UNUSED)
{
    return command == BIO_CTRL_FLUSH;
}

/* A context from the files. */
static int
load(struct yl_tls_server *server, SSL_CTX **ret_context,
     struct yl_error *err)
{
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    int r;

    if (!context) {
        yl_out_of_memory(sizeof *server);
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION
                        | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET
                        | SSL_OP_IGNORE_UNEXPECTED_EOF
                        | SSL_OP_CIPHER_SERVER_PREFERENCE
                        | SSL_OP_PRIORITIZE_CHACHA);
    if (SSL_CTX_set_ciphersuites(context, CIPHERS) != 1) {
        yl_bug("OpenSSL has no ciphers for TLS 1.3");
    }
    SSL_CTX_set_num_tickets(context, 0);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE
                     | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                     | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, NULL);
    SSL_CTX_set_info_callback(context, note_handshake);
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
        return ssl_error(err, "certificate", server->certificate);
    }
    if (SSL_CTX_use_PrivateKey_file(context, server->key, SSL_FILETYPE_PEM)
            != 1
        || SSL_CTX_check_private_key(context) != 1) {
        return ssl_error(err, "private key", server->key);
    }
    if (!server->client_ca) {
        return 0;
    }
    names = SSL_load_client_CA_file(server->client_ca);
    if (!names
        || SSL_CTX_load_verify_file(context, server->client_ca) != 1) {
        return ssl_error(err, "client authorities", server->client_ca);
    }
    SSL_CTX_set_client_CA_list(context, names);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, keep_verdict);
    return 0;
}

/* The first error in OpenSSL's queue is nearest to the cause. */
static int
ssl_error(struct yl_error *err, const char *what, const char *path)
{
    unsigned long first = ERR_peek_error();
    const char *why = ERR_SYSTEM_ERROR(first)
                      ? strerror(ERR_GET_REASON(first))
                      : ERR_reason_error_string(first);

    ERR_clear_error();
    return yl_error_set(err, YL_EINVALID, "cannot use the %s in %s: %s",
                        what, path, why ? why : "OpenSSL does not say why");
}

/* Lets a handshake go on with a bad certificate: whoever authenticates answers
 * that with words.  The first verdict stays in SSL_get_verify_result(). */
static int
keep_verdict(int ok YL_UNUSED, X509_STORE_CTX *store YL_UNUSED)
{
    return 1;
}

/* OpenSSL would refuse to renegotiate with a warning, and again each time that
 * it is asked, whether the client reads it or not.  (In TLS 1.3 the exchange
 * of new keys looks like a handshake, too.) */
static void
note_handshake(const SSL *ssl, int where, int result YL_UNUSED)
{
    struct yl_tls *tls = SSL_get_app_data(ssl);

    if (where & SSL_CB_HANDSHAKE_START && tls->open
        && SSL_version(ssl) < TLS1_3_VERSION) {
        tls->failed = true;
    }
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

/* Whether the 16 KB that a record is made in stay for the next one: they do
 * where one follows at once, and idle connections have none. */
static void
keep_buffer(struct yl_tls *tls, bool keep)
{
    if (keep) {
        SSL_clear_mode(tls->ssl, SSL_MODE_RELEASE_BUFFERS);
    } else {
        SSL_set_mode(tls->ssl, SSL_MODE_RELEASE_BUFFERS);
    }
}

/* Why SSL_read() or SSL_write() returned 'result' and not more. */
static enum yl_tls_result
judge(struct yl_tls *tls, int result)
{
    int why = SSL_get_error(tls->ssl, result);

    if (why == SSL_ERROR_ZERO_RETURN) {
        return YL_TLS_CLOSED;
    }
    if (why == SSL_ERROR_SSL
        && ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST) {
        yl_buf_append_c(tls->out, IN_THE_CLEAR);
    }
    tls->failed = true;
    return YL_TLS_FAILED;
}

/* Text of a certificate as UTF-8, whatever it is stored as; empty if it cannot
 * be. */
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
