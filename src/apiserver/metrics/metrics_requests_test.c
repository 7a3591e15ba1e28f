/* Tests of how requests are counted. */

#include "apiserver/metrics/metrics_requests.h"

#include "registry_unit.h"
#include "request_unit.h"
#include "yuloh/metrics.h"

static struct registry_unit unit;
static struct request_unit u;
static struct yl_metrics *all;
static struct yl_request_metrics *metrics;

static void
begin(void)
{
    memset(&u, 0, sizeof u);
    registry_unit_init(&unit);
    all = yl_metrics_new();
    metrics = yl_request_metrics_new(all);
}

static void
end(void)
{
    yl_request_metrics_free(metrics);
    yl_metrics_free(all);
    registry_unit_release(&unit);
}

static void
start(const char *method, const char *target)
{
    request_unit_start(&u, method, target, NULL);
    yl_request_metrics_begin(metrics, &u.request);
    if (u.request.info.is_resource
        && yl_registry_find(unit.registry, yl_api_gvr(&u.request),
                            &u.request.resource, &u.request.version) == 0) {
        u.request.subresource = yl_api_version_subresource(
            u.request.version, u.request.info.subresource);
        if (yl_str_equal(u.request.info.verb, YL_STR("watch"))) {
            yl_request_metrics_watch(metrics, &u.request);
        }
    }
}

static void
finish(int code)
{
    u.request.http_status = code;
    yl_request_metrics_end(metrics, &u.request, 0.003);
    yl_api_resource_unref(u.request.resource);
    request_unit_end(&u);
}

static void
count(const char *method, const char *target, int code)
{
    start(method, target);
    finish(code);
}

static void
append(void *buf, const char *text, size_t size)
{
    yl_buf_append(buf, text, size);
}

static void
assert_shown(const char *line)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 22);
    yl_metrics_render(all, append, &buf);
    if (!strstr(yl_buf_c_str(&buf), line)) {
        fail_msg("no %s in\n%s", line, yl_buf_c_str(&buf));
    }
    yl_buf_release(&buf);
}

TEST(requests_have_upstreams_labels)
{
    begin();
    count("GET", "/api/v1/namespaces/a/pods/b", 200);
    count("GET", "/api/v1/namespaces/a/pods/c", 200);
    count("GET", "/api/v1/namespaces/a/pods", 200);
    count("GET", "/api/v1/pods", 200);
    count("POST", "/apis/apps/v1/namespaces/a/deployments?dryRun=All", 201);
    count("DELETE", "/apis/apps/v1/namespaces/a/deployments?dryRun=x", 422);
    count("PATCH", "/api/v1/namespaces/a/pods/b/status", 409);
    assert_shown("apiserver_request_total{code=\"200\",component="
                 "\"apiserver\",dry_run=\"\",group=\"\",resource=\"pods\","
                 "scope=\"resource\",subresource=\"\",verb=\"GET\","
                 "version=\"v1\"} 2\n");
    assert_shown("resource=\"pods\",scope=\"namespace\",subresource=\"\","
                 "verb=\"LIST\",version=\"v1\"} 1\n");
    assert_shown("resource=\"pods\",scope=\"cluster\",subresource=\"\","
                 "verb=\"LIST\",version=\"v1\"} 1\n");
    assert_shown("code=\"201\",component=\"apiserver\",dry_run=\"All\","
                 "group=\"apps\",resource=\"deployments\",scope="
                 "\"resource\",subresource=\"\",verb=\"POST\"");
    assert_shown("code=\"422\",component=\"apiserver\",dry_run="
                 "\"invalid\",group=\"apps\",resource=\"deployments\","
                 "scope=\"namespace\",subresource=\"\",verb=\"DELETE\"");
    assert_shown("subresource=\"status\",verb=\"PATCH\"");
    assert_shown("apiserver_request_duration_seconds_count{component="
                 "\"apiserver\",dry_run=\"\",group=\"\",resource=\"pods\","
                 "scope=\"resource\",subresource=\"\",verb=\"GET\","
                 "version=\"v1\"} 2\n");
    assert_shown("apiserver_request_sli_duration_seconds_bucket{component="
                 "\"apiserver\",group=\"\",resource=\"pods\",scope="
                 "\"resource\",subresource=\"\",verb=\"GET\",version="
                 "\"v1\",le=\"0.005\"} 2\n");
    end();
}

