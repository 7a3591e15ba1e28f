/* Torture of yuloh/reflector.h: whatever breaks, at whatever step, in the end
 * the consumer has what the source has.
 *
 * A scenario changes the source while the reflector lists and watches it.  It
 * runs once without faults, which counts its steps, and then once for each
 * step and each way in which that step can break; then with two faults at
 * once, and with random ones. */

#include "yuloh/reflector.h"

#include "base/backoff.h"
#include "reflector_rig.h"

/* Ways to break. */
static const struct spy_fault ways[] = {
    { .code = 0 },
    { .code = YL_EEXPIRED },
    { .code = YL_EGONE },
    { .code = YL_ETHROTTLED, .retry_after = 5000 },
    { .code = YL_EUNAVAILABLE },
    { .code = YL_ETIMEOUT },
    { .code = YL_ETIMEOUT, .cause = "ResourceVersionTooLarge" },
    { .code = YL_EINTERNAL },
    { .code = YL_EINVALID },
    { .code = YL_EFORBIDDEN },
    { .code = YL_EIO },
    { .code = YL_ETRUNCATED },
    { .what = SPY_ERROR_EVENT, .code = YL_EEXPIRED },
    { .what = SPY_ERROR_EVENT, .code = YL_EINTERNAL },
    { .what = SPY_ERROR_EVENT, .code = YL_ETHROTTLED },
    { .what = SPY_SILENCE },
    { .what = SPY_UNKNOWN_EVENT },
    { .what = SPY_BAD_EVENT },
};

/* Ways in which a reflector can be set up. */
static const struct yl_reflector_opts setups[] = {
    { .no_stream = false },
    { .no_stream = true },
    { .no_stream = true, .page_size = 2 },
    { .no_stream = false, .page_size = 2, .internal_error_retry = 20000 },
};

/* Lets one thing happen at the source, then one at the reflector. */
static void
tick(void)
{
    yl_reflector_run(rig.reflector, rig.now);
    model_drain(&rig.model);
    yl_fake_source_step(rig.source);
    model_drain(&rig.model);
    rig.now += 100;
}

static void
ticks(int n)
{
    while (n-- > 0) {
        tick();
    }
}

/* Adds, updates, deletes and recreates, between the steps of lists and
 * watches; forgets history; ends watches. */
static void
change_things(void)
{
    rig_put(&rig, "a", "1");
    rig_put(&rig, "b", "2");
    rig_put(&rig, "c", "3");
    rig_put(&rig, "d", "4");
    rig_put(&rig, "e", "5");
    ticks(3);
    rig_put(&rig, "a", "1");
    rig_drop(&rig, "b");
    ticks(3);
    rig_drop(&rig, "d");
    rig_put(&rig, "d", "6");
    yl_fake_source_compact(rig.source, 4);
    ticks(6);
    yl_fake_source_bookmark(rig.source);
    ticks(2);
    yl_fake_source_end_calls(rig.source, 0);
    rig_put(&rig, "f", "7");
    ticks(3);
    rig_drop(&rig, "c");
    yl_fake_source_compact(rig.source, yl_fake_source_revision(rig.source));
    rig_put(&rig, "c", "8");
    rig_put(&rig, "a", "1");
    ticks(4);
    yl_fake_source_end_calls(rig.source, YL_EEXPIRED);
    ticks(20);
    rig_put(&rig, "e", "5");
    rig_drop(&rig, "f");
    ticks(4);
}

/* Waits until the consumer has what the source has, for as long as a healthy
 * source could need. */
static void
converge(void)
{
    int n;

    rig_settle(&rig);
    for (n = 0; n < 12; n++) {
        if (rig_is_converged(&rig)
            && yl_delta_queue_has_synced(rig.model.queue)) {
            return;
        }
        rig_wait(&rig);
    }
    fail();
}

