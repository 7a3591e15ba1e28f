/* Tests of Endpoints and EndpointSlice. */

#include "builtin_case.h"

#define EP(MORE)                                                              \
    "{'subsets':[{'addresses':[{'ip':'1.2.3.4'}]" MORE "}]}"

#define SLICE(MORE)                                                           \
    "{'addressType':'IPv4','endpoints':[{" MORE "}]}"

TEST(ports_are_tcp)
{
    CASE_DEFAULT("Endpoints", EP(",'ports':[{'port':80}]"),
                 "{'subsets':[{'addresses':[{'ip':'1.2.3.4'}],'ports':[{"
                 "'port':80,'protocol':'TCP'}]}]}");
}

TEST(endpoints_are_checked)
{
    static const struct builtin_case cases[] = {
        { EP(",'ports':[{'port':80}]"), "" },
        { "{'subsets':[{}]}",
          "subsets[0]: Required value: must specify `addresses` or "
          "`notReadyAddresses`\n" },
        { "{'subsets':[{'notReadyAddresses':[{'ip':'x','hostname':'A',"
          "'nodeName':'B'}]}]}",
          "subsets[0].notReadyAddresses[0].ip: Invalid value: \"x\": must be "
          "a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)\n"
          "subsets[0].notReadyAddresses[0].hostname: Invalid value: \"A\": "
          CASE_LABEL "\n"
          "subsets[0].notReadyAddresses[0].nodeName: Invalid value: \"B\": "
          CASE_SUBDOMAIN "\n"
          "subsets[0].notReadyAddresses[0].ip: Invalid value: \"x\": must be "
          "a valid IP address\n" },
        { "{'subsets':[{'addresses':[{'ip':'0.0.0.0'},{'ip':'127.0.0.1'},"
          "{'ip':'169.254.0.1'},{'ip':'224.0.0.1'},{'ip':'::'},{'ip':'::1'},"
          "{'ip':'fe80::1'},{'ip':'ff02::1'},{'ip':'224.0.1.1'}]}]}",
          "subsets[0].addresses[0].ip: Invalid value: \"0.0.0.0\": may not "
          "be unspecified (0.0.0.0)\n"
          "subsets[0].addresses[1].ip: Invalid value: \"127.0.0.1\": may "
          "not be in the loopback range (127.0.0.0/8, ::1/128)\n"
          "subsets[0].addresses[2].ip: Invalid value: \"169.254.0.1\": may "
          "not be in the link-local range (169.254.0.0/16, fe80::/10)\n"
          "subsets[0].addresses[3].ip: Invalid value: \"224.0.0.1\": may "
          "not be in the link-local multicast range (224.0.0.0/24, "
          "ff02::/10)\n"
          "subsets[0].addresses[4].ip: Invalid value: \"::\": may not be "
          "unspecified (::)\n"
          "subsets[0].addresses[5].ip: Invalid value: \"::1\": may not be "
          "in the loopback range (127.0.0.0/8, ::1/128)\n"
          "subsets[0].addresses[6].ip: Invalid value: \"fe80::1\": may not "
          "be in the link-local range (169.254.0.0/16, fe80::/10)\n"
          "subsets[0].addresses[7].ip: Invalid value: \"ff02::1\": may not "
          "be in the link-local multicast range (224.0.0.0/24, ff02::/10)\n"
          "" },
        { EP(",'ports':[{'port':80},{'name':'A','port':0,'protocol':'X',"
             "'appProtocol':'a b'}]"),
          "subsets[0].ports[0].name: Required value\n"
          "subsets[0].ports[1].name: Invalid value: \"A\": " CASE_LABEL "\n"
          "subsets[0].ports[1].port: Invalid value: 0: must be between 1 and "
          "65535, inclusive\n"
          "subsets[0].ports[1].protocol: Unsupported value: \"X\": supported "
          "values: \"SCTP\", \"TCP\", \"UDP\"\n"
          "subsets[0].ports[1].appProtocol: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
    };

    CASE_RUN("Endpoints", cases);
}

TEST(addresses_that_stay_are_not_looked_at)
{
    static const struct builtin_update cases[] = {
        { "{'subsets':[{}]}",
          "{'subsets':[{}],'metadata':{'labels':{'a':'b'}}}",
          "" },
        { "{'subsets':[{}]}",
          "{'subsets':[{},{}]}",
          "subsets[0]: Required value: must specify `addresses` or "
          "`notReadyAddresses`\n"
          "subsets[1]: Required value: must specify `addresses` or "
          "`notReadyAddresses`\n" },
    };

    CASE_RUN_UPDATES("Endpoints", cases);
}

TEST(ports_of_slices_have_names)
{
    CASE_DEFAULT("EndpointSlice", "{'ports':[{'port':80}]}",
                 "{'ports':[{'name':'','port':80,'protocol':'TCP'}]}");
}

TEST(slices_are_checked)
{
    static const struct builtin_case cases[] = {
        { SLICE("'addresses':['1.2.3.4'],'nodeName':'n','hostname':'h',"
                "'hints':{'forZones':[{'name':'z'}],"
                "'forNodes':[{'name':'n'}]}"),
          "" },
        { "{}", "addressType: Required value\n" },
        { "{'addressType':'X'}",
          "addressType: Unsupported value: \"X\": supported values: "
          "\"FQDN\", \"IPv4\", \"IPv6\"\n" },
        { SLICE(""),
          "endpoints[0].addresses: Required value: must contain at least 1 "
          "address\n" },
        { SLICE("'addresses':['::1'],'nodeName':'N','hostname':'H',"
                "'hints':{'forZones':[{'name':'a "
                "b'}],'forNodes':[{'name':'n'},{'name':'n'}]}"),
          "endpoints[0].addresses: Invalid value: \"::1\": must be an IPv4 "
          "address\n"
          "endpoints[0].addresses[0]: Invalid value: \"::1\": may not be in "
          "the loopback range (127.0.0.0/8, ::1/128)\n"
          "endpoints[0].nodeName: Invalid value: \"N\": " CASE_SUBDOMAIN "\n"
          "endpoints[0].hostname: Invalid value: \"H\": " CASE_LABEL "\n"
          "endpoints[0].hints.forZones[0].name: Invalid value: \"a b\": "
          CASE_LABEL_VALUE "\n"
          "endpoints[0].hints.forNodes[1].name: Duplicate value: \"n\"\n" },
        { "{'addressType':'IPv6','endpoints':[{'addresses':['1.2.3.4',"
          "'2001:DB8::1','fe80::1']}]}",
          "endpoints[0].addresses: Invalid value: \"1.2.3.4\": must be an "
          "IPv6 address\n"
          "endpoints[0].addresses[1]: Invalid value: \"2001:DB8::1\": must "
          "be in canonical form (\"2001:db8::1\")\n"
          "endpoints[0].addresses[2]: Invalid value: \"fe80::1\": may not "
          "be in the link-local range (169.254.0.0/16, fe80::/10)\n" },
        { "{'addressType':'FQDN','endpoints':[{'addresses':['','a.b.','a',"
          "'A.b']}]}",
          "endpoints[0].addresses[0]: Required value\n"
          "endpoints[0].addresses[2]: Invalid value: \"a\": should be a "
          "domain with at least two segments separated by dots\n"
          "endpoints[0].addresses[3]: Invalid value: \"A.b\": "
          CASE_SUBDOMAIN "\n" },
        { "{'addressType':'IPv4','ports':[{'name':'A'},{'name':'a'},"
          "{'name':'a','protocol':'X','appProtocol':'a b'}]}",
          "ports[0].name: Invalid value: \"A\": " CASE_LABEL "\n"
          "ports[2].name: Duplicate value: \"a\"\n"
          "ports[2].protocol: Unsupported value: \"X\": supported values: "
          "\"SCTP\", \"TCP\", \"UDP\"\n"
          "ports[2].appProtocol: Invalid value: \"a b\": "
          CASE_NAME_PART "\n" },
        { SLICE("'addresses':['1.2.3.4'],'hints':{'forZones':[{},{},{},{},"
                "{},{},{},{},{}]}"),
          "endpoints[0].hints.forZones: Too many: 9: must have at most 8 "
          "items\n" },
    };

    CASE_RUN("EndpointSlice", cases);
}

TEST(slices_keep_their_type)
{
    static const struct builtin_update cases[] = {
        { "{'addressType':'IPv4','endpoints':[{}]}",
          "{'addressType':'IPv4','endpoints':[{}],'ports':[]}",
          "" },
        { SLICE("'addresses':['1.2.3.4']"),
          "{'addressType':'IPv6','endpoints':[{'addresses':['2001:db8::1']}"
          "]}",
          "addressType: Invalid value: \"IPv6\": field is immutable\n" },
    };

    CASE_RUN_UPDATES("EndpointSlice", cases);
}

/* '[ITEM,ITEM,...]' */
static const char *
repeat(struct yl_arena *arena, const char *item, size_t n)
{
    const char *text;
    struct yl_buf buf;
    size_t i;

    yl_buf_init(&buf, SIZE_MAX);
    for (i = 0; i < n; i++) {
        yl_buf_printf(&buf, "%s%s", i ? "," : "[", item);
    }
    yl_buf_printf(&buf, "]");
    text = yl_arena_strdup(arena, yl_buf_str(&buf));
    yl_buf_release(&buf);
    return text;
}

TEST(slices_are_bounded)
{
    struct yl_arena *arena = yl_arena_new();

    assert_string_equal(
        case_causes(arena, "EndpointSlice", yl_arena_printf(
            arena, SLICE("'addresses':%s"), repeat(arena, "'1.2.3.4'", 101))),
        "endpoints[0].addresses: Too many: 101: must have at most 100 "
        "items\n");
    assert_string_equal(
        case_causes(arena, "EndpointSlice", yl_arena_printf(
            arena, "{'addressType':'IPv4','endpoints':%s}",
            repeat(arena, "{}", 1001))),
        "endpoints: Too many: 1001: must have at most 1000 items\n");
    assert_string_equal(
        case_causes(arena, "EndpointSlice", yl_arena_printf(
            arena, "{'addressType':'IPv4','ports':%s}",
            repeat(arena, "{}", 20001))),
        "ports: Too many: 20001: must have at most 20000 items\n");
    yl_arena_free(arena);
}

TEST(slices_of_another_service_are_another_generation)
{
    const struct yl_builtin *kind = case_kind("EndpointSlice");
    struct yl_arena *arena = yl_arena_new();
    struct yl_node *old = case_parse(arena, "{'metadata':{'generation':1}}");
    struct yl_node *object = case_parse(
        arena, "{'metadata':{'generation':1,'labels':{'a':'b'}},"
               "'endpoints':[{'deprecatedTopology':{'a':'b'}}]}");

    yl_builtin_prepare_update(kind, arena, object, old);
    CASE_IS(object,
            "{'endpoints':[{}],'metadata':{'generation':2,'labels':{"
            "'a':'b'}}}");
    yl_arena_free(arena);
}
