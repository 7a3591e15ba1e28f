/* Tests of the keyspace as a whole: writing, reading, loading. */

#include "apiserver/keyspace/keyspace.h"

#include "apiserver/keyspace/testing.h"
#include "unit.h"

TEST(what_is_written_is_read)
{
    struct fixture f;
    struct yl_object *object;
    uint64_t revision, created;

    fixture_init(&f, NULL);
    assert_int_equal(yl_keyspace_revision(f.ks), 1);
    assert_int_equal(put(&f, "a", "x", "1", 0, &created), 0);
    assert_int_equal(created, 2);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, &revision),
                     0);
    assert_int_equal(revision, 2);
    assert_int_equal(yl_keyspace_revision(f.ks), 2);
    assert_str_equal(yl_object_name(object), "x");
    yl_object_unref(object);
    assert_int_equal(yl_ks_count(f.pods), 1);
    fixture_release(&f);
}

TEST(a_write_that_expected_something_else_changes_nothing)
{
    struct fixture f;
    uint64_t first, second;

    fixture_init(&f, NULL);
    assert_int_equal(put(&f, "a", "x", "1", 7, NULL), YL_ENOTFOUND);
    assert_int_equal(put(&f, "a", "x", "1", 0, &first), 0);
    assert_int_equal(put(&f, "a", "x", "2", 0, NULL), YL_EEXISTS);
    assert_int_equal(put(&f, "a", "x", "2", first + 1, NULL), YL_ECONFLICT);
    assert_int_equal(put(&f, "a", "x", "2", first, &second), 0);
    assert_int_equal(second, first + 1);
    assert_int_equal(delete(&f, "a", "x", first, NULL), YL_ECONFLICT);
    assert_int_equal(delete(&f, "a", "x", 0, NULL), YL_ECONFLICT);
    assert_int_equal(delete(&f, "a", "x", second, NULL), 0);
    assert_int_equal(delete(&f, "a", "x", second, NULL), YL_ENOTFOUND);
    assert_int_equal(delete(&f, "a", "x", 0, NULL), YL_ENOTFOUND);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), NULL, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_ks_count(f.pods), 0);
    assert_int_equal(put(&f, "a", "x", "3", 0, NULL), 0);
    fixture_release(&f);
}

TEST(everything_comes_back_from_storage)
{
    struct fixture f;
    uint64_t x, y;
    struct yl_object *object;
    uint64_t revision;

    fixture_init(&f, NULL);
    put(&f, "a", "x", "1", 0, &x);
    put(&f, "a", "x", "2", x, &x);
    put(&f, "b", "y", "1", 0, &y);
    put(&f, NULL, "n", "1", 0, NULL);
    delete(&f, "b", "y", y, NULL);
    fixture_reopen(&f);
    assert_int_equal(yl_keyspace_revision(f.ks), 6);
    assert_int_equal(yl_ks_count(f.pods), 1);
    assert_int_equal(yl_ks_count(f.nodes), 1);
    assert_int_equal(yl_ks_get(f.pods, key_of("a", "x"), &object, &revision),
                     0);
    assert_int_equal(revision, x);
    assert_true(yl_object_label_is(object, YL_STR("v"), YL_STR("2")));
    yl_object_unref(object);
    assert_int_equal(put(&f, "b", "y", "2", 0, &y), 0);
    assert_int_equal(y, 7);
    fixture_release(&f);
}
