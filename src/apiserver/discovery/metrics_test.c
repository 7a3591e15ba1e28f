/* Tests of what /metrics shows. */

#include "apiserver/discovery/metrics.h"

#include "apiserver/discovery/documents.h"
#include "registry_unit.h"
#include "request_unit.h"
#include "yuloh/metrics.h"

static struct registry_unit unit;
static struct request_unit u;

static void
begin(void)
{
    memset(&u, 0, sizeof u);
    registry_unit_init(&unit);
    u.server.registry = unit.registry;
    u.server.documents = yl_documents_new(NULL);
    u.server.metrics = yl_api_metrics_new();
}

static void
end(void)
{
    yl_api_metrics_free(u.server.metrics);
    yl_documents_free(u.server.documents);
    registry_unit_release(&unit);
}

static void
count(const char *method, const char *target, int code)
{
    request_unit_start(&u, method, target, NULL);
    if (u.request.info.is_resource) {
        yl_registry_find(unit.registry, yl_api_gvr(&u.request),
                         &u.request.resource, &u.request.version);
    }
    u.request.http_status = code;
    yl_api_metrics_count(u.server.metrics, &u.request, 0.003);
    yl_api_resource_unref(u.request.resource);
    request_unit_end(&u);
}

static void
assert_shown(const char *line)
{
    struct yl_buf buf;

    yl_buf_init(&buf, 1 << 22);
    yl_api_metrics_render(&u.server, &buf);
    if (!strstr(yl_buf_c_str(&buf), line)) {
        fail_msg("no %s in\n%s", line, yl_buf_c_str(&buf));
    }
    yl_buf_release(&buf);
}

TEST(requests_are_counted)
{
    begin();
    count("GET", "/api/v1/namespaces/a/pods/b", 200);
    count("GET", "/api/v1/namespaces/a/pods/c", 200);
    count("POST", "/apis/apps/v1/namespaces/a/deployments", 201);
    count("GET", "/api/v1/pods?watch=1", 200);
    count("GET", "/healthz", 0);
    count("BREW", "/apis/nope/v1/coffees", 404);
    assert_shown("apiserver_request_total{code=\"200\",group=\"\","
                 "resource=\"pods\",subresource=\"\",verb=\"GET\","
                 "version=\"v1\"} 2\n");
    assert_shown("apiserver_request_total{code=\"201\",group=\"apps\","
                 "resource=\"deployments\",subresource=\"\",verb=\"POST\","
                 "version=\"v1\"} 1\n");
    assert_shown("resource=\"pods\",subresource=\"\",verb=\"WATCH\"");
    assert_shown("apiserver_request_total{code=\"499\",group=\"\","
                 "resource=\"\",subresource=\"\",verb=\"GET\",");

    /* Names that the client made up are no labels. */
    assert_shown("apiserver_request_total{code=\"404\",group=\"\","
                 "resource=\"\",subresource=\"\",verb=\"OTHER\","
                 "version=\"\"} 1\n");
    assert_shown("apiserver_request_duration_seconds_count{verb=\"GET\"} 3");
    assert_shown("apiserver_request_duration_seconds_count{verb=\"WATCH\"} "
                 "0");
    end();
}

TEST(the_state_of_the_server_is_shown)
{
    begin();
    yl_counter_add(yl_metric_counter(
        yl_metrics_add(yl_api_metrics_all(u.server.metrics),
                       &(struct yl_metric_opts) {
                           .type = YL_METRIC_COUNTER,
                           .name = "things_total",
                       }), NULL), 7);
    assert_shown("things_total 7\n");
    assert_shown("apiserver_storage_objects{resource=\"pods\"} 0\n");
    assert_shown("apiserver_storage_objects{resource=\"deployments.apps\"} "
                 "0\n");
    assert_shown("kubernetes_build_info{git_version=\"v1.36.");
    assert_shown("\nprocess_resident_memory_bytes ");
    assert_shown("\nprocess_open_fds ");
    assert_shown("\nyuloh_documents_bytes 0\n");
    u.server.http = (struct yl_http_server *) &u;
    assert_shown("\napiserver_current_inflight_requests 1\n");
    assert_shown("\nyuloh_http_connections 0\n");
    end();
}

TEST(nobody_needs_to_count)
{
    struct yl_buf buf;

    memset(&u, 0, sizeof u);
    request_unit_start(&u, "GET", "/healthz", NULL);
    yl_api_metrics_count(NULL, &u.request, 1);
    request_unit_end(&u);
    yl_buf_init(&buf, 4096);
    yl_api_metrics_render(&u.server, &buf);
    assert_int_equal(buf.size, 0);
    yl_buf_release(&buf);
    assert_null(yl_api_metrics_all(NULL));
    yl_api_metrics_free(NULL);
}
