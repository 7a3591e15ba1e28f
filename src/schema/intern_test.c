/* Tests of tables whose equal runs stand once. */

#include "schema/intern.h"

#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

TEST(equal_runs_stand_once)
{
    static const uint32_t rows[] = { 1, 2, 3, 1, 2 };
    struct yl_arena *arena = yl_arena_new();
    struct yl_intern intern;

    yl_intern_init(&intern, arena, sizeof rows[0], 1024);
    assert_int_equal(yl_intern_count(&intern), 1);
    assert_int_equal(yl_intern_add(&intern, rows, 0), 0);
    assert_int_equal(yl_intern_add(&intern, rows, 2), 1);
    assert_int_equal(yl_intern_add(&intern, rows + 2, 1), 3);
    assert_int_equal(yl_intern_add(&intern, rows + 3, 2), 1);
    assert_int_equal(yl_intern_add(&intern, rows, 3), 4);
    assert_int_equal(yl_intern_count(&intern), 7);
    assert_int_equal(((uint32_t *) (void *) intern.rows.data)[0], 0);
    yl_intern_release(&intern);
    yl_arena_free(arena);
}

TEST(tables_have_a_ceiling)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_intern intern;

    yl_intern_init(&intern, arena, 1, 4);
    assert_int_equal(yl_intern_add(&intern, "abc", 3), 1);
    assert_int_equal(yl_intern_add(&intern, "d", 1), YL_ETOOBIG);
    assert_int_equal(yl_intern_add(&intern, "abc", 3), 1);
    yl_intern_release(&intern);
    yl_arena_free(arena);
}
