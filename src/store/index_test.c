/* Named indexes of a store. */

#include "store/store_parts.h"

#include "base/arena.h"
#include "base/thread.h"
#include "unit.h"

static struct yl_object *
make(const char *name, const char *labels)
{
    struct yl_object *object = NULL;
    char json[1024];

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"d\","
             "\"labels\":{%s},\"ownerReferences\":[{\"uid\":\"o1\"},"
             "{\"uid\":\"o2\",\"controller\":true}]}}", name, labels);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

static void
add(struct yl_store *store, const char *name, const char *labels)
{
    struct yl_object *object = make(name, labels);

    assert_int_equal(yl_store_add(store, (struct yl_versioned) { object, 1 },
                                  NULL), 0);
    yl_object_unref(object);
}

static void
index_by_users(void *aux, const struct yl_object *object,
               struct yl_arena *arena, struct yl_index_values *values)
{
    struct yl_json_iter iter = yl_json_iter(yl_object_labels(object));

    (void) aux;
    while (yl_json_next(&iter)) {
        struct yl_str value;

        assert_int_equal(yl_json_string(iter.value, arena, &value), 0);
        yl_index_values_add(values, value);
        yl_index_values_add(values, value);    /* Counts once. */
    }
}

/* The objects under a value must have these names, of a letter each. */
static void
assert_found(struct yl_store *store, const char *index, const char *value,
             const char *names)
{
    struct yl_store_filter filter = { .index = index,
                                      .value = yl_str_c(value) };
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_items items;
    char found[64] = "";
    size_t n = 0;
    int c;

    assert_int_equal(yl_store_list(store, &filter, arena, &items, NULL), 0);
    for (c = 'a'; c <= 'z'; c++) {
        size_t i;

        for (i = 0; i < items.n_items; i++) {
            struct yl_str name = yl_object_name(items.items[i].object);

            if (name.data[0] == c) {
                assert_int_equal(name.size, 1);
                found[n++] = (char) c;
            }
        }
    }
    assert_string_equal(found, names);
    yl_arena_free(arena);
}

static size_t
n_values(struct yl_store *store, const char *index)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_values values;

    assert_int_equal(yl_store_index_values(store, index, arena, &values, NULL),
                     0);
    yl_arena_free(arena);
    return values.n_values;
}

TEST(objects_are_found_under_each_of_their_values)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_key key = yl_key_make(YL_STR("d"), YL_STR("a"));

    assert_int_equal(yl_store_add_index(store, "users", index_by_users, NULL,
                                        NULL), 0);
    add(store, "a", "\"1\":\"ernie\",\"2\":\"bert\"");
    add(store, "b", "\"1\":\"bert\",\"2\":\"oscar\"");
    add(store, "c", "\"1\":\"ernie\",\"2\":\"elmo\"");
    assert_found(store, "users", "ernie", "ac");
    assert_found(store, "users", "bert", "ab");
    assert_found(store, "users", "elmo", "c");
    assert_found(store, "users", "oscar", "b");
    assert_found(store, "users", "nobody", "");
    assert_int_equal(n_values(store, "users"), 4);

    /* A change moves an object, a deletion takes it out. */
    add(store, "b", "\"1\":\"ernie\"");
    assert_found(store, "users", "ernie", "abc");
    assert_found(store, "users", "bert", "a");
    assert_found(store, "users", "oscar", "");
    assert_true(yl_store_delete(store, &key));
    assert_found(store, "users", "ernie", "bc");
    assert_int_equal(n_values(store, "users"), 2);
    yl_store_free(store);
}

TEST(an_index_added_later_covers_what_is_there)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_error err = YL_ERROR_INIT;

    add(store, "a", "\"1\":\"ernie\"");
    add(store, "b", "\"1\":\"bert\"");
    assert_false(yl_store_has_index(store, "users"));
    assert_int_equal(yl_store_add_index(store, "users", index_by_users, NULL,
                                        NULL), 0);
    assert_true(yl_store_has_index(store, "users"));
    assert_found(store, "users", "ernie", "a");
    add(store, "c", "\"1\":\"ernie\"");
    assert_found(store, "users", "ernie", "ac");
    assert_int_equal(yl_store_add_index(store, "users", index_by_users, NULL,
                                        &err), YL_EEXISTS);
    yl_error_clear(&err);
    assert_int_equal(yl_store_stats(store).n_indexes, 1);
    yl_store_free(store);
}

