/* Tests of the server as a whole: listeners, threads, TLS, drain. */

#include "net/server.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>

#include "base/thread.h"
#include "certs.h"
#include "http_rig.h"

static struct cert ca, server_cert, alice, expired;
static char dir[] = "/tmp/yuloh-server-XXXXXX";
static char ca_path[64], cert_path[64], key_path[64];
static bool made;

static void
clean_up(void)
{
    unlink(ca_path);
    unlink(cert_path);
    unlink(key_path);
    rmdir(dir);
    cert_release(&ca);
    cert_release(&server_cert);
    cert_release(&alice);
    cert_release(&expired);
}

static struct yl_tls_files
make_files(void)
{
    if (!made) {
        made = true;
        assert_non_null(mkdtemp(dir));
        snprintf(ca_path, sizeof ca_path, "%s/ca.pem", dir);
        snprintf(cert_path, sizeof cert_path, "%s/cert.pem", dir);
        snprintf(key_path, sizeof key_path, "%s/key.pem", dir);
        cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
        cert_make(&server_cert, &ca, "/CN=localhost", 3600, CERT_SERVER);
        cert_make(&alice, &ca, "/O=ops/CN=alice", 3600, CERT_CLIENT);
        cert_make(&expired, &ca, "/CN=bob", -60, CERT_CLIENT);
        cert_write(&ca, ca_path, NULL);
        cert_write(&server_cert, cert_path, key_path);
        atexit(clean_up);
    }
    return (struct yl_tls_files) { cert_path, key_path, ca_path };
}

/* A client that speaks TLS over a socket that does not block; the server turns
 * while it waits. */
struct tls_client {
    int fd;
    SSL_CTX *context;
    SSL *ssl;
};

static bool
try_again(struct tls_client *c, int r)
{
    int error = SSL_get_error(c->ssl, r);

    rig_turn(1);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static void
tls_begin(struct tls_client *c, int fd, const struct cert *cert,
          const char *alpn)
{
    struct timeval soon = { 0, 1000 };
    int r;

    c->fd = fd;
    setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon);
    c->context = SSL_CTX_new(TLS_client_method());
    if (cert) {
        SSL_CTX_use_certificate(c->context, cert->certificate);
        SSL_CTX_use_PrivateKey(c->context, cert->key);
    }
    c->ssl = SSL_new(c->context);
    SSL_set_fd(c->ssl, c->fd);
    SSL_set_alpn_protos(c->ssl, (const unsigned char *) alpn,
                        (unsigned) strlen(alpn));
    do {
        r = SSL_connect(c->ssl);
    } while (r <= 0 && try_again(c, r));
    assert_int_equal(r, 1);
    rig_turn(3);
}

static void
tls_dial(struct tls_client *c, const struct cert *cert, const char *alpn)
{
    tls_begin(c, rig_dial(true), cert, alpn);
}

static void
tls_hang_up(struct tls_client *c)
{
    SSL_free(c->ssl);
    SSL_CTX_free(c->context);
    close(c->fd);
}

/* Reads until 'part' has come. */
static void
tls_expect(struct tls_client *c, const char *part)
{
    char text[4096];
    size_t n = 0;

    for (int i = 0; i < 100; i++) {
        int r = SSL_read(c->ssl, text + n, (int) (sizeof text - n - 1));

        if (r > 0) {
            n += (size_t) r;
            text[n] = '\0';
            if (strstr(text, part)) {
                return;
            }
        } else if (!try_again(c, r)) {
            break;
        }
    }
    fail_msg("\"%s\" did not come", part);
}

TEST(http1_over_tls_knows_the_client)
{
    struct tls_client c;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    tls_dial(&c, &alice, "\x08http/1.1");
    assert_true(SSL_write(c.ssl, GET("/x"), (int) strlen(GET("/x"))) > 0);
    tls_expect(&c, "GET /x? [] 11 x");
    assert_true(rig.peer.tls);
    assert_string_equal(rig.name, "alice");
    assert_int_equal(rig.peer.n_organizations, 1);
    assert_str_equal(rig.peer.organizations[0], "ops");
    assert_null(rig.peer.refused);
    tls_hang_up(&c);
    rig_turn(3);

    tls_dial(&c, &expired, "\x08http/1.1");
    assert_true(SSL_write(c.ssl, GET("/x"), (int) strlen(GET("/x"))) > 0);
    tls_expect(&c, "GET /x? [] 11 x");
    assert_string_equal(rig.name, "");
    assert_string_equal(rig.peer.refused, "certificate has expired");
    tls_hang_up(&c);
    rig_stop();
}

