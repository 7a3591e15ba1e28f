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

static struct yl_gen_value *
value_of(struct yl_gen_unit *unit, enum yl_value_kind kind,
         struct yl_gen_value *element)
{
    struct yl_gen_value *value = yl_gen_value_new(unit, kind);

    value->element = element;
    return value;
}

TEST(values_have_c_types)
{
    struct yl_gen_unit *unit = (begin(), yl_gen_unit_new(arena, "d", "d",
                                                         "v1"));
    struct yl_gen_value *of, *string, *strings, *map;

    string = value_of(unit, YL_VALUE_STRING, NULL);
    of = value_of(unit, YL_VALUE_STRUCT, NULL);
    of->type = yl_gen_type_add(unit, "foo");
    assert_string_equal(yl_gen_c_type(arena, string), "const char *");
    assert_string_equal(yl_gen_c_type(arena, of), "struct foo");
    strings = value_of(unit, YL_VALUE_LIST, string);
    map = value_of(unit, YL_VALUE_MAP, string);
    assert_string_equal(yl_gen_c_type(arena, map), "");

    assert_string_equal(yl_gen_c_element(arena, strings), "const char *");
    assert_string_equal(yl_gen_c_element(arena, map),
                        "struct yl_string_pair");
    assert_string_equal(
        yl_gen_c_element(arena, value_of(unit, YL_VALUE_LIST, strings)),
        "struct yl_strings");
    assert_string_equal(
        yl_gen_c_element(arena, value_of(unit, YL_VALUE_LIST, map)),
        "struct yl_string_map");
    assert_string_equal(
        yl_gen_c_element(arena, value_of(unit, YL_VALUE_MAP, strings)),
        "struct yl_strings_pair");
    assert_string_equal(
        yl_gen_c_element(arena, value_of(unit, YL_VALUE_MAP, of)),
        "struct yl_pair_of_foo");
    assert_string_equal(
        yl_gen_c_element(arena, value_of(unit, YL_VALUE_MAP, map)), "");
    strings->c_element = "my_string";
    assert_string_equal(yl_gen_c_element(arena, strings), "my_string");
    yl_arena_free(arena);
    arena = NULL;
}
