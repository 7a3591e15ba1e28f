/* Metrics of a client. */

#include "client/call_metrics.h"

#include "base/buf.h"
#include "unit.h"
#include "yuloh/metrics.h"

static void
append(void *out, const char *text, size_t size)
{
    yl_buf_append(out, text, size);
}

TEST(calls_are_counted_under_client_gos_names)
{
    static const char *const want[] = {
        "rest_client_requests_total{code=\"200\",method=\"GET\","
        "host=\"a:1\"} 1\n",
        "rest_client_requests_total{code=\"<error>\",method=\"GET\","
        "host=\"a:1\"} 1\n",
        "rest_client_requests_total{code=\"410\",method=\"GET\","
        "host=\"a:1\"} 1\n",
        "rest_client_request_retries_total{code=\"200\",verb=\"GET\","
        "host=\"a:1\"} 1\n",
        "rest_client_request_duration_seconds_bucket{verb=\"GET\","
        "host=\"a:1\",le=\"2\"} 1\n",
        "rest_client_request_duration_seconds_count{verb=\"GET\","
        "host=\"a:1\"} 2\n",
        "rest_client_request_size_bytes_sum{verb=\"GET\",host=\"a:1\"} 100\n",
        "rest_client_response_size_bytes_count{verb=\"GET\",host=\"a:1\"} "
        "1\n",
        "rest_client_rate_limiter_duration_seconds_sum{verb=\"POST\","
        "host=\"a:1\"} 0.25\n",
    };
    struct yl_metrics *metrics = yl_metrics_new();
    struct yl_call_metrics m;
    struct yl_buf out;
    size_t i;

    yl_call_metrics_init(&m, metrics, YL_STR("a:1"));
    yl_call_metrics_count(&m, &(struct yl_call_measure) {
        .method = YL_STR("GET"), .http_status = 200, .is_retry = true,
        .duration = 1500, .sent = 100, .received = 7,
    });
    yl_call_metrics_count(&m, &(struct yl_call_measure) {
        .method = YL_STR("GET"), .duration = 3000,
    });
    yl_call_metrics_count_watch(&m, 410);
    yl_call_metrics_throttled(&m, YL_STR("POST"), 250);
    yl_buf_init(&out, 1 << 20);
    yl_metrics_render(metrics, append, &out);
    for (i = 0; i < YL_ARRAY_SIZE(want); i++) {
        if (!strstr(yl_buf_c_str(&out), want[i])) {
            fail_msg("no %s in %s", want[i], yl_buf_c_str(&out));
        }
    }
    yl_buf_release(&out);
    yl_call_metrics_release(&m);
    yl_metrics_free(metrics);
}

TEST(metrics_can_be_off)
{
    struct yl_call_metrics m;

    yl_call_metrics_init(&m, NULL, YL_STR("a:1"));
    yl_call_metrics_count(&m, &(struct yl_call_measure) {
        .method = YL_STR("GET"), .http_status = 200,
    });
    yl_call_metrics_count_watch(&m, 200);
    yl_call_metrics_throttled(&m, YL_STR("POST"), 250);
    yl_call_metrics_release(&m);
}
