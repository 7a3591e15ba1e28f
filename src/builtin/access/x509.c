/* Certificates and requests.  See builtin/access/x509.h for the contract. */

#include "builtin/access/x509.h"

#include <stdint.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include "base/buf.h"
#include "json/base64.h"
#include "yuloh/arena.h"

#define REQUEST "CERTIFICATE REQUEST"
#define TRUNCATED "asn1: syntax error: data truncated"
#define MIN_RSA_BITS 1024

/* The header of a DER value. */
struct header {
    unsigned class, tag;
    bool compound;
    size_t size;                /* Of the header, */
    size_t length;              /* and of what follows. */
};

static const char *parse_request(struct yl_arena *, struct yl_str pem,
                                 X509_REQ **ret_request);
static const char *check_frame(struct yl_arena *, struct yl_str der);
static const char *read_sequence(struct yl_arena *, struct yl_str der,
                                 const char *type, struct yl_str *ret_inside);
static const char *read_header(struct yl_str der, struct header *);
static const char *check_signature(struct yl_arena *, X509_REQ *);
static bool has_known_curve(const EVP_PKEY *);
static const char *check_one(struct yl_str *der);
static bool names(X509_NAME *subject, const char *organization);
static bool read_block(struct yl_arena *, struct yl_str text, size_t end,
                       struct yl_pem *, struct yl_str *ret_rest);
static struct yl_str get_line(struct yl_str *rest);
static const char *find(struct yl_str, const char *needle);

bool
yl_pem_next(struct yl_arena *arena, struct yl_str text,
            struct yl_pem *ret_block, struct yl_str *ret_rest)
{
    static const char mark[] = "\n-----END ";
    struct yl_str rest = text;
    const char *end;

    while ((end = find(rest, mark)) != NULL) {
        if (read_block(arena, rest, (size_t) (end - rest.data), ret_block,
                       ret_rest)) {
            return true;
        }
        rest = yl_str_range(end + strlen(mark), text.data + text.size);
    }
    return false;
}

const char *
yl_x509_check_request(struct yl_arena *arena, struct yl_str pem)
{
    X509_REQ *request = NULL;
    const char *why = parse_request(arena, pem, &request);

    if (!why) {
        why = check_signature(arena, request);
    }
    X509_REQ_free(request);
    ERR_clear_error();
    return why;
}

const char *
yl_x509_check_certificates(struct yl_arena *arena, struct yl_str pem)
{
    const char *why = NULL;
    struct yl_pem block;
    size_t n = 0;

    while (!why && yl_pem_next(arena, pem, &block, &pem)) {
        n++;
        if (!yl_str_equal_c(block.type, "CERTIFICATE")) {
            return yl_arena_printf(arena, "only CERTIFICATE PEM blocks are "
                                   "allowed, found \"%.*s\"",
                                   YL_STR_ARG(block.type));
        }
        if (block.has_headers) {
            return "no PEM block headers are permitted";
        }
        if (!block.bytes.size) {
            return "found CERTIFICATE PEM block containing 0 certificates";
        }
        while (!why && block.bytes.size) {
            why = check_one(&block.bytes);
        }
    }
    ERR_clear_error();
    return n ? why : "must contain at least one CERTIFICATE PEM block";
}

const char *
yl_x509_check_roots(struct yl_arena *arena, struct yl_str pem)
{
    const char *why = NULL, *fault;
    struct yl_pem block;

    for (; pem.size; ) {
        if (!yl_pem_next(arena, pem, &block, &pem)) {
            return why ? why : "unable to parse bytes as PEM block";
        }
        if (!yl_str_equal_c(block.type, "CERTIFICATE")
            || block.has_headers) {
            continue;
        }
        fault = check_one(&block.bytes);
        if (!fault && !block.bytes.size) {
            ERR_clear_error();
            return NULL;
        }
        if (!why) {
            why = yl_arena_printf(arena, "failed to parse certificate: %s",
                                  fault ? fault : "x509: trailing data");
        }
    }
    ERR_clear_error();
    return why ? why : "no valid certificate authority data seen";
}

bool
yl_x509_request_is_of(struct yl_arena *arena, struct yl_str pem,
                      const char *organization)
{
    X509_REQ *request = NULL;
    bool found = !parse_request(arena, pem, &request)
                 && names(X509_REQ_get_subject_name(request), organization);

    X509_REQ_free(request);
    ERR_clear_error();
    return found;
}

