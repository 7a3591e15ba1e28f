/* Tests of the index of large objects. */

#include "json/index.h"

#include "base/arena.h"
#include "unit.h"

static struct yl_arena arena;

static struct yl_str
key(unsigned i)
{
    return yl_str_c(yl_arena_printf(&arena, "key-%u", i));
}

static struct yl_node *
object_of(unsigned n)
{
    struct yl_node *object = yl_node_new_object(&arena);
    unsigned i;

    for (i = 0; i < n; i++) {
        yl_node_set(&arena, object, key(i), yl_node_new_int64(&arena, i));
    }
    return object;
}

TEST(small_objects_have_none)
{
    yl_arena_init(&arena);
    assert_null(object_of(YL_INDEX_FROM)->index);
    assert_non_null(object_of(YL_INDEX_FROM + 1)->index);
    yl_arena_release(&arena);
}

TEST(every_member_is_found_at_every_size)
{
    struct yl_node *object;
    unsigned i, n;

    yl_arena_init(&arena);
    object = yl_node_new_object(&arena);
    for (n = 0; n < 300; n++) {
        struct yl_node *added = yl_node_new_null(&arena);

        assert_null(yl_node_get(object, key(n)));
        yl_node_set(&arena, object, key(n), added);
        assert_ptr_equal(yl_node_get(object, key(n)), added);
        for (i = 0; i <= n; i += 1 + n / 16) {
            assert_non_null(yl_node_get(object, key(i)));
        }
    }
    yl_arena_release(&arena);
}

TEST(removed_members_are_not_found_and_hide_nobody)
{
    struct yl_node *object;
    unsigned i;

    yl_arena_init(&arena);
    object = object_of(1000);
    for (i = 0; i < 1000; i += 2) {
        assert_true(yl_node_remove(object, key(i)));
    }
    for (i = 0; i < 1000; i++) {
        assert_int_equal(yl_node_get(object, key(i)) != NULL, i % 2);
    }
    for (i = 1; i < 1000; i += 2) {
        assert_true(yl_node_remove(object, key(i)));
    }
    assert_int_equal(object->n, 0);
    assert_null(yl_node_get(object, key(5)));
    yl_node_set(&arena, object, key(5), yl_node_new_null(&arena));
    assert_non_null(yl_node_get(object, key(5)));
    yl_arena_release(&arena);
}

TEST(replaced_members_are_found)
{
    struct yl_node *object, *value;

    yl_arena_init(&arena);
    object = object_of(100);
    value = yl_node_new_null(&arena);
    yl_node_set(&arena, object, key(50), value);
    assert_ptr_equal(yl_node_get(object, key(50)), value);
    assert_int_equal(object->n, 100);
    yl_arena_release(&arena);
}

/* Adding and removing for ever must neither fill the table with tombstones,
 * which would make a lookup endless, nor the arena with tables. */
TEST(coming_and_going_settles)
{
    struct yl_node *object, *member;
    size_t footprint;
    unsigned i;

    yl_arena_init(&arena);
    object = object_of(20);
    member = yl_node_new_null(&arena);
    footprint = yl_arena_footprint(&arena);
    for (i = 0; i < 100000; i++) {
        char name[32];

        snprintf(name, sizeof name, "%u", i);
        yl_node_set(&arena, object, yl_str_c(name), member);
        yl_node_detach(member);
    }
    assert_int_equal(object->n, 20);
    assert_null(yl_node_get(object, YL_STR("none")));

    /* Each key takes 16 bytes; the tables about as much again. */
    assert_true(yl_arena_footprint(&arena) - footprint < (size_t) 8 << 20);
    yl_arena_release(&arena);
}

TEST(a_hundred_thousand_members)
{
    struct yl_node *object;
    unsigned i;

    yl_arena_init(&arena);
    object = object_of(100000);
    for (i = 0; i < 100000; i++) {
        int64_t value;

        assert_true(yl_node_int64(yl_node_get(object, key(i)), &value) == 0
                    && value == i);
    }
    assert_null(yl_node_get(object, key(100000)));
    yl_arena_release(&arena);
}

TEST(the_empty_key_is_a_key)
{
    struct yl_node *object;

    yl_arena_init(&arena);
    object = object_of(50);
    assert_null(yl_node_get(object, YL_STR("")));
    yl_node_set(&arena, object, YL_STR(""), yl_node_new_null(&arena));
    assert_non_null(yl_node_get(object, YL_STR("")));
    assert_non_null(yl_node_get(object, yl_str_null()));
    yl_arena_release(&arena);
}
