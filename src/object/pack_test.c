/* Packed blocks: they must look like plain ones in every way. */

#include "object/pack.h"

#include "base/arena.h"
#include "base/thread.h"
#include "unit.h"

#define FULL                                                                  \
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"uid\":\"u-%d\"," \
    "\"labels\":{\"app\":\"web\",\"n\":\"%d\"},\"name\":\"web-%d\","          \
    "\"annotations\":{\"note\":\"a \\\"b\\\"\"},\"resourceVersion\":\"%d\","  \
    "\"namespace\":\"default\",\"generation\":3,"                             \
    "\"creationTimestamp\":\"2026-01-31T12:00:00Z\","                         \
    "\"ownerReferences\":[{\"uid\":\"o-%d\"}],\"finalizers\":[\"x/y\"],"      \
    "\"managedFields\":[{\"manager\":\"m\"}]},\"spec\":{\"containers\":["     \
    "{\"name\":\"c\",\"image\":\"registry/i:%d\"}],\"words\":\"some words "   \
    "that all of these objects have in common\"},"                            \
    "\"status\":{\"phase\":\"Running\"}}"
#define BARE "{\"metadata\":{},\"data\":{\"words\":\"some words that all of " \
    "these objects have in common, and which are long enough to pack: %d "    \
    "some words that all of these objects have in common\"}}"

static struct yl_object *
make(const char *format, int i)
{
    struct yl_object *object = NULL;
    char json[2048];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(json, sizeof json, format, i, i, i, i + 1, i, i);
#pragma GCC diagnostic pop
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

static struct yl_dictionary *
train(const char *format)
{
    struct yl_object *samples[100];
    struct yl_dictionary *dictionary;
    int i;

    for (i = 0; i < 100; i++) {
        samples[i] = make(format, i);
    }
    dictionary = yl_pack_train(samples, 100);
    for (i = 0; i < 100; i++) {
        yl_object_unref(samples[i]);
    }
    return dictionary;
}

static void
assert_same_json(const struct yl_object *a, const struct yl_object *b,
                 const struct yl_object_head *head)
{
    struct yl_arena *arena = yl_arena_new();

    assert_true(yl_str_equal(yl_object_json(a, arena, head),
                             yl_object_json(b, arena, head)));
    yl_arena_free(arena);
}

static void
assert_same_field(const struct yl_object *a, const struct yl_object *b,
                  const char *name)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_json x = yl_object_field(a, arena, name);
    struct yl_json y = yl_object_field(b, arena, name);

    assert_int_equal(yl_json_type(x), yl_json_type(y));
    assert_true(yl_str_equal(yl_json_raw(x), yl_json_raw(y)));
    yl_arena_free(arena);
}

static void
assert_looks_like(const struct yl_object *a, const struct yl_object *b)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object_head bare = { .without_managed_fields = true };
    struct yl_object_head metadata = { .revision = 9, .metadata_only = true };
    struct yl_key x = yl_object_key(a), y = yl_object_key(b);
    struct yl_buf buf;

    assert_true(yl_key_equal(&x, &y));
    assert_true(yl_str_equal(yl_object_uid(a), yl_object_uid(b)));
    assert_true(yl_str_equal(yl_object_created(a), yl_object_created(b)));
    assert_int_equal(yl_object_generation(a), yl_object_generation(b));
    assert_int_equal(yl_object_revision(a), yl_object_revision(b));
    assert_int_equal(yl_object_is_deleting(a), yl_object_is_deleting(b));
    assert_int_equal(yl_object_is_canonical(a), yl_object_is_canonical(b));
    assert_true(yl_str_equal(yl_json_raw(yl_object_labels(a)),
                             yl_json_raw(yl_object_labels(b))));
    assert_true(yl_str_equal(yl_json_raw(yl_object_owners(a)),
                             yl_json_raw(yl_object_owners(b))));
    assert_true(yl_str_equal(yl_json_raw(yl_object_finalizers(a)),
                             yl_json_raw(yl_object_finalizers(b))));
    assert_true(yl_str_equal(yl_json_raw(yl_object_annotations(a, arena)),
                             yl_json_raw(yl_object_annotations(b, arena))));
    assert_true(yl_str_equal(
        yl_object_annotation(a, YL_STR("note"), arena),
        yl_object_annotation(b, YL_STR("note"), arena)));
    assert_same_json(a, b, NULL);
    assert_same_json(a, b, &bare);
    assert_same_json(a, b, &metadata);
    assert_same_field(a, b, "metadata");
    assert_same_field(a, b, "spec");
    assert_same_field(a, b, "none");
    assert_true(yl_object_equal(a, b));
    assert_true(yl_object_equal(b, a));
    assert_int_equal(yl_object_plain_footprint(a),
                     yl_object_plain_footprint(b));
    yl_buf_init(&buf, SIZE_MAX);
    yl_object_write(b, NULL, &buf);
    assert_true(yl_str_equal(yl_buf_str(&buf),
                             yl_object_json(a, arena, NULL)));
    yl_buf_release(&buf);
    yl_arena_free(arena);
}

