/* Tests of audit events: their form at each level. */

#include "apiserver/auth/audit.h"

#include <unistd.h>

#include "apiserver/auth/user.h"
#include "base/file.h"
#include "unit.h"
#include "yuloh/arena.h"
#include "yuloh/error.h"
#include "yuloh/json.h"

struct fixture {
    char directory[64], policy[96], log[96];
    struct yl_arena *arena;
    struct yl_audit *audit;
};

static void
fixture_init(struct fixture *f, const char *rules)
{
    struct yl_buf text;

    snprintf(f->directory, sizeof f->directory, "/tmp/yuloh-audit-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    snprintf(f->policy, sizeof f->policy, "%s/policy", f->directory);
    snprintf(f->log, sizeof f->log, "%s/log", f->directory);
    yl_buf_init(&text, 1 << 20);
    yl_buf_printf(&text, "{apiVersion: audit.k8s.io/v1, kind: Policy, %s}",
                  rules);
    assert_int_equal(yl_file_replace(f->policy, yl_buf_str(&text), 0600,
                                     NULL), 0);
    yl_buf_release(&text);
    f->arena = yl_arena_new();
    assert_int_equal(yl_audit_new(&(struct yl_audit_opts) {
                         .policy_file = f->policy, .log_path = f->log },
                         &f->audit, NULL), 0);
}

/* Ends the log and returns its text. */
static struct yl_str
fixture_text(struct fixture *f)
{
    char *text;
    struct yl_str copy;

    yl_audit_free(f->audit);
    f->audit = NULL;
    text = read_file(f->log, NULL);
    copy = yl_arena_copy(f->arena, yl_str_c(text));
    free(text);
    return copy;
}

static void
fixture_release(struct fixture *f)
{
    yl_audit_free(f->audit);
    yl_arena_free(f->arena);
    unlink(f->policy);
    unlink(f->log);
    assert_int_equal(rmdir(f->directory), 0);
}

static const struct yl_str groups[] = { YL_STR_INIT("g"),
                                        YL_STR_INIT("system:authenticated") };
static const struct yl_str scopes[] = { YL_STR_INIT("view") };
static const struct yl_user_extra extra[] = {
    { YL_STR_INIT("scopes"), scopes, 1 },
};
static const struct yl_user user = {
    .name = YL_STR_INIT("bob"), .uid = YL_STR_INIT("u"), .groups = groups,
    .n_groups = 2, .extra = extra, .n_extra = 1,
};
static const struct yl_str sources[] = { YL_STR_INIT("192.0.2.1") };

static struct yl_audit_event *
event(struct fixture *f)
{
    const struct yl_attributes attributes = {
        .user = &user, .verb = YL_STR("create"), .is_resource = true,
        .group = YL_STR("apps"), .version = YL_STR("v1"),
        .resource = YL_STR("deployments"), .namespace_ = YL_STR("d"),
    };
    struct yl_audit_event *made = yl_audit_event_new(f->audit, f->arena,
                                                     &attributes);

    if (made) {
        made->id = YL_STR("id-1");
        made->uri = YL_STR("/apis/apps/v1/namespaces/d/deployments?x=1");
        made->user_agent = YL_STR("curl");
        made->sources = sources;
        made->n_sources = 1;
        made->received = (struct yl_time) { 1700000000, 123456000 };
        made->request = YL_STR("{\n  \"metadata\":{\"name\":\"web\","
                               "\"managedFields\":[]},\"spec\":{}}");
    }
    return made;
}

/* The line without its stageTimestamp. */
static struct yl_str
without_stage_time(struct yl_arena *arena, struct yl_str line)
{
    static const char name[] = ",\"stageTimestamp\":\"";
    char *text = yl_arena_strdup(arena, line), *at = strstr(text, name);

    assert_non_null(at);
    memmove(at, strchr(at + sizeof name, '"') + 1,
            strlen(strchr(at + sizeof name, '"') + 1) + 1);
    return yl_str_c(text);
}

TEST(events_have_upstreams_form)
{
    struct fixture f;
    struct yl_audit_event *e;
    struct yl_str text, line;

    fixture_init(&f, "omitManagedFields: true, "
                     "rules: [{level: RequestResponse}]");
    e = event(&f);
    yl_audit_event_write(e, YL_AUDIT_REQUEST_RECEIVED);
    e->code = 201;
    e->response = YL_STR("{\"kind\":\"Deployment\"}");
    e->impersonated = &(struct yl_user) { .name = YL_STR("al") };
    e->constraint = YL_STR("impersonate:user-info");
    e->decided = YL_STR("allow");
    e->reason = YL_STR("RBAC: \"x\"");
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    text = fixture_text(&f);
    assert_true(yl_str_cut(text, '\n', &line, &text));
    assert_str_equal(
        without_stage_time(f.arena, line),
        "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\","
        "\"level\":\"RequestResponse\",\"auditID\":\"id-1\","
        "\"stage\":\"RequestReceived\",\"requestURI\":"
        "\"/apis/apps/v1/namespaces/d/deployments?x=1\","
        "\"verb\":\"create\",\"user\":{\"username\":\"bob\",\"uid\":\"u\","
        "\"groups\":[\"g\",\"system:authenticated\"],"
        "\"extra\":{\"scopes\":[\"view\"]}},"
        "\"sourceIPs\":[\"192.0.2.1\"],\"userAgent\":\"curl\","
        "\"objectRef\":{\"resource\":\"deployments\",\"namespace\":\"d\","
        "\"apiGroup\":\"apps\",\"apiVersion\":\"v1\"},"
        "\"requestReceivedTimestamp\":\"2023-11-14T22:13:20.123456Z\"}");
    assert_true(yl_str_cut(text, '\n', &line, &text));
    assert_str_equal(
        without_stage_time(f.arena, line),
        "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\","
        "\"level\":\"RequestResponse\",\"auditID\":\"id-1\","
        "\"stage\":\"ResponseComplete\",\"requestURI\":"
        "\"/apis/apps/v1/namespaces/d/deployments?x=1\","
        "\"verb\":\"create\",\"user\":{\"username\":\"bob\",\"uid\":\"u\","
        "\"groups\":[\"g\",\"system:authenticated\"],"
        "\"extra\":{\"scopes\":[\"view\"]}},"
        "\"impersonatedUser\":{\"username\":\"al\"},"
        "\"authenticationMetadata\":{\"impersonationConstraint\":"
        "\"impersonate:user-info\"},"
        "\"sourceIPs\":[\"192.0.2.1\"],\"userAgent\":\"curl\","
        "\"objectRef\":{\"resource\":\"deployments\",\"namespace\":\"d\","
        "\"name\":\"web\",\"apiGroup\":\"apps\",\"apiVersion\":\"v1\"},"
        "\"responseStatus\":{\"metadata\":{},\"code\":201},"
        "\"requestObject\":{\"metadata\":{\"name\":\"web\"},\"spec\":{}},"
        "\"responseObject\":{\"kind\":\"Deployment\"},"
        "\"requestReceivedTimestamp\":\"2023-11-14T22:13:20.123456Z\","
        "\"annotations\":{\"authorization.k8s.io/decision\":\"allow\","
        "\"authorization.k8s.io/reason\":\"RBAC: \\\"x\\\"\"}}");
    assert_str_equal(text, "");
    fixture_release(&f);
}

TEST(the_use_of_a_token_that_should_be_replaced_is_told)
{
    struct yl_user late = user;
    struct fixture f;
    struct yl_audit_event *e;
    struct yl_str text, line;

    fixture_init(&f, "rules: [{level: Metadata}]");
    e = event(&f);
    e->attributes.user = &late;
    late.warn_after = e->received.seconds;
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    late.warn_after = e->received.seconds - 7;
    e->issued = YL_STR("JTI=1");
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    text = fixture_text(&f);
    assert_true(yl_str_cut(text, '\n', &line, &text));
    assert_null(memmem(line.data, line.size, "annotations", 11));
    assert_non_null(strstr(text.data,
        "\"annotations\":{\"authentication.k8s.io/stale-token\":"
        "\"subject: bob, seconds after warning threshold: 7\","
        "\"authentication.kubernetes.io/issued-credential-id\":"
        "\"JTI=1\"}"));
    fixture_release(&f);
}

TEST(levels_say_how_much)
{
    struct fixture f;
    struct yl_audit_event *e;
    struct yl_json json;

    fixture_init(&f, "rules: [{level: Metadata}], "
                     "omitStages: [RequestReceived]");
    e = event(&f);
    yl_audit_event_write(e, YL_AUDIT_REQUEST_RECEIVED);
    e->code = 404;
    e->response = YL_STR("{\"kind\":\"Status\",\"apiVersion\":\"v1\","
                         "\"metadata\":{},\"status\":\"Failure\","
                         "\"message\":\"m\",\"reason\":\"NotFound\","
                         "\"details\":{\"name\":\"x\"},\"code\":404}");
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    json = yl_json(fixture_text(&f));
    assert_true(yl_json_string_is(yl_json_get(json, YL_STR("stage")),
                                  YL_STR("ResponseComplete")));
    assert_str_equal(yl_json_raw(yl_json_get(json, YL_STR("responseStatus"))),
                     "{\"metadata\":{},\"status\":\"Failure\","
                     "\"message\":\"m\",\"reason\":\"NotFound\","
                     "\"details\":{\"name\":\"x\"},\"code\":404}");
    assert_false(yl_json_exists(yl_json_get(json, YL_STR("requestObject"))));
    assert_false(yl_json_exists(yl_json_get(json,
                                            YL_STR("responseObject"))));
    fixture_release(&f);

    fixture_init(&f, "rules: [{level: None}]");
    assert_null(event(&f));
    fixture_release(&f);
}

TEST(lists_lose_managed_fields_too)
{
    struct fixture f;
    struct yl_audit_event *e;
    char *agent;

    fixture_init(&f, "omitManagedFields: true, "
                     "rules: [{level: RequestResponse}]");
    e = event(&f);
    e->attributes.user = NULL;
    e->code = 200;
    e->request = YL_STR("{\"a\":1e999}");
    e->response = YL_STR("{\"items\":[{\"metadata\":{\"managedFields\":[1],"
                         "\"name\":\"a\"}}]}");
    agent = yl_arena_alloc(f.arena, 2000);
    memset(agent, 'x', 2000);
    e->user_agent = yl_str_n(agent, 2000);
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    {
        struct yl_json json = yl_json(fixture_text(&f));
        struct yl_str text;

        assert_str_equal(yl_json_raw(yl_json_get(json,
                                                 YL_STR("responseObject"))),
                         "{\"items\":[{\"metadata\":{\"name\":\"a\"}}]}");
        assert_str_equal(yl_json_raw(yl_json_get(json, YL_STR("user"))),
                         "{}");
        assert_false(yl_json_exists(yl_json_get(json,
                                                YL_STR("requestObject"))));
        assert_int_equal(yl_json_string(yl_json_get(json,
                                                    YL_STR("userAgent")),
                                        f.arena, &text), 0);
        assert_int_equal(text.size, 1024 + strlen("...TRUNCATED"));
    }
    fixture_release(&f);
}

/* A request and an answer that are too much together. */
TEST(what_is_too_large_is_recorded_without_objects)
{
    size_t size = (size_t) 33 << 20;
    struct yl_audit_event *e;
    struct yl_str text;
    struct fixture f;
    char *large;

    fixture_init(&f, "rules: [{level: RequestResponse}]");
    e = event(&f);
    large = yl_arena_alloc(f.arena, size + 8);
    memcpy(large, "{\"a\":\"", 6);
    memset(large + 6, 'x', size);
    memcpy(large + 6 + size, "\"}", 2);
    e->request = e->response = yl_str_n(large, size + 8);
    e->decided = YL_STR("allow");
    yl_audit_event_write(e, YL_AUDIT_RESPONSE_COMPLETE);
    text = fixture_text(&f);
    assert_non_null(strstr(text.data, "\"level\":\"RequestResponse\""));
    assert_non_null(strstr(text.data, "\"username\":\"bob\""));
    assert_non_null(strstr(text.data, "\"annotations\":{"
                                      "\"audit.k8s.io/truncated\":\"true\","
                                      "\"authorization.k8s.io/decision\":"
                                      "\"allow\""));
    assert_null(strstr(text.data, "requestObject"));
    assert_null(strstr(text.data, "responseObject"));
    fixture_release(&f);
}

TEST(without_policy_or_log_there_is_no_audit)
{
    struct yl_audit *audit = (struct yl_audit *) "x";

    assert_int_equal(yl_audit_new(&(struct yl_audit_opts) {
                         .log_path = "-" }, &audit, NULL), 0);
    assert_null(audit);
    assert_int_equal(yl_audit_new(&(struct yl_audit_opts) {
                         .log_path = "-", .policy_file = "/none" }, &audit,
                         NULL), YL_ENOTFOUND);
}