static const char *
parse_request(struct yl_arena *arena, struct yl_str pem,
              X509_REQ **ret_request)
{
    struct yl_pem block;
    struct yl_str rest;
    const unsigned char *at;
    const char *why;

    if (!yl_pem_next(arena, pem, &block, &rest)
        || !yl_str_equal_c(block.type, REQUEST)) {
        return "PEM block type must be " REQUEST;
    }
    why = check_frame(arena, block.bytes);
    if (why) {
        return why;
    }
    at = (const unsigned char *) block.bytes.data;
    *ret_request = d2i_X509_REQ(NULL, &at, (long) block.bytes.size);
    return *ret_request ? NULL : TRUNCATED;
}

/* Checks the two outermost sequences in the way of Go's encoding/asn1. */
static const char *
check_frame(struct yl_arena *arena, struct yl_str der)
{
    struct yl_str rest = der;
    const char *why = read_sequence(arena, der, "certificateRequest", &rest);

    if (!why && rest.data + rest.size < der.data + der.size) {
        why = "asn1: syntax error: trailing data";
    }
    return why ? why : read_sequence(arena, rest, "tbsCertificateRequest",
                                     &rest);
}

static const char *
read_sequence(struct yl_arena *arena, struct yl_str der, const char *type,
              struct yl_str *ret_inside)
{
    struct header header;
    const char *why = der.size ? read_header(der, &header)
                               : "asn1: syntax error: sequence truncated";

    if (why) {
        return why;
    }
    if (header.class || header.tag != V_ASN1_SEQUENCE || !header.compound) {
        return yl_arena_printf(
            arena, "asn1: structure error: tags don't match (16 vs {class:%u "
            "tag:%u length:%zu isCompound:%s}) {optional:false explicit:false "
            "application:false private:false defaultValue:<nil> tag:<nil> "
            "stringType:0 timeType:0 set:false omitEmpty:false} "
            "%s @%zu", header.class, header.tag, header.length,
            header.compound ? "true" : "false", type, header.size);
    }
    if (header.length > der.size - header.size) {
        return TRUNCATED;
    }
    *ret_inside = yl_str_n(der.data + header.size, header.length);
    return NULL;
}

static const char *
read_header(struct yl_str der, struct header *header)
{
    const unsigned char *at = (const unsigned char *) der.data;
    size_t i = 1, n;

    *header = (struct header) { at[0] >> 6, at[0] & 0x1f, at[0] & 0x20, 0, 0 };
    if (header->tag == 0x1f) {
        return "asn1: syntax error: non-minimal tag";
    }
    if (i >= der.size) {
        return "asn1: syntax error: truncated tag or length";
    }
    header->length = at[i++];
    if (header->length & 0x80) {
        n = header->length & 0x7f;
        if (n == 0) {
            return "asn1: syntax error: indefinite length found (not DER)";
        }
        for (header->length = 0; n > 0; n--) {
            if (i >= der.size) {
                return "asn1: syntax error: truncated tag or length";
            }
            if (header->length >= (size_t) 1 << 23) {
                return "asn1: structure error: length too large";
            }
            header->length = header->length << 8 | at[i++];
            if (header->length == 0) {
                return "asn1: structure error: superfluous leading zeros in "
                       "length";
            }
        }
        if (header->length < 0x80) {
            return "asn1: structure error: non-minimal length";
        }
    }
    header->size = i;
    return NULL;
}

/* The signature proves that the requester has the key. */
static const char *
check_signature(struct yl_arena *arena, X509_REQ *request)
{
    EVP_PKEY *key = X509_REQ_get0_pubkey(request);
    int digest = NID_undef;

    (void) OBJ_find_sigid_algs(X509_REQ_get_signature_nid(request), &digest,
                               NULL);
    if (digest == NID_md5) {
        return "x509: cannot verify signature: insecure algorithm MD5-RSA";
    }
    if (!key || (EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA
                 && EVP_PKEY_get_base_id(key) != EVP_PKEY_ED25519
                 && EVP_PKEY_get_base_id(key) != EVP_PKEY_EC)) {
        return "x509: cannot verify signature: algorithm unimplemented";
    }
    if (EVP_PKEY_is_a(key, "EC") && !has_known_curve(key)) {
        return "x509: unsupported elliptic curve";
    }
    if (EVP_PKEY_is_a(key, "RSA") && EVP_PKEY_get_bits(key) < MIN_RSA_BITS) {
        return yl_arena_printf(
            arena, "crypto/rsa: %d-bit keys are insecure (see https://go.dev/"
            "pkg/crypto/rsa#hdr-Minimum_key_size)", EVP_PKEY_get_bits(key));
    }
    if (X509_REQ_verify(request, key) > 0) {
        return NULL;
    }
    return EVP_PKEY_is_a(key, "EC") ? "x509: ECDSA verification failure"
           : EVP_PKEY_is_a(key, "RSA") ? "crypto/rsa: verification error"
           : "x509: Ed25519 verification failure";
}

