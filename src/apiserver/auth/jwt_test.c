/* Tests of jwt.c and jwt_key.c. */

#include "apiserver/auth/jwt.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include "apiserver/auth/jwt_key.h"
#include "json/base64.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

/* The example of RFC 7515, A.3: a key on P-256, and a token it signed. */
#define RFC_KEY                                                               \
    "-----BEGIN PUBLIC KEY-----\n"                                            \
    "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"      \
    "6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"          \
    "-----END PUBLIC KEY-----\n"
#define RFC_TOKEN                                                             \
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQog"   \
    "Imh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ.DtEhU3ljbEg8L38VWAfUAq"   \
    "OyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

static struct yl_jwt_key *
key_of(const char *pem)
{
    struct yl_jwt_key *key = NULL;
    size_t at = 0;

    assert_int_equal(yl_jwt_key_read(yl_str_c(pem), &at, "x", &key, NULL), 0);
    return key;
}

/* A private key in PEM, to be freed; of a curve, or RSA of 'bits'. */
static char *
new_pem(const char *curve, unsigned bits)
{
    EVP_PKEY *key = curve ? EVP_EC_gen(curve) : EVP_RSA_gen(bits);
    BIO *bio = BIO_new(BIO_s_mem());
    char *data, *pem;
    long n;

    assert_non_null(key);
    PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL);
    n = BIO_get_mem_data(bio, &data);
    pem = calloc(1, (size_t) n + 1);
    memcpy(pem, data, (size_t) n);
    BIO_free(bio);
    EVP_PKEY_free(key);
    return pem;
}

/* A token of a header and a payload, with the signature "AAAA". */
static struct yl_str
token_of(struct yl_arena *arena, const char *header, const char *payload)
{
    struct yl_buf buf;
    struct yl_str token;

    yl_buf_init(&buf, 1 << 20);
    yl_base64url_write(&buf, yl_str_c(header));
    yl_buf_append_c(&buf, ".");
    yl_base64url_write(&buf, yl_str_c(payload));
    yl_buf_append_c(&buf, ".AAAA");
    token = yl_arena_copy(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return token;
}

TEST(a_token_is_taken_apart)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_jwt jwt;

    assert_int_equal(yl_jwt_parse(arena,
                                  token_of(arena, "{\"alg\":\"ES256\","
                                           "\"kid\":\"a\"}", "{\"a\":1}"),
                                  &jwt), 0);
    assert_str_equal(jwt.algorithm, "ES256");
    assert_str_equal(jwt.key_id, "a");
    assert_str_equal(jwt.payload, "{\"a\":1}");
    assert_int_equal(jwt.signature.size, 3);
    assert_true(yl_str_ends_with(jwt.signed_, YL_STR("eyJhIjoxfQ")));
    yl_arena_free(arena);
}

TEST(what_is_no_token_is_refused)
{
    static const struct {
        const char *header, *payload;
    } pairs[] = {
        { "{}", "{}" },
        { "{\"alg\":1}", "{}" },
        { "{\"alg\":\"ES256\",\"kid\":1}", "{}" },
        { "{\"alg\":\"ES256\",\"crit\":[\"exp\"]}", "{}" },
        { "{\"alg\":\"ES256\",\"alg\":\"none\"}", "{}" },
        { "{\"alg\":\"ES256\"}", "{\"a\":1,\"a\":2}" },
        { "{\"alg\":\"ES256\"}", "[]" },
        { "{\"alg\":\"ES256\"}", "" },
        { "[\"alg\"]", "{}" },
        { "{\"alg\":\"ES256\"}",
          "{\"a\":[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]}" },
    };
    static const char *const texts[] = {
        "", ".", "..", "a.b", "a.b.c", RFC_TOKEN ".x", RFC_TOKEN "=",
        " " RFC_TOKEN, "eyJhbGciOiJFUzI1NiJ9.e30.A",
        "{\"payload\":\"e30\",\"protected\":\"e30\",\"signature\":\"\"}",
    };
    struct yl_arena *arena = yl_arena_new();
    struct yl_jwt jwt;
    char *large;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        assert_int_equal(yl_jwt_parse(arena, token_of(arena, pairs[i].header,
                                                      pairs[i].payload),
                                      &jwt), YL_EINVALID);
    }
    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        assert_int_equal(yl_jwt_parse(arena, yl_str_c(texts[i]), &jwt),
                         YL_EINVALID);
    }
    large = yl_arena_alloc(arena, YL_JWT_MAX + 1);
    memset(large, 'A', YL_JWT_MAX + 1);
    assert_int_equal(yl_jwt_parse(arena, yl_str_n(large, YL_JWT_MAX + 1),
                                  &jwt), YL_EINVALID);
    yl_arena_free(arena);
}

