#ifndef NET_RESOLVE_H
#define NET_RESOLVE_H 1

/* Resolve: the addresses of a name, with a deadline and a cancel.
 *
 * The resolver of the system has neither, and its own timeouts add up to
 * minutes if no name server answers.  So it is asked on a thread, which is
 * left behind if nobody waits for it any more.
 *
 * Guarantees
 * ==========
 *
 *   - At most YL_RESOLVE_MAX threads ask at the same time, those that were
 *     left behind included; further questions are refused. */

#include "net/dial.h"

#define YL_RESOLVE_MAX 64

/* 0, or YL_EUNAVAILABLE, YL_ETIMEOUT or YL_ECANCELED, as yl_dial(). */
int yl_resolve(const char *host, uint16_t port, yl_msec deadline,
               struct yl_cancel *cancel,
               struct yl_address addresses[YL_DIAL_MAX], size_t *ret_n,
               struct yl_error *err);

/* Threads that ask; for tests. */
size_t yl_resolve_n_running(void);

#endif /* net/resolve.h */
