/* Fuzzes JSON web tokens: any bytes as a token, as its header and as its
 * payload.
 *
 * A token that is taken apart must give its parts back, and no key may verify
 * what it has not signed.  Claims that were read must be the same when they
 * are written and read again. */

#include "fuzz.h"

#include "apiserver/auth/jwt.h"
#include "apiserver/auth/jwt_key.h"
#include "apiserver/auth/token_claims.h"
#include "base/buf.h"
#include "json/base64.h"
#include "yuloh/arena.h"
#include "yuloh/json.h"

#define PLENTY ((size_t) 64 << 20)

static void check_token(struct yl_arena *, struct yl_str token);
static void check_claims(struct yl_arena *, struct yl_str payload);
static struct yl_str written(struct yl_arena *,
                             const struct yl_token_claims *);

static struct yl_jwt_key *key;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_arena *arena = yl_arena_new();
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_str header = fuzz_text(&in), payload = in.rest;
    struct yl_buf token;

    if (!key) {
        CHECK(yl_jwt_key_new(&key, NULL) == 0);
    }
    check_token(arena, yl_str_n((const char *) data, size));
    yl_buf_init(&token, PLENTY);
    yl_base64url_write(&token, header);
    yl_buf_append_c(&token, ".");
    yl_base64url_write(&token, payload);
    yl_buf_append_c(&token, ".AAAA");
    check_token(arena, yl_buf_str(&token));
    yl_buf_release(&token);
    check_claims(arena, yl_str_n((const char *) data, size));
    yl_arena_free(arena);
    return 0;
}

static void
check_token(struct yl_arena *arena, struct yl_str token)
{
    struct yl_jwt jwt;
    struct yl_buf again;

    if (yl_jwt_parse(arena, token, &jwt) < 0) {
        return;
    }
    CHECK(token.size <= YL_JWT_MAX);
    CHECK(jwt.signed_.data == token.data && jwt.signed_.size < token.size);
    yl_buf_init(&again, PLENTY);
    yl_buf_append_str(&again, jwt.signed_);
    yl_buf_append_c(&again, ".");
    yl_base64url_write(&again, jwt.signature);
    CHECK(yl_str_equal(yl_buf_str(&again), token));
    yl_buf_release(&again);
    CHECK(!yl_jwt_key_verify(key, &jwt));
    check_claims(arena, jwt.payload);
}

static void
check_claims(struct yl_arena *arena, struct yl_str payload)
{
    struct yl_token_claims claims;
    struct yl_str once;

    if (yl_json_validate(payload, NULL, NULL) < 0
        || yl_token_claims_read(arena, payload, &claims, NULL) < 0) {
        return;
    }
    (void) yl_token_claims_check_times(&claims, 0, NULL);
    (void) yl_token_claims_user(arena, &claims);
    once = written(arena, &claims);
    CHECK(yl_json_validate(once, NULL, NULL) == 0);
    CHECK(yl_token_claims_read(arena, once, &claims, NULL) == 0);
    CHECK(yl_str_equal(once, written(arena, &claims)));
}

static struct yl_str
written(struct yl_arena *arena, const struct yl_token_claims *claims)
{
    struct yl_str text;
    struct yl_buf out;

    yl_buf_init(&out, PLENTY);
    yl_token_claims_write(claims, &out);
    text = yl_arena_copy(arena, yl_buf_str(&out));
    yl_buf_release(&out);
    return text;
}
