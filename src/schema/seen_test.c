/* Tests of finding values that were seen already. */

#include "schema/seen.h"

#include "json/tree.h"
#include "unit.h"
#include "yuloh/arena.h"

TEST(equal_values_are_found)
{
    static const char text[] = "[1,\"1\",{\"a\":1,\"b\":2},[1],null,1.5,"
                               "1.0,\"\\u0031\",{\"b\":2.0,\"a\":1},[1],null,"
                               "15e-1]";
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *list, *node;
    struct yl_seen seen;
    size_t i = 0;

    assert_int_equal(yl_tree_parse(arena, yl_str_c(text), NULL, &list, NULL),
                     0);
    yl_seen_init(&seen, arena, yl_node_equal);
    YL_NODE_FOR_EACH (node, list) {
        assert_int_equal(yl_seen_add(&seen, node), i >= 6);
        i++;
    }
    yl_seen_release(&seen);
    yl_arena_free(arena);
}
