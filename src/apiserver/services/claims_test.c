/* Addresses and ports of Services, through the whole server. */

#include "apiserver/services/claims.h"

#include "api_rig.h"

#define SERVICES "/api/v1/namespaces/default/services"

static int
make(const char *name, const char *spec)
{
    char body[512];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"ports\":[{\"port\":"
             "80}]%s%s}}", name, *spec ? "," : "", spec);
    return api("POST", SERVICES, body);
}

TEST(a_service_gets_an_address_of_its_own)
{
    char first[64];

    rig_open();
    assert_int_equal(make("a", ""), 201);
    snprintf(first, sizeof first, "%s", text_at("/spec/clusterIP"));
    assert_int_equal(strncmp(first, "10.0.0.", 7), 0);
    assert_string_equal(text_at("/spec/clusterIPs/0"), first);
    assert_string_equal(text_at("/spec/ipFamilies/0"), "IPv4");
    assert_string_equal(text_at("/spec/ipFamilyPolicy"), "SingleStack");
    assert_int_equal(make("b", ""), 201);
    assert_string_not_equal(text_at("/spec/clusterIP"), first);
    rig_close();
}

TEST(low_addresses_are_left_to_who_asks_for_them)
{
    int i;

    rig_open();
    for (i = 0; i < 40; i++) {
        char name[16];

        snprintf(name, sizeof name, "s%d", i);
        assert_int_equal(make(name, ""), 201);
        assert_true(strtol(text_at("/spec/clusterIP") + 7, NULL, 10) > 16);
    }
    assert_int_equal(make("asked", "\"clusterIP\":\"10.0.0.9\""), 201);
    rig_close();
}

TEST(an_address_is_taken_until_its_service_goes)
{
    rig_open();
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.77\""), 201);
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.77\""), 422);
    assert_int_equal(make("a", ""), 409);
    assert_int_equal(make("b", "\"clusterIP\":\"10.0.0.77\""), 422);
    tells("Service \"b\" is invalid: spec.clusterIPs: Invalid value: ["
          "\"10.0.0.77\"]: failed to allocate IP 10.0.0.77: provided IP is "
          "already allocated");
    assert_int_equal(api("DELETE", SERVICES "/a", NULL), 200);
    assert_int_equal(make("b", "\"clusterIP\":\"10.0.0.77\""), 201);
    assert_int_equal(make("c", "\"clusterIP\":\"10.9.0.1\""), 422);
    rig_close();
}

TEST(what_was_refused_is_given_back)
{
    rig_open();
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.77\","
                               "\"sessionAffinity\":\"Bogus\""), 422);
    assert_int_equal(make("b", "\"clusterIP\":\"10.0.0.77\""), 201);
    rig_close();
}

#define ADDRESSES "/apis/networking.k8s.io/v1/ipaddresses"

static int
patch(const char *path, const char *body)
{
    rig.content_type = "application/merge-patch+json";
    return api("PATCH", path, body);
}

TEST(an_address_is_an_object_as_long_as_its_service_has_it)
{
    rig_open();
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.1", NULL), 200);
    assert_string_equal(text_at("/spec/parentRef/name"), "kubernetes");
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.77\""), 201);
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.77", NULL), 200);
    assert_string_equal(text_at("/spec/parentRef/resource"), "services");
    assert_string_equal(text_at("/spec/parentRef/namespace"), "default");
    assert_string_equal(text_at("/spec/parentRef/name"), "a");
    assert_string_equal(text_at("/metadata/labels"),
                        "{\"ipaddress.kubernetes.io/ip-family\":\"IPv4\","
                        "\"ipaddress.kubernetes.io/managed-by\":"
                        "\"ipallocator.k8s.io\"}");
    assert_int_equal(patch(SERVICES "/a",
                         "{\"spec\":{\"type\":\"ExternalName\","
                         "\"externalName\":\"b.example\",\"clusterIP\":\"\","
                         "\"clusterIPs\":null}}"), 200);
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.77", NULL), 404);
    assert_int_equal(patch(SERVICES "/a",
                         "{\"spec\":{\"type\":\"ClusterIP\","
                         "\"clusterIP\":\"10.0.0.78\"}}"), 200);
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.78", NULL), 200);
    assert_int_equal(api("DELETE", SERVICES, NULL), 200);
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.78", NULL), 404);
    rig_close();
}