TEST(a_certificate_counts_as_long_as_its_authority)
{
    struct tls_client c;
    struct cert other;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    cert_make(&other, NULL, "/CN=other", 3600, CERT_CA);
    tls_dial(&c, &alice, "\x08http/1.1");
    assert_true(SSL_write(c.ssl, GET("/1"), (int) strlen(GET("/1"))) > 0);
    tls_expect(&c, "GET /1?");
    assert_string_equal(rig.name, "alice");
    cert_write(&other, ca_path, NULL);
    assert_int_equal(yl_http_server_reload(rig.server, NULL), 0);
    for (int i = 0; i < 2; i++) {
        assert_true(SSL_write(c.ssl, GET("/2"), (int) strlen(GET("/2"))) > 0);
        tls_expect(&c, "GET /2?");
        assert_string_equal(rig.name, "");
        assert_non_null(rig.peer.refused);
    }
    cert_write(&ca, ca_path, NULL);
    cert_release(&other);
    tls_hang_up(&c);
    rig_stop();
}

TEST(http2_over_tls_is_chosen_by_alpn)
{
    static const char hello[] =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        "\0\0\0\x04\0\0\0\0\0"
        "\0\0\x06\x01\x05\0\0\0\x01\x82\x84\x86\x41\x01\x68";
    struct tls_client c;
    const unsigned char *name;
    unsigned length;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    tls_dial(&c, NULL, "\x02h2\x08http/1.1");
    SSL_get0_alpn_selected(c.ssl, &name, &length);
    assert_int_equal(length, 2);
    assert_true(SSL_write(c.ssl, hello, sizeof hello - 1) > 0);
    rig_turn(5);
    assert_int_equal(rig.n_requests, 1);
    assert_int_equal(rig.n_finished, 1);
    tls_hang_up(&c);
    rig_stop();
}

TEST(a_held_request_remembers_who_asked)
{
    struct yl_http_request *request;
    struct tls_client c;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    tls_dial(&c, &alice, "\x08http/1.1");
    assert_true(SSL_write(c.ssl, GET("/later"),
                          (int) strlen(GET("/later"))) > 0);
    rig_turn(3);
    request = rig.kept;
    yl_http_hold(request);
    tls_hang_up(&c);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 0);
    assert_str_equal(request->peer->common_name, "alice");
    assert_str_equal(request->peer->organizations[0], "ops");
    assert_int_equal(request->peer->fingerprint.size, 64);
    yl_http_release(request);
    rig_stop();
}

TEST(large_answers_over_tls_arrive)
{
    struct yl_buf in;
    struct tls_client c;
    char text[65536];
    int n_quiet = 0;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    rig.source_left = 4 << 20;
    yl_buf_init(&in, 64 << 20);
    tls_dial(&c, NULL, "\x08http/1.1");
    assert_true(SSL_write(c.ssl, GET("/source"),
                          (int) strlen(GET("/source"))) > 0);
    while (n_quiet < 5) {
        int r = SSL_read(c.ssl, text, sizeof text);

        if (r > 0) {
            yl_buf_append(&in, text, (size_t) r);
            n_quiet = 0;
        } else {
            assert_true(try_again(&c, r));
            n_quiet++;
        }
    }
    assert_true(in.size > 4 << 20);
    assert_true(yl_str_ends_with(yl_buf_str(&in), YL_STR("0\r\n\r\n")));
    assert_int_equal(rig_stats().budget_used, 0);
    yl_buf_release(&in);
    tls_hang_up(&c);
    rig_stop();
}

TEST(a_handshake_that_does_not_end_is_dropped)
{
    int fd, silly;

    rig_serve((struct yl_http_server_opts) {
        .tls = make_files(), .head_timeout = 10000
    });
    fd = rig_dial(true);
    silly = rig_dial(true);
    rig_ask(silly, GET("/"), "");
    close(silly);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 1);
    yl_clock_fake_advance(rig.clock, 9999);
    rig_turn(2);
    assert_int_equal(rig_stats().n_connections, 1);
    yl_clock_fake_advance(rig.clock, 1);
    rig_turn(2);
    assert_int_equal(rig_stats().n_connections, 0);
    close(fd);
    rig_stop();
}

