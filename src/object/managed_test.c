/* managedFields that several blocks share. */

#include "object/managed.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/thread.h"
#include "object/object.h"
#include "unit.h"

#define ENTRY(MANAGER, TIME)                                                  \
    "{\"apiVersion\":\"v1\",\"fieldsV1\":{\"f:data\":{\"f:a\":{}}},"          \
    "\"manager\":\"" MANAGER "\",\"operation\":\"Update\",\"time\":\"" TIME   \
    "\"}"

static struct yl_object *
object_with(const char *name, const char *managed)
{
    struct yl_object *object = NULL;
    char text[4096];

    snprintf(text, sizeof text,
             "{\"metadata\":{\"name\":\"%s\",\"generation\":3,"
             "\"managedFields\":[%s]},\"data\":{\"a\":\"b\"}}", name, managed);
    assert_int_equal(yl_object_ingest(yl_str_c(text), NULL, &object, NULL), 0);
    return object;
}

/* What is kept of an object; it must look the same in every way. */
static struct yl_object *
keep(const char *name, const char *managed)
{
    struct yl_object *object = object_with(name, managed);
    struct yl_object *kept = yl_object_keep(object);
    struct yl_arena *arena = yl_arena_new();
    struct yl_object_head bare = { .without_managed_fields = true };
    struct yl_object_head metadata = { .revision = 9, .metadata_only = true };

    assert_true(yl_object_equal(object, kept));
    assert_true(yl_object_equal(kept, object));
    assert_true(yl_str_equal(yl_object_json(object, arena, NULL),
                             yl_object_json(kept, arena, NULL)));
    assert_true(yl_str_equal(yl_object_json(object, arena, &bare),
                             yl_object_json(kept, arena, &bare)));
    assert_true(yl_str_equal(yl_object_json(object, arena, &metadata),
                             yl_object_json(kept, arena, &metadata)));
    assert_true(yl_str_equal(
        yl_json_raw(yl_object_field(object, arena, "metadata")),
        yl_json_raw(yl_object_field(kept, arena, "metadata"))));
    assert_true(yl_str_equal(
        yl_json_raw(yl_object_field(object, arena, "data")),
        yl_json_raw(yl_object_field(kept, arena, "data"))));
    assert_str_equal(yl_object_name(kept), name);
    assert_int_equal(yl_object_generation(kept), 3);
    yl_arena_free(arena);
    yl_object_unref(object);
    return kept;
}

TEST(is_shared_from_the_second_object_on)
{
    const char *one = ENTRY("me", "2026-01-02T03:04:05Z");
    const char *other = ENTRY("me", "2027-11-12T13:14:15Z");
    size_t n = yl_managed_count();
    struct yl_object *a = keep("a", one), *b = keep("b", other);
    struct yl_object *c = keep("c", one), *again = yl_object_keep(c);

    assert_false(a->flags & YL_OBJECT_SHARED);
    assert_true(b->flags & c->flags & again->flags & YL_OBJECT_SHARED);
    assert_int_equal(yl_managed_count(), n + 1);
    assert_ptr_equal(yl_object_shared(b, NULL), yl_object_shared(c, NULL));
    assert_true(yl_object_footprint(c) + 80 < yl_object_footprint(a));
    assert_true(yl_object_equal(c, again));
    assert_false(yl_object_equal(b, c));
    yl_object_unref(a);
    yl_object_unref(b);
    yl_object_unref(c);
    assert_int_equal(yl_managed_count(), n + 1);
    yl_object_unref(again);
    assert_int_equal(yl_managed_count(), n);
}

TEST(objects_that_differ_in_a_time_are_not_equal)
{
    const char *one = ENTRY("two", "2026-01-02T03:04:05Z");
    const char *other = ENTRY("two", "2026-01-02T03:04:06Z");
    struct yl_object *first = keep("a", one);
    struct yl_object *a = keep("a", one), *b = keep("a", other);

    assert_true(yl_object_equal(first, a));
    assert_false(yl_object_equal(first, b));
    assert_false(yl_object_equal(a, b));
    yl_object_unref(first);
    yl_object_unref(a);
    yl_object_unref(b);
}

TEST(any_number_and_form_of_times_comes_back)
{
    static const char *const managed[] = {
        "",
        "{}",
        "{\"time\":\"2026-01-02T03:04:05Z\"}",
        "{\"time\":null},{\"time\":7},{\"time\":\"\"},{\"time\":[]}",
        "{\"time\":\"2026-01-02T03:04:05.123456Z\"}",
        "{\"time\":\"2026-01-02T03:04:05Z\"},[],7,null,\"time\","
        "{\"time\":\"20 bytes of any kind\"}",
        ENTRY("a", "2026-01-02T03:04:05Z") ","
        ENTRY("b", "2026-01-02T03:04:06Z") ","
        ENTRY("c", "2026-01-02T03:04:07Z") ","
        ENTRY("d", "2026-01-02T03:04:08Z") ","
        ENTRY("e", "2026-01-02T03:04:09Z") ","
        ENTRY("f", "2026-01-02T03:04:10Z"),
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(managed); i++) {
        struct yl_object *first = keep("first", managed[i]);
        struct yl_object *second = keep("second", managed[i]);

        assert_true(second->flags & YL_OBJECT_SHARED);
        yl_object_unref(first);
        yl_object_unref(second);
    }
}

