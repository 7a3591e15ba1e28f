#ifndef NET_TLS_PARTS_H
#define NET_TLS_PARTS_H 1

/* TLS: what the machine (tls.c) and its two ends (tls_server.c, tls_client.c)
 * share.  Nothing else includes OpenSSL. */

#include <openssl/ssl.h>
#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;

struct yl_tls {
    SSL *ssl;
    struct yl_str in;           /* Bytes for the BIO to read in this call. */
    struct yl_buf *out;         /* Buffer for the BIO to write to in this
                                 * call. */
    bool failed;
    bool open;
    const char *why;            /* Why it failed; constant. */
    unsigned n_loads;           /* The server's 'n_loads' when the certificate
                                 * was last checked. */
};

/* A context with the settings of both ends. */
SSL_CTX *yl_tls_context(const SSL_METHOD *);

/* A connection with 'ssl', which it takes; NULL (out of memory) is allowed. */
struct yl_tls *yl_tls_new(SSL *ssl);

/* Sets OpenSSL's error about the 'what' in 'where'; returns YL_EINVALID. */
int yl_tls_error(struct yl_error *, const char *what, const char *where);

#endif /* net/tls_parts.h */
