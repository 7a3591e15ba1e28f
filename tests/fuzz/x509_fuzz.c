/* Fuzzes certificates and certificate requests: any bytes as PEM, and as DER
 * inside of it.
 *
 * A check must return a message or none, every PEM block must shorten the
 * text, and only a request may have a subject. */

#include "fuzz.h"

#include "base/buf.h"
#include "builtin/access/x509.h"
#include "json/base64.h"
#include "yuloh/arena.h"

#define PLENTY ((size_t) 64 << 20)

static void check_pem(struct yl_arena *, struct yl_str pem);
static void check_der(struct yl_arena *, struct yl_str der, const char *type);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str bytes = yl_str_n((const char *) data, size);

    check_pem(arena, bytes);
    check_der(arena, bytes, "CERTIFICATE");
    check_der(arena, bytes, "CERTIFICATE REQUEST");
    yl_arena_free(arena);
    return 0;
}

static void
check_der(struct yl_arena *arena, struct yl_str der, const char *type)
{
    struct yl_buf pem;
    struct yl_pem block;
    struct yl_str rest;

    yl_buf_init(&pem, PLENTY);
    yl_buf_append_c(&pem, "-----BEGIN ");
    yl_buf_append_c(&pem, type);
    yl_buf_append_c(&pem, "-----\n");
    yl_base64_write(&pem, der);
    yl_buf_append_c(&pem, "\n-----END ");
    yl_buf_append_c(&pem, type);
    yl_buf_append_c(&pem, "-----\n");

    CHECK(yl_pem_next(arena, yl_buf_str(&pem), &block, &rest));
    CHECK(yl_str_equal_c(block.type, type));
    CHECK(yl_str_equal(block.bytes, der));
    CHECK(!block.has_headers && rest.size == 0);
    check_pem(arena, yl_buf_str(&pem));
    yl_buf_release(&pem);
}

static void
check_pem(struct yl_arena *arena, struct yl_str pem)
{
    const char *request = yl_x509_check_request(arena, pem);
    const char *certificates = yl_x509_check_certificates(arena, pem);
    struct yl_str rest = pem;
    struct yl_pem block;

    CHECK(!request || *request);
    CHECK(!certificates || *certificates);
    CHECK(request || certificates);
    if (yl_x509_request_is_of(arena, pem, "system:nodes")) {
        CHECK(yl_pem_next(arena, pem, &block, &rest));
        CHECK(yl_str_equal_c(block.type, "CERTIFICATE REQUEST"));
    }
    for (rest = pem; yl_pem_next(arena, rest, &block, &rest);) {
        CHECK(block.bytes.size < pem.size);
    }
}