static int
make_address(const char *name, const char *more)
{
    char body[512];

    snprintf(body, sizeof body,
             "{\"metadata\":{\"name\":\"%s\"%s},\"spec\":{\"parentRef\":{"
             "\"resource\":\"pods\",\"name\":\"x\"}}}", name, more);
    return api("POST", ADDRESSES, body);
}

TEST(an_address_that_somebody_else_has_made_is_taken)
{
    rig_open();
    assert_int_equal(make_address("10.0.0.80", ""), 201);
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.80\""), 422);
    tells("Service \"a\" is invalid: spec.clusterIPs: Invalid value: ["
          "\"10.0.0.80\"]: failed to allocate IP 10.0.0.80: provided IP is "
          "already allocated");
    assert_int_equal(api("DELETE", ADDRESSES "/10.0.0.80", NULL), 200);
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.80\""), 201);
    assert_int_equal(make_address("10.0.0.80", ""), 409);

    /* Its object may go before it does. */
    assert_int_equal(api("DELETE", ADDRESSES "/10.0.0.80", NULL), 200);
    assert_int_equal(api("DELETE", SERVICES "/a", NULL), 200);
    rig_close();
}

TEST(finalizers_hold_an_address_back)
{
    rig_open();
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.80\""), 201);
    assert_int_equal(patch(ADDRESSES "/10.0.0.80",
                         "{\"metadata\":{\"finalizers\":[\"a.example/b\"]}}"),
                     200);
    assert_int_equal(api("DELETE", SERVICES "/a", NULL), 200);
    assert_int_equal(api("GET", ADDRESSES "/10.0.0.80", NULL), 200);
    assert_string_not_equal(text_at("/metadata/deletionTimestamp"), "");
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.80\""), 422);
    assert_int_equal(patch(ADDRESSES "/10.0.0.80",
                         "{\"metadata\":{\"finalizers\":null}}"), 200);
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.80\""), 201);
    rig_close();
}

TEST(node_ports_are_found_or_claimed)
{
    rig_open();
    assert_int_equal(make("a", "\"type\":\"NodePort\""), 201);
    assert_true(strtol(text_at("/spec/ports/0/nodePort"), NULL, 10) >= 30000);
    assert_int_equal(api("POST", SERVICES,
                         "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"type\":"
                         "\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":"
                         "30777}]}}"), 201);
    assert_int_equal(api("POST", SERVICES,
                         "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"type\":"
                         "\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":"
                         "30777}]}}"), 422);
    assert_int_equal(api("POST", SERVICES,
                         "{\"metadata\":{\"name\":\"c\"},\"spec\":{\"type\":"
                         "\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":"
                         "80}]}}"), 422);
    rig_close();
}

TEST(a_dry_run_claims_nothing)
{
    rig_open();
    assert_int_equal(api("POST", SERVICES "?dryRun=All",
                         "{\"metadata\":{\"name\":\"a\"},\"spec\":{"
                         "\"clusterIP\":\"10.0.0.77\",\"ports\":[{\"port\":"
                         "80}]}}"), 201);
    assert_int_equal(make("b", "\"clusterIP\":\"10.0.0.77\""), 201);
    rig_close();
}

TEST(headless_services_have_families_only)
{
    rig_open();
    assert_int_equal(make("a", "\"clusterIP\":\"None\""), 201);
    assert_string_equal(text_at("/spec/clusterIPs/0"), "None");
    assert_string_equal(text_at("/spec/ipFamilyPolicy"), "RequireDualStack");
    assert_string_equal(text_at("/spec/ipFamilies/1"), "IPv6");
    assert_int_equal(make("b", "\"type\":\"ExternalName\",\"externalName\":"
                               "\"example.com\""), 201);
    assert_string_equal(text_at("/spec/clusterIP"), "");
    rig_close();
}

TEST(families_that_the_cluster_does_not_have_are_refused)
{
    rig_open();
    assert_int_equal(make("a", "\"ipFamilyPolicy\":\"RequireDualStack\""),
                     422);
    tells("Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: "
          "\"RequireDualStack\": this cluster is not configured for "
          "dual-stack services");
    assert_int_equal(make("a", "\"ipFamilies\":[\"IPv6\"]"), 422);
    tells("Service \"a\" is invalid: spec.ipFamilies[0]: Invalid value: "
          "\"IPv6\": not configured on this cluster");
    assert_int_equal(make("a", "\"clusterIP\":\"fd00::1\""), 422);
    tells("Service \"a\" is invalid: spec.clusterIPs[0]: Invalid value: ["
          "\"fd00::1\"]: IPv6 is not configured on this cluster");
    assert_int_equal(make("a", "\"ipFamilies\":[\"IPv4\",\"IPv6\"],"
                               "\"ipFamilyPolicy\":\"SingleStack\""), 422);
    tells("Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: "
          "\"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' "
          "when multiple IP families are specified");
    rig_close();
}

