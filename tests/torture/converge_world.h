#ifndef TESTS_TORTURE_CONVERGE_WORLD_H
#define TESTS_TORTURE_CONVERGE_WORLD_H 1

/* The world of the convergence test: people who change Deployments, trouble
 * between server and controller, and an observer who sees every write.
 *
 *     people  -> Deployments, spec.replicas = VERSION
 *     controller (under test) -> ConfigMap of the same name, data.version;
 *                                status.replicas of the Deployment
 *     trouble -> cut, stalled and expired watches, refusals, lost answers,
 *                kills
 *     observer: no version ever falls
 *
 * The versions of a name only rise, also across deletions, so that a write
 * made of stale data can be told by its version alone.  What people do, what
 * becomes of the n-th watch, and which other trouble there is in which round
 * follows from the seed.
 *
 * Threads
 * =======
 *
 * A world belongs to one thread; the controller has its own. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct yl_arena;
struct yl_ks_cursor;
struct yl_testenv;

/* What people want of a name, and what was observed. */
struct converge_item {
    bool wanted;                /* There should be such a Deployment. */
    unsigned version;           /* The last that people have written. */
    unsigned seen_output;       /* The highest that was in its ConfigMap, */
    unsigned seen_status;       /* or in its status. */
};

struct converge_counts {
    unsigned n_writes;          /* Of people. */
    unsigned n_observed;        /* Writes of anybody that the observer saw. */
    unsigned n_faults;          /* That were injected. */
    unsigned n_hits;            /* Requests that they hit. */
    unsigned n_kills;
};

struct converge_world {
    struct yl_testenv *env;
    uint64_t random;            /* State of the generator. */
    struct converge_item *items;
    size_t n_items;
    struct yl_arena *arena;     /* Cleared after each step. */
    struct yl_ks_cursor *cursors[2];    /* Of the observer; NULL while the
                                         * server is dead. */
    uint64_t seen[2];           /* Revisions that they have seen. */
    struct converge_counts counts;
    char message[512];          /* What went wrong; "" if nothing did. */
    char difference[512];       /* Between what is and what should be. */
};

void converge_world_init(struct converge_world *, struct yl_testenv *,
                         uint64_t seed, size_t n_items);
void converge_world_release(struct converge_world *);

/* Creates all Deployments, with trouble in 'n_rounds' pauses. */
void converge_world_fill(struct converge_world *, unsigned n_rounds);

/* People write 'n' times. */
void converge_world_live(struct converge_world *, unsigned n);

/* Trouble: writes that fail, or a kill. */
void converge_world_trouble(struct converge_world *);

/* Kills the server and starts it again. */
void converge_world_kill(struct converge_world *);

/* The trouble is over; the server lives. */
void converge_world_calm(struct converge_world *);

/* The observer looks at what was written since the last time.  False if
 * 'message' says what must not be. */
bool converge_world_observe(struct converge_world *);

/* Whether everything is as it should be in the end.  If not, 'difference' has
 * the first difference. */
bool converge_world_is_right(struct converge_world *);

#endif /* tests/torture/converge_world.h */
