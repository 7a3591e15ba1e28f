/* Blocks without managedFields, or with nothing but metadata. */

#include "object/object.h"

#include "base/arena.h"
#include "unit.h"

#define HEAD                                                                  \
    "{\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a\","                \
    "\"labels\":{\"x\":\"y\"}"
#define MANAGED ",\"managedFields\":[{\"manager\":\"m\"}]"
#define REST ",\"spec\":{\"n\":1}}"

static struct yl_object *
ingest(const char *json)
{
    struct yl_object *object = NULL;

    assert_int_equal(yl_object_ingest(yl_str_c(json), NULL, &object, NULL), 0);
    return object;
}

static void
assert_reduced_to(struct yl_object *object, bool without_managed_fields,
                  bool metadata_only, const char *json)
{
    struct yl_object *kept = yl_object_reduce(object, without_managed_fields,
                                              metadata_only);
    struct yl_arena *arena = yl_arena_new();

    assert_str_equal(yl_object_json(kept, arena, NULL), json);
    assert_true(yl_str_equal(yl_object_name(kept), yl_object_name(object)));
    assert_int_equal(yl_object_revision(kept), yl_object_revision(object));
    assert_true(yl_object_label_is(kept, YL_STR("x"), YL_STR("y")));
    yl_arena_free(arena);
    yl_object_unref(kept);
    yl_object_unref(object);
}

TEST(managed_fields_are_left_out)
{
    assert_reduced_to(ingest(HEAD MANAGED "}" REST), true, false,
                      HEAD "}" REST);
    assert_reduced_to(ingest(HEAD MANAGED "}}"), true, false, HEAD "}}");
}

TEST(all_but_metadata_is_left_out)
{
    assert_reduced_to(ingest(HEAD MANAGED "}" REST), true, true, HEAD "}}");
    assert_reduced_to(ingest(HEAD MANAGED "}" REST), false, true,
                      HEAD MANAGED "}}");
    assert_reduced_to(ingest(HEAD "}" REST), false, true, HEAD "}}");
}

TEST(a_block_with_nothing_to_leave_out_is_shared)
{
    struct yl_object *object = ingest(HEAD "}" REST);
    struct yl_object *kept = yl_object_reduce(object, true, false);

    assert_ptr_equal(object, kept);
    yl_object_unref(kept);
    yl_object_unref(object);
    object = ingest(HEAD "}}");
    kept = yl_object_reduce(object, true, true);
    assert_ptr_equal(object, kept);
    yl_object_unref(kept);
    yl_object_unref(object);
}

TEST(shared_managed_fields_are_left_out)
{
    struct yl_object *first = ingest(HEAD MANAGED "}" REST);
    struct yl_object *a = yl_object_keep(first);
    struct yl_object *b = yl_object_keep(first);

    assert_true(b->flags & YL_OBJECT_SHARED);
    assert_reduced_to(yl_object_ref(b), false, true, HEAD MANAGED "}}");
    assert_reduced_to(b, true, false, HEAD "}" REST);
    yl_object_unref(a);
    yl_object_unref(first);
}

TEST(facts_with_escapes_survive)
{
    struct yl_object *object = ingest(
        "{\"metadata\":{\"name\":\"\\u0061\",\"labels\":{\"x\":\"y\"}" MANAGED
        "}" REST);

    assert_reduced_to(object, true, false,
                      "{\"metadata\":{\"name\":\"\\u0061\","
                      "\"labels\":{\"x\":\"y\"}}" REST);
}
