/* TLS: the machine of both ends.  See net/tls.h for the contract.
 *
 * OpenSSL gets a BIO of our own in the place of the socket.  It reads from the
 * bytes that yl_tls_receive() was given and writes to the buffer of the call
 * that is running, so nothing is copied to a memory BIO in between, a dozen of
 * records leave with one system call, and no write can raise SIGPIPE. */

#include "net/tls.h"

#include <assert.h>
#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/bug.h"
#include "base/thread.h"
#include "net/tls_parts.h"
#include "yuloh/error.h"

/* The size of one SSL_read(): a record. */
#define RECORD 16384

/* Ciphers of TLS 1.3, in Go's order: the first is strong enough and costs a
 * tenth less than the second, which OpenSSL's clients prefer.  A client that
 * prefers ChaCha has no instructions for AES, and gets ChaCha. */
#define CIPHERS "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:" \
                "TLS_CHACHA20_POLY1305_SHA256"

/* For clients that use http:// where https:// is needed; the words of Go's
 * server. */
#define IN_THE_CLEAR \
    "HTTP/1.0 400 Bad Request\r\n\r\n" \
    "Client sent an HTTP request to an HTTPS server.\n"

static struct yl_once once = YL_ONCE_INIT;
static BIO_METHOD *bio_method;  /* Set once. */

static void make_bio_method(void);
static int bio_read(BIO *, char *, int size);
static int bio_write(BIO *, const char *, int size);
static long bio_ctrl(BIO *, int command, long, void *);
static void note_handshake(const SSL *, int where, int result);
static void keep_buffer(struct yl_tls *, bool keep);
static enum yl_tls_result judge(struct yl_tls *, int result);
static const char *reason(const struct yl_tls *);

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
            tls->why = "a record is too large";
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
        tls->why = "the connection was closed";
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

const char *
yl_tls_failure(const struct yl_tls *tls)
{
    return tls->why;
}

SSL_CTX *
yl_tls_context(const SSL_METHOD *method)
{
    SSL_CTX *context = SSL_CTX_new(method);

    if (!context) {
        yl_out_of_memory(1);
    }
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION
                        | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET
                        | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (SSL_CTX_set_ciphersuites(context, CIPHERS) != 1) {
        yl_bug("OpenSSL has no ciphers for TLS 1.3");
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE
                     | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                     | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_info_callback(context, note_handshake);
    return context;
}

struct yl_tls *
yl_tls_new(SSL *ssl)
{
    struct yl_tls *tls = yl_zalloc(sizeof *tls);
    BIO *bio;

    yl_once(&once, make_bio_method);
    bio = BIO_new(bio_method);
    if (!bio || !ssl) {
        yl_out_of_memory(sizeof *tls);
    }
    tls->ssl = ssl;
    BIO_set_data(bio, tls);
    BIO_set_init(bio, 1);
    SSL_set_app_data(ssl, tls);
    SSL_set_bio(ssl, bio, bio);
    return tls;
}

/* The first error in OpenSSL's queue is the closest to the cause. */
int
yl_tls_error(struct yl_error *err, const char *what, const char *where)
{
    unsigned long first = ERR_peek_error();
    const char *why = ERR_SYSTEM_ERROR(first)
                      ? strerror(ERR_GET_REASON(first))
                      : ERR_reason_error_string(first);

    ERR_clear_error();
    return yl_error_set(err, YL_EINVALID, "cannot use the %s in %s: %s",
                        what, where, why ? why : "OpenSSL does not say why");
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

/* Notes a renegotiation.  OpenSSL would refuse it with a warning each time
 * that it is asked for, whether the client reads that or not.  (In TLS 1.3 an
 * exchange of new keys looks like a handshake, too.) */
static void
note_handshake(const SSL *ssl, int where, int result YL_UNUSED)
{
    struct yl_tls *tls = SSL_get_app_data(ssl);

    if (where & SSL_CB_HANDSHAKE_START && tls->open
        && SSL_version(ssl) < TLS1_3_VERSION) {
        tls->failed = true;
    }
}

/* Sets whether the 16 KB buffer of a record is kept for the next one: it is
 * where a record follows at once, and idle connections have none. */
static void
keep_buffer(struct yl_tls *tls, bool keep)
{
    if (keep) {
        SSL_clear_mode(tls->ssl, SSL_MODE_RELEASE_BUFFERS);
    } else {
        SSL_set_mode(tls->ssl, SSL_MODE_RELEASE_BUFFERS);
    }
}

/* Finds out why SSL_read() or SSL_write() returned 'result'. */
static enum yl_tls_result
judge(struct yl_tls *tls, int result)
{
    int why = SSL_get_error(tls->ssl, result);

    if (why == SSL_ERROR_ZERO_RETURN) {
        return YL_TLS_CLOSED;
    }
    if (why == SSL_ERROR_SSL
        && ERR_GET_REASON(ERR_peek_error()) == SSL_R_HTTP_REQUEST
        && SSL_is_server(tls->ssl)) {
        yl_buf_append_c(tls->out, IN_THE_CLEAR);
    }
    tls->failed = true;
    tls->why = reason(tls);
    return YL_TLS_FAILED;
}

/* The error, in OpenSSL's words. */
static const char *
reason(const struct yl_tls *tls)
{
    long verdict = SSL_get_verify_result(tls->ssl);
    const char *why = ERR_reason_error_string(ERR_peek_error());

    return verdict != X509_V_OK && !SSL_is_server(tls->ssl)
           ? X509_verify_cert_error_string(verdict)
           : why ? why : "the connection broke";
}
