#ifndef CLIENT_ATTEMPTS_H
#define CLIENT_ATTEMPTS_H 1

/* Attempts: whether a request is sent once more, and when.
 *
 * The rules are those of client-go's rest.Request: an answer with status 429
 * or 5xx that names a delay (Retry-After) is tried again after it.  Everything
 * else is final; connections that break are the pool's business
 * (net/http_pool.h).
 *
 * One rule is added.  A server may ask for hours; a worker does not wait for
 * longer than a minute but reports the delay to its caller, who has a queue
 * for such things.
 *
 * A pure machine: it keeps no time. */

#include <stdbool.h>

#include "yuloh/clock.h"
#include "yuloh/str.h"

#define YL_ATTEMPTS_DEFAULT 10      /* Retries of a request. */
#define YL_ATTEMPTS_MAX_WAIT 60000

struct yl_attempts {
    int max_retries;
    int n_retries;
};

/* 'max_retries' of 0 is the default, a negative one means none. */
void yl_attempts_init(struct yl_attempts *, int max_retries);

/* Whether to try again, after '*ret_wait', an attempt with this HTTP status
 * and Retry-After header (null if there is none). */
bool yl_attempts_next(struct yl_attempts *, int http_status,
                      struct yl_str retry_after, yl_msec *ret_wait);

#endif /* client/attempts.h */
