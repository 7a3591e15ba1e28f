/* Tests of the rules for names. */

#include "codegen/model.h"

#include "unit.h"
#include "yuloh/arena.h"

static struct yl_arena *arena;

static void
begin(void)
{
    yl_arena_free(arena);
    arena = yl_arena_new();
}

TEST(camel_case_joins_words)
{
    begin();
    assert_string_equal(yl_gen_camel(arena, "deployment_name", false),
                        "deploymentName");
    assert_string_equal(yl_gen_camel(arena, "deployment_name", true),
                        "DeploymentName");
    assert_string_equal(yl_gen_camel(arena, "namespace_", false),
                        "namespace");
    assert_string_equal(yl_gen_camel(arena, "ipv4_cidr", false), "ipv4Cidr");
}

TEST(snake_case_splits_words)
{
    begin();
    assert_string_equal(yl_gen_snake(arena, "deploymentName"),
                        "deployment_name");
    assert_string_equal(yl_gen_snake(arena, "clusterIP"), "cluster_ip");
    assert_string_equal(yl_gen_snake(arena, "clusterIPs"), "cluster_ips");
    assert_string_equal(yl_gen_snake(arena, "podCIDRs"), "pod_cidrs");
    assert_string_equal(yl_gen_snake(arena, "HTTPGetAction"),
                        "http_get_action");
    assert_string_equal(yl_gen_snake(arena, "nonResourceURLs"),
                        "non_resource_urls");
    assert_string_equal(yl_gen_snake(arena, "fieldsV1"), "fields_v1");
    assert_string_equal(yl_gen_snake(arena, "$ref"), "_ref");
    assert_string_equal(yl_gen_snake(arena, "x-kubernetes-map"),
                        "x_kubernetes_map");
}

TEST(words_of_cxx_get_an_underscore)
{
    begin();
    assert_string_equal(yl_gen_snake(arena, "namespace"), "namespace_");
    assert_string_equal(yl_gen_snake(arena, "default"), "default_");
    assert_string_equal(yl_gen_snake(arena, "template"), "template_");
    assert_string_equal(yl_gen_snake(arena, "name"), "name");
}

TEST(plurals_are_english)
{
    begin();
    assert_string_equal(yl_gen_plural(arena, "Network"), "networks");
    assert_string_equal(yl_gen_plural(arena, "NetworkPolicy"),
                        "networkpolicies");
    assert_string_equal(yl_gen_plural(arena, "Ingress"), "ingresses");
    assert_string_equal(yl_gen_plural(arena, "Gateway"), "gateways");
    assert_string_equal(yl_gen_plural(arena, "Endpoints"), "endpoints");
    assert_string_equal(yl_gen_plural(arena, "Patch"), "patches");
    assert_string_equal(yl_gen_plural(arena, "Box"), "boxes");
}

TEST(openapi_prefix_turns_the_group_around)
{
    begin();
    assert_string_equal(yl_gen_openapi_prefix(arena, "a.b.com", "v1"),
                        "com.b.a.v1");
    assert_string_equal(yl_gen_openapi_prefix(arena, "", "v1"), "v1");
}
