#ifndef YL_CANCEL_H
#define YL_CANCEL_H 1

/* Cancel: ends blocking calls from another thread.
 *
 *     worker   -> yl_client_get(..., cancel) -> waits for the server
 *     any other -> yl_cancel_now(cancel)     -> the call ends: YL_ECANCELED
 *
 * A cancel is set once and stays set.  A child is set with its parent, but a
 * parent is not set with its child: a program has one for its end, and each
 * reconcile a child of that with a life of its own.
 *
 * Guarantees
 * ==========
 *
 *   - A call that waits with a cancel ends promptly when it is set, and one
 *     that begins later does not begin to wait.
 *
 *   - Setting one that is set already does nothing.
 *
 *   - A cancel that nobody waits for costs no descriptor.
 *
 * Ownership
 * =========
 *
 * Counted.  A child keeps its parent.
 *
 * Threads
 * =======
 *
 * Every function may be called from any thread.  yl_cancel_now() takes a lock
 * and must not be called from a signal handler; write to a descriptor there
 * and let a thread call it.
 *
 * Usage
 * =====
 *
 *     struct yl_cancel *cancel = yl_cancel_new();
 *     ... a worker calls with .cancel = cancel ...
 *     yl_cancel_now(cancel);
 *     ... join the worker ...
 *     yl_cancel_unref(cancel); */

#include <stdbool.h>

#include "yuloh/compiler.h"

YL_C_BEGIN

struct yl_cancel;

struct yl_cancel *yl_cancel_new(void);

/* One that is also set when 'parent' is; it is set at once if 'parent' is set
 * already. */
struct yl_cancel *yl_cancel_new_child(struct yl_cancel *parent);

struct yl_cancel *yl_cancel_ref(struct yl_cancel *);
struct yl_cancel *yl_cancel_unref(struct yl_cancel *);

/* Sets it, and its children. */
void yl_cancel_now(struct yl_cancel *);

/* False for NULL. */
bool yl_cancel_is_set(const struct yl_cancel *);

/* A descriptor that is readable from yl_cancel_now() on, for poll() and
 * epoll; it stays the cancel's: do not read or close it.  -1 if 'cancel' is
 * NULL, which poll() ignores, or if the process has no descriptor left. */
int yl_cancel_fd(struct yl_cancel *cancel);

YL_C_END

#endif /* yuloh/cancel.h */
