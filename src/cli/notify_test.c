/* Word for the service manager. */

#include "cli/notify.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

/* A manager that listens where 'name' says; the kernel names an abstract
 * socket that has none. */
static int
listen_at(const char *name, char ret_name[108])
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    socklen_t size = offsetof(struct sockaddr_un, sun_path);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    assert_true(fd >= 0);
    if (name) {
        snprintf(address.sun_path, sizeof address.sun_path, "%s", name);
        size = sizeof address;
    } else {
        size = sizeof address.sun_family;
    }
    assert_int_equal(bind(fd, (struct sockaddr *) &address, size), 0);
    size = sizeof address;
    assert_int_equal(getsockname(fd, (struct sockaddr *) &address, &size), 0);
    snprintf(ret_name, 108, "%s%.*s", name ? "" : "@",
             (int) (size - offsetof(struct sockaddr_un, sun_path)) - !name,
             address.sun_path + !name);
    return fd;
}

static void
assert_heard(int fd, const char *want)
{
    char text[64];
    ssize_t n = recv(fd, text, sizeof text - 1, 0);

    assert_true(n >= 0);
    text[n] = '\0';
    assert_string_equal(text, want);
}

TEST(a_manager_hears_it)
{
    char folder[] = "/tmp/yuloh-notify-XXXXXX", path[64], name[108];
    int fd;

    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    fd = listen_at(path, name);
    setenv("NOTIFY_SOCKET", name, 1);
    yl_notify("READY=1");
    yl_notify("STOPPING=1");
    assert_heard(fd, "READY=1");
    assert_heard(fd, "STOPPING=1");
    close(fd);
    unlink(path);
    rmdir(folder);

    /* It is gone, and nothing happens. */
    yl_notify("READY=1");
}

TEST(so_does_one_with_an_abstract_name)
{
    char name[108];
    int fd = listen_at(NULL, name);

    assert_int_equal(name[0], '@');
    setenv("NOTIFY_SOCKET", name, 1);
    yl_notify("READY=1");
    assert_heard(fd, "READY=1");
    close(fd);
}

TEST(without_a_manager_nothing_happens)
{
    char long_path[200] = "/";

    memset(long_path + 1, 'x', sizeof long_path - 2);
    setenv("NOTIFY_SOCKET", long_path, 1);
    yl_notify("READY=1");
    setenv("NOTIFY_SOCKET", "relative", 1);
    yl_notify("READY=1");
    setenv("NOTIFY_SOCKET", "", 1);
    yl_notify("READY=1");
    unsetenv("NOTIFY_SOCKET");
    yl_notify("READY=1");
}
