/* Tests of the PKI: first start, renewal, crashes. */

#include "apiserver/auth/pki.h"

#include <sys/stat.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "apiserver/auth/pki_certificate.h"
#include "base/file.h"
#include "unit.h"
#include "yuloh/error.h"

#define DAY ((int64_t) 24 * 60 * 60)
#define NOW INT64_C(1900000000)

static const char *const names[] = { "localhost", "example.com", "10.0.0.1",
                                     "2001:db8::1" };

struct place {
    char directory[64];
    struct yl_pki_opts opts;
};

static void
place_init(struct place *place)
{
    snprintf(place->directory, sizeof place->directory,
             "/tmp/yuloh-pki-XXXXXX");
    assert_non_null(mkdtemp(place->directory));
    place->opts = (struct yl_pki_opts) {
        .directory = place->directory, .names = names,
        .n_names = YL_ARRAY_SIZE(names), .now = NOW,
    };
}

static void
place_remove(struct place *place, const char *name, const char *suffix)
{
    char *path = yl_pki_path(place->directory, name, suffix);

    unlink(path);
    free(path);
}

static void
place_release(struct place *place)
{
    static const char *const pairs[] = { "ca", "server", "admin" };
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        place_remove(place, pairs[i], ".crt");
        place_remove(place, pairs[i], ".key");
    }
    assert_int_equal(rmdir(place->directory), 0);
}

static char *
text_of(struct place *place, const char *name, const char *suffix)
{
    char *path = yl_pki_path(place->directory, name, suffix);
    char *text = read_file(path, NULL);

    free(path);
    return text;
}

static X509 *
certificate_of(struct place *place, const char *name)
{
    char *text = text_of(place, name, ".crt");
    X509 *certificate;

    assert_int_equal(yl_certificate_read(text, name, &certificate, NULL), 0);
    free(text);
    return certificate;
}

/* Is 'certificate' good at 'when' for someone who trusts 'ca'? */
static bool
verifies(X509 *ca, X509 *certificate, int64_t when, int purpose)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *ctx = X509_STORE_CTX_new();
    X509_VERIFY_PARAM *param;
    bool good;

    X509_STORE_add_cert(store, ca);
    X509_STORE_CTX_init(ctx, store, certificate, NULL);
    param = X509_STORE_CTX_get0_param(ctx);
    X509_VERIFY_PARAM_set_time(param, (time_t) when);
    X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_X509_STRICT);
    X509_STORE_CTX_set_purpose(ctx, purpose);
    good = X509_verify_cert(ctx) == 1;
    X509_STORE_CTX_free(ctx);
    X509_STORE_free(store);
    return good;
}

TEST(a_first_start_makes_everything)
{
    struct place place;
    X509 *ca, *server, *admin;
    struct stat st;
    char *path, subject[128];

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    ca = certificate_of(&place, "ca");
    server = certificate_of(&place, "server");
    admin = certificate_of(&place, "admin");
    assert_true(verifies(ca, server, NOW, X509_PURPOSE_SSL_SERVER));
    assert_true(verifies(ca, admin, NOW, X509_PURPOSE_SSL_CLIENT));
    assert_false(verifies(ca, admin, NOW, X509_PURPOSE_SSL_SERVER));
    assert_false(verifies(ca, server, NOW + 366 * DAY,
                          X509_PURPOSE_SSL_SERVER));
    assert_true(yl_certificate_has_name(server, "example.com"));
    assert_true(yl_certificate_has_name(server, "10.0.0.1"));
    assert_true(yl_certificate_has_name(server, "2001:db8::1"));
    assert_false(yl_certificate_has_name(server, "10.0.0.2"));
    assert_false(yl_certificate_has_name(server, "example.org"));
    X509_NAME_oneline(X509_get_subject_name(admin), subject, sizeof subject);
    assert_string_equal(subject, "/O=system:masters/CN=kubernetes-admin");
    path = yl_pki_path(place.directory, "admin", ".key");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    free(path);

    /* A second one makes nothing. */
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 0);
    X509_free(ca);
    X509_free(server);
    X509_free(admin);
    place_release(&place);
}

TEST(leaves_are_renewed_before_they_expire)
{
    struct place place;
    char *before, *after;

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    before = text_of(&place, "admin", ".crt");
    place.opts.now = NOW + 330 * DAY;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 0);
    place.opts.now = NOW + 340 * DAY;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    after = text_of(&place, "admin", ".crt");
    assert_string_not_equal(before, after);
    free(before);
    free(after);
    place_release(&place);
}

