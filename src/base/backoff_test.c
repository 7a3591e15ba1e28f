/* Tests of base/backoff.h. */

#include "base/backoff.h"

#include "unit.h"

/* client-go's reflector: 0.8 s to 30 s, doubled, forgotten after 2 minutes. */
#define MIN 800
#define MAX 30000
#define RESET 120000

static void
between(yl_msec delay, yl_msec from, yl_msec to)
{
    assert_true(delay >= from);
    assert_true(delay < to);
}

TEST(delays_double_up_to_the_limit_and_have_a_random_part)
{
    static const yl_msec floors[] = {
        800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000,
    };
    struct yl_backoff backoff;
    yl_msec now = 5;
    uint64_t seed;
    size_t i;

    for (seed = 0; seed < 50; seed++) {
        yl_backoff_init(&backoff, MIN, MAX, RESET, seed);
        for (i = 0; i < YL_ARRAY_SIZE(floors); i++) {
            yl_msec delay = yl_backoff_next(&backoff, now);

            between(delay, floors[i], 2 * floors[i]);
            now += delay;
        }
    }
}

TEST(chance_differs_from_one_client_to_the_next)
{
    struct yl_backoff a, b;
    int i, n_equal = 0;

    for (i = 0; i < 20; i++) {
        yl_backoff_init(&a, MIN, MAX, RESET, (uint64_t) i);
        yl_backoff_init(&b, MIN, MAX, RESET, (uint64_t) i + 100);
        n_equal += yl_backoff_next(&a, 0) == yl_backoff_next(&b, 0);
    }
    assert_true(n_equal < 3);
}

TEST(the_same_seed_gives_the_same_delays)
{
    struct yl_backoff a, b;
    int i;

    yl_backoff_init(&a, MIN, MAX, RESET, 7);
    yl_backoff_init(&b, MIN, MAX, RESET, 7);
    for (i = 0; i < 20; i++) {
        assert_int_equal(yl_backoff_next(&a, i), yl_backoff_next(&b, i));
    }
}

TEST(a_while_without_failures_is_forgiven)
{
    struct yl_backoff backoff;

    yl_backoff_init(&backoff, MIN, MAX, RESET, 1);
    yl_backoff_next(&backoff, 0);
    between(yl_backoff_next(&backoff, RESET), 2 * MIN, 4 * MIN);
    between(yl_backoff_next(&backoff, 2 * RESET + 1), MIN, 2 * MIN);
}

TEST(a_reset_starts_over)
{
    struct yl_backoff backoff;

    yl_backoff_init(&backoff, MIN, MAX, RESET, 1);
    yl_backoff_next(&backoff, 0);
    yl_backoff_reset(&backoff);
    between(yl_backoff_next(&backoff, 1), MIN, 2 * MIN);
}

TEST(chance_reaches_every_number)
{
    bool seen[10] = { false };
    uint64_t chance = 3;
    int i;

    for (i = 0; i < 1000; i++) {
        int64_t n = yl_chance(&chance, 10);

        between(n, 0, 10);
        seen[n] = true;
    }
    for (i = 0; i < 10; i++) {
        assert_true(seen[i]);
    }
}
