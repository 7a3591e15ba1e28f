/* Tests of TLS as a client, against our own server, in memory. */

#include <openssl/ssl.h>
#include <unistd.h>

#include "certs.h"
#include "net/tls.h"
#include "net/tls_parts.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"

static struct cert ca, other_ca, server_cert, alice;
static char dir[] = "/tmp/yuloh-tls-client-XXXXXX";
static char ca_path[64], cert_path[64], key_path[64];
static char alice_path[64], alice_key_path[64], empty_path[64];
static struct yl_tls_server *server;

static void
clean_up(void)
{
    yl_tls_server_free(server);
    unlink(ca_path);
    unlink(cert_path);
    unlink(key_path);
    unlink(alice_path);
    unlink(alice_key_path);
    unlink(empty_path);
    rmdir(dir);
    cert_release(&ca);
    cert_release(&other_ca);
    cert_release(&server_cert);
    cert_release(&alice);
}

static void
make_server(void)
{
    struct yl_tls_files files = { cert_path, key_path, ca_path };
    FILE *f;

    if (server) {
        return;
    }
    assert_non_null(mkdtemp(dir));
    snprintf(ca_path, sizeof ca_path, "%s/ca.pem", dir);
    snprintf(cert_path, sizeof cert_path, "%s/cert.pem", dir);
    snprintf(key_path, sizeof key_path, "%s/key.pem", dir);
    snprintf(alice_path, sizeof alice_path, "%s/alice.pem", dir);
    snprintf(alice_key_path, sizeof alice_key_path, "%s/alice.key", dir);
    snprintf(empty_path, sizeof empty_path, "%s/empty.pem", dir);
    cert_make(&ca, NULL, "/CN=ca", 3600, CERT_CA);
    cert_make(&other_ca, NULL, "/CN=other", 3600, CERT_CA);
    cert_make(&server_cert, &ca, "/CN=in-the-subject", 3600, CERT_SERVER);
    cert_make(&alice, &ca, "/O=dev/CN=alice", 3600, CERT_CLIENT);
    cert_write(&ca, ca_path, NULL);
    cert_write(&server_cert, cert_path, key_path);
    cert_write(&alice, alice_path, alice_key_path);
    f = fopen(empty_path, "w");
    fputs("no certificate\n", f);
    fclose(f);
    assert_int_equal(yl_tls_server_new(&files, &server, NULL), 0);
    atexit(clean_up);
}

/* Both ends. */
struct pair {
    struct yl_tls *client, *server;
    struct yl_buf to_client, to_server;         /* Encrypted. */
    struct yl_buf client_plain, server_plain;   /* What each has received. */
    enum yl_tls_result client_result, server_result;
};

static void
carry(struct pair *p)
{
    do {
        struct yl_buf wire = p->to_client;

        yl_buf_init(&p->to_client, 1 << 20);
        p->client_result = yl_tls_receive(p->client, yl_buf_str(&wire),
                                          &p->client_plain, &p->to_server);
        yl_buf_release(&wire);
        wire = p->to_server;
        yl_buf_init(&p->to_server, 1 << 20);
        p->server_result = yl_tls_receive(p->server, yl_buf_str(&wire),
                                          &p->server_plain, &p->to_client);
        yl_buf_release(&wire);
    } while (p->to_client.size && p->client_result == YL_TLS_OK);
}

/* Shakes hands; true if both are content. */
static bool
meet(struct pair *p, const struct yl_tls_client_opts *opts, const char *host)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_tls_client *client;

    make_server();
    memset(p, 0, sizeof *p);
    if (yl_tls_client_new(opts, &client, &err) < 0) {
        fail_msg("%s", yl_error_message(&err));
    }
    p->client = yl_tls_connect(client, host);
    p->server = yl_tls_accept(server);
    yl_tls_client_free(client);
    yl_buf_init(&p->to_client, 1 << 20);
    yl_buf_init(&p->to_server, 1 << 20);
    yl_buf_init(&p->client_plain, 1 << 20);
    yl_buf_init(&p->server_plain, 1 << 20);
    carry(p);
    return yl_tls_is_open(p->client) && yl_tls_is_open(p->server)
           && p->client_result == YL_TLS_OK && p->server_result == YL_TLS_OK;
}