TEST(a_renewed_authority_keeps_its_key)
{
    struct place place;
    X509 *old_server, *old, *new;

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    old = certificate_of(&place, "ca");
    old_server = certificate_of(&place, "server");
    place.opts.now = NOW + 3400 * DAY;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    new = certificate_of(&place, "ca");
    assert_int_not_equal(X509_cmp(old, new), 0);
    assert_true(verifies(new, old_server, NOW + 3400 * DAY - 300
                                          - 3399 * DAY, 0)
                || yl_certificate_end(new) > yl_certificate_end(old));
    assert_int_equal(X509_verify(old_server, X509_get0_pubkey(new)), 1);
    X509_free(old);
    X509_free(new);
    X509_free(old_server);
    place_release(&place);
}

TEST(an_authority_of_somebody_else_is_not_made_again)
{
    const struct yl_certificate_request request = {
        .use = YL_CERTIFICATE_AUTHORITY, .common_name = "corp",
        .not_before = NOW, .not_after = NOW + 100 * DAY,
    };
    struct yl_error err = YL_ERROR_INIT;
    struct place place;
    EVP_PKEY *key;
    X509 *corp, *kept, *server;
    char *pem, *key_pem, *path;

    place_init(&place);
    assert_int_equal(yl_certificate_new_key(&key, NULL), 0);
    assert_int_equal(yl_certificate_sign(&request, key, NULL, key, &corp,
                                         NULL), 0);
    pem = yl_certificate_pem(corp);
    key_pem = yl_certificate_key_pem(key);
    path = yl_pki_path(place.directory, "ca", ".crt");
    assert_int_equal(yl_file_replace(path, yl_str_c(pem), 0644, NULL), 0);
    free(path);
    path = yl_pki_path(place.directory, "ca", ".key");
    assert_int_equal(yl_file_replace(path, yl_str_c(key_pem), 0600, NULL), 0);

    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    kept = certificate_of(&place, "ca");
    server = certificate_of(&place, "server");
    assert_int_equal(X509_cmp(kept, corp), 0);
    assert_int_equal(X509_verify(server, key), 1);
    assert_int_equal(yl_certificate_end(server), NOW + 100 * DAY);

    place.opts.now = NOW + 101 * DAY;
    assert_int_equal(yl_pki_prepare(&place.opts, &err), YL_EINVALID);
    assert_non_null(strstr(err.message, "has expired"));
    yl_error_clear(&err);
    X509_free(server);
    X509_free(kept);
    X509_free(corp);
    EVP_PKEY_free(key);
    free(path);
    free(pem);
    free(key_pem);
    place_release(&place);
}

/* A machine without a battery starts in 1970, or in 2040. */
TEST(what_is_not_good_yet_is_made_again)
{
    static const char *const pairs[] = { "ca", "server", "admin" };
    struct place place;
    size_t i;

    place_init(&place);
    place.opts.now = NOW + 5000 * DAY;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    place.opts.now = NOW;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    for (i = 0; i < YL_ARRAY_SIZE(pairs); i++) {
        X509 *certificate = certificate_of(&place, pairs[i]);

        assert_true(yl_certificate_begin(certificate) <= NOW);
        assert_true(yl_certificate_end(certificate) > NOW);
        X509_free(certificate);
    }
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 0);
    place_release(&place);
}

TEST(another_name_makes_another_certificate)
{
    static const char *const more[] = { "localhost", "new.example.com" };
    struct place place;
    X509 *server;

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    place.opts.names = more;
    place.opts.n_names = 1;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 0);
    place.opts.n_names = 2;
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    server = certificate_of(&place, "server");
    assert_true(yl_certificate_has_name(server, "new.example.com"));
    X509_free(server);
    place_release(&place);
}

TEST(a_crash_between_files_is_mended)
{
    struct place place;
    char *path, *key;
    X509 *ca, *admin;

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);

    /* The key is written first: then the certificate is missing, */
    place_remove(&place, "ca", ".crt");
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 0);
    ca = certificate_of(&place, "ca");
    admin = certificate_of(&place, "admin");
    assert_true(verifies(ca, admin, NOW, X509_PURPOSE_SSL_CLIENT));
    X509_free(ca);
    X509_free(admin);

    /* or is that of the key before. */
    path = yl_pki_path(place.directory, "server", ".key");
    key = text_of(&place, "admin", ".key");
    assert_int_equal(yl_file_replace(path, yl_str_c(key), 0600, NULL), 0);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    free(key);
    free(path);

    /* A broken file counts as none. */
    path = yl_pki_path(place.directory, "server", ".crt");
    assert_int_equal(yl_file_replace(path, YL_STR("junk"), 0600, NULL), 0);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    free(path);
    place_release(&place);
}

