/* Tests of paths that are no resources: documents, version, metrics, OpenAPI,
 * and what is not there. */

#include "apiserver/discovery/discovery.h"

#include "apiserver/discovery/documents.h"
#include "apiserver/metrics/metrics.h"
#include "custom_kind.h"
#include "registry_unit.h"
#include "request_unit.h"
#include "yuloh/clock.h"
#include "yuloh/json.h"

#define AGGREGATED                                                            \
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
#define PROTOBUF "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"

static struct registry_unit unit;
static struct request_unit u;

static void
begin(void)
{
    memset(&u, 0, sizeof u);
    registry_unit_init(&unit);
    u.server.registry = unit.registry;
    u.server.documents = yl_documents_new(NULL);
}

static void
end(void)
{
    yl_documents_free(u.server.documents);
    registry_unit_release(&unit);
}

/* One request; the answer stays in 'u' until done(). */
static int
ask(const char *method, const char *target, const char *accept)
{
    request_unit_start(&u, method, target, accept ? "accept" : NULL, accept,
                       NULL);
    assert_int_equal(yl_discovery_serve(&u.request), YL_STEP_DONE);
    return u.status;
}

static void
done(void)
{
    request_unit_end(&u);
}

static void
assert_answer(const char *target, const char *accept, int status,
              const char *header, const char *text)
{
    int got = ask("GET", target, accept);

    if (got != status || !request_unit_has(&u, header)
        || !strstr(yl_buf_c_str(&u.body), text)) {
        fail_msg("%s (%s): %d\n%s\n%.200s", target, accept ? accept : "", got,
                 yl_buf_c_str(&u.answer_headers), yl_buf_c_str(&u.body));
    }
    done();
}

#define IS_JSON "content-type: application/json\n"
#define IS_TEXT "content-type: text/plain; charset=utf-8\n"

TEST(documents_are_served)
{
    begin();
    assert_answer("/", NULL, 200, IS_JSON, "\"/apis/apps/v1\"");
    assert_answer("/index.html", "text/html", 200, IS_JSON, "\"/api\"");
    assert_answer("/api", NULL, 200, IS_JSON, "APIVersions");
    assert_answer("/api/", NULL, 200, IS_JSON, "127.0.0.1:6443");
    assert_answer("/api/v1", NULL, 200, IS_JSON, "\"pods/status\"");
    assert_answer("/api/v1/", NULL, 200, IS_JSON, "\"pods/status\"");
    assert_answer("/apis", NULL, 200, IS_JSON, "APIGroupList");
    assert_answer("/apis/", NULL, 200, IS_JSON, "APIGroupList");
    assert_answer("/apis/apps", NULL, 200, IS_JSON, "\"APIGroup\"");
    assert_answer("/apis/apps/", NULL, 200, IS_JSON, "\"APIGroup\"");
    assert_answer("/apis/apps/v1", NULL, 200, IS_JSON, "deployments/scale");
    assert_answer("/apis/apps/v1/", NULL, 200, IS_JSON, "deployments/scale");
    assert_answer("/apis/apps//", NULL, 200, IS_JSON, "\"APIGroup\"");
    assert_answer("/api/v1//", NULL, 200, IS_JSON, "\"pods/status\"");
    assert_answer("/apis", "application/*", 200, IS_JSON, "APIGroupList");
    assert_answer("/apis/batch/v2alpha1", NULL, 200, IS_JSON, "cronjobs");
    end();
}

