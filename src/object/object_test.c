/* Reading blocks: accessors, references, fields. */

#include "object/object.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct yl_object *
ingest(const char *json)
{
    struct yl_object *object = NULL;

    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

TEST(references_are_counted)
{
    struct yl_object *o = ingest("{}");

    assert_ptr_equal(yl_object_ref(o), o);
    assert_int_equal(yl_ref_count(&o->ref), 2);
    assert_null(yl_object_unref(o));
    assert_int_equal(yl_ref_count(&o->ref), 1);
    assert_null(yl_object_unref(o));
    assert_null(yl_object_unref(NULL));
    assert_null(yl_object_ref(NULL));
}

TEST(key_is_namespace_and_name)
{
    struct yl_object *o = ingest("{\"metadata\":{\"name\":\"n\","
                                 "\"namespace\":\"ns\"}}");
    struct yl_key key = yl_object_key(o);

    assert_str_equal(key.namespace_, "ns");
    assert_str_equal(key.name, "n");
    yl_object_unref(o);
}

TEST(labels_and_annotations_by_key)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *o = ingest(
        "{\"metadata\":{\"labels\":{\"a\":\"1\",\"b\":\"\\u0032\",\"c\":3},"
        "\"annotations\":{\"a\":\"x\"}}}");

    assert_str_equal(yl_object_label(o, YL_STR("a"), arena), "1");
    assert_str_equal(yl_object_label(o, YL_STR("b"), arena), "2");
    assert_true(yl_str_is_null(yl_object_label(o, YL_STR("c"), arena)));
    assert_true(yl_str_is_null(yl_object_label(o, YL_STR("d"), arena)));
    assert_str_equal(yl_object_annotation(o, YL_STR("a"), arena), "x");
    assert_true(yl_str_is_null(yl_object_annotation(o, YL_STR("b"), arena)));
    assert_true(yl_object_label_is(o, YL_STR("b"), YL_STR("2")));
    assert_false(yl_object_label_is(o, YL_STR("b"), YL_STR("3")));
    assert_false(yl_object_label_is(o, YL_STR("d"), YL_STR("")));
    yl_object_unref(o);
    yl_arena_free(arena);
}

TEST(field_lives_as_long_as_the_arena)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_object *o = ingest(
        "{\"kind\":\"K\",\"spec\":{\"a\":1},\"metadata\":{\"name\":\"n\","
        "\"resourceVersion\":\"5\"},\"st\\u0061tus\":\"up\"}");
    struct yl_json spec = yl_object_field(o, arena, "spec");
    struct yl_json metadata = yl_object_field(o, arena, "metadata");

    assert_false(yl_json_exists(yl_object_field(o, arena, "kind")));
    assert_false(yl_json_exists(yl_object_field(o, arena, "missing")));
    assert_int_equal(yl_ref_count(&o->ref), 3);
    assert_true(yl_json_string_is(yl_object_field(o, arena, "status"),
                                  YL_STR("up")));
    yl_object_unref(o);
    assert_str_equal(yl_json_raw(spec), "{\"a\":1}");
    assert_str_equal(yl_json_raw(metadata), "{\"name\":\"n\"}");
    yl_arena_free(arena);
}

TEST(footprint_is_header_text_and_facts_that_are_there)
{
    struct yl_object *o = ingest("{\"spec\":1}");

    assert_int_equal(yl_object_footprint(o),
                     sizeof *o + strlen("{},\"spec\":1}"));
    assert_true(sizeof *o <= 32);
    yl_object_unref(o);

    o = ingest("{\"metadata\":{\"name\":\"n\",\"resourceVersion\":\"5\"}}");
    assert_int_equal(yl_object_footprint(o),
                     sizeof *o + strlen("{\"name\":\"n\"}}") + 4 + 8);
    yl_object_unref(o);
}

/* An object whose metadata has 'size' bytes before the name. */
static struct yl_object *
ingest_large(size_t size)
{
    struct yl_object *o;
    struct yl_buf buf;

    yl_buf_init(&buf, SIZE_MAX);
    yl_buf_append_c(&buf, "{\"metadata\":{\"annotations\":{\"a\":\"");
    memset(yl_buf_reserve(&buf, size), 'x', size);
    yl_buf_commit(&buf, size);
    yl_buf_append_c(&buf, "\"},\"generation\":-7,\"name\":\"web\","
                          "\"resourceVersion\":\"5\"}}");
    o = ingest(yl_buf_c_str(&buf));
    yl_buf_release(&buf);
    return o;
}

TEST(facts_are_found_however_far_they_are)
{
    static const size_t sizes[] = { 0, 100, 65460, 65535, 65536, 1 << 20 };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        struct yl_object *o = ingest_large(sizes[i]);
        struct yl_object *clone = yl_object_keep(o);

        yl_object_unref(o);
        assert_str_equal(yl_object_name(clone), "web");
        assert_true(yl_str_is_null(yl_object_uid(clone)));
        assert_int_equal(yl_object_annotation(clone, YL_STR("a"), arena).size,
                         sizes[i]);
        assert_int_equal(yl_object_generation(clone), -7);
        assert_int_equal(yl_object_revision(clone), 5);
        yl_object_unref(clone);
    }
    yl_arena_free(arena);
}

TEST(a_kept_copy_is_the_same_in_a_block_of_its_own)
{
    struct yl_object *o = ingest(
        "{\"metadata\":{\"name\":\"w\\u0065b\",\"labels\":{\"a\":\"b\"},"
        "\"generation\":3,\"resourceVersion\":\"5\",\"uid\":\"1\"},"
        "\"spec\":{}}");
    struct yl_object *other = yl_object_ref(o);
    struct yl_object *clone = yl_object_keep(o);

    assert_ptr_not_equal(clone, o);
    assert_int_equal(yl_ref_count(&clone->ref), 1);
    assert_int_equal(yl_object_footprint(clone), yl_object_footprint(o));
    yl_object_unref(other);
    yl_object_unref(o);
    assert_str_equal(yl_object_name(clone), "web");
    assert_str_equal(yl_object_uid(clone), "1");
    assert_true(yl_object_label_is(clone, YL_STR("a"), YL_STR("b")));
    assert_int_equal(yl_object_generation(clone), 3);
    assert_int_equal(yl_object_revision(clone), 5);
    yl_object_unref(clone);
}
