/* Fuzzes URLs: any bytes as a path, as a query, and as a text to be escaped.
 *
 * Text that was escaped must be decoded to the same, pairs that are written
 * again must be the same, and decoded text must not be longer. */

#include "fuzz.h"

#include "base/buf.h"
#include "net/url.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

#define PLENTY ((size_t) 64 << 20)

static void check_text(struct yl_arena *, struct yl_str, enum yl_url_part);
static void check_query(struct yl_arena *, struct yl_str query);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str text = yl_str_n((const char *) data, size);

    check_text(arena, text, YL_URL_PATH);
    check_text(arena, text, YL_URL_QUERY);
    check_query(arena, text);
    yl_arena_free(arena);
    return 0;
}

static void
check_text(struct yl_arena *arena, struct yl_str text, enum yl_url_part part)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_str decoded;
    struct yl_buf out;
    size_t i;
    int r = yl_url_decode(arena, text, part, &decoded, &err);

    CHECK(r == err.code && (r == 0 || *yl_error_message(&err)));
    CHECK(r < 0 || decoded.size <= text.size);
    yl_error_clear(&err);

    yl_buf_init(&out, PLENTY);
    yl_url_encode(&out, text, part);
    for (i = 0; i < out.size; i++) {
        CHECK(out.data[i] > ' ' && out.data[i] < 0x7f);
        CHECK(!strchr("/?#;\"", out.data[i]));
    }
    CHECK(yl_url_decode(arena, yl_buf_str(&out), part, &decoded, NULL) == 0);
    CHECK(yl_str_equal(decoded, text));
    yl_buf_release(&out);
}

static void
check_query(struct yl_arena *arena, struct yl_str query)
{
    struct yl_url_pair pair;
    int r;

    while ((r = yl_url_query_next(arena, &query, &pair, NULL)) != 0) {
        struct yl_url_pair again;
        struct yl_buf out;
        struct yl_str rest;

        if (r < 0) {
            continue;
        }
        yl_buf_init(&out, PLENTY);
        yl_url_encode(&out, pair.name, YL_URL_QUERY);
        yl_buf_append_char(&out, '=');
        yl_url_encode(&out, pair.value, YL_URL_QUERY);
        rest = yl_buf_str(&out);
        CHECK(yl_url_query_next(arena, &rest, &again, NULL) == 1);
        CHECK(rest.size == 0);
        CHECK(yl_str_equal(again.name, pair.name));
        CHECK(yl_str_equal(again.value, pair.value));
        yl_buf_release(&out);
    }
}
