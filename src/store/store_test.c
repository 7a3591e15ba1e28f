/* The store: writes and reads by key. */

#include "store/store_parts.h"

#include "base/arena.h"
#include "base/thread.h"
#include "unit.h"

static struct yl_object *
make(const char *namespace_, const char *name, const char *rest)
{
    struct yl_object *object = NULL;
    char json[1024];

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\","
             "\"uid\":\"u-%s\",\"managedFields\":[{\"manager\":\"m\"}]}%s}",
             name, namespace_, name, rest);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

static void
add(struct yl_store *store, const char *namespace_, const char *name,
    uint64_t revision)
{
    struct yl_object *object = make(namespace_, name, ",\"spec\":{\"n\":1}");

    assert_int_equal(yl_store_add(store, (struct yl_versioned) {
        object, revision }, NULL), 0);
    yl_object_unref(object);
}

/* The revision of an object, or 0. */
static uint64_t
revision_of(struct yl_store *store, const char *namespace_, const char *name)
{
    struct yl_key key = yl_key_make(yl_str_c(namespace_), yl_str_c(name));
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned item = { NULL, 0 };

    if (yl_store_get(store, &key, arena, &item)) {
        assert_str_equal(yl_object_name(item.object), name);
    }
    yl_arena_free(arena);
    return item.revision;
}

TEST(objects_are_found_by_key)
{
    struct yl_store *store = yl_store_new(NULL);

    add(store, "a", "x", 1);
    add(store, "b", "x", 2);
    add(store, "", "x", 3);
    assert_int_equal(revision_of(store, "a", "x"), 1);
    assert_int_equal(revision_of(store, "b", "x"), 2);
    assert_int_equal(revision_of(store, "", "x"), 3);
    assert_int_equal(revision_of(store, "c", "x"), 0);
    assert_int_equal(revision_of(store, "a", "y"), 0);
    add(store, "a", "x", 4);
    assert_int_equal(revision_of(store, "a", "x"), 4);
    assert_int_equal(yl_store_stats(store).n_objects, 3);
    yl_store_free(store);
}

TEST(a_deleted_object_is_gone)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_key key = yl_key_make(YL_STR("a"), YL_STR("x"));

    add(store, "a", "x", 1);
    assert_true(yl_store_delete(store, &key));
    assert_false(yl_store_delete(store, &key));
    assert_int_equal(revision_of(store, "a", "x"), 0);
    assert_int_equal(yl_store_stats(store).bytes, 0);
    yl_store_free(store);
}

TEST(a_reader_keeps_what_it_has_got)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_key key = yl_key_make(YL_STR("a"), YL_STR("x"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned item;

    add(store, "a", "x", 1);
    assert_true(yl_store_get(store, &key, arena, &item));
    yl_store_delete(store, &key);
    yl_store_free(store);
    assert_str_equal(yl_object_name(item.object), "x");
    yl_arena_free(arena);
}

TEST(replace_leaves_nothing_else)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_versioned items[2] = {
        { make("a", "y", ""), 7 }, { make("c", "z", ""), 8 },
    };

    add(store, "a", "x", 1);
    add(store, "a", "y", 2);
    assert_int_equal(yl_store_replace(store, items, 2, NULL), 0);
    assert_int_equal(revision_of(store, "a", "x"), 0);
    assert_int_equal(revision_of(store, "a", "y"), 7);
    assert_int_equal(revision_of(store, "c", "z"), 8);
    assert_int_equal(yl_store_stats(store).n_objects, 2);
    yl_object_unref(items[0].object);
    yl_object_unref(items[1].object);
    yl_store_free(store);
}

TEST(an_object_without_a_name_is_refused)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_object *object = make("a", "", "");
    struct yl_versioned item = { object, 1 };
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_store_add(store, item, &err), YL_EINVALID);
    yl_error_clear(&err);
    assert_int_equal(yl_store_replace(store, &item, 1, NULL), YL_EINVALID);
    yl_object_unref(object);
    yl_store_free(store);
}

