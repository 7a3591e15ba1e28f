/* Lists of a store, by namespace, labels and fields; listers. */

#include "store/store_parts.h"

#include "base/arena.h"
#include "unit.h"

static void
add(struct yl_store *store, const char *namespace_, const char *name,
    const char *app, int n)
{
    struct yl_object *object = NULL;
    char json[1024];

    snprintf(json, sizeof json,
             "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"%s\","
             "\"labels\":{\"app\":\"%s\"}},\"spec\":{\"n\":%d,\"on\":true,"
             "\"a\":{\"b\":\"\\u0063\"}}}", name, namespace_, app, n);
    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    assert_int_equal(yl_store_add(store, (struct yl_versioned) { object, 1 },
                                  NULL), 0);
    yl_object_unref(object);
}

static struct yl_store *
make_store(void)
{
    struct yl_store *store = yl_store_new(NULL);

    add(store, "x", "a", "web", 1);
    add(store, "x", "b", "db", 2);
    add(store, "y", "c", "web", 3);
    return store;
}

static void
assert_listed(const struct yl_store_filter *filter, const char *names)
{
    struct yl_store *store = make_store();
    struct yl_arena *arena = yl_arena_new();
    struct yl_store_items items;
    size_t i;

    assert_int_equal(yl_store_add_index(store, "ns", yl_index_by_namespace,
                                        NULL, NULL), 0);
    assert_int_equal(yl_store_list(store, filter, arena, &items, NULL), 0);
    assert_int_equal(items.n_items, strlen(names));
    for (i = 0; i < items.n_items; i++) {
        struct yl_str name = yl_object_name(items.items[i].object);

        assert_non_null(strchr(names, name.data[0]));
    }
    yl_arena_free(arena);
    yl_store_free(store);
}

static const struct yl_selector *
labels(const char *text, struct yl_arena *arena)
{
    const struct yl_selector *selector;

    assert_int_equal(yl_selector_parse(yl_str_c(text), arena, &selector, NULL),
                     0);
    return selector;
}

static const struct yl_field_selector *
fields(const char *text, struct yl_arena *arena)
{
    const struct yl_field_selector *selector;

    assert_int_equal(yl_field_selector_parse(yl_str_c(text), arena, &selector,
                                             NULL), 0);
    return selector;
}

TEST(lists_are_narrowed_by_namespace)
{
    assert_listed(NULL, "abc");
    assert_listed(&(struct yl_store_filter) { .namespace_ = YL_STR("x") },
                  "ab");
    assert_listed(&(struct yl_store_filter) { .namespace_ = YL_STR("z") }, "");
    assert_listed(&(struct yl_store_filter) {
        .index = "ns", .value = YL_STR("x"), .namespace_ = YL_STR("y") }, "");
}

TEST(lists_are_narrowed_by_labels)
{
    struct yl_arena *arena = yl_arena_new();

    assert_listed(&(struct yl_store_filter) {
        .labels = labels("app=web", arena) }, "ac");
    assert_listed(&(struct yl_store_filter) {
        .labels = labels("app!=web", arena) }, "b");
    assert_listed(&(struct yl_store_filter) {
        .labels = labels("app=web", arena), .namespace_ = YL_STR("y") }, "c");
    assert_listed(&(struct yl_store_filter) {
        .labels = labels("app=web", arena), .index = "ns",
        .value = YL_STR("x") }, "a");
    yl_arena_free(arena);
}

TEST(lists_are_narrowed_by_fields)
{
    struct yl_arena *arena = yl_arena_new();

    assert_listed(&(struct yl_store_filter) {
        .fields = fields("metadata.name=b", arena) }, "b");
    assert_listed(&(struct yl_store_filter) {
        .fields = fields("metadata.namespace!=x", arena) }, "c");
    assert_listed(&(struct yl_store_filter) {
        .fields = fields("spec.n=3", arena) }, "c");
    assert_listed(&(struct yl_store_filter) {
        .fields = fields("spec.on=true,spec.a.b=c", arena) }, "abc");
    assert_listed(&(struct yl_store_filter) {
        .fields = fields("spec.none=", arena) }, "abc");
    assert_listed(&(struct yl_store_filter) {
        .fields = fields("spec=x", arena) }, "");
    yl_arena_free(arena);
}

static bool
stop_at_second(void *n, const struct yl_versioned *item)
{
    assert_non_null(item->object);
    return ++*(int *) n < 2;
}

TEST(each_stops_when_told_to)
{
    struct yl_store *store = make_store();
    int n = 0;

    assert_int_equal(yl_store_each(store, NULL, stop_at_second, &n, NULL), 0);
    assert_int_equal(n, 2);
    assert_int_equal(yl_store_each(store, &(struct yl_store_filter) {
        .index = "none" }, stop_at_second, &n, NULL), YL_ENOTFOUND);
    assert_int_equal(n, 2);
    yl_store_free(store);
}

TEST(a_lister_says_what_it_has_not_found)
{
    struct yl_store *store = make_store();
    struct yl_lister lister = {
        .store = store,
        .resource = { YL_STR("apps"), YL_STR("v1"), YL_STR("deployments") },
    };
    struct yl_key a = yl_key_make(YL_STR("x"), YL_STR("a"));
    struct yl_key z = yl_key_make(YL_STR("x"), YL_STR("z"));
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;
    struct yl_store_items items;
    struct yl_versioned item;

    assert_int_equal(yl_lister_get(&lister, &a, arena, &item, &err), 0);
    assert_int_equal(yl_lister_get(&lister, &z, arena, &item, &err),
                     YL_ENOTFOUND);
    assert_string_equal(yl_error_message(&err),
                        "deployments.apps \"z\" not found");
    assert_int_equal(yl_lister_list(&lister, YL_STR("x"),
                                    labels("app=db", arena), arena, &items,
                                    NULL), 0);
    assert_int_equal(items.n_items, 1);
    yl_error_clear(&err);
    yl_arena_free(arena);
    yl_store_free(store);
}
