/* Tests of malloc that does not return NULL. */

#include "base/alloc.h"

#include "unit.h"
#include "yuloh/arena.h"

static jmp_buf out_of_memory;
static size_t size_asked;

static void
hook(size_t size)
{
    size_asked = size;
    longjmp(out_of_memory, 1);
}

static void
returning_hook(size_t size YL_UNUSED)
{
}

/* More than any machine has, hidden from the compiler's own checks. */
static volatile size_t too_much = SIZE_MAX / 2;

#define assert_out_of_memory(EXPRESSION, SIZE)                                \
    do {                                                                      \
        yl_set_oom_hook(hook);                                                \
        if (setjmp(out_of_memory) == 0) {                                     \
            free(EXPRESSION);                                                 \
            fail();                                                           \
        }                                                                     \
        yl_set_oom_hook(NULL);                                                \
        assert_true(size_asked == (SIZE));                                    \
    } while (0)

TEST(sizes_of_zero_give_memory)
{
    void *p[5];
    size_t i;

    p[0] = yl_malloc(0);
    p[1] = yl_zalloc(0);
    p[2] = yl_realloc(NULL, 0);
    p[3] = yl_malloc_array(0, 8);
    p[4] = yl_malloc_array(8, 0);
    for (i = 0; i < 5; i++) {
        assert_non_null(p[i]);
        free(p[i]);
    }
}

TEST(zalloc_zeroes_and_realloc_keeps)
{
    char *p = yl_zalloc(1000);
    int *array;
    int i;

    for (i = 0; i < 1000; i++) {
        assert_int_equal(p[i], 0);
    }
    memcpy(p, "abc", 4);
    p = yl_realloc(p, 100000);
    assert_string_equal(p, "abc");
    free(p);

    array = yl_malloc_array(2, sizeof *array);
    array[1] = 7;
    array = yl_realloc_array(array, 1000, sizeof *array);
    assert_int_equal(array[1], 7);
    free(array);
}

TEST(strdup_ends_with_a_nul)
{
    char *a = yl_strdup(yl_str_n("abcdef", 3));
    char *b = yl_strdup(yl_str_null());

    assert_string_equal(a, "abc");
    assert_string_equal(b, "");
    free(a);
    free(b);
}

TEST(failure_runs_the_hook_with_the_size)
{
    assert_out_of_memory(yl_malloc(too_much), too_much);
    assert_out_of_memory(yl_zalloc(too_much), too_much);
    assert_out_of_memory(yl_realloc(NULL, too_much), too_much);
}

TEST(product_that_overflows_is_out_of_memory)
{
    assert_out_of_memory(yl_malloc_array(too_much, 4), SIZE_MAX);
    assert_out_of_memory(yl_realloc_array(NULL, 4, too_much), SIZE_MAX);
}

static void
ask_for_too_much(void *unused YL_UNUSED)
{
    free(yl_malloc(too_much));
}

TEST(without_a_hook_or_after_it_the_process_aborts)
{
    assert_aborts(ask_for_too_much, NULL, "yuloh: out of memory (");
    yl_set_oom_hook(returning_hook);
    assert_aborts(ask_for_too_much, NULL, "yuloh: out of memory (");
    yl_set_oom_hook(NULL);
}