TEST(what_clients_make_up_is_no_label)
{
    begin();
    count("BREW", "/apis/nope/v1/coffees", 404);
    count("GET", "/api/v1/namespaces/a/coffees/b/cream", 404);
    count("GET", "/healthz", 0);
    count("GET", "/coffee", 404);
    assert_shown("apiserver_request_total{code=\"404\",component=\"\","
                 "dry_run=\"\",group=\"\",resource=\"\",scope=\"cluster\","
                 "subresource=\"\",verb=\"OTHER\",version=\"\"} 1\n");
    assert_shown("apiserver_request_total{code=\"499\",component=\"\","
                 "dry_run=\"\",group=\"\",resource=\"\",scope=\"\","
                 "subresource=\"/healthz\",verb=\"GET\",version=\"\"} 1\n");
    assert_shown("scope=\"\",subresource=\"\",verb=\"GET\",version=\"\"} "
                 "1\n");
    end();
}

TEST(many_codes_of_one_sort_are_counted)
{
    int code, round;

    begin();
    for (round = 0; round < 2; round++) {
        for (code = 400; code < 420; code++) {
            count("GET", "/api/v1/pods", code);
        }
    }
    assert_shown("code=\"400\",component=\"apiserver\",dry_run=\"\",group="
                 "\"\",resource=\"pods\",scope=\"cluster\",subresource=\"\","
                 "verb=\"LIST\",version=\"v1\"} 2\n");
    assert_shown("code=\"419\",component=\"apiserver\",dry_run=\"\",group="
                 "\"\",resource=\"pods\",scope=\"cluster\",subresource=\"\","
                 "verb=\"LIST\",version=\"v1\"} 2\n");
    end();
}

TEST(requests_are_in_flight_and_watches_run_for_long)
{
    static const char watches[] =
        "apiserver_longrunning_requests{component=\"apiserver\",group=\"\","
        "resource=\"pods\",scope=\"cluster\",subresource=\"\",verb="
        "\"WATCH\",version=\"v1\"} ";
    char line[256];

    begin();
    start("GET", "/api/v1/pods");
    assert_shown("apiserver_current_inflight_requests{request_kind="
                 "\"readOnly\"} 1\n");
    finish(200);
    start("DELETE", "/api/v1/namespaces/a/pods/b");
    assert_shown("request_kind=\"mutating\"} 1\n");
    assert_shown("request_kind=\"readOnly\"} 0\n");
    finish(200);
    start("GET", "/api/v1/pods?watch=1");
    assert_shown("request_kind=\"mutating\"} 0\n");
    assert_shown("request_kind=\"readOnly\"} 0\n");
    snprintf(line, sizeof line, "%s1\n", watches);
    assert_shown(line);
    finish(200);
    snprintf(line, sizeof line, "%s0\n", watches);
    assert_shown(line);
    assert_shown("apiserver_request_duration_seconds_count{component="
                 "\"apiserver\",dry_run=\"\",group=\"\",resource=\"pods\","
                 "scope=\"cluster\",subresource=\"\",verb=\"WATCH\"");
    end();
}

TEST(events_of_watches_are_counted)
{
    begin();
    start("GET", "/apis/apps/v1/deployments?watch=1");
    yl_counter_add(yl_request_metrics_events(metrics, &u.request), 3);
    finish(200);
    assert_shown("apiserver_watch_events_total{group=\"apps\",resource="
                 "\"deployments\",version=\"v1\"} 3\n");
    end();
}

TEST(nobody_needs_to_count)
{
    memset(&u, 0, sizeof u);
    request_unit_start(&u, "GET", "/healthz", NULL);
    yl_request_metrics_begin(NULL, &u.request);
    yl_request_metrics_watch(NULL, &u.request);
    assert_null(yl_request_metrics_events(NULL, &u.request));
    yl_request_metrics_end(NULL, &u.request, 1);
    request_unit_end(&u);
    yl_request_metrics_free(NULL);
}
