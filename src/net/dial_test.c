/* Tests of dialing. */

#include "net/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "unit.h"
#include "yuloh/cancel.h"
#include "yuloh/error.h"

/* A socket that is bound to loopback; it listens unless 'deaf'. */
static int
bind_one(bool deaf, struct yl_address *address)
{
    struct sockaddr_in *in = (struct sockaddr_in *) &address->storage;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    memset(address, 0, sizeof *address);
    in->sin_family = AF_INET;
    in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address->size = sizeof *in;
    assert_int_equal(bind(fd, (struct sockaddr *) in, sizeof *in), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *) in, &address->size),
                     0);
    if (!deaf) {
        assert_int_equal(listen(fd, 4), 0);
    }
    return fd;
}

static uint16_t
port_of(const struct yl_address *address)
{
    return ntohs(((const struct sockaddr_in *) &address->storage)->sin_port);
}

TEST(an_address_is_dialed_and_the_socket_does_not_block)
{
    struct yl_address address;
    int listener = bind_one(false, &address);
    int fd;

    assert_int_equal(yl_dial("127.0.0.1", port_of(&address), YL_NEVER, NULL,
                             &fd, NULL), 0);
    assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
    close(fd);
    close(listener);
}

TEST(a_server_that_is_gone_is_noticed_in_90_seconds)
{
    struct yl_address address;
    int listener = bind_one(false, &address);
    int idle, interval, count;
    unsigned unacknowledged;
    socklen_t size = sizeof idle;
    int fd;

    assert_int_equal(yl_dial("127.0.0.1", port_of(&address), YL_NEVER, NULL,
                             &fd, NULL), 0);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, &size);
    getsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, &size);
    assert_int_equal(idle + count * interval, 90);
    assert_int_equal(unacknowledged, 90000);
    close(fd);
    close(listener);
}

TEST(a_name_is_resolved)
{
    struct yl_address address, found[YL_DIAL_MAX];
    int listener = bind_one(false, &address);
    size_t n;
    int fd;

    assert_int_equal(yl_dial_resolve("localhost", 80, found, &n, NULL), 0);
    assert_true(n >= 1);
    assert_int_equal(yl_dial("localhost", port_of(&address), YL_NEVER, NULL,
                             &fd, NULL), 0);
    close(fd);
    close(listener);
}

TEST(addresses_of_both_families_are_read_without_a_resolver)
{
    struct yl_address found[YL_DIAL_MAX];
    struct sockaddr_in6 *six = (struct sockaddr_in6 *) &found[0].storage;
    size_t n;

    assert_int_equal(yl_dial_resolve("::1", 443, found, &n, NULL), 0);
    assert_int_equal(n, 1);
    assert_int_equal(six->sin6_family, AF_INET6);
    assert_int_equal(ntohs(six->sin6_port), 443);
    assert_int_equal(found[0].size, sizeof *six);
}

TEST(the_next_address_is_tried_when_one_refuses)
{
    struct yl_address addresses[3];
    int deaf_1 = bind_one(true, &addresses[0]);
    int deaf_2 = bind_one(true, &addresses[1]);
    int listener = bind_one(false, &addresses[2]);
    int fd;

    assert_int_equal(yl_dial_addresses(addresses, 3, YL_NEVER, NULL, &fd,
                                       NULL), 0);
    close(fd);
    close(listener);
    close(deaf_1);
    close(deaf_2);
}

TEST(if_all_refuse_the_error_says_why)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_address address;
    int deaf = bind_one(true, &address);
    int fd = -1;

    assert_int_equal(yl_dial("127.0.0.1", port_of(&address), YL_NEVER, NULL,
                             &fd, &err), YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "refused"));
    assert_non_null(strstr(yl_error_message(&err), "127.0.0.1 port "));
    assert_int_equal(fd, -1);
    yl_error_clear(&err);
    close(deaf);
}

/* A listener whose queue is full lets further connections wait. */
static int
bind_full(struct yl_address *address, int fillers[8])
{
    int listener = bind_one(true, address);

    assert_int_equal(listen(listener, 0), 0);
    for (int i = 0; i < 8; i++) {
        fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        assert_true(connect(fillers[i],
                            (struct sockaddr *) &address->storage,
                            address->size) == 0
                    || errno == EINPROGRESS);
    }
    return listener;
}

TEST(one_that_does_not_answer_is_overtaken_timed_out_or_canceled)
{
    struct yl_cancel *cancel = yl_cancel_new();
    struct yl_address addresses[2];
    int fillers[8];
    int full = bind_full(&addresses[0], fillers);
    int listener = bind_one(false, &addresses[1]);
    int fd;

    assert_int_equal(yl_dial_addresses(addresses, 2, YL_NEVER, NULL, &fd,
                                       NULL), 0);
    close(fd);
    assert_int_equal(yl_dial_addresses(addresses, 1, yl_now(NULL) + 2, NULL,
                                       &fd, NULL), YL_ETIMEOUT);
    yl_cancel_now(cancel);
    assert_int_equal(yl_dial_addresses(addresses, 1, YL_NEVER, cancel, &fd,
                                       NULL), YL_ECANCELED);
    yl_cancel_unref(cancel);
    for (int i = 0; i < 8; i++) {
        close(fillers[i]);
    }
    close(full);
    close(listener);
}

TEST(a_name_that_does_not_exist_is_an_error)
{
    struct yl_address found[YL_DIAL_MAX];
    struct yl_error err = YL_ERROR_INIT;
    size_t n;

    /* A label of 64 characters cannot exist, so that no server is asked. */
    assert_int_equal(yl_dial_resolve(
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.x",
        80, found, &n, &err), YL_EUNAVAILABLE);
    assert_non_null(strstr(yl_error_message(&err), "cannot resolve"));
    yl_error_clear(&err);
}