static void
part(struct pair *p)
{
    yl_tls_free(p->client);
    yl_tls_free(p->server);
    yl_buf_release(&p->to_client);
    yl_buf_release(&p->to_server);
    yl_buf_release(&p->client_plain);
    yl_buf_release(&p->server_plain);
}

/* A PEM in memory; the caller frees it. */
static struct yl_str
pem_of(const struct cert *cert, bool key)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *data, *copy;
    long n;

    if (key) {
        PEM_write_bio_PrivateKey(bio, cert->key, NULL, NULL, 0, NULL, NULL);
    } else {
        PEM_write_bio_X509(bio, cert->certificate);
    }
    n = BIO_get_mem_data(bio, &data);
    copy = malloc((size_t) n);
    memcpy(copy, data, (size_t) n);
    BIO_free(bio);
    return yl_str_n(copy, (size_t) n);
}

TEST(a_client_and_a_server_talk)
{
    struct yl_tls_client_opts opts = { 0 };
    struct pair p;

    make_server();
    opts.authorities.path = ca_path;
    assert_true(meet(&p, &opts, "localhost"));
    assert_true(yl_tls_is_h2(p.client));
    assert_true(yl_tls_is_h2(p.server));
    assert_string_equal(SSL_get_servername(p.server->ssl,
                                           TLSEXT_NAMETYPE_host_name),
                        "localhost");
    assert_null(yl_tls_failure(p.client));
    yl_tls_send(p.client, YL_STR("hello"), &p.to_server);
    carry(&p);
    assert_str_equal(yl_buf_str(&p.server_plain), "hello");
    yl_tls_send(p.server, YL_STR("who is there?"), &p.to_client);
    carry(&p);
    assert_str_equal(yl_buf_str(&p.client_plain), "who is there?");
    yl_tls_close(p.client, &p.to_server);
    carry(&p);
    assert_int_equal(p.server_result, YL_TLS_CLOSED);
    assert_non_null(yl_tls_failure(p.client));
    part(&p);
}

TEST(a_client_may_offer_http1_only)
{
    struct yl_tls_client_opts opts = { .http1 = true };
    struct pair p;

    make_server();
    opts.authorities.path = ca_path;
    assert_true(meet(&p, &opts, "127.0.0.1"));
    assert_false(yl_tls_is_h2(p.client));
    assert_false(yl_tls_is_h2(p.server));

    /* An address is no name to ask a server by. */
    assert_null(SSL_get_servername(p.server->ssl,
                                   TLSEXT_NAMETYPE_host_name));
    part(&p);
}

TEST(a_client_shows_its_certificate_from_files_or_memory)
{
    struct yl_str memory[3];
    struct yl_tls_client_opts opts[2] = { { .http1 = false } };
    struct yl_arena *arena = yl_arena_new();
    struct yl_tls_peer peer;
    struct pair p;

    make_server();
    memory[0] = pem_of(&ca, false);
    memory[1] = pem_of(&alice, false);
    memory[2] = pem_of(&alice, true);
    opts[0].authorities.path = ca_path;
    opts[0].certificate.path = alice_path;
    opts[0].key.path = alice_key_path;
    opts[1].authorities.bytes = memory[0];
    opts[1].certificate.bytes = memory[1];
    opts[1].key.bytes = memory[2];
    for (int i = 0; i < 2; i++) {
        assert_true(meet(&p, &opts[i], "localhost"));
        yl_tls_peer(p.server, arena, &peer);
        assert_null(peer.refused);
        assert_str_equal(peer.common_name, "alice");
        part(&p);
    }
    for (int i = 0; i < 3; i++) {
        free((void *) (uintptr_t) memory[i].data);
    }
    yl_arena_free(arena);
}