TEST(a_packed_block_looks_like_the_plain_one)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *plain = make(FULL, 4711);
    struct yl_object *packed = yl_object_pack(plain, dictionary);
    struct yl_object *kept, *x, *y;

    assert_non_null(packed);
    assert_true(yl_object_is_packed(packed));
    assert_false(yl_object_is_packed(plain));
    assert_looks_like(plain, packed);
    assert_true(yl_object_footprint(packed) * 3
                < yl_object_footprint(plain) * 2);

    /* So do copies, and what is made from it. */
    kept = yl_object_keep(packed);
    assert_looks_like(plain, kept);
    yl_object_unref(kept);
    x = yl_object_reduce(plain, true, true);
    y = yl_object_reduce(packed, true, true);
    assert_looks_like(x, y);
    yl_object_unref(x);
    yl_object_unref(y);

    /* A packed block keeps its dictionary. */
    yl_dictionary_unref(dictionary);
    assert_looks_like(plain, packed);
    yl_object_unref(plain);
    yl_object_unref(packed);
}

TEST(a_block_without_facts_can_be_packed)
{
    struct yl_dictionary *dictionary = train(BARE);
    struct yl_object *plain = make(BARE, 4711);
    struct yl_object *packed = yl_object_pack(plain, dictionary);

    assert_non_null(packed);
    assert_looks_like(plain, packed);
    yl_object_unref(plain);
    yl_object_unref(packed);
    yl_dictionary_unref(dictionary);
}

TEST(other_objects_are_not_equal)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *a = make(FULL, 1), *b = make(FULL, 2);
    struct yl_object *x = yl_object_pack(a, dictionary);
    struct yl_object *y = yl_object_pack(b, dictionary);

    assert_false(yl_object_equal(x, y));
    assert_false(yl_object_equal(x, b));
    yl_object_unref(a);
    yl_object_unref(b);
    yl_object_unref(x);
    yl_object_unref(y);
    yl_dictionary_unref(dictionary);
}

/* Objects of any number must survive, whatever is in them. */
TEST(wide_metadata_survives)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *plain = NULL, *packed;
    size_t size = 100000;
    char *json = malloc(size + 1024);
    int n = snprintf(json, 1024, "{\"metadata\":{\"annotations\":{\"a\":\"");

    memset(json + n, 'x', size);
    snprintf(json + n + size, 512,
             "\"},\"name\":\"n\",\"labels\":{\"a\":\"b\"}},\"spec\":1}");
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &plain, NULL), 0);
    assert_true(plain->flags & YL_OBJECT_WIDE);
    packed = yl_object_pack(plain, dictionary);
    assert_non_null(packed);
    assert_looks_like(plain, packed);
    yl_object_unref(plain);
    yl_object_unref(packed);
    yl_dictionary_unref(dictionary);
    free(json);
}

TEST(what_is_not_worth_it_stays_plain)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *object = NULL, *packed;

    assert_int_equal(yl_object_ingest(YL_STR("{\"metadata\":{}}"), NULL,
                                      &object, NULL), 0);
    assert_null(yl_object_pack(object, dictionary));
    yl_object_unref(object);

    object = make(FULL, 1);
    packed = yl_object_pack(object, dictionary);
    assert_null(yl_object_pack(packed, dictionary));
    yl_object_unref(object);
    yl_object_unref(packed);

    /* The name is escaped, and its plain form stands behind the text. */
    assert_int_equal(yl_object_ingest(YL_STR(
        "{\"metadata\":{\"name\":\"\\u0061\"},\"s\":\"some words that all of "
        "these objects have in common, some words that all of these objects "
        "have in common\"}"), NULL, &object, NULL), 0);
    assert_null(yl_object_pack(object, dictionary));
    yl_object_unref(object);
    yl_dictionary_unref(dictionary);
}

TEST(an_arena_unpacks_a_block_once)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *plain = make(FULL, 7);
    struct yl_object *packed = yl_object_pack(plain, dictionary);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_object *first = yl_object_plain(packed, arena);

    assert_ptr_equal(yl_object_plain(packed, arena), first);
    yl_object_field(packed, arena, "spec");
    assert_ptr_equal(yl_object_plain(packed, arena), first);
    assert_ptr_equal(yl_object_plain(plain, arena), plain);
    yl_object_unref(packed);    /* The arena keeps it. */
    assert_ptr_equal(yl_object_plain(packed, arena), first);
    yl_arena_free(arena);
    yl_object_unref(plain);
    yl_dictionary_unref(dictionary);
}

static void
read_many(void *packed)
{
    struct yl_arena *arena = yl_arena_new();
    int i;

    for (i = 0; i < 200; i++) {
        assert_true(yl_json_exists(yl_object_field(packed, arena, "spec")));
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
}

TEST(threads_unpack_at_the_same_time)
{
    struct yl_dictionary *dictionary = train(FULL);
    struct yl_object *plain = make(FULL, 7);
    struct yl_object *packed = yl_object_pack(plain, dictionary);
    struct yl_thread threads[3];
    int i;

    for (i = 0; i < 3; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "reader", read_many,
                                         packed), 0);
    }
    for (i = 0; i < 3; i++) {
        yl_thread_join(&threads[i]);
    }
    yl_object_unref(plain);
    yl_object_unref(packed);
    yl_dictionary_unref(dictionary);
}
