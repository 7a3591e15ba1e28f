#ifndef BUILTIN_ACCESS_X509_H
#define BUILTIN_ACCESS_X509_H 1

/* Certificates and certificate requests, checked as Go's crypto/x509 does.
 *
 * Only this file of the folder uses OpenSSL.
 *
 * Errors that clients are likely to meet have Go's message: frames, lengths,
 * outer tags, signatures.  For faults deeper inside the message is one of
 * Go's, but not always the same one. */

#include <stdbool.h>

#include "yuloh/str.h"

struct yl_arena;

/* A block of a PEM text. */
struct yl_pem {
    struct yl_str type;         /* "CERTIFICATE" */
    bool has_headers;
    struct yl_str bytes;        /* In the arena. */
};

/* The first block of 'text', and what stands behind it.  False if there is
 * none. */
bool yl_pem_next(struct yl_arena *, struct yl_str text,
                 struct yl_pem *ret_block, struct yl_str *ret_rest);

/* What is wrong with a certificate request in PEM, also with its signature;
 * NULL if it is fine.  In the arena. */
const char *yl_x509_check_request(struct yl_arena *, struct yl_str pem);

/* The same for a text of certificates and nothing else. */
const char *yl_x509_check_certificates(struct yl_arena *, struct yl_str pem);

/* The same for a bundle of roots to trust, of which one certificate is
 * enough. */
const char *yl_x509_check_roots(struct yl_arena *, struct yl_str pem);

/* Whether the subject of a request names this organization.  False if 'pem' is
 * not a request. */
bool yl_x509_request_is_of(struct yl_arena *, struct yl_str pem,
                           const char *organization);

#endif /* builtin/access/x509.h */
