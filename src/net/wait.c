/* Wait.  See net/wait.h for the contract. */

#include "net/wait.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/bug.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"

static int timeout(yl_msec deadline);

int
yl_wait(struct pollfd *fds, size_t n_fds, yl_msec deadline,
        struct yl_cancel *cancel, struct yl_error *err)
{
    struct pollfd all[YL_WAIT_MAX + 1];
    int n;

    assert(n_fds <= YL_WAIT_MAX);
    if (yl_cancel_is_set(cancel)) {
        return yl_error_set(err, YL_ECANCELED, "canceled");
    }
    if (n_fds) {
        memcpy(all, fds, n_fds * sizeof *fds);
    }
    all[n_fds] = (struct pollfd) {
        .fd = yl_cancel_fd(cancel), .events = POLLIN
    };
    if (cancel && all[n_fds].fd < 0) {
        return yl_error_set(err, YL_EUNAVAILABLE,
                            "no descriptor is left to wait with: %s",
                            strerror(errno));
    }
    do {
        int wait = timeout(deadline);

        n = poll(all, n_fds + 1, wait);
        if (n == 0 && timeout(deadline) == 0) {
            return yl_error_set(err, YL_ETIMEOUT, "timed out");
        }
    } while (n == 0 || (n < 0 && errno == EINTR));
    if (n < 0) {
        yl_bug("poll failed: %s", strerror(errno));
    }
    if (yl_cancel_is_set(cancel)) {
        return yl_error_set(err, YL_ECANCELED, "canceled");
    }
    if (n_fds) {
        memcpy(fds, all, n_fds * sizeof *fds);
    }
    return 0;
}

/* Milliseconds until 'deadline', as poll() wants them. */
static int
timeout(yl_msec deadline)
{
    yl_msec left;

    if (deadline == YL_NEVER) {
        return -1;
    }
    left = deadline - yl_now(NULL);
    return left <= 0 ? 0 : left < INT_MAX ? (int) left : INT_MAX;
}