TEST(the_example_of_the_rfc_verifies)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_jwt_key *key = key_of(RFC_KEY);
    struct yl_buf jwk;
    struct yl_jwt jwt;

    assert_string_equal(yl_jwt_key_algorithm(key), "ES256");
    assert_false(yl_jwt_key_is_private(key));
    assert_int_equal(yl_jwt_parse(arena, YL_STR(RFC_TOKEN), &jwt), 0);
    assert_true(yl_jwt_key_verify(key, &jwt));
    yl_buf_init(&jwk, 1024);
    yl_jwt_key_write_jwk(key, &jwk);
    assert_non_null(strstr(yl_buf_c_str(&jwk),
                           "\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRV"
                           "EU\",\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYj"
                           "KIWI5a0\""));
    yl_buf_release(&jwk);
    yl_jwt_key_free(key);
    yl_arena_free(arena);
}

TEST(what_a_key_signs_it_verifies_and_no_other_does)
{
    static const char *const curves[] = { NULL, "P-256", "P-384", "P-521" };
    static const char *const names[] = { "RS256", "ES256", "ES384", "ES512" };
    struct yl_arena *arena = yl_arena_new();
    struct yl_jwt_key *keys[4];
    size_t i, j;

    for (i = 0; i < 4; i++) {
        char *pem = new_pem(curves[i], 2048);

        keys[i] = key_of(pem);
        assert_string_equal(yl_jwt_key_algorithm(keys[i]), names[i]);
        assert_int_equal(yl_jwt_key_id(keys[i]).size, 43);
        free(pem);
    }
    for (i = 0; i < 4; i++) {
        struct yl_buf token;
        struct yl_jwt jwt;

        yl_buf_init(&token, 4096);
        assert_int_equal(yl_jwt_key_sign(keys[i], YL_STR("{\"a\":1}"), &token,
                                         NULL), 0);
        assert_int_equal(yl_jwt_parse(arena, yl_buf_str(&token), &jwt), 0);
        assert_str_equal(jwt.payload, "{\"a\":1}");
        assert_true(yl_str_equal(jwt.key_id, yl_jwt_key_id(keys[i])));
        for (j = 0; j < 4; j++) {
            assert_int_equal(yl_jwt_key_verify(keys[j], &jwt), i == j);
        }

        /* Each part counts: the text, the signature, the algorithm. */
        jwt.signed_.size--;
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        jwt.signed_.size++;
        jwt.signature.size--;
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        jwt.signature.size = 0;
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        assert_int_equal(yl_jwt_parse(arena, yl_buf_str(&token), &jwt), 0);
        ((char *) (uintptr_t) jwt.signature.data)[5] ^= 1;
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        ((char *) (uintptr_t) jwt.signature.data)[5] ^= 1;
        jwt.algorithm = YL_STR("none");
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        jwt.algorithm = YL_STR("HS256");
        assert_false(yl_jwt_key_verify(keys[i], &jwt));
        yl_buf_release(&token);
    }
    for (i = 0; i < 4; i++) {
        yl_jwt_key_free(keys[i]);
    }
    yl_arena_free(arena);
}

TEST(a_new_key_can_be_stored_and_read)
{
    struct yl_jwt_key *key = NULL, *again;
    struct yl_buf a, b;
    char *pem;

    assert_int_equal(yl_jwt_key_new(&key, NULL), 0);
    assert_true(yl_jwt_key_is_private(key));
    pem = yl_jwt_key_pem(key);
    again = key_of(pem);
    assert_true(yl_str_equal(yl_jwt_key_id(key), yl_jwt_key_id(again)));
    yl_buf_init(&a, 1024);
    yl_buf_init(&b, 1024);
    yl_jwt_key_write_jwk(key, &a);
    yl_jwt_key_write_jwk(again, &b);
    assert_string_equal(yl_buf_c_str(&a), yl_buf_c_str(&b));
    assert_int_equal(yl_json_validate(yl_buf_str(&a), NULL, NULL), 0);
    yl_buf_release(&a);
    yl_buf_release(&b);
    free(pem);
    yl_jwt_key_free(key);
    yl_jwt_key_free(again);
}

TEST(keys_of_a_file_are_read_one_by_one)
{
    static const char text[] =
        "a comment\n" RFC_KEY
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n"
        "-----END EC PARAMETERS-----\n" RFC_KEY;
    struct yl_jwt_key *key;
    size_t at = 0, n = 0;

    while (yl_jwt_key_read(yl_str_c(text), &at, "x", &key, NULL) == 0) {
        yl_jwt_key_free(key);
        n++;
    }
    assert_int_equal(n, 2);
    assert_int_equal(at, strlen(text));
}

TEST(keys_that_are_weak_or_broken_are_refused)
{
    char *weak = new_pem(NULL, 1024), *other = new_pem("secp256k1", 0);
    const char *const texts[] = {
        weak, other,
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_jwt_key *key;
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(texts); i++) {
        size_t at = 0;

        assert_int_equal(yl_jwt_key_read(yl_str_c(texts[i]), &at, "f.pem",
                                         &key, &err), YL_EINVALID);
        assert_non_null(strstr(yl_error_message(&err), "f.pem: "));
    }
    yl_error_clear(&err);
    free(weak);
    free(other);
}
