/* Tests of /healthz, /livez and /readyz. */

#include "apiserver/discovery/health.h"

#include "keyspace_unit.h"
#include "request_unit.h"

static struct request_unit u;

static void
assert_health(const char *target, int status, const char *text)
{
    request_unit_start(&u, "GET", target, NULL);
    assert_int_equal(yl_serve_health(&u.request), YL_STEP_DONE);
    assert_int_equal(u.status, status);
    assert_string_equal(yl_buf_c_str(&u.body), text);
    assert_true(request_unit_has(&u,
                                 "content-type: text/plain; charset=utf-8"));
    request_unit_end(&u);
}

TEST(a_server_that_is_well_says_ok)
{
    memset(&u, 0, sizeof u);
    assert_health("/healthz", 200, "ok");
    assert_health("/livez", 200, "ok");
    assert_health("/readyz", 200, "ok");
    assert_health("/livez?verbose=false", 200,
                  "[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n");
    assert_health("/readyz?verbose", 200,
                  "[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]shutdown ok\n"
                  "readyz check passed\n");
}

TEST(single_checks_have_paths)
{
    memset(&u, 0, sizeof u);
    assert_health("/healthz/ping", 200, "ok");
    assert_health("/livez/etcd?verbose", 200, "ok");
    assert_health("/readyz/shutdown", 200, "ok");
    assert_health("/livez/shutdown", 404, "404 page not found\n");
    assert_health("/healthz/nope", 404, "404 page not found\n");
    assert_health("/healthz/", 404, "404 page not found\n");
    assert_health("/nothing", 404, "404 page not found\n");
}

TEST(checks_are_excluded_by_name)
{
    memset(&u, 0, sizeof u);
    u.server.unwell = YL_UNWELL_STORAGE;
    assert_health("/healthz?exclude=etcd", 200, "ok");
    assert_health("/healthz?verbose&exclude=etcd&exclude=nope&exclude=x%22",
                  200,
                  "[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n"
                  "warn: some health checks cannot be excluded: no matches "
                  "for \"nope\",\"x\\\"\"\nhealthz check passed\n");
}

TEST(what_is_wrong_is_said_but_not_why)
{
    memset(&u, 0, sizeof u);
    u.server.unwell = YL_UNWELL_STORAGE | YL_UNWELL_DRAINING;
    assert_health("/livez", 500,
                  "[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n"
                  "livez check failed\n");
    assert_health("/readyz?exclude=etcd", 500,
                  "[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n"
                  "[-]shutdown failed: reason withheld\n"
                  "readyz check failed\n");
    assert_health("/readyz/shutdown", 500,
                  "internal server error: process is shutting down\n");
    assert_health("/livez/etcd", 500,
                  "internal server error: storage does not take writes\n");
    assert_health("/livez/ping", 200, "ok");
}

TEST(other_paths_are_no_health)
{
    assert_true(yl_health_has(YL_STR("/readyz/etcd")));
    assert_true(yl_health_has(YL_STR("/livez")));
    assert_false(yl_health_has(YL_STR("/health")));
    assert_false(yl_health_has(YL_STR("healthz")));
    assert_false(yl_health_has(YL_STR("")));
}

/* A write that storage refuses counts for a while, or until one succeeds. */
TEST(storage_that_takes_no_writes_is_unwell)
{
    struct fixture f;
    uint64_t revision;

    memset(&u, 0, sizeof u);
    fixture_init(&f, NULL);
    u.server.keyspace = f.ks;
    u.server.clock = f.clock;
    assert_health("/readyz/etcd", 200, "ok");
    gate_fail(&f.gate, 1, YL_EIO);
    assert_int_equal(put(&f, "a", "x", "1", 0, &revision), YL_EIO);
    assert_health("/readyz/etcd", 500,
                  "internal server error: storage does not take writes\n");
    yl_clock_fake_advance(f.clock, YL_UNWELL_TIME);
    assert_health("/readyz/etcd", 200, "ok");

    gate_fail(&f.gate, 1, YL_EIO);
    assert_int_equal(put(&f, "a", "x", "1", 0, &revision), YL_EIO);
    assert_int_equal(put(&f, "a", "x", "1", 0, &revision), 0);
    assert_health("/readyz/etcd", 200, "ok");
    fixture_release(&f);
}
