/* Tests of the pages, the status among them. */

#include "controller/pages.h"

#include <arpa/inet.h>
#include <unistd.h>

#include "controller_rig.h"
#include "yuloh/api/core_v1.h"

static int result;

static int
reconcile(struct yl_request *req)
{
    int r;

    yl_mutex_lock(&calls_lock);
    r = result;
    yl_mutex_unlock(&calls_lock);
    note_call(req);
    return r ? yl_request_fail(req, r, "the bridge is up") : 0;
}

static const struct yl_controller demo = {
    .name = "demo",
    .reconcile = reconcile,
    .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                            .namespace_ = "default" }),
};

/* What GET answers, head and body, in 'scratch'. */
static const char *
get(uint16_t port, const char *path)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    size_t size = 0, max = 1 << 20;
    char *text = yl_arena_alloc(scratch, max);
    char head[256];
    ssize_t n;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(connect(fd, (void *) &address, sizeof address), 0);
    snprintf(head, sizeof head, "GET %s HTTP/1.1\r\nhost: x\r\n"
             "connection: close\r\n\r\n", path);
    assert_int_equal(write(fd, head, strlen(head)), strlen(head));
    while ((n = read(fd, text + size, max - size - 1)) > 0) {
        size += (size_t) n;
    }
    text[size] = '\0';
    close(fd);
    return text;
}

static void
assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fail_msg("no \"%s\" in %s", part, text);
    }
}

TEST(health_readiness_and_metrics_are_served)
{
    const char *text;
    uint16_t port;

    begin_with(&(struct yl_manager_opts) {
        .metrics_address = "127.0.0.1:0", .health_address = "127.0.0.1:0" });
    result = 0;
    start(&demo);
    port = yl_manager_metrics_port(manager);
    assert_int_equal(yl_manager_health_port(manager), port);
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(1);
    wait_until_idle();
    assert_has(get(port, "/healthz"), "200 OK");
    assert_has(get(port, "/readyz"), "200 OK");
    assert_has(get(port, "/"), "/debug/controller\n");
    assert_has(get(port, "/nowhere"), "404 ");
    text = get(port, "/metrics");
    assert_has(text, YL_METRICS_CONTENT_TYPE);
    assert_has(text, "controller_runtime_reconcile_total{controller=\"demo\","
               "result=\"success\"} 1\n");
    assert_has(text, "controller_runtime_max_concurrent_reconciles{"
               "controller=\"demo\"} 1\n");
    assert_has(text, "workqueue_adds_total{");
    assert_has(text, "informer_store_resource_version{name=\"configmaps");
    yl_manager_stop(manager);
    assert_has(get(port, "/readyz"), "503 ");
    end();
}

TEST(two_addresses_are_two_servers)
{
    begin_with(&(struct yl_manager_opts) {
        .metrics_address = "127.0.0.1:0", .health_address = "127.0.0.2:0" });
    start(&demo);
    assert_int_not_equal(yl_manager_health_port(manager), 0);
    assert_int_not_equal(yl_manager_health_port(manager),
                         yl_manager_metrics_port(manager));
    end();
}

TEST(an_address_that_is_none_is_refused)
{
    begin_with(&(struct yl_manager_opts) { .metrics_address = "nonsense" });
    assert_int_equal(yl_manager_add(manager, &demo, &fault), 0);
    assert_true(yl_manager_start(manager, &fault) < 0);
    end();
}

TEST(the_status_says_why_it_does_not_converge)
{
    const char *text;
    uint16_t port;

    begin_with(&(struct yl_manager_opts) { .metrics_address = ":0" });
    result = YL_EUNAVAILABLE;
    start(&demo);
    port = yl_manager_metrics_port(manager);
    text = get(port, "/debug/controller");
    assert_has(text, "\r\n\r\ncontroller demo, for ConfigMap\n");
    assert_has(text, "keys that do not converge: none\n");
    assert_has(text, "synced, 0 objects, revision ");
    apply(CONFIG_MAP("one", ""));
    wait_for_calls(3);
    text = get(port, "/debug/controller");
    assert_has(text, "default/one: fails, ");
    assert_has(text, " ago: the bridge is up\n");
    assert_has(text, "synced, 1 objects, revision ");
    assert_has(text, ", server ");
    assert_null(strstr(text, "server unknown"));

    /* Without a server the page says so, too. */
    yl_testenv_kill(env);
    text = get(port, "/debug/controller");
    assert_has(text, "server unknown");
    assert_int_equal(yl_testenv_revive(env, NULL), 0);
    end();
}

/* The page is made on the thread that answers health probes. */
TEST(a_server_that_does_not_answer_is_asked_once)
{
    const struct yl_controller both = {
        .name = "both",
        .reconcile = reconcile,
        .watches = YL_WATCHES({ .for_ = &core_v1_config_map_kind,
                                .namespace_ = "default" },
                              { .owns = &core_v1_secret_kind,
                                .namespace_ = "default" }),
    };
    int lists;

    begin();
    start(&both);
    lists = yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_DELAY, .verb = "list", .namespace_ = "default" });
    yl_manager_status_text(manager, scratch);
    assert_int_equal(yl_testenv_hits(env, lists), 2);
    yl_testenv_remove_all(env);
    lists = yl_testenv_inject(env, &(struct yl_testenv_fault) {
        .what = YL_FAULT_CUT, .verb = "list", .inside = true });
    assert_has(yl_manager_status_text(manager, scratch).data,
               "server unknown");
    assert_int_equal(yl_testenv_hits(env, lists), 1);
    end();
}