TEST(a_tls_goodbye_ends_the_connection)
{
    struct tls_client c;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    tls_dial(&c, NULL, "\x08http/1.1");
    SSL_shutdown(c.ssl);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 0);
    tls_hang_up(&c);
    rig_stop();
}

TEST(certificates_can_be_read_again)
{
    struct yl_error err = YL_ERROR_INIT;
    struct cert renewed;
    struct tls_client c;

    rig_serve((struct yl_http_server_opts) { .tls = make_files() });
    cert_make(&renewed, &ca, "/CN=localhost", 9999, CERT_SERVER);
    cert_write(&renewed, cert_path, key_path);
    assert_int_equal(yl_http_server_reload(rig.server, &err), 0);
    tls_dial(&c, NULL, "\x08http/1.1");
    assert_int_equal(X509_cmp(SSL_get0_peer_certificate(c.ssl),
                              renewed.certificate), 0);
    tls_hang_up(&c);
    unlink(cert_path);
    assert_int_equal(yl_http_server_reload(rig.server, &err), YL_EINVALID);
    yl_error_clear(&err);
    cert_write(&server_cert, cert_path, key_path);
    cert_release(&renewed);
    rig_stop();

    rig_serve((struct yl_http_server_opts) { 0 });
    assert_int_equal(yl_http_server_reload(rig.server, NULL), 0);
    rig_stop();
}

/* Listeners. */

static int
dial_port(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (connect(fd, (struct sockaddr *) &address, sizeof address) < 0) {
        close(fd);
        return -1;
    }
    return fd;
}

/* The descriptor that listens on the port; -1 if none of ours does.  To
 * connect would not tell: the port may be another process's by now. */
static int
listener_of(uint16_t port)
{
    for (int fd = 0; fd < 1024; fd++) {
        struct sockaddr_storage address;
        socklen_t size = sizeof address, int_size = sizeof(int);
        int listens = 0;

        /* The port is in the same place in both families. */
        if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &int_size) == 0
            && listens
            && getsockname(fd, (struct sockaddr *) &address, &size) == 0
            && ntohs(((struct sockaddr_in *) &address)->sin_port) == port) {
            return fd;
        }
    }
    return -1;
}

TEST(listeners_take_connections)
{
    int fd;

    rig_serve((struct yl_http_server_opts) {
        .listen = ":0", .listen_clear = "127.0.0.1:0", .tls = make_files(),
        .n_loops = 2,
    });
    assert_true(yl_http_server_port(rig.server));
    assert_true(yl_http_server_clear_port(rig.server));
    fd = dial_port(yl_http_server_clear_port(rig.server));
    assert_false(rig_ask(fd, GET("/"), "200 OK"));
    assert_str_equal(rig.peer.address, "127.0.0.1");
    assert_true(rig.peer.port);
    close(fd);

    /* Every address: IPv4 arrives as itself. */
    fd = dial_port(yl_http_server_port(rig.server));
    rig_await(rig_stats().connections_total == 2);
    rig_await(rig_stats().n_connections == 1);
    close(fd);
    rig_stop();
}

/* A client that has not turned off Nagle's algorithm sends its first request
 * when its side of the handshake has been acknowledged.  A busy system may
 * deliver that late now and then, but not each time. */
TEST(the_end_of_a_handshake_is_acknowledged_at_once)
{
    struct tcp_info info = { .tcpi_unacked = 1 };
    int i;

    rig_serve((struct yl_http_server_opts) {
        .listen = "127.0.0.1:0", .tls = make_files(),
    });
    for (i = 0; i < 50 && info.tcpi_unacked; i++) {
        socklen_t size = sizeof info;
        struct tls_client c;

        tls_begin(&c, dial_port(yl_http_server_port(rig.server)), NULL,
                  "\x08http/1.1");
        assert_int_equal(getsockopt(c.fd, IPPROTO_TCP, TCP_INFO, &info,
                                    &size), 0);
        tls_hang_up(&c);
    }
    assert_int_equal(info.tcpi_unacked, 0);
    rig_stop();
}