/* Runs the scenario with 'faults' and returns the number of its steps. */
static int
torture(const struct yl_reflector_opts *setup, const struct spy_fault *faults,
        size_t n_faults)
{
    int n_steps;

    rig_init(&rig, setup, NULL);
    rig.spy.faults = faults;
    rig.spy.n_faults = n_faults;
    change_things();
    converge();

    /* What broke must not break what comes later. */
    rig.spy.n_faults = 0;
    rig_put(&rig, "z", "9");
    rig_drop(&rig, "a");
    converge();
    n_steps = rig.spy.n_steps;
    rig_release(&rig);
    return n_steps;
}

TEST(converges_when_any_step_breaks_in_any_way)
{
    size_t i, j;
    int step, n_steps;

    for (i = 0; i < YL_ARRAY_SIZE(setups); i++) {
        n_steps = torture(&setups[i], NULL, 0);
        assert_true(n_steps > 15);
        for (j = 0; j < YL_ARRAY_SIZE(ways); j++) {
            for (step = 1; step <= n_steps + 5; step++) {
                struct spy_fault fault = ways[j];

                fault.step = step;
                torture(&setups[i], &fault, 1);
            }
        }
    }
}

TEST(converges_when_any_step_and_one_after_it_break)
{
    size_t i, j, k;
    int step, n_steps;

    for (i = 0; i < YL_ARRAY_SIZE(setups); i++) {
        n_steps = torture(&setups[i], NULL, 0);
        for (j = 0; j < YL_ARRAY_SIZE(ways); j++) {
            for (k = 0; k < YL_ARRAY_SIZE(ways); k++) {
                step = 1 + (int) ((i + 3 * j + 5 * k) % 3);
                for (; step <= n_steps; step += 3) {
                    struct spy_fault faults[2] = { ways[j], ways[k] };

                    faults[0].step = step;
                    faults[1].step = step + 1 + (int) k % 2;
                    torture(&setups[i], faults, 2);
                }
            }
        }
    }
}

/* Chance
 * ====== */

static uint64_t chance;

static const struct spy_fault *
choose(void *aux)
{
    int one_in = *(int *) aux;

    return one_in && yl_chance(&chance, one_in) == 0
           ? &ways[yl_chance(&chance, YL_ARRAY_SIZE(ways))] : NULL;
}

static bool
is_there(const char *name)
{
    struct yl_key key = yl_key_make(YL_STR("d"), yl_str_c(name));

    return yl_fake_source_delete(rig.source, key, NULL) > 0;
}

static void
change_by_chance(void)
{
    char name[2] = { (char) ('a' + yl_chance(&chance, 8)), '\0' };
    char uid[16];
    uint64_t revision;

    switch (yl_chance(&chance, 6)) {
    case 0:
        is_there(name);
        break;

    case 1:
        if (is_there(name)) {
            snprintf(uid, sizeof uid, "%d", (int) yl_chance(&chance, 1000));
            rig_put(&rig, name, uid);
        }
        break;

    case 2:
        revision = yl_fake_source_revision(rig.source);
        yl_fake_source_compact(rig.source, revision);
        break;

    case 3:
        yl_fake_source_bookmark(rig.source);
        break;

    default:
        rig_put(&rig, name, name);
        break;
    }
}

TEST(converges_after_random_faults)
{
    uint64_t seed;
    int one_in, i, n_met = 0;

    for (seed = 1; seed <= 300; seed++) {
        struct yl_reflector_opts setup = setups[seed % YL_ARRAY_SIZE(setups)];

        chance = seed;
        setup.seed = seed;
        one_in = 2 + (int) yl_chance(&chance, 20);
        rig_init(&rig, &setup, NULL);
        rig.spy.choose = choose;
        rig.spy.choose_aux = &one_in;
        rig_put(&rig, "a", "a");
        for (i = 0; i < 300; i++) {
            if (yl_chance(&chance, 3) == 0) {
                change_by_chance();
            }
            tick();
            rig.now += yl_chance(&chance, 10) ? 0
                       : yl_chance(&chance, 100000);
        }
        n_met += rig.spy.n_faults_met;
        one_in = 0;
        converge();
        rig_release(&rig);
    }
    assert_true(n_met > 1000);
}
