/* Tests of CertificateSigningRequest. */

#include "builtin/common/subresources.h"
#include "builtin_case.h"
#include "csr.h"

/* A certificate, as openssl makes one. */
#define CERTIFICATE                                                           \
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJMRENCMzZBREFnRUNBaFFncF"      \
    "FlTUhpd1c0WWdsNGJ6TVp4U3J3aDlERURBRkJnTXJaWEF3RERFS01BZ0cKQTFVRUF3"      \
    "d0JZVEFlRncweU5qRXhNVFV5TURNd01UZGFGdzB6TmpFeE1USXlNRE13TVRkYU1Bd3"      \
    "hDakFJQmdOVgpCQU1NQVdFd0tqQUZCZ01yWlhBRElRQ1BHZ2tKSE1VdllINWJ5cnFn"      \
    "S2htL21XTjU0RVNsaVB5WkNUQkdPYjBpCm5hTlRNRkV3SFFZRFZSME9CQllFRkNkd0"      \
    "pxeVBxVk0ybDIxQ1dNVXRMR3hWWnNzVU1COEdBMVVkSXdRWU1CYUEKRkNkd0pxeVBx"      \
    "Vk0ybDIxQ1dNVXRMR3hWWnNzVU1BOEdBMVVkRXdFQi93UUZNQU1CQWY4d0JRWURLMl"      \
    "Z3QTBFQQp5RTQvcFR5c290OUJwZ2ZqRURkZ1NIUEVXQnBRSDh5dDJUYUhBeUx2a1p4"      \
    "UEZOR0xLMmc4QUtsRkM4VlBiUWY2CktJZGRWOEFNY2FxN0tpNzhNQzY5Qnc9PQotLS"      \
    "0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg=="

#define CSR(MORE)                                                             \
    "{'spec':{'request':'" CSR_REQUEST "','signerName':'a.io/b',"             \
    "'usages':['any']" MORE "}}"

TEST(requests_are_checked)
{
    static const struct builtin_case cases[] = {
        { CSR(""), "" },
        { CSR(",'expirationSeconds':600"), "" },
        { CSR(",'expirationSeconds':599"),
          "spec.expirationSeconds: Invalid value: 599: may not specify a "
          "duration less than 600 seconds (10 minutes)\n" },
        { "{'spec':{'request':'QQ=='}}",
          "spec.request: Invalid value: \"QQ==\": PEM block type must be "
          "CERTIFICATE REQUEST\n"
          "spec.usages: Required value\n"
          "spec.signerName: Required value\n" },
        { "{'spec':{'request':'" CSR_REQUEST "',"
          "'signerName':'x','usages':['any','X','any']}}",
          "spec.usages[1]: Unsupported value: \"X\": supported values: "
          "\"any\", \"cert sign\", \"client auth\", \"code signing\", "
          "\"content commitment\", \"crl sign\", \"data encipherment\", "
          "\"decipher only\", \"digital signature\", \"email protection\", "
          "\"encipher only\", \"ipsec end system\", \"ipsec tunnel\", "
          "\"ipsec user\", \"key agreement\", \"key encipherment\", "
          "\"microsoft sgc\", \"netscape sgc\", \"ocsp signing\", "
          "\"s/mime\", \"server auth\", \"signing\", \"timestamping\"\n"
          "spec.usages[2]: Duplicate value: \"any\"\n"
          "spec.signerName: Invalid value: \"x\": must be a fully qualified "
          "domain and path of the form 'example.com/signer-name'\n" },
        { "{'spec':{'request':'" CSR_REQUEST "',"
          "'signerName':'kubernetes.io/legacy-unknown',"
          "'usages':['any']}}",
          "spec.signerName: Invalid value: "
          "\"kubernetes.io/legacy-unknown\": the legacy signerName is not "
          "allowed via this API version\n" },
        { "{'spec':{'request':'" CSR_REQUEST "',"
          "'signerName':'A/b','usages':['any']}}",
          "spec.signerName: Invalid value: \"A\": validating label \"A\": "
          CASE_LABEL "\n"
          "spec.signerName: Invalid value: \"A\": should be a domain with at "
          "least two segments separated by dots\n" },
        { "{'spec':{'request':'" CSR_REQUEST "',"
          "'signerName':'a/b_','usages':['any']}}",
          "spec.signerName: Invalid value: \"a\": should be a domain with at "
          "least two segments separated by dots\n"
          "spec.signerName: Invalid value: \"b_\": validating label \"b_\": "
          CASE_SUBDOMAIN "\n" },
        { "{'spec':{'request':'" CSR_REQUEST "',"
          "'signerName':'a.b/c/d','usages':['any']}}",
          "spec.signerName: Invalid value: \"a.b/c/d\": must be a fully "
          "qualified domain and path of the form "
          "'example.com/signer-name'\n" },
    };

    CASE_RUN("CertificateSigningRequest", cases);
}

TEST(requests_keep_what_they_ask_for)
{
    static const struct builtin_update cases[] = {
        { CSR(""), CSR(",'expirationSeconds':1"), "" },
        { CSR("},'status':{'conditions':[{'type':'Approved',"
              "'status':'True'}]"),
          CSR("},'status':{'conditions':[]"),
          "" },
    };

    CASE_RUN_UPDATES("CertificateSigningRequest", cases);
}

