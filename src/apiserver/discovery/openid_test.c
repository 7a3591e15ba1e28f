/* Tests of openid.c. */

#include "apiserver/discovery/openid.h"

#include "token_rig.h"

#define CONFIGURATION "/.well-known/openid-configuration"
#define KEYS "/openid/v1/jwks"

TEST(the_configuration_names_the_issuer_and_where_its_keys_are)
{
    static const char *const issuers[] = { "https://me", "https://old" };
    struct yl_service_account_opts opts = {
        .issuers = issuers, .n_issuers = 2, .jwks_uri = "https://keys/x",
    };

    token_open(NULL);
    assert_int_equal(as("root", "GET", CONFIGURATION, NULL), 200);
    assert_string_equal(text_at("/issuer"), "https://kubernetes.default.svc");
    assert_string_equal(text_at("/id_token_signing_alg_values_supported"),
                        "[\"ES256\"]");
    assert_string_equal(text_at("/response_types_supported"),
                        "[\"id_token\"]");
    assert_non_null(strstr(text_at("/jwks_uri"), KEYS));
    assert_non_null(memmem(rig.head.data, rig.head.size,
                           "cache-control: public, max-age=3600", 35));
    token_close();
    token_open(&opts);
    assert_int_equal(as("root", "GET", CONFIGURATION "/", NULL), 200);
    assert_string_equal(text_at("/issuer"), "https://me");
    assert_string_equal(text_at("/jwks_uri"), "https://keys/x");
    token_close();
}

TEST(the_keys_are_shown_without_their_private_part)
{
    token_open(NULL);
    assert_int_equal(as("root", "GET", KEYS, NULL), 200);
    assert_string_equal(text_at("/keys/0/kty"), "EC");
    assert_string_equal(text_at("/keys/0/use"), "sig");
    assert_int_equal(strlen(text_at("/keys/0/x")), 43);
    assert_string_equal(text_at("/keys/0/d"), "");
    assert_string_equal(text_at("/keys/1"), "");
    token_close();
}

TEST(other_methods_and_media_types_are_refused)
{
    token_open(NULL);
    assert_int_equal(as("root", "POST", KEYS, "{}"), 405);
    rig.headers = "accept: application/json\r\n";
    assert_int_equal(as("root", "GET", KEYS, NULL), 406);
    tells("406: Not Acceptable\n\nAvailable representations: "
          "application/jwk-set+json");
    rig.headers = "accept: text/plain\r\n";
    assert_int_equal(as("root", "GET", CONFIGURATION, NULL), 406);
    token_close();
}

TEST(service_accounts_may_read_them_and_strangers_not)
{
    token_open(NULL);
    assert_int_equal(as(token_for(""), "GET", KEYS, NULL), 200);
    assert_int_equal(as(token_for(""), "GET", CONFIGURATION, NULL), 200);
    assert_int_equal(as(NULL, "GET", KEYS, NULL), 403);
    assert_int_equal(as("bob", "GET", KEYS, NULL), 403);
    token_close();
}
