/* Discovery documents, and finding things in them. */

#include "client/api_set.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/error.h"

#define RESOURCE(NAME, KIND, SCOPE, MORE) \
    "{\"resource\":\"" NAME "\",\"responseKind\":{\"kind\":\"" KIND "\"}," \
    "\"scope\":\"" SCOPE "\"" MORE "}"

static const char core[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":"
    "\"apidiscovery.k8s.io/v2\",\"items\":[{\"metadata\":{},\"versions\":[{"
    "\"version\":\"v1\",\"resources\":["
    RESOURCE("pods", "Pod", "Namespaced",
             ",\"singularResource\":\"pod\",\"shortNames\":[\"po\"],"
             "\"categories\":[\"all\"],\"verbs\":[\"get\",\"list\"],"
             "\"subresources\":[{\"subresource\":\"status\"},"
             "{\"subresource\":\"log\"}]") ","
    RESOURCE("events", "Event", "Namespaced", ",\"shortNames\":[\"ev\"]") ","
    RESOURCE("nodes", "Node", "Cluster", "")
    "]}]}]}";

static const char others[] =
    "{\"kind\":\"APIGroupDiscoveryList\",\"items\":["
    "{\"metadata\":{\"name\":\"apps\"},\"versions\":["
    "{\"version\":\"v1beta1\",\"freshness\":\"Stale\",\"resources\":["
    RESOURCE("stales", "Stale", "Cluster", "") "]},"
    "{\"version\":\"v1\",\"freshness\":\"Current\",\"resources\":["
    RESOURCE("deployments", "Deployment", "Namespaced",
             ",\"singularResource\":\"deployment\","
             "\"shortNames\":[\"deploy\"]") "]},"
    "{\"version\":\"v1beta2\",\"resources\":["
    RESOURCE("deployments", "Deployment", "Namespaced", "") ","
    RESOURCE("olds", "Old", "Namespaced", "") ","
    "{\"resource\":\"parentonly\",\"subresources\":[]},7]}]},"
    "{\"metadata\":{\"name\":\"events.k8s.io\"},\"versions\":[{\"version\":"
    "\"v1\",\"resources\":[" RESOURCE("events", "Event", "Namespaced", "")
    "]}]},"
    "{\"metadata\":{\"name\":\"stable.example.com\"},\"versions\":[{"
    "\"version\":\"v1\",\"resources\":["
    RESOURCE("crontabs", "CronTab", "Namespaced", ",\"shortNames\":[\"po\"]")
    "]}]}]}";

static struct yl_api_set *
example(void)
{
    struct yl_api_set *set = yl_api_set_new();

    assert_int_equal(yl_api_set_add_aggregated(set, yl_str_c(core), NULL),
                     0);
    assert_int_equal(yl_api_set_add_aggregated(set, yl_str_c(others), NULL),
                     0);
    return set;
}

/* "group/version/resource KIND ns". */
static void
check(const struct yl_mapping *mapping, const char *want)
{
    struct yl_buf have;

    yl_buf_init(&have, 1 << 16);
    if (mapping) {
        yl_buf_printf(&have, "%.*s/%.*s/%.*s %.*s%s",
                      YL_STR_ARG(mapping->resource.gvr.group),
                      YL_STR_ARG(mapping->resource.gvr.version),
                      YL_STR_ARG(mapping->resource.gvr.resource),
                      YL_STR_ARG(mapping->resource.kind),
                      mapping->resource.namespaced ? " ns" : "");
    }
    assert_str_equal(yl_buf_str(&have), want);
    yl_buf_release(&have);
}

#define DEPLOYMENTS "apps/v1/deployments Deployment ns"
#define BETA "apps/v1beta2/deployments Deployment ns"
#define PODS "/v1/pods Pod ns"
#define CRON_TABS "stable.example.com/v1/crontabs CronTab ns"

TEST(kinds_become_resources)
{
    static const struct {
        struct yl_gvk gvk;
        const char *want;
    } cases[] = {
        { { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("Pod") }, PODS },
        { { { NULL, 0 }, YL_STR_INIT("v1"), YL_STR_INIT("Pod") }, PODS },
        { { { NULL, 0 }, YL_STR_INIT("v1"), YL_STR_INIT("Node") },
          "/v1/nodes Node" },
        { { YL_STR_INIT("apps"), { NULL, 0 }, YL_STR_INIT("Deployment") },
          DEPLOYMENTS },
        { { YL_STR_INIT("apps"), YL_STR_INIT("v1beta2"),
            YL_STR_INIT("Deployment") }, BETA },

        /* Only an old version has it. */
        { { YL_STR_INIT("apps"), YL_STR_INIT(""), YL_STR_INIT("Old") },
          "apps/v1beta2/olds Old ns" },
        { { YL_STR_INIT("apps"), YL_STR_INIT("v1beta1"),
            YL_STR_INIT("Stale") }, "" },
        { { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("Deployment") },
          "" },
        { { YL_STR_INIT(""), YL_STR_INIT("v1"), YL_STR_INIT("pod") }, "" },
    };
    struct yl_api_set *set = example();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        check(yl_api_set_find_kind(set, cases[i].gvk), cases[i].want);
    }
    yl_api_set_unref(set);
}

TEST(resources_are_found_with_and_without_a_group)
{
    struct yl_api_set *set = example();

    check(yl_api_set_find_resource(set, (struct yl_gvr) {
        .resource = YL_STR("deployments"),
    }), DEPLOYMENTS);
    check(yl_api_set_find_resource(set, (struct yl_gvr) {
        .group = YL_STR(""), .resource = YL_STR("deployments"),
    }), "");
    check(yl_api_set_find_resource(set, (struct yl_gvr) {
        .resource = YL_STR("events"),
    }), "/v1/events Event ns");
    check(yl_api_set_find_resource(set, (struct yl_gvr) {
        .group = YL_STR("events.k8s.io"), .resource = YL_STR("events"),
    }), "events.k8s.io/v1/events Event ns");
    yl_api_set_unref(set);
}

