/* Tests of json/yaml_sort.c. */

#include "json/yaml_sort.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

static bool
less(const char *a, const char *b)
{
    return yl_yaml_key_less(yl_str_c(a), yl_str_c(b));
}

TEST(each_pair_is_in_gos_order)
{
    static const char *const pairs[][2] = {
        { "", "a" }, { "a", "b" }, { "B", "a" }, { "a", "ab" }, { "1", "a" },
        { "_", "a" }, { "-", "_" }, { "a2", "a10" }, { "a1", "a01" },
        { "a0", "a00" }, { "a9b", "a10b" }, { "a10", "a100" },
        { "10.2", "10.10" }, { "a100b", "a101a" }, { "a.b", "a1" },
        { "a-b", "ab" }, { "e", "\303\251" }, { "9", "\331\243" },
        { "\331\2430", "\331\2431" }, { "z", "\346\227\245" },
        { "v10", "v1beta1" }, { "v1beta1", "v2" }, { "v2", "v10" },
        { "28446744073709551616", "3" },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        if (!less(pairs[i][0], pairs[i][1])
            || less(pairs[i][1], pairs[i][0])) {
            fail_msg("'%s' is not before '%s'", pairs[i][0], pairs[i][1]);
        }
        assert_false(less(pairs[i][0], pairs[i][0]));
    }
}

TEST(sorts_any_number_of_members)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object = yl_node_new_object(arena);
    const struct yl_node **sorted;
    unsigned n, i;

    for (n = 0; n < 300; n++) {
        char key[16];

        sorted = yl_yaml_sort(arena, object);
        for (i = 1; i < n; i++) {
            assert_true(yl_yaml_key_less(yl_node_key(sorted[i - 1]),
                                         yl_node_key(sorted[i])));
        }
        snprintf(key, sizeof key, "k%u", n * 7919 % 1009);
        yl_node_set(arena, object, yl_str_c(key), yl_node_new_null(arena));
    }
    yl_arena_free(arena);
}