TEST(what_is_not_there_is_404)
{
    begin();
    assert_answer("/nothing", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("/nothing/", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("//api/v1", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("/apis/nope", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("/apis//", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("/openapi", NULL, 404, IS_TEXT, "404 page not found\n");
    assert_answer("/api/v2", NULL, 404, IS_JSON,
                  "the server could not find the requested resource");
    assert_answer("/api//v1", NULL, 404, IS_JSON, "\"details\":{}");
    assert_answer("/apis/apps/v9", NULL, 404, IS_JSON, "\"Status\"");
    assert_answer("/version/x", NULL, 404, IS_JSON, "\"Status\"");
    assert_answer("/openapi/v3/", NULL, 404, "", "");
    assert_answer("/openapi/v3/apis/nope/v1", NULL, 404, "", "");
    assert_answer("/openapi/v3/api/v9", NULL, 404, "", "");
    assert_answer("/openapi/v3/api/", NULL, 404, "", "");
    assert_answer("/openapi/v3/apis/", NULL, 404, "", "");
    assert_answer("/openapi/v3/apis/apps/", NULL, 404, "", "");
    assert_answer("/openapi/v3/nope/apps", NULL, 404, "", "");
    end();
}

TEST(some_paths_take_any_method)
{
    static const struct {
        const char *method, *path;
        int status;
    } cases[] = {
        { "POST", "/api", 405 },        { "HEAD", "/api/v1", 405 },
        { "PUT", "/apis/apps/v1", 405 }, { "POST", "/version", 405 },
        { "OPTIONS", "/api/v1", 405 },  { "PUT", "/apis", 200 },
        { "DELETE", "/apis/apps", 200 }, { "POST", "/healthz", 200 },
    };

    begin();
    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        assert_int_equal(ask(cases[i].method, cases[i].path, NULL),
                         cases[i].status);
        done();
    }
    end();
}

TEST(aggregated_discovery_is_negotiated)
{
    static const char *const yes[] = {
        AGGREGATED, AGGREGATED ";profile=nopeer",
        "application/json," AGGREGATED, AGGREGATED ";q=0.1,application/json",
    };
    static const char *const no[] = {
        "application/json;as=APIGroupDiscoveryList;v=v2beta1;g=a",
        "application/json;g=apidiscovery.k8s.io;v=v2;as=Other",
        "application/xml", "text/html",
    };

    begin();
    for (size_t i = 0; i < YL_ARRAY_SIZE(yes); i++) {
        assert_answer("/apis", yes[i], 200,
                      "content-type: " AGGREGATED "\n",
                      "\"apidiscovery.k8s.io/v2\"");
        assert_answer("/api", yes[i], 200, "vary: Accept\n",
                      "\"apidiscovery.k8s.io/v2\"");
    }
    for (size_t i = 0; i < YL_ARRAY_SIZE(no); i++) {
        assert_answer("/apis", no[i], 406, IS_JSON,
                      "only the following media types are accepted: "
                      "application/json, ");
    }
    assert_answer("/apis/apps", AGGREGATED, 406, IS_JSON, "only the");
    assert_answer("/apis/apps/v1", AGGREGATED, 406, IS_JSON, "only the");
    assert_answer("/api/v1", "text/html", 406, IS_JSON,
                  "406: Not Acceptable\\n\\nAvailable representations: ");
    assert_answer("/version", "application/*", 406, IS_JSON, "");
    assert_answer("/version", "*", 406, IS_JSON, "");
    assert_answer("/version", "text/html", 406, IS_JSON,
                  "representations: application/json\",\n");
    assert_answer("/version", "application/yaml", 406,
                  "content-type: application/yaml\n", "code: 406\n");
    assert_answer("/version", "application/yaml,application/json;q=0.1", 200,
                  IS_JSON, "gitVersion");
    assert_answer("/nothing", "text/html", 404, IS_TEXT, "404");
    end();
}

TEST(other_forms_are_made_of_the_same_document)
{
    begin();
    assert_answer("/apis/apps", "application/yaml", 200,
                  "content-type: application/yaml\n", "kind: APIGroup\n");
    assert_answer("/apis", "application/yaml;g=apidiscovery.k8s.io;v=v2;"
                           "as=APIGroupDiscoveryList", 200,
                  "content-type: application/yaml;g=", "- metadata:\n");
    request_unit_start(&u, "GET", "/apis/apps", NULL);
    u.request.accept.pretty = true;
    yl_discovery_serve(&u.request);
    assert_non_null(strstr(yl_buf_c_str(&u.body),
                           "\n  \"kind\": \"APIGroup\",\n"));
    done();
    end();
}

TEST(an_etag_saves_the_answer)
{
    char etag[YL_ETAG_SIZE] = "";
    const char *line;

    begin();
    ask("GET", "/apis", AGGREGATED);
    line = strstr(yl_buf_c_str(&u.answer_headers), "etag: ");
    assert_non_null(line);
    memcpy(etag, line + 6, YL_ETAG_SIZE - 1);
    assert_true(request_unit_has(&u, "cache-control: public\n"));
    done();

    request_unit_start(&u, "GET", "/apis", "accept", AGGREGATED,
                       "if-none-match", etag, NULL);
    yl_discovery_serve(&u.request);
    assert_int_equal(u.status, 304);
    assert_int_equal(u.body.size, 0);
    done();

    request_unit_start(&u, "GET", "/apis", "accept", AGGREGATED,
                       "if-none-match", "\"nope\"", NULL);
    yl_discovery_serve(&u.request);
    assert_int_equal(u.status, 200);
    done();
    end();
}

/* The custom resource "things", in one version or two. */
static void
put_things(struct yl_kind *const *kinds, size_t n)
{
    static struct yl_api_version versions[2];
    struct yl_api_resource things = {
        .group = YL_STR("example.com"), .plural = YL_STR("things"),
        .singular = YL_STR("thing"), .kind = YL_STR("Thing"),
        .namespaced = true, .verbs = YL_VERBS_ALL, .versions = versions,
        .n_versions = n, .short_names = "", .categories = "", .custom = true,
    };

    for (size_t i = 0; i < n; i++) {
        versions[i] = (struct yl_api_version) {
            .group = YL_STR("example.com"),
            .version = yl_str_c(kinds[i]->set->version),
            .kind = kinds[i], .selectable = "spec.a", .hub = i == 0,
        };
    }
    assert_int_equal(yl_registry_put(unit.registry, &things, NULL, NULL), 0);
}

TEST(a_change_of_the_registry_shows)
{
    struct yl_kind *kinds[2] = {
        custom_kind_new("v1", "{'type':'object','properties':{'spec':"
                              "{'type':'object','properties':{'a':"
                              "{'type':'string'}}}}}", 0),
        custom_kind_new("v2", "{'type':'object'}", 0),
    };

    begin();
    assert_answer("/apis/example.com/v1", NULL, 404, IS_TEXT, "404");
    assert_answer("/apis", NULL, 200, IS_JSON, "APIGroupList");
    assert_answer("/openapi/v2", PROTOBUF, 200, "vary: Accept\n", "");
    put_things(kinds, 1);
    assert_answer("/apis/example.com/v1", NULL, 200, IS_JSON, "things");
    assert_answer("/apis", NULL, 200, IS_JSON, "example.com");
    assert_answer("/apis", AGGREGATED, 200, "etag: ", "example.com");
    assert_answer("/openapi/v3", NULL, 200, IS_TEXT, "apis/example.com/v1");
    assert_answer("/openapi/v3/apis/example.com/v1", NULL, 200, IS_JSON,
                  "listExampleComV1NamespacedThing");
    assert_answer("/openapi/v3/apis/example.com/v1", NULL, 200, IS_JSON,
                  "\"x-kubernetes-selectable-fields\":[{\"fieldPath\":"
                  "\"spec.a\"}]");
    assert_answer("/openapi/v2", NULL, 200, IS_JSON,
                  "/apis/example.com/v1/namespaces/{namespace}/things/{name}");

    /* Custom groups take any method. */
    assert_int_equal(ask("PUT", "/apis/example.com/v1", NULL), 200);
    done();

    /* A group of custom kinds has no document of its own. */
    assert_answer("/openapi/v3/apis/example.com", NULL, 404, "", "");

    assert_answer("/openapi/v3/apis/example.com/v2", NULL, 404, "", "");
    assert_answer("/apis/example.com/v2", NULL, 404, IS_TEXT, "404 page");
    put_things(kinds, 2);
    assert_answer("/apis/example.com/v2", NULL, 200, IS_JSON, "things");
    assert_answer("/openapi/v3", NULL, 200, IS_TEXT, "apis/example.com/v2");
    assert_answer("/openapi/v3/apis/example.com/v2", NULL, 200, IS_JSON,
                  "com.example.v2.ThingList");
    assert_answer("/openapi/v2", NULL, 200, IS_JSON,
                  "\"com.example.v2.Thing\":");
    yl_registry_remove(unit.registry, YL_STR("example.com"),
                       YL_STR("things"));
    assert_answer("/apis/example.com/v1", NULL, 404, IS_TEXT, "404");
    assert_answer("/openapi/v3/apis/example.com/v1", NULL, 404, "", "");
    ask("GET", "/openapi/v2", NULL);
    assert_null(strstr(yl_buf_c_str(&u.body), "example.com"));
    done();
    end();
    yl_schema_kind_free(kinds[0]);
    yl_schema_kind_free(kinds[1]);
}

static bool
refuse_to_render(struct yl_buf *buf YL_UNUSED, void *aux YL_UNUSED)
{
    return false;
}

/* A change costs the documents of its own group-version: those of others, and
 * the part of the built-in kinds in version 2, are kept. */
TEST(a_change_leaves_other_documents_alone)
{
    struct yl_kind *kinds[2] = {
        custom_kind_new("v1", "{'type':'object'}", 0),
        custom_kind_new("v2", "{'type':'object'}", 0),
    };
    const struct yl_document *before, *after;

    begin();
    assert_answer("/openapi/v2", NULL, 200, IS_JSON, "Deployment");
    assert_answer("/openapi/v3/apis/apps/v1", NULL, 200, IS_JSON,
                  "Deployment");
    before = yl_documents_get(u.server.documents, YL_STR("openapi v2 0 "), 1,
                              refuse_to_render, NULL);
    assert_non_null(before);
    put_things(kinds, 2);
    assert_answer("/openapi/v2", NULL, 200, IS_JSON, "com.example.v2.Thing");
    after = yl_documents_get(u.server.documents, YL_STR("openapi v2 0 "), 1,
                             refuse_to_render, NULL);
    assert_ptr_equal(before, after);
    yl_document_unref(before);
    yl_document_unref(after);
    before = yl_documents_get(
        u.server.documents, YL_STR("openapi v3 apis/apps/v1"),
        yl_registry_version_generation(unit.registry, YL_STR("apps"),
                                       YL_STR("v1")),
        refuse_to_render, NULL);
    assert_non_null(before);
    yl_document_unref(before);
    end();
    yl_schema_kind_free(kinds[0]);
    yl_schema_kind_free(kinds[1]);
}

TEST(the_version_is_kubernetes_and_ours)
{
    begin();
    assert_answer("/version", NULL, 200, IS_JSON, "\"minor\": \"36\"");
    assert_answer("/version/", NULL, 200, IS_JSON, "+yuloh");
    assert_non_null(strstr(yl_discovery_version(), "v1.36."));
    end();
}

TEST(metrics_are_rendered)
{
    begin();
    u.server.metrics = yl_api_metrics_new();
    assert_answer("/metrics", NULL, 200,
                  "content-type: text/plain; version=0.0.4; charset=utf-8; "
                  "escaping=underscores\n", "\nprocess_open_fds ");
    assert_answer("/metrics/slis", NULL, 200,
                  "content-type: text/plain; version=0.0.4",
                  "kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 1\n");
    yl_api_metrics_free(u.server.metrics);
    end();
}

/* The "serverRelativeURL" of 'name' in the index of OpenAPI. */
static void
find_url(const char *name, char *url, size_t size)
{
    struct yl_str text;

    ask("GET", "/openapi/v3", NULL);
    assert_int_equal(u.status, 200);
    assert_true(request_unit_has(&u, "etag: "));
    assert_int_equal(yl_json_string(
        yl_json_get(yl_json_get(yl_json_get(yl_json(yl_buf_str(&u.body)),
                                            YL_STR("paths")),
                                yl_str_c(name)),
                    YL_STR("serverRelativeURL")), u.request.arena, &text), 0);
    snprintf(url, size, "%.*s", YL_STR_ARG(text));
    done();
}

TEST(openapi_documents_have_a_hash)
{
    char url[512];

    begin();
    find_url("apis/apps/v1", url, sizeof url);
    assert_answer(url, NULL, 200, "cache-control: public, immutable\n",
                  "readAppsV1NamespacedDeployment");
    assert_answer("/openapi/v3/apis/apps/v1", NULL, 200,
                  "cache-control: no-cache, private\n",
                  "readAppsV1NamespacedDeployment");
    assert_answer("/openapi/v3/apis/apps/v1?hash=old", NULL, 301,
                  "location: /openapi/v3/apis/apps/v1?hash=", "");
    find_url("version", url, sizeof url);
    assert_answer(url, "application/json", 200, IS_JSON, "getCodeVersion");
    assert_answer(url, "application/xml", 406, "vary: Accept\n", "");
    assert_answer("/openapi/v3/api", NULL, 200, IS_JSON, "");
    assert_answer("/openapi/v3/apis", NULL, 200, IS_JSON, "");
    assert_answer("/openapi/v3/apis/apps", NULL, 200, IS_JSON, "");
    end();
}

TEST(openapi_v2_is_json_or_protobuf)
{
    begin();
    assert_answer("/openapi/v2", NULL, 200, IS_JSON,
                  "{\"swagger\":\"2.0\",");
    assert_answer("/openapi/v2", "*/*", 200, IS_JSON, "swagger");
    assert_answer("/openapi/v2", "application/xml", 406, "", "");
    assert_int_equal(ask("GET", "/openapi/v2", PROTOBUF), 200);
    assert_true(request_unit_has(&u, "content-type: application/com.github."
                                     "proto-openapi.spec.v2.v1.0+protobuf"));
    assert_memory_equal(u.body.data, "\x0a\x03" "2.0", 5);
    done();
    end();
}

TEST(any_etag_of_a_list_matches)
{
    static const struct {
        const char *header;
        int status;
    } cases[] = {
        { "*", 304 }, { "\"x\", W/\"y\"", 200 }, { "", 200 },
    };
    struct yl_buf list;
    const char *line;

    begin();
    for (size_t i = 0; i < YL_ARRAY_SIZE(cases); i++) {
        request_unit_start(&u, "GET", "/openapi/v3/version", "if-none-match",
                           cases[i].header, NULL);
        yl_discovery_serve(&u.request);
        assert_int_equal(u.status, cases[i].status);
        done();
    }
    ask("GET", "/openapi/v3/version", NULL);
    line = strstr(yl_buf_c_str(&u.answer_headers), "etag: ");
    yl_buf_init(&list, 4096);
    yl_buf_printf(&list, "\"x\" , W/%.130s", line + 6);
    done();
    request_unit_start(&u, "GET", "/openapi/v3/version", "if-none-match",
                       yl_buf_c_str(&list), NULL);
    yl_discovery_serve(&u.request);
    assert_int_equal(u.status, 304);
    done();
    yl_buf_release(&list);
    end();
}

/* An idle server holds no documents. */
TEST(documents_go_when_nobody_asks)
{
    struct yl_clock *clock = yl_clock_fake_new(0);
    size_t bytes;

    begin();
    yl_documents_free(u.server.documents);
    u.server.documents = yl_documents_new(clock);
    assert_answer("/openapi/v2", NULL, 200, IS_JSON, "swagger");
    assert_true(yl_documents_count(u.server.documents, &bytes) > 0);
    assert_true(bytes > 500000);
    yl_clock_fake_advance(clock, YL_DOCUMENT_IDLE);
    yl_documents_sweep(u.server.documents);
    assert_int_equal(yl_documents_count(u.server.documents, &bytes), 0);
    end();
    yl_clock_free(clock);
}
