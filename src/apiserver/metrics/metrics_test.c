/* Tests of what /metrics shows. */

#include "apiserver/metrics/metrics.h"

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

TEST(attempts_are_counted)
{
    begin();
    yl_api_metrics_authenticated(u.server.metrics, true);
    yl_api_metrics_authenticated(u.server.metrics, true);
    yl_api_metrics_authenticated(u.server.metrics, false);
    yl_api_metrics_authorized(u.server.metrics, true);
    yl_api_metrics_authorized(u.server.metrics, false);
    assert_shown("authentication_attempts{result=\"success\"} 2\n");
    assert_shown("authentication_attempts{result=\"error\"} 1\n");
    assert_shown("authorization_attempts_total{result=\"allowed\"} 1\n");
    assert_shown("authorization_attempts_total{result=\"no-opinion\"} 1\n");
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
    assert_shown("apiserver_resource_objects{group=\"apps\","
                 "resource=\"deployments\"} 0\n");
    assert_shown("kubernetes_build_info{git_version=\"v1.36.");
    assert_shown("\",major=\"1\",minor=\"36\"} 1\n");
    assert_shown("\n# TYPE process_cpu_seconds_total counter\n"
                 "process_cpu_seconds_total ");
    assert_shown("\nprocess_resident_memory_bytes ");
    assert_shown("\nprocess_virtual_memory_bytes ");
    assert_shown("\nprocess_open_fds ");
    assert_shown("\nprocess_max_fds ");
    assert_shown("\nprocess_start_time_seconds 1");
    assert_shown("\napiserver_audit_event_total 0\n");
    assert_shown("\nyuloh_documents_bytes 0\n");
    u.server.http = (struct yl_http_server *) &u;
    assert_shown("\nyuloh_http_requests 1\n");
    assert_shown("\n# TYPE yuloh_http_requests_total counter\n");
    assert_shown("\nyuloh_http_connections 0\n");
    end();
}

TEST(nobody_needs_to_count)
{
    struct yl_buf buf;

    memset(&u, 0, sizeof u);
    yl_api_metrics_authenticated(NULL, true);
    yl_api_metrics_authorized(NULL, true);
    assert_null(yl_api_metrics_requests(NULL));
    yl_buf_init(&buf, 4096);
    yl_api_metrics_render(&u.server, &buf);
    assert_int_equal(buf.size, 0);
    yl_buf_release(&buf);
    assert_null(yl_api_metrics_all(NULL));
    yl_api_metrics_free(NULL);
}