TEST(the_second_family_goes_when_clients_say_so)
{
    static const char two[] =
        "\"clusterIP\":\"None\",\"ipFamilyPolicy\":\"PreferDualStack\"";

    rig_open();
    assert_int_equal(make("a", two), 201);
    assert_string_equal(text_at("/spec/ipFamilies/1"), "IPv6");
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(patch(SERVICES "/a",
                         "{\"spec\":{\"ipFamilies\":[\"IPv4\"]}}"), 422);
    tells("Service \"a\" is invalid: spec.ipFamilyPolicy: Invalid value: "
          "\"PreferDualStack\": must be 'SingleStack' to release the "
          "secondary IP family");
    rig.content_type = "application/merge-patch+json";
    assert_int_equal(patch(SERVICES "/a",
                         "{\"spec\":{\"ipFamilyPolicy\":\"SingleStack\"}}"),
                     200);
    assert_string_equal(text_at("/spec/ipFamilies/0"), "IPv4");
    assert_string_equal(text_at("/spec/ipFamilies/1"), "");
    rig_close();
}

TEST(a_range_can_be_full)
{
    char name[8];
    int i, code = 201;

    rig_open_with((struct yl_apiserver_opts) {
        .authorize_always = true, .service_cidr = "10.7.0.0/29" });
    for (i = 0; i < 8 && code == 201; i++) {
        snprintf(name, sizeof name, "s%d", i);
        code = make(name, "");
    }
    assert_int_equal(code, 500);
    tells("Internal error occurred: failed to allocate a serviceIP for "
          "Service \"s5\": range is full");
    assert_int_equal(i, 6);     /* Six hosts, one of them "kubernetes". */
    rig_close();
}

TEST(ports_of_a_load_balancer_are_wanted_or_not)
{
    rig_open();
    assert_int_equal(make("a", "\"type\":\"LoadBalancer\","
                               "\"allocateLoadBalancerNodePorts\":false"),
                     201);
    assert_string_equal(text_at("/spec/ports/0/nodePort"), "");
    assert_int_equal(api("POST", SERVICES,
                         "{\"metadata\":{\"name\":\"b\"},\"spec\":{\"type\":"
                         "\"NodePort\",\"ports\":[{\"name\":\"t\",\"port\":"
                         "53,\"nodePort\":30053},{\"name\":\"u\",\"port\":53,"
                         "\"protocol\":\"UDP\"}]}}"), 201);
    assert_string_equal(text_at("/spec/ports/1/nodePort"), "30053");
    rig_close();
}

TEST(a_local_load_balancer_has_a_port_for_health)
{
    static const char local[] = "\"type\":\"LoadBalancer\","
                                "\"externalTrafficPolicy\":\"Local\"";
    char spec[256];

    rig_open();
    assert_int_equal(make("a", local), 201);
    assert_true(strtol(text_at("/spec/healthCheckNodePort"), NULL, 10)
                >= 30000);
    snprintf(spec, sizeof spec, "%s,\"healthCheckNodePort\":30999", local);
    assert_int_equal(make("b", spec), 201);
    assert_string_equal(text_at("/spec/healthCheckNodePort"), "30999");
    assert_int_equal(make("c", spec), 500);
    tells("Internal error occurred: failed to allocate requested HealthCheck "
          "NodePort 30999: provided port is already allocated");
    snprintf(spec, sizeof spec, "%s,\"healthCheckNodePort\":99", local);
    assert_int_equal(make("c", spec), 500);
    tells("Internal error occurred: failed to allocate requested HealthCheck "
          "NodePort 99: provided port is not in the valid range. The range "
          "of valid ports is 30000-32767");
    rig_close();
}

