#ifndef NET_WAIT_H
#define NET_WAIT_H 1

/* Wait: poll() with a deadline and a cancel, for threads that block. */

#include <poll.h>
#include <stddef.h>

#include "yuloh/clock.h"

struct yl_cancel;
struct yl_error;

/* Descriptors that one wait can have. */
#define YL_WAIT_MAX 32

/* Waits until one of 'fds' is ready, whose 'revents' are set then: 0.  Returns
 * YL_ETIMEOUT when the monotonic clock shows 'deadline', which may be
 * YL_NEVER; YL_ECANCELED if 'cancel', which may be NULL, is set, even if a
 * descriptor is ready too; and YL_EUNAVAILABLE if the process has no
 * descriptor left for the cancel. */
int yl_wait(struct pollfd *fds, size_t n_fds, yl_msec deadline,
            struct yl_cancel *cancel, struct yl_error *err);

#endif /* net/wait.h */
