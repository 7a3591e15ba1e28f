/* Fuzzes records: any bytes decoded as a type of meta/v1.
 *
 * A record that was decoded must encode to JSON that decodes to an equal
 * record, a copy must be equal and share nothing, and strict decoding must
 * refuse only what lenient decoding accepts or refuses too. */

#include "fuzz.h"

#include "base/arena.h"
#include "schema/record.h"
#include "yuloh/api/meta_v1.h"
#include "yuloh/error.h"
#include "yuloh/json.h"
#include "yuloh/record.h"

/* 'json' decoded as 'ref', in memory of its own; NULL if it does not. */
static void *
decode(struct yl_type_ref ref, struct yl_str json, struct yl_arena *arena,
       const struct yl_decode_opts *opts)
{
    void *record = yl_arena_zalloc(arena, ref.type->record_size);
    struct yl_error err = YL_ERROR_INIT;
    int r = yl_type_decode(ref, yl_json(json), arena, opts, record, &err);

    CHECK(err.code == r);
    CHECK(r == 0 || yl_error_message(&err)[0]);
    yl_error_clear(&err);
    return r == 0 ? record : NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct yl_decode_opts strict = { .refuse_unknown = true };
    struct fuzz_input in = fuzz_input(data, size);
    struct yl_type_ref ref = { &meta_v1_types, NULL };
    struct yl_arena *arena = yl_arena_new();
    struct yl_str json, again;
    void *record, *twin, *copy;
    char *text;

    ref.type = &ref.set->types[1 + fuzz_below(&in, ref.set->n_types)];
    if (ref.type >= ref.set->types + ref.set->n_types) {
        ref.type = &ref.set->types[1];
    }

    /* A copy of the exact size, which is overwritten after it was decoded: a
     * record must not point into it. */
    text = malloc(in.rest.size + 1);
    memcpy(text, in.rest.data, in.rest.size);
    record = decode(ref, yl_str_n(text, in.rest.size), arena, NULL);
    if (!record) {
        CHECK(!decode(ref, yl_str_n(text, in.rest.size), arena, &strict));
    }
    memset(text, 'X', in.rest.size);
    free(text);

    if (record) {
        json = yl_type_encode(ref, record, arena);
        CHECK(yl_json_validate(json, NULL, NULL) == 0);
        twin = decode(ref, json, arena, &strict);
        CHECK(twin && yl_type_equal(ref, record, twin));
        again = yl_type_encode(ref, twin, arena);
        CHECK(yl_str_equal(json, again));

        copy = yl_arena_zalloc(arena, ref.type->record_size);
        yl_type_copy(ref, record, arena, copy);
        CHECK(yl_type_equal(ref, record, copy));
        CHECK(yl_str_equal(json, yl_type_encode(ref, copy, arena)));
    }
    yl_arena_free(arena);
    return 0;
}
