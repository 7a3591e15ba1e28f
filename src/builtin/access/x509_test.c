/* Tests of certificates and requests.  Those in here were made with openssl
 * req -new -key ed25519.pem -subj /CN=a, and with -x509. */

#include "builtin/access/x509.h"

#include "unit.h"
#include "yuloh/arena.h"

#define REQUEST(BODY)                                                         \
    "-----BEGIN CERTIFICATE REQUEST-----\n" BODY                              \
    "\n-----END CERTIFICATE REQUEST-----\n"
#define CERTIFICATE(BODY)                                                     \
    "-----BEGIN CERTIFICATE-----\n" BODY "\n-----END CERTIFICATE-----\n"

#define GOOD                                                                  \
    "MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAI8aCQkcxS9gflvKuqAq\n"      \
    "Gb+ZY3ngRKWI/JkJMEY5vSKdoAAwBQYDK2VwA0EAm+2+8wOIxS3whznXbogIpzPQ\n"      \
    "wGST9254w4U+P3TNPyC7vRw7ME6ArJNqH6GRcswjaXAUrwEavqd35fg4lp8gBQ=="

/* The last byte is another one. */
#define FORGED                                                                \
    "MIGLMD8CAQAwDDEKMAgGA1UEAwwBYTAqMAUGAytlcAMhAI8aCQkcxS9gflvKuqAq\n"      \
    "Gb+ZY3ngRKWI/JkJMEY5vSKdoAAwBQYDK2VwA0EAm+2+8wOIxS3whznXbogIpzPQ\n"      \
    "wGST9254w4U+P3TNPyC7vRw7ME6ArJNqH6GRcswjaXAUrwEavqd35fg4lp8gBA=="
#define CERT                                                                  \
    "MIIBLDCB36ADAgECAhQgpQeMHiwW4Ygl4bzMZxSrwh9DEDAFBgMrZXAwDDEKMAgG\n"      \
    "A1UEAwwBYTAeFw0yNjExMTUyMDMwMTdaFw0zNjExMTIyMDMwMTdaMAwxCjAIBgNV\n"      \
    "BAMMAWEwKjAFBgMrZXADIQCPGgkJHMUvYH5byrqgKhm/mWN54ESliPyZCTBGOb0i\n"      \
    "naNTMFEwHQYDVR0OBBYEFCdwJqyPqVM2l21CWMUtLGxVZssUMB8GA1UdIwQYMBaA\n"      \
    "FCdwJqyPqVM2l21CWMUtLGxVZssUMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EA\n"      \
    "yE4/pTysot9BpgfjEDdgSHPEWBpQH8yt2TaHAyLvkZxPFNGLK2g8AKlFC8VPbQf6\n"      \
    "KIddV8AMcaq7Ki78MC69Bw=="


static struct {
    const char *pem, *why;
} requests[] = {
    { REQUEST(GOOD), NULL },
    { "junk\n" REQUEST(GOOD) "junk", NULL },
    { "-----BEGIN X-----\n" REQUEST(GOOD), NULL },
    { REQUEST("A: b\n\n" GOOD), NULL },
    { REQUEST(FORGED), "x509: Ed25519 verification failure" },
    { "", "PEM block type must be CERTIFICATE REQUEST" },
    { "junk" REQUEST(GOOD), "PEM block type must be CERTIFICATE REQUEST" },
    { CERTIFICATE(CERT) REQUEST(GOOD),
      "PEM block type must be CERTIFICATE REQUEST" },
    { "-----BEGIN CERTIFICATE REQUEST-----\n" GOOD "\n-----END X-----\n",
      "PEM block type must be CERTIFICATE REQUEST" },
    { "-----BEGIN CERTIFICATE REQUEST\n" GOOD
      "\n-----END CERTIFICATE REQUEST-----\n",
      "PEM block type must be CERTIFICATE REQUEST" },
    { REQUEST("!"), "PEM block type must be CERTIFICATE REQUEST" },
    { REQUEST("A: b"), "PEM block type must be CERTIFICATE REQUEST" },
    { REQUEST(""), "asn1: syntax error: sequence truncated" },
    { REQUEST("MA=="), "asn1: syntax error: truncated tag or length" },
    { REQUEST("MAA="), "asn1: syntax error: sequence truncated" },
    { REQUEST("MAJi"), "asn1: syntax error: data truncated" },
    { REQUEST("MAJiYg=="), "asn1: structure error: tags don't match (16 vs "
      "{class:1 tag:2 length:98 isCompound:true}) {optional:false "
      "explicit:false application:false private:false defaultValue:<nil> "
      "tag:<nil> stringType:0 timeType:0 set:false omitEmpty:false} "
      "tbsCertificateRequest @2" },
    { REQUEST("MAJhYmM="), "asn1: syntax error: trailing data" },
    { REQUEST("MIAAAA=="),
      "asn1: syntax error: indefinite length found (not DER)" },
    { REQUEST("MIEF"), "asn1: structure error: non-minimal length" },
    { REQUEST("MIIAAWE="), "asn1: structure error: superfluous leading zeros "
      "in length" },
    { REQUEST("MIT/////"), "asn1: structure error: length too large" },
    { REQUEST("MIL/"), "asn1: syntax error: truncated tag or length" },
    { REQUEST("H2E="), "asn1: syntax error: non-minimal tag" },
    { REQUEST("MAIwAA=="), "asn1: syntax error: data truncated" },
};

TEST(requests_are_signed_by_who_asks)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(requests); i++) {
        const char *why = yl_x509_check_request(arena,
                                                yl_str_c(requests[i].pem));

        assert_string_equal(why ? why : "fine",
                            requests[i].why ? requests[i].why : "fine");
    }
    yl_arena_free(arena);
}

