/* Tests of transports: two of them over a pair of sockets. */

#include "net/transport.h"

#include <sys/socket.h>
#include <unistd.h>

#include "certs.h"
#include "net/tls.h"
#include "unit.h"
#include "yuloh/error.h"

static struct cert ca, server_cert;
static char dir[] = "/tmp/yuloh-transport-XXXXXX";
static char ca_path[64], cert_path[64], key_path[64];
static struct yl_tls_server *server;
static struct yl_tls_client *client;

static void
clean_up(void)
{
    yl_tls_server_free(server);
    yl_tls_client_free(client);
    unlink(ca_path);
    unlink(cert_path);
    unlink(key_path);
    rmdir(dir);
    cert_release(&ca);
    cert_release(&server_cert);
}

static void
make_ends(void)
{
    struct yl_tls_files files = { cert_path, key_path, NULL };
    struct yl_tls_client_opts opts = { .authorities.path = ca_path };

    if (server) {
        return;
    }
    assert_non_null(mkdtemp(dir));
    snprintf(ca_path, sizeof ca_path, "%s/ca.pem", dir);
    snprintf(cert_path, sizeof cert_path, "%s/cert.pem", dir);
    snprintf(key_path, sizeof key_path, "%s/key.pem", dir);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&server_cert, &ca, "/CN=localhost", 3600, CERT_SERVER);
    cert_write(&ca, ca_path, NULL);
    cert_write(&server_cert, cert_path, key_path);
    assert_int_equal(yl_tls_server_new(&files, &server, NULL), 0);
    assert_int_equal(yl_tls_client_new(&opts, &client, NULL), 0);
    atexit(clean_up);
}

struct pair {
    struct yl_buffers buffers;
    struct yl_transport here, there;    /* Client, server. */
};

static void
join(struct pair *p, bool tls)
{
    int fds[2];

    make_ends();
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    yl_buffers_init(&p->buffers);
    yl_transport_set_options(fds[0]);
    yl_transport_init(&p->here, &p->buffers, fds[0],
                      tls ? yl_tls_connect(client, "localhost") : NULL);
    yl_transport_init(&p->there, &p->buffers, fds[1],
                      tls ? yl_tls_accept(server) : NULL);
    yl_transport_begin(&p->here);
}

static void
part(struct pair *p)
{
    yl_transport_release(&p->here);
    yl_transport_release(&p->there);
    yl_buffers_release(&p->buffers);
}

/* Flushes one and adds to 'in' what the other receives, until that is 'size'
 * bytes; handshakes go both ways. */
static void
move_bytes(struct yl_transport *from, struct yl_transport *to,
           struct yl_buf *in, size_t size)
{
    struct yl_str bytes;

    for (int i = 0; in->size < size && i < 10000; i++) {
        assert_true(yl_transport_flush(from));
        assert_int_equal(yl_transport_receive(to, &bytes), YL_TRANSPORT_OK);
        yl_buf_append_str(in, bytes);
        assert_true(yl_transport_flush(to));
        assert_int_equal(yl_transport_receive(from, &bytes),
                         YL_TRANSPORT_OK);
        assert_int_equal(bytes.size, 0);
    }
    assert_int_equal(in->size, size);
}

TEST(bytes_go_both_ways_and_leave_no_buffers)
{
    struct yl_buf in;
    struct pair p;

    for (int tls = 0; tls < 2; tls++) {
        join(&p, tls);
        assert_int_equal(yl_transport_is_open(&p.here), !tls);
        yl_buf_init(&in, 1 << 20);

        /* Bytes that are sent before the end of the handshake wait for it, and
         * are then sent without waiting for the socket. */
        yl_buf_append_c(yl_transport_out(&p.here), "hello");
        assert_int_equal(yl_transport_backlog(&p.here) > 5, tls);
        move_bytes(&p.here, &p.there, &in, 5);
        assert_str_equal(yl_buf_str(&in), "hello");
        yl_buf_clear(&in);
        yl_buf_append_c(yl_transport_out(&p.there), "welcome");
        move_bytes(&p.there, &p.here, &in, 7);
        assert_str_equal(yl_buf_str(&in), "welcome");
        assert_true(yl_transport_is_open(&p.here));
        assert_true(yl_transport_is_open(&p.there));

        /* One that was borrowed in vain goes back as well. */
        yl_transport_out(&p.here);
        assert_true(yl_transport_flush(&p.here));
        assert_int_equal(yl_transport_held(&p.here), 0);
        assert_int_equal(yl_transport_held(&p.there), 0);
        assert_false(yl_transport_is_blocked(&p.here));
        yl_buf_release(&in);
        part(&p);
    }
}

TEST(a_client_waits_for_the_handshake_not_for_the_socket)
{
    struct pair p;

    join(&p, true);
    yl_buf_append_c(yl_transport_out(&p.here), "hello");
    assert_true(yl_transport_is_blocked(&p.here));
    assert_true(yl_transport_flush(&p.here));
    assert_false(yl_transport_is_blocked(&p.here));
    assert_int_equal(yl_transport_backlog(&p.here), 5);
    part(&p);
}

