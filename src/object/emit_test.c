/* From blocks to bytes: heads, bodies, and what comes back. */

#include "object/object.h"

#include <dirent.h>

#include "base/arena.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static const char full[] =
    "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\","
    "\"managedFields\":[{}],\"resourceVersion\":\"5\",\"uid\":\"u\"},"
    "\"spec\":{\"x\":[1,2]}}";

static struct yl_object *
ingest(struct yl_str json)
{
    struct yl_object *object = NULL;

    assert_int_equal(yl_object_ingest(json, NULL, &object, NULL), 0);
    return object;
}

/* Emits in every way, also from a block that shares its managedFields, which
 * must agree, and checks that it is JSON. */
static struct yl_str
emit(const struct yl_object *o, const struct yl_object_head *head,
     struct yl_arena *arena)
{
    struct yl_str json = yl_object_json(o, arena, head);
    struct yl_object *first = yl_object_keep(o);
    struct yl_object *kept = yl_object_keep(o);
    struct yl_buf whole;

    yl_buf_init(&whole, 1 << 24);
    yl_object_write(o, head, &whole);
    assert_true(yl_str_equal(yl_buf_str(&whole), json));
    assert_true(yl_str_equal(yl_object_json(kept, arena, head), json));
    assert_int_equal(yl_json_validate(json, NULL, NULL), 0);
    yl_buf_release(&whole);
    yl_object_unref(first);
    yl_object_unref(kept);
    return json;
}

static void
assert_emits(const char *json, struct yl_object_head head, const char *out)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *o = ingest(yl_str_c(json));

    assert_str_equal(emit(o, &head, arena), out);
    yl_object_unref(o);
    yl_arena_free(arena);
}

TEST(head_is_written_before_the_body)
{
    struct yl_object_head head = { .revision = 9 };

    assert_emits(full, head,
                 "{\"metadata\":{\"resourceVersion\":\"9\",\"name\":\"a\","
                 "\"uid\":\"u\",\"managedFields\":[{}]},"
                 "\"spec\":{\"x\":[1,2]}}");
    head.revision = 0;
    head.type.api_version = YL_STR("v1");
    head.type.kind = YL_STR("Pod");
    assert_emits(full, head,
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
                 "\"resourceVersion\":\"5\",\"name\":\"a\",\"uid\":\"u\","
                 "\"managedFields\":[{}]},\"spec\":{\"x\":[1,2]}}");
    head.without_managed_fields = true;
    assert_emits(full, head,
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
                 "\"resourceVersion\":\"5\",\"name\":\"a\",\"uid\":\"u\"},"
                 "\"spec\":{\"x\":[1,2]}}");
    head.metadata_only = true;
    assert_emits(full, head,
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
                 "\"resourceVersion\":\"5\",\"name\":\"a\",\"uid\":\"u\"}}");
    head.without_managed_fields = false;
    assert_emits(full, head,
                 "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{"
                 "\"resourceVersion\":\"5\",\"name\":\"a\",\"uid\":\"u\","
                 "\"managedFields\":[{}]}}");
}

TEST(objects_with_little_in_them)
{
    struct yl_object_head none = { .revision = 0 };
    struct yl_object_head some = { .revision = 7 };
    struct yl_object_head bare = { .revision = 7,
                                   .without_managed_fields = true };
    struct yl_object_head metadata = { .metadata_only = true };

    assert_emits("{}", none, "{\"metadata\":{}}");
    assert_emits("{}", some, "{\"metadata\":{\"resourceVersion\":\"7\"}}");
    assert_emits("{\"a\":1}", some,
                 "{\"metadata\":{\"resourceVersion\":\"7\"},\"a\":1}");
    assert_emits("{\"a\":1}", metadata, "{\"metadata\":{}}");
    assert_emits("{\"metadata\":{\"managedFields\":[]}}", bare,
                 "{\"metadata\":{\"resourceVersion\":\"7\"}}");
    assert_emits("{\"metadata\":{\"managedFields\":[]},\"a\":1}", bare,
                 "{\"metadata\":{\"resourceVersion\":\"7\"},\"a\":1}");
    assert_emits("{\"metadata\":{\"managedFields\":[]}}", some,
                 "{\"metadata\":{\"resourceVersion\":\"7\","
                 "\"managedFields\":[]}}");
    bare.revision = 0;
    assert_emits("{\"metadata\":{\"managedFields\":[]}}", bare,
                 "{\"metadata\":{}}");
    assert_emits("{\"metadata\":{\"name\":\"a\"}}", bare,
                 "{\"metadata\":{\"name\":\"a\"}}");
}

