#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H 1

/* Unit tests: cmocka, without the registration by hand.
 *
 * A test is one TEST(name) { ... } in some x_test.c; tests/unit_main.c runs
 * all that a binary holds, in the order of the file.  Everything that cmocka
 * asserts with can be used.
 *
 * Reference data is in ../shared/truth, beside the checkout.  A test that
 * needs it calls truth_path(), which skips the test with a message if the
 * folder is absent.
 *
 *     TEST(arena_is_aligned)
 *     {
 *         assert_int_equal((uintptr_t) yl_arena_alloc(arena, 1) % 16, 0);
 *     } */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "yuloh/str.h"

typedef void unit_test_fn(void **state);

void unit_register(const char *name, unit_test_fn *function);

#define TEST(NAME)                                                            \
    static void NAME(void **state);                                           \
    __attribute__((constructor)) static void register_##NAME(void)            \
    {                                                                         \
        unit_register(#NAME, NAME);                                           \
    }                                                                         \
    static void NAME(void **state __attribute__((unused)))

/* The slice must hold exactly the bytes of the C string. */
#define assert_str_equal(STR, C)                                              \
    unit_assert_str_equal((STR), (C), __FILE__, __LINE__)
void unit_assert_str_equal(struct yl_str, const char *, const char *file,
                           int line);

/* The path of 'name' below ../shared/truth, lent until the next call.  Skips
 * the running test when the folder is not there. */
const char *truth_path(const char *name);

/* The path of 'name' in the source tree, lent until the next call. */
const char *source_path(const char *name);

/* A whole file, NUL-terminated; freed by the caller.  Fails the test when it
 * cannot be read. */
char *read_file(const char *path, size_t *ret_size);

/* Calling FUNCTION(ARG) must abort the process, after writing something that
 * contains TEXT to standard error.  It runs in a child. */
#define assert_aborts(FUNCTION, ARG, TEXT)                                    \
    unit_assert_aborts((FUNCTION), (ARG), (TEXT), __FILE__, __LINE__)
void unit_assert_aborts(void (*function)(void *), void *arg, const char *text,
                        const char *file, int line);

#endif /* tests/unit.h */