TEST(connections_beyond_the_limit_are_closed)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf in;
    int fds[3];
    int extra;

    rig_serve((struct yl_http_server_opts) {
        .listen_clear = "127.0.0.1:0", .max_connections = 3,
    });
    yl_buf_init(&in, 1 << 20);
    for (int i = 0; i < 3; i++) {
        fds[i] = dial_port(yl_http_server_clear_port(rig.server));
        assert_false(rig_ask(fds[i], GET("/"), "200 OK"));
    }
    extra = dial_port(yl_http_server_clear_port(rig.server));
    rig_await(rig_hear(extra, &in));
    assert_int_equal(in.size, 0);
    close(extra);
    assert_int_equal(rig_stats().connections_refused, 1);
    assert_int_equal(yl_http_server_connect(rig.server, false, NULL, &extra,
                                            &err), YL_EUNAVAILABLE);

    /* Who acts inside of the process gets in. */
    assert_int_equal(yl_http_server_connect(rig.server, false, "me", &extra,
                                            NULL), 0);
    rig_ask(extra, GET("/"), "200 OK");
    close(extra);
    close(fds[0]);
    rig_await(rig_stats().n_connections == 2);
    fds[0] = dial_port(yl_http_server_clear_port(rig.server));
    assert_false(rig_ask(fds[0], GET("/"), "200 OK"));
    for (int i = 0; i < 3; i++) {
        close(fds[i]);
    }
    yl_error_clear(&err);
    yl_buf_release(&in);
    rig_stop();
}

TEST(without_descriptors_the_listener_waits)
{
    struct pollfd listener = { .events = POLLIN };
    struct rlimit old, low;
    int fd, next;

    rig_serve((struct yl_http_server_opts) { .listen_clear = "127.0.0.1:0" });
    fd = dial_port(yl_http_server_clear_port(rig.server));
    listener.fd = listener_of(yl_http_server_clear_port(rig.server));
    assert_int_equal(poll(&listener, 1, 60 * 1000), 1);
    next = dup(fd);
    close(next);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    low = old;
    low.rlim_cur = (rlim_t) next;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 0);
    yl_clock_fake_advance(rig.clock, 100);
    rig_turn(3);
    assert_int_equal(rig_stats().n_connections, 1);
    assert_false(rig_ask(fd, GET("/"), "200 OK"));
    close(fd);
    rig_stop();
}

TEST(a_fast_reader_does_not_keep_others_waiting)
{
    const int little = 256 << 10;   /* However much the system would take. */
    struct yl_buf in;
    int fd, other;

    rig_serve((struct yl_http_server_opts) { .listen_clear = "127.0.0.1:0" });
    yl_buf_init(&in, 128 << 20);
    fd = dial_port(yl_http_server_clear_port(rig.server));
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    other = dial_port(yl_http_server_clear_port(rig.server));
    rig.source_left = 16 << 20;
    rig_say(fd, YL_STR(GET("/source")));
    rig_await(rig.n_requests == 1);
    rig_say(other, YL_STR(GET("/")));
    rig_await(rig.n_requests == 2);
    assert_true(rig.source_left > 0);
    while (rig.n_finished < 2) {
        rig_hear(fd, &in);
    }
    rig_await((rig_hear(fd, &in), in.size > 16 << 20));
    yl_buf_release(&in);
    close(fd);
    close(other);
    rig_stop();
}

TEST(who_comes_during_a_drain_is_turned_away)
{
    struct yl_buf in;
    int fd, silent;
    uint16_t port;

    rig_serve((struct yl_http_server_opts) { .listen_clear = "127.0.0.1:0" });
    port = yl_http_server_clear_port(rig.server);
    assert_true(listener_of(port) >= 0);
    yl_buf_init(&in, 1 << 20);
    silent = rig_dial(false);
    rig_turn(2);
    yl_http_server_begin_drain(rig.server);
    yl_http_server_begin_drain(rig.server);
    fd = rig_dial(false);
    assert_true(rig_hear(fd, &in));
    assert_true(rig_hear(silent, &in));
    assert_int_equal(listener_of(port), -1);
    yl_buf_release(&in);
    close(fd);
    close(silent);
    rig_stop();
}