static struct {
    const char *pem, *why;
} certificates[] = {
    { CERTIFICATE(CERT), NULL },
    { CERTIFICATE(CERT) "junk\n" CERTIFICATE(CERT), NULL },
    { "", "must contain at least one CERTIFICATE PEM block" },
    { CERTIFICATE(CERT) REQUEST(GOOD), "only CERTIFICATE PEM blocks are "
      "allowed, found \"CERTIFICATE REQUEST\"" },
    { CERTIFICATE("A: b\n\n" CERT), "no PEM block headers are permitted" },
    { CERTIFICATE(""),
      "found CERTIFICATE PEM block containing 0 certificates" },
    { CERTIFICATE("eA=="), "x509: malformed certificate" },
    { CERTIFICATE("MAA="), "x509: malformed tbs certificate" },
};

TEST(certificates_stand_alone)
{
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(certificates); i++) {
        const char *why = yl_x509_check_certificates(
            arena, yl_str_c(certificates[i].pem));

        assert_string_equal(why ? why : "fine",
                            certificates[i].why ? certificates[i].why
                                                : "fine");
    }
    yl_arena_free(arena);
}

#define MASTER                                                                \
    "MIHhMIGIAgEAMCYxCzAJBgNVBAMMAmVjMRcwFQYDVQQKDA5zeXN0ZW06bWFzdGVy\n"      \
    "czBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNRpkXhnJN8zshPsyJ0RWf4MKtdx\n"      \
    "s4fz962hqGoXudUPsqgRmmLrGt7YxFFu+ht1z/Y3JphzoAEjU57MMp0BxmSgADAK\n"      \
    "BggqhkjOPQQDAgNIADBFAiBYno4tF5twdgVBn/xBIrEARBd3TxYw3aw64SIiv90+\n"      \
    "VwIhAKhYDdmC0tiMU/ofaAX/gU6fwmuqPpdI5TsnGvRDx05/"

#define KOBLITZ                                                               \
    "MIHDMGsCAQAwDDEKMAgGA1UEAwwBazBWMBAGByqGSM49AgEGBSuBBAAKA0IABBOa\n"      \
    "fnz7wx+vfGv0cxG0HBxC1rGordlUGeXy2n32lA1c5p90x2PluHEVKXautfmHfoAr\n"      \
    "+7IMqi3kxix+8vhtcuOgADAKBggqhkjOPQQDAgNIADBFAiAjAZz+g7VqpVVjxTvh\n"      \
    "h07h5cEVRZXdvLgAC5XKwXhhmQIhAJpYs12a4GRUvDAyfC6RKk8rj3ZSy7A4J46r\n"      \
    "/2E5Fzix"

#define SHORT                                                                 \
    "MIHFMHECAQAwDDEKMAgGA1UEAwwBcjBcMA0GCSqGSIb3DQEBAQUAA0sAMEgCQQDZ\n"      \
    "JSf5qVnbfQeagNRb499TAEHpPfB/Nusqy3vyNYVbuEGs9RQqhawZReTGYeAYME+Q\n"      \
    "cRTt5qOhgTr4lwGL3n4zAgMBAAGgADANBgkqhkiG9w0BAQsFAANBAJp3Ahp9iKLE\n"      \
    "Tn8Y6uWw0jFbAEumh25br5rJY6vizmcGtmYT2FRIuJjkcTFiQLl3jj79wKvtBcrm\n"      \
    "ABEsTILUXAw="

TEST(one_certificate_is_enough_for_a_bundle)
{
    static const struct {
        const char *pem, *why;
    } cases[] = {
        { CERTIFICATE(CERT), NULL },
        { CERTIFICATE(CERT) "junk", NULL },
        { CERTIFICATE("MAJi") CERTIFICATE(CERT), NULL },
        { REQUEST(GOOD) CERTIFICATE(CERT), NULL },
        { "", "no valid certificate authority data seen" },
        { REQUEST(GOOD), "no valid certificate authority data seen" },
        { CERTIFICATE("A: b\n\n" CERT),
          "no valid certificate authority data seen" },
        { "junk", "unable to parse bytes as PEM block" },
        { REQUEST(GOOD) "junk", "unable to parse bytes as PEM block" },
        { CERTIFICATE("MAJi"),
          "failed to parse certificate: x509: malformed certificate" },
    };
    struct yl_arena *arena = yl_arena_new();
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *why = yl_x509_check_roots(arena, yl_str_c(cases[i].pem));

        assert_string_equal(why ? why : "fine",
                            cases[i].why ? cases[i].why : "fine");
    }
    yl_arena_free(arena);
}

TEST(a_request_names_organizations)
{
    struct yl_arena *arena = yl_arena_new();

    assert_true(yl_x509_request_is_of(arena, YL_STR(REQUEST(MASTER)),
                                      "system:masters"));
    assert_false(yl_x509_request_is_of(arena, YL_STR(REQUEST(MASTER)), "ec"));
    assert_false(yl_x509_request_is_of(arena, YL_STR(REQUEST(GOOD)), "a"));
    assert_false(yl_x509_request_is_of(arena, YL_STR("x"), "a"));
    yl_arena_free(arena);
}

TEST(keys_are_of_kinds_that_go_knows)
{
    struct yl_arena *arena = yl_arena_new();

    assert_null(yl_x509_check_request(arena, YL_STR(REQUEST(MASTER))));
    assert_string_equal(yl_x509_check_request(arena, YL_STR(REQUEST(KOBLITZ))),
                        "x509: unsupported elliptic curve");
    assert_string_equal(yl_x509_check_request(arena, YL_STR(REQUEST(SHORT))),
                        "crypto/rsa: 512-bit keys are insecure (see "
                        "https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)");
    yl_arena_free(arena);
}