/* The JSON of a/x in a store with these options. */
static char *
stored_json(const struct yl_store_opts *opts)
{
    struct yl_store *store = yl_store_new(opts);
    struct yl_key key = yl_key_make(YL_STR("a"), YL_STR("x"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_versioned item;
    char *json;

    add(store, "a", "x", 1);
    assert_true(yl_store_get(store, &key, arena, &item));
    json = strndup(yl_object_json(item.object, arena, NULL).data,
                   yl_object_json(item.object, arena, NULL).size);
    yl_arena_free(arena);
    yl_store_free(store);
    return json;
}

#define METADATA                                                              \
    "{\"metadata\":{\"name\":\"x\",\"namespace\":\"a\",\"uid\":\"u-x\""

static void
assert_stored(const struct yl_store_opts *opts, const char *expected)
{
    char *json = stored_json(opts);

    assert_string_equal(json, expected);
    free(json);
}

static struct yl_object *
drop_spec(void *aux, const struct yl_object *object)
{
    ++*(int *) aux;
    assert_str_equal(yl_object_name(object), "x");
    return make("a", "x", "");
}

static struct yl_object *
change_nothing(void *aux YL_UNUSED, const struct yl_object *object YL_UNUSED)
{
    return NULL;
}

TEST(objects_are_transformed_before_they_are_kept)
{
    struct yl_store_opts opts = { 0 };
    int n = 0;

    assert_stored(NULL, METADATA "},\"spec\":{\"n\":1}}");
    opts.keep_managed_fields = true;
    assert_stored(&opts, METADATA ",\"managedFields\":[{\"manager\":\"m\"}]},"
                         "\"spec\":{\"n\":1}}");
    opts = (struct yl_store_opts) { .metadata_only = true };
    assert_stored(&opts, METADATA "}}");
    opts = (struct yl_store_opts) { .transform = drop_spec,
                                    .transform_aux = &n };
    assert_stored(&opts, METADATA ",\"managedFields\":[{\"manager\":\"m\"}]"
                         "}}");
    assert_int_equal(n, 1);
    opts = (struct yl_store_opts) { .transform = change_nothing };
    assert_stored(&opts, METADATA "},\"spec\":{\"n\":1}}");
    opts = (struct yl_store_opts) { .as_is = true, .metadata_only = true };
    assert_stored(&opts, METADATA ",\"managedFields\":[{\"manager\":\"m\"}]},"
                         "\"spec\":{\"n\":1}}");
}

/* One thread writes pairs of objects at once; another must never see half of
 * a pair. */
static void
write_pairs(void *store_)
{
    struct yl_store *store = store_;
    struct yl_versioned items[2] = {
        { make("a", "x", ""), 0 }, { make("a", "y", ""), 0 },
    };
    int i;

    for (i = 1; i <= 1000; i++) {
        items[0].revision = items[1].revision = (uint64_t) i;
        assert_int_equal(yl_store_replace(store, items, 2, NULL), 0);
    }
    yl_object_unref(items[0].object);
    yl_object_unref(items[1].object);
}

TEST(a_reader_sees_whole_writes)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_items items;
    struct yl_thread writer;
    uint64_t last = 0;

    assert_int_equal(yl_store_add_index(store, "ns", yl_index_by_namespace,
                                        NULL, NULL), 0);
    assert_int_equal(yl_thread_start(&writer, "writer", write_pairs, store),
                     0);
    while (last < 1000) {
        struct yl_store_filter filter = {
            .index = last % 2 ? "ns" : NULL, .value = YL_STR("a"),
        };

        assert_int_equal(yl_store_list(store, &filter, arena, &items, NULL),
                         0);
        if (items.n_items) {
            assert_int_equal(items.n_items, 2);
            assert_int_equal(items.items[0].revision,
                             items.items[1].revision);
            assert_true(items.items[0].revision >= last);
            last = items.items[0].revision;
        }
        yl_arena_clear(arena);
    }
    yl_thread_join(&writer);
    yl_arena_free(arena);
    yl_store_free(store);
}
