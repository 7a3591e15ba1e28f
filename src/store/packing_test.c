/* When a store packs its objects. */

#include "store/store_parts.h"

#include "base/arena.h"
#include "object/pack.h"
#include "unit.h"

#define LIMIT ((size_t) 64 << 10)

static struct yl_object *
make(int i)
{
    struct yl_object *object = NULL;
    char json[1024];

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"net-%05d\",\"namespace\":\"n%d\","
             "\"labels\":{\"n\":\"%d\"}},\"spec\":{\"cidr\":\"10.%d.0.0/16\","
             "\"description\":\"some words that all of these objects have in "
             "common, some words that all of these objects have in common\"}}",
             i, i % 3, i, i % 256);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

static void
add(struct yl_store *store, int i)
{
    struct yl_object *object = make(i);

    assert_int_equal(yl_store_add(store, (struct yl_versioned) {
        object, (uint64_t) i + 1 }, NULL), 0);
    yl_object_unref(object);
}

/* All objects must be there and have what they should have. */
static void
assert_complete(struct yl_store *store, int n)
{
    struct yl_arena *arena = yl_arena_new();
    int i;

    assert_int_equal(yl_store_stats(store).n_objects, n);
    for (i = 0; i < n; i++) {
        struct yl_object *object = make(i);
        struct yl_key key = yl_object_key(object);
        struct yl_versioned item;

        assert_true(yl_store_get(store, &key, arena, &item));
        assert_true(yl_object_equal(item.object, object));
        assert_int_equal(item.revision, i + 1);
        yl_object_unref(object);
        yl_arena_clear(arena);
    }
    yl_arena_free(arena);
}

TEST(a_store_packs_from_its_limit_on)
{
    struct yl_store_opts opts = { .pack_above = LIMIT };
    struct yl_store *store = yl_store_new(&opts);
    struct yl_store_stats stats;
    int i = 0;

    do {
        assert_int_equal(yl_store_stats(store).n_packed, 0);
        add(store, i++);
        stats = yl_store_stats(store);
    } while (stats.plain_bytes <= LIMIT);

    /* Those that were there are packed as well. */
    assert_int_equal(stats.n_packed, stats.n_objects);
    assert_true(stats.bytes < stats.plain_bytes * 2 / 3);
    assert_true(stats.dictionary_bytes > 0);
    while (i < 500) {
        add(store, i++);
    }
    stats = yl_store_stats(store);
    assert_int_equal(stats.n_packed, 500);
    assert_complete(store, 500);
    yl_store_free(store);
}

TEST(a_small_store_that_changes_often_stays_plain)
{
    struct yl_store_opts opts = { .pack_above = LIMIT };
    struct yl_store *store = yl_store_new(&opts);
    int i;

    for (i = 0; i < 1000; i++) {
        add(store, 7);
    }
    assert_int_equal(yl_store_stats(store).n_packed, 0);
    assert_int_equal(yl_store_stats(store).dictionary_bytes, 0);
    yl_store_free(store);
}

TEST(packing_can_be_turned_off)
{
    struct yl_store_opts opts = { .pack_above = LIMIT, .never_pack = true };
    struct yl_store *store = yl_store_new(&opts);
    int i;

    for (i = 0; i < 500; i++) {
        add(store, i);
    }
    assert_int_equal(yl_store_stats(store).n_packed, 0);
    assert_complete(store, 500);
    yl_store_free(store);
}

TEST(a_list_is_packed_while_it_arrives)
{
    struct yl_store_opts opts = { .pack_above = LIMIT };
    struct yl_store *store = yl_store_new(&opts);
    static struct yl_candidate candidates[500];
    struct yl_arena *arena = yl_arena_new();
    size_t n_plain = 0, i;

    for (i = 0; i < 500; i++) {
        candidates[i].item.object
            = yl_store_admit_take(store, make((int) i));
        candidates[i].item.revision = i + 1;
        n_plain += !yl_object_is_packed(candidates[i].item.object);
    }

    /* Only what came before the limit is plain. */
    assert_in_range(n_plain, 1, 300);
    yl_store_apply(store, candidates, 500, arena, NULL, NULL);
    for (i = 0; i < 500; i++) {
        yl_object_unref(candidates[i].item.object);
    }
    assert_int_equal(yl_store_stats(store).n_packed, 500);
    assert_complete(store, 500);
    yl_arena_free(arena);
    yl_store_free(store);
}

