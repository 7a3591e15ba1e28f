/* Tests of versions and their pool. */

#include "apiserver/keyspace/version.h"

#include "keyspace_unit.h"
#include "unit.h"

TEST(a_chain_is_read_at_any_revision)
{
    struct yl_object *object = object_of("a", "x", "1");
    struct yl_ks_version *v2, *v4, *v6;
    struct yl_ks_pool pool;

    yl_ks_pool_init(&pool);
    v2 = yl_ks_pool_take(&pool, object, 2);
    v4 = yl_ks_pool_take(&pool, NULL, 4);
    v6 = yl_ks_pool_take(&pool, object, 6);
    v4->older = v2;
    v6->older = v4;
    assert_null(yl_ks_version_at(v6, 1));
    assert_ptr_equal(yl_ks_version_at(v6, 2), v2);
    assert_ptr_equal(yl_ks_version_at(v6, 3), v2);
    assert_null(yl_ks_version_at(v6, 4));
    assert_ptr_equal(yl_ks_version_at(v6, 6), v6);
    assert_ptr_equal(yl_ks_version_at(v6, UINT64_MAX), v6);
    assert_false(yl_ks_version_is_change(v2));
    assert_true(yl_ks_version_is_change(v4));
    assert_false(yl_ks_version_is_change(v6));
    yl_ks_pool_put(&pool, v6);
    yl_ks_pool_release(&pool);
    yl_object_unref(object);
}

TEST(cells_are_small_and_used_again)
{
    struct yl_ks_version *versions[500];
    struct yl_ks_pool pool;
    size_t i;

    assert_int_equal(sizeof(struct yl_ks_version), 32);
    yl_ks_pool_init(&pool);
    for (i = 0; i < 500; i++) {
        versions[i] = yl_ks_pool_take(&pool, NULL, i);
    }
    for (i = 0; i < 500; i++) {
        assert_int_equal(versions[i]->revision, i);
    }
    yl_ks_pool_put(&pool, versions[77]);
    assert_ptr_equal(yl_ks_pool_take(&pool, NULL, 1), versions[77]);
    yl_ks_pool_release(&pool);
}
