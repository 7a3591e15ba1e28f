/* Tests of the arena. */

#include "base/arena.h"

#include "unit.h"

TEST(allocations_are_aligned_for_any_type)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < 3000; i++) {
        char *p = yl_arena_alloc(arena, i);

        assert_non_null(p);
        assert_int_equal((uintptr_t) p % 16, 0);
        memset(p, 0xff, i);
    }
    yl_arena_free(arena);
    yl_arena_free(NULL);
}

TEST(size_of_zero_gives_a_pointer_even_in_a_new_arena)
{
    struct yl_arena *arena = yl_arena_new();
    void *a = yl_arena_alloc(arena, 0), *b = yl_arena_zalloc(arena, 0);

    assert_non_null(a);
    assert_non_null(b);
    assert_non_null(yl_arena_array(arena, 0, 8));
    assert_non_null(yl_arena_array(arena, 8, 0));
    yl_arena_free(arena);
}

TEST(allocations_do_not_overlap)
{
    enum { N = 500 };
    struct yl_arena *arena = yl_arena_new();
    unsigned char *p[N];
    size_t i, j;

    /* Sizes on both sides of every threshold, large ones now and then. */
    for (i = 0; i < N; i++) {
        size_t size = i % 50 ? i : i * 200;

        p[i] = yl_arena_alloc(arena, size + 1);
        memset(p[i], (int) (i % 251), size + 1);
    }
    for (i = 0; i < N; i++) {
        size_t size = i % 50 ? i : i * 200;

        for (j = 0; j <= size; j++) {
            assert_int_equal(p[i][j], i % 251);
        }
    }
    yl_arena_free(arena);
}

TEST(zalloc_and_array_are_zeroed_when_memory_is_reused)
{
    struct yl_arena *arena = yl_arena_new();
    unsigned char *p;
    int i;

    memset(yl_arena_alloc(arena, 1000), 0xff, 1000);
    yl_arena_clear(arena);
    p = yl_arena_zalloc(arena, 500);
    for (i = 0; i < 500; i++) {
        assert_int_equal(p[i], 0);
    }
    p = yl_arena_array(arena, 100, 5);
    for (i = 0; i < 500; i++) {
        assert_int_equal(p[i], 0);
    }
    yl_arena_free(arena);
}

TEST(copies_end_with_a_nul)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_str copy = yl_arena_copy(arena, yl_str_n("abcdef", 3));
    char *long_text;

    assert_str_equal(copy, "abc");
    assert_int_equal(copy.data[3], '\0');
    assert_string_equal(yl_arena_strdup(arena, yl_str_null()), "");
    assert_string_equal(yl_arena_printf(arena, "%d-%s", 12, "x"), "12-x");
    assert_string_equal(yl_arena_printf(arena, "%s", ""), "");
    long_text = yl_arena_printf(arena, "%0*d", 10000, 1);
    assert_int_equal(strlen(long_text), 10000);
    yl_arena_free(arena);
}

/* Each release writes its letter and checks that memory is still there. */
static char order[10];
static size_t n_released;

static void
note_release(void *letter)
{
    order[n_released++] = *(char *) letter;
}

TEST(references_go_newest_first_and_before_the_memory)
{
    struct yl_arena *arena = yl_arena_new();
    const char *letter;

    n_released = 0;
    memset(order, 0, sizeof order);
    for (letter = "abc"; *letter; letter++) {
        char *copy = yl_arena_alloc(arena, 1);

        *copy = *letter;
        yl_arena_attach(arena, note_release, copy);
    }
    yl_arena_clear(arena);
    assert_string_equal(order, "cba");
    yl_arena_clear(arena);
    assert_string_equal(order, "cba");
    yl_arena_attach(arena, note_release, (char *) "d");
    yl_arena_free(arena);
    assert_string_equal(order, "cbad");
}

TEST(work_in_a_loop_settles_at_one_chunk)
{
    static const size_t rounds[][3] = {
        { 100, 100, 100 },
        { 10, 20000, 10 },      /* One that gets a chunk to itself. */
        { 3000, 3000, 3000 },
        { 100000, 50000, 60000 },
        { 5000, 4000, 3000 },
    };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(rounds); i++) {
        struct yl_arena *arena = yl_arena_new();
        size_t footprint = 0;
        int turn;

        for (turn = 0; turn < 4; turn++) {
            size_t j;

            for (j = 0; j < 3; j++) {
                yl_arena_alloc(arena, rounds[i][j]);
            }
            if (turn > 0) {
                assert_int_equal(yl_arena_footprint(arena), footprint);
            }
            yl_arena_clear(arena);
            footprint = yl_arena_footprint(arena);
            assert_true(footprint <= 256 * 1024);
        }
        yl_arena_free(arena);
    }
}

TEST(cleared_arena_gives_large_memory_back)
{
    struct yl_arena *arena = yl_arena_new();

    assert_int_equal(yl_arena_footprint(arena), 0);
    yl_arena_clear(arena);
    assert_int_equal(yl_arena_footprint(arena), 0);
    yl_arena_alloc(arena, 10 << 20);
    assert_true(yl_arena_footprint(arena) >= 10 << 20);
    assert_true(yl_arena_footprint(arena) < 11 << 20);
    yl_arena_clear(arena);
    assert_int_equal(yl_arena_footprint(arena), 256 * 1024);
    yl_arena_free(arena);
}

static void
release_nothing(void *thing YL_UNUSED)
{
}

static void
release_other(void *thing YL_UNUSED)
{
}

static bool
is_same(const void *thing, const void *aux)
{
    return thing == aux;
}

TEST(recent_attachments_are_found)
{
    struct yl_arena *arena = yl_arena_new();
    char things[YL_ARENA_RECENT + 1];
    int i;

    assert_null(yl_arena_find_attached(arena, release_nothing, is_same,
                                       things));
    for (i = 0; i < YL_ARENA_RECENT + 1; i++) {
        yl_arena_attach(arena, release_nothing, &things[i]);
    }
    assert_ptr_equal(yl_arena_find_attached(arena, release_nothing, is_same,
                                            &things[1]), &things[1]);
    assert_null(yl_arena_find_attached(arena, release_other, is_same,
                                       &things[1]));
    assert_null(yl_arena_find_attached(arena, release_nothing, is_same,
                                       &things[0]));
    yl_arena_free(arena);
}

static jmp_buf out_of_memory;

static void
hook(size_t size YL_UNUSED)
{
    longjmp(out_of_memory, 1);
}

TEST(impossible_sizes_are_out_of_memory)
{
    static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 15, SIZE_MAX / 2 + 1,
                                    SIZE_MAX / 2, SIZE_MAX / 2 - 100 };
    struct yl_arena *arena = yl_arena_new();
    volatile size_t i;
    volatile int n = 0;

    yl_set_oom_hook(hook);
    for (i = 0; i < YL_ARRAY_SIZE(sizes); i++) {
        if (setjmp(out_of_memory) == 0) {
            yl_arena_alloc(arena, sizes[i]);
            fail();
        }
        n++;
    }
    if (setjmp(out_of_memory) == 0) {
        yl_arena_array(arena, SIZE_MAX / 4, 5);
        fail();
    }
    yl_set_oom_hook(NULL);
    assert_int_equal(n, YL_ARRAY_SIZE(sizes));
    yl_arena_free(arena);
}