TEST(an_authority_that_does_not_fit_is_left_alone)
{
    struct yl_error err = YL_ERROR_INIT;
    struct place place;
    char *path, *key, *kept;

    place_init(&place);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    path = yl_pki_path(place.directory, "ca", ".key");
    key = text_of(&place, "admin", ".key");
    assert_int_equal(yl_file_replace(path, yl_str_c(key), 0600, NULL), 0);
    assert_int_equal(yl_pki_prepare(&place.opts, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "is not the key of"));
    yl_error_clear(&err);
    kept = text_of(&place, "ca", ".key");
    assert_string_equal(kept, key);
    free(kept);
    assert_int_equal(yl_file_replace(path, YL_STR("junk"), 0600, NULL), 0);
    assert_int_equal(yl_pki_prepare(&place.opts, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "not a private key"));
    yl_error_clear(&err);
    assert_int_equal(remove(path), 0);
    assert_int_equal(yl_pki_prepare(&place.opts, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "ca.key is missing"));
    yl_error_clear(&err);
    free(key);
    free(path);
    place_release(&place);
}

TEST(clients_get_certificates)
{
    static const char *const groups[] = { "ops", "dev" };
    struct yl_error err = YL_ERROR_INIT;
    struct yl_pki_pair pair = { NULL, NULL };
    struct place place;
    X509 *ca, *client;
    char subject[128], long_name[100];

    place_init(&place);
    assert_int_equal(yl_pki_issue(place.directory, "bob", groups, 2, DAY, NOW,
                                  &pair, &err), YL_ENOTFOUND);
    assert_non_null(strstr(yl_error_message(&err), "start the server once"));
    yl_error_clear(&err);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    assert_int_equal(yl_pki_issue(place.directory, "bob", groups, 2, DAY, NOW,
                                  &pair, NULL), 0);
    assert_non_null(strstr(pair.key, "PRIVATE KEY"));
    assert_int_equal(yl_certificate_read(pair.certificate, "c", &client,
                                         NULL), 0);
    ca = certificate_of(&place, "ca");
    assert_true(verifies(ca, client, NOW, X509_PURPOSE_SSL_CLIENT));
    assert_int_equal(yl_certificate_end(client), NOW + DAY);
    X509_NAME_oneline(X509_get_subject_name(client), subject, sizeof subject);
    assert_string_equal(subject, "/O=ops/O=dev/CN=bob");
    X509_free(client);
    yl_pki_pair_release(&pair);

    /* Never longer than the authority lives. */
    assert_int_equal(yl_pki_issue(place.directory, "bob", NULL, 0,
                                  INT64_MAX / 2, NOW, &pair, NULL), 0);
    assert_int_equal(yl_certificate_read(pair.certificate, "c", &client,
                                         NULL), 0);
    assert_int_equal(yl_certificate_end(client), yl_certificate_end(ca));
    X509_free(client);
    X509_free(ca);
    yl_pki_pair_release(&pair);

    memset(long_name, 'x', sizeof long_name);
    long_name[sizeof long_name - 1] = '\0';
    assert_int_equal(yl_pki_issue(place.directory, long_name, NULL, 0, DAY,
                                  NOW, &pair, &err), YL_EINVALID);
    assert_non_null(strstr(yl_error_message(&err), "1 to 64 characters"));
    yl_error_clear(&err);
    assert_int_equal(yl_pki_issue(place.directory, "", NULL, 0, DAY, NOW,
                                  &pair, NULL), YL_EINVALID);
    place_release(&place);
}

TEST(pairs_are_loaded)
{
    struct yl_pki_pair pair = { NULL, NULL };
    struct place place;

    place_init(&place);
    assert_int_equal(yl_pki_load(place.directory, "ca", &pair, NULL),
                     YL_ENOTFOUND);
    assert_int_equal(yl_pki_prepare(&place.opts, NULL), 1);
    assert_int_equal(yl_pki_load(place.directory, "ca", &pair, NULL), 0);
    assert_null(pair.key);
    yl_pki_pair_release(&pair);
    assert_int_equal(yl_pki_load(place.directory, "server", &pair, NULL), 0);
    assert_non_null(pair.key);
    yl_pki_pair_release(&pair);
    place_release(&place);
}

TEST(a_directory_that_cannot_be_made_is_an_error)
{
    const struct yl_pki_opts opts = { .directory = "/proc/none/pki" };

    assert_int_equal(yl_pki_prepare(&opts, NULL), YL_EIO);
}
