/* Tests of TLS, against a client of OpenSSL's own. */

#include "net/tls.h"

#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include "certs.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct cert ca, other_ca, server_cert, alice, expired, stranger;
static char dir[] = "/tmp/yuloh-tls-XXXXXX";
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
    cert_release(&other_ca);
    cert_release(&server_cert);
    cert_release(&alice);
    cert_release(&expired);
    cert_release(&stranger);
}

static void
make_certs(void)
{
    if (made) {
        return;
    }
    made = true;
    assert_non_null(mkdtemp(dir));
    snprintf(ca_path, sizeof ca_path, "%s/ca.pem", dir);
    snprintf(cert_path, sizeof cert_path, "%s/cert.pem", dir);
    snprintf(key_path, sizeof key_path, "%s/key.pem", dir);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&other_ca, NULL, "/CN=other", 3600, CERT_CA);
    cert_make(&server_cert, &ca, "/CN=localhost", 3600, CERT_SERVER);
    cert_make(&alice, &ca, "/O=dev/O=ops/CN=alice", 3600, CERT_CLIENT);
    cert_make(&expired, &ca, "/CN=bob", -60, CERT_CLIENT);
    cert_make(&stranger, &other_ca, "/CN=eve", 3600, CERT_CLIENT);
    cert_write(&ca, ca_path, NULL);
    cert_write(&server_cert, cert_path, key_path);
    atexit(clean_up);
}

static struct yl_tls_server *
make_server(bool with_ca)
{
    struct yl_tls_files files = {
        cert_path, key_path, with_ca ? ca_path : NULL
    };
    struct yl_tls_server *server;

    make_certs();
    assert_int_equal(yl_tls_server_new(&files, &server, NULL), 0);
    return server;
}

/* Both ends, and the buffers between them. */
struct pair {
    struct yl_tls *tls;
    SSL_CTX *context;
    SSL *ssl;
    struct yl_buf out, plain;
    enum yl_tls_result result;
};

static void
connect_pair(struct pair *p, struct yl_tls_server *server,
             const struct cert *cert, int max_version, const char *alpn)
{
    p->tls = yl_tls_accept(server);
    p->context = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_max_proto_version(p->context, max_version);
    SSL_CTX_set_min_proto_version(p->context, TLS1_1_VERSION);
    if (cert) {
        SSL_CTX_use_certificate(p->context, cert->certificate);
        SSL_CTX_use_PrivateKey(p->context, cert->key);
    }
    p->ssl = SSL_new(p->context);
    SSL_set_bio(p->ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(p->ssl);
    if (alpn) {
        SSL_set_alpn_protos(p->ssl, (const unsigned char *) alpn,
                            (unsigned) strlen(alpn));
    }
    yl_buf_init(&p->out, 16 << 20);
    yl_buf_init(&p->plain, 16 << 20);
    p->result = YL_TLS_OK;
}

static void
release_pair(struct pair *p)
{
    SSL_free(p->ssl);
    SSL_CTX_free(p->context);
    yl_tls_free(p->tls);
    yl_buf_release(&p->out);
    yl_buf_release(&p->plain);
}

/* Moves what the client has written to the server, in pieces of 'piece', and
 * the answer back. */
static void
carry(struct pair *p, size_t piece)
{
    char bytes[16384];
    int n;

    while (p->result == YL_TLS_OK
           && (n = BIO_read(SSL_get_wbio(p->ssl), bytes, (int) piece)) > 0) {
        p->result = yl_tls_receive(p->tls, yl_str_n(bytes, (size_t) n),
                                   &p->plain, &p->out);
    }
    if (p->out.size) {
        BIO_write(SSL_get_rbio(p->ssl), p->out.data, (int) p->out.size);
        yl_buf_clear(&p->out);
    }
}

static bool
shake_hands(struct pair *p, size_t piece)
{
    for (int i = 0; i < 10 && !SSL_is_init_finished(p->ssl); i++) {
        ERR_clear_error();
        SSL_do_handshake(p->ssl);
        carry(p, piece);
    }
    return SSL_is_init_finished(p->ssl) && yl_tls_is_open(p->tls);
}

TEST(both_versions_shake_hands_and_carry_bytes_both_ways)
{
    static const int versions[] = { TLS1_2_VERSION, TLS1_3_VERSION };
    struct yl_tls_server *server = make_server(false);

    for (size_t i = 0; i < YL_ARRAY_SIZE(versions); i++) {
        struct pair p;
        char bytes[100];

        connect_pair(&p, server, NULL, versions[i], NULL);
        assert_true(shake_hands(&p, i ? 16384 : 1));
        assert_int_equal(SSL_version(p.ssl), versions[i]);
        assert_false(yl_tls_is_h2(p.tls));
        assert_int_equal(SSL_write(p.ssl, "hello", 5), 5);
        carry(&p, 7);
        assert_str_equal(yl_buf_str(&p.plain), "hello");
        assert_int_equal(yl_tls_send(p.tls, YL_STR("good day"), &p.out),
                         YL_TLS_OK);
        carry(&p, 100);
        assert_int_equal(SSL_read(p.ssl, bytes, sizeof bytes), 8);
        assert_memory_equal(bytes, "good day", 8);
        release_pair(&p);
    }
    yl_tls_server_free(server);
}

TEST(ciphers_are_chosen_by_what_they_cost)
{
    static const struct {
        const char *offered, *chosen;
    } cases[] = {
        { "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:"
          "TLS_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256" },
        { "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256" },
        { "TLS_AES_256_GCM_SHA384", "TLS_AES_256_GCM_SHA384" },
    };
    struct yl_tls_server *server = make_server(false);

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct pair p;

        connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
        assert_int_equal(SSL_set_ciphersuites(p.ssl, cases[i].offered), 1);
        assert_true(shake_hands(&p, 16384));
        assert_string_equal(SSL_get_cipher_name(p.ssl), cases[i].chosen);
        release_pair(&p);
    }
    yl_tls_server_free(server);
}