TEST(a_server_that_cannot_be_trusted_is_refused)
{
    struct yl_str other;
    struct yl_tls_client_opts opts = { 0 };
    struct pair p;

    make_server();
    other = pem_of(&other_ca, false);
    opts.authorities.bytes = other;
    assert_false(meet(&p, &opts, "localhost"));
    assert_int_equal(p.client_result, YL_TLS_FAILED);
    assert_false(yl_tls_is_open(p.client));
    assert_string_equal(yl_tls_failure(p.client),
                        "self-signed certificate in certificate chain");
    part(&p);

    /* Those of the system do not know it either. */
    opts.authorities.bytes = yl_str_null();
    assert_false(meet(&p, &opts, "localhost"));
    part(&p);

    /* Only who asks for it gets any. */
    opts.insecure = true;
    assert_true(meet(&p, &opts, "elsewhere"));
    part(&p);
    free((void *) (uintptr_t) other.data);
}

TEST(the_certificate_must_be_for_the_name)
{
    static const struct {
        const char *host, *verify_name, *sni;
        bool good;
    } cases[] = {
        { "localhost", NULL, NULL, true },
        { "LOCALHOST", NULL, NULL, true },
        { "127.0.0.1", NULL, NULL, true },
        { "127.0.0.2", NULL, NULL, false },
        { "::1", NULL, NULL, false },
        { "elsewhere", NULL, NULL, false },
        { "in-the-subject", NULL, NULL, false },
        { "elsewhere", "localhost", NULL, true },
        { "elsewhere", "127.0.0.1", "third", true },
        { "localhost", "elsewhere", NULL, false },
        { "localhost", NULL, "elsewhere", true },
    };

    make_server();
    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        struct yl_tls_client_opts opts = {
            .authorities.path = ca_path,
            .verify_name = cases[i].verify_name,
            .sni = cases[i].sni,
        };
        const char *sni = cases[i].sni ? cases[i].sni : cases[i].host;
        const char *heard;
        struct pair p;

        assert_int_equal(meet(&p, &opts, cases[i].host), cases[i].good);
        if (!cases[i].good) {
            assert_non_null(strstr(yl_tls_failure(p.client), "mismatch"));
        }
        heard = SSL_get_servername(p.server->ssl, TLSEXT_NAMETYPE_host_name);
        if (cases[i].good && (sni[0] < '0' || sni[0] > '9')) {
            assert_string_equal(heard, sni);
        }
        part(&p);
    }
}

TEST(a_name_that_is_no_name_fails)
{
    struct yl_tls_client_opts opts = { .insecure = true };
    char name[400];
    struct pair p;

    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(meet(&p, &opts, name));
    assert_int_equal(p.client_result, YL_TLS_FAILED);
    assert_non_null(yl_tls_failure(p.client));
    part(&p);
}

TEST(options_that_make_no_sense_are_refused)
{
    struct yl_tls_client_opts opts[6] = { { .http1 = false } };
    static const char *const parts[6] = {
        "any certificate will do", "its key", "its certificate",
        "authorities in /nowhere", "certificate in", "private key in the",
    };
    struct yl_str key;

    make_server();
    key = pem_of(&ca, true);
    opts[0].insecure = true;
    opts[0].authorities.path = ca_path;
    opts[1].certificate.path = alice_path;
    opts[2].key.path = alice_key_path;
    opts[3].authorities.path = "/nowhere";
    opts[4].certificate.path = empty_path;
    opts[4].key.path = alice_key_path;
    opts[5].certificate.path = alice_path;
    opts[5].key.bytes = key;
    for (size_t i = 0; i < YL_ARRAY_SIZE(opts); i++) {
        struct yl_error err = YL_ERROR_INIT;
        struct yl_tls_client *client = NULL;

        assert_int_equal(yl_tls_client_new(&opts[i], &client, &err),
                         YL_EINVALID);
        if (!strstr(yl_error_message(&err), parts[i])) {
            fail_msg("%zu: %s", i, yl_error_message(&err));
        }
        assert_null(client);
        yl_error_clear(&err);
    }
    free((void *) (uintptr_t) key.data);
    yl_tls_client_free(NULL);
}
