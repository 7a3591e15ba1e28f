/* Tests of waiting. */

#include "net/wait.h"

#include <unistd.h>

#include "unit.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"

static struct pollfd
pipe_end(int fd)
{
    return (struct pollfd) { .fd = fd, .events = POLLIN };
}

TEST(a_ready_descriptor_ends_the_wait)
{
    struct pollfd fds[2];
    int a[2], b[2];

    assert_int_equal(pipe(a), 0);
    assert_int_equal(pipe(b), 0);
    fds[0] = pipe_end(a[0]);
    fds[1] = pipe_end(b[0]);
    assert_int_equal(write(b[1], "x", 1), 1);
    assert_int_equal(yl_wait(fds, 2, YL_NEVER, NULL, NULL), 0);
    assert_int_equal(fds[0].revents, 0);
    assert_int_equal(fds[1].revents, POLLIN);
    for (int i = 0; i < 2; i++) {
        close(a[i]);
        close(b[i]);
    }
}

TEST(the_deadline_ends_the_wait)
{
    struct yl_error err = YL_ERROR_INIT;
    yl_msec now = yl_now(NULL);
    struct pollfd fd;
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    fd = pipe_end(fds[0]);
    assert_int_equal(yl_wait(&fd, 1, now - 1, NULL, NULL), YL_ETIMEOUT);
    assert_int_equal(yl_wait(&fd, 1, now + 2, NULL, &err), YL_ETIMEOUT);
    assert_true(yl_now(NULL) >= now + 2);
    yl_error_clear(&err);
    close(fds[0]);
    close(fds[1]);
}

TEST(a_cancel_ends_the_wait_even_if_a_descriptor_is_ready)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct pollfd fd;
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "x", 1), 1);
    fd = pipe_end(fds[0]);
    assert_int_equal(yl_wait(&fd, 1, YL_NEVER, cancel, NULL), 0);
    yl_cancel_now(cancel);
    assert_int_equal(yl_wait(&fd, 1, YL_NEVER, cancel, NULL), YL_ECANCELED);
    assert_int_equal(yl_wait(NULL, 0, YL_NEVER, cancel, NULL), YL_ECANCELED);
    yl_cancel_unref(cancel);
    close(fds[0]);
    close(fds[1]);
}
