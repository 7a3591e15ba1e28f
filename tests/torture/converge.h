#ifndef TESTS_TORTURE_CONVERGE_H
#define TESTS_TORTURE_CONVERGE_H 1

/* Convergence under faults: a controller made of the public API works on
 * thousands of objects while watches are cut every few events, expire and
 * stall in the middle of a frame, requests are refused, answers get lost, and
 * the server is killed and started again.
 *
 * What must hold:
 *
 *   - when the trouble is over, everything comes to be right, and no object
 *     is missed;
 *
 *   - at no time, something newer is overwritten from stale data
 *     (torture/converge_world.h). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "torture/converge_world.h"
#include "yuloh/reflector.h"

struct yl_informer;
struct yl_testenv;

/* A controller under test. */
struct converge_controller {
    const char *name;
    void *(*start)(struct yl_testenv *, uint64_t seed);
    void (*stop)(void *controller);

    /* Prints what it is doing, when it does not converge. */
    void (*explain)(void *controller);
};

/* Informers, a work queue and clients, put together by hand; and a table that
 * a manager runs. */
extern const struct converge_controller converge_stations;
extern const struct converge_controller converge_manager;

/* How their reflectors list and watch: impatiently, as patience is not what is
 * tested; in streams or in pages, by the seed. */
struct yl_reflector_opts converge_reflector(uint64_t seed);

/* Prints what an informer is doing. */
void converge_explain(void *unused, struct yl_informer *);

struct converge_opts {
    const struct converge_controller *controller;
    uint64_t seed;
    size_t n_objects;           /* [5,000] */
    unsigned n_rounds;          /* Of trouble [60]. */
    unsigned limit;             /* Seconds to converge in [120]. */
};

/* 0, or -1 with the reason in 'message'. */
int converge_torture(const struct converge_opts *, struct converge_counts *,
                     char *message, size_t size);

#endif /* tests/torture/converge.h */