/* "two.test" has two addresses; all others are as they are. */
int
getaddrinfo(const char *name, const char *service,
            const struct addrinfo *hints, struct addrinfo **ret)
{
    int (*real)(const char *, const char *, const struct addrinfo *,
                struct addrinfo **);
    bool two = name && strcmp(name, "two.test") == 0;
    int r;

    *(void **) &real = dlsym(RTLD_NEXT, "getaddrinfo");
    r = real(two ? "127.0.0.1" : name, service, hints, ret);
    return r || !two ? r : real("192.0.2.1", service, hints,
                                &(*ret)->ai_next);
}

TEST(what_cannot_be_served_is_an_error)
{
    static const struct {
        const char *listen, *clear;
        bool tls;
        int code;
        const char *why;
    } cases[] = {
        { "127.0.0.1:0", NULL, false, YL_EINVALID, "needs a certificate" },
        { "127.0.0.1", NULL, true, YL_EINVALID, "is not HOST:PORT" },
        { "127.0.0.1:x", NULL, true, YL_EINVALID, "cannot find address" },
        { NULL, "0.0.0.0:0", false, YL_EINVALID, "not a loopback address" },
        { NULL, "[::]:0", false, YL_EINVALID, "not a loopback address" },
        { NULL, ":0", false, YL_EINVALID, "not a loopback address" },
        { NULL, "two.test:0", false, YL_EINVALID, "not a loopback address" },
        { "[::1]:x", NULL, true, YL_EINVALID, "find address [::1]:x:" },
        { "192.0.2.1:0", NULL, true, YL_EUNAVAILABLE, "cannot listen on" },
    };

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_http_server_opts opts = {
            .handler = &rig_handler,
            .listen = cases[i].listen,
            .listen_clear = cases[i].clear,
            .n_loops = 1,
        };
        struct yl_error err = YL_ERROR_INIT;
        struct yl_http_server *server;

        if (cases[i].tls) {
            opts.tls = make_files();
        }
        assert_int_equal(yl_http_server_new(&opts, &server, &err),
                         cases[i].code);
        assert_non_null(strstr(yl_error_message(&err), cases[i].why));
        yl_error_clear(&err);
    }
    rig_serve((struct yl_http_server_opts) { 0 });
    assert_int_equal(yl_http_server_connect(rig.server, true, NULL,
                                            &(int) { 0 }, NULL),
                     YL_EUNAVAILABLE);
    rig_stop();
}

TEST(connections_go_to_the_least_loaded_loop)
{
    static struct yl_loop *loops[2];
    int fds[2];

    rig_serve((struct yl_http_server_opts) { .n_loops = 2 });
    for (int i = 0; i < 2; i++) {
        fds[i] = rig_dial(false);
        rig_ask(fds[i], GET("/later"), "");
        loops[i] = rig.kept->loop;
    }
    assert_ptr_not_equal(loops[0], loops[1]);
    close(fds[0]);
    close(fds[1]);
    rig_stop();
}

/* With threads, and the real clock. */

static atomic_int n_running;

static void
answer(void *aux YL_UNUSED, struct yl_http_request *request)
{
    if (yl_str_equal(request->path, YL_STR("/hang"))) {
        atomic_fetch_add(&n_running, 1);
        return;
    }
    yl_http_respond(request, 200, NULL, 0, request->path);
}

static void
forget(void *aux YL_UNUSED, struct yl_http_request *request,
       bool finished YL_UNUSED)
{
    if (yl_str_equal(request->path, YL_STR("/hang"))) {
        atomic_fetch_sub(&n_running, 1);
    }
}

static const struct yl_http_handler threaded = {
    .request = answer, .end = forget
};

static struct yl_http_server *
serve_with_threads(void)
{
    struct yl_http_server_opts opts = {
        .handler = &threaded, .listen_clear = "127.0.0.1:0",
    };
    struct yl_http_server *server;

    assert_int_equal(yl_http_server_new(&opts, &server, NULL), 0);
    return server;
}

#define N_CLIENTS 4
#define N_ROUNDS 200

