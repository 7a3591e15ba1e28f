#ifndef BUILTIN_ACCESS_X509_H
#define BUILTIN_ACCESS_X509_H 1

/* Certificates and requests for them, judged as Go's crypto/x509 does.
 *
 * OpenSSL is behind this file alone in this folder.
 *
 * What is wrong comes back as Go's sentence where clients can meet it: frames,
 * lengths, outer tags, signatures.  For what is broken deeper inside it is one
 * of Go's sentences, not always the same one. */

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

/* Names the subject of a request this organization?  False for what is no
 * request. */
bool yl_x509_request_is_of(struct yl_arena *, struct yl_str pem,
                           const char *organization);

#endif /* builtin/access/x509.h */
