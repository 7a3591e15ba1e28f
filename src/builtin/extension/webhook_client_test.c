/* Tests of how webhooks are reached. */

#include "builtin_case.h"

#define URL(MORE)                                                             \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"          \
    "'sideEffects':'None','clientConfig':{'url':'" MORE "'}}]}"

#define SERVICE(MORE)                                                         \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"          \
    "'sideEffects':'None','clientConfig':{'service':{'name':'a',"             \
    "'namespace':'b'" MORE "}}}]}"

#define VERSIONS(MORE)                                                        \
    "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':[" MORE           \
    "],'sideEffects':'None','clientConfig':{'url':'https://h'}}]}"

TEST(urls_are_checked)
{
    static const struct builtin_case cases[] = {
        { URL("https://h:1/p"), "" },
        { URL("http://h"),
          "webhooks[0].clientConfig.url: Invalid value: \"http\": 'https' "
          "is the only allowed URL scheme; desired format: "
          "https://host[/path]\n" },
        { URL("https:///p"),
          "webhooks[0].clientConfig.url: Invalid value: \"\": host must be "
          "specified; desired format: https://host[/path]\n" },
        { URL("https://u:p@h"),
          "webhooks[0].clientConfig.url: Invalid value: \"u:p\": user "
          "information is not permitted in the URL\n" },
        { URL("https://h#f"),
          "webhooks[0].clientConfig.url: Invalid value: \"f\": fragments "
          "are not permitted in the URL\n" },
        { URL("https://h?q"),
          "webhooks[0].clientConfig.url: Invalid value: \"q\": query "
          "parameters are not permitted in the URL\n" },
        { URL("HTTPS://h"), "" },
        { URL(":a"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \":a\": missing protocol scheme; desired format: "
          "https://host[/path]\n" },
        { URL("1:2"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"1:2\": first path segment in URL cannot contain "
          "colon; desired format: https://host[/path]\n" },
        { URL("https://a b"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://a b\": invalid character \" \" in host name; "
          "desired format: https://host[/path]\n" },
        { URL("https://a:x"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://a:x\": invalid port \":x\" after host; "
          "desired format: https://host[/path]\n" },
        { URL("https://[::1"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://[::1\": missing ']' in host; desired format: "
          "https://host[/path]\n" },
        { URL("https://a%zz"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://a%zz\": invalid URL escape \"%zz\"; desired "
          "format: https://host[/path]\n" },
        { URL("https://a/%4"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://a/%4\": invalid URL escape \"%4\"; desired "
          "format: https://host[/path]\n" },
        { URL("https://a#%"),
          "webhooks[0].clientConfig.url: Required value: url must be a valid "
          "URL: parse \"https://a#%\": invalid URL escape \"%\"; desired "
          "format: https://host[/path]\n" },
        { URL("x"),
          "webhooks[0].clientConfig.url: Invalid value: \"\": 'https' is "
          "the only allowed URL scheme; desired format: https://host[/path]\n"
          "webhooks[0].clientConfig.url: Invalid value: \"\": host must be "
          "specified; desired format: https://host[/path]\n" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}

TEST(services_are_checked)
{
    static const struct builtin_case cases[] = {
        { SERVICE(",'path':'/a/b/'"), "" },
        { SERVICE(",'path':'a','port':0"),
          "webhooks[0].clientConfig.service.port: Invalid value: 0: port is "
          "not valid: must be between 1 and 65535, inclusive\n"
          "webhooks[0].clientConfig.service.path: Invalid value: \"a\": "
          "must start with a '/'\n"
          "webhooks[0].clientConfig.service.path: Invalid value: \"a\": "
          "segment[0] may not be empty\n" },
        { SERVICE(",'path':'/a//A'"),
          "webhooks[0].clientConfig.service.path: Invalid value: \"/a//A\": "
          "segment[1] may not be empty\n"
          "webhooks[0].clientConfig.service.path: Invalid value: \"/a//A\": "
          "segment[2]: " CASE_SUBDOMAIN "\n" },
        { SERVICE(",'path':'//'"),
          "webhooks[0].clientConfig.service.path: Invalid value: \"//\": "
          "segment[0] may not be empty\n" },
        { SERVICE(",'path':'/'"), "" },
        { "{'webhooks':[{'name':'a.b.c','admissionReviewVersions':['v1'],"
          "'sideEffects':'None','clientConfig':{'service':{}}}]}",
          "webhooks[0].clientConfig.service.name: Required value\n"
          "webhooks[0].clientConfig.service.namespace: Required value\n" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}

TEST(versions_of_reviews_are_checked)
{
    static const struct builtin_case cases[] = {
        { VERSIONS("'v2','v1beta1'"), "" },
        { VERSIONS(""),
          "webhooks[0].admissionReviewVersions: Required value: must "
          "specify one of v1, v1beta1\n" },
        { VERSIONS("'v2','v2'"),
          "webhooks[0].admissionReviewVersions[1]: Invalid value: \"v2\": "
          "duplicate version\n"
          "webhooks[0].admissionReviewVersions: Invalid value: "
          "[\"v2\",\"v2\"]: must include at least one of v1, v1beta1\n" },
        { VERSIONS("'V1'"),
          "webhooks[0].admissionReviewVersions[0]: Invalid value: \"V1\": a "
          "DNS-1035 label must consist of lower case alphanumeric characters "
          "or '-', start with an alphabetic character, and end with an "
          "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used "
          "for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')\n"
          "webhooks[0].admissionReviewVersions: Invalid value: [\"V1\"]: "
          "must include at least one of v1, v1beta1\n" },
    };

    CASE_RUN("ValidatingWebhookConfiguration", cases);
}
