/* Canonical blocks, and equality. */

#include "object/object.h"

#include "base/arena.h"
#include "json/tree.h"
#include "unit.h"
#include "yuloh/error.h"

static int
from_tree(const char *json, const struct yl_object_opts *opts,
          struct yl_object **ret_object, struct yl_error *err)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *root;
    int r;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(json), NULL, &root, NULL),
                     0);
    r = yl_object_from_tree(root, opts, ret_object, err);
    yl_arena_free(arena);
    return r;
}

static struct yl_object *
canonical(const char *json)
{
    struct yl_object *o = NULL;

    assert_int_equal(from_tree(json, NULL, &o, NULL), 0);
    return o;
}

static struct yl_object *
ingest(const char *json)
{
    struct yl_object *o = NULL;

    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &o, NULL), 0);
    return o;
}

TEST(canonical_order)
{
    struct yl_object *o = canonical(
        "{\"spec\":{\"b\":1.0,\"a\":\"\\u0061\"},\"kind\":\"K\",\"data\":{},"
        "\"metadata\":{\"uid\":\"u\",\"managedFields\":[{\"b\":1,\"a\":2}],"
        "\"resourceVersion\":\"12\",\"name\":\"n\",\"zone\":{\"b\":1,"
        "\"a\":1}},\"apiVersion\":\"v1\"}");

    assert_str_equal(yl_str_n(o->text, o->size),
                     "{\"name\":\"n\",\"uid\":\"u\",\"zone\":{\"a\":1,"
                     "\"b\":1},\"managedFields\":[{\"a\":2,\"b\":1}]},"
                     "\"data\":{},\"spec\":{\"a\":\"a\",\"b\":1}}");
    assert_true(yl_object_is_canonical(o));
    assert_int_equal(yl_object_revision(o), 12);
    assert_str_equal(yl_object_name(o), "n");
    yl_object_unref(o);
}

TEST(canonical_of_little)
{
    static const char *const pairs[][2] = {
        { "{}", "{}}" },
        { "{\"metadata\":null}", "{}}" },
        { "{\"metadata\":{}}", "{}}" },
        { "{\"metadata\":{\"managedFields\":[]}}", "{\"managedFields\":[]}}" },
        { "{\"b\":1,\"a\":2}", "{},\"a\":2,\"b\":1}" },
        { "{\"metadata\":{\"resourceVersion\":\"1\",\"managedFields\":[]}}",
          "{\"managedFields\":[]}}" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        struct yl_object *o = canonical(pairs[i][0]);

        assert_str_equal(yl_str_n(o->text, o->size), pairs[i][1]);
        yl_object_unref(o);
    }
}

TEST(equal_objects_are_equal_bytes)
{
    struct yl_object *a = canonical(
        "{\"kind\":\"A\",\"metadata\":{\"name\":\"n\",\"resourceVersion\":"
        "\"1\"},\"spec\":{\"x\":1,\"y\":[1e0]}}");
    struct yl_object *b = canonical(
        "{\"spec\":{\"y\":[1],\"x\":1.0},\"metadata\":{\"resourceVersion\":"
        "\"2\",\"name\":\"\\u006e\"},\"kind\":\"B\"}");
    struct yl_object *c = canonical("{\"metadata\":{\"name\":\"n\"}}");

    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->text, b->text, a->size);
    assert_true(yl_object_equal(a, b));
    assert_false(yl_object_equal(a, c));
    yl_object_unref(a);
    yl_object_unref(b);
    yl_object_unref(c);
}

TEST(foreign_objects_are_compared_as_values)
{
    struct yl_object *a = ingest("{\"spec\":{\"a\":1,\"b\":2},\"metadata\":{"
                                 "\"resourceVersion\":\"1\"}}");
    struct yl_object *b = ingest("{\"metadata\":{\"resourceVersion\":\"2\"},"
                                 "\"spec\": {\"b\":2,\"a\":1.0}}");
    struct yl_object *c = canonical("{\"spec\":{\"a\":1,\"b\":2}}");
    struct yl_object *d = ingest("{\"spec\":{\"a\":1,\"b\":3}}");
    struct yl_object *broken = ingest("{\"spec\":{\"a\":1,\"b\"}}");

    assert_true(yl_object_equal(a, b));
    assert_true(yl_object_equal(a, c));
    assert_true(yl_object_equal(c, b));
    assert_false(yl_object_equal(a, d));
    assert_false(yl_object_equal(c, d));
    assert_false(yl_object_equal(a, broken));
    assert_false(yl_object_equal(broken, a));
    assert_true(yl_object_equal(broken, broken));
    yl_object_unref(a);
    yl_object_unref(b);
    yl_object_unref(c);
    yl_object_unref(d);
    yl_object_unref(broken);
}

TEST(canonical_text_is_ingested_as_it_is)
{
    struct yl_object_opts opts = { .canonical = true };
    struct yl_object *a = canonical("{\"metadata\":{\"name\":\"n\"},"
                                    "\"spec\":1}");
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *b;

    assert_int_equal(yl_object_ingest(yl_object_json(a, arena, NULL), &opts,
                                      &b, NULL), 0);
    assert_true(yl_object_is_canonical(b));
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->text, b->text, a->size);
    yl_object_unref(a);
    yl_object_unref(b);
    yl_arena_free(arena);
}

TEST(trees_that_make_no_block)
{
    struct yl_object_opts opts = { .max_size = 20 };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_object *o;

    assert_int_equal(from_tree("[]", NULL, &o, &err), YL_ETYPE);
    assert_int_equal(from_tree("{\"metadata\":1}", NULL, &o, &err), YL_ETYPE);
    assert_int_equal(from_tree("{\"a\":1e999}", NULL, &o, &err), YL_ERANGE);
    assert_int_equal(from_tree("{\"metadata\":{\"a\":1e999}}", NULL, &o, &err),
                     YL_ERANGE);
    assert_int_equal(from_tree("{\"metadata\":{\"resourceVersion\":\"x\"}}",
                               NULL, &o, &err), YL_EINVALID);
    assert_int_equal(from_tree("{\"a\":\"0123456789\"}", &opts, &o, &err),
                     YL_ETOOBIG);
    assert_string_equal(yl_error_message(&err),
                        "object exceeds the limit of 20 bytes");
    opts.max_size = 0;
    opts.expect.kind = YL_STR("Pod");
    assert_int_equal(from_tree("{\"kind\":\"Node\"}", &opts, &o, &err),
                     YL_EBADREQUEST);
    yl_error_clear(&err);
}