TEST(people_may_call_it_what_they_like)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "pods", PODS },
        { "Pod", PODS },
        { "PODS", PODS },
        { "pod", PODS },
        { "po", PODS },
        { "pods.v1", PODS },
        { "po.v1.", PODS },
        { "deploy", DEPLOYMENTS },
        { "deployment.apps", DEPLOYMENTS },
        { "deploy.apps", DEPLOYMENTS },
        { "deployments.v1beta2.apps", BETA },
        { "deployments.v1beta1.apps", "" },
        { "crontabs.stable.example.com", CRON_TABS },
        { "crontab.v1.stable.example.com", CRON_TABS },
        { "po.stable.example.com", CRON_TABS },
        { "events.events.k8s.io", "events.k8s.io/v1/events Event ns" },
        { "parentonly", "" },
        { "", "" },
        { ".", "" },
        { "..", "" },
    };
    struct yl_api_set *set = example();
    size_t i;

    for (i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        check(yl_api_set_find(set, yl_str_c(cases[i].text)), cases[i].want);
    }
    yl_api_set_unref(set);
}

TEST(a_mapping_tells_the_rest)
{
    struct yl_api_set *set = example();
    const struct yl_mapping *pods = yl_api_set_find(set, YL_STR("pods"));

    assert_true(pods->preferred);
    assert_str_equal(pods->singular, "pod");
    assert_int_equal(pods->n_short_names, 1);
    assert_int_equal(pods->n_categories, 1);
    assert_str_equal(pods->categories[0], "all");
    assert_true(yl_mapping_has_verb(pods, YL_STR("list")));
    assert_false(yl_mapping_has_verb(pods, YL_STR("watch")));
    assert_true(yl_mapping_has_subresource(pods, YL_STR("log")));
    assert_false(yl_mapping_has_subresource(pods, YL_STR("scale")));
    yl_api_set_unref(set);
}

static const char list[] =
    "{\"kind\":\"APIResourceList\",\"groupVersion\":\"apps/v1\","
    "\"resources\":["
    "{\"name\":\"deployments\",\"singularName\":\"deployment\","
    "\"namespaced\":true,\"kind\":\"Deployment\",\"verbs\":[\"get\"],"
    "\"shortNames\":[\"deploy\"],\"categories\":[\"all\"]},"
    "{\"name\":\"deployments/status\",\"kind\":\"Deployment\"},"
    "{\"name\":\"deployments/scale\",\"kind\":\"Scale\"},"
    "{\"name\":\"orphans/status\"},{\"name\":7},3]}";

TEST(older_servers_have_a_list_for_each_version)
{
    struct yl_api_set *set = yl_api_set_new();
    struct yl_gv gv = { YL_STR("apps"), YL_STR("v1") };
    const struct yl_mapping *mapping;

    assert_int_equal(yl_api_set_add_resources(set, gv, true, yl_str_c(list),
                                              NULL), 0);
    assert_int_equal(set->n_mappings, 1);
    mapping = yl_api_set_find(set, YL_STR("deploy"));
    check(mapping, DEPLOYMENTS);
    assert_true(yl_mapping_has_verb(mapping, YL_STR("get")));
    assert_true(yl_mapping_has_subresource(mapping, YL_STR("status")));
    assert_true(yl_mapping_has_subresource(mapping, YL_STR("scale")));
    yl_api_set_unref(set);
}

static int
hear_group(void *out, struct yl_gv gv, bool preferred)
{
    yl_buf_printf(out, "%.*s/%.*s%s ", YL_STR_ARG(gv.group),
                  YL_STR_ARG(gv.version), preferred ? "!" : "");
    return 0;
}

TEST(older_servers_list_their_groups)
{
    struct yl_error err = YL_ERROR_INIT;
    struct yl_buf out;

    yl_buf_init(&out, 1 << 16);
    assert_int_equal(yl_api_groups_read(
        YL_STR("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}"),
        hear_group, &out, NULL), 0);
    assert_int_equal(yl_api_groups_read(
        YL_STR("{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"a\","
               "\"versions\":[{\"version\":\"v2\"},{\"version\":\"v1\"}],"
               "\"preferredVersion\":{\"version\":\"v1\"}},"
               "{\"name\":\"b\",\"versions\":[{\"version\":\"v1\"},3]},"
               "{\"versions\":[{\"version\":\"v1\"}]}]}"),
        hear_group, &out, NULL), 0);
    assert_str_equal(yl_buf_str(&out), "/v1! a/v1! a/v2 b/v1 ");
    assert_int_equal(yl_api_groups_read(YL_STR("{\"kind\":\"Pod\"}"),
                                        hear_group, &out, &err), YL_ETYPE);
    yl_error_clear(&err);
    yl_buf_release(&out);
}

TEST(what_is_no_discovery_is_refused)
{
    struct yl_api_set *set = yl_api_set_new();
    struct yl_gv gv = { YL_STR("apps"), YL_STR("v1") };

    assert_int_equal(yl_api_set_add_aggregated(set, yl_str_c(list), NULL),
                     YL_ETYPE);
    assert_int_equal(yl_api_set_add_aggregated(set, YL_STR("{"), NULL),
                     YL_ETRUNCATED);
    assert_int_equal(yl_api_set_add_resources(set, gv, true, yl_str_c(core),
                                              NULL), YL_ETYPE);
    assert_int_equal(set->n_mappings, 0);
    yl_api_set_unref(set);
}
