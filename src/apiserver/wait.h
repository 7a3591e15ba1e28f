#ifndef APISERVER_WAIT_H
#define APISERVER_WAIT_H 1

/* Waiting: how a step of a request waits for something (the answer of a
 * webhook, a timer) without blocking its loop.
 *
 *     step -> yl_wait_begin() -> YL_WAITING, the loop does other things
 *          -> yl_wait_end()    the step goes on, with a result
 *          or yl_wait_cancel() the result is no longer needed
 *
 * There are two sides.  The side that waits owns the struct, fills in 'done',
 * and passes the struct to a function that may need time.  That function
 * either finishes at once and leaves the struct alone, or calls
 * yl_wait_begin() and returns its result, YL_WAITING.
 *
 * Guarantees
 * ==========
 *
 *   - After yl_wait_begin() exactly one of two things happens, once: 'done' is
 *     called with the result, or 'cancel' is.  'cancel' stops the timer or
 *     connection that was waited for; yl_wait_end() must not be called
 *     afterwards.
 *
 *   - 'done' may begin the next wait with the same struct.
 *
 * Ownership
 * =========
 *
 * The struct belongs to the side that waits, and must outlive the wait.
 *
 * Threads
 * =======
 *
 * All calls are made on the request's loop. */

#include <stdbool.h>

struct yl_loop;

/* The result of a function that has begun to wait: neither 0 nor an error. */
#define YL_WAITING 1

struct yl_wait {
    /* Set by the side that waits. */
    struct yl_loop *loop;       /* The request's loop, for timers and
                                 * connections. */
    void (*done)(struct yl_wait *, int result);

    /* Set through yl_wait_begin() by the function that needs time. */
    void (*cancel)(struct yl_wait *);
    void *what;                 /* For 'cancel'. */
    bool waiting;
};

/* Begins to wait.  Returns YL_WAITING, for "return yl_wait_begin(...)". */
int yl_wait_begin(struct yl_wait *, void (*cancel)(struct yl_wait *),
                  void *what);

/* What was waited for has come: 0, or a negative code.  Calls 'done'. */
void yl_wait_end(struct yl_wait *, int result);

/* Ends the wait early.  Calls 'cancel'; does nothing if there is no wait. */
void yl_wait_cancel(struct yl_wait *);

#endif /* apiserver/wait.h */