TEST(what_lost_a_race_is_given_back)
{
    int i;

    rig_open_with((struct yl_apiserver_opts) {
        .authorize_always = true, .service_cidr = "10.0.0.0/29",
    });
    assert_int_equal(make("a", ""), 201);
    for (i = 0; i < 10; i++) {
        assert_int_equal(make("a", ""), 409);
    }
    assert_int_equal(make("b", ""), 201);
    assert_int_equal(make("c", ""), 201);
    assert_int_equal(make("d", ""), 201);
    assert_int_equal(make("e", ""), 201);
    assert_int_equal(make("f", ""), 500);
    rig_close();
}

TEST(ports_out_of_range_are_told_which_one_it_is)
{
    rig_open_with((struct yl_apiserver_opts) {
        .authorize_always = true, .node_port_first = 31000,
        .node_port_last = 31009,
    });
    assert_int_equal(api("POST", SERVICES,
                         "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"type\":"
                         "\"NodePort\",\"ports\":[{\"port\":80,\"nodePort\":"
                         "30000}]}}"), 422);
    tells("Service \"a\" is invalid: spec.ports[0].nodePort: Invalid value: "
          "30000: provided port is not in the valid range. The range of "
          "valid ports is 31000-31009");
    rig_close();
}

/* Claims of two writes that make the same Service. */
static const struct yl_claimant one = {
    { YL_STR_INIT("default"), YL_STR_INIT("a") }, "one",
}, two = {
    { YL_STR_INIT("default"), YL_STR_INIT("a") }, "two",
}, other = {
    { YL_STR_INIT("default"), YL_STR_INIT("b") }, "other",
};

TEST(a_claim_is_held_for_each_write)
{
    struct yl_allocators *all;
    struct yl_ip ip;

    rig_open();
    all = rig.server->allocators;
    assert_true(yl_ip_parse(YL_STR("10.0.0.50"), &ip));
    assert_int_equal(yl_claims_address(all, &one, &ip, true), 0);
    assert_int_equal(yl_claims_address(all, &other, &ip, true), 0);
    assert_int_equal(yl_claims_address(all, &one, &ip, false), 0);
    assert_int_equal(yl_claims_address(all, &one, &ip, false), 0);
    assert_int_equal(yl_claims_address(all, &two, &ip, false), 0);
    assert_int_equal(yl_claims_address(all, &other, &ip, false), YL_EEXISTS);
    yl_claims_settle(all, one.write);
    assert_int_equal(yl_claims_address(all, &other, &ip, false), YL_EEXISTS);
    yl_claims_settle(all, two.write);
    assert_int_equal(yl_claims_address(all, &other, &ip, false), 0);
    yl_claims_settle(all, other.write);

    /* What was published stays with its Service. */
    assert_int_equal(yl_claims_address(all, &one, &ip, false), 0);
    assert_int_equal(make("a", "\"clusterIP\":\"10.0.0.50\""), 201);
    yl_claims_settle(all, one.write);
    assert_int_equal(yl_claims_address(all, &other, &ip, false), YL_EEXISTS);
    rig_close();
}

TEST(who_was_away_for_long_reads_everything_and_keeps_what_is_held)
{
    struct yl_allocators *all;
    struct yl_ip held, published;
    int i;

    rig_open_fake();
    all = rig.server->allocators;
    assert_true(yl_ip_parse(YL_STR("10.0.0.50"), &held));
    assert_true(yl_ip_parse(YL_STR("10.0.0.51"), &published));
    assert_int_equal(yl_claims_address(all, &one, &held, false), 0);
    assert_int_equal(make("p", "\"clusterIP\":\"10.0.0.51\""), 201);
    for (i = 0; i < 3; i++) {
        assert_int_equal(make("x", ""), 201);
        assert_int_equal(api("DELETE", SERVICES "/x", NULL), 200);
    }
    for (i = 0; i < 20; i++) {
        rig_advance(60 * 1000);
        assert_int_equal(api("DELETE", SERVICES "/x", NULL), 404);
        rig.content_type = "application/merge-patch+json";
        assert_int_equal(patch("/api/v1/namespaces/default",
                             i % 2 ? "{\"metadata\":{\"labels\":{\"a\":"
                                     "\"b\"}}}"
                                   : "{\"metadata\":{\"labels\":{\"a\":"
                                     "\"c\"}}}"), 200);
    }
    assert_int_equal(yl_claims_address(all, &other, &held, false),
                     YL_EEXISTS);
    assert_int_equal(yl_claims_address(all, &other, &published, false),
                     YL_EEXISTS);
    yl_claims_settle(all, one.write);
    assert_int_equal(yl_claims_address(all, &other, &held, false), 0);
    rig_close();
}
