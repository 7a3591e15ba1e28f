/* Packed blocks.  See object/pack.h for the contract and the layout. */

#include "object/pack.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"

/* Below this there is nothing to win. */
#define MIN_SIZE 128

/* A block that was unpacked into an arena. */
struct unpacked {
    const struct yl_object *packed;     /* A reference. */
    const struct yl_object *plain;      /* In the arena. */
};

/* A fact that stands plain in a packed block, and its place in the text. */
struct fact {
    enum yl_object_span which;
    struct yl_span span;
};

/* What stands behind the facts of a packed block. */
struct packed_part {
    struct yl_dictionary *dictionary;
    struct yl_str bytes;
};

static size_t sort_facts(const struct yl_object *,
                         struct fact facts[YL_N_SPANS]);
static void cut(const struct yl_object *, struct yl_buf *);
static struct yl_object *make_block(const struct yl_object *,
                                    struct yl_dictionary *,
                                    struct yl_str packed);
static struct packed_part packed_part(const struct yl_object *);
static struct yl_object *unpack(const struct yl_object *, struct yl_arena *);
static void weave(const struct yl_object *packed, char *text);
static bool is_of(const void *unpacked, const void *packed);
static void release_unpacked(void *);

struct yl_object *
yl_object_pack(const struct yl_object *object,
               struct yl_dictionary *dictionary)
{
    struct yl_object *packed = NULL;
    struct yl_buf text, space;
    size_t max, size;

    if (object->flags & (YL_OBJECT_PACKED | YL_OBJECT_SHARED)
        || object->facts != object->size || object->size < MIN_SIZE
        || object->size > YL_PACK_MAX) {
        return NULL;
    }
    yl_buf_init(&text, SIZE_MAX);
    yl_buf_init(&space, SIZE_MAX);
    cut(object, &text);
    max = text.size - text.size / 8;
    size = yl_dictionary_pack(dictionary, yl_buf_str(&text),
                              yl_buf_reserve(&space, max + 1), max);
    if (size) {
        packed = make_block(object, dictionary, yl_str_n(space.data, size));
    }
    yl_buf_release(&text);
    yl_buf_release(&space);
    return packed;
}

struct yl_dictionary *
yl_pack_train(struct yl_object *const *samples, size_t n)
{
    size_t *sizes = yl_malloc_array(n + 1, sizeof *sizes);
    struct yl_dictionary *dictionary;
    struct yl_buf text;
    size_t i;

    yl_buf_init(&text, SIZE_MAX);
    for (i = 0; i < n; i++) {
        size_t before = text.size;

        cut(samples[i], &text);
        sizes[i] = text.size - before;
    }
    dictionary = yl_dictionary_train(yl_buf_str(&text), sizes, n);
    yl_buf_release(&text);
    free(sizes);
    return dictionary;
}

const struct yl_object *
yl_object_unpacked(const struct yl_object *object, struct yl_arena *arena)
{
    struct unpacked *unpacked
        = yl_arena_find_attached(arena, release_unpacked, is_of, object);

    if (!unpacked) {
        unpacked = yl_arena_alloc(arena, sizeof *unpacked);
        unpacked->packed = yl_object_ref(object);
        unpacked->plain = unpack(object, arena);
        yl_arena_attach(arena, release_unpacked, unpacked);
    }
    return unpacked->plain;
}

size_t
yl_object_packed_size(const struct yl_object *object)
{
    struct packed_part part = packed_part(object);

    return sizeof part.dictionary + sizeof(uint32_t) + part.bytes.size;
}

size_t
yl_object_plain_footprint(const struct yl_object *object)
{
    return object->flags & YL_OBJECT_PACKED
           ? sizeof *object + object->size
             + yl_object_facts_size(object->flags)
           : yl_object_footprint(object);
}

struct yl_dictionary *
yl_object_dictionary(const struct yl_object *object)
{
    return packed_part(object).dictionary;
}

/* The facts that are cut out of the text, in its order. */
static size_t
sort_facts(const struct yl_object *object, struct fact facts[YL_N_SPANS])
{
    size_t i, n = 0;
    int which;

    for (which = 0; which < YL_N_SPANS; which++) {
        struct fact fact = { .which = (enum yl_object_span) which };

        if (which == YL_SPAN_ANNOTATIONS
            || !yl_object_span(object, fact.which, &fact.span)) {
            continue;
        }
        for (i = n++; i > 0 && facts[i - 1].span.offset > fact.span.offset;
             i--) {
            facts[i] = facts[i - 1];
        }
        facts[i] = fact;
    }
    return n;
}