TEST(an_old_version_is_refused)
{
    struct yl_tls_server *server = make_server(false);
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_1_VERSION, NULL);
    SSL_set_security_level(p.ssl, 0);
    assert_false(shake_hands(&p, 16384));
    assert_int_equal(p.result, YL_TLS_FAILED);

    /* And stays so. */
    assert_int_equal(yl_tls_receive(p.tls, YL_STR("x"), &p.plain, &p.out),
                     YL_TLS_FAILED);
    release_pair(&p);
    yl_tls_server_free(server);
}

TEST(garbage_is_refused)
{
    struct yl_tls_server *server = make_server(false);
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_int_equal(yl_tls_receive(p.tls, YL_STR("nonsense of any kind\r\n"),
                                    &p.plain, &p.out), YL_TLS_FAILED);
    assert_int_equal(p.plain.size, 0);
    yl_tls_close(p.tls, &p.out);
    release_pair(&p);
    yl_tls_server_free(server);
}

TEST(requests_in_the_clear_are_told_so)
{
    struct yl_tls_server *server = make_server(false);
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_int_equal(yl_tls_receive(p.tls, YL_STR("GET / HTTP/1.1\r\n\r\n"),
                                    &p.plain, &p.out), YL_TLS_FAILED);
    assert_int_equal(p.plain.size, 0);
    assert_str_equal(yl_buf_str(&p.out),
                     "HTTP/1.0 400 Bad Request\r\n\r\n"
                     "Client sent an HTTP request to an HTTPS server.\n");
    yl_tls_close(p.tls, &p.out);
    release_pair(&p);
    yl_tls_server_free(server);
}

TEST(alpn_prefers_h2)
{
    static const struct {
        const char *offer;
        bool h2;
    } cases[] = {
        { "\x08http/1.1\x02h2", true },
        { "\x02h2", true },
        { "\x08http/1.1", false },
        { "\x03""foo", false },
    };
    struct yl_tls_server *server = make_server(false);

    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct pair p;

        connect_pair(&p, server, NULL, TLS1_3_VERSION, cases[i].offer);
        assert_true(shake_hands(&p, 16384));
        assert_int_equal(yl_tls_is_h2(p.tls), cases[i].h2);
        release_pair(&p);
    }
    yl_tls_server_free(server);
}

