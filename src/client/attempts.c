/* Attempts: whether a request is sent once more, and when. */

#include "client/attempts.h"

#include "client/answer.h"

/* How long to wait after a connection broke. */
#define BROKEN_WAIT 1000

void
yl_attempts_init(struct yl_attempts *attempts, int max_retries)
{
    attempts->max_retries = max_retries > 0 ? max_retries
                            : max_retries < 0 ? 0 : YL_ATTEMPTS_DEFAULT;
    attempts->n_retries = 0;
}

bool
yl_attempts_next(struct yl_attempts *attempts,
                 const struct yl_attempt *attempt, yl_msec *ret_wait)
{
    yl_msec wait = -1;

    if (attempt->http_status == 429 || attempt->http_status >= 500) {
        wait = yl_answer_delay(attempt->retry_after);
    } else if (!attempt->http_status && attempt->broken
               && attempt->idempotent) {
        wait = BROKEN_WAIT;
    }
    if (wait < 0 || wait > YL_ATTEMPTS_MAX_WAIT
        || attempts->n_retries >= attempts->max_retries) {
        return false;
    }
    attempts->n_retries++;
    *ret_wait = wait;
    return true;
}
