/* Tests of what is recorded of requests. */

#include "auth_rig.h"

struct place {
    char policy[32], log[32];
};

static void
open_with_audit(struct place *place, const char *rules)
{
    struct yl_buf text;

    snprintf(place->policy, sizeof place->policy, "/tmp/yuloh-pol-XXXXXX");
    snprintf(place->log, sizeof place->log, "/tmp/yuloh-log-XXXXXX");
    close(mkstemp(place->policy));
    close(mkstemp(place->log));
    yl_buf_init(&text, 1 << 20);
    yl_buf_printf(&text, "{apiVersion: audit.k8s.io/v1, kind: Policy, "
                  "rules: %s}", rules);
    assert_int_equal(yl_file_replace(place->policy, yl_buf_str(&text), 0600,
                                     NULL), 0);
    yl_buf_release(&text);
    auth_open_with((struct yl_apiserver_opts) {
        .audit_policy_file = place->policy, .audit_log_path = place->log,
    });
}

/* Ends the server and returns what was recorded. */
static char *
close_with_audit(struct place *place)
{
    char *text;

    auth_close();
    text = read_file(place->log, NULL);
    unlink(place->policy);
    unlink(place->log);
    return text;
}

/* How many lines have both texts. */
static size_t
lines_with(const char *text, const char *a, const char *b)
{
    struct yl_str rest = yl_str_c(text), line;
    size_t n = 0;

    while (yl_str_cut(rest, '\n', &line, &rest)) {
        n += memmem(line.data, line.size, a, strlen(a))
             && memmem(line.data, line.size, b, strlen(b));
    }
    return n;
}

TEST(each_stage_is_a_line)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: RequestResponse}]");
    rig.headers = "x-forwarded-for: 192.0.2.1, junk,2001:db8::1\r\n"
                  "x-real-ip: 192.0.2.1\r\nuser-agent: ua\r\n";
    assert_int_equal(as("root", "POST",
                        "/api/v1/namespaces/default/configmaps?x=1",
                        "{'metadata':{'name':'cm'}}"), 201);
    assert_int_equal(as("root", "GET",
                        "/api/v1/namespaces/default/configmaps", NULL), 200);
    assert_int_equal(as("bob", "GET", "/api/v1/nodes", NULL), 403);
    assert_int_equal(as("wrong", "GET", "/api/v1/nodes", NULL), 401);
    rig.headers = "impersonate-user: al\r\naudit-id: mine\r\n";
    assert_int_equal(as("root", "GET", "/api/v1/nodes/n", NULL), 403);
    assert_non_null(memmem(rig.head.data, rig.head.size, "audit-id: mine",
                           14));
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "\"RequestReceived\"",
                                "configmaps?x=1"), 1);
    assert_int_equal(lines_with(text, "\"responseObject\":{",
                                "configmaps?x=1"), 1);
    assert_int_equal(lines_with(text, "\"sourceIPs\":[\"192.0.2.1\","
                                "\"2001:db8::1\"", "\"name\":\"cm\""), 1);
    assert_int_equal(lines_with(text, "\"ConfigMapList\"",
                                "\"items\":[{"), 1);
    assert_int_equal(lines_with(text, "\"forbid\"", "\"username\":\"bob\""),
                     1);
    assert_int_equal(lines_with(text, "\"user\":{}",
                                "\"stage\":\"ResponseStarted\""), 1);
    assert_int_equal(lines_with(text, "\"user\":{}", ""), 1);
    assert_int_equal(lines_with(text, "\"impersonatedUser\":{\"username\":"
                                "\"al\"", "\"auditID\":\"mine\""), 1);
    free(text);
}

TEST(yaml_is_recorded_as_json)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: RequestResponse}]");
    rig.content_type = "application/yaml";
    rig.headers = "accept: application/yaml\r\n";
    assert_int_equal(as("root", "POST",
                        "/api/v1/namespaces/default/configmaps",
                        "metadata:\n  name: cm\n"), 201);
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "\"requestObject\":{\"apiVersion\":"
                                "\"v1\",\"kind\":\"ConfigMap\","
                                "\"metadata\":{\"name\":\"cm\"}}",
                                "\"responseObject\":{\"apiVersion\":\"v1\""),
                     1);
    free(text);
}

TEST(the_id_of_a_token_that_is_made_is_recorded)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: Metadata}]");
    assert_int_equal(as("root", "POST",
                        "/api/v1/namespaces/default/serviceaccounts",
                        "{\"metadata\":{\"name\":\"s\"}}"), 201);
    assert_int_equal(as("root", "POST",
                        "/api/v1/namespaces/default/serviceaccounts/s/token",
                        "{}"), 201);
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "serviceaccounts/s/token",
                                "\"authentication.kubernetes.io/"
                                "issued-credential-id\":\"JTI="), 1);
    free(text);
}

