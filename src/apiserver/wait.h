#ifndef APISERVER_WAIT_H
#define APISERVER_WAIT_H 1

/* Waiting: how a step of a request is put off until something has come (the
 * answer of a webhook, a timer), without blocking its loop.
 *
 *     step -> yl_wait_begin() -> YL_WAITING, the loop does other things
 *          -> yl_wait_end()    the step goes on, with a result
 *          or yl_wait_cancel() nobody is interested any more
 *
 * There are two sides.  Who can wait owns the struct, fills in 'done', and
 * lends it to a function that may want it.  That function either finishes at
 * once and leaves the struct alone, or calls yl_wait_begin() and returns what
 * that returns, YL_WAITING.
 *
 * Guarantees
 * ==========
 *
 *   - After yl_wait_begin() exactly one of two things happens, once: 'done' is
 *     called with the result, or 'cancel' is.  Whoever kept the step waiting
 *     lets go of its timer or connection in 'cancel' and does not call
 *     yl_wait_end() afterwards.
 *
 *   - 'done' may begin the next wait with the same struct.
 *
 * Ownership
 * =========
 *
 * The struct belongs to who waits, and outlives the wait.
 *
 * Threads
 * =======
 *
 * All on the request's loop. */

#include <stdbool.h>

struct yl_loop;

/* What a function returns that has begun to wait: neither 0 nor an error. */
#define YL_WAITING 1

struct yl_wait {
    /* By who waits. */
    struct yl_loop *loop;       /* Where all this happens: for timers and
                                 * connections. */
    void (*done)(struct yl_wait *, int result);

    /* By who keeps it waiting, through yl_wait_begin(). */
    void (*cancel)(struct yl_wait *);
    void *what;                 /* For 'cancel'. */
    bool waiting;
};

/* Begins to wait.  Returns YL_WAITING, for "return yl_wait_begin(...)". */
int yl_wait_begin(struct yl_wait *, void (*cancel)(struct yl_wait *),
                  void *what);

/* What was waited for has come: 0, or a negative code.  Calls 'done'. */
void yl_wait_end(struct yl_wait *, int result);

/* Nobody waits any more.  Calls 'cancel'; does nothing if there is no wait. */
void yl_wait_cancel(struct yl_wait *);

#endif /* apiserver/wait.h */