#define DNS(A, B)                                                             \
    "{\"fieldsV1\":{\"f:dns\":{\"v:\\\"" A "\\\"\":{},\"v:" B "\":{}},"       \
    "\"f:pools\":{\"k:{\\\"name\\\":\\\"" A "\\\"}\":{\".\":{}}}},"           \
    "\"manager\":\"names\",\"time\":\"2026-01-02T03:04:05Z\"}"

TEST(names_of_items_are_cut_where_they_differ)
{
    size_t n = yl_managed_count();
    struct yl_object *a = keep("a", DNS("10.0.0.1", "17"));
    struct yl_object *b = keep("b", DNS("10.0.0.2", "true"));
    struct yl_object *c = keep("c", DNS("a quote: \\\\\\\"", "null"));
    struct yl_object *same = keep("d", DNS("10.0.0.1", "17"));
    struct yl_object *again = yl_object_keep(b);

    assert_false(a->flags & YL_OBJECT_SHARED);
    assert_true(b->flags & c->flags & YL_OBJECT_SHARED);
    assert_ptr_equal(yl_object_shared(b, NULL), yl_object_shared(c, NULL));
    assert_true(yl_object_footprint(b) + 50 < yl_object_footprint(a));
    assert_false(yl_object_equal(b, c));
    assert_true(yl_object_equal(b, again));

    /* Equal names need no cut: they are shared, too. */
    assert_int_equal(yl_managed_count(), n + 2);
    assert_true(yl_object_footprint(same) < yl_object_footprint(b));
    yl_object_unref(a);
    yl_object_unref(b);
    yl_object_unref(c);
    yl_object_unref(same);
    yl_object_unref(again);
    assert_int_equal(yl_managed_count(), n);
}

TEST(cuts_may_be_long_many_or_bad)
{
    static const struct {
        const char *before;
        int n_digits;
        const char *after;
    } parts[] = {
        { "\"v:", 0, "\":{}" }, { "\"v:", 254, "\":{}" },
        { "\"v:", 255, "\":{}" }, { "\"k:", 256, "\":{}" },
        { "\"v:\\\"", 2, "\\\\\":{}" }, { "\"f:,\":{\"k:x\":", 2, "}" },
        { "\"a\":\"v:", 2, "\"" }, { "\"time\":\"v:\",\"b\":", 2, "" },
        { "\"time\":\"2026-01-02T03:04:", 2, "Z\"" },
    };
    char text[4096];
    size_t i, j;
    int size;

    for (i = 0; i < YL_ARRAY_SIZE(parts); i++) {
        for (j = 0; j < 3; j++) {
            snprintf(text, sizeof text, "{\"long\":%zu,%s%.*zu%s}", i,
                     parts[i].before, parts[i].n_digits,
                     parts[i].n_digits ? 10 + j : 0, parts[i].after);
            yl_object_unref(keep("a", text));
        }
    }
    for (i = 0; i < 3; i++) {
        size = snprintf(text, sizeof text, "{\"many\":0");
        for (j = 0; j < 50; j++) {
            size += snprintf(text + size, sizeof text - (size_t) size,
                             ",\"v:%zu\":{}", i * 100 + j);
        }
        snprintf(text + size, sizeof text - (size_t) size, "}");
        yl_object_unref(keep("a", text));
    }
}

TEST(a_block_with_escaped_facts_keeps_its_own)
{
    struct yl_object *a = NULL, *kept;
    unsigned i;

    for (i = 0; i < 3; i++) {
        assert_int_equal(
            yl_object_ingest(YL_STR("{\"metadata\":{\"name\":\"\\u0061\","
                                    "\"managedFields\":[{}]}}"),
                             NULL, &a, NULL), 0);
        kept = yl_object_keep(a);
        assert_false(kept->flags & YL_OBJECT_SHARED);
        assert_str_equal(yl_object_name(kept), "a");
        yl_object_unref(a);
        yl_object_unref(kept);
    }
}

static void
keep_and_drop(void *aux)
{
    struct yl_object *kept[8] = { NULL };
    unsigned i;

    for (i = 0; i < 4000; i++) {
        unsigned slot = i % YL_ARRAY_SIZE(kept);

        yl_object_unref(kept[slot]);
        kept[slot] = yl_object_keep(aux);
    }
    for (i = 0; i < YL_ARRAY_SIZE(kept); i++) {
        yl_object_unref(kept[i]);
    }
}

TEST(threads_may_keep_and_drop_at_once)
{
    struct yl_object *object = object_with(
        "x", ENTRY("threads", "2026-01-02T03:04:05Z"));
    size_t n = yl_managed_count();
    struct yl_thread threads[4];
    unsigned i;

    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        assert_int_equal(yl_thread_start(&threads[i], "keeper", keep_and_drop,
                                         object), 0);
    }
    for (i = 0; i < YL_ARRAY_SIZE(threads); i++) {
        yl_thread_join(&threads[i]);
    }
    assert_int_equal(yl_managed_count(), n);
    yl_object_unref(object);
}
