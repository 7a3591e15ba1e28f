#ifndef NET_TLS_PARTS_H
#define NET_TLS_PARTS_H 1

/* TLS: what the machine (tls.c) and its two ends (tls_server.c, tls_client.c)
 * share.  Nothing else sees OpenSSL. */

#include <openssl/ssl.h>
#include <stdbool.h>

#include "base/buf.h"
#include "yuloh/str.h"

struct yl_error;

struct yl_tls {
    SSL *ssl;
    struct yl_str in;           /* What the BIO may read; of this call. */
    struct yl_buf *out;         /* Where the BIO writes; of this call. */
    bool failed;
    bool open;
    const char *why;            /* It failed; constant. */
    unsigned n_loads;           /* Of the server when it was last checked. */
};

/* A context with what both ends have in common. */
SSL_CTX *yl_tls_context(const SSL_METHOD *);

/* A connection with 'ssl', which it takes and which may be NULL (out of
 * memory). */
struct yl_tls *yl_tls_new(SSL *ssl);

/* YL_EINVALID: what OpenSSL says of the 'what' in 'where'. */
int yl_tls_error(struct yl_error *, const char *what, const char *where);

#endif /* net/tls_parts.h */