static bool
has_known_curve(const EVP_PKEY *key)
{
    static const char *const known[] = { "secp224r1", "prime256v1",
                                         "secp384r1", "secp521r1" };
    char name[32] = "";
    size_t size, i;

    (void) EVP_PKEY_get_group_name(key, name, sizeof name, &size);
    for (i = 0; i < YL_ARRAY_SIZE(known); i++) {
        if (!strcmp(name, known[i])) {
            return true;
        }
    }
    return false;
}

/* Checks the first certificate in 'der' and removes it from there. */
static const char *
check_one(struct yl_str *der)
{
    const unsigned char *at = (const unsigned char *) der->data;
    struct header header;
    X509 *certificate;

    if (read_header(*der, &header) || header.class || !header.compound
        || header.tag != V_ASN1_SEQUENCE
        || header.length > der->size - header.size) {
        return "x509: malformed certificate";
    }
    certificate = d2i_X509(NULL, &at,
                           (long) (header.size + header.length));
    if (!certificate) {
        return "x509: malformed tbs certificate";
    }
    X509_free(certificate);
    *der = yl_str_skip(*der, header.size + header.length);
    return NULL;
}

static bool
names(X509_NAME *subject, const char *organization)
{
    int at = -1;

    while ((at = X509_NAME_get_index_by_NID(subject, NID_organizationName,
                                            at)) >= 0) {
        const ASN1_STRING *value = X509_NAME_ENTRY_get_data(
            X509_NAME_get_entry(subject, at));
        unsigned char *text;
        int size = ASN1_STRING_to_UTF8(&text, value);
        bool found;

        if (size < 0) {
            continue;
        }
        found = yl_str_equal_c(yl_str_n((const char *) text, (size_t) size),
                               organization);
        OPENSSL_free(text);
        if (found) {
            return true;
        }
    }
    return false;
}

/* Reads the block whose END line starts at 'end'.  It begins at the last BEGIN
 * line before that. */
static bool
read_block(struct yl_arena *arena, struct yl_str text, size_t end,
           struct yl_pem *block, struct yl_str *ret_rest)
{
    static const char begin[] = "-----BEGIN ", dashes[] = "-----";
    const char *stop = text.data + end, *start = NULL, *at = text.data;
    struct yl_str rest, line, body, key, value;
    struct yl_buf clean;
    bool ok;

    while ((at = find(yl_str_range(at, stop), begin)) != NULL) {
        start = at++;
    }
    if (!start || (start > text.data && start[-1] != '\n')) {
        return false;
    }
    rest = yl_str_range(start + strlen(begin), text.data + text.size);
    line = get_line(&rest);
    if (!yl_str_ends_with(line, yl_str_c(dashes))) {
        return false;
    }
    block->type = yl_str_n(line.data, line.size - strlen(dashes));
    block->has_headers = false;
    for (body = rest; body.data <= stop; body = rest) {
        line = get_line(&rest);
        if (!yl_str_cut(line, ':', &key, &value)) {
            break;
        }
        block->has_headers = true;
    }
    if (block->has_headers && body.data > stop) {
        return false;
    }
    rest = yl_str_range(stop + strlen("\n-----END "), text.data + text.size);
    line = get_line(&rest);
    if (line.size != block->type.size + strlen(dashes)
        || !yl_str_starts_with(line, block->type)
        || !yl_str_ends_with(line, yl_str_c(dashes))) {
        return false;
    }
    yl_buf_init(&clean, SIZE_MAX);
    for (at = body.data; at < stop; at++) {
        if (*at != ' ' && *at != '\t') {
            yl_buf_append(&clean, at, 1);
        }
    }
    ok = yl_base64_decode(arena, yl_buf_str(&clean), &block->bytes);
    yl_buf_release(&clean);
    *ret_rest = rest;
    return ok;
}

/* Removes the first line from '*rest' and returns it without trailing white
 * space. */
static struct yl_str
get_line(struct yl_str *rest)
{
    struct yl_str line = *rest;

    if (!yl_str_cut(*rest, '\n', &line, rest)) {
        *rest = yl_str_n(rest->data + rest->size, 0);
    }
    while (line.size && strchr(" \t\r\n", line.data[line.size - 1])) {
        line.size--;
    }
    return line;
}

static const char *
find(struct yl_str text, const char *needle)
{
    return memmem(text.data, text.size, needle, strlen(needle));
}
