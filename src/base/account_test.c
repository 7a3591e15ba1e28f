/* Tests of accounts, and of arenas that have one. */

#include "base/account.h"

#include "base/arena.h"
#include "unit.h"
#include "yuloh/error.h"

/* A pool of so many bytes. */
static size_t room;

static bool
take(void *aux, size_t n)
{
    size_t *n_calls = aux;

    ++*n_calls;
    if (n > room) {
        return false;
    }
    room -= n;
    return true;
}

static void
give(void *aux YL_UNUSED, size_t n)
{
    room += n;
}

TEST(a_pool_gets_back_what_it_granted)
{
    size_t n_calls = 0;
    struct yl_account account = { .take = take, .give = give,
                                  .aux = &n_calls };

    room = 100;
    yl_account_add(&account, 60);
    yl_account_add(&account, 30);
    assert_int_equal(room, 10);
    assert_int_equal(yl_account_check(&account, NULL), 0);
    yl_account_remove(&account, 30);
    assert_int_equal(room, 40);

    /* What is refused is still used, and the pool knows nothing of it. */
    yl_account_add(&account, 50);
    assert_int_equal(room, 40);
    assert_int_equal(account.used, 110);
    yl_account_remove(&account, 50);
    assert_int_equal(room, 40);
    yl_account_remove(&account, 60);
    assert_int_equal(room, 100);
    assert_int_equal(account.used, 0);
    assert_int_equal(account.taken, 0);
    assert_int_equal(account.peak, 110);
}

TEST(the_first_refusal_stays)
{
    size_t n_calls = 0;
    struct yl_account account = { .ceiling = 1000, .take = take, .give = give,
                                  .aux = &n_calls };
    struct yl_error err = YL_ERROR_INIT;

    room = 500;
    yl_account_add(&account, 400);
    yl_account_add(&account, 200);
    assert_int_equal(yl_account_check(&account, &err), YL_ETHROTTLED);
    assert_int_equal(err.retry_after, 1000);
    yl_account_add(&account, 2000);
    assert_int_equal(yl_account_check(&account, NULL), YL_ETHROTTLED);
    assert_int_equal(n_calls, 2);
    yl_account_remove(&account, 2600);
    assert_int_equal(room, 500);
    assert_int_equal(yl_account_check(&account, NULL), YL_ETHROTTLED);
    yl_error_clear(&err);
}

TEST(a_ceiling_is_named)
{
    struct yl_account account = { .ceiling = 1000 };
    struct yl_error err = YL_ERROR_INIT;

    yl_account_add(&account, 1000);
    assert_int_equal(yl_account_check(&account, &err), 0);
    yl_account_add(&account, 1);
    assert_int_equal(yl_account_check(&account, &err), YL_ETOOBIG);
    assert_non_null(strstr(yl_error_message(&err), "limit is 1000"));
    yl_error_clear(&err);
}

TEST(an_arena_is_charged_by_the_chunk)
{
    size_t n_calls = 0;
    struct yl_account account = { .take = take, .give = give,
                                  .aux = &n_calls };
    struct yl_arena a, b;

    room = 64 << 20;
    yl_arena_init(&a);
    yl_arena_init(&b);
    yl_arena_set_account(&a, &account);
    yl_arena_set_account(&b, &account);
    for (int i = 0; i < 100000; i++) {
        yl_arena_alloc(&a, 64);
    }
    yl_arena_alloc(&b, 3 << 20);
    assert_true(n_calls < 40);
    assert_int_equal(account.used,
                     yl_arena_footprint(&a) + yl_arena_footprint(&b));
    assert_int_equal(room, (64 << 20) - account.used);

    /* A cleared arena keeps a chunk, which stays charged. */
    yl_arena_clear(&a);
    assert_int_equal(account.used,
                     yl_arena_footprint(&a) + yl_arena_footprint(&b));
    yl_arena_release(&a);
    yl_arena_release(&b);
    assert_int_equal(account.used, 0);
    assert_int_equal(room, 64 << 20);
}

TEST(an_arena_with_chunks_brings_them_along)
{
    struct yl_account account = { .ceiling = 1 << 20 };
    struct yl_arena *arena = yl_arena_new();

    yl_arena_alloc(arena, 100000);
    yl_arena_set_account(arena, &account);
    assert_int_equal(account.used, yl_arena_footprint(arena));
    yl_arena_set_account(arena, NULL);
    assert_int_equal(account.used, 0);
    yl_arena_free(arena);
}

TEST(an_arena_that_is_over_still_serves)
{
    struct yl_account account = { .ceiling = 10000 };
    struct yl_arena *arena = yl_arena_new();
    struct yl_error err = YL_ERROR_INIT;

    assert_false(yl_arena_is_over(arena));
    assert_int_equal(yl_arena_check(arena, &err), 0);
    yl_arena_set_account(arena, &account);
    assert_false(yl_arena_is_over(arena));
    memset(yl_arena_alloc(arena, 20000), 1, 20000);
    assert_true(yl_arena_is_over(arena));
    assert_int_equal(yl_arena_check(arena, &err), YL_ETOOBIG);
    memset(yl_arena_alloc(arena, 20000), 1, 20000);
    yl_arena_clear(arena);
    assert_true(yl_arena_is_over(arena));
    yl_error_clear(&err);
    yl_arena_free(arena);
    assert_int_equal(account.used, 0);
}