TEST(head_of_any_size_can_be_written)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *o = ingest(YL_STR("{}"));
    char kind[512];
    struct yl_object_head head = { .type.kind = yl_str_n(kind, sizeof kind) };
    struct yl_str json;

    memset(kind, '"', sizeof kind);
    json = yl_object_json(o, arena, &head);
    assert_int_equal(json.size, 2 * sizeof kind + strlen(
        "{\"kind\":\"\",\"metadata\":{}}"));
    assert_int_equal(yl_json_validate(json, NULL, NULL), 0);
    yl_object_unref(o);
    yl_arena_free(arena);
}

/* parse(emit(ingest(x))) equals x as a tree. */
static void
assert_round_trip(struct yl_str json)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object_head head = { .revision = 0 };
    struct yl_object_opts opts = { .ret_type = &head.type };
    struct yl_object *o, *canonical;
    struct yl_node *before, *after;

    assert_int_equal(yl_object_ingest(json, &opts, &o, NULL), 0);
    assert_int_equal(yl_tree_parse(arena, json, NULL, &before, NULL), 0);
    if (!yl_node_get(before, YL_STR("metadata"))) {
        yl_node_set(arena, before, YL_STR("metadata"),
                    yl_node_new_object(arena));
    }
    assert_int_equal(yl_tree_parse(arena, emit(o, &head, arena), NULL, &after,
                                   NULL), 0);
    assert_true(yl_node_equal(before, after));

    assert_int_equal(yl_object_from_tree(before, NULL, &canonical, NULL), 0);
    assert_true(yl_object_equal(o, canonical));
    assert_int_equal(yl_tree_parse(arena, emit(canonical, &head, arena), NULL,
                                   &after, NULL), 0);
    assert_true(yl_node_equal(before, after));
    yl_object_unref(canonical);
    yl_object_unref(o);
    yl_arena_free(arena);
}

TEST(nothing_is_lost)
{
    assert_round_trip(yl_str_c(full));
    assert_round_trip(YL_STR("{}"));
    assert_round_trip(YL_STR("{\"b\":1,\"a\":{\"z\":1,\"y\":[]}}"));
    assert_round_trip(YL_STR("{\"metadata\":{\"managedFields\":[]}}"));
    assert_round_trip(YL_STR("{\"metadata\":{\"name\":\"\\u0061\\\"\"}}"));
}

/* Upstream's samples say "resourceVersionValue", which is no revision. */
static void
number_revision(char *text, size_t size)
{
    static const char sample[] = "\"resourceVersionValue\"";
    static const char number[] = "\"17446744073709551615\"";
    char *p = memmem(text, size, sample, sizeof sample - 1);

    assert_int_equal(sizeof sample, sizeof number);
    if (p) {
        memcpy(p, number, sizeof number - 1);
    }
}

TEST(nothing_is_lost_of_every_kind_of_apps)
{
    char *folder = strdup(truth_path("wire"));
    DIR *dir = opendir(folder);
    struct dirent *entry;
    char path[4096];
    int n = 0;

    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        struct yl_str name = yl_str_c(entry->d_name);
        char *text;
        size_t size;

        if (!yl_str_starts_with(name, YL_STR("apps.v1."))
            || !yl_str_ends_with(name, YL_STR(".json"))) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        text = read_file(path, &size);
        number_revision(text, size);
        assert_round_trip(yl_str_n(text, size));
        free(text);
        n++;
    }
    closedir(dir);
    free(folder);
    assert_true(n > 3);
}