/* Appends the text without facts. */
static void
cut(const struct yl_object *object, struct yl_buf *buf)
{
    struct fact facts[YL_N_SPANS];
    size_t i, n = sort_facts(object, facts), at = 0;

    for (i = 0; i < n; i++) {
        yl_buf_append(buf, object->text + at, facts[i].span.offset - at);
        at = facts[i].span.offset + facts[i].span.size;
    }
    yl_buf_append(buf, object->text + at, object->size - at);
}

static struct yl_object *
make_block(const struct yl_object *object, struct yl_dictionary *dictionary,
           struct yl_str packed)
{
    size_t facts_size = yl_object_facts_size(object->flags);
    uint32_t packed_size = (uint32_t) packed.size;
    struct yl_object *made;
    struct yl_span span;
    size_t size = 0;
    int which;
    char *p;

    for (which = 0; which < YL_N_SPANS; which++) {
        if (which != YL_SPAN_ANNOTATIONS
            && yl_object_span(object, (enum yl_object_span) which, &span)) {
            size += span.size;
        }
    }
    made = yl_malloc(sizeof *made + size + facts_size + sizeof dictionary
                     + sizeof packed_size + packed.size);
    memset(made, 0, sizeof *made);
    yl_ref_init(&made->ref);
    atomic_init(&made->schema_generation,
                yl_object_schema_generation(object));
    made->flags = object->flags | YL_OBJECT_PACKED;
    made->size = object->size;
    made->metadata_end = object->metadata_end;
    made->managed_fields = object->managed_fields;
    made->facts = (uint32_t) size;
    p = made->text;
    for (which = 0; which < YL_N_SPANS; which++) {
        if (which != YL_SPAN_ANNOTATIONS
            && yl_object_span(object, (enum yl_object_span) which, &span)) {
            memcpy(p, object->text + span.offset, span.size);
            p += span.size;
        }
    }
    memcpy(p, object->text + object->facts, facts_size);
    p += facts_size;
    dictionary = yl_dictionary_ref(dictionary);
    memcpy(p, &dictionary, sizeof dictionary);
    p += sizeof dictionary;
    memcpy(p, &packed_size, sizeof packed_size);
    memcpy(p + sizeof packed_size, packed.data, packed.size);
    return made;
}

static struct packed_part
packed_part(const struct yl_object *object)
{
    const char *p = object->text + object->facts
                    + yl_object_facts_size(object->flags);
    struct packed_part part;
    uint32_t size;

    memcpy(&part.dictionary, p, sizeof part.dictionary);
    p += sizeof part.dictionary;
    memcpy(&size, p, sizeof size);
    part.bytes = yl_str_n(p + sizeof size, size);
    return part;
}

/* The plain block, in 'arena'.  Nobody frees it: it keeps its reference. */
static struct yl_object *
unpack(const struct yl_object *object, struct yl_arena *arena)
{
    struct packed_part part = packed_part(object);
    size_t facts_size = yl_object_facts_size(object->flags);
    struct yl_object *plain
        = yl_arena_alloc(arena, sizeof *plain + object->size + facts_size);

    memset(plain, 0, sizeof *plain);
    yl_ref_init(&plain->ref);
    atomic_init(&plain->schema_generation,
                yl_object_schema_generation(object));
    plain->flags = object->flags & ~(uint32_t) YL_OBJECT_PACKED;
    plain->size = plain->facts = object->size;
    plain->metadata_end = object->metadata_end;
    plain->managed_fields = object->managed_fields;
    memcpy(plain->text + plain->size, object->text + object->facts,
           facts_size);
    yl_dictionary_unpack(part.dictionary, part.bytes,
                         plain->text + object->facts,
                         object->size - object->facts);
    weave(object, plain->text);
    return plain;
}

/* 'text' ends with the text without facts; so its beginning has room for them.
 * Moves the text to the front, piece by piece, with the facts in between.
 * When all are back, the rest is where it belongs. */
static void
weave(const struct yl_object *packed, char *text)
{
    struct fact facts[YL_N_SPANS];
    size_t i, n = sort_facts(packed, facts), at = 0;
    const char *from = text + packed->facts;

    for (i = 0; i < n; i++) {
        struct yl_str fact = yl_object_fact(packed, facts[i].which);
        size_t size = facts[i].span.offset - at;

        memmove(text + at, from, size);
        from += size;
        at = facts[i].span.offset;
        memcpy(text + at, fact.data, fact.size);
        at += fact.size;
    }
}

static bool
is_of(const void *unpacked_, const void *packed)
{
    const struct unpacked *unpacked = unpacked_;

    return unpacked->packed == packed;
}

static void
release_unpacked(void *unpacked_)
{
    struct unpacked *unpacked = unpacked_;

    yl_object_unref(unpacked->packed);
}
