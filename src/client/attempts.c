/* Attempts: whether a request is sent once more, and when. */

#include "client/attempts.h"

#include "client/answer.h"

void
yl_attempts_init(struct yl_attempts *attempts, int max_retries)
{
    attempts->max_retries = max_retries > 0 ? max_retries
                            : max_retries < 0 ? 0 : YL_ATTEMPTS_DEFAULT;
    attempts->n_retries = 0;
}

bool
yl_attempts_next(struct yl_attempts *attempts, int http_status,
                 struct yl_str retry_after, yl_msec *ret_wait)
{
    yl_msec wait = http_status == 429 || http_status >= 500
                   ? yl_answer_delay(retry_after) : -1;

    if (wait < 0 || wait > YL_ATTEMPTS_MAX_WAIT
        || attempts->n_retries >= attempts->max_retries) {
        return false;
    }
    attempts->n_retries++;
    *ret_wait = wait;
    return true;
}