TEST(an_index_that_is_not_there_is_an_error)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_store_filter filter = { .index = "users" };
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_items items;
    struct yl_store_values values;
    struct yl_error err = YL_ERROR_INIT;

    assert_int_equal(yl_store_list(store, &filter, arena, &items, &err),
                     YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&err),
                        "Index with name users does not exist");
    yl_error_clear(&err);
    assert_int_equal(yl_store_index_values(store, "users", arena, &values,
                                           NULL), YL_ENOTFOUND);
    yl_arena_free(arena);
    yl_store_free(store);
}

TEST(built_in_indexes_find_owners_and_namespaces)
{
    struct yl_store *store = yl_store_new(NULL);

    assert_int_equal(yl_store_add_index(store, "owner", yl_index_by_owner,
                                        NULL, NULL), 0);
    assert_int_equal(yl_store_add_index(store, "controller",
                                        yl_index_by_controller, NULL, NULL),
                     0);
    assert_int_equal(yl_store_add_index(store, "namespace",
                                        yl_index_by_namespace, NULL, NULL),
                     0);
    add(store, "a", "");
    assert_found(store, "owner", "o1", "a");
    assert_found(store, "owner", "o2", "a");
    assert_found(store, "controller", "o1", "");
    assert_found(store, "controller", "o2", "a");
    assert_found(store, "namespace", "d", "a");
    yl_store_free(store);
}

TEST(an_index_survives_replacement)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_versioned item = { make("z", "\"1\":\"elmo\""), 1 };

    assert_int_equal(yl_store_add_index(store, "users", index_by_users, NULL,
                                        NULL), 0);
    add(store, "a", "\"1\":\"ernie\"");
    assert_int_equal(yl_store_replace(store, &item, 1, NULL), 0);
    assert_found(store, "users", "ernie", "");
    assert_found(store, "users", "elmo", "z");
    yl_object_unref(item.object);
    yl_store_free(store);
}

/* Reads the store that it is an index of: no lock may be held. */
static void
index_that_reads(void *store, const struct yl_object *object,
                 struct yl_arena *arena, struct yl_index_values *values)
{
    struct yl_store_items items;

    (void) object;
    assert_int_equal(yl_store_list(store, NULL, arena, &items, NULL), 0);
    yl_index_values_add(values, YL_STR("all"));
}

TEST(no_function_of_the_user_is_called_with_a_lock_held)
{
    struct yl_store *store = yl_store_new(NULL);

    add(store, "a", "");
    assert_int_equal(yl_store_add_index(store, "r", index_that_reads, store,
                                        NULL), 0);
    add(store, "b", "");
    assert_found(store, "r", "all", "ab");
    yl_store_free(store);
}

static void
write_many(void *store)
{
    char name[2] = "a";
    int i;

    for (i = 0; i < 500; i++) {
        name[0] = (char) ('a' + i % 26);
        add(store, name, i % 2 ? "\"1\":\"odd\"" : "\"1\":\"even\"");
    }
}

TEST(an_index_added_beside_a_writer_misses_nothing)
{
    struct yl_store *store = yl_store_new(NULL);
    struct yl_thread writer;
    char name[8];
    int i;

    assert_int_equal(yl_thread_start(&writer, "writer", write_many, store), 0);
    for (i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "i%d", i);
        assert_int_equal(yl_store_add_index(store, name, index_by_users, NULL,
                                            NULL), 0);
    }
    yl_thread_join(&writer);
    for (i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "i%d", i);
        assert_found(store, name, "odd", "bdfhjlnprtvxz");
        assert_found(store, name, "even", "acegikmoqsuwy");
    }
    yl_store_free(store);
}
