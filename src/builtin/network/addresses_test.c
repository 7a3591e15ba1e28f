/* Tests of IPAddress and ServiceCIDR. */

#include "builtin_case.h"

#define IP(MORE)                                                              \
    "{'metadata':{'name':'10.0.0.1'},'spec':{'parentRef':{" MORE "}}}"

TEST(addresses_are_checked)
{
    static const struct builtin_case cases[] = {
        { IP("'resource':'services','namespace':'ns','name':'a'"), "" },
        { "{'metadata':{'name':'10.0.0.1'},'spec':{}}",
          "spec.parentRef: Required value\n" },
        { "{'metadata':{'name':'10.0.0.01'},"
          "'spec':{'parentRef':{'resource':'x','name':'y'}}}",
          "metadata.name: Invalid value: \"10.0.0.01\": must not have "
          "leading 0s\n" },
        { "{'metadata':{'name':'::FFFF'},'spec':{'parentRef':{'resource':"
          "'x','name':'y'}}}",
          "metadata.name: Invalid value: \"::FFFF\": must be in canonical "
          "form (\"::ffff\")\n" },
        { IP("'group':'a b'"),
          "spec.parentRef.group: Invalid value: \"a b\": "
          CASE_SUBDOMAIN "\n"
          "spec.parentRef.resource: Required value\n"
          "spec.parentRef.name: Required value\n" },
        { IP("'resource':'a/b','name':'..','namespace':'a%b'"),
          "spec.parentRef.resource: Invalid value: \"a/b\": may not contain "
          "'/'\n"
          "spec.parentRef.name: Invalid value: \"..\": may not be '..'\n"
          "spec.parentRef.namespace: Invalid value: \"a%b\": may not "
          "contain '%'\n" },
    };

    CASE_RUN("IPAddress", cases);
}

TEST(addresses_keep_their_parent)
{
    static const struct builtin_update cases[] = {
        { IP("'resource':'services','name':'a'"),
          IP("'resource':'services','name':'a'"),
          "" },
        { IP("'resource':'services','name':'a'"),
          IP("'resource':'services','name':'b'"),
          "spec.parentRef: Invalid value: "
          "{\"Group\":\"\",\"Resource\":\"services\",\"Namespace\":\"\","
          "\"Name\":\"b\"}: field is immutable\n" },
    };

    CASE_RUN_UPDATES("IPAddress", cases);
}

TEST(ranges_are_checked)
{
    static const struct builtin_case cases[] = {
        { "{'spec':{'cidrs':['10.0.0.0/16','2001:db8::/64']}}", "" },
        { "{'spec':{}}",
          "spec.cidrs: Required value: at least one CIDR required\n" },
        { "{'spec':{'cidrs':['10.0.0.0/16','10.1.0.0/16']}}",
          "spec.cidrs: Invalid value: [\"10.0.0.0/16\",\"10.1.0.0/16\"]: "
          "may specify no more than one IP for each IP family, i.e "
          "192.168.0.0/24 and 2001:db8::/64\n" },
        { "{'spec':{'cidrs':['10.0.0.0/16','2001:db8::/64','x']}}",
          "spec.cidrs: Invalid value: {\"CIDRs\":[\"10.0.0.0/16\","
          "\"2001:db8::/64\",\"x\"]}: may only hold up to 2 values\n" },
        { "{'spec':{'cidrs':['10.0.0.1/16']}}",
          "spec.cidrs[0]: Invalid value: \"10.0.0.1/16\": must not have "
          "bits set beyond the prefix length\n" },
        { "{'spec':{'cidrs':['x','10.0.0.0/8']}}",
          "spec.cidrs[0]: Invalid value: \"x\": must be a valid CIDR value, "
          "(e.g. 10.9.8.0/24 or 2001:db8::/64)\n" },
    };

    CASE_RUN("ServiceCIDR", cases);
}

TEST(ranges_may_get_a_second_family)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'cidrs':['10.0.0.0/16']}}",
          "{'spec':{'cidrs':['10.0.0.0/16','2001:db8::/64']}}",
          "" },
        { "{'spec':{'cidrs':['10.0.0.0/16']}}",
          "{'spec':{'cidrs':['10.0.0.0/16','10.1.0.0/16']}}",
          "spec.cidrs: Invalid value: [\"10.0.0.0/16\",\"10.1.0.0/16\"]: "
          "may specify no more than one IP for each IP family, i.e "
          "192.168.0.0/24 and 2001:db8::/64\n" },
        { "{'spec':{'cidrs':['10.0.0.0/16']}}",
          "{'spec':{'cidrs':['10.1.0.0/16']}}",
          "spec.cidrs[0]: Invalid value: \"10.1.0.0/16\": field is "
          "immutable\n" },
        { "{'spec':{'cidrs':['10.0.0.0/16','2001:db8::/64']}}",
          "{'spec':{'cidrs':['10.0.0.0/16']}}",
          "spec.cidrs: Invalid value: [\"10.0.0.0/16\"]: field is "
          "immutable\n" },
        { "{'spec':{'cidrs':['10.0.0.0/16','2001:db8::/64']}}",
          "{'spec':{'cidrs':['10.0.0.0/16','2001:db8:1::/64']}}",
          "spec.cidrs[1]: Invalid value: \"2001:db8:1::/64\": field is "
          "immutable\n" },
    };

    CASE_RUN_UPDATES("ServiceCIDR", cases);
}

TEST(a_range_s_status_is_free)
{
    static const struct builtin_update cases[] = {
        { "{'spec':{'cidrs':['10.0.0.0/16']}}",
          "{'spec':{'cidrs':['x']},'status':{'conditions':[{'type':'Ready',"
          "'status':'True'}]}}",
          "" },
    };

    CASE_RUN_STATUS("ServiceCIDR", cases);
}
