#ifndef NET_LOOP_H
#define NET_LOOP_H 1

/* What only this project needs of a loop.  See yuloh/loop.h for the rest.
 *
 *     hooks  -> run at the end of each turn
 *     chores -> a few in each turn, in order
 *
 * Guarantees
 * ==========
 *
 *   - Chores do not delay other work for long, nor other work the chores: in a
 *     turn, YL_LOOP_CHORES of them run, and YL_LOOP_CHORES_EACH more for each
 *     other callback of that turn, those first that have waited longest; the
 *     loop does not sleep while there are more.
 *
 * Ownership and threads are those of yuloh/loop.h. */

#include "base/list.h"
#include "yuloh/loop.h"

/* Work that can wait behind other work of its kind, such as serving one of a
 * thousand watchers.  'node' is initialised by its owner; 'run' may free the
 * chore or ask for it again. */
struct yl_loop_chore {
    struct yl_list node;        /* Private to the loop; in no list if it does
                                 * not wait. */
    void (*run)(struct yl_loop_chore *);
};

/* How many chores run before descriptors are polled again: about 0.2 ms'
 * worth, compared with which a poll costs nothing; and how many more for each
 * callback, which take about as long as a request, so that a loop with many
 * requests still has half of its time for them. */
#define YL_LOOP_CHORES 16
#define YL_LOOP_CHORES_EACH 8

/* Runs a chore once, in a later turn; one that waits already keeps its place.
 * Cancelling one that does not wait does nothing. */
void yl_loop_defer(struct yl_loop *, struct yl_loop_chore *);
void yl_loop_chore_cancel(struct yl_loop_chore *);

/* Calls 'fn' at the end of each turn, after all callbacks: the place to flush
 * what a turn has produced.  Chores come after that, and if there were any,
 * 'fn' is called again.  It cannot be removed. */
void yl_loop_on_turn(struct yl_loop *, void (*fn)(void *aux), void *aux);

#endif /* net/loop.h */