TEST(a_good_client_certificate_names_its_owner)
{
    struct yl_tls_server *server = make_server(true);
    struct yl_arena *arena = yl_arena_new();
    struct yl_tls_peer peer;
    struct pair p;

    connect_pair(&p, server, &alice, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    yl_tls_peer(p.tls, arena, &peer);
    assert_null(peer.refused);
    assert_str_equal(peer.common_name, "alice");
    assert_int_equal(peer.n_organizations, 2);
    assert_str_equal(peer.organizations[0], "dev");
    assert_str_equal(peer.organizations[1], "ops");
    assert_int_equal(peer.fingerprint.size, 64);
    assert_in_range(peer.not_after, time(NULL) + 1800, time(NULL) + 3600);
    release_pair(&p);
    yl_arena_free(arena);
    yl_tls_server_free(server);
}

TEST(a_bad_client_certificate_names_nobody_and_says_why)
{
    struct yl_tls_server *server = make_server(true);
    struct yl_arena *arena = yl_arena_new();
    const struct cert *const bad[] = { &expired, &stranger, &server_cert };
    struct yl_tls_peer peer;
    struct pair p;

    for (size_t i = 0; i < YL_ARRAY_SIZE(bad); i++) {
        connect_pair(&p, server, bad[i], TLS1_3_VERSION, NULL);
        assert_true(shake_hands(&p, 16384));
        yl_tls_peer(p.tls, arena, &peer);
        assert_non_null(peer.refused);
        assert_true(yl_str_is_null(peer.common_name));
        assert_int_equal(peer.n_organizations, 0);
        release_pair(&p);
    }

    /* None at all is fine. */
    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    yl_tls_peer(p.tls, arena, &peer);
    assert_null(peer.refused);
    assert_true(yl_str_is_null(peer.common_name));
    release_pair(&p);
    yl_arena_free(arena);
    yl_tls_server_free(server);
}

TEST(records_are_as_large_as_what_is_sent)
{
    struct yl_tls_server *server = make_server(false);
    char *bytes = calloc(1, 64 << 10);
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    assert_int_equal(yl_tls_send(p.tls, yl_str_n(bytes, 64 << 10), &p.out),
                     YL_TLS_OK);

    /* Four records, each with a head, a type and a tag. */
    assert_int_equal(p.out.size, (64 << 10) + 4 * (5 + 1 + 16));
    free(bytes);
    release_pair(&p);
    yl_tls_server_free(server);
}

TEST(goodbyes_are_heard_and_said)
{
    struct yl_tls_server *server = make_server(false);
    struct pair p;
    char byte;

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    SSL_write(p.ssl, "last", 4);
    SSL_shutdown(p.ssl);
    carry(&p, 16384);
    assert_int_equal(p.result, YL_TLS_CLOSED);
    assert_str_equal(yl_buf_str(&p.plain), "last");

    yl_tls_close(p.tls, &p.out);
    assert_true(p.out.size > 0);
    BIO_write(SSL_get_rbio(p.ssl), p.out.data, (int) p.out.size);
    assert_int_equal(SSL_read(p.ssl, &byte, 1), 0);
    assert_int_equal(SSL_get_error(p.ssl, 0), SSL_ERROR_ZERO_RETURN);
    assert_int_equal(yl_tls_send(p.tls, YL_STR("more"), &p.out),
                     YL_TLS_FAILED);
    release_pair(&p);
    yl_tls_server_free(server);
}

/* To refuse again and again, while the client does not read, would take memory
 * without end. */
TEST(who_wants_to_shake_hands_again_is_dropped)
{
    struct yl_tls_server *server = make_server(false);
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_2_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    assert_int_equal(SSL_renegotiate(p.ssl), 1);
    SSL_do_handshake(p.ssl);
    carry(&p, 16384);
    assert_int_equal(p.result, YL_TLS_FAILED);
    release_pair(&p);

    /* New keys in TLS 1.3 are something else. */
    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    assert_int_equal(SSL_key_update(p.ssl, SSL_KEY_UPDATE_REQUESTED), 1);
    SSL_write(p.ssl, "hello", 5);
    carry(&p, 16384);
    assert_int_equal(p.result, YL_TLS_OK);
    assert_str_equal(yl_buf_str(&p.plain), "hello");
    assert_int_equal(yl_tls_send(p.tls, YL_STR("hi"), &p.out), YL_TLS_OK);
    carry(&p, 16384);
    assert_int_equal(SSL_read(p.ssl, (char[2]) { 0 }, 2), 2);
    release_pair(&p);
    yl_tls_server_free(server);
}

TEST(a_buffer_that_is_full_fails_the_connection)
{
    struct yl_tls_server *server = make_server(false);
    struct yl_buf small;
    struct pair p;

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    yl_buf_init(&small, 10);
    assert_int_equal(yl_tls_send(p.tls, YL_STR("too much"), &small),
                     YL_TLS_FAILED);
    yl_buf_release(&small);
    release_pair(&p);

    connect_pair(&p, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&p, 16384));
    yl_buf_init(&small, 10);
    assert_int_equal(yl_tls_receive(p.tls, YL_STR("x"), &small, &p.out),
                     YL_TLS_FAILED);
    yl_buf_release(&small);
    release_pair(&p);
    yl_tls_server_free(server);
}