TEST(who_signs_does_not_approve)
{
    static const struct builtin_update cases[] = {
        { CSR(""),
          CSR("},'status':{'certificate':'" CERTIFICATE "'"),
          "" },
        { CSR(""),
          CSR("},'status':{'certificate':'QQ=='"),
          "status.certificate: Invalid value: \"<certificate data>\": must "
          "contain at least one CERTIFICATE PEM block\n" },
        { CSR("},'status':{'certificate':'" CERTIFICATE "'"),
          CSR("},'status':{'certificate':''"),
          "status.certificate: Forbidden: updates may not modify existing "
          "certificate content\n" },
        { CSR(""),
          CSR("},'status':{'conditions':[{'type':'Approved',"
              "'status':'True'}]"),
          "status.conditions: Forbidden: updates may not add a condition of "
          "type \"Approved\"\n" },
        { CSR("},'status':{'conditions':[{'type':'Approved',"
              "'status':'True'}]"),
          CSR("},'status':{'conditions':[]"),
          "status.conditions: Forbidden: updates may not remove a condition "
          "of type \"Approved\"\n" },
        { CSR("},'status':{'conditions':[{'type':'Approved',"
              "'status':'True'}]"),
          CSR("},'status':{'conditions':[{'type':'Approved','status':'True',"
              "'message':'x'},{'type':'Failed','status':'False'},"
              "{'type':'X','status':'Y'},{'type':'X','status':'True'},{}]"),
          "status.conditions[1].status: Unsupported value: \"False\": "
          "supported values: \"True\"\n"
          "status.conditions[2].status: Unsupported value: \"Y\": supported "
          "values: \"False\", \"True\", \"Unknown\"\n"
          "status.conditions[3].type: Duplicate value: \"X\"\n"
          "status.conditions[4].type: Required value\n"
          "status.conditions[4].status: Required value\n"
          "status.conditions: Forbidden: updates may not modify a condition "
          "of type \"Approved\"\n" },
        { CSR("},'status':{'conditions':[{'type':'Failed',"
              "'status':'True'}]"),
          CSR("},'status':{'conditions':[]"),
          "status.conditions: Forbidden: updates may not remove a condition "
          "of type \"Failed\"\n" },
    };

    CASE_RUN_STATUS("CertificateSigningRequest", cases);
}

/* Through /approval. */
static const char *
approve(struct yl_arena *arena, const char *old, const char *json,
        struct yl_node **ret_object)
{
    struct yl_node *before = case_parse(arena, old);
    struct yl_node *object = case_parse(arena, json);
    struct yl_error err = YL_ERROR_INIT;

    case_identify(arena, case_kind("CertificateSigningRequest"), before);
    case_identify(arena, case_kind("CertificateSigningRequest"), object);
    yl_subresource_prepare(&yl_csr_approval, arena, object, before);
    yl_subresource_validate(&yl_csr_approval,
                            case_kind("CertificateSigningRequest"), arena,
                            object, before, &err);
    *ret_object = object;
    return case_write_causes(arena, &err);
}

/* CSR("") with one condition. */
#define APPROVED(CONDITION)                                                   \
    "{'metadata':{'name':'a','uid':'u-1'},'spec':{'request':'" CSR_REQUEST    \
    "','signerName':'a.io/b','usages':['any']},'status':{'conditions':[{"     \
    CONDITION "}]}}"

TEST(who_approves_does_not_sign)
{
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object;

    assert_string_equal(
        approve(arena, CSR(""),
                CSR(",'expirationSeconds':1},'status':{'certificate':'QQ==',"
                    "'conditions':[{'type':'Approved','status':'True'}]"),
                &object), "");
    CASE_IS(object, APPROVED("'lastTransitionTime':'20" ANY_TEXT "Z',"
                             "'lastUpdateTime':'20" ANY_TEXT "Z',"
                             "'status':'True','type':'Approved'"));
    assert_string_equal(
        approve(arena, CSR(""),
                CSR("},'status':{'conditions':[{'type':'Approved','status':"
                    "'True'},{'type':'Denied','status':'False'}]"),
                &object),
        "status.conditions[1].status: Unsupported value: \"False\": supported "
        "values: \"True\"\n"
        "status.conditions: Invalid value: \"Denied\": Approved and Denied "
        "conditions are mutually exclusive\n");
    assert_string_equal(
        approve(arena,
                CSR("},'status':{'conditions':[{'type':'Denied','status':"
                    "'True'}]"), CSR(""), &object),
        "status.conditions: Forbidden: updates may not remove a condition of "
        "type \"Denied\"\n");
    yl_arena_free(arena);
}

TEST(times_of_conditions_are_kept)
{
    static const char old[] =
        CSR("},'status':{'conditions':[{'type':'X','status':'True',"
            "'lastTransitionTime':'2020-01-01T00:00:00Z'}]");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *object;

    approve(arena, old,
            CSR("},'status':{'conditions':[{'type':'X','status':'True'}]"),
            &object);
    CASE_IS(object, APPROVED("'lastTransitionTime':'2020-01-01T00:00:00Z',"
                             "'lastUpdateTime':'20" ANY_TEXT "Z',"
                             "'status':'True','type':'X'"));
    approve(arena, old,
            CSR("},'status':{'conditions':[{'type':'X','status':'False',"
                "'lastUpdateTime':'2021-01-01T00:00:00Z'}]"), &object);
    CASE_IS(object, APPROVED("'lastTransitionTime':'20" ANY_TEXT "Z',"
                             "'lastUpdateTime':'2021-01-01T00:00:00Z',"
                             "'status':'False','type':'X'"));
    yl_arena_free(arena);
}