static void
run_client(void *server)
{
    for (int i = 0; i < N_ROUNDS / 20; i++) {
        int fd = dial_port(yl_http_server_clear_port(server));

        assert_true(fd >= 0);
        for (int j = 0; j < 20; j++) {
            char text[1024];
            size_t size = 0;

            assert_true(send(fd, GET("/abc"), strlen(GET("/abc")), 0) > 0);
            do {
                ssize_t n = recv(fd, text + size, sizeof text - 1 - size, 0);

                assert_true(n > 0);
                size += (size_t) n;
                text[size] = '\0';
            } while (!strstr(text, "\r\n\r\n/abc"));
        }
        close(fd);
    }
}

TEST(many_clients_at_once_are_served_by_threads)
{
    struct yl_http_server *server = serve_with_threads();
    struct yl_http_server_stats stats;
    struct yl_thread threads[N_CLIENTS];
    uint16_t port;

    for (int i = 0; i < N_CLIENTS; i++) {
        assert_int_equal(yl_thread_start(&threads[i], "client", run_client,
                                         server), 0);
    }
    for (int i = 0; i < N_CLIENTS; i++) {
        yl_thread_join(&threads[i]);
    }
    port = yl_http_server_clear_port(server);
    assert_true(listener_of(port) >= 0);
    assert_true(yl_http_server_drain(server, 100000));
    yl_http_server_stats(server, &stats);
    assert_int_equal(stats.requests_total, N_CLIENTS * N_ROUNDS);
    assert_int_equal(stats.n_connections, 0);
    assert_int_equal(stats.budget_used, 0);
    assert_int_equal(listener_of(port), -1);
    yl_http_server_free(server);
}

TEST(a_drain_cuts_off_what_does_not_end)
{
    struct yl_http_server *server = serve_with_threads();
    char byte;
    int fd;

    fd = dial_port(yl_http_server_clear_port(server));
    assert_true(send(fd, GET("/hang"), strlen(GET("/hang")), 0) > 0);
    while (!atomic_load(&n_running)) {
        sched_yield();
    }
    assert_false(yl_http_server_drain(server, 10));
    assert_int_equal(atomic_load(&n_running), 0);
    assert_int_equal(recv(fd, &byte, 1, 0), 0);
    close(fd);
    yl_http_server_free(server);
}

/* A request that a thread works for while its client goes away. */
static struct yl_http_request *_Atomic held;

struct release {
    struct yl_loop_task task;
    struct yl_http_request *request;
};

static void
hold(void *aux YL_UNUSED, struct yl_http_request *request)
{
    yl_http_hold(request);
    atomic_store(&held, request);
}

static void
ignore(void *aux YL_UNUSED, struct yl_http_request *request YL_UNUSED,
       bool finished YL_UNUSED)
{
}

static void
release(struct yl_loop_task *task)
{
    yl_http_release(YL_CONTAINER_OF(task, struct release, task)->request);
}

static void
release_later(void *aux)
{
    struct release *r = aux;
    struct timespec pause = { 0, 5000000 };

    r->task.run = release;
    r->request = atomic_load(&held);
    nanosleep(&pause, NULL);
    yl_loop_post(r->request->loop, &r->task);
}

TEST(a_drain_waits_for_requests_that_are_held)
{
    static const struct yl_http_handler holder = {
        .request = hold, .end = ignore
    };
    struct yl_http_server_opts opts = { .handler = &holder, .n_loops = 2 };
    struct yl_http_server *server;
    struct yl_thread thread;
    struct release r;
    int fd;

    assert_int_equal(yl_http_server_new(&opts, &server, NULL), 0);
    assert_int_equal(yl_http_server_connect(server, false, NULL, &fd, NULL),
                     0);
    assert_true(send(fd, GET("/"), strlen(GET("/")), 0) > 0);
    while (!atomic_load(&held)) {
        sched_yield();
    }
    close(fd);
    assert_int_equal(yl_thread_start(&thread, "worker", release_later, &r),
                     0);
    yl_http_server_drain(server, 1);
    yl_http_server_free(server);
    yl_thread_join(&thread);
}

TEST(freeing_a_server_ends_what_runs)
{
    struct yl_http_server *server = serve_with_threads();
    int fd;

    fd = dial_port(yl_http_server_clear_port(server));
    assert_true(send(fd, GET("/hang"), strlen(GET("/hang")), 0) > 0);
    while (!atomic_load(&n_running)) {
        sched_yield();
    }
    yl_http_server_free(server);
    assert_int_equal(atomic_load(&n_running), 0);
    close(fd);
    yl_http_server_free(NULL);
}