#define MAPS "/api/v1/namespaces/default/configmaps"
#define PROTOBUF "application/vnd.kubernetes.protobuf"

/* A ConfigMap called "pb" with the label a=b, and DeleteOptions with a grace
 * period of five seconds. */
static const char map[] =
    "k8s\0\n\x0f\n\x02v1\x12\tConfigMap\x12\x0e\n\x0c\n\x02pbZ\x06\n\x01"
    "a\x12\x01" "b";
static const char options[] =
    "k8s\0\n\x18\n\x07""apps/v1\x12\rDeleteOptions\x12\x02\x08\x05";

TEST(protobuf_is_recorded_as_json)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: RequestResponse}]");
    rig.content_type = PROTOBUF;
    rig.body_size = sizeof map - 1;
    rig.headers = "accept: " PROTOBUF "\r\nauthorization: Bearer root\r\n";
    assert_int_equal(api("POST", MAPS, map), 201);
    rig.headers = "accept: " PROTOBUF "\r\n";
    assert_int_equal(as("root", "GET", MAPS, NULL), 200);
    rig.headers = "accept: " PROTOBUF
                  ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1\r\n";
    assert_int_equal(as("root", "GET", MAPS "?limit=1", NULL), 200);
    rig.content_type = PROTOBUF;
    rig.body_size = sizeof options - 1;
    rig.headers = "authorization: Bearer root\r\n";
    assert_int_equal(api("DELETE", MAPS "/pb", options), 200);
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "\"requestObject\":{\"apiVersion\":"
                                "\"v1\",\"kind\":\"ConfigMap\","
                                "\"metadata\":{\"labels\":{\"a\":",
                                "\"responseObject\":{\"apiVersion\":\"v1\""),
                     1);
    assert_int_equal(lines_with(text, "\"responseObject\":{\"apiVersion\":"
                                "\"v1\",\"items\":[{",
                                "\"kind\":\"ConfigMapList\""), 1);
    assert_int_equal(lines_with(text, "\"kind\":\"PartialObjectMetadataList\"",
                                "?limit=1"), 1);
    assert_int_equal(lines_with(text, "\"requestObject\":{\"apiVersion\":"
                                "\"apps/v1\",\"gracePeriodSeconds\":5,"
                                "\"kind\":\"DeleteOptions\"}",
                                "\"verb\":\"delete\""), 1);
    free(text);
}

TEST(what_is_refused_early_is_recorded)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: RequestResponse}]");
    assert_int_equal(as("root", "GET", MAPS "?timeout=soon", NULL), 400);
    assert_string_equal(text_at("/message"),
                        "invalid timeout specified in the request URL - time: "
                        "invalid duration \"soon\"");
    rig.content_type = "application/json";
    assert_int_equal(as("wrong", "POST", MAPS, "{'data':{'a':'secret'}}"),
                     401);
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "timeout=soon", ""), 1);
    assert_int_equal(lines_with(text, "timeout=soon",
                                "\"stage\":\"ResponseStarted\""), 1);
    assert_int_equal(lines_with(text, "\"code\":401", "\"verb\":\"create\""),
                     1);

    /* A body that is not sent is not read either. */
    assert_int_equal(lines_with(text, "secret", ""), 0);
    free(text);
}

TEST(a_client_that_goes_away_is_recorded)
{
    struct place place;
    char *text;
    int fd, i;

    open_with_audit(&place, "[{level: Metadata}]");
    rig.headers = "authorization: Bearer root\r\n";
    fd = rig_send("GET", "/api/v1/nodes?watch=1", NULL);
    for (i = 0; i < 20; i++) {
        yl_http_server_turn(rig.http, false);
    }
    close(fd);
    for (i = 0; i < 20; i++) {
        yl_http_server_turn(rig.http, false);
    }
    text = close_with_audit(&place);
    assert_int_equal(lines_with(text, "watch=1", "RequestReceived"), 1);
    assert_int_equal(lines_with(text, "watch=1", "ResponseStarted"), 1);
    assert_int_equal(lines_with(text, "watch=1", "ResponseComplete"), 1);
    free(text);
}

TEST(what_the_policy_leaves_out_is_not_there)
{
    struct place place;
    char *text;

    open_with_audit(&place, "[{level: None}]");
    assert_int_equal(as("root", "GET", "/api/v1/nodes", NULL), 200);
    text = close_with_audit(&place);
    assert_string_equal(text, "");
    free(text);
}