TEST(labels_fields_and_indexes_work_on_packed_objects)
{
    struct yl_store_opts opts = { .pack_above = LIMIT };
    struct yl_store *store = yl_store_new(&opts);
    struct yl_arena *arena = yl_arena_new();
    const struct yl_selector *labels;
    const struct yl_field_selector *fields;
    struct yl_store_items items;
    int i;

    for (i = 0; i < 500; i++) {
        add(store, i);
    }
    assert_int_equal(yl_store_add_index(store, "ns", yl_index_by_namespace,
                                        NULL, NULL), 0);
    assert_int_equal(yl_selector_parse(YL_STR("n=300"), arena, &labels, NULL),
                     0);
    assert_int_equal(yl_store_list(store, &(struct yl_store_filter) {
        .labels = labels }, arena, &items, NULL), 0);
    assert_int_equal(items.n_items, 1);
    assert_int_equal(yl_field_selector_parse(
        YL_STR("spec.cidr=10.44.0.0/16"), arena, &fields, NULL), 0);
    assert_int_equal(yl_store_list(store, &(struct yl_store_filter) {
        .index = "ns", .value = YL_STR("n0"), .fields = fields }, arena,
        &items, NULL), 0);
    assert_int_equal(items.n_items, 1);
    assert_str_equal(yl_object_name(items.items[0].object), "net-00300");
    yl_arena_free(arena);
    yl_store_free(store);
}

static bool
lend(struct yl_store *store, int i, struct yl_versioned *ret_item)
{
    struct yl_object *object = make(i);
    struct yl_key key = yl_object_key(object);
    bool found = yl_store_lend(store, &key, ret_item);

    yl_object_unref(object);
    return found;
}

/* Makes the store pass its limit while the index is built. */
struct filler {
    struct yl_store *store;
    bool full;
};

static void
index_that_fills(void *filler_, const struct yl_object *object,
                 struct yl_arena *arena YL_UNUSED,
                 struct yl_index_values *values)
{
    struct filler *filler = filler_;
    int i;

    if (!filler->full) {
        filler->full = true;
        for (i = 3; i < 500; i++) {
            add(filler->store, i);
        }
        assert_true(yl_store_stats(filler->store).dictionary_bytes > 0);
    }
    yl_index_values_add(values, yl_object_namespace(object));
}

TEST(an_index_built_while_packing_begins_is_complete)
{
    struct yl_store_opts opts = { .pack_above = LIMIT };
    struct filler filler = { .store = yl_store_new(&opts) };
    struct yl_store *store = filler.store;
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned before, after;
    struct yl_store_items items;
    size_t n = 0;
    int i;

    add(store, 0);
    add(store, 1);
    add(store, 2);
    assert_true(lend(store, 0, &before));
    assert_int_equal(yl_store_add_index(store, "n", index_that_fills, &filler,
                                        NULL), 0);

    /* An index may be added on any thread, so it takes nothing away that the
     * writer has been lent: that packs with its next write. */
    assert_true(lend(store, 0, &after));
    assert_ptr_equal(before.object, after.object);
    assert_true(yl_store_stats(store).n_packed < 500);
    add(store, 499);
    assert_int_equal(yl_store_stats(store).n_packed, 500);
    for (i = 0; i < 3; i++) {
        char name[8];

        snprintf(name, sizeof name, "n%d", i);
        assert_int_equal(yl_store_list(store, &(struct yl_store_filter) {
            .index = "n", .value = yl_str_c(name) }, arena, &items, NULL), 0);
        n += items.n_items;
    }
    assert_int_equal(n, 500);
    yl_arena_free(arena);
    yl_store_free(store);
}
