/* Convergence under faults.  See torture/converge.h. */

#include "torture/converge.h"

#include <stdio.h>
#include <unistd.h>

#include "yuloh/arena.h"
#include "yuloh/clock.h"
#include "yuloh/error.h"
#include "yuloh/informer.h"
#include "yuloh/testenv.h"

static bool storm(struct converge_world *, unsigned n_rounds);
static bool settle(struct converge_world *, unsigned limit);

int
converge_torture(const struct converge_opts *opts,
                 struct converge_counts *counts, char *message, size_t size)
{
    size_t n_objects = opts->n_objects ? opts->n_objects : 5000;
    unsigned n_rounds = opts->n_rounds ? opts->n_rounds : 60;
    struct yl_error err = YL_ERROR_INIT;
    struct converge_world world;
    struct yl_testenv *env;
    void *controller;
    bool right;

    if (yl_testenv_new(NULL, &env, &err) < 0) {
        snprintf(message, size, "%s", yl_error_message(&err));
        yl_error_clear(&err);
        return -1;
    }
    converge_world_init(&world, env, opts->seed, n_objects);
    controller = opts->controller->start(env, opts->seed);
    converge_world_fill(&world, n_rounds / 3);
    right = storm(&world, n_rounds - n_rounds / 3)
            && settle(&world, opts->limit ? opts->limit : 120);
    if (!right) {
        opts->controller->explain(controller);
    }
    opts->controller->stop(controller);

    /* What it did until the end must be right, too. */
    right = converge_world_observe(&world) && right
            && converge_world_is_right(&world);
    if (!right) {
        snprintf(message, size, "%s", *world.message ? world.message
                 : world.difference);
    } else if (world.counts.n_hits < n_rounds) {
        snprintf(message, size, "there was hardly any trouble");
        right = false;
    }
    *counts = world.counts;
    converge_world_release(&world);
    yl_testenv_free(env);
    return right ? 0 : -1;
}

struct yl_reflector_opts
converge_reflector(uint64_t seed)
{
    return (struct yl_reflector_opts) {
        .backoff_min = 2, .backoff_max = 100, .list_stall = 1000,
        .watch_timeout_min = 1000, .watch_slack = 200,
        .no_stream = seed % 2, .page_size = seed % 3 ? 0 : 100,
    };
}

void
converge_explain(void *unused YL_UNUSED, struct yl_informer *informer)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_informer_status status;

    yl_informer_status(informer, arena, &status);
    fprintf(stderr, "%s: %s, revision %llu, %zu objects, %llu lists, "
            "%llu watches, %llu events, %llu errors: %s\n", status.name,
            yl_reflector_state_name(status.state),
            (unsigned long long) status.revision, status.store.n_objects,
            (unsigned long long) status.n_lists,
            (unsigned long long) status.n_watches,
            (unsigned long long) status.n_events,
            (unsigned long long) status.n_errors, status.last_error);
    yl_arena_free(arena);
}

/* People live on while there is trouble. */
static bool
storm(struct converge_world *world, unsigned n_rounds)
{
    bool well = true;

    for (unsigned i = 0; i < n_rounds && well; i++) {
        converge_world_live(world, (unsigned) world->n_items / 50);
        converge_world_trouble(world);
        if (i == n_rounds / 2) {
            converge_world_kill(world);
        }
        well = converge_world_observe(world);
    }
    return well;
}

/* The trouble is over: waits until everything is right. */
static bool
settle(struct converge_world *world, unsigned limit)
{
    yl_msec end = yl_now(NULL) + (yl_msec) limit * 1000;

    converge_world_calm(world);
    while (converge_world_observe(world)) {
        if (converge_world_is_right(world)) {
            return true;
        }
        if (yl_now(NULL) > end) {
            break;
        }
        usleep(20 * 1000);
    }
    return false;
}
