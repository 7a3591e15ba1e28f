/* Tests of the intrusive hash map. */

#include "base/map.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "unit.h"

struct item {
    int padding;                /* So that 'node' is not at offset 0. */
    size_t key;
    struct yl_map_node node;
};

static struct item *
find(const struct yl_map *map, size_t key, size_t hash)
{
    struct item *item;

    YL_MAP_FOR_EACH_WITH_HASH (item, node, hash, map) {
        if (item->key == key) {
            return item;
        }
    }
    return NULL;
}

TEST(zeros_are_an_empty_map)
{
    struct yl_map map = YL_MAP_INIT;
    struct item *item;

    assert_true(yl_map_is_empty(&map));
    assert_null(find(&map, 1, 1));
    YL_MAP_FOR_EACH (item, node, &map) {
        fail();
    }
    assert_null(item);
    YL_MAP_FOR_EACH_SAFE (item, node, &map) {
        fail();
    }
    yl_map_clear(&map);
    yl_map_shrink(&map);
    assert_null(map.buckets);
    yl_map_release(&map);
}

TEST(lookup_finds_what_was_inserted_through_growth)
{
    enum { N = 5000 };
    struct item *items = yl_malloc_array(N, sizeof *items);
    struct yl_map map;
    size_t i;

    yl_map_init(&map);
    for (i = 0; i < N; i++) {
        items[i].key = i;
        yl_map_insert(&map, &items[i].node, yl_hash_u64(i));
        assert_true(map.mask + 1 >= map.count);
    }
    assert_int_equal(yl_map_count(&map), N);
    for (i = 0; i < N; i++) {
        assert_ptr_equal(find(&map, i, yl_hash_u64(i)), &items[i]);
        assert_null(find(&map, N + i, yl_hash_u64(N + i)));
    }
    yl_map_release(&map);
    free(items);
}

TEST(equal_hashes_in_one_bucket_are_all_visited_once)
{
    struct item items[20], *item;
    struct yl_map map = YL_MAP_INIT;
    bool seen[20] = { false };
    size_t i, n = 0;

    for (i = 0; i < 20; i++) {
        items[i].key = i;
        /* Two hashes that share every bucket until the map has 128. */
        yl_map_insert(&map, &items[i].node, i % 2 ? 7 : 7 + 128);
    }
    YL_MAP_FOR_EACH_WITH_HASH (item, node, 7, &map) {
        assert_int_equal(item->key % 2, 1);
        assert_false(seen[item->key]);
        seen[item->key] = true;
        n++;
    }
    assert_null(item);
    assert_int_equal(n, 10);
    yl_map_release(&map);
}

TEST(walk_visits_every_node_once_and_safe_walk_may_free)
{
    struct yl_map map = YL_MAP_INIT, moved;
    struct item *item;
    size_t i, sum = 0;

    for (i = 0; i < 100; i++) {
        item = yl_malloc(sizeof *item);
        item->key = i;
        yl_map_insert(&map, &item->node, yl_hash_u64(i));
    }
    moved = map;
    YL_MAP_FOR_EACH (item, node, &moved) {
        sum += item->key;
    }
    assert_int_equal(sum, 99 * 100 / 2);
    assert_null(item);

    YL_MAP_FOR_EACH_SAFE (item, node, &moved) {
        sum -= item->key;
        yl_map_remove(&moved, &item->node);
        free(item);
    }
    assert_null(item);
    assert_int_equal(sum, 0);
    assert_true(yl_map_is_empty(&moved));
    yl_map_release(&moved);
}

TEST(remove_takes_out_exactly_that_node)
{
    struct item items[3] = { { .key = 0 }, { .key = 0 }, { .key = 0 } };
    struct yl_map map = YL_MAP_INIT;
    size_t i;

    for (i = 0; i < 3; i++) {
        yl_map_insert(&map, &items[i].node, 5);
    }
    yl_map_remove(&map, &items[1].node);
    assert_int_equal(yl_map_count(&map), 2);
    assert_ptr_equal(yl_map_first_with_hash(&map, 5), &items[2].node);
    assert_ptr_equal(yl_map_next_with_hash(&items[2].node), &items[0].node);
    assert_null(yl_map_next_with_hash(&items[0].node));
    yl_map_clear(&map);
    assert_null(yl_map_first(&map));
    yl_map_release(&map);
}

TEST(replace_keeps_the_hash)
{
    struct item old = { .key = 1 }, other = { .key = 2 }, new = { .key = 1 };
    struct yl_map map = YL_MAP_INIT;

    yl_map_insert(&map, &old.node, 9);
    yl_map_insert(&map, &other.node, 9);
    yl_map_replace(&map, &old.node, &new.node);
    assert_ptr_equal(find(&map, 1, 9), &new);
    assert_ptr_equal(find(&map, 2, 9), &other);
    assert_int_equal(yl_map_count(&map), 2);
    yl_map_release(&map);
}

TEST(reserve_avoids_growth_and_shrink_gives_back)
{
    struct item items[100];
    struct yl_map map = YL_MAP_INIT;
    struct yl_map_node **buckets;
    size_t i;

    yl_map_reserve(&map, 0);
    assert_null(map.buckets);
    yl_map_reserve(&map, 100);
    buckets = map.buckets;
    for (i = 0; i < 100; i++) {
        items[i].key = i;
        yl_map_insert(&map, &items[i].node, yl_hash_u64(i));
    }
    assert_ptr_equal(map.buckets, buckets);
    yl_map_reserve(&map, 128);
    assert_ptr_equal(map.buckets, buckets);
    yl_map_shrink(&map);
    assert_ptr_equal(map.buckets, buckets);

    for (i = 10; i < 100; i++) {
        yl_map_remove(&map, &items[i].node);
    }
    assert_int_equal(map.mask, 127);
    yl_map_shrink(&map);
    assert_int_equal(map.mask, 15);
    for (i = 0; i < 100; i++) {
        assert_ptr_equal(find(&map, i, yl_hash_u64(i)),
                         i < 10 ? &items[i] : NULL);
    }
    yl_map_release(&map);
}

static void
reserve_too_much(void *map)
{
    yl_map_reserve(map, SIZE_MAX);
}

TEST(reserve_beyond_memory_is_out_of_memory)
{
    struct yl_map map = YL_MAP_INIT;

    assert_aborts(reserve_too_much, &map, "out of memory");
}
