/* Tests of the B+tree: the same operations on an array must give the same. */

#include "apiserver/keyspace/btree.h"

#include <stdio.h>

#include "keyspace_unit.h"
#include "unit.h"

#define N_KEYS 3000
#define KEY_SIZE 80

struct model {
    bool there[N_KEYS];
    bool live[N_KEYS];
    int values[N_KEYS];
};

/* Keys of several kinds: short ones, ones that share more than a node's index
 * holds, and pairs of which one is the beginning of the other. */
static struct yl_str
key_text(unsigned i, char space[KEY_SIZE])
{
    static const char *const beginnings[] = {
        "k", "key-", "a-namespace-that-is-longer-than-any-index-can-be/key-",
        "",
    };
    int n = snprintf(space, KEY_SIZE, "%s%04u", beginnings[i / 2 % 4], i / 2);

    return yl_str_n(space, (size_t) n + i % 2);
}

TEST(empty_tree)
{
    struct yl_btree tree;

    yl_btree_init(&tree);
    assert_null(yl_btree_get(&tree, YL_STR("a")));
    assert_null(yl_btree_remove(&tree, YL_STR("a")));
    assert_int_equal(yl_btree_rank(&tree, YL_STR("a")), 0);
    assert_null(yl_btree_seek(&tree, YL_STR("")).leaf);
    yl_btree_release(&tree);
}

static int
compare_numbers(const void *a_, const void *b_)
{
    const unsigned *a = a_, *b = b_;
    char sa[KEY_SIZE], sb[KEY_SIZE];

    return yl_str_compare(key_text(*a, sa), key_text(*b, sb));
}

/* Walks, seeks, ranks and gets, and compares each with the model. */
static void
check_tree(const struct yl_btree *tree, const struct model *model)
{
    static unsigned order[N_KEYS];
    struct yl_btree_at at = yl_btree_seek(tree, YL_STR(""));
    uint64_t n = 0, n_live = 0;
    unsigned i;
    char space[KEY_SIZE];

    for (i = 0; i < N_KEYS; i++) {
        order[i] = i;
    }
    qsort(order, N_KEYS, sizeof order[0], compare_numbers);
    for (i = 0; i < N_KEYS; i++) {
        struct yl_str key = key_text(order[i], space);
        struct yl_btree_at found = yl_btree_seek(tree, key);

        assert_int_equal(yl_btree_rank(tree, key), n_live);
        if (!model->there[order[i]]) {
            assert_null(yl_btree_get(tree, key));
            assert_ptr_equal(found.leaf, at.leaf);
            continue;
        }
        assert_true(yl_str_equal(yl_btree_key(at), key));
        assert_ptr_equal(yl_btree_value(at), &model->values[order[i]]);
        assert_ptr_equal(yl_btree_get(tree, key), &model->values[order[i]]);
        assert_ptr_equal(found.leaf, at.leaf);
        assert_int_equal(found.index, at.index);
        yl_btree_next(&at);
        found = yl_btree_seek_behind(tree, key);
        assert_ptr_equal(found.leaf, at.leaf);
        assert_int_equal(found.index, at.index);
        n++;
        n_live += model->live[order[i]];
    }
    assert_null(at.leaf);
    assert_int_equal(tree->n_keys, n);
    assert_int_equal(tree->n_live, n_live);
}

static void
step(struct yl_btree *tree, struct model *model, unsigned i, bool there,
     bool live)
{
    char space[KEY_SIZE];
    struct yl_str key = key_text(i, space);
    void *old = model->there[i] ? &model->values[i] : NULL;

    if (there) {
        assert_ptr_equal(yl_btree_set(tree, key, &model->values[i], live),
                         old);
    } else {
        assert_ptr_equal(yl_btree_remove(tree, key), old);
    }
    model->there[i] = there;
    model->live[i] = there && live;
}

TEST(random_operations_agree_with_an_array)
{
    static struct model model;
    struct yl_btree tree;
    uint64_t random = RANDOM_SEED;
    unsigned round, i;

    yl_btree_init(&tree);
    for (round = 0; round < 12; round++) {
        /* Growing rounds and shrinking ones. */
        unsigned chance = round % 4 < 2 ? 80 : 15;

        for (i = 0; i < N_KEYS; i++) {
            step(&tree, &model, random_below(&random, N_KEYS),
                 random_below(&random, 100) < chance,
                 random_below(&random, 4) > 0);
        }
        check_tree(&tree, &model);
    }
    for (i = 0; i < N_KEYS; i++) {
        step(&tree, &model, (i * 7) % N_KEYS, false, false);
    }
    check_tree(&tree, &model);
    assert_null(tree.root);
    yl_btree_release(&tree);
}

TEST(nodes_do_not_stay_empty)
{
    static struct model model;
    struct yl_btree tree;
    unsigned i;

    yl_btree_init(&tree);
    for (i = 0; i < N_KEYS; i++) {
        step(&tree, &model, i, true, true);
    }
    assert_int_equal(tree.height, 2);
    for (i = 0; i < N_KEYS; i++) {
        if (i % (N_KEYS / 30)) {
            step(&tree, &model, i, false, true);
        }
    }

    /* Thirty keys, eight or more to a leaf. */
    check_tree(&tree, &model);
    assert_in_range(tree.height, 0, 1);
    yl_btree_release(&tree);
}

TEST(a_run_is_what_stands_in_a_leaf)
{
    static int values[100];
    struct yl_btree tree;
    struct yl_btree_at at, end, none = { NULL, 0 };
    size_t i, n, total = 0;
    char space[KEY_SIZE];

    yl_btree_init(&tree);
    for (i = 0; i < 100; i++) {
        /* All of the form kNNNN. */
        yl_btree_set(&tree, key_text((unsigned) i * 8, space), &values[i],
                     true);
    }
    at = yl_btree_seek(&tree, key_text(10 * 8, space));
    end = yl_btree_seek(&tree, key_text(90 * 8, space));
    while (!yl_btree_at_equal(at, end)) {
        void **run = yl_btree_run(&at, end, 7, &n);

        assert_in_range(n, 1, 7);
        for (i = 0; i < n; i++) {
            assert_ptr_equal(run[i], &values[10 + total++]);
        }
    }
    assert_int_equal(total, 80);
    while (!yl_btree_at_equal(at, none)) {
        yl_btree_run(&at, none, SIZE_MAX, &n);
        total += n;
    }
    assert_int_equal(total, 90);
    yl_btree_release(&tree);
}

TEST(ascending_and_descending_orders_work)
{
    static struct model model;
    struct yl_btree tree;
    unsigned i;

    yl_btree_init(&tree);
    for (i = 0; i < N_KEYS; i++) {
        step(&tree, &model, i, true, true);
    }
    check_tree(&tree, &model);
    for (i = 0; i < N_KEYS; i++) {
        step(&tree, &model, i, false, true);
    }
    assert_null(tree.root);
    for (i = N_KEYS; i-- > 0; ) {
        step(&tree, &model, i, true, i % 2);
    }
    check_tree(&tree, &model);
    for (i = N_KEYS; i-- > 1; ) {
        step(&tree, &model, i, false, true);
    }
    check_tree(&tree, &model);
    yl_btree_release(&tree);
}