static X509 *
shown(struct pair *p)
{
    return SSL_get0_peer_certificate(p->ssl);
}

TEST(a_reload_is_for_new_connections)
{
    struct yl_tls_server *server = make_server(true);
    struct yl_error err = YL_ERROR_INIT;
    struct cert renewed;
    struct pair old, new;
    FILE *f;

    cert_make(&renewed, &ca, "/CN=localhost", 7200, CERT_SERVER);
    connect_pair(&old, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&old, 16384));
    cert_write(&renewed, cert_path, key_path);
    assert_int_equal(yl_tls_server_reload(server, NULL), 0);
    connect_pair(&new, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&new, 16384));
    assert_int_equal(X509_cmp(shown(&old), server_cert.certificate), 0);
    assert_int_equal(X509_cmp(shown(&new), renewed.certificate), 0);
    assert_int_equal(SSL_write(old.ssl, "still", 5), 5);
    carry(&old, 100);
    assert_str_equal(yl_buf_str(&old.plain), "still");
    release_pair(&new);

    /* One that fails changes nothing. */
    f = fopen(cert_path, "w");
    fclose(f);
    assert_int_equal(yl_tls_server_reload(server, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), cert_path));
    yl_error_clear(&err);
    connect_pair(&new, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&new, 16384));
    assert_int_equal(X509_cmp(shown(&new), renewed.certificate), 0);
    release_pair(&new);
    release_pair(&old);
    cert_write(&server_cert, cert_path, key_path);
    cert_release(&renewed);
    yl_tls_server_free(server);
}

TEST(a_client_of_an_authority_that_is_gone_is_found_out)
{
    struct yl_tls_server *server = make_server(true);
    struct pair good, none;

    connect_pair(&good, server, &alice, TLS1_3_VERSION, NULL);
    connect_pair(&none, server, NULL, TLS1_3_VERSION, NULL);
    assert_true(shake_hands(&good, 16384));
    assert_true(shake_hands(&none, 16384));
    assert_null(yl_tls_recheck(good.tls, server));
    assert_int_equal(yl_tls_server_reload(server, NULL), 0);
    assert_null(yl_tls_recheck(good.tls, server));
    cert_write(&other_ca, ca_path, NULL);
    assert_int_equal(yl_tls_server_reload(server, NULL), 0);
    assert_non_null(yl_tls_recheck(good.tls, server));
    assert_null(yl_tls_recheck(none.tls, server));
    cert_write(&ca, ca_path, NULL);
    release_pair(&good);
    release_pair(&none);
    yl_tls_server_free(server);
}

TEST(files_that_cannot_be_used_are_named)
{
    struct yl_tls_server *server;
    struct yl_error err = YL_ERROR_INIT;
    struct yl_tls_files files;
    struct cert key;

    make_certs();
    files = (struct yl_tls_files) { "/nonexistent", key_path, NULL };
    assert_int_equal(yl_tls_server_new(&files, &server, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "/nonexistent"));

    /* A key that is not the certificate's. */
    files = (struct yl_tls_files) { ca_path, key_path, NULL };
    assert_int_equal(yl_tls_server_new(&files, &server, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "private key"));

    /* Nor is one of another kind, which OpenSSL keeps beside it. */
    key.key = EVP_RSA_gen(2048);
    key.certificate = server_cert.certificate;
    cert_write(&key, cert_path, key_path);
    EVP_PKEY_free(key.key);
    files = (struct yl_tls_files) { cert_path, key_path, NULL };
    assert_int_equal(yl_tls_server_new(&files, &server, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "private key"));
    cert_write(&server_cert, cert_path, key_path);
    files = (struct yl_tls_files) { cert_path, key_path, key_path };
    assert_int_equal(yl_tls_server_new(&files, &server, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "client authorities"));
    yl_error_clear(&err);
}