TEST(much_is_sent_as_the_socket_takes_it)
{
    enum { SIZE = 8 << 20 };
    struct yl_buf in, all;
    struct pair p;

    for (int tls = 0; tls < 2; tls++) {
        join(&p, tls);
        yl_buf_init(&in, 2 * SIZE);
        yl_buf_init(&all, 2 * SIZE);
        yl_buf_append_c(yl_transport_out(&p.here), "!");
        move_bytes(&p.here, &p.there, &in, 1);
        yl_buf_clear(&in);
        for (size_t i = 0; i < SIZE; i++) {
            yl_buf_append_char(&all, (char) (i * 2654435761u >> 13));
        }
        yl_buf_append_str(yl_transport_out(&p.here), yl_buf_str(&all));
        assert_true(yl_transport_flush(&p.here));
        assert_true(yl_transport_is_blocked(&p.here));
        assert_true(yl_transport_backlog(&p.here) > 0);
        assert_true(yl_transport_held(&p.here) > SIZE / 2);
        assert_true(yl_transport_taken(&p.here) < SIZE);
        move_bytes(&p.here, &p.there, &in, SIZE);
        assert_true(yl_str_equal(yl_buf_str(&in), yl_buf_str(&all)));
        assert_int_equal(yl_transport_backlog(&p.here), 0);
        assert_int_equal(yl_transport_held(&p.here), 0);
        assert_true(yl_transport_taken(&p.here) >= SIZE);
        yl_buf_release(&in);
        yl_buf_release(&all);
        part(&p);
    }
}

TEST(the_end_is_heard_behind_the_last_bytes)
{
    struct yl_str bytes;
    struct yl_buf in;
    struct pair p;

    join(&p, true);
    yl_buf_init(&in, 1000);
    yl_buf_append_c(yl_transport_out(&p.here), "hello");
    move_bytes(&p.here, &p.there, &in, 5);
    yl_buf_append_c(yl_transport_out(&p.there), "goodbye");
    yl_transport_close(&p.there);
    assert_true(yl_transport_flush(&p.there));
    assert_int_equal(yl_transport_receive(&p.here, &bytes),
                     YL_TRANSPORT_EOF);
    assert_str_equal(bytes, "goodbye");
    yl_buf_release(&in);
    part(&p);

    join(&p, false);
    yl_buf_append_c(yl_transport_out(&p.there), "goodbye");
    yl_transport_close(&p.there);
    assert_true(yl_transport_flush(&p.there));
    shutdown(p.there.fd, SHUT_WR);
    assert_int_equal(yl_transport_receive(&p.here, &bytes), YL_TRANSPORT_OK);
    assert_str_equal(bytes, "goodbye");
    assert_int_equal(yl_transport_receive(&p.here, &bytes),
                     YL_TRANSPORT_EOF);
    assert_int_equal(bytes.size, 0);
    part(&p);
}

TEST(failures_are_told_apart)
{
    struct yl_str bytes;
    struct pair p;

    /* Of TLS: the other side is told. */
    join(&p, true);
    assert_int_equal(send(p.here.fd, "GET / HTTP/1.1\r\n\r\n", 18, 0), 18);
    assert_int_equal(yl_transport_receive(&p.there, &bytes),
                     YL_TRANSPORT_FAILED);
    assert_non_null(yl_tls_failure(p.there.tls));
    assert_true(yl_transport_flush(&p.there));
    assert_true(recv(p.here.fd, (char[100]) { 0 }, 100, MSG_DONTWAIT) > 0);
    part(&p);

    /* Of the socket. */
    join(&p, false);
    shutdown(p.there.fd, SHUT_RDWR);
    yl_buf_append_c(yl_transport_out(&p.here), "x");
    assert_false(yl_transport_flush(&p.here));
    part(&p);
    join(&p, false);
    close(p.here.fd);
    p.here.fd = -1;
    assert_int_equal(yl_transport_receive(&p.here, &bytes),
                     YL_TRANSPORT_BROKEN);
    part(&p);
}

TEST(only_a_few_spare_buffers_are_kept_and_no_large_ones)
{
    struct yl_buf bufs[YL_MAX_SPARES + 2];
    struct yl_buffers buffers;
    struct yl_buf large;

    yl_buffers_init(&buffers);
    for (size_t i = 0; i < YL_ARRAY_SIZE(bufs); i++) {
        yl_buf_init(&bufs[i], YL_OUT_CEILING);
        yl_buf_append_c(yl_buffers_borrow(&buffers, &bufs[i]), "x");
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(bufs); i++) {
        yl_buffers_give_back(&buffers, &bufs[i]);
        assert_null(bufs[i].data);
    }
    assert_int_equal(buffers.n_spares, YL_MAX_SPARES);
    assert_int_equal(yl_buffers_borrow(&buffers, &bufs[0])->size, 0);
    assert_non_null(bufs[0].data);
    yl_buf_init(&large, YL_OUT_CEILING);
    yl_buf_reserve(&large, 1 << 20);
    yl_buffers_give_back(&buffers, &large);
    assert_int_equal(buffers.n_spares, YL_MAX_SPARES - 1);
    yl_buffers_give_back(&buffers, &bufs[0]);
    yl_buffers_release(&buffers);
}
